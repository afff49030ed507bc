//! Decides when to write and sync: each may take at most a fixed share of the run time.

use std::time::Duration;

use crate::clock::Instant;

/// Less work than this is not worth a last partial layer.
const MIN_LOST_WORK: Duration = Duration::from_millis(100);
/// Bounds on the time for writing after a limit is reached.
pub(super) const TIME_LEFT: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(2)];

/// Measures how much of the run time goes into writing and syncing files.
pub(super) struct Pace {
    begin: Instant,
    /// The total time spent on syncs.
    sync_time: Duration,
    last_sync_time: Duration,
    /// The total time spent on writing states, and the number of states written.
    writing: Duration,
    written: u64,
    /// When a layer was last written.
    last: Instant,
}

impl Pace {
    pub(super) fn start() -> Self {
        let begin = Instant::now();
        Self {
            begin,
            sync_time: Duration::ZERO,
            last_sync_time: Duration::ZERO,
            writing: Duration::ZERO,
            written: 0,
            last: begin,
        }
    }

    /// Records that `states` states were written since `begin`.
    pub(super) fn note_written(&mut self, states: u64, begin: Instant) {
        self.last = Instant::now();
        self.writing += self.last.saturating_duration_since(begin);
        self.written += states;
    }

    /// Records a sync that started at `begin`.
    pub(super) fn note_synced(&mut self, begin: Instant) {
        self.last_sync_time = begin.elapsed();
        self.sync_time += self.last_sync_time;
    }

    /// Whether another sync keeps the total sync time within a tenth of the run time.
    pub(super) fn may_sync(&self) -> bool {
        (self.sync_time + self.last_sync_time) * 10 <= self.begin.elapsed()
    }

    /// When to write a partial layer while a layer of `states` states is expanded: at least
    /// `interval` after the last write, and so late that all writing stays within a tenth of the
    /// run time.
    pub(super) fn next_part(&self, states: u64, interval: Duration) -> Option<Instant> {
        if interval.is_zero() {
            return Some(self.last);
        }
        // The unexpanded and the generated states together are estimated as two layers.
        let nanoseconds = self.writing.as_nanos() as f64 / self.written.max(1) as f64;
        let expected = Duration::from_nanos((2.0 * nanoseconds * states as f64) as u64);
        // The next sync is assumed to take as long as the last one.
        let spent = self.writing + self.sync_time + self.last_sync_time;
        let cheap = self.begin.checked_add((spent + expected).saturating_mul(10))?;
        Some(cheap.max(self.last.checked_add(interval)?))
    }

    /// Whether the work since the last write is worth a partial layer.
    pub(super) fn is_part_due(&self, interval: Duration) -> bool {
        self.last.elapsed() >= MIN_LOST_WORK.min(interval)
    }

    /// How long writing may continue after a limit is reached: 1/20 of the run time, clamped to
    /// [`TIME_LEFT`].
    pub(super) fn time_left(&self) -> Duration {
        (self.begin.elapsed() / 20).clamp(TIME_LEFT[0], TIME_LEFT[1])
    }
}
