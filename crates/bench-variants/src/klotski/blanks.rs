//! Moves as those of the two blanks: one goes where a block comes from, or both together where a
//! wide side comes from.

use super::{Block, Board, CELLS, COLUMNS, beside, code, put};

/// The boards after a move, for boards with exactly two blanks.
pub fn move_blanks(board: &u64, next: &mut Vec<u64>) {
    let mut blanks = (0..CELLS).filter(|&cell| board.code(cell) == code::BLANK);
    let (one, other) = (blanks.next().expect("a blank"), blanks.next().expect("another blank"));
    for (blank, other) in [(one, other), (other, one)] {
        for way in 0..4 {
            alone(*board, blank, other, way, next);
        }
    }
    // Side by side or one above the other, they take in a block that is just as wide, or as tall.
    let ways = if beside(one, 2) == Some(other) {
        [1, 3]
    } else if beside(one, 3) == Some(other) {
        [0, 2]
    } else {
        return;
    };
    for way in ways {
        together(*board, one, other, way, next);
    }
}

/// The block that covers a cell, and its first cell.
fn block_at(board: u64, cell: usize) -> Option<(Block, usize)> {
    let first = match board.code(cell) {
        code::BLANK => return None,
        3 => cell - COLUMNS,
        5 => cell - 1,
        7 => [1, COLUMNS, COLUMNS + 1]
            .into_iter()
            .filter_map(|back| cell.checked_sub(back))
            .find(|&first| board.code(first) == code::LARGE[0])?,
        _ => cell,
    };
    Some((Block::with_first(board.code(first))?, first))
}

fn moved(board: u64, block: Block, from: usize, to: usize) -> u64 {
    let mut next = board;
    block
        .cells(from)
        .expect("a block lies on the board")
        .for_each(|cell| next.set(cell, code::BLANK));
    put(&mut next, block, to);
    next
}

/// A blank goes one way, where a block comes from that is one cell wide; then the block may go on
/// to the other blank.
fn alone(board: u64, blank: usize, other: usize, way: usize, next: &mut Vec<u64>) {
    let Some((block, from)) = beside(blank, way).and_then(|cell| block_at(board, cell)) else {
        return;
    };
    let across = if matches!(way, 0 | 2) { block.rows } else { block.columns };
    if across > 1 {
        return;
    }
    let back = way ^ 2;
    let to = beside(from, back).expect("there is the blank");
    next.push(moved(board, block, from, to));
    if block.codes[0] == code::SINGLE {
        // It lies on the blank's cell now.
        if (0..4).any(|way| beside(blank, way) == Some(other)) {
            next.push(moved(board, block, from, other));
        }
    } else if beside(blank, back) == Some(other) {
        let to = beside(to, back).expect("there is the other blank");
        next.push(moved(board, block, from, to));
    }
}

/// Both blanks go one way, where a block comes from whose side is just theirs.
fn together(board: u64, one: usize, other: usize, way: usize, next: &mut Vec<u64>) {
    let at = |blank| beside(blank, way).and_then(|cell| block_at(board, cell));
    let (Some((block, from)), Some((_, also))) = (at(one), at(other)) else { return };
    if from == also {
        let to = beside(from, way ^ 2).expect("there are the blanks");
        next.push(moved(board, block, from, to));
    }
}
