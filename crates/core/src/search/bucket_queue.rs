//! The open list of A* if each move costs 1: a bucket for each sum of depth and bound, and in it a
//! stack of states for each depth.

use std::collections::VecDeque;

use super::open_list::OpenList;
use crate::memory::{Memory, OutOfMemory, Reservation, SegmentedVec};

/// A priority queue of states. [`pop`](OpenList::pop) takes the least sum first; of equal sums the
/// greatest depth; of equal depths the state that was pushed last.
///
/// A state takes `size_of::<W>()` bytes. In addition, memory grows with the range of the sums and
/// with the number of depths in each bucket.
///
/// A push finds the stack of its depth by binary search, or at once if it is the last of the
/// bucket. A new depth moves the stacks after it, or those before it if they are fewer. These are
/// mostly none, because depths arrive in ascending or in descending order.
#[derive(Debug)]
pub(crate) struct BucketQueue<W> {
    /// `buckets[i]` holds the states of sum `base + i`: one stack for each depth, in ascending
    /// order of the depths. No stack is empty.
    buckets: VecDeque<VecDeque<(u32, SegmentedVec<W>)>>,
    base: u32,
    /// All buckets before this index are empty.
    least_bucket: usize,
    len: u64,
    /// Empty stacks, for reuse by other depths.
    empty_stacks: VecDeque<SegmentedVec<W>>,
    memory: Memory,
    /// The memory of the deques of stacks.
    held: Reservation,
}

impl<W: Copy> BucketQueue<W> {
    /// An empty queue.
    pub(crate) fn new(memory: &Memory) -> Self {
        let held = Reservation::none(memory);
        let (buckets, empty_stacks) = (VecDeque::new(), VecDeque::new());
        Self {
            buckets,
            base: 0,
            least_bucket: 0,
            len: 0,
            empty_stacks,
            memory: memory.clone(),
            held,
        }
    }

    fn push_at_other_depth(
        &mut self,
        index: usize,
        depth: u32,
        state: W,
    ) -> Result<(), OutOfMemory> {
        let stacks = &mut self.buckets[index];
        match stacks.binary_search_by_key(&depth, |&(depth, _)| depth) {
            Ok(position) => stacks[position].1.push(state),
            Err(position) => {
                make_room(stacks, &mut self.held)?;
                let mut stack =
                    self.empty_stacks.pop_back().unwrap_or_else(|| SegmentedVec::new(&self.memory));
                stack.push(state)?;
                stacks.insert(position, (depth, stack));
                Ok(())
            }
        }
    }
}

impl<W: Copy> OpenList<W> for BucketQueue<W> {
    fn len(&self) -> u64 {
        self.len
    }

    fn start(&mut self, least: u32) {
        self.base = least;
    }

    fn free(&mut self) {
        *self = Self::new(&self.memory);
    }

    fn for_each(&self, visit: &mut dyn FnMut(u32, u32, W)) {
        for (sum, stacks) in (self.base..).zip(&self.buckets) {
            for (depth, stack) in stacks.iter().rev() {
                stack.iter().rev().for_each(|state| visit(sum, *depth, state));
            }
        }
    }

    /// Adds a state. `sum` must be at least that of [`start`](OpenList::start).
    #[inline]
    fn push(&mut self, sum: u32, depth: u32, state: W) -> Result<(), OutOfMemory> {
        let index = (sum - self.base) as usize;
        while self.buckets.len() <= index {
            make_room(&mut self.buckets, &mut self.held)?;
            self.buckets.push_back(VecDeque::new());
        }
        let stacks = &mut self.buckets[index];
        match stacks.back_mut() {
            Some((greatest, stack)) if *greatest == depth => stack.push(state)?,
            _ => self.push_at_other_depth(index, depth, state)?,
        }
        self.least_bucket = self.least_bucket.min(index);
        self.len += 1;
        Ok(())
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, u32, W)> {
        while let Some(stacks) = self.buckets.get_mut(self.least_bucket) {
            if let Some((depth, stack)) = stacks.back_mut()
                && let Some(state) = stack.pop()
            {
                let next = (self.base + self.least_bucket as u32, *depth, state);
                if stack.is_empty()
                    && let Some((_, stack)) = stacks.pop_back()
                    && make_room(&mut self.empty_stacks, &mut self.held).is_ok()
                {
                    self.empty_stacks.push_back(stack);
                }
                self.len -= 1;
                return Some(next);
            }
            let bucket = std::mem::take(stacks);
            self.held.shrink(item_bytes(&bucket, bucket.capacity()));
            self.least_bucket += 1;
        }
        None
    }
}

/// Makes room for one more item.
#[inline]
fn make_room<T>(items: &mut VecDeque<T>, held: &mut Reservation) -> Result<(), OutOfMemory> {
    if items.len() < items.capacity() {
        return Ok(());
    }
    let more = items.len().max(4);
    held.grow(item_bytes(items, more))?;
    items.try_reserve_exact(more).map_err(|_| OutOfMemory)
}

/// The bytes that `count` items of the deque take.
fn item_bytes<T>(_: &VecDeque<T>, count: usize) -> u64 {
    (count * size_of::<T>()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_least_sum_then_greatest_depth_then_last_pushed() {
        let mut queue = BucketQueue::new(&Memory::unlimited());
        queue.start(5);
        for (sum, depth, state) in [(9, 4, 'a'), (5, 0, 'b'), (9, 7, 'c'), (7, 1, 'd'), (9, 4, 'e')]
        {
            queue.push(sum, depth, state).unwrap();
        }
        assert_eq!((queue.pop(), queue.pop()), (Some((5, 0, 'b')), Some((7, 1, 'd'))));
        queue.push(6, 3, 'f').unwrap();
        assert_eq!(queue.len(), 4);
        let mut all = Vec::new();
        queue.for_each(&mut |sum, depth, state| all.push((sum, depth, state)));
        let rest: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(rest, [(6, 3, 'f'), (9, 7, 'c'), (9, 4, 'e'), (9, 4, 'a')]);
        assert_eq!((queue.len(), all), (0, rest));
    }

    #[test]
    fn memory_does_not_grow_with_the_number_of_pops() {
        let memory = Memory::unlimited();
        let mut queue = BucketQueue::new(&memory);
        // One state is in the queue at a time, each with a different sum and depth.
        for depth in 0..10_000 {
            queue.push(depth, depth, 0u64).unwrap();
            assert_eq!(queue.pop(), Some((depth, depth, 0)));
        }
        assert!(memory.peak_bytes() < 1 << 20, "{}", memory.peak_bytes());
    }

    #[test]
    fn a_sum_far_above_the_base_is_out_of_memory() {
        let mut queue = BucketQueue::new(&Memory::with_limit(1 << 20));
        assert_eq!(queue.push(u32::MAX, 0, 'x'), Err(OutOfMemory));
    }
}
