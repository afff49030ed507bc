//! A priority queue for small integer keys: a stack for each.

use crate::memory::{Memory, OutOfMemory, Reservation, SegmentedVec};

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
    /// For the buckets themselves: a far key makes many of them.
    held: Reservation,
}

impl<T: Copy> BucketQueue<T> {
    /// An empty queue for keys from `base` up.
    pub(crate) fn new(base: u32, memory: &Memory) -> Self {
        Self { buckets: Vec::new(), base, least: 0, len: 0, memory: memory.clone(), held: Reservation::none(memory) }
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// `key` must not be below the base.
    #[inline]
    pub(crate) fn push(&mut self, key: u32, item: T) -> Result<(), OutOfMemory> {
        let bucket = (key - self.base) as usize;
        while self.buckets.len() <= bucket {
            self.held.grow(size_of::<SegmentedVec<T>>() as u64)?;
            self.buckets.try_reserve(1).map_err(|_| OutOfMemory)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_key_comes_first_and_of_equal_keys_the_last() {
        let mut queue = BucketQueue::new(5, &Memory::unlimited());
        for (key, item) in [(9, 'a'), (5, 'b'), (9, 'c'), (7, 'd')] {
            queue.push(key, item).unwrap();
        }
        assert_eq!((queue.pop(), queue.pop()), (Some((5, 'b')), Some((7, 'd'))));
        queue.push(6, 'e').unwrap();
        assert_eq!(queue.len(), 3);
        let rest: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(rest, [(6, 'e'), (9, 'c'), (9, 'a')]);
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn a_key_that_is_too_far_is_out_of_memory() {
        let mut queue = BucketQueue::new(0, &Memory::with_limit(1 << 20));
        assert_eq!(queue.push(u32::MAX, 'x'), Err(OutOfMemory));
    }
}
