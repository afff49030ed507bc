//! The control connection between two processes, in addition to the data connection of the engine.
//! It carries heartbeats, acknowledgements of blocks, and stop causes.

use std::io::{self, ErrorKind, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::cause::Cause;
use crate::message::Message;
use crate::shared::{SILENCE, Shared};

/// The interval of heartbeats. Must be well below [`SILENCE`].
const BEAT: Duration = Duration::from_millis(500);

/// The control connections, by the index of the other process; `None` for this process.
#[derive(Debug, Default)]
pub(crate) struct Controls(Vec<Option<Control>>);

/// The control connection to another process.
#[derive(Debug)]
struct Control {
    /// Its number.
    process: usize,
    /// Its name in messages.
    name: String,
    stream: TcpStream,
    /// The sending half; `None` after the last message.
    outgoing: Mutex<Option<TcpStream>>,
}

impl Controls {
    /// Starts two threads per connection: one reads messages, one sends heartbeats. The first loss
    /// of a connection is reported to all other processes.
    pub(crate) fn start(
        streams: Vec<Option<(String, TcpStream)>>,
        shared: &Arc<Shared>,
    ) -> io::Result<Arc<Self>> {
        let controls = streams.into_iter().enumerate().map(|(process, peer)| {
            peer.map(|(name, stream)| Control::new(process, name, stream)).transpose()
        });
        // Each thread may send to all processes, so start them only when all connections exist.
        let all = Arc::new(Self(controls.collect::<io::Result<_>>()?));
        for process in all.others().map(|control| control.process) {
            let (controls, shared) = (Arc::clone(&all), Arc::clone(shared));
            thread::Builder::new().name(format!("control-{process}")).spawn(move || {
                if let Some(control) = controls.of(process) {
                    control.read(&shared, &controls);
                }
            })?;
            let controls = Arc::clone(&all);
            thread::Builder::new().name(format!("beat-{process}")).spawn(move || {
                while controls.send_to(process, &Message::Beat).is_ok() {
                    thread::sleep(BEAT);
                }
            })?;
        }
        Ok(all)
    }

    fn of(&self, process: usize) -> Option<&Control> {
        self.0.get(process)?.as_ref()
    }

    fn others(&self) -> impl Iterator<Item = &Control> {
        self.0.iter().flatten()
    }

    /// Sends a message to a process. Callers may ignore the error: the reading thread detects a
    /// broken connection.
    pub(crate) fn send_to(&self, process: usize, message: &Message) -> io::Result<()> {
        self.of(process).ok_or(ErrorKind::NotConnected)?.send(message)
    }

    /// Sends a message to all processes.
    pub(crate) fn send(&self, message: &Message) {
        for control in self.others() {
            let _ = control.send(message);
        }
    }

    /// Closes all connections, which also ends their threads. Stop sending on all of them first:
    /// otherwise a reading thread would see a closed connection as a loss and report it over those
    /// that are still open.
    pub(crate) fn close(&self) {
        for control in self.others() {
            *control.outgoing() = None;
        }
        for control in self.others() {
            // It may be closed already.
            let _ = control.stream.shutdown(Shutdown::Both);
        }
    }
}

impl Control {
    fn new(process: usize, name: String, stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SILENCE))?;
        stream.set_write_timeout(Some(SILENCE))?;
        let outgoing = Mutex::new(Some(stream.try_clone()?));
        Ok(Self { process, name, stream, outgoing })
    }

    /// Sends a message. Fails after [`Message::End`]: closing a socket that has unread data sends a
    /// TCP reset, and the reset discards data that the other side has not read yet. So nothing may
    /// follow the last message.
    fn send(&self, message: &Message) -> io::Result<()> {
        let mut outgoing = self.outgoing();
        let sent = outgoing.as_mut().ok_or(ErrorKind::NotConnected)?.write_all(&message.to_bytes());
        // After an incomplete message, the receiver could not find the start of the next one.
        if *message == Message::End || sent.is_err() {
            *outgoing = None;
        }
        sent
    }

    fn outgoing(&self) -> MutexGuard<'_, Option<TcpStream>> {
        self.outgoing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, shared: &Shared, all: &Controls) {
        let process = self.process;
        loop {
            match Message::read(&mut &self.stream) {
                Ok(Message::Beat) => {}
                Ok(Message::Received(blocks)) => shared.change(|state| {
                    let in_flight = &mut state.in_flight[process];
                    *in_flight = in_flight.saturating_sub(blocks as usize);
                }),
                Ok(Message::Stop(cause)) => {
                    shared.stop(cause);
                }
                Ok(Message::End) => shared.change(|state| state.end(process)),
                Err(error) => {
                    // A process that sent `End` may close the connection.
                    let is_expected = shared.lock().has_ended[process];
                    let cause = self.loss(&error);
                    if !is_expected && shared.stop(cause.clone()) {
                        all.send(&Message::Stop(cause));
                    }
                    // Also unblocks `close` and the waits of `Shared`, which count the processes
                    // that have ended.
                    shared.change(|state| state.end(process));
                    return;
                }
            }
        }
    }

    fn loss(&self, error: &io::Error) -> Cause {
        let Self { process, name, .. } = self;
        let what = match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                format!("{name} has sent nothing for {} seconds", SILENCE.as_secs())
            }
            ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => {
                format!("{name} exited before the search ended")
            }
            _ => format!("the connection to {name} failed: {error}"),
        };
        Cause::Lost { process: *process, what }
    }
}
