//! Two bits for each rank of the space: the visited set and both layers of a breadth-first search.

use std::io::ErrorKind;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Interrupt, LayerReader, LayerStore, LayerWriter, MAX_THREADS, flow, stopped};
use crate::budget::{Limit, Meter};
use crate::memory::{Memory, OutOfMemory};
use crate::space::Ranked;
use crate::visited::compact;
use crate::visited::pages::AlignedSlice;
use crate::visited::prefetch::prefetch;
use crate::word::Word;

/// A [`LayerStore`] of two bits per rank, for many threads: a state is unseen, in the current
/// layer, in the next layer, or in an earlier layer.
///
/// There are no lists of states, so an exploration takes `n / 4` bytes for `n` ranks in total. It
/// scans the current layer in the order of the ranks, computes each state from its rank, and reads
/// the whole table once per layer. It cannot recover plans. Depths modulo 3 instead of layers would
/// allow that in undirected spaces, but the frontier would need a third bit per rank. If lists of
/// layers fit into memory, they are the cheaper way to recover plans.
///
/// The table does not store the move that led to a state, so the successors include those that undo
/// that move: more states are generated than with other stores.
///
/// A field of two bits is 0 for an unseen state and 3 for a state in an earlier layer. The values 1
/// and 2 are the current and the next layer. They exchange their meaning after each layer, so that
/// no field is rewritten.
#[derive(Debug)]
pub struct TwoBits<'s, S> {
    space: &'s S,
    words: AlignedSlice<AtomicU64>,
    /// The field value of the next layer, 1 or 2.
    next: u64,
    /// The number of states that each thread has added since the last commit.
    added: Vec<u64>,
    /// Whether there is a current layer.
    is_committed: bool,
    /// Whether the states of the current layer are not in the earlier ones yet.
    has_unread: bool,
}

/// The low bit of each field.
const LOW_BITS: u64 = 0x5555_5555_5555_5555;

/// The number of ranks of a word.
pub(super) const FIELDS_PER_WORD: u64 = 32;

impl<'s, S: Ranked> TwoBits<'s, S> {
    /// An empty store for up to `threads` threads, at most 256. It reserves its memory from
    /// `memory`.
    ///
    /// # Errors
    /// [`OutOfMemory`] if two bits for each rank do not fit.
    pub fn new(
        space: &'s S,
        threads: NonZero<usize>,
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        let words = AlignedSlice::new(word_count(space)?, AtomicU64::default, memory)?;
        let added = vec![0; threads.get().min(MAX_THREADS)];
        Ok(Self { space, words, next: 1, added, is_committed: false, has_unread: false })
    }

    /// Adds ranks to the next layer. The states of the current one count as read.
    fn insert(&mut self, ranks: impl Iterator<Item = u64>) {
        if std::mem::take(&mut self.has_unread) {
            for word in self.words.iter() {
                let current = current_fields(word.load(Ordering::Relaxed), self.next);
                word.fetch_or(as_earlier(current), Ordering::Relaxed);
            }
        }
        let Self { space, ref words, next, ref mut added, .. } = *self;
        let mut writer = Writer { space, words, next, added: 0, total: &mut added[0] };
        writer.insert(ranks);
        writer.add_to_total();
    }

    /// The ranks of the current layer, if `next` is the value of the next one.
    fn ranks(&self, next: u64) -> impl Iterator<Item = u64> {
        self.words.iter().enumerate().flat_map(move |(index, word)| {
            ranks_of(index, current_fields(word.load(Ordering::Relaxed), next))
        })
    }
}

/// The number of words of a table for a space.
pub(super) fn word_count<S: Ranked>(space: &S) -> Result<usize, OutOfMemory> {
    let words = space.ranks().ok_or(OutOfMemory)?.div_ceil(FIELDS_PER_WORD);
    usize::try_from(words).map_err(|_| OutOfMemory)
}

/// Refuses numbers that are no ranks of the space: they are from a file.
pub(super) fn check_ranks<S: Ranked>(space: &S, ranks: &[u64]) -> Result<(), Limit> {
    let end = space.ranks().unwrap_or(0);
    let are_valid = ranks.iter().all(|&rank| rank < end);
    if are_valid { Ok(()) } else { Err(Limit::Io(ErrorKind::InvalidData)) }
}

/// The fields of a word that have the value of the current layer, if `next` is that of the next:
/// their low bits.
#[inline]
pub(super) fn current_fields(fields: u64, next: u64) -> u64 {
    let (low, high) = (fields & LOW_BITS, fields >> 1 & LOW_BITS);
    if next == 1 { high & !low } else { low & !high }
}

/// The value of an earlier layer in the fields whose low bits are given.
#[inline]
pub(super) fn as_earlier(low_bits: u64) -> u64 {
    low_bits | low_bits << 1
}

/// The ranks of the fields whose low bits are given.
#[inline]
pub(super) fn ranks_of(word: usize, mut low_bits: u64) -> impl Iterator<Item = u64> {
    let first = word as u64 * FIELDS_PER_WORD;
    std::iter::from_fn(move || {
        let field = low_bits.trailing_zeros();
        low_bits &= low_bits.wrapping_sub(1);
        (field < 64).then(|| first + u64::from(field / 2))
    })
}

/// The number of states that are passed on together.
pub(super) const READ_STATES: usize = 256;

/// Passes the states of these ranks on in batches until `visit` breaks.
#[inline]
pub(super) fn read_ranks<S: Ranked, B>(
    space: &S,
    ranks: impl Iterator<Item = u64>,
    mut visit: impl FnMut(&[S::State]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut states = [S::State::ZERO; READ_STATES];
    let mut count = 0;
    for rank in ranks {
        states[count] = space.unrank(rank);
        count += 1;
        if count == READ_STATES {
            visit(&states)?;
            count = 0;
        }
    }
    if count > 0 { visit(&states[..count]) } else { ControlFlow::Continue(()) }
}

impl<'s, S: Ranked> LayerStore<'s, S> for TwoBits<'s, S> {
    const SEQUENTIAL: bool = false;

    const HAS_RANKS: bool = true;

    type Reader<'a>
        = Reader<'a, S>
    where
        Self: 'a;

    type Writer<'a>
        = Writer<'a, S>
    where
        Self: 'a;

    fn space(&self) -> &'s S {
        self.space
    }

    fn threads(&self) -> NonZero<usize> {
        NonZero::new(self.added.len()).unwrap_or(NonZero::<usize>::MIN)
    }

    fn is_empty(&self) -> bool {
        !self.is_committed && self.added.iter().all(|&added| added == 0)
    }

    fn start(&mut self, states: &[S::State]) -> Result<(), Limit> {
        let space = self.space;
        self.insert(states.iter().map(|&state| space.rank(state)));
        Ok(())
    }

    fn open(&mut self) -> Result<(Self::Reader<'_>, Vec<Self::Writer<'_>>), Limit> {
        self.has_unread = false;
        let Self { space, ref words, next, ref mut added, .. } = *self;
        let writer = |total| Writer { space, words, next, added: 0, total };
        let writers = added.iter_mut().map(writer);
        Ok((Reader { space, words, next }, writers.collect()))
    }

    fn commit(&mut self, _: &mut Meter<'_>) -> Result<u64, Limit> {
        self.next = 3 - self.next;
        self.is_committed = true;
        self.has_unread = true;
        let states = self.added.iter().sum();
        self.added.fill(0);
        Ok(states)
    }

    fn read_added(
        &mut self,
        mut visit: impl FnMut(&[S::State]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let added = self.ranks(3 - self.next);
        stopped(read_ranks(self.space, added, |states| flow(visit(states))))
    }

    fn read<B>(
        &self,
        visit: impl FnMut(&[S::State]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit> {
        Ok(read_ranks(self.space, self.ranks(self.next), visit))
    }

    fn read_ranks<B>(
        &self,
        mut visit: impl FnMut(&[u64]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit> {
        let mut ranks = Vec::with_capacity(READ_STATES + FIELDS_PER_WORD as usize);
        for (index, word) in self.words.iter().enumerate() {
            ranks.extend(ranks_of(index, current_fields(word.load(Ordering::Relaxed), self.next)));
            if ranks.len() >= READ_STATES {
                if let ControlFlow::Break(value) = visit(&ranks) {
                    return Ok(ControlFlow::Break(value));
                }
                ranks.clear();
            }
        }
        Ok(visit(&ranks))
    }

    fn start_ranks(&mut self, ranks: &[u64]) -> Result<(), Limit> {
        check_ranks(self.space, ranks)?;
        self.insert(ranks.iter().copied());
        Ok(())
    }
}

/// The current layer of a [`TwoBits`] store. A state is moved to the earlier layers when it is
/// read.
#[derive(Debug)]
#[doc(hidden)]
pub struct Reader<'a, S> {
    space: &'a S,
    words: &'a [AtomicU64],
    next: u64,
}

/// The number of words in a chunk. A word holds 32 ranks.
const CHUNK_WORDS: usize = 128;

impl<S: Ranked> LayerReader<S> for Reader<'_, S> {
    /// With separate ranges, two threads took 92 ms instead of 81 on the 2x5 tiles: a word far away
    /// in the table was almost always in the cache of the other thread, instead of every other
    /// time.
    const SEPARATE_RANGES: bool = false;

    fn chunk_count(&self) -> usize {
        self.words.len().div_ceil(CHUNK_WORDS)
    }

    #[inline]
    fn read(
        &self,
        chunk: usize,
        mut visit: impl FnMut(&[S::State], &[S::Move]) -> ControlFlow<()>,
    ) -> Result<(), Limit> {
        let words = chunk * CHUNK_WORDS..self.words.len().min((chunk + 1) * CHUNK_WORDS);
        let take_current = |index: usize| {
            let word = &self.words[index];
            let current = current_fields(word.load(Ordering::Relaxed), self.next);
            if current != 0 {
                word.fetch_or(as_earlier(current), Ordering::Relaxed);
            }
            ranks_of(index, current)
        };
        let _ = read_ranks(self.space, words.flat_map(take_current), |states| visit(states, &[]));
        Ok(())
    }
}

/// Inserts states into the table.
#[derive(Debug)]
#[doc(hidden)]
pub struct Writer<'a, S> {
    space: &'a S,
    words: &'a [AtomicU64],
    next: u64,
    /// The number of states that this writer has added since it was flushed. The threads would contend
    /// for the cache line of the totals.
    added: u64,
    total: &'a mut u64,
}

/// The number of ranks whose words are prefetched together.
const INSERTED_RANKS: usize = 64;

impl<S: Ranked> Writer<'_, S> {
    #[inline]
    fn insert(&mut self, ranks: impl Iterator<Item = u64>) {
        let mut batch = [0; INSERTED_RANKS];
        let mut ranks = ranks.peekable();
        while ranks.peek().is_some() {
            let mut filled = 0;
            for (slot, rank) in batch.iter_mut().zip(&mut ranks) {
                *slot = rank;
                prefetch(&self.words[(*slot / FIELDS_PER_WORD) as usize]);
                filled += 1;
            }
            self.insert_ranks(&mut batch[..filled]);
        }
    }

    fn add_to_total(&mut self) {
        *self.total += std::mem::take(&mut self.added);
    }

    #[inline]
    fn insert_ranks(&mut self, ranks: &mut [u64]) {
        let field = |rank: u64| {
            (&self.words[(rank / FIELDS_PER_WORD) as usize], 2 * (rank % FIELDS_PER_WORD))
        };
        // All reads come first. The processor overlaps the reads of many states, but an atomic
        // write waits for all earlier accesses.
        let unseen = compact(ranks, |rank| {
            let (word, shift) = field(rank);
            word.load(Ordering::Relaxed) >> shift & 3 == 0
        });
        for &rank in &ranks[..unseen] {
            let (word, shift) = field(rank);
            // If the field is no longer 0, another thread has written the same value, or this
            // thread for an equal rank. Then the OR does not change it.
            let new = word.load(Ordering::Relaxed) >> shift & 3 == 0
                && word.fetch_or(self.next << shift, Ordering::Relaxed) >> shift & 3 == 0;
            self.added += u64::from(new);
        }
    }
}

impl<S: Ranked> LayerWriter<S> for Writer<'_, S> {
    #[inline]
    fn add(&mut self, batch: &mut [(S::State, S::Move)]) -> Result<(), Interrupt> {
        let space = self.space;
        self.insert(batch.iter().map(|&(state, by)| space.rank_after(state, by)));
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Interrupt> {
        self.add_to_total();
        Ok(())
    }
}
