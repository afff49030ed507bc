//! Threads that expand a layer together.
//!
//! The layer is divided into chunks, which the workers take one by one. A worker collects the
//! states that it generates in buffers, one for each partition of the visited set, and inserts a
//! full buffer into the visited set that all workers share. The worker that inserts a state first
//! adds it to its output, which is a part of the next layer. Timing decides which worker that is,
//! but neither the next layer nor any count depends on it.
//!
//! If the visited set has no room for a buffer, the worker stops after the current state and keeps
//! its generated states as pending inserts. When all workers have stopped, the leader makes room,
//! and the workers continue.

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
use crate::visited::{BATCH, ConcurrentVisited, Visited};

/// A source of the states of a layer, in chunks that any thread can request.
pub(crate) trait Chunks<S: StateSpace, V>: Sync {
    /// Whether each worker starts with its own range of chunks. That is faster if the successors of
    /// neighbouring chunks are close together in the visited set, so that they are in the worker's
    /// cache. Otherwise all workers take chunks from one range.
    const SEPARATE_RANGES: bool;

    /// The number of chunks.
    fn chunk_count(&self) -> usize;

    /// The states of a chunk, each with the move that led to it, if the move is stored. If the
    /// visited set had no room in the middle of a chunk, the same chunk is requested again and must
    /// have the same states.
    fn chunk<'a>(
        &'a self,
        visited: &'a V,
        chunk: usize,
    ) -> impl Iterator<Item = (S::State, Option<S::Move>)> + 'a;
}

/// The destination of the new states of one worker.
pub(crate) trait WorkerOutput<S: StateSpace>: Send {
    /// An empty output.
    fn create(memory: &Memory) -> Self;

    /// Adds states, each with the move that led to it.
    fn add_new(
        &mut self,
        states: impl ExactSizeIterator<Item = (S::State, S::Move)> + Clone,
    ) -> Result<(), OutOfMemory>;

    /// Returns unused memory to the budget.
    fn trim(&mut self);
}

/// The states that a worker has generated and not inserted yet.
pub(crate) struct PendingInserts<K, W, M> {
    /// The states by their partition of the visited set.
    partition_buffers: PartitionBuffers<(K, W, M)>,
    /// The remaining successors of a state after the visited set had no room. Not reserved from the
    /// budget, because these are the successors of one state at most.
    overflow: Vec<(K, W, M)>,
}

/// [`PendingInserts`] for a space `S` and a visited set `V`.
type PendingInsertsOf<S, V> =
    PendingInserts<<V as Visited<S>>::Key, <S as StateSpace>::State, <S as StateSpace>::Move>;

/// A visited set with the pending inserts of each worker.
pub(crate) struct VisitedWithPending<S: StateSpace, V: ConcurrentVisited<S>> {
    pub(crate) visited: V,
    pending: Vec<PendingInsertsOf<S, V>>,
}

impl<K: Copy, W: Copy, M: Copy> PendingInserts<K, W, M> {
    fn is_empty(&self) -> bool {
        self.partition_buffers.is_empty() && self.overflow.is_empty()
    }
}

/// The capacity of a partition buffer, in states, if there are several partitions. With two
/// threads, a capacity of 512 made the 3x4 tiles 5 % slower.
const BUFFER_CAPACITY: u16 = 1024;

/// The calling thread, which is the leader, and the helper threads.
///
/// The leader is the calling thread, not a new one. With a new thread, the system often put both
/// threads on one processor for half of a search (2x5 tiles: 50 ms instead of 31).
pub(crate) struct WorkerPool {
    helpers: Option<ThreadPool>,
    /// The leader's time for one state of the last layer, in nanoseconds.
    nanoseconds_per_state: Cell<u64>,
}

/// The maximum number of threads of a pool. Each costs a stack, partition buffers, and a call per
/// layer.
const MAX_THREADS: usize = 256;

/// The least estimated work that justifies one more helper. All threads wait for each other at the
/// end of a layer, and a processor that is shared with other programs may take milliseconds to
/// start a thread: on busy processors, two threads for each layer of 600 states took fifty times as
/// long as one.
const MIN_WORK_PER_HELPER: Duration = Duration::from_micros(100);

/// The initial estimate of the time per state, in nanoseconds, measured on the tiles.
const INITIAL_NANOSECONDS_PER_STATE: u64 = 30;

impl WorkerPool {
    /// A pool of `threads` threads, the calling thread included. If the system refuses to start the
    /// helpers, the calling thread works alone.
    pub(crate) fn new(threads: NonZero<usize>) -> Self {
        let pool = |helpers| ThreadPoolBuilder::new().num_threads(helpers).build().ok();
        let helpers = threads.get().min(MAX_THREADS) - 1;
        let helpers = Some(helpers).filter(|&helpers| helpers > 0).and_then(pool);
        Self { helpers, nanoseconds_per_state: Cell::new(INITIAL_NANOSECONDS_PER_STATE) }
    }

    fn threads(&self) -> usize {
        1 + self.helpers.as_ref().map_or(0, ThreadPool::current_num_threads)
    }

    /// Empty outputs, one per thread.
    pub(crate) fn outputs<S: StateSpace, T: WorkerOutput<S>>(&self, memory: &Memory) -> Vec<T> {
        (0..self.threads()).map(|_| T::create(memory)).collect()
    }

    /// The visited set with empty pending inserts for each thread.
    pub(crate) fn with_pending<S: StateSpace, V: ConcurrentVisited<S>>(
        &self,
        visited: V,
        memory: &Memory,
    ) -> Result<VisitedWithPending<S, V>, OutOfMemory> {
        let partitions = visited.partition_count();
        let mut capacity = if partitions == 1 { BATCH as u16 } else { BUFFER_CAPACITY };
        // Smaller buffers cost time. Larger ones could leave no memory for the visited set.
        let item = size_of::<(V::Key, S::State, S::Move)>();
        let bytes =
            |capacity: u16| (self.threads() * partitions * item) as u64 * u64::from(capacity);
        while capacity > 4 && bytes(capacity) > memory.limit_bytes() / 8 {
            capacity /= 2;
        }
        let pending = |_| {
            Ok(PendingInserts {
                partition_buffers: PartitionBuffers::new(partitions, capacity, memory)?,
                overflow: Vec::new(),
            })
        };
        let pending = (0..self.threads()).map(pending).collect::<Result<_, _>>()?;
        Ok(VisitedWithPending { visited, pending })
    }

    /// The number of helpers that are worth calling for this many states.
    fn worthwhile_helpers(&self, state_count: u64) -> usize {
        (self.nanoseconds_per_state.get().saturating_mul(state_count)
            / MIN_WORK_PER_HELPER.as_nanos() as u64) as usize
    }

    /// Runs the leader, and measures its time per state.
    fn run_leader<S: StateSpace, V: ConcurrentVisited<S>, T: WorkerOutput<S>, C: Chunks<S, V>>(
        &self,
        leader: &mut Worker<'_, S, V, T>,
        work: &LayerWork<'_, S, V, C>,
    ) {
        let (begin, before) = (Instant::now(), leader.counts.expanded);
        leader.run(work);
        if let Some(nanoseconds) =
            (begin.elapsed().as_nanos() as u64).checked_div(leader.counts.expanded - before)
        {
            self.nanoseconds_per_state.set(nanoseconds);
        }
    }

    /// Expands all `state_count` states of the chunks and adds the new states to `outputs`. Expands
    /// none if the limit on states does not allow all, because timing would decide which ones.
    pub(crate) fn expand<
        S: StateSpace,
        V: ConcurrentVisited<S>,
        T: WorkerOutput<S>,
        C: Chunks<S, V>,
    >(
        &self,
        space: &S,
        chunks: &C,
        state_count: u64,
        VisitedWithPending { visited, pending }: &mut VisitedWithPending<S, V>,
        outputs: &mut [T],
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit> {
        if meter.states_left() < state_count {
            return Err(Limit::States);
        }
        let budget = meter.budget().clone();
        // Workers that are not called have no pending inserts.
        let helpers_called = self
            .worthwhile_helpers(state_count)
            .min(chunks.chunk_count().saturating_sub(1))
            .min(pending.len() - 1);
        let ranges = if C::SEPARATE_RANGES { 1 + helpers_called } else { 1 };
        let chunks_left = ChunkQueue::new(chunks.chunk_count(), ranges);
        let stop = AtomicBool::new(false);
        let mut workers: Vec<_> = pending
            .iter_mut()
            .zip(outputs)
            .enumerate()
            .map(|(index, (pending, output))| Worker::<S, V, T>::new(index, pending, output))
            .collect();
        let result = loop {
            let (worker_count, shared_visited) = (workers.len(), &*visited);
            let (budget, chunks_left, stop) = (&budget, &chunks_left, &stop);
            let work = LayerWork {
                space,
                chunks,
                visited: shared_visited,
                worker_count,
                budget,
                chunks_left,
                stop,
            };
            let barrier = LayerBarrier { running: AtomicUsize::new(1 + helpers_called), stop };
            match (&self.helpers, workers.split_first_mut()) {
                (Some(helpers), Some((first, others))) if helpers_called > 0 => {
                    let called = others.iter_mut().take(helpers_called);
                    helpers.in_place_scope(|scope| {
                        called.for_each(|worker| {
                            scope.spawn(|_| barrier.run_then_wait(|| worker.run(&work)))
                        });
                        barrier.run_then_wait(|| self.run_leader(first, &work));
                    })
                }
                (_, Some((first, _))) => self.run_leader(first, &work),
                (_, None) => {}
            }
            if let Some(limit) = workers.iter().find_map(|worker| worker.result.err()) {
                break Err(limit);
            }
            if workers.iter().all(|worker| worker.pending.is_empty()) {
                break Ok(());
            }
            let room = make_room(visited, &mut workers).or_else(|_| {
                workers.iter_mut().for_each(|worker| worker.output.trim());
                make_room(visited, &mut workers)
            });
            if let Err(error) = room {
                break Err(error.into());
            }
        };
        workers.iter().for_each(|worker| meter.add(worker.counts));
        result
    }
}

/// Makes room for the pending inserts of all workers, in the partitions that they belong to.
fn make_room<S: StateSpace, V: ConcurrentVisited<S>, T>(
    visited: &mut V,
    workers: &mut [Worker<'_, S, V, T>],
) -> Result<(), OutOfMemory> {
    let mut states = vec![0; visited.partition_count()];
    for Worker { pending, .. } in workers {
        for (partition, states) in states.iter_mut().enumerate() {
            *states += pending.partition_buffers.buffer(partition).len();
        }
        pending.overflow.iter().for_each(|&(key, ..)| states[visited.partition_of(key)] += 1);
    }
    let mut pending = states.into_iter().enumerate().filter(|&(_, states)| states > 0);
    pending.try_for_each(|(partition, states)| visited.make_room_in(partition, states))
}

/// The maximum time that a finished worker waits for the others before it sleeps: many times the
/// time of a chunk.
const MAX_WAIT: Duration = Duration::from_micros(300);

/// The end of a layer, where finished workers wait for the others.
struct LayerBarrier<'a> {
    /// The number of workers that are not finished.
    running: AtomicUsize,
    stop: &'a AtomicBool,
}

impl LayerBarrier<'_> {
    /// Runs `work`, and waits without sleeping until all workers are finished, because a thread
    /// that sleeps starts the next layer late.
    ///
    /// The wait is bounded by [`MAX_WAIT`]: if the space itself uses the thread pool, rayon may run
    /// this function on the stack of an unfinished worker. Waiting for that worker would be a
    /// deadlock.
    fn run_then_wait(&self, work: impl FnOnce()) {
        /// Marks the worker as finished. If it panicked, stops all others.
        struct Done<'a>(&'a LayerBarrier<'a>);
        impl Drop for Done<'_> {
            fn drop(&mut self) {
                if std::thread::panicking() {
                    self.0.stop.store(true, Ordering::Relaxed);
                }
                self.0.running.fetch_sub(1, Ordering::Relaxed);
            }
        }
        let done = Done(self);
        work();
        drop(done);
        let begin = Instant::now();
        while self.running.load(Ordering::Relaxed) > 0 && begin.elapsed() < MAX_WAIT {
            std::thread::yield_now();
        }
    }
}

/// The indices of chunks that no worker has taken yet, in ranges of about the same length.
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

    /// Takes the next chunk of the worker's own range or, if that is empty, of the next range that
    /// is not.
    fn take(&self, worker: usize) -> Option<usize> {
        let own = worker % self.0.len();
        let next = |range: &ChunkRange| {
            Some(range.next.fetch_add(1, Ordering::Relaxed)).filter(|&chunk| chunk < range.end)
        };
        self.0[own..].iter().chain(&self.0[..own]).find_map(next)
    }
}

/// The data that all workers of a layer share.
struct LayerWork<'a, S, V, C> {
    space: &'a S,
    chunks: &'a C,
    visited: &'a V,
    worker_count: usize,
    budget: &'a Budget,
    chunks_left: &'a ChunkQueue,
    stop: &'a AtomicBool,
}

/// One thread's part of the work on a layer.
struct Worker<'a, S: StateSpace, V: ConcurrentVisited<S>, T> {
    index: usize,
    pending: &'a mut PendingInsertsOf<S, V>,
    /// The chunk that was interrupted because the visited set had no room, and the number of its
    /// states that are expanded.
    interrupted: Option<(usize, usize)>,
    output: &'a mut T,
    counts: Stats,
    result: Result<(), Limit>,
}

impl<'a, S: StateSpace, V: ConcurrentVisited<S>, T: WorkerOutput<S>> Worker<'a, S, V, T> {
    fn new(index: usize, pending: &'a mut PendingInsertsOf<S, V>, output: &'a mut T) -> Self {
        let counts = Stats::default();
        Self { index, pending, interrupted: None, output, counts, result: Ok(()) }
    }

    /// Expands chunks until none are left, the visited set has no room, or a limit is reached.
    fn run<C: Chunks<S, V>>(&mut self, work: &LayerWork<'_, S, V, C>) {
        // The pending inserts of the previous run.
        if !self.flush_all(work) {
            return;
        }
        while let Some((chunk, expanded)) = self.next_chunk(work) {
            if let Err(limit) = work.budget.check() {
                return self.stop_all(limit, work);
            }
            for (index, (state, last)) in
                work.chunks.chunk(work.visited, chunk).enumerate().skip(expanded)
            {
                if !self.expand(state, last, work) {
                    self.interrupted = Some((chunk, index + 1));
                    return;
                }
            }
        }
        self.flush_all(work);
    }

    /// The next chunk, and the number of its states that are already expanded. `None` if no chunks
    /// are left or the workers must stop.
    fn next_chunk<C: Chunks<S, V>>(
        &mut self,
        work: &LayerWork<'_, S, V, C>,
    ) -> Option<(usize, usize)> {
        if work.stop.load(Ordering::Relaxed) {
            return None;
        }
        self.interrupted.take().or_else(|| Some((work.chunks_left.take(self.index)?, 0)))
    }

    /// Expands a state. Returns whether the worker can continue with the next one.
    #[inline]
    fn expand<C>(
        &mut self,
        state: S::State,
        last: Option<S::Move>,
        work: &LayerWork<'_, S, V, C>,
    ) -> bool {
        self.counts.expanded += 1;
        let mut can_continue = true;
        let _ = work.space.successors::<()>(state, last, |by, next| {
            self.counts.generated += 1;
            let key = V::key(work.space, next);
            work.visited.prefetch(key);
            if can_continue {
                let partition = work.visited.partition_of(key);
                if self.pending.partition_buffers.push(partition, (key, next, by)) {
                    can_continue = self.flush(partition, work);
                }
            } else {
                self.pending.overflow.push((key, next, by));
            }
            ControlFlow::Continue(())
        });
        can_continue
    }

    /// Inserts the states of a buffer and adds the new ones to the output. Returns whether the
    /// worker can continue. If not, either the visited set has no room and the buffer is unchanged,
    /// or a limit has stopped all workers.
    #[inline(never)]
    fn flush<C>(&mut self, partition: usize, work: &LayerWork<'_, S, V, C>) -> bool {
        let buffer = self.pending.partition_buffers.buffer(partition);
        let generated = buffer.len();
        let Some(new) = work.visited.insert_batch(buffer) else { return false };
        self.counts.duplicates += (generated - new) as u64;
        let added = self.output.add_new(buffer[..new].iter().map(|&(_, state, by)| (state, by)));
        self.pending.partition_buffers.clear(partition);
        if let Err(error) = added {
            self.stop_all(error.into(), work);
        }
        added.is_ok()
    }

    /// Inserts all pending states. Each worker starts with a different partition, so that they do
    /// not contend for the same lock.
    fn flush_all<C>(&mut self, work: &LayerWork<'_, S, V, C>) -> bool {
        let partitions = self.pending.partition_buffers.len();
        let first = self.index * partitions / work.worker_count;
        for partition in (first..partitions).chain(0..first) {
            if !self.pending.partition_buffers.buffer(partition).is_empty()
                && !self.flush(partition, work)
            {
                return false;
            }
        }
        while let Some((key, state, by)) = self.pending.overflow.pop() {
            let partition = work.visited.partition_of(key);
            if self.pending.partition_buffers.push(partition, (key, state, by))
                && !self.flush(partition, work)
            {
                return false;
            }
        }
        true
    }

    /// Records the limit and tells all workers to stop.
    fn stop_all<C>(&mut self, limit: Limit, work: &LayerWork<'_, S, V, C>) {
        self.result = Err(limit);
        work.stop.store(true, Ordering::Relaxed);
    }
}
