//! Memory that is asked for: counted against a limit before it is taken, returned when it is
//! dropped.
//!
//! Every structure that grows with a search lives in a [`Block`] or a [`SegmentedVec`], or holds a
//! [`Reservation`] for what it keeps elsewhere. None of them aborts for want of memory: they return
//! [`OutOfMemory`].
//!
//! ```
//! use fewest_core::memory::{Block, Memory, OutOfMemory};
//!
//! let memory = Memory::with_limit(1000);
//! let words = Block::filled(0u64, 100, &memory)?;
//! assert_eq!((words.len(), memory.held_bytes()), (100, 800));
//! assert_eq!(Block::filled(0u64, 100, &memory).err(), Some(OutOfMemory));
//! # Ok::<(), OutOfMemory>(())
//! ```

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The limit, or the system, had no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("out of memory")]
pub struct OutOfMemory;

/// An account of bytes held, with a limit. Clones are the same account.
#[derive(Clone, Debug)]
pub struct Memory(Arc<Account>);

#[derive(Debug)]
struct Account {
    limit: u64,
    held: AtomicU64,
    peak: AtomicU64,
}

impl Memory {
    /// An empty account on which at most `limit_bytes` may be held at one time.
    pub fn with_limit(limit_bytes: u64) -> Self {
        Self(Arc::new(Account {
            limit: limit_bytes,
            held: AtomicU64::new(0),
            peak: AtomicU64::new(0),
        }))
    }

    /// An account without a limit.
    pub fn unlimited() -> Self {
        Self::with_limit(u64::MAX)
    }

    /// The limit, in bytes.
    pub fn limit_bytes(&self) -> u64 {
        self.0.limit
    }

    /// Bytes held now.
    pub fn held_bytes(&self) -> u64 {
        self.0.held.load(Ordering::Relaxed)
    }

    /// Most bytes ever held at one time.
    pub fn peak_bytes(&self) -> u64 {
        self.0.peak.load(Ordering::Relaxed)
    }

    fn take(&self, bytes: u64) -> Result<(), OutOfMemory> {
        let account = &*self.0;
        let within = |held: u64| held.checked_add(bytes).filter(|&sum| sum <= account.limit);
        match account.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within) {
            Ok(before) => {
                account.peak.fetch_max(before + bytes, Ordering::Relaxed);
                Ok(())
            }
            Err(_) => Err(OutOfMemory),
        }
    }
}

/// Bytes held on an account until this is dropped.
#[derive(Debug)]
pub struct Reservation {
    memory: Memory,
    bytes: u64,
}

impl Reservation {
    /// Holds nothing yet.
    pub fn none(memory: &Memory) -> Self {
        Self { memory: memory.clone(), bytes: 0 }
    }

    /// Holds `bytes` more.
    pub fn grow(&mut self, bytes: u64) -> Result<(), OutOfMemory> {
        self.memory.take(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Gives `bytes` back, or all that it holds if that is less.
    pub fn shrink(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.memory.0.held.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Holds what `other`, of the same account, has held.
    fn take_over(&mut self, other: &mut Self) {
        self.bytes += std::mem::take(&mut other.bytes);
    }

    /// A part of it, to be held apart.
    fn split(&mut self, bytes: u64) -> Self {
        self.bytes -= bytes;
        Self { memory: self.memory.clone(), bytes }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.shrink(self.bytes);
    }
}

/// A vector with room for exactly `len` items, empty; its bytes are held by the reservation beside
/// it.
pub(crate) fn reserved_vec<T>(
    len: usize,
    memory: &Memory,
) -> Result<(Vec<T>, Reservation), OutOfMemory> {
    let mut reservation = Reservation::none(memory);
    reservation.grow((len as u64).saturating_mul(size_of::<T>() as u64))?;
    let mut items = Vec::new();
    items.try_reserve_exact(len).map_err(|_| OutOfMemory)?;
    Ok((items, reservation))
}

/// A slice of fixed length.
#[derive(Debug)]
pub struct Block<T> {
    items: Vec<T>,
    _held: Reservation,
}

impl<T: Copy> Block<T> {
    /// `len` copies of `item`.
    pub fn filled(item: T, len: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        let (mut items, held) = reserved_vec(len, memory)?;
        items.resize(len, item);
        Ok(Self { items, _held: held })
    }

    /// The items of a list, in its order.
    pub fn of(list: &SegmentedVec<T>, memory: &Memory) -> Result<Self, OutOfMemory> {
        let (mut items, held) = reserved_vec(list.len(), memory)?;
        items.extend(list.iter());
        Ok(Self { items, _held: held })
    }
}

impl<T> Deref for Block<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for Block<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

const FIRST_SEGMENT: usize = 64;
const LARGEST_SEGMENT: usize = 1 << 16;

/// A list that grows and shrinks at its end and never moves what it holds, so that growing needs no
/// second copy.
///
/// Segments double from 64 items to 65,536: a list of `n` items holds room for at most `2n + 64`,
/// and for at most 65,536 more than it needs once it is long.
#[derive(Debug)]
pub struct SegmentedVec<T> {
    segments: Vec<Vec<T>>,
    /// The segment that the last item is in.
    top: usize,
    len: usize,
    held: Reservation,
    pool: Option<SegmentPool<T>>,
}

/// Long segments that a list has given back, for another list: what the system has once given is
/// not asked for again. On 3x4 tiles, asking for the lists of layers anew took an eighth of the
/// time of an exploration on dense bits.
#[derive(Debug)]
pub(crate) struct SegmentPool<T>(Arc<Mutex<Vec<Segment<T>>>>);

impl<T> SegmentPool<T> {
    /// None yet.
    pub(crate) fn new() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for SegmentPool<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// A part of a list, in one piece.
#[derive(Debug)]
struct Segment<T> {
    items: Vec<T>,
    held: Reservation,
}

/// A segment that goes to the pool when it is dropped.
#[derive(Debug)]
pub(crate) struct PooledSegment<T> {
    segment: Option<Segment<T>>,
    pool: Option<SegmentPool<T>>,
}

impl<T> PooledSegment<T> {
    pub(crate) fn nothing() -> Self {
        Self { segment: None, pool: None }
    }
}

impl<T> Deref for PooledSegment<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.segment.as_ref().map_or(&[], |segment| &segment.items)
    }
}

impl<T> Drop for PooledSegment<T> {
    fn drop(&mut self) {
        let is_long = |segment: &Segment<T>| {
            size_of::<T>() > 0 && segment.items.capacity() >= LARGEST_SEGMENT
        };
        let long = self.segment.take().filter(is_long);
        if let (Some(mut segment), Some(pool)) = (long, &self.pool)
            && let Ok(mut pool) = pool.0.lock()
        {
            segment.items.clear();
            pool.push(segment);
        }
    }
}

/// How many items a segment holds at this place in a list. Items without a size would all fit the
/// first one, but lists of equal length are to have equal segments.
#[inline(always)]
fn room<T>(segment: &Vec<T>, place: usize) -> usize {
    if size_of::<T>() > 0 {
        segment.capacity()
    } else {
        LARGEST_SEGMENT.min(FIRST_SEGMENT << place.min(16))
    }
}

impl<T: Copy> SegmentedVec<T> {
    /// An empty list, which holds nothing yet.
    pub fn new(memory: &Memory) -> Self {
        Self { segments: Vec::new(), top: 0, len: 0, held: Reservation::none(memory), pool: None }
    }

    /// The same, which takes segments from these pool.
    pub(crate) fn with_pool(memory: &Memory, pool: &SegmentPool<T>) -> Self {
        Self { pool: Some(pool.clone()), ..Self::new(memory) }
    }

    /// How many items.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts an item at the end.
    #[inline]
    pub fn push(&mut self, item: T) -> Result<(), OutOfMemory> {
        match self.segments.get_mut(self.top) {
            Some(last) if last.len() < room(last, self.top) => last.push(item),
            _ => self.push_in_next_segment(item)?,
        }
        self.len += 1;
        Ok(())
    }

    #[cold]
    fn push_in_next_segment(&mut self, item: T) -> Result<(), OutOfMemory> {
        if let Some(spare) = self.segments.get_mut(self.top + 1) {
            spare.push(item);
            self.top += 1;
            return Ok(());
        }
        let capacity = match self.segments.last() {
            Some(last) => (2 * room(last, self.segments.len() - 1)).min(LARGEST_SEGMENT),
            None => FIRST_SEGMENT,
        };
        let spare = || self.pool.as_ref()?.0.lock().ok()?.pop();
        let spare = if capacity == LARGEST_SEGMENT { spare() } else { None };
        let mut segment = if let Some(mut spare) = spare {
            self.held.take_over(&mut spare.held);
            spare.items
        } else {
            self.held.grow(Self::bytes(capacity))?;
            let mut segment = Vec::new();
            segment.try_reserve_exact(capacity).map_err(|_| OutOfMemory)?;
            segment
        };
        segment.push(item);
        self.top = self.segments.len();
        self.segments.push(segment);
        Ok(())
    }

    /// Takes the item at the end.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        let last = self.segments.get_mut(self.top)?;
        let item = last.pop()?;
        self.len -= 1;
        if last.is_empty() && self.top > 0 {
            // One empty segment stays, for a list that grows and shrinks across its border.
            self.top -= 1;
            if self.segments.len() > self.top + 2
                && let Some(segment) = self.segments.pop()
            {
                self.held.shrink(Self::bytes(segment.capacity()));
            }
        }
        Some(item)
    }

    /// The item at the end.
    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.segments.get_mut(self.top)?.last_mut()
    }

    /// Puts items at the end. Where there is no room for all, as many as there is room for.
    #[inline]
    pub fn extend(
        &mut self,
        mut items: impl ExactSizeIterator<Item = T>,
    ) -> Result<(), OutOfMemory> {
        loop {
            if let Some(last) = self.segments.get_mut(self.top) {
                let free = room(last, self.top).saturating_sub(last.len());
                if items.len() <= free {
                    // All at once, so that none is asked whether there is room for it.
                    self.len += items.len();
                    last.extend(items);
                    return Ok(());
                }
                self.len += free;
                last.extend(items.by_ref().take(free));
            }
            match items.next() {
                Some(item) => self.push(item)?,
                None => return Ok(()),
            }
        }
    }

    /// Puts all items of `other` at the end; none is moved.
    pub fn append(&mut self, mut other: Self) {
        self.give_back_unused();
        self.held.take_over(&mut other.held);
        self.segments.append(&mut other.segments);
        self.top = self.segments.iter().rposition(|segment| !segment.is_empty()).unwrap_or(0);
        self.len += other.len;
    }

    /// Takes all items away, and keeps their memory for others.
    pub fn clear(&mut self) {
        self.segments.iter_mut().for_each(Vec::clear);
        (self.top, self.len) = (0, 0);
    }

    /// Gives back to the account what holds no items, the pool as well.
    pub(crate) fn give_back_unused(&mut self) {
        let used = if self.len == 0 { 0 } else { self.top + 1 };
        let unused: u64 =
            self.segments.drain(used..).map(|segment| Self::bytes(segment.capacity())).sum();
        self.held.shrink(unused);
        if let Some(pool) = &self.pool
            && let Ok(mut pool) = pool.0.lock()
        {
            pool.clear();
        }
    }

    /// The items as slices, first to last.
    pub fn slices(&self) -> impl Iterator<Item = &[T]> {
        self.segments.iter().map(Vec::as_slice)
    }

    /// The items in pieces, first to last; the memory of each goes to the pool or back to the
    /// account when it is dropped.
    pub(crate) fn into_slices(self) -> impl Iterator<Item = PooledSegment<T>> {
        let Self { segments, mut held, pool, .. } = self;
        segments.into_iter().map(move |items| {
            let held = held.split(Self::bytes(items.capacity()));
            PooledSegment { segment: Some(Segment { items, held }), pool: pool.clone() }
        })
    }

    /// All items, first to last.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.segments.iter().flatten().copied()
    }

    fn bytes(capacity: usize) -> u64 {
        (capacity * size_of::<T>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_refuses_what_is_over_its_limit_and_takes_back_what_is_dropped() {
        let memory = Memory::with_limit(1000);
        let block = Block::filled(7u64, 100, &memory).unwrap();
        assert_eq!(memory.held_bytes(), 800);
        assert_eq!(Block::filled(0u8, 201, &memory).unwrap_err(), OutOfMemory);
        drop(block);
        assert_eq!((memory.held_bytes(), memory.peak_bytes()), (0, 800));
        assert!(Block::filled(0u8, 1000, &memory).is_ok());
    }

    #[test]
    fn a_size_that_overflows_is_out_of_memory() {
        let memory = Memory::unlimited();
        assert!(Block::filled(0u64, usize::MAX, &memory).is_err());
        assert_eq!(memory.held_bytes(), 0);
    }

    #[test]
    fn a_segmented_list_is_a_stack_that_gives_its_memory_back() {
        let memory = Memory::unlimited();
        let mut list = SegmentedVec::new(&memory);
        for item in 0..200_000u32 {
            list.push(item).unwrap();
        }
        assert!(list.iter().eq(0..200_000));
        assert!(memory.held_bytes() <= 4 * (200_000 + 65_536));
        for item in (0..200_000).rev() {
            assert_eq!((list.pop(), list.len()), (Some(item), item as usize));
        }
        assert_eq!(list.pop(), None);
        // The first segment and a spare one.
        assert_eq!(memory.held_bytes(), 4 * (64 + 128));
        drop(list);
        assert_eq!(memory.held_bytes(), 0);
    }

    #[test]
    fn lists_of_equal_length_have_equal_segments_even_of_items_without_a_size() {
        let memory = Memory::unlimited();
        let (mut words, mut units) = (SegmentedVec::new(&memory), SegmentedVec::new(&memory));
        words.push(0u32).unwrap();
        units.push(()).unwrap();
        words.extend(0..199_999).unwrap();
        units.extend((0..199_999u32).map(|_| ())).unwrap();
        assert!(words.slices().map(<[_]>::len).eq(units.slices().map(<[_]>::len)));
        assert_eq!((units.len(), units.iter().count()), (200_000, 200_000));
        for left in (0..200_000).rev() {
            assert_eq!((units.pop(), units.len()), (Some(()), left));
        }
        assert_eq!(units.pop(), None);
    }

    #[test]
    fn a_segmented_list_stops_at_the_limit_and_keeps_what_it_has() {
        let memory = Memory::with_limit(4096);
        let mut list = SegmentedVec::new(&memory);
        let pushed = (0..1000u64).take_while(|&item| list.push(item).is_ok()).count();
        assert_eq!((pushed, list.len()), (448, 448));
        assert!(list.iter().eq(0..448));
    }
}
