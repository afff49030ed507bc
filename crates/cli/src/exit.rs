//! Exit codes.

use fewest_core::budget::Limit;
use fewest_core::outcome::Verdict;

/// How a run ended that did its work, in order of severity. With several data sets the most severe
/// one counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    #[default]
    Answered,
    Unsolvable,
    Refused,
    OutOfStates,
    OutOfTime,
    OutOfMemory,
    Interrupted,
    BadInput,
    /// An I/O error of a search; those of inputs and outputs are no [`Exit`].
    Failed,
}

/// The exit code of an interrupted run.
pub(crate) const INTERRUPTED: u8 = 130;

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Answered => 0,
            Self::Unsolvable => 10,
            Self::Refused => 11,
            Self::OutOfMemory => 20,
            Self::OutOfTime => 21,
            Self::OutOfStates => 22,
            Self::Interrupted => INTERRUPTED,
            Self::BadInput => 2,
            Self::Failed => 1,
        }
    }

    pub(crate) fn from_verdict<P>(verdict: &Verdict<P>) -> Self {
        match verdict {
            Verdict::Solved { .. } => Self::Answered,
            Verdict::Unsolvable => Self::Unsolvable,
            Verdict::Stopped { limit, .. } => Self::from_limit(*limit),
        }
    }

    pub(crate) fn from_limit(limit: Limit) -> Self {
        match limit {
            Limit::Memory => Self::OutOfMemory,
            Limit::Time => Self::OutOfTime,
            Limit::States => Self::OutOfStates,
            Limit::Cancelled => Self::Interrupted,
            Limit::Io(_) => Self::Failed,
            Limit::Representation(_) => Self::BadInput,
            _ => Self::OutOfMemory,
        }
    }
}
