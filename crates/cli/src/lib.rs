//! The command-line programs: `fewest`, and one program per puzzle. This crate handles arguments,
//! streams and exit codes; the crates of the puzzles do not.
//!
//! `parse` turns a command line into the types of `args`. A function of `verbs` runs it for any
//! `puzzle::Puzzle`, and `exit` turns the result into an exit code. Data goes to standard output,
//! messages to standard error.

mod args;
mod batch;
mod black_white;
mod closed;
mod commands;
mod diagnostic;
mod examples;
mod exit;
mod failure;
mod files;
mod generate;
mod halloween;
mod input;
mod json;
mod klotski;
mod message;
mod output;
mod parse;
mod picture;
mod plan_text;
mod plot;
mod puzzle;
mod report;
mod run;
mod session;
mod summary;
mod terminal;
mod verbs;
mod wall_pusher;

use std::process::ExitCode;

use args::{Command, Fewest, PuzzleArgs, PuzzleProgram, Verb};
use black_white::BlackWhite;
use exit::Exit;
use failure::Failure;
use halloween::Halloween;
use klotski::Klotski;
use parse::parse;
use puzzle::{Puzzle, PuzzleVerb};
use wall_pusher::WallPusher;

/// The program `fewest`.
pub fn fewest() -> ExitCode {
    let program: Fewest = match parse(commands::fewest) {
        Ok(program) => program,
        Err(code) => return code,
    };
    program.message_args.apply();
    diagnostic::report(match program.command {
        Command::Halloween(args) => run(args),
        Command::WallPusher(args) => run(args),
        Command::Klotski(args) => run(args),
        Command::BlackWhite(args) => run(args),
        Command::List(args) => verbs::list::all(&args),
        Command::Completions(args) => args.run("fewest"),
    })
}

/// The program `halloween`: the same as `fewest halloween`.
pub fn halloween() -> ExitCode {
    one_puzzle::<Halloween>()
}

/// The program `wall-pusher`: the same as `fewest wall-pusher`.
pub fn wall_pusher() -> ExitCode {
    one_puzzle::<WallPusher>()
}

/// The program `klotski`: the same as `fewest klotski`.
pub fn klotski() -> ExitCode {
    one_puzzle::<Klotski>()
}

/// The program `black-white`: the same as `fewest black-white`.
pub fn black_white() -> ExitCode {
    one_puzzle::<BlackWhite>()
}

/// The clap commands of all programs, for example to generate manual pages.
pub fn programs() -> Vec<clap::Command> {
    commands::all()
}

fn one_puzzle<P: Puzzle>() -> ExitCode {
    match parse::<PuzzleProgram<P>>(commands::puzzle::<P>) {
        Ok(program) => {
            program.message_args.apply();
            diagnostic::report(run(program.args))
        }
        Err(code) => code,
    }
}

fn run<P: Puzzle>(args: PuzzleArgs<P>) -> Result<Exit, Failure> {
    let Some(verb) = args.verb else { return verbs::contest::contest(&args) };
    match verb {
        Verb::Solve(args) => verbs::solve::solve(&args),
        Verb::Show(args) => verbs::show::show(&args),
        Verb::Verify(args) => verbs::verify::verify(&args),
        Verb::List(args) => verbs::list::one::<P>(&args),
        Verb::Puzzle(verb) => verb.run(),
        Verb::Completions(args) => args.run(P::NAME),
    }
}
