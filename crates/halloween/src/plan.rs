//! Plans and their text format: one line per step, which names the ghosts that move and
//! their directions.
//!
//! In the step `aN bE`, `a` moves north, `b` moves east, and all other ghosts stay. In the step `-`
//! all ghosts stay. Ghosts beyond `z` are `aa`, `ab` and so on.
//!
//! ```
//! use fewest_rules::text::Lines;
//! use fewest_geometry::Direction;
//! use fewest_halloween::plan::JointStep;
//!
//! let line = Lines::new(b"aN cE").next().unwrap().unwrap();
//! let step = JointStep::read(line, 3).unwrap();
//! assert_eq!(step.0, [Some(Direction::North), None, Some(Direction::East)]);
//! assert_eq!(step.to_string(), "aN cE");
//! ```

use std::fmt::{self, Write};

use fewest_geometry::{Cell, Direction};
use fewest_rules::text::{Diagnostic, Line, quote};

use crate::instance::{LETTERS, ghost_name, write_ghost_name};

/// The index of the ghost with this name; the inverse of [`ghost_name`].
fn ghost_index(name: &str) -> Option<usize> {
    let number = name.chars().try_fold(0, |before: usize, letter| {
        let digit = (b'a'..=b'z').position(|lower| char::from(lower) == letter)? + 1;
        before.checked_mul(LETTERS)?.checked_add(digit)
    });
    number?.checked_sub(1)
}

/// A joint move: the direction of each ghost, in the order of the ghosts; `None` if it stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointStep(pub Vec<Option<Direction>>);

/// The steps from the initial board on. They need not be legal; the [`rules`](crate::rules) check
/// them.
pub type Plan = Vec<JointStep>;

/// The steps between consecutive boards, each given as the cells of the ghosts. They are not
/// checked against the rules. `None` if a ghost is neither on the same nor on a neighbouring cell
/// in the next board.
pub fn plan_through(boards: impl IntoIterator<Item = Vec<Cell>>) -> Option<Plan> {
    let mut boards = boards.into_iter();
    let mut before = boards.next()?;
    let step = |board: Vec<Cell>| {
        let step = JointStep::between(&before, &board);
        before = board;
        step
    };
    boards.map(step).collect()
}

impl JointStep {
    /// The number of ghosts that do not stay.
    pub fn moves(&self) -> usize {
        self.0.iter().flatten().count()
    }

    /// The step that leads from one board to another. `None` if the two cells of a ghost are
    /// neither the same nor neighbours. The step is not checked against the rules.
    pub fn between(from: &[Cell], to: &[Cell]) -> Option<Self> {
        let pairs = from.iter().zip(to);
        let direction = |(&from, &to): (&Cell, &Cell)| {
            if from == to { Some(None) } else { from.direction_to(to).map(Some) }
        };
        pairs.map(direction).collect::<Option<_>>().map(Self)
    }

    /// Reads a step of `ghosts` ghosts in the format that [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// If a word is not the name of one of these ghosts followed by `N`, `E`, `S` or `W`, if a
    /// ghost occurs twice, or if a word follows `-`.
    ///
    /// # Panics
    /// If `ghosts` is 0 and the line names a ghost.
    pub fn read(line: Line<'_>, ghosts: usize) -> Result<Self, Diagnostic> {
        let mut step = vec![None; ghosts];
        let mut named = vec![false; ghosts];
        let mut words = line.words().peekable();
        if words.next_if(|&(_, word)| word == "-").is_some() {
            return match words.next() {
                Some((at, word)) => Err(line.wrong(
                    at,
                    quote(word),
                    "the end of the line after `-` (all ghosts stay)",
                )),
                None => Ok(Self(step)),
            };
        }
        for (at, word) in words {
            let wrong = |expected: &str| Err(line.wrong(at, quote(word), expected));
            let is_direction = |&(end, last): &(usize, char)| end > 0 && last.is_ascii_uppercase();
            let Some((end, last)) = word.char_indices().last().filter(is_direction) else {
                return wrong("a ghost and its direction, such as `aN`");
            };
            let Some(ghost) = ghost_index(&word[..end]).filter(|&ghost| ghost < ghosts) else {
                return wrong(&format!("a ghost from `a` to `{}`", ghost_name(ghosts - 1)));
            };
            let Some(direction) = Direction::from_letter(last) else {
                return wrong("the direction N, E, S or W");
            };
            if std::mem::replace(&mut named[ghost], true) {
                return wrong("each ghost at most once in a step");
            }
            step[ghost] = Some(direction);
        }
        Ok(Self(step))
    }
}

impl fmt::Display for JointStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        let moving = self.0.iter().enumerate();
        for (ghost, direction) in
            moving.filter_map(|(ghost, direction)| Some((ghost, (*direction)?)))
        {
            if !std::mem::take(&mut is_first) {
                f.write_char(' ')?;
            }
            write_ghost_name(ghost, f)?;
            f.write_char(direction.letter())?;
        }
        if is_first { f.write_char('-') } else { Ok(()) }
    }
}
