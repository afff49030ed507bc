//! Checks a certificate with the rules of a puzzle. Deliberately minimal: the program contains no
//! search, no packed states and no graphics.
//!
//! ```text
//! fewest-check klotski heng-dao-li-ma heng-dao-li-ma.cert
//! ```
#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{self, Path, PathBuf};
use std::process::ExitCode;

use fewest_certificate::{Boards, Claim, Refusal, read_at_most};
use fewest_klotski::{Metric, Task};
use fewest_rules::builtin::{Builtin, find};
use fewest_rules::text::{Diagnostic, numbered};

const USAGE: &str = "\
Usage: fewest-check PUZZLE INSTANCE CERTIFICATE [--metric METRIC] [--size RxC] [--memory BYTES]

PUZZLE is black-white, halloween, klotski or wall-pusher. INSTANCE is a file with one board,
`FILE#3` for the third board of a file, a built-in name, `-` for standard input, or for klotski a
board such as `aCCb/aCCb/cdde/cfge/h..i`. METRIC is rectilinear (the default), straight or unit.
RxC is the size of boards that are given as digits; the default is 4x4 for black-white and 4x6 for
wall-pusher. The default of BYTES is 4294967296 (4 GiB).

Exit codes: 0 accepted, 2 invalid usage or input, 11 refused, 20 out of memory, 1 other errors.
";

const REFUSED: u8 = 11;
const OUT_OF_MEMORY: u8 = 20;
const BAD_INPUT: u8 = 2;

/// The default memory limit in bytes.
const MEMORY: u64 = 4 << 30;

/// The arguments of the command line.
struct Arguments {
    puzzle: String,
    instance: PathBuf,
    certificate: PathBuf,
    metric: Metric,
    size: Option<String>,
    memory: u64,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let (mut positional, mut metric, mut size) = (Vec::new(), Metric::Rectilinear, None);
        let mut memory = MEMORY;
        while let Some(argument) = words.next() {
            let word = argument.to_string_lossy();
            let mut value = || match words.next() {
                Some(value) => Ok(value.to_string_lossy().into_owned()),
                None => Err(format!("`{word}` needs a value")),
            };
            match &*word {
                "--metric" => metric = value()?.parse().map_err(|error| format!("{error}"))?,
                "--size" => size = Some(value()?),
                "--memory" => {
                    let value = value()?;
                    let wrong = |_| format!("expected a number of bytes, found `{value}`");
                    memory = value.parse().map_err(wrong)?;
                }
                _ if word.starts_with("--") => return Err(format!("unknown option `{word}`")),
                _ => positional.push(argument),
            }
        }
        match <[OsString; 3]>::try_from(positional) {
            Ok([puzzle, instance, certificate]) => {
                let puzzle = puzzle.to_string_lossy().into_owned();
                let [instance, certificate] = [instance, certificate].map(PathBuf::from);
                Ok(Self { puzzle, instance, certificate, metric, size, memory })
            }
            Err(_) => Err("expected a puzzle, an instance and a certificate".to_owned()),
        }
    }

    /// Reads the text of the instance, and the index of the instance in it, from 1, if one is
    /// given. If there is no such file, a name for which `is_inline` is true is itself the text.
    fn text(
        &self,
        builtins: &[Builtin],
        is_inline: impl Fn(&str) -> bool,
    ) -> Result<(Vec<u8>, Option<usize>), String> {
        let named = |name: &Path| {
            if let Some(builtin) = find(builtins, name) {
                return Some(Ok(builtin.text.as_bytes().to_vec()));
            }
            name.exists().then(|| fs::read(name))
        };
        let name = self.instance.as_path();
        let numbered = numbered(name).and_then(|(text, number)| Some((named(&text)?, number)));
        let inline = name.to_str().filter(|name| is_inline(name));
        let (read, number) = match (named(name), numbered) {
            _ if name.as_os_str() == "-" => {
                let mut text = Vec::new();
                (io::stdin().read_to_end(&mut text).map(|_| text), None)
            }
            (Some(read), _) => (read, None),
            (None, Some((read, number))) => (read, Some(number)),
            (None, _) => match inline {
                Some(board) => (Ok(board.into()), None),
                None => (fs::read(name), None),
            },
        };
        Ok((read.map_err(|error| format!("{}: {error}", self.name()))?, number))
    }

    /// The name of the instance in messages.
    fn name(&self) -> path::Display<'_> {
        self.instance.display()
    }

    /// The instance with this index, or the only one if no index is given.
    fn only<I>(
        &self,
        mut instances: impl Iterator<Item = Result<I, Diagnostic>>,
        number: Option<usize>,
    ) -> Result<I, String> {
        let wrong = |error: Diagnostic| format!("{}:{error}", self.name());
        let none = || format!("{} has no board", self.name());
        let before = number.map_or(Some(0), |number| number.checked_sub(1)).ok_or_else(none)?;
        for _ in 0..before {
            instances.next().ok_or_else(none)?.map_err(wrong)?;
        }
        let instance = instances.next().ok_or_else(none)?.map_err(wrong)?;
        match instances.next() {
            Some(_) if number.is_none() => Err(format!("{} has several boards", self.name())),
            _ => Ok(instance),
        }
    }

    fn size<S: std::str::FromStr>(&self, default: &str) -> Result<S, String> {
        let size = self.size.as_deref().unwrap_or(default);
        size.parse().map_err(|_| format!("expected a size such as {default}, found `{size}`"))
    }

    fn check(&self) -> Result<Result<Claim, Refusal>, String> {
        let no_records = || "certificates do not support this instance".to_owned();
        match self.puzzle.as_str() {
            "black-white" => {
                use fewest_black_white::{Instance, builtin::BUILTINS, certificate::BoardRecords};
                let (text, number) = self.text(BUILTINS, |_| false)?;
                let boards = self.only(Instance::read(&text, self.size("4x4")?), number)?;
                self.check_by(&BoardRecords::new(&boards))
            }
            "halloween" => {
                use fewest_halloween::{Instance, builtin::BUILTINS, certificate::BoardRecords};
                let (text, number) = self.text(BUILTINS, |_| false)?;
                let instance = self.only(Instance::read(&text), number)?;
                let records = BoardRecords::new(&instance).ok_or_else(no_records)?;
                self.check_by(&records)
            }
            "klotski" => {
                use fewest_klotski::{Instance, builtin::BUILTINS, certificate::BoardRecords};
                let (text, number) = self.text(BUILTINS, Instance::is_word)?;
                let task = Task::new(self.only(Instance::read(&text), number)?, self.metric);
                let records = BoardRecords::new(&task).ok_or_else(no_records)?;
                self.check_by(&records)
            }
            "wall-pusher" => {
                use fewest_wall_pusher::{Instance, builtin::BUILTINS, certificate::BoardRecords};
                let (text, number) = self.text(BUILTINS, |_| false)?;
                let maze = self.only(Instance::read(&text, self.size("4x6")?), number)?;
                self.check_by(&BoardRecords(&maze))
            }
            other => Err(format!("unknown puzzle `{other}`")),
        }
    }

    fn check_by(&self, boards: &impl Boards) -> Result<Result<Claim, Refusal>, String> {
        // The file counts against the memory limit, and a file beyond the limit is not read at all.
        let failed = |error: io::Error| format!("{}: {error}", self.certificate.display());
        let file = File::open(&self.certificate).map_err(failed)?;
        let Some(file) = read_at_most(file, self.memory).map_err(failed)? else {
            return Ok(Err(Refusal::Memory));
        };
        Ok(fewest_certificate::check(boards, &file, self.memory - file.len() as u64, &|| false))
    }
}

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (mut out, mut errors) = (io::stdout(), io::stderr());
    if words.iter().any(|word| word == "--help" || word == "-h") {
        return written(write!(out, "{USAGE}"), 0);
    }
    if words.iter().any(|word| word == "--version" || word == "-V") {
        return written(writeln!(out, "fewest-check {}", env!("CARGO_PKG_VERSION")), 0);
    }
    let arguments = match Arguments::read(words.into_iter()) {
        Ok(arguments) => arguments,
        Err(error) => return written(write!(errors, "error: {error}\n\n{USAGE}"), BAD_INPUT),
    };
    let name = arguments.name();
    match arguments.check() {
        Ok(Ok(claim)) => written(writeln!(out, "{name}: accepted, {claim}"), 0),
        Ok(Err(Refusal::Memory)) => {
            written(writeln!(errors, "{name}: stopped, out of memory"), OUT_OF_MEMORY)
        }
        Ok(Err(refusal)) => written(writeln!(out, "{name}: refused, {refusal}"), REFUSED),
        Err(error) => written(writeln!(errors, "error: {error}"), BAD_INPUT),
    }
}

/// Returns `code`, or a failure if the message could not be written.
fn written(result: io::Result<()>, code: u8) -> ExitCode {
    result.map_or(ExitCode::FAILURE, |()| ExitCode::from(code))
}
