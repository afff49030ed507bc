//! The dataflow: one operator that delivers what arrives and detects when a layer is complete.
//!
//! The timestamp of a parcel is the number of layers that its sender has ended. The operator's
//! input frontier passes a timestamp only when no process can send anything with it any more and
//! everything with it has arrived.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::container::NoopBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::generic::Operator;
use timely::worker::Worker;

use crate::cause::Cause;
use crate::parcel::{Content, Parcel, ToProcess};
use crate::shared::Shared;
use crate::socket::Socket;

/// A command from the search threads to the engine.
#[derive(Debug)]
pub(crate) enum Command {
    Send(Content),
    EndLayer,
}

/// The longest time that the engine sleeps.
const SLEEP: Duration = Duration::from_millis(100);

/// Starts the engine thread. It ends when the sender of `commands` is dropped. Unpark it after each
/// command.
pub(crate) fn start(
    process: usize,
    sockets: Vec<Option<Socket>>,
    commands: Receiver<Command>,
    shared: &Arc<Shared>,
) -> io::Result<JoinHandle<()>> {
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_bytes_vector(1, hooks.refill.clone(), None);
    let (builders, guard) = initialize_networking_from_sockets(inner, sockets, process, 1, hooks)?;
    // Dropping the guard would join timely's connection threads, which never end (see `socket.rs`).
    std::mem::forget(guard);
    let shared = Arc::clone(shared);
    thread::Builder::new().name("engine".to_owned()).spawn(move || {
        for builder in builders {
            // Do not spin: the search threads need the processors.
            let config = WorkerConfig::default().idle_spin(Duration::ZERO);
            // Without a start time, a timely worker never parks.
            let now = Some(Instant::now());
            let worker = Worker::new(config, Allocator::Tcp(builder.build()), now);
            run(worker, &commands, &shared);
        }
    })
}

fn run(mut worker: Worker, commands: &Receiver<Command>, shared: &Arc<Shared>) {
    let mut input = InputHandle::<u64, NoopBuilder<Parcel>>::new_with_builder();
    let arrived = Arc::clone(shared);
    let (process, processes) = (worker.index(), worker.peers());
    worker.dataflow(|scope| {
        let parcels = input.to_stream(scope);
        let mut complete = 0;
        parcels.sink(DistributorPact(|_| ToProcess), "parcels", move |(input, frontier)| {
            input.for_each(|_, parcel| match parcel.0.take() {
                Some(content) if content.from < processes => arrived.arrived(content),
                _ => {
                    // A parcel that does not decode, or with an impossible sender, comes from a
                    // broken or foreign process. Trust nothing further: stop the search.
                    let what = format!("process {process} received data that it cannot decode");
                    arrived.stop(Cause::Lost { process, what });
                }
            });
            // An empty frontier means that all inputs are closed.
            let layers = frontier.frontier().first().copied().unwrap_or(u64::MAX);
            if layers > complete {
                complete = layers;
                arrived.change(|state| state.complete_layers = layers);
            }
        });
    });
    let mut layers = 0;
    loop {
        match commands.try_recv() {
            Ok(Command::Send(content)) => input.send_batch(&mut Parcel(Some(content))),
            Ok(Command::EndLayer) => {
                layers += 1;
                input.advance_to(layers);
            }
            Err(TryRecvError::Empty) => {
                worker.step_or_park(Some(SLEEP));
            }
            Err(TryRecvError::Disconnected) => break,
        }
    }
    // Run one more step, so that what was sent last is flushed.
    input.close();
    worker.step();
}
