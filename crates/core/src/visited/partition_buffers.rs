//! Buffers that collect states by partition, so that the states of one partition are inserted
//! together.

use std::mem::MaybeUninit;

use super::pages::AlignedSlice;
use crate::memory::{Memory, OutOfMemory};

/// Buffers of equal capacity, one per partition, with a column for the states and others for what
/// else is wanted of them. The buffers are adjacent, so that small ones share pages and fit a
/// cache.
#[derive(Debug)]
pub(crate) struct PartitionBuffers<W> {
    states: Column<W>,
    /// Empty unless wanted.
    ranks: Column<u64>,
    tags: Column<u32>,
    /// The number of states in each buffer.
    filled: AlignedSlice<u16>,
    capacity: usize,
}

type Column<T> = AlignedSlice<MaybeUninit<T>>;

impl<W: Copy> PartitionBuffers<W> {
    /// `buffers` empty buffers with a capacity of `capacity` states each.
    pub(crate) fn new(
        buffers: usize,
        capacity: u16,
        (has_ranks, has_tags): (bool, bool),
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        fn column<T>(len: usize, memory: &Memory) -> Result<Column<T>, OutOfMemory> {
            AlignedSlice::new(len, MaybeUninit::uninit, memory)
        }
        let capacity = usize::from(capacity);
        let len = buffers.checked_mul(capacity).ok_or(OutOfMemory)?;
        Ok(Self {
            states: column(len, memory)?,
            ranks: column(if has_ranks { len } else { 0 }, memory)?,
            tags: column(if has_tags { len } else { 0 }, memory)?,
            filled: AlignedSlice::new(buffers, || 0, memory)?,
            capacity,
        })
    }

    /// Sets the capacity of each buffer, which is at most that of the creation. All buffers must be
    /// empty; otherwise it does nothing.
    pub(crate) fn set_capacity(&mut self, capacity: usize) {
        if self.is_empty() {
            self.capacity = capacity.min(self.states.len() / self.filled.len());
        }
    }

    /// Appends a state to a buffer, which must not be full. Returns whether the buffer is full now.
    #[inline(always)]
    pub(crate) fn push(&mut self, buffer: usize, state: W, rank: u64, tag: u32) -> bool {
        let filled = &mut self.filled[buffer];
        let at = buffer * self.capacity + usize::from(*filled);
        self.states[at].write(state);
        // Columns that are not wanted have no slots.
        if let Some(slot) = self.ranks.get_mut(at) {
            slot.write(rank);
        }
        if let Some(slot) = self.tags.get_mut(at) {
            slot.write(tag);
        }
        *filled += 1;
        usize::from(*filled) == self.capacity
    }

    /// The states of a buffer, their ranks and their tags.
    pub(crate) fn buffer(&self, buffer: usize) -> (&[W], &[u64], &[u32]) {
        let (first, len) = (buffer * self.capacity, self.len(buffer));
        (
            written(&self.states, first, len),
            written(&self.ranks, first, len),
            written(&self.tags, first, len),
        )
    }

    /// The number of states of a buffer.
    pub(crate) fn len(&self, buffer: usize) -> usize {
        usize::from(self.filled[buffer])
    }

    /// Removes all states from a buffer.
    pub(crate) fn clear(&mut self, buffer: usize) {
        self.filled[buffer] = 0;
    }

    /// Whether all buffers are empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.filled.iter().all(|&filled| filled == 0)
    }
}

/// The items of a buffer in a column; none if the column is not wanted.
#[expect(unsafe_code, reason = "a word has no default value to initialize the buffers with")]
fn written<T: Copy>(column: &Column<T>, first: usize, len: usize) -> &[T] {
    let items = column.get(first..first + len).unwrap_or_default();
    // SAFETY: `push` has written the items below `filled` since it was 0.
    unsafe { std::slice::from_raw_parts(items.as_ptr().cast(), items.len()) }
}
