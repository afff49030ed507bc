//! Spaces that ignore a break of `emit`.
//!
//! A break ends an expansion because a limit was reached or because the state that was looked for
//! is found. If a space calls `emit` again or does not return the break, that could get lost, and a
//! search would report a bound that it did not prove. So it panics.

use std::ops::ControlFlow;

use crate::budget::Limit;

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
        if std::mem::replace(&mut self.0, true) {
            ignored_break();
        }
    }

    /// Passes on what the space returns.
    #[inline(always)]
    pub(crate) fn end<B>(self, flow: ControlFlow<B>) -> ControlFlow<B> {
        if self.0 != flow.is_break() {
            ignored_break();
        }
        flow
    }
}

/// Calls `admit` for an emitted state, and breaks the expansion if it fails. `result` keeps the
/// failure; pass it to [`expanded`].
#[inline]
pub(crate) fn continue_if_ok(
    result: &mut Result<(), Limit>,
    admit: impl FnOnce() -> Result<(), Limit>,
) -> ControlFlow<()> {
    if result.is_err() {
        ignored_break();
    }
    *result = admit();
    if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// The result of an expansion with [`continue_if_ok`], from what the space returned.
#[inline]
pub(crate) fn expanded(flow: ControlFlow<()>, result: Result<(), Limit>) -> Result<(), Limit> {
    if result.is_err() != flow.is_break() {
        ignored_break();
    }
    result
}

#[cold]
#[inline(never)]
fn ignored_break() -> ! {
    panic!("invalid state space: it ignores that `emit` broke; follow each call of `emit` with `?`")
}
