//! How a program ends: every exit code, and what leads to it.

use std::env;
use std::fmt::Display;
use std::io;
use std::process::{self, ExitCode};

use clap::Command;
use clap::error::{ContextKind, ErrorKind};
use fewest_core::budget::Limit;
use fewest_core::outcome::Verdict;
use fewest_core::text::{Diagnostic, did_you_mean};

use crate::diagnostic;
use crate::message::message;

/// The end of a run that did its work, in the order in which the later hides the earlier where several data sets end in
/// different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    Answered,
    Unsolvable,
    Refused,
    OutOfStates,
    OutOfTime,
    OutOfMemory,
    Interrupted,
    BadInput,
}

impl Exit {
    fn code(self) -> u8 {
        match self {
            Self::Answered => 0,
            Self::Unsolvable => 10,
            Self::Refused => 11,
            Self::OutOfMemory => 20,
            Self::OutOfTime => 21,
            Self::OutOfStates => 22,
            Self::Interrupted => 130,
            Self::BadInput => 2,
        }
    }

    pub(crate) fn of<P>(verdict: &Verdict<P>) -> Self {
        match verdict {
            Verdict::Solved { .. } => Self::Answered,
            Verdict::Unsolvable => Self::Unsolvable,
            Verdict::Stopped { limit, .. } => Self::at(*limit),
        }
    }

    /// What a limit ends with.
    pub(crate) fn at(limit: Limit) -> Self {
        match limit {
            Limit::Memory | Limit::Encoding => Self::OutOfMemory,
            Limit::Time => Self::OutOfTime,
            Limit::States => Self::OutOfStates,
            Limit::Cancelled => Self::Interrupted,
        }
    }
}

/// What keeps a run from doing its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The text of `origin` is wrong somewhere in this line.
    #[error("{origin}:{diagnostic}")]
    Text { origin: String, line: String, diagnostic: Box<Diagnostic> },
    /// There is nothing of that name.
    #[error("{what}")]
    Absent { what: String, hint: Option<String> },
    /// The command line asks for what is not there or cannot be.
    #[error("{0}")]
    Usage(String),
    #[error("{origin}: {error}")]
    Read { origin: String, error: io::Error },
    #[error("cannot write `{file}`: {error}")]
    Create { file: String, error: io::Error },
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// Somebody pressed Ctrl-C, and whoever read the output is gone with it.
    #[error("interrupted")]
    Interrupted,
    /// A limit ended what has no part of an answer to show.
    #[error("stopped, {0}")]
    Stopped(Limit),
    /// What was found that cannot be; for a plan that the rules refuse there is [`refused`](Self::refused).
    #[error("a fault of this program, please report it: {0}")]
    Fault(String),
}

impl Failure {
    /// The rules refuse a plan of ours.
    pub(crate) fn refused(refusal: impl Display) -> Self {
        Self::Fault(format!("the rules refuse the plan that was found: {refusal}"))
    }

    fn code(&self) -> u8 {
        match self {
            Self::Text { .. } | Self::Absent { .. } | Self::Usage(_) => 2,
            Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Read { .. } | Self::Create { .. } | Self::Write(_) | Self::Fault(_) => 1,
            Self::Stopped(limit) => Exit::at(*limit).code(),
            Self::Interrupted => Exit::Interrupted.code(),
        }
    }
}

/// Says on standard error what went wrong, unless it is only that nobody reads on, and gives the exit code.
pub(crate) fn report(end: Result<Exit, Failure>) -> ExitCode {
    ExitCode::from(match end {
        Ok(exit) => exit.code(),
        Err(failure) => {
            if failure.code() != 0 {
                message(format_args!("{}", diagnostic::render(&failure)));
            }
            failure.code()
        }
    })
}

/// Ends the program on a command line that clap refuses, or that asks for help.
pub(crate) fn refuse(error: &clap::Error, program: &Command) -> ! {
    // Not all that is typed is Unicode.
    let words: Vec<_> = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let puzzle = words.first().and_then(|word| program.find_subcommand(word)).filter(|word| word.has_subcommands());
    let verbs: Vec<&str> = puzzle.unwrap_or(program).get_subcommands().map(Command::get_name).collect();
    let is_verb = |word: &String| verbs.contains(&word.as_str());
    // What clap says of a mistyped verb, or of options before a verb, leads astray; not so of an option that is there
    // twice, or of two behind a verb.
    let twice = error.get(ContextKind::InvalidArg) == error.get(ContextKind::PriorArg);
    let verb_first = words.iter().take_while(|word| !word.starts_with('-')).any(is_verb);
    if error.kind() == ErrorKind::ArgumentConflict && !twice && !verb_first {
        let near = || words.iter().find_map(|word| did_you_mean(word, verbs.iter().copied()));
        let hint = if words.iter().any(is_verb) { None } else { near() };
        let failure = Failure::Absent {
            what: "a verb comes first and all else behind it, as in `solve --engine bfs INSTANCE`; without a verb there is \
                   at most one file"
                .to_owned(),
            hint: hint.or_else(|| Some("`--help` tells the verbs and all else".to_owned())),
        };
        message(format_args!("{}", diagnostic::render(&failure)));
        process::exit(2);
    }
    error.exit()
}
