//! A hint to the processor that something will be read soon.

/// Asks for the cache line that `item` begins in; costs nothing but the instruction, and changes
/// nothing. Does nothing on processors for which stable Rust has no such hint.
#[inline(always)]
pub(crate) fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "the hint takes a raw pointer")]
    // SAFETY: prefetching reads nothing; it may be given any address at all, and SSE is part of
    // x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}
