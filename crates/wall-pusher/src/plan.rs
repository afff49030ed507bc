//! Plans as text: one letter per move, `N`, `E`, `S` or `W`.

use fewest_geometry::Direction;
use fewest_rules::text::{Diagnostic, Line, quote};

/// A sequence of moves, first to last. [`verify`](fewest_rules::verify) checks whether it is legal.
pub type Plan = Vec<Direction>;

/// The letters of a plan in one word, as in the contest format.
pub fn letters(plan: &[Direction]) -> String {
    plan.iter().map(|direction| direction.letter()).collect()
}

/// Reads a line with one move: a single letter, with white space around it or none.
///
/// # Errors
/// A diagnostic if the line is anything else.
pub fn read_move(line: Line<'_>) -> Result<Direction, Diagnostic> {
    let word = line.text.trim_ascii();
    let mut letters = word.chars();
    let direction =
        letters.next().and_then(Direction::from_letter).filter(|_| letters.next().is_none());
    direction.ok_or_else(|| {
        line.wrong(line.start(), quote(word), "the direction of a move: N, E, S or W")
    })
}
