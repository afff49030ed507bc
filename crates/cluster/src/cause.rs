//! The cause of the end of a distributed search, as the processes send it to each other.

use std::fmt;
use std::io::ErrorKind;

use fewest_core::budget::Limit;

/// Why a distributed search stopped early.
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
    /// A process aborted the search and sent the reason.
    Left {
        /// Its number.
        process: usize,
        /// The reason.
        reason: Reason,
    },
    /// The connection to a process was lost. The reason is unknown.
    Lost {
        /// Its number.
        process: usize,
        /// What the process that noticed it observed, as a message with the name of the lost
        /// process.
        what: String,
    },
}

/// Why a process aborts the search.
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

    /// The limit that the searches of all processes return.
    pub(crate) fn limit(&self) -> Limit {
        match *self {
            Self::Limit { limit, .. } => limit,
            Self::Left { .. } | Self::Lost { .. } => Limit::Io(ErrorKind::ConnectionAborted),
        }
    }

    /// Whether this cause replaces a known one. The first cause wins, with one exception: the
    /// reason that a process sent replaces the loss of a connection, which may only be its
    /// consequence.
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
