//! Plans as text: one line per move, with the row and the column of both cells, counted from 1.
//!
//! `1222` exchanges the pieces in row 1, column 2 and in row 2, column 2. On boards of more than
//! nine rows or columns, separators are between the numbers: `1,2 2,2`.

use fewest_geometry::Cell;
use fewest_rules::text::{Diagnostic, Line, number, quote};

use crate::instance::Size;

/// A move: the exchange of the pieces of two cells. 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The row and the column of both cells, from 0.
    cells: [[u16; 2]; 2],
}

/// A sequence of moves, first to last. [`verify`](fewest_rules::verify) checks whether it is legal.
pub type Plan = Vec<Exchange>;

impl Exchange {
    /// The exchange of two cells. Rows and columns above 65535 become 65535, which is outside every
    /// board, too.
    pub fn new(one: Cell, other: Cell) -> Self {
        let saturated = |number: i32| u16::try_from(number).unwrap_or(u16::MAX);
        Self { cells: [one, other].map(|place| [saturated(place.row), saturated(place.column)]) }
    }

    /// Both cells, in the order in which they were given.
    pub fn cells(self) -> [Cell; 2] {
        self.cells.map(|[row, column]| Cell { row: row.into(), column: column.into() })
    }

    /// Reads a line in one of the two formats of [`text`](Self::text), whatever the size of the
    /// board.
    ///
    /// # Errors
    /// A diagnostic if the line does not consist of four numbers from 1.
    pub fn read(line: Line<'_>) -> Result<Self, Diagnostic> {
        let numbers: Option<Vec<u16>> = if line.text.contains(',') {
            let words = line.text.split(|c: char| c == ',' || c.is_ascii_whitespace());
            words.filter(|word| !word.is_empty()).map(number).collect()
        } else {
            line.text.trim_ascii().chars().map(|digit| Some(digit.to_digit(10)? as u16)).collect()
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

    /// The move as a line of a plan, for boards of a size: four digits if all rows and columns have
    /// one digit, otherwise numbers with separators.
    pub fn text(self, size: Size) -> String {
        let [[r1, c1], [r2, c2]] = self.cells.map(|cell| cell.map(|number| u32::from(number) + 1));
        if size.rows() <= 9 && size.columns() <= 9 {
            format!("{r1}{c1}{r2}{c2}")
        } else {
            format!("{r1},{c1} {r2},{c2}")
        }
    }
}
