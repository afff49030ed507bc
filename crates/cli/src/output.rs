//! Standard output for a sequence of answers. A background thread flushes each answer soon after it
//! is written.

use std::fmt;
use std::io::{self, BufWriter, Stdout, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::closed;
use crate::message::{message, with_bar_suspended, writes_no_answers};
use crate::terminal;
use crate::visible::Visible;

/// The longest time that an answer stays in the buffer. A delay of 10 ms is not visible. With a
/// flush after each answer instead, 100,000 answers of `black-white --count-only` took 2.7 times as
/// long.
const FLUSH_INTERVAL: Duration = Duration::from_millis(10);

/// Buffered standard output that hides the progress bar while it writes.
pub(crate) type Out = BufWriter<BarSuspendingWriter<VisibleStdout>>;

/// Standard output. On a terminal, what is not [visible](crate::visible) is escaped.
pub(crate) struct VisibleStdout {
    stdout: Stdout,
    /// `None` unless it is a terminal.
    visible: Option<Visible>,
}

impl VisibleStdout {
    fn new() -> Self {
        Self {
            stdout: io::stdout(),
            visible: terminal::stdout_is_terminal().then(Visible::default),
        }
    }
}

impl Write for VisibleStdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.visible {
            None => self.stdout.write(bytes),
            Some(visible) => {
                self.stdout.write_all(visible.push(bytes).as_bytes())?;
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

impl Drop for VisibleStdout {
    fn drop(&mut self) {
        if let Some(visible) = &mut self.visible {
            // A drop cannot return an error.
            let _ = self.stdout.write_all(visible.end().as_bytes());
        }
    }
}

pub(crate) fn standard_output() -> Out {
    standard_output_with(BrokenPipe::IsAnError)
}

/// What happens after a broken pipe.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BrokenPipe {
    /// The command ends, since nobody reads its output.
    IsAnError,
    /// Further output is discarded, because the command also writes files.
    Discards,
}

impl BrokenPipe {
    pub(crate) fn discards_if(has_files: bool) -> Self {
        if has_files { Self::Discards } else { Self::IsAnError }
    }

    fn resolve(self, result: io::Result<usize>, len: usize) -> io::Result<usize> {
        match result {
            Err(error) if self == Self::Discards && error.kind() == io::ErrorKind::BrokenPipe => {
                Ok(len)
            }
            other => other,
        }
    }
}

/// Standard output that treats a broken pipe in this way.
pub(crate) fn standard_output_with(broken_pipe: BrokenPipe) -> Out {
    BufWriter::new(BarSuspendingWriter {
        inner: VisibleStdout::new(),
        partial_line: Vec::new(),
        broken_pipe,
    })
}

/// Writes whole lines only while a progress bar is on the terminal, so that the bar is not drawn
/// into an incomplete line.
pub(crate) struct BarSuspendingWriter<W> {
    inner: W,
    /// The incomplete last line, not yet written to `inner`.
    partial_line: Vec<u8>,
    broken_pipe: BrokenPipe,
}

/// The most bytes of an incomplete line that are held back. A plan of millions of moves may be on
/// one line.
const MAX_PARTIAL_LINE_BYTES: usize = 1 << 16;

impl<W: Write> Write for BarSuspendingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Self { inner, partial_line, broken_pipe } = self;
        if writes_no_answers() {
            return Ok(bytes.len());
        }
        closed::check()?;
        let written = with_bar_suspended(|has_bar| {
            if !has_bar && partial_line.is_empty() {
                return inner.write(bytes);
            }
            partial_line.extend(bytes);
            let len = partial_line.len();
            let end = partial_line.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            let end = if !has_bar || len > MAX_PARTIAL_LINE_BYTES { len } else { end };
            inner.write_all(&partial_line[..end])?;
            partial_line.drain(..end);
            Ok(bytes.len())
        });
        broken_pipe.resolve(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let Self { inner, partial_line, broken_pipe } = self;
        let flushed =
            with_bar_suspended(|_| inner.write_all(partial_line).and_then(|()| inner.flush()));
        broken_pipe.resolve(flushed.map(|()| 0), 0)?;
        partial_line.clear();
        Ok(())
    }
}

/// Standard output with a background thread that flushes it.
pub(crate) struct Output {
    shared: Arc<SharedOutput>,
    /// Whether each write flushes, because the background thread could not be started.
    flushes_each_write: bool,
}

struct SharedOutput {
    state: Mutex<OutputState>,
    /// Notified when `needs_flush` becomes `true`.
    flush_needed: Condvar,
}

struct OutputState {
    out: Out,
    /// Whether there is unflushed data.
    needs_flush: bool,
    /// The error of a flush whose caller could not return it. The next call returns it.
    deferred_error: Option<io::Error>,
}

impl Output {
    pub(crate) fn start(broken_pipe: BrokenPipe) -> Self {
        let out = standard_output_with(broken_pipe);
        let state = OutputState { out, needs_flush: false, deferred_error: None };
        let shared =
            Arc::new(SharedOutput { state: Mutex::new(state), flush_needed: Condvar::new() });
        let flushed = Arc::clone(&shared);
        let flusher = thread::Builder::new().spawn(move || flushed.flush_forever());
        Self { shared, flushes_each_write: flusher.is_err() }
    }

    /// Writes to the buffer, which is flushed soon. Also returns the error of an earlier flush.
    pub(crate) fn write<E: From<io::Error>>(
        &self,
        text: impl FnOnce(&mut Out) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut state = self.shared.lock();
        state.deferred_error.take().map_or(Ok(()), Err)?;
        text(&mut state.out)?;
        if self.flushes_each_write {
            return Ok(state.flush()?);
        }
        if !state.needs_flush {
            state.needs_flush = true;
            self.shared.flush_needed.notify_one();
        }
        Ok(())
    }

    /// Flushes the buffer.
    pub(crate) fn flush(&self) -> io::Result<()> {
        self.shared.lock().flush()
    }

    /// Flushes the answers, then writes a line to standard error.
    pub(crate) fn message(&self, text: fmt::Arguments<'_>) {
        self.shared.lock().flush_deferring_error();
        message(text);
    }
}

impl SharedOutput {
    /// Ignores poisoning: a writer that panics leaves at worst an incomplete answer.
    fn lock(&self) -> MutexGuard<'_, OutputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn flush_forever(&self) {
        loop {
            drop(self.flush_needed.wait_while(self.lock(), |state| !state.needs_flush));
            // The first answer is flushed at once. Those of the next interval are flushed together.
            self.lock().flush_deferring_error();
            thread::sleep(FLUSH_INTERVAL);
        }
    }
}

impl OutputState {
    fn flush(&mut self) -> io::Result<()> {
        self.needs_flush = false;
        self.deferred_error.take().map_or(Ok(()), Err).and_then(|()| self.out.flush())
    }

    /// Flushes, and stores an error for the next call that can return it.
    fn flush_deferring_error(&mut self) {
        self.deferred_error = self.flush().err();
    }
}
