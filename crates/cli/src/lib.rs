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
    let program = Fewest::try_parse().unwrap_or_else(|error| exit::refuse(&error));
    exit::report(match program.command {
        Command::Halloween(args) => run::<Halloween>(args),
        Command::List => verbs::list::all(),
    })
}

/// The program `halloween`: the same as `fewest halloween`.
pub fn halloween() -> ExitCode {
    one_puzzle::<Halloween>()
}

fn one_puzzle<P: Puzzle>() -> ExitCode {
    let command = PuzzleProgram::command().name(P::NAME).about(P::ABOUT).after_long_help(args::long_help::<P>());
    let matches = command.try_get_matches();
    let program = matches.and_then(|matches| PuzzleProgram::from_arg_matches(&matches));
    exit::report(run::<P>(program.unwrap_or_else(|error| exit::refuse(&error)).args))
}

fn run<P: Puzzle>(args: PuzzleArgs) -> Result<Exit, Failure> {
    match args.verb {
        None => verbs::classic::classic::<P>(args.file.as_deref(), &args.search),
        Some(Verb::Solve { instance, search, json }) => verbs::solve::solve::<P>(&instance, &search, json),
        Some(Verb::Verify { instance, plan }) => verbs::verify::verify::<P>(&instance, &plan),
        Some(Verb::List) => verbs::list::one::<P>(),
    }
}
