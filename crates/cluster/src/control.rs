//! The second connection between two processes, beside that of the engine: signs of life, receipts
//! of blocks, and why a process stops.

use std::io::{self, ErrorKind, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::cause::Cause;
use crate::message::Message;
use crate::shared::{SILENCE, Shared};

/// How often a process shows that it lives.
const BEAT: Duration = Duration::from_millis(500);

/// The connections to other processes, by their numbers; `None` at the number of this one.
#[derive(Debug, Default)]
pub(crate) struct Controls(Vec<Option<Control>>);

/// The connection to another process.
#[derive(Debug)]
struct Control {
    /// Its number.
    process: usize,
    /// How messages name it.
    name: String,
    stream: TcpStream,
    /// `None` after the last message.
    outgoing: Mutex<Option<TcpStream>>,
}

impl Controls {
    /// Starts two threads for each connection: one reads what the process sends, the other shows
    /// that this one lives. The first process that is lost is reported to all others.
    pub(crate) fn start(
        streams: Vec<Option<(String, TcpStream)>>,
        shared: &Arc<Shared>,
    ) -> io::Result<Arc<Self>> {
        let controls = streams.into_iter().enumerate().map(|(process, peer)| {
            peer.map(|(name, stream)| Control::new(process, name, stream)).transpose()
        });
        // Each thread sends to all processes, so the threads start when all connections are known.
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

    /// Sends a message to a process. Its reader notices that it cannot be reached.
    pub(crate) fn send_to(&self, process: usize, message: &Message) -> io::Result<()> {
        self.of(process).ok_or(ErrorKind::NotConnected)?.send(message)
    }

    /// Sends a message to all processes.
    pub(crate) fn send(&self, message: &Message) {
        for control in self.others() {
            let _ = control.send(message);
        }
    }

    /// Ends all connections, and with them their threads. Sending ends first: the threads that read
    /// would otherwise tell processes whose connections are still open that the others are lost.
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

    /// Sends a message; none after [`Message::End`]. A process that closes its connections after an
    /// end must find nothing unread there: the system would then take back what it has sent.
    fn send(&self, message: &Message) -> io::Result<()> {
        let mut outgoing = self.outgoing();
        let sent = outgoing.as_mut().ok_or(ErrorKind::NotConnected)?.write_all(&message.to_bytes());
        // After a part of a message, the next one could not be read.
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
                    // Nothing is expected of a process that has ended.
                    let is_expected = shared.lock().has_ended[process];
                    let cause = self.loss(&error);
                    if !is_expected && shared.stop(cause.clone()) {
                        all.send(&Message::Stop(cause));
                    }
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
                format!("{name} has not answered for {} seconds", SILENCE.as_secs())
            }
            ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => {
                format!("{name} has ended before the end of the search")
            }
            _ => format!("the connection to {name} failed: {error}"),
        };
        Cause::Lost { process: *process, what }
    }
}
