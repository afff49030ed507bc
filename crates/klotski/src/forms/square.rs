//! Rush Hour boards as drawings: as many rows as columns, and a letter or digit on each cell of a
//! car. The red car, `X` or `A`, is in the row of the exit.
//!
//! This is the form of the cards of the boxed game in most course projects, in which `X` is the red
//! car. `.`, `-`, `_` and a space are blanks, and `o` if there is no other; `x` is a wall.

use fewest_rules::text::Diagnostic;

use super::grid::{Block, Grid};
use crate::board::{BLANK, WALL};
use crate::parts::{Overrides, Parts};
use crate::rush_hour::red_car::{exit_row, parts, red_car, straight_cars};

const HINT: &str = "any other board needs a goal on the line below it, such as `goal: A at 4,2`";

/// The red car that no other form has.
const UNMISTAKABLE: char = 'X';

/// The least side of a board.
const MIN_SIDE: usize = 4;

pub(super) fn read<'a>(
    block: &Block<'a>,
    overrides: Overrides<'_>,
) -> Result<Option<Parts<'a>>, Diagnostic> {
    if block.has_goal || !overrides.goals.is_empty() || block.lines.len() < MIN_SIDE {
        return Ok(None);
    }
    let Some(grid) = block.grid() else { return Ok(None) };
    let Some(cells) = cells(&grid) else { return Ok(None) };
    // Without a goal, a drawing with blanks is a Rush Hour board or nothing. Codes have no blanks.
    let must_be_cars =
        !overrides.without_goals && grid.characters().any(|cell| ".-_".contains(cell));
    let drawing = grid.drawing(cells);
    let place = |cell: usize| drawing.positions[cell];
    let locks = match straight_cars(&drawing.board) {
        Ok(locks) => locks,
        Err(car) if must_be_cars => {
            let (line, at) = place(drawing.board.cells_of(car)[0]);
            let found = format!("car `{car}` that is not straight or has one cell");
            let expected = "two or more adjacent cells in one row or column";
            return Err(line.wrong(at, found, expected).hinting(HINT.to_owned()));
        }
        Err(_) => return Ok(None),
    };
    let Some(red) = red_car(&drawing.board, &locks, overrides.red, place)? else {
        if !must_be_cars {
            return Ok(None);
        }
        let row = exit_row(grid.columns);
        let (line, at) = place(row * grid.columns);
        let found = format!("no horizontal car `A` or `X` in row {}", row + 1);
        let hint = format!("`--red CAR` names another car; {HINT}");
        return Err(line.wrong(at, found, "the red car, which leaves to the right").hinting(hint));
    };
    // Who explores a board without a goal may not mean a car by `A`.
    if overrides.without_goals && overrides.red.is_none() && red != UNMISTAKABLE {
        return Ok(None);
    }
    let red_row = drawing.board.first_cell(red).map_or(0, |first| first / grid.columns);
    if let Some((row, line, at)) = grid.exit.filter(|&(row, ..)| row != red_row) {
        let found = format!("the exit in row {}", row + 1);
        let expected = format!("the exit in row {}, that of the red car `{red}`", red_row + 1);
        return Err(line.wrong(at, found, expected));
    }
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
