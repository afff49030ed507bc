//! A word that is wider than those of the library: another crate can search it.

use std::array::from_fn as array;

use fewest_core::search::{Engine, Search};
use fewest_core::space::from_fn;
use fewest_core::{Word, compiled};

/// 576 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Wide([u64; 9]);

impl Word for Wide {
    const BITS: u32 = 9 * u64::BITS;
    const LIMB_BITS: u32 = u64::BITS;
    const BYTES: usize = 9 * u64::BYTES;
    const ZERO: Self = Self([0; 9]);

    fn bits(self, offset: u32, width: u32) -> u32 {
        self.0[(offset / 64) as usize].bits(offset % 64, width)
    }

    fn with_bits(mut self, offset: u32, width: u32, value: u32) -> Self {
        let limb = &mut self.0[(offset / 64) as usize];
        *limb = limb.with_bits(offset % 64, width, value);
        self
    }

    fn and(self, other: Self) -> Self {
        Self(array(|limb| self.0[limb] & other.0[limb]))
    }

    fn xor(self, other: Self) -> Self {
        Self(array(|limb| self.0[limb] ^ other.0[limb]))
    }

    fn write_le(self, bytes: &mut [u8]) {
        self.0.iter().zip(bytes.chunks_exact_mut(8)).for_each(|(limb, bytes)| limb.write_le(bytes));
    }

    fn read_le(bytes: &[u8]) -> Self {
        Self(array(|limb| u64::read_le(&bytes[8 * limb..])))
    }
}

compiled!(Wide);

/// From 1 to 100 by adding 1 or doubling, with the number in the last limb.
#[test]
fn a_word_of_another_crate_can_be_searched() {
    let number = |word: Wide| word.bits(544, 32);
    let with = |number| Wide::ZERO.with_bits(544, 32, number);
    let space = from_fn(
        [with(1)],
        |word| {
            let number = number(word);
            [number + 1, 2 * number].map(|next| (next, with(next)))
        },
        |word| number(word) == 100,
    );
    let outcome = Search::new(&space).engine(Engine::Bfs).unwrap().run();
    // 1, 2, 3, 6, 12, 24, 25, 50, 100
    assert_eq!(outcome.cost(), Some(8));
}
