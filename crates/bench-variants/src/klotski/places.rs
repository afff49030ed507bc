//! A board as the places of its blocks: told apart, or equal ones in order, so that exchanging them
//! makes no new board.

use fxhash::FxHashSet;

use super::{Block, Board, CELLS, EXIT, code, put, reach};
use crate::Found;
use crate::bfs::breadth_first;

/// Each block is one of its own.
pub fn told_apart(start: &u64) -> Found {
    search(start, |_, _| {})
}

/// The places of equal blocks are kept in order.
pub fn merged(start: &u64) -> Found {
    search(start, |blocks, places| {
        let mut from = 0;
        for equal in blocks.chunk_by(|one, other| one == other) {
            places[from..from + equal.len()].sort_unstable();
            from += equal.len();
        }
    })
}

/// Breadth-first; a state has five bits for the place of each block, of at most twelve.
fn search(start: &u64, order: impl Fn(&[Block], &mut [usize])) -> Found {
    let mut blocks: Vec<(Block, usize)> =
        (0..CELLS).filter_map(|cell| Some((Block::with_first(start.code(cell))?, cell))).collect();
    blocks.sort_by_key(|(block, _)| std::cmp::Reverse(block.codes[0]));
    let (blocks, places): (Vec<_>, Vec<_>) = blocks.into_iter().unzip();
    debug_assert_eq!(blocks[0].codes, code::LARGE);
    let pack = |places: &[usize]| {
        places.iter().rev().fold(0u64, |state, &place| state << 5 | place as u64)
    };
    let place = |state: u64, block: usize| (state >> (5 * block) & 31) as usize;
    let is_solved = |&state: &u64| place(state, 0) == EXIT;
    breadth_first(pack(&places), is_solved, &mut FxHashSet::default(), |&state, next| {
        let places: Vec<usize> = (0..blocks.len()).map(|block| place(state, block)).collect();
        let mut board = [code::BLANK; CELLS];
        blocks.iter().zip(&places).for_each(|(&block, &place)| put(&mut board, block, place));
        for (number, &block) in blocks.iter().enumerate() {
            let mut lifted = board;
            block
                .cells(places[number])
                .expect("a block lies on the board")
                .for_each(|cell| lifted.set(cell, 0));
            for to in reach(&lifted, block, places[number]) {
                let mut after = places.clone();
                after[number] = to;
                order(&blocks, &mut after);
                next.push(pack(&after));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    #[test]
    fn merging_loses_no_moves_and_saves_states() {
        // 前呼后拥: 22 moves.
        let start = read("abCC/ccCC/ddee/ffgg/..hi");
        let (apart, merged) = (told_apart(&start), merged(&start));
        assert_eq!((apart.moves, merged.moves), (Some(22), Some(22)));
        assert!(apart.states > 10 * merged.states, "{} {}", apart.states, merged.states);
    }
}
