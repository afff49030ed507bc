//! Why a distributed search stopped: the causes that processes send each other.

use std::fmt;
use std::io::ErrorKind;

use fewest_core::budget::Limit;

/// Why the processes stopped before the end of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// A process reached a limit.
    Limit {
        /// Its number.
        process: usize,
        /// The limit.
        limit: Limit,
    },
    /// A process left, for a reason that it has sent to the others.
    Left {
        /// Its number.
        process: usize,
        /// The reason.
        reason: Reason,
    },
    /// The connection to a process failed. Nothing is known but what the others saw.
    Lost {
        /// Its number.
        process: usize,
        /// What they saw, with the name of the process.
        what: String,
    },
}

/// Why a process leaves before the search has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// A message for users, without the name of the process. At most 64 KiB are sent.
    pub text: String,
    /// The exit code of the process.
    pub code: u8,
}

impl Cause {
    /// The number of the process that reached a limit, left, or was lost.
    pub fn process(&self) -> usize {
        match *self {
            Self::Limit { process, .. }
            | Self::Left { process, .. }
            | Self::Lost { process, .. } => process,
        }
    }

    /// The limit at which the searches of all processes stop.
    pub(crate) fn limit(&self) -> Limit {
        match *self {
            Self::Limit { limit, .. } => limit,
            Self::Left { .. } | Self::Lost { .. } => Limit::Io(ErrorKind::ConnectionAborted),
        }
    }

    /// Whether this replaces a cause that is known already. The first one counts; but what a
    /// process says of itself replaces what another one saw of a connection, which may have failed
    /// because of it.
    pub(crate) fn replaces(&self, known: &Self) -> bool {
        matches!((known, self), (Self::Lost { .. }, Self::Left { .. }))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit { process, limit } => write!(f, "process {process}: {limit}"),
            Self::Left { process, reason } => write!(f, "process {process}: {}", reason.text),
            Self::Lost { what, .. } => f.write_str(what),
        }
    }
}
