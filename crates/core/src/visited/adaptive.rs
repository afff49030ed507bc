//! Linear probing while the states fit the cache, and a [`Table`] from then on.

use super::growth::Hashed;
use super::pages::Page;
use super::prefetch::prefetch;
use super::{Table, Visited, keep};
use crate::memory::{Memory, OutOfMemory};
use crate::space::StateSpace;
use crate::word::Word;

/// A map from states to small values, or with `V = ()` a visited set, for spaces that are mostly
/// small.
///
/// A state lies in the slot that its hash says, or the first empty one behind it; half of the slots
/// are empty or more. On the component of the klotski classic (13,011 states of 64 bits) an
/// insertion takes a third of the instructions of that into a [`Table`], which is made for memory
/// that is far away. The slots double, so an entry takes two to four words and values; a million
/// slots do not grow but become a table. It begins with the slots for [as many states as the space
/// expects](StateSpace::expected_states), half a million bytes of them at most.
#[derive(Debug)]
pub struct Adaptive<W, V = ()> {
    form: Form<W, V>,
    memory: Memory,
}

#[derive(Debug)]
enum Form<W, V> {
    Small(Slots<W, V>),
    Large(Table<W, V>),
}

#[derive(Debug)]
struct Slots<W, V> {
    states: Page<W>,
    values: Page<V>,
    /// The home of a hash is its highest bits: so many are shifted out.
    shift: u32,
    used: usize,
    /// The value of the clear word, which marks an empty slot, if it was entered.
    of_zero: Option<V>,
}

const LEAST_SLOTS: usize = 64;
const MOST_SLOTS: usize = 1 << 20;
/// So much room costs no more than a few expansions.
const FIRST_STATES: usize = 2048;
const FIRST_BYTES: usize = 1 << 19;
/// What fits a cache that answers within some 15 cycles, and leaves room for more.
const NEAR_BYTES: usize = 1 << 19;

impl<W: Word, V: Copy + Default> Slots<W, V> {
    /// At least [`LEAST_SLOTS`], a power of two.
    fn new(slots: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self {
            states: Page::new(slots, || W::ZERO, memory)?,
            values: Page::new(slots, V::default, memory)?,
            shift: u64::BITS - slots.trailing_zeros(),
            used: 0,
            of_zero: None,
        })
    }

    #[inline(always)]
    fn enter(&mut self, key: Hashed, state: W, value: V) -> (&mut V, bool) {
        if state == W::ZERO {
            let new = self.of_zero.is_none();
            return (self.of_zero.get_or_insert(value), new);
        }
        let slot = find(&self.states, self.shift, key, state);
        let new = self.states[slot] != state;
        // Written either way: no branch, for there is no guessing which it will be.
        self.states[slot] = state;
        self.used += usize::from(new);
        let held = &mut self.values[slot];
        if new {
            *held = value;
        }
        (held, new)
    }

    fn entries(&self) -> impl Iterator<Item = (W, V)> + '_ {
        let filled =
            self.states.iter().zip(self.values.iter()).filter(|(state, _)| **state != W::ZERO);
        filled
            .map(|(&state, &value)| (state, value))
            .chain(self.of_zero.map(|value| (W::ZERO, value)))
    }
}

impl<W: Word> Slots<W, ()> {
    /// Enters each state, and puts those that were new to the front; returns how many they are.
    fn enter_all<M: Copy>(&mut self, batch: &mut [(W, M)]) -> usize {
        // In variables of its own, as the compiler cannot know that no slot is where the set says
        // where its slots are.
        let (states, shift) = (&mut self.states[..], self.shift);
        keep(batch, |(state, _)| {
            if state == W::ZERO {
                return self.of_zero.replace(()).is_none();
            }
            let slot = find(states, shift, Hashed::of(state), state);
            let new = states[slot] != state;
            states[slot] = state;
            self.used += usize::from(new);
            new
        })
    }
}

/// The slot that a state is in, or would be put into.
#[inline(always)]
fn find<W: Word>(states: &[W], shift: u32, key: Hashed, state: W) -> usize {
    let mask = states.len() - 1;
    // Whether a state is new, so that its slot is empty, cannot be guessed, nor whether it is at
    // home, as four in five are. So the way to the next slot has no branch; that the second step is
    // none is all that is asked.
    let step = |slot: usize| {
        let goes_on = (states[slot] != state) & (states[slot] != W::ZERO);
        (slot + usize::from(goes_on)) & mask
    };
    let mut slot = step(key.high_bits(shift) & mask);
    loop {
        let ahead = step(slot);
        if ahead == slot {
            return slot;
        }
        slot = ahead;
    }
}

impl<W: Word, V: Copy + Default> Adaptive<W, V> {
    /// An empty set with slots for so many states, or fewer.
    pub fn with_room(states: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        let most =
            (FIRST_BYTES as u64).min(memory.limit_bytes() / 8) as usize / size_of::<(W, V)>();
        let slots = (2 * states.min(most))
            .next_power_of_two()
            .min((most + 1).next_power_of_two() / 2)
            .max(LEAST_SLOTS);
        Ok(Self { form: Form::Small(Slots::new(slots, memory)?), memory: memory.clone() })
    }

    /// How many states it holds.
    pub fn len(&self) -> usize {
        match &self.form {
            Form::Small(slots) => slots.used + usize::from(slots.of_zero.is_some()),
            Form::Large(table) => table.len(),
        }
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a state.
    #[inline]
    pub fn get(&self, state: W) -> Option<V> {
        match &self.form {
            Form::Small(slots) if state == W::ZERO => slots.of_zero,
            Form::Small(slots) => {
                let slot = find(&slots.states, slots.shift, Hashed::of(state), state);
                (slots.states[slot] == state).then(|| slots.values[slot])
            }
            Form::Large(table) => table.get(state),
        }
    }

    /// The value of a state, which is entered with `value` if it is not there; and whether it was
    /// entered now.
    pub fn entry(&mut self, state: W, value: V) -> Result<(&mut V, bool), OutOfMemory> {
        self.make_room(1)?;
        Ok(self.enter(Hashed::of(state), state, value))
    }

    /// The same with the key worked out before; there must be room.
    #[inline(always)]
    pub(crate) fn enter(&mut self, key: Hashed, state: W, value: V) -> (&mut V, bool) {
        match &mut self.form {
            Form::Small(slots) => slots.enter(key, state, value),
            Form::Large(table) => table.enter(key, state, value),
        }
    }

    /// Makes sure that so many states more have room.
    #[inline]
    pub(crate) fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        match &mut self.form {
            Form::Small(slots) if 2 * (slots.used + states) <= slots.states.len() => Ok(()),
            Form::Small(_) => self.grow(states),
            Form::Large(table) => table.make_room(states),
        }
    }

    #[cold]
    fn grow(&mut self, states: usize) -> Result<(), OutOfMemory> {
        let Form::Small(slots) = &mut self.form else { return Ok(()) };
        let wanted = (2 * (slots.used + states)).next_power_of_two();
        let larger =
            if wanted <= MOST_SLOTS { Slots::new(wanted, &self.memory).ok() } else { None };
        // Where memory for twice as many slots is wanting, a table takes less.
        self.form = if let Some(mut larger) = larger {
            slots.entries().for_each(|(state, value)| {
                larger.enter(Hashed::of(state), state, value);
            });
            Form::Small(larger)
        } else {
            let mut table = Table::new(&self.memory)?;
            table.make_room(slots.used + states)?;
            slots.entries().for_each(|(state, value)| {
                table.enter(Hashed::of(state), state, value);
            });
            Form::Large(table)
        };
        Ok(())
    }

    /// Tells the processor that the slot of a key will be asked for soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: Hashed) {
        match &self.form {
            Form::Small(slots) => {
                prefetch(&slots.states[key.high_bits(slots.shift) & (slots.states.len() - 1)])
            }
            Form::Large(table) => table.prefetch(key),
        }
    }
}

impl<S: StateSpace> Visited<S> for Adaptive<S::State> {
    type Key = Hashed;

    fn new(space: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        Self::with_room(space.expected_states().max(FIRST_STATES), memory)
    }

    #[inline]
    fn key(_: &S, state: S::State) -> Hashed {
        Hashed::of(state)
    }

    #[inline]
    fn prefetch(&self, key: Hashed) {
        self.prefetch(key);
    }

    #[inline]
    fn fits_in_cache(&self) -> bool {
        matches!(&self.form, Form::Small(slots) if size_of_val(&*slots.states) <= NEAR_BYTES)
    }

    #[inline]
    fn insert_batch_resident<M: Copy>(&mut self, _: &S, batch: &mut [(S::State, M)]) -> usize {
        match &mut self.form {
            Form::Small(slots) => slots.enter_all(batch),
            Form::Large(table) => {
                keep(batch, |(state, _)| table.enter(Hashed::of(state), state, ()).1)
            }
        }
    }

    #[inline]
    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        self.make_room(states)
    }

    #[inline(always)]
    fn insert(&mut self, key: Hashed, state: S::State) -> bool {
        self.enter(key, state, ()).1
    }

    #[inline]
    fn contains(&self, _: Hashed, state: S::State) -> bool {
        self.get(state).is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_map(entries in prop::collection::vec((any::<u16>(), any::<u8>()), 0..400), room in 0usize..300) {
            let mut set = Adaptive::with_room(room, &Memory::unlimited()).unwrap();
            let mut map = BTreeMap::new();
            for (state, value) in entries {
                // The clear word is among them.
                let state = u64::from(state % 150) << 40;
                let new = !map.contains_key(&state);
                let expected = *map.entry(state).or_insert(value);
                prop_assert_eq!(set.entry(state, value).unwrap(), (&mut expected.clone(), new));
            }
            prop_assert_eq!((set.len(), set.is_empty()), (map.len(), map.is_empty()));
            prop_assert!((0..150).all(|state| set.get(state << 40) == map.get(&(state << 40)).copied()));
        }
    }

    #[test]
    fn it_becomes_a_table_and_keeps_what_it_has() {
        let memory = Memory::unlimited();
        let mut set = Adaptive::<u64, u16>::with_room(0, &memory).unwrap();
        for number in 0..700_000 {
            assert_eq!(
                set.entry(number << 20, number as u16).unwrap(),
                (&mut (number as u16), true)
            );
        }
        assert!(matches!(set.form, Form::Large(_)));
        assert!((0..700_000).all(|number| set.get(number << 20) == Some(number as u16)));
        assert_eq!((set.len(), set.get(1)), (700_000, None));
        drop(set);
        assert_eq!(memory.held_bytes(), 0);
    }

    #[test]
    fn it_grows_only_within_the_memory_allowed_and_keeps_what_it_has() {
        let memory = Memory::with_limit(8192);
        let mut set = Adaptive::<u64>::with_room(1 << 20, &memory).unwrap();
        let entered = (1..2000).take_while(|&state| set.entry(state, ()).is_ok()).count();
        assert!(entered >= 256, "{entered}");
        assert!(memory.peak_bytes() <= 8192);
        assert!((1..=entered as u64).all(|state| set.get(state).is_some()));
        assert_eq!(set.get(entered as u64 + 1), None);
    }
}
