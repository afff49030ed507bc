//! Sets of states that were seen.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hash};

/// A set that says whether what is put into it is new.
pub trait Seen<S> {
    /// Whether the state was not there before.
    fn insert(&mut self, state: &S) -> bool;
}

/// Of the standard library; what it costs depends on its hash.
impl<S: Hash + Eq + Clone, H: BuildHasher> Seen<S> for HashSet<S, H> {
    fn insert(&mut self, state: &S) -> bool {
        HashSet::insert(self, state.clone())
    }
}

/// A byte for each number that a state may be.
#[derive(Debug)]
pub struct Dense {
    bytes: Vec<u8>,
}

impl Dense {
    /// For numbers below `states`.
    pub fn new(states: usize) -> Self {
        Self { bytes: vec![0; states] }
    }

    /// Forgets all, byte by byte.
    pub fn clear(&mut self) {
        self.bytes.fill(0);
    }
}

impl Seen<u32> for Dense {
    fn insert(&mut self, state: &u32) -> bool {
        std::mem::replace(&mut self.bytes[*state as usize], 1) == 0
    }
}

/// A byte for each number that a state may be: the stamp of the data set in which it was last seen.
/// A new stamp forgets all.
#[derive(Debug)]
pub struct Stamped {
    bytes: Vec<u8>,
    stamp: u8,
}

impl Stamped {
    /// For numbers below `states`.
    pub fn new(states: usize) -> Self {
        Self { bytes: vec![0; states], stamp: 1 }
    }

    /// Forgets all; only every 255th time byte by byte.
    pub fn clear(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.bytes.fill(0);
            self.stamp = 1;
        }
    }
}

impl Seen<u32> for Stamped {
    fn insert(&mut self, state: &u32) -> bool {
        std::mem::replace(&mut self.bytes[*state as usize], self.stamp) != self.stamp
    }
}

/// Open addressing: a state lies in the slot of its hash, or in the next that was free. Twice the
/// slots when half are taken.
#[derive(Debug)]
pub struct OpenAddressing<S> {
    /// As many as a power of two; 0 is free.
    slots: Vec<S>,
    taken: usize,
    /// Whether the state 0 was seen, which no slot can say.
    zero: bool,
}

impl<S: Copy + Default> Default for OpenAddressing<S> {
    fn default() -> Self {
        Self { slots: vec![S::default(); 1 << 10], taken: 0, zero: false }
    }
}

impl<S: Copy + Default + Eq + Into<u64>> OpenAddressing<S> {
    /// Where a state lies, or is to lie.
    fn slot_of(slots: &[S], state: S) -> usize {
        // The upper bits of a product with the golden ratio are well mixed (Knuth).
        let hash = state.into().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut slot = (hash >> (64 - slots.len().ilog2())) as usize;
        while slots[slot] != S::default() && slots[slot] != state {
            slot = (slot + 1) & (slots.len() - 1);
        }
        slot
    }

    /// Whether a state was seen.
    pub fn contains(&self, state: S) -> bool {
        if state == S::default() {
            self.zero
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

impl<S: Copy + Default + Eq + Into<u64>> Seen<S> for OpenAddressing<S> {
    fn insert(&mut self, state: &S) -> bool {
        let state = *state;
        if state == S::default() {
            return !std::mem::replace(&mut self.zero, true);
        }
        let slot = Self::slot_of(&self.slots, state);
        if self.slots[slot] == state {
            return false;
        }
        self.slots[slot] = state;
        self.taken += 1;
        if 2 * self.taken > self.slots.len() {
            self.grow();
        }
        true
    }
}

/// The hash table of the Huarong Dao write-up: the 60 bits of a board are folded to 30 by XOR,
/// their remainder by a prime is the bucket, and the boards of a bucket are a chain.
#[derive(Debug)]
pub struct Chained {
    /// The last board of each bucket, as its index in `links` plus one; 0 if there is none.
    buckets: Vec<u32>,
    /// A board, and the one before it in its bucket in the same way.
    links: Vec<(u64, u32)>,
}

impl Default for Chained {
    fn default() -> Self {
        const PRIME: usize = 32_749;
        Self { buckets: vec![0; PRIME], links: Vec::new() }
    }
}

impl Seen<u64> for Chained {
    fn insert(&mut self, state: &u64) -> bool {
        let state = *state;
        let folded = state ^ state >> 30;
        let bucket = (folded & ((1 << 30) - 1)) as usize % self.buckets.len();
        let mut link = self.buckets[bucket];
        while link != 0 {
            let (other, before) = self.links[link as usize - 1];
            if other == state {
                return false;
            }
            link = before;
        }
        self.links.push((state, self.buckets[bucket]));
        self.buckets[bucket] = self.links.len() as u32;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the standard set, on numbers that repeat and on many that are new.
    fn agrees(mut set: impl Seen<u64>) {
        let mut plain = HashSet::new();
        let mut number = 1u64;
        for round in 0..50_000 {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let state = if round % 3 == 0 { number >> 60 } else { number >> 4 };
            assert_eq!(set.insert(&state), plain.insert(state));
        }
    }

    #[test]
    fn what_is_new_is_new_in_every_set() {
        agrees(OpenAddressing::<u64>::default());
        agrees(Chained::default());
    }

    #[test]
    fn a_cleared_set_has_seen_nothing() {
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
