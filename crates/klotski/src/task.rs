//! A puzzle with all that decides its fewest moves.

use std::fmt;
use std::str::FromStr;

use crate::instance::Instance;
use crate::plan::Metric;

/// A puzzle, the metric in which its moves are counted, and the encoding to search it with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The puzzle.
    pub instance: Instance,
    /// What counts as one move.
    pub metric: Metric,
    /// The results are the same with any encoding.
    pub encoding: Encoding,
}

/// How a board is packed into bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// The one that fits.
    Auto,
    /// [`classic`](crate::space::classic)
    Classic,
    /// [`general`](crate::space::general)
    General,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Classic, Self::General];

    /// The name of the encoding.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Classic => "classic",
            Self::General => "general",
        }
    }
}

/// The error of a name that is not that of an [`Encoding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `auto`, `classic` or `general`")]
pub struct ParseEncodingError;

impl FromStr for Encoding {
    type Err = ParseEncodingError;

    fn from_str(name: &str) -> Result<Self, ParseEncodingError> {
        Self::ALL.into_iter().find(|encoding| encoding.name() == name).ok_or(ParseEncodingError)
    }
}

impl Task {
    /// A puzzle in a metric, with the encoding that fits.
    pub fn new(instance: Instance, metric: Metric) -> Self {
        Self { instance, metric, encoding: Encoding::Auto }
    }

    /// The same with this encoding. For pieces that are not classic, [`Encoding::Classic`] is the
    /// same as [`Encoding::Auto`].
    #[must_use]
    pub fn with_encoding(self, encoding: Encoding) -> Self {
        Self { encoding, ..self }
    }
}

/// The text of the puzzle.
impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.instance.fmt(f)
    }
}
