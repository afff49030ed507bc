//! A packed open-addressing table that threads insert into at the same time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::growth::{Hashed, Lines, first_lines, grow, room};
use super::shared_slots::{Meeting, SharedLines, SharedWord};
use super::{Shared, Visited, keep};
use crate::memory::{Memory, OutOfMemory};
use crate::space::StateSpace;
use crate::word::Word;

/// A visited set for many threads, laid out as a [`Table`](super::Table) is.
///
/// States of up to 64 bits are entered by one atomic exchange, and no thread ever waits for
/// another. There is none for wider states: they have a mark beside them, which a thread claims
/// before it writes the state, and others that come to the same slot in that moment wait until it
/// is written.
///
/// The table does not grow while threads are at work. Each of them takes room for a batch before it
/// inserts, and when there is none left it is made by whoever holds the table alone.
#[derive(Debug)]
pub struct SharedTable<W: SharedWord> {
    lines: W::Lines,
    /// Whether the clear word was entered, which looks like an empty slot.
    zero: AtomicBool,
    /// Slots that nobody has taken and that may be.
    room: AtomicUsize,
    memory: Memory,
}

impl<W: SharedWord> SharedTable<W> {
    /// The meeting of `state` with the first slot that holds it or is empty.
    #[inline(always)]
    fn meet(&self, key: Hashed, state: W, enter: bool) -> Meeting {
        for line in key.probe(self.lines.lines()) {
            for slot in 0..W::Lines::SLOTS {
                let meeting = self.lines.meet(line, slot, key, state, enter);
                if meeting != Meeting::Other {
                    return meeting;
                }
            }
        }
        Meeting::Other
    }

    /// Takes room for so many states, if it is there.
    fn take_room(&self, states: usize) -> bool {
        let take = |left: usize| left.checked_sub(states);
        self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }

    /// Whether a state, for which room was taken, was not there.
    #[inline]
    fn enter(&self, key: Hashed, state: W) -> bool {
        if state == W::ZERO {
            return !self.zero.swap(true, Ordering::Relaxed);
        }
        let meeting = self.meet(key, state, true);
        assert!(meeting != Meeting::Other, "room is taken before states are inserted");
        meeting == Meeting::Empty
    }

    /// How many slots may be occupied.
    fn capacity(&self) -> usize {
        room::<W::Lines>(self.lines.lines())
    }
}

impl<S: StateSpace<State: SharedWord>> Visited<S> for SharedTable<S::State> {
    type Key = Hashed;

    fn new(_: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        let mut lines = <S::State as SharedWord>::Lines::new(memory);
        lines.extend(first_lines(<S::State as SharedWord>::Lines::SLOTS))?;
        let mut table = Self {
            lines,
            zero: AtomicBool::default(),
            room: AtomicUsize::default(),
            memory: memory.clone(),
        };
        *table.room.get_mut() = table.capacity();
        Ok(table)
    }

    #[inline]
    fn key(_: &S, state: S::State) -> Hashed {
        Hashed::of(state)
    }

    #[inline]
    fn prefetch(&self, key: Hashed) {
        self.lines.prefetch(key.home(self.lines.lines()));
    }

    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        let left = *self.room.get_mut();
        if left >= states {
            return Ok(());
        }
        let used = self.capacity() - left;
        grow(&mut self.lines, used + states, &self.memory)?;
        *self.room.get_mut() = self.capacity() - used;
        Ok(())
    }

    #[inline]
    fn insert(&mut self, key: Hashed, state: S::State) -> bool {
        let new = self.enter(key, state);
        *self.room.get_mut() -= usize::from(new);
        new
    }

    #[inline]
    fn contains(&self, key: Hashed, state: S::State) -> bool {
        if state == S::State::ZERO {
            return self.zero.load(Ordering::Relaxed);
        }
        self.meet(key, state, false) == Meeting::Known
    }
}

impl<S: StateSpace<State: SharedWord>> Shared<S> for SharedTable<S::State> {
    #[inline]
    fn insert_batch<M: Copy>(&self, batch: &mut [(Hashed, S::State, M)]) -> Option<usize> {
        if !self.take_room(batch.len()) {
            return None;
        }
        let new = keep(batch, |(key, state, _)| self.enter(key, state));
        self.room.fetch_add(batch.len() - new, Ordering::Relaxed);
        Some(new)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicU64;

    use super::*;

    /// A space of nothing but words.
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

    /// More threads than there are processors enter the same states, each in an order of its own;
    /// room is made between rounds.
    fn each_state_is_new_once<W: SharedWord>(state: impl Fn(u64) -> W + Sync) {
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
                            let key = Hashed::of(state);
                            let entered =
                                Shared::<Words<W>>::insert_batch(table, &mut [(key, state, ())]);
                            new.fetch_add(entered.expect("room") as u64, Ordering::Relaxed);
                            assert!(Visited::<Words<W>>::contains(table, key, state));
                        }
                    });
                }
            });
            assert_eq!(new.into_inner() + before, round * STATES);
        }
        for number in 0..5 * STATES {
            let state = state(number);
            let key = Hashed::of(state);
            assert_eq!(Visited::<Words<W>>::contains(&table, key, state), number < 4 * STATES);
        }
    }

    #[test]
    fn many_threads_enter_each_state_once() {
        each_state_is_new_once::<u16>(|number| number as u16);
        each_state_is_new_once::<u32>(|number| number as u32);
        each_state_is_new_once::<u64>(|number| number << 40);
        each_state_is_new_once::<u128>(|number| u128::from(number) << 64 | u128::from(number % 3));
        each_state_is_new_once::<[u64; 3]>(|number| [number % 10, number / 10, 0]);
        each_state_is_new_once::<[u64; 7]>(|number| [0, 0, 0, number, 0, 0, number % 2]);
    }

    #[test]
    fn it_grows_by_itself_for_one_thread_and_keeps_what_it_has() {
        let space = Words(0u128);
        let mut table =
            <SharedTable<u128> as Visited<_>>::new(&space, &Memory::unlimited()).unwrap();
        let mut set = BTreeSet::new();
        for turn in 0..20_000u128 {
            let state = (turn * turn % 12_345) << 50;
            Visited::<Words<u128>>::make_room(&mut table, 1).unwrap();
            let key = Hashed::of(state);
            assert_eq!(Visited::<Words<u128>>::insert(&mut table, key, state), set.insert(state));
        }
        assert!(set.iter().all(|&state| Visited::<Words<u128>>::contains(
            &table,
            Hashed::of(state),
            state
        )));
    }

    #[test]
    fn a_batch_without_room_is_left_as_it_is() {
        let space = Words(0u64);
        let mut table =
            <SharedTable<u64> as Visited<_>>::new(&space, &Memory::with_limit(1 << 12)).unwrap();
        let item = |state: u64| (Hashed::of(state), state, ());
        let mut batch: Vec<_> = (0..1000).map(item).collect();
        assert_eq!(Shared::<Words<u64>>::insert_batch(&table, &mut batch), None);
        assert_eq!(Visited::<Words<u64>>::make_room(&mut table, 1000), Err(OutOfMemory));
        assert_eq!(Shared::<Words<u64>>::insert_batch(&table, &mut batch[..10]), Some(10));
        let mut mixed = [5, 77, 6, 99].map(item);
        assert_eq!(Shared::<Words<u64>>::insert_batch(&table, &mut mixed), Some(2));
        assert_eq!((mixed[0].1, mixed[1].1), (77, 99));
    }
}
