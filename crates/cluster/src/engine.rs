//! The dataflow: one operator, which passes on what arrives, and says when a layer is complete.
//!
//! The timestamp of a parcel is the number of layers that its process has ended. The frontier of
//! the operator passes a timestamp when no process can send anything more with it and everything
//! has arrived.

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

/// What the search asks of the engine.
#[derive(Debug)]
pub(crate) enum Command {
    Send(Content),
    EndLayer,
}

/// How long the engine sleeps if nothing wakes it.
const SLEEP: Duration = Duration::from_millis(100);

/// Starts the engine in a thread of its own, which ends when the commands do. It has to be unparked
/// after a command.
pub(crate) fn start(
    process: usize,
    sockets: Vec<Option<Socket>>,
    commands: Receiver<Command>,
    shared: &Arc<Shared>,
) -> io::Result<JoinHandle<()>> {
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_bytes_vector(1, hooks.refill.clone(), None);
    let (builders, guard) = initialize_networking_from_sockets(inner, sockets, process, 1, hooks)?;
    // It would wait for the threads of connections, which end with the process.
    std::mem::forget(guard);
    let shared = Arc::clone(shared);
    thread::Builder::new().name("engine".to_owned()).spawn(move || {
        for builder in builders {
            // The threads of the search need the processors.
            let config = WorkerConfig::default().idle_spin(Duration::ZERO);
            // Without a time, it would never sleep.
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
                    let what = format!("process {process} received something unreadable");
                    arrived.stop(Cause::Lost { process, what });
                }
            });
            // An empty frontier is the end.
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
    // What was sent last is on its way.
    input.close();
    worker.step();
}
