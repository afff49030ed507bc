//! Connects all processes with each other (rendezvous):
//!
//! 1. Every other process connects to process 0, which waits for all of them.
//! 2. Process 0 sends each process the addresses of all others.
//! 3. Each process connects to those with smaller indices and accepts those with greater ones.
//! 4. Each reports success or an error to process 0. When all have succeeded, or one has failed,
//!    process 0 sends the final outcome, and all return.
//!
//! Each pair of processes has two connections: one for the engine (data) and one for
//! [control](crate::control).

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::ops::Range;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fewest_core::checkpoint::Description;

use crate::handshake::{
    Greeting, Refusal, Role, decode_texts, encode_texts, greet, read_frame, welcome, write_frame,
};
use crate::leaving::{LEFT, decode_left, encode_left, reason_of};
use crate::{ConnectError, Waiting};

/// Another process, completely connected.
#[derive(Debug)]
pub(crate) struct Peer {
    /// Its name in messages.
    pub(crate) name: String,
    pub(crate) control: TcpStream,
    pub(crate) data: TcpStream,
}

/// What the server side of a handshake checks, shared by the handshake threads.
#[derive(Debug)]
pub(crate) struct Agreement {
    pub(crate) process: usize,
    pub(crate) processes: usize,
    pub(crate) secret: Vec<u8>,
    pub(crate) description: Description,
    /// Where others find this process, as in [`Greeting`].
    pub(crate) address: String,
    /// The connections that were accepted so far.
    pub(crate) accepted: Mutex<Vec<(usize, Role)>>,
}

/// After an error, a process still accepts connections for this time, so that processes that are
/// about to connect get the error, too.
const GRACE: Duration = Duration::from_millis(500);

/// The timeout for the rest of an outcome that has begun to arrive, or for one that the peer should
/// already have sent.
const ANSWER: Duration = Duration::from_secs(1);

/// The timeout of one attempt to connect, and of each read of its handshake.
const ATTEMPT: Duration = Duration::from_secs(2);

/// Each later wait gets one more multiple of this time. Whoever knows which process is missing must
/// time out first, so that its message reaches the others (see [`Meeting::end_after`]).
const EXTRA_TIME: Duration = Duration::from_secs(6);

/// The kinds of outcomes.
const MET: &str = "met";
const DIFFERS: &str = "differs";
const FAILED: &str = "failed";

/// The pause between two attempts to connect or accept: 1/50 of the time waited so far, within
/// these bounds. Processes that start together connect quickly; those that wait long use little
/// processor time.
const PAUSE: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(100)];
const PAUSE_PART: u32 = 50;

/// The maximum number of characters of a value in a message.
const SHOWN_CHARACTERS: usize = 60;

/// Connects to all other processes. The result is indexed by process; the entry of this one is
/// `None`.
///
/// `timeout` is the limit of each of two phases: connecting to process 0, and then to each other.
/// No process returns before all are connected, because heartbeats start only afterwards.
pub(crate) fn meet(
    terms: Arc<Agreement>,
    listener: &TcpListener,
    coordinator: &str,
    timeout: Duration,
    keeps_waiting: &mut dyn FnMut(&Waiting) -> bool,
) -> Result<Vec<Option<Peer>>, ConnectError> {
    let (process, processes) = (terms.process, terms.processes);
    let begin = Instant::now();
    let end = begin + timeout;
    let mut meeting = Meeting { terms, listener, timeout, begin, end, first: None, keeps_waiting };
    let mut arrived = match process {
        0 => meeting.coordinate()?,
        _ => meeting.join(coordinator)?,
    };
    Ok((0..processes)
        .map(|other| arrived.remove(&other).and_then(|peer| peer.met(other)))
        .collect())
}

/// Encodes an outcome: its kind, the error message, and the addresses of the processes.
fn encode_outcome(process: usize, outcome: Result<&[String], &ConnectError>) -> Vec<u8> {
    let (kind, error, addresses) = match outcome {
        Ok(addresses) => (MET, String::new(), addresses),
        Err(error) => {
            let kind = if error.is_usage() { DIFFERS } else { FAILED };
            let text = match error {
                ConnectError::Left { process, reason } => return encode_left(*process, reason),
                ConnectError::Differs(_)
                | ConnectError::Secret(_)
                | ConnectError::Elsewhere(_)
                | ConnectError::Unreachable { .. } => error.to_string(),
                _ => format!("process {process}: {error}"),
            };
            (kind, text, &[][..])
        }
    };
    encode_texts([kind, &error].into_iter().chain(addresses.iter().map(String::as_str)))
}

/// A process with at least one of its two connections.
#[derive(Debug, Default)]
struct PartialPeer {
    process: usize,
    /// A host and a port.
    address: String,
    control: Option<TcpStream>,
    data: Option<TcpStream>,
}

impl PartialPeer {
    fn is_complete(&self) -> bool {
        self.control.is_some() && self.data.is_some()
    }

    fn set_connection(&mut self, role: Role, stream: TcpStream) {
        match role {
            Role::Control => self.control = Some(stream),
            Role::Data => self.data = Some(stream),
            Role::Leaving => {}
        }
    }

    /// Whether a connection is closed or broken. A readable connection counts as closed: the other
    /// side sends nothing before it has received an outcome.
    fn is_disconnected(&self) -> bool {
        let streams = [&self.control, &self.data];
        !streams.into_iter().flatten().all(|stream| matches!(is_silent(stream), Ok(true)))
    }

    /// Sends it an outcome.
    fn send(&mut self, outcome: &[u8]) {
        if let Some(stream) = &mut self.control {
            // Ignore errors: the next read from the process reports them.
            let _ = write_frame(stream, outcome);
        }
    }

    /// Reads the outcome that it has sent, without blocking: the addresses of the processes, or an
    /// error. `None` if nothing has arrived.
    fn received(&mut self) -> Result<Option<Vec<String>>, ConnectError> {
        let (process, address) = (self.process, &self.address);
        let unreachable = |error| unreachable(process, address, error);
        let Some(stream) = &mut self.control else { return Ok(None) };
        if is_silent(stream).map_err(unreachable)? {
            return Ok(None);
        }
        let outcome = stream.set_read_timeout(Some(ANSWER)).and_then(|()| read_frame(stream));
        let outcome = decode_texts(&outcome.map_err(unreachable)?).unwrap_or_default();
        match &outcome[..] {
            [kind, _, addresses @ ..] if kind == MET => Ok(Some(addresses.to_vec())),
            [kind, error, ..] if kind == DIFFERS => Err(ConnectError::Differs(error.clone())),
            [kind, error, ..] if kind == FAILED => Err(ConnectError::Elsewhere(error.clone())),
            [kind, left @ ..] if kind == LEFT => {
                Err(decode_left(left).unwrap_or_else(|| unreachable(ErrorKind::InvalidData.into())))
            }
            _ => Err(unreachable(ErrorKind::InvalidData.into())),
        }
    }

    fn met(self, process: usize) -> Option<Peer> {
        let name = name(process, &self.address);
        Some(Peer { name, control: self.control?, data: self.data? })
    }
}

/// Whether the connection is open and has no data to read.
fn is_silent(stream: &TcpStream) -> io::Result<bool> {
    stream.set_nonblocking(true)?;
    let seen = stream.peek(&mut [0]);
    stream.set_nonblocking(false)?;
    match seen {
        Ok(_) => Ok(false),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(true),
        Err(error) => Err(error),
    }
}

/// Connects to the first reachable address of a host.
pub(crate) fn connect_to(address: &str) -> io::Result<TcpStream> {
    let mut failure = io::Error::new(ErrorKind::NotFound, "the host has no address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, ATTEMPT) {
            Ok(stream) => return Ok(stream),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn unreachable(process: usize, address: &str, error: io::Error) -> ConnectError {
    let error = match error.kind() {
        ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "it has closed the connection"),
        _ => error,
    };
    ConnectError::Unreachable { process, address: address.to_owned(), error }
}

/// The name of a process in messages.
fn name(process: usize, address: &str) -> String {
    format!("process {process} ({address})")
}

struct Meeting<'a> {
    terms: Arc<Agreement>,
    listener: &'a TcpListener,
    timeout: Duration,
    begin: Instant,
    end: Instant,
    /// The connection to process 0 while this process connects to the others. It is polled, because
    /// process 0 sends an outcome if another process failed.
    first: Option<PartialPeer>,
    keeps_waiting: &'a mut dyn FnMut(&Waiting) -> bool,
}

/// The processes with at least one connection, by index.
type Arrivals = BTreeMap<usize, PartialPeer>;

/// An accepted connection, its remote address, and the result of the handshake.
type Accepted = (TcpStream, SocketAddr, Result<Greeting, Refusal>);

impl Meeting<'_> {
    /// The end of the current phase plus `times` × [`EXTRA_TIME`].
    fn end_after(&self, times: u32) -> Instant {
        // The deadline of each wait, as a multiple of `EXTRA_TIME` (6 s: one attempt to connect and
        // its handshake) after the end of the phase:
        // +0  connecting to a process, and process 0 accepting the others (phase 1)
        // +1  waiting for process 0's addresses (phase 1), accepting greater indices (phase 2)
        // +2  process 0 waiting for all reports (phase 2)
        // +3  the others waiting for the final outcome (phase 2)
        self.end + times * EXTRA_TIME
    }

    /// Process 0: accepts all others, sends them the addresses, and waits until they are connected
    /// to each other.
    fn coordinate(&mut self) -> Result<Arrivals, ConnectError> {
        let mut arrived = BTreeMap::new();
        let come = self.accept(1..self.terms.processes, &mut arrived, self.end);
        Self::send_to_all(&come, &mut arrived);
        come?;
        self.end = Instant::now() + self.timeout;
        let met = self.wait_for_all(&mut arrived);
        Self::send_to_all(&met, &mut arrived);
        met.map(|()| arrived)
    }

    /// Other processes: connects to process 0, gets the addresses, and connects to the others.
    fn join(&mut self, coordinator: &str) -> Result<Arrivals, ConnectError> {
        let mut first = self.connect(coordinator, 0)?;
        let addresses = self.wait_for_outcome(&mut first, self.end_after(1))?;
        self.end = Instant::now() + self.timeout;
        self.first = Some(first);
        // Step 4 of the module docs: report to process 0, then wait for its final outcome. On an
        // own error, wait only briefly, to learn whether another process failed first.
        let met = self.meet_others(&addresses);
        let Some(mut first) = self.first.take() else { return met };
        let process = self.terms.process;
        first.send(&encode_outcome(process, met.as_ref().map(|_| &[][..])));
        let until = if met.is_ok() { self.end_after(3) } else { Instant::now() + ANSWER };
        match (met, self.wait_for_outcome(&mut first, until)) {
            (Ok(mut arrived), Ok(_)) => {
                arrived.insert(0, first);
                Ok(arrived)
            }
            (Ok(_), Err(error)) => {
                first.send(&encode_outcome(process, Err(&error)));
                Err(error)
            }
            // A broken connection may be the consequence of an earlier failure of another process;
            // then report that one.
            (
                Err(ConnectError::Unreachable { .. }),
                Err(
                    error @ (ConnectError::Elsewhere(_)
                    | ConnectError::Differs(_)
                    | ConnectError::Left { .. }),
                ),
            ) => Err(error),
            (Err(error), _) => Err(error),
        }
    }

    /// Connects to the processes with smaller indices, and accepts those with greater ones.
    fn meet_others(&mut self, addresses: &[String]) -> Result<Arrivals, ConnectError> {
        let (process, processes) = (self.terms.process, self.terms.processes);
        let mut arrived = BTreeMap::new();
        for (other, address) in (1..process).zip(addresses) {
            arrived.insert(other, self.connect(address, other)?);
        }
        self.accept(process + 1..processes, &mut arrived, self.end_after(1))?;
        Ok(arrived)
    }

    /// One step of waiting: sleeps for a moment. Fails if the caller cancels or another process has
    /// failed.
    fn wait_for(&mut self, waiting: &Waiting) -> Result<(), ConnectError> {
        if let Some(first) = &mut self.first {
            first.received()?;
        }
        if !(self.keeps_waiting)(waiting) {
            return Err(ConnectError::GivenUp);
        }
        thread::sleep((self.begin.elapsed() / PAUSE_PART).clamp(PAUSE[0], PAUSE[1]));
        Ok(())
    }

    /// Accepts connections until the `expected` processes are complete, or until `end`.
    fn accept(
        &mut self,
        expected: Range<usize>,
        arrived: &mut Arrivals,
        end: Instant,
    ) -> Result<(), ConnectError> {
        self.listener.set_nonblocking(true)?;
        let (sender, accepted) = mpsc::channel::<Accepted>();
        let (mut rejected, mut failed) = (0, None::<(Instant, ConnectError)>);
        let is_missing = |arrived: &Arrivals, process: &usize| {
            !arrived.get(process).is_some_and(PartialPeer::is_complete)
        };
        while expected.clone().any(|process| is_missing(arrived, &process)) {
            // A deliberate refusal fails the meeting only after `GRACE`, so that other processes
            // that are connecting get the same error instead of a closed port.
            if let Some((_, error)) = failed.take_if(|(grace, _)| Instant::now() >= *grace) {
                return Err(error);
            }
            if Instant::now() >= end {
                let missing = expected.filter(|process| is_missing(arrived, process)).collect();
                return Err(ConnectError::Missing { missing, rejected });
            }
            for (stream, from, greeting) in accepted.try_iter() {
                let Greeting { role, process, address, description } = match greeting {
                    Ok(greeting) => greeting,
                    Err(Refusal::Differs(difference)) => {
                        let error = ConnectError::Differs(difference);
                        failed.get_or_insert((Instant::now() + GRACE, error));
                        continue;
                    }
                    // Anyone can connect to the port. A failed handshake must not end the wait.
                    Err(Refusal::Secret | Refusal::Io(_)) => {
                        rejected += 1;
                        continue;
                    }
                };
                if role == Role::Leaving {
                    let error = ConnectError::Left { process, reason: reason_of(&description) };
                    failed.get_or_insert((Instant::now() + GRACE, error));
                    continue;
                }
                let peer = arrived.entry(process).or_default();
                peer.process = process;
                // `:port` means "the address that I connect from". Only the server knows that
                // address.
                let address = if address.starts_with(':') {
                    let port = address.trim_start_matches(':').parse().unwrap_or(0);
                    SocketAddr::new(from.ip().to_canonical(), port).to_string()
                } else {
                    address
                };
                peer.address = address;
                peer.set_connection(role, stream);
            }
            // Forget a process that disconnected: it may be restarted and connect again.
            arrived.retain(|&process, peer| {
                let is_disconnected = expected.contains(&process) && peer.is_disconnected();
                if is_disconnected {
                    self.terms.forget(process);
                }
                !is_disconnected
            });
            match self.listener.accept() {
                Ok((stream, from)) => self.answer(stream, from, &expected, &sender)?,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let missing = expected.clone().filter(|process| is_missing(arrived, process));
                    let missing = missing.collect();
                    self.wait_for(&Waiting { missing, rejected, unreachable: None })?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Answers a connection in a thread of its own, since an unknown peer may be slow.
    fn answer(
        &self,
        mut stream: TcpStream,
        from: SocketAddr,
        expected: &Range<usize>,
        accepted: &Sender<Accepted>,
    ) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        let (terms, expected) = (Arc::clone(&self.terms), expected.clone());
        let accepted = accepted.clone();
        thread::Builder::new().name("handshake".to_owned()).spawn(move || {
            let greeting = welcome(&mut stream, &terms.secret, |greeting| {
                terms.disagreement(greeting, &expected)
            });
            // The receiver is gone if `accept` has already returned.
            let _ = accepted.send((stream, from, greeting));
        })?;
        Ok(())
    }

    /// Connects to another process.
    fn connect(&mut self, address: &str, process: usize) -> Result<PartialPeer, ConnectError> {
        let mut peer =
            PartialPeer { process, address: address.to_owned(), ..PartialPeer::default() };
        let terms = Arc::clone(&self.terms);
        let Agreement { secret, description, address: own, process: number, .. } = &*terms;
        for role in [Role::Control, Role::Data] {
            let greeting = Greeting {
                role,
                process: *number,
                address: own.clone(),
                description: description.clone(),
            };
            let stream = loop {
                let greeted = connect_to(address).map_err(Refusal::Io).and_then(|mut stream| {
                    greet(&mut stream, secret, &greeting, ATTEMPT).map(|()| stream)
                });
                let error = match greeted {
                    Ok(stream) => break stream,
                    Err(Refusal::Secret) => {
                        return Err(ConnectError::Secret(name(process, address)));
                    }
                    Err(Refusal::Differs(difference)) => {
                        return Err(ConnectError::Differs(difference));
                    }
                    Err(Refusal::Io(error)) => error,
                };
                // Process 0 may have closed because of an error, which it sent over the control
                // connection.
                if process == 0 && role == Role::Data {
                    self.wait_for_outcome(&mut peer, Instant::now() + ANSWER)?;
                }
                // Do not retry if the other side speaks another protocol.
                if error.kind() == ErrorKind::InvalidData || Instant::now() >= self.end {
                    return Err(unreachable(process, address, error));
                }
                // The process or its DNS name may not exist yet, or it may not accept connections
                // yet because it is still connecting to others.
                self.wait_for(&Waiting {
                    missing: vec![process],
                    rejected: 0,
                    unreachable: Some(format!("{address}: {error}")),
                })?;
            };
            peer.set_connection(role, stream);
        }
        Ok(peer)
    }

    /// Sends an outcome to all processes; a successful one contains all addresses.
    fn send_to_all(outcome: &Result<(), ConnectError>, arrived: &mut Arrivals) {
        let addresses: Vec<_> = arrived.values().map(|peer| peer.address.clone()).collect();
        let outcome = encode_outcome(0, outcome.as_ref().map(|()| &addresses[..]));
        for peer in arrived.values_mut() {
            peer.send(&outcome);
        }
    }

    /// Waits until all others report success. Processes that have reported are still polled,
    /// because they may fail or be cancelled later.
    fn wait_for_all(&mut self, arrived: &mut Arrivals) -> Result<(), ConnectError> {
        let end = self.end_after(2);
        let mut missing: Vec<usize> = arrived.keys().copied().collect();
        while !missing.is_empty() {
            for (process, peer) in arrived.iter_mut() {
                if peer.received()?.is_some() {
                    missing.retain(|other| other != process);
                }
            }
            if missing.is_empty() {
                break;
            }
            if Instant::now() >= end {
                return Err(ConnectError::NotMet { processes: missing });
            }
            self.wait_for(&Waiting { missing: missing.clone(), rejected: 0, unreachable: None })?;
        }
        Ok(())
    }

    /// Waits for an outcome from process 0 and returns the addresses in it.
    fn wait_for_outcome(
        &mut self,
        first: &mut PartialPeer,
        until: Instant,
    ) -> Result<Vec<String>, ConnectError> {
        loop {
            if let Some(addresses) = first.received()? {
                return Ok(addresses);
            }
            if Instant::now() >= until {
                return Err(unreachable(0, &first.address, ErrorKind::TimedOut.into()));
            }
            self.wait_for(&Waiting { missing: vec![0], rejected: 0, unreachable: None })?;
        }
    }
}

impl Agreement {
    /// Removes the connections of a process, so that it can connect again.
    fn forget(&self, process: usize) {
        let mut accepted = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        accepted.retain(|&(other, _)| other != process);
    }

    /// Why the greeting of another process is refused; `None` if it is accepted. Records the
    /// connection, unless the process only leaves.
    fn disagreement(&self, greeting: &Greeting, expected: &Range<usize>) -> Option<String> {
        let other = greeting.process;
        if other >= self.processes {
            return Some(format!(
                "the index of a process is {other}, but there are only {} processes",
                self.processes
            ));
        }
        if greeting.role == Role::Leaving {
            return None;
        }
        let mut accepted = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = (other, greeting.role);
        if !expected.contains(&other) || accepted.contains(&connection) {
            return Some(format!("two processes have the index {other}"));
        }
        accepted.push(connection);
        drop(accepted);
        let (field, own, others) = self.description.difference(&greeting.description)?;
        let value = |value: Option<&str>| value.map_or_else(|| "nothing".to_owned(), shown);
        Some(format!(
            "the {field} of process {other} is {}, but that of process {} is {}",
            value(others),
            self.process,
            value(own),
        ))
    }
}

/// A value in a message: on one line, and not too long.
fn shown(value: &str) -> String {
    let short: String = value.chars().take(SHOWN_CHARACTERS).collect();
    let dots = if short.len() < value.len() { "..." } else { "" };
    format!("`{}{dots}`", short.escape_debug())
}
