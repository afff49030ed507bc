//! The parts of a puzzle as a text gives them, each with its position, so that an error can point
//! to it.

use std::fmt;
use std::str::FromStr;

use fewest_rules::builtin::Published;
use fewest_rules::text::{Diagnostic, Line, number};

use crate::board::Board;
use crate::instance::{Fault, FaultLocation, Gate, Goal, Instance, Lock};

/// The goal of a piece as a user writes it: `A at 4,2` is the row and column of the first cell of
/// piece `A`, in reading order. It is not bound to a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The piece.
    pub piece: char,
    /// The row of its first cell, from 1.
    pub row: usize,
    /// The column of its first cell, from 1.
    pub column: usize,
}

/// The error for a text that is not a [`Target`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {TARGET}")]
pub struct ParseTargetError;

/// What a message expects in place of a target.
pub(crate) const TARGET: &str =
    "a piece and the row and column of its first cell, such as `A at 4,2`";

/// A row and a column, both from 1: `4,2`.
pub(crate) fn row_and_column(text: &str) -> Option<(usize, usize)> {
    let (row, column) = text.split_once(',')?;
    let from_one = |digits| number(digits).filter(|&number| number > 0);
    Some((from_one(row)?, from_one(column)?))
}

/// The only character of a text.
pub(crate) fn only_character(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

impl FromStr for Target {
    type Err = ParseTargetError;

    fn from_str(text: &str) -> Result<Self, ParseTargetError> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [piece, "at", cell] = words[..] else { return Err(ParseTargetError) };
        let piece = only_character(piece).ok_or(ParseTargetError)?;
        let (row, column) = row_and_column(cell).ok_or(ParseTargetError)?;
        Ok(Self { piece, row, column })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { piece, row, column } = self;
        write!(f, "{piece} at {row},{column}")
    }
}

impl Target {
    /// The goal on a board; `None` if its first cell is not within the board.
    pub(crate) fn goal_on(self, board: &Board) -> Option<Goal> {
        let Self { piece, row, column } = self;
        Some(Goal { piece, first: board.cell_at(row, column)? })
    }
}

/// What options say of boards, instead of their texts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides<'a> {
    /// The goals; those of the text if there are none.
    pub goals: &'a [Target],
    /// The red car of Rush Hour boards.
    pub red: Option<char>,
    /// Whether a board that has no goal is valid.
    pub without_goals: bool,
}

/// A board with the line and the byte offset of each cell in the text.
pub(crate) struct Drawing<'a> {
    pub(crate) board: Board,
    pub(crate) positions: Vec<(Line<'a>, usize)>,
}

/// A part of a puzzle that starts at byte `at` of `line`.
pub(crate) struct Located<'a, T> {
    pub(crate) line: Line<'a>,
    pub(crate) at: usize,
    pub(crate) part: T,
}

/// The parts of a puzzle.
pub(crate) struct Parts<'a> {
    pub(crate) drawing: Drawing<'a>,
    pub(crate) goals: Vec<Located<'a, Goal>>,
    pub(crate) locks: Vec<Located<'a, Lock>>,
    pub(crate) gates: Vec<Located<'a, Gate>>,
    pub(crate) published: Option<Published>,
}

impl<'a> From<Drawing<'a>> for Parts<'a> {
    fn from(drawing: Drawing<'a>) -> Self {
        let (goals, locks, gates) = (Vec::new(), Vec::new(), Vec::new());
        Self { drawing, goals, locks, gates, published: None }
    }
}

impl Parts<'_> {
    /// The puzzle of these parts, of which the goals come from `overrides` if it has any.
    pub(crate) fn into_instance(self, overrides: Overrides<'_>) -> Result<Instance, Diagnostic> {
        let Overrides { goals: targets, without_goals, .. } = overrides;
        let Self { drawing: Drawing { board, positions }, goals, locks, gates, published } = self;
        let (all_goals, all_locks) = (parts_of(&goals), parts_of(&locks));
        let instance = match without_goals {
            true => Instance::with_any_goals(board, all_goals, all_locks),
            false => Instance::new(board, all_goals, all_locks),
        };
        let instance = instance.and_then(|instance| instance.with_gates(parts_of(&gates)));
        let instance = instance.map_err(|fault| {
            let Fault { location, found, expected, hint } = fault;
            let (line, offset) = match location {
                FaultLocation::Cell(cell) => positions[cell],
                FaultLocation::Goal(goal) if goal < targets.len() => {
                    return Diagnostic::of_option("--goal", targets[goal], found, expected);
                }
                FaultLocation::Goal(goal) => {
                    goals.get(goal).map_or(positions[0], |goal| (goal.line, goal.at))
                }
                FaultLocation::Lock(lock) => (locks[lock].line, locks[lock].at),
                FaultLocation::Gate(gate) => (gates[gate].line, gates[gate].at),
            };
            line.wrong(offset, found, expected).hinting(hint.map(str::to_owned))
        })?;
        Ok(instance.with_published(published))
    }
}

fn parts_of<T: Copy>(located: &[Located<'_, T>]) -> Vec<T> {
    located.iter().map(|located| located.part).collect()
}

/// The words that start a directive, which is a line below a board.
pub(crate) const GOAL: &str = "goal:";
pub(crate) const LOCK: &str = "lock:";
pub(crate) const GATE: &str = "gate:";

pub(crate) fn is_directive(line: Line<'_>) -> bool {
    [GOAL, LOCK, GATE].iter().any(|word| line.text.trim_ascii().starts_with(word))
}
