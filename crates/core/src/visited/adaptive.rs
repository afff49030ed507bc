//! A hash table with linear probing that becomes a [`Table`] when it no longer fits the cache.

use super::growth::StateHash;
use super::pages::AlignedSlice;
use super::prefetch::prefetch;
use super::{Table, Visited, insert_each, insert_each_pipelined};
use crate::memory::{Memory, OutOfMemory};
use crate::search::space::{Batch, SpaceView};
use crate::word::Word;

/// A hash map from states to small values, or with `V = ()` a [visited set](Visited) for one
/// thread. It is the fastest set for spaces that are mostly small.
///
/// - **Layout.** Up to 524,288 states, it is an open-addressing table with linear probing: a state
///   is in the slot that its hash determines, or in the first empty slot after it. At most half of
///   the slots are occupied, and their number doubles when it grows. With more states it becomes a
///   [`Table`]; the visited set of a space that
///   [expects](crate::StateSpace::expected_states) more states is one from the start.
/// - **Memory.** 2 to 4 words and values per entry, then as [`Table`]. The initial slots are for
///   [`StateSpace::expected_states`](crate::StateSpace::expected_states) states, at most 512 KiB.
/// - **Time.** On the component of the classic klotski layout (13,011 states of 64 bits), an
///   insertion takes a third of the instructions of an insertion into a [`Table`], which is
///   optimized for sets that do not fit the cache.
#[derive(Debug)]
pub struct Adaptive<W, V = ()> {
    repr: Repr<W, V>,
    memory: Memory,
}

#[derive(Debug)]
enum Repr<W, V> {
    Small(LinearProbing<W, V>),
    Large(Table<W, V>),
}

#[derive(Debug)]
struct LinearProbing<W, V> {
    states: AlignedSlice<W>,
    values: AlignedSlice<V>,
    /// The home slot of a hash is `hash >> shift`.
    shift: u32,
    /// The number of occupied slots.
    occupied: usize,
    /// The value of the clear word, if it is in the map. In a slot, the clear word means empty.
    zero_value: Option<V>,
}

const MIN_SLOTS: usize = 64;
const MAX_SLOTS: usize = 1 << 20;
/// Allocating room for this many states takes no longer than a few expansions.
const MIN_EXPECTED_STATES: usize = 2048;
const MAX_INITIAL_BYTES: usize = 1 << 19;
/// Fits a cache with a latency of about 15 cycles, with room to spare for other data.
const CACHE_BYTES: usize = 1 << 19;

impl<W: Word, V: Copy + Default> LinearProbing<W, V> {
    /// `slots` must be a power of two and at least [`MIN_SLOTS`].
    fn new(slots: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self {
            states: AlignedSlice::new(slots, || W::ZERO, memory)?,
            values: AlignedSlice::new(slots, V::default, memory)?,
            shift: u64::BITS - slots.trailing_zeros(),
            occupied: 0,
            zero_value: None,
        })
    }

    #[inline(always)]
    fn prefetch(&self, hash: StateHash) {
        prefetch(&self.states[hash.high_bits(self.shift) & (self.states.len() - 1)]);
    }

    #[inline(always)]
    fn entry_with_hash(&mut self, hash: StateHash, state: W, value: V) -> (&mut V, bool) {
        if state == W::ZERO {
            let new = self.zero_value.is_none();
            return (self.zero_value.get_or_insert(value), new);
        }
        let slot = find(&self.states, self.shift, hash, state);
        let new = self.states[slot] != state;
        // Unconditional write: a branch would be unpredictable.
        self.states[slot] = state;
        self.occupied += usize::from(new);
        let stored = &mut self.values[slot];
        if new {
            *stored = value;
        }
        (stored, new)
    }

    fn entries(&self) -> impl Iterator<Item = (W, V)> + '_ {
        let filled =
            self.states.iter().zip(self.values.iter()).filter(|(state, _)| **state != W::ZERO);
        filled
            .map(|(&state, &value)| (state, value))
            .chain(self.zero_value.map(|value| (W::ZERO, value)))
    }
}

impl<W: Word> LinearProbing<W, ()> {
    /// Inserts states. Writes the indices of those that are new, and returns their number.
    fn insert(&mut self, keys: &[W], new: &mut [u32]) -> usize {
        // Local variables, since the compiler cannot rule out that a write to a slot changes the
        // fields of `self`.
        let (states, shift) = (&mut self.states[..], self.shift);
        let (mut occupied, mut zero_value) = (self.occupied, self.zero_value);
        let count = insert_each(keys, new, |state| {
            if state == W::ZERO {
                return zero_value.replace(()).is_none();
            }
            let slot = find(states, shift, StateHash::of(state), state);
            let new = states[slot] != state;
            states[slot] = state;
            occupied += usize::from(new);
            new
        });
        (self.occupied, self.zero_value) = (occupied, zero_value);
        count
    }

    /// The same for slots that do not fit a cache.
    fn insert_pipelined(&mut self, keys: &[W], new: &mut [u32]) -> usize {
        insert_each_pipelined(
            self,
            keys,
            new,
            |slots, state| {
                let hash = StateHash::of(state);
                slots.prefetch(hash);
                hash
            },
            |slots, hash, state| slots.entry_with_hash(hash, state, ()).1,
        )
    }
}

/// The slot that holds a state, or the empty slot for it.
#[inline(always)]
fn find<W: Word>(states: &[W], shift: u32, hash: StateHash, state: W) -> usize {
    let mask = states.len() - 1;
    // Two conditions are unpredictable: whether the state is new, and whether it is in its home
    // slot, which holds for four in five states. So a step has no branch. The only branch is
    // whether the second step stays at the same slot.
    let step = |slot: usize| {
        let advances = (states[slot] != state) & (states[slot] != W::ZERO);
        (slot + usize::from(advances)) & mask
    };
    let mut slot = step(hash.high_bits(shift) & mask);
    loop {
        let next = step(slot);
        if next == slot {
            return slot;
        }
        slot = next;
    }
}

impl<W: Word, V: Copy + Default> Adaptive<W, V> {
    /// An empty map with room for `states` states. The initial slots take at most 512 KiB and at
    /// most an eighth of the memory limit, but there are at least 64 of them. The map grows as
    /// needed.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the initial slots do not fit.
    pub fn with_room(states: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        let max_slots =
            (MAX_INITIAL_BYTES as u64).min(memory.limit_bytes() / 8) as usize / size_of::<(W, V)>();
        let slots = (2 * states.min(max_slots))
            .next_power_of_two()
            .min((max_slots + 1).next_power_of_two() / 2)
            .max(MIN_SLOTS);
        let slots = LinearProbing::new(slots, memory)?;
        Ok(Self { repr: Repr::Small(slots), memory: memory.clone() })
    }

    /// The number of states in the map.
    pub fn len(&self) -> usize {
        match &self.repr {
            Repr::Small(slots) => slots.occupied + usize::from(slots.zero_value.is_some()),
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
            Repr::Small(slots) if state == W::ZERO => slots.zero_value,
            Repr::Small(slots) => {
                let slot = find(&slots.states, slots.shift, StateHash::of(state), state);
                (slots.states[slot] == state).then(|| slots.values[slot])
            }
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
            Repr::Small(slots) if 2 * (slots.occupied + states) <= slots.states.len() => Ok(()),
            Repr::Small(_) => self.grow(states),
            Repr::Large(table) => table.make_room(states),
        }
    }

    #[cold]
    fn grow(&mut self, states: usize) -> Result<(), OutOfMemory> {
        let Repr::Small(slots) = &mut self.repr else { return Ok(()) };
        let wanted = (2 * (slots.occupied + states)).next_power_of_two();
        let larger =
            if wanted <= MAX_SLOTS { LinearProbing::new(wanted, &self.memory).ok() } else { None };
        // If twice as many slots do not fit the memory limit, a table, which is smaller, may fit.
        self.repr = if let Some(mut larger) = larger {
            slots.entries().for_each(|(state, value)| {
                larger.entry_with_hash(StateHash::of(state), state, value);
            });
            Repr::Small(larger)
        } else {
            let mut table = Table::new(&self.memory)?;
            table.make_room(slots.occupied + states)?;
            slots.entries().for_each(|(state, value)| {
                table.entry_with_hash(StateHash::of(state), state, value);
            });
            Repr::Large(table)
        };
        Ok(())
    }
}

impl<W: Word> Visited<W> for Adaptive<W> {
    fn new(space: &SpaceView<'_, W>, memory: &Memory) -> Result<Self, OutOfMemory> {
        let states = space.properties().expected_states;
        if states > MAX_SLOTS / 2 {
            let repr = Repr::Large(Table::new(memory)?);
            return Ok(Self { repr, memory: memory.clone() });
        }
        Self::with_room(states.max(MIN_EXPECTED_STATES), memory)
    }

    fn insert(&mut self, batch: &mut Batch<W>) -> Result<usize, OutOfMemory> {
        self.make_room(batch.len())?;
        match &mut self.repr {
            Repr::Small(slots) => {
                let (states, _, new) = batch.for_insertion();
                if size_of_val(&*slots.states) <= CACHE_BYTES {
                    Ok(slots.insert(states, new))
                } else {
                    Ok(slots.insert_pipelined(states, new))
                }
            }
            Repr::Large(table) => table.insert(batch),
        }
    }

    #[inline]
    fn contains(&self, state: W, _: u64) -> bool {
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
        fn it_is_a_map(
            entries in prop::collection::vec((any::<u16>(), any::<u8>()), 0..400),
            room in 0usize..300,
        ) {
            let mut set = Adaptive::with_room(room, &Memory::unlimited()).unwrap();
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
        let mut set = Adaptive::<u64, u16>::with_room(0, &memory).unwrap();
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
        let mut set = Adaptive::<u64>::with_room(1 << 20, &memory).unwrap();
        let inserted = (1..2000).take_while(|&state| set.entry(state, ()).is_ok()).count();
        assert!(inserted >= 256, "{inserted}");
        assert!(memory.peak_bytes() <= 8192);
        assert!((1..=inserted as u64).all(|state| set.get(state).is_some()));
        assert_eq!(set.get(inserted as u64 + 1), None);
    }
}
