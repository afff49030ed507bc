//! The bits of a word, one after the other.

/// Takes the lowest bit that is set out of a word and returns its number; `None` if there is none.
#[inline]
pub(crate) fn take_lowest(bits: &mut u64) -> Option<usize> {
    let lowest = (*bits != 0).then_some(bits.trailing_zeros() as usize);
    *bits &= bits.wrapping_sub(1);
    lowest
}
