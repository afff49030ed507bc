//! What the threads of a process share: what has arrived, and why the search stopped.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fewest_core::budget::Limit;

use crate::cause::Cause;
use crate::parcel::{Content, Purpose};

/// The state that is shared, and a signal that it has changed.
#[derive(Debug)]
pub(crate) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
pub(crate) struct State {
    /// The blocks that were not received yet, each with its sender.
    pub(crate) blocks: VecDeque<(usize, Vec<u8>)>,
    /// The number of layers that all processes have ended.
    pub(crate) complete_layers: u64,
    /// The parts of all-gathers that have arrived, by their numbers.
    pub(crate) gathers: BTreeMap<u64, Vec<Option<Vec<u8>>>>,
    /// For each process, the number of blocks that it has not received.
    pub(crate) in_flight: Vec<usize>,
    /// Which processes will send nothing more.
    pub(crate) has_ended: Vec<bool>,
    /// The first other process that ended, and when.
    pub(crate) first_end: Option<(usize, Instant)>,
    /// Why the search stopped.
    pub(crate) stop: Option<Cause>,
    pub(crate) traffic: Traffic,
}

/// What a process has sent to others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traffic {
    /// The bytes, with those of the engine.
    pub bytes: u64,
    /// The blocks of states.
    pub blocks: u64,
    /// The bytes of these blocks.
    pub block_bytes: u64,
    /// The most blocks that one process had not received at the same time.
    pub most_in_flight: usize,
}

/// A process that has been silent for this time is taken for dead. What a process sent before it
/// ended has arrived after this time.
pub(crate) const SILENCE: Duration = Duration::from_secs(4);

impl State {
    /// Another process will send nothing more.
    pub(crate) fn end(&mut self, process: usize) {
        self.has_ended[process] = true;
        self.first_end.get_or_insert_with(|| (process, Instant::now()));
    }

    /// Stops if this process still waits for others after one has ended: then that one does not
    /// search what this one does.
    fn stop_waiting(&mut self) -> Result<(), Limit> {
        if let Some((process, since)) = self.first_end
            && since.elapsed() >= SILENCE
        {
            let what = format!("process {process} has ended before the end of the search");
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

    /// Changes the state, and wakes all threads that wait.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = change(&mut self.lock());
        self.changed.notify_all();
        changed
    }

    /// Stops the search. Returns whether this is the cause now: the first one is, unless another
    /// one [replaces](Cause::replaces) it.
    pub(crate) fn stop(&self, cause: Cause) -> bool {
        self.change(|state| {
            let is_new = state.stop.as_ref().is_none_or(|known| cause.replaces(known));
            if is_new {
                state.stop = Some(cause);
            }
            is_new
        })
    }

    /// Takes what arrived from the dataflow.
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

    /// Fails if nothing more can arrive.
    pub(crate) fn check_waiting(&self) -> Result<(), Limit> {
        self.lock().stop_waiting()
    }

    /// Waits until the state changes, or this time is over.
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
            // What all processes have ended counts, even if one has stopped since.
            if let Some(stop) = &state.stop {
                return Err(stop.limit());
            }
            state.stop_waiting()?;
            state = self
                .changed
                .wait_timeout(state, SILENCE / 4)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// Waits until `is_ready`, also after a stop, but no longer than this time.
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
