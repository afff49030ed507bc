//! One call of a program that searches: its limits, its flag for Ctrl-C, its output.

use std::fmt;
use std::io::{self, BufWriter, Stdout};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use fewest_core::budget::Budget;
use fewest_core::search::{Answer, Engine};

use crate::args::SearchArgs;
use crate::exit::{Failure, message};
use crate::output::Output;
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

pub(crate) struct Session<'a, P: Puzzle> {
    search: &'a SearchArgs<P>,
    interrupted: Arc<AtomicBool>,
    output: Output,
}

impl<'a, P: Puzzle> Session<'a, P> {
    /// From now on the first Ctrl-C ends the search that is running, so that it can tell how far it came; a second one
    /// ends the program. To be called after the input is read: until then Ctrl-C does what it always does.
    pub(crate) fn start(search: &'a SearchArgs<P>) -> Self {
        Self { search, interrupted: interrupted(), output: Output::start() }
    }

    /// Writes to standard output, soon.
    pub(crate) fn write(&self, text: impl FnOnce(&mut BufWriter<Stdout>) -> io::Result<()>) -> Result<(), Failure> {
        self.output.write(text).map_err(|error| self.unwritten(error))
    }

    /// Writes what is not written yet.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        self.output.flush().map_err(|error| self.unwritten(error))
    }

    /// Writes a line to standard error, behind the answers before it.
    pub(crate) fn message(&self, text: fmt::Arguments<'_>) {
        self.output.message(text);
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
