//! `completions`: what makes a shell ask this program how a command line may go on.

use std::ffi::OsStr;
use std::io::Write;

use clap::Args;
use clap::builder::{PossibleValuesParser, ValueParser};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::Shells;

use crate::exit::{Exit, Failure};
use crate::output::standard_output;
use crate::puzzle::Puzzle;

#[derive(Args)]
pub(crate) struct Completions {
    /// The shell that is to read it when it starts
    #[arg(value_parser = shells())]
    shell: String,
}

fn shells() -> ValueParser {
    PossibleValuesParser::new(["bash", "zsh", "fish", "elvish", "powershell"]).into()
}

impl Completions {
    /// Writes the script for a program, which is found by its name.
    pub(crate) fn carry_out(&self, program: &str) -> Result<Exit, Failure> {
        let shells = Shells::builtins();
        let unknown = || Failure::Fault(format!("there are no completions for {}", self.shell));
        let shell = shells.completer(&self.shell).ok_or_else(unknown)?;
        let mut script = Vec::new();
        shell.write_registration("COMPLETE", program, program, program, &mut script)?;
        let mut out = standard_output();
        out.write_all(&script)?;
        out.flush()?;
        Ok(Exit::Answered)
    }
}

/// Completes an instance: the built-in names that begin so, and files.
pub(crate) fn instance<P: Puzzle>() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| {
        let begun_text = begun.to_string_lossy();
        let names = P::builtins()
            .iter()
            .flat_map(|builtin| builtin.names.iter().map(move |name| (name, builtin.about)));
        let begins = names.filter(|(name, _)| name.starts_with(begun_text.as_ref()));
        let mut candidates: Vec<_> = begins
            .map(|(name, about)| CompletionCandidate::new(name).help(Some(about.into())))
            .collect();
        candidates.extend(PathCompleter::file().complete(begun));
        candidates
    })
}
