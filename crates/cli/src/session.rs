//! One call of a program that searches: its limits, its flag for Ctrl-C, its output.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use fewest_core::budget::{Budget, Limits};
use fewest_core::search::{Answer, Engine};

use crate::args::SearchArgs;
use crate::batch::in_order;
use crate::diagnostic;
use crate::exit::{Exit, Failure};
use crate::input::DataSet;
use crate::output::{Out, Output};
use crate::puzzle::Puzzle;
use crate::report::{self, Solution};
use crate::run::Run;

pub(crate) struct Session<'a, P: Puzzle> {
    search: &'a SearchArgs<P>,
    /// How many parts the memory has.
    shares: u64,
    run: Run,
    output: Output,
}

/// What there is to say of all data sets beside their answers.
#[derive(Clone, Copy)]
pub(crate) struct End {
    /// Texts that have a fault.
    pub(crate) faults: u64,
    /// Whether Ctrl-C was pressed, which may be while nothing runs that it would stop.
    pub(crate) interrupted: bool,
}

impl End {
    pub(crate) fn exit(self) -> Exit {
        match self {
            Self { faults: 1.., .. } => Exit::BadInput,
            Self { interrupted: true, .. } => Exit::Interrupted,
            _ => Exit::Answered,
        }
    }
}

impl<'a, P: Puzzle> Session<'a, P> {
    /// To be called after the input is read: until then Ctrl-C does what it always does.
    /// `draws` says that a picture is drawn beside the searches, and has its share of their memory.
    pub(crate) fn start(search: &'a SearchArgs<P>, draws: bool) -> Self {
        let shares = search.threads as u64 + u64::from(draws && search.threads > 1);
        Self { search, shares, run: Run::start("data set"), output: Output::start() }
    }

    /// Writes to standard output, soon.
    pub(crate) fn write(
        &self,
        text: impl FnOnce(&mut Out) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.output.write(text).map_err(|error: io::Error| self.unwritten(error))
    }

    /// The same for what may fail in other ways, too.
    pub(crate) fn write_with(
        &self,
        text: impl FnOnce(&mut Out) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let written = self.output.write(text);
        written.map_err(|failure| match failure {
            Failure::Write(error) => self.unwritten(error),
            other => other,
        })
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
        if error.kind() == io::ErrorKind::BrokenPipe && self.run.is_interrupted() {
            Failure::Interrupted
        } else {
            Failure::Write(error)
        }
    }

    /// A fresh budget for one data set, which Ctrl-C ends.
    pub(crate) fn budget(&self) -> Budget {
        self.budget_after(Duration::ZERO)
    }

    /// The same for what comes after work of so much time.
    pub(crate) fn budget_after(&self, elapsed: Duration) -> Budget {
        let limits = self.search.limits.limits();
        let memory_bytes = limits.memory_bytes.map(|bytes| bytes / self.shares);
        let time = limits.time.map(|time| time.saturating_sub(elapsed));
        self.run.budget(Limits { time, memory_bytes, ..limits })
    }

    /// Solves an instance.
    pub(crate) fn solve(
        &self,
        name: String,
        instance: P::Instance,
        budget: &Budget,
    ) -> Result<Solution<P>, Failure> {
        self.solve_by(P::solve, name, instance, budget)
    }

    /// The same, by what a puzzle has for it.
    pub(crate) fn solve_by(
        &self,
        solve: impl Fn(&P::Instance, Option<Engine>, &Budget) -> Result<Answer<Vec<P::Move>>, Failure>,
        name: String,
        instance: P::Instance,
        budget: &Budget,
    ) -> Result<Solution<P>, Failure> {
        let start = Instant::now();
        let answer =
            solve(&instance, self.search.engine(), budget).map_err(|failure| failure.of(&name));
        let Answer { outcome, engine } = answer?;
        Ok(Solution { name, instance, outcome, every: None, engine, elapsed: start.elapsed() })
    }

    /// Hands the solutions of data sets to `take` in their order; `solve` is called by as many
    /// threads as were asked for. Once Ctrl-C was pressed no other is begun.
    ///
    /// A fault in a text is told, and is no reason not to read the next text.
    pub(crate) fn each<R: Send>(
        &self,
        data_sets: impl Iterator<Item = Result<DataSet<P>, Failure>>,
        solve: impl Fn(DataSet<P>) -> Result<R, Failure> + Sync,
        mut take: impl FnMut(R) -> Result<(), Failure>,
    ) -> Result<End, Failure> {
        let mut faults = 0;
        let solve = |data_set: Result<DataSet<P>, Failure>| {
            let solved = solve(data_set?);
            self.run.done(1);
            solved
        };
        let mut take = |solved| match solved {
            Ok(solved) => take(solved),
            Err(failure @ Failure::Text { .. }) => {
                self.message(format_args!("{}", diagnostic::render(&failure)));
                faults += 1;
                Ok(())
            }
            Err(failure) => Err(failure),
        };
        let goes_on = || !self.run.is_interrupted();
        // What still runs is of no use when this fails.
        let take = |solved| take(solved).inspect_err(|_| self.run.interrupt());
        in_order(self.search.threads, data_sets, goes_on, solve, take)?;
        Ok(End { faults, interrupted: self.run.is_interrupted() })
    }

    /// Tells what a search took, if that is wanted.
    pub(crate) fn tell_stats(&self, solution: &Solution<P>) {
        if self.search.stats {
            self.message(format_args!("{}", report::stats_line(solution)));
        }
    }
}

impl<P: Puzzle> Drop for Session<'_, P> {
    /// What was answered before a failure is not lost with it.
    fn drop(&mut self) {
        let _ = self.finish();
    }
}
