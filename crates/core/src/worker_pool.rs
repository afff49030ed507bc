//! Threads that do the work on a layer together.

use std::cell::Cell;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::clock::Instant;
use crate::storage::IS_BROWSER;

/// The calling thread, which is the leader, and the helper threads.
///
/// The leader is the calling thread, not a new one. With a new thread, the system often put both
/// threads on one processor for half of a search (2x5 tiles: 50 ms instead of 31).
pub(crate) struct WorkerPool {
    helpers: Option<ThreadPool>,
    /// The leader's time for one state of the last work, in nanoseconds.
    nanoseconds_per_state: Cell<u64>,
}

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
        let helpers = Some(threads.get() - 1).filter(|&helpers| helpers > 0 && !IS_BROWSER);
        let helpers = helpers.and_then(pool);
        Self { helpers, nanoseconds_per_state: Cell::new(INITIAL_NANOSECONDS_PER_STATE) }
    }

    /// The number of threads that are worth calling for work on this many states.
    pub(crate) fn worthwhile(&self, states: u64) -> usize {
        let helpers = self.helpers.as_ref().map_or(0, ThreadPool::current_num_threads);
        let worthwhile = self.nanoseconds_per_state.get().saturating_mul(states)
            / MIN_WORK_PER_HELPER.as_nanos() as u64;
        1 + helpers.min(worthwhile as usize)
    }

    /// Runs `work` on each worker in a thread of its own; the first worker is the leader. `work`
    /// returns the number of states that it has expanded. If it panics, `stop` is set, so that the
    /// others can return, and the panic resumes in the caller.
    pub(crate) fn run<T: Send>(
        &self,
        workers: &mut [T],
        stop: &AtomicBool,
        work: impl Fn(&mut T) -> u64 + Sync,
    ) {
        let Some((leader, others)) = workers.split_first_mut() else { return };
        let Some(helpers) = &self.helpers else {
            work(leader);
            return;
        };
        let lead = |leader| {
            let begin = Instant::now();
            let states = work(leader);
            if let Some(time) = (begin.elapsed().as_nanos() as u64).checked_div(states) {
                self.nanoseconds_per_state.set(time);
            }
        };
        match others {
            [] => lead(leader),
            others => {
                let barrier = LayerBarrier { running: AtomicUsize::new(1 + others.len()), stop };
                let (barrier, work) = (&barrier, &work);
                helpers.in_place_scope(|scope| {
                    for worker in others {
                        scope.spawn(move |_| {
                            barrier.run_then_wait(|| {
                                work(worker);
                            });
                        });
                    }
                    barrier.run_then_wait(|| lead(leader));
                });
            }
        }
    }
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
pub(crate) struct ChunkQueue(Vec<ChunkRange>);

struct ChunkRange {
    next: AtomicUsize,
    end: usize,
}

impl ChunkQueue {
    pub(crate) fn new(chunks: usize, ranges: usize) -> Self {
        let begin = |range: usize| chunks * range / ranges;
        let range =
            |number| ChunkRange { next: AtomicUsize::new(begin(number)), end: begin(number + 1) };
        Self((0..ranges).map(range).collect())
    }

    /// Takes the next chunk of the worker's own range or, if that is empty, of the next range that
    /// is not.
    pub(crate) fn take(&self, worker: usize) -> Option<usize> {
        let own = worker % self.0.len();
        let next = |range: &ChunkRange| {
            Some(range.next.fetch_add(1, Ordering::Relaxed)).filter(|&chunk| chunk < range.end)
        };
        self.0[own..].iter().chain(&self.0[..own]).find_map(next)
    }
}
