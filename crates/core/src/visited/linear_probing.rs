//! The small form of the adaptive sets and maps: open addressing with linear probing.

use super::growth::StateHash;
use super::pages::AlignedSlice;
use super::prefetch::prefetch;
use super::{insert_each, insert_each_pipelined};
use crate::memory::{Memory, OutOfMemory};
use crate::word::Word;

/// A state is in the slot that its hash determines, or in the first empty slot after it. At most
/// half of the slots are occupied.
#[derive(Debug)]
pub(super) struct LinearProbing<W, V> {
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
/// The most states.
pub(super) const MAX_STATES: usize = MAX_SLOTS / 2;
const MAX_INITIAL_BYTES: usize = 1 << 19;
/// Fits a cache with a latency of about 15 cycles, with room to spare for other data.
const CACHE_BYTES: usize = 1 << 19;

impl<W: Word, V: Copy + Default> LinearProbing<W, V> {
    /// Room for `states` states, in at most 512 KiB and at most an eighth of the memory limit.
    pub(super) fn with_room(states: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        let max_slots =
            (MAX_INITIAL_BYTES as u64).min(memory.limit_bytes() / 8) as usize / size_of::<(W, V)>();
        let slots = (2 * states.min(max_slots))
            .next_power_of_two()
            .min((max_slots + 1).next_power_of_two() / 2)
            .max(MIN_SLOTS);
        Self::new(slots, memory)
    }

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

    pub(super) fn len(&self) -> usize {
        self.occupied + usize::from(self.zero_value.is_some())
    }

    pub(super) fn get(&self, state: W) -> Option<V> {
        if state == W::ZERO {
            return self.zero_value;
        }
        let slot = find(&self.states, self.shift, StateHash::of(state), state);
        (self.states[slot] == state).then(|| self.values[slot])
    }

    /// Whether there is room for `states` more states.
    #[inline]
    pub(super) fn has_room(&self, states: usize) -> bool {
        2 * (self.occupied + states) <= self.states.len()
    }

    /// A copy with room for `states` more states; `None` if it would be too large.
    pub(super) fn grown(&self, states: usize, memory: &Memory) -> Option<Self> {
        let slots = (2 * (self.occupied + states)).next_power_of_two();
        let mut larger =
            if slots <= MAX_SLOTS { Self::new(slots, memory).ok()? } else { return None };
        for (state, value) in self.entries() {
            larger.entry_with_hash(StateHash::of(state), state, value);
        }
        Some(larger)
    }

    #[inline(always)]
    fn prefetch(&self, hash: StateHash) {
        prefetch(&self.states[hash.high_bits(self.shift) & (self.states.len() - 1)]);
    }

    #[inline(always)]
    pub(super) fn entry_with_hash(
        &mut self,
        hash: StateHash,
        state: W,
        value: V,
    ) -> (&mut V, bool) {
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

    pub(super) fn entries(&self) -> impl Iterator<Item = (W, V)> + '_ {
        let filled =
            self.states.iter().zip(self.values.iter()).filter(|(state, _)| **state != W::ZERO);
        filled
            .map(|(&state, &value)| (state, value))
            .chain(self.zero_value.map(|value| (W::ZERO, value)))
    }
}

impl<W: Word> LinearProbing<W, ()> {
    /// Inserts states, for which there must be room. Writes the indices of those that are new, and
    /// returns their number.
    pub(super) fn insert(&mut self, keys: &[W], new: &mut [u32]) -> usize {
        if size_of_val(&*self.states) <= CACHE_BYTES {
            self.insert_cached(keys, new)
        } else {
            self.insert_pipelined(keys, new)
        }
    }

    fn insert_cached(&mut self, keys: &[W], new: &mut [u32]) -> usize {
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
