//! A priority queue for small integer keys: a stack for each.

use crate::memory::{Memory, OutOfMemory, SegmentedVec};

/// Takes the least key first, and of equal keys the item that came last: of states with the same bound on the whole
/// plan that is the deepest, as a rule, and the order is always the same. Push and pop take constant time.
#[derive(Debug)]
pub(crate) struct BucketQueue<T> {
    /// `buckets[i]` holds the items of key `base + i`.
    buckets: Vec<SegmentedVec<T>>,
    base: u32,
    /// No bucket before this one holds an item.
    least: usize,
    len: u64,
    memory: Memory,
}

impl<T: Copy> BucketQueue<T> {
    /// An empty queue for keys from `base` up.
    pub(crate) fn new(base: u32, memory: &Memory) -> Self {
        Self { buckets: Vec::new(), base, least: 0, len: 0, memory: memory.clone() }
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// `key` must not be below the base.
    #[inline]
    pub(crate) fn push(&mut self, key: u32, item: T) -> Result<(), OutOfMemory> {
        let bucket = (key - self.base) as usize;
        while self.buckets.len() <= bucket {
            self.buckets.push(SegmentedVec::new(&self.memory));
        }
        self.buckets[bucket].push(item)?;
        self.least = self.least.min(bucket);
        self.len += 1;
        Ok(())
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, T)> {
        while let Some(bucket) = self.buckets.get_mut(self.least) {
            if let Some(item) = bucket.pop() {
                self.len -= 1;
                return Some((self.base + self.least as u32, item));
            }
            self.least += 1;
        }
        None
    }
}
