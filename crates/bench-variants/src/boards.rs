//! Boards of 4 x 4 black and white pieces: exchange neighbours of different colours until the
//! target is there (Luogu P1225).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use fxhash::FxHashSet;

use crate::Found;
use crate::bfs::breadth_first;
use crate::sets::{Dense, Seen};

const SIDE: usize = 4;
const CELLS: usize = SIDE * SIDE;

/// The pieces in reading order; `true` is black.
pub type Board = [bool; CELLS];

/// A start and a target.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The board at first.
    pub start: Board,
    /// The board that is wanted.
    pub target: Board,
}

/// The cells that are neighbours, as the distance of the second from the first: in each row, then
/// in each column.
fn pairs() -> impl Iterator<Item = (usize, usize)> {
    let beside = (0..CELLS).filter(|cell| cell % SIDE + 1 < SIDE).map(|cell| (cell, cell + 1));
    let below = (0..CELLS - SIDE).map(|cell| (cell, cell + SIDE));
    beside.chain(below)
}

/// The boards after a move, as arrays.
fn exchanges(board: &Board) -> impl Iterator<Item = (usize, usize, Board)> {
    let board = *board;
    pairs().filter(move |&(one, other)| board[one] != board[other]).map(move |(one, other)| {
        let mut next = board;
        next.swap(one, other);
        (one, other, next)
    })
}

/// The textbook: each board waits in the queue with the moves to it, written out.
pub fn paths_in_queue(tasks: &[Task]) -> Vec<Found> {
    #[derive(Clone)]
    struct Waiting {
        board: Board,
        moves: String,
    }
    /// Two boards are one, whatever the moves.
    struct ByBoard(HashSet<Board>);
    impl Seen<Waiting> for ByBoard {
        fn insert(&mut self, waiting: &Waiting) -> bool {
            self.0.insert(waiting.board)
        }
    }
    let solve = |task: &Task| {
        let start = Waiting { board: task.start, moves: String::new() };
        let mut seen = ByBoard(HashSet::new());
        let is_target = |waiting: &Waiting| waiting.board == task.target;
        breadth_first(start, is_target, &mut seen, |waiting, next| {
            next.extend(exchanges(&waiting.board).map(|(one, other, board)| {
                let mut moves = waiting.moves.clone();
                let digits = [one / SIDE, one % SIDE, other / SIDE, other % SIDE];
                moves.extend(digits.map(|digit| char::from(b'1' + digit as u8)));
                moves.push('\n');
                Waiting { board, moves }
            }));
        })
    };
    tasks.iter().map(solve).collect()
}

/// Each board is kept with the one before it, and the moves are read off backwards in the end.
pub fn recovered(tasks: &[Task]) -> Vec<Found> {
    struct Before(HashMap<Board, Board>);
    impl Seen<(Board, Board)> for Before {
        fn insert(&mut self, &(board, before): &(Board, Board)) -> bool {
            match self.0.entry(board) {
                Entry::Occupied(_) => false,
                Entry::Vacant(place) => {
                    place.insert(before);
                    true
                }
            }
        }
    }
    let solve = |task: &Task| {
        let mut seen = Before(HashMap::new());
        let is_target = |&(board, _): &(Board, Board)| board == task.target;
        let found =
            breadth_first((task.start, task.start), is_target, &mut seen, |&(board, _), next| {
                next.extend(exchanges(&board).map(|(_, _, after)| (after, board)));
            });
        let mut moves = 0;
        let mut board = task.target;
        while found.moves.is_some() && board != task.start {
            board = seen.0[&board];
            moves += 1;
        }
        Found { moves: found.moves.map(|_| moves), ..found }
    };
    tasks.iter().map(solve).collect()
}

/// Arrays in a set, the number of moves alone.
pub fn arrays(tasks: &[Task]) -> Vec<Found> {
    let solve = |task: &Task| {
        breadth_first(
            task.start,
            |&board| board == task.target,
            &mut HashSet::new(),
            |board, next| {
                next.extend(exchanges(board).map(|(_, _, board)| board));
            },
        )
    };
    tasks.iter().map(solve).collect()
}

fn bits(board: &Board) -> u16 {
    (0..CELLS).filter(|&cell| board[cell]).fold(0, |bits, cell| bits | 1 << cell)
}

/// Both cells of a pair, as bits, in the order of [`pairs`].
fn pair_bits() -> Vec<(u16, u16)> {
    pairs().map(|(one, other)| (1 << one, 1 << other)).collect()
}

/// Boards as 16 bits in the standard library's set; a move takes one power of two away and adds
/// another.
pub fn plus_minus(tasks: &[Task]) -> Vec<Found> {
    let pairs = pair_bits();
    solve_bits(tasks, HashSet::new, |board, next| {
        for &(one, other) in &pairs {
            match (board & one != 0, board & other != 0) {
                (true, false) => next.push(board - one + other),
                (false, true) => next.push(board + one - other),
                _ => {}
            }
        }
    })
}

/// The same, and a move flips both bits.
pub fn xor(tasks: &[Task]) -> Vec<Found> {
    let pairs = pair_bits();
    solve_bits(tasks, HashSet::new, |board, next| flips(&pairs, board, next))
}

fn flips(pairs: &[(u16, u16)], board: u16, next: &mut Vec<u16>) {
    for &(one, other) in pairs {
        if (board & one != 0) != (board & other != 0) {
            next.push(board ^ (one | other));
        }
    }
}

/// The same in a set with a quick hash.
pub fn fx(tasks: &[Task]) -> Vec<Found> {
    let pairs = pair_bits();
    solve_bits(tasks, FxHashSet::default, |board, next| flips(&pairs, board, next))
}

/// The same with a byte for each of the 65,536 boards.
pub fn dense(tasks: &[Task]) -> Vec<Found> {
    struct Boards(Dense);
    impl Seen<u16> for Boards {
        fn insert(&mut self, &board: &u16) -> bool {
            self.0.insert(&u32::from(board))
        }
    }
    let pairs = pair_bits();
    solve_bits(tasks, || Boards(Dense::new(1 << CELLS)), |board, next| flips(&pairs, board, next))
}

fn solve_bits<S: Seen<u16>>(
    tasks: &[Task],
    seen: impl Fn() -> S,
    successors: impl Fn(u16, &mut Vec<u16>),
) -> Vec<Found> {
    let solve = |task: &Task| {
        let target = bits(&task.target);
        let is_target = |&board: &u16| board == target;
        breadth_first(bits(&task.start), is_target, &mut seen(), |&board, next| {
            successors(board, next)
        })
    };
    tasks.iter().map(solve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_does_the_same_work() {
        let board = |digits: &str| {
            let mut board = [false; CELLS];
            board.iter_mut().zip(digits.bytes()).for_each(|(cell, digit)| *cell = digit == b'1');
            board
        };
        let tasks = [
            ("1010010110100101", "0101101001011010", 8),
            ("1111000011100010", "1010010110100101", 4),
        ];
        let mut all: Vec<_> = tasks
            .iter()
            .map(|(start, target, _)| Task { start: board(start), target: board(target) })
            .collect();
        all.push(Task { start: [true; CELLS], target: [false; CELLS] });
        let expected: Vec<_> = tasks.iter().map(|task| Some(task.2)).chain([None]).collect();
        let first = arrays(&all);
        for program in [paths_in_queue, recovered, arrays, plus_minus, xor, fx, dense] {
            let found = program(&all);
            assert_eq!(found.iter().map(|found| found.moves).collect::<Vec<_>>(), expected);
            assert_eq!(found, first);
        }
    }
}
