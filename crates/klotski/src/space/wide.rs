//! Bits of boards with more than 128 cells, or of states with more than 128 bits.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use super::general::Bits;

const LIMBS: usize = 6;
/// The limbs of a state.
const STATE_LIMBS: usize = 3;

/// 384 bits, of which a state may have the lowest 192: bit `i` is bit `i % 64` of limb `i / 64`.
/// The searches of states of 192 bits are compiled in core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide([u64; LIMBS]);

/// Applies an operation to each pair of limbs.
macro_rules! by_limb {
    ($($trait:ident $method:ident $op:tt),*) => {$(
        impl $trait for Wide {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|limb| self.0[limb] $op other.0[limb]))
            }
        }
    )*};
}

by_limb!(BitAnd bitand &, BitOr bitor |, BitXor bitxor ^);

impl Not for Wide {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|limb| !limb))
    }
}

impl Shl<u32> for Wide {
    type Output = Self;

    #[inline]
    fn shl(self, count: u32) -> Self {
        let (limbs, bits) = ((count / 64) as usize, count % 64);
        let limb = |at: usize| at.checked_sub(limbs).map_or(0, |from| self.0[from]);
        // Two shifts, since a shift of a limb by 64 is not defined.
        let carried =
            |at: usize| at.checked_sub(1).map_or(0, |below| limb(below) >> 1 >> (63 - bits));
        Self(std::array::from_fn(|at| limb(at) << bits | carried(at)))
    }
}

impl Shr<u32> for Wide {
    type Output = Self;

    #[inline]
    fn shr(self, count: u32) -> Self {
        let (limbs, bits) = ((count / 64) as usize, count % 64);
        let limb = |at: usize| self.0.get(at + limbs).copied().unwrap_or(0);
        Self(std::array::from_fn(|at| limb(at) >> bits | limb(at + 1) << 1 << (63 - bits)))
    }
}

impl From<u16> for Wide {
    #[inline]
    fn from(low: u16) -> Self {
        let mut bits = Self::ZERO;
        bits.0[0] = low.into();
        bits
    }
}

impl Bits for Wide {
    type State = [u64; STATE_LIMBS];

    const BITS: u32 = 64 * LIMBS as u32;
    const ZERO: Self = Self([0; LIMBS]);

    #[inline]
    fn of_state(state: [u64; STATE_LIMBS]) -> Self {
        Self(std::array::from_fn(|limb| state.get(limb).copied().unwrap_or(0)))
    }

    #[inline]
    fn to_state(self) -> [u64; STATE_LIMBS] {
        std::array::from_fn(|limb| self.0[limb])
    }

    #[inline]
    fn lowest(self) -> u32 {
        let first = self.0.iter().position(|&limb| limb != 0);
        first.map_or(Self::BITS, |limb| 64 * limb as u32 + self.0[limb].trailing_zeros())
    }

    #[inline]
    fn low_bits(self) -> u16 {
        self.0[0] as u16
    }

    #[inline]
    fn without_lowest(mut self) -> Self {
        if let Some(limb) = self.0.iter_mut().find(|limb| **limb != 0) {
            *limb &= *limb - 1;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The bits that are set.
    fn ones(word: Wide) -> Vec<usize> {
        (0..384).filter(|bit| word.0[bit / 64] >> (bit % 64) & 1 == 1).collect()
    }

    proptest! {
        #[test]
        fn bits_are_shifted_and_combined_as_lists_of_bits(
            one in prop::array::uniform6(any::<u64>()),
            other in prop::array::uniform6(any::<u64>()),
            count in 0usize..384,
        ) {
            let (one, other) = (Wide(one), Wide(other));
            let of_one = ones(one);
            let shifted = of_one.iter().map(|bit| bit + count).filter(|bit| *bit < 384);
            prop_assert_eq!(ones(one << count as u32), shifted.collect::<Vec<_>>());
            let shifted = of_one.iter().filter_map(|bit| bit.checked_sub(count));
            prop_assert_eq!(ones(one >> count as u32), shifted.collect::<Vec<_>>());
            prop_assert_eq!(one.ones().collect::<Vec<_>>(), of_one.clone());
            let is_in = |word: Wide, bit: usize| ones(word).contains(&bit);
            for bit in [0, 63, 64, count, 383] {
                prop_assert_eq!(is_in(one & other, bit), is_in(one, bit) && is_in(other, bit));
                prop_assert_eq!(is_in(one | other, bit), is_in(one, bit) || is_in(other, bit));
                prop_assert_eq!(is_in(one ^ other, bit), is_in(one, bit) != is_in(other, bit));
                prop_assert_eq!(is_in(!one, bit), !is_in(one, bit));
            }
            prop_assert_eq!(one.lowest(), of_one.first().map_or(384, |&bit| bit as u32));
            prop_assert_eq!(Wide::ZERO.lowest(), 384);
        }
    }
}
