//! Rectangular boards: sizes, cells and directions.
//!
//! ```
//! use fewest_core::grid::{Direction, Place, Size};
//!
//! let size: Size<8> = "4x6".parse().unwrap();
//! assert_eq!((size.rows(), size.columns(), size.cells()), (4, 6, 24));
//! let corner = Place { row: 3, column: 5 };
//! assert_eq!((size.number(corner), size.place(23)), (23, corner));
//! assert_eq!(size.neighbour(corner, Direction::North), Some(Place { row: 2, column: 5 }));
//! assert_eq!(size.neighbour(corner, Direction::East), None);
//! assert!("4x9".parse::<Size<8>>().is_err());
//! ```

use std::fmt;
use std::str::FromStr;

use crate::text::number;

/// A cell, given by its row and column, both counted from 0.
///
/// `Display` counts from 1: `row 1, column 1` is the north-west corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The row; 0 is the northernmost.
    pub row: usize,
    /// The column; 0 is the westernmost.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.row + 1, self.column + 1)
    }
}

/// The direction from a cell to a neighbouring cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the previous row.
    North,
    /// To the next column.
    East,
    /// To the next row.
    South,
    /// To the previous column.
    West,
}

impl Direction {
    /// All directions.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The opposite direction.
    pub fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// The letter of the direction: `N`, `E`, `S` or `W`.
    pub fn letter(self) -> char {
        match self {
            Self::North => 'N',
            Self::East => 'E',
            Self::South => 'S',
            Self::West => 'W',
        }
    }

    /// The direction with this [letter](Self::letter).
    pub fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.letter() == letter)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        })
    }
}

/// The size of a board, from 1x1 to `MAX_SIDE`x`MAX_SIDE`.
///
/// Its text has the rows first: `4x6` is 4 rows and 6 columns. Cells are numbered from 0, row by
/// row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size<const MAX_SIDE: usize> {
    rows: usize,
    columns: usize,
}

impl<const MAX_SIDE: usize> Size<MAX_SIDE> {
    /// The largest number of rows, and of columns.
    pub const MAX_SIDE: usize = MAX_SIDE;

    /// A size; `None` if a number is 0 or greater than `MAX_SIDE`.
    pub const fn new(rows: usize, columns: usize) -> Option<Self> {
        if 1 <= rows && rows <= MAX_SIDE && 1 <= columns && columns <= MAX_SIDE {
            Some(Self { rows, columns })
        } else {
            None
        }
    }

    /// The number of rows.
    pub fn rows(self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(self) -> usize {
        self.columns
    }

    /// The number of cells.
    pub fn cells(self) -> usize {
        self.rows * self.columns
    }

    /// All cells, row by row.
    pub fn places(self) -> impl Iterator<Item = Place> {
        (0..self.cells()).map(move |number| self.place(number))
    }

    /// Whether a cell is on the board.
    pub fn contains(self, place: Place) -> bool {
        place.row < self.rows && place.column < self.columns
    }

    /// The number of a cell of the board.
    pub fn number(self, place: Place) -> usize {
        place.row * self.columns + place.column
    }

    /// The cell with this number; the inverse of [`number`](Self::number).
    pub fn place(self, number: usize) -> Place {
        Place { row: number / self.columns, column: number % self.columns }
    }

    /// A bit mask of a board of at most 64 cells: bit `number(cell)` is set if and only if
    /// `predicate(cell)` is true.
    pub fn mask(self, predicate: impl Fn(Place) -> bool) -> u64 {
        self.places()
            .filter(|&place| predicate(place))
            .fold(0, |mask, place| mask | 1 << self.number(place))
    }

    /// The neighbour of a cell in this direction; `None` if it is not on the board.
    pub fn neighbour(self, place: Place, direction: Direction) -> Option<Place> {
        let Place { row, column } = place;
        let (row, column) = match direction {
            Direction::North => (row.checked_sub(1)?, column),
            Direction::East => (row, column + 1),
            Direction::South => (row + 1, column),
            Direction::West => (row, column.checked_sub(1)?),
        };
        Some(Place { row, column }).filter(|&place| self.contains(place))
    }
}

impl<const MAX_SIDE: usize> fmt::Display for Size<MAX_SIDE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

/// The error of parsing a [`Size`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected rows x columns, each from 1 to {max}, such as `4x6`")]
pub struct ParseSizeError {
    max: usize,
}

impl<const MAX_SIDE: usize> FromStr for Size<MAX_SIDE> {
    type Err = ParseSizeError;

    fn from_str(text: &str) -> Result<Self, ParseSizeError> {
        let numbers = text
            .split_once('x')
            .and_then(|(rows, columns)| Some((number(rows)?, number(columns)?)));
        numbers
            .and_then(|(rows, columns)| Self::new(rows, columns))
            .ok_or(ParseSizeError { max: MAX_SIDE })
    }
}
