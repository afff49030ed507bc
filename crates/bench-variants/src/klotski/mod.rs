//! Huarong Dao: blocks on five rows of four cells, two of them blank; a move takes one block any
//! way. The large block is to come to the middle of the last row.

pub mod blanks;
pub mod mirror;
pub mod places;
pub mod programs;

use std::hash::Hash;

const ROWS: usize = 5;
const COLUMNS: usize = 4;
const CELLS: usize = ROWS * COLUMNS;

/// What lies on a cell: a blank, or a block's first cell or another.
mod code {
    pub(super) const BLANK: u8 = 0;
    pub(super) const SINGLE: u8 = 1;
    pub(super) const STANDING: [u8; 2] = [2, 3];
    pub(super) const LYING: [u8; 2] = [4, 5];
    pub(super) const LARGE: [u8; 2] = [6, 7];
}

/// Where the large block's first cell is in the end.
const EXIT: usize = 3 * COLUMNS + 1;

/// A block: its rows and columns, and the codes of its first cell and of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    rows: usize,
    columns: usize,
    codes: [u8; 2],
}

impl Block {
    /// The block whose first cell has this code.
    fn with_first(code: u8) -> Option<Self> {
        match code {
            code::SINGLE => Some(Self { rows: 1, columns: 1, codes: [code::SINGLE; 2] }),
            2 => Some(Self { rows: 2, columns: 1, codes: code::STANDING }),
            4 => Some(Self { rows: 1, columns: 2, codes: code::LYING }),
            6 => Some(Self { rows: 2, columns: 2, codes: code::LARGE }),
            _ => None,
        }
    }

    /// The cells that it covers from a first one, if they are all on the board.
    fn cells(self, first: usize) -> Option<impl Iterator<Item = usize>> {
        let fits = first / COLUMNS + self.rows <= ROWS && first % COLUMNS + self.columns <= COLUMNS;
        let cells = move |row| (0..self.columns).map(move |column| first + row * COLUMNS + column);
        fits.then(|| (0..self.rows).flat_map(cells))
    }
}

/// The cell beside another: west, north, east and south are 0 to 3.
fn beside(cell: usize, way: usize) -> Option<usize> {
    match way {
        0 => (!cell.is_multiple_of(COLUMNS)).then(|| cell - 1),
        1 => cell.checked_sub(COLUMNS),
        2 => (cell % COLUMNS + 1 < COLUMNS).then_some(cell + 1),
        _ => (cell + COLUMNS < CELLS).then_some(cell + COLUMNS),
    }
}

/// A board, however it is kept.
pub trait Board: Clone + Eq + Hash {
    /// All blank.
    fn empty() -> Self;
    /// What lies on a cell.
    fn code(&self, cell: usize) -> u8;
    /// Lays something on a cell.
    fn set(&mut self, cell: usize, code: u8);
}

/// Twenty digits as text.
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

/// A byte a cell.
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

/// Three bits a cell: 60.
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

/// A board from its drawing: twenty characters in reading order, `.` for a blank, the same letter
/// for one block.
pub fn read<B: Board>(drawing: &str) -> B {
    let letters: Vec<char> =
        drawing.chars().filter(|letter| !letter.is_whitespace() && *letter != '/').collect();
    let mut board = B::empty();
    for (first, &letter) in letters.iter().enumerate() {
        if letter == '.' || letters[..first].contains(&letter) {
            continue;
        }
        let is_same = |way| beside(first, way).is_some_and(|cell| letters[cell] == letter);
        let code = match (is_same(2), is_same(3)) {
            (false, false) => code::SINGLE,
            (false, true) => code::STANDING[0],
            (true, false) => code::LYING[0],
            (true, true) => code::LARGE[0],
        };
        put(&mut board, Block::with_first(code).expect("a first cell"), first);
    }
    board
}

fn put<B: Board>(board: &mut B, block: Block, first: usize) {
    for (number, cell) in block.cells(first).expect("a block lies on the board").enumerate() {
        board.set(cell, block.codes[usize::from(number > 0)]);
    }
}

fn is_solved<B: Board>(board: &B) -> bool {
    board.code(EXIT) == code::LARGE[0]
}

/// The first cells to which a block can go, any way, from one where it lay; it has been lifted off
/// the board.
fn reach<B: Board>(lifted: &B, block: Block, from: usize) -> impl Iterator<Item = usize> {
    let fits = |first: usize| {
        block
            .cells(first)
            .is_some_and(|mut cells| cells.all(|cell| lifted.code(cell) == code::BLANK))
    };
    // A list of what was reached, in its order.
    let (mut reached, mut count, mut next) = ([from; CELLS], 1, 0);
    while next < count {
        let here = reached[next];
        for first in (0..4).filter_map(|way| beside(here, way)) {
            if !reached[..count].contains(&first) && fits(first) {
                reached[count] = first;
                count += 1;
            }
        }
        next += 1;
    }
    reached.into_iter().take(count).skip(1)
}

/// The boards after a move: each block in turn is lifted, and put wherever it can go.
fn move_blocks<B: Board>(board: &B, next: &mut Vec<B>) {
    for from in 0..CELLS {
        let Some(block) = Block::with_first(board.code(from)) else { continue };
        let mut lifted = board.clone();
        block
            .cells(from)
            .expect("a block lies on the board")
            .for_each(|cell| lifted.set(cell, code::BLANK));
        for to in reach(&lifted, block, from) {
            let mut moved = lifted.clone();
            put(&mut moved, block, to);
            next.push(moved);
        }
    }
}
