//! The slots of a shared table: how threads that meet there find out which of them was first.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use super::growth::{Hashed, Lines};
use super::line;
use super::pages::Rows;
use super::prefetch::prefetch;
use crate::memory::{Memory, OutOfMemory};
use crate::word::Word;

/// A word that a [`SharedTable`](super::SharedTable) can hold: every one that there is.
pub trait SharedWord: Word {
    /// Where it is held.
    #[doc(hidden)]
    type Lines: SharedLines<Self>;
}

/// What a state finds in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Meeting {
    /// Nothing; and it is there from now on, if it was to be entered.
    Empty,
    /// Itself.
    Known,
    /// Another state.
    Other,
}

/// Lines of slots that threads share.
#[doc(hidden)]
#[expect(private_bounds, reason = "no part of the interface; the trait is only named by one")]
pub trait SharedLines<W: Word>: Lines<Entry = W> + Send + Sync {
    fn new(memory: &Memory) -> Self;
    fn prefetch(&self, line: usize);
    /// What `state`, which is not the clear word, finds in a slot; it is entered if that is empty
    /// and `enter` says so.
    fn meet(&self, line: usize, slot: usize, key: Hashed, state: W, enter: bool) -> Meeting;
}

/// States that an atomic holds; the clear word is an empty slot.
#[derive(Debug)]
pub struct AtomicLines<A>(Rows<A>);

/// States with marks beside them.
#[derive(Debug)]
pub struct MarkedLines<W> {
    marks: Rows<AtomicU8>,
    states: Rows<Guarded<W>>,
}

/// A state that is guarded by its mark.
#[derive(Debug)]
struct Guarded<W>(UnsafeCell<W>);

#[expect(unsafe_code, reason = "the mark says who may touch the state")]
// SAFETY: a state is written by the one thread that claimed its mark, and read only by those that
// have seen, with acquire order, the mark that this thread set after it, with release order.
unsafe impl<W: Send> Sync for Guarded<W> {}

/// An atomic of the width of a word.
pub(super) trait Atomic<W>: Send + Sync {
    fn load(&self) -> W;
    /// Enters a state if the clear word is there; else what is there.
    fn enter(&self, state: W) -> Result<(), W>;
}

// Nothing else is read on the strength of what a slot holds, so no order is asked for.
#[inline(always)]
pub(super) fn meet_atomic<W: Word, A: Atomic<W>>(slot: &A, state: W, enter: bool) -> Meeting {
    let mut there = slot.load();
    if there == W::ZERO {
        if !enter {
            return Meeting::Empty;
        }
        match slot.enter(state) {
            Ok(()) => return Meeting::Empty,
            Err(other) => there = other,
        }
    }
    if there == state { Meeting::Known } else { Meeting::Other }
}

/// The mark of a state: empty, claimed, or set to a tag.
pub(super) trait Mark {
    fn get(&self) -> u8;
    /// Whether it was empty; it is claimed then.
    fn claim(&self) -> bool;
    fn set(&self, tag: u8);
}

const EMPTY: u8 = 0;
const CLAIMED: u8 = 1;

/// The same for the atomics of the standard library and for those of the model checker.
macro_rules! mark {
    ($atomic:ty) => {
        impl Mark for $atomic {
            #[inline]
            fn get(&self) -> u8 {
                self.load(Ordering::Acquire)
            }

            #[inline]
            fn claim(&self) -> bool {
                self.compare_exchange(EMPTY, CLAIMED, Ordering::Relaxed, Ordering::Relaxed).is_ok()
            }

            #[inline]
            fn set(&self, tag: u8) {
                self.store(tag, Ordering::Release);
            }
        }
    };
}

mark!(AtomicU8);

/// Whoever claims the mark calls `write` and sets it; whoever finds it set to the same tag asks
/// `is_same`.
#[inline(always)]
pub(super) fn meet_marked(
    mark: &impl Mark,
    tag: u8,
    enter: bool,
    write: impl FnOnce(),
    is_same: impl FnOnce() -> bool,
    mut wait: impl FnMut(),
) -> Meeting {
    loop {
        match mark.get() {
            EMPTY if !enter => return Meeting::Empty,
            EMPTY if mark.claim() => {
                write();
                mark.set(tag);
                return Meeting::Empty;
            }
            EMPTY | CLAIMED => wait(),
            set => return if set == tag && is_same() { Meeting::Known } else { Meeting::Other },
        }
    }
}

/// As above.
macro_rules! atomic {
    ($word:ty, $atomic:ty) => {
        impl Atomic<$word> for $atomic {
            #[inline]
            fn load(&self) -> $word {
                self.load(Ordering::Relaxed)
            }

            #[inline]
            fn enter(&self, state: $word) -> Result<(), $word> {
                self.compare_exchange(0, state, Ordering::Relaxed, Ordering::Relaxed).map(drop)
            }
        }
    };
}

macro_rules! atomic_words {
    ($($word:ty: $atomic:ty),*) => {$(
        atomic!($word, $atomic);

        impl SharedWord for $word {
            type Lines = AtomicLines<$atomic>;
        }

        impl Lines for AtomicLines<$atomic> {
            type Entry = $word;
            const SLOTS: usize = line::slots::<$word>();

            #[inline]
            fn lines(&self) -> usize {
                self.0.len()
            }

            fn extend(&mut self, lines: usize) -> Result<(), OutOfMemory> {
                self.0.extend(lines, <$atomic>::default)
            }

            #[inline]
            fn is_full(&mut self, line: usize) -> bool {
                *self.0.row_mut(line, Self::SLOTS)[Self::SLOTS - 1].get_mut() != 0
            }

            #[inline]
            fn drain(&mut self, line: usize, run: &mut Vec<$word>) {
                let slots = self.0.row_mut(line, Self::SLOTS);
                run.extend(slots.iter_mut().map(|slot| std::mem::take(slot.get_mut())).take_while(|&state| state != 0));
            }

            #[inline]
            fn put(&mut self, line: usize, slot: usize, state: $word) {
                *self.0.row_mut(line, Self::SLOTS)[slot].get_mut() = state;
            }

            #[inline]
            fn key(state: $word) -> Hashed {
                Hashed::of(state)
            }
        }

        impl SharedLines<$word> for AtomicLines<$atomic> {
            fn new(memory: &Memory) -> Self {
                Self(Rows::new(Self::SLOTS, memory))
            }

            #[inline]
            fn prefetch(&self, line: usize) {
                prefetch(&self.0.row(line, Self::SLOTS)[0]);
            }

            #[inline(always)]
            fn meet(&self, line: usize, slot: usize, _: Hashed, state: $word, enter: bool) -> Meeting {
                meet_atomic(&self.0.row(line, Self::SLOTS)[slot], state, enter)
            }
        }
    )*};
}

atomic_words!(u8: AtomicU8, u16: AtomicU16, u32: AtomicU32, u64: AtomicU64);

impl SharedWord for u128 {
    type Lines = MarkedLines<Self>;
}

impl<const N: usize> SharedWord for [u64; N] {
    type Lines = MarkedLines<Self>;
}

impl<W: Word> Lines for MarkedLines<W> {
    type Entry = W;
    const SLOTS: usize = line::slots::<W>();

    #[inline]
    fn lines(&self) -> usize {
        self.states.len()
    }

    fn extend(&mut self, lines: usize) -> Result<(), OutOfMemory> {
        // Where there is memory for the marks only, they are there too soon, which does no harm.
        self.marks.extend(lines.max(self.marks.len()), || AtomicU8::new(EMPTY))?;
        self.states.extend(lines, || Guarded(UnsafeCell::new(W::ZERO)))
    }

    #[inline]
    fn is_full(&mut self, line: usize) -> bool {
        *self.marks.row_mut(line, Self::SLOTS)[Self::SLOTS - 1].get_mut() != EMPTY
    }

    #[inline]
    fn drain(&mut self, line: usize, run: &mut Vec<W>) {
        let marks = self.marks.row_mut(line, Self::SLOTS).iter_mut();
        let states = self.states.row_mut(line, Self::SLOTS).iter_mut();
        let held = marks
            .zip(states)
            .map(|(mark, state)| (std::mem::take(mark.get_mut()), *state.0.get_mut()));
        run.extend(held.take_while(|&(mark, _)| mark != EMPTY).map(|(_, state)| state));
    }

    #[inline]
    fn put(&mut self, line: usize, slot: usize, state: W) {
        *self.marks.row_mut(line, Self::SLOTS)[slot].get_mut() = Hashed::of(state).tag();
        *self.states.row_mut(line, Self::SLOTS)[slot].0.get_mut() = state;
    }

    #[inline]
    fn key(state: W) -> Hashed {
        Hashed::of(state)
    }
}

impl<W: Word> SharedLines<W> for MarkedLines<W> {
    fn new(memory: &Memory) -> Self {
        Self { marks: Rows::new(Self::SLOTS, memory), states: Rows::new(Self::SLOTS, memory) }
    }

    #[inline]
    fn prefetch(&self, line: usize) {
        prefetch(&self.marks.row(line, Self::SLOTS)[0]);
        prefetch(&self.states.row(line, Self::SLOTS)[0]);
    }

    #[inline]
    #[expect(unsafe_code, reason = "the mark says who may touch the state")]
    fn meet(&self, line: usize, slot: usize, key: Hashed, state: W, enter: bool) -> Meeting {
        let mark = &self.marks.row(line, Self::SLOTS)[slot];
        let held = &self.states.row(line, Self::SLOTS)[slot].0;
        meet_marked(
            mark,
            key.tag(),
            enter,
            // SAFETY: this thread has claimed the mark, so no other one touches the state until it
            // is set.
            || unsafe { *held.get() = state },
            // SAFETY: the mark was set after the state was written, and no one writes it again.
            || unsafe { *held.get() == state },
            // The claimer may have lost its processor to this thread.
            std::thread::yield_now,
        )
    }
}

/// The meetings in every order in which threads can come to a slot, by loom.
#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::sync::atomic::{AtomicU8, AtomicU64, Ordering};
    use loom::thread;

    use super::*;

    atomic!(u64, AtomicU64);
    mark!(AtomicU8);

    /// Enters a state into the first of two slots that takes it; whether it was new.
    fn enter(slots: usize, mut meet: impl FnMut(usize) -> Meeting) -> bool {
        (0..slots).map(&mut meet).find(|&met| met != Meeting::Other).expect("room")
            == Meeting::Empty
    }

    /// Each of these states is entered by a thread of its own: it is new once, whatever the order.
    fn each_is_new_once(
        states: &[u64],
        enter: impl Fn(u64) -> bool + Send + Sync + Clone + 'static,
    ) {
        let (&first, others) = states.split_first().expect("a state");
        let others: Vec<_> = others
            .iter()
            .map(|&state| {
                let enter = enter.clone();
                (state, thread::spawn(move || enter(state)))
            })
            .collect();
        let mut new: Vec<_> = enter(first).then_some(first).into_iter().collect();
        new.extend(
            others
                .into_iter()
                .filter_map(|(state, thread)| thread.join().unwrap().then_some(state)),
        );
        new.sort_unstable();
        assert!(new.iter().eq(&states.iter().copied().collect::<BTreeSet<_>>()), "{new:?}");
        assert!(states.iter().all(|&state| !enter(state)));
    }

    #[test]
    fn atomic_slots_in_every_order() {
        loom::model(|| {
            let slots = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
            each_is_new_once(&[5, 5, 6], move |state| {
                enter(2, |slot| meet_atomic(&slots[slot], state, true))
            });
        });
    }

    #[test]
    fn marked_slots_in_every_order() {
        struct Slot(AtomicU8, UnsafeCell<u64>);
        #[expect(unsafe_code, reason = "as for the slots that this is about")]
        // SAFETY: that is what the test finds out: loom reports an access that the mark does not
        // order.
        unsafe impl Sync for Slot {}

        // Two threads at a time: of two that wait for a third, loom lets the two wait for ever.
        let meet = |states: &'static [u64]| {
            let slots = Arc::new([0, 1].map(|_| Slot(AtomicU8::new(EMPTY), UnsafeCell::new(0))));
            each_is_new_once(states, move |state| {
                enter(2, |slot| {
                    let Slot(mark, held) = &slots[slot];
                    // The same tag for all, so that states are compared.
                    #[expect(unsafe_code, reason = "as above")]
                    meet_marked(
                        mark,
                        0x80,
                        true,
                        // SAFETY: as above.
                        || held.with_mut(|held| unsafe { *held = state }),
                        // SAFETY: as above.
                        || held.with(|held| unsafe { *held == state }),
                        thread::yield_now,
                    )
                })
            });
        };
        loom::model(move || meet(&[5, 5]));
        loom::model(move || meet(&[5, 6]));
    }
}
