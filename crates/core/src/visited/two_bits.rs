//! Two bits for each rank of the space: the visited set and both layers of a breadth-first search.

use std::sync::atomic::{AtomicU64, Ordering};

use super::pages::AlignedSlice;
use super::prefetch::prefetch;
use super::shared_bits::zeroed_words;
use super::{ConcurrentVisited, Visited, compact};
use crate::memory::{Memory, OutOfMemory};
use crate::space::Ranked;

/// A [visited set](Visited) of two bits per rank, for many threads. It also stores the layers of a
/// breadth-first exploration: a state is unseen, in the current layer, in the next layer, or in an
/// earlier layer. [`explore::sweep`](crate::explore::sweep) uses it.
///
/// There are no lists of states, so an exploration takes `n / 4` bytes for `n` ranks in total. It
/// scans the current layer in the order of the ranks, computes each state from its rank, and reads
/// the whole table once per layer. It cannot recover plans. Depths modulo 3 instead of layers would
/// allow that in undirected spaces, but the frontier would need a third bit per rank. If lists of
/// layers fit into memory, they are the cheaper way to recover plans.
///
/// A field of two bits is 0 for an unseen state and 3 for a state in an earlier layer. The values 1
/// and 2 are the current and the next layer. They exchange their meaning after each layer, so that
/// no field is rewritten.
#[derive(Debug)]
pub struct TwoBits {
    words: AlignedSlice<AtomicU64>,
    /// The field value of the next layer, 1 or 2.
    next: u64,
}

/// The low bit of each field.
const LOW_BITS: u64 = 0x5555_5555_5555_5555;

const FIELDS_PER_WORD: u64 = 32;

impl TwoBits {
    /// The number of 64-bit integers, with the fields of 32 ranks each.
    pub(crate) fn words(&self) -> usize {
        self.words.len()
    }

    /// Makes the next layer the current one. The current layer must have been taken completely.
    pub(crate) fn advance_layer(&mut self) {
        self.next = 3 - self.next;
    }

    /// The ranks of the current layer in one integer. They are moved to the earlier layers.
    #[inline]
    pub(crate) fn take_current(&self, word: usize) -> impl Iterator<Item = u64> {
        let fields = self.words[word].load(Ordering::Relaxed);
        let (low, high) = (fields & LOW_BITS, fields >> 1 & LOW_BITS);
        let mut current = if self.next == 1 { high & !low } else { low & !high };
        if current != 0 {
            self.words[word].fetch_or(current | current << 1, Ordering::Relaxed);
        }
        let first = word as u64 * FIELDS_PER_WORD;
        std::iter::from_fn(move || {
            let field = current.trailing_zeros();
            current &= current.wrapping_sub(1);
            (field < 64).then(|| first + u64::from(field / 2))
        })
    }

    #[inline]
    fn field(&self, rank: u64) -> u64 {
        self.words[(rank / FIELDS_PER_WORD) as usize].load(Ordering::Relaxed)
            >> (2 * (rank % FIELDS_PER_WORD))
            & 3
    }
}

impl<S: Ranked> Visited<S> for TwoBits {
    type Key = u64;

    fn new(space: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self { words: zeroed_words(space, 2, memory)?, next: 1 })
    }

    #[inline]
    fn key(space: &S, state: S::State) -> u64 {
        space.rank(state)
    }

    #[inline]
    fn prefetch(&self, rank: u64) {
        prefetch(&self.words[(rank / FIELDS_PER_WORD) as usize]);
    }

    fn make_room(&mut self, _: usize) -> Result<(), OutOfMemory> {
        Ok(())
    }

    #[inline]
    fn insert(&mut self, rank: u64, _: S::State) -> bool {
        let new = self.field(rank) == 0;
        let word = self.words[(rank / FIELDS_PER_WORD) as usize].get_mut();
        *word |= if new { self.next << (2 * (rank % FIELDS_PER_WORD)) } else { 0 };
        new
    }

    #[inline]
    fn contains(&self, rank: u64, _: S::State) -> bool {
        self.field(rank) != 0
    }
}

impl<S: Ranked> ConcurrentVisited<S> for TwoBits {
    #[inline]
    fn insert_batch<M: Copy>(&self, batch: &mut [(u64, S::State, M)]) -> Option<usize> {
        let candidates = compact(batch, |(rank, ..)| self.field(rank) == 0);
        Some(compact(&mut batch[..candidates], |(rank, ..)| {
            let shift = 2 * (rank % FIELDS_PER_WORD);
            // If the field is no longer 0, another thread has written the same value. Then the OR
            // does not change it.
            self.field(rank) == 0
                && self.words[(rank / FIELDS_PER_WORD) as usize]
                    .fetch_or(self.next << shift, Ordering::Relaxed)
                    >> shift
                    & 3
                    == 0
        }))
    }
}
