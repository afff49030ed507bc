//! How often it pays to write: what writing has taken is compared with the whole run.

use std::time::{Duration, Instant};

/// What was done in this time is not worth a last part.
const MIN_LOST_WORK: Duration = Duration::from_millis(100);
/// The least and the most time for what is written after a limit.
pub(super) const TIME_LEFT: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(2)];

/// The time that a search takes, and the part of it that goes into files.
pub(super) struct Pace {
    begin: Instant,
    /// How long it took to make layers durable.
    publishing: Duration,
    last_publishing: Duration,
    /// How long it took to write states, and their number.
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
            publishing: Duration::ZERO,
            last_publishing: Duration::ZERO,
            writing: Duration::ZERO,
            written: 0,
            last: begin,
        }
    }

    /// Notes that this number of states was written, from `begin` on.
    pub(super) fn note_written(&mut self, states: u64, begin: Instant) {
        self.last = Instant::now();
        self.writing += self.last - begin;
        self.written += states;
    }

    /// Notes that layers were made durable, from `begin` on.
    pub(super) fn note_published(&mut self, begin: Instant) {
        self.last_publishing = begin.elapsed();
        self.publishing += self.last_publishing;
    }

    /// Whether layers may be made durable: so that it takes at most a tenth of the time.
    pub(super) fn may_publish(&self) -> bool {
        (self.publishing + self.last_publishing) * 10 <= self.begin.elapsed()
    }

    /// When a layer of `states` states should be written in part, at the earliest after `interval`:
    /// so that all parts take at most a tenth of the time.
    pub(super) fn next_part(&self, states: u64, interval: Duration) -> Option<Instant> {
        if interval.is_zero() {
            return Some(self.last);
        }
        // The rest and what was generated are about two layers.
        let nanoseconds = self.writing.as_nanos() as f64 / self.written.max(1) as f64;
        let expected = Duration::from_nanos((2.0 * nanoseconds * states as f64) as u64);
        let spent = self.writing + self.publishing + self.last_publishing;
        let cheap = self.begin.checked_add((spent + expected).saturating_mul(10))?;
        Some(cheap.max(self.last.checked_add(interval)?))
    }

    /// Whether what was done since a layer was written is worth a part.
    pub(super) fn is_part_due(&self, interval: Duration) -> bool {
        self.last.elapsed() >= MIN_LOST_WORK.min(interval)
    }

    /// How long writing may take after a limit was reached: a twentieth of the run, at most two
    /// seconds.
    pub(super) fn time_left(&self) -> Duration {
        (self.begin.elapsed() / 20).clamp(TIME_LEFT[0], TIME_LEFT[1])
    }
}
