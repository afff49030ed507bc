//! Two or three ghosts as if they were alone in the house: the pattern databases of the joint
//! search.

use std::ops::ControlFlow;

use fewest_core::budget::{Limit, Meter};
use fewest_core::encoding::{Cell, Cells, UNREACHABLE};
use fewest_core::memory::{Memory, OutOfMemory};
use fewest_core::pattern::Database;
use fewest_core::{Goals, Heuristic, Ranked, StateSpace, Undirected};

use crate::single_agent::SingleAgent;

/// The house with `K` of its ghosts, 2 or 3; of two, one goes at least. A state has their cells in
/// 16 bits each, the first in the lowest.
#[derive(Debug)]
struct Few<'a, const K: usize> {
    cells: &'a Cells,
    start: u64,
    goal: u64,
}

fn pack<const K: usize>(cells: [Cell; K]) -> u64 {
    cells.iter().rev().fold(0, |state, &cell| state << 16 | u64::from(cell))
}

fn unpack<const K: usize>(state: u64) -> [Cell; K] {
    std::array::from_fn(|ghost| (state >> (16 * ghost)) as Cell)
}

impl<const K: usize> Few<'_, K> {
    #[inline]
    fn rank_of(&self, cells: [Cell; K]) -> u64 {
        cells.iter().fold(0, |rank, &cell| rank * self.cells.len() as u64 + u64::from(cell))
    }
}

impl<const K: usize> StateSpace for Few<'_, K> {
    type State = u64;
    type Move = ();

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(self.start);
    }

    fn is_goal(&self, state: u64) -> bool {
        state == self.goal
    }

    #[inline]
    fn successors<B>(
        &self,
        state: u64,
        _: Option<()>,
        mut emit: impl FnMut((), u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let from: [Cell; K] = unpack(state);
        let choices = from.map(|cell| self.cells.closed_neighbourhood(cell));
        for &first in choices[0] {
            for &second in choices[1] {
                if second == first || (second == from[0] && first == from[1]) {
                    continue;
                }
                let both = u64::from(first) | u64::from(second) << 16;
                if K == 2 {
                    if both != state {
                        emit((), both)?;
                    }
                    continue;
                }
                // Nor may the third exchange cells with one that goes where it comes from.
                let third_from = from[K - 1];
                let shut_by_first = if first == third_from { from[0] } else { first };
                let shut_by_second = if second == third_from { from[1] } else { second };
                for &third in choices[K - 1] {
                    let shut = [first, second, shut_by_first, shut_by_second];
                    if !shut.contains(&third) {
                        emit((), both | u64::from(third) << 32)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl<const K: usize> Undirected for Few<'_, K> {}

impl<const K: usize> Goals for Few<'_, K> {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        emit(self.goal);
    }
}

/// The cells as digits of a number to the base of the cells, the first ghost's the highest.
impl<const K: usize> Ranked for Few<'_, K> {
    fn ranks(&self) -> Option<u64> {
        (self.cells.len() as u64).checked_pow(K as u32)
    }

    #[inline]
    fn rank(&self, state: u64) -> u64 {
        self.rank_of(unpack(state))
    }

    fn unrank(&self, mut rank: u64) -> u64 {
        let cells = self.cells.len() as u64;
        (0..K).fold(0, |state, _| {
            let cell = rank % cells;
            rank /= cells;
            state << 16 | cell
        })
    }
}

/// The steps to the cells of some ghosts from their starts, at least: of each as if it were alone.
#[derive(Debug)]
struct FromStarts<'a, const K: usize>([&'a [u16]; K]);

impl<const K: usize> Heuristic<Few<'_, K>> for FromStarts<'_, K> {
    type Evaluation = u16;

    #[inline]
    fn evaluate(&self, state: u64) -> u16 {
        let cells: [Cell; K] = unpack(state);
        // A chain of iterators would keep the cells in memory, and more than half of the time would
        // be waiting for them.
        (0..K).fold(0, |farthest, ghost| farthest.max(self.0[ghost][usize::from(cells[ghost])]))
    }

    #[inline]
    fn bound(&self, farthest: u16) -> Option<u32> {
        (farthest != UNREACHABLE).then_some(farthest.into())
    }
}

type FewDistances<'a, const K: usize> = Database<Few<'a, K>, FromStarts<'a, K>>;

fn database<'a, const K: usize>(
    alone: &'a SingleAgent,
    ghosts: [usize; K],
    memory: &Memory,
) -> Result<FewDistances<'a, K>, OutOfMemory> {
    let start = pack(ghosts.map(|ghost| alone.starts()[ghost]));
    let goal = pack(ghosts.map(|ghost| alone.goals()[ghost]));
    let from_starts = FromStarts(ghosts.map(|ghost| alone.from_start(ghost)));
    Database::new(Few { cells: alone.cells(), start, goal }, from_starts, memory)
}

/// The steps that two or three ghosts need to get home from any cells, as far as they were asked
/// for.
#[derive(Debug)]
pub struct Table<'a> {
    ghosts: Vec<usize>,
    distances: Distances<'a>,
}

#[derive(Debug)]
enum Distances<'a> {
    Two(FewDistances<'a, 2>),
    Three(FewDistances<'a, 3>),
}

impl<'a> Table<'a> {
    /// Of two ghosts. Knows nothing yet.
    pub fn of_two(
        alone: &'a SingleAgent,
        ghosts: [usize; 2],
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        let distances = Distances::Two(database(alone, ghosts, memory)?);
        Ok(Self { ghosts: ghosts.to_vec(), distances })
    }

    /// Of three ghosts. Knows nothing yet.
    pub fn of_three(
        alone: &'a SingleAgent,
        ghosts: [usize; 3],
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        let distances = Distances::Three(database(alone, ghosts, memory)?);
        Ok(Self { ghosts: ghosts.to_vec(), distances })
    }

    /// Its ghosts, in the order in which their cells are asked for.
    pub fn ghosts(&self) -> &[usize] {
        &self.ghosts
    }

    /// Makes known all that a plan of at most so many steps can go through.
    pub fn extend(&mut self, steps: u32, meter: &mut Meter<'_>) -> Result<(), Limit> {
        match &mut self.distances {
            Distances::Two(database) => database.extend(steps, meter),
            Distances::Three(database) => database.extend(steps, meter),
        }
    }

    /// The steps from the starts, if they are known.
    pub fn from_starts(&self) -> Option<u32> {
        match &self.distances {
            Distances::Two(database) => {
                database.distance(database.patterns().rank(database.patterns().start))
            }
            Distances::Three(database) => {
                database.distance(database.patterns().rank(database.patterns().start))
            }
        }
    }

    /// No plan from the starts has fewer steps if it is not known; `None` if all are known that
    /// there are.
    pub fn least_unknown(&self) -> Option<u32> {
        match &self.distances {
            Distances::Two(database) => database.least_unknown(),
            Distances::Three(database) => database.least_unknown(),
        }
    }

    /// The steps from these cells, by ghost, if they are known.
    #[inline]
    pub fn from(&self, cell: impl Fn(usize) -> Cell) -> Option<u32> {
        match &self.distances {
            Distances::Two(database) => {
                database.distance(database.patterns().rank_of([cell(0), cell(1)]))
            }
            Distances::Three(database) => {
                database.distance(database.patterns().rank_of([cell(0), cell(1), cell(2)]))
            }
        }
    }
}
