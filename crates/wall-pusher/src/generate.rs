//! Random mazes, and mazes that need many moves. A seed determines them on every machine.

use fewest_core::budget::{Budget, Limits};
use fewest_puzzle::SolveError;
use fewest_puzzle::generate::{Emit, Generate, Generated};
use fewest_puzzle::generating::{RandomInstances, random};
use fewest_puzzle::hardest::{Tried, hardest};
use fewest_puzzle::options::OptionSource;
use fewest_puzzle::random::Random;
use fewest_puzzle::work::{WorkContext, WorkError};

use crate::instance::{Edge, Instance, Size, Walls};
use crate::puzzle::{GenerateOptions, WallPusher};
use crate::solve::solve;

/// The size and the density of random mazes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MazeOptions {
    /// The rows and columns.
    pub size: Size,
    /// The probability of a wall on each inner edge, in percent.
    pub walls: usize,
    /// The number of gaps; if it exceeds the number of border edges, all of them are gaps.
    pub gaps: usize,
}

impl Generate<Instance> for WallPusher {
    #[cfg(feature = "clap")]
    fn arguments(&self, command: clap::Command) -> clap::Command {
        fewest_puzzle::options::add_arguments::<GenerateOptions>(command)
    }

    fn generate(
        &self,
        _: Option<&Instance>,
        options: OptionSource<'_>,
        work: &dyn WorkContext,
        emit: Emit<'_, Instance>,
    ) -> Result<Generated, WorkError> {
        let options = options.options()?;
        let &GenerateOptions { size, walls, gaps, random: ref of_random } = &options;
        let mazes = MazeOptions { size, walls: walls.get() as usize, gaps: gaps.get() as usize };
        let generator = RandomInstances {
            make: |random: &mut Random| Ok(maze(mazes, random)),
            hardest: |tries, random: &mut Random, budget: &mut dyn FnMut() -> Option<Budget>| {
                hard(mazes, tries, random, budget)
            },
            limits: limits(size),
        };
        random::<Self, _, _>(of_random, generator, work, emit)
    }
}

/// A random maze, which may be unsolvable.
pub fn maze(options: MazeOptions, random: &mut Random) -> Instance {
    let MazeOptions { size, walls: percent, gaps } = options;
    let mut walls = Walls::default();
    let (mut border, inner): (Vec<_>, Vec<_>) =
        Edge::all(size).partition(|edge| edge.is_border(size));
    inner.into_iter().for_each(|edge| walls.set(edge, random.below(100) < percent));
    random.shuffle(&mut border);
    border.into_iter().skip(gaps).for_each(|edge| walls.set(edge, true));
    Instance { size, walls, start: size.cell(random.below(size.len())) }
}

/// The limits for each maze that [`hard`] tries, a few hundredths of a second of work. They limit
/// states and memory and not the time, so that the result is the same on every machine.
pub fn limits(size: Size) -> Limits {
    Limits { time: None, memory_bytes: Some(4 << 30), states: Some(1000 * size.len() as u64) }
}

/// Tries `tries` mazes and keeps the one with the greatest cost. The mazes are random ones and
/// variants of the hardest one so far, which may have more or fewer walls and gaps than `options`.
///
/// `budget` returns the budget for the next maze, or `None` to stop early. With the limits of
/// [`limits`] the result is the same on every machine.
///
/// # Errors
/// If the rules reject a plan that was found, which is a bug in this crate.
pub fn hard(
    options: MazeOptions,
    tries: u64,
    random: &mut Random,
    budget: impl FnMut() -> Option<Budget>,
) -> Result<Tried<Instance>, SolveError> {
    let make = |random: &mut Random| Some(maze(options, random));
    let solve = |maze: &Instance, budget: &Budget| Ok(solve(maze, None, budget)?.outcome);
    hardest(tries, random, make, |maze, random| Some(variant(maze, random)), budget, solve)
}

/// The maze after one to three changes. Each adds a wall, removes a wall, or moves the start.
fn variant(maze: &Instance, random: &mut Random) -> Instance {
    let mut variant = maze.clone();
    let edges: Vec<_> = Edge::all(maze.size).collect();
    for _ in 0..=random.below(3) {
        if random.below(8) == 0 {
            variant.start = maze.size.cell(random.below(maze.size.len()));
        } else {
            let edge = edges[random.below(edges.len())];
            variant.walls.set(edge, !variant.walls.has(edge));
        }
    }
    variant
}
