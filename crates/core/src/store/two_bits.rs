//! Two bits for each rank of the space: the visited set and both layers of a breadth-first search.

use std::io::ErrorKind;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Interrupt, LayerStore, MAX_THREADS, StoreProperties, Visit, VisitTagged, flow};
use crate::budget::{Limit, Meter};
use crate::memory::{Memory, OutOfMemory};
use crate::seam::{Batch, SpaceView};
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
pub struct TwoBits<'s, W> {
    space: SpaceView<'s, W>,
    words: AlignedSlice<AtomicU64>,
    /// The field value of the next layer, 1 or 2.
    next: u64,
    /// The number of states that each thread added since the last commit.
    added: Vec<OwnLine>,
    threads: NonZero<usize>,
    /// Whether there is a current layer.
    is_committed: bool,
    /// Whether the states of the current layer are not in the earlier ones yet.
    has_unread: bool,
}

/// A counter of one thread, on cache lines of its own: two neighbours, which processors read
/// together. One counter for all threads, next to `words`, cost a tenth of the time of all 5x5
/// boards with two threads.
#[derive(Debug, Default)]
#[repr(align(128))]
struct OwnLine(AtomicU64);

/// The low bit of each field.
const LOW_BITS: u64 = 0x5555_5555_5555_5555;

/// The number of ranks of a word.
pub(super) const FIELDS_PER_WORD: u64 = 32;

impl<'s, W: Word> TwoBits<'s, W> {
    /// An empty store for up to `threads` threads, at most 256. It reserves its memory from
    /// `memory`.
    ///
    /// # Errors
    /// [`OutOfMemory`] if two bits for each rank do not fit.
    pub fn new(
        space: &SpaceView<'s, W>,
        threads: NonZero<usize>,
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        let words = word_count(space.properties().ranks)?;
        let max_threads = NonZero::new(MAX_THREADS).unwrap_or(NonZero::<usize>::MIN);
        let threads = threads.min(max_threads);
        Ok(Self {
            space: *space,
            words: AlignedSlice::new(words, AtomicU64::default, memory)?,
            next: 1,
            added: (0..threads.get()).map(|_| OwnLine::default()).collect(),
            threads,
            is_committed: false,
            has_unread: false,
        })
    }

    /// Adds ranks to the next layer. The states of the current one count as read.
    fn start_with(&mut self, ranks: &mut [u64]) {
        if std::mem::take(&mut self.has_unread) {
            for word in self.words.iter() {
                let current = current_fields(word.load(Ordering::Relaxed), self.next);
                word.fetch_or(as_earlier(current), Ordering::Relaxed);
            }
        }
        self.insert(0, ranks);
    }

    /// Inserts ranks into the table. The contents of the list are unspecified afterwards.
    fn insert(&self, thread: usize, ranks: &mut [u64]) {
        let mut added = 0;
        for ranks in ranks.chunks_mut(INSERTED_RANKS) {
            for rank in &*ranks {
                prefetch(&self.words[(rank / FIELDS_PER_WORD) as usize]);
            }
            added += self.insert_prefetched(ranks);
        }
        self.added[thread].0.fetch_add(added, Ordering::Relaxed);
    }

    /// Inserts ranks whose words are prefetched, and returns the number of those that are new.
    #[inline]
    fn insert_prefetched(&self, ranks: &mut [u64]) -> u64 {
        let field = |rank: u64| {
            (&self.words[(rank / FIELDS_PER_WORD) as usize], 2 * (rank % FIELDS_PER_WORD))
        };
        // All reads come first. The processor overlaps the reads of many states, but an atomic
        // write waits for all earlier accesses.
        let unseen = compact(ranks, |rank| {
            let (word, shift) = field(rank);
            word.load(Ordering::Relaxed) >> shift & 3 == 0
        });
        let mut added = 0;
        for &rank in &ranks[..unseen] {
            let (word, shift) = field(rank);
            // If the field is no longer 0, another thread has written the same value, or this
            // thread for an equal rank. Then the OR does not change it.
            let new = word.load(Ordering::Relaxed) >> shift & 3 == 0
                && word.fetch_or(self.next << shift, Ordering::Relaxed) >> shift & 3 == 0;
            added += u64::from(new);
        }
        added
    }

    /// The ranks of the current layer, if `next` is the value of the next one.
    fn ranks(&self, next: u64) -> impl Iterator<Item = u64> {
        self.words.iter().enumerate().flat_map(move |(index, word)| {
            ranks_of(index, current_fields(word.load(Ordering::Relaxed), next))
        })
    }
}

/// Moves the items for which `keep` is true to the front, in their order, and returns their number.
/// Calls `keep` once per item, in order.
#[inline(always)]
fn compact<T: Copy>(items: &mut [T], mut keep: impl FnMut(T) -> bool) -> usize {
    let mut kept = 0;
    for index in 0..items.len() {
        let item = items[index];
        // Unconditional write: a branch would be unpredictable.
        items[kept] = item;
        kept += usize::from(keep(item));
    }
    kept
}

/// The number of ranks whose words are prefetched together.
const INSERTED_RANKS: usize = 64;

/// The number of words of a table for a space.
pub(super) fn word_count(ranks: Option<u64>) -> Result<usize, OutOfMemory> {
    let words = ranks.ok_or(OutOfMemory)?.div_ceil(FIELDS_PER_WORD);
    usize::try_from(words).map_err(|_| OutOfMemory)
}

/// Refuses numbers that are no ranks of the space: they are from a file.
pub(super) fn check_ranks<W: Word>(space: &SpaceView<'_, W>, ranks: &[u64]) -> Result<(), Limit> {
    let end = space.properties().ranks.unwrap_or(0);
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
pub(super) fn read_ranks<W: Word>(
    space: &SpaceView<'_, W>,
    mut ranks: impl Iterator<Item = u64>,
    visit: Visit<'_, W>,
) -> ControlFlow<()> {
    let (mut batch, mut states) = ([0; READ_STATES], [W::ZERO; READ_STATES]);
    loop {
        let mut count = 0;
        for (slot, rank) in batch.iter_mut().zip(&mut ranks) {
            *slot = rank;
            count += 1;
        }
        if count == 0 {
            return ControlFlow::Continue(());
        }
        space.unrank(&mut batch[..count], &mut states[..count]);
        visit(&states[..count])?;
    }
}

impl<W: Word> LayerStore<W> for TwoBits<'_, W> {
    fn properties(&self) -> StoreProperties {
        StoreProperties {
            is_sequential: false,
            has_rank_layers: true,
            needs_ranks: true,
            keeps_tags: false,
            // With separate ranges, two threads took 92 ms instead of 81 on the 2x5 tiles: a word
            // far away in the table was almost always in the cache of the other thread, instead of
            // every other time.
            has_separate_ranges: false,
            threads: self.threads,
        }
    }

    fn is_empty(&self) -> bool {
        !self.is_committed && self.added.iter().all(|added| added.0.load(Ordering::Relaxed) == 0)
    }

    fn start(&mut self, batch: &mut Batch<W>) -> Result<(), Limit> {
        self.start_with(batch.ranks_mut().1);
        Ok(())
    }

    fn open(&mut self) -> Result<usize, Limit> {
        self.has_unread = false;
        Ok(self.words.len().div_ceil(CHUNK_WORDS))
    }

    /// A state is moved to the earlier layers when it is read.
    fn read_chunk(&self, chunk: usize, visit: VisitTagged<'_, W>) -> Result<(), Limit> {
        let words = chunk * CHUNK_WORDS..self.words.len().min((chunk + 1) * CHUNK_WORDS);
        let take_current = |index: usize| {
            let word = &self.words[index];
            let current = current_fields(word.load(Ordering::Relaxed), self.next);
            if current != 0 {
                word.fetch_or(as_earlier(current), Ordering::Relaxed);
            }
            ranks_of(index, current)
        };
        let ranks = words.flat_map(take_current);
        let _ = read_ranks(&self.space, ranks, &mut |states| visit(states, &[]));
        Ok(())
    }

    fn add(&self, thread: usize, batch: &mut Batch<W>) -> Result<(), Interrupt> {
        self.insert(thread, batch.ranks_mut().1);
        Ok(())
    }

    fn commit(&mut self, _: &mut Meter<'_>) -> Result<u64, Limit> {
        self.next = 3 - self.next;
        self.is_committed = true;
        self.has_unread = true;
        Ok(self.added.iter_mut().map(|added| std::mem::take(added.0.get_mut())).sum())
    }

    fn read_added(
        &mut self,
        visit: &mut dyn FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let (added, mut result) = (self.ranks(3 - self.next), Ok(()));
        let _ = read_ranks(&self.space, added, &mut |states| flow(visit(states), &mut result));
        result
    }

    fn read(&self, visit: Visit<'_, W>) -> Result<ControlFlow<()>, Limit> {
        Ok(read_ranks(&self.space, self.ranks(self.next), visit))
    }

    fn read_ranks(&self, visit: Visit<'_, u64>) -> Result<ControlFlow<()>, Limit> {
        let mut ranks = Vec::with_capacity(READ_STATES + FIELDS_PER_WORD as usize);
        for (index, word) in self.words.iter().enumerate() {
            ranks.extend(ranks_of(index, current_fields(word.load(Ordering::Relaxed), self.next)));
            if ranks.len() >= READ_STATES {
                if visit(&ranks).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                ranks.clear();
            }
        }
        Ok(visit(&ranks))
    }

    fn start_ranks(&mut self, ranks: &[u64]) -> Result<(), Limit> {
        check_ranks(&self.space, ranks)?;
        self.start_with(&mut ranks.to_vec());
        Ok(())
    }
}

/// The number of words in a chunk. A word holds 32 ranks.
const CHUNK_WORDS: usize = 128;
