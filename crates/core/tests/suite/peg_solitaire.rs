//! The example `peg_solitaire` counts what others have published.

use std::ops::ControlFlow;

use fewest_core::check;
use fewest_core::search::Search;

#[allow(dead_code, reason = "the test does not run its `main`")]
#[path = "../../examples/peg_solitaire.rs"]
mod example;

/// The first positions of the English board by the number of jumps, up to symmetry: G. I. Bell,
/// OEIS A112737.
const POSITIONS: [u64; 11] = [1, 1, 2, 8, 39, 171, 719, 2757, 9751, 31312, 89927];

#[test]
fn the_positions_up_to_symmetry_are_those_that_are_published() {
    let board = example::Board::new();
    let solitaire = board.solitaire();
    assert_eq!(check::graded(&solitaire, 2000), Ok(()));
    assert_eq!(check::space(&solitaire, &check::reachable(&solitaire, 2000)), Ok(()));
    let last = POSITIONS.len() as u32 - 1;
    let explored = Search::new(&solitaire).count_layers(|jumps, _| match jumps == last {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    assert_eq!(explored.layers, POSITIONS);
}
