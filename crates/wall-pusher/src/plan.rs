//! A plan as a user reads and writes it: directions, `N`, `E`, `S` or `W`.

use fewest_core::grid::Direction;
use fewest_core::text::{Diagnostic, Line, quote};

/// Moves, first to last. Whether they are legal, [`rules`](crate::rules) says.
pub type Plan = Vec<Direction>;

/// The letters of a plan in a row, as the judges want them.
pub fn letters(plan: &[Direction]) -> String {
    plan.iter().map(|way| way.letter()).collect()
}

/// Reads a move, a letter alone on a line.
pub fn read_move(line: Line<'_>) -> Result<Direction, Diagnostic> {
    let word = line.text.trim_ascii();
    let mut letters = word.chars();
    let way = letters.next().and_then(Direction::of_letter).filter(|_| letters.next().is_none());
    way.ok_or_else(|| {
        line.wrong(line.start(), quote(word), "the direction of a move: N, E, S or W")
    })
}
