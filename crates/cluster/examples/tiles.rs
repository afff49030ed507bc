//! Goes through all boards of the sliding tiles in several processes on this machine, and says what
//! it took:
//!
//! ```text
//! cargo run --release -p fewest-cluster --example tiles -- 4 3 --processes 2 --representation two-bits
//! ```

#![allow(clippy::print_stdout, reason = "the example prints its results")]

use std::env;
use std::error::Error;
use std::fs;
use std::net::TcpListener;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use fewest_cluster::{Membership, TcpCluster, random_secret};
use fewest_core::budget::{Budget, Limits};
use fewest_core::checkpoint::Description;
use fewest_core::disk::Disk;
use fewest_core::representation::Representation;
use fewest_core::search::Search;
use fewest_core::storage::Storage;

#[path = "../../core/examples/sliding_tile/tiles.rs"]
mod sliding_tile;

use sliding_tile::{Grid, Tiles};

/// What process 0 tells the others: their number, its address, and the secret.
const JOIN: &str = "TILES_JOIN";

struct Arguments {
    width: usize,
    height: usize,
    processes: usize,
    workers: NonZero<usize>,
    representation: Representation,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut all = Arguments {
        width: 5,
        height: 2,
        processes: 2,
        workers: NonZero::<usize>::MIN,
        representation: Representation::Table,
    };
    let mut words = env::args().skip(1);
    let mut sizes = Vec::new();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--processes" => all.processes = value()?.parse()?,
            "--workers" => all.workers = value()?.parse()?,
            "--representation" => all.representation = value()?.parse()?,
            size => sizes.push(size.parse()?),
        }
    }
    if let [width, height] = sizes[..] {
        (all.width, all.height) = (width, height);
    }
    Ok(all)
}

/// Starts the other processes.
fn start(processes: usize, coordinator: &str, secret: &str) -> Result<Vec<Child>, Box<dyn Error>> {
    let program = env::current_exe()?;
    (1..processes)
        .map(|process| {
            let mut command = Command::new(&program);
            command.args(env::args_os().skip(1));
            Ok(command.env(JOIN, format!("{process} {coordinator} {secret}")).spawn()?)
        })
        .collect()
}

/// The most memory that this process had, where the system says it.
fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown".to_owned(), |peak| peak.trim().to_owned())
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { width, height, processes, workers, representation } = arguments()?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let join = env::var(JOIN).ok();
    let (process, coordinator, secret) = match &join {
        Some(join) => {
            let mut words = join.split(' ');
            let mut word = || words.next().ok_or("too few words");
            (word()?.parse()?, word()?.to_owned(), word()?.to_owned())
        }
        None => {
            let secret = String::from_utf8(random_secret()?)?;
            (0, listener.local_addr()?.to_string(), secret)
        }
    };
    let children = match process {
        0 => start(processes, &coordinator, &secret)?,
        _ => Vec::new(),
    };
    let size = format!("{width} x {height}");
    let cluster = TcpCluster::connect(Membership {
        process,
        processes,
        listener,
        address: None,
        coordinator,
        secret: secret.into_bytes(),
        description: Description::new([
            ("size", size.as_str()),
            ("representation", representation.name()),
        ]),
        timeout: Duration::from_secs(20),
    })?;
    let tiles = Tiles::new(width, height, Grid::new(width, height).goal());
    let mut storage =
        Storage::default().with_cluster(cluster.clone()).with_representation(representation);
    if representation == Representation::Runs {
        storage = storage.with_disk(Disk::new(env::temp_dir()));
    }
    let budget = Budget::new(Limits::default()).with_threads(workers).with_storage(storage);
    let begin = Instant::now();
    let search = Search::new(&tiles).predecessors().ranked().budget(&budget);
    let found = search.explore_layers(|_, _| Ok(ControlFlow::Continue(())));
    let (seconds, sent) = (begin.elapsed().as_secs_f64(), cluster.traffic());
    cluster.close();
    let states = found.states();
    println!(
        "process {process}: {states} states in {} layers, {seconds:.2} s, peak memory {}, sent {} bytes \
         ({:.2} per state of all) in {} blocks, at most {} at once",
        found.layers.len(),
        peak_memory(),
        sent.bytes,
        sent.bytes as f64 / states as f64,
        sent.blocks,
        sent.most_in_flight,
    );
    for mut child in children {
        child.wait()?;
    }
    match found.limit() {
        None => Ok(()),
        Some(limit) => {
            Err(cluster.cause().map_or_else(|| limit.to_string(), |cause| cause.to_string()).into())
        }
    }
}
