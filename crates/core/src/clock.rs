//! The time, also where the standard library has none.
//!
//! In a browser, WebAssembly is told the time by the page that loads it: a program for
//! `wasm32-unknown-unknown` calls `clock::set` before it searches. On all other targets,
//! [`Instant`] is that of the standard library.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use told::{Instant, set};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod told {
    use std::ops::Add;
    use std::sync::OnceLock;
    use std::time::Duration;

    static NOW: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets what tells the time since any fixed moment; the first call counts. Without it, the time
    /// stands still, so that limits of time have no effect.
    pub fn set(now: fn() -> Duration) {
        NOW.get_or_init(|| now);
    }

    /// A moment.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present moment.
        pub fn now() -> Self {
            Self(NOW.get().map_or(Duration::ZERO, |now| now()))
        }

        /// The time since then.
        pub fn elapsed(&self) -> Duration {
            Self::now().saturating_duration_since(*self)
        }

        /// The time from an earlier moment to this one, or zero.
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// This time later; `None` if that is too large.
        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }
}
