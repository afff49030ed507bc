//! The second connection between two processes, beside that of the engine: signs of life, receipts of
//! blocks, and reasons to stop.
//!
//! A message is a byte for its kind and a little-endian number of 64 bits.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use fewest_core::budget::Limit;

use crate::shared::{LOST, SILENCE, Shared, Stop};

/// How often a process shows that it lives.
const BEAT: Duration = Duration::from_millis(500);

/// What a process tells another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    Beat,
    /// It has received this number of blocks.
    Received(u64),
    /// It stops at this limit.
    Stop(Limit),
    /// It stops because it has lost this process.
    Lost(u64),
    /// It will send nothing more.
    End,
}

const MESSAGE_BYTES: usize = 9;

impl Message {
    fn to_bytes(self) -> [u8; MESSAGE_BYTES] {
        let (kind, number) = match self {
            Self::Beat => (0, 0),
            Self::Received(blocks) => (1, blocks),
            Self::Stop(limit) => (2, code(limit)),
            Self::End => (3, 0),
            Self::Lost(process) => (4, process),
        };
        let mut bytes = [kind; MESSAGE_BYTES];
        bytes[1..].copy_from_slice(&u64::to_le_bytes(number));
        bytes
    }

    fn of_bytes(bytes: [u8; MESSAGE_BYTES]) -> io::Result<Self> {
        let [kind, number @ ..] = bytes;
        let number = u64::from_le_bytes(number);
        match kind {
            0 => Ok(Self::Beat),
            1 => Ok(Self::Received(number)),
            2 => Ok(Self::Stop(limit(number))),
            3 => Ok(Self::End),
            4 => Ok(Self::Lost(number)),
            _ => Err(ErrorKind::InvalidData.into()),
        }
    }
}

fn code(limit: Limit) -> u64 {
    match limit {
        Limit::Time => 1,
        Limit::Cancelled => 2,
        Limit::States => 3,
        Limit::Memory => 4,
        Limit::Encoding => 5,
        Limit::Io(ErrorKind::StorageFull) => 6,
        // Also what a later version of core has.
        _ => 0,
    }
}

fn limit(code: u64) -> Limit {
    match code {
        1 => Limit::Time,
        2 => Limit::Cancelled,
        3 => Limit::States,
        4 => Limit::Memory,
        5 => Limit::Encoding,
        6 => Limit::Io(ErrorKind::StorageFull),
        _ => Limit::Io(ErrorKind::Other),
    }
}

/// The connection to another process.
#[derive(Debug)]
pub(crate) struct Control {
    /// Its number.
    process: usize,
    /// How messages name it.
    name: String,
    stream: Mutex<TcpStream>,
}

impl Control {
    /// Starts a thread that reads what the process sends, and one that shows that this one lives. If the
    /// process is the first one that is lost, calls `on_loss`.
    pub(crate) fn start(
        process: usize,
        name: String,
        stream: TcpStream,
        shared: &Arc<Shared>,
        on_loss: impl FnOnce() + Send + 'static,
    ) -> io::Result<Arc<Self>> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SILENCE))?;
        stream.set_write_timeout(Some(SILENCE))?;
        let reader = stream.try_clone()?;
        let control = Arc::new(Self { process, name, stream: Mutex::new(stream) });
        let (reading, shared) = (Arc::clone(&control), Arc::clone(shared));
        thread::Builder::new()
            .name(format!("control-{process}"))
            .spawn(move || reading.read(reader, &shared, on_loss))?;
        let beating = Arc::clone(&control);
        thread::Builder::new().name(format!("beat-{process}")).spawn(move || {
            while beating.send(Message::Beat).is_ok() {
                thread::sleep(BEAT);
            }
        })?;
        Ok(control)
    }

    /// Sends a message. The reader notes that a process cannot be reached.
    pub(crate) fn send(&self, message: Message) -> io::Result<()> {
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        stream.write_all(&message.to_bytes())
    }

    /// Ends the connection, and with it both threads.
    pub(crate) fn close(&self) {
        let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        // It may be closed already.
        let _ = stream.shutdown(Shutdown::Both);
    }

    fn read(&self, mut stream: TcpStream, shared: &Shared, on_loss: impl FnOnce()) {
        let process = self.process;
        loop {
            let mut bytes = [0; MESSAGE_BYTES];
            let message = stream.read_exact(&mut bytes).and_then(|()| Message::of_bytes(bytes));
            match message {
                Ok(Message::Beat) => {}
                Ok(Message::Received(blocks)) => shared.change(|state| {
                    let in_flight = &mut state.in_flight[process];
                    *in_flight = in_flight.saturating_sub(blocks as usize);
                }),
                Ok(Message::Stop(limit)) => {
                    shared.stop(Stop::Limit(limit, process));
                }
                Ok(Message::Lost(lost)) => {
                    let what = format!("{} has lost process {lost}", self.name);
                    shared.stop(Stop::Failure { limit: LOST, lost: Some(lost as usize), what });
                }
                Ok(Message::End) => shared.change(|state| state.end(process)),
                Err(error) => {
                    // Nothing is expected of a process that has ended, or after a stop.
                    let is_expected = shared.lock().has_ended[process];
                    if !is_expected && shared.stop(self.failure(&error)) {
                        on_loss();
                    }
                    shared.change(|state| state.end(process));
                    return;
                }
            }
        }
    }

    fn failure(&self, error: &io::Error) -> Stop {
        let Self { process, name, .. } = self;
        let what = match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                format!("{name} has not answered for {} seconds", SILENCE.as_secs())
            }
            ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => {
                format!("{name} has ended before the search")
            }
            _ => format!("the connection to {name} failed: {error}"),
        };
        Stop::Failure { limit: LOST, lost: Some(*process), what }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_written() {
        for message in [
            Message::Beat,
            Message::Lost(3),
            Message::Received(1 << 40),
            Message::End,
            Message::Stop(Limit::Time),
            Message::Stop(Limit::Cancelled),
            Message::Stop(Limit::States),
            Message::Stop(Limit::Memory),
            Message::Stop(Limit::Encoding),
            Message::Stop(Limit::Io(ErrorKind::StorageFull)),
            Message::Stop(Limit::Io(ErrorKind::Other)),
        ] {
            assert_eq!(Message::of_bytes(message.to_bytes()).expect("a message"), message);
        }
        assert!(Message::of_bytes([9; MESSAGE_BYTES]).is_err());
    }
}
