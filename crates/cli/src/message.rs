//! What is told beside the answers, on standard error.

use std::fmt::Arguments;
use std::io::{self, BufWriter, Write};
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

/// Does what may write to the terminal.
pub(crate) fn aside<R>(write: impl FnOnce() -> R) -> R {
    match &*BAR.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Standard output, for answers of a run that tells its progress.
pub(crate) fn standard_output() -> BufWriter<impl Write> {
    BufWriter::new(Aside(io::stdout().lock()))
}

struct Aside<W>(W);

impl<W: Write> Write for Aside<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        aside(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        aside(|| self.0.flush())
    }
}

/// Writes a line, if anyone listens; in colours if it may have them.
pub(crate) fn message(text: Arguments<'_>) {
    let _ = aside(|| writeln!(anstream::stderr(), "{text}"));
}

/// The same for what `--quiet` leaves out.
pub(crate) fn note(text: Arguments<'_>) {
    if !is_quiet() {
        message(text);
    }
}
