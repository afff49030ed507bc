//! Which car is the red one, and what follows: its goal at the right end of its row, and a lock for
//! each car along its length.

use fewest_rules::text::{Diagnostic, Line, quote};

use crate::board::Board;
use crate::instance::{Axis, Goal, Lock};
use crate::parts::{Drawing, Located, Parts};

/// The characters that a red car has in collections.
const NAMES: [char; 2] = ['A', 'X'];

/// The row of the exit of a square board, from 0: the third one of up to six rows, and the middle
/// one of larger boards.
pub(crate) fn exit_row(side: usize) -> usize {
    if side <= 6 { super::RED_ROW } else { (side - 1) / 2 }
}

/// A lock for each car; the first car that is not straight, or has one cell, if there is one.
pub(crate) fn straight_cars(board: &Board) -> Result<Vec<Lock>, char> {
    let lock = |piece| {
        let cells = board.cells_of(piece);
        let columns = board.columns();
        let is_in_row = cells[0] / columns == cells[cells.len() - 1] / columns;
        let (axis, stride) =
            if is_in_row { (Axis::Horizontal, 1) } else { (Axis::Vertical, columns) };
        let is_straight =
            cells.len() > 1 && cells.windows(2).all(|pair| pair[1] - pair[0] == stride);
        if is_straight { Ok(Lock { piece, axis }) } else { Err(piece) }
    };
    board.pieces().into_iter().map(lock).collect()
}

/// The red car: that of `--red`, or the one of [`NAMES`] that is in the row of the exit. `None` if
/// there is none. `place` is the position of a cell in the text.
pub(crate) fn red_car<'a>(
    board: &Board,
    locks: &[Lock],
    asked: Option<char>,
    place: impl Fn(usize) -> (Line<'a>, usize),
) -> Result<Option<char>, Diagnostic> {
    let is_horizontal =
        |car: char| locks.iter().any(|lock| lock.piece == car && lock.axis == Axis::Horizontal);
    if let Some(car) = asked {
        let wrong = || {
            let found = format!("no horizontal car {}", quote(&car.to_string()));
            Diagnostic::of_option("--red", car, found, "a horizontal car of the board")
        };
        return if is_horizontal(car) { Ok(Some(car)) } else { Err(wrong()) };
    }
    let exit = exit_row(board.rows());
    let is_at_exit = |car: &char| {
        let first = board.first_cell(*car);
        first.is_some_and(|first| first / board.columns() == exit) && is_horizontal(*car)
    };
    let cars: Vec<char> = NAMES.into_iter().filter(is_at_exit).collect();
    match cars[..] {
        [_, other] => {
            let (line, at) = place(board.first_cell(other).unwrap_or(0));
            let found = format!("the cars `A` and `X` in row {}", exit + 1);
            let hint = "say which of them leaves: `--red A` or `--red X`".to_owned();
            Err(line.wrong(at, found, "one red car").hinting(hint))
        }
        _ => Ok(cars.first().copied()),
    }
}

/// A Rush Hour puzzle.
pub(crate) fn parts(drawing: Drawing<'_>, red: char, locks: Vec<Lock>) -> Parts<'_> {
    let Drawing { ref board, ref positions } = drawing;
    let (columns, length) = (board.columns(), board.cells_of(red).len());
    let row = board.first_cell(red).unwrap_or(0) / columns;
    let (line, at) = positions[0];
    let goals =
        vec![Located { line, at, part: Goal { piece: red, first: (row + 1) * columns - length } }];
    let locks = locks.into_iter().map(|part| Located { line, at, part }).collect();
    Parts { goals, locks, ..Parts::from(drawing) }
}
