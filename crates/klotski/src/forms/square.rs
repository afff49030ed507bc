//! Rush Hour boards as drawings: as many rows as columns, and a letter or digit on each cell of a
//! car. The red car, `X` or `A`, is in the row of the exit.
//!
//! This is the form of the cards of the boxed game in most course projects, in which `X` is the red
//! car. `.`, `-`, `_` and a space are blanks, and `o` if there is no other; `x` is a wall.

use fewest_rules::text::{Diagnostic, Line, Lines};

use super::grid::{Block, Grid};
use crate::board::{BLANK, WALL};
use crate::parts::{Overrides, Parts};
use crate::rush_hour::red_car::{parts, red_car, straight_cars};

/// The least side of a board.
const MIN_SIDE: usize = 4;

pub(super) fn read<'a>(
    line: Line<'a>,
    lines: &mut Lines<'a>,
    overrides: Overrides<'_>,
) -> Result<Option<Parts<'a>>, Diagnostic> {
    let block = Block::at(line, lines);
    if block.has_goal || !overrides.goals.is_empty() || block.lines.len() < MIN_SIDE {
        return Ok(None);
    }
    let Some(grid) = block.grid() else { return Ok(None) };
    let Some(cells) = cells(&grid) else { return Ok(None) };
    let drawing = grid.drawing(cells);
    let Ok(locks) = straight_cars(&drawing.board) else { return Ok(None) };
    let place = |cell: usize| drawing.positions[cell];
    let Some(red) = red_car(&drawing.board, &locks, overrides.red, place)? else { return Ok(None) };
    block.take_from(lines);
    Ok(Some(parts(drawing, red, locks)))
}

/// The cells of a board, if the grid is a square of letters, digits and blanks.
fn cells(grid: &Grid<'_>) -> Option<Vec<char>> {
    let is_blank = |cell: char| ".-_".contains(cell);
    let has_blank = grid.characters().any(is_blank);
    let cell = |cell: char| match cell {
        _ if is_blank(cell) => Some(BLANK),
        'o' if !has_blank => Some(BLANK),
        'x' => Some(WALL),
        car => car.is_ascii_alphanumeric().then_some(car),
    };
    grid.characters().map(cell).collect::<Option<_>>().filter(|_| grid.rows() == grid.columns)
}
