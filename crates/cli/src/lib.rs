//! The programs: `fewest`, and one a puzzle. Here are clap, exit codes and streams; the puzzles' crates know none of it.
//!
//! A command line becomes an [`args`] structure; a verb of [`verbs`] carries it out for any [`puzzle::Puzzle`]; what it
//! returns, [`exit`] turns into an exit code. Data goes to standard output, messages to standard error.

mod args;
mod exit;
mod halloween;
mod input;
mod plan_text;
mod puzzle;
mod report;
mod session;
mod verbs;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

pub use args::PuzzleName;
use args::{Command, Fewest, PuzzleArgs, PuzzleProgram, Verb};
use exit::{Exit, Failure};
use halloween::Halloween;
use puzzle::Puzzle;

/// The program `fewest`.
pub fn fewest() -> ExitCode {
    exit::report(match Fewest::parse().command {
        Command::List => verbs::list::list(),
        Command::Halloween(args) => run(PuzzleName::Halloween, args),
    })
}

/// The program of one puzzle, which is `fewest` with the puzzle's name before its arguments.
pub fn one_puzzle(name: PuzzleName) -> ExitCode {
    let about = match name {
        PuzzleName::Halloween => Halloween::ABOUT,
    };
    let command = PuzzleProgram::command().name(name.as_str()).bin_name(name.as_str()).about(about);
    let program = PuzzleProgram::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit());
    exit::report(run(name, program.args))
}

fn run(name: PuzzleName, args: PuzzleArgs) -> Result<Exit, Failure> {
    match name {
        PuzzleName::Halloween => run_puzzle::<Halloween>(args),
    }
}

fn run_puzzle<P: Puzzle>(args: PuzzleArgs) -> Result<Exit, Failure> {
    match args.verb {
        None => verbs::classic::classic::<P>(args.file.as_deref(), &args.search),
        Some(Verb::Solve { instance, search, json }) => verbs::solve::solve::<P>(&instance, &search, json),
        Some(Verb::Verify { instance, plan }) => verbs::verify::verify::<P>(&instance, &plan),
    }
}
