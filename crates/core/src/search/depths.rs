//! The least depth at which A* has generated each state.

use crate::budget::Limit;
use crate::memory::{Block, Memory};
use crate::seam::SpaceView;
use crate::visited::Table;
use crate::word::Word;

/// The least depth at which each state was generated: the cost of a path to it from an initial
/// state.
pub trait Depths<W> {
    /// That of a state.
    fn get(&self, state: W) -> Option<u32>;

    /// Notes a state at a depth. Returns whether it is new, or was known at greater depths only.
    ///
    /// # Errors
    /// If the memory limit does not allow it, or the depth cannot be kept.
    fn lower(&mut self, state: W, depth: u32) -> Result<bool, Limit>;

    /// Calls `visit` with each state and its depth.
    fn for_each(&self, visit: &mut dyn FnMut(W, u32));
}

impl<W: Word> Depths<W> for Table<W, u32> {
    #[inline]
    fn get(&self, state: W) -> Option<u32> {
        self.get(state)
    }

    #[inline]
    fn lower(&mut self, state: W, depth: u32) -> Result<bool, Limit> {
        let (known, new) = self.entry(state, depth)?;
        if !new {
            if *known <= depth {
                return Ok(false);
            }
            *known = depth;
        }
        Ok(true)
    }

    fn for_each(&self, visit: &mut dyn FnMut(W, u32)) {
        self.iter().for_each(|(state, depth)| visit(state, depth));
    }
}

/// A depth for each rank: 4 bytes, whether its state was generated or not. A lookup takes one
/// access to memory and no hash.
pub(super) struct DepthArray<'s, W> {
    space: SpaceView<'s, W>,
    /// The complement of each depth; 0 for a state that was not generated.
    complements: Block<u32>,
}

/// More ranks take more than 64 MiB, of which a search with a good bound uses little.
const MOST_RANKS: u64 = 1 << 24;
/// The array may take this part of the memory limit.
const MEMORY_PART: u64 = 8;
/// The ranks for each state that the space expects: a table takes about as much as 4 ranks a state.
const RANKS_PER_STATE: u64 = 4;

impl<'s, W: Word> DepthArray<'s, W> {
    /// `None` if the search may not use ranks, or if a table takes less or too much is needed.
    pub(super) fn new(space: SpaceView<'s, W>, memory: &Memory) -> Option<Self> {
        let (ranks, expected) = (space.properties().ranks?, space.properties().expected_states);
        let is_sparse = expected > 0 && ranks > (expected as u64).saturating_mul(RANKS_PER_STATE);
        let is_large = ranks > MOST_RANKS || ranks * 4 > memory.limit_bytes() / MEMORY_PART;
        if is_sparse || is_large {
            return None;
        }
        let complements = Block::filled(0, ranks as usize, memory).ok()?;
        Some(Self { space, complements })
    }

    #[inline]
    fn rank(&self, state: W) -> usize {
        let mut ranks = [0];
        self.space.rank(&[state], &mut ranks);
        ranks[0] as usize
    }
}

impl<W: Word> Depths<W> for DepthArray<'_, W> {
    #[inline]
    fn get(&self, state: W) -> Option<u32> {
        // Predecessors that the start does not reach may have any rank.
        let complement = *self.complements.get(self.rank(state))?;
        (complement > 0).then_some(!complement)
    }

    #[inline]
    fn lower(&mut self, state: W, depth: u32) -> Result<bool, Limit> {
        let rank = self.rank(state);
        let complement = &mut self.complements[rank];
        let is_lower = *complement < !depth;
        if is_lower {
            *complement = !depth;
        } else if *complement == 0 {
            // The complement of the greatest depth says that the state is not known.
            return Err(Limit::Encoding);
        }
        Ok(is_lower)
    }

    fn for_each(&self, visit: &mut dyn FnMut(W, u32)) {
        for (rank, &complement) in (0..).zip(&*self.complements) {
            if complement > 0 {
                let mut state = [W::ZERO];
                self.space.unrank(&mut [rank], &mut state);
                visit(state[0], !complement);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seam::Erased;
    use crate::space::from_fn;

    #[test]
    fn an_array_and_a_table_keep_the_same_depths() {
        let numbers = from_fn([0_u32], |_| [((), 0)], |_| false).with_ranks(
            500,
            |state| 499 - u64::from(state),
            |rank| 499 - rank as u32,
        );
        let erased = Erased::new(&numbers).with_ranks();
        let memory = Memory::unlimited();
        let mut array = DepthArray::new(SpaceView::new(&erased), &memory).unwrap();
        let mut table = Table::new(&memory).unwrap();
        let (mut number, mut lowered) = (1_u32, 0);
        for _ in 0..20_000 {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (state, depth) = (number >> 8 & 0xff, number >> 20);
            let is_lower = array.lower(state, depth).unwrap();
            assert_eq!(table.lower(state, depth), Ok(is_lower));
            lowered += u32::from(is_lower);
        }
        assert!(lowered > 1000);
        let all = |depths: &dyn Depths<u32>| {
            let mut all = Vec::new();
            depths.for_each(&mut |state, depth| all.push((state, depth)));
            all.sort_unstable();
            all
        };
        assert_eq!(all(&array), all(&table));
        assert!((0..500).all(|state| Depths::get(&array, state) == table.get(state)));
        assert_eq!(array.lower(3, u32::MAX - 1), Ok(false));
        assert_eq!(array.lower(400, u32::MAX), Err(Limit::Encoding));
        assert_eq!(array.lower(3, u32::MAX), Ok(false));
    }

    #[test]
    fn many_ranks_take_no_array() {
        let numbers = from_fn([0_u32], |_| [((), 0)], |_| false).with_ranks(
            MOST_RANKS + 1,
            u64::from,
            |rank| rank as u32,
        );
        let erased = Erased::new(&numbers).with_ranks();
        assert!(DepthArray::new(SpaceView::new(&erased), &Memory::unlimited()).is_none());
        let numbers =
            from_fn([0_u32], |_| [((), 0)], |_| false)
                .with_ranks(1000, u64::from, |rank| rank as u32);
        let erased = Erased::new(&numbers).with_ranks();
        let has_array =
            |bytes| DepthArray::new(SpaceView::new(&erased), &Memory::with_limit(bytes)).is_some();
        assert_eq!([32_000, 31_000].map(has_array), [true, false]);
        let numbers = numbers.with_expected_states(200);
        let erased = Erased::new(&numbers).with_ranks();
        assert!(DepthArray::new(SpaceView::new(&erased), &Memory::unlimited()).is_none());
    }
}
