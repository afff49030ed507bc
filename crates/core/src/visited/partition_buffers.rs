//! Buffers that collect states by partition, so that the states of one partition are inserted
//! together.

use std::mem::MaybeUninit;

use super::pages::AlignedSlice;
use crate::memory::{Memory, OutOfMemory};

/// Buffers of equal capacity, one per partition. They are adjacent, so that small ones share pages
/// and fit a cache.
#[derive(Debug)]
pub(crate) struct PartitionBuffers<T> {
    items: AlignedSlice<MaybeUninit<T>>,
    /// The number of items in each buffer.
    filled: AlignedSlice<u16>,
    capacity: usize,
}

impl<T: Copy> PartitionBuffers<T> {
    /// `buffers` empty buffers with a capacity of `capacity` items each.
    pub(crate) fn new(buffers: usize, capacity: u16, memory: &Memory) -> Result<Self, OutOfMemory> {
        let capacity = usize::from(capacity);
        let len = buffers.checked_mul(capacity).ok_or(OutOfMemory)?;
        let items = AlignedSlice::new(len, MaybeUninit::uninit, memory)?;
        Ok(Self { items, filled: AlignedSlice::new(buffers, || 0, memory)?, capacity })
    }

    /// Sets the capacity of each buffer, which is at most that of the creation. All buffers must be
    /// empty; otherwise it does nothing.
    pub(crate) fn set_capacity(&mut self, capacity: usize) {
        if self.is_empty() {
            self.capacity = capacity.min(self.items.len() / self.filled.len());
        }
    }

    /// Appends an item to a buffer, which must not be full. Returns whether the buffer is full now.
    #[inline(always)]
    pub(crate) fn push(&mut self, buffer: usize, item: T) -> bool {
        let filled = &mut self.filled[buffer];
        self.items[buffer * self.capacity + usize::from(*filled)].write(item);
        *filled += 1;
        usize::from(*filled) == self.capacity
    }

    /// The items of a buffer.
    #[expect(unsafe_code, reason = "`T` has no default value to initialize the buffers with")]
    pub(crate) fn buffer(&mut self, buffer: usize) -> &mut [T] {
        let items = &mut self.items[buffer * self.capacity..][..usize::from(self.filled[buffer])];
        // SAFETY: the items below `filled` were written since it was 0, and `T: Copy` needs no
        // drop.
        unsafe { std::slice::from_raw_parts_mut(items.as_mut_ptr().cast(), items.len()) }
    }

    /// Removes all items from a buffer.
    pub(crate) fn clear(&mut self, buffer: usize) {
        self.filled[buffer] = 0;
    }

    /// Whether all buffers are empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.filled.iter().all(|&filled| filled == 0)
    }
}
