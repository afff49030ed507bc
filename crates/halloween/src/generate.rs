//! Random instances with the structure that the contest problem requires, from a seed.
//!
//! The corridors are a tree, the walls are connected, and there is no 2x2 block of corridor cells.
//! A map grows from one cell. A wall may be opened if exactly one of its four neighbours is
//! corridor and its two diagonal cells on the side away from that neighbour are walls. Under this
//! condition the walls around the new cell stay connected; if one of the two cells were corridor,
//! the corridors would enclose some walls. A wall that must not be opened now can never be opened
//! later, so each pair of a wall and a neighbour is tested once.

use bitvec::vec::BitVec;
use fewest_core::budget::{Budget, Limits};
use fewest_geometry::Cell;
use fewest_puzzle::SolveError;
use fewest_puzzle::generate::{Emit, Generate, Generated};
use fewest_puzzle::generating::{RandomInstances, random};
use fewest_puzzle::hardest::{Tried, hardest};
use fewest_puzzle::options::OptionSource;
use fewest_puzzle::random::Random;
use fewest_puzzle::words::plural;
use fewest_puzzle::work::{WorkContext, WorkError};

use crate::instance::{Ghost, Instance, LETTERS, Size};
use crate::puzzle::{GenerateOptions, Halloween};
use crate::solve::solve;

/// How many sizes of a range are tried for a map.
const MAX_SIZES: usize = 100;

/// The size of a random instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstanceSize {
    /// The number of columns, border walls included: 3 to 255.
    pub width: u16,
    /// The number of rows, border walls included: 3 to 255.
    pub height: u16,
    /// The number of ghosts: 1 to 26.
    pub ghosts: usize,
}

impl Generate<Instance> for Halloween {
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
        let &GenerateOptions { width, height, ghosts, random: ref of_random } = &options;
        let size_of = |random: &mut Random| InstanceSize {
            width: width.random(random) as u16,
            height: height.random(random) as u16,
            ghosts: ghosts.random(random) as usize,
        };
        let make = |random: &mut Random| {
            // A map of the least size may have no room, and another one of the range has.
            let instance = (0..MAX_SIZES).find_map(|_| random_instance(size_of(random), random));
            instance.ok_or_else(|| {
                SolveError::unsupported(format!(
                    "a map of {width} x {height} cells has no room for the starts and goals of \
                     {ghosts} {}",
                    plural("ghost", ghosts.greatest().into())
                ))
            })
        };
        let generator = RandomInstances {
            make,
            hardest: |tries, random: &mut Random, budget: &mut dyn FnMut() -> Option<Budget>| {
                // All tries have the same size, one with room for the ghosts.
                let has_room = |size: &InstanceSize, random: &Random| {
                    random_instance(*size, &mut random.clone()).is_some()
                };
                let mut size = size_of(random);
                for _ in 0..MAX_SIZES {
                    if has_room(&size, random) {
                        break;
                    }
                    size = size_of(random);
                }
                hard(size, tries, random, budget)
            },
            limits: LIMITS,
        };
        random::<Self, _, _>(of_random, generator, work, emit)
    }
}

/// A random instance. All starts and goals are different cells. Some maps have few branching
/// cells and long corridors, others many branching cells and short corridors. The instance may
/// have no plan.
///
/// `None` if `size` is out of range, or if none of 100 random maps has enough corridor cells.
pub fn random_instance(size: InstanceSize, random: &mut Random) -> Option<Instance> {
    let InstanceSize { width, height, ghosts } = size;
    if !(3..=255).contains(&width)
        || !(3..=255).contains(&height)
        || !(1..=LETTERS).contains(&ghosts)
    {
        return None;
    }
    let mut maps =
        std::iter::repeat_with(|| MapBuilder::grow(width.into(), height.into(), random)).take(100);
    let map = maps.find(|map| map.cells.len() >= 2 * ghosts)?;
    let mut cells = map.cells;
    let mut places = Vec::new();
    for _ in 0..2 * ghosts {
        let cell = cells.swap_remove(random.below(cells.len()));
        places.push(Cell::at(cell / map.width, cell % map.width));
    }
    let ghosts = places.chunks_exact(2).map(|pair| Ghost { start: pair[0], goal: pair[1] });
    Instance::new(Size::new(height.into(), width.into())?, map.open, ghosts.collect())
}

struct MapBuilder {
    width: usize,
    /// Whether each cell is corridor, in reading order.
    open: BitVec,
    /// The corridor cells, as indices into `open`.
    cells: Vec<usize>,
}

impl MapBuilder {
    fn grow(width: usize, height: usize, random: &mut Random) -> Self {
        let mut map =
            Self { width, open: BitVec::repeat(false, width * height), cells: Vec::new() };
        // With probability `depth_first / 4`, the map grows next to the cell that was opened last.
        let depth_first = random.below(5);
        let first = (1 + random.below(height - 2)) * width + 1 + random.below(width - 2);
        let mut frontier = vec![(first, first)];
        while !frontier.is_empty() {
            let choice = if random.below(4) < depth_first {
                frontier.len() - 1
            } else {
                random.below(frontier.len())
            };
            let (cell, from) = frontier.swap_remove(choice);
            if cell != from && !map.may_open(cell, from) {
                continue;
            }
            map.open.set(cell, true);
            map.cells.push(cell);
            let mut neighbours = [cell - 1, cell + 1, cell - width, cell + width];
            random.shuffle(&mut neighbours);
            let is_inside = |cell: &usize| {
                (1..width - 1).contains(&(cell % width))
                    && (1..height - 1).contains(&(cell / width))
            };
            let walls = neighbours.into_iter().filter(is_inside).filter(|&to| !map.open[to]);
            frontier.extend(walls.map(|to| (to, cell)));
        }
        map
    }

    /// Whether `cell`, a neighbour of the corridor cell `from`, may be opened.
    fn may_open(&self, cell: usize, from: usize) -> bool {
        let sideways = if from.abs_diff(cell) == 1 { self.width } else { 1 };
        let ahead = 2 * cell - from;
        let walls = [ahead, cell - sideways, cell + sideways, ahead - sideways, ahead + sideways];
        !self.open[cell] && walls.iter().all(|&wall| !self.open[wall])
    }
}

/// Limits for one instance in [`hard`], worth a few seconds of work. There is no time limit, so
/// that every machine finds the same instance.
pub const LIMITS: Limits =
    Limits { time: None, memory_bytes: Some(4 << 30), states: Some(100_000) };

/// Searches for an instance whose shortest plan is long, by hill climbing: of `tries` instances,
/// some are random and the others change one start or goal of the hardest so far.
///
/// `budget` returns the budget of the next try, or `None` to end the search early. The result is
/// the same on every machine if it returns budgets with [`LIMITS`].
///
/// # Errors
/// If the rules refuse a plan that was found, which is a bug in this crate.
pub fn hard(
    size: InstanceSize,
    tries: u64,
    random: &mut Random,
    budget: impl FnMut() -> Option<Budget>,
) -> Result<Tried<Instance>, SolveError> {
    let solve = |instance: &Instance, budget: &Budget| Ok(solve(instance, None, budget)?.outcome);
    hardest(tries, random, |random| random_instance(size, random), mutate, budget, solve)
}

/// The instance with one start or goal moved to a random free cell. `None` if no cell is free.
fn mutate(instance: &Instance, random: &mut Random) -> Option<Instance> {
    let mut ghosts = instance.ghosts().to_vec();
    let is_taken =
        |place: &Cell| ghosts.iter().any(|ghost| ghost.start == *place || ghost.goal == *place);
    let free: Vec<Cell> = instance
        .size()
        .cells()
        .filter(|place| instance.is_corridor(*place) && !is_taken(place))
        .collect();
    let to = *free.get(random.below(free.len()))?;
    let index = random.below(ghosts.len());
    let ghost = &mut ghosts[index];
    *(if random.below(2) == 0 { &mut ghost.start } else { &mut ghost.goal }) = to;
    Instance::new(instance.size(), instance.corridor().to_bitvec(), ghosts)
}
