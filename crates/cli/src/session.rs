//! One call of a program that searches: its limits, its flag for Ctrl-C, its output.

use std::io::{self, BufWriter, Stdout};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use fewest_core::budget::Budget;

use crate::args::SearchArgs;
use crate::exit::{Failure, message};
use crate::puzzle::Puzzle;
use crate::report::{self, Solution};

pub(crate) struct Session<'a> {
    search: &'a SearchArgs,
    interrupted: Arc<AtomicBool>,
    pub(crate) out: BufWriter<Stdout>,
}

impl<'a> Session<'a> {
    /// From now on the first Ctrl-C ends the search that is running, so that it can tell how far it came; a second one
    /// ends the program. To be called after the input is read: until then Ctrl-C does what it always does.
    pub(crate) fn start(search: &'a SearchArgs) -> Self {
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
        Self { search, interrupted, out: BufWriter::new(io::stdout()) }
    }

    /// Solves an instance under a fresh budget.
    pub(crate) fn solve<P: Puzzle>(&self, name: String, instance: &P::Instance) -> Result<Solution<P>, Failure> {
        let start = Instant::now();
        let budget = Budget::new(self.search.limits()).cancelled_by(Arc::clone(&self.interrupted));
        let (outcome, engine) = P::solve(instance, self.search.engine(), &budget).map_err(Failure::Fault)?;
        let solution = Solution { name, outcome, engine, elapsed: start.elapsed() };
        if self.search.stats {
            message(format_args!("{}", report::stats_line(&solution)));
        }
        Ok(solution)
    }
}
