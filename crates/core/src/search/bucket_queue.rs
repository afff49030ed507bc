//! The open list of A*: a stack of states for each sum of depth and bound and, within it, for each depth.

use crate::memory::{Memory, OutOfMemory, Reservation, SegmentedVec};

/// Takes the least sum first, of equal sums the greatest depth, and of equal depths the state that came last: always the same
/// order. Push and pop take constant time but for the steps over empty stacks, and a state waits as a word and nothing more.
#[derive(Debug)]
pub(crate) struct BucketQueue<W> {
    /// `buckets[i]` holds the states of sum `base + i`.
    buckets: Vec<Bucket<W>>,
    base: u32,
    /// No bucket before this one holds a state.
    least: usize,
    len: u64,
    memory: Memory,
    /// For the buckets and the stacks themselves: a far sum or depth makes many of them.
    held: Reservation,
}

/// The states of one sum.
#[derive(Debug)]
struct Bucket<W> {
    /// By depth.
    stacks: Vec<SegmentedVec<W>>,
    /// No stack from this one on holds a state.
    end: usize,
}

impl<W: Copy> BucketQueue<W> {
    /// An empty queue for sums from `base` up.
    pub(crate) fn new(base: u32, memory: &Memory) -> Self {
        Self { buckets: Vec::new(), base, least: 0, len: 0, memory: memory.clone(), held: Reservation::none(memory) }
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// `sum` must not be below the base.
    #[inline]
    pub(crate) fn push(&mut self, sum: u32, depth: u32, state: W) -> Result<(), OutOfMemory> {
        let (number, depth) = ((sum - self.base) as usize, depth as usize);
        lengthen(&mut self.buckets, number + 1, &mut self.held, || Bucket { stacks: Vec::new(), end: 0 })?;
        let bucket = &mut self.buckets[number];
        lengthen(&mut bucket.stacks, depth + 1, &mut self.held, || SegmentedVec::new(&self.memory))?;
        bucket.stacks[depth].push(state)?;
        bucket.end = bucket.end.max(depth + 1);
        self.least = self.least.min(number);
        self.len += 1;
        Ok(())
    }

    /// The next state, with its sum and its depth.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, u32, W)> {
        while let Some(bucket) = self.buckets.get_mut(self.least) {
            while let Some(depth) = bucket.end.checked_sub(1) {
                if let Some(state) = bucket.stacks[depth].pop() {
                    self.len -= 1;
                    return Some((self.base + self.least as u32, depth as u32, state));
                }
                bucket.end = depth;
            }
            self.least += 1;
        }
        None
    }
}

/// Adds items until there are `len`.
#[inline]
fn lengthen<T>(
    items: &mut Vec<T>,
    len: usize,
    held: &mut Reservation,
    item: impl Fn() -> T,
) -> Result<(), OutOfMemory> {
    while items.len() < len {
        held.grow(size_of::<T>() as u64)?;
        items.try_reserve(1).map_err(|_| OutOfMemory)?;
        items.push(item());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_sum_comes_first_then_the_greatest_depth_then_the_last() {
        let mut queue = BucketQueue::new(5, &Memory::unlimited());
        for (sum, depth, state) in [(9, 4, 'a'), (5, 0, 'b'), (9, 7, 'c'), (7, 1, 'd'), (9, 4, 'e')] {
            queue.push(sum, depth, state).unwrap();
        }
        assert_eq!((queue.pop(), queue.pop()), (Some((5, 0, 'b')), Some((7, 1, 'd'))));
        queue.push(6, 3, 'f').unwrap();
        assert_eq!(queue.len(), 4);
        let rest: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(rest, [(6, 3, 'f'), (9, 7, 'c'), (9, 4, 'e'), (9, 4, 'a')]);
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn a_sum_that_is_too_far_is_out_of_memory() {
        let mut queue = BucketQueue::new(0, &Memory::with_limit(1 << 20));
        assert_eq!(queue.push(u32::MAX, 0, 'x'), Err(OutOfMemory));
    }
}
