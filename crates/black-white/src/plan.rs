//! A plan as a user reads and writes it: a line a move, row and column of the one cell and of the
//! other, from 1.
//!
//! `1222` exchanges the pieces in row 1, column 2 and in row 2, column 2. On boards of more than
//! nine rows or columns there are marks between the numbers: `1,2 2,2`.

use fewest_core::grid::Place;
use fewest_core::text::{Diagnostic, Line, number, quote};

use crate::instance::Size;

/// The two cells whose pieces are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Row and column of each, from 0.
    cells: [[u16; 2]; 2],
}

/// Moves, first to last. Whether they are legal, [`rules`](crate::rules) says.
pub type Plan = Vec<Exchange>;

impl Exchange {
    /// What is on no board is kept as another place that is on none.
    pub fn new(one: Place, other: Place) -> Self {
        let short = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        Self { cells: [one, other].map(|place| [short(place.row), short(place.column)]) }
    }

    /// The cells.
    pub fn places(self) -> [Place; 2] {
        self.cells.map(|[row, column]| Place { row: row.into(), column: column.into() })
    }

    /// Reads a line that [`text`](Self::text) wrote.
    pub fn read(line: Line<'_>) -> Result<Self, Diagnostic> {
        let numbers: Option<Vec<u16>> = if line.text.contains(',') {
            let words = line.text.split(|mark: char| mark == ',' || mark.is_ascii_whitespace());
            words.filter(|word| !word.is_empty()).map(number).collect()
        } else {
            line.text.trim().chars().map(|digit| Some(digit.to_digit(10)? as u16)).collect()
        };
        match numbers.as_deref() {
            Some(&[r1 @ (1..), c1 @ (1..), r2 @ (1..), c2 @ (1..)]) => {
                Ok(Self { cells: [[r1 - 1, c1 - 1], [r2 - 1, c2 - 1]] })
            }
            _ => Err(line.wrong(
                line.start(),
                quote(line.text.trim()),
                "row and column of two cells, from 1, such as `1222`, or `1,2 2,2` for numbers of two digits",
            )),
        }
    }

    /// The move as a line of a plan for boards of a size.
    pub fn text(self, size: Size) -> String {
        let [[r1, c1], [r2, c2]] = self.cells.map(|cell| cell.map(|number| u32::from(number) + 1));
        if size.rows() <= 9 && size.columns() <= 9 {
            format!("{r1}{c1}{r2}{c2}")
        } else {
            format!("{r1},{c1} {r2},{c2}")
        }
    }
}
