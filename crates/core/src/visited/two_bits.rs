//! Two bits for each rank of the space: visited set, layer at hand and next layer in one.

use std::sync::atomic::{AtomicU64, Ordering};

use super::pages::Page;
use super::prefetch::prefetch;
use super::shared_bits::atomics;
use super::{Shared, Visited, keep};
use crate::memory::{Memory, OutOfMemory};
use crate::space::Ranked;

/// Of each rank whether its state is unseen, old, in the current layer or in the next one; for many
/// threads.
///
/// No list of states is kept, so a quarter of a byte a rank is all that an exploration takes, and
/// the layer at hand is swept in the order of the ranks. The price is that each state of the layer
/// has to be made of its rank, and that every layer costs one reading of the whole table. Depths
/// modulo 3 would tell the way back, too, where moves can be undone; but then a frontier needs a
/// bit of its own, half as much memory again, and lists of layers are the cheaper way to a plan
/// where they fit.
///
/// A field holds 0 for unseen and 3 for old; the layers take turns with 1 and 2, so that the next
/// layer is the current one without anything being rewritten.
#[derive(Debug)]
pub struct TwoBits {
    words: Page<AtomicU64>,
    /// The mark of the next layer, 1 or 2.
    next: u64,
}

/// The lower bit of each field.
const LOWER: u64 = 0x5555_5555_5555_5555;

const IN_WORD: u64 = 32;

impl TwoBits {
    /// How many words of 32 ranks there are.
    pub(crate) fn words(&self) -> usize {
        self.words.len()
    }

    /// The states that were met since the last time are the current layer from now on.
    pub(crate) fn turn(&mut self) {
        self.next = 3 - self.next;
    }

    /// The ranks in a word that are in the current layer; they are old from now on.
    #[inline]
    pub(crate) fn take_current(&self, word: usize) -> impl Iterator<Item = u64> {
        let fields = self.words[word].load(Ordering::Relaxed);
        let (lower, upper) = (fields & LOWER, fields >> 1 & LOWER);
        let mut current = if self.next == 1 { upper & !lower } else { lower & !upper };
        if current != 0 {
            self.words[word].fetch_or(current | current << 1, Ordering::Relaxed);
        }
        let first = word as u64 * IN_WORD;
        std::iter::from_fn(move || {
            let field = current.trailing_zeros();
            current &= current.wrapping_sub(1);
            (field < 64).then(|| first + u64::from(field / 2))
        })
    }

    #[inline]
    fn field(&self, rank: u64) -> u64 {
        self.words[(rank / IN_WORD) as usize].load(Ordering::Relaxed) >> (2 * (rank % IN_WORD)) & 3
    }
}

impl<S: Ranked> Visited<S> for TwoBits {
    type Key = u64;

    fn new(space: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self { words: atomics(space, 2, memory)?, next: 1 })
    }

    #[inline]
    fn key(space: &S, state: S::State) -> u64 {
        space.rank(state)
    }

    #[inline]
    fn prefetch(&self, rank: u64) {
        prefetch(&self.words[(rank / IN_WORD) as usize]);
    }

    fn make_room(&mut self, _: usize) -> Result<(), OutOfMemory> {
        Ok(())
    }

    #[inline]
    fn insert(&mut self, rank: u64, _: S::State) -> bool {
        let new = self.field(rank) == 0;
        let word = self.words[(rank / IN_WORD) as usize].get_mut();
        *word |= if new { self.next << (2 * (rank % IN_WORD)) } else { 0 };
        new
    }

    #[inline]
    fn contains(&self, rank: u64, _: S::State) -> bool {
        self.field(rank) != 0
    }
}

impl<S: Ranked> Shared<S> for TwoBits {
    #[inline]
    fn insert_batch<M: Copy>(&self, batch: &mut [(u64, S::State, M)]) -> Option<usize> {
        let unknown = keep(batch, |(rank, ..)| self.field(rank) == 0);
        Some(keep(&mut batch[..unknown], |(rank, ..)| {
            let shift = 2 * (rank % IN_WORD);
            // A field that is not clear any more by the time of the second look was marked the same
            // by another thread.
            self.field(rank) == 0
                && self.words[(rank / IN_WORD) as usize]
                    .fetch_or(self.next << shift, Ordering::Relaxed)
                    >> shift
                    & 3
                    == 0
        }))
    }
}
