//! Memory accounting, so that reaching a memory limit is an error value and not an abort.
//!
//! A [`Memory`] is an account of reserved bytes. A structure reserves its bytes from the account
//! before it allocates them, and they are released when the structure is dropped. If this would
//! exceed the limit of the account, or if the system refuses the allocation, the operation returns
//! [`OutOfMemory`] and the structure stays valid.
//!
//! The account does not allocate anything. It counts what structures reserve, which is everything
//! that grows with a search: visited sets, layers, open lists, heuristic tables. The process as a
//! whole needs more memory than is reserved.
//!
//! - [`Block`] is a slice of fixed length.
//! - [`SegmentedVec`] is a growing list that never moves its items.
//! - [`Reservation`] reserves bytes for a structure that allocates by other means.
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

/// The memory limit is reached, or the system refused an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("out of memory")]
pub struct OutOfMemory;

/// An account of reserved bytes, with a limit.
///
/// Clones refer to the same account, and threads may share it. A [`Budget`](crate::budget::Budget)
/// has one account for all of its searches.
#[derive(Clone, Debug)]
pub struct Memory(Arc<Account>);

#[derive(Debug)]
struct Account {
    limit_bytes: u64,
    held_bytes: AtomicU64,
    peak_bytes: AtomicU64,
}

impl Memory {
    /// An empty account from which at most `limit_bytes` bytes may be reserved at one time.
    pub fn with_limit(limit_bytes: u64) -> Self {
        Self(Arc::new(Account {
            limit_bytes,
            held_bytes: AtomicU64::new(0),
            peak_bytes: AtomicU64::new(0),
        }))
    }

    /// An empty account without a limit.
    pub fn unlimited() -> Self {
        Self::with_limit(u64::MAX)
    }

    /// The limit, in bytes; `u64::MAX` if there is none.
    pub fn limit_bytes(&self) -> u64 {
        self.0.limit_bytes
    }

    /// The number of bytes that are reserved now.
    pub fn held_bytes(&self) -> u64 {
        self.0.held_bytes.load(Ordering::Relaxed)
    }

    /// The largest number of bytes that were reserved at one time.
    pub fn peak_bytes(&self) -> u64 {
        self.0.peak_bytes.load(Ordering::Relaxed)
    }

    fn reserve(&self, bytes: u64) -> Result<(), OutOfMemory> {
        let account = &*self.0;
        let within = |held: u64| held.checked_add(bytes).filter(|&sum| sum <= account.limit_bytes);
        match account.held_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within) {
            Ok(before) => {
                account.peak_bytes.fetch_max(before + bytes, Ordering::Relaxed);
                Ok(())
            }
            Err(_) => Err(OutOfMemory),
        }
    }
}

/// Bytes that are reserved from an account until the reservation is dropped.
///
/// It is for structures of other libraries: keep a reservation next to the structure, and grow it
/// before the structure grows.
#[derive(Debug)]
pub struct Reservation {
    memory: Memory,
    bytes: u64,
}

impl Reservation {
    /// A reservation of 0 bytes.
    pub fn none(memory: &Memory) -> Self {
        Self { memory: memory.clone(), bytes: 0 }
    }

    /// The reserved bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reserves `bytes` more.
    ///
    /// # Errors
    /// [`OutOfMemory`] if that would exceed the limit of the account. Nothing is reserved then.
    pub fn grow(&mut self, bytes: u64) -> Result<(), OutOfMemory> {
        self.memory.reserve(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Releases `bytes`, or everything if less is reserved.
    pub fn shrink(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.memory.0.held_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Moves everything that `other` holds to this reservation. Both must be of one account.
    fn take_over(&mut self, other: &mut Self) {
        self.bytes += std::mem::take(&mut other.bytes);
    }

    /// Moves `bytes` of this reservation to a new one.
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

/// The bytes that an allocator takes for a list of this size: none for an empty one, and at least
/// 32 for others, since each has a header and is rounded up.
pub fn allocation_bytes(list_bytes: usize) -> usize {
    if list_bytes == 0 { 0 } else { list_bytes.max(32) }
}

/// An empty vector with a capacity of `len` items, and the reservation of its bytes.
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

/// A slice of fixed length whose bytes are reserved. It dereferences to `[T]`.
#[derive(Debug)]
pub struct Block<T> {
    items: Vec<T>,
    _held: Reservation,
}

impl<T: Copy> Block<T> {
    /// A slice of `len` copies of `item`.
    ///
    /// # Errors
    /// [`OutOfMemory`] if `len * size_of::<T>()` bytes do not fit.
    pub fn filled(item: T, len: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        let (mut items, held) = reserved_vec(len, memory)?;
        items.resize(len, item);
        Ok(Self { items, _held: held })
    }

    /// A copy of the items of `list`, in the same order.
    ///
    /// # Errors
    /// [`OutOfMemory`] if they do not fit.
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

const FIRST_SEGMENT_ITEMS: usize = 64;
const MAX_SEGMENT_ITEMS: usize = 1 << 16;

/// A list that grows and shrinks at its end and never moves its items, so that growth needs no
/// second copy.
///
/// The list is a sequence of segments. Their lengths double from 64 items to 65,536. A list that
/// has grown to `n` items by [`push`](Self::push) and [`extend`](Self::extend) reserves room for at
/// most `min(2n + 64, n + 65,536)` items. [`append`](Self::append) keeps the unused ends of the
/// segments of both lists.
#[derive(Debug)]
pub struct SegmentedVec<T> {
    segments: Vec<Vec<T>>,
    /// The index of the segment with the last item.
    top: usize,
    len: usize,
    held: Reservation,
    pool: Option<SegmentPool<T>>,
}

/// Segments of [`MAX_SEGMENT_ITEMS`] items that one list has released, for reuse by another. Their
/// bytes stay reserved. On 3x4 tiles, allocating the lists of each layer anew took an eighth of the
/// time of an exploration on dense bits.
#[derive(Debug)]
pub(crate) struct SegmentPool<T>(Arc<Mutex<Vec<Segment<T>>>>);

impl<T> SegmentPool<T> {
    /// An empty pool.
    pub(crate) fn new() -> Self {
        Self(Arc::default())
    }

    /// Frees segments until the rest can hold at most `items` items.
    pub(crate) fn shrink_to(&self, items: usize) {
        if let Ok(mut segments) = self.0.lock() {
            segments.truncate(items.div_ceil(MAX_SEGMENT_ITEMS));
        }
    }
}

impl<T> Clone for SegmentPool<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// A contiguous part of a list.
#[derive(Debug)]
struct Segment<T> {
    items: Vec<T>,
    held: Reservation,
}

/// A segment that returns to its pool when it is dropped, if it has the maximal length. A shorter
/// one, and one without a pool, is freed.
#[derive(Debug)]
pub(crate) struct PooledSegment<T> {
    segment: Option<Segment<T>>,
    pool: Option<SegmentPool<T>>,
}

impl<T> PooledSegment<T> {
    pub(crate) fn empty() -> Self {
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
        let has_max_length = |segment: &Segment<T>| {
            size_of::<T>() > 0 && segment.items.capacity() >= MAX_SEGMENT_ITEMS
        };
        let reusable = self.segment.take().filter(has_max_length);
        if let (Some(mut segment), Some(pool)) = (reusable, &self.pool)
            && let Ok(mut pool) = pool.0.lock()
        {
            segment.items.clear();
            pool.push(segment);
        }
    }
}

/// The number of items that the segment with this index can hold. Zero-sized items would all fit
/// the first segment; but a list of states and the list of their moves are read segment by segment
/// in parallel, so lists that grew alike have segments of equal lengths, also if a move has no
/// size.
#[inline(always)]
fn segment_capacity<T>(segment: &Vec<T>, index: usize) -> usize {
    if size_of::<T>() > 0 {
        segment.capacity()
    } else {
        MAX_SEGMENT_ITEMS.min(FIRST_SEGMENT_ITEMS << index.min(16))
    }
}

impl<T: Copy> SegmentedVec<T> {
    /// An empty list. It reserves nothing until the first item is pushed.
    pub fn new(memory: &Memory) -> Self {
        Self { segments: Vec::new(), top: 0, len: 0, held: Reservation::none(memory), pool: None }
    }

    /// An empty list that takes segments from `pool` before it allocates.
    pub(crate) fn with_pool(memory: &Memory, pool: &SegmentPool<T>) -> Self {
        Self { pool: Some(pool.clone()), ..Self::new(memory) }
    }

    /// The number of items.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the list has no items.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends an item.
    ///
    /// # Errors
    /// [`OutOfMemory`] if a new segment is needed and does not fit. The list is unchanged then.
    #[inline]
    pub fn push(&mut self, item: T) -> Result<(), OutOfMemory> {
        match self.segments.get_mut(self.top) {
            Some(last) if last.len() < segment_capacity(last, self.top) => last.push(item),
            _ => self.push_in_next_segment(item)?,
        }
        self.len += 1;
        Ok(())
    }

    #[cold]
    fn push_in_next_segment(&mut self, item: T) -> Result<(), OutOfMemory> {
        if let Some(next) = self.segments.get_mut(self.top + 1) {
            next.push(item);
            self.top += 1;
            return Ok(());
        }
        let capacity = match self.segments.last() {
            Some(last) => {
                (2 * segment_capacity(last, self.segments.len() - 1)).min(MAX_SEGMENT_ITEMS)
            }
            None => FIRST_SEGMENT_ITEMS,
        };
        let take_from_pool = || self.pool.as_ref()?.0.lock().ok()?.pop();
        let pooled = if capacity == MAX_SEGMENT_ITEMS { take_from_pool() } else { None };
        let mut segment = if let Some(mut pooled) = pooled {
            self.held.take_over(&mut pooled.held);
            pooled.items
        } else {
            self.held.grow(Self::bytes(capacity))?;
            let mut segment = Vec::new();
            if segment.try_reserve_exact(capacity).is_err() {
                self.held.shrink(Self::bytes(capacity));
                return Err(OutOfMemory);
            }
            segment
        };
        segment.push(item);
        self.top = self.segments.len();
        self.segments.push(segment);
        Ok(())
    }

    /// Removes the last item and returns it.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        let last = self.segments.get_mut(self.top)?;
        let item = last.pop()?;
        self.len -= 1;
        if last.is_empty() && self.top > 0 {
            // One empty segment stays, for a list that grows and shrinks across a segment boundary.
            self.top -= 1;
            if self.segments.len() > self.top + 2
                && let Some(segment) = self.segments.pop()
            {
                self.held.shrink(Self::bytes(segment.capacity()));
            }
        }
        Some(item)
    }

    /// The last item.
    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.segments.get_mut(self.top)?.last_mut()
    }

    /// Appends items, in their order.
    ///
    /// # Errors
    /// [`OutOfMemory`] if not all items fit. The items that fit are in the list then.
    #[inline]
    pub fn extend(
        &mut self,
        mut items: impl ExactSizeIterator<Item = T>,
    ) -> Result<(), OutOfMemory> {
        loop {
            if let Some(last) = self.segments.get_mut(self.top) {
                let free = segment_capacity(last, self.top).saturating_sub(last.len());
                if items.len() <= free {
                    // One call for all items, so that there is no check per item.
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

    /// Appends all items of `other` without moving them in memory. Both lists must be of one
    /// account.
    ///
    /// Time: proportional to the number of segments.
    pub fn append(&mut self, mut other: Self) {
        self.free_unused();
        self.held.take_over(&mut other.held);
        self.segments.append(&mut other.segments);
        self.top = self.segments.iter().rposition(|segment| !segment.is_empty()).unwrap_or(0);
        self.len += other.len;
    }

    /// Removes all items. Their memory stays reserved, for items to come.
    pub fn clear(&mut self) {
        self.segments.iter_mut().for_each(Vec::clear);
        (self.top, self.len) = (0, 0);
    }

    /// Frees the segments without items and those in the pool.
    pub(crate) fn free_unused(&mut self) {
        let used = if self.len == 0 { 0 } else { self.top + 1 };
        let unused: u64 =
            self.segments.drain(used..).map(|segment| Self::bytes(segment.capacity())).sum();
        self.held.shrink(unused);
        if let Some(pool) = &self.pool {
            pool.shrink_to(0);
        }
    }

    /// The slice with this index of [`slices`](Self::slices); empty if there are fewer.
    #[inline]
    pub(crate) fn slice(&self, index: usize) -> &[T] {
        self.segments.get(index).map_or(&[], Vec::as_slice)
    }

    /// The items as slices, in the order of the list.
    pub fn slices(&self) -> impl Iterator<Item = &[T]> {
        self.segments.iter().map(Vec::as_slice)
    }

    /// The segments of the list, in order. When one is dropped, its memory returns to the pool or
    /// is freed.
    pub(crate) fn into_segments(self) -> impl Iterator<Item = PooledSegment<T>> {
        let Self { segments, mut held, pool, .. } = self;
        segments.into_iter().map(move |items| {
            let held = held.split(Self::bytes(items.capacity()));
            PooledSegment { segment: Some(Segment { items, held }), pool: pool.clone() }
        })
    }

    /// The items, in the order of the list.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = T> + '_ {
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
    fn reservations_over_the_limit_fail_and_dropped_blocks_are_released() {
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
    fn a_segmented_list_is_a_stack_that_releases_its_memory() {
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
        // The first segment and one empty segment.
        assert_eq!(memory.held_bytes(), 4 * (64 + 128));
        drop(list);
        assert_eq!(memory.held_bytes(), 0);
    }

    #[test]
    fn lists_of_equal_length_have_equal_segments_even_of_zero_sized_items() {
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
    fn a_segmented_list_keeps_its_items_when_memory_runs_out() {
        let memory = Memory::with_limit(4096);
        let mut list = SegmentedVec::new(&memory);
        let pushed = (0..1000u64).take_while(|&item| list.push(item).is_ok()).count();
        assert_eq!((pushed, list.len()), (448, 448));
        assert!(list.iter().eq(0..448));
    }
}
