//! Standard output for answers that come one after the other: each is written soon after it is known, whatever else goes on.

use std::fmt;
use std::io::{self, BufWriter, Stdout, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::message::{aside, message};

/// How long an answer may wait before it is written. To write each by itself would take as long as to find it, where answers are
/// quick; and nobody sees the difference.
const SOON: Duration = Duration::from_millis(10);

pub(crate) struct Output {
    shared: Arc<Shared>,
    /// Whether there is no thread that flushes it, so that each answer has to.
    eager: bool,
}

struct Shared {
    state: Mutex<State>,
    /// Told when something waits.
    written: Condvar,
}

struct State {
    out: BufWriter<Stdout>,
    /// Whether something was written that is to be flushed soon.
    waits: bool,
    /// What came of a flush when nobody was there to be told.
    failed: Option<io::Error>,
}

impl Output {
    pub(crate) fn start() -> Self {
        let state = State { out: BufWriter::new(io::stdout()), waits: false, failed: None };
        let shared = Arc::new(Shared { state: Mutex::new(state), written: Condvar::new() });
        let flushed = Arc::clone(&shared);
        let flusher = thread::Builder::new().spawn(move || flushed.flush_for_ever());
        Self { shared, eager: flusher.is_err() }
    }

    /// Writes soon. What went wrong with what was written before is told here.
    pub(crate) fn write(&self, text: impl FnOnce(&mut BufWriter<Stdout>) -> io::Result<()>) -> io::Result<()> {
        let mut state = self.shared.lock();
        state.failed.take().map_or(Ok(()), Err)?;
        text(&mut state.out)?;
        if self.eager {
            return state.flush();
        }
        if !state.waits {
            state.waits = true;
            self.shared.written.notify_one();
        }
        Ok(())
    }

    /// Writes what is not written yet.
    pub(crate) fn flush(&self) -> io::Result<()> {
        self.shared.lock().flush()
    }

    /// Writes a line to standard error, behind the answers before it.
    pub(crate) fn message(&self, text: fmt::Arguments<'_>) {
        self.shared.lock().flush_unseen();
        message(text);
    }
}

impl Shared {
    /// A writer that panicked has left at worst a part of an answer.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn flush_for_ever(&self) {
        loop {
            drop(self.written.wait_while(self.lock(), |state| !state.waits));
            // The first is written at once, those that come while this sleeps together.
            self.lock().flush_unseen();
            thread::sleep(SOON);
        }
    }
}

impl State {
    fn flush(&mut self) -> io::Result<()> {
        self.waits = false;
        self.failed.take().map_or(Ok(()), Err).and_then(|()| aside(|| self.out.flush()))
    }

    /// Flushes, and keeps what came of it for whoever writes next.
    fn flush_unseen(&mut self) {
        self.failed = self.flush().err();
    }
}
