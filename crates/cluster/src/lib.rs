//! Searches of [`fewest_core`] that are distributed over processes, on one machine or on many.
//!
//! A [`TcpCluster`] implements [`fewest_core::cluster::Cluster`] on top of [`timely`], a dataflow
//! engine. The processes only need TCP connections to each other.
//!
//! ```text
//! search threads -- commands --> engine (one thread, timely) -- sockets --> other processes
//!       ^                           |
//!       +------- shared state <-----+---- control connections (alive? received? stop!)
//! ```
//!
//! - [`TcpCluster::connect`] connects all processes. In the handshake, they compare their searches
//!   and authenticate each other with a shared secret. Traffic after the handshake is neither
//!   encrypted nor signed.
//! - Blocks of states and all-gathers go through the engine. At most 16 blocks to one process are
//!   in flight, because timely itself has no flow control.
//! - A layer is complete when timely's progress tracking reports that no more blocks of it can
//!   arrive.
//! - If a process exits or sends nothing for four seconds, the others stop: timely cannot continue
//!   without a process.
//! - A process that [leaves](TcpCluster::leave) sends the reason, and all processes report the same
//!   [`Cause`].

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

/// The configuration of one process of a cluster.
#[derive(Debug)]
pub struct Membership {
    /// The index of this process, from 0.
    pub process: usize,
    /// The number of processes.
    pub processes: usize,
    /// Where it accepts connections.
    pub listener: TcpListener,
    /// The address under which others reach the listener: a host and a port. `None` for the source
    /// address of this process's connections, with the port of the listener.
    pub address: Option<String>,
    /// The address of process 0: a host and a port.
    pub coordinator: String,
    /// The secret that all processes share.
    pub secret: Vec<u8>,
    /// Everything that the answer depends on; it must be the same in all processes. The version of
    /// this crate is compared, too.
    pub description: Description,
    /// The timeout of each of the two phases of connecting: until all processes are connected to
    /// process 0, and until all are connected to each other.
    pub timeout: Duration,
}

/// What a process is waiting for while it connects.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Waiting {
    /// The processes that are not connected yet.
    pub missing: Vec<usize>,
    /// The number of connections that were refused, for example because of a wrong secret.
    pub rejected: usize,
    /// The address that it tries to connect to, and the last error. `None` while it waits for
    /// others to connect.
    pub unreachable: Option<String>,
}

/// The error of connecting the processes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// An I/O error of this process.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A process cannot be reached.
    #[error("process {process} ({address}) cannot be reached: {error}")]
    Unreachable {
        /// Its number.
        process: usize,
        /// Its host and port.
        address: String,
        /// The error.
        error: io::Error,
    },
    /// Some processes did not connect in time.
    #[error("{}", missing_text(missing, *rejected))]
    Missing {
        /// Their numbers.
        missing: Vec<usize>,
        /// The number of connections that were refused, for example because of another secret.
        rejected: usize,
    },
    /// Some processes connected to process 0 but not to all others.
    #[error("{} did not connect to all others", numbers_text(processes))]
    NotMet {
        /// Their numbers.
        processes: Vec<usize>,
    },
    /// The caller cancelled the wait.
    #[error("interrupted while the processes were waiting for each other")]
    GivenUp,
    /// A process has a different secret.
    #[error("{0} has a different secret")]
    Secret(String),
    /// The processes were started with different options.
    #[error("{0}")]
    Differs(String),
    /// A process left before all were connected.
    #[error("process {process}: {}", reason.text)]
    Left {
        /// Its number.
        process: usize,
        /// The reason that it sent.
        reason: Reason,
    },
    /// Other processes failed to connect; this is their error message.
    #[error("{0}")]
    Elsewhere(String),
}

impl ConnectError {
    /// Whether the processes were started with inconsistent options.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Secret(_) | Self::Differs(_))
    }
}

fn missing_text(missing: &[usize], rejected: usize) -> String {
    let refused = match rejected {
        0 => String::new(),
        1 => "; 1 connection was refused, possibly because of a wrong secret".to_owned(),
        count => {
            format!("; {count} connections were refused, possibly because of a wrong secret")
        }
    };
    format!("{} did not connect in time{refused}", numbers_text(missing))
}

fn numbers_text(processes: &[usize]) -> String {
    let numbers: Vec<_> = processes.iter().map(usize::to_string).collect();
    let noun = if processes.len() == 1 { "process" } else { "processes" };
    format!("{noun} {}", numbers.join(", "))
}

/// Generates a random secret of 256 bits, as hexadecimal digits.
///
/// # Errors
/// If the system provides no random numbers.
pub fn random_secret() -> io::Result<Vec<u8>> {
    let bytes = handshake::random()?;
    Ok(bytes.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect())
}

/// The maximum number of unacknowledged blocks to one process.
const WINDOW: usize = 16;

/// How long [`TcpCluster::close`] waits for the other processes to finish.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// The connections of one process to all other processes of a distributed search.
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
    /// The number of layers that this process has ended, and the number of layer ends that it has
    /// returned to the search.
    ended_layers: u64,
    received_layers: u64,
    /// The number of all-gathers so far.
    gathers: u64,
}

impl TcpCluster {
    /// Connects to all processes and starts the engine.
    ///
    /// # Errors
    /// If a process does not connect in time or cannot be reached, or if the secrets or the fields
    /// differ. All processes that are connected get an error.
    pub fn connect(membership: Membership) -> Result<Arc<Self>, ConnectError> {
        Self::connect_while(membership, &mut |_| true)
    }

    /// As [`connect`](Self::connect), and calls `keeps_waiting` many times a second. If it returns
    /// `false`, connecting is cancelled.
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
        // This process never waits for itself.
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

    /// Why the search stopped early. Final after [`close`](Self::close).
    pub fn cause(&self) -> Option<Cause> {
        self.shared.lock().stop.clone()
    }

    /// The traffic that this process has sent so far.
    pub fn traffic(&self) -> Traffic {
        self.shared.lock().traffic
    }

    /// Shuts the cluster down after the search. Waits up to five seconds for the other processes to
    /// do the same, so that they receive everything and so that the [cause](Self::cause) is final.
    pub fn close(&self) {
        // 1. Send the cause, if there is one: after an abort the others do not know it yet. Then
        //    send `End`, the last message of a control connection.
        // 2. Wait for the `End` of all others: by then everything that they sent has arrived.
        // 3. Close the control connections, then drop the command channel, which ends the engine.
        if let Some(cause) = self.cause() {
            self.controls.send(&Message::Stop(cause));
        }
        self.controls.send(&Message::End);
        self.shared.wait_until(END_TIMEOUT, |state| state.has_ended.iter().all(|&ended| ended));
        self.abandon();
        self.commands().sender = None;
        self.engine.unpark();
    }

    /// Aborts the search. The other processes stop and report this reason, unless they already have
    /// a cause.
    pub fn leave(&self, reason: Reason) {
        self.shared.stop(Cause::Left { process: self.process, reason });
        self.close();
    }

    /// Closes the control connections immediately, as if the process had exited. Public for tests.
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
        // Flow control: the receiver acknowledges a block with `Message::Received` when the search
        // takes it (see `receive`), not when it arrives, so the window bounds its queue, too.
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
            // Ignore errors: the thread that reads from the process detects a broken connection.
            let _ = self.controls.send_to(from, &Message::Received(1));
            return Ok(Received::Block(block));
        }
        // The order matters: blocks first, then the end of the layer. The engine counts a layer as
        // complete only after all of its blocks are in `blocks`. `min(ended_layers)`: the frontier
        // may pass a layer that this process has not ended yet only when the input is closed
        // (`u64::MAX`).
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
        // The number matches the gathers of all processes with each other: every process makes them
        // in the same order. A process also sends to itself, so `wait_for` sees all parts in one
        // place.
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
