//! The 3x3x3 cube by its 48 symmetries: how many positions there are at each number of turns, and
//! how many that are different if the cube may be turned as a whole and looked at in a mirror. And
//! the fewest turns that solve a position.
//! `cargo run --release -p fewest-permutations --example cube_orbits -- [turns]`

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use std::error::Error;
use std::ops::ControlFlow;

use fewest_core::Budget;
use fewest_permutations::Permutations;

/// Quarter turns as cycles of stickers without the centres, in the numbers of the manual of GAP less
/// one: those of the upper face from 0, then left, front, right, back and down.
#[rustfmt::skip]
pub(crate) fn cube() -> Permutations {
    Permutations::new(48)
        .generator("U", [[0, 2, 7, 5], [1, 4, 6, 3], [8, 32, 24, 16], [9, 33, 25, 17], [10, 34, 26, 18]])
        .generator("L", [[8, 10, 15, 13], [9, 12, 14, 11], [0, 16, 40, 39], [3, 19, 43, 36], [5, 21, 45, 34]])
        .generator("F", [[16, 18, 23, 21], [17, 20, 22, 19], [5, 24, 42, 15], [6, 27, 41, 12], [7, 29, 40, 10]])
        .generator("R", [[24, 26, 31, 29], [25, 28, 30, 27], [2, 37, 42, 18], [4, 35, 44, 20], [7, 32, 47, 23]])
        .generator("B", [[32, 34, 39, 37], [33, 36, 38, 35], [2, 8, 45, 31], [1, 11, 46, 28], [0, 13, 47, 26]])
        .generator("D", [[40, 42, 47, 45], [41, 44, 46, 43], [13, 21, 29, 37], [14, 22, 30, 38], [15, 23, 31, 39]])
}

fn main() -> Result<(), Box<dyn Error>> {
    let most = std::env::args().nth(1).map_or(Ok(4), |turns| turns.parse())?;
    let cube = cube().with_powers().with_symmetries().build()?;
    let budget = Budget::unlimited();
    println!("{} symmetries", cube.symmetries());
    cube.count_orbits(&budget, |turns, orbits, positions| {
        println!("{turns} turns: {positions} positions, {orbits} different ones");
        if turns < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    // The chequerboard: each edge in the place of the opposite one.
    let mut position = cube.solved().to_vec();
    let edges = [(6, 46), (17, 38), (1, 41), (33, 22), (20, 36), (27, 11)];
    for (one, other) in
        edges.into_iter().chain([(19, 35), (12, 28), (4, 43), (25, 14), (3, 44), (9, 30)])
    {
        position.swap(one, other);
    }
    let outcome = cube.solve(&position, &budget)?;
    println!("{}", outcome.optimal().ok_or("no plan")?.join(" "));
    Ok(())
}
