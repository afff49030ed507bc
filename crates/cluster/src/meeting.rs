//! How all processes find each other. Each one connects to process 0, which tells it where the
//! others are when all have arrived; then each one connects to those with lesser numbers. There are
//! two connections between each two processes: one for the engine, and one for
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

/// Another process that has been met.
#[derive(Debug)]
pub(crate) struct Peer {
    /// How messages name it.
    pub(crate) name: String,
    pub(crate) control: TcpStream,
    pub(crate) data: TcpStream,
}

/// What the processes have to agree on.
#[derive(Debug)]
pub(crate) struct Agreement {
    pub(crate) process: usize,
    pub(crate) processes: usize,
    pub(crate) secret: Vec<u8>,
    pub(crate) description: Description,
    /// Where others find this process, as in [`Greeting`].
    pub(crate) address: String,
    /// The connections that it has accepted.
    pub(crate) accepted: Mutex<Vec<(usize, Role)>>,
}

/// How long those that are on their way are still let in, so that they learn why the meeting
/// failed.
const GRACE: Duration = Duration::from_millis(500);

/// How long an answer that has begun, or has to come now, may take.
const ANSWER: Duration = Duration::from_secs(1);

/// How long an attempt to connect takes if nobody answers, and then one to shake hands.
const ATTEMPT: Duration = Duration::from_secs(2);

/// How much longer a process waits for others than one that cannot connect: the latter knows the
/// reason, and has to report it first.
const EXTRA_TIME: Duration = Duration::from_secs(6);

/// The outcomes of a meeting, as they are sent.
const MET: &str = "met";
const DIFFERS: &str = "differs";
const FAILED: &str = "failed";

/// The least and the most time before another attempt to connect, or to accept a connection; and
/// how many times as long the processes have waited: they are quick to meet if they start together,
/// and quiet if not.
const PAUSE: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(100)];
const PAUSE_PART: u32 = 50;

/// The most characters of a value in a message.
const SHOWN_CHARACTERS: usize = 60;

/// Meets all other processes. The result has `None` at the number of this one.
///
/// Each process waits for `timeout` until all are connected to process 0, and as long again until
/// they are connected to each other. No process returns before all are: one that is still here
/// sends no signs of life.
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

/// The outcome of a meeting as a process sends it: its kind, its error, and the addresses of the
/// processes.
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

/// A process of which at least one connection is there.
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

    /// Whether one of its connections is closed or has failed. Nothing arrives there before this
    /// process has sent an outcome.
    fn has_gone(&self) -> bool {
        let streams = [&self.control, &self.data];
        !streams.into_iter().flatten().all(|stream| matches!(is_silent(stream), Ok(true)))
    }

    /// Sends it an outcome.
    fn send(&mut self, outcome: &[u8]) {
        if let Some(stream) = &mut self.control {
            // Whoever reads from it next finds out if it is gone.
            let _ = write_frame(stream, outcome);
        }
    }

    /// The outcome that it has sent: the addresses of the processes, or an error. `None` if it has
    /// sent none.
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

/// Whether nothing has arrived, and the connection is open.
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

/// Connects to the first address of a host that answers.
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

/// How messages name a process.
fn name(process: usize, address: &str) -> String {
    format!("process {process} ({address})")
}

struct Meeting<'a> {
    terms: Arc<Agreement>,
    listener: &'a TcpListener,
    timeout: Duration,
    begin: Instant,
    end: Instant,
    /// Process 0, while this one meets the others. It sends an outcome then if another process has
    /// failed.
    first: Option<PartialPeer>,
    keeps_waiting: &'a mut dyn FnMut(&Waiting) -> bool,
}

/// The processes of which at least one connection is there, by their numbers.
type Arrivals = BTreeMap<usize, PartialPeer>;

/// A connection that was accepted, from where, and what came of it.
type Accepted = (TcpStream, SocketAddr, Result<Greeting, Refusal>);

impl Meeting<'_> {
    /// The end of a wait that is longer by this number of times [`EXTRA_TIME`].
    fn end_after(&self, times: u32) -> Instant {
        self.end + times * EXTRA_TIME
    }

    /// Process 0 waits for all others, and then until they have met each other.
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

    /// Another process meets process 0 and then the others.
    fn join(&mut self, coordinator: &str) -> Result<Arrivals, ConnectError> {
        let mut first = self.connect(coordinator, 0)?;
        let addresses = self.wait_for_outcome(&mut first, self.end_after(1))?;
        self.end = Instant::now() + self.timeout;
        self.first = Some(first);
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
            // Another one may have failed before, and have broken the connection because of it.
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

    /// Connects to those with lesser numbers, and waits for those with greater ones.
    fn meet_others(&mut self, addresses: &[String]) -> Result<Arrivals, ConnectError> {
        let (process, processes) = (self.terms.process, self.terms.processes);
        let mut arrived = BTreeMap::new();
        for (other, address) in (1..process).zip(addresses) {
            arrived.insert(other, self.connect(address, other)?);
        }
        self.accept(process + 1..processes, &mut arrived, self.end_after(1))?;
        Ok(arrived)
    }

    /// Fails if the caller gives up, or if another process has failed.
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

    /// Waits for these processes until `end`.
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
                    // Anybody can connect.
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
                let address = if address.starts_with(':') {
                    let port = address.trim_start_matches(':').parse().unwrap_or(0);
                    SocketAddr::new(from.ip().to_canonical(), port).to_string()
                } else {
                    address
                };
                peer.address = address;
                peer.set_connection(role, stream);
            }
            // It may be started again.
            arrived.retain(|&process, peer| {
                let has_gone = expected.contains(&process) && peer.has_gone();
                if has_gone {
                    self.terms.forget(process);
                }
                !has_gone
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
            // Nobody listens after the end.
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
                // Process 0 may have ended the meeting, and has sent why.
                if process == 0 && role == Role::Data {
                    self.wait_for_outcome(&mut peer, Instant::now() + ANSWER)?;
                }
                // What is not a process of this program will not become one.
                if error.kind() == ErrorKind::InvalidData || Instant::now() >= self.end {
                    return Err(unreachable(process, address, error));
                }
                // It, or its name, may not be there yet, or it may still connect to others itself.
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

    /// Sends the outcome, with the addresses of all.
    fn send_to_all(outcome: &Result<(), ConnectError>, arrived: &mut Arrivals) {
        let addresses: Vec<_> = arrived.values().map(|peer| peer.address.clone()).collect();
        let outcome = encode_outcome(0, outcome.as_ref().map(|()| &addresses[..]));
        for peer in arrived.values_mut() {
            peer.send(&outcome);
        }
    }

    /// Waits until all others have met each other. Those that have are read from until the end,
    /// since they may give up.
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

    /// Waits for the outcome of process 0, and returns the addresses of the processes.
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
    /// Forgets the connections of a process.
    fn forget(&self, process: usize) {
        let mut accepted = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        accepted.retain(|&(other, _)| other != process);
    }

    /// What does not fit the greeting of another process.
    fn disagreement(&self, greeting: &Greeting, expected: &Range<usize>) -> Option<String> {
        let other = greeting.process;
        if other >= self.processes {
            return Some(format!("there is a process {other} of {}", self.processes));
        }
        if greeting.role == Role::Leaving {
            return None;
        }
        let mut accepted = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = (other, greeting.role);
        if !expected.contains(&other) || accepted.contains(&connection) {
            return Some(format!("there are two processes with the number {other}"));
        }
        accepted.push(connection);
        drop(accepted);
        let (field, own, others) = self.description.difference(&greeting.description)?;
        let value = |value: Option<&str>| value.map_or_else(|| "nothing".to_owned(), shown);
        Some(format!(
            "the {field} of process {other} is {}, and that of process {} is {}",
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
