//! An open-addressing hash table of whole states, at most four fifths full.

use super::bucket;
use super::growth::{Buckets, StateHash, grow, initial_bucket_count, max_entries};
use super::pages::Rows;
use super::prefetch::prefetch;
use super::{Visited, insert_each_pipelined};
use crate::memory::{Memory, OutOfMemory};
use crate::seam::Properties;
use crate::word::Word;

/// A hash map from states to small values, or with `V = ()` a [visited set](Visited) for one
/// thread.
///
/// - **Layout.** The slots hold the states themselves. An empty slot holds the clear word. The
///   entry of the state that is the clear word is stored outside the slots, so every word is a
///   valid state.
/// - **Memory.** A word and a value per slot. Between 4/5 (full) and 16/35 (after growth) of the
///   slots are occupied, so an entry takes 5/4 to 35/16 words and values. Growth is in place: there
///   is no second copy of the table.
/// - **Time.** A lookup reads one cache line of states in most cases, and one of values. An
///   insertion takes amortized constant time.
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
    slots: Slots<W, V>,
    /// The number of occupied slots.
    occupied: usize,
    /// The value of the clear word, if it is in the map.
    zero_value: Option<V>,
    memory: Memory,
}

/// The states and their values, in buckets.
#[derive(Debug)]
struct Slots<W, V> {
    states: Rows<W>,
    values: Rows<V>,
}

/// A slot, which holds a state or is empty.
#[derive(Clone, Copy)]
struct SlotIndex {
    bucket: usize,
    slot: usize,
}

impl<W: Word, V: Copy + Default> Slots<W, V> {
    /// The slot that holds `state`, or the empty slot for it. `None` if the state is not in the
    /// table and all slots are occupied.
    #[inline(always)]
    fn find(&self, hash: StateHash, state: W) -> Option<SlotIndex> {
        let home = hash.home(self.bucket_count());
        if size_of::<V>() > 0 {
            // Most states are in their home bucket: its values arrive while the states are compared.
            prefetch(&self.values.row(home, Self::SLOTS)[0]);
        }
        self.find_in_bucket(home, state)
            .or_else(|| self.find_in_bucket(home ^ 1, state))
            .or_else(|| self.find_in_other_pairs(hash, state))
    }

    #[inline(always)]
    fn find_in_bucket(&self, bucket: usize, state: W) -> Option<SlotIndex> {
        let slot = bucket::find(self.states.row(bucket, Self::SLOTS), state)?;
        Some(SlotIndex { bucket, slot })
    }

    #[cold]
    #[inline(never)]
    fn find_in_other_pairs(&self, hash: StateHash, state: W) -> Option<SlotIndex> {
        let mut other_pairs = hash.probe(self.bucket_count()).skip(2);
        other_pairs.find_map(|bucket| self.find_in_bucket(bucket, state))
    }

    #[inline(always)]
    fn state(&self, at: SlotIndex) -> W {
        self.states.row(at.bucket, Self::SLOTS)[at.slot]
    }

    #[inline(always)]
    fn value(&self, at: SlotIndex) -> V {
        self.values.row(at.bucket, Self::SLOTS)[at.slot]
    }

    #[inline(always)]
    fn value_mut(&mut self, at: SlotIndex) -> &mut V {
        &mut self.values.row_mut(at.bucket, Self::SLOTS)[at.slot]
    }

    #[inline(always)]
    fn fill(&mut self, at: SlotIndex, state: W, value: V) {
        self.states.row_mut(at.bucket, Self::SLOTS)[at.slot] = state;
        *self.value_mut(at) = value;
    }

    /// The entries of a bucket.
    fn entries(&self, bucket: usize) -> impl Iterator<Item = (W, V)> {
        let (states, values) =
            (self.states.row(bucket, Self::SLOTS), self.values.row(bucket, Self::SLOTS));
        let filled = bucket::find(states, W::ZERO).unwrap_or(Self::SLOTS);
        states[..filled].iter().copied().zip(values[..filled].iter().copied())
    }
}

impl<W: Word, V: Copy + Default> Buckets for Slots<W, V> {
    type Entry = (W, V);
    const SLOTS: usize = bucket::slots_per_bucket::<W>();

    #[inline]
    fn bucket_count(&self) -> usize {
        self.states.len()
    }

    fn extend(&mut self, bucket_count: usize) -> Result<(), OutOfMemory> {
        // If only the values fit, there are more rows of values than of states, which is harmless.
        self.values.extend(bucket_count.max(self.values.len()), V::default)?;
        self.states.extend(bucket_count, || W::ZERO)
    }

    #[inline]
    fn is_full(&mut self, bucket: usize) -> bool {
        self.states.row(bucket, Self::SLOTS)[Self::SLOTS - 1] != W::ZERO
    }

    #[inline(always)]
    fn drain(&mut self, bucket: usize, run: &mut Vec<(W, V)>) {
        run.extend(self.entries(bucket));
        self.states.row_mut(bucket, Self::SLOTS).fill(W::ZERO);
    }

    #[inline(always)]
    fn put(&mut self, bucket: usize, slot: usize, (state, value): (W, V)) {
        self.fill(SlotIndex { bucket, slot }, state, value);
    }

    #[inline]
    fn hash((state, _): (W, V)) -> StateHash {
        StateHash::of(state)
    }
}

impl<W: Word, V: Copy + Default> Table<W, V> {
    /// An empty table with 32 slots, or more for words of 8 or 16 bits.
    ///
    /// # Errors
    /// [`OutOfMemory`] if they do not fit.
    pub fn new(memory: &Memory) -> Result<Self, OutOfMemory> {
        let width = bucket::slots_per_bucket::<W>();
        let mut slots =
            Slots { states: Rows::new(width, memory), values: Rows::new(width, memory) };
        slots.extend(initial_bucket_count(width))?;
        Ok(Self { slots, occupied: 0, zero_value: None, memory: memory.clone() })
    }

    /// The number of states in the table.
    pub fn len(&self) -> usize {
        self.occupied + usize::from(self.zero_value.is_some())
    }

    /// Whether the table has no states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of bytes of all slots.
    pub fn bytes(&self) -> u64 {
        let bucket_bytes = bucket::slots_per_bucket::<W>() * (size_of::<W>() + size_of::<V>());
        (self.slots.bucket_count() as u64).saturating_mul(bucket_bytes as u64)
    }

    /// The value of a state, or `None` if the state is not in the table.
    #[inline]
    pub fn get(&self, state: W) -> Option<V> {
        if state == W::ZERO {
            return self.zero_value;
        }
        let at = self.slots.find(StateHash::of(state), state)?;
        (self.slots.state(at) == state).then(|| self.slots.value(at))
    }

    /// A mutable reference to the value of a state, or `None` if the state is not in the table.
    #[inline]
    pub fn get_mut(&mut self, state: W) -> Option<&mut V> {
        if state == W::ZERO {
            return self.zero_value.as_mut();
        }
        let at = self.slots.find(StateHash::of(state), state)?;
        (self.slots.state(at) == state).then(|| self.slots.value_mut(at))
    }

    /// Inserts `state` with `value` if the state is not in the table. Returns a mutable reference
    /// to the value of the state, and whether the state was inserted.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the table must grow and does not fit. It is unchanged then.
    #[inline]
    pub fn entry(&mut self, state: W, value: V) -> Result<(&mut V, bool), OutOfMemory> {
        // The table grows only if the state is new.
        if self.occupied == max_entries::<Slots<W, V>>(self.slots.bucket_count())
            && self.get(state).is_none()
        {
            self.make_room(1)?;
        }
        Ok(self.entry_with_hash(StateHash::of(state), state, value))
    }

    /// Makes room for `states` more states.
    #[inline]
    pub(crate) fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        let entries = self.occupied + states;
        if entries <= max_entries::<Slots<W, V>>(self.slots.bucket_count()) {
            return Ok(());
        }
        grow(&mut self.slots, entries, &self.memory)
    }

    /// Does the same as [`entry`](Self::entry), given the hash of the state. There must be room.
    #[inline(always)]
    pub(crate) fn entry_with_hash(
        &mut self,
        hash: StateHash,
        state: W,
        value: V,
    ) -> (&mut V, bool) {
        if state == W::ZERO {
            let new = self.zero_value.is_none();
            return (self.zero_value.get_or_insert(value), new);
        }
        let (at, new) = self.find_or_insert(hash, state);
        let stored = self.slots.value_mut(at);
        if new {
            *stored = value;
        }
        (stored, new)
    }

    /// The slot of a state, which must not be the clear word, and whether the state was inserted
    /// now.
    #[inline(always)]
    fn find_or_insert(&mut self, hash: StateHash, state: W) -> (SlotIndex, bool) {
        let at = self.slots.find(hash, state).expect("make_room is called before an insertion");
        (at, self.insert_at(at, state))
    }

    /// Inserts a state into the slot that was found for it. Returns `false` if it was there
    /// already.
    #[inline(always)]
    fn insert_at(&mut self, at: SlotIndex, state: W) -> bool {
        let slots = self.slots.states.row_mut(at.bucket, bucket::slots_per_bucket::<W>());
        let slot = &mut slots[at.slot];
        let new = *slot != state;
        // Unconditional write: a branch would be unpredictable.
        *slot = state;
        self.occupied += usize::from(new);
        new
    }

    #[inline(always)]
    fn prefetch_bucket(&self, bucket: usize) {
        prefetch(&self.slots.states.row(bucket, bucket::slots_per_bucket::<W>())[0]);
    }

    /// Prefetches the home bucket of a hash.
    #[inline]
    pub(crate) fn prefetch(&self, hash: StateHash) {
        self.prefetch_bucket(hash.home(self.slots.bucket_count()));
    }

    /// All states with their values. The order is unspecified, but the same in each run.
    pub fn iter(&self) -> impl Iterator<Item = (W, V)> + '_ {
        let zero = self.zero_value.map(|value| (W::ZERO, value));
        let buckets = 0..self.slots.bucket_count();
        zero.into_iter().chain(buckets.flat_map(|bucket| self.slots.entries(bucket)))
    }
}

impl<W: Word> Visited<W> for Table<W> {
    fn new(_: &Properties, memory: &Memory) -> Result<Self, OutOfMemory> {
        Table::new(memory)
    }

    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        self.make_room(states)
    }

    fn forget(&mut self) {
        if let Ok(empty) = Self::new(&self.memory) {
            *self = empty;
        }
    }

    #[inline]
    fn insert_all(&mut self, states: &[W], _: &[u64], new: &mut [u32]) -> usize {
        insert_each_pipelined(
            self,
            states,
            new,
            |table, state| {
                let hash = StateHash::of(state);
                table.prefetch(hash);
                hash
            },
            |table, hash, state| {
                if state == W::ZERO {
                    table.zero_value.replace(()).is_none()
                } else {
                    table.find_or_insert(hash, state).1
                }
            },
        )
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

    fn assert_is_a_map<W: Word>(entries: &[(u16, u32)], word: impl Fn(u16) -> W) {
        let memory = Memory::unlimited();
        let mut table = Table::new(&memory).unwrap();
        let mut map = BTreeMap::new();
        for &(number, value) in entries {
            let state = word(number);
            let new = !map.contains_key(&state);
            let expected = *map.entry(state).or_insert(value);
            let (stored, inserted) = table.entry(state, value).unwrap();
            assert_eq!((*stored, inserted), (expected, new));
            *stored += 1;
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
            // Few different states, so that many are repeated, among them the clear word and all
            // ones.
            assert_is_a_map(&entries, |state| state % 150);
            assert_is_a_map(&entries, |state| (state % 150) as u8);
            assert_is_a_map(&entries, |state| u32::from(state) << 16);
            assert_is_a_map(&entries, |state| u64::from(state).wrapping_sub(9));
            assert_is_a_map(&entries, |state| u128::from(state) << 100);
            assert_is_a_map(&entries, |state| [0, u64::from(state) % 50, 0]);
        }
    }

    #[test]
    fn it_grows_over_several_chunks_of_memory() {
        let memory = Memory::unlimited();
        let mut table = Table::<u64, u16>::new(&memory).unwrap();
        // The slots take several times 2 MiB.
        for number in 0..1_000_000 {
            assert_eq!(
                table.entry(number << 20, number as u16).unwrap(),
                (&mut (number as u16), true)
            );
        }
        assert!((0..1_000_000).all(|number| table.get(number << 20) == Some(number as u16)));
        assert!((0..1_000_000).all(|number| table.get(number << 20 | 1).is_none()));
        assert_eq!((table.len(), table.iter().count()), (1_000_000, 1_000_000));
        // Growth needs a copy of one chunk only.
        assert!(
            memory.peak_bytes() < table.bytes() + table.bytes() / 8 + (4 << 20),
            "{}",
            memory.peak_bytes()
        );
        drop(table);
        assert_eq!(memory.held_bytes(), 0);
    }

    #[test]
    fn it_keeps_its_states_when_memory_runs_out() {
        let memory = Memory::with_limit(4096);
        let mut table = Table::<u64>::new(&memory).unwrap();
        let inserted = (1..1000).take_while(|&state| table.entry(state, ()).is_ok()).count();
        assert_eq!((inserted, table.len()), (152, 152));
        assert!(memory.peak_bytes() <= 4096);
        assert!((1..=inserted as u64).all(|state| table.get(state).is_some()));
        assert_eq!(table.get(inserted as u64 + 1), None);
    }
}
