//! Why a question to a puzzle has no answer.

use std::error::Error;

use fewest_core::budget::Limit;
use fewest_core::search::UnsupportedEngine;
use fewest_rules::Refusal;

/// Why a question to a puzzle has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The question cannot be asked in this way, for example with this engine.
    #[error("{what}")]
    Unsupported {
        /// What is not supported.
        what: String,
        /// What to do instead.
        hint: Option<&'static str>,
    },
    /// A limit stopped the work before there was anything to report.
    #[error("stopped, {0}")]
    Stopped(Limit),
    /// The rules refuse a plan that was found: a bug in the crate of the puzzle.
    #[error("the rules refuse the plan of the search: {0}")]
    Refused(String),
}

impl SolveError {
    /// The question is not supported.
    pub fn unsupported(what: impl Into<String>) -> Self {
        Self::Unsupported { what: what.into(), hint: None }
    }
}

impl From<UnsupportedEngine> for SolveError {
    fn from(error: UnsupportedEngine) -> Self {
        Self::unsupported(error.to_string())
    }
}

impl From<Limit> for SolveError {
    fn from(limit: Limit) -> Self {
        Self::Stopped(limit)
    }
}

impl<I: Error, U: Error> From<Refusal<I, U>> for SolveError {
    fn from(refusal: Refusal<I, U>) -> Self {
        Self::Refused(refusal.to_string())
    }
}
