//! Solves random instances, each under a budget:
//! `cargo run --release -p fewest-halloween --example many_instances`
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;
use std::time::Duration;

use fewest_core::budget::{Budget, Limits};
use fewest_core::outcome::Verdict;
use fewest_halloween::generate::{InstanceSize, random_instance};
use fewest_halloween::solve::solve;
use fewest_puzzle::random::Random;

fn main() -> Result<(), Box<dyn Error>> {
    let mut random = Random::from_seed(7);
    let size = InstanceSize { width: 16, height: 16, ghosts: 3 };
    let limits =
        Limits { time: Some(Duration::from_secs(1)), memory_bytes: Some(1 << 30), states: None };
    let (mut solved, mut longest) = (0, 0);
    for _ in 0..200 {
        let instance = random_instance(size, &mut random).ok_or("the map has too few cells")?;
        match solve(&instance, None, &Budget::new(limits))?.outcome.verdict {
            Verdict::Solved { cost, .. } => (solved, longest) = (solved + 1, longest.max(cost)),
            Verdict::Unsolvable => println!("no plan for\n{instance}"),
            Verdict::Stopped { limit, lower_bound, .. } => {
                println!("{limit}: any plan has at least {lower_bound} steps")
            }
        }
    }
    println!("{solved} of 200 instances have a plan; the longest has {longest} steps");
    Ok(())
}

#[test]
fn it_runs() {
    main().expect("all plans are legal");
}
