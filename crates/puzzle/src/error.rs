//! Errors of puzzles.

use std::error::Error;

use fewest_core::budget::Limit;
use fewest_core::representation::UnsupportedRepresentation;
use fewest_core::search::UnsupportedEngine;
use fewest_rules::Refusal;
use fewest_rules::text::Diagnostic;
use fewest_scene::DrawError;

use crate::options::OptionsError;

/// Why a search or another request to a puzzle has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// Not possible in this way, for example with this engine.
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
    /// A bug in the crate of the puzzle, such as a plan that the rules refuse.
    #[error("{0}")]
    Bug(String),
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

impl From<UnsupportedRepresentation> for SolveError {
    fn from(error: UnsupportedRepresentation) -> Self {
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
        Self::Bug(format!("the rules refuse the plan of the search: {refusal}"))
    }
}

/// Why a text is not a plan of an instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A line is not a move.
    #[error(transparent)]
    Text(#[from] Diagnostic),
    /// The rules refuse the plan.
    #[error("{0}")]
    Refused(String),
}

/// Why a picture was not drawn.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The options are not valid.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// It exceeds a limit.
    #[error(transparent)]
    Draw(#[from] DrawError),
}
