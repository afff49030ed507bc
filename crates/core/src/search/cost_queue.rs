//! The open list of searches by [cost](crate::space::cost): a stack for each sum of depth and
//! bound. Sums may be far apart, as those of pairs are.

use std::collections::BTreeMap;

use super::open_list::OpenList;
use crate::memory::{Memory, OutOfMemory, Reservation, SegmentedVec};

/// A priority queue of states. [`pop`](OpenList::pop) takes the least sum first, and of equal sums
/// the state that was pushed last.
///
/// A state takes `size_of::<(u32, W)>()` bytes, and a sum room for 64 states at least. Most pushes
/// find their stack among the last ones, and others in a tree.
#[derive(Debug)]
pub(crate) struct CostQueue<W> {
    /// The stack of each sum, as an index of `stacks`.
    sums: BTreeMap<u32, usize>,
    stacks: Vec<SegmentedVec<(u32, W)>>,
    /// The indices of empty stacks of no sum, which keep their first segments.
    unused: Vec<usize>,
    /// By [`slot_of`] the last sum, and the index of its stack.
    slots: [(u32, usize); SLOTS],
    len: u64,
    memory: Memory,
    /// The memory of the sums.
    held: Reservation,
}

/// More than there are sums of the same time where costs are small.
const SLOTS: usize = 64;
const NO_STACK: usize = usize::MAX;
/// What a sum takes beside its states, about: its place in the tree and in the lists, and the list
/// of its segments.
const SUM_BYTES: u64 = 256;

/// Neighbouring sums have slots of their own, and so the pairs near each other.
fn slot_of(sum: u32) -> usize {
    sum.wrapping_add(8 * (sum >> u16::BITS)) as usize % SLOTS
}

impl<W: Copy> CostQueue<W> {
    pub(crate) fn new(memory: &Memory) -> Self {
        Self {
            sums: BTreeMap::new(),
            stacks: Vec::new(),
            unused: Vec::new(),
            slots: [(0, NO_STACK); SLOTS],
            len: 0,
            memory: memory.clone(),
            held: Reservation::none(memory),
        }
    }

    /// The index of the stack of a sum.
    #[inline(never)]
    fn find(&mut self, sum: u32) -> Result<usize, OutOfMemory> {
        let index = match self.sums.get(&sum) {
            Some(&index) => index,
            None => {
                let index = match self.unused.pop() {
                    Some(index) => index,
                    None => {
                        self.held.grow(SUM_BYTES)?;
                        self.stacks.push(SegmentedVec::new(&self.memory));
                        self.stacks.len() - 1
                    }
                };
                self.sums.insert(sum, index);
                index
            }
        };
        self.slots[slot_of(sum)] = (sum, index);
        Ok(index)
    }
}

impl<W: Copy> OpenList<W> for CostQueue<W> {
    fn len(&self) -> u64 {
        self.len
    }

    fn free(&mut self) {
        *self = Self::new(&self.memory);
    }

    fn for_each(&self, visit: &mut dyn FnMut(u32, u32, W)) {
        for (&sum, &index) in &self.sums {
            self.stacks[index].iter().rev().for_each(|(depth, state)| visit(sum, depth, state));
        }
    }

    #[inline]
    fn push(&mut self, sum: u32, depth: u32, state: W) -> Result<(), OutOfMemory> {
        let (known, index) = self.slots[slot_of(sum)];
        let index = if known == sum && index != NO_STACK { index } else { self.find(sum)? };
        self.stacks[index].push((depth, state))?;
        self.len += 1;
        Ok(())
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, u32, W)> {
        while let Some((&sum, &index)) = self.sums.first_key_value() {
            if let Some((depth, state)) = self.stacks[index].pop() {
                self.len -= 1;
                return Some((sum, depth, state));
            }
            self.sums.pop_first();
            self.unused.push(index);
            let slot = &mut self.slots[slot_of(sum)];
            if slot.0 == sum {
                slot.1 = NO_STACK;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_least_sum_then_last_pushed() {
        let mut queue = CostQueue::new(&Memory::unlimited());
        let pair = |first: u32, then: u32| first << 16 | then;
        let sums = [u32::MAX, pair(2, 7), 9, 9, pair(2, 7), 73, 9 + 64, 3, pair(1, 1)];
        (0..).zip(sums).for_each(|(state, sum)| queue.push(sum, state, state).unwrap());
        assert_eq!((queue.len(), queue.pop()), (9, Some((3, 7, 7))));
        queue.push(4, 1, 20).unwrap();
        let mut all = Vec::new();
        queue.for_each(&mut |_, _, state| all.push(state));
        let states: Vec<u32> =
            std::iter::from_fn(|| queue.pop()).map(|(.., state)| state).collect();
        assert_eq!((&states[..], states == all), (&[20, 3, 2, 6, 5, 8, 4, 1, 0][..], true));
        queue.push(5, 0, 5).unwrap();
        assert_eq!((queue.pop(), queue.pop()), (Some((5, 0, 5)), None));
    }

    #[test]
    fn memory_does_not_grow_with_the_number_of_sums_that_are_over() {
        let memory = Memory::unlimited();
        let mut queue = CostQueue::new(&memory);
        for sum in (0..1_000_000).step_by(100) {
            queue.push(sum, sum, 0u64).unwrap();
            assert_eq!(queue.pop(), Some((sum, sum, 0)));
        }
        assert!(memory.peak_bytes() < 1 << 16, "{}", memory.peak_bytes());
    }
}
