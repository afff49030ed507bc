//! Memory in pages of 2 MiB, which the system is asked to map as such.
//!
//! A table is read at random, and with pages of 4 KiB the processor spends more time on finding out
//! where they are than on reading them. Measured on random updates of a table, prefetched: 29 ns
//! with small pages and 17 ns with large ones on 1 GiB, 67 and 32 ns on 3 GiB.

use std::alloc::{Layout, alloc, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use memmap2::MmapMut;

use crate::memory::{Memory, OutOfMemory, Reservation};

const PAGE: usize = 2 << 20;

/// A slice of fixed length. It starts at a multiple of a cache line, and from 2 MiB on at a
/// multiple of 2 MiB.
#[derive(Debug)]
pub(super) struct Page<T> {
    items: NonNull<T>,
    len: usize,
    /// Where the items are from 2 MiB on: a mapping of its own, which goes back to the system when
    /// the page is dropped. The allocator cuts aligned pages out of its heap and keeps the rest:
    /// twenty explorations of a maze, one after the other within 64 MiB each, left the process with
    /// 140 MiB.
    mapping: Option<MmapMut>,
    _held: Reservation,
}

#[expect(unsafe_code, reason = "the standard collections cannot be told how to align their memory")]
// SAFETY: a page owns its items, as a box does.
unsafe impl<T: Send> Send for Page<T> {}
#[expect(unsafe_code, reason = "as above")]
// SAFETY: a shared page gives out shared items only.
unsafe impl<T: Sync> Sync for Page<T> {}

impl<T> Page<T> {
    /// `len` items, each made by `item`.
    pub(super) fn new(
        len: usize,
        item: impl Fn() -> T,
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        const { assert!(!std::mem::needs_drop::<T>() && align_of::<T>() <= CACHE_LINE) };
        let layout = Self::layout(len)?;
        let mut held = Reservation::none(memory);
        held.grow(layout.size() as u64)?;
        let (start, mapping) = match layout.size() {
            0 => (NonNull::<T>::dangling().cast(), None),
            bytes @ PAGE.. => map(bytes).map(|(start, mapping)| (start, Some(mapping)))?,
            _ => {
                #[expect(unsafe_code, reason = "as above")]
                // SAFETY: the size is not zero.
                let start = unsafe { alloc(layout) };
                (NonNull::new(start).ok_or(OutOfMemory)?, None)
            }
        };
        let items = start.cast::<T>();
        for index in 0..len {
            #[expect(unsafe_code, reason = "as above")]
            // SAFETY: `start` begins `layout.size()` bytes, aligned for `T`, which have room for
            // `len` items.
            unsafe {
                items.add(index).write(item());
            }
        }
        Ok(Self { items, len, mapping, _held: held })
    }

    fn layout(len: usize) -> Result<Layout, OutOfMemory> {
        Layout::array::<T>(len)
            .and_then(|layout| layout.align_to(CACHE_LINE))
            .map_err(|_| OutOfMemory)
    }
}

const CACHE_LINE: usize = 64;

/// Maps `bytes` bytes from a multiple of [`PAGE`] on, where the system is asked for pages of that
/// size.
fn map(bytes: usize) -> Result<(NonNull<u8>, MmapMut), OutOfMemory> {
    let mut mapping = MmapMut::map_anon(bytes).map_err(|_| OutOfMemory)?;
    // Linux 6.7 and later begin such mappings at a multiple; elsewhere there has to be room for
    // one, which is not touched and so takes addresses but no memory.
    if mapping.as_ptr().align_offset(PAGE) > 0 {
        mapping = MmapMut::map_anon(bytes.checked_add(PAGE).ok_or(OutOfMemory)?)
            .map_err(|_| OutOfMemory)?;
    }
    let aligned = mapping.as_ptr().align_offset(PAGE);
    // Advice: where the system cannot follow it, all works without. It is for all of the mapping,
    // so that the system can join neighbours; it allows some 65,000 mappings that it cannot join.
    #[cfg(target_os = "linux")]
    let _ = mapping.advise(memmap2::Advice::HugePage);
    let start = mapping.get_mut(aligned..).map(|bytes| NonNull::from(bytes).cast());
    start.map(|start| (start, mapping)).ok_or(OutOfMemory)
}

impl<T> Drop for Page<T> {
    fn drop(&mut self) {
        if self.mapping.is_none()
            && let Ok(layout) = Self::layout(self.len)
            && layout.size() > 0
        {
            #[expect(unsafe_code, reason = "as above")]
            // SAFETY: allocated in `new` with the same layout; the items need no drop, as is
            // asserted there.
            unsafe {
                dealloc(self.items.as_ptr().cast(), layout);
            }
        }
    }
}

impl<T> Deref for Page<T> {
    type Target = [T];

    #[inline]
    #[expect(unsafe_code, reason = "as above")]
    fn deref(&self) -> &[T] {
        // SAFETY: `len` items were written in `new`.
        unsafe { std::slice::from_raw_parts(self.items.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Page<T> {
    #[inline]
    #[expect(unsafe_code, reason = "as above")]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the page is borrowed for as long.
        unsafe { std::slice::from_raw_parts_mut(self.items.as_ptr(), self.len) }
    }
}

/// 2 MiB of lines of the cache.
const ROWS_IN_PAGE: usize = 1 << 15;

/// Rows of equal length, at the end of which more can be added; none is moved then but those of the
/// last page.
#[derive(Debug)]
pub(super) struct Rows<T> {
    /// All of [`ROWS_IN_PAGE`] rows but the last.
    pages: Vec<Page<T>>,
    rows: usize,
    /// Items in a row.
    width: usize,
    memory: Memory,
}

impl<T> Rows<T> {
    /// No rows yet, of `width` items each.
    pub(super) fn new(width: usize, memory: &Memory) -> Self {
        Self { pages: Vec::new(), rows: 0, width, memory: memory.clone() }
    }

    /// How many rows.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.rows
    }

    /// Adds rows of `item` until there are `rows`. If there is no memory for all of them, none is
    /// added.
    pub(super) fn extend(
        &mut self,
        rows: usize,
        item: impl Fn() -> T + Copy,
    ) -> Result<(), OutOfMemory> {
        let full = self.rows / ROWS_IN_PAGE;
        let page_of = |rows: usize| Page::new(rows.saturating_mul(self.width), item, &self.memory);
        let mut added = Vec::new();
        added.try_reserve(rows.div_ceil(ROWS_IN_PAGE) - full).map_err(|_| OutOfMemory)?;
        for first in (full * ROWS_IN_PAGE..rows).step_by(ROWS_IN_PAGE) {
            added.push(page_of((rows - first).min(ROWS_IN_PAGE))?);
        }
        self.pages.try_reserve(added.len()).map_err(|_| OutOfMemory)?;
        if let (Some(last), Some(first)) = (self.pages.get_mut(full), added.first_mut()) {
            last.iter_mut().zip(first.iter_mut()).for_each(|(from, to)| std::mem::swap(from, to));
        }
        self.pages.truncate(full);
        self.pages.append(&mut added);
        self.rows = rows;
        Ok(())
    }

    /// A row. `width` is that of all rows: given again, it is known to the compiler.
    #[inline(always)]
    pub(super) fn row(&self, row: usize, width: usize) -> &[T] {
        &self.pages[row / ROWS_IN_PAGE][row % ROWS_IN_PAGE * width..][..width]
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(super) fn row_mut(&mut self, row: usize, width: usize) -> &mut [T] {
        &mut self.pages[row / ROWS_IN_PAGE][row % ROWS_IN_PAGE * width..][..width]
    }
}
