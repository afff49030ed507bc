//! Codes of layouts: a board in a few hexadecimal digits, as in published collections of layouts.
//!
//! The first digit is the number of the first cell of the 2x2 piece, from 0 in reading order. Two
//! bits follow for each cell that is not yet covered, in reading order: 00 for a blank, 01 for a
//! horizontal domino, 10 for a vertical domino, 11 for a single. Trailing zeros may be omitted.

use fewest_rules::text::{Diagnostic, Line, quote};

use crate::board::{BLANK, Board};
use crate::layout::{CELLS, COLUMNS, footprint, shape_of};

/// The character of the 2x2 piece on a decoded board.
pub(crate) const LARGE: char = 'C';

/// The rows and columns of a piece by its two bits; the first entry stands for a blank.
pub(crate) const SHAPE_OF_BITS: [(usize, usize); 4] = [(0, 0), (1, 2), (2, 1), (1, 1)];

/// Whether a word looks like a code, valid or not: letters and digits that begin with a digit, or
/// with a hexadecimal digit if no letter is in lower case.
pub(crate) fn looks_like_code(word: &str) -> bool {
    let no_lowercase = !word.bytes().any(|byte| byte.is_ascii_lowercase());
    let begins_code =
        |first: u8| first.is_ascii_digit() || no_lowercase && first.is_ascii_hexdigit();
    word.bytes().next().is_some_and(begins_code)
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Decodes a code that starts at byte `at` of `line`. The 2x2 piece gets the character `C`, the
/// other pieces get `a`, `b` and so on in reading order.
pub(crate) fn decode(line: Line<'_>, at: usize, code: &str) -> Result<Board, Diagnostic> {
    let mut digits = Vec::new();
    for (offset, digit) in code.char_indices() {
        let found = || quote(digit.encode_utf8(&mut [0; 4]));
        let wrong = || line.wrong(at + offset, found(), "a digit of a code, 0 to 9 or A to F");
        digits.push(digit.to_digit(16).ok_or_else(wrong)? as usize);
    }
    let digit_at = |digit: usize| at + digit.min(code.len());
    let wrong = |digit: usize, found: String, expected: &str| {
        Err(line.wrong(digit_at(digit), found, format!("{expected} (code {})", quote(code))))
    };

    let mut board = [BLANK; CELLS];
    let mut covered = [false; CELLS];
    match digits.first().and_then(|&first| footprint(first, (2, 2))) {
        Some(cells) => {
            cells.into_iter().for_each(|cell| (board[cell], covered[cell]) = (LARGE, true))
        }
        None => {
            return wrong(
                0,
                "a 2x2 that extends beyond the board".to_owned(),
                "a first cell that is not in the last column",
            );
        }
    }
    let mut letters = 'a'..='z';
    let mut fields = digits[1..]
        .iter()
        .enumerate()
        .flat_map(|(index, digit)| [(index + 1, digit >> 2), (index + 1, digit & 3)]);
    for cell in 0..CELLS {
        if covered[cell] {
            continue;
        }
        let (digit, bits) = fields.next().unwrap_or((code.len(), 0));
        covered[cell] = true;
        if bits == 0 {
            continue;
        }
        let shape = SHAPE_OF_BITS[bits];
        let (row, column) = (cell / COLUMNS + 1, cell % COLUMNS + 1);
        let Some(cells) = footprint(cell, shape) else {
            let found =
                format!("a domino in row {row}, column {column} that extends beyond the board");
            return wrong(digit, found, "a piece within the board");
        };
        if cells[1..].iter().any(|&cell| covered[cell]) {
            let found =
                format!("a domino in row {row}, column {column} that overlaps another piece");
            return wrong(digit, found, "pieces that do not overlap");
        }
        let letter = letters.next().unwrap_or('?');
        cells.into_iter().for_each(|cell| (board[cell], covered[cell]) = (letter, true));
    }
    if let Some((digit, _)) = fields.find(|&(_, bits)| bits != 0) {
        let found = quote(&code[digit..=digit]);
        return wrong(digit, found, "only zeros after the last cell of the board");
    }
    Ok(Board::of_cells(COLUMNS, board.to_vec()))
}

/// The code of a board of classic pieces, with its trailing zeros.
pub(crate) fn encode(board: &Board) -> String {
    let mut fields = fields(board);
    let large = fields.next().map(hexadecimal);
    large.into_iter().collect::<String>() + &digits(&fields.collect::<Vec<_>>())
}

/// What the code of a board of classic pieces consists of: the first cell of the 2x2 piece, and the
/// two bits of each field.
pub(crate) fn fields(board: &Board) -> impl Iterator<Item = usize> {
    let (mut large, mut fields) = (None, Vec::new());
    for (cell, &piece) in board.cells().iter().enumerate() {
        if piece == BLANK {
            fields.push(0);
        } else if board.first_cell(piece) == Some(cell) {
            match shape_of(&board.cells_of(piece)) {
                Some((2, 2)) => large = Some(cell),
                shape => fields.extend(SHAPE_OF_BITS.iter().position(|&bits| Some(bits) == shape)),
            }
        }
    }
    large.into_iter().chain(fields)
}

/// The hexadecimal digits of fields of two bits.
pub(crate) fn digits(fields: &[usize]) -> String {
    let digit = |pair: &[usize]| hexadecimal(pair[0] << 2 | pair.get(1).copied().unwrap_or(0));
    fields.chunks(2).map(digit).collect()
}

pub(crate) fn hexadecimal(value: usize) -> char {
    char::from(b"0123456789ABCDEF"[value])
}
