//! Successors by moving the two blanks instead of the pieces: one blank exchanges cells with a
//! piece that is one cell wide, or both exchange cells with a piece that is two cells wide.

use super::{Board, CELLS, COLUMNS, Piece, code, neighbour, put};

/// Appends all successors of a board, which must have exactly two blanks.
pub fn move_blanks(board: &u64, next: &mut Vec<u64>) {
    let mut blanks = (0..CELLS).filter(|&cell| board.code(cell) == code::BLANK);
    let (one, other) = (blanks.next().expect("a blank"), blanks.next().expect("another blank"));
    for (blank, other) in [(one, other), (other, one)] {
        for direction in 0..4 {
            move_one_blank(*board, blank, other, direction, next);
        }
    }
    // Adjacent blanks can exchange cells with a piece whose side is as long as both blanks.
    let directions = if neighbour(one, 2) == Some(other) {
        [1, 3]
    } else if neighbour(one, 3) == Some(other) {
        [0, 2]
    } else {
        return;
    };
    for direction in directions {
        move_both_blanks(*board, one, other, direction, next);
    }
}

/// The piece on a cell, and its first cell. `None` for a blank.
fn piece_at(board: u64, cell: usize) -> Option<(Piece, usize)> {
    let first = match board.code(cell) {
        code::BLANK => return None,
        3 => cell - COLUMNS,
        5 => cell - 1,
        7 => [1, COLUMNS, COLUMNS + 1]
            .into_iter()
            .filter_map(|offset| cell.checked_sub(offset))
            .find(|&first| board.code(first) == code::LARGE[0])?,
        _ => cell,
    };
    Some((Piece::with_first(board.code(first))?, first))
}

/// The board after a piece moves.
fn moved(board: u64, piece: Piece, from: usize, to: usize) -> u64 {
    let mut next = board;
    piece
        .cells(from)
        .expect("a piece is within the board")
        .for_each(|cell| next.set(cell, code::BLANK));
    put(&mut next, piece, to);
    next
}

/// Appends the moves of the piece in one direction from a blank if the side towards the blank is
/// one cell wide: to the blank, and then to the other blank if possible.
fn move_one_blank(board: u64, blank: usize, other: usize, direction: usize, next: &mut Vec<u64>) {
    let Some((piece, from)) = neighbour(blank, direction).and_then(|cell| piece_at(board, cell))
    else {
        return;
    };
    let side = if matches!(direction, 0 | 2) { piece.rows } else { piece.columns };
    if side > 1 {
        return;
    }
    let opposite = direction ^ 2;
    let to = neighbour(from, opposite).expect("the cell of the blank");
    next.push(moved(board, piece, from, to));
    if piece.codes[0] == code::SINGLE {
        // The single is now on the cell of the blank.
        if (0..4).any(|direction| neighbour(blank, direction) == Some(other)) {
            next.push(moved(board, piece, from, other));
        }
    } else if neighbour(blank, opposite) == Some(other) {
        let to = neighbour(to, opposite).expect("the cell of the other blank");
        next.push(moved(board, piece, from, to));
    }
}

/// Appends the move of the piece in one direction from both blanks if its side covers both.
fn move_both_blanks(board: u64, one: usize, other: usize, direction: usize, next: &mut Vec<u64>) {
    let piece_beyond = |blank| neighbour(blank, direction).and_then(|cell| piece_at(board, cell));
    let (Some((piece, from)), Some((_, other_from))) = (piece_beyond(one), piece_beyond(other))
    else {
        return;
    };
    if from == other_from {
        let to = neighbour(from, direction ^ 2).expect("the cells of the blanks");
        next.push(moved(board, piece, from, to));
    }
}
