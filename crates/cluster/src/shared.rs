//! The state that the search threads, the engine and the control threads share.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fewest_core::budget::Limit;

use crate::cause::Cause;
use crate::parcel::{Content, Purpose};

/// The shared state and a condition variable that is notified on each change.
#[derive(Debug)]
pub(crate) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
pub(crate) struct State {
    /// Blocks that have arrived but were not taken by the search, each with its sender.
    pub(crate) blocks: VecDeque<(usize, Vec<u8>)>,
    /// The number of layers that all processes have ended.
    pub(crate) complete_layers: u64,
    /// The contributions to all-gathers that have arrived, by the number of the gather.
    pub(crate) gathers: BTreeMap<u64, Vec<Option<Vec<u8>>>>,
    /// For each process, the number of blocks that it has not acknowledged.
    pub(crate) in_flight: Vec<usize>,
    /// Which processes have finished or disconnected.
    pub(crate) has_ended: Vec<bool>,
    /// The first other process that finished or disconnected, and when.
    pub(crate) first_end: Option<(usize, Instant)>,
    /// Why the search stopped.
    pub(crate) stop: Option<Cause>,
    pub(crate) traffic: Traffic,
}

/// Statistics of what a process has sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traffic {
    /// All bytes, including the overhead of the engine.
    pub bytes: u64,
    /// The blocks of states.
    pub blocks: u64,
    /// The bytes of these blocks.
    pub block_bytes: u64,
    /// The peak number of unacknowledged blocks to one process.
    pub most_in_flight: usize,
}

/// A process that sends nothing for this time is considered dead. Also the time after which
/// everything that a finished process sent is assumed to have arrived.
pub(crate) const SILENCE: Duration = Duration::from_secs(4);

impl State {
    /// Marks a process as finished.
    pub(crate) fn end(&mut self, process: usize) {
        self.has_ended[process] = true;
        self.first_end.get_or_insert_with(|| (process, Instant::now()));
    }

    /// Fails if this process still waits [`SILENCE`] after another one finished. All processes make
    /// the same searches, so the finished one must have stopped early.
    fn check_first_end(&mut self) -> Result<(), Limit> {
        // After `SILENCE`, not at once: messages of the finished process may still be on their way
        // through the data connection, which is separate from the control connection.
        if let Some((process, since)) = self.first_end
            && since.elapsed() >= SILENCE
        {
            let what = format!("process {process} finished before the search ended");
            return Err(self.stop.get_or_insert(Cause::Lost { process, what }).limit());
        }
        Ok(())
    }
}

impl Shared {
    pub(crate) fn new(processes: usize) -> Self {
        let state = State {
            blocks: VecDeque::new(),
            complete_layers: 0,
            gathers: BTreeMap::new(),
            in_flight: vec![0; processes],
            has_ended: vec![false; processes],
            first_end: None,
            stop: None,
            traffic: Traffic::default(),
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The state, whether the search has stopped or not.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, unless the search has stopped.
    pub(crate) fn running(&self) -> Result<MutexGuard<'_, State>, Limit> {
        let state = self.lock();
        match &state.stop {
            None => Ok(state),
            Some(stop) => Err(stop.limit()),
        }
    }

    /// Changes the state and wakes all waiting threads.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = change(&mut self.lock());
        self.changed.notify_all();
        changed
    }

    /// Stops the search. Returns whether `cause` was recorded: the first one is, unless a later one
    /// [replaces](Cause::replaces) it.
    pub(crate) fn stop(&self, cause: Cause) -> bool {
        self.change(|state| {
            let is_new = state.stop.as_ref().is_none_or(|known| cause.replaces(known));
            if is_new {
                state.stop = Some(cause);
            }
            is_new
        })
    }

    /// Stores what arrived through the dataflow.
    pub(crate) fn arrived(&self, content: Content) {
        let Content { from, purpose, bytes, .. } = content;
        self.change(|state| match purpose {
            Purpose::Block => state.blocks.push_back((from, bytes)),
            Purpose::Gather(number) => {
                let processes = state.in_flight.len();
                let parts = state.gathers.entry(number).or_insert_with(|| vec![None; processes]);
                parts[from] = Some(bytes);
            }
        });
    }

    /// Fails if another process finished early, so that this one would wait forever.
    pub(crate) fn check_waiting(&self) -> Result<(), Limit> {
        self.lock().check_first_end()
    }

    /// Waits until the state changes, but at most for `time`.
    pub(crate) fn wait(&self, time: Duration) {
        let _ = self.changed.wait_timeout(self.lock(), time);
    }

    /// Waits until `ready` returns a value.
    pub(crate) fn wait_for<T>(
        &self,
        mut ready: impl FnMut(&mut State) -> Option<T>,
    ) -> Result<T, Limit> {
        let mut state = self.running()?;
        loop {
            if let Some(value) = ready(&mut state) {
                return Ok(value);
            }
            // In the loop, check for a stop only after `ready`: what is already complete is valid,
            // even if a process has stopped since.
            if let Some(stop) = &state.stop {
                return Err(stop.limit());
            }
            state.check_first_end()?;
            state = self
                .changed
                .wait_timeout(state, SILENCE / 4)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// Waits until `is_ready`, even after a stop, but at most for `time`.
    pub(crate) fn wait_until(&self, time: Duration, is_ready: impl Fn(&State) -> bool) {
        let end = Instant::now() + time;
        let mut state = self.lock();
        while !is_ready(&state) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state =
                self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
