//! Pattern databases for the joint search: the distances of two or three ghosts to their goals, as
//! if these ghosts were alone on the map.

use std::ops::ControlFlow;

use fewest_core::budget::{Limit, Meter};
use fewest_core::encoding::{CellIndex, Cells, MAX_OPEN_CELLS, UNREACHABLE};
use fewest_core::memory::{Memory, OutOfMemory};
use fewest_core::pattern::ResumableDatabase;
use fewest_core::{Goals, Heuristic, Predecessors, Ranked, StateSpace};

use crate::single_agent::SingleAgent;

/// The state space of `K` ghosts, 2 or 3. Bits `21 * i..21 * (i + 1)` of a state are the cell of
/// ghost `i`. With two ghosts, a state is not its own successor.
#[derive(Debug)]
struct SubsetSpace<'a, const K: usize> {
    cells: &'a Cells,
    /// The number of cells.
    base: u64,
    start: u64,
    goal: u64,
}

/// The bits of a cell.
const CELL_BITS: u32 = MAX_OPEN_CELLS.ilog2();

const CELL_MASK: u64 = (1 << CELL_BITS) - 1;

/// The bits of one ghost. The mask changes nothing; by it the compiler knows that the bits of
/// ghosts do not overlap, and omits [`unpack`] where the state has just been packed.
#[inline]
fn bits_of(ghost: usize, cell: CellIndex) -> u64 {
    (u64::from(cell) & CELL_MASK) << (CELL_BITS * ghost as u32)
}

fn pack<const K: usize>(cells: [CellIndex; K]) -> u64 {
    (0..K).fold(0, |state, ghost| state | bits_of(ghost, cells[ghost]))
}

#[inline]
fn unpack<const K: usize>(state: u64) -> [CellIndex; K] {
    std::array::from_fn(|ghost| (state >> (CELL_BITS * ghost as u32) & CELL_MASK) as CellIndex)
}

impl<const K: usize> SubsetSpace<'_, K> {
    #[inline]
    fn rank_of(&self, cells: [CellIndex; K]) -> u64 {
        cells.iter().fold(0, |rank, &cell| rank * self.base + u64::from(cell))
    }
}

impl<const K: usize> StateSpace for SubsetSpace<'_, K> {
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
        let from: [CellIndex; K] = unpack(state);
        let choices = from.map(|cell| self.cells.closed_neighbourhood(cell));
        for &first in choices[0] {
            for &second in choices[1] {
                if second == first || (second == from[0] && first == from[1]) {
                    continue;
                }
                let both = bits_of(0, first) | bits_of(1, second);
                if K == 2 {
                    if both != state {
                        emit((), both)?;
                    }
                    continue;
                }
                // The third ghost may not exchange cells with a ghost that moves to its cell.
                let third_from = from[K - 1];
                let blocked_by_first = if first == third_from { from[0] } else { first };
                let blocked_by_second = if second == third_from { from[1] } else { second };
                for &third in choices[K - 1] {
                    let blocked = [first, second, blocked_by_first, blocked_by_second];
                    if !blocked.contains(&third) {
                        emit((), both | bits_of(2, third))?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl<const K: usize> Predecessors for SubsetSpace<'_, K> {
    const UNDIRECTED: bool = true;
}

impl<const K: usize> Goals for SubsetSpace<'_, K> {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        emit(self.goal);
    }
}

/// The rank has one digit per ghost, its cell, in a base that is the number of cells. The first
/// ghost is the most significant digit.
impl<const K: usize> Ranked for SubsetSpace<'_, K> {
    fn ranks(&self) -> Option<u64> {
        self.base.checked_pow(K as u32)
    }

    #[inline]
    fn rank(&self, state: u64) -> u64 {
        self.rank_of(unpack(state))
    }

    fn unrank(&self, mut rank: u64) -> u64 {
        (0..K).fold(0, |state, _| {
            let cell = rank % self.base;
            rank /= self.base;
            state << CELL_BITS | cell
        })
    }
}

/// A lower bound on the steps from the starts: the greatest distance of a ghost from its start.
/// Holds for each ghost the distance of every cell from its start.
#[derive(Debug)]
struct FarthestFromStart<'a, const K: usize>([&'a [u16]; K]);

impl<const K: usize> Heuristic<SubsetSpace<'_, K>> for FarthestFromStart<'_, K> {
    type Evaluation = u16;

    #[inline]
    fn evaluate(&self, state: u64) -> u16 {
        let cells: [CellIndex; K] = unpack(state);
        // Written as a loop over indices because a chain of iterators keeps the cells in memory
        // instead of registers, and more than half of the time is then spent waiting for loads.
        (0..K).fold(0, |farthest, ghost| farthest.max(self.0[ghost][cells[ghost] as usize]))
    }

    #[inline]
    fn bound(&self, farthest: u16) -> Option<u32> {
        (farthest != UNREACHABLE).then_some(farthest.into())
    }
}

type SubsetDatabase<'a, const K: usize> =
    ResumableDatabase<SubsetSpace<'a, K>, FarthestFromStart<'a, K>>;

fn database<'a, const K: usize>(
    single_agent: &'a SingleAgent,
    ghosts: [usize; K],
    memory: &Memory,
) -> Result<SubsetDatabase<'a, K>, OutOfMemory> {
    let start = pack(ghosts.map(|ghost| single_agent.starts()[ghost]));
    let goal = pack(ghosts.map(|ghost| single_agent.goals()[ghost]));
    let from_start = FarthestFromStart(ghosts.map(|ghost| single_agent.from_start(ghost)));
    let cells = single_agent.cells();
    let base = cells.len() as u64;
    ResumableDatabase::new(SubsetSpace { cells, base, start, goal }, from_start, memory)
}

/// A pattern database (Culberson and Schaeffer 1998) of two or three ghosts: the exact number of
/// steps from their cells to their goals, for the cells that [`extend`](Self::extend) has reached.
///
/// The search runs backward from the goals, is guided by the distances from the starts, and can be
/// resumed. A table of `n` cells takes `2 * n^k` bytes for `k` ghosts if `n^k` is at most
/// 4,194,304; a larger one takes memory for the generated states only.
#[derive(Debug)]
pub struct DistanceTable<'a> {
    ghosts: Vec<usize>,
    database: AnyDatabase<'a>,
}

#[derive(Debug)]
enum AnyDatabase<'a> {
    Pair(SubsetDatabase<'a, 2>),
    Triple(SubsetDatabase<'a, 3>),
}

impl<'a> DistanceTable<'a> {
    /// A table of two ghosts, without any distances yet.
    ///
    /// # Errors
    /// If `memory` does not suffice.
    pub fn of_two(
        single_agent: &'a SingleAgent,
        ghosts: [usize; 2],
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        let database = AnyDatabase::Pair(database(single_agent, ghosts, memory)?);
        Ok(Self { ghosts: ghosts.to_vec(), database })
    }

    /// A table of three ghosts, without any distances yet.
    ///
    /// # Errors
    /// If `memory` does not suffice.
    pub fn of_three(
        single_agent: &'a SingleAgent,
        ghosts: [usize; 3],
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        let database = AnyDatabase::Triple(database(single_agent, ghosts, memory)?);
        Ok(Self { ghosts: ghosts.to_vec(), database })
    }

    /// The ghosts of the table, in the order of the argument of [`distance`](Self::distance).
    pub fn ghosts(&self) -> &[usize] {
        &self.ghosts
    }

    /// Adds the distances of all states that a plan of at most `steps` steps from the starts can
    /// visit. Time is linear in the states that are added.
    ///
    /// # Errors
    /// If a limit of the budget stops the search. The table must not be used afterwards.
    pub fn extend(&mut self, steps: u32, meter: &mut Meter<'_>) -> Result<(), Limit> {
        match &mut self.database {
            AnyDatabase::Pair(database) => database.extend(steps, meter),
            AnyDatabase::Triple(database) => database.extend(steps, meter),
        }
    }

    /// The number of steps from the starts, if it is in the table.
    pub fn start_distance(&self) -> Option<u32> {
        match &self.database {
            AnyDatabase::Pair(database) => {
                database.distance(database.patterns().rank(database.patterns().start))
            }
            AnyDatabase::Triple(database) => {
                database.distance(database.patterns().rank(database.patterns().start))
            }
        }
    }

    /// A lower bound on [`start_distance`](Self::start_distance) while that is not in the table.
    /// `None` if the table is complete; a distance that it lacks is then infinite.
    pub fn least_unknown(&self) -> Option<u32> {
        match &self.database {
            AnyDatabase::Pair(database) => database.least_unknown(),
            AnyDatabase::Triple(database) => database.least_unknown(),
        }
    }

    /// The number of steps to the goals with ghost `i` of [`ghosts`](Self::ghosts) on `cell(i)`, if
    /// it is in the table.
    #[inline]
    pub fn distance(&self, cell: impl Fn(usize) -> CellIndex) -> Option<u32> {
        match &self.database {
            AnyDatabase::Pair(database) => {
                database.distance(database.patterns().rank_of([cell(0), cell(1)]))
            }
            AnyDatabase::Triple(database) => {
                database.distance(database.patterns().rank_of([cell(0), cell(1), cell(2)]))
            }
        }
    }
}
