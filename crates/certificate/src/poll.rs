//! Whether a check is stopped.

use std::cell::Cell;

use crate::refusal::Refusal;

/// How often something was done between two looks at whether the check is stopped.
pub const POLL_INTERVAL: u32 = 4096;

/// Whether a check is stopped, asked by each of its threads.
pub type IsStopped<'a> = &'a (dyn Fn() -> bool + Sync);

/// Looks now and then whether the check is stopped.
pub struct Poll<'a> {
    is_stopped: IsStopped<'a>,
    done: Cell<u32>,
}

impl<'a> Poll<'a> {
    /// Asks this function now and then.
    pub fn new(is_stopped: IsStopped<'a>) -> Self {
        Self { is_stopped, done: Cell::new(0) }
    }

    /// Counts something that was done, such as a state that was read.
    ///
    /// # Errors
    /// [`Refusal::Stopped`].
    pub fn count(&self) -> Result<(), Refusal> {
        let done = self.done.replace(self.done.get().wrapping_add(1));
        let is_stopped = done.is_multiple_of(POLL_INTERVAL) && (self.is_stopped)();
        if is_stopped { Err(Refusal::Stopped) } else { Ok(()) }
    }
}
