//! One call of a program that searches: its limits, its flag for Ctrl-C, its output.

use std::io::{self, BufWriter, Stdout, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
    /// What came of it when nobody was there to be told.
    failed: Option<io::Error>,
}

impl Output {
    fn flush(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err).and_then(|()| self.out.flush())
    }
}

pub(crate) struct Session<'a, P: Puzzle> {
    search: &'a SearchArgs<P>,
    interrupted: Arc<AtomicBool>,
    output: Arc<Mutex<Output>>,
    /// Whether nobody flushes it, so that each answer has to.
    eager: bool,
}

impl<'a, P: Puzzle> Session<'a, P> {
    /// From now on the first Ctrl-C ends the search that is running, so that it can tell how far it came; a second one
    /// ends the program. To be called after the input is read: until then Ctrl-C does what it always does.
    pub(crate) fn start(search: &'a SearchArgs<P>) -> Self {
        let output = Arc::new(Mutex::new(Output { out: BufWriter::new(io::stdout()), failed: None }));
        let shared = Arc::clone(&output);
        let flusher = thread::Builder::new().spawn(move || {
            loop {
                thread::sleep(SOON);
                let mut output = lock(&shared);
                output.failed = output.flush().err();
            }
        });
        Self { search, interrupted: interrupted(), output, eager: flusher.is_err() }
    }

    /// Writes to standard output, soon.
    pub(crate) fn write(&mut self, text: impl FnOnce(&mut BufWriter<Stdout>) -> io::Result<()>) -> Result<(), Failure> {
        let mut output = lock(&self.output);
        let before = output.failed.take().map_or(Ok(()), Err);
        let written = before.and_then(|()| text(&mut output.out));
        let written = if self.eager { written.and_then(|()| output.flush()) } else { written };
        written.map_err(|error| self.unwritten(error))
    }

    /// Writes what is not written yet.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        lock(&self.output).flush().map_err(|error| self.unwritten(error))
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
            message(format_args!("{}", report::stats_line(&solution)));
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

/// A writer that panicked has left at worst a part of an answer.
fn lock(output: &Mutex<Output>) -> MutexGuard<'_, Output> {
    output.lock().unwrap_or_else(PoisonError::into_inner)
}
