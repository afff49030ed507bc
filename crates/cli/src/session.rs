//! One call of a program that searches: its limits, its flag for Ctrl-C, its output.

use std::io::{self, BufWriter, Stdout, Write};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use fewest_core::budget::Budget;
use fewest_core::search::Answer;

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

pub(crate) struct Session<'a, P: Puzzle> {
    search: &'a SearchArgs<P>,
    interrupted: Arc<AtomicBool>,
    out: BufWriter<Stdout>,
}

impl<'a, P: Puzzle> Session<'a, P> {
    /// From now on the first Ctrl-C ends the search that is running, so that it can tell how far it came; a second one
    /// ends the program. To be called after the input is read: until then Ctrl-C does what it always does.
    pub(crate) fn start(search: &'a SearchArgs<P>) -> Self {
        Self { search, interrupted: interrupted(), out: BufWriter::new(io::stdout()) }
    }

    /// Writes to standard output, at once.
    pub(crate) fn write(&mut self, text: impl FnOnce(&mut BufWriter<Stdout>) -> io::Result<()>) -> Result<(), Failure> {
        let written = text(&mut self.out).and_then(|()| self.out.flush());
        written.map_err(|error| {
            // Ctrl-C in a pipeline ends the reader too; that it went away is then not the news.
            if error.kind() == io::ErrorKind::BrokenPipe && self.interrupted.load(Ordering::Relaxed) {
                Failure::Interrupted
            } else {
                Failure::Write(error)
            }
        })
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
        let start = Instant::now();
        let Answer { outcome, engine } = P::solve(instance, self.search.engine(), budget)?;
        let solution = Solution { name, instance, outcome, every: None, engine, elapsed: start.elapsed() };
        if self.search.stats {
            message(format_args!("{}", report::stats_line(&solution)));
        }
        Ok(solution)
    }
}
