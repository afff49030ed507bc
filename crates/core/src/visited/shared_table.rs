//! An open-addressing hash table into which several threads insert at the same time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::growth::{Buckets, StateHash, grow, initial_bucket_count, max_entries};
use super::shared_slots::{SharedBuckets, SharedWord, SlotContent};
use super::{ConcurrentVisited, Visited, compact};
use crate::memory::{Memory, OutOfMemory};
use crate::space::StateSpace;
use crate::word::Word;

/// A [visited set](Visited) for many threads, with the layout and the memory of a
/// [`Table`](super::Table).
///
/// States of up to 64 bits are inserted by one atomic compare-and-exchange, and no thread waits for
/// another. A wider state takes one more byte per slot. A thread claims that byte before it writes
/// the state, and threads that access the slot meanwhile wait until the state is written.
///
/// The table does not grow while threads insert. Each thread reserves slots for a batch before it
/// inserts the batch. If there are not enough free slots, the owner of the table must make room.
#[derive(Debug)]
pub struct SharedTable<W: SharedWord> {
    buckets: W::Buckets,
    /// Whether the clear word is in the set. In a slot, it would look like an empty slot.
    has_zero: AtomicBool,
    /// The number of slots that may still be occupied and are not reserved.
    free_slots: AtomicUsize,
    memory: Memory,
}

impl<W: SharedWord> SharedTable<W> {
    /// Accesses the slots of a state in probe order up to the first that holds the state or is
    /// empty.
    #[inline(always)]
    fn access(&self, hash: StateHash, state: W, insert: bool) -> SlotContent {
        for bucket in hash.probe(self.buckets.bucket_count()) {
            for slot in 0..W::Buckets::SLOTS {
                let content = self.buckets.access(bucket, slot, hash, state, insert);
                if content != SlotContent::Other {
                    return content;
                }
            }
        }
        SlotContent::Other
    }

    /// Reserves slots. Returns `false` if there are not enough.
    fn reserve_slots(&self, states: usize) -> bool {
        let reserve = |free: usize| free.checked_sub(states);
        self.free_slots.fetch_update(Ordering::Relaxed, Ordering::Relaxed, reserve).is_ok()
    }

    /// Inserts a state for which a slot is reserved. Returns whether it was new.
    #[inline]
    fn insert_reserved(&self, hash: StateHash, state: W) -> bool {
        if state == W::ZERO {
            return !self.has_zero.swap(true, Ordering::Relaxed);
        }
        let content = self.access(hash, state, true);
        assert!(content != SlotContent::Other, "a slot is reserved before an insertion");
        content == SlotContent::Empty
    }

    /// The maximal number of occupied slots.
    fn capacity(&self) -> usize {
        max_entries::<W::Buckets>(self.buckets.bucket_count())
    }
}

impl<S: StateSpace<State: SharedWord>> Visited<S> for SharedTable<S::State> {
    type Key = StateHash;

    fn new(_: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        let mut buckets = <S::State as SharedWord>::Buckets::new(memory);
        buckets.extend(initial_bucket_count(<S::State as SharedWord>::Buckets::SLOTS))?;
        let mut table = Self {
            buckets,
            has_zero: AtomicBool::default(),
            free_slots: AtomicUsize::default(),
            memory: memory.clone(),
        };
        *table.free_slots.get_mut() = table.capacity();
        Ok(table)
    }

    #[inline]
    fn key(_: &S, state: S::State) -> StateHash {
        StateHash::of(state)
    }

    #[inline]
    fn prefetch(&self, hash: StateHash) {
        self.buckets.prefetch(hash.home(self.buckets.bucket_count()));
    }

    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        let free = *self.free_slots.get_mut();
        if free >= states {
            return Ok(());
        }
        let occupied = self.capacity() - free;
        grow(&mut self.buckets, occupied + states, &self.memory)?;
        *self.free_slots.get_mut() = self.capacity() - occupied;
        Ok(())
    }

    #[inline]
    fn insert(&mut self, hash: StateHash, state: S::State) -> bool {
        let new = self.insert_reserved(hash, state);
        *self.free_slots.get_mut() -= usize::from(new);
        new
    }

    #[inline]
    fn contains(&self, hash: StateHash, state: S::State) -> bool {
        if state == S::State::ZERO {
            return self.has_zero.load(Ordering::Relaxed);
        }
        self.access(hash, state, false) == SlotContent::Same
    }
}

impl<S: StateSpace<State: SharedWord>> ConcurrentVisited<S> for SharedTable<S::State> {
    #[inline]
    fn insert_batch<M: Copy>(&self, batch: &mut [(StateHash, S::State, M)]) -> Option<usize> {
        if !self.reserve_slots(batch.len()) {
            return None;
        }
        let new = compact(batch, |(hash, state, _)| self.insert_reserved(hash, state));
        self.free_slots.fetch_add(batch.len() - new, Ordering::Relaxed);
        Some(new)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicU64;

    use super::*;

    /// A space without moves.
    struct Words<W>(W);

    impl<W: Word> StateSpace for Words<W> {
        type State = W;
        type Move = ();

        fn initial(&self, mut emit: impl FnMut(W)) {
            emit(self.0);
        }

        fn is_goal(&self, _: W) -> bool {
            false
        }

        fn successors<B>(
            &self,
            _: W,
            _: Option<()>,
            _: impl FnMut((), W) -> ControlFlow<B>,
        ) -> ControlFlow<B> {
            ControlFlow::Continue(())
        }
    }

    /// Eight threads insert the same states, each in a different order. The table grows between
    /// rounds.
    fn assert_each_state_is_new_once<W: SharedWord>(state: impl Fn(u64) -> W + Sync) {
        const STATES: u64 = 3000;
        const THREADS: u64 = 8;
        let space = Words(W::ZERO);
        let memory = Memory::unlimited();
        let mut table = <SharedTable<W> as Visited<Words<W>>>::new(&space, &memory).unwrap();
        for round in 1..=4 {
            let before = (round - 1) * STATES;
            Visited::<Words<W>>::make_room(&mut table, (THREADS * round * STATES) as usize)
                .unwrap();
            let new = AtomicU64::new(0);
            std::thread::scope(|scope| {
                for thread in 0..THREADS {
                    let (table, new, state) = (&table, &new, &state);
                    scope.spawn(move || {
                        for turn in 0..round * STATES {
                            let state = state((turn * 7919 + thread * 1777) % (round * STATES));
                            let hash = StateHash::of(state);
                            let mut batch = [(hash, state, ())];
                            let inserted =
                                ConcurrentVisited::<Words<W>>::insert_batch(table, &mut batch);
                            new.fetch_add(inserted.expect("room") as u64, Ordering::Relaxed);
                            assert!(Visited::<Words<W>>::contains(table, hash, state));
                        }
                    });
                }
            });
            assert_eq!(new.into_inner() + before, round * STATES);
        }
        for number in 0..5 * STATES {
            let state = state(number);
            let hash = StateHash::of(state);
            assert_eq!(Visited::<Words<W>>::contains(&table, hash, state), number < 4 * STATES);
        }
    }

    #[test]
    fn each_state_is_new_for_one_thread() {
        assert_each_state_is_new_once::<u16>(|number| number as u16);
        assert_each_state_is_new_once::<u32>(|number| number as u32);
        assert_each_state_is_new_once::<u64>(|number| number << 40);
        assert_each_state_is_new_once::<u128>(|number| {
            u128::from(number) << 64 | u128::from(number % 3)
        });
        assert_each_state_is_new_once::<[u64; 3]>(|number| [number % 10, number / 10, 0]);
        assert_each_state_is_new_once::<[u64; 7]>(|number| [0, 0, 0, number, 0, 0, number % 2]);
    }

    #[test]
    fn it_keeps_its_states_when_it_grows() {
        let space = Words(0u128);
        let mut table =
            <SharedTable<u128> as Visited<_>>::new(&space, &Memory::unlimited()).unwrap();
        let mut set = BTreeSet::new();
        for turn in 0..20_000u128 {
            let state = (turn * turn % 12_345) << 50;
            Visited::<Words<u128>>::make_room(&mut table, 1).unwrap();
            let hash = StateHash::of(state);
            assert_eq!(Visited::<Words<u128>>::insert(&mut table, hash, state), set.insert(state));
        }
        assert!(set.iter().all(|&state| Visited::<Words<u128>>::contains(
            &table,
            StateHash::of(state),
            state
        )));
    }

    #[test]
    fn a_batch_without_room_is_unchanged() {
        let space = Words(0u64);
        let mut table =
            <SharedTable<u64> as Visited<_>>::new(&space, &Memory::with_limit(1 << 12)).unwrap();
        let item = |state: u64| (StateHash::of(state), state, ());
        let mut batch: Vec<_> = (0..1000).map(item).collect();
        assert_eq!(ConcurrentVisited::<Words<u64>>::insert_batch(&table, &mut batch), None);
        assert_eq!(Visited::<Words<u64>>::make_room(&mut table, 1000), Err(OutOfMemory));
        assert_eq!(
            ConcurrentVisited::<Words<u64>>::insert_batch(&table, &mut batch[..10]),
            Some(10)
        );
        let mut mixed = [5, 77, 6, 99].map(item);
        assert_eq!(ConcurrentVisited::<Words<u64>>::insert_batch(&table, &mut mixed), Some(2));
        assert_eq!((mixed[0].1, mixed[1].1), (77, 99));
    }
}
