//! One run of `solve` or of contest mode: its limits, its Ctrl-C flag and its output.

use std::fmt;
use std::io;
use std::num::NonZero;
use std::time::Duration;

use bytesize::ByteSize;
use fewest_core::budget::{Budget, Limits};
use fewest_core::search::Engine;
use fewest_core::stats::Stats;
use fewest_puzzle::work::WorkContext;

use crate::args::SearchArgs;
use crate::batch::{BatchEnd, LOOKAHEAD, in_order};
use crate::diagnostic;
use crate::failure::Failure;
use crate::input::DataSet;
use crate::output::{BrokenPipe, Out, Output};
use crate::run::Run;
use crate::terminal;

const ONE_THREAD: NonZero<usize> = NonZero::<usize>::MIN;

pub(crate) struct Session<'a> {
    search: &'a SearchArgs,
    /// The number of equal parts that the memory limit is divided into.
    memory_shares: u64,
    /// See [`in_order`].
    lookahead: usize,
    run: Run,
    output: Output,
}

impl<'a> Session<'a> {
    /// Starts a session. Call it after the input is read, because until then Ctrl-C should end the
    /// program. If `draws`, pictures are drawn while searches run, and need a share of the memory.
    /// If `lists_plans`, each result may hold a whole share: then no more results than threads
    /// exist at a time, and one share is left for freed memory that an allocator keeps for the
    /// thread that allocated it. `broken_pipe` is what a broken pipe of standard output does.
    pub(crate) fn start(
        search: &'a SearchArgs,
        draws: bool,
        lists_plans: bool,
        broken_pipe: BrokenPipe,
    ) -> Self {
        let threads = search.threads.get();
        let memory_shares = threads + u64::from(threads > 1 && (draws || lists_plans));
        let lookahead = if lists_plans { 1 } else { LOOKAHEAD };
        let (run, output) = (Run::start(), Output::start(broken_pipe));
        Self { search, memory_shares, lookahead, run, output }
    }

    /// Writes to standard output, which is flushed soon.
    pub(crate) fn write(
        &self,
        text: impl FnOnce(&mut Out) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.output.write(text).map_err(|error: io::Error| self.write_failure(error))
    }

    /// As [`write`](Self::write), for output that may also fail for other reasons.
    pub(crate) fn write_with(
        &self,
        text: impl FnOnce(&mut Out) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let written = self.output.write(text);
        written.map_err(|failure| match failure {
            Failure::Write(error) => self.write_failure(error),
            other => other,
        })
    }

    /// Flushes standard output.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        self.output.flush().map_err(|error| self.write_failure(error))
    }

    /// Flushes the answers, then writes a line to standard error.
    pub(crate) fn message(&self, text: fmt::Arguments<'_>) {
        self.output.message(text);
    }

    fn write_failure(&self, error: io::Error) -> Failure {
        // Ctrl-C in a pipeline also ends the reader. Then the broken pipe is a consequence.
        if error.kind() == io::ErrorKind::BrokenPipe && self.run.is_interrupted() {
            Failure::Interrupted
        } else {
            Failure::Write(error)
        }
    }

    /// A new budget for one data set, which Ctrl-C cancels. The only data set of a run has all
    /// threads and all memory.
    pub(crate) fn budget(&self, is_only: bool) -> Budget {
        self.budget_within(self.search.limits.limits().time, 0, is_only)
    }

    /// As [`budget`](Self::budget) with the time that earlier work on the data set left, and less
    /// the memory that its result holds.
    pub(crate) fn budget_within(
        &self,
        time_left: Option<Duration>,
        held_bytes: u64,
        is_only: bool,
    ) -> Budget {
        let limits = self.search.limits.limits();
        let (threads, shares) =
            if is_only { (self.search.threads(), 1) } else { (ONE_THREAD, self.memory_shares) };
        let share = |bytes: u64| (bytes / shares).saturating_sub(held_bytes);
        let memory_bytes = limits.memory_bytes.map(share);
        self.run.budget(Limits { time: time_left, memory_bytes, ..limits }).with_threads(threads)
    }

    /// The chosen engine.
    pub(crate) fn engine(&self) -> Option<Engine> {
        self.search.engine()
    }

    /// Solves the data sets with `solve` on the threads of `--threads`, and passes the results to
    /// `take` in the order of the data sets. After Ctrl-C no further data set is started.
    ///
    /// The error of a text is printed and counted; the next text is read all the same.
    pub(crate) fn for_each<'d, R: Send>(
        &self,
        data_sets: impl Iterator<Item = Result<DataSet<'d>, Failure>>,
        solve: impl Fn(DataSet<'d>) -> Result<R, Failure> + Sync,
        mut take: impl FnMut(R) -> Result<(), Failure>,
    ) -> Result<BatchEnd, Failure> {
        let mut invalid_count = 0;
        let solve = |data_set: Result<DataSet<'d>, Failure>| {
            let solved = solve(data_set?);
            self.run.add_done(1);
            solved
        };
        let mut take = |solved| match solved {
            Ok(solved) => take(solved),
            Err(failure @ Failure::Text { .. }) => {
                self.message(format_args!("{}", diagnostic::render(&failure)));
                invalid_count += 1;
                Ok(())
            }
            Err(failure) => Err(failure),
        };
        let should_continue = || !self.run.is_interrupted();
        // After an error the results of the searches that still run are not needed.
        let take = |solved| take(solved).inspect_err(|_| self.run.interrupt());
        in_order(
            self.search.threads.get() as usize,
            self.lookahead,
            data_sets,
            should_continue,
            solve,
            take,
        )?;
        Ok(BatchEnd { invalid_count, interrupted: self.run.is_interrupted() })
    }

    /// Prints the line of `--stats`.
    pub(crate) fn print_stats(&self, name: &str, engine: &str, stats: Stats, elapsed: Duration) {
        self.message(format_args!(
            "{name}: {engine}, expanded {}, recovered {}, generated {}, duplicates {}, \
             peak frontier {}, memory {}, time {}",
            stats.expanded,
            stats.recovered,
            stats.generated,
            stats.duplicates,
            stats.peak_frontier,
            ByteSize(stats.bytes),
            terminal::format_time(elapsed, 2),
        ));
    }
}

impl Drop for Session<'_> {
    /// Flushes the answers before a failure.
    fn drop(&mut self) {
        let _ = self.finish();
    }
}
