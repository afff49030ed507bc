//! Where instances and plans come from: files, standard input, built-in names.

use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use fewest_core::builtin;
use fewest_core::text::Diagnostic;

use crate::args::verbs;
use crate::diagnostic;
use crate::exit::{Exit, Failure};
use crate::message::{message, note};
use crate::puzzle::{InBoth, Puzzle, ReadBoth};

/// The longest text that is read: more than ten thousand of the largest houses.
const LONGEST: u64 = 1 << 30;

fn read(from: impl Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    match from.take(LONGEST + 1).read_to_end(&mut text)? as u64 {
        0..=LONGEST => Ok(text),
        _ => Err(io::Error::other("more than 1 GiB of text")),
    }
}

/// An instance of a text.
pub(crate) struct DataSet<P: Puzzle> {
    /// That of the text where it holds only one, with a number behind it where it holds several.
    pub(crate) name: String,
    /// Whether its text has no other.
    pub(crate) alone: bool,
    pub(crate) instance: P::Instance,
}

/// The data set, or `None` if its text has a fault, which is told then.
pub(crate) fn faultless<P: Puzzle>(
    data_set: Result<DataSet<P>, Failure>,
    exit: &mut Exit,
) -> Result<Option<DataSet<P>>, Failure> {
    match data_set {
        Err(failure @ Failure::Text { .. }) => {
            message(format_args!("{}", diagnostic::render(&failure)));
            *exit = Exit::BadInput;
            Ok(None)
        }
        other => other.map(Some),
    }
}

/// What messages call standard input.
const STDIN: &str = "<stdin>";

/// A text and what messages call it.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: Vec<u8>,
}

impl Source {
    /// A built-in instance of the puzzle, else what [`file`](Self::file) gives, else the word
    /// itself where the puzzle takes it.
    pub(crate) fn instance<P: Puzzle>(name: &str) -> Result<Self, Failure> {
        let Some(builtin) = builtin::find(P::builtins(), name) else {
            if P::is_inline(name) && !Path::new(name).exists() {
                return Ok(Self { name: name.trim().replace('\n', "/"), text: name.into() });
            }
            return Self::file(name, || {
                let near = builtin::did_you_mean(P::builtins(), name);
                (
                    " and no built-in instance of that name",
                    near.or_else(|| Some(format!("`{} list` has their names", P::NAME))),
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

    /// The same for each of several names.
    pub(crate) fn instances<P: Puzzle>(names: &[String]) -> Result<Vec<Self>, Failure> {
        if names.iter().filter(|name| *name == "-").count() > 1 {
            return Err(Failure::usage("standard input, `-`, can be read only once"));
        }
        names.iter().map(|name| Self::instance::<P>(name)).collect()
    }

    /// A file of classic text.
    pub(crate) fn classic<P: Puzzle>(name: &str) -> Result<Self, Failure> {
        Self::file(name, || {
            let hint = if builtin::find(P::builtins(), name).is_some() {
                format!("`{} solve {name}` solves a built-in instance", P::NAME)
            } else if P::is_inline(name) {
                format!("`{} solve {name}` solves that layout", P::NAME)
            } else {
                format!("the verbs are {}", verbs::<P>())
            };
            ("", Some(hint))
        })
    }

    /// The text of plans for an instance, which cannot both come from standard input.
    pub(crate) fn plan<P: Puzzle>(
        name: &str,
        instance: &str,
        options: &P::Options,
    ) -> Result<Self, Failure> {
        let second = P::second_file(options).map(|(file, _)| file);
        if name == "-" && (instance == "-" || second == Some("-")) {
            let what = if instance == "-" { "instance" } else { "file beside the instance" };
            return Err(Failure::usage(format!(
                "the {what} and the plan cannot both come from standard input"
            )));
        }
        Self::file(name, Default::default)
    }

    /// A file, or standard input for `-`. `or_else` ends the message if there is none, beside a
    /// hint.
    fn file(
        name: &str,
        or_else: impl FnOnce() -> (&'static str, Option<String>),
    ) -> Result<Self, Failure> {
        if name == "-" {
            return Self::standard_input();
        }
        match fs::File::open(name).and_then(read) {
            // A name of a file may have anything in it, and stands in lines of its own.
            Ok(text) => Ok(Self { name: name.replace(char::is_control, "?"), text }),
            Err(error) => Err(match error.kind() {
                // No file has such a name, or the name goes through a file as if it were a folder.
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
            note(format_args!("reading from the terminal until Ctrl-D; --help tells more"));
        }
        match read(io::stdin()) {
            Ok(text) => Ok(Self { name, text }),
            Err(error) => Err(Failure::Read { origin: name, error }),
        }
    }

    /// Something wrong in this text.
    pub(crate) fn wrong(&self, diagnostic: Diagnostic) -> Failure {
        let line =
            self.text.split(|&byte| byte == b'\n').nth(diagnostic.line - 1).unwrap_or_default();
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned();
        Failure::Text { origin: self.name.clone(), line, diagnostic: Box::new(diagnostic) }
    }

    /// The data sets, each read in its turn.
    pub(crate) fn data_sets<P: Puzzle>(
        &self,
        options: &P::Options,
    ) -> impl Iterator<Item = Result<DataSet<P>, Failure>> {
        let mut with_second =
            P::second_file(options).map(|(file, read)| self.with_second::<P>(file, read, options));
        let alone = with_second.is_none();
        let mut each = self.each::<P>(options);
        std::iter::from_fn(move || with_second.take().or_else(|| each.next().filter(|_| alone)))
    }

    /// The one instance of this text and of a second file.
    fn with_second<P: Puzzle>(
        &self,
        file: &str,
        read: ReadBoth<P>,
        options: &P::Options,
    ) -> Result<DataSet<P>, Failure> {
        if file == "-" && self.name == STDIN {
            return Err(Failure::usage(
                "the instance and the file beside it cannot both come from standard input",
            ));
        }
        let second = Self::file(file, Default::default)?;
        match read(&self.text, &second.text, options) {
            Ok(instance) => Ok(DataSet { name: self.name.clone(), alone: true, instance }),
            Err(InBoth::Own(diagnostic)) => Err(self.wrong(diagnostic)),
            Err(InBoth::Second(diagnostic)) => Err(second.wrong(diagnostic)),
        }
    }

    fn each<P: Puzzle>(
        &self,
        options: &P::Options,
    ) -> impl Iterator<Item = Result<DataSet<P>, Failure>> {
        let mut data_sets = P::read(&self.text, options).peekable();
        let mut number = 0;
        std::iter::from_fn(move || {
            let data_set = data_sets.next()?;
            number += 1;
            let alone = number == 1 && data_sets.peek().is_none();
            let name = if alone { self.name.clone() } else { format!("{}#{number}", self.name) };
            Some(match data_set {
                Ok(instance) => Ok(DataSet { name, alone, instance }),
                Err(diagnostic) => Err(self.wrong(diagnostic)),
            })
        })
    }
}
