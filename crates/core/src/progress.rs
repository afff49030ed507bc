//! How far searches have come, for whoever looks on from another thread while they run.
//!
//! ```
//! use std::sync::Arc;
//!
//! use fewest_core::budget::Budget;
//! use fewest_core::progress::ProgressCounters;
//!
//! let watch = Arc::new(ProgressCounters::default());
//! let budget = Budget::unlimited().with_progress(Arc::clone(&watch));
//! // A search takes the budget, and another thread reads what it tells.
//! # drop(budget);
//! assert_eq!((watch.expanded(), watch.depth()), (0, 0));
//! ```

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// What all searches under the budgets that have it did so far. They tell it when they look at the
/// clock, so it is some tens of microseconds behind; and searches by several threads tell it only
/// after each layer.
#[derive(Debug, Default)]
pub struct ProgressCounters {
    expanded: AtomicU64,
    depth: AtomicU32,
    held_bytes: AtomicU64,
}

impl ProgressCounters {
    /// States expanded, in all.
    pub fn expanded(&self) -> u64 {
        self.expanded.load(Ordering::Relaxed)
    }

    /// Of the search that told last: the layers that are done; where it goes by bounds, the number
    /// of moves that a plan has at least.
    pub fn depth(&self) -> u32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Of the search that told last: the memory that its budget holds.
    pub fn held_bytes(&self) -> u64 {
        self.held_bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn add(&self, newly_expanded: u64, depth: u32, held_bytes: u64) {
        self.expanded.fetch_add(newly_expanded, Ordering::Relaxed);
        self.depth.store(depth, Ordering::Relaxed);
        self.held_bytes.store(held_bytes, Ordering::Relaxed);
    }
}
