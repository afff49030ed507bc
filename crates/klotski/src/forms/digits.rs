//! Classic boards as 20 digits, one a cell, on a line or in five rows of four.
//!
//! | digits | source |
//! | --- | --- |
//! | 0 a blank, 2 a single, 3, 4 and 5 the first cell of a vertical domino, a horizontal one and the 2x2, 1 any other cell of a piece | conwnet/huarongdao |
//! | 0 a blank, 7 a single, 1 the 2x2, 2 to 6 a domino each | assignments of the University of Toronto |
//! | 0 a blank, any other hexadecimal digit a piece | solvers with a number for each piece |

use fewest_rules::text::{Diagnostic, Line, quote};

use super::grid::Block;
use super::piece_name;
use crate::board::BLANK;
use crate::board::Board;
use crate::instance::Instance;
use crate::layout::{CELLS, COLUMNS, footprint, shape_of};
use crate::parts::{Drawing, Parts};

/// Whether a word has a digit for each cell of a classic board.
pub(super) fn looks_like_digits(word: &str) -> bool {
    let has_digit = word.contains(|cell: char| cell.is_ascii_digit());
    word.len() == CELLS && word.bytes().all(|byte| byte.is_ascii_hexdigit()) && has_digit
}

/// Reads a board from a line of digits.
pub(super) fn read_line(line: Line<'_>) -> Result<Option<Parts<'_>>, Diagnostic> {
    let word = line.text.trim_ascii();
    if !looks_like_digits(word) {
        return Ok(None);
    }
    let wrong = |found: String| {
        let hint = "0 is a blank; each other digit a piece, or its kind: 2 a single, 3 and 4 the \
                    first cell of a vertical and a horizontal domino, 5 of the 2x2, 1 any further cell";
        let expected = "20 digits of a classic board, one a cell";
        line.wrong(line.start(), found, expected).hinting(hint.to_owned())
    };
    let boards = digits_of(word.chars()).map_or_else(Vec::new, |digits| boards_of(&digits));
    let board = match <[Board; 1]>::try_from(boards) {
        Ok([board]) => board,
        Err(boards) if boards.is_empty() => return Err(wrong(quote(word))),
        Err(_) => return Err(wrong(format!("{} with two meanings", quote(word)))),
    };
    let positions = (0..CELLS).map(|cell| (line, line.start() + cell)).collect();
    Ok(Some(Drawing { board, positions }.into()))
}

/// Reads a board from rows of digits.
pub(super) fn read_rows<'a>(block: &Block<'a>) -> Option<Parts<'a>> {
    let grid = block.grid().filter(|grid| grid.columns == COLUMNS && grid.cells.len() == CELLS)?;
    let digits = digits_of(grid.characters()).filter(|digits| digits.contains(&0))?;
    let [board] = <[Board; 1]>::try_from(boards_of(&digits)).ok()?;
    Some(grid.drawing(board.cells().to_vec()).into())
}

fn digits_of(characters: impl Iterator<Item = char>) -> Option<Vec<u32>> {
    characters.map(|cell| cell.to_digit(16)).collect()
}

/// The boards that 20 digits may mean.
fn boards_of(digits: &[u32]) -> Vec<Board> {
    let numbers = by_numbers(digits, None);
    let mut boards: Vec<Board> =
        [by_kinds(digits), by_singles(digits), numbers].into_iter().flatten().collect();
    let shapes = |board: &Board| {
        board.pieces().into_iter().map(|piece| board.cells_of(piece)).collect::<Vec<_>>()
    };
    boards.dedup_by(|one, other| shapes(one) == shapes(other));
    boards
}

/// Digits that are 1 on the 2x2, 2 to 6 on a domino each, and 7 on all singles.
fn by_singles(digits: &[u32]) -> Option<Board> {
    let cells_of = |digit: u32| digits.iter().filter(|&&other| other == digit).count();
    let are_dominoes = (2..=6).all(|digit| [0, 2].contains(&cells_of(digit)));
    let is_in_form = cells_of(1) == 4 && are_dominoes && digits.iter().all(|&digit| digit <= 7);
    by_numbers(digits, Some(7)).filter(|_| is_in_form)
}

/// Digits that are the kinds of pieces.
fn by_kinds(digits: &[u32]) -> Option<Board> {
    let mut cells = vec![None; CELLS];
    let mut pieces = 0;
    for (cell, &digit) in digits.iter().enumerate() {
        let shape = match digit {
            0 => {
                cells[cell] = Some(BLANK);
                continue;
            }
            1 if cells[cell].is_some() => continue,
            2 => (1, 1),
            3 => (2, 1),
            4 => (1, 2),
            5 => (2, 2),
            _ => return None,
        };
        let name = piece_name(pieces, ' ')?;
        pieces += 1;
        for (index, cell) in footprint(cell, shape)?.into_iter().enumerate() {
            if cells[cell].is_some() || index > 0 && digits[cell] != 1 {
                return None;
            }
            cells[cell] = Some(name);
        }
    }
    Some(Board::of_cells(COLUMNS, cells.into_iter().collect::<Option<_>>()?))
}

/// Digits that number the pieces. All cells of `single` are pieces of their own.
fn by_numbers(digits: &[u32], single: Option<u32>) -> Option<Board> {
    let (mut singles, mut cells) = (0, Vec::new());
    for &digit in digits {
        cells.push(match digit {
            0 => BLANK,
            digit if Some(digit) == single => {
                singles += 1;
                piece_name(15 + singles, ' ')?
            }
            digit => piece_name(digit as usize - 1, ' ')?,
        });
    }
    let board = Board::of_cells(COLUMNS, cells);
    let large = board.pieces().into_iter().map(|piece| shape_of(&board.cells_of(piece)));
    let shapes: Vec<_> = large.collect::<Option<_>>()?;
    (shapes.iter().filter(|&&shape| shape == (2, 2)).count() == 1).then_some(board)
}

/// Writes a classic board as the kinds of its cells.
pub(super) fn write(instance: &Instance) -> Option<String> {
    let board = instance.board();
    let mut digits = vec!['0'; board.cells().len()];
    for piece in board.pieces() {
        let cells = board.cells_of(piece);
        let first = match shape_of(&cells)? {
            (1, 1) => '2',
            (2, 1) => '3',
            (1, 2) => '4',
            (2, 2) => '5',
            _ => return None,
        };
        cells.iter().for_each(|&cell| digits[cell] = '1');
        digits[cells[0]] = first;
    }
    Some(digits.into_iter().collect::<String>() + "\n")
}
