//! What is told beside the answers, on standard error.

use std::fmt::Arguments;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether notes are wanted; as with colours, one choice for the whole program.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Leaves out all notes from now on.
pub(crate) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Writes a line, if anyone listens; in colours if it may have them.
pub(crate) fn message(text: Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// The same for what `--quiet` leaves out.
pub(crate) fn note(text: Arguments<'_>) {
    if !is_quiet() {
        message(text);
    }
}
