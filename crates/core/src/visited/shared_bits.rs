//! One bit for each rank of the space, which threads set at the same time.

use std::sync::atomic::{AtomicU64, Ordering};

use super::pages::Page;
use super::prefetch::prefetch;
use super::{Shared, Visited, keep};
use crate::memory::{Memory, OutOfMemory};
use crate::space::Ranked;

/// A visited set of one bit a rank for many threads.
#[derive(Debug)]
pub struct SharedBits(Page<AtomicU64>);

/// The atomics for so many ranks of `bits` bits each.
pub(super) fn atomics<S: Ranked>(
    space: &S,
    bits: u64,
    memory: &Memory,
) -> Result<Page<AtomicU64>, OutOfMemory> {
    let words = space.ranks().and_then(|ranks| usize::try_from(ranks.div_ceil(64 / bits)).ok());
    Page::new(words.ok_or(OutOfMemory)?, AtomicU64::default, memory)
}

impl SharedBits {
    #[inline]
    fn has(&self, rank: u64) -> bool {
        self.0[(rank / 64) as usize].load(Ordering::Relaxed) >> (rank % 64) & 1 == 1
    }
}

impl<S: Ranked> Visited<S> for SharedBits {
    type Key = u64;

    fn new(space: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self(atomics(space, 1, memory)?))
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
        self.has(rank)
    }
}

impl<S: Ranked> Shared<S> for SharedBits {
    #[inline]
    fn insert_batch<M: Copy>(&self, batch: &mut [(u64, S::State, M)]) -> Option<usize> {
        // First all that is only read: the processor can do that for many states at once, but to
        // insert one atomically it ends all that it has begun.
        let unknown = keep(batch, |(rank, ..)| !self.has(rank));
        Some(keep(&mut batch[..unknown], |(rank, ..)| {
            let bit = 1 << (rank % 64);
            self.0[(rank / 64) as usize].fetch_or(bit, Ordering::Relaxed) & bit == 0
        }))
    }
}
