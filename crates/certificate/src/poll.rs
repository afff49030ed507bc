//! Cancellation of a check.

use std::cell::Cell;

use crate::refusal::Refusal;

/// The number of units of work between two calls of [`IsStopped`].
pub const POLL_INTERVAL: u32 = 4096;

/// Returns whether the check should stop. Called by each thread of a check.
pub type IsStopped<'a> = &'a (dyn Fn() -> bool + Sync);

/// Counts work and polls for cancellation at regular intervals.
pub struct Poll<'a> {
    is_stopped: IsStopped<'a>,
    done: Cell<u32>,
}

impl<'a> Poll<'a> {
    /// Creates a poll that calls this function.
    pub fn new(is_stopped: IsStopped<'a>) -> Self {
        Self { is_stopped, done: Cell::new(0) }
    }

    /// Counts one unit of work, such as a state that was read.
    ///
    /// # Errors
    /// [`Refusal::Stopped`] if the check should stop.
    pub fn count(&self) -> Result<(), Refusal> {
        let done = self.done.replace(self.done.get().wrapping_add(1));
        let is_stopped = done.is_multiple_of(POLL_INTERVAL) && (self.is_stopped)();
        if is_stopped { Err(Refusal::Stopped) } else { Ok(()) }
    }
}
