//! How all processes find each other. Each one connects to process 0, which tells it where the others
//! are when all have arrived; then each one connects to those with lesser numbers. There are two
//! connections between each two processes: one for the engine, and one for [control](crate::control).

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::ops::Range;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fewest_core::checkpoint::Question;

use crate::cause::{Cause, Reason};
use crate::handshake::{
    Greeting, Refusal, Role, decode_texts, encode_texts, greet, read_frame, welcome, write_frame,
};
use crate::message::Message;
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
pub(crate) struct Terms {
    pub(crate) process: usize,
    pub(crate) processes: usize,
    pub(crate) secret: Vec<u8>,
    pub(crate) question: Question,
    /// Where others find this process, as in [`Greeting`].
    pub(crate) address: String,
    /// The connections that it has accepted.
    pub(crate) accepted: Mutex<Vec<(usize, Role)>>,
}

/// How long those that are on their way are still let in, so that they learn why the meeting failed.
const GRACE: Duration = Duration::from_millis(500);

/// How long an answer that has begun, or has to come now, may take.
const ANSWER: Duration = Duration::from_secs(1);

/// How long an attempt to connect takes if nobody answers.
const ATTEMPT: Duration = Duration::from_secs(2);

/// What process 0 says became of the meeting.
const MET: &str = "met";
const DIFFERS: &str = "differs";
const FAILED: &str = "failed";

/// How long to wait before another attempt to connect, or to accept a connection.
const PAUSE: Duration = Duration::from_millis(20);

/// The most characters of a value in a message.
const SHOWN_CHARACTERS: usize = 60;

/// Meets all other processes until `end`. The result has `None` at the number of this one.
pub(crate) fn meet(
    terms: Arc<Terms>,
    listener: &TcpListener,
    coordinator: &str,
    end: Instant,
    keeps_waiting: &mut dyn FnMut(&Waiting) -> bool,
) -> Result<Vec<Option<Peer>>, ConnectError> {
    let (process, processes) = (terms.process, terms.processes);
    let mut meeting = Meeting { terms, listener, end, keeps_waiting };
    let mut arrived = BTreeMap::new();
    if process == 0 {
        let met = meeting.accept(1..processes, &mut arrived);
        meeting.tell(&met, &mut arrived);
        met?;
    } else {
        let mut first = meeting.connect(coordinator, 0)?;
        let addresses = meeting.addresses(&mut first)?;
        arrived.insert(0, first);
        let met = meeting.meet_others(&addresses, &mut arrived);
        met.inspect_err(|error| leave(process, error, &mut arrived))?;
    }
    Ok((0..processes)
        .map(|other| arrived.remove(&other).and_then(|peer| peer.met(other)))
        .collect())
}

/// Tells those that have been met why the others are not. They may have begun to search.
fn leave(process: usize, error: &ConnectError, arrived: &mut BTreeMap<usize, Arrived>) {
    let text = error.to_string();
    let cause = match error {
        // The others know it.
        ConnectError::Elsewhere(_) => None,
        ConnectError::Unreachable { process, .. } => {
            Some(Cause::Lost { process: *process, what: text })
        }
        error => {
            let code = if error.is_usage() { 2 } else { 1 };
            Some(Cause::Left { process, reason: Reason { text, code } })
        }
    };
    let farewell = cause.map(Message::Stop).into_iter().chain([Message::End]);
    let farewell: Vec<u8> = farewell.flat_map(|message| message.to_bytes()).collect();
    for stream in arrived.values_mut().filter_map(|peer| peer.control.as_mut()) {
        // One that is gone needs no farewell.
        let _ = stream.write_all(&farewell);
    }
}

/// A process of which at least one connection is there.
#[derive(Debug, Default)]
struct Arrived {
    process: usize,
    /// A host and a port.
    address: String,
    control: Option<TcpStream>,
    data: Option<TcpStream>,
}

impl Arrived {
    fn is_complete(&self) -> bool {
        self.control.is_some() && self.data.is_some()
    }

    fn connection(&mut self, role: Role) -> &mut Option<TcpStream> {
        match role {
            Role::Control => &mut self.control,
            Role::Data => &mut self.data,
        }
    }

    /// Whether it has gone again. It may have met all others already, and sends signs of life then.
    fn has_gone(&self) -> bool {
        [&self.control, &self.data].into_iter().flatten().any(|stream| {
            let seen = stream.set_nonblocking(true).and_then(|()| stream.peek(&mut [0]));
            let is_open = match &seen {
                Ok(bytes) => *bytes > 0,
                Err(error) => error.kind() == ErrorKind::WouldBlock,
            };
            stream.set_nonblocking(false).is_err() || !is_open
        })
    }

    /// Fails if it has met all others and has stopped since. It sends nothing but beats else: this process has
    /// sent it nothing.
    fn check(&mut self) -> Result<(), ConnectError> {
        let process = self.process;
        let Some(stream) = &mut self.control else { return Ok(()) };
        loop {
            stream.set_nonblocking(true)?;
            let seen = stream.peek(&mut [0]);
            stream.set_nonblocking(false)?;
            match seen {
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => {
                    return Err(unreachable(process, &self.address, error));
                }
                Ok(_) => {}
            }
            match Message::read(stream) {
                Ok(Message::Stop(cause)) => return Err(ConnectError::Elsewhere(cause.to_string())),
                Ok(_) => {}
                Err(error) => {
                    return Err(unreachable(process, &self.address, error));
                }
            }
        }
    }

    fn met(self, process: usize) -> Option<Peer> {
        let name = name(process, &self.address);
        Some(Peer { name, control: self.control?, data: self.data? })
    }
}

/// Connects to the first address of a host that answers.
fn connect_to(address: &str) -> io::Result<TcpStream> {
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
    ConnectError::Unreachable { process, address: address.to_owned(), error }
}

/// How messages name a process.
fn name(process: usize, address: &str) -> String {
    format!("process {process} ({address})")
}

struct Meeting<'a> {
    terms: Arc<Terms>,
    listener: &'a TcpListener,
    end: Instant,
    keeps_waiting: &'a mut dyn FnMut(&Waiting) -> bool,
}

/// A connection that was accepted, from where, and what came of it.
type Accepted = (TcpStream, SocketAddr, Result<Greeting, Refusal>);

impl Meeting<'_> {
    /// Connects to those with lesser numbers, and waits for those with greater ones.
    fn meet_others(
        &mut self,
        addresses: &[String],
        arrived: &mut BTreeMap<usize, Arrived>,
    ) -> Result<(), ConnectError> {
        let (process, processes) = (self.terms.process, self.terms.processes);
        for (other, address) in (1..process).zip(addresses) {
            arrived.insert(other, self.connect(address, other)?);
        }
        self.accept(process + 1..processes, arrived)
    }

    /// Fails if the caller gives up.
    fn wait_for(&mut self, waiting: &Waiting) -> Result<(), ConnectError> {
        if (self.keeps_waiting)(waiting) { Ok(()) } else { Err(ConnectError::GivenUp) }
    }

    /// Waits for these processes.
    fn accept(
        &mut self,
        expected: Range<usize>,
        arrived: &mut BTreeMap<usize, Arrived>,
    ) -> Result<(), ConnectError> {
        self.listener.set_nonblocking(true)?;
        let (sender, accepted) = mpsc::channel();
        let (mut strangers, mut differs) = (0, None::<(Instant, String)>);
        let is_missing = |arrived: &BTreeMap<usize, Arrived>, process: &usize| {
            !arrived.get(process).is_some_and(Arrived::is_complete)
        };
        while expected.clone().any(|process| is_missing(arrived, &process)) {
            if let Some((end, difference)) = &differs
                && Instant::now() >= *end
            {
                return Err(ConnectError::Differs(difference.clone()));
            }
            if Instant::now() >= self.end {
                let missing = expected.filter(|process| is_missing(arrived, process)).collect();
                return Err(ConnectError::Missing { missing, strangers });
            }
            // It may be started again.
            arrived.retain(|&process, peer| {
                let has_gone = expected.contains(&process) && peer.has_gone();
                if has_gone {
                    self.terms.forget(process);
                }
                !has_gone
            });
            for (_, peer) in arrived.range_mut(..expected.start) {
                peer.check()?;
            }
            match self.listener.accept() {
                Ok((stream, from)) => self.answer(stream, from, &expected, &sender)?,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let missing = expected.clone().filter(|process| is_missing(arrived, process));
                    let missing = missing.collect();
                    self.wait_for(&Waiting { missing, strangers, unreachable: None })?;
                    thread::sleep(PAUSE);
                }
                Err(error) => return Err(error.into()),
            }
            for (stream, from, greeting) in accepted.try_iter() {
                let Greeting { role, process, address, .. } = match greeting {
                    Ok(greeting) => greeting,
                    Err(Refusal::Differs(difference)) => {
                        differs.get_or_insert((Instant::now() + GRACE, difference));
                        continue;
                    }
                    // Anybody can connect.
                    Err(Refusal::Secret | Refusal::Io(_)) => {
                        strangers += 1;
                        continue;
                    }
                };
                let peer = arrived.entry(process).or_default();
                peer.process = process;
                let address = if address.starts_with(':') {
                    let port = address.trim_start_matches(':').parse().unwrap_or(0);
                    SocketAddr::new(from.ip().to_canonical(), port).to_string()
                } else {
                    address
                };
                peer.address = address;
                *peer.connection(role) = Some(stream);
            }
        }
        Ok(())
    }

    /// Answers a connection in a thread of its own, since a stranger may be slow.
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
    fn connect(&mut self, address: &str, process: usize) -> Result<Arrived, ConnectError> {
        let mut peer = Arrived { process, address: address.to_owned(), ..Arrived::default() };
        let terms = Arc::clone(&self.terms);
        let Terms { secret, question, address: own, process: number, .. } = &*terms;
        for role in [Role::Control, Role::Data] {
            let mut stream = loop {
                match connect_to(address) {
                    Ok(stream) => break stream,
                    // It, or its name, may not be there yet.
                    Err(error) if Instant::now() < self.end => {
                        self.wait_for(&Waiting {
                            missing: vec![process],
                            strangers: 0,
                            unreachable: Some(format!("{address}: {error}")),
                        })?;
                        thread::sleep(PAUSE);
                    }
                    Err(error) => {
                        return Err(unreachable(process, address, error));
                    }
                }
            };
            let greeting = Greeting {
                role,
                process: *number,
                address: own.clone(),
                question: question.clone(),
            };
            match greet(&mut stream, secret, &greeting) {
                Ok(()) => {}
                Err(Refusal::Secret) => return Err(ConnectError::Secret(name(process, address))),
                Err(Refusal::Differs(difference)) => return Err(ConnectError::Differs(difference)),
                Err(Refusal::Io(error)) => {
                    // Process 0 may have ended the meeting, and has said why.
                    if process == 0 && role == Role::Data {
                        self.addresses(&mut peer)?;
                    }
                    return Err(unreachable(process, address, error));
                }
            }
            *peer.connection(role) = Some(stream);
        }
        Ok(peer)
    }

    /// Tells all that have arrived what came of the meeting: an error, or where the others are.
    fn tell(&self, met: &Result<(), ConnectError>, arrived: &mut BTreeMap<usize, Arrived>) {
        let (kind, error) = match met {
            Ok(()) => (MET, String::new()),
            Err(ConnectError::Differs(difference)) => (DIFFERS, difference.clone()),
            Err(error) => (FAILED, error.to_string()),
        };
        let addresses = arrived.values().map(|peer| peer.address.as_str());
        let told = encode_texts([kind, &error].into_iter().chain(addresses));
        for peer in arrived.values_mut() {
            if let Some(stream) = &mut peer.control {
                // If it is gone, the first message to it finds that out.
                let _ = write_frame(stream, &told);
            }
        }
    }

    /// Where processes 1, 2, and so on are, as process 0 says.
    fn addresses(&mut self, first: &mut Arrived) -> Result<Vec<String>, ConnectError> {
        let address = first.address.clone();
        let unreachable = |error| unreachable(0, &address, error);
        let Some(stream) = &mut first.control else { return Ok(Vec::new()) };
        // Process 0 waits as long as this one for the others.
        stream.set_read_timeout(Some(PAUSE)).map_err(unreachable)?;
        while let Err(error) = stream.peek(&mut [0]) {
            let waits = [ErrorKind::WouldBlock, ErrorKind::TimedOut, ErrorKind::Interrupted];
            if !waits.contains(&error.kind()) || Instant::now() >= self.end + ANSWER {
                return Err(unreachable(error));
            }
            self.wait_for(&Waiting { missing: vec![0], strangers: 0, unreachable: None })?;
        }
        let told = stream.set_read_timeout(Some(ANSWER)).and_then(|()| read_frame(stream));
        let told = told.map_err(unreachable)?;
        let told = decode_texts(&told).unwrap_or_default();
        match &told[..] {
            [kind, _, addresses @ ..] if kind == MET => Ok(addresses.to_vec()),
            [kind, error, ..] if kind == DIFFERS => Err(ConnectError::Differs(error.clone())),
            [_, error, ..] => Err(ConnectError::Elsewhere(format!("process 0: {error}"))),
            _ => Err(unreachable(ErrorKind::InvalidData.into())),
        }
    }
}

impl Terms {
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
        let mut accepted = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = (other, greeting.role);
        if !expected.contains(&other) || accepted.contains(&connection) {
            return Some(format!("there are two processes with the number {other}"));
        }
        accepted.push(connection);
        drop(accepted);
        let (field, own, others) = self.question.difference(&greeting.question)?;
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
