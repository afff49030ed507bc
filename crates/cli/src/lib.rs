//! The command line of puzzles: a program for all of a list, and one for each. This crate handles
//! arguments, streams and exit codes, and knows puzzles only by the list that it is given.
//!
//! `commands` builds the commands of a program from the puzzles and from the table in `verbs`,
//! `parse` parses a command line with them, a function of `verbs` answers it, and `exit` turns the
//! result into an exit code. Data goes to standard output, messages to standard error.

mod args;
mod batch;
mod child;
mod closed;
#[cfg_attr(not(feature = "cluster"), path = "one_process.rs")]
mod cluster;
mod commands;
mod diagnostic;
mod exit;
mod failure;
mod files;
mod input;
mod message;
mod output;
mod parse;
mod picture;
mod plot;
mod run;
mod session;
mod signals;
mod storage;
mod subprocess;
mod success;
mod summary;
mod terminal;
mod verbs;
mod visible;

use std::io::Write;
use std::process::ExitCode;

use clap::ArgMatches;
use fewest_puzzle::AnyPuzzle;

use crate::args::MessageArgs;
use crate::exit::Exit;
use crate::failure::Failure;

// With the allocator of musl, 20,000 mazes on two threads took 2.3 times as long, and a census
// twice as long.
#[cfg(all(target_env = "musl", feature = "mimalloc"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A puzzle by name.
type PuzzleRef = &'static dyn AnyPuzzle;

/// The program of one puzzle: the same as the subcommand of `fewest`.
pub fn puzzle(puzzle: PuzzleRef) -> ExitCode {
    main(&[puzzle], || commands::program(puzzle), |matches| run(puzzle, matches))
}

/// The program `fewest`, with a subcommand for each puzzle.
pub fn fewest(puzzles: &'static [PuzzleRef]) -> ExitCode {
    main(
        puzzles,
        || commands::fewest(puzzles),
        |matches| match matches.subcommand() {
            Some(("list", matches)) => verbs::list::all(puzzles, matches),
            #[cfg(feature = "serve")]
            Some(("serve", matches)) => verbs::serve::run(puzzles, None, matches),
            Some(("completions", matches)) => verbs::completions::write("fewest", matches),
            Some(("man", matches)) => verbs::man::run(puzzles, matches),
            Some((commands::EXIT_CODES, _)) => write_exit_codes(),
            Some((name, matches)) => {
                match puzzles.iter().find(|puzzle| puzzle.info().name == name) {
                    Some(puzzle) => run(*puzzle, matches),
                    None => Err(Failure::Internal(format!("no puzzle {name}"))),
                }
            }
            None => Err(Failure::Internal("no subcommand".to_owned())),
        },
    )
}

/// The clap commands of all programs.
pub fn programs(puzzles: &'static [PuzzleRef]) -> Vec<clap::Command> {
    let programs = puzzles.iter().map(|puzzle| commands::program(*puzzle));
    std::iter::once(commands::fewest(puzzles)).chain(programs).collect()
}

fn main(
    puzzles: &[PuzzleRef],
    command: impl Fn() -> clap::Command,
    run: impl FnOnce(&ArgMatches) -> Result<Exit, Failure>,
) -> ExitCode {
    match parse::parse(command, puzzles) {
        Ok(matches) => {
            MessageArgs::apply(&matches);
            let result = run(&matches);
            let code = diagnostic::report(&result);
            cluster::withdraw(&matches, &result);
            code
        }
        Err(code) => code,
    }
}

/// Runs a verb of a puzzle, or contest mode without one.
fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    match matches.subcommand() {
        None => verbs::contest::run(puzzle, matches),
        Some((commands::EXIT_CODES, _)) => write_exit_codes(),
        Some((name, matches)) => (verbs::find(name)?.run)(puzzle, matches),
    }
}

/// Writes the list of exit codes.
fn write_exit_codes() -> Result<Exit, Failure> {
    let mut out = output::standard_output();
    writeln!(out, "{}", args::EXIT_CODES)?;
    out.flush()?;
    Ok(Exit::Answered)
}
