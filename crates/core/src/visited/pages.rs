//! Aligned memory in huge pages of 2 MiB.
//!
//! Accesses to a hash table are random. With pages of 4 KiB, address translation takes more time
//! than the access itself. Time of a prefetched random update of a table:
//!
//! | table | 4 KiB pages | 2 MiB pages |
//! | --- | --- | --- |
//! | 1 GiB | 29 ns | 17 ns |
//! | 3 GiB | 67 ns | 32 ns |

use std::alloc::{Layout, alloc, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use memmap2::MmapMut;

use crate::memory::{Memory, OutOfMemory, Reservation};
use crate::storage::IS_BROWSER;

const HUGE_PAGE_BYTES: usize = 2 << 20;

const CACHE_LINE_BYTES: usize = 64;

/// A smaller slice has only the alignment of its items: it stays in the cache anyway, and an
/// aligned allocation takes longer.
const MIN_ALIGNED_BYTES: usize = 4096;

/// A slice of fixed length whose bytes are reserved. It is aligned to a cache line if it has at
/// least [`MIN_ALIGNED_BYTES`], and to 2 MiB if it has at least 2 MiB.
#[derive(Debug)]
pub(crate) struct AlignedSlice<T> {
    items: NonNull<T>,
    len: usize,
    /// The memory mapping with the items, for slices of at least 2 MiB. It returns to the system
    /// when the slice is dropped. An allocator takes aligned blocks from its heap and keeps the
    /// rest: twenty explorations of a maze, one after the other and each within 64 MiB, left the
    /// process with 140 MiB.
    mapping: Option<MmapMut>,
    _held: Reservation,
}

#[expect(unsafe_code, reason = "standard collections do not support custom alignment")]
// SAFETY: the slice owns its items, like a `Box<[T]>`.
unsafe impl<T: Send> Send for AlignedSlice<T> {}
#[expect(unsafe_code, reason = "as above")]
// SAFETY: a shared reference to the slice gives access to shared references to items only.
unsafe impl<T: Sync> Sync for AlignedSlice<T> {}

impl<T> AlignedSlice<T> {
    /// A slice of `len` items, each created by `item`.
    pub(crate) fn new(
        len: usize,
        item: impl Fn() -> T,
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        const { assert!(!std::mem::needs_drop::<T>() && align_of::<T>() <= CACHE_LINE_BYTES) };
        let layout = Self::layout(len)?;
        let mut held = Reservation::none(memory);
        held.grow(layout.size() as u64)?;
        let (start, mapping) = match layout.size() {
            0 => (NonNull::<T>::dangling().cast(), None),
            // In a browser there is nothing to map, and memory is not given back.
            bytes @ HUGE_PAGE_BYTES.. if !IS_BROWSER => {
                map_huge_pages(bytes).map(|(start, mapping)| (start, Some(mapping)))?
            }
            _ => {
                #[expect(unsafe_code, reason = "as above")]
                // SAFETY: the size of the layout is not zero.
                let start = unsafe { alloc(layout) };
                (NonNull::new(start).ok_or(OutOfMemory)?, None)
            }
        };
        let items = start.cast::<T>();
        for index in 0..len {
            #[expect(unsafe_code, reason = "as above")]
            // SAFETY: `start` points to `layout.size()` bytes, which are aligned for `T` and have
            // room for `len` items.
            unsafe {
                items.add(index).write(item());
            }
        }
        Ok(Self { items, len, mapping, _held: held })
    }

    fn layout(len: usize) -> Result<Layout, OutOfMemory> {
        let layout = Layout::array::<T>(len).map_err(|_| OutOfMemory)?;
        if layout.size() < MIN_ALIGNED_BYTES {
            return Ok(layout);
        }
        layout.align_to(CACHE_LINE_BYTES).map_err(|_| OutOfMemory)
    }
}

/// Maps `bytes` bytes at a multiple of [`HUGE_PAGE_BYTES`] and asks the system for huge pages.
fn map_huge_pages(bytes: usize) -> Result<(NonNull<u8>, MmapMut), OutOfMemory> {
    let mut mapping = MmapMut::map_anon(bytes).map_err(|_| OutOfMemory)?;
    // Linux 6.7 and later align such mappings. On other systems, map one huge page more than needed
    // and start at the first multiple. The unused part is never touched, so it takes address space
    // but no memory.
    if mapping.as_ptr().align_offset(HUGE_PAGE_BYTES) > 0 {
        mapping = MmapMut::map_anon(bytes.checked_add(HUGE_PAGE_BYTES).ok_or(OutOfMemory)?)
            .map_err(|_| OutOfMemory)?;
    }
    let aligned = mapping.as_ptr().align_offset(HUGE_PAGE_BYTES);
    // The advice is optional, so an error is ignored. It covers the whole mapping so that the
    // system can merge neighbouring mappings: it allows about 65,000 mappings that are not merged.
    #[cfg(target_os = "linux")]
    let _ = mapping.advise(memmap2::Advice::HugePage);
    let start = mapping.get_mut(aligned..).map(|bytes| NonNull::from(bytes).cast());
    start.map(|start| (start, mapping)).ok_or(OutOfMemory)
}

impl<T> Drop for AlignedSlice<T> {
    fn drop(&mut self) {
        if self.mapping.is_none()
            && let Ok(layout) = Self::layout(self.len)
            && layout.size() > 0
        {
            #[expect(unsafe_code, reason = "as above")]
            // SAFETY: `new` allocated the items with the same layout, and asserts that they need no
            // drop.
            unsafe {
                dealloc(self.items.as_ptr().cast(), layout);
            }
        }
    }
}

impl<T> Deref for AlignedSlice<T> {
    type Target = [T];

    #[inline]
    #[expect(unsafe_code, reason = "as above")]
    fn deref(&self) -> &[T] {
        // SAFETY: `new` has written `len` items.
        unsafe { std::slice::from_raw_parts(self.items.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for AlignedSlice<T> {
    #[inline]
    #[expect(unsafe_code, reason = "as above")]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the slice is mutably borrowed for the same lifetime.
        unsafe { std::slice::from_raw_parts_mut(self.items.as_ptr(), self.len) }
    }
}

/// A chunk of rows of one cache line each is one huge page.
const ROWS_PER_CHUNK: usize = HUGE_PAGE_BYTES / CACHE_LINE_BYTES;

/// A growing array of rows of equal length. Growth moves only the rows of the last chunk.
#[derive(Debug)]
pub(crate) struct Rows<T> {
    /// Chunks of [`ROWS_PER_CHUNK`] rows; the last one may have fewer.
    chunks: Vec<AlignedSlice<T>>,
    rows: usize,
    /// The number of items per row.
    width: usize,
    memory: Memory,
}

impl<T> Rows<T> {
    /// An empty array of rows of `width` items.
    pub(crate) fn new(width: usize, memory: &Memory) -> Self {
        Self { chunks: Vec::new(), rows: 0, width, memory: memory.clone() }
    }

    /// The number of rows.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    /// Adds rows of items created by `item` until there are `rows` rows. On an error, none is
    /// added.
    pub(crate) fn extend(
        &mut self,
        rows: usize,
        item: impl Fn() -> T + Copy,
    ) -> Result<(), OutOfMemory> {
        let full = self.rows / ROWS_PER_CHUNK;
        let chunk =
            |rows: usize| AlignedSlice::new(rows.saturating_mul(self.width), item, &self.memory);
        let mut added = Vec::new();
        added.try_reserve(rows.div_ceil(ROWS_PER_CHUNK) - full).map_err(|_| OutOfMemory)?;
        for first in (full * ROWS_PER_CHUNK..rows).step_by(ROWS_PER_CHUNK) {
            added.push(chunk((rows - first).min(ROWS_PER_CHUNK))?);
        }
        self.chunks.try_reserve(added.len()).map_err(|_| OutOfMemory)?;
        if let (Some(last), Some(first)) = (self.chunks.get_mut(full), added.first_mut()) {
            last.iter_mut().zip(first.iter_mut()).for_each(|(from, to)| std::mem::swap(from, to));
        }
        self.chunks.truncate(full);
        self.chunks.append(&mut added);
        self.rows = rows;
        Ok(())
    }

    /// A row. `width` must be the width of all rows: as an argument, it is a constant for the
    /// compiler.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize, width: usize) -> &[T] {
        &self.chunks[row / ROWS_PER_CHUNK][row % ROWS_PER_CHUNK * width..][..width]
    }

    /// A mutable row. `width` must be the width of all rows.
    #[inline(always)]
    pub(crate) fn row_mut(&mut self, row: usize, width: usize) -> &mut [T] {
        &mut self.chunks[row / ROWS_PER_CHUNK][row % ROWS_PER_CHUNK * width..][..width]
    }
}
