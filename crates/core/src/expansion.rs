//! Spaces that ignore a break of `emit`.
//!
//! A break ends an expansion because a limit was reached or because the state that was looked for
//! is found. If a space calls `emit` again or does not return the break, that could get lost, and a
//! search would report a bound that it did not prove. So it panics.

use std::ops::ControlFlow;

use crate::limit::Limit;

pub(crate) const IGNORED_BREAK: &str =
    "invalid state space: it ignores that `emit` broke; follow each call of `emit` with `?`";

/// Watches the breaks of one expansion. An expansion without a break costs one comparison.
#[derive(Default)]
pub(crate) struct Breaks(bool);

impl Breaks {
    /// Passes on what `emit` returns.
    #[inline(always)]
    pub(crate) fn pass<B>(&mut self, flow: ControlFlow<B>) -> ControlFlow<B> {
        if flow.is_break() {
            self.note();
        }
        flow
    }

    #[cold]
    fn note(&mut self) {
        assert!(!std::mem::replace(&mut self.0, true), "{IGNORED_BREAK}");
    }

    /// Passes on what the space returns.
    #[inline(always)]
    pub(crate) fn end<B>(self, flow: ControlFlow<B>) -> ControlFlow<B> {
        assert!(self.0 == flow.is_break(), "{IGNORED_BREAK}");
        flow
    }
}

/// Calls `admit` for an emitted state, and breaks the expansion if it fails. `result` keeps the
/// failure; pass it to [`expanded`].
#[inline]
pub(crate) fn continue_if_ok<E>(
    result: &mut Result<(), E>,
    admit: impl FnOnce() -> Result<(), E>,
) -> ControlFlow<()> {
    assert!(result.is_ok(), "{IGNORED_BREAK}");
    *result = admit();
    if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// The result of an expansion with [`continue_if_ok`], from what the space returned.
#[inline]
pub(crate) fn expanded(flow: ControlFlow<()>, result: Result<(), Limit>) -> Result<(), Limit> {
    assert!(result.is_err() == flow.is_break(), "{IGNORED_BREAK}");
    result
}
