//! Rows and columns of a board.
//!
//! ```
//! use fewest_core::Size;
//!
//! let size: Size = "4x6".parse().unwrap();
//! assert_eq!((size.rows, size.columns, size.cells()), (4, 6, 24));
//! assert_eq!(size.to_string(), "4x6");
//! assert!("4x9".parse::<Size>().is_err());
//! ```

use std::fmt;
use std::str::FromStr;

use crate::text::number;

/// The size of a board, from 1x1 to 8x8, written rows first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
}

/// The most rows, and the most columns.
const MOST: usize = 8;

impl Size {
    /// `None` if either is 0 or above 8.
    pub fn new(rows: usize, columns: usize) -> Option<Self> {
        let fine = (1..=MOST).contains(&rows) && (1..=MOST).contains(&columns);
        fine.then_some(Self { rows, columns })
    }

    /// Rows times columns.
    pub fn cells(self) -> usize {
        self.rows * self.columns
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

/// The text does not say a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected rows x columns, each from 1 to {MOST}, such as `4x6`")]
pub struct NoSize;

impl FromStr for Size {
    type Err = NoSize;

    fn from_str(text: &str) -> Result<Self, NoSize> {
        let (rows, columns) = text.split_once('x').ok_or(NoSize)?;
        let size = Self::new(number(rows).ok_or(NoSize)?, number(columns).ok_or(NoSize)?);
        size.ok_or(NoSize)
    }
}
