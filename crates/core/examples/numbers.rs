//! The smallest state space: from 1 to 100 by adding 1 or doubling, in the fewest moves.
//! `cargo run --release -p fewest-core --example numbers`

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use fewest_core::prelude::*;

fn main() -> Result<(), Stopped> {
    let numbers = from_fn([1_u32], |n| [("add 1", n + 1), ("double", 2 * n)], |n| n == 100);
    match Search::new(&numbers).plan()? {
        Some(plan) => println!("{} moves, and no fewer: {}", plan.cost(), plan.moves().join(", ")),
        None => println!("no plan, which is proved"),
    }
    Ok(())
}
