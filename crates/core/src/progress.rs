//! Progress of running searches, for display by another thread, or where there is none, by the
//! search.
//!
//! ```
//! use std::sync::Arc;
//!
//! use fewest_core::budget::Budget;
//! use fewest_core::progress::ProgressCounters;
//!
//! let progress = Arc::new(ProgressCounters::default());
//! let budget = Budget::unlimited().with_progress(Arc::clone(&progress));
//! // Pass the budget to a search, and read the counters in another thread.
//! # drop(budget);
//! assert_eq!((progress.expanded(), progress.depth()), (0, 0));
//! ```

use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Counters that all searches under a [`Budget`](crate::budget::Budget) update while they run.
///
/// Each thread of a search updates them when it reads the clock, every few tens of microseconds.
#[derive(Debug, Default)]
pub struct ProgressCounters {
    expanded: AtomicU64,
    depth: AtomicU32,
    held_bytes: AtomicU64,
    checked: AtomicU64,
    layers: [AtomicU64; 2],
    observer: Option<Observer>,
}

struct Observer(Box<Observe>);

type Observe = dyn Fn(&ProgressCounters) + Send + Sync;

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

impl ProgressCounters {
    /// Counters that the searches themselves show, on a system without threads: `observe` is called
    /// after each update.
    pub fn observed_by(observe: impl Fn(&Self) + Send + Sync + 'static) -> Self {
        Self { observer: Some(Observer(Box::new(observe))), ..Self::default() }
    }

    /// The number of states expanded so far, over all searches.
    pub fn expanded(&self) -> u64 {
        self.expanded.load(Ordering::Relaxed)
    }

    /// The depth of the search that updated the counters last: the number of complete layers of a
    /// breadth-first search, or the lower bound on the cost that A* or IDA* has proved.
    pub fn depth(&self) -> u32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// The bytes that are reserved from the budget of the search that updated the counters last.
    pub fn held_bytes(&self) -> u64 {
        self.held_bytes.load(Ordering::Relaxed)
    }

    /// The number of steps of a check of what a search has found, such as boards that were looked
    /// up.
    pub fn checked(&self) -> u64 {
        self.checked.load(Ordering::Relaxed)
    }

    /// The number of states of the last complete layer of a breadth-first search, and of the one
    /// before: how it grows. 0 as long as there are none.
    pub fn last_layers(&self) -> [u64; 2] {
        self.layers.each_ref().map(|states| states.load(Ordering::Relaxed))
    }

    pub(crate) fn set_last_layers(&self, layers: [u64; 2]) {
        self.layers.iter().zip(layers).for_each(|(to, states)| to.store(states, Ordering::Relaxed));
    }

    pub(crate) fn add_checked(&self, steps: u64) {
        self.checked.fetch_add(steps, Ordering::Relaxed);
    }

    pub(crate) fn add(&self, newly_expanded: u64, depth: u32, held_bytes: u64) {
        self.expanded.fetch_add(newly_expanded, Ordering::Relaxed);
        self.depth.store(depth, Ordering::Relaxed);
        self.held_bytes.store(held_bytes, Ordering::Relaxed);
        if let Some(Observer(observe)) = &self.observer {
            observe(self);
        }
    }
}
