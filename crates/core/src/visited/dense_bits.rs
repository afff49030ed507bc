//! A bit for each rank of the space.

use super::prefetch::prefetch;
use super::{insert_each, insert_each_pipelined};
use crate::memory::{Memory, OutOfMemory, Reservation, reserved_vec};

/// A set of ranks below a number that is known: one bit for each.
///
/// It takes `n / 8` bytes for `n` ranks and never grows. Creating it takes time proportional to
/// `n`; an insertion reads and writes one 64-bit integer.
#[derive(Debug)]
pub(super) struct DenseBits {
    words: Vec<u64>,
    _held: Reservation,
}

impl DenseBits {
    /// An empty set of ranks in `0..ranks`.
    pub(super) fn with_ranks(ranks: u64, memory: &Memory) -> Result<Self, OutOfMemory> {
        let words = usize::try_from(ranks.div_ceil(64)).map_err(|_| OutOfMemory)?;
        let (mut zeros, held) = reserved_vec(words, memory)?;
        zeros.resize(words, 0);
        Ok(Self { words: zeros, _held: held })
    }

    /// Inserts one rank.
    pub(super) fn add(&mut self, rank: u64) {
        insert(&mut self.words, rank);
    }

    #[inline]
    pub(super) fn insert_all(&mut self, ranks: &[u64], new: &mut [u32]) -> usize {
        let words = self.words.as_mut_slice();
        if words.len() <= MAX_CACHED_WORDS {
            return insert_each(ranks, new, |rank| insert(words, rank));
        }
        let prefetch_word = |words: &[u64], rank: u64| {
            if let Some(word) = words.get((rank / 64) as usize) {
                prefetch(word);
            }
        };
        insert_each_pipelined(words, ranks, new, prefetch_word, |words, (), rank| {
            insert(words, rank)
        })
    }

    #[inline]
    pub(super) fn contains(&self, rank: u64) -> bool {
        self.words[(rank / 64) as usize] >> (rank % 64) & 1 == 1
    }
}

/// A set of 32 KiB stays in the first cache, so nothing is gained by reading ahead.
const MAX_CACHED_WORDS: usize = 1 << 12;

/// Inserts a rank, and returns whether it is new.
#[inline(always)]
fn insert(words: &mut [u64], rank: u64) -> bool {
    let index = (rank / 64) as usize;
    assert!(index < words.len(), "invalid state space: a rank is not below `ranks`");
    let word = &mut words[index];
    let before = *word;
    *word = before | 1 << (rank % 64);
    before >> (rank % 64) & 1 == 0
}
