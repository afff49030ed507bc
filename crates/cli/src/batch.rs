//! Many pieces of work at once, with their results in order.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// How many items are handed out ahead of the first whose result is missing, for each thread:
/// enough that a long one does not keep the others waiting, and few, as all their results are held.
const AHEAD: usize = 8;

/// As much as the main thread mostly has.
const STACK_BYTES: usize = 8 << 20;

/// Does the work of all items by so many threads, and hands the results to `take` in the order of
/// the items, each as soon as those before it are there; until `take` fails. An item whose work has
/// not begun when `goes_on` is no longer so is left out.
pub(crate) fn in_order<T: Send, R: Send, E>(
    threads: usize,
    mut items: impl Iterator<Item = T>,
    goes_on: impl Fn() -> bool + Sync,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let (todo, next) = mpsc::channel::<(usize, T)>();
    let (done, results) = mpsc::channel();
    let (next, stopped) = (Mutex::new(next), AtomicBool::new(false));
    let worker = |done: mpsc::Sender<_>| {
        let receive = || next.lock().unwrap_or_else(PoisonError::into_inner).recv();
        while let Ok((number, item)) = receive() {
            let begins = goes_on() && !stopped.load(Ordering::Relaxed);
            let result = begins.then(|| catch_unwind(AssertUnwindSafe(|| work(item))));
            if done.send((number, result)).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        // Dropped before the scope ends, also when `take` fails or panics, so that the threads do
        // not wait for more.
        let todo = todo;
        let spawn = |_| {
            let (done, worker) = (done.clone(), &worker);
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || worker(done))
                .ok()
        };
        // As many as the system has; without any the work is done here.
        let spawned = if threads > 1 { (0..threads).map_while(spawn).count() } else { 0 };
        let mut hand_on = || -> Result<(), E> {
            if spawned == 0 {
                return items
                    .by_ref()
                    .take_while(|_| goes_on())
                    .try_for_each(|item| take(work(item)));
            }
            let (mut handed_out, mut taken) = (0, 0);
            let mut waiting = BTreeMap::new();
            loop {
                while handed_out < taken + AHEAD * spawned
                    && goes_on()
                    && let Some(item) = items.next()
                {
                    todo.send((handed_out, item)).expect("the threads wait for more");
                    handed_out += 1;
                }
                if taken == handed_out {
                    return Ok(());
                }
                let (number, result) = results.recv().expect("the threads are at work");
                waiting.insert(number, result);
                while let Some(result) = waiting.remove(&taken) {
                    taken += 1;
                    if let Some(result) = result {
                        take(result.unwrap_or_else(|panic| resume_unwind(panic)))?;
                    }
                }
            }
        };
        let end = catch_unwind(AssertUnwindSafe(&mut hand_on));
        stopped.store(true, Ordering::Relaxed);
        end.unwrap_or_else(|panic| resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
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
    fn whoever_takes_them_can_fail_and_then_no_other_begins() {
        for threads in [1, 3] {
            let (mut taken, begun) = (0, AtomicUsize::new(0));
            let work = |item: u32| {
                begun.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(if item < 3 { 0 } else { 20 }));
                item
            };
            let end = in_order(
                threads,
                0..,
                || true,
                work,
                |_| {
                    taken += 1;
                    if taken == 2 { Err("enough") } else { Ok(()) }
                },
            );
            assert_eq!((end, taken), (Err("enough"), 2));
            assert!(begun.load(Ordering::Relaxed) <= 2 + 2 * threads, "{begun:?} by {threads}");
        }
    }

    #[test]
    fn what_has_begun_is_taken_when_no_more_is_to_begin() {
        for threads in [1, 3] {
            let (begun, mut taken) = (AtomicUsize::new(0), 0);
            let work = |_| {
                begun.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(1));
            };
            let end = in_order(
                threads,
                0..1000,
                || begun.load(Ordering::Relaxed) < 10,
                work,
                |()| {
                    taken += 1;
                    Ok::<_, ()>(())
                },
            );
            assert_eq!(end, Ok(()));
            assert_eq!(taken, begun.load(Ordering::Relaxed));
            assert!((10..10 + threads).contains(&taken), "{taken}");
        }
    }

    #[test]
    #[should_panic(expected = "the seventh")]
    fn a_panic_is_not_swallowed() {
        let work = |item: u32| assert!(item != 7, "the seventh");
        let _ = in_order(3, 0..100, || true, work, |()| Ok::<_, ()>(()));
    }
}
