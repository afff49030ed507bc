//! How many boards pushing makes of a maze, and the way out:
//! `cargo run --release -p fewest-wall-pusher --example reach`
#![allow(clippy::print_stdout, reason = "what the example shows")]

use std::error::Error;

use fewest_core::budget::Budget;
use fewest_wall_pusher::explore::explore;
use fewest_wall_pusher::solve::{every, solve};
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
    let explored = explore(&maze, &budget).map_err(|limit| limit.to_string())?;
    println!("{MAZE}{} boards, by moves: {:?}", explored.boards(), explored.layers);
    let answer = solve(&maze, None, &budget)?;
    match answer.outcome.plan() {
        Some(plan) => println!("out in {} moves: {plan:?}", plan.len()),
        None => println!("no way out"),
    }
    if let Some(ways) = every(&maze, 3, &budget)?.plan() {
        println!("there are {:?} shortest ways", ways.count);
    }
    Ok(())
}

#[test]
fn it_runs() {
    main().expect("plans that keep the rules");
}
