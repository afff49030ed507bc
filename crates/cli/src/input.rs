//! Input texts: files, standard input, built-in instances, and instances on the command line.

use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;

use fewest_puzzle::any::{AnyInstance, AnyReader};
use fewest_puzzle::builtin;
use fewest_puzzle::puzzle::TextError;
use fewest_rules::text::Diagnostic;

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
    pub(crate) instance: Arc<dyn AnyInstance>,
}

impl DataSet<'_> {
    /// The name of the text, followed by `#` and a number if the text has several data sets.
    pub(crate) fn name(&self) -> String {
        match self.number {
            Some(number) => format!("{}#{number}", self.text_name),
            None => self.text_name.to_owned(),
        }
    }

    /// Whether the text has no other data set.
    pub(crate) fn is_only(&self) -> bool {
        self.number.is_none()
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

/// A text and its name in messages.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: Vec<u8>,
}

impl Source {
    /// The built-in instance of this name, otherwise the file of this name, otherwise the name
    /// itself if it is an instance.
    pub(crate) fn instance(puzzle: PuzzleRef, name: &str) -> Result<Self, Failure> {
        let info = puzzle.info();
        let Some(builtin) = builtin::find(info.builtins, name) else {
            if puzzle.is_inline(name) && !Path::new(name).exists() {
                return Ok(Self { name: name.trim().replace('\n', "/"), text: name.into() });
            }
            return Self::file(name, || {
                let near = builtin::did_you_mean(info.builtins, name);
                (
                    " and no built-in instance of that name",
                    near.or_else(|| Some(format!("`{} list` shows the built-in names", info.name))),
                )
            });
        };
        if Path::new(name).exists() {
            note(format_args!(
                "note: `{name}` is a built-in instance; the file of that name is `./{name}`"
            ));
        }
        Ok(Self { name: name.to_owned(), text: builtin.text.into() })
    }

    /// The texts of several names, as for [`instance`](Self::instance).
    pub(crate) fn instances(puzzle: PuzzleRef, names: &[String]) -> Result<Vec<Self>, Failure> {
        if names.iter().filter(|name| *name == "-").count() > 1 {
            return Err(Failure::usage("standard input, `-`, can be read only once"));
        }
        names.iter().map(|name| Self::instance(puzzle, name)).collect()
    }

    /// The text of plans for an instance. Only one of them can come from standard input.
    pub(crate) fn plan(
        name: &str,
        instance: &str,
        reader: &dyn AnyReader,
    ) -> Result<Self, Failure> {
        let second = reader.second_text();
        if name == "-" && (instance == "-" || second == Some("-")) {
            let what = if instance == "-" { "instance" } else { "second file of the instance" };
            return Err(Failure::usage(format!(
                "the {what} and the plan cannot both come from standard input"
            )));
        }
        Self::file(name, Default::default)
    }

    /// A file, or standard input for `-`. If there is no such file, `or_else` gives the end of the
    /// message and a hint.
    pub(crate) fn file(
        name: &str,
        or_else: impl FnOnce() -> (&'static str, Option<String>),
    ) -> Result<Self, Failure> {
        if name == "-" {
            return Self::standard_input();
        }
        match fs::File::open(name).and_then(read) {
            // A file name may contain newlines and escapes; messages and comments must not.
            Ok(text) => Ok(Self { name: name.replace(char::is_control, "?"), text }),
            Err(error) => Err(match error.kind() {
                // The name cannot be a file name, or a part of the path is a file, not a folder.
                io::ErrorKind::NotFound
                | io::ErrorKind::InvalidFilename
                | io::ErrorKind::NotADirectory => {
                    let (rest, hint) = or_else();
                    Failure::Usage { what: format!("there is no file `{name}`{rest}"), hint }
                }
                io::ErrorKind::IsADirectory => {
                    Failure::usage(format!("`{name}` is a directory, not a file"))
                }
                _ => Failure::Read { origin: name.to_owned(), error },
            }),
        }
    }

    fn standard_input() -> Result<Self, Failure> {
        let name = STDIN.to_owned();
        if io::stdin().is_terminal() {
            note(format_args!("reading from the terminal until Ctrl-D; see --help"));
        }
        match read(io::stdin()) {
            Ok(text) => Ok(Self { name, text }),
            Err(error) => Err(Failure::Read { origin: name, error }),
        }
    }

    /// The failure for an error in this text.
    pub(crate) fn error_at(&self, diagnostic: Diagnostic) -> Failure {
        let line =
            self.text.split(|&byte| byte == b'\n').nth(diagnostic.line - 1).unwrap_or_default();
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned();
        Failure::Text { origin: self.name.clone(), line, diagnostic: Box::new(diagnostic) }
    }

    /// The data sets, parsed one by one.
    pub(crate) fn data_sets<'a>(
        &'a self,
        reader: &'a dyn AnyReader,
    ) -> impl Iterator<Item = Result<DataSet<'a>, Failure>> + 'a {
        let second = reader.second_text();
        let both = second.map(|file| self.with_second(file, reader));
        let alone = second.is_none().then(|| self.parse(reader));
        both.into_iter().chain(alone.into_iter().flatten())
    }

    /// The one instance of this text and a second file.
    fn with_second(&self, file: &str, reader: &dyn AnyReader) -> Result<DataSet<'_>, Failure> {
        if file == "-" && self.name == STDIN {
            return Err(Failure::usage(
                "the instance and its second file cannot both come from standard input",
            ));
        }
        let second = Self::file(file, Default::default)?;
        match reader.read_two(&self.text, &second.text) {
            Ok(instance) => Ok(DataSet { text_name: &self.name, number: None, instance }),
            Err(TextError::First(diagnostic)) => Err(self.error_at(diagnostic)),
            Err(TextError::Second(diagnostic)) => Err(second.error_at(diagnostic)),
        }
    }

    /// The data sets of this text alone.
    fn parse<'a>(
        &'a self,
        reader: &'a dyn AnyReader,
    ) -> impl Iterator<Item = Result<DataSet<'a>, Failure>> + 'a {
        let mut data_sets = reader.read(&self.text).peekable();
        let mut number = 0;
        std::iter::from_fn(move || {
            let data_set = data_sets.next()?;
            number += 1;
            let is_only = number == 1 && data_sets.peek().is_none();
            Some(match data_set {
                Ok(instance) => Ok(DataSet {
                    text_name: &self.name,
                    number: (!is_only).then_some(number),
                    instance,
                }),
                Err(diagnostic) => Err(self.error_at(diagnostic)),
            })
        })
    }
}
