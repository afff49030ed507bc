//! Memory in pages of 2 MiB, which the system is asked to map as such.
//!
//! A table is read at random, and with pages of 4 KiB the processor spends more time on finding out where they are than on
//! reading them. Measured on random updates of a table, prefetched: 29 ns with small pages and 17 ns with large ones on
//! 1 GiB, 67 and 32 ns on 3 GiB.

use std::alloc::{Layout, alloc, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use crate::memory::{Memory, OutOfMemory, Reservation};

const PAGE: usize = 2 << 20;

/// A slice of fixed length. It begins with a line of the cache, and from 2 MiB on at a multiple of that.
#[derive(Debug)]
pub(super) struct Page<T> {
    items: NonNull<T>,
    len: usize,
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
    pub(super) fn new(len: usize, item: impl Fn() -> T, memory: &Memory) -> Result<Self, OutOfMemory> {
        const { assert!(!std::mem::needs_drop::<T>() && align_of::<T>() <= PAGE) };
        let layout = Self::layout(len)?;
        let mut held = Reservation::none(memory);
        held.grow(layout.size() as u64)?;
        if layout.size() == 0 {
            return Ok(Self { items: NonNull::dangling(), len, _held: held });
        }
        #[expect(unsafe_code, reason = "as above")]
        // SAFETY: the size is not zero; the items are written within the allocation before anyone reads them.
        let items = unsafe {
            let items = NonNull::new(alloc(layout).cast::<T>()).ok_or(OutOfMemory)?;
            ask_for_large_pages(items.cast(), layout.size());
            (0..len).for_each(|index| items.add(index).write(item()));
            items
        };
        Ok(Self { items, len, _held: held })
    }

    fn layout(len: usize) -> Result<Layout, OutOfMemory> {
        let layout = Layout::array::<T>(len).map_err(|_| OutOfMemory)?;
        layout.align_to(if layout.size() < PAGE { 64 } else { PAGE }).map_err(|_| OutOfMemory)
    }
}

impl<T> Drop for Page<T> {
    fn drop(&mut self) {
        if let Ok(layout) = Self::layout(self.len)
            && layout.size() > 0
        {
            #[expect(unsafe_code, reason = "as above")]
            // SAFETY: allocated in `new` with the same layout; the items need no drop, as is asserted there.
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

/// It is advice: where the system cannot follow it, all works as without.
fn ask_for_large_pages(memory: NonNull<u8>, bytes: usize) {
    #[cfg(target_os = "linux")]
    if bytes >= PAGE {
        #[expect(unsafe_code, reason = "a call of the system")]
        // SAFETY: the range is a whole number of pages of an allocation of ours, and the advice changes no byte of it.
        unsafe {
            libc::madvise(memory.as_ptr().cast(), bytes / PAGE * PAGE, libc::MADV_HUGEPAGE);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (memory, bytes);
}

/// 2 MiB of lines of the cache.
const ROWS_IN_PAGE: usize = 1 << 15;

/// Rows of equal length, at the end of which more can be added; none is moved then but those of the last page.
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

    /// Adds rows of `item` until there are `rows`. If there is no memory for all of them, none is added.
    pub(super) fn extend(&mut self, rows: usize, item: impl Fn() -> T + Copy) -> Result<(), OutOfMemory> {
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
