//! How a program ends: every exit code, and what leads to it.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use fewest_core::budget::Limit;
use fewest_core::outcome::Verdict;
use fewest_core::text::Diagnostic;

use crate::diagnostic;
use crate::message::message;

/// The end of a run that did its work, in the order in which the later hides the earlier where
/// several data sets end in different ways.
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

/// The exit code of a run that a signal ended.
pub(crate) const INTERRUPTED: u8 = 130;

impl Exit {
    fn code(self) -> u8 {
        match self {
            Self::Answered => 0,
            Self::Unsolvable => 10,
            Self::Refused => 11,
            Self::OutOfMemory => 20,
            Self::OutOfTime => 21,
            Self::OutOfStates => 22,
            Self::Interrupted => INTERRUPTED,
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
    /// The command line asks for what is not there or cannot be.
    #[error("{what}")]
    Usage { what: String, hint: Option<String> },
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
    /// What is asked for beside an answer takes more memory than a limit allows.
    #[error("{what}")]
    OutOfMemory { what: String, hint: &'static str },
    /// What was found that cannot be; for a plan that the rules refuse there is
    /// [`refused`](Self::refused).
    #[error("a fault of this program, please report it: {0}")]
    Fault(String),
}

impl Failure {
    /// The command line asks for what cannot be, and there is nothing to advise.
    pub(crate) fn usage(what: impl Into<String>) -> Self {
        Self::Usage { what: what.into(), hint: None }
    }

    /// The same, and what to do instead.
    pub(crate) fn advised(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage { what: what.into(), hint: Some(hint.into()) }
    }

    /// The same, where what cannot be is that of a data set.
    pub(crate) fn of(self, name: &str) -> Self {
        match self {
            Self::Usage { what, hint } => Self::Usage { what: format!("{name}: {what}"), hint },
            Self::OutOfMemory { what, hint } => {
                Self::OutOfMemory { what: format!("{name}: {what}"), hint }
            }
            other => other,
        }
    }

    /// The rules refuse a plan of ours.
    pub(crate) fn refused(refusal: impl Display) -> Self {
        Self::Fault(format!("the rules refuse the plan that was found: {refusal}"))
    }

    /// What it ends with if it is one of those that other data sets do not suffer from.
    pub(crate) fn exit(&self) -> Option<Exit> {
        match self {
            Self::Text { .. } | Self::Usage { .. } => Some(Exit::BadInput),
            Self::Stopped(limit) => Some(Exit::at(*limit)),
            Self::OutOfMemory { .. } => Some(Exit::OutOfMemory),
            Self::Interrupted => Some(Exit::Interrupted),
            Self::Read { .. } | Self::Create { .. } | Self::Write(_) | Self::Fault(_) => None,
        }
    }

    fn code(&self) -> u8 {
        match self {
            Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            other => other.exit().map_or(1, Exit::code),
        }
    }
}

/// Says on standard error what went wrong, unless it is only that nobody reads on, and gives the
/// exit code.
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
