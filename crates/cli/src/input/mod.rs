//! Input texts: files, standard input, built-in instances, and instances on the command line.

mod data_set;
mod names;
mod second_texts;

use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use fewest_puzzle::any::AnyReader;
use fewest_puzzle::builtin;
use fewest_rules::text::{Diagnostic, numbered};

pub(crate) use self::data_set::{DataSet, skip_invalid};
pub(crate) use self::names::{expanded, matches_pattern};
use self::second_texts::SecondTexts;
use crate::PuzzleRef;
use crate::failure::Failure;
use crate::message::note;

/// The largest accepted text, enough for more than ten thousand of the largest maps.
const MAX_TEXT_BYTES: u64 = 1 << 30;

fn read(from: impl Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    match from.take(MAX_TEXT_BYTES + 1).read_to_end(&mut text)? as u64 {
        0..=MAX_TEXT_BYTES => Ok(text),
        _ => Err(io::Error::other("more than 1 GiB of text")),
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
    seconds: SecondTexts,
    /// Whether the text is from a file or from standard input.
    pub(crate) is_file: bool,
}

/// The failure of reading a file. If there is no such file, `or_else` gives the end of the message
/// and a hint.
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
        Self { name, text, selected: None, seconds: SecondTexts::default(), is_file: false }
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
        let source = |name: &PathBuf| {
            let seconds = SecondTexts::new(info.two_texts, names.len() > 1);
            Ok(Self { seconds, ..Self::instance(puzzle, name)? })
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
