//! Huarong Dao: pieces on a board of five rows and four columns with two blanks. A move slides one
//! piece any number of cells in any directions (rectilinear metric). The goal is the large piece in
//! the middle of the last row.

pub mod blanks;
pub mod mirror;
pub mod places;
pub mod programs;

use std::hash::Hash;

const ROWS: usize = 5;
const COLUMNS: usize = 4;
const CELLS: usize = ROWS * COLUMNS;

/// The code of a cell: a blank, the first cell of a piece in reading order, or one of its other
/// cells.
mod code {
    pub(super) const BLANK: u8 = 0;
    pub(super) const SINGLE: u8 = 1;
    /// A vertical domino: the first cell, and the other.
    pub(super) const VERTICAL: [u8; 2] = [2, 3];
    /// A horizontal domino: the first cell, and the other.
    pub(super) const HORIZONTAL: [u8; 2] = [4, 5];
    /// The large piece of 2x2 cells: the first cell, and the others.
    pub(super) const LARGE: [u8; 2] = [6, 7];
}

/// The goal of the first cell of the large piece.
const EXIT: usize = 3 * COLUMNS + 1;

/// A kind of piece: its height and width in cells, and the codes of its first cell and of its other
/// cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    rows: usize,
    columns: usize,
    codes: [u8; 2],
}

impl Piece {
    /// The piece whose first cell has this code, or `None` if it is not the code of a first cell.
    fn with_first(code: u8) -> Option<Self> {
        match code {
            code::SINGLE => Some(Self { rows: 1, columns: 1, codes: [code::SINGLE; 2] }),
            2 => Some(Self { rows: 2, columns: 1, codes: code::VERTICAL }),
            4 => Some(Self { rows: 1, columns: 2, codes: code::HORIZONTAL }),
            6 => Some(Self { rows: 2, columns: 2, codes: code::LARGE }),
            _ => None,
        }
    }

    /// The cells of the piece with its first cell at `first`, or `None` if it is not within the
    /// board.
    fn cells(self, first: usize) -> Option<impl Iterator<Item = usize>> {
        let fits = first / COLUMNS + self.rows <= ROWS && first % COLUMNS + self.columns <= COLUMNS;
        let cells = move |row| (0..self.columns).map(move |column| first + row * COLUMNS + column);
        fits.then(|| (0..self.rows).flat_map(cells))
    }
}

/// The neighbour of a cell. Directions 0 to 3 are west, north, east and south.
fn neighbour(cell: usize, direction: usize) -> Option<usize> {
    match direction {
        0 => (!cell.is_multiple_of(COLUMNS)).then(|| cell - 1),
        1 => cell.checked_sub(COLUMNS),
        2 => (cell % COLUMNS + 1 < COLUMNS).then_some(cell + 1),
        _ => (cell + COLUMNS < CELLS).then_some(cell + COLUMNS),
    }
}

/// A board in any representation.
pub trait Board: Clone + Eq + Hash {
    /// A board of blanks.
    fn empty() -> Self;
    /// The code of a cell.
    fn code(&self, cell: usize) -> u8;
    /// Sets the code of a cell.
    fn set(&mut self, cell: usize, code: u8);
}

/// A string of 20 digits, one for each cell.
impl Board for String {
    fn empty() -> Self {
        "0".repeat(CELLS)
    }

    fn code(&self, cell: usize) -> u8 {
        self.as_bytes()[cell] - b'0'
    }

    fn set(&mut self, cell: usize, code: u8) {
        let mut digit = [0; 4];
        self.replace_range(cell..=cell, char::from(b'0' + code).encode_utf8(&mut digit));
    }
}

/// An array of 20 bytes, one for each cell.
impl Board for [u8; CELLS] {
    fn empty() -> Self {
        [0; CELLS]
    }

    fn code(&self, cell: usize) -> u8 {
        self[cell]
    }

    fn set(&mut self, cell: usize, code: u8) {
        self[cell] = code;
    }
}

/// A word of 60 bits, three for each cell.
impl Board for u64 {
    fn empty() -> Self {
        0
    }

    fn code(&self, cell: usize) -> u8 {
        (self >> (3 * cell) & 7) as u8
    }

    fn set(&mut self, cell: usize, code: u8) {
        *self = *self & !(7 << (3 * cell)) | u64::from(code) << (3 * cell);
    }
}

/// Reads a board from a drawing: 20 characters in reading order, `.` for a blank, and the same
/// letter for all cells of a piece. White space and `/` are ignored.
pub fn read<B: Board>(drawing: &str) -> B {
    let letters: Vec<char> =
        drawing.chars().filter(|letter| !letter.is_whitespace() && *letter != '/').collect();
    let mut board = B::empty();
    for (first, &letter) in letters.iter().enumerate() {
        if letter == '.' || letters[..first].contains(&letter) {
            continue;
        }
        let is_same =
            |direction| neighbour(first, direction).is_some_and(|cell| letters[cell] == letter);
        let code = match (is_same(2), is_same(3)) {
            (false, false) => code::SINGLE,
            (false, true) => code::VERTICAL[0],
            (true, false) => code::HORIZONTAL[0],
            (true, true) => code::LARGE[0],
        };
        put(&mut board, Piece::with_first(code).expect("a first cell"), first);
    }
    board
}

/// Puts a piece on a board.
fn put<B: Board>(board: &mut B, piece: Piece, first: usize) {
    for (number, cell) in piece.cells(first).expect("a piece is within the board").enumerate() {
        board.set(cell, piece.codes[usize::from(number > 0)]);
    }
}

fn is_solved<B: Board>(board: &B) -> bool {
    board.code(EXIT) == code::LARGE[0]
}

/// The first cells that a piece can slide to from `from`, by any number of unit moves. The board
/// must not contain the piece.
fn reachable<B: Board>(
    without_piece: &B,
    piece: Piece,
    from: usize,
) -> impl Iterator<Item = usize> {
    let fits = |first: usize| {
        piece
            .cells(first)
            .is_some_and(|mut cells| cells.all(|cell| without_piece.code(cell) == code::BLANK))
    };
    // The reached cells, in the order in which they were reached.
    let (mut reached, mut count, mut next) = ([from; CELLS], 1, 0);
    while next < count {
        let here = reached[next];
        for first in (0..4).filter_map(|direction| neighbour(here, direction)) {
            if !reached[..count].contains(&first) && fits(first) {
                reached[count] = first;
                count += 1;
            }
        }
        next += 1;
    }
    reached.into_iter().take(count).skip(1)
}

/// Appends all successors of a board, by moving each piece to all cells that it can slide to.
fn move_pieces<B: Board>(board: &B, next: &mut Vec<B>) {
    for from in 0..CELLS {
        let Some(piece) = Piece::with_first(board.code(from)) else { continue };
        let mut without_piece = board.clone();
        piece
            .cells(from)
            .expect("a piece is within the board")
            .for_each(|cell| without_piece.set(cell, code::BLANK));
        for to in reachable(&without_piece, piece, from) {
            let mut moved = without_piece.clone();
            put(&mut moved, piece, to);
            next.push(moved);
        }
    }
}
