//! A set with linear probing that becomes another table when it no longer fits the cache.

use super::linear_probing::{LinearProbing, MAX_STATES};
use super::{CompactTable, Table, Visited};
use crate::memory::{Memory, OutOfMemory};
use crate::seam::Properties;
use crate::word::Word;

/// A [visited set](Visited) whose layout depends on the number of its states: the fastest set for
/// spaces that are mostly small.
///
/// - **Layout.** Up to 524,288 states, it is an open-addressing table with linear probing, whose
///   number of slots doubles when it grows. With more states it becomes a [`CompactTable`], or a
///   [`Table`] if the states have more than 64 [bits](crate::StateSpace::state_bits) or the memory
///   limit is below 4 MiB. For a space that [expects](crate::StateSpace::expected_states) more
///   states it is that from the start.
/// - **Memory.** 2 to 4 words per state, then as the other table. The initial slots are for the
///   states that are expected, at most 512 KiB.
/// - **Time.** On the component of the classic klotski layout (13,011 states of 64 bits), an
///   insertion takes a third of the instructions of an insertion into a [`Table`], which is
///   optimized for sets that do not fit the cache.
#[derive(Debug)]
pub struct Adaptive<W> {
    form: Form<W>,
    /// The width of the states.
    state_bits: u32,
    memory: Memory,
}

#[derive(Debug)]
enum Form<W> {
    Small(LinearProbing<W, ()>),
    Compact(CompactTable),
    Table(Table<W>),
}

/// Allocating room for this many states takes no longer than a few expansions.
const MIN_EXPECTED_STATES: usize = 2048;

/// A compact table has room for this many states from the start, since it takes long to grow.
const LARGE: usize = 4 * MAX_STATES;

/// With less, a table of whole states is smaller: a compact one takes some 100 KiB before it has
/// states.
const LEAST_MEMORY: u64 = 4 << 20;

/// How many states move to another table at a time.
const MOVED: usize = 256;

impl<W: Word> Form<W> {
    /// The table for many states. A compact one has room for `states` states if that takes at most
    /// `tenths` tenths of the free memory.
    fn large(
        state_bits: u32,
        states: usize,
        tenths: u64,
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        Ok(if state_bits <= 64 && memory.limit_bytes() >= LEAST_MEMORY {
            Self::Compact(CompactTable::with_room(state_bits, states, tenths, memory)?)
        } else {
            Self::Table(Table::new(memory)?)
        })
    }

    /// Small slots must have room.
    #[inline]
    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        match self {
            Self::Small(_) => Ok(()),
            Self::Compact(table) => Visited::<W>::make_room(table, states),
            Self::Table(table) => table.make_room(states),
        }
    }

    #[inline]
    fn insert_all(&mut self, states: &[W], new: &mut [u32]) -> usize {
        match self {
            Self::Small(slots) => slots.insert(states, new),
            Self::Compact(table) => table.insert_all(states, &[], new),
            Self::Table(table) => table.insert_all(states, &[], new),
        }
    }
}

impl<W: Word> Adaptive<W> {
    /// An empty set, without room, of states of this width.
    pub(super) fn of_width(state_bits: u32, memory: &Memory) -> Result<Self, OutOfMemory> {
        let form = Form::Small(LinearProbing::with_room(0, memory)?);
        Ok(Self { form, state_bits, memory: memory.clone() })
    }

    /// Makes room in slots for `states` more states, or becomes another table.
    #[cold]
    fn grow(&mut self, states: usize) -> Result<(), OutOfMemory> {
        let Form::Small(slots) = &self.form else { return Ok(()) };
        if let Some(larger) = slots.grown(states, &self.memory) {
            self.form = Form::Small(larger);
            return Ok(());
        }
        // If twice as many slots do not fit the memory limit, another table, which is smaller, may
        // fit.
        let mut large = Form::large(self.state_bits, LARGE, 1, &self.memory)?;
        // The slots are in the order of the hashes, in which a table that grew with them would have
        // long runs.
        if let Form::Table(table) = &mut large {
            table.make_room(slots.len() + states)?;
        }
        let mut entries = slots.entries().map(|(state, ())| state).peekable();
        let mut moved = Vec::with_capacity(MOVED);
        while entries.peek().is_some() {
            moved.clear();
            moved.extend(entries.by_ref().take(MOVED));
            let new = &mut [0; MOVED][..moved.len()];
            large.make_room(moved.len())?;
            large.insert_all(&moved, new);
        }
        drop(entries);
        self.form = large;
        Ok(())
    }
}

impl Adaptive<u64> {
    /// Calls `visit` for each state, in any order.
    pub(super) fn for_each(&self, visit: &mut dyn FnMut(u64)) {
        match &self.form {
            Form::Small(slots) => slots.entries().for_each(|(state, ())| visit(state)),
            Form::Compact(table) => table.for_each(visit),
            Form::Table(table) => table.iter().for_each(|(state, ())| visit(state)),
        }
    }
}

impl<W: Word> Visited<W> for Adaptive<W> {
    fn new(properties: &Properties, memory: &Memory) -> Result<Self, OutOfMemory> {
        let &Properties { expected_states, state_bits, .. } = properties;
        if expected_states <= MAX_STATES {
            return Self::small(properties, memory);
        }
        // The layers need memory, too.
        let form = Form::large(state_bits, expected_states, 5, memory)?;
        Ok(Self { form, state_bits, memory: memory.clone() })
    }

    fn small(properties: &Properties, memory: &Memory) -> Result<Self, OutOfMemory> {
        let states = properties.expected_states.clamp(MIN_EXPECTED_STATES, MAX_STATES);
        let form = Form::Small(LinearProbing::with_room(states, memory)?);
        Ok(Self { form, state_bits: properties.state_bits, memory: memory.clone() })
    }

    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        if let Form::Small(slots) = &self.form
            && !slots.has_room(states)
        {
            self.grow(states)?;
        }
        self.form.make_room(states)
    }

    fn insert_all(&mut self, states: &[W], _: &[u64], new: &mut [u32]) -> usize {
        self.form.insert_all(states, new)
    }

    fn forget(&mut self) {
        if let Ok(slots) = LinearProbing::with_room(0, &self.memory) {
            self.form = Form::Small(slots);
        }
    }

    #[inline]
    fn contains(&self, state: W, rank: u64) -> bool {
        match &self.form {
            Form::Small(slots) => slots.get(state).is_some(),
            Form::Compact(table) => table.contains(state, rank),
            Form::Table(table) => table.contains(state, rank),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seam::Batch;

    /// Inserts numbers in batches, and returns how many are in the set.
    fn inserted<W: Word + From<u64>>(set: &mut Adaptive<W>, numbers: std::ops::Range<u64>) -> u64 {
        let mut batch = Batch::default();
        let mut count = 0;
        let numbers: Vec<W> = numbers.map(|number| W::from(number << 20)).collect();
        for states in numbers.chunks(250) {
            batch.set(states);
            match set.insert(&mut batch) {
                Ok(new) => count += new as u64,
                Err(OutOfMemory) => break,
            }
        }
        count
    }

    fn set<W: Word>(state_bits: u32, memory: &Memory) -> Adaptive<W> {
        Adaptive::of_width(state_bits, memory).unwrap()
    }

    fn it_keeps_its_states<W: Word + From<u64>>(state_bits: u32) {
        let memory = Memory::unlimited();
        let mut set = set::<W>(state_bits, &memory);
        assert_eq!(inserted(&mut set, 0..700_000), 700_000);
        assert_eq!(matches!(set.form, Form::Compact(_)), state_bits <= 64);
        assert!(!matches!(set.form, Form::Small(_)));
        assert!((0..700_000).all(|number: u64| set.contains(W::from(number << 20), 0)));
        assert!(!set.contains(W::from(1), 0));
        assert_eq!(inserted(&mut set, 0..700_001), 1);
        drop(set);
        assert_eq!(memory.held_bytes(), 0);
    }

    #[test]
    fn it_keeps_its_states_when_it_becomes_a_table() {
        it_keeps_its_states::<u64>(40);
        it_keeps_its_states::<u64>(64);
        it_keeps_its_states::<u128>(60);
        it_keeps_its_states::<u128>(65);
    }

    #[test]
    fn each_state_is_visited_once() {
        for (states, limit) in [(1000, u64::MAX), (800_000, u64::MAX), (100_000, 3 << 20)] {
            let mut set = set::<u64>(41, &Memory::with_limit(limit));
            assert_eq!(inserted(&mut set, 0..states), states);
            let mut visited = Vec::new();
            set.for_each(&mut |state| visited.push(state));
            visited.sort_unstable();
            assert!(visited.into_iter().eq((0..states).map(|number| number << 20)), "{states}");
        }
    }

    #[test]
    fn it_keeps_its_states_when_memory_runs_out() {
        for (state_bits, limit, least) in [
            (41, 100_000, 2000),
            (41, 8 << 20, 800_000),
            (64, 8 << 20, 600_000),
            (128, 100_000, 2000),
        ] {
            let memory = Memory::with_limit(limit);
            let mut set = set::<u128>(state_bits, &memory);
            let count = inserted(&mut set, 0..2_000_000);
            assert!(count >= least, "{state_bits}: {count}");
            assert!(memory.peak_bytes() <= limit);
            assert!((0..count).all(|number| set.contains(u128::from(number << 20), 0)));
            assert!(!set.contains(u128::from((count + 250) << 20), 0));
        }
    }
}
