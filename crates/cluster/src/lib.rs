//! Searches of [`fewest_core`] that are distributed over processes, on one machine or on many.
//!
//! A [`TcpCluster`] implements [`fewest_core::cluster::Cluster`] on [`timely`], a dataflow engine.
//! It
//! needs TCP connections between the processes and nothing else.
//!
//! ```text
//! search threads -- commands --> engine (one thread, timely) -- sockets --> other processes
//!       ^                           |
//!       +------- shared state <-----+---- control connections (alive? received? stop!)
//! ```
//!
//! - [`TcpCluster::connect`] meets the other processes. They compare what they are about to do, and
//!   prove that they know the same secret. What they send afterwards is not encrypted.
//! - Blocks of states, and what the processes tell each other at the end of a layer, go through the
//!   engine. At most 16 blocks to one process are in flight: timely itself would take any number.
//! - A layer is complete when the engine's progress tracking says so.
//! - A process that dies or is silent for four seconds stops the others. timely cannot go on
//!   without it.
//! - A process that [leaves](TcpCluster::leave) says why, and all report the same [`Cause`].

#![forbid(unsafe_code)]

mod cause;
mod control;
mod engine;
mod handshake;
mod leaving;
mod meeting;
mod message;
mod parcel;
mod shared;
mod socket;
mod withdrawal;

use std::io::{self, ErrorKind};
use std::net::TcpListener;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;
use std::time::Duration;

use fewest_core::budget::Limit;
use fewest_core::checkpoint::Description;
use fewest_core::cluster::Received;

use control::Controls;
use engine::Command;
use meeting::{Agreement, Peer, meet};
use message::Message;
use parcel::{Content, Purpose};
use shared::Shared;
use socket::Socket;

pub use cause::{Cause, Reason};
pub use shared::Traffic;
pub use withdrawal::withdraw;

/// What a process has to know to meet the others.
#[derive(Debug)]
pub struct Membership {
    /// Its number.
    pub process: usize,
    /// The number of all processes.
    pub processes: usize,
    /// Where it accepts connections.
    pub listener: TcpListener,
    /// How others reach the listener: a host and a port. If it is `None`, they take the address
    /// from which this process connects, and the port of the listener.
    pub address: Option<String>,
    /// How it reaches process 0: a host and a port.
    pub coordinator: String,
    /// The secret that all processes share.
    pub secret: Vec<u8>,
    /// All that the answer depends on. The version of this crate is compared, too.
    pub description: Description,
    /// How long it waits until all have come to process 0, and as long again until they have met
    /// each other.
    pub timeout: Duration,
}

/// What a process waits for at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Waiting {
    /// The numbers of the processes that it has not met.
    pub missing: Vec<usize>,
    /// The number of connections that it has refused, for example because of another secret.
    pub rejected: usize,
    /// Why the process that it tries to reach is not there: the address, and what the system says.
    /// `None` if it waits for others to connect.
    pub unreachable: Option<String>,
}

/// Why the processes do not work together.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// This machine refuses something.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A process cannot be reached.
    #[error("process {process} ({address}) cannot be reached: {error}")]
    Unreachable {
        /// Its number.
        process: usize,
        /// Its host and port.
        address: String,
        /// What the system says.
        error: io::Error,
    },
    /// Some processes did not come.
    #[error("{}", missing_text(missing, *rejected))]
    Missing {
        /// Their numbers.
        missing: Vec<usize>,
        /// The number of connections that were refused, for example because of another secret.
        rejected: usize,
    },
    /// Some processes have come, and have not met all others.
    #[error("{} did not meet all others", numbers_text(processes))]
    NotMet {
        /// Their numbers.
        processes: Vec<usize>,
    },
    /// The caller did not want to wait any longer.
    #[error("interrupted while the processes were waiting for each other")]
    GivenUp,
    /// The secret of a process is another one.
    #[error("{0} has another secret")]
    Secret(String),
    /// Processes are about to do different things.
    #[error("{0}")]
    Differs(String),
    /// A process ended before all have met.
    #[error("process {process}: {}", reason.text)]
    Left {
        /// Its number.
        process: usize,
        /// What it has said.
        reason: Reason,
    },
    /// Other processes could not meet.
    #[error("{0}")]
    Elsewhere(String),
}

impl ConnectError {
    /// Whether the processes were started with options that do not fit each other.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Secret(_) | Self::Differs(_))
    }
}

fn missing_text(missing: &[usize], rejected: usize) -> String {
    let refused = match rejected {
        0 => String::new(),
        count => {
            format!("; connections that were refused, perhaps because of another secret: {count}")
        }
    };
    format!("{} did not come{refused}", numbers_text(missing))
}

fn numbers_text(processes: &[usize]) -> String {
    let numbers: Vec<_> = processes.iter().map(usize::to_string).collect();
    let noun = if processes.len() == 1 { "process" } else { "processes" };
    format!("{noun} {}", numbers.join(", "))
}

/// A secret that nobody can guess, as hexadecimal digits.
///
/// # Errors
/// If the system has no random numbers.
pub fn random_secret() -> io::Result<Vec<u8>> {
    let bytes = handshake::random()?;
    Ok(bytes.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect())
}

/// The most blocks to one process that it has not received.
const WINDOW: usize = 16;

/// How long a process waits at the end until all others have ended, too.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// The processes of a distributed search, as one of them sees it.
#[derive(Debug)]
pub struct TcpCluster {
    process: usize,
    processes: usize,
    shared: Arc<Shared>,
    controls: Arc<Controls>,
    commands: Mutex<Commands>,
    engine: Thread,
}

#[derive(Debug)]
struct Commands {
    /// Ends the engine when it is dropped.
    sender: Option<Sender<Command>>,
    /// The number of layers that this process has ended, and those whose end it has received.
    ended_layers: u64,
    received_layers: u64,
    /// The number of all-gathers so far.
    gathers: u64,
}

impl TcpCluster {
    /// Meets all processes, and starts the engine.
    ///
    /// # Errors
    /// If a process does not come in time or cannot be reached, or if processes differ in their
    /// secret or in a field. All processes that have met get an error then.
    pub fn connect(membership: Membership) -> Result<Arc<Self>, ConnectError> {
        Self::connect_while(membership, &mut |_| true)
    }

    /// The same, and calls `keeps_waiting` many times a second. If it is false, gives up.
    ///
    /// # Errors
    /// As [`connect`](Self::connect), and [`ConnectError::GivenUp`].
    pub fn connect_while(
        membership: Membership,
        keeps_waiting: &mut dyn FnMut(&Waiting) -> bool,
    ) -> Result<Arc<Self>, ConnectError> {
        let Membership { process, processes, listener, address, coordinator, .. } = membership;
        let Membership { secret, description, timeout, .. } = membership;
        let count = processes.to_string();
        let version = ("version of fewest-cluster", env!("CARGO_PKG_VERSION"));
        let own = [version, ("number of processes", &count)];
        let description = Description::new(own.into_iter().chain(description.fields()));
        let port = listener.local_addr()?.port();
        let address = address.unwrap_or_else(|| format!(":{port}"));
        let accepted = Mutex::default();
        let terms =
            Arc::new(Agreement { process, processes, secret, description, address, accepted });
        let peers = meet(terms, &listener, &coordinator, timeout, keeps_waiting)?;
        drop(listener);
        let shared = Arc::new(Shared::new(processes));
        shared.change(|state| state.has_ended[process] = true);
        let (mut sockets, mut streams) = (Vec::new(), Vec::new());
        for peer in peers {
            let Some(Peer { name, control, data }) = peer else {
                sockets.push(None);
                streams.push(None);
                continue;
            };
            sockets.push(Some(Socket::new(data, &shared)?));
            streams.push(Some((name, control)));
        }
        let (sender, commands) = mpsc::channel();
        let engine = engine::start(process, sockets, commands, &shared)?.thread().clone();
        let controls = Controls::start(streams, &shared)?;
        let commands =
            Commands { sender: Some(sender), ended_layers: 0, received_layers: 0, gathers: 0 };
        Ok(Arc::new(Self {
            process,
            processes,
            shared,
            controls,
            commands: Mutex::new(commands),
            engine,
        }))
    }

    /// Why the processes stopped before the end of the search. After [`close`](Self::close) it is
    /// final.
    pub fn cause(&self) -> Option<Cause> {
        self.shared.lock().stop.clone()
    }

    /// What this process has sent to others so far.
    pub fn traffic(&self) -> Traffic {
        self.shared.lock().traffic
    }

    /// Ends the work: waits until all other processes have ended it, too, so that they have
    /// received everything, and so that this one knows why they stopped. At most five seconds.
    pub fn close(&self) {
        // A process that leaves tells the others why; they may know it already.
        if let Some(cause) = self.cause() {
            self.controls.send(&Message::Stop(cause));
        }
        self.controls.send(&Message::End);
        self.shared.wait_until(END_TIMEOUT, |state| state.has_ended.iter().all(|&ended| ended));
        self.abandon();
        self.commands().sender = None;
        self.engine.unpark();
    }

    /// Ends the work before the search has ended. The others stop, and report this reason unless
    /// they know an earlier one.
    pub fn leave(&self, reason: Reason) {
        self.shared.stop(Cause::Left { process: self.process, reason });
        self.close();
    }

    /// Closes all connections at once, as if the process had ended. For tests.
    #[doc(hidden)]
    pub fn abandon(&self) {
        self.controls.close();
    }

    fn commands(&self) -> MutexGuard<'_, Commands> {
        self.commands.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Commands {
    fn send(&self, command: Command, engine: &Thread) -> Result<(), Limit> {
        let gone = Limit::Io(ErrorKind::NotConnected);
        self.sender.as_ref().ok_or(gone)?.send(command).map_err(|_| gone)?;
        engine.unpark();
        Ok(())
    }
}

impl fewest_core::cluster::Cluster for TcpCluster {
    fn processes(&self) -> usize {
        self.processes
    }

    fn process(&self) -> usize {
        self.process
    }

    fn send(&self, to: usize, block: Vec<u8>) -> Result<Option<Vec<u8>>, Limit> {
        let mut state = self.shared.running()?;
        if state.in_flight[to] >= WINDOW {
            return Ok(Some(block));
        }
        state.in_flight[to] += 1;
        let in_flight = state.in_flight[to];
        let traffic = &mut state.traffic;
        traffic.blocks += 1;
        traffic.block_bytes += block.len() as u64;
        traffic.most_in_flight = traffic.most_in_flight.max(in_flight);
        drop(state);
        let (from, purpose) = (self.process, Purpose::Block);
        let content = Content { from, to, purpose, bytes: block };
        self.commands().send(Command::Send(content), &self.engine)?;
        Ok(None)
    }

    fn end_layer(&self) -> Result<(), Limit> {
        let mut commands = self.commands();
        commands.ended_layers += 1;
        commands.send(Command::EndLayer, &self.engine)
    }

    fn receive(&self) -> Result<Received, Limit> {
        let mut state = self.shared.running()?;
        if let Some((from, block)) = state.blocks.pop_front() {
            drop(state);
            // Its reader notices that a process cannot be reached.
            let _ = self.controls.send_to(from, &Message::Received(1));
            return Ok(Received::Block(block));
        }
        let complete = state.complete_layers;
        drop(state);
        self.shared.check_waiting()?;
        let mut commands = self.commands();
        if commands.received_layers < complete.min(commands.ended_layers) {
            commands.received_layers += 1;
            return Ok(Received::LayerEnd);
        }
        Ok(Received::Nothing)
    }

    fn wait(&self, time: Duration) {
        self.shared.wait(time);
    }

    fn all_gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, Limit> {
        let number = {
            let mut commands = self.commands();
            let number = commands.gathers;
            commands.gathers += 1;
            for to in 0..self.processes {
                let (from, purpose) = (self.process, Purpose::Gather(number));
                let content = Content { from, to, purpose, bytes: own.clone() };
                commands.send(Command::Send(content), &self.engine)?;
            }
            number
        };
        self.shared.wait_for(|state| {
            let parts = state.gathers.get(&number)?;
            if parts.iter().any(Option::is_none) {
                return None;
            }
            state.gathers.remove(&number)?.into_iter().collect()
        })
    }

    fn stop(&self, limit: Limit) {
        let cause = Cause::Limit { process: self.process, limit };
        if self.shared.stop(cause.clone()) {
            self.controls.send(&Message::Stop(cause));
        }
    }
}
