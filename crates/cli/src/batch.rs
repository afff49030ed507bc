//! Many pieces of work at once, with their results in order.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// How many items are handed out ahead of the first whose result is missing, for each thread: enough that a long one does not
/// keep the others waiting, and few enough to hold.
const AHEAD: usize = 64;

/// As much as the main thread mostly has.
const STACK_BYTES: usize = 8 << 20;

/// Does the work of all items by so many threads, and hands the results to `take` in the order of the items, each as soon as those
/// before it are there; until `take` wants no more, or fails.
pub(crate) fn in_order<T: Send, R: Send, E>(
    threads: usize,
    mut items: impl Iterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<bool, E>,
) -> Result<(), E> {
    if threads == 1 {
        for item in items {
            if !take(work(item))? {
                break;
            }
        }
        return Ok(());
    }
    // Dropped before the scope ends, also when `take` fails or panics, so that the threads do not wait for more.
    let (todo, next) = mpsc::channel::<(usize, T)>();
    let (done, results) = mpsc::channel();
    let next = Mutex::new(next);
    thread::scope(|scope| {
        let todo = todo;
        for _ in 0..threads {
            let (done, next, work) = (done.clone(), &next, &work);
            let worker = move || {
                let receive = || next.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok((number, item)) = receive() {
                    let result = catch_unwind(AssertUnwindSafe(|| work(item)));
                    if done.send((number, result)).is_err() {
                        break;
                    }
                }
            };
            let spawned = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, worker);
            spawned.expect("the system has a thread");
        }
        let (mut handed_out, mut taken) = (0, 0);
        let mut waiting = BTreeMap::new();
        loop {
            while handed_out < taken + AHEAD * threads
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
                if !take(result.unwrap_or_else(|panic| resume_unwind(panic)))? {
                    return Ok(());
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for threads in [1, 2, 7] {
            let mut results = Vec::new();
            let slow_first = |item: u64| {
                thread::sleep(Duration::from_micros(if item.is_multiple_of(50) { 3000 } else { 1 }));
                item * item
            };
            let taken = in_order(threads, 0..1000, slow_first, |result| {
                results.push(result);
                Ok::<_, ()>(true)
            });
            assert_eq!(taken, Ok(()));
            assert!(results.into_iter().eq((0..1000).map(|item| item * item)));
        }
    }

    #[test]
    fn whoever_takes_them_can_stop() {
        for threads in [1, 3] {
            let mut taken = 0;
            let mut take = |end| {
                in_order(
                    threads,
                    0..,
                    |item: u32| item,
                    |item| {
                        taken += 1;
                        if item == 9 { end } else { Ok(true) }
                    },
                )
            };
            assert_eq!(take(Ok(false)), Ok(()));
            assert_eq!(take(Err("enough")), Err("enough"));
            assert_eq!(taken, 20);
        }
    }

    #[test]
    #[should_panic(expected = "the seventh")]
    fn a_panic_is_not_swallowed() {
        let work = |item: u32| assert!(item != 7, "the seventh");
        let _ = in_order(3, 0..100, work, |()| Ok::<_, ()>(true));
    }
}
