//! Boards as lists of the first cells of their pieces: with all pieces distinct, or with equal
//! pieces sorted, so that exchanging equal pieces gives the same state.

use fxhash::FxHashSet;

use super::{Board, CELLS, EXIT, Piece, code, put, reachable};
use crate::SearchResult;
use crate::bfs::breadth_first;

/// Equal pieces are distinct: exchanging them gives another state.
pub fn distinct(start: &u64) -> SearchResult {
    search(start, |_, _| {})
}

/// The cells of equal pieces are sorted: exchanging them gives the same state.
pub fn merged(start: &u64) -> SearchResult {
    search(start, |pieces, places| {
        let mut from = 0;
        for equal in pieces.chunk_by(|one, other| one == other) {
            places[from..from + equal.len()].sort_unstable();
            from += equal.len();
        }
    })
}

/// Breadth-first search. A state has five bits for the first cell of each piece, of at most twelve
/// pieces. `order` normalises the cells of a successor.
fn search(start: &u64, order: impl Fn(&[Piece], &mut [usize])) -> SearchResult {
    let mut pieces: Vec<(Piece, usize)> =
        (0..CELLS).filter_map(|cell| Some((Piece::with_first(start.code(cell))?, cell))).collect();
    pieces.sort_by_key(|(piece, _)| std::cmp::Reverse(piece.codes[0]));
    let (pieces, places): (Vec<_>, Vec<_>) = pieces.into_iter().unzip();
    debug_assert_eq!(pieces[0].codes, code::LARGE);
    let pack = |places: &[usize]| {
        places.iter().rev().fold(0u64, |state, &place| state << 5 | place as u64)
    };
    let place = |state: u64, piece: usize| (state >> (5 * piece) & 31) as usize;
    let is_solved = |&state: &u64| place(state, 0) == EXIT;
    breadth_first(pack(&places), is_solved, &mut FxHashSet::default(), |&state, next| {
        let places: Vec<usize> = (0..pieces.len()).map(|piece| place(state, piece)).collect();
        let mut board = [code::BLANK; CELLS];
        pieces.iter().zip(&places).for_each(|(&piece, &place)| put(&mut board, piece, place));
        for (number, &piece) in pieces.iter().enumerate() {
            let mut without_piece = board;
            piece
                .cells(places[number])
                .expect("a piece is within the board")
                .for_each(|cell| without_piece.set(cell, 0));
            for to in reachable(&without_piece, piece, places[number]) {
                let mut after = places.clone();
                after[number] = to;
                order(&pieces, &mut after);
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
    fn merging_keeps_the_cost_and_saves_states() {
        // The layout 前呼后拥, with an optimal cost of 22.
        let start = read("abCC/ccCC/ddee/ffgg/..hi");
        let (distinct, merged) = (distinct(&start), merged(&start));
        assert_eq!((distinct.moves, merged.moves), (Some(22), Some(22)));
        assert!(
            distinct.expanded > 10 * merged.expanded,
            "{} {}",
            distinct.expanded,
            merged.expanded
        );
    }
}
