//! The work of the server: on threads of its own, at most so many at once, each within its limits, and
//! cancelled when the one who asked has gone.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use fewest_core::budget::{Budget, Limits};
use fewest_core::progress::ProgressCounters;
use serde::Serialize;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// How many jobs may wait for a thread; more are refused.
const MAX_WAITING: usize = 32;
/// The interval of reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);
/// How long a question without a search may take.
const SHORT_TIME: Duration = Duration::from_secs(10);

/// The threads for jobs.
pub(crate) struct Jobs {
    long: Lane,
    short: Lane,
}

/// Threads for one kind of jobs.
struct Lane {
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// For each job.
    limits: Limits,
}

/// Too many jobs wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Busy;

/// Cancels a job when it is dropped.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Takes the lines of the answer of a job.
#[derive(Clone)]
pub(crate) struct Lines(UnboundedSender<String>);

impl Lines {
    /// Sends a line of JSON. If nobody takes it, the job is cancelled anyway.
    pub(crate) fn send(&self, line: &impl Serialize) {
        // What is sent has no maps whose keys are not texts.
        if let Ok(line) = serde_json::to_string(line) {
            let _ = self.0.send(line + "\n");
        }
    }
}

/// A job that runs. It is cancelled when this is dropped.
pub(crate) struct Running {
    lines: UnboundedReceiver<String>,
    _cancel: CancelOnDrop,
}

impl Running {
    /// The next line of the answer; `None` at its end.
    pub(crate) fn poll_line(&mut self, context: &mut Context<'_>) -> Poll<Option<String>> {
        self.lines.poll_recv(context)
    }
}

/// How far a search is.
#[derive(Serialize)]
struct Progress {
    progress: Counters,
}

#[derive(Serialize)]
struct Counters {
    /// The number of expanded states.
    expanded: u64,
    /// The depth: the number of complete layers, or the lower bound.
    depth: u32,
    /// The reserved memory in bytes.
    bytes: u64,
    /// The time since the job started.
    elapsed_seconds: f64,
}

impl Jobs {
    /// At most `threads` searches at once, and one other question. All together stay within the limit
    /// of memory.
    pub(crate) fn new(limits: Limits, threads: NonZero<usize>) -> Self {
        let shares = threads.get() as u64 + 1;
        let limits =
            Limits { memory_bytes: limits.memory_bytes.map(|bytes| bytes / shares), ..limits };
        let lane = |count, limits| Lane {
            free: Arc::new(Semaphore::new(count)),
            waiting: AtomicUsize::new(0),
            limits,
        };
        let short = Limits { time: Some(SHORT_TIME), ..limits };
        Self { long: lane(threads.get(), limits), short: lane(1, short) }
    }

    /// Answers a question without a search.
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let (permit, cancelled) = (self.short.enter().await?, Arc::<AtomicBool>::default());
        let budget = Budget::new(self.short.limits).cancelled_by(Arc::clone(&cancelled));
        let _cancel = CancelOnDrop(cancelled);
        let work = tokio::task::spawn_blocking(move || {
            // The next one starts when this one has ended, even if nobody waits for it.
            let _permit = permit;
            work(&budget)
        });
        // The thread has reported a panic.
        work.await.map_err(|_| Busy)
    }

    /// Starts a search, whose answer comes line by line, with reports of progress between.
    pub(crate) async fn start(
        &self,
        work: impl FnOnce(&Budget, &Lines) + Send + 'static,
    ) -> Result<Running, Busy> {
        let permit = self.long.enter().await?;
        let (send, lines) = unbounded_channel();
        let (cancelled, counters) =
            (Arc::<AtomicBool>::default(), Arc::new(ProgressCounters::default()));
        let budget = Budget::new(self.long.limits)
            .cancelled_by(Arc::clone(&cancelled))
            .with_progress(Arc::clone(&counters));
        let (start, lines_of_job) = (Instant::now(), Lines(send));
        let lines_of_progress = lines_of_job.clone();
        let job = tokio::task::spawn_blocking(move || {
            work(&budget, &lines_of_job);
            drop(permit);
        });
        tokio::spawn(async move {
            let mut job = job;
            while tokio::time::timeout(PROGRESS_INTERVAL, &mut job).await.is_err() {
                lines_of_progress.send(&Progress {
                    progress: Counters {
                        expanded: counters.expanded(),
                        depth: counters.depth(),
                        bytes: counters.held_bytes(),
                        elapsed_seconds: start.elapsed().as_secs_f64(),
                    },
                });
            }
        });
        Ok(Running { lines, _cancel: CancelOnDrop(cancelled) })
    }
}

impl Lane {
    /// Waits for a thread.
    async fn enter(&self) -> Result<tokio::sync::OwnedSemaphorePermit, Busy> {
        if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
            return Ok(permit);
        }
        if self.waiting.load(Ordering::Relaxed) >= MAX_WAITING {
            return Err(Busy);
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // Also when the one who waits is gone.
        let _leave = Leave(&self.waiting);
        Arc::clone(&self.free).acquire_owned().await.map_err(|_| Busy)
    }
}

struct Leave<'a>(&'a AtomicUsize);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
