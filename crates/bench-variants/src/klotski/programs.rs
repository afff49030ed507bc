//! Breadth-first search with different boards and visited sets, and depth-first search.

use std::collections::{HashMap, HashSet};

use fxhash::{FxBuildHasher, FxHashSet};

use super::{Board, blanks, is_solved, mirror, move_pieces};
use crate::SearchResult;
use crate::bfs::{breadth_first, layer_by_layer};
use crate::sets::{Chained, OpenAddressing, VisitedSet};

/// Boards of any representation in the hash set of the standard library. The baseline is `String`;
/// `[u8; 20]` and `u64` are smaller.
pub fn in_std_set<B: Board>(start: &B) -> SearchResult {
    breadth_first(start.clone(), is_solved, &mut HashSet::new(), move_pieces)
}

/// The same as [`in_std_set`] with words, generating successors by moving blanks instead of pieces.
pub fn by_blanks(start: &u64) -> SearchResult {
    breadth_first(*start, is_solved, &mut HashSet::new(), blanks::move_blanks)
}

/// The same as [`by_blanks`], with FxHash.
pub fn fx(start: &u64) -> SearchResult {
    breadth_first(*start, is_solved, &mut FxHashSet::default(), blanks::move_blanks)
}

/// The same as [`by_blanks`], with the hash table of the write-up, [`Chained`].
pub fn chained(start: &u64) -> SearchResult {
    breadth_first(*start, is_solved, &mut Chained::default(), blanks::move_blanks)
}

/// The same as [`by_blanks`], with [`OpenAddressing`].
pub fn own_table(start: &u64) -> SearchResult {
    breadth_first(*start, is_solved, &mut OpenAddressing::default(), blanks::move_blanks)
}

/// The same as [`own_table`], with a list for each layer instead of a queue.
pub fn layers(start: &u64) -> SearchResult {
    layer_by_layer(*start, is_solved, &mut OpenAddressing::default(), blanks::move_blanks)
}

/// The same as [`layers`], with symmetry reduction by two lookups: a board is a duplicate if the
/// board or its mirror image is in the visited set.
pub fn two_look_ups(start: &u64) -> SearchResult {
    #[derive(Default)]
    struct EitherImage(OpenAddressing<u64>);
    impl VisitedSet<u64> for EitherImage {
        fn insert(&mut self, &board: &u64) -> bool {
            !self.0.contains(board)
                && !self.0.contains(mirror::image(board))
                && self.0.insert(&board)
        }
    }
    layer_by_layer(*start, is_solved, &mut EitherImage::default(), blanks::move_blanks)
}

/// The same as [`layers`], with symmetry reduction by a canonical form: the smaller of a board and
/// its mirror image.
pub fn canonical(start: &u64) -> SearchResult {
    let canonical = |board: u64| board.min(mirror::image(board));
    layer_by_layer(canonical(*start), is_solved, &mut OpenAddressing::default(), |board, next| {
        blanks::move_blanks(board, next);
        next.iter_mut().for_each(|board| *board = canonical(*board));
    })
}

/// Depth-first search with iterative deepening. A table has the smallest depth at which each board
/// was visited. A board is searched again only at a smaller depth.
pub fn depth_first(start: &u64) -> SearchResult {
    type Depths = HashMap<u64, u32, FxBuildHasher>;
    fn search(
        board: u64,
        depth: u32,
        limit: u32,
        depths: &mut Depths,
        result: &mut SearchResult,
    ) -> bool {
        if is_solved(&board) {
            return true;
        }
        if depth == limit {
            return false;
        }
        result.expanded += 1;
        let mut next = Vec::new();
        blanks::move_blanks(&board, &mut next);
        result.generated += next.len() as u64;
        next.into_iter().any(|board| {
            let smallest = depths.entry(board).or_insert(u32::MAX);
            depth + 1 < *smallest && {
                *smallest = depth + 1;
                search(board, depth + 1, limit, depths, result)
            }
        })
    }
    let mut result = SearchResult { moves: None, expanded: 0, generated: 0 };
    let moves = (0..).find(|&limit| {
        search(*start, 0, limit, &mut HashMap::from_iter([(*start, 0)]), &mut result)
    });
    SearchResult { moves, ..result }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    /// The layout 横刀立马, with an optimal cost of 81.
    const CLASSIC: &str = "aCCb/aCCb/cdde/cfge/h..i";

    #[test]
    fn breadth_first_programs_find_optimal_plans() {
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
    fn depth_first_finds_an_optimal_plan() {
        // The layout 捷足先登, with an optimal cost of 32.
        assert_eq!(depth_first(&read("aCCb/cCCd/.ee./fghi/fghi")).moves, Some(32));
    }

    #[test]
    fn the_component_of_the_classic_layout_has_its_published_size() {
        let no_goal = |_: &u64| false;
        let start = read(CLASSIC);
        let pieces = breadth_first(start, no_goal, &mut OpenAddressing::default(), move_pieces);
        let blanks =
            breadth_first(start, no_goal, &mut OpenAddressing::default(), blanks::move_blanks);
        assert_eq!(pieces, SearchResult { moves: None, expanded: 25_955, generated: 94_302 });
        assert_eq!(blanks, pieces);
    }

    #[test]
    fn moving_blanks_and_moving_pieces_give_the_same_successors() {
        let mut boards = vec![read::<u64>("aCCb/aCCb/ccdd/ef.g/hf.i")];
        let mut visited: HashSet<u64> = boards.iter().copied().collect();
        while let Some(board) = boards.pop() {
            let (mut one, mut other) = (Vec::new(), Vec::new());
            move_pieces(&board, &mut one);
            blanks::move_blanks(&board, &mut other);
            one.sort_unstable();
            other.sort_unstable();
            assert_eq!(one, other);
            boards.extend(
                one.into_iter().filter(|&board| visited.len() < 20_000 && visited.insert(board)),
            );
        }
    }
}
