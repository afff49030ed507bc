//! Rush Hour boards on one line: 36 characters in reading order, as in published collections.
//!
//! `o` or `.` is a blank and `x` a wall. Any other letter is a car of two or more cells, locked to
//! the axis of its length. The red car `A` is in the third row, and its goal is the right end of
//! that row.
//!
//! ```
//! use fewest_klotski::Instance;
//!
//! let line = "GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo";
//! let puzzle = Instance::read(line.as_bytes()).next().unwrap().unwrap();
//! assert_eq!(puzzle.board().row_text(), "GBB.L./GHI.LM/GHIAAM/CCCK.M/..JKDD/EEJFF.");
//! assert!(puzzle.to_string().ends_with(
//!     "goal: A at 3,5\nlock: horizontal BACDEF\nlock: vertical GLHIMKJ\n"
//! ));
//! assert_eq!(fewest_klotski::rush_hour::line::write(&puzzle).as_deref(), Some(line));
//! ```

use fewest_rules::builtin::Published;
use fewest_rules::text::{Diagnostic, Line, number, quote};

use super::RED_ROW;
use super::red_car::{parts, red_car, straight_cars};
use crate::board::{BLANK, Board, WALL, is_piece};
use crate::instance::Instance;
use crate::parts::{Drawing, Parts};

/// The number of rows, and of columns, of most boards.
const SIDE: usize = 6;
const CELLS: usize = SIDE * SIDE;

/// Splits a line of a collection, such as `60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332`, into the
/// Rush Hour line and what the collection says: the fewest straight moves and the number of boards.
/// A Rush Hour line alone says nothing. `None` if the text is neither.
pub(crate) fn split_published(text: &str) -> Option<(&str, Option<Published>)> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    match words[..] {
        [line] if looks_like_line(line) => Some((line, None)),
        [moves, line, boards] if looks_like_line(line) => {
            Some((line, Some(Published { moves: number(moves)?, boards: number(boards)? })))
        }
        _ => None,
    }
}

/// Whether a word looks like a Rush Hour line, valid or not: 36 letters and blanks, or 16 or 25
/// with a red car in the third row.
fn looks_like_line(word: &str) -> bool {
    let is_cell = |byte: u8| byte.is_ascii_alphabetic() || b".-_".contains(&byte);
    let side = word.len().isqrt();
    let has_red_car = || {
        let row = &word[RED_ROW * side..(RED_ROW + 1) * side];
        ["AA", "XX"].iter().any(|red| row.contains(red))
    };
    let is_square = (4..=SIDE).contains(&side) && side * side == word.len();
    word.bytes().all(is_cell) && is_square && (side == SIDE || has_red_car())
}

/// A hint for a text with a word that is, or almost is, a Rush Hour line.
pub(crate) fn hint(text: &str) -> Option<String> {
    let is_close = |word: &&str| {
        let is_letters = word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'.');
        is_letters && word.len().abs_diff(CELLS) <= 3
    };
    let word = text.split_ascii_whitespace().find(is_close)?;
    Some(match word.len() {
        CELLS => "beside a Rush Hour line there may be two numbers: `MOVES LINE BOARDS`".to_owned(),
        length => format!("a Rush Hour line has {CELLS} letters, and this has {length}"),
    })
}

/// Whether a word is probably a Rush Hour line in which a letter is missing, or is too many.
pub(crate) fn is_almost_line(word: &str) -> bool {
    word.contains("AA") && hint(word).is_some()
}

/// Reads a Rush Hour line that starts at byte `at` of `line`. `red` is the red car of an option.
pub(crate) fn read<'a>(
    line: Line<'a>,
    at: usize,
    word: &str,
    red: Option<char>,
) -> Result<Parts<'a>, Diagnostic> {
    let cell = |character| match character {
        'o' | '-' | '_' | BLANK => BLANK,
        'x' => WALL,
        car => car,
    };
    let side = word.len().isqrt();
    let board = Board::of_cells(side, word.chars().map(cell).collect());
    let positions: Vec<_> = (0..word.len()).map(|cell| (line, at + cell)).collect();
    let place = |cell: usize| positions[cell];
    let wrong = |cell: usize, found: String, expected: &str| line.wrong(at + cell, found, expected);
    let locks = straight_cars(&board).map_err(|car| {
        let name = quote(&car.to_string());
        let found = format!("car {name} that is not straight or has one cell");
        let expected = "two or more adjacent cells in one row or column";
        wrong(board.cells_of(car)[0], found, expected)
    })?;
    if let Some(red) = red_car(&board, &locks, red, place)? {
        return Ok(parts(Drawing { board, positions }, red, locks));
    }
    Err(match board.first_cell('A') {
        None => wrong(0, format!("no car {}", quote("A")), "the car that leaves to the right"),
        Some(first) => {
            let found = format!("car {} at {}", quote("A"), board.coordinates(first));
            wrong(first, found, "a horizontal car `A` or `X` in row 3")
        }
    })
}

/// The cells of a board in reading order, with `o` for a blank and `x` for a wall.
pub(super) fn board_text(board: &Board) -> String {
    let character = |&cell: &char| match cell {
        BLANK => 'o',
        WALL => 'x',
        car => car,
    };
    board.cells().iter().map(character).collect()
}

/// Writes a puzzle as a line of a collection, with a line feed; `None` if it has no Rush Hour line,
/// or if its moves and boards are not known.
pub fn write_published(instance: &Instance) -> Option<String> {
    let Published { moves, boards } = instance.published()?;
    write(instance).map(|line| format!("{moves} {line} {boards}\n"))
}

/// Writes a puzzle as a Rush Hour line; `None` unless it is a Rush Hour puzzle whose cars have
/// ASCII letters other than `o` and `x`.
pub fn write(instance: &Instance) -> Option<String> {
    let board = instance.board();
    let line = board_text(board);
    let has_car_letters = board
        .cells()
        .iter()
        .all(|&cell| !is_piece(cell) || cell.is_ascii_alphabetic() && !"ox".contains(cell));
    if !(has_car_letters && board.columns() == board.rows() && looks_like_line(&line)) {
        return None;
    }
    let same = Instance::read(line.as_bytes()).next()?.ok()?;
    let goals_and_locks = |instance: &Instance| {
        let mut locks = instance.locks().to_vec();
        locks.sort_by_key(|lock| lock.piece);
        (instance.goals().to_vec(), locks)
    };
    let is_same =
        instance.gates().is_empty() && goals_and_locks(&same) == goals_and_locks(instance);
    is_same.then_some(line)
}
