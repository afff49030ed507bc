//! A hash map with linear probing that becomes a [`Table`] when it no longer fits the cache.

use super::Table;
use super::growth::StateHash;
use super::linear_probing::LinearProbing;
use crate::memory::{Memory, OutOfMemory};
use crate::word::Word;

/// A hash map from states to small values, for one thread. It is the fastest map for what is mostly
/// small.
///
/// - **Layout.** Up to 524,288 states, it is an open-addressing table with linear probing, whose
///   number of slots doubles when it grows. With more states it becomes a [`Table`].
/// - **Memory.** 2 to 4 words and values per entry, then as [`Table`].
#[derive(Debug)]
pub struct AdaptiveMap<W, V> {
    repr: Repr<W, V>,
    memory: Memory,
}

#[derive(Debug)]
enum Repr<W, V> {
    Small(LinearProbing<W, V>),
    Large(Table<W, V>),
}

impl<W: Word, V: Copy + Default> AdaptiveMap<W, V> {
    /// An empty map with room for `states` states. The initial slots take at most 512 KiB and at
    /// most an eighth of the memory limit, but there are at least 64 of them. The map grows as
    /// needed.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the initial slots do not fit.
    pub fn with_room(states: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        let slots = LinearProbing::with_room(states, memory)?;
        Ok(Self { repr: Repr::Small(slots), memory: memory.clone() })
    }

    /// The number of states in the map.
    pub fn len(&self) -> usize {
        match &self.repr {
            Repr::Small(slots) => slots.len(),
            Repr::Large(table) => table.len(),
        }
    }

    /// Whether the map has no states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a state, or `None` if the state is not in the map.
    #[inline]
    pub fn get(&self, state: W) -> Option<V> {
        match &self.repr {
            Repr::Small(slots) => slots.get(state),
            Repr::Large(table) => table.get(state),
        }
    }

    /// Inserts `state` with `value` if the state is not in the map. Returns a mutable reference to
    /// the value of the state, and whether the state was inserted.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the map must grow and does not fit. It is unchanged then. The map may
    /// grow even if the state is already in it.
    pub fn entry(&mut self, state: W, value: V) -> Result<(&mut V, bool), OutOfMemory> {
        self.make_room(1)?;
        Ok(self.entry_with_hash(StateHash::of(state), state, value))
    }

    /// Does the same as [`entry`](Self::entry), given the hash of the state. There must be room.
    #[inline(always)]
    pub(crate) fn entry_with_hash(
        &mut self,
        hash: StateHash,
        state: W,
        value: V,
    ) -> (&mut V, bool) {
        match &mut self.repr {
            Repr::Small(slots) => slots.entry_with_hash(hash, state, value),
            Repr::Large(table) => table.entry_with_hash(hash, state, value),
        }
    }

    /// Makes room for `states` more states.
    #[inline]
    pub(crate) fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        match &mut self.repr {
            Repr::Small(slots) if slots.has_room(states) => Ok(()),
            Repr::Small(_) => self.grow(states),
            Repr::Large(table) => table.make_room(states),
        }
    }

    #[cold]
    fn grow(&mut self, states: usize) -> Result<(), OutOfMemory> {
        let Repr::Small(slots) = &mut self.repr else { return Ok(()) };
        // If twice as many slots do not fit the memory limit, a table, which is smaller, may fit.
        self.repr = if let Some(larger) = slots.grown(states, &self.memory) {
            Repr::Small(larger)
        } else {
            let mut table = Table::new(&self.memory)?;
            table.make_room(slots.len() + states)?;
            slots.entries().for_each(|(state, value)| {
                table.entry_with_hash(StateHash::of(state), state, value);
            });
            Repr::Large(table)
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_map(
            entries in prop::collection::vec((any::<u16>(), any::<u8>()), 0..400),
            room in 0usize..300,
        ) {
            let mut set = AdaptiveMap::with_room(room, &Memory::unlimited()).unwrap();
            let mut map = BTreeMap::new();
            for (state, value) in entries {
                // The states include the clear word.
                let state = u64::from(state % 150) << 40;
                let new = !map.contains_key(&state);
                let expected = *map.entry(state).or_insert(value);
                prop_assert_eq!(set.entry(state, value).unwrap(), (&mut expected.clone(), new));
            }
            prop_assert_eq!((set.len(), set.is_empty()), (map.len(), map.is_empty()));
            let mut states = (0..150).map(|number: u64| number << 40);
            prop_assert!(states.all(|state| set.get(state) == map.get(&state).copied()));
        }
    }

    #[test]
    fn it_keeps_its_states_when_it_becomes_a_table() {
        let memory = Memory::unlimited();
        let mut set = AdaptiveMap::<u64, u16>::with_room(0, &memory).unwrap();
        for number in 0..700_000 {
            assert_eq!(
                set.entry(number << 20, number as u16).unwrap(),
                (&mut (number as u16), true)
            );
        }
        assert!(matches!(set.repr, Repr::Large(_)));
        assert!((0..700_000).all(|number| set.get(number << 20) == Some(number as u16)));
        assert_eq!((set.len(), set.get(1)), (700_000, None));
        drop(set);
        assert_eq!(memory.held_bytes(), 0);
    }

    #[test]
    fn it_keeps_its_states_when_memory_runs_out() {
        let memory = Memory::with_limit(8192);
        let mut set = AdaptiveMap::<u64, ()>::with_room(1 << 20, &memory).unwrap();
        let inserted = (1..2000).take_while(|&state| set.entry(state, ()).is_ok()).count();
        assert!(inserted >= 256, "{inserted}");
        assert!(memory.peak_bytes() <= 8192);
        assert!((1..=inserted as u64).all(|state| set.get(state).is_some()));
        assert_eq!(set.get(inserted as u64 + 1), None);
    }
}
