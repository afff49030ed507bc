//! Threads that expand a layer together.
//!
//! The layer is cut into chunks, which the workers take one by one; what they meet they buffer up,
//! and enter buffer by buffer into one shared visited set. Whoever is first with a state has it in
//! its output of the next layer. So who has it depends on the race, but not what the next layer is,
//! nor any count.
//!
//! Where the visited set has no more room, a worker stops between two states with those that it has
//! generated in pending. When all have stopped, room is made, and they go on.

use std::cell::Cell;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::budget::{Budget, Limit, Meter};
use crate::memory::{Memory, OutOfMemory};
use crate::space::StateSpace;
use crate::stats::Stats;
use crate::visited::partition_buffers::PartitionBuffers;
use crate::visited::{BATCH, Shared, Visited};

/// Where the states of a layer come from, in chunks that can be asked for by any thread.
pub(crate) trait Chunks<S: StateSpace, V>: Sync {
    /// Whether each worker begins at a range of its own: neighbouring chunks lead to the same
    /// places, which are in its cache then. Else they keep together.
    const APART: bool;

    fn chunks(&self) -> usize;
    /// The states of a chunk, each with the move that led to it, if that is known. Asked for again
    /// where the visited set wanted room in the middle of it, and then the same.
    fn chunk<'a>(
        &'a self,
        visited: &'a V,
        chunk: usize,
    ) -> impl Iterator<Item = (S::State, Option<S::Move>)> + 'a;
}

/// Where a worker puts the states that were new.
pub(crate) trait WorkerOutput<S: StateSpace>: Send {
    fn new(memory: &Memory) -> Self;
    fn add(
        &mut self,
        states: impl ExactSizeIterator<Item = (S::State, S::Move)> + Clone,
    ) -> Result<(), OutOfMemory>;
    /// Gives back the memory that it keeps for states to come.
    fn give_back_unused(&mut self);
}

/// What a worker has generated and not yet entered.
pub(crate) struct PendingInserts<K, W, M> {
    /// By the part of the visited set that they belong to.
    partition_buffers: PartitionBuffers<(K, W, M)>,
    /// What a state led to after a buffer had found no room; not booked, as it is one state's
    /// successors at most.
    late: Vec<(K, W, M)>,
}

/// The pending of a worker for a set and a space.
type PendingInsertsOf<S, V> =
    PendingInserts<<V as Visited<S>>::Key, <S as StateSpace>::State, <S as StateSpace>::Move>;

/// A visited set, with what each worker has in pending for it.
pub(crate) struct VisitedWithPending<S: StateSpace, V: Shared<S>> {
    pub(crate) visited: V,
    pending: Vec<PendingInsertsOf<S, V>>,
}

impl<K: Copy, W: Copy, M: Copy> PendingInserts<K, W, M> {
    fn is_empty(&self) -> bool {
        self.partition_buffers.is_empty() && self.late.is_empty()
    }
}

/// So many states wait for one part of many. By two threads, 512 made the 3x4 tiles a twentieth
/// slower.
const BUFFER_CAPACITY: u16 = 1024;

/// The caller's thread, which leads, and as many helpers as make up the threads that were asked
/// for.
///
/// Where the leader was a new thread like the others, the system often put two of them on one
/// processor of two, for half of a search: the 2x5 tiles took 50 ms instead of 31.
pub(crate) struct WorkerPool {
    helpers: Option<ThreadPool>,
    /// What the leader took for a state of the last layer.
    nanoseconds_a_state: Cell<u64>,
}

/// No pool is larger, however many threads are asked for: each costs a stack, partition_buffers,
/// and a call a layer.
const MOST_THREADS: usize = 256;

/// A helper is called for each so much of work. All wait for each other at the end of a layer, and
/// a processor that is shared with other programs may take milliseconds to begin: on busy
/// processors, two threads called for each layer of 600 states took fifty times what one thread
/// takes for them.
const WORTH_A_CALL: Duration = Duration::from_micros(100);

/// What a state of the first layer takes, in nanoseconds: as much as one of tiles.
const FIRST_GUESS: u64 = 30;

impl WorkerPool {
    /// If the system refuses the helpers, the caller's thread is alone.
    pub(crate) fn of(threads: NonZero<usize>) -> Self {
        let pool = |helpers| ThreadPoolBuilder::new().num_threads(helpers).build().ok();
        let helpers = threads.get().min(MOST_THREADS) - 1;
        let helpers = Some(helpers).filter(|&helpers| helpers > 0).and_then(pool);
        Self { helpers, nanoseconds_a_state: Cell::new(FIRST_GUESS) }
    }

    fn threads(&self) -> usize {
        1 + self.helpers.as_ref().map_or(0, ThreadPool::current_num_threads)
    }

    /// Empty outputs, one for each thread.
    pub(crate) fn outputs<S: StateSpace, T: WorkerOutput<S>>(&self, memory: &Memory) -> Vec<T> {
        (0..self.threads()).map(|_| T::new(memory)).collect()
    }

    /// A visited set with empty pending, one for each thread.
    pub(crate) fn with_pending<S: StateSpace, V: Shared<S>>(
        &self,
        visited: V,
        memory: &Memory,
    ) -> Result<VisitedWithPending<S, V>, OutOfMemory> {
        let parts = visited.parts();
        let mut capacity = if parts == 1 { BATCH as u16 } else { BUFFER_CAPACITY };
        // Lower partition_buffers make it slower; partition_buffers that leave no memory to the set
        // end it.
        let item = size_of::<(V::Key, S::State, S::Move)>();
        let bytes = |capacity: u16| (self.threads() * parts * item) as u64 * u64::from(capacity);
        while capacity > 4 && bytes(capacity) > memory.limit_bytes() / 8 {
            capacity /= 2;
        }
        let pending = |_| {
            Ok(PendingInserts {
                partition_buffers: PartitionBuffers::new(parts, capacity, memory)?,
                late: Vec::new(),
            })
        };
        let pending = (0..self.threads()).map(pending).collect::<Result<_, _>>()?;
        Ok(VisitedWithPending { visited, pending })
    }

    /// How many helpers have something to do for so many states.
    fn worth_calling(&self, states: u64) -> usize {
        (self.nanoseconds_a_state.get().saturating_mul(states) / WORTH_A_CALL.as_nanos() as u64)
            as usize
    }

    /// Does the leader's output of the work, and notes what a state takes.
    fn lead<S: StateSpace, V: Shared<S>, T: WorkerOutput<S>, C: Chunks<S, V>>(
        &self,
        leader: &mut Worker<'_, S, V, T>,
        work: &Work<'_, S, V, C>,
    ) {
        let (begin, before) = (Instant::now(), leader.counts.expanded);
        leader.run(work);
        if let Some(nanoseconds) =
            (begin.elapsed().as_nanos() as u64).checked_div(leader.counts.expanded - before)
        {
            self.nanoseconds_a_state.set(nanoseconds);
        }
    }

    /// Expands all states of the chunks, of which there are so many, into the outputs of the next
    /// layer. If not all of them may be expanded, none is: which ones a race would decide.
    pub(crate) fn expand<S: StateSpace, V: Shared<S>, T: WorkerOutput<S>, C: Chunks<S, V>>(
        &self,
        space: &S,
        chunks: &C,
        states: u64,
        VisitedWithPending { visited, pending }: &mut VisitedWithPending<S, V>,
        outputs: &mut [T],
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit> {
        if meter.states_left() < states {
            return Err(Limit::States);
        }
        let budget = meter.budget().clone();
        // The pending of those that are not called are empty, and stay so.
        let called = self
            .worth_calling(states)
            .min(chunks.chunks().saturating_sub(1))
            .min(pending.len() - 1);
        let chunks_left = ChunkQueue::new(chunks.chunks(), if C::APART { 1 + called } else { 1 });
        let stop = AtomicBool::new(false);
        let both = pending.iter_mut().zip(outputs).enumerate();
        let mut workers: Vec<_> = both
            .map(|(number, (pending, output))| Worker::<S, V, T>::new(number, pending, output))
            .collect();
        let end = loop {
            let (pool, visited_by_all) = (workers.len(), &*visited);
            let (budget, chunks_left, stop) = (&budget, &chunks_left, &stop);
            let work =
                Work { space, chunks, visited: visited_by_all, pool, budget, chunks_left, stop };
            let barrier = LayerBarrier { workers: AtomicUsize::new(1 + called), stop };
            match (&self.helpers, workers.split_first_mut()) {
                (Some(helpers), Some((first, others))) if called > 0 => {
                    helpers.in_place_scope(|scope| {
                        let called = others.iter_mut().take(called);
                        called.for_each(|worker| {
                            scope.spawn(|_| barrier.together(|| worker.run(&work)))
                        });
                        barrier.together(|| self.lead(first, &work));
                    })
                }
                (_, Some((first, _))) => self.lead(first, &work),
                (_, None) => {}
            }
            if let Some(limit) = workers.iter().find_map(|worker| worker.end.err()) {
                break Err(limit);
            }
            if workers.iter().all(|worker| worker.pending.is_empty()) {
                break Ok(());
            }
            let room = make_room(visited, &mut workers).or_else(|_| {
                workers.iter_mut().for_each(|worker| worker.output.give_back_unused());
                make_room(visited, &mut workers)
            });
            if let Err(out) = room {
                break Err(out.into());
            }
        };
        workers.iter().for_each(|worker| meter.add(worker.counts));
        end
    }
}

/// Makes room for all that the workers have in pending, in the parts where it belongs.
fn make_room<S: StateSpace, V: Shared<S>, T>(
    visited: &mut V,
    workers: &mut [Worker<'_, S, V, T>],
) -> Result<(), OutOfMemory> {
    let mut states = vec![0; visited.parts()];
    for Worker { pending, .. } in workers {
        (0..pending.partition_buffers.len())
            .for_each(|part| states[part] += pending.partition_buffers.buffer(part).len());
        pending.late.iter().for_each(|&(key, ..)| states[visited.part(key)] += 1);
    }
    let mut waiting = states.into_iter().enumerate().filter(|&(_, states)| states > 0);
    waiting.try_for_each(|(part, states)| visited.make_room_in(part, states))
}

/// So long a worker that is done stays awake for the next layer: some times what a chunk takes.
const AWAKE: Duration = Duration::from_micros(300);

/// Those who expand a layer together.
struct LayerBarrier<'a> {
    /// How many are not done.
    workers: AtomicUsize,
    stop: &'a AtomicBool,
}

impl LayerBarrier<'_> {
    /// Does a worker's work, and stays awake until all are done, or for some time: a thread that
    /// sleeps is late for the next layer. No longer than that, for it may have been called by
    /// another worker's thread in the middle of that one's work, if the space asks the pool for
    /// something.
    fn together(&self, work: impl FnOnce()) {
        /// A worker that panics is done, too, and with it all others.
        struct Done<'a>(&'a LayerBarrier<'a>);
        impl Drop for Done<'_> {
            fn drop(&mut self) {
                if std::thread::panicking() {
                    self.0.stop.store(true, Ordering::Relaxed);
                }
                self.0.workers.fetch_sub(1, Ordering::Relaxed);
            }
        }
        let done = Done(self);
        work();
        drop(done);
        let begin = Instant::now();
        while self.workers.load(Ordering::Relaxed) > 0 && begin.elapsed() < AWAKE {
            std::thread::yield_now();
        }
    }
}

/// The numbers of chunks, in ranges of about the same length.
struct ChunkQueue(Vec<ChunkRange>);

struct ChunkRange {
    next: AtomicUsize,
    end: usize,
}

impl ChunkQueue {
    fn new(chunks: usize, ranges: usize) -> Self {
        let begin = |range: usize| chunks * range / ranges;
        let range =
            |number| ChunkRange { next: AtomicUsize::new(begin(number)), end: begin(number + 1) };
        Self((0..ranges).map(range).collect())
    }

    /// The next chunk of the worker's own range, or else of the ranges that follow.
    fn take(&self, worker: usize) -> Option<usize> {
        let own = worker % self.0.len();
        let next = |range: &ChunkRange| {
            Some(range.next.fetch_add(1, Ordering::Relaxed)).filter(|&chunk| chunk < range.end)
        };
        self.0[own..].iter().chain(&self.0[..own]).find_map(next)
    }
}

/// What all workers see.
struct Work<'a, S, V, C> {
    space: &'a S,
    chunks: &'a C,
    visited: &'a V,
    /// How many workers.
    pool: usize,
    budget: &'a Budget,
    chunks_left: &'a ChunkQueue,
    stop: &'a AtomicBool,
}

struct Worker<'a, S: StateSpace, V: Shared<S>, T> {
    number: usize,
    pending: &'a mut PendingInsertsOf<S, V>,
    /// The chunk that was left for want of room, and how many of its states were expanded.
    left: Option<(usize, usize)>,
    output: &'a mut T,
    counts: Stats,
    end: Result<(), Limit>,
}

impl<'a, S: StateSpace, V: Shared<S>, T: WorkerOutput<S>> Worker<'a, S, V, T> {
    fn new(number: usize, pending: &'a mut PendingInsertsOf<S, V>, output: &'a mut T) -> Self {
        Self { number, pending, left: None, output, counts: Stats::default(), end: Ok(()) }
    }

    /// Expands chunks until there are no more, or no room, or a limit.
    fn run<C: Chunks<S, V>>(&mut self, work: &Work<'_, S, V, C>) {
        // What was left from the last time.
        if !self.flush_all(work) {
            return;
        }
        while let Some((chunk, expanded)) = self.next(work) {
            if let Err(limit) = work.budget.check() {
                return self.give_up(limit, work);
            }
            for (index, (state, last)) in
                work.chunks.chunk(work.visited, chunk).enumerate().skip(expanded)
            {
                if !self.expand(state, last, work) {
                    self.left = Some((chunk, index + 1));
                    return;
                }
            }
        }
        self.flush_all(work);
    }

    fn next<C: Chunks<S, V>>(&mut self, work: &Work<'_, S, V, C>) -> Option<(usize, usize)> {
        if work.stop.load(Ordering::Relaxed) {
            return None;
        }
        self.left.take().or_else(|| Some((work.chunks_left.take(self.number)?, 0)))
    }

    /// Whether to go on.
    #[inline]
    fn expand<C>(
        &mut self,
        state: S::State,
        last: Option<S::Move>,
        work: &Work<'_, S, V, C>,
    ) -> bool {
        self.counts.expanded += 1;
        let mut go_on = true;
        let _ = work.space.successors::<()>(state, last, |by, next| {
            self.counts.generated += 1;
            let key = V::key(work.space, next);
            work.visited.prefetch(key);
            if go_on {
                let part = work.visited.part(key);
                if self.pending.partition_buffers.push(part, (key, next, by)) {
                    go_on = self.flush(part, work);
                }
            } else {
                self.pending.late.push((key, next, by));
            }
            ControlFlow::Continue(())
        });
        go_on
    }

    /// Enters a buffer, and adds those that were new to the output. Whether to go on; if not, the
    /// buffer is as it was, or all is over.
    #[inline(never)]
    fn flush<C>(&mut self, part: usize, work: &Work<'_, S, V, C>) -> bool {
        let buffer = self.pending.partition_buffers.buffer(part);
        let generated = buffer.len();
        let Some(new) = work.visited.insert_batch(buffer) else { return false };
        self.counts.duplicates += (generated - new) as u64;
        let added = self.output.add(buffer[..new].iter().map(|&(_, state, by)| (state, by)));
        self.pending.partition_buffers.clear(part);
        if let Err(out) = added {
            self.give_up(out.into(), work);
        }
        added.is_ok()
    }

    /// Enters all that waits. Each worker begins elsewhere, lest they meet at every lock.
    fn flush_all<C>(&mut self, work: &Work<'_, S, V, C>) -> bool {
        let parts = self.pending.partition_buffers.len();
        let first = self.number * parts / work.pool;
        for part in (first..parts).chain(0..first) {
            if !self.pending.partition_buffers.buffer(part).is_empty() && !self.flush(part, work) {
                return false;
            }
        }
        while let Some((key, state, by)) = self.pending.late.pop() {
            let part = work.visited.part(key);
            if self.pending.partition_buffers.push(part, (key, state, by))
                && !self.flush(part, work)
            {
                return false;
            }
        }
        true
    }

    fn give_up<C>(&mut self, limit: Limit, work: &Work<'_, S, V, C>) {
        self.end = Err(limit);
        work.stop.store(true, Ordering::Relaxed);
    }
}
