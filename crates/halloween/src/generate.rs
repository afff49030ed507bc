//! Houses that keep every rule of the statement, from a seed.
//!
//! Corridors are a tree, walls are connected, and no four cells make a 2x2 opening. A house grows
//! from a cell: a wall is opened if it is beside exactly one corridor cell and the two cells at its
//! far corners are walls. Then the walls around it stay connected with each other; and were a far
//! corner open, they would not be, as the corridors would enclose some of them. A wall that may not
//! be opened now never may be later, so each is asked once for each of its neighbours.

use bitvec::vec::BitVec;
use fewest_core::budget::{Budget, Limits};
use fewest_core::hardest::{Tried, hardest};
use fewest_core::random::Random;

use crate::instance::{Ghost, Instance, LETTERS, Place};
use crate::rules::Refusal;
use crate::solve::solve;

/// What houses are to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Columns, the walls around included: 3 to 255.
    pub width: u16,
    /// Rows: 3 to 255.
    pub height: u16,
    /// At most 26.
    pub ghosts: usize,
}

/// A random house, full of corridors; `None` if in a hundred tries that size had not enough of them
/// for the starts and goals, all on cells of their own.
///
/// Some have long corridors and few forks, others short ones and many.
pub fn house(wanted: Wanted, random: &mut Random) -> Option<Instance> {
    let Wanted { width, height, ghosts } = wanted;
    if !(3..=255).contains(&width)
        || !(3..=255).contains(&height)
        || !(1..=LETTERS).contains(&ghosts)
    {
        return None;
    }
    let mut maps =
        std::iter::repeat_with(|| Map::grown(width.into(), height.into(), random)).take(100);
    let map = maps.find(|map| map.cells.len() >= 2 * ghosts)?;
    let mut cells = map.cells;
    let mut places = Vec::new();
    for _ in 0..2 * ghosts {
        let cell = cells.swap_remove(random.below(cells.len()));
        places.push(Place::at((cell % map.width, cell / map.width)));
    }
    let ways = places.chunks_exact(2).map(|way| Ghost { start: way[0], goal: way[1] });
    Instance::new(width, map.open, ways.collect())
}

struct Map {
    width: usize,
    open: BitVec,
    /// The open cells, as indices into `open`.
    cells: Vec<usize>,
}

impl Map {
    fn grown(width: usize, height: usize, random: &mut Random) -> Self {
        let mut map =
            Self { width, open: BitVec::repeat(false, width * height), cells: Vec::new() };
        // In so many of four cases it grows where it grew last.
        let straight = random.below(5);
        let first = (1 + random.below(height - 2)) * width + 1 + random.below(width - 2);
        let mut next = vec![(first, first)];
        while !next.is_empty() {
            let choice =
                if random.below(4) < straight { next.len() - 1 } else { random.below(next.len()) };
            let (cell, from) = next.swap_remove(choice);
            if cell != from && !map.may_open(cell, from) {
                continue;
            }
            map.open.set(cell, true);
            map.cells.push(cell);
            let mut beside = [cell - 1, cell + 1, cell - width, cell + width];
            random.shuffle(&mut beside);
            let inside = |cell: &usize| {
                (1..width - 1).contains(&(cell % width))
                    && (1..height - 1).contains(&(cell / width))
            };
            next.extend(
                beside.into_iter().filter(inside).filter(|&to| !map.open[to]).map(|to| (to, cell)),
            );
        }
        map
    }

    /// Whether a wall beside the corridor cell `from` may be opened.
    fn may_open(&self, cell: usize, from: usize) -> bool {
        let aside = if from.abs_diff(cell) == 1 { self.width } else { 1 };
        let far = 2 * cell - from;
        let walls = [far, cell - aside, cell + aside, far - aside, far + aside];
        !self.open[cell] && walls.iter().all(|&wall| !self.open[wall])
    }
}

/// What [`hard`] is to spend on a house at most, some seconds of work. Counts, not time, lest
/// another machine find another house.
pub const LIMITS: Limits =
    Limits { time: None, memory_bytes: Some(4 << 30), states: Some(100_000) };

/// Tries so many houses for the one that takes most steps: random ones, and changes of the hardest
/// so far. `budget` gives what may be spent on the next house, by [`LIMITS`] if the answer is to be
/// the same on every machine, or ends it early by `None`.
///
/// # Errors
/// If the rules refuse a plan that was found: a fault of this program.
pub fn hard(
    wanted: Wanted,
    tries: u64,
    random: &mut Random,
    budget: impl FnMut() -> Option<Budget>,
) -> Result<Tried<Instance>, Refusal> {
    let solve = |house: &Instance, budget: &Budget| Ok(solve(house, None, budget)?.outcome);
    hardest(tries, random, |random| house(wanted, random), changed, budget, solve)
}

/// The house with one start or goal elsewhere, on a free cell.
fn changed(house: &Instance, random: &mut Random) -> Option<Instance> {
    let mut ghosts = house.ghosts().to_vec();
    let taken =
        |place: &Place| ghosts.iter().any(|ghost| ghost.start == *place || ghost.goal == *place);
    let free: Vec<Place> =
        house.places().filter(|place| house.is_open(*place) && !taken(place)).collect();
    let to = *free.get(random.below(free.len()))?;
    let number = random.below(ghosts.len());
    let way = &mut ghosts[number];
    *(if random.below(2) == 0 { &mut way.start } else { &mut way.goal }) = to;
    Instance::new(house.width(), house.places().map(|place| house.is_open(place)).collect(), ghosts)
}
