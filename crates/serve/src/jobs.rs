//! Runs jobs: limits how many run at a time, applies a budget to each, and cancels a job when its
//! client disconnects.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use fewest_core::budget::{Budget, Limits};
use fewest_core::progress::ProgressCounters;
use fewest_web::Progress;
use serde::Serialize;
use serde_json::json;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The maximum number of waiting jobs; further requests are refused.
const MAX_WAITING: usize = 32;
/// The time limit of a job without a search.
const SHORT_TIME: Duration = Duration::from_secs(10);
/// The capacity of the line buffer of a response, and how long a job waits for its client if the
/// buffer is full.
const MAX_LINES: usize = 64;
const READER_TIME: Duration = Duration::from_secs(30);

/// The threads for jobs.
pub(crate) struct Jobs {
    long: Lane,
    short: Lane,
    /// Cancels all jobs.
    stop: Arc<AtomicBool>,
}

/// Threads for one kind of jobs.
struct Lane {
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// The limits of each job.
    limits: Limits,
}

/// The error of a job that did not run or did not finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    /// Too many jobs wait.
    Busy,
    /// A bug: the job panicked, which its thread has reported.
    Failed,
}

/// The message for clients after a panic.
pub(crate) const INTERNAL_ERROR: &str = "internal error, please report it";

/// Cancels a job when it is dropped.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Sends the lines of a streamed response.
#[derive(Clone)]
pub(crate) struct Lines {
    send: Sender<String>,
    cancelled: Arc<AtomicBool>,
}

impl Lines {
    /// Sends a line of JSON. Blocks the thread of the job while the buffer is full, and cancels the
    /// job if the client does not read.
    pub(crate) fn send(&self, line: &impl Serialize) {
        let line = self.send.send_timeout(text_of(line), READER_TIME);
        if Handle::current().block_on(line).is_err() {
            self.cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Sends a line unless the buffer is full.
    fn offer(&self, line: &impl Serialize) {
        let _ = self.send.try_send(text_of(line));
    }
}

fn text_of(line: &impl Serialize) -> String {
    // Serialization cannot fail: no map has keys that are not strings.
    serde_json::to_string(line).unwrap_or_default() + "\n"
}

/// The response stream of a running job. Dropping it cancels the job.
pub(crate) struct Running {
    lines: Receiver<String>,
    _cancel: CancelOnDrop,
}

impl Running {
    /// The next line of the answer; `None` at its end.
    pub(crate) fn poll_line(&mut self, context: &mut Context<'_>) -> Poll<Option<String>> {
        self.lines.poll_recv(context)
    }
}

/// The last line of a complete response.
#[derive(Serialize)]
struct EndLine {
    end: bool,
}

impl Jobs {
    /// Runs up to `threads` searches and one short job at a time. They share the memory limit
    /// equally. `stop` cancels all jobs.
    pub(crate) fn new(limits: Limits, threads: NonZero<usize>, stop: Arc<AtomicBool>) -> Self {
        // Equal shares: each search and the short job reserve from an account of their own, so one
        // of them cannot use up the memory of the others.
        let shares = threads.get() as u64 + 1;
        let limits =
            Limits { memory_bytes: limits.memory_bytes.map(|bytes| bytes / shares), ..limits };
        let lane = |count, limits| Lane {
            free: Arc::new(Semaphore::new(count)),
            waiting: AtomicUsize::new(0),
            limits,
        };
        let short = Limits { time: Some(SHORT_TIME), ..limits };
        Self { long: lane(threads.get(), limits), short: lane(1, short), stop }
    }

    fn budget(&self, lane: &Lane, cancelled: &Arc<AtomicBool>) -> Budget {
        let budget = Budget::new(lane.limits).cancelled_by(Arc::clone(cancelled));
        budget.cancelled_by(Arc::clone(&self.stop))
    }

    /// Runs a short job, without a search.
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, NoAnswer> {
        self.answer_in(&self.short, work).await
    }

    /// Runs a long job whose result is sent as a whole.
    pub(crate) async fn answer_long<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, NoAnswer> {
        self.answer_in(&self.long, work).await
    }

    async fn answer_in<T: Send + 'static>(
        &self,
        lane: &Lane,
        work: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, NoAnswer> {
        let (permit, cancelled) = (lane.enter().await?, Arc::<AtomicBool>::default());
        let budget = self.budget(lane, &cancelled);
        let _cancel = CancelOnDrop(cancelled);
        let work = tokio::task::spawn_blocking(move || {
            // Hold the permit until the work ends, even if the client has disconnected: the thread
            // is busy until then.
            let _permit = permit;
            work(&budget)
        });
        work.await.map_err(|_| NoAnswer::Failed)
    }

    /// Starts a long job whose result is streamed line by line, with progress reports in between.
    pub(crate) async fn start(
        &self,
        work: impl FnOnce(&Budget, &Lines) + Send + 'static,
    ) -> Result<Running, NoAnswer> {
        let permit = self.long.enter().await?;
        let (send, lines) = channel(MAX_LINES);
        let cancelled = Arc::<AtomicBool>::default();
        let counters = Arc::new(ProgressCounters::default());
        let budget = self.budget(&self.long, &cancelled).with_progress(Arc::clone(&counters));
        let lines_of_job = Lines { send, cancelled: Arc::clone(&cancelled) };
        let (mut progress, report) = (Progress::default(), lines_of_job.clone());
        let mut job = tokio::task::spawn_blocking(move || {
            work(&budget, &lines_of_job);
            drop(permit);
        });
        tokio::spawn(async move {
            let ended = loop {
                match tokio::time::timeout(Progress::INTERVAL, &mut job).await {
                    Ok(ended) => break ended,
                    Err(_) => report.offer(&progress.report(&counters)),
                }
            };
            let last = match ended {
                Ok(()) => text_of(&EndLine { end: true }),
                Err(_) => text_of(&json!({ "error": { "message": INTERNAL_ERROR } })),
            };
            let _ = report.send.send_timeout(last, READER_TIME).await;
        });
        Ok(Running { lines, _cancel: CancelOnDrop(cancelled) })
    }
}

impl Lane {
    /// Waits for a thread.
    async fn enter(&self) -> Result<OwnedSemaphorePermit, NoAnswer> {
        if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
            return Ok(permit);
        }
        if self.waiting.load(Ordering::Relaxed) >= MAX_WAITING {
            return Err(NoAnswer::Busy);
        }
        // No other request can run between the check above and this increment: the runtime has one
        // thread, and there is no `await` in between.
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // Decrements the counter even if this future is dropped because the client disconnected.
        let _leave = Leave(&self.waiting);
        Arc::clone(&self.free).acquire_owned().await.map_err(|_| NoAnswer::Failed)
    }
}

struct Leave<'a>(&'a AtomicUsize);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
