//! The programs: `fewest`, and one a puzzle. Here are clap, exit codes and streams; the puzzles' crates know none of it.
//!
//! A command line becomes a structure of `args`; a verb of `verbs` carries it out for any `puzzle::Puzzle`; what it
//! returns, `exit` turns into an exit code. Data goes to standard output, messages to standard error.

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

use args::{Command, Fewest, PuzzleArgs, PuzzleProgram, Verb};
use exit::{Exit, Failure};
use halloween::Halloween;
use puzzle::Puzzle;

/// The program `fewest`.
pub fn fewest() -> ExitCode {
    exit::report(match Fewest::parse().command {
        Command::Halloween(args) => run::<Halloween>(args),
        Command::List => verbs::list::list(),
    })
}

/// The program `halloween`: the same as `fewest halloween`.
pub fn halloween() -> ExitCode {
    one_puzzle::<Halloween>()
}

fn one_puzzle<P: Puzzle>() -> ExitCode {
    let command = PuzzleProgram::command().name(P::NAME).about(P::ABOUT);
    let program = PuzzleProgram::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit());
    exit::report(run::<P>(program.args))
}

fn run<P: Puzzle>(args: PuzzleArgs) -> Result<Exit, Failure> {
    match args.verb {
        None => verbs::classic::classic::<P>(args.file.as_deref(), &args.search),
        Some(Verb::Solve { instance, search, json }) => verbs::solve::solve::<P>(&instance, &search, json),
        Some(Verb::Verify { instance, plan }) => verbs::verify::verify::<P>(&instance, &plan),
    }
}
