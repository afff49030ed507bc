//! Input texts: files, standard input, built-in instances, and instances on the command line.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use fewest_puzzle::any::{AnyInstance, AnyReader};
use fewest_puzzle::builtin;
use fewest_puzzle::puzzle::{TextError, TwoTexts};
use fewest_puzzle::solve::InTwoTexts;
use fewest_rules::text::{Diagnostic, numbered, quote};

use crate::PuzzleRef;
use crate::diagnostic;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::message::{message, note};

/// The largest accepted text, enough for more than ten thousand of the largest maps.
const MAX_TEXT_BYTES: u64 = 1 << 30;

fn read(from: impl Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    match from.take(MAX_TEXT_BYTES + 1).read_to_end(&mut text)? as u64 {
        0..=MAX_TEXT_BYTES => Ok(text),
        _ => Err(io::Error::other("more than 1 GiB of text")),
    }
}

/// An instance of a text.
pub(crate) struct DataSet<'a> {
    /// The name of the text.
    text_name: &'a str,
    /// The number in the text, from 1; `None` if the text has no other data set.
    number: Option<usize>,
    /// Whether no other data set of the text is read.
    is_only: bool,
    /// The texts, if there are two.
    pub(crate) texts: Option<InTwoTexts>,
    /// The moves that were played before the instance starts, such as `7 steps`.
    after: Option<String>,
    pub(crate) instance: Arc<dyn AnyInstance>,
}

impl DataSet<'_> {
    /// The name of the text, followed by `#` and a number if the text has several data sets, and by
    /// the moves that were played before.
    pub(crate) fn name(&self) -> String {
        let mut name = self.text_name.to_owned();
        if let Some(number) = self.number {
            name += &format!("#{number}");
        }
        if let Some(InTwoTexts { names, second, part, .. }) = &self.texts
            && !self.is_only
        {
            // The name of the part is that of a column, in the plural.
            let noun = if *part == 1 { names.part.trim_end_matches('s') } else { names.part };
            name += &format!(", {second}, {part} {noun}");
        }
        if let Some(after) = &self.after {
            name += &format!(" after {after}");
        }
        name
    }

    /// The same data set after some moves, with the instance that starts there.
    pub(crate) fn going_on(self, after: String, instance: Arc<dyn AnyInstance>) -> Self {
        Self { after: Some(after), instance, ..self }
    }

    /// Whether no other data set of the text is read.
    pub(crate) fn is_only(&self) -> bool {
        self.is_only
    }
}

/// Returns the data set, or prints the error of its text and returns `None`.
pub(crate) fn skip_invalid<'a>(
    data_set: Result<DataSet<'a>, Failure>,
    exit: &mut Exit,
) -> Result<Option<DataSet<'a>>, Failure> {
    match data_set {
        Err(failure @ Failure::Text { .. }) => {
            message(format_args!("{}", diagnostic::render(&failure)));
            *exit = Exit::BadInput;
            Ok(None)
        }
        other => other.map(Some),
    }
}

/// The name of standard input in messages.
const STDIN: &str = "<stdin>";

/// Whether an argument stands for standard input.
pub(crate) fn is_stdin(name: &Path) -> bool {
    name.as_os_str() == "-"
}

/// A text and its name in messages.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: Vec<u8>,
    /// The only data set to read, from 1; `None` for all of them.
    selected: Option<usize>,
    /// What the instances of two texts are called.
    two_texts: Option<TwoTexts>,
    /// Whether second texts have to belong to this text, because there are other texts.
    is_one_of_many: bool,
    /// The second texts, once they are read.
    seconds: OnceLock<Vec<Self>>,
    /// Whether the text is from a file or from standard input.
    pub(crate) is_file: bool,
}

/// The failure of reading a file. If there is no such file, `or_else` gives the end of the message and a
/// hint.
pub(crate) fn unreadable(
    name: &Path,
    error: io::Error,
    or_else: impl FnOnce() -> (&'static str, Option<String>),
) -> Failure {
    let name = name.display();
    match error.kind() {
        // The name cannot be a file name, or a part of the path is a file, not a folder.
        io::ErrorKind::NotFound | io::ErrorKind::InvalidFilename | io::ErrorKind::NotADirectory => {
            let (rest, hint) = or_else();
            Failure::Usage { what: format!("there is no file `{name}`{rest}"), hint }
        }
        io::ErrorKind::IsADirectory => {
            Failure::usage(format!("`{name}` is a directory, not a file"))
        }
        _ => Failure::Read { origin: name.to_string(), error },
    }
}

impl Source {
    /// The built-in instance of this name, otherwise the file of this name, otherwise the name
    /// itself if it is an instance. `NAME#3` is the third data set of such a text, as the output of
    /// other verbs names it.
    pub(crate) fn instance(puzzle: PuzzleRef, name: &Path) -> Result<Self, Failure> {
        let info = puzzle.info();
        let is_text = |name: &Path| name.exists() || builtin::find(info.builtins, name).is_some();
        if let Some((text, number)) = numbered(name)
            && is_text(&text)
            && !is_text(name)
        {
            if number == 0 {
                let what = format!("`{}`: data sets are numbered from 1", name.display());
                return Err(Failure::usage(what));
            }
            let source = Self::instance(puzzle, &text)?;
            return Ok(Self { selected: Some(number), is_file: false, ..source });
        }
        let Some(builtin) = builtin::find(info.builtins, name) else {
            if let Some(board) = inline(puzzle, name) {
                return Ok(Self::whole(board.trim().replace('\n', "/"), board.into()));
            }
            return Self::file(name, || {
                let near = builtin::did_you_mean(info.builtins, &name.to_string_lossy());
                (
                    " and no built-in instance of that name",
                    near.or_else(|| Some(format!("`{} list` shows the built-in names", info.name))),
                )
            });
        };
        let shown = name.display();
        if name.exists() {
            note(format_args!(
                "note: `{shown}` is a built-in instance; the file of that name is `./{shown}`"
            ));
        }
        Ok(Self::whole(shown.to_string(), builtin.text.into()))
    }

    fn whole(name: String, text: Vec<u8>) -> Self {
        let seconds = OnceLock::new();
        let (selected, two_texts, is_one_of_many, is_file) = (None, None, false, false);
        Self { name, text, selected, two_texts, is_one_of_many, seconds, is_file }
    }

    /// The name, with the number of the selected data set.
    pub(crate) fn full_name(&self) -> String {
        self.selected.map_or(self.name.clone(), |number| format!("{}#{number}", self.name))
    }

    /// The texts of several names, as for [`instance`](Self::instance).
    pub(crate) fn instances(puzzle: PuzzleRef, names: &[PathBuf]) -> Result<Vec<Self>, Failure> {
        if names.iter().filter(|name| is_stdin(name)).count() > 1 {
            return Err(Failure::usage("standard input, `-`, can be read only once"));
        }
        let info = puzzle.info();
        let files = |name: &PathBuf| {
            let is_instance =
                builtin::find(info.builtins, name).is_some() || inline(puzzle, name).is_some();
            if is_instance { Ok(vec![name.clone()]) } else { expanded(name, None) }
        };
        let names = names.iter().map(files).collect::<Result<Vec<_>, _>>()?.concat();
        let two_texts = info.two_texts;
        let is_one_of_many = names.len() > 1;
        let source = |name: &PathBuf| {
            Ok(Self { two_texts, is_one_of_many, ..Self::instance(puzzle, name)? })
        };
        names.iter().map(source).collect()
    }

    /// The text of plans for instances. Only one of them can come from standard input.
    pub(crate) fn plan(
        name: &Path,
        instances: &[PathBuf],
        reader: &dyn AnyReader,
    ) -> Result<Self, Failure> {
        let is_instance = instances.iter().any(|instance| is_stdin(instance));
        let is_second = || reader.second_texts().iter().any(|second| is_stdin(second));
        if is_stdin(name) && (is_instance || is_second()) {
            let what = if is_instance { "instance" } else { "second file of the instance" };
            return Err(Failure::usage(format!(
                "the {what} and the plan cannot both come from standard input"
            )));
        }
        Self::file(name, Default::default)
    }

    /// A file, or standard input for `-`. If there is no such file, `or_else` gives the end of the
    /// message and a hint.
    pub(crate) fn file(
        name: &Path,
        or_else: impl FnOnce() -> (&'static str, Option<String>),
    ) -> Result<Self, Failure> {
        if is_stdin(name) {
            return Self::standard_input();
        }
        match fs::File::open(name).and_then(read) {
            // A file name may contain newlines and escapes; messages and comments must not.
            Ok(text) => {
                let name = name.to_string_lossy().replace(char::is_control, "?");
                Ok(Self { is_file: true, ..Self::whole(name, text) })
            }
            Err(error) => Err(unreadable(name, error, or_else)),
        }
    }

    fn standard_input() -> Result<Self, Failure> {
        let name = STDIN.to_owned();
        if io::stdin().is_terminal() {
            note(format_args!("reading from the terminal until Ctrl-D; see --help"));
        }
        match read(io::stdin()) {
            Ok(text) => Ok(Self { is_file: true, ..Self::whole(name, text) }),
            Err(error) => Err(Failure::Read { origin: name, error }),
        }
    }

    /// The failure for an error in this text.
    pub(crate) fn error_at(&self, diagnostic: Diagnostic) -> Failure {
        if let Some(of_option) = &diagnostic.option {
            let (option, value) = &**of_option;
            let (origin, line) = ((*option).to_owned(), value.clone());
            return Failure::Text { origin, line, diagnostic: Box::new(diagnostic) };
        }
        let line =
            self.text.split(|&byte| byte == b'\n').nth(diagnostic.line - 1).unwrap_or_default();
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned();
        Failure::Text { origin: self.name.clone(), line, diagnostic: Box::new(diagnostic) }
    }

    /// The data set of a source that has only one. `what` says what needs that.
    pub(crate) fn only_data_set<'a>(
        &'a self,
        reader: &'a dyn AnyReader,
        what: &str,
    ) -> Result<DataSet<'a>, Failure> {
        let mut data_sets = self.data_sets(reader);
        let none = || Failure::usage(format!("{} has no data set", self.name));
        let first = data_sets.next().ok_or_else(none)??;
        match data_sets.next() {
            None => Ok(first),
            Some(_) => Err(Failure::usage_with_hint(
                format!("{what} is of one board, and {} has several", self.name),
                "choose one, as in `FILE#3`",
            )),
        }
    }

    /// The data sets, parsed one by one.
    pub(crate) fn data_sets<'a>(
        &'a self,
        reader: &'a dyn AnyReader,
    ) -> Box<dyn Iterator<Item = Result<DataSet<'a>, Failure>> + 'a> {
        match reader.second_texts() {
            [] => Box::new(self.parse(reader)),
            seconds => match self.second_texts(seconds, reader) {
                Ok(seconds) => Box::new(self.with_seconds(seconds, reader)),
                Err(failure) => Box::new(std::iter::once(Err(failure))),
            },
        }
    }

    /// The second texts of this text, which are read once. Those that were found in a folder or by a
    /// pattern, and all if there are several texts, have to belong to it.
    fn second_texts(&self, names: &[PathBuf], reader: &dyn AnyReader) -> Result<&[Self], Failure> {
        if let Some(seconds) = self.seconds.get() {
            return Ok(seconds);
        }
        if (self.name == STDIN || self.is_one_of_many) && names.iter().any(|name| is_stdin(name)) {
            return Err(Failure::usage("standard input cannot be read twice"));
        }
        let extension = self.two_texts.map(|two_texts| two_texts.second_extension);
        let file_name = Path::new(&self.name).file_name().unwrap_or_default().to_string_lossy();
        let mut seconds = Vec::new();
        for name in names {
            let files = expanded(name, extension)?;
            let is_chosen = files == [name.clone()] && !self.is_one_of_many;
            for file in files {
                let second = Self::file(&file, Default::default)?;
                let first = reader.first_text(&second.text).filter(|first| *first != file_name);
                if !is_chosen && first.is_some() {
                    continue;
                }
                if let Some(first) = first.filter(|_| self.name != STDIN) {
                    let name = quote(&file_name);
                    let text = format_args!(
                        "{} is for {}, and this is {name}",
                        second.full_name(),
                        quote(&first)
                    );
                    message(format_args!("warning: {text}"));
                }
                seconds.push(second);
            }
        }
        if seconds.is_empty() {
            let what = self.two_texts.map_or("second text", |two_texts| two_texts.second);
            return Err(Failure::usage(format!("no {what} is for {}", self.name)));
        }
        Ok(self.seconds.get_or_init(|| seconds))
    }

    /// The instances of this text and of each of its second texts.
    fn with_seconds<'a>(
        &'a self,
        seconds: &'a [Self],
        reader: &'a dyn AnyReader,
    ) -> impl Iterator<Item = Result<DataSet<'a>, Failure>> + 'a {
        let are_many = seconds.len() > 1;
        seconds.iter().flat_map(move |second| {
            let instances = self.read_two(second, reader);
            let is_only = !are_many && instances.len() == 1;
            let data_set = move |instance: Result<Arc<dyn AnyInstance>, Failure>| {
                let instance = instance?;
                let texts = |names| InTwoTexts {
                    names,
                    first: self.name.clone(),
                    second: second.name.clone(),
                    part: instance.part(),
                };
                Ok(DataSet {
                    text_name: &self.name,
                    number: None,
                    is_only,
                    texts: self.two_texts.map(texts),
                    after: None,
                    instance,
                })
            };
            instances.into_iter().map(data_set)
        })
    }

    /// The instances of this text and of a second one.
    fn read_two(
        &self,
        second: &Self,
        reader: &dyn AnyReader,
    ) -> Vec<Result<Arc<dyn AnyInstance>, Failure>> {
        let failure = |error| match error {
            TextError::First(diagnostic) => self.error_at(diagnostic),
            TextError::Second(diagnostic) => second.error_at(diagnostic),
        };
        let instances = reader.read_two(&self.text, &second.text).into_iter();
        instances.map(|instance| instance.map_err(failure)).collect()
    }

    /// The data sets of this text alone.
    fn parse<'a>(
        &'a self,
        reader: &'a dyn AnyReader,
    ) -> impl Iterator<Item = Result<DataSet<'a>, Failure>> + 'a {
        let mut data_sets = reader.read(&self.text).peekable();
        let (mut number, mut is_over) = (0, false);
        std::iter::from_fn(move || {
            let mut next = (!is_over).then(|| data_sets.next())?;
            number += 1;
            if let Some(selected) = self.selected {
                while number < selected && matches!(next, Some(Ok(_))) {
                    next = data_sets.next();
                    number += 1;
                }
                is_over = true;
                if next.is_none() {
                    let (name, count) = (&self.name, number - 1);
                    let what =
                        format!("there is no `{name}#{selected}`: {name} has {count} of them");
                    return Some(Err(Failure::usage(what)));
                }
            }
            let data_set = next?;
            let is_only = self.selected.is_none() && number == 1 && data_sets.peek().is_none();
            Some(match data_set {
                Ok(instance) => Ok(DataSet {
                    text_name: &self.name,
                    number: (!is_only).then_some(number),
                    is_only: is_only || self.selected.is_some(),
                    texts: None,
                    after: None,
                    instance,
                }),
                Err(diagnostic) => Err(self.error_at(diagnostic)),
            })
        })
    }
}

/// The board that an argument is, unless there is a file of that name.
fn inline(puzzle: PuzzleRef, name: &Path) -> Option<&str> {
    name.to_str().filter(|text| puzzle.is_inline(text) && !name.exists())
}

/// The files that a name stands for, sorted: those of a folder without its hidden files and folders,
/// or those whose names match a pattern with `*`. Any other name stands for itself.
///
/// With an extension, only the files of a folder that have it.
pub(crate) fn expanded(name: &Path, extension: Option<&str>) -> Result<Vec<PathBuf>, Failure> {
    let pattern = name.file_name().map(OsStr::as_encoded_bytes);
    let (folder, pattern) = match pattern {
        _ if name.is_dir() => (name, None),
        Some(pattern) if pattern.contains(&b'*') && !name.exists() => {
            let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty());
            (folder.unwrap_or(Path::new(".")), Some(pattern))
        }
        _ => return Ok(vec![name.to_owned()]),
    };
    let shown = name.display();
    let read_failure = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Failure::usage(format!("no file matches `{shown}`")),
        _ => Failure::Read { origin: shown.to_string(), error },
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(read_failure)? {
        let entry = entry.map_err(read_failure)?;
        let (path, file_name) = (entry.path(), entry.file_name());
        let file_name = file_name.as_encoded_bytes();
        let is_wanted = match pattern {
            Some(pattern) => matches_pattern(pattern, file_name),
            None => {
                let has_extension = |wanted| path.extension().is_some_and(|found| found == wanted);
                !file_name.starts_with(b".") && extension.is_none_or(has_extension)
            }
        };
        if path.is_file() && is_wanted {
            files.push(path);
        }
    }
    files.sort();
    match (&pattern, files.is_empty()) {
        (Some(_), true) => Err(Failure::usage(format!("no file matches `{shown}`"))),
        (None, true) => Err(Failure::usage(format!("there are no files in the folder `{shown}`"))),
        _ => Ok(files),
    }
}

/// Whether a text matches a pattern in full. `*` stands for any characters.
pub(crate) fn matches_pattern(pattern: &[u8], text: &[u8]) -> bool {
    let mut parts = pattern.split(|&byte| byte == b'*');
    let Some(mut text) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&[u8]> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return text.is_empty() };
    for part in between.iter().filter(|part| !part.is_empty()) {
        let Some(at) = text.windows(part.len()).position(|here| here == *part) else {
            return false;
        };
        text = &text[at + part.len()..];
    }
    text.ends_with(last)
}
