//! A byte for each pattern.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::iter::repeat_with;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use crate::budget::{Budget, Limit, Meter};
use crate::memory::{Memory, OutOfMemory, Reservation, SegmentedVec, reserved_vec};
use crate::space::cost::CostRange;
use crate::space::{Goals, Predecessors, Ranked};
use crate::visited::prefetch::prefetch;
use crate::worker_pool::{ChunkQueue, WorkerPool};

/// The distance of every pattern to the goals of its space, by rank.
///
/// - **Memory.** A byte for each rank, and, while it is computed, 8 bytes for each pattern of two
///   distances.
/// - **Time.** One expansion for each pattern that reaches a goal, divided among the
///   [threads](Budget::with_threads) of the budget. A look-up reads one byte.
///
/// It can be [saved](Self::write) and [loaded](Self::read).
#[derive(Debug)]
pub struct Database {
    /// Atomic, since threads lower them together.
    distances: Vec<AtomicU8>,
    _held: Reservation,
}

/// The distance of a pattern that reaches no goal.
pub(super) const UNKNOWN: u8 = u8::MAX;

/// Appends the patterns from which a move leads to these, to a list for each cost.
type Expand<'f> = &'f (dyn Fn(&[u64], &mut [Vec<u64>]) + Sync);

impl Database {
    /// Computes all distances, by what moves [cost](crate::space::cost): where they cost 0 or 1,
    /// only those of cost 1 count. The initial states of the pattern space do not matter. Not every
    /// rank needs a pattern: a byte is lost for one that has none.
    ///
    /// # Errors
    /// [`Limit::Encoding`] if a distance or a cost exceeds 254, or if the number of ranks does not
    /// fit a `u64`; otherwise a limit of the budget.
    pub fn new<P>(patterns: &P, budget: &Budget) -> Result<Self, Limit>
    where
        P: Ranked + Goals + Predecessors,
    {
        let costs = CostRange::of(patterns);
        let greatest = costs.greatest() as usize;
        if greatest >= UNKNOWN.into() {
            return Err(Limit::Encoding);
        }
        let ranks = usize::try_from(patterns.ranks().ok_or(Limit::Encoding)?);
        let database = Self::unknown(ranks.map_err(|_| OutOfMemory)?, budget.memory())?;
        let (mut goals, mut pushed) = (SegmentedVec::new(budget.memory()), Ok(()));
        patterns.goals(|goal| {
            let rank = patterns.rank(goal);
            if pushed.is_ok() && database.lower(rank, 0) {
                pushed = goals.push(rank);
            }
        });
        pushed?;
        let expand = |ranks: &[u64], found: &mut [Vec<u64>]| {
            for &rank in ranks {
                let pattern = patterns.unrank(rank);
                let ControlFlow::Continue(()) = if const { P::COSTS.are_unit() } {
                    patterns.predecessors::<Infallible>(pattern, |before| {
                        found[1].push(patterns.rank(before));
                        ControlFlow::Continue(())
                    })
                } else {
                    patterns.predecessors_with_costs::<Infallible>(pattern, |cost, before| {
                        costs.check(cost);
                        found[cost as usize].push(patterns.rank(before));
                        ControlFlow::Continue(())
                    })
                };
            }
        };
        database.fill(goals, greatest, &expand, budget)?;
        Ok(database)
    }

    pub(super) fn unknown(ranks: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        let (mut distances, held) = reserved_vec(ranks, memory)?;
        distances.resize_with(ranks, || AtomicU8::new(UNKNOWN));
        Ok(Self { distances, _held: held })
    }

    pub(super) fn distances(&self) -> &[AtomicU8] {
        &self.distances
    }

    pub(super) fn distances_mut(&mut self) -> &mut [AtomicU8] {
        &mut self.distances
    }

    /// The number of ranks.
    pub fn ranks(&self) -> u64 {
        self.distances.len() as u64
    }

    /// The distance of the pattern with this rank; `None` if no goal is reached from it, or if no
    /// pattern has this rank.
    ///
    /// # Panics
    /// If `rank` is not one of the ranks.
    #[inline]
    pub fn distance(&self, rank: u64) -> Option<u32> {
        Some(self.byte(rank)).filter(|&byte| byte != UNKNOWN).map(u32::from)
    }

    #[inline(always)]
    pub(super) fn byte(&self, rank: u64) -> u8 {
        self.distances[rank as usize].load(Ordering::Relaxed)
    }

    /// Each rank with a distance, and the distance.
    pub fn known(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        (0..self.ranks()).filter_map(|rank| Some((rank, self.distance(rank)?)))
    }

    /// A smaller table that keeps less of each pattern: the least distance of the patterns with the
    /// same number `kept(rank)` below `ranks`. Where a pattern of tiles has the cell of the blank,
    /// for example, all cells of the blank may become one. Its distances may not be
    /// [consistent](crate::heuristic::Heuristic).
    ///
    /// # Errors
    /// [`OutOfMemory`] if `ranks` bytes do not fit.
    ///
    /// # Panics
    /// If a number is not below `ranks`.
    pub fn least_by(
        &self,
        ranks: u64,
        kept: impl Fn(u64) -> u64,
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        let mut smaller = Self::unknown(usize::try_from(ranks).map_err(|_| OutOfMemory)?, memory)?;
        for (rank, distance) in (0..).zip(&self.distances) {
            let distance = distance.load(Ordering::Relaxed);
            if distance != UNKNOWN {
                let least = smaller.distances[kept(rank) as usize].get_mut();
                *least = distance.min(*least);
            }
        }
        Ok(smaller)
    }

    /// Lowers the distance of a pattern, and returns whether it was greater.
    #[inline(always)]
    fn lower(&self, rank: u64, distance: u8) -> bool {
        let known = &self.distances[rank as usize];
        // Most patterns are known, and a load costs less than an exchange.
        known.load(Ordering::Relaxed) > distance
            && known.fetch_min(distance, Ordering::Relaxed) > distance
    }

    /// Fills the table from the goals, one distance after the other.
    fn fill(
        &self,
        goals: SegmentedVec<u64>,
        greatest_cost: usize,
        expand: Expand<'_>,
        budget: &Budget,
    ) -> Result<(), Limit> {
        let mut meter = budget.meter();
        let pool = WorkerPool::new(budget.threads());
        // The patterns of the current distance and of the next ones.
        let mut waiting = VecDeque::from([vec![goals]]);
        for distance in 0..UNKNOWN {
            waiting.resize_with(greatest_cost + 1, Vec::new);
            // A round expands the patterns to which moves of cost 0 led in the one before.
            while waiting[0].iter().any(|list| !list.is_empty()) {
                let round = std::mem::take(&mut waiting[0]);
                let found =
                    self.expand(&round, distance, waiting.len(), expand, &pool, &mut meter)?;
                for (lists, found) in waiting.iter_mut().zip(found) {
                    lists.extend(found);
                }
            }
            waiting.pop_front();
            if waiting.iter().all(Vec::is_empty) {
                break;
            }
            meter.set_depth(u32::from(distance) + 1);
        }
        // No byte is left for the distance of these.
        let is_unknown = |rank: u64| self.byte(rank) == UNKNOWN;
        let fits = !waiting.iter().flatten().flat_map(SegmentedVec::iter).any(is_unknown);
        if fits { Ok(()) } else { Err(Limit::Encoding) }
    }

    /// Expands patterns of a distance on all threads. Returns lists of patterns for each cost of
    /// the moves that lead to them.
    fn expand<'m>(
        &self,
        patterns: &[SegmentedVec<u64>],
        distance: u8,
        costs: usize,
        expand: Expand<'_>,
        pool: &WorkerPool,
        meter: &mut Meter<'m>,
    ) -> Result<Vec<Lists>, Limit> {
        let slices = patterns.iter().flat_map(SegmentedVec::slices);
        let blocks: Vec<&[u64]> = slices.flat_map(|slice| slice.chunks(BLOCK)).collect();
        let count = patterns.iter().map(SegmentedVec::len).sum::<usize>() as u64;
        if meter.states_left() < count {
            return Err(Limit::States);
        }
        let (queue, stop) = (ChunkQueue::new(blocks.len(), 1), AtomicBool::new(false));
        let new_list = || SegmentedVec::new(meter.memory());
        let worker = |_| Worker {
            meter: meter.for_worker(),
            found: vec![Vec::new(); costs],
            next: repeat_with(new_list).take(costs).collect(),
            result: Ok(()),
        };
        let mut workers: Vec<Worker<'m>> = (0..pool.worthwhile(count)).map(worker).collect();
        pool.run(&mut workers, &stop, |worker| {
            while !stop.load(Ordering::Relaxed)
                && let Some(index) = queue.take(0)
            {
                worker.result = worker.expand(self, blocks[index], distance, expand);
                if worker.result.is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            worker.meter.stats().expanded
        });
        let (mut found, mut result) = (Vec::new(), Ok(()));
        found.resize_with(costs, Lists::new);
        for worker in workers {
            result = result.and(worker.result);
            meter.absorb(worker.meter);
            for (lists, list) in found.iter_mut().zip(worker.next) {
                lists.extend(Some(list).filter(|list| !list.is_empty()));
            }
        }
        result.map(|()| found)
    }
}

type Lists = Vec<SegmentedVec<u64>>;

/// How many patterns are expanded together: enough to read ahead in the table.
const BLOCK: usize = 256;

/// How many patterns ahead a byte is read.
const READ_AHEAD: usize = 16;

/// A thread that expands patterns of a distance.
struct Worker<'m> {
    meter: Meter<'m>,
    /// For each cost the patterns that were generated, and those whose distance is lowered by it.
    found: Vec<Vec<u64>>,
    next: Vec<SegmentedVec<u64>>,
    result: Result<(), Limit>,
}

impl Worker<'_> {
    fn expand(
        &mut self,
        database: &Database,
        block: &[u64],
        distance: u8,
        expand: Expand<'_>,
    ) -> Result<(), Limit> {
        let Self { meter, found, next, .. } = self;
        // A pattern may have been found at a lesser distance after it was listed.
        let is_current = |rank: &&u64| database.byte(**rank) == distance;
        let mut current = [0; BLOCK];
        let places = current.iter_mut().zip(block.iter().filter(is_current));
        let count = places.map(|(place, &rank)| *place = rank).count();
        expand(&current[..count], found);
        meter.expanded(count as u64);
        let mut generated = 0;
        for (cost, (found, next)) in (0..=UNKNOWN).zip(found.iter_mut().zip(next)) {
            let reached = distance.saturating_add(cost);
            for (index, &rank) in found.iter().enumerate() {
                database.read_ahead(found, index);
                // There is no byte for such a distance: the pattern stays unknown.
                if database.lower(rank, reached) || reached == UNKNOWN {
                    next.push(rank)?;
                }
            }
            generated += found.len();
            found.clear();
        }
        meter.generated(generated as u64)
    }
}

impl Database {
    #[inline(always)]
    fn read_ahead(&self, ranks: &[u64], index: usize) {
        if let Some(byte) =
            ranks.get(index + READ_AHEAD).and_then(|&rank| self.distances.get(rank as usize))
        {
            prefetch(byte);
        }
    }
}
