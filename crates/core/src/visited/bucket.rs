//! Buckets of slots. A bucket fills one cache line. Its slots are filled from first to last, and an
//! empty slot holds the clear word.

#[cfg(target_arch = "x86_64")]
use std::any::TypeId;

use crate::word::Word;

/// The number of slots per bucket for states of type `W`.
pub(super) const fn slots_per_bucket<W>() -> usize {
    if size_of::<W>() > 32 { 1 } else { 64 / size_of::<W>() }
}

/// The first slot of a bucket that holds `state` or is empty; `None` if there is none.
#[inline(always)]
pub(super) fn find<W: Word>(bucket: &[W], state: W) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if TypeId::of::<W>() == TypeId::of::<u64>() || TypeId::of::<W>() == TypeId::of::<u32>() {
        return sse2::find(bucket, state);
    }
    bucket.iter().position(|&slot| slot == state || slot == W::ZERO)
}

/// Compares all slots of a bucket at once. A loop over the slots ends at an unpredictable slot, and
/// a misprediction costs more than the whole comparison.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "vector instructions that every x86-64 processor has")]
mod sse2 {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16,
        _mm_packs_epi32, _mm_set1_epi32, _mm_set1_epi64x, _mm_setzero_si128,
    };

    /// `W` must be `u32` or `u64`.
    #[inline(always)]
    pub(super) fn find<W: Copy>(bucket: &[W], state: W) -> Option<usize> {
        assert!(size_of_val(bucket) == 64);
        let bucket = bucket.as_ptr().cast();
        // SAFETY: the bucket is 64 bytes of integers of 4 or 8 bytes, and `state` is one of these.
        unsafe {
            if size_of::<W>() == 4 {
                let pattern = _mm_set1_epi32(std::mem::transmute_copy(&state));
                lowest(equal_lanes(bucket, pattern) | equal_lanes(bucket, _mm_setzero_si128()))
            } else {
                let pattern = _mm_set1_epi64x(std::mem::transmute_copy(&state));
                let both = |halves: u32| halves & halves >> 1 & 0x5555;
                let equal = both(equal_lanes(bucket, pattern));
                let empty = both(equal_lanes(bucket, _mm_setzero_si128()));
                lowest(equal | empty).map(|half| half / 2)
            }
        }
    }

    /// The index of the lowest set bit.
    #[inline(always)]
    fn lowest(mask: u32) -> Option<usize> {
        (mask != 0).then(|| mask.trailing_zeros() as usize)
    }

    /// A mask with bit `i` set if and only if 32-bit lane `i` of the 16 lanes in 64 bytes equals
    /// the lane `i % 4` of `pattern`.
    #[inline(always)]
    unsafe fn equal_lanes(bucket: *const __m128i, pattern: __m128i) -> u32 {
        // SAFETY: the caller guarantees 64 readable bytes; the load needs no alignment.
        let quarter =
            |i: usize| unsafe { _mm_cmpeq_epi32(_mm_loadu_si128(bucket.add(i)), pattern) };
        // SAFETY: every x86-64 processor has these instructions.
        unsafe {
            let halves =
                (_mm_packs_epi32(quarter(0), quarter(1)), _mm_packs_epi32(quarter(2), quarter(3)));
            _mm_movemask_epi8(_mm_packs_epi16(halves.0, halves.1)) as u32
        }
    }
}
