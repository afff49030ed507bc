//! The cheapest way from one corner of a map to the opposite one, where each cell costs 1 to 9 to
//! enter. `cargo run --release -p fewest-core --example weighted_grid`

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use fewest_core::heuristic;
use fewest_core::prelude::*;

/// The cells are numbered row by row.
pub(crate) const SIDE: u32 = 1000;
pub(crate) const GOAL: u32 = SIDE * SIDE - 1;

/// What each cell costs: numbers that look random, and are the same each time (Marsaglia,
/// "Xorshift RNGs", 2003).
pub(crate) fn weights() -> Vec<u8> {
    let mut number = 12345_u64;
    let mut next = || {
        number ^= number << 13;
        number ^= number >> 7;
        number ^= number << 17;
        (number % 9 + 1) as u8
    };
    (0..SIDE * SIDE).map(|_| next()).collect()
}

pub(crate) fn neighbours(cell: u32) -> impl Iterator<Item = u32> {
    let (row, column) = (cell / SIDE, cell % SIDE);
    let before = [(row > 0, cell.wrapping_sub(SIDE)), (column > 0, cell.wrapping_sub(1))];
    let after = [(row + 1 < SIDE, cell + SIDE), (column + 1 < SIDE, cell + 1)];
    before.into_iter().chain(after).filter_map(|(exists, next)| exists.then_some(next))
}

/// Each step to the goal costs at least 1.
pub(crate) fn steps_left(cell: u32) -> u32 {
    (SIDE - 1 - cell / SIDE) + (SIDE - 1 - cell % SIDE)
}

/// A move is what the cell costs to which it leads.
pub(crate) fn map(weights: &[u8]) -> impl Predecessors<State = u32> + Goals + Ranked {
    let steps = |cell| neighbours(cell).map(|next| (weights[next as usize], next));
    from_fn([0], steps, |cell| cell == GOAL)
        .undirected()
        .with_goals([GOAL])
        .with_ranks((SIDE * SIDE).into(), u64::from, |rank| rank as u32)
        .with_costs(CostRange::integers(1..=9), |_, weight: u8| weight.into())
}

fn main() -> Result<(), Stopped> {
    let weights = weights();
    let map = map(&weights);
    let plan = Search::new(&map).predecessors().ranked().plan()?.expect("the cells are connected");
    println!("{}, in {} steps", plan.cost(), plan.moves().len());
    let bound = heuristic::from_fn(steps_left);
    let outcome = Search::new(&map).predecessors().heuristic(&bound).run();
    println!("{:?} by A*, {} cells", outcome.cost(), outcome.stats.expanded);
    let outcome = Search::new(&map).predecessors().goals().run();
    println!("{:?} from both ends, {} cells", outcome.cost(), outcome.stats.expanded);
    Ok(())
}
