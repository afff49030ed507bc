//! One bit for each rank of the space, whether it is ever met or not.

use bitvec::vec::BitVec;

use super::Visited;
use super::prefetch::prefetch;
use crate::memory::{Memory, OutOfMemory, Reservation, reserved_vec};
use crate::space::Ranked;

/// A visited set of one bit a rank: the smallest and fastest where the ranks fit and most of them
/// are met.
#[derive(Debug)]
pub struct DenseBits {
    bits: BitVec<u64>,
    _held: Reservation,
}

impl DenseBits {
    /// An empty set over so many ranks.
    pub(super) fn of(ranks: u64, memory: &Memory) -> Result<Self, OutOfMemory> {
        let words = usize::try_from(ranks.div_ceil(64)).map_err(|_| OutOfMemory)?;
        let (mut zeros, held) = reserved_vec(words, memory)?;
        zeros.resize(words, 0);
        let bits = BitVec::try_from_vec(zeros).map_err(|_| OutOfMemory)?;
        Ok(Self { bits, _held: held })
    }

    /// The bytes that a set over so many ranks takes.
    pub fn bytes_for(ranks: u64) -> u64 {
        ranks.div_ceil(64).saturating_mul(8)
    }

    /// Whether this is the set to take where nothing is known of how many states will be met. Up to
    /// 2 MiB, clearing it costs less than the first thousands of states, and a table of the states
    /// met would soon be larger. Where that is an eighth of the memory allowed, a table that grows
    /// with need comes farther.
    pub fn is_suitable<S: Ranked>(space: &S, memory: &Memory) -> bool {
        let most = (memory.limit_bytes() / 8).min(2 << 20);
        space.ranks().is_some_and(|ranks| Self::bytes_for(ranks) <= most)
    }
}

impl<S: Ranked> Visited<S> for DenseBits {
    type Key = u64;

    fn new(space: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        Self::of(space.ranks().ok_or(OutOfMemory)?, memory)
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
        // On the raw words: one load and one store, no branch, and the index is checked by the
        // slice.
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
