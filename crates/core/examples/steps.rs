//! What engines look at on a map: in which order each expands the cells, and the open list of A*.
//! `cargo run --release -p fewest-core --example steps`

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use std::collections::BTreeMap;

use fewest_core::prelude::*;
use fewest_core::{Engine, heuristic};

const WIDTH: u32 = 12;
const MAP: &[u8; 60] = b"\
    .......#....\
    .###.###.##.\
    .#.......#..\
    .#.###.#.##.\
    S..#...#...G";

/// By steps between neighbours.
fn distance(from: u32, to: u32) -> u32 {
    (from / WIDTH).abs_diff(to / WIDTH) + (from % WIDTH).abs_diff(to % WIDTH)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cells = |is: fn(u8) -> bool| (0..60).filter(move |&cell| is(MAP[cell as usize]));
    let next = |from| {
        cells(|mark| mark != b'#').filter(move |&to| distance(from, to) == 1).map(|to| ((), to))
    };
    let goal = cells(|mark| mark == b'G').next().ok_or("no goal")?;
    let space = from_fn(cells(|mark| mark == b'S'), next, |cell| cell == goal);
    let space = space.undirected().with_goals([goal]);
    let bound = heuristic::from_fn(|cell| distance(cell, goal));
    for engine in [Engine::Bfs, Engine::Bidirectional, Engine::Astar] {
        let search = Search::new(&space).predecessors().goals().heuristic(&bound).engine(engine)?;
        let (mut steps, mut order) = (search.steps(), [0; 60]);
        for number in 1.. {
            let Some(step) = steps.next() else { break };
            order[step.node.state as usize] = number;
            if engine == Engine::Astar && number % 8 == 0 {
                let mut by_sum = BTreeMap::<u32, u32>::new();
                steps.open().iter().for_each(|node| *by_sum.entry(node.sum()).or_default() += 1);
                let (g, h) = (step.node.depth, step.node.bound);
                println!("step {number}: g = {g}, h = {h}; open states by f: {by_sum:?}");
            }
        }
        let cost = steps.outcome().cost().ok_or("no way")?;
        println!(
            "{engine}: {cost} moves, {} expansions",
            order.iter().filter(|&&at| at > 0).count()
        );
        for row in order.chunks(WIDTH as usize) {
            println!("{}", row.iter().map(|number| format!("{number:3}")).collect::<String>());
        }
    }
    Ok(())
}
