//! A complete puzzle: sliding tiles of any size up to 16 cells.
//!
//! ```text
//! cargo run --release -p fewest-core --example sliding_tile -- --help
//! cargo run --release -p fewest-core --example sliding_tile -- 4x3 --representation compact
//! cargo run --release -p fewest-core --example sliding_tile -- 3x3 --solve 8,7,6,5,4,3,2,1,0
//! ```
//!
//! This file is the program, and `tiles.rs` the state space.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the example prints its results")]

#[path = "tiles.rs"]
mod tiles;

use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use clap::{Parser, ValueEnum};
use fewest_core::budget::{Budget, Limits};
use fewest_core::checkpoint::{Checkpoint, Question};
use fewest_core::disk::Disk;
use fewest_core::explore::{Exploration, explore_layers};
use fewest_core::memory::OutOfMemory;
use fewest_core::outcome::Verdict;
use fewest_core::search::{Engine, Search};
use fewest_core::space::moves_along;
use fewest_core::store::{OneThread, Runs, Shard, Sharded, TwoBits};
use fewest_core::visited::{CompactTable, DenseBits, Table, Visited};
use tiles::{Grid, Tiles};

/// Count the states of a sliding-tile puzzle at each distance from the ordered tiles, or find the
/// fewest moves that order a board.
#[derive(Parser)]
struct Args {
    /// The columns and rows of the board: at least 2 of each, and at most 16 cells
    #[arg(default_value = "3x3", value_name = "COLUMNSxROWS")]
    size: Size,
    /// Order this board: its tiles row by row, 0 for the blank
    #[arg(
        long,
        value_name = "TILES",
        value_delimiter = ',',
        conflicts_with_all = ["representation", "threads"]
    )]
    solve: Option<Vec<u8>>,
    /// How visited states are stored
    #[arg(long, value_enum, default_value_t = Representation::Table)]
    representation: Representation,
    /// Keep the layers as sorted runs in a new folder below this one, and as many states in memory as
    /// half of --memory, or 256 MiB, has room for
    #[arg(long, value_name = "DIR", conflicts_with_all = ["representation", "solve"])]
    disk: Option<PathBuf>,
    /// Write each layer to this folder, and go on from there if it has layers of the same board
    #[arg(long, value_name = "DIR", conflicts_with = "solve")]
    checkpoint: Option<PathBuf>,
    /// The number of threads of an exploration
    #[arg(long, default_value = "1")]
    threads: NonZero<usize>,
    /// The memory limit, for example 1200MB or 2GiB
    #[arg(long)]
    memory: Option<ByteSize>,
    /// The time limit, for example 30s or 5min
    #[arg(long, value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    /// The maximal number of expanded states
    #[arg(long)]
    states: Option<u64>,
}

#[derive(Clone, Copy)]
struct Size {
    columns: usize,
    rows: usize,
}

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (columns, rows) = text.split_once('x').ok_or("expected a size such as 4x3")?;
        let number = |text: &str| text.parse().map_err(|_| "expected a size such as 4x3");
        let (columns, rows): (usize, usize) = (number(columns)?, number(rows)?);
        match columns.saturating_mul(rows) {
            ..=16 if columns.min(rows) > 1 => Ok(Self { columns, rows }),
            _ => Err("expected at least 2 columns and 2 rows, and at most 16 cells"),
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Representation {
    /// Whole states in a hash table
    Table,
    /// Parts of hashes
    Compact,
    /// One bit per rank
    Bits,
    /// Two bits per rank, without lists of states
    TwoBits,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let budget = Budget::new(Limits {
        time: args.time,
        memory_bytes: args.memory.map(|size| size.as_u64()),
        states: args.states,
    });
    if let Some(board) = &args.solve {
        return solve(args.size, board, &budget);
    }
    let Some(folder) = &args.checkpoint else { return explore(&args, &budget) };
    let Size { columns, rows } = args.size;
    let question = Question::new([("board", format!("{columns}x{rows} tiles in order"))]);
    match Checkpoint::open(&Disk::new(folder), &question) {
        Ok(checkpoint) => explore(&args, &budget.with_checkpoint(checkpoint)),
        Err(error) => {
            eprintln!("error: the checkpoint `{}` cannot be used: {error}", folder.display());
            ExitCode::from(2)
        }
    }
}

fn solve(Size { columns, rows }: Size, board: &[u8], budget: &Budget) -> ExitCode {
    let mut sorted = board.to_vec();
    sorted.sort_unstable();
    if !sorted.into_iter().map(usize::from).eq(0..columns * rows) {
        eprintln!("error: expected each number from 0 to {} once", columns * rows - 1);
        return ExitCode::from(2);
    }
    let start = board.iter().rev().fold(0, |state, &tile| state << 4 | u64::from(tile));
    let tiles = Tiles::new(columns, rows, start);
    if !tiles.is_solvable() {
        println!("no plan: two tiles would have to change places, and nothing else");
        return ExitCode::SUCCESS;
    }
    let search = Search::new(&tiles).heuristic(&tiles).budget(budget).engine(Engine::Idastar);
    let outcome = search.run().expect("a heuristic is all that IDA* needs");
    match outcome.verdict {
        Verdict::Solved { plan, cost } => {
            let moves = moves_along(&tiles, &plan).expect("a chain of moves");
            let cells: Vec<_> = moves.iter().map(|by| by.to().to_string()).collect();
            println!("fewest moves: {cost}; cells of the blank: {}", cells.join(" "));
            ExitCode::SUCCESS
        }
        Verdict::Stopped { limit, lower_bound, .. } => {
            eprintln!("stopped: {limit}; at least {lower_bound} moves");
            ExitCode::FAILURE
        }
        Verdict::Unsolvable => unreachable!("the parity allows a plan"),
    }
}

fn explore(args: &Args, budget: &Budget) -> ExitCode {
    let Size { columns, rows } = args.size;
    let tiles = Tiles::new(columns, rows, Grid::new(columns, rows).goal());
    if let Some(folder) = &args.disk {
        return explore_on_disk(&tiles, folder, args, budget);
    }
    let explored = match args.representation {
        Representation::Table => explore_with::<Table<_>>(&tiles, args.threads, budget),
        Representation::Compact => explore_with::<CompactTable>(&tiles, args.threads, budget),
        Representation::Bits => explore_with::<DenseBits>(&tiles, args.threads, budget),
        Representation::TwoBits => TwoBits::new(&tiles, args.threads, budget.memory())
            .map(|mut store| explore_layers(&mut store, true, budget, print_layer)),
    };
    let Ok(explored) = explored else {
        eprintln!("stopped: out of memory before the first state");
        return ExitCode::FAILURE;
    };
    report(&explored)
}

/// The memory of sorted runs if there is no limit.
const RUN_BYTES: u64 = 256 << 20;

fn explore_on_disk(tiles: &Tiles, folder: &Path, args: &Args, budget: &Budget) -> ExitCode {
    let bytes = args.memory.map_or(RUN_BYTES, |size| size.as_u64() / 2);
    // Each move of the tiles can be undone.
    let store = Runs::new(tiles, &Disk::new(folder), true, args.threads, bytes, budget.memory());
    match store {
        Ok(mut store) => report(&explore_layers(&mut store, true, budget, print_layer)),
        Err(limit) => {
            eprintln!("stopped: {limit} before the first state");
            ExitCode::FAILURE
        }
    }
}

fn print_layer(depth: u32, states: u64) -> ControlFlow<()> {
    println!("{depth:>3} {states:>12}");
    ControlFlow::Continue(())
}

fn report(explored: &Exploration) -> ExitCode {
    let (states, bytes) = (explored.states(), explored.stats.bytes);
    println!("all {states:>12}, {} of memory", ByteSize(bytes));
    match explored.limit() {
        Some(limit) => {
            eprintln!("stopped: {limit}; the layers above are complete");
            ExitCode::FAILURE
        }
        None => ExitCode::SUCCESS,
    }
}

fn explore_with<V: Visited<Tiles> + Shard<Tiles>>(
    tiles: &Tiles,
    threads: NonZero<usize>,
    budget: &Budget,
) -> Result<Exploration, OutOfMemory> {
    if threads == NonZero::<usize>::MIN {
        Ok(explore_layers(
            &mut OneThread::<_, V>::new(tiles, budget.memory())?,
            true,
            budget,
            print_layer,
        ))
    } else {
        Ok(explore_layers(
            &mut Sharded::<_, V>::new(tiles, threads, budget.memory())?,
            true,
            budget,
            print_layer,
        ))
    }
}
