//! The slots of a [`SharedTable`](super::SharedTable), and how threads race for an empty slot.
//!
//! A state of up to 64 bits is inserted into an empty slot by one atomic compare-and-exchange. A
//! wider state has a *control byte*: [`EMPTY`], [`CLAIMED`], or a tag of seven hash bits with the
//! high bit set. The thread that changes the byte from `EMPTY` to `CLAIMED` writes the state and
//! then sets the tag. Threads that read `CLAIMED` wait for the tag.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use super::bucket;
use super::growth::{Buckets, StateHash};
use super::pages::Rows;
use super::prefetch::prefetch;
use crate::memory::{Memory, OutOfMemory};
use crate::word::Word;

/// A word that a [`SharedTable`](super::SharedTable) can store. Every [`Word`] type of this crate
/// is one; the trait cannot be implemented elsewhere.
pub trait SharedWord: Word {
    /// The storage of the slots.
    #[doc(hidden)]
    type Buckets: SharedBuckets<Self>;
}

/// What a slot held before an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum SlotContent {
    /// No state. If the access was an insertion, the slot holds the inserted state now.
    Empty,
    /// The state of the access.
    Same,
    /// A different state.
    Other,
}

/// Buckets that several threads access at the same time.
#[doc(hidden)]
#[expect(private_bounds, reason = "the trait is public only because `SharedWord` names it")]
pub trait SharedBuckets<W: Word>: Buckets<Entry = W> + Send + Sync {
    fn new(memory: &Memory) -> Self;
    fn prefetch(&self, bucket: usize);
    /// Reads a slot. If it is empty and `insert` is true, inserts `state`, which must not be the
    /// clear word.
    fn access(
        &self,
        bucket: usize,
        slot: usize,
        hash: StateHash,
        state: W,
        insert: bool,
    ) -> SlotContent;
}

/// Slots for states of up to 64 bits. An empty slot holds the clear word.
#[derive(Debug)]
pub struct AtomicBuckets<A>(Rows<A>);

/// Slots for wider states, with a control byte each.
#[derive(Debug)]
pub struct GuardedBuckets<W> {
    control: Rows<AtomicU8>,
    states: Rows<Guarded<W>>,
}

/// A state that is protected by its control byte.
#[derive(Debug)]
struct Guarded<W>(UnsafeCell<W>);

#[expect(unsafe_code, reason = "the control byte synchronizes accesses to the state")]
// SAFETY: a state is written only by the thread that claimed its control byte. Other threads read
// it only after they have read, with acquire ordering, the tag that this thread has stored after
// the write, with release ordering.
unsafe impl<W: Send> Sync for Guarded<W> {}

/// An atomic integer of the width of a word.
pub(super) trait Atomic<W>: Send + Sync {
    fn load(&self) -> W;
    /// Stores `state` if the value is the clear word; otherwise returns the value.
    fn insert(&self, state: W) -> Result<(), W>;
}

/// [`SharedBuckets::access`] of an atomic slot.
// No other data depends on the value of a slot, so relaxed ordering suffices.
#[inline(always)]
pub(super) fn access_atomic<W: Word, A: Atomic<W>>(
    slot: &A,
    state: W,
    insert: bool,
) -> SlotContent {
    let mut stored = slot.load();
    if stored == W::ZERO {
        if !insert {
            return SlotContent::Empty;
        }
        match slot.insert(state) {
            Ok(()) => return SlotContent::Empty,
            Err(other) => stored = other,
        }
    }
    if stored == state { SlotContent::Same } else { SlotContent::Other }
}

/// The control byte of a guarded slot.
pub(super) trait ControlByte {
    fn get(&self) -> u8;
    /// Changes the byte from [`EMPTY`] to [`CLAIMED`]; `false` if it was not `EMPTY`.
    fn claim(&self) -> bool;
    fn set(&self, tag: u8);
}

const EMPTY: u8 = 0;
const CLAIMED: u8 = 1;

/// Implements [`ControlByte`] for the atomics of the standard library and for those of loom.
macro_rules! control_byte {
    ($atomic:ty) => {
        impl ControlByte for $atomic {
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

control_byte!(AtomicU8);

/// [`SharedBuckets::access`] of a guarded slot. The thread that claims the control byte calls
/// `write` and sets `tag`. A thread that reads the same tag calls `is_same`.
#[inline(always)]
pub(super) fn access_guarded(
    control: &impl ControlByte,
    tag: u8,
    insert: bool,
    write: impl FnOnce(),
    is_same: impl FnOnce() -> bool,
    mut wait: impl FnMut(),
) -> SlotContent {
    loop {
        match control.get() {
            EMPTY if !insert => return SlotContent::Empty,
            EMPTY if control.claim() => {
                write();
                control.set(tag);
                return SlotContent::Empty;
            }
            EMPTY | CLAIMED => wait(),
            stored_tag => {
                let same = stored_tag == tag && is_same();
                return if same { SlotContent::Same } else { SlotContent::Other };
            }
        }
    }
}

/// Implements [`Atomic`] for the atomics of the standard library and for those of loom.
macro_rules! atomic {
    ($word:ty, $atomic:ty) => {
        impl Atomic<$word> for $atomic {
            #[inline]
            fn load(&self) -> $word {
                self.load(Ordering::Relaxed)
            }

            #[inline]
            fn insert(&self, state: $word) -> Result<(), $word> {
                self.compare_exchange(0, state, Ordering::Relaxed, Ordering::Relaxed).map(drop)
            }
        }
    };
}

macro_rules! atomic_words {
    ($($word:ty: $atomic:ty),*) => {$(
        atomic!($word, $atomic);

        impl SharedWord for $word {
            type Buckets = AtomicBuckets<$atomic>;
        }

        impl Buckets for AtomicBuckets<$atomic> {
            type Entry = $word;
            const SLOTS: usize = bucket::slots_per_bucket::<$word>();

            #[inline]
            fn bucket_count(&self) -> usize {
                self.0.len()
            }

            fn extend(&mut self, bucket_count: usize) -> Result<(), OutOfMemory> {
                self.0.extend(bucket_count, <$atomic>::default)
            }

            #[inline]
            fn is_full(&mut self, bucket: usize) -> bool {
                *self.0.row_mut(bucket, Self::SLOTS)[Self::SLOTS - 1].get_mut() != 0
            }

            #[inline]
            fn drain(&mut self, bucket: usize, run: &mut Vec<$word>) {
                let slots = self.0.row_mut(bucket, Self::SLOTS);
                let states = slots.iter_mut().map(|slot| std::mem::take(slot.get_mut()));
                run.extend(states.take_while(|&state| state != 0));
            }

            #[inline]
            fn put(&mut self, bucket: usize, slot: usize, state: $word) {
                *self.0.row_mut(bucket, Self::SLOTS)[slot].get_mut() = state;
            }

            #[inline]
            fn hash(state: $word) -> StateHash {
                StateHash::of(state)
            }
        }

        impl SharedBuckets<$word> for AtomicBuckets<$atomic> {
            fn new(memory: &Memory) -> Self {
                Self(Rows::new(Self::SLOTS, memory))
            }

            #[inline]
            fn prefetch(&self, bucket: usize) {
                prefetch(&self.0.row(bucket, Self::SLOTS)[0]);
            }

            #[inline(always)]
            fn access(
                &self,
                bucket: usize,
                slot: usize,
                _: StateHash,
                state: $word,
                insert: bool,
            ) -> SlotContent {
                access_atomic(&self.0.row(bucket, Self::SLOTS)[slot], state, insert)
            }
        }
    )*};
}

atomic_words!(u8: AtomicU8, u16: AtomicU16, u32: AtomicU32, u64: AtomicU64);

impl SharedWord for u128 {
    type Buckets = GuardedBuckets<Self>;
}

impl<const N: usize> SharedWord for [u64; N] {
    type Buckets = GuardedBuckets<Self>;
}

impl<W: Word> Buckets for GuardedBuckets<W> {
    type Entry = W;
    const SLOTS: usize = bucket::slots_per_bucket::<W>();

    #[inline]
    fn bucket_count(&self) -> usize {
        self.states.len()
    }

    fn extend(&mut self, bucket_count: usize) -> Result<(), OutOfMemory> {
        // If only the control bytes fit, there are more rows of them than of states, which is
        // harmless.
        self.control.extend(bucket_count.max(self.control.len()), || AtomicU8::new(EMPTY))?;
        self.states.extend(bucket_count, || Guarded(UnsafeCell::new(W::ZERO)))
    }

    #[inline]
    fn is_full(&mut self, bucket: usize) -> bool {
        *self.control.row_mut(bucket, Self::SLOTS)[Self::SLOTS - 1].get_mut() != EMPTY
    }

    #[inline]
    fn drain(&mut self, bucket: usize, run: &mut Vec<W>) {
        let control = self.control.row_mut(bucket, Self::SLOTS).iter_mut();
        let states = self.states.row_mut(bucket, Self::SLOTS).iter_mut();
        let slots = control
            .zip(states)
            .map(|(control, state)| (std::mem::take(control.get_mut()), *state.0.get_mut()));
        run.extend(slots.take_while(|&(control, _)| control != EMPTY).map(|(_, state)| state));
    }

    #[inline]
    fn put(&mut self, bucket: usize, slot: usize, state: W) {
        *self.control.row_mut(bucket, Self::SLOTS)[slot].get_mut() = StateHash::of(state).tag();
        *self.states.row_mut(bucket, Self::SLOTS)[slot].0.get_mut() = state;
    }

    #[inline]
    fn hash(state: W) -> StateHash {
        StateHash::of(state)
    }
}

impl<W: Word> SharedBuckets<W> for GuardedBuckets<W> {
    fn new(memory: &Memory) -> Self {
        Self { control: Rows::new(Self::SLOTS, memory), states: Rows::new(Self::SLOTS, memory) }
    }

    #[inline]
    fn prefetch(&self, bucket: usize) {
        prefetch(&self.control.row(bucket, Self::SLOTS)[0]);
        prefetch(&self.states.row(bucket, Self::SLOTS)[0]);
    }

    #[inline]
    #[expect(unsafe_code, reason = "the control byte synchronizes accesses to the state")]
    fn access(
        &self,
        bucket: usize,
        slot: usize,
        hash: StateHash,
        state: W,
        insert: bool,
    ) -> SlotContent {
        let control = &self.control.row(bucket, Self::SLOTS)[slot];
        let stored = &self.states.row(bucket, Self::SLOTS)[slot].0;
        access_guarded(
            control,
            hash.tag(),
            insert,
            // SAFETY: this thread has claimed the control byte, so no other thread accesses the
            // state until the tag is set.
            || unsafe { *stored.get() = state },
            // SAFETY: the tag was set after the state was written, and the state is not written
            // again.
            || unsafe { *stored.get() == state },
            // The thread that claimed the slot may be waiting for this processor.
            std::thread::yield_now,
        )
    }
}

/// Runs concurrent accesses to the slots in every possible order, with loom.
#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::sync::atomic::{AtomicU8, AtomicU64, Ordering};
    use loom::thread;

    use super::*;

    atomic!(u64, AtomicU64);
    control_byte!(AtomicU8);

    /// Inserts a state into the first slot that is empty or holds it. Returns whether it was new.
    fn insert(slots: usize, access: impl FnMut(usize) -> SlotContent) -> bool {
        let mut contents = (0..slots).map(access);
        contents.find(|&content| content != SlotContent::Other).expect("room") == SlotContent::Empty
    }

    /// Each of these states is inserted by its own thread. Equal states are new exactly once.
    fn assert_each_is_new_once(
        states: &[u64],
        insert: impl Fn(u64) -> bool + Send + Sync + Clone + 'static,
    ) {
        let (&first, others) = states.split_first().expect("a state");
        let others: Vec<_> = others
            .iter()
            .map(|&state| {
                let insert = insert.clone();
                (state, thread::spawn(move || insert(state)))
            })
            .collect();
        let mut new: Vec<_> = insert(first).then_some(first).into_iter().collect();
        new.extend(
            others
                .into_iter()
                .filter_map(|(state, thread)| thread.join().unwrap().then_some(state)),
        );
        new.sort_unstable();
        assert!(new.iter().eq(&states.iter().copied().collect::<BTreeSet<_>>()), "{new:?}");
        assert!(states.iter().all(|&state| !insert(state)));
    }

    #[test]
    fn atomic_slots_hold_each_state_once() {
        loom::model(|| {
            let slots = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
            assert_each_is_new_once(&[5, 5, 6], move |state| {
                insert(2, |slot| access_atomic(&slots[slot], state, true))
            });
        });
    }

    #[test]
    fn guarded_slots_hold_each_state_once() {
        struct Slot(AtomicU8, UnsafeCell<u64>);
        #[expect(unsafe_code, reason = "as for `Guarded`")]
        // SAFETY: this is what the test checks: loom reports an access that the control byte does
        // not order.
        unsafe impl Sync for Slot {}

        // Two threads only: if two threads wait for a third, loom may schedule only the two
        // forever.
        let run = |states: &'static [u64]| {
            let slots = Arc::new([0, 1].map(|_| Slot(AtomicU8::new(EMPTY), UnsafeCell::new(0))));
            assert_each_is_new_once(states, move |state| {
                insert(2, |slot| {
                    let Slot(control, stored) = &slots[slot];
                    // All states have the same tag, so that states are compared.
                    #[expect(unsafe_code, reason = "as above")]
                    access_guarded(
                        control,
                        0x80,
                        true,
                        // SAFETY: as above.
                        || stored.with_mut(|stored| unsafe { *stored = state }),
                        // SAFETY: as above.
                        || stored.with(|stored| unsafe { *stored == state }),
                        thread::yield_now,
                    )
                })
            });
        };
        loom::model(move || run(&[5, 5]));
        loom::model(move || run(&[5, 6]));
    }
}
