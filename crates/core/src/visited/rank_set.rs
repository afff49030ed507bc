//! A set of ranks: a hash table that becomes a bit for each rank.

use super::dense_bits::DenseBits;
use super::{Adaptive, Visited};
use crate::memory::{Memory, OutOfMemory};
use crate::representation::{SPARSITY, begins_with_bits};
use crate::seam::Properties;
use crate::word::Word;

/// A [visited set](Visited) of ranks, for a space of which the number of states that are generated
/// is not known.
///
/// - **Layout.** While it has few of the ranks, an [`Adaptive`] set of them; from one in 128 on, a
///   bit for each rank. The bits are there from the start if they take at most 4 MiB and an eighth
///   of the memory limit, or if the space [expects](crate::StateSpace::expected_states) one rank in
///   128 and they take at most half of the limit.
/// - **Memory.** At most `n / 8` bytes for `n` ranks once they are bits; before, at most twice as
///   much, and as `Adaptive`. The table stays if the bits would take more than half of the memory
///   that a limit leaves.
/// - **Time.** An insertion into bits reads and writes one 64-bit integer.
#[derive(Debug)]
pub struct RankSet {
    form: Form,
    /// The number of ranks of the space.
    ranks: u64,
    memory: Memory,
}

#[derive(Debug)]
enum Form {
    /// With the number of ranks in it.
    Few(Adaptive<u64>, u64),
    Bits(DenseBits),
}

impl RankSet {
    /// An empty set of ranks in `0..ranks`, of bits if `bits` is true and they fit.
    #[inline(never)]
    pub(crate) fn with_ranks(ranks: u64, bits: bool, memory: &Memory) -> Result<Self, OutOfMemory> {
        let dense = if bits { DenseBits::with_ranks(ranks, memory).ok() } else { None };
        let form = match dense {
            Some(bits) => Form::Bits(bits),
            None => Form::Few(Adaptive::of_width(ranks.max(2).ilog2() + 1, memory)?, 0),
        };
        Ok(Self { form, ranks, memory: memory.clone() })
    }

    /// Whether a set of this space begins with bits.
    pub(crate) fn begins_with_bits(properties: &Properties, memory: &Memory) -> bool {
        begins_with_bits(
            properties.ranks.unwrap_or(0),
            properties.expected_states,
            memory.limit_bytes(),
        )
    }

    /// Becomes bits, if they fit.
    #[cold]
    fn become_bits(&mut self) {
        let left = self.memory.limit_bytes().saturating_sub(self.memory.held_bytes());
        if let Form::Few(few, _) = &self.form
            && self.ranks / 8 <= left / 2
            && let Ok(mut bits) = DenseBits::with_ranks(self.ranks, &self.memory)
        {
            few.for_each(&mut |rank| bits.add(rank));
            self.form = Form::Bits(bits);
        }
    }
}

impl<W: Word> Visited<W> for RankSet {
    const BY_RANK: bool = true;

    fn new(properties: &Properties, memory: &Memory) -> Result<Self, OutOfMemory> {
        let ranks = properties.ranks.ok_or(OutOfMemory)?;
        Self::with_ranks(ranks, Self::begins_with_bits(properties, memory), memory)
    }

    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        if let Form::Few(_, count) = self.form
            && (count + states as u64).saturating_mul(SPARSITY) >= self.ranks
        {
            self.become_bits();
        }
        match &mut self.form {
            Form::Few(few, _) => few.make_room(states),
            Form::Bits(_) => Ok(()),
        }
    }

    #[inline]
    fn insert_all(&mut self, _: &[W], ranks: &[u64], new: &mut [u32]) -> usize {
        match &mut self.form {
            Form::Few(few, count) => {
                let added = few.insert_all(ranks, &[], new);
                *count += added as u64;
                added
            }
            Form::Bits(bits) => bits.insert_all(ranks, new),
        }
    }

    fn forget(&mut self) {
        if let Form::Few(few, count) = &mut self.form {
            few.forget();
            *count = 0;
        }
    }

    #[inline]
    fn contains(&self, _: W, rank: u64) -> bool {
        match &self.form {
            Form::Few(few, _) => few.contains(rank, 0),
            Form::Bits(bits) => bits.contains(rank),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn insert(set: &mut RankSet, ranks: &[u64]) -> Result<Vec<u64>, OutOfMemory> {
        Visited::<u64>::make_room(set, ranks.len())?;
        let mut new = vec![0; ranks.len()];
        let count = Visited::<u64>::insert_all(set, &[], ranks, &mut new);
        Ok(new[..count].iter().map(|&index| ranks[index as usize]).collect())
    }

    fn contains(set: &RankSet, rank: u64) -> bool {
        Visited::<u64>::contains(set, 0, rank)
    }

    proptest! {
        #[test]
        fn it_is_a_set(
            bits: bool,
            ranks in prop::collection::vec(0_u64..40_000, 0..1000),
            batch in 1_usize..300,
        ) {
            let memory = Memory::unlimited();
            let mut set = RankSet::with_ranks(40_000, bits, &memory).unwrap();
            let mut known = BTreeSet::new();
            let mut becomes_bits = bits;
            for batch in ranks.chunks(batch) {
                becomes_bits |= 128 * (known.len() + batch.len()) >= 40_000;
                let expected: Vec<_> = batch.iter().copied().filter(|&r| known.insert(r)).collect();
                prop_assert_eq!(insert(&mut set, batch).unwrap(), expected);
            }
            prop_assert!((0..40_000).all(|rank| contains(&set, rank) == known.contains(&rank)));
            prop_assert_eq!(matches!(set.form, Form::Bits(_)), becomes_bits);
            drop(set);
            prop_assert_eq!(memory.held_bytes(), 0);
        }
    }

    /// Ranks that are spread over all of `0..2^37`.
    fn rank(index: u64) -> u64 {
        index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 27
    }

    #[test]
    fn a_large_table_becomes_bits() {
        let mut set = RankSet::with_ranks(1 << 37, false, &Memory::unlimited()).unwrap();
        let all: Vec<_> = (0..700_000).map(rank).collect();
        for batch in all.chunks(250) {
            assert_eq!(insert(&mut set, batch).unwrap(), batch);
        }
        assert!(matches!(set.form, Form::Few(_, 700_000)));
        assert!(all.iter().all(|&rank| contains(&set, rank)));
        let memory = Memory::unlimited();
        // Becomes bits with more states than linear probing takes.
        let mut set = RankSet::with_ranks(1 << 27, false, &memory).unwrap();
        let rank = |index: u64| index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 37;
        let (mut known, mut held) = (BTreeSet::new(), 0);
        for first in (0..1_100_000).step_by(250) {
            let ranks: Vec<_> = (first..first + 250).map(rank).collect();
            let expected: Vec<_> = ranks.iter().copied().filter(|&r| known.insert(r)).collect();
            assert_eq!(insert(&mut set, &ranks).unwrap(), expected);
            if matches!(set.form, Form::Few(..)) {
                held = memory.held_bytes();
            }
        }
        assert!(matches!(set.form, Form::Bits(_)) && held < 8 << 20, "{held}");
        assert!((0..1_100_000).map(rank).all(|rank| contains(&set, rank)));
        assert!((0..1000).all(|rank| contains(&set, rank) == known.contains(&rank)));
    }

    #[test]
    fn the_table_stays_if_bits_do_not_fit() {
        let memory = Memory::with_limit(8 << 20);
        let mut set = RankSet::with_ranks(1 << 26, false, &memory).unwrap();
        let batch = |index: u64| (0..100).map(|i| (100 * index + i) << 3).collect::<Vec<_>>();
        let inserted = (0..5300).take_while(|&index| insert(&mut set, &batch(index)).is_ok());
        let inserted = inserted.count() as u64;
        assert!(inserted > 5250, "{inserted}");
        assert!(matches!(set.form, Form::Few(..)));
        assert!(memory.peak_bytes() <= 8 << 20);
        assert!((0..inserted).flat_map(batch).all(|rank| contains(&set, rank)));
    }

    #[test]
    fn what_is_forgotten_does_not_count() {
        let memory = Memory::unlimited();
        let mut set = RankSet::with_ranks(1 << 20, false, &memory).unwrap();
        for first in (0..100_000).step_by(1000) {
            insert(&mut set, &(first..first + 1000).collect::<Vec<_>>()).unwrap();
            Visited::<u64>::forget(&mut set);
            assert!(matches!(set.form, Form::Few(_, 0)));
        }
    }
}
