//! A bit for each rank of the space.

use bitvec::vec::BitVec;

use super::Visited;
use super::prefetch::prefetch;
use crate::memory::{Memory, OutOfMemory, Reservation, reserved_vec};
use crate::space::Ranked;

/// A [visited set](Visited) of one bit per rank, for one thread.
///
/// It takes `n / 8` bytes for `n` ranks, no matter how many states are generated, and never grows.
/// It is the smallest and fastest set if most ranks are generated. Creating it takes time
/// proportional to `n`; an insertion reads and writes one 64-bit integer.
#[derive(Debug)]
pub struct DenseBits {
    bits: BitVec<u64>,
    _held: Reservation,
}

impl DenseBits {
    /// An empty set of ranks in `0..ranks`.
    pub(super) fn with_ranks(ranks: u64, memory: &Memory) -> Result<Self, OutOfMemory> {
        let words = usize::try_from(ranks.div_ceil(64)).map_err(|_| OutOfMemory)?;
        let (mut zeros, held) = reserved_vec(words, memory)?;
        zeros.resize(words, 0);
        let bits = BitVec::try_from_vec(zeros).map_err(|_| OutOfMemory)?;
        Ok(Self { bits, _held: held })
    }

    /// The number of bytes of a set for `ranks` ranks.
    pub fn bytes_for(ranks: u64) -> u64 {
        ranks.div_ceil(64).saturating_mul(8)
    }

    /// Whether this set is a good choice if the number of states that will be generated is unknown:
    /// it takes at most 2 MiB and at most an eighth of the memory limit.
    ///
    /// Clearing up to 2 MiB takes less time than the first thousands of states, and a table of the
    /// generated states would soon be larger. A set of more than an eighth of the limit may be
    /// larger than a table that grows as needed.
    pub fn is_suitable<S: Ranked>(space: &S, memory: &Memory) -> bool {
        let max_bytes = (memory.limit_bytes() / 8).min(2 << 20);
        space.ranks().is_some_and(|ranks| Self::bytes_for(ranks) <= max_bytes)
    }
}

impl<S: Ranked> Visited<S> for DenseBits {
    type Key = u64;

    fn new(space: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        Self::with_ranks(space.ranks().ok_or(OutOfMemory)?, memory)
    }

    #[inline]
    fn key(space: &S, state: S::State) -> u64 {
        space.rank(state)
    }

    #[inline]
    fn prefetch(&self, rank: u64) {
        if let Some(word) = self.bits.as_raw_slice().get((rank / 64) as usize) {
            prefetch(word);
        }
    }

    fn make_room(&mut self, _: usize) -> Result<(), OutOfMemory> {
        Ok(())
    }

    #[inline]
    fn insert(&mut self, rank: u64, _: S::State) -> bool {
        // The raw integers need one load, one store, no branch, and one bounds check.
        let word = &mut self.bits.as_raw_mut_slice()[(rank / 64) as usize];
        let before = *word;
        *word = before | 1 << (rank % 64);
        before >> (rank % 64) & 1 == 0
    }

    #[inline]
    fn contains(&self, rank: u64, _: S::State) -> bool {
        self.bits.as_raw_slice()[(rank / 64) as usize] >> (rank % 64) & 1 == 1
    }
}
