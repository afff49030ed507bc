//! A packed open-addressing table: whole states, at most three quarters full, probed in a line.

use std::hash::BuildHasher;

use fxhash::FxBuildHasher;

use super::Visited;
use crate::memory::{Block, Memory, OutOfMemory};
use crate::space::StateSpace;
use crate::word::Word;

/// A map from states to small values, or with `V = ()` a visited set.
///
/// Slots hold the states themselves, so an entry costs a word and a value, times 4/3 (full) to 8/3 (just grown). The
/// clear word marks an empty slot; the state that happens to be the clear word is kept beside the slots, so no value of
/// the word is taken from the space. While the table grows, the old slots and the new ones are both booked.
///
/// ```
/// use fewest_core::{memory::Memory, visited::Table};
///
/// let mut depths = Table::new(&Memory::unlimited())?;
/// assert_eq!(depths.entry(0u32, 7)?, (&mut 7, true));
/// assert_eq!(depths.entry(0u32, 9)?, (&mut 7, false));
/// assert_eq!((depths.get(0), depths.get(1)), (Some(7), None));
/// # Ok::<(), fewest_core::memory::OutOfMemory>(())
/// ```
#[derive(Debug)]
pub struct Table<W, V = ()> {
    states: Block<W>,
    values: Block<V>,
    /// Occupied slots.
    used: usize,
    /// The value of the clear word, if it was entered.
    of_zero: Option<V>,
    memory: Memory,
}

const FIRST_SLOTS: usize = 64;

impl<W: Word, V: Copy + Default> Table<W, V> {
    /// An empty table.
    pub fn new(memory: &Memory) -> Result<Self, OutOfMemory> {
        Self::with_slots(FIRST_SLOTS, memory)
    }

    fn with_slots(slots: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self {
            states: Block::filled(W::ZERO, slots, memory)?,
            values: Block::filled(V::default(), slots, memory)?,
            used: 0,
            of_zero: None,
            memory: memory.clone(),
        })
    }

    /// How many states it holds.
    pub fn len(&self) -> usize {
        self.used + usize::from(self.of_zero.is_some())
    }

    /// Bytes of its slots.
    pub fn bytes(&self) -> u64 {
        (self.states.len() as u64).saturating_mul((size_of::<W>() + size_of::<V>()) as u64)
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The slot of `state`, or the empty one where it would go. The length is a power of two and a quarter of the
    /// slots is empty, so the probe ends.
    #[inline]
    fn slot(&self, state: W) -> usize {
        let mask = self.states.len() - 1;
        let mut slot = FxBuildHasher.hash_one(state) as usize & mask;
        loop {
            let there = self.states[slot];
            if there == state || there == W::ZERO {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The value of a state.
    #[inline]
    pub fn get(&self, state: W) -> Option<V> {
        if state == W::ZERO {
            return self.of_zero;
        }
        let slot = self.slot(state);
        (self.states[slot] == state).then(|| self.values[slot])
    }

    /// The value of a state, to be changed.
    #[inline]
    pub fn get_mut(&mut self, state: W) -> Option<&mut V> {
        if state == W::ZERO {
            return self.of_zero.as_mut();
        }
        let slot = self.slot(state);
        (self.states[slot] == state).then(|| &mut self.values[slot])
    }

    /// The value of a state, which is entered with `value` if it is not there; and whether it was entered now.
    #[inline]
    pub fn entry(&mut self, state: W, value: V) -> Result<(&mut V, bool), OutOfMemory> {
        if state == W::ZERO {
            let new = self.of_zero.is_none();
            return Ok((self.of_zero.get_or_insert(value), new));
        }
        let mut slot = self.slot(state);
        let new = self.states[slot] == W::ZERO;
        if new {
            if (self.used + 1) * 4 > self.states.len() * 3 {
                self.grow()?;
                slot = self.slot(state);
            }
            self.states[slot] = state;
            self.values[slot] = value;
            self.used += 1;
        }
        Ok((&mut self.values[slot], new))
    }

    #[cold]
    fn grow(&mut self) -> Result<(), OutOfMemory> {
        let slots = self.states.len().checked_mul(2).ok_or(OutOfMemory)?;
        let mut larger = Self::with_slots(slots, &self.memory)?;
        for (&state, &value) in self.states.iter().zip(self.values.iter()) {
            if state != W::ZERO {
                let slot = larger.slot(state);
                larger.states[slot] = state;
                larger.values[slot] = value;
            }
        }
        larger.used = self.used;
        larger.of_zero = self.of_zero;
        *self = larger;
        Ok(())
    }

    /// All states with their values, in the order of the slots: the same in each run, but no order to show to anyone.
    pub fn iter(&self) -> impl Iterator<Item = (W, V)> + '_ {
        let zero = self.of_zero.map(|value| (W::ZERO, value));
        let slots = self.states.iter().copied().zip(self.values.iter().copied());
        zero.into_iter().chain(slots.filter(|&(state, _)| state != W::ZERO))
    }
}

impl<S: StateSpace> Visited<S> for Table<S::State> {
    fn new(_: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        Table::new(memory)
    }

    #[inline]
    fn insert(&mut self, _: &S, state: S::State) -> Result<bool, OutOfMemory> {
        Ok(self.entry(state, ())?.1)
    }

    #[inline]
    fn contains(&self, _: &S, state: S::State) -> bool {
        self.get(state).is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn agrees<W: Word>(entries: &[(W, u32)]) {
        let memory = Memory::unlimited();
        let mut table = Table::new(&memory).unwrap();
        let mut map = BTreeMap::new();
        for &(state, value) in entries {
            let new = !map.contains_key(&state);
            let expected = *map.entry(state).or_insert(value);
            let (there, entered) = table.entry(state, value).unwrap();
            assert_eq!((*there, entered), (expected, new));
            *there += 1;
            map.insert(state, expected + 1);
        }
        assert_eq!(table.len(), map.len());
        for (&state, &value) in &map {
            assert_eq!(table.get(state), Some(value));
        }
        let mut all: Vec<_> = table.iter().collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(map));
    }

    proptest! {
        #[test]
        fn it_is_a_map(entries in prop::collection::vec((any::<u16>(), 0u32..1000), 0..400)) {
            // Few enough values that many entries repeat, the clear word and all ones among them.
            agrees(&entries.iter().map(|&(state, value)| (state % 150, value)).collect::<Vec<_>>());
            agrees(&entries.iter().map(|&(state, value)| (u32::from(state) << 16, value)).collect::<Vec<_>>());
            agrees(&entries.iter().map(|&(state, value)| (u64::from(state).wrapping_sub(9), value)).collect::<Vec<_>>());
            agrees(&entries.iter().map(|&(state, value)| (u128::from(state) << 100, value)).collect::<Vec<_>>());
            agrees(&entries.iter().map(|&(state, value)| ([0, u64::from(state) % 50, 0], value)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn it_grows_only_within_the_memory_allowed_and_keeps_what_it_has() {
        let memory = Memory::with_limit(4096);
        let mut table = Table::<u64>::new(&memory).unwrap();
        let entered = (1..1000).take_while(|&state| table.entry(state, ()).is_ok()).count();
        // 256 slots are 2,048 bytes; with the 4,096 of the next size beside them they would be too many.
        assert_eq!((entered, table.len()), (192, 192));
        assert!((1..=192).all(|state| table.get(state).is_some()));
        assert_eq!(table.get(193), None);
    }
}
