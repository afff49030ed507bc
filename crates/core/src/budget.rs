//! Limits on time, memory and states, and cancellation.
//!
//! - [`Limits`] holds the limits.
//! - A [`Budget`] is a set of limits whose clock is running. Searches take a `&Budget`.
//! - A [`Meter`] counts the work of one search and checks it against a budget.
//!
//! Several searches may use one budget. They share its time and its memory; the limit on states
//! applies to each search separately.
//!
//! ```
//! use fewest_core::budget::{Budget, Limit, Limits};
//!
//! let limits = Limits { states: Some(2), ..Limits::default() };
//! let budget = Budget::new(limits);
//! let mut meter = budget.meter();
//! assert_eq!((meter.expand(), meter.expand()), (Ok(()), Ok(())));
//! assert_eq!(meter.expand(), Err(Limit::States));
//! assert_eq!(meter.stats().expanded, 2);
//! ```

use std::any::Any;
use std::fmt;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::checkpoint::{LayerLog, Purpose};
use crate::clock::Instant;
pub use crate::limit::Limit;
use crate::memory::Memory;
use crate::progress::ProgressCounters;
use crate::stats::Stats;
use crate::storage::{IS_BROWSER, Storage};

/// The limits of a search; `None` means unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// Wall time, from the creation of the [`Budget`].
    pub time: Option<Duration>,
    /// The number of bytes that may be reserved at one time. See [`Memory`] for what is reserved.
    pub memory_bytes: Option<u64>,
    /// The number of states that each search may expand.
    pub states: Option<u64>,
}

/// Limits whose clock is running, an account of reserved memory, and cancellation flags.
///
/// Clones share the memory account, the flags and the progress counters.
#[derive(Clone, Debug)]
pub struct Budget(Arc<Inner>);

/// Behind one pointer, since a budget is cloned in code that is compiled for each space. Copied when
/// a clone changes.
#[derive(Clone, Debug)]
struct Inner {
    deadline: Option<Instant>,
    states: u64,
    threads: NonZero<usize>,
    memory: Memory,
    storage: Storage,
    cancelled_by: Vec<Arc<AtomicBool>>,
    progress: Option<Arc<ProgressCounters>>,
    on_step: Option<OnStep>,
}

#[derive(Clone)]
struct OnStep(Arc<ReportStep>);

type ReportStep = dyn Fn(&Stats, u32, &dyn Any) + Send + Sync;

impl fmt::Debug for OnStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnStep")
    }
}

impl Budget {
    /// A budget with these limits. The clock starts now.
    pub fn new(limits: Limits) -> Self {
        Self(Arc::new(Inner {
            // A time limit that overflows the clock is no limit.
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            states: limits.states.unwrap_or(u64::MAX),
            threads: NonZero::<usize>::MIN,
            memory: Memory::with_limit(limits.memory_bytes.unwrap_or(u64::MAX)),
            storage: Storage::default(),
            cancelled_by: Vec::new(),
            progress: None,
            on_step: None,
        }))
    }

    /// A budget that differs in what `change` changes.
    fn with(mut self, change: impl FnOnce(&mut Inner)) -> Self {
        change(self.own());
        self
    }

    #[inline(never)]
    fn own(&mut self) -> &mut Inner {
        Arc::make_mut(&mut self.0)
    }

    /// The same budget with a deadline that is later by a time in which nothing could be searched.
    #[must_use]
    pub fn postponed(self, by: Duration) -> Self {
        // A deadline that overflows the clock is no limit, as in `new`.
        self.with(|it| it.deadline = it.deadline.and_then(|deadline| deadline.checked_add(by)))
    }

    /// The same budget with one more cancellation flag. When any thread sets the flag to `true`,
    /// every search under this budget stops with [`Limit::Cancelled`] the next time it reads the
    /// clock.
    #[must_use]
    pub fn cancelled_by(self, flag: Arc<AtomicBool>) -> Self {
        self.with(|it| it.cancelled_by.push(flag))
    }

    /// The same budget with counters that its searches update while they run.
    #[must_use]
    pub fn with_progress(self, progress: Arc<ProgressCounters>) -> Self {
        self.with(|it| it.progress = Some(progress))
    }

    /// The same budget for searches that go on step by step, in memory and on this thread. `report`
    /// is called after each expansion, with the work so far, the lower bound that was proved before
    /// it, and the state that was expanded: a [`StateSpace::State`](crate::StateSpace::State) of the
    /// space that is searched. [`Search::steps`](crate::Search::steps) is the same for a caller that
    /// has the space, and reports, too. [IDA* without a table](crate::search::idastar), explorations
    /// and searches for all shortest plans do not report.
    #[must_use]
    pub fn on_step(self, report: impl Fn(&Stats, u32, &dyn Any) + Send + Sync + 'static) -> Self {
        self.with(|it| it.on_step = Some(OnStep(Arc::new(report))))
    }

    /// Whether the searches go on [step by step](Self::on_step).
    pub fn has_steps(&self) -> bool {
        self.0.on_step.is_some()
    }

    /// Adds steps of a check that follows a search to the progress counters.
    pub fn note_checked(&self, steps: u64) {
        if let Some(progress) = &self.0.progress {
            progress.add_checked(steps);
            progress.set_last_layers([0, 0]);
        }
    }

    /// The same budget for searches that may use up to this number of threads, the calling thread
    /// included. Without this, they use one.
    #[must_use]
    pub fn with_threads(self, threads: NonZero<usize>) -> Self {
        self.with(|it| it.threads = threads)
    }

    /// The same budget for breadth-first searches and explorations that keep their states in this
    /// storage.
    #[must_use]
    pub fn with_storage(self, storage: Storage) -> Self {
        self.with(|it| it.storage = storage)
    }

    /// How the searches keep their states.
    pub fn storage(&self) -> &Storage {
        &self.0.storage
    }

    /// The number of threads that a search may use.
    pub fn threads(&self) -> NonZero<usize> {
        if IS_BROWSER { NonZero::<usize>::MIN } else { self.0.threads }
    }

    /// A budget without limits. A search under it runs until it has an answer or the system has no
    /// more memory; the system may then end the process.
    pub fn unlimited() -> Self {
        Self::new(Limits::default())
    }

    /// A budget with the same clock, memory, flag and counters whose searches may expand at most
    /// `states` states, or fewer if this budget allows fewer.
    #[must_use]
    pub fn with_state_limit(&self, states: u64) -> Self {
        self.clone().with(|it| it.states = it.states.min(states))
    }

    /// The number of states that a search may expand; `u64::MAX` if there is no limit.
    pub fn states(&self) -> u64 {
        self.0.states
    }

    /// The account from which searches reserve the memory of everything that grows.
    pub fn memory(&self) -> &Memory {
        &self.0.memory
    }

    /// The time until the deadline, zero after it; `None` without a time limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.0.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Checks the flags and the clock.
    ///
    /// # Errors
    /// [`Limit::Cancelled`] if a flag is set, [`Limit::Time`] if the time is over.
    pub fn check(&self) -> Result<(), Limit> {
        self.check_cancellation()?;
        if self.0.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Err(Limit::Time)
        } else {
            Ok(())
        }
    }

    fn check_cancellation(&self) -> Result<(), Limit> {
        let is_cancelled = self.0.cancelled_by.iter().any(|flag| flag.load(Ordering::Relaxed));
        if is_cancelled { Err(Limit::Cancelled) } else { Ok(()) }
    }

    /// A meter for one search, with all counts 0.
    pub fn meter(&self) -> Meter<'_> {
        self.resume(Paused { states: self.0.states, stats: Stats::default(), depth: 0 })
    }

    /// A meter that goes on where [`Meter::pause`] was called.
    pub(crate) fn resume(&self, Paused { states, stats, depth }: Paused) -> Meter<'_> {
        Meter {
            budget: self,
            states,
            stats,
            depth,
            reported: stats.expanded,
            until_poll: 1,
            suspended_until: None,
        }
    }
}

/// The counts of a search between two steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paused {
    states: u64,
    pub(crate) stats: Stats,
    depth: u32,
}

/// The meter reads the clock once per this many states expanded or generated. That is every few
/// tens of microseconds.
const POLL_INTERVAL: u32 = 1024;

/// How long plan recovery may take after the budget's time is over.
const RECOVERY_TIME: Duration = Duration::from_secs(2);

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.report();
    }
}

/// Counts the work of one search and reports when the budget is exhausted.
///
/// Make one per search with [`Budget::meter`]. All methods that return a `Result` read the clock
/// and the flag once per 1,024 units of work, and fail with the [`Limit`] that was reached.
#[derive(Debug)]
pub struct Meter<'a> {
    budget: &'a Budget,
    /// The number of states that may be expanded.
    states: u64,
    stats: Stats,
    depth: u32,
    /// The number of expansions that are already in the progress counters.
    reported: u64,
    until_poll: u32,
    suspended_until: Option<Instant>,
}

impl<'a> Meter<'a> {
    /// A meter for a part of the same work on another thread, which may use up the rest of the
    /// budget. [`absorb`](Self::absorb) adds its counts.
    pub(crate) fn for_worker(&self) -> Self {
        Meter {
            budget: self.budget,
            states: self.states_left(),
            stats: Stats::default(),
            depth: self.depth,
            reported: 0,
            until_poll: 1,
            suspended_until: self.suspended_until,
        }
    }

    /// A meter for work that is not counted, since an earlier run did it.
    pub(crate) fn for_repeated_work(&self) -> Self {
        let mut meter = self.for_worker();
        meter.states = u64::MAX;
        meter
    }

    /// What another meter needs to go on.
    pub(crate) fn pause(&self) -> Paused {
        Paused { states: self.states, stats: self.stats(), depth: self.depth }
    }

    /// Adds the work of another meter under the same budget.
    pub(crate) fn absorb(&mut self, mut worker: Meter<'a>) {
        worker.report();
        self.stats.expanded += worker.stats.expanded;
        self.reported += worker.stats.expanded;
        self.stats.generated += worker.stats.generated;
        self.stats.duplicates += worker.stats.duplicates;
        self.stats.recovered += worker.stats.recovered;
    }
}

impl Meter<'_> {
    /// Counts an expansion. Call it before the expansion.
    ///
    /// # Errors
    /// [`Limit::States`] if the budget allows no further expansion; [`Limit::Time`] or
    /// [`Limit::Cancelled`] from a check of the clock and the flag.
    #[inline]
    pub fn expand(&mut self) -> Result<(), Limit> {
        if self.stats.expanded >= self.states {
            return Err(Limit::States);
        }
        // Poll first: an expansion that does not take place must not be counted.
        self.poll()?;
        self.stats.expanded += 1;
        Ok(())
    }

    /// How many of some states may be expanded now: at least one.
    ///
    /// # Errors
    /// As [`expand`](Self::expand).
    #[inline]
    pub(crate) fn grant(&mut self, states: usize) -> Result<usize, Limit> {
        let left = self.states_left();
        if left == 0 {
            return Err(Limit::States);
        }
        self.poll()?;
        Ok(usize::try_from(left).map_or(states, |left| left.min(states)))
    }

    /// Counts states that were [granted](Self::grant) and are expanded.
    #[inline]
    pub(crate) fn expanded(&mut self, states: u64) {
        self.stats.expanded += states;
        self.until_poll = self.until_poll.saturating_sub(states as u32).max(1);
    }

    /// Counts one generated state.
    ///
    /// # Errors
    /// As [`poll`](Self::poll).
    #[inline]
    pub fn generate(&mut self) -> Result<(), Limit> {
        self.generated(1)
    }

    /// Counts `states` generated states.
    ///
    /// # Errors
    /// As [`poll`](Self::poll).
    #[inline]
    pub fn generated(&mut self, states: u64) -> Result<(), Limit> {
        self.stats.generated += states;
        self.poll_after(states as u32)
    }

    /// Counts one duplicate.
    #[inline]
    pub fn duplicate(&mut self) {
        self.duplicates(1);
    }

    /// Counts `states` duplicates.
    #[inline]
    pub fn duplicates(&mut self, states: u64) {
        self.stats.duplicates += states;
    }

    /// Reports the expansion of a state, before which this lower bound was proved.
    #[cold]
    #[inline(never)]
    pub(crate) fn report_step(&self, lower_bound: u32, state: &dyn Any) {
        if let Some(OnStep(report)) = &self.budget.0.on_step {
            report(&self.stats(), lower_bound, state);
        }
    }

    /// Whether expansions are reported.
    pub(crate) fn has_steps(&self) -> bool {
        self.budget.has_steps()
    }

    /// Opens the saved layers of this search if the budget has a checkpoint.
    pub(crate) fn open_next_search(
        &self,
        purpose: Purpose,
        state_bytes: usize,
        takes_ranks: bool,
        division: &str,
    ) -> Result<Option<LayerLog>, Limit> {
        let checkpoint = self.budget.0.storage.checkpoint();
        checkpoint
            .map(|it| it.open_next_search(purpose, state_bytes, takes_ranks, division))
            .transpose()
    }

    /// Replaces the counts by those of the search that this one resumes. The limit on states
    /// applies to the work from now on.
    pub(crate) fn resume(&mut self, stats: Stats) {
        self.states = self.states.saturating_add(stats.expanded - self.stats.expanded);
        self.reported += stats.expanded - self.stats.expanded;
        self.stats = Stats { bytes: 0, ..stats };
    }

    /// How many more states may be expanded.
    pub(crate) fn states_left(&self) -> u64 {
        self.states.saturating_sub(self.stats.expanded)
    }

    /// Subtracts the partial expansion of a state that will be expanded again: `generated`
    /// successors and, if there are any, the expansion itself.
    pub(crate) fn take_back(&mut self, generated: u64) {
        self.stats.generated -= generated;
        self.stats.expanded -= u64::from(generated > 0);
        self.reported = self.reported.min(self.stats.expanded);
    }

    /// Adds work that was counted elsewhere.
    pub(crate) fn add(&mut self, expanded: u64, generated: u64) {
        self.stats.expanded += expanded;
        self.stats.generated += generated;
        self.report();
    }

    /// Counts expansions during plan recovery.
    #[inline]
    pub(crate) fn recover(&mut self, expansions: u64) {
        self.stats.recovered += expansions;
    }

    /// Records the current size of the frontier, for [`Stats::peak_frontier`].
    #[inline]
    pub fn note_frontier(&mut self, states: u64) {
        self.stats.peak_frontier = self.stats.peak_frontier.max(states);
    }

    /// Sets the depth that the progress counters report: the number of complete layers, or the
    /// current lower bound on the cost.
    #[inline]
    pub fn set_depth(&mut self, depth: u32) {
        self.set_last_layers(depth, [0, 0]);
    }

    /// Sets the depth of a breadth-first search, with the number of states of its last complete
    /// layer and of the one before.
    pub(crate) fn set_last_layers(&mut self, depth: u32, layers: [u64; 2]) {
        self.depth = depth;
        if let Some(progress) = &self.budget.0.progress {
            progress.set_last_layers(layers);
        }
    }

    fn report(&mut self) {
        if let Some(progress) = &self.budget.0.progress {
            progress.add(
                self.stats.expanded - self.reported,
                self.depth,
                self.budget.0.memory.held_bytes(),
            );
            self.reported = self.stats.expanded;
        }
    }

    /// Counts one unit of work that is neither an expansion nor a generated state, so that the
    /// clock and the flag are checked regularly.
    ///
    /// # Errors
    /// [`Limit::Time`] or [`Limit::Cancelled`].
    #[inline]
    pub fn poll(&mut self) -> Result<(), Limit> {
        self.poll_after(1)
    }

    /// Counts `work` units of work, where one unit costs about as much as generating a state.
    ///
    /// # Errors
    /// As [`poll`](Self::poll).
    #[inline]
    pub fn poll_after(&mut self, work: u32) -> Result<(), Limit> {
        self.until_poll = self.until_poll.saturating_sub(work);
        if self.until_poll == 0 { self.poll_now() } else { Ok(()) }
    }

    #[cold]
    pub(crate) fn poll_now(&mut self) -> Result<(), Limit> {
        // If this check fails, the next call checks again: plan recovery may still follow.
        self.until_poll = 1;
        self.report();
        if self.suspended_until.is_none_or(|end| Instant::now() >= end) {
            self.budget.check()?;
        }
        self.until_poll = POLL_INTERVAL;
        Ok(())
    }

    /// As [`poll_after`](Self::poll_after), while a checkpoint is written: when a limit is reached,
    /// grants `time_left` more instead of failing at once. [`end_writing`](Self::end_writing) ends
    /// this mode.
    pub(crate) fn poll_writing(&mut self, work: u32, time_left: Duration) -> Result<(), Limit> {
        self.poll_after(work).or_else(|limit| match self.suspended_until {
            Some(_) => Err(limit),
            None => {
                self.suspend_limits(time_left);
                Ok(())
            }
        })
    }

    /// Enforces the limits again.
    pub(crate) fn end_writing(&mut self) {
        self.suspended_until = None;
        self.until_poll = 1;
    }

    /// Suspends the time limit and the flag for two seconds: a goal is found, and only the plan is
    /// left to be recovered.
    pub(crate) fn start_recovery(&mut self) {
        self.suspend_limits(RECOVERY_TIME);
    }

    fn suspend_limits(&mut self, time: Duration) {
        self.suspended_until = Some(Instant::now() + time);
    }

    /// Checks the flags, also during plan recovery.
    pub(crate) fn check_cancellation(&self) -> Result<(), Limit> {
        self.budget.check_cancellation()
    }

    /// The memory account of the budget.
    pub fn memory(&self) -> &Memory {
        &self.budget.0.memory
    }

    /// The work so far. [`Stats::bytes`] is the peak of the budget's memory account.
    pub fn stats(&self) -> Stats {
        Stats { bytes: self.budget.0.memory.peak_bytes(), ..self.stats }
    }
}
