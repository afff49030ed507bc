//! One call of a program that searches: its limits, its flag for Ctrl-C, its output.

use std::fmt;
use std::io::{self, BufWriter, Stdout, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fewest_core::budget::Budget;
use fewest_core::search::{Answer, Engine};

use crate::args::SearchArgs;
use crate::exit::{Failure, message};
use crate::puzzle::Puzzle;
use crate::report::{self, Solution};

/// A flag that the first Ctrl-C raises; a second one ends the program.
pub(crate) fn interrupted() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    let handler = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            process::exit(130);
        }
    });
    if let Err(error) = handler {
        message(format_args!("warning: Ctrl-C will end the program at once: {error}"));
    }
    interrupted
}

/// How long an answer may wait before it is written. To write each by itself would take as long as to find it, where answers are
/// quick; and nobody sees the difference.
const SOON: Duration = Duration::from_millis(10);

/// Standard output, which is flushed beside whatever else goes on.
struct Output {
    out: BufWriter<Stdout>,
    /// Whether something was written that is to be flushed soon.
    waits: bool,
    /// What came of it when nobody was there to be told.
    failed: Option<io::Error>,
}

/// The same for two threads.
struct Shared {
    output: Mutex<Output>,
    /// Told when something waits.
    written: Condvar,
}

impl Shared {
    /// A writer that panicked has left at worst a part of an answer.
    fn lock(&self) -> MutexGuard<'_, Output> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Flushes what was written, a little after it was.
    fn flush_for_ever(&self) {
        loop {
            let idle = self.written.wait_while(self.lock(), |output| !output.waits);
            drop(idle);
            thread::sleep(SOON);
            self.lock().flush_unseen();
        }
    }
}

impl Output {
    /// Flushes, and keeps for others what came of it.
    fn flush_unseen(&mut self) {
        self.failed = self.flush().err();
    }

    fn flush(&mut self) -> io::Result<()> {
        self.waits = false;
        self.failed.take().map_or(Ok(()), Err).and_then(|()| self.out.flush())
    }
}

pub(crate) struct Session<'a, P: Puzzle> {
    search: &'a SearchArgs<P>,
    interrupted: Arc<AtomicBool>,
    output: Arc<Shared>,
    /// Whether nobody flushes it, so that each answer has to.
    eager: bool,
}

impl<'a, P: Puzzle> Session<'a, P> {
    /// From now on the first Ctrl-C ends the search that is running, so that it can tell how far it came; a second one
    /// ends the program. To be called after the input is read: until then Ctrl-C does what it always does.
    pub(crate) fn start(search: &'a SearchArgs<P>) -> Self {
        let output = Output { out: BufWriter::new(io::stdout()), waits: false, failed: None };
        let output = Arc::new(Shared { output: Mutex::new(output), written: Condvar::new() });
        let shared = Arc::clone(&output);
        let flusher = thread::Builder::new().spawn(move || shared.flush_for_ever());
        Self { search, interrupted: interrupted(), output, eager: flusher.is_err() }
    }

    /// Writes to standard output, soon.
    pub(crate) fn write(&mut self, text: impl FnOnce(&mut BufWriter<Stdout>) -> io::Result<()>) -> Result<(), Failure> {
        let mut output = self.output.lock();
        let before = output.failed.take().map_or(Ok(()), Err);
        let written = before.and_then(|()| text(&mut output.out));
        let written = if self.eager { written.and_then(|()| output.flush()) } else { written };
        if !std::mem::replace(&mut output.waits, true) {
            self.output.written.notify_one();
        }
        drop(output);
        written.map_err(|error| self.unwritten(error))
    }

    /// Writes what is not written yet.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.output.lock().flush().map_err(|error| self.unwritten(error))
    }

    /// Writes a line to standard error, behind the answers before it.
    pub(crate) fn message(&self, text: fmt::Arguments<'_>) {
        self.output.lock().flush_unseen();
        message(text);
    }

    fn unwritten(&self, error: io::Error) -> Failure {
        // Ctrl-C in a pipeline ends the reader too; that it went away is then not the news.
        if error.kind() == io::ErrorKind::BrokenPipe && self.interrupted.load(Ordering::Relaxed) {
            Failure::Interrupted
        } else {
            Failure::Write(error)
        }
    }

    /// A fresh budget, which Ctrl-C ends.
    pub(crate) fn budget(&self) -> Budget {
        Budget::new(self.search.limits.limits()).cancelled_by(Arc::clone(&self.interrupted))
    }

    /// Solves an instance.
    pub(crate) fn solve<'i>(
        &self,
        name: String,
        instance: &'i P::Instance,
        budget: &Budget,
    ) -> Result<Solution<'i, P>, Failure> {
        self.solve_by(P::solve, name, instance, budget)
    }

    /// The same, by what a puzzle has for it.
    pub(crate) fn solve_by<'i>(
        &self,
        solve: impl Fn(&P::Instance, Option<Engine>, &Budget) -> Result<Answer<Vec<P::Move>>, Failure>,
        name: String,
        instance: &'i P::Instance,
        budget: &Budget,
    ) -> Result<Solution<'i, P>, Failure> {
        let start = Instant::now();
        let Answer { outcome, engine } = solve(instance, self.search.engine(), budget)?;
        let solution = Solution { name, instance, outcome, every: None, engine, elapsed: start.elapsed() };
        if self.search.stats {
            self.message(format_args!("{}", report::stats_line(&solution)));
        }
        Ok(solution)
    }
}

impl<P: Puzzle> Drop for Session<'_, P> {
    /// What was answered before a failure is not lost with it.
    fn drop(&mut self) {
        let _ = self.finish();
    }
}
