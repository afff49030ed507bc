//! A plan as a user reads and writes it: a line a step, the ghosts that move and where they go.
//!
//! `aN bE` is a step in which `a` goes north and `b` east, and all others stay; `-` is one in which
//! all stay. Ghosts beyond `z` are `aa`, `ab` and so on.
//!
//! ```
//! use fewest_core::text::Lines;
//! use fewest_halloween::{Direction, plan::Step};
//!
//! let line = Lines::new(b"aN cE").next().unwrap().unwrap();
//! let step = Step::read(line, 3).unwrap();
//! assert_eq!(step.0, [Direction::North, Direction::Stay, Direction::East]);
//! assert_eq!(step.to_string(), "aN cE");
//! ```

use std::fmt::{self, Write};

use fewest_core::text::{Diagnostic, Line, quote};

use crate::instance::{LETTERS, Place, name, write_name};

/// What a ghost does in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// It keeps its cell.
    Stay,
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
    pub const ALL: [Self; 5] = [Self::Stay, Self::North, Self::East, Self::South, Self::West];

    /// The place next to `from` in this direction; `None` beyond the first and the last number
    /// there is.
    pub fn from(self, from: Place) -> Option<Place> {
        let Place { x, y } = from;
        Some(match self {
            Self::Stay => from,
            Self::North => Place { x, y: y.checked_sub(1)? },
            Self::East => Place { x: x.checked_add(1)?, y },
            Self::South => Place { x, y: y.checked_add(1)? },
            Self::West => Place { x: x.checked_sub(1)?, y },
        })
    }

    fn letter(self) -> char {
        match self {
            Self::Stay => '-',
            Self::North => 'N',
            Self::East => 'E',
            Self::South => 'S',
            Self::West => 'W',
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stay => "nowhere",
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        })
    }
}

/// The index of the ghost of this name.
fn index(name: &str) -> Option<usize> {
    let place = name.chars().try_fold(0, |before: usize, letter| {
        let number = (b'a'..=b'z').position(|small| char::from(small) == letter)? + 1;
        before.checked_mul(LETTERS)?.checked_add(number)
    });
    place?.checked_sub(1)
}

/// What each ghost does, in the order of their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step(pub Vec<Direction>);

/// Steps, first to last. Whether they are legal, [`rules`](crate::rules) says.
pub type Plan = Vec<Step>;

impl Step {
    /// How many ghosts do not stay.
    pub fn moves(&self) -> usize {
        self.0.iter().filter(|way| **way != Direction::Stay).count()
    }

    /// The step between two boards; `None` if some ghost's places are no neighbours.
    pub fn between(from: &[Place], to: &[Place]) -> Option<Self> {
        let pairs = from.iter().zip(to);
        let step = pairs
            .map(|(&from, &to)| Direction::ALL.into_iter().find(|way| way.from(from) == Some(to)));
        step.collect::<Option<_>>().map(Self)
    }

    /// Reads a line that [`Display`](fmt::Display) wrote, for a house of so many ghosts.
    pub fn read(line: Line<'_>, ghosts: usize) -> Result<Self, Diagnostic> {
        let mut step = vec![Direction::Stay; ghosts];
        let mut named = vec![false; ghosts];
        let mut words = line.words().peekable();
        if words.next_if(|&(_, word)| word == "-").is_some() {
            return match words.next() {
                Some((at, word)) => {
                    Err(line.wrong(at, quote(word), "nothing after `-`, a step in which all stay"))
                }
                None => Ok(Self(step)),
            };
        }
        for (at, word) in words {
            let wrong = |expected: &str| Err(line.wrong(at, quote(word), expected));
            let direction = |&(end, way): &(usize, char)| end > 0 && way.is_ascii_uppercase();
            let Some((end, way)) = word.char_indices().last().filter(direction) else {
                return wrong("a ghost and its direction, such as `aN`");
            };
            let Some(ghost) = index(&word[..end]).filter(|&ghost| ghost < ghosts) else {
                return wrong(&format!("a ghost from `a` to `{}`", name(ghosts - 1)));
            };
            let moves = &Direction::ALL[1..];
            let Some(&way) = moves.iter().find(|direction| direction.letter() == way) else {
                return wrong("the direction N, E, S or W");
            };
            if std::mem::replace(&mut named[ghost], true) {
                return wrong("each ghost once in a step");
            }
            step[ghost] = way;
        }
        Ok(Self(step))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        for (ghost, way) in self.0.iter().enumerate().filter(|(_, way)| **way != Direction::Stay) {
            if !std::mem::take(&mut is_first) {
                f.write_char(' ')?;
            }
            write_name(ghost, f)?;
            f.write_char(way.letter())?;
        }
        if is_first { f.write_char('-') } else { Ok(()) }
    }
}
