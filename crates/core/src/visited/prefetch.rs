//! A hint to the processor that memory will be read soon.

/// Prefetches the cache line with the first byte of `item`. It has no other effect, and none at all
/// on architectures for which stable Rust has no such hint.
#[inline(always)]
pub(crate) fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "the hint takes a raw pointer")]
    // SAFETY: a prefetch of any address is allowed and has no observable effect, and every x86-64
    // processor has SSE.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}
