//! What a thread collects before it is sorted and written to a file.

use crate::memory::{Memory, OutOfMemory, Reservation, reserved_vec};

/// A list of fixed capacity whose bytes are reserved.
#[derive(Debug)]
pub(super) struct SortBuffer<W> {
    words: Vec<W>,
    _held: Reservation,
}

impl<W: Copy + Ord> SortBuffer<W> {
    /// An empty list with room for `capacity` words.
    pub(super) fn new(capacity: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        let (words, held) = reserved_vec(capacity, memory)?;
        Ok(Self { words, _held: held })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.words.len() == self.words.capacity()
    }

    /// Adds a word to a list that is not full.
    #[inline]
    pub(super) fn push(&mut self, word: W) {
        self.words.push(word);
    }

    /// Empties the list. `write` gets the words in ascending order, each once.
    pub(super) fn drain<T, E>(&mut self, write: impl FnOnce(&[W]) -> Result<T, E>) -> Result<T, E> {
        self.words.sort_unstable();
        self.words.dedup();
        let written = write(&self.words)?;
        self.words.clear();
        Ok(written)
    }
}
