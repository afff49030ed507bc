//! Solves a board in all three metrics and counts its shortest plans:
//! `cargo run --release -p fewest-klotski --example own_board`
#![allow(clippy::print_stdout, reason = "the example prints its results")]

use std::error::Error;

use fewest_core::budget::Budget;
use fewest_klotski::solve::solve;
use fewest_klotski::{Instance, Metric, Task};
use fewest_puzzle::count_plans::CountPlans;

/// The Pennant puzzle (L. W. Hardy, 1909). The goal of `A` is the lower left corner.
const PENNANT: &str = "AA11\nAA22\n34..\n5677\n5688\ngoal: A at 4,1\n";

fn main() -> Result<(), Box<dyn Error>> {
    let instance = Instance::read(PENNANT.as_bytes()).next().ok_or("no data set")??;
    for metric in Metric::ALL {
        let answer = solve(&Task::new(instance.clone(), metric), None, &Budget::unlimited())?;
        let plans =
            Task::new(instance.clone(), metric).list_shortest_plans(0, &Budget::unlimited())?;
        let count = plans.optimal().and_then(|plans| plans.count);
        let cost = answer.outcome.cost();
        println!("{}: {cost:?} moves, {count:?} plans, by {}", metric.name(), answer.engine);
    }
    let answer = solve(&Task::new(instance.clone(), Metric::Straight), None, &Budget::unlimited())?;
    let moves: Vec<String> =
        answer.outcome.optimal().into_iter().flatten().map(ToString::to_string).collect();
    println!("{}", moves.join(" "));
    Ok(())
}

#[test]
fn example_runs() {
    main().expect("the example succeeds");
}
