//! A plan as a user reads and writes it: directions, `W`, `N`, `E` or `S`.

use std::fmt;

use fewest_core::Size;
use fewest_core::text::{Diagnostic, Line, quote};

use crate::instance::Place;

/// Where a move goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// A column to the left.
    West,
    /// A row up.
    North,
    /// A column to the right.
    East,
    /// A row down.
    South,
}

impl Direction {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::West, Self::North, Self::East, Self::South];

    /// The cell next to `from` in this direction; `None` is outside.
    pub fn from(self, from: Place, size: Size) -> Option<Place> {
        let Place { row, column } = from;
        let (row, column) = match self {
            Self::West => (row, column.checked_sub(1)?),
            Self::North => (row.checked_sub(1)?, column),
            Self::East => (row, column + 1),
            Self::South => (row + 1, column),
        };
        (row < size.rows && column < size.columns).then_some(Place { row, column })
    }

    /// `W`, `N`, `E` or `S`.
    pub fn letter(self) -> char {
        match self {
            Self::West => 'W',
            Self::North => 'N',
            Self::East => 'E',
            Self::South => 'S',
        }
    }

    /// Reads a line with a letter alone.
    pub fn read(line: Line<'_>) -> Result<Self, Diagnostic> {
        let word = line.text.trim();
        let found = Self::ALL.into_iter().find(|way| word.chars().eq([way.letter()]));
        found.ok_or_else(|| line.wrong(line.start(), quote(word), "the direction of a move: W, N, E or S"))
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::West => "west",
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
        })
    }
}

/// Moves, first to last. Whether they are legal, [`rules`](crate::rules) says.
pub type Plan = Vec<Direction>;

/// The letters of a plan in a row, as the judges want them.
pub fn letters(plan: &[Direction]) -> String {
    plan.iter().map(|way| way.letter()).collect()
}
