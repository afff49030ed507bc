//! Parallel work on a sequence of items, with the results in order.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

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
pub(crate) fn in_order<T: Send, R: Send, E>(
    threads: usize,
    lookahead: usize,
    mut items: impl Iterator<Item = T>,
    should_continue: impl Fn() -> bool + Sync,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let (item_sender, item_receiver) = mpsc::channel::<(usize, T)>();
    let (result_sender, results) = mpsc::channel();
    let (item_receiver, stopped) = (Mutex::new(item_receiver), AtomicBool::new(false));
    let worker = |result_sender: mpsc::Sender<_>| {
        let receive = || item_receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
        while let Ok((number, item)) = receive() {
            let starts = should_continue() && !stopped.load(Ordering::Relaxed);
            let result = starts.then(|| catch_unwind(AssertUnwindSafe(|| work(item))));
            if result_sender.send((number, result)).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        // The sender is dropped before the scope ends, even if `take` fails or panics. Otherwise
        // the threads would wait for more items forever.
        let item_sender = item_sender;
        let spawn = |_| {
            let (result_sender, worker) = (result_sender.clone(), &worker);
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || worker(result_sender))
                .ok()
        };
        // If the system refuses all threads, this thread does the work.
        let spawned = if threads > 1 { (0..threads).map_while(spawn).count() } else { 0 };
        let mut dispatch = || -> Result<(), E> {
            if spawned == 0 {
                return items
                    .by_ref()
                    .take_while(|_| should_continue())
                    .try_for_each(|item| take(work(item)));
            }
            let (mut sent, mut taken) = (0, 0);
            let mut pending = BTreeMap::new();
            loop {
                while sent < taken + lookahead * spawned
                    && should_continue()
                    && let Some(item) = items.next()
                {
                    item_sender.send((sent, item)).expect("the receiver outlives the scope");
                    sent += 1;
                }
                if taken == sent {
                    return Ok(());
                }
                let (number, result) = results.recv().expect("each sent item has a result");
                pending.insert(number, result);
                while let Some(result) = pending.remove(&taken) {
                    taken += 1;
                    if let Some(result) = result {
                        take(result.unwrap_or_else(|panic| resume_unwind(panic)))?;
                    }
                }
            }
        };
        let result = catch_unwind(AssertUnwindSafe(&mut dispatch));
        stopped.store(true, Ordering::Relaxed);
        result.unwrap_or_else(|panic| resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
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
    #[should_panic(expected = "the seventh")]
    fn a_panic_of_the_work_propagates() {
        let work = |item: u32| assert!(item != 7, "the seventh");
        let _ = in_order(3, LOOKAHEAD, 0..100, || true, work, |()| Ok::<_, ()>(()));
    }
}
