//! The size of a board, and the indices of its cells.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::cell::Cell;
use crate::direction::Direction;

/// A rectangle of cells, from 1x1 to `MAX_SIDE`x`MAX_SIDE`.
///
/// Its text has the rows first: `4x6` is 4 rows and 6 columns. Cells have indices from 0, in
/// reading order. `MAX_SIDE` is at most 2^31 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid<const MAX_SIDE: usize> {
    rows: usize,
    columns: usize,
}

impl<const MAX_SIDE: usize> Grid<MAX_SIDE> {
    /// The largest number of rows, and of columns.
    pub const MAX_SIDE: usize = MAX_SIDE;

    /// A grid of this size; `None` if a number is 0 or greater than `MAX_SIDE`.
    pub const fn new(rows: usize, columns: usize) -> Option<Self> {
        const { assert!(MAX_SIDE <= i32::MAX as usize) };
        if 1 <= rows && rows <= MAX_SIDE && 1 <= columns && columns <= MAX_SIDE {
            Some(Self { rows, columns })
        } else {
            None
        }
    }

    /// The number of rows.
    #[inline]
    pub const fn rows(self) -> usize {
        self.rows
    }

    /// The number of columns.
    #[inline]
    pub const fn columns(self) -> usize {
        self.columns
    }

    /// The number of cells, at least 1.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "no grid is empty")]
    pub const fn len(self) -> usize {
        self.rows * self.columns
    }

    /// All cells, in reading order.
    pub fn cells(self) -> impl Iterator<Item = Cell> + Clone {
        let (rows, columns) = (self.rows as i32, self.columns as i32);
        (0..rows).flat_map(move |row| (0..columns).map(move |column| Cell { row, column }))
    }

    /// Whether a cell is on the grid.
    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        // A negative number becomes a large one.
        (cell.row as u32 as usize) < self.rows && (cell.column as u32 as usize) < self.columns
    }

    /// The index of a cell of the grid. Meaningless for any other cell.
    #[inline]
    pub const fn index(self, cell: Cell) -> usize {
        (cell.row as usize).wrapping_mul(self.columns).wrapping_add(cell.column as usize)
    }

    /// The cell with this index; the inverse of [`index`](Self::index).
    #[inline]
    pub const fn cell(self, index: usize) -> Cell {
        Cell { row: (index / self.columns) as i32, column: (index % self.columns) as i32 }
    }

    /// The neighbour of a cell in this direction; `None` if it is not on the grid.
    #[inline]
    pub fn neighbour(self, cell: Cell, direction: Direction) -> Option<Cell> {
        Some(cell.step(direction)).filter(|&neighbour| self.contains(neighbour))
    }

    /// A bit mask of a grid of at most 64 cells: bit `index(cell)` is set if and only if
    /// `predicate(cell)` is true.
    pub fn mask(self, predicate: impl Fn(Cell) -> bool) -> u64 {
        self.cells()
            .filter(|&cell| predicate(cell))
            .fold(0, |mask, cell| mask | 1 << self.index(cell))
    }
}

impl<const MAX_SIDE: usize> fmt::Display for Grid<MAX_SIDE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

/// The error of parsing a [`Grid`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseGridError {
    max_side: usize,
}

impl fmt::Display for ParseGridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected rows x columns, each from 1 to {}, such as `4x6`", self.max_side)
    }
}

impl Error for ParseGridError {}

impl<const MAX_SIDE: usize> FromStr for Grid<MAX_SIDE> {
    type Err = ParseGridError;

    fn from_str(text: &str) -> Result<Self, ParseGridError> {
        let number = |digits: &str| {
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| is_number)
        };
        text.split_once('x')
            .and_then(|(rows, columns)| Self::new(number(rows)?, number(columns)?))
            .ok_or(ParseGridError { max_side: MAX_SIDE })
    }
}
