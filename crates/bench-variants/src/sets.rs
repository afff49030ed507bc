//! Visited sets.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hash};

/// A set of the states that a search has generated.
pub trait VisitedSet<S> {
    /// Inserts a state and returns whether it is new.
    fn insert(&mut self, state: &S) -> bool;
}

/// The hash set of the standard library, with any hash function.
impl<S: Hash + Eq + Clone, H: BuildHasher> VisitedSet<S> for HashSet<S, H> {
    fn insert(&mut self, state: &S) -> bool {
        HashSet::insert(self, state.clone())
    }
}

/// One byte for each possible state. States are dense numbers.
#[derive(Debug)]
pub struct Dense {
    bytes: Vec<u8>,
}

impl Dense {
    /// A set for the states below `states`.
    pub fn new(states: usize) -> Self {
        Self { bytes: vec![0; states] }
    }

    /// Removes all states. Writes every byte.
    pub fn clear(&mut self) {
        self.bytes.fill(0);
    }
}

impl VisitedSet<u32> for Dense {
    fn insert(&mut self, state: &u32) -> bool {
        std::mem::replace(&mut self.bytes[*state as usize], 1) == 0
    }
}

/// One byte for each possible state: the stamp of the data set in which the state was last visited.
/// A new stamp removes all states.
#[derive(Debug)]
pub struct Stamped {
    bytes: Vec<u8>,
    stamp: u8,
}

impl Stamped {
    /// A set for the states below `states`.
    pub fn new(states: usize) -> Self {
        Self { bytes: vec![0; states], stamp: 1 }
    }

    /// Removes all states. Writes every byte only at every 255th call.
    pub fn clear(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.bytes.fill(0);
            self.stamp = 1;
        }
    }
}

impl VisitedSet<u32> for Stamped {
    fn insert(&mut self, state: &u32) -> bool {
        std::mem::replace(&mut self.bytes[*state as usize], self.stamp) != self.stamp
    }
}

/// A hash table with open addressing and linear probing. The number of slots doubles if more than
/// half of them are occupied.
#[derive(Debug)]
pub struct OpenAddressing<S> {
    /// The slots. Their number is a power of two. A free slot is 0.
    slots: Vec<S>,
    /// The number of occupied slots.
    occupied: usize,
    /// Whether the state 0 is in the set. It cannot be stored in a slot.
    contains_zero: bool,
}

impl<S: Copy + Default> Default for OpenAddressing<S> {
    fn default() -> Self {
        Self { slots: vec![S::default(); 1 << 10], occupied: 0, contains_zero: false }
    }
}

impl<S: Copy + Default + Eq + Into<u64>> OpenAddressing<S> {
    /// The slot of a state, or the free slot for it.
    fn slot_of(slots: &[S], state: S) -> usize {
        // Fibonacci hashing (Knuth): the upper bits of the product with 2^64 / golden ratio.
        let hash = state.into().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut slot = (hash >> (64 - slots.len().ilog2())) as usize;
        while slots[slot] != S::default() && slots[slot] != state {
            slot = (slot + 1) & (slots.len() - 1);
        }
        slot
    }

    /// Whether a state is in the set.
    pub fn contains(&self, state: S) -> bool {
        if state == S::default() {
            self.contains_zero
        } else {
            self.slots[Self::slot_of(&self.slots, state)] == state
        }
    }

    fn grow(&mut self) {
        let mut slots = vec![S::default(); 2 * self.slots.len()];
        for &state in self.slots.iter().filter(|&&state| state != S::default()) {
            let slot = Self::slot_of(&slots, state);
            slots[slot] = state;
        }
        self.slots = slots;
    }
}

impl<S: Copy + Default + Eq + Into<u64>> VisitedSet<S> for OpenAddressing<S> {
    fn insert(&mut self, state: &S) -> bool {
        let state = *state;
        if state == S::default() {
            return !std::mem::replace(&mut self.contains_zero, true);
        }
        let slot = Self::slot_of(&self.slots, state);
        if self.slots[slot] == state {
            return false;
        }
        self.slots[slot] = state;
        self.occupied += 1;
        if 2 * self.occupied > self.slots.len() {
            self.grow();
        }
        true
    }
}

/// The hash table of the Huarong Dao write-up. XOR folds the 60 bits of a board to 30, the
/// remainder modulo a prime is the bucket, and the boards of a bucket are a linked list.
#[derive(Debug)]
pub struct Chained {
    /// The last board of each bucket, as its index in `links` plus one, or 0 if there is none.
    buckets: Vec<u32>,
    /// A board, and the previous board of its bucket, encoded as in `buckets`.
    links: Vec<(u64, u32)>,
}

impl Default for Chained {
    fn default() -> Self {
        const PRIME: usize = 32_749;
        Self { buckets: vec![0; PRIME], links: Vec::new() }
    }
}

impl VisitedSet<u64> for Chained {
    fn insert(&mut self, state: &u64) -> bool {
        let state = *state;
        let folded = state ^ state >> 30;
        let bucket = (folded & ((1 << 30) - 1)) as usize % self.buckets.len();
        let mut link = self.buckets[bucket];
        while link != 0 {
            let (other, previous) = self.links[link as usize - 1];
            if other == state {
                return false;
            }
            link = previous;
        }
        self.links.push((state, self.buckets[bucket]));
        self.buckets[bucket] = self.links.len() as u32;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares a set with that of the standard library, on repeated and on new numbers.
    fn assert_agrees_with_std(mut set: impl VisitedSet<u64>) {
        let mut std_set = HashSet::new();
        let mut number = 1u64;
        for round in 0..50_000 {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let state = if round % 3 == 0 { number >> 60 } else { number >> 4 };
            assert_eq!(set.insert(&state), std_set.insert(state));
        }
    }

    #[test]
    fn sets_agree_with_the_standard_library() {
        assert_agrees_with_std(OpenAddressing::<u64>::default());
        assert_agrees_with_std(Chained::default());
    }

    #[test]
    fn a_cleared_set_is_empty() {
        let mut dense = Dense::new(10);
        let mut stamped = Stamped::new(10);
        for _ in 0..600 {
            assert_eq!([3, 9, 3].map(|state| dense.insert(&state)), [true, true, false]);
            assert_eq!([3, 9, 3].map(|state| stamped.insert(&state)), [true, true, false]);
            dense.clear();
            stamped.clear();
        }
    }
}
