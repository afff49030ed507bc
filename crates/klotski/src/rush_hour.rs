//! Rush Hour boards on a line: 36 characters in reading order, as collections of them have it.
//!
//! `o` or `.` is a blank and `x` a wall; any other letter is a car, two cells long or more, that
//! moves along its length. `A`, on the third row, leaves to the right: it is to come to the end of
//! its row.
//!
//! ```
//! use fewest_klotski::Instance;
//!
//! let line = "GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo";
//! let puzzle = Instance::read(line.as_bytes()).next().unwrap().unwrap();
//! assert_eq!(puzzle.board().row_text(), "GBB.L./GHI.LM/GHIAAM/CCCK.M/..JKDD/EEJFF.");
//! assert!(puzzle.to_string().ends_with("goal: A at 3,5\nlock: horizontal BACDEF\nlock: vertical GLHIMKJ\n"));
//! assert_eq!(fewest_klotski::rush_hour::write(&puzzle).as_deref(), Some(line));
//! ```

use fewest_core::text::{Diagnostic, Line, quote};

use crate::board::{BLANK, Board, WALL, is_piece};
use crate::instance::{Axis, Goal, Instance, Lock};
use crate::read::{Drawing, length};

/// Rows and columns.
const SIDE: usize = 6;
/// The row that the red car is on, from 0.
const EXIT_ROW: usize = 2;
/// The car that is to leave.
const RED: char = 'A';

/// Whether a word looks like such a line.
pub(crate) fn is_meant(word: &str) -> bool {
    word.len() == SIDE * SIDE && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'.')
}

/// The board of a line that starts at byte `at` of `line`, the goal, and the locks of all cars.
pub(crate) fn read<'a>(
    line: Line<'a>,
    at: usize,
    word: &str,
) -> Result<(Drawing<'a>, Goal, Vec<Lock>), Diagnostic> {
    let cell = |mark| match mark {
        'o' | BLANK => BLANK,
        'x' => WALL,
        car => car,
    };
    let board = Board::of_cells(SIDE, word.chars().map(cell).collect());
    let places: Vec<_> = (0..SIDE * SIDE).map(|cell| (line, at + cell)).collect();
    let wrong = |cell: usize, found: String, expected: &str| line.wrong(at + cell, found, expected);
    let mut locks = Vec::new();
    for car in board.pieces() {
        let cells = board.cells_of(car);
        let step = |axis| if axis == Axis::Horizontal { 1 } else { SIDE };
        let straight = |axis: &Axis| {
            let in_row =
                *axis == Axis::Vertical || cells[0] / SIDE == cells[cells.len() - 1] / SIDE;
            in_row && cells.windows(2).all(|pair| pair[1] - pair[0] == step(*axis))
        };
        let Some(axis) = length(&board, &cells).filter(straight) else {
            let found =
                format!("car {} that is not straight, or a single cell", quote(&car.to_string()));
            return Err(wrong(cells[0], found, "two cells or more in a row or column"));
        };
        locks.push(Lock { piece: car, axis });
    }
    let Some(red) = board.first_cell(RED) else {
        return Err(wrong(0, format!("no car {}", quote("A")), "one that leaves to the right"));
    };
    let lying = locks.iter().any(|lock| lock.piece == RED && lock.axis == Axis::Horizontal);
    if red / SIDE != EXIT_ROW || !lying {
        let found = format!("car {} at {}", quote("A"), board.place(red));
        return Err(wrong(red, found, "it on the third row, along it"));
    }
    let goal = Goal { piece: RED, first: (EXIT_ROW + 1) * SIDE - board.cells_of(RED).len() };
    Ok((Drawing { board, places }, goal, locks))
}

/// A puzzle as such a line, if it is one of Rush Hour whose cars have letters other than `o` and
/// `x`.
pub fn write(instance: &Instance) -> Option<String> {
    let board = instance.board();
    let mark = |&cell: &char| match cell {
        BLANK => 'o',
        WALL => 'x',
        car => car,
    };
    let line: String = board.cells().iter().map(mark).collect();
    let letters = board
        .cells()
        .iter()
        .all(|&cell| !is_piece(cell) || cell.is_ascii_alphabetic() && !"ox".contains(cell));
    if !(letters && board.columns() == SIDE && is_meant(&line)) {
        return None;
    }
    let same = Instance::read(line.as_bytes()).next()?.ok()?;
    let sorted = |instance: &Instance| {
        let mut locks = instance.locks().to_vec();
        locks.sort_by_key(|lock| lock.piece);
        (instance.goals().to_vec(), locks)
    };
    (sorted(&same) == sorted(instance)).then_some(line)
}
