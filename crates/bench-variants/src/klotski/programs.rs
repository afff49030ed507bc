//! Breadth-first over boards, by what a board is and what it is put into; and depth-first.

use std::collections::{HashMap, HashSet};

use fxhash::{FxBuildHasher, FxHashSet};

use super::{Board, blanks, is_solved, mirror, move_blocks};
use crate::Found;
use crate::bfs::{breadth_first, layer_by_layer};
use crate::sets::{Chained, OpenAddressing, Seen};

/// Any kind of board in the standard library's set: a text is the textbook, an array of bytes is
/// less, a word is least.
pub fn in_std_set<B: Board>(start: &B) -> Found {
    breadth_first(start.clone(), is_solved, &mut HashSet::new(), move_blocks)
}

/// Words in the same set, and the blanks move instead of the blocks.
pub fn by_blanks(start: &u64) -> Found {
    breadth_first(*start, is_solved, &mut HashSet::new(), blanks::move_blanks)
}

/// The same in a set with a quick hash.
pub fn fx(start: &u64) -> Found {
    breadth_first(*start, is_solved, &mut FxHashSet::default(), blanks::move_blanks)
}

/// The same in the write-up's table with chains.
pub fn chained(start: &u64) -> Found {
    breadth_first(*start, is_solved, &mut Chained::default(), blanks::move_blanks)
}

/// The same in a table of our own.
pub fn own_table(start: &u64) -> Found {
    breadth_first(*start, is_solved, &mut OpenAddressing::default(), blanks::move_blanks)
}

/// The same, layer by layer without a queue.
pub fn layers(start: &u64) -> Found {
    layer_by_layer(*start, is_solved, &mut OpenAddressing::default(), blanks::move_blanks)
}

/// The same, and a board of which the mirror image was seen is not new: two look-ups.
pub fn two_look_ups(start: &u64) -> Found {
    #[derive(Default)]
    struct EitherWay(OpenAddressing<u64>);
    impl Seen<u64> for EitherWay {
        fn insert(&mut self, &board: &u64) -> bool {
            !self.0.contains(board)
                && !self.0.contains(mirror::image(board))
                && self.0.insert(&board)
        }
    }
    layer_by_layer(*start, is_solved, &mut EitherWay::default(), blanks::move_blanks)
}

/// The same, and of a board and its mirror image only the lesser is ever kept.
pub fn canonical(start: &u64) -> Found {
    let lesser = |board: u64| board.min(mirror::image(board));
    layer_by_layer(lesser(*start), is_solved, &mut OpenAddressing::default(), |board, next| {
        blanks::move_blanks(board, next);
        next.iter_mut().for_each(|board| *board = lesser(*board));
    })
}

/// Depth-first, deepening by one move until it gets there. A table has the depth at which each
/// board was met, lest a board be searched again as deep or deeper.
pub fn depth_first(start: &u64) -> Found {
    type Depths = HashMap<u64, u32, FxBuildHasher>;
    fn search(board: u64, depth: u32, limit: u32, depths: &mut Depths, found: &mut Found) -> bool {
        if is_solved(&board) {
            return true;
        }
        if depth == limit {
            return false;
        }
        found.states += 1;
        let mut next = Vec::new();
        blanks::move_blanks(&board, &mut next);
        found.nodes += next.len() as u64;
        next.into_iter().any(|board| {
            let met = depths.entry(board).or_insert(u32::MAX);
            depth + 1 < *met && {
                *met = depth + 1;
                search(board, depth + 1, limit, depths, found)
            }
        })
    }
    let mut found = Found { moves: None, states: 0, nodes: 0 };
    let moves = (0..).find(|&limit| {
        search(*start, 0, limit, &mut HashMap::from_iter([(*start, 0)]), &mut found)
    });
    Found { moves, ..found }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    /// 横刀立马: 81 moves.
    const CLASSIC: &str = "aCCb/aCCb/cdde/cfge/h..i";

    #[test]
    fn every_program_finds_the_fewest_moves() {
        let word = read(CLASSIC);
        for program in
            [in_std_set, fx, own_table, chained, layers, by_blanks, two_look_ups, canonical]
        {
            assert_eq!(program(&word).moves, Some(81));
        }
        assert_eq!(in_std_set::<String>(&read(CLASSIC)), in_std_set::<u64>(&word));
        assert_eq!(in_std_set::<[u8; 20]>(&read(CLASSIC)), in_std_set::<u64>(&word));
    }

    #[test]
    fn depth_first_finds_them_too() {
        // 捷足先登, at 32 moves.
        assert_eq!(depth_first(&read("aCCb/cCCd/.ee./fghi/fghi")).moves, Some(32));
    }

    #[test]
    fn all_that_the_classic_reaches_is_as_published() {
        let everything = |_: &u64| false;
        let start = read(CLASSIC);
        let blocks = breadth_first(start, everything, &mut OpenAddressing::default(), move_blocks);
        let blanks =
            breadth_first(start, everything, &mut OpenAddressing::default(), blanks::move_blanks);
        assert_eq!(blocks, Found { moves: None, states: 25_955, nodes: 94_302 });
        assert_eq!(blanks, blocks);
    }

    #[test]
    fn the_blanks_move_to_the_same_boards_as_the_blocks() {
        let mut boards = vec![read::<u64>("aCCb/aCCb/ccdd/ef.g/hf.i")];
        let mut seen: HashSet<u64> = boards.iter().copied().collect();
        while let Some(board) = boards.pop() {
            let (mut one, mut other) = (Vec::new(), Vec::new());
            move_blocks(&board, &mut one);
            blanks::move_blanks(&board, &mut other);
            one.sort_unstable();
            other.sort_unstable();
            assert_eq!(one, other);
            boards
                .extend(one.into_iter().filter(|&board| seen.len() < 20_000 && seen.insert(board)));
        }
    }
}
