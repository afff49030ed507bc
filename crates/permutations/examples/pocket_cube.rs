//! The 2x2x2 cube as data: how far its states are, and the fewest turns for one of them.
//! `cargo run --release -p fewest-permutations --example pocket_cube`

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use std::error::Error;
use std::ops::ControlFlow;

use fewest_core::Budget;
use fewest_permutations::Permutations;

/// Quarter turns as cycles of the stickers. Those of a face are numbered row by row, of the upper
/// face from 0, the left one from 4, the front from 8, the right one from 12, the back from 16 and
/// the lower one from 20. The corner at the left, the back and the bottom stays.
pub(crate) fn pocket_cube() -> Permutations {
    Permutations::new(24)
        .generator("U", [[0, 1, 3, 2], [8, 4, 16, 12], [9, 5, 17, 13]])
        .generator("R", [[12, 13, 15, 14], [9, 1, 18, 21], [11, 3, 16, 23]])
        .generator("F", [[8, 9, 11, 10], [2, 12, 21, 7], [3, 14, 20, 5]])
}

fn main() -> Result<(), Box<dyn Error>> {
    let budget = Budget::unlimited();
    let metrics = [
        ("quarter turns", pocket_cube().with_inverses()),
        ("half turns", pocket_cube().with_powers()),
    ];
    for (metric, cube) in metrics {
        let cube = cube.build()?;
        let found = cube.count_layers(&budget, |_, _| ControlFlow::Continue(()));
        println!("{metric}: {:?}", found.layers);
    }
    let cube = pocket_cube().with_powers().build()?;
    // Two opposite corners of the upper face exchange places.
    let mut exchanged = cube.solved().to_vec();
    for (one, other) in [(0, 3), (4, 12), (17, 9)] {
        exchanged.swap(one, other);
    }
    let outcome = cube.solve(&exchanged, &budget)?;
    match outcome.optimal() {
        Some(turns) => println!("{} turns: {}", turns.len(), turns.join(" ")),
        None => println!("the two corners cannot be exchanged"),
    }
    Ok(())
}
