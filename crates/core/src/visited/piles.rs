//! States on piles, so that those which belong to one part of a set come there together.

use std::mem::MaybeUninit;

use super::pages::Page;
use crate::memory::{Memory, OutOfMemory};

/// Piles of equal height.
pub(crate) struct Piles<T> {
    items: Page<MaybeUninit<T>>,
    filled: Page<u16>,
    height: usize,
}

impl<T: Copy> Piles<T> {
    /// So many empty piles, that are full with so many items each.
    pub(crate) fn new(piles: usize, height: u16, memory: &Memory) -> Result<Self, OutOfMemory> {
        let height = usize::from(height);
        let places = piles.checked_mul(height).ok_or(OutOfMemory)?;
        let items = Page::new(places, MaybeUninit::uninit, memory)?;
        Ok(Self { items, filled: Page::new(piles, || 0, memory)?, height })
    }

    pub(crate) fn len(&self) -> usize {
        self.filled.len()
    }

    /// Puts an item on a pile that is not full; whether it is full now.
    #[inline(always)]
    pub(crate) fn push(&mut self, pile: usize, item: T) -> bool {
        let filled = &mut self.filled[pile];
        self.items[pile * self.height + usize::from(*filled)].write(item);
        *filled += 1;
        usize::from(*filled) == self.height
    }

    /// The items on a pile.
    #[expect(unsafe_code, reason = "there is no item to fill the places with")]
    pub(crate) fn pile(&mut self, pile: usize) -> &mut [T] {
        let items = &mut self.items[pile * self.height..][..usize::from(self.filled[pile])];
        // SAFETY: the places below `filled` were written since it was 0, and an item needs no drop.
        unsafe { std::slice::from_raw_parts_mut(items.as_mut_ptr().cast(), items.len()) }
    }

    /// Takes all items off a pile.
    pub(crate) fn clear(&mut self, pile: usize) {
        self.filled[pile] = 0;
    }

    pub(crate) fn are_empty(&self) -> bool {
        self.filled.iter().all(|&filled| filled == 0)
    }
}
