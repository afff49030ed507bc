//! Parallel work on a sequence of items, with the results in order.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use rayon::ThreadPoolBuilder;

use crate::exit::Exit;

/// How a batch of data sets ended, apart from the answers.
#[derive(Clone, Copy)]
pub(crate) struct BatchEnd {
    /// The number of texts with an error.
    pub(crate) invalid_count: u64,
    /// Whether Ctrl-C was pressed, even if no search was running at that time.
    pub(crate) interrupted: bool,
}

impl BatchEnd {
    pub(crate) fn exit(self) -> Exit {
        match self {
            Self { invalid_count: 1.., .. } => Exit::BadInput,
            Self { interrupted: true, .. } => Exit::Interrupted,
            _ => Exit::Answered,
        }
    }
}

/// The number of items per thread that may be sent ahead of the first missing result. Enough that
/// one slow item does not block the other threads; small, because all their results are in memory.
pub(crate) const LOOKAHEAD: usize = 8;

/// The usual stack size of the main thread.
const STACK_BYTES: usize = 8 << 20;

/// Runs `work` on all items with `threads` threads, and passes the results to `take` in the order
/// of the items, each as soon as all results before it are complete. Stops at the first error of
/// `take`. Once `should_continue` returns `false`, no further item is started; the others are
/// skipped.
///
/// At most `lookahead` items per thread are started before the result of the first of them is
/// taken.
pub(crate) fn in_order<T: Send, R: Send, E: Send>(
    threads: usize,
    lookahead: usize,
    mut items: impl Iterator<Item = T>,
    should_continue: impl Fn() -> bool + Sync,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let pool = || ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES).build();
    // If the system refuses the threads, this thread does the work.
    let Some(pool) = (threads > 1).then(pool).and_then(Result::ok) else {
        return items.take_while(|_| should_continue()).try_for_each(|item| take(work(item)));
    };
    let stopped = AtomicBool::new(false);
    pool.in_place_scope_fifo(|scope| {
        // Set however this ends, as the scope waits for all that was spawned.
        let _stops = StopsOnDrop(&stopped);
        let (stopped, should_continue, work) = (&stopped, &should_continue, &work);
        let mut results = VecDeque::new();
        loop {
            while results.len() < lookahead * threads
                && should_continue()
                && let Some(item) = items.next()
            {
                let (sender, result) = mpsc::channel();
                scope.spawn_fifo(move |_| {
                    if should_continue() && !stopped.load(Ordering::Relaxed) {
                        let done = panic::catch_unwind(AssertUnwindSafe(|| work(item)));
                        // The receiver is gone after an error of `take`.
                        let _ = sender.send(done);
                    }
                });
                results.push_back(result);
            }
            let Some(result) = results.pop_front() else { return Ok(()) };
            // A skipped item has no result.
            match result.recv() {
                Ok(Ok(result)) => take(result)?,
                Ok(Err(panic)) => panic::resume_unwind(panic),
                Err(mpsc::RecvError) => {}
            }
        }
    })
}

struct StopsOnDrop<'a>(&'a AtomicBool);

impl Drop for StopsOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_are_in_item_order() {
        for threads in [1, 2, 7] {
            let mut results = Vec::new();
            let slow_first = |item: u64| {
                thread::sleep(Duration::from_micros(if item.is_multiple_of(50) {
                    3000
                } else {
                    1
                }));
                item * item
            };
            let taken = in_order(
                threads,
                LOOKAHEAD,
                0..1000,
                || true,
                slow_first,
                |result| {
                    results.push(result);
                    Ok::<_, ()>(())
                },
            );
            assert_eq!(taken, Ok(()));
            assert!(results.into_iter().eq((0..1000).map(|item| item * item)));
        }
    }

    #[test]
    fn no_item_starts_after_take_fails() {
        for threads in [1, 3] {
            let (mut taken, started) = (0, AtomicUsize::new(0));
            let work = |item: u32| {
                started.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(if item < 3 { 0 } else { 20 }));
                item
            };
            let end = in_order(
                threads,
                LOOKAHEAD,
                0..,
                || true,
                work,
                |_| {
                    taken += 1;
                    if taken == 2 { Err("enough") } else { Ok(()) }
                },
            );
            assert_eq!((end, taken), (Err("enough"), 2));
            assert!(started.load(Ordering::Relaxed) <= 2 + 2 * threads, "{started:?} by {threads}");
        }
    }

    #[test]
    fn started_items_are_taken_after_should_continue_is_false() {
        for threads in [1, 3] {
            let (started, mut taken) = (AtomicUsize::new(0), 0);
            let work = |_| {
                started.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(1));
            };
            let end = in_order(
                threads,
                LOOKAHEAD,
                0..1000,
                || started.load(Ordering::Relaxed) < 10,
                work,
                |()| {
                    taken += 1;
                    Ok::<_, ()>(())
                },
            );
            assert_eq!(end, Ok(()));
            assert_eq!(taken, started.load(Ordering::Relaxed));
            assert!((10..10 + threads).contains(&taken), "{taken}");
        }
    }

    #[test]
    fn a_panic_of_the_work_propagates_in_item_order() {
        for threads in [1, 3] {
            let mut taken = Vec::new();
            let work = |item: u32| {
                assert!(item != 7, "the seventh");
                item
            };
            let take = |item| {
                taken.push(item);
                Ok::<_, ()>(())
            };
            let end = panic::catch_unwind(AssertUnwindSafe(|| {
                in_order(threads, LOOKAHEAD, 0..100, || true, work, take)
            }));
            assert!(end.is_err() && taken == [0, 1, 2, 3, 4, 5, 6], "{taken:?} by {threads}");
        }
    }
}
