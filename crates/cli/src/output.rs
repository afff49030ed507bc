//! Standard output for answers that come one after the other: each is written soon after it is
//! known, whatever else goes on.

use std::fmt;
use std::io::{self, BufWriter, Stdout, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::closed;
use crate::message::{aside, message};

/// How long an answer may wait before it is written. To write each by itself would take as long as
/// to find it, where answers are quick; and nobody sees the difference.
const SOON: Duration = Duration::from_millis(10);

/// Standard output, beside which progress may be drawn.
pub(crate) type Out = BufWriter<Aside<Stdout>>;

pub(crate) fn standard_output() -> Out {
    BufWriter::new(Aside { inner: io::stdout(), begun: Vec::new() })
}

/// Writes whole lines to a terminal on which a line of progress is drawn, so that this is not drawn
/// into one.
pub(crate) struct Aside<W> {
    inner: W,
    /// The beginning of a line.
    begun: Vec<u8>,
}

/// A line may be as long as a plan of millions of moves, and is not kept then.
const LONGEST_KEPT: usize = 1 << 16;

impl<W: Write> Write for Aside<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Self { inner, begun } = self;
        closed::check()?;
        aside(|drawn| {
            if !drawn && begun.is_empty() {
                return inner.write(bytes);
            }
            begun.extend(bytes);
            let end = begun.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            let end = if !drawn || begun.len() > LONGEST_KEPT { begun.len() } else { end };
            inner.write_all(&begun[..end])?;
            begun.drain(..end);
            Ok(bytes.len())
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        let Self { inner, begun } = self;
        aside(|_| inner.write_all(begun).and_then(|()| inner.flush()))?;
        begun.clear();
        Ok(())
    }
}

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
    out: Out,
    /// Whether something was written that is to be flushed soon.
    waits: bool,
    /// What came of a flush when nobody was there to be told.
    failed: Option<io::Error>,
}

impl Output {
    pub(crate) fn start() -> Self {
        let state = State { out: standard_output(), waits: false, failed: None };
        let shared = Arc::new(Shared { state: Mutex::new(state), written: Condvar::new() });
        let flushed = Arc::clone(&shared);
        let flusher = thread::Builder::new().spawn(move || flushed.flush_for_ever());
        Self { shared, eager: flusher.is_err() }
    }

    /// Writes soon. What went wrong with what was written before is told here.
    pub(crate) fn write<E: From<io::Error>>(
        &self,
        text: impl FnOnce(&mut Out) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut state = self.shared.lock();
        state.failed.take().map_or(Ok(()), Err)?;
        text(&mut state.out)?;
        if self.eager {
            return Ok(state.flush()?);
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
        self.failed.take().map_or(Ok(()), Err).and_then(|()| self.out.flush())
    }

    /// Flushes, and keeps what came of it for whoever writes next.
    fn flush_unseen(&mut self) {
        self.failed = self.flush().err();
    }
}
