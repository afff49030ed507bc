//! A byte for each pattern.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use crate::budget::{Budget, Limit, Meter};
use crate::memory::{Memory, OutOfMemory, Reservation, SegmentedVec, reserved_vec};
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

/// The patterns that are one move from others.
#[derive(Default)]
struct Neighbours {
    /// By a move that counts.
    counted: Vec<u64>,
    /// By a move that does not.
    free: Vec<u64>,
}

/// Appends the patterns from which a move leads to these.
type Expand<'f> = &'f (dyn Fn(&[u64], &mut Neighbours) + Sync);

impl Database {
    /// Computes all distances. The initial states of the pattern space do not matter. Not every rank
    /// needs a pattern: a byte is lost for one that has none.
    ///
    /// # Errors
    /// [`Limit::Encoding`] if a distance exceeds 254, or if the number of ranks does not fit a
    /// `u64`; otherwise a limit of the budget.
    pub fn new<P>(patterns: &P, budget: &Budget) -> Result<Self, Limit>
    where
        P: Ranked + Goals + Predecessors,
    {
        Self::search(patterns, budget, &|ranks, found| {
            for &rank in ranks {
                let _ = patterns.predecessors::<Infallible>(patterns.unrank(rank), |before| {
                    found.counted.push(patterns.rank(before));
                    ControlFlow::Continue(())
                });
            }
        })
    }

    /// The same if some moves do not count: those for which `counts` is false cost 0. Every move
    /// must be undone by a move that costs as much.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_costs<P>(
        patterns: &P,
        counts: impl Fn(P::Move) -> bool + Sync,
        budget: &Budget,
    ) -> Result<Self, Limit>
    where
        P: Ranked + Goals + Predecessors,
    {
        const { assert!(P::UNDIRECTED, "moves that cost 0 must be undone by moves that cost 0") };
        Self::search(patterns, budget, &|ranks, found| {
            for &rank in ranks {
                let state = patterns.unrank(rank);
                let _ = patterns.successors::<Infallible>(state, None, |by, next| {
                    let list = if counts(by) { &mut found.counted } else { &mut found.free };
                    list.push(patterns.rank(next));
                    ControlFlow::Continue(())
                });
            }
        })
    }

    fn search<P: Ranked + Goals>(
        patterns: &P,
        budget: &Budget,
        expand: Expand<'_>,
    ) -> Result<Self, Limit> {
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
        database.fill(goals, expand, budget)?;
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
        expand: Expand<'_>,
        budget: &Budget,
    ) -> Result<(), Limit> {
        let mut meter = budget.meter();
        let pool = WorkerPool::new(budget.threads());
        let mut layer = vec![goals];
        for distance in 0..UNKNOWN {
            // A round expands the patterns to which moves that do not count led in the one before.
            let mut round = std::mem::take(&mut layer);
            while round.iter().any(|list| !list.is_empty()) {
                let (free, next) = self.expand(&round, distance, expand, &pool, &mut meter)?;
                round = free;
                layer.extend(next);
            }
            if layer.is_empty() {
                break;
            }
            meter.set_depth(u32::from(distance) + 1);
        }
        // No byte is left for the distance of these.
        let is_unknown = |rank: u64| self.byte(rank) == UNKNOWN;
        let fits = !layer.iter().flat_map(SegmentedVec::iter).any(is_unknown);
        if fits { Ok(()) } else { Err(Limit::Encoding) }
    }

    /// Expands patterns of a distance on all threads. Returns lists of patterns of the same
    /// distance, and of the next one.
    fn expand<'m>(
        &self,
        patterns: &[SegmentedVec<u64>],
        distance: u8,
        expand: Expand<'_>,
        pool: &WorkerPool,
        meter: &mut Meter<'m>,
    ) -> Result<(Lists, Lists), Limit> {
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
            found: Neighbours::default(),
            free: new_list(),
            next: new_list(),
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
        let (mut free, mut next, mut result) = (Vec::new(), Vec::new(), Ok(()));
        for worker in workers {
            result = result.and(worker.result);
            meter.absorb(worker.meter);
            free.push(worker.free);
            next.extend(Some(worker.next).filter(|list| !list.is_empty()));
        }
        result.map(|()| (free, next))
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
    found: Neighbours,
    /// Patterns of the same distance.
    free: SegmentedVec<u64>,
    /// Patterns of the next distance.
    next: SegmentedVec<u64>,
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
        let Self { meter, found, free, next, .. } = self;
        // A pattern may have been found at a lesser distance after it was listed.
        let is_current = |rank: &&u64| database.byte(**rank) == distance;
        let mut current = [0; BLOCK];
        let places = current.iter_mut().zip(block.iter().filter(is_current));
        let count = places.map(|(place, &rank)| *place = rank).count();
        expand(&current[..count], found);
        meter.expanded(count as u64);
        for (index, &rank) in found.counted.iter().enumerate() {
            database.read_ahead(&found.counted, index);
            // The last distance has no next one: then the pattern stays unknown.
            if database.lower(rank, distance + 1) || distance + 1 == UNKNOWN {
                next.push(rank)?;
            }
        }
        for (index, &rank) in found.free.iter().enumerate() {
            database.read_ahead(&found.free, index);
            if database.lower(rank, distance) {
                free.push(rank)?;
            }
        }
        let generated = found.counted.len() + found.free.len();
        found.counted.clear();
        found.free.clear();
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
