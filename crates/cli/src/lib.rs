//! The programs: `fewest`, and one a puzzle. Here are clap, exit codes and streams; the puzzles'
//! crates know none of it.
//!
//! A command line becomes a structure of `args`, by `parse`; a verb of `verbs` carries it out for
//! any `puzzle::Puzzle`; what it returns, `exit` turns into an exit code. Data goes to standard
//! output, messages to standard error.

mod args;
mod batch;
mod black_white;
mod closed;
mod commands;
mod diagnostic;
mod examples;
mod exit;
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
use exit::{Exit, Failure};
use halloween::Halloween;
use klotski::Klotski;
use parse::parse;
use puzzle::{OwnVerb, Puzzle};
use wall_pusher::WallPusher;

/// The program `fewest`.
pub fn fewest() -> ExitCode {
    let program: Fewest = match parse(commands::fewest) {
        Ok(program) => program,
        Err(code) => return code,
    };
    program.told.settle();
    exit::report(match program.command {
        Command::Halloween(args) => run(args),
        Command::WallPusher(args) => run(args),
        Command::Klotski(args) => run(args),
        Command::BlackWhite(args) => run(args),
        Command::List(args) => verbs::list::all(&args),
        Command::Completions(args) => args.carry_out("fewest"),
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

/// The command lines of all programs, for manual pages.
pub fn programs() -> Vec<clap::Command> {
    commands::all()
}

fn one_puzzle<P: Puzzle>() -> ExitCode {
    match parse::<PuzzleProgram<P>>(commands::puzzle::<P>) {
        Ok(program) => {
            program.told.settle();
            exit::report(run(program.args))
        }
        Err(code) => code,
    }
}

fn run<P: Puzzle>(args: PuzzleArgs<P>) -> Result<Exit, Failure> {
    let Some(verb) = args.verb else { return verbs::classic::classic(&args) };
    match verb {
        Verb::Solve(args) => verbs::solve::solve(&args),
        Verb::Show(args) => verbs::show::show(&args),
        Verb::Verify(args) => verbs::verify::verify(&args),
        Verb::List(args) => verbs::list::one::<P>(&args),
        Verb::Own(verb) => verb.carry_out(),
        Verb::Completions(args) => args.carry_out(P::NAME),
    }
}
