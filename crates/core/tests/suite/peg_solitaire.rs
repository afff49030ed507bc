//! The example `peg_solitaire` counts what others have published.

use std::ops::ControlFlow;

use fewest_core::check;
use fewest_core::search::Search;
use fewest_core::symmetry::{Folded, Symmetric};

#[allow(dead_code, reason = "the test does not run its `main`")]
#[path = "../../examples/peg_solitaire.rs"]
mod example;

/// The first positions of the English board by the number of jumps, up to symmetry: G. I. Bell,
/// OEIS A112737.
const POSITIONS: [u64; 11] = [1, 1, 2, 8, 39, 171, 719, 2757, 9751, 31312, 89927];

/// All positions, OEIS A112737.
const IN_ALL: [u64; 11] = [1, 4, 12, 60, 296, 1338, 5648, 21842, 77559, 249690, 717788];

#[test]
fn the_positions_up_to_symmetry_are_those_that_are_published() {
    let board = example::Solitaire::new();
    let states = check::reachable(&board, 2000);
    assert_eq!(check::symmetry(&board, &states), Ok(()));
    let solitaire = Folded::new(&board);
    assert_eq!(check::graded(&solitaire, 2000), Ok(()));
    assert_eq!(check::space(&solitaire, &check::reachable(&solitaire, 2000)), Ok(()));
    let last = POSITIONS.len() as u32 - 1;
    let mut all = Vec::new();
    let explored = Search::new(&solitaire).explore_layers(|jumps, layer| {
        let mut positions = 0;
        let flow = layer.read(&mut |states| {
            positions += states.iter().map(|&pegs| board.orbit(pegs).len() as u64).sum::<u64>();
            ControlFlow::Continue(())
        })?;
        all.push(positions);
        Ok(if jumps == last { ControlFlow::Break(()) } else { flow })
    });
    assert_eq!(explored.layers, POSITIONS);
    assert_eq!(all, IN_ALL);
}
