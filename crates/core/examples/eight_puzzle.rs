//! The 8-puzzle from one of its two hardest boards, for those who come from other libraries.
//! `cargo run --release -p fewest-core --example eight_puzzle`

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use fewest_core::heuristic;
use fewest_core::prelude::*;

/// A board has the tile of each cell in four bits, row by row; the blank is 0.
pub(crate) const START: u64 = 0x1_3274_5608;
pub(crate) const GOAL: u64 = 0x8_7654_3210;

/// Each move: the tile that slides, and the board after it.
pub(crate) fn moves(board: u64) -> impl Iterator<Item = (u64, u64)> {
    let tile = move |cell: u32| board >> (4 * cell) & 15;
    let blank = (0..9).find(|&cell| tile(cell) == 0).unwrap_or(0);
    let (row, column) = (blank / 3, blank % 3);
    let is_near = move |&from: &u32| (from / 3).abs_diff(row) + (from % 3).abs_diff(column) == 1;
    (0..9).filter(is_near).map(move |from| {
        let slides = tile(from);
        (slides, board ^ slides << (4 * from) ^ slides << (4 * blank))
    })
}

/// The sum of the distances of the tiles to their cells: no plan has fewer moves.
pub(crate) fn distance(board: u64) -> u32 {
    let far = |cell: u32| {
        let tile = (board >> (4 * cell) & 15) as u32;
        let far = (cell / 3).abs_diff(tile / 3) + (cell % 3).abs_diff(tile % 3);
        if tile == 0 { 0 } else { far }
    };
    (0..9).map(far).sum()
}

fn main() -> Result<(), Stopped> {
    let puzzle = from_fn([START], moves, |board| board == GOAL);
    let plan = Search::new(&puzzle).plan()?.expect("it can be solved");
    println!("{} moves, and no fewer: {:?}", plan.cost(), plan.moves());

    // What is known of the puzzle makes the search faster: every move can be undone, and there is
    // one goal. So it starts from both ends.
    let puzzle = puzzle.undirected().with_goals([GOAL]);
    let outcome = Search::new(&puzzle).predecessors().goals().run();
    println!("{:?} moves from both ends, {} boards", outcome.cost(), outcome.stats.expanded);

    let bound = heuristic::from_fn(distance);
    let outcome = Search::new(&puzzle).predecessors().heuristic(&bound).run();
    println!("{:?} moves by A*, {} boards", outcome.cost(), outcome.stats.expanded);
    Ok(())
}
