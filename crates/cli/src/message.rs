//! Messages on standard error.

use std::fmt::Arguments;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;

use crate::visible::visible;

/// The settings of the process, as `--quiet` and `--progress` give them.
static QUIET: AtomicBool = AtomicBool::new(false);
static PROGRESS: AtomicBool = AtomicBool::new(false);

/// Whether another process writes the answers and the files.
static WRITES_NO_ANSWERS: AtomicBool = AtomicBool::new(false);
/// Whether another process writes the messages, too.
static SILENT: AtomicBool = AtomicBool::new(false);

/// The progress bar on the terminal, if there is one. It has to be hidden while other lines are
/// written.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Sets `--quiet` and `--progress` for the whole process.
pub(crate) fn configure(quiet: bool, progress: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
    PROGRESS.store(progress, Ordering::Relaxed);
}

pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

pub(crate) fn wants_progress() -> bool {
    PROGRESS.load(Ordering::Relaxed)
}

/// Stops this process from writing standard output and files: process 0 does it.
pub(crate) fn write_no_answers() {
    WRITES_NO_ANSWERS.store(true, Ordering::Relaxed);
}

pub(crate) fn writes_no_answers() -> bool {
    WRITES_NO_ANSWERS.load(Ordering::Relaxed)
}

/// Stops all output of this process, including standard error.
#[cfg(feature = "cluster")]
pub(crate) fn silence() {
    write_no_answers();
    SILENT.store(true, Ordering::Relaxed);
}

/// Enables messages again, for example because process 0 is lost.
#[cfg(feature = "cluster")]
pub(crate) fn unsilence() {
    SILENT.store(false, Ordering::Relaxed);
}

/// Sets or removes the progress bar.
pub(crate) fn set_bar(bar: Option<ProgressBar>) {
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = bar;
}

/// Calls `write` while the progress bar is hidden. The argument of `write` is whether there is a
/// bar.
pub(crate) fn with_bar_suspended<R>(write: impl FnOnce(bool) -> R) -> R {
    match &*BAR.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(bar) => bar.suspend(|| write(true)),
        None => write(false),
    }
}

/// Writes a line to standard error, with colours if they are enabled. Ignores write errors.
pub(crate) fn message(text: Arguments<'_>) {
    if !SILENT.load(Ordering::Relaxed) {
        message_even_if_silenced(text);
    }
}

/// As [`message`], even if this process is [silenced](silence).
pub(crate) fn message_even_if_silenced(text: Arguments<'_>) {
    let text = text.to_string();
    let text = if std::io::stderr().is_terminal() { visible(&text) } else { text };
    let _ = with_bar_suspended(|_| writeln!(anstream::stderr(), "{text}"));
}

/// Writes a line to standard error unless `--quiet` is set.
pub(crate) fn note(text: Arguments<'_>) {
    if !is_quiet() {
        message(text);
    }
}
