//! The number of boards that are reachable in a maze, and a shortest plan:
//! `cargo run --release -p fewest-wall-pusher --example reach`
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use fewest_core::budget::Budget;
use fewest_puzzle::count_plans::CountPlans;
use fewest_puzzle::explore::Explore;
use fewest_wall_pusher::solve::solve;
use fewest_wall_pusher::{Instance, Size};

const MAZE: &str = "\
+--+--+--+
|S |     |
+  +--+  +
|     |  |
+--+  +--+
|  |      
+--+--+--+
";

fn main() -> Result<(), Box<dyn Error>> {
    let size = Size::new(3, 3).ok_or("a size")?;
    let maze = Instance::read(MAZE.as_bytes(), size).next().ok_or("a maze")??;
    let budget = Budget::unlimited();
    let explored = maze.explore(&budget, &mut |_, _| {}).map_err(|error| error.to_string())?;
    println!("{MAZE}{} boards, by depth: {:?}", explored.boards(), explored.layers);
    let answer = solve(&maze, None, &budget)?;
    match answer.outcome.optimal() {
        Some(plan) => println!("{} moves, optimal: {plan:?}", plan.len()),
        None => println!("unsolvable"),
    }
    if let Some(all) = maze.list_shortest_plans(3, &budget)?.optimal() {
        println!("shortest plans: {:?}", all.count);
    }
    Ok(())
}

#[test]
fn example_runs() {
    main().expect("no error");
}
