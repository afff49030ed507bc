//! States on partition_buffers, so that those which belong to one part of a set come there
//! together.

use std::mem::MaybeUninit;

use super::pages::Page;
use crate::memory::{Memory, OutOfMemory};

/// PartitionBuffers of equal capacity.
pub(crate) struct PartitionBuffers<T> {
    items: Page<MaybeUninit<T>>,
    filled: Page<u16>,
    capacity: usize,
}

impl<T: Copy> PartitionBuffers<T> {
    /// So many empty partition_buffers, that are full with so many items each.
    pub(crate) fn new(
        partition_buffers: usize,
        capacity: u16,
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        let capacity = usize::from(capacity);
        let places = partition_buffers.checked_mul(capacity).ok_or(OutOfMemory)?;
        let items = Page::new(places, MaybeUninit::uninit, memory)?;
        Ok(Self { items, filled: Page::new(partition_buffers, || 0, memory)?, capacity })
    }

    pub(crate) fn len(&self) -> usize {
        self.filled.len()
    }

    /// Puts an item on a buffer that is not full; whether it is full now.
    #[inline(always)]
    pub(crate) fn push(&mut self, buffer: usize, item: T) -> bool {
        let filled = &mut self.filled[buffer];
        self.items[buffer * self.capacity + usize::from(*filled)].write(item);
        *filled += 1;
        usize::from(*filled) == self.capacity
    }

    /// The items on a buffer.
    #[expect(unsafe_code, reason = "there is no item to fill the places with")]
    pub(crate) fn buffer(&mut self, buffer: usize) -> &mut [T] {
        let items = &mut self.items[buffer * self.capacity..][..usize::from(self.filled[buffer])];
        // SAFETY: the places below `filled` were written since it was 0, and an item needs no drop.
        unsafe { std::slice::from_raw_parts_mut(items.as_mut_ptr().cast(), items.len()) }
    }

    /// Takes all items off a buffer.
    pub(crate) fn clear(&mut self, buffer: usize) {
        self.filled[buffer] = 0;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.filled.iter().all(|&filled| filled == 0)
    }
}
