//! A bit for each rank of the space, set by several threads at the same time.

use std::sync::atomic::{AtomicU64, Ordering};

use super::pages::AlignedSlice;
use super::prefetch::prefetch;
use super::{ConcurrentVisited, Visited, compact};
use crate::memory::{Memory, OutOfMemory};
use crate::space::Ranked;

/// A [visited set](Visited) of one bit per rank, for many threads.
///
/// It takes `n / 8` bytes for `n` ranks and never grows. It is not divided into partitions, and no
/// thread waits for another: a new state is inserted by an atomic OR.
#[derive(Debug)]
pub struct SharedBits(AlignedSlice<AtomicU64>);

/// Zeroed integers with `bits_per_rank` bits for each rank of the space.
pub(super) fn zeroed_words<S: Ranked>(
    space: &S,
    bits_per_rank: u64,
    memory: &Memory,
) -> Result<AlignedSlice<AtomicU64>, OutOfMemory> {
    let ranks_per_word = 64 / bits_per_rank;
    let words =
        space.ranks().and_then(|ranks| usize::try_from(ranks.div_ceil(ranks_per_word)).ok());
    AlignedSlice::new(words.ok_or(OutOfMemory)?, AtomicU64::default, memory)
}

impl SharedBits {
    #[inline]
    fn contains_rank(&self, rank: u64) -> bool {
        self.0[(rank / 64) as usize].load(Ordering::Relaxed) >> (rank % 64) & 1 == 1
    }
}

impl<S: Ranked> Visited<S> for SharedBits {
    type Key = u64;

    fn new(space: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self(zeroed_words(space, 1, memory)?))
    }

    #[inline]
    fn key(space: &S, state: S::State) -> u64 {
        space.rank(state)
    }

    #[inline]
    fn prefetch(&self, rank: u64) {
        prefetch(&self.0[(rank / 64) as usize]);
    }

    fn make_room(&mut self, _: usize) -> Result<(), OutOfMemory> {
        Ok(())
    }

    #[inline]
    fn insert(&mut self, rank: u64, _: S::State) -> bool {
        let word = self.0[(rank / 64) as usize].get_mut();
        let before = *word;
        *word = before | 1 << (rank % 64);
        before >> (rank % 64) & 1 == 0
    }

    #[inline]
    fn contains(&self, rank: u64, _: S::State) -> bool {
        self.contains_rank(rank)
    }
}

impl<S: Ranked> ConcurrentVisited<S> for SharedBits {
    #[inline]
    fn insert_batch<M: Copy>(&self, batch: &mut [(u64, S::State, M)]) -> Option<usize> {
        // All reads come first. The processor overlaps the reads of many states, but an atomic
        // write waits for all earlier accesses.
        let candidates = compact(batch, |(rank, ..)| !self.contains_rank(rank));
        Some(compact(&mut batch[..candidates], |(rank, ..)| {
            let bit = 1 << (rank % 64);
            self.0[(rank / 64) as usize].fetch_or(bit, Ordering::Relaxed) & bit == 0
        }))
    }
}
