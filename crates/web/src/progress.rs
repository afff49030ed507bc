//! Reports of searches that run.

use std::time::Duration;

use fewest_core::clock::Instant;
use fewest_core::progress::ProgressCounters;
use serde_json::{Value, json};

/// What was reported of a request so far.
#[derive(Debug)]
pub struct Progress {
    start: Instant,
    /// A request may run several searches, each of which starts with a smaller bound: the greatest.
    lower_bound: u32,
}

impl Default for Progress {
    fn default() -> Self {
        Self { start: Instant::now(), lower_bound: 0 }
    }
}

impl Progress {
    /// The time between two reports.
    pub const INTERVAL: Duration = Duration::from_millis(200);

    /// A part of the answer that says how far the search is.
    pub fn report(&mut self, counters: &ProgressCounters) -> Value {
        self.lower_bound = counters.depth().max(self.lower_bound);
        json!({ "progress": {
            "expanded": counters.expanded(),
            "lower_bound": self.lower_bound,
            "elapsed_seconds": self.start.elapsed().as_secs_f64(),
        } })
    }
}
