//! A packed open-addressing table: whole states, at most four fifths of the slots full.

use super::Visited;
use super::growth::{Hashed, Lines, first_lines, grow, room};
use super::line;
use super::pages::Rows;
use super::prefetch::prefetch;
use crate::memory::{Memory, OutOfMemory};
use crate::space::StateSpace;
use crate::word::Word;

/// A map from states to small values, or with `V = ()` a visited set.
///
/// Slots hold the states themselves, so an entry costs a word and a value, times 5/4 (full) to
/// 35/16 (just grown). The clear word marks an empty slot; the state that happens to be the clear
/// word is kept beside the slots, so no value of the word is taken from the space. The table grows
/// where it is, and nothing is held twice.
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
    pairs: Pairs<W, V>,
    /// Occupied slots.
    used: usize,
    /// The value of the clear word, if it was entered.
    of_zero: Option<V>,
    memory: Memory,
}

/// States, and their values beside them.
#[derive(Debug)]
struct Pairs<W, V> {
    states: Rows<W>,
    values: Rows<V>,
}

/// Where a state is or would go.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    slot: usize,
}

impl<W: Word, V: Copy + Default> Pairs<W, V> {
    /// The place where `state` is, or else would go.
    #[inline(always)]
    fn find(&self, key: Hashed, state: W) -> Option<Place> {
        let home = key.home(self.lines());
        self.find_in(home, state)
            .or_else(|| self.find_in(home ^ 1, state))
            .or_else(|| self.find_beyond(key, state))
    }

    #[inline(always)]
    fn find_in(&self, line: usize, state: W) -> Option<Place> {
        let slot = line::find(self.states.row(line, Self::SLOTS), state)?;
        Some(Place { line, slot })
    }

    #[cold]
    #[inline(never)]
    fn find_beyond(&self, key: Hashed, state: W) -> Option<Place> {
        key.probe(self.lines()).skip(2).find_map(|line| self.find_in(line, state))
    }

    #[inline(always)]
    fn state(&self, at: Place) -> W {
        self.states.row(at.line, Self::SLOTS)[at.slot]
    }

    #[inline(always)]
    fn value(&self, at: Place) -> V {
        self.values.row(at.line, Self::SLOTS)[at.slot]
    }

    #[inline(always)]
    fn value_mut(&mut self, at: Place) -> &mut V {
        &mut self.values.row_mut(at.line, Self::SLOTS)[at.slot]
    }

    #[inline(always)]
    fn fill(&mut self, at: Place, state: W, value: V) {
        self.states.row_mut(at.line, Self::SLOTS)[at.slot] = state;
        *self.value_mut(at) = value;
    }

    /// What is in a line.
    fn entries(&self, line: usize) -> impl Iterator<Item = (W, V)> {
        let (states, values) =
            (self.states.row(line, Self::SLOTS), self.values.row(line, Self::SLOTS));
        let filled = line::find(states, W::ZERO).unwrap_or(Self::SLOTS);
        states[..filled].iter().copied().zip(values[..filled].iter().copied())
    }
}

impl<W: Word, V: Copy + Default> Lines for Pairs<W, V> {
    type Entry = (W, V);
    const SLOTS: usize = line::slots::<W>();

    #[inline]
    fn lines(&self) -> usize {
        self.states.len()
    }

    fn extend(&mut self, lines: usize) -> Result<(), OutOfMemory> {
        // Where there is memory for the values only, they are there too soon, which does no harm.
        self.values.extend(lines.max(self.values.len()), V::default)?;
        self.states.extend(lines, || W::ZERO)
    }

    #[inline]
    fn is_full(&mut self, line: usize) -> bool {
        self.states.row(line, Self::SLOTS)[Self::SLOTS - 1] != W::ZERO
    }

    #[inline(always)]
    fn drain(&mut self, line: usize, run: &mut Vec<(W, V)>) {
        run.extend(self.entries(line));
        self.states.row_mut(line, Self::SLOTS).fill(W::ZERO);
    }

    #[inline(always)]
    fn put(&mut self, line: usize, slot: usize, (state, value): (W, V)) {
        self.fill(Place { line, slot }, state, value);
    }

    #[inline]
    fn key((state, _): (W, V)) -> Hashed {
        Hashed::of(state)
    }
}

impl<W: Word, V: Copy + Default> Table<W, V> {
    /// An empty table.
    pub fn new(memory: &Memory) -> Result<Self, OutOfMemory> {
        let width = line::slots::<W>();
        let mut pairs =
            Pairs { states: Rows::new(width, memory), values: Rows::new(width, memory) };
        pairs.extend(first_lines(width))?;
        Ok(Self { pairs, used: 0, of_zero: None, memory: memory.clone() })
    }

    /// How many states it holds.
    pub fn len(&self) -> usize {
        self.used + usize::from(self.of_zero.is_some())
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of its slots.
    pub fn bytes(&self) -> u64 {
        let line = line::slots::<W>() * (size_of::<W>() + size_of::<V>());
        (self.pairs.lines() as u64).saturating_mul(line as u64)
    }

    /// The value of a state.
    #[inline]
    pub fn get(&self, state: W) -> Option<V> {
        if state == W::ZERO {
            return self.of_zero;
        }
        let at = self.pairs.find(Hashed::of(state), state)?;
        (self.pairs.state(at) == state).then(|| self.pairs.value(at))
    }

    /// The value of a state, to be changed.
    #[inline]
    pub fn get_mut(&mut self, state: W) -> Option<&mut V> {
        if state == W::ZERO {
            return self.of_zero.as_mut();
        }
        let at = self.pairs.find(Hashed::of(state), state)?;
        (self.pairs.state(at) == state).then(|| self.pairs.value_mut(at))
    }

    /// The value of a state, which is entered with `value` if it is not there; and whether it was
    /// entered now.
    #[inline]
    pub fn entry(&mut self, state: W, value: V) -> Result<(&mut V, bool), OutOfMemory> {
        // Room is only made where it is needed: a state that is known needs none.
        if self.used == room::<Pairs<W, V>>(self.pairs.lines()) && self.get(state).is_none() {
            self.make_room(1)?;
        }
        Ok(self.enter(Hashed::of(state), state, value))
    }

    /// Makes sure that so many states more have room.
    #[inline]
    pub(crate) fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        let entries = self.used + states;
        if entries <= room::<Pairs<W, V>>(self.pairs.lines()) {
            return Ok(());
        }
        grow(&mut self.pairs, entries, &self.memory)
    }

    /// The same as [`entry`](Self::entry) with the key worked out before; there must be room.
    #[inline(always)]
    pub(crate) fn enter(&mut self, key: Hashed, state: W, value: V) -> (&mut V, bool) {
        if state == W::ZERO {
            let new = self.of_zero.is_none();
            return (self.of_zero.get_or_insert(value), new);
        }
        let (at, new) = self.place(key, state);
        let held = self.pairs.value_mut(at);
        if new {
            *held = value;
        }
        (held, new)
    }

    /// Where a state that is not the clear word is, or is put now.
    #[inline(always)]
    fn place(&mut self, key: Hashed, state: W) -> (Place, bool) {
        let at = self.pairs.find(key, state).expect("room is made before states are entered");
        (at, self.put(at, state))
    }

    /// Whether a state was not in the place that was found for it.
    #[inline(always)]
    fn put(&mut self, at: Place, state: W) -> bool {
        let slot = &mut self.pairs.states.row_mut(at.line, line::slots::<W>())[at.slot];
        let new = *slot != state;
        // Written either way: no branch, for there is no guessing which it will be.
        *slot = state;
        self.used += usize::from(new);
        new
    }

    /// Tells the processor that a line will be asked for soon.
    #[inline(always)]
    fn prefetch_line(&self, line: usize) {
        prefetch(&self.pairs.states.row(line, line::slots::<W>())[0]);
    }

    /// Tells the processor that the slot of a key will be asked for soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: Hashed) {
        self.prefetch_line(key.home(self.pairs.lines()));
    }

    /// All states with their values, in the order of the slots: the same in each run, but no order
    /// to show to anyone.
    pub fn iter(&self) -> impl Iterator<Item = (W, V)> + '_ {
        let zero = self.of_zero.map(|value| (W::ZERO, value));
        zero.into_iter().chain((0..self.pairs.lines()).flat_map(|line| self.pairs.entries(line)))
    }
}

impl<S: StateSpace> Visited<S> for Table<S::State> {
    type Key = Hashed;

    fn new(_: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        Table::new(memory)
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
    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        self.make_room(states)
    }

    #[inline(always)]
    fn insert(&mut self, key: Hashed, state: S::State) -> bool {
        if state == S::State::ZERO {
            self.of_zero.replace(()).is_none()
        } else {
            self.place(key, state).1
        }
    }

    /// The home line, then the other line of the pair; the pairs that follow are left to `insert`.
    const LAST_PASS: usize = 1;

    #[inline(always)]
    fn try_insert(&mut self, key: Hashed, state: S::State, pass: usize) -> Option<bool> {
        if state == S::State::ZERO {
            return Some(self.of_zero.replace(()).is_none());
        }
        let lines = self.pairs.lines();
        let home = key.home(lines);
        let found = self.pairs.find_in(if pass == 0 { home } else { home ^ 1 }, state);
        if found.is_none() {
            let next = if pass == 0 { home ^ 1 } else { (home | 1) + 1 };
            self.prefetch_line(if next == lines { 0 } else { next });
        }
        found.map(|at| self.put(at, state))
    }

    #[inline]
    fn contains(&self, key: Hashed, state: S::State) -> bool {
        if state == S::State::ZERO {
            return self.of_zero.is_some();
        }
        self.pairs.find(key, state).is_some_and(|at| self.pairs.state(at) == state)
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
            agrees(&entries.iter().map(|&(state, value)| ((state % 150) as u8, value)).collect::<Vec<_>>());
            agrees(&entries.iter().map(|&(state, value)| (u32::from(state) << 16, value)).collect::<Vec<_>>());
            agrees(&entries.iter().map(|&(state, value)| (u64::from(state).wrapping_sub(9), value)).collect::<Vec<_>>());
            agrees(&entries.iter().map(|&(state, value)| (u128::from(state) << 100, value)).collect::<Vec<_>>());
            agrees(&entries.iter().map(|&(state, value)| ([0, u64::from(state) % 50, 0], value)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn it_goes_from_page_to_page() {
        let memory = Memory::unlimited();
        let mut table = Table::<u64, u16>::new(&memory).unwrap();
        // Of 2 MiB of slots, a few times over.
        for number in 0..1_000_000 {
            assert_eq!(
                table.entry(number << 20, number as u16).unwrap(),
                (&mut (number as u16), true)
            );
        }
        assert!((0..1_000_000).all(|number| table.get(number << 20) == Some(number as u16)));
        assert!((0..1_000_000).all(|number| table.get(number << 20 | 1).is_none()));
        assert_eq!((table.len(), table.iter().count()), (1_000_000, 1_000_000));
        // Nothing was held twice but a page.
        assert!(
            memory.peak_bytes() < table.bytes() + table.bytes() / 8 + (4 << 20),
            "{}",
            memory.peak_bytes()
        );
        drop(table);
        assert_eq!(memory.held_bytes(), 0);
    }

    #[test]
    fn it_grows_only_within_the_memory_allowed_and_keeps_what_it_has() {
        let memory = Memory::with_limit(4096);
        let mut table = Table::<u64>::new(&memory).unwrap();
        let entered = (1..1000).take_while(|&state| table.entry(state, ()).is_ok()).count();
        assert_eq!((entered, table.len()), (152, 152));
        assert!(memory.peak_bytes() <= 4096);
        assert!((1..=entered as u64).all(|state| table.get(state).is_some()));
        assert_eq!(table.get(entered as u64 + 1), None);
    }
}
