//! A puzzle with all that decides its fewest moves.

use std::fmt;

use crate::instance::Instance;
use crate::plan::Metric;

/// A puzzle, the metric in which its moves are counted, and the encoding to search it with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The puzzle.
    pub instance: Instance,
    /// What counts as one move.
    pub metric: Metric,
    /// `None` selects the encoding that fits. The results are the same with any.
    pub encoding: Option<Encoding>,
}

/// How a board is packed into bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// [`classic`](crate::space::classic)
    Classic,
    /// [`general`](crate::space::general)
    General,
}

impl Task {
    /// A puzzle in a metric, with the encoding that fits.
    pub fn new(instance: Instance, metric: Metric) -> Self {
        Self { instance, metric, encoding: None }
    }

    /// The same with this encoding. For pieces that are not classic, [`Encoding::Classic`] counts as
    /// `None`.
    #[must_use]
    pub fn with_encoding(self, encoding: Encoding) -> Self {
        Self { encoding: Some(encoding), ..self }
    }
}

/// The text of the puzzle.
impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.instance.fmt(f)
    }
}
