//! Black-white boards of 4 x 4 cells: exchange neighbouring pieces of different colours until the
//! board is the target (Luogu P1225).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use fxhash::FxHashSet;

use crate::SearchResult;
use crate::bfs::breadth_first;
use crate::sets::{Dense, VisitedSet};

const SIDE: usize = 4;
const CELLS: usize = SIDE * SIDE;

/// The pieces in reading order; `true` is black.
pub type Board = [bool; CELLS];

/// An instance: a start and a target.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The board at the start.
    pub start: Board,
    /// The goal board.
    pub target: Board,
}

/// All pairs of neighbouring cells: first the pairs in rows, then the pairs in columns.
fn pairs() -> impl Iterator<Item = (usize, usize)> {
    let horizontal = (0..CELLS).filter(|cell| cell % SIDE + 1 < SIDE).map(|cell| (cell, cell + 1));
    let vertical = (0..CELLS - SIDE).map(|cell| (cell, cell + SIDE));
    horizontal.chain(vertical)
}

/// All moves: the two cells, and the successor.
fn exchanges(board: &Board) -> impl Iterator<Item = (usize, usize, Board)> {
    let board = *board;
    pairs().filter(move |&(one, other)| board[one] != board[other]).map(move |(one, other)| {
        let mut next = board;
        next.swap(one, other);
        (one, other, next)
    })
}

/// The baseline: each board is in the queue with its plan as text.
pub fn paths_in_queue(tasks: &[Task]) -> Vec<SearchResult> {
    #[derive(Clone)]
    struct QueueEntry {
        board: Board,
        moves: String,
    }
    /// The boards of the entries, regardless of their plans.
    struct VisitedBoards(HashSet<Board>);
    impl VisitedSet<QueueEntry> for VisitedBoards {
        fn insert(&mut self, entry: &QueueEntry) -> bool {
            self.0.insert(entry.board)
        }
    }
    let solve = |task: &Task| {
        let start = QueueEntry { board: task.start, moves: String::new() };
        let mut visited = VisitedBoards(HashSet::new());
        let is_target = |entry: &QueueEntry| entry.board == task.target;
        breadth_first(start, is_target, &mut visited, |entry, next| {
            next.extend(exchanges(&entry.board).map(|(one, other, board)| {
                let mut moves = entry.moves.clone();
                let digits = [one / SIDE, one % SIDE, other / SIDE, other % SIDE];
                moves.extend(digits.map(|digit| char::from(b'1' + digit as u8)));
                moves.push('\n');
                QueueEntry { board, moves }
            }));
        })
    };
    tasks.iter().map(solve).collect()
}

/// The visited set maps each board to its predecessor, from which the plan is recovered at the end.
pub fn recovered(tasks: &[Task]) -> Vec<SearchResult> {
    struct Predecessors(HashMap<Board, Board>);
    impl VisitedSet<(Board, Board)> for Predecessors {
        fn insert(&mut self, &(board, predecessor): &(Board, Board)) -> bool {
            match self.0.entry(board) {
                Entry::Occupied(_) => false,
                Entry::Vacant(entry) => {
                    entry.insert(predecessor);
                    true
                }
            }
        }
    }
    let solve = |task: &Task| {
        let mut visited = Predecessors(HashMap::new());
        let is_target = |&(board, _): &(Board, Board)| board == task.target;
        let result = breadth_first(
            (task.start, task.start),
            is_target,
            &mut visited,
            |&(board, _), next| {
                next.extend(exchanges(&board).map(|(_, _, after)| (after, board)));
            },
        );
        let mut moves = 0;
        let mut board = task.target;
        while result.moves.is_some() && board != task.start {
            board = visited.0[&board];
            moves += 1;
        }
        SearchResult { moves: result.moves.map(|_| moves), ..result }
    };
    tasks.iter().map(solve).collect()
}

/// Boards as arrays in the hash set of the standard library. Returns only the cost, without a plan.
pub fn arrays(tasks: &[Task]) -> Vec<SearchResult> {
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

/// A board as 16 bits: bit i is set if the piece in cell i is black.
fn bits(board: &Board) -> u16 {
    (0..CELLS).filter(|&cell| board[cell]).fold(0, |bits, cell| bits | 1 << cell)
}

/// The pairs of [`pairs`] in the same order, with each cell as its bit.
fn pair_bits() -> Vec<(u16, u16)> {
    pairs().map(|(one, other)| (1 << one, 1 << other)).collect()
}

/// Boards as 16 bits in the hash set of the standard library. A move subtracts one power of two and
/// adds another.
pub fn plus_minus(tasks: &[Task]) -> Vec<SearchResult> {
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

/// The same as [`plus_minus`], with a move as one XOR of both bits.
pub fn xor(tasks: &[Task]) -> Vec<SearchResult> {
    let pairs = pair_bits();
    solve_bits(tasks, HashSet::new, |board, next| xor_successors(&pairs, board, next))
}

/// Appends all successors of a board, each by one XOR.
fn xor_successors(pairs: &[(u16, u16)], board: u16, next: &mut Vec<u16>) {
    for &(one, other) in pairs {
        if (board & one != 0) != (board & other != 0) {
            next.push(board ^ (one | other));
        }
    }
}

/// The same as [`xor`], with FxHash.
pub fn fx(tasks: &[Task]) -> Vec<SearchResult> {
    let pairs = pair_bits();
    solve_bits(tasks, FxHashSet::default, |board, next| xor_successors(&pairs, board, next))
}

/// The same as [`xor`], with a visited set of one byte for each of the 65,536 boards.
pub fn dense(tasks: &[Task]) -> Vec<SearchResult> {
    struct Boards(Dense);
    impl VisitedSet<u16> for Boards {
        fn insert(&mut self, &board: &u16) -> bool {
            self.0.insert(&u32::from(board))
        }
    }
    let pairs = pair_bits();
    solve_bits(
        tasks,
        || Boards(Dense::new(1 << CELLS)),
        |board, next| xor_successors(&pairs, board, next),
    )
}

fn solve_bits<S: VisitedSet<u16>>(
    tasks: &[Task],
    visited: impl Fn() -> S,
    successors: impl Fn(u16, &mut Vec<u16>),
) -> Vec<SearchResult> {
    let solve = |task: &Task| {
        let target = bits(&task.target);
        let is_target = |&board: &u16| board == target;
        breadth_first(bits(&task.start), is_target, &mut visited(), |&board, next| {
            successors(board, next)
        })
    };
    tasks.iter().map(solve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_programs_return_the_same_results() {
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
        let baseline = arrays(&all);
        for program in [paths_in_queue, recovered, arrays, plus_minus, xor, fx, dense] {
            let results = program(&all);
            assert_eq!(results.iter().map(|result| result.moves).collect::<Vec<_>>(), expected);
            assert_eq!(results, baseline);
        }
    }
}
