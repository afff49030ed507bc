//! The open list of A*: a stack of states for each sum of depth and bound and, within it, for each
//! depth.

use std::collections::VecDeque;

use crate::memory::{Memory, OutOfMemory, Reservation, SegmentedVec};

/// Takes the least sum first, of equal sums the greatest depth, and of equal depths the state that
/// came last: always the same order. A state waits as a word and nothing more. What is held besides
/// grows with the range of the sums and with the depths that wait under each. A push looks for its
/// depth among those by halving, unless that is the greatest of them. A new depth moves those
/// beyond it, or those before it if they are fewer: mostly none, since depths come in rising or in
/// falling order.
#[derive(Debug)]
pub(crate) struct BucketQueue<W> {
    /// `buckets[i]` holds the states of sum `base + i`, by depth: the stacks that are not empty,
    /// the greatest depth last.
    buckets: VecDeque<VecDeque<(u32, SegmentedVec<W>)>>,
    base: u32,
    /// No bucket before this one holds a state.
    least: usize,
    len: u64,
    /// Stacks that were emptied, for other depths.
    pool: VecDeque<SegmentedVec<W>>,
    memory: Memory,
    /// For the lists of stacks.
    held: Reservation,
}

impl<W: Copy> BucketQueue<W> {
    /// An empty queue for sums from `base` up.
    pub(crate) fn new(base: u32, memory: &Memory) -> Self {
        let held = Reservation::none(memory);
        let (buckets, pool) = (VecDeque::new(), VecDeque::new());
        Self { buckets, base, least: 0, len: 0, pool, memory: memory.clone(), held }
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// `sum` must not be below the base.
    #[inline]
    pub(crate) fn push(&mut self, sum: u32, depth: u32, state: W) -> Result<(), OutOfMemory> {
        let number = (sum - self.base) as usize;
        while self.buckets.len() <= number {
            make_room(&mut self.buckets, &mut self.held)?;
            self.buckets.push_back(VecDeque::new());
        }
        let stacks = &mut self.buckets[number];
        match stacks.back_mut() {
            Some((greatest, stack)) if *greatest == depth => stack.push(state)?,
            _ => self.push_at_other_depth(number, depth, state)?,
        }
        self.least = self.least.min(number);
        self.len += 1;
        Ok(())
    }

    fn push_at_other_depth(
        &mut self,
        number: usize,
        depth: u32,
        state: W,
    ) -> Result<(), OutOfMemory> {
        let stacks = &mut self.buckets[number];
        match stacks.binary_search_by_key(&depth, |&(depth, _)| depth) {
            Ok(place) => stacks[place].1.push(state),
            Err(place) => {
                make_room(stacks, &mut self.held)?;
                let mut stack =
                    self.pool.pop_back().unwrap_or_else(|| SegmentedVec::new(&self.memory));
                stack.push(state)?;
                stacks.insert(place, (depth, stack));
                Ok(())
            }
        }
    }

    /// The next state, with its sum and its depth.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, u32, W)> {
        while let Some(stacks) = self.buckets.get_mut(self.least) {
            if let Some((depth, stack)) = stacks.back_mut()
                && let Some(state) = stack.pop()
            {
                let next = (self.base + self.least as u32, *depth, state);
                if stack.is_empty()
                    && let Some((_, stack)) = stacks.pop_back()
                    && make_room(&mut self.pool, &mut self.held).is_ok()
                {
                    self.pool.push_back(stack);
                }
                self.len -= 1;
                return Some(next);
            }
            let emptied = std::mem::take(stacks);
            self.held.shrink(bytes(&emptied, emptied.capacity()));
            self.least += 1;
        }
        None
    }
}

/// Makes room for one item more.
#[inline]
fn make_room<T>(items: &mut VecDeque<T>, held: &mut Reservation) -> Result<(), OutOfMemory> {
    if items.len() < items.capacity() {
        return Ok(());
    }
    let more = items.len().max(4);
    held.grow(bytes(items, more))?;
    items.try_reserve_exact(more).map_err(|_| OutOfMemory)
}

/// What so many places take.
fn bytes<T>(_: &VecDeque<T>, places: usize) -> u64 {
    (places * size_of::<T>()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_sum_comes_first_then_the_greatest_depth_then_the_last() {
        let mut queue = BucketQueue::new(5, &Memory::unlimited());
        for (sum, depth, state) in [(9, 4, 'a'), (5, 0, 'b'), (9, 7, 'c'), (7, 1, 'd'), (9, 4, 'e')]
        {
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
    fn it_takes_no_more_than_what_waits_and_the_range_of_the_sums() {
        let memory = Memory::unlimited();
        let mut queue = BucketQueue::new(0, &memory);
        // A walk: one state waits at a time, each under a sum and at a depth of its own.
        for depth in 0..10_000 {
            queue.push(depth, depth, 0u64).unwrap();
            assert_eq!(queue.pop(), Some((depth, depth, 0)));
        }
        assert!(memory.peak_bytes() < 1 << 20, "{}", memory.peak_bytes());
    }

    #[test]
    fn a_sum_that_is_too_far_is_out_of_memory() {
        let mut queue = BucketQueue::new(0, &Memory::with_limit(1 << 20));
        assert_eq!(queue.push(u32::MAX, 0, 'x'), Err(OutOfMemory));
    }
}
