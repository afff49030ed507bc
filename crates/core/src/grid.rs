//! Rectangular boards: their size, the places on them, and the directions from one to the next.
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

/// A cell, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The row, from the north.
    pub row: usize,
    /// The column, from the west.
    pub column: usize,
}

/// From 1, as people count.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.row + 1, self.column + 1)
    }
}

/// The way to a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// A row up.
    North,
    /// A column to the right.
    East,
    /// A row down.
    South,
    /// A column to the left.
    West,
}

impl Direction {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The way back.
    pub fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// `N`, `E`, `S` or `W`.
    pub fn letter(self) -> char {
        match self {
            Self::North => 'N',
            Self::East => 'E',
            Self::South => 'S',
            Self::West => 'W',
        }
    }

    /// The direction of a letter.
    pub fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.letter() == letter)
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

/// The size of a board, from 1x1 to `MOST` x `MOST`, written rows first. Cells are numbered in
/// reading order, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size<const MOST: usize> {
    rows: usize,
    columns: usize,
}

impl<const MOST: usize> Size<MOST> {
    /// The most rows, and the most columns.
    pub const MOST: usize = MOST;

    /// `None` if either is 0 or above `MOST`.
    pub const fn new(rows: usize, columns: usize) -> Option<Self> {
        if 1 <= rows && rows <= MOST && 1 <= columns && columns <= MOST {
            Some(Self { rows, columns })
        } else {
            None
        }
    }

    /// Rows.
    pub fn rows(self) -> usize {
        self.rows
    }

    /// Columns.
    pub fn columns(self) -> usize {
        self.columns
    }

    /// Rows times columns.
    pub fn cells(self) -> usize {
        self.rows * self.columns
    }

    /// All places, in reading order.
    pub fn places(self) -> impl Iterator<Item = Place> {
        (0..self.cells()).map(move |number| self.place(number))
    }

    /// Whether a place is on the board.
    pub fn contains(self, place: Place) -> bool {
        place.row < self.rows && place.column < self.columns
    }

    /// The number of a place on the board.
    pub fn number(self, place: Place) -> usize {
        place.row * self.columns + place.column
    }

    /// The place of a number.
    pub fn place(self, number: usize) -> Place {
        Place { row: number / self.columns, column: number % self.columns }
    }

    /// The places for which `holds` is true, a bit each by their numbers; of a board of at most 64
    /// cells.
    pub fn mask(self, holds: impl Fn(Place) -> bool) -> u64 {
        self.places()
            .filter(|&place| holds(place))
            .fold(0, |mask, place| mask | 1 << self.number(place))
    }

    /// The place next to another; `None` if it is off the board.
    pub fn neighbour(self, place: Place, way: Direction) -> Option<Place> {
        let Place { row, column } = place;
        let (row, column) = match way {
            Direction::North => (row.checked_sub(1)?, column),
            Direction::East => (row, column + 1),
            Direction::South => (row + 1, column),
            Direction::West => (row, column.checked_sub(1)?),
        };
        Some(Place { row, column }).filter(|&place| self.contains(place))
    }
}

impl<const MOST: usize> fmt::Display for Size<MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

/// The text does not say a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected rows x columns, each from 1 to {most}, such as `4x6`")]
pub struct NoSize {
    most: usize,
}

impl<const MOST: usize> FromStr for Size<MOST> {
    type Err = NoSize;

    fn from_str(text: &str) -> Result<Self, NoSize> {
        let numbers = text
            .split_once('x')
            .and_then(|(rows, columns)| Some((number(rows)?, number(columns)?)));
        numbers.and_then(|(rows, columns)| Self::new(rows, columns)).ok_or(NoSize { most: MOST })
    }
}
