//! A plan as a user reads and writes it: a line a move, row and column of the one cell and of the other, from 1.
//!
//! `1222` exchanges the pieces in row 1, column 2 and in row 2, column 2.

use std::fmt;

use fewest_core::grid::Place;
use fewest_core::text::{Diagnostic, Line, quote};

/// The two cells whose pieces are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange(pub Place, pub Place);

/// Moves, first to last. Whether they are legal, [`rules`](crate::rules) says.
pub type Plan = Vec<Exchange>;

impl Exchange {
    /// Reads a line that [`Display`](fmt::Display) wrote.
    pub fn read(line: Line<'_>) -> Result<Self, Diagnostic> {
        let word = line.text.trim();
        // From 0; a digit 0 is none.
        let number = |digit: char| digit.to_digit(10)?.checked_sub(1).map(|number| number as usize);
        match word.chars().map(number).collect::<Option<Vec<_>>>().as_deref() {
            Some(&[r1, c1, r2, c2]) => Ok(Self(Place { row: r1, column: c1 }, Place { row: r2, column: c2 })),
            _ => Err(line.wrong(line.start(), quote(word), "row and column of two cells, from 1, such as `1222`")),
        }
    }
}

impl fmt::Display for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(one, other) = self;
        write!(f, "{}{}{}{}", one.row + 1, one.column + 1, other.row + 1, other.column + 1)
    }
}
