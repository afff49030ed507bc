//! What is told beside the answers, on standard error.

use std::fmt::Arguments;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;

/// What is wanted; as with colours, one choice for the whole program.
static QUIET: AtomicBool = AtomicBool::new(false);
static PROGRESS: AtomicBool = AtomicBool::new(false);

/// The line of a terminal that is drawn again and again, and has to give way to others.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// From now on leaves out notes, or has progress told where it would not be.
pub(crate) fn settle(quiet: bool, progress: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
    PROGRESS.store(progress, Ordering::Relaxed);
}

pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

pub(crate) fn wants_progress() -> bool {
    PROGRESS.load(Ordering::Relaxed)
}

/// There is such a line from now on, or none.
pub(crate) fn draw_beside(bar: Option<ProgressBar>) {
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = bar;
}

/// Does what may write to the terminal, and whether there is such a line beside it.
pub(crate) fn aside<R>(write: impl FnOnce(bool) -> R) -> R {
    match &*BAR.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(bar) => bar.suspend(|| write(true)),
        None => write(false),
    }
}

/// Writes a line, if anyone listens; in colours if it may have them.
pub(crate) fn message(text: Arguments<'_>) {
    let _ = aside(|_| writeln!(anstream::stderr(), "{text}"));
}

/// The same for what `--quiet` leaves out.
pub(crate) fn note(text: Arguments<'_>) {
    if !is_quiet() {
        message(text);
    }
}
