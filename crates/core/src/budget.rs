//! How much a search may take: time, memory, states, and a flag that calls it off.
//!
//! [`Limits`] say it, a [`Budget`] is limits with the clock running, a [`Meter`] counts the work of
//! one search against a budget. A budget may be spent by several searches, one after the other:
//! they share its time and its memory, and each may expand as many states as it allows.
//!
//! ```
//! use fewest_core::budget::{Budget, Limit, Limits};
//!
//! let limits = Limits { states: Some(2), ..Limits::default() };
//! let budget = Budget::new(limits);
//! let mut meter = budget.meter();
//! assert_eq!([meter.expand(), meter.expand(), meter.expand()], [Ok(()), Ok(()), Err(Limit::States)]);
//! assert_eq!(meter.stats().expanded, 2);
//! ```

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::memory::{Memory, OutOfMemory};
use crate::progress::ProgressCounters;
use crate::stats::Stats;

/// What a search may take; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall time.
    pub time: Option<Duration>,
    /// Bytes held at one time.
    pub memory_bytes: Option<u64>,
    /// States expanded.
    pub states: Option<u64>,
}

/// What ended a search before its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// The time was over.
    #[error("out of time")]
    Time,
    /// A structure could not grow within the memory allowed, or the system had none.
    #[error("out of memory")]
    Memory,
    /// The number of states to expand was reached.
    #[error("out of states")]
    States,
    /// A state, or a number that belongs to it, is too large for its encoding. No budget helps.
    #[error("too large to be encoded")]
    Encoding,
    /// Somebody raised the flag.
    #[error("interrupted")]
    Cancelled,
}

impl From<OutOfMemory> for Limit {
    fn from(_: OutOfMemory) -> Self {
        Self::Memory
    }
}

/// Admits a state that an expansion emits, and tells the space whether to go on. The first failure
/// stays in `end`, so that none is lost, not even with a space that goes on after a break.
#[inline]
pub(crate) fn go_on(
    end: &mut Result<(), Limit>,
    admit: impl FnOnce() -> Result<(), Limit>,
) -> ControlFlow<()> {
    if end.is_ok() {
        *end = admit();
    }
    if end.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// Limits whose clock is running.
#[derive(Clone, Debug)]
pub struct Budget {
    deadline: Option<Instant>,
    states: u64,
    memory: Memory,
    cancel: Arc<AtomicBool>,
    progress: Option<Arc<ProgressCounters>>,
}

impl Budget {
    /// Starts the clock.
    pub fn new(limits: Limits) -> Self {
        Self {
            // A time too long for the clock is as good as none.
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            states: limits.states.unwrap_or(u64::MAX),
            memory: Memory::with_limit(limits.memory_bytes.unwrap_or(u64::MAX)),
            cancel: Arc::default(),
            progress: None,
        }
    }

    /// The same budget with a flag that, raised from anywhere, ends every search under it.
    #[must_use]
    pub fn cancelled_by(self, flag: Arc<AtomicBool>) -> Self {
        Self { cancel: flag, ..self }
    }

    /// The same budget with somebody who is told how far the searches under it have come.
    #[must_use]
    pub fn with_progress(self, progress: Arc<ProgressCounters>) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// No limits. A search that does not end then goes on until the system ends the program for
    /// want of memory.
    pub fn unlimited() -> Self {
        Self::new(Limits::default())
    }

    /// The same clock, memory and flag for a search that may expand at most so many states; and no
    /// more than this budget allows.
    #[must_use]
    pub fn with_state_limit(&self, states: u64) -> Self {
        Self { states: self.states.min(states), ..self.clone() }
    }

    /// How many states a search may expand.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// The account that everything that grows is booked on.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Whether work may go on: an error if the flag is up or the time is over.
    pub fn check(&self) -> Result<(), Limit> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Limit::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Err(Limit::Time)
        } else {
            Ok(())
        }
    }

    /// A counter at zero.
    pub fn meter(&self) -> Meter<'_> {
        Meter {
            budget: self,
            stats: Stats::default(),
            depth: 0,
            reported: 0,
            until_poll: 1,
            recovery_end: None,
        }
    }
}

/// How often the clock is read: once for so many states expanded or generated, some tens of
/// microseconds apart.
const POLL_INTERVAL: u32 = 1024;

/// What the recovery of a plan may take beyond the budget's time.
const RECOVERY: Duration = Duration::from_secs(2);

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.report();
    }
}

/// Counts the work of one search and says when its budget is spent.
#[derive(Debug)]
pub struct Meter<'a> {
    budget: &'a Budget,
    stats: Stats,
    depth: u32,
    /// The expansions that whoever watches knows of.
    reported: u64,
    until_poll: u32,
    recovery_end: Option<Instant>,
}

impl Meter<'_> {
    /// Counts an expansion that is about to be made.
    #[inline]
    pub fn expand(&mut self) -> Result<(), Limit> {
        if self.stats.expanded >= self.budget.states {
            return Err(Limit::States);
        }
        self.stats.expanded += 1;
        self.poll()
    }

    /// Counts a state that came out of an expansion.
    #[inline]
    pub fn generate(&mut self) -> Result<(), Limit> {
        self.generated(1)
    }

    /// Counts states that came out of expansions.
    #[inline]
    pub fn generated(&mut self, states: u64) -> Result<(), Limit> {
        self.stats.generated += states;
        self.poll_after(states as u32)
    }

    /// Counts a generated state that was already known.
    #[inline]
    pub fn duplicate(&mut self) {
        self.duplicates(1);
    }

    /// Counts generated states that were already known.
    #[inline]
    pub fn duplicates(&mut self, states: u64) {
        self.stats.duplicates += states;
    }

    /// How many states more may be expanded.
    pub(crate) fn states_left(&self) -> u64 {
        self.budget.states - self.stats.expanded
    }

    /// Adds work that was counted elsewhere under the same budget.
    pub(crate) fn add(&mut self, work: Stats) {
        self.stats.expanded += work.expanded;
        self.stats.generated += work.generated;
        self.stats.duplicates += work.duplicates;
        self.report();
    }

    /// The budget.
    pub(crate) fn budget(&self) -> &Budget {
        self.budget
    }

    /// Notes how many states are waiting.
    #[inline]
    pub fn note_frontier(&mut self, states: u64) {
        self.stats.peak_frontier = self.stats.peak_frontier.max(states);
    }

    /// Notes for whoever watches that no plan with fewer moves is left to be found; or that so many
    /// layers were explored.
    #[inline]
    pub fn set_depth(&mut self, depth: u32) {
        self.depth = depth;
    }

    fn report(&mut self) {
        if let Some(progress) = &self.budget.progress {
            progress.add(
                self.stats.expanded - self.reported,
                self.depth,
                self.budget.memory.held_bytes(),
            );
            self.reported = self.stats.expanded;
        }
    }

    /// Looks at the clock and the flag now and then; for work that is not counted.
    #[inline]
    pub fn poll(&mut self) -> Result<(), Limit> {
        self.poll_after(1)
    }

    /// The same for work that is as much as that of so many states.
    #[inline]
    pub fn poll_after(&mut self, work: u32) -> Result<(), Limit> {
        self.until_poll = self.until_poll.saturating_sub(work);
        if self.until_poll == 0 { self.poll_now() } else { Ok(()) }
    }

    #[cold]
    pub(crate) fn poll_now(&mut self) -> Result<(), Limit> {
        // Due again at once, should this look end the search and its plan be recovered all the
        // same.
        self.until_poll = 1;
        self.report();
        if self.recovery_end.is_none_or(|end| Instant::now() >= end) {
            self.budget.check()?;
        }
        self.until_poll = POLL_INTERVAL;
        Ok(())
    }

    /// A goal is found and only the way back to the start is left: that is not lost to the clock,
    /// nor to a cancellation, for two more seconds.
    pub(crate) fn start_recovery(&mut self) {
        self.recovery_end = Some(Instant::now() + RECOVERY);
    }

    /// The account of the budget's memory.
    pub fn memory(&self) -> &Memory {
        &self.budget.memory
    }

    /// The work so far.
    pub fn stats(&self) -> Stats {
        Stats { bytes: self.budget.memory.peak_bytes(), ..self.stats }
    }
}
