//! `completions`: scripts that let a shell ask this program to complete a command line.

use std::io::Write;

use clap::builder::{PossibleValuesParser, ValueParser};
use clap::{ArgMatches, Args, Command};
use clap_complete::env::Shells;

use crate::PuzzleRef;
use crate::args::{parsed, with};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::standard_output;

#[derive(Args)]
#[group(skip)]
struct Completions {
    /// Shell to generate the script for
    #[arg(value_parser = shells())]
    shell: String,
}

fn shells() -> ValueParser {
    PossibleValuesParser::new(["bash", "zsh", "fish", "elvish", "powershell"]).into()
}

pub(crate) fn command() -> Command {
    with::<Completions>(Command::new("completions"))
        .about("Generate a shell completion script")
        .long_about(
            "Generate a shell completion script\n\nThe script also completes the names of built-in \
             instances.",
        )
}

pub(crate) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    write(puzzle.info().name, matches)
}

/// Writes the script for the program of this name.
pub(crate) fn write(program: &str, matches: &ArgMatches) -> Result<Exit, Failure> {
    let Completions { shell } = parsed(matches)?;
    let shells = Shells::builtins();
    let unknown = || Failure::Internal(format!("no completions for {shell}"));
    let shell = shells.completer(&shell).ok_or_else(unknown)?;
    let mut script = Vec::new();
    shell.write_registration("COMPLETE", program, program, program, &mut script)?;
    let mut out = standard_output();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Answered)
}
