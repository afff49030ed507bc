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
///   layers.
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
    /// Computes all distances.
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
        let mut goals = Vec::new();
        patterns.goals(|goal| goals.push(patterns.rank(goal)));
        database.fill(&goals, expand, budget)?;
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
    fn fill(&self, goals: &[u64], expand: Expand<'_>, budget: &Budget) -> Result<(), Limit> {
        let memory = budget.memory();
        let mut meter = budget.meter();
        let pool = WorkerPool::new(budget.threads());
        let mut first = SegmentedVec::new(memory);
        for &goal in goals {
            if self.lower(goal, 0) {
                first.push(goal)?;
            }
        }
        let mut layer = vec![first];
        for distance in 0..UNKNOWN {
            let blocks: Vec<&[u64]> = layer
                .iter()
                .flat_map(SegmentedVec::slices)
                .flat_map(|slice| slice.chunks(BLOCK))
                .collect();
            if blocks.is_empty() {
                break;
            }
            let patterns = layer.iter().map(SegmentedVec::len).sum::<usize>() as u64;
            if meter.states_left() < patterns {
                return Err(Limit::States);
            }
            let queue = ChunkQueue::new(blocks.len(), 1);
            let stop = AtomicBool::new(false);
            let worker = |_| Worker {
                meter: meter.for_worker(),
                found: Neighbours::default(),
                free: Vec::new(),
                next: SegmentedVec::new(memory),
                result: Ok(()),
            };
            let mut workers: Vec<_> = (0..pool.worthwhile(patterns)).map(worker).collect();
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
            drop(blocks);
            let mut result = Ok(());
            layer.clear();
            for worker in workers {
                result = result.and(worker.result);
                meter.absorb(worker.meter);
                layer.push(worker.next);
            }
            result?;
            meter.set_depth(u32::from(distance) + 1);
        }
        Ok(())
    }
}

/// How many patterns are expanded together: enough to read ahead in the table.
const BLOCK: usize = 256;

/// How many patterns ahead a byte is read.
const READ_AHEAD: usize = 16;

/// A thread that expands the patterns of a distance.
struct Worker<'m> {
    meter: Meter<'m>,
    found: Neighbours,
    /// Patterns of the same distance that are not expanded yet.
    free: Vec<u64>,
    /// Patterns of the next distance.
    next: SegmentedVec<u64>,
    result: Result<(), Limit>,
}

impl Worker<'_> {
    /// Expands patterns, and those that moves which do not count lead to.
    fn expand(
        &mut self,
        database: &Database,
        block: &[u64],
        distance: u8,
        expand: Expand<'_>,
    ) -> Result<(), Limit> {
        let Self { meter, found, free, next, .. } = self;
        // A pattern may have been found at a lesser distance after it was listed.
        free.extend(block.iter().filter(|&&rank| database.byte(rank) == distance));
        while !free.is_empty() {
            let first = free.len().saturating_sub(BLOCK);
            expand(&free[first..], found);
            meter.expanded((free.len() - first) as u64);
            free.truncate(first);
            let generated = found.counted.len() + found.free.len();
            let is_unknown = |&rank: &u64| database.byte(rank) == UNKNOWN;
            if distance + 1 == UNKNOWN && found.counted.iter().any(is_unknown) {
                return Err(Limit::Encoding);
            }
            for (index, &rank) in found.counted.iter().enumerate() {
                database.read_ahead(&found.counted, index);
                if database.lower(rank, distance + 1) {
                    next.push(rank)?;
                }
            }
            for (index, &rank) in found.free.iter().enumerate() {
                database.read_ahead(&found.free, index);
                if database.lower(rank, distance) {
                    free.push(rank);
                }
            }
            found.counted.clear();
            found.free.clear();
            meter.generated(generated as u64)?;
        }
        Ok(())
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
