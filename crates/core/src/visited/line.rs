//! A line of slots: as many as fit a line of the cache, filled from the first to the last, the
//! clear word in those that are empty.

#[cfg(target_arch = "x86_64")]
use std::any::TypeId;

use crate::word::Word;

/// Slots in a line for states of type `W`.
pub(super) const fn slots<W>() -> usize {
    if size_of::<W>() > 32 { 1 } else { 64 / size_of::<W>() }
}

/// The first slot of a line that holds `state` or is empty; `None` if there is neither.
#[inline(always)]
pub(super) fn find<W: Word>(line: &[W], state: W) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if TypeId::of::<W>() == TypeId::of::<u64>() || TypeId::of::<W>() == TypeId::of::<u32>() {
        return sse2::find(line, state);
    }
    line.iter().position(|&slot| slot == state || slot == W::ZERO)
}

/// All slots of a line are compared at once: at which one to stop cannot be guessed, and a wrong
/// guess costs more than the whole comparison.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "vector instructions, all of them part of every x86-64")]
mod sse2 {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16,
        _mm_packs_epi32, _mm_set1_epi32, _mm_set1_epi64x, _mm_setzero_si128,
    };

    /// For `u32` and `u64`, and for nothing else.
    #[inline(always)]
    pub(super) fn find<W: Copy>(line: &[W], state: W) -> Option<usize> {
        assert!(size_of_val(line) == 64);
        let line = line.as_ptr().cast();
        // SAFETY: the line is 64 bytes of integers of 4 or 8 bytes, and `state` is one of these.
        unsafe {
            if size_of::<W>() == 4 {
                let wanted = _mm_set1_epi32(std::mem::transmute_copy(&state));
                first(equal(line, wanted) | equal(line, _mm_setzero_si128()))
            } else {
                let wanted = _mm_set1_epi64x(std::mem::transmute_copy(&state));
                let both = |halves: u32| halves & halves >> 1 & 0x5555;
                first(both(equal(line, wanted)) | both(equal(line, _mm_setzero_si128())))
                    .map(|half| half / 2)
            }
        }
    }

    #[inline(always)]
    fn first(found: u32) -> Option<usize> {
        (found != 0).then(|| found.trailing_zeros() as usize)
    }

    /// Of each of the 16 times 32 bits in 64 bytes, whether they are those of `wanted`.
    #[inline(always)]
    unsafe fn equal(line: *const __m128i, wanted: __m128i) -> u32 {
        // SAFETY: the caller has 64 bytes there; loading needs no alignment.
        let quarter = |i: usize| unsafe { _mm_cmpeq_epi32(_mm_loadu_si128(line.add(i)), wanted) };
        // SAFETY: every x86-64 has these instructions.
        unsafe {
            let halves =
                (_mm_packs_epi32(quarter(0), quarter(1)), _mm_packs_epi32(quarter(2), quarter(3)));
            _mm_movemask_epi8(_mm_packs_epi16(halves.0, halves.1)) as u32
        }
    }
}
