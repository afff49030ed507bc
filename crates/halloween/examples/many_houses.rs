//! Random houses from a seed, each solved under a budget:
//! `cargo run --release -p fewest-halloween --example many_houses`
#![allow(clippy::print_stdout, reason = "what the example shows")]

use std::error::Error;
use std::time::Duration;

use fewest_core::budget::{Budget, Limits};
use fewest_core::outcome::Verdict;
use fewest_core::random::Random;
use fewest_halloween::generate::{Wanted, house};
use fewest_halloween::solve::solve;

fn main() -> Result<(), Box<dyn Error>> {
    let mut random = Random::from_seed(7);
    let wanted = Wanted { width: 16, height: 16, ghosts: 3 };
    let limits =
        Limits { time: Some(Duration::from_secs(1)), memory_bytes: Some(1 << 30), states: None };
    let (mut solved, mut longest) = (0, 0);
    for _ in 0..200 {
        let house = house(wanted, &mut random).ok_or("no room for the ghosts")?;
        match solve(&house, None, &Budget::new(limits))?.outcome.verdict {
            Verdict::Solved { cost, .. } => (solved, longest) = (solved + 1, longest.max(cost)),
            Verdict::Unsolvable => println!("nobody gets everyone home in\n{house}"),
            Verdict::Stopped { limit, lower_bound, .. } => {
                println!("{limit}, at least {lower_bound} steps")
            }
        }
    }
    println!("{solved} of 200 houses have a plan, the longest of {longest} steps");
    Ok(())
}

#[test]
fn it_runs() {
    main().expect("plans that keep the rules");
}
