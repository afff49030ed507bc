//! Iteration over the set bits of a word.

/// Clears the lowest set bit of a word and returns its index; `None` if no bit is set.
#[inline]
pub(crate) fn take_lowest(bits: &mut u64) -> Option<usize> {
    let lowest = (*bits != 0).then_some(bits.trailing_zeros() as usize);
    *bits &= bits.wrapping_sub(1);
    lowest
}
