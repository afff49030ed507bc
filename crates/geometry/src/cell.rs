//! Cells, by row and column.

use std::error::Error;
use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

use crate::direction::Direction;

/// A cell, by its row and its column, both counted from 0. 8 bytes.
///
/// A cell may be outside a grid, with negative coordinates or large ones. The difference of two
/// cells is the translation from one to the other, also a `Cell`. Cells are ordered by row, and
/// within a row by column, which is the reading order.
///
/// `Display` counts from 1: `row 1, column 1` is the north-west corner. [`FromStr`] reads the row
/// and the column, counted from 1 and separated by a comma: `1,1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The row; 0 is the northernmost.
    pub row: i32,
    /// The column; 0 is the westernmost.
    pub column: i32,
}

impl Cell {
    /// The north-west corner; as a translation, none.
    pub const ORIGIN: Self = Self::new(0, 0);

    /// The cell in this row and column.
    pub const fn new(row: i32, column: i32) -> Self {
        Self { row, column }
    }

    /// The cell in this row and column, both less than 2^31.
    #[inline]
    pub const fn at(row: usize, column: usize) -> Self {
        Self { row: row as i32, column: column as i32 }
    }

    /// The neighbouring cell in a direction, on any grid.
    #[must_use]
    #[inline]
    pub const fn step(self, direction: Direction) -> Self {
        let Self { row, column } = self;
        match direction {
            Direction::North => Self { row: row - 1, column },
            Direction::East => Self { row, column: column + 1 },
            Direction::South => Self { row: row + 1, column },
            Direction::West => Self { row, column: column - 1 },
        }
    }

    /// The direction in which a neighbouring cell is; `None` if `to` is not a neighbour.
    #[inline]
    pub fn direction_to(self, to: Self) -> Option<Direction> {
        match (to.row.wrapping_sub(self.row), to.column.wrapping_sub(self.column)) {
            (0, -1) => Some(Direction::West),
            (-1, 0) => Some(Direction::North),
            (0, 1) => Some(Direction::East),
            (1, 0) => Some(Direction::South),
            _ => None,
        }
    }
}

impl Add for Cell {
    type Output = Self;

    fn add(self, by: Self) -> Self {
        Self { row: self.row + by.row, column: self.column + by.column }
    }
}

impl Sub for Cell {
    type Output = Self;

    fn sub(self, from: Self) -> Self {
        Self { row: self.row - from.row, column: self.column - from.column }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", i64::from(self.row) + 1, i64::from(self.column) + 1)
    }
}

/// The error of parsing a [`Cell`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseCellError;

impl fmt::Display for ParseCellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected the row and the column of a cell, counted from 1, such as `2,3`")
    }
}

impl Error for ParseCellError {}

impl FromStr for Cell {
    type Err = ParseCellError;

    fn from_str(text: &str) -> Result<Self, ParseCellError> {
        let from_1 = |digits: &str| {
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<i32>().ok().filter(|_| is_number)?.checked_sub(1).filter(|&at| at >= 0)
        };
        text.split_once(',')
            .and_then(|(row, column)| Some(Self::new(from_1(row)?, from_1(column)?)))
            .ok_or(ParseCellError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_parsed_from_1() {
        assert_eq!("1,12".parse(), Ok(Cell::new(0, 11)));
        for text in
            ["", "1", "1,", ",1", "0,1", "1,0", "+1,1", "-1,1", "1,1,1", "1 ,1", "1,9999999999"]
        {
            assert_eq!(text.parse::<Cell>(), Err(ParseCellError), "{text}");
        }
    }

    #[test]
    fn steps_and_directions_are_inverse() {
        let cell = Cell::new(0, 0);
        for direction in Direction::ALL {
            let next = cell.step(direction);
            assert_eq!(cell.direction_to(next), Some(direction));
            assert_eq!(next.step(direction.opposite()), cell);
        }
        assert_eq!(cell.direction_to(cell), None);
        assert_eq!(Cell::new(2, 3) - Cell::new(0, 4) + Cell::new(0, 4), Cell::new(2, 3));
    }
}
