//! Mazes from a seed.

use fewest_core::budget::{Budget, Limits};
use fewest_core::hardest::{Tried, hardest};
use fewest_core::random::Random;

use crate::instance::{Edge, Instance, Size, Walls};
use crate::rules::Refusal;
use crate::solve::solve;

/// What mazes are to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Rows and columns.
    pub size: Size,
    /// Of a hundred edges within, how many have a wall on average.
    pub walls: usize,
    /// The gaps of the border; all of it, if these are more.
    pub gaps: usize,
}

/// A random maze, which may have no way out.
pub fn maze(Wanted { size, walls: percent, gaps }: Wanted, random: &mut Random) -> Instance {
    let mut walls = Walls::default();
    let (mut border, within): (Vec<_>, Vec<_>) =
        Edge::all(size).partition(|edge| edge.is_border(size));
    within.into_iter().for_each(|edge| walls.set(edge, random.below(100) < percent));
    random.shuffle(&mut border);
    border.into_iter().skip(gaps).for_each(|edge| walls.set(edge, true));
    Instance { size, walls, start: size.place(random.below(size.cells())) }
}

/// What [`hard`] is to spend on a maze at most, some hundredths of a second of work. Counts, not
/// time, lest another machine find another maze.
pub fn limits(size: Size) -> Limits {
    Limits { time: None, memory_bytes: Some(4 << 30), states: Some(1000 * size.cells() as u64) }
}

/// Tries so many mazes for the one that takes most moves: random ones, and changes of the hardest
/// so far, which may have more or fewer walls and gaps. `budget` gives what may be spent on the
/// next maze, by [`limits`] if the answer is to be the same on every machine, or ends it early by
/// `None`.
///
/// # Errors
/// If the rules refuse a plan that was found: a fault of this program.
pub fn hard(
    wanted: Wanted,
    tries: u64,
    random: &mut Random,
    budget: impl FnMut() -> Option<Budget>,
) -> Result<Tried<Instance>, Refusal> {
    let make = |random: &mut Random| Some(maze(wanted, random));
    let solve = |maze: &Instance, budget: &Budget| Ok(solve(maze, None, budget)?.outcome);
    hardest(tries, random, make, |maze, random| Some(changed(maze, random)), budget, solve)
}

/// The maze with one to three walls more or less, or another start.
fn changed(maze: &Instance, random: &mut Random) -> Instance {
    let mut changed = maze.clone();
    let edges: Vec<_> = Edge::all(maze.size).collect();
    for _ in 0..=random.below(3) {
        if random.below(8) == 0 {
            changed.start = maze.size.place(random.below(maze.size.cells()));
        } else {
            let edge = edges[random.below(edges.len())];
            changed.walls.set(edge, !changed.walls.has(edge));
        }
    }
    changed
}
