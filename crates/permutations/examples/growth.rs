//! How many arrangements of a puzzle need how many moves:
//! `cargo run --release -p fewest-permutations --example growth -- lrx 10`
//!
//! After the name come its numbers, and `two-bits` if layers are to be kept in two bits for each
//! rank: `lrx 12 two-bits` counts 479,001,600 arrangements in 120 MB.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its result")]

use std::env;
use std::error::Error;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::thread::available_parallelism;

use fewest_core::Budget;
use fewest_core::representation::Representation;
use fewest_core::storage::Storage;
use fewest_permutations::Permutations;

const USAGE: &str =
    "expected lrx N, top-spin N K, pancake N or burnt-pancake N, and perhaps two-bits";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    let (storage, words) = match words.as_slice() {
        [words @ .., "two-bits"] => {
            (Storage::default().with_representation(Representation::TwoBits), words)
        }
        words => (Storage::default(), words),
    };
    let puzzle = match *words {
        ["lrx", n] => Permutations::lrx(n.parse()?),
        ["top-spin", n, k] => Permutations::top_spin(n.parse()?, k.parse()?),
        ["pancake", n] => Permutations::pancake(n.parse()?),
        ["burnt-pancake", n] => Permutations::burnt_pancake(n.parse()?),
        _ => return Err(USAGE.into()),
    };
    let space = puzzle.build()?;
    let budget = Budget::unlimited().with_storage(storage).with_threads(available_parallelism()?);
    let found = space.count_layers(&budget, |depth, states| {
        println!("{depth:>3} {states:>15}");
        ControlFlow::Continue(())
    });
    println!("{} arrangements: {:?}", found.states(), found.supported()?.end);
    Ok(())
}
