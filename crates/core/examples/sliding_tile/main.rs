//! A complete puzzle: sliding tiles of any size up to 16 cells.
//!
//! ```text
//! cargo run --release -p fewest-core --example sliding_tile -- --help
//! cargo run --release -p fewest-core --example sliding_tile -- 4x3 --representation table
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
use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::checkpoint::{Checkpoint, CheckpointError, Description};
use fewest_core::disk::Disk;
use fewest_core::explore::Exploration;
use fewest_core::outcome::Verdict;
use fewest_core::representation;
use fewest_core::search::Search;
use fewest_core::space::{Ranked, moves_along};
use fewest_core::storage::Storage;
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
    /// How states are stored. Without this, the program chooses what fits --memory, and says why
    #[arg(long, value_enum)]
    representation: Option<Representation>,
    /// Keep the layers in a new folder below this one, and as much of them in memory as half of
    /// --memory has room for, or 256 MiB
    #[arg(long, value_name = "DIR", conflicts_with = "solve")]
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Representation {
    /// A hash table
    Table,
    /// One bit per rank
    Bits,
    /// Two bits per rank, without lists of states
    TwoBits,
    /// Sorted runs of states on --disk
    Runs,
    /// Two bits per rank on --disk
    TwoBitsOnDisk,
}

/// What the choice of a representation assumes without --memory.
const DEFAULT_MEMORY: u64 = 4 << 30;

impl Representation {
    fn is_on_disk(self) -> bool {
        matches!(self, Self::Runs | Self::TwoBitsOnDisk)
    }

    fn of_core(self) -> representation::Representation {
        use representation::Representation as Core;
        match self {
            Self::Table => Core::Table,
            Self::Bits => Core::Bits,
            Self::TwoBits | Self::TwoBitsOnDisk => Core::TwoBits,
            Self::Runs => Core::Runs,
        }
    }

    /// What is likely to fit, and why.
    fn choose(args: &Args, states: u64) -> (Self, String) {
        if args.disk.is_some() {
            let why = "sorted runs, since there is a --disk: about 3 bytes per state of the largest \
                       layers on it";
            return (Self::Runs, why.to_owned());
        }
        let memory = args.memory.map_or(DEFAULT_MEMORY, |size| size.as_u64());
        // The two largest of all layers have a tenth of the states, at 10 bytes with the move.
        let (bits, two_bits) = (states / 8 + states, states / 4);
        let (bits_size, two_bits_size) = (ByteSize(bits), ByteSize(two_bits));
        if bits <= memory {
            return (Self::Bits, format!("one bit per rank, the fastest: about {bits_size}"));
        }
        if two_bits > memory {
            let why = format!(
                "a hash table, as far as it gets: two bits per rank would take {two_bits_size}, and \
                 --disk DIR has room for more"
            );
            return (Self::Table, why);
        }
        let why = format!(
            "two bits per rank: {two_bits_size}; one bit and lists of layers would take {bits_size}"
        );
        (Self::TwoBits, why)
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let budget = Budget::new(Limits {
        time: args.time,
        memory_bytes: args.memory.map(|size| size.as_u64()),
        states: args.states,
    });
    match &args.solve {
        Some(board) => solve(args.size, board, &budget),
        None => explore(&args, budget),
    }
}

/// The checkpoint of a board. Two bits per rank keep ranks.
fn checkpoint(
    folder: &Path,
    size: Size,
    representation: Representation,
) -> Result<Checkpoint, CheckpointError> {
    let words = match representation {
        Representation::TwoBits | Representation::TwoBitsOnDisk => "fields of ranks",
        _ => "tiles",
    };
    let board = format!("{}x{} tiles in order", size.columns, size.rows);
    Checkpoint::open(&Disk::new(folder), &Description::new([("board", &*board), ("words", words)]))
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
    let search = Search::new(&tiles).heuristic(&tiles).budget(budget);
    match search.run_without_table().verdict {
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

fn explore(args: &Args, budget: Budget) -> ExitCode {
    let Size { columns, rows } = args.size;
    let tiles = Tiles::new(columns, rows, Grid::new(columns, rows).goal());
    let representation = args.representation.unwrap_or_else(|| {
        let states = tiles.ranks().expect("permutations have ranks");
        let (representation, why) = Representation::choose(args, states);
        eprintln!("representation: {why}");
        representation
    });
    let threads = args.threads;
    if representation.is_on_disk() != args.disk.is_some() {
        eprintln!("error: --disk is for representations on disk, and they need it");
        return ExitCode::from(2);
    }
    let mut storage = Storage::default().with_representation(representation.of_core());
    if let Some(folder) = &args.checkpoint {
        match checkpoint(folder, args.size, representation) {
            Ok(checkpoint) => storage = storage.with_checkpoint(checkpoint),
            Err(error) => {
                eprintln!("error: the checkpoint `{}` cannot be used: {error}", folder.display());
                return ExitCode::from(2);
            }
        }
    }
    if let Some(folder) = &args.disk {
        storage = storage.with_disk(Disk::new(folder));
    }
    let budget = budget.with_threads(threads).with_storage(storage);
    let search = Search::new(&tiles).predecessors().ranked().budget(&budget);
    let explored = search.count_layers(|depth, states| {
        println!("{depth:>3} {states:>12}");
        ControlFlow::Continue(())
    });
    if let Some(error) = budget.storage().checkpoint().and_then(Checkpoint::take_error) {
        eprintln!("warning: checkpoint: {error}");
    }
    if let Some(limit @ Limit::Representation(_)) = explored.limit() {
        eprintln!("error: {limit}");
        return ExitCode::from(2);
    }
    report(&explored)
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
