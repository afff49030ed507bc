//! Packed states: words of fixed size with a documented byte layout.

use std::fmt::Debug;
use std::hash::Hash;

#[doc(hidden)]
pub use crate::search::compiled::{SearchedWord, SearchesByCost};

/// A packed state: `u8`, `u16`, `u32`, `u64`, `u128`, or `[u64; N]` for wider states, with `N` up
/// to 8. Take `u32`, `u64`, `u128` or `[u64; 3]`: this crate has the layered searches of these
/// [compiled](crate::search::compiled), and a crate that searches another one compiles them itself.
/// A crate with other words implements this trait for a type of its own, and calls
/// [`compiled!`](crate::compiled).
///
/// - **Order.** Searches choose among equally short plans by the order of words, so the order is
///   part of the contract. Integers compare as numbers, arrays compare limb by limb from limb 0.
/// - **Bytes.** Integers are little-endian. An array is its limbs from limb 0, each little-endian.
/// - **Bits.** Bit 0 is the least significant bit. Bit `i` of an array is bit `i % 64` of limb
///   `i / 64`.
///
/// ```
/// use fewest_core::Word;
/// let mut bytes = [0; 16];
/// [0x0102_u64, 3].write_le(&mut bytes);
/// assert_eq!(bytes, [2, 1, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]);
/// assert_eq!(<[u64; 2]>::read_le(&bytes), [0x0102, 3]);
/// ```
pub trait Word: SearchedWord + Copy + Ord + Hash + Debug + Send + Sync + 'static {
    /// The number of bits of the word.
    const BITS: u32;
    /// The number of bits of a limb: all of them for an integer, 64 for an array.
    const LIMB_BITS: u32;
    /// The number of bytes of the word.
    const BYTES: usize;
    /// The word with all bits clear.
    const ZERO: Self;

    /// The `width` bits from bit `offset` upward. `width` must be at most 32, and all bits must be
    /// in one limb.
    fn bits(self, offset: u32, width: u32) -> u32;
    /// The word with the `width` bits from bit `offset` upward replaced by `value`, which must be
    /// below `2^width`. The conditions of [`bits`](Self::bits) apply.
    #[must_use]
    fn with_bits(self, offset: u32, width: u32, value: u32) -> Self;
    /// The lowest 64 bits of the word, or all if it has fewer.
    #[inline]
    fn low_bits(self) -> u64 {
        let low = u64::from(self.bits(0, Self::LIMB_BITS.min(32)));
        if Self::LIMB_BITS <= 32 { low } else { low | u64::from(self.bits(32, 32)) << 32 }
    }
    /// Bitwise AND.
    #[must_use]
    fn and(self, other: Self) -> Self;
    /// Bitwise XOR.
    #[must_use]
    fn xor(self, other: Self) -> Self;
    /// Writes the word to the first [`BYTES`](Self::BYTES) bytes of `bytes`.
    ///
    /// # Panics
    /// If `bytes` is shorter than [`BYTES`](Self::BYTES).
    fn write_le(self, bytes: &mut [u8]);
    /// Reads a word that [`write_le`](Self::write_le) wrote.
    ///
    /// # Panics
    /// If `bytes` is shorter than [`BYTES`](Self::BYTES).
    fn read_le(bytes: &[u8]) -> Self;
}

/// A hash whose definition does not change, so that processes on different machines can rely on it,
/// and whose sum over many words is a test of which words they are.
#[inline]
pub(crate) fn fixed_hash<W: Word>(word: W) -> u64 {
    (0..W::BITS).step_by(64).fold(0, |hash, at| {
        let low = u64::from(word.bits(at, (W::BITS - at).min(32)));
        let high = if W::BITS - at > 32 { u64::from(word.bits(at + 32, 32)) } else { 0 };
        mixed(hash ^ (low | high << 32))
    })
}

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
#[inline]
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

macro_rules! integer_word {
    ($($int:ty),*) => {$(
        impl Word for $int {
            const BITS: u32 = <$int>::BITS;
            const LIMB_BITS: u32 = <$int>::BITS;
            const BYTES: usize = size_of::<$int>();
            const ZERO: Self = 0;

            #[inline]
            fn bits(self, offset: u32, width: u32) -> u32 {
                ((self >> offset) as u64 & ((1u64 << width) - 1)) as u32
            }

            #[inline]
            fn with_bits(self, offset: u32, width: u32, value: u32) -> Self {
                let mask = (((1u64 << width) - 1) as $int) << offset;
                (self & !mask) | ((value as $int) << offset)
            }

            #[inline]
            fn and(self, other: Self) -> Self {
                self & other
            }

            #[inline]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }

            fn write_le(self, bytes: &mut [u8]) {
                bytes[..Self::BYTES].copy_from_slice(&self.to_le_bytes());
            }

            fn read_le(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$int>()];
                own.copy_from_slice(&bytes[..Self::BYTES]);
                Self::from_le_bytes(own)
            }
        }
    )*};
}

integer_word!(u8, u16, u32, u64, u128);

impl<const N: usize> Word for [u64; N]
where
    [u64; N]: SearchedWord,
{
    const BITS: u32 = 64 * N as u32;
    const LIMB_BITS: u32 = 64;
    const BYTES: usize = 8 * N;
    const ZERO: Self = [0; N];

    #[inline]
    fn bits(self, offset: u32, width: u32) -> u32 {
        self[offset as usize / 64].bits(offset % 64, width)
    }

    #[inline]
    fn with_bits(mut self, offset: u32, width: u32, value: u32) -> Self {
        let limb = &mut self[offset as usize / 64];
        *limb = limb.with_bits(offset % 64, width, value);
        self
    }

    #[inline]
    fn and(self, other: Self) -> Self {
        std::array::from_fn(|limb| self[limb] & other[limb])
    }

    #[inline]
    fn xor(self, other: Self) -> Self {
        std::array::from_fn(|limb| self[limb] ^ other[limb])
    }

    fn write_le(self, bytes: &mut [u8]) {
        for (limb, bytes) in self.iter().zip(bytes[..Self::BYTES].chunks_exact_mut(8)) {
            limb.write_le(bytes);
        }
    }

    fn read_le(bytes: &[u8]) -> Self {
        std::array::from_fn(|limb| u64::read_le(&bytes[8 * limb..8 * limb + 8]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fixed_hash_is_as_published() {
        // The first number of SplitMix64 with the seed 0.
        assert_eq!(fixed_hash(0_u64), 0xE220_A839_7B1D_CDAF);
        assert_eq!(fixed_hash(0_u8), fixed_hash(0_u64));
        assert_eq!(fixed_hash(7_u128), fixed_hash([7_u64, 0]));
        assert_ne!(fixed_hash([7_u64, 0]), fixed_hash([0_u64, 7]));
    }
}
