//! Work that takes long, and how it ends.

use std::io;

use fewest_core::budget::{Budget, Limit, Limits};

use crate::error::SolveError;
use crate::options::OptionsError;

/// What a program offers to work that takes long.
pub trait WorkContext: Sync {
    /// A budget that an interrupt of the program cancels.
    fn budget(&self, limits: Limits) -> Budget;
    /// Whether the program was interrupted.
    fn is_interrupted(&self) -> bool;
    /// The work consists of items, which this singular noun names: of `total` of them, if the
    /// number is known.
    fn start(&self, item: &'static str, total: Option<u64>);
    /// This number of items is done.
    fn add_done(&self, items: u64);
}

/// Why work ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The search or the encoding failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The options are not valid.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A result could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl From<Limit> for WorkError {
    fn from(limit: Limit) -> Self {
        Self::Solve(limit.into())
    }
}
