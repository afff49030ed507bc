//! `check`: checks a certificate with the rules.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use bytesize::ByteSize;
use clap::{ArgMatches, Args, Command, ValueHint};
use fewest_core::budget::{Limit, Limits};
use fewest_puzzle::certify::{CheckReport, Refusal, is_check_stopped, read_at_most};
use fewest_puzzle::results;
use fewest_puzzle::work::WorkContext;

use crate::PuzzleRef;
use crate::args::{instance, instance_arg, parsed, reader, short_instance_help, with};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Source, unreadable};
use crate::output::standard_output;
use crate::run::Run;
use crate::verbs::capability;

#[derive(Args)]
#[group(skip)]
struct CheckArgs {
    /// The certificate to check
    #[arg(value_hint = ValueHint::FilePath)]
    certificate: PathBuf,

    /// Memory limit, for example 512MB or 2GiB
    #[arg(long, value_name = "SIZE", default_value = "4GiB")]
    memory: ByteSize,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn command(puzzle: PuzzleRef) -> Option<Command> {
    puzzle.info().verbs.certify.then(|| {
        let command = Command::new("check")
            .about("Check a certificate with the rules alone")
            .long_about(
                "Check a certificate with the rules alone\n\n\
                 Expands each board of the certificate with the rules of the puzzle, without any \
                 search or packed states. `fewest-check` is a separate program that does only \
                 this.",
            )
            .arg(instance_arg(puzzle).help(short_instance_help(puzzle)));
        puzzle.arguments(with::<CheckArgs>(command))
    })
}

pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let CheckArgs { certificate, memory, json } = parsed(matches)?;
    let reader = reader(puzzle, matches)?;
    let source = Source::instance(puzzle, instance(matches))?;
    let data_set = source.only_data_set(&*reader, "a certificate")?;
    let memory = memory.as_u64();
    let file = File::open(&certificate).and_then(|file| read_at_most(file, memory));
    let file = file.map_err(|error| unreadable(&certificate, error, Default::default))?;
    let file = file.ok_or(Failure::Stopped(Limit::Memory))?;
    let name = data_set.name();
    let run = Run::start();
    let budget = run.budget(Limits::default());
    let is_stopped = || is_check_stopped(&budget);
    let certifier = capability(data_set.instance.certifier())?;
    let checked = certifier.check(&file, memory - file.len() as u64, &is_stopped);
    let checked = checked.map_err(|error| Failure::from(error).in_data_set(&name))?;
    match checked {
        Err(Refusal::Memory) => return Err(Failure::Stopped(Limit::Memory)),
        Err(Refusal::Stopped) => return Err(Failure::Stopped(Limit::Cancelled)),
        _ => {}
    }
    let mut out = standard_output();
    if json {
        results::write(puzzle.info().name, &CheckReport::new(&name, &checked), &mut out)?;
    } else {
        match &checked {
            Ok(claim) => writeln!(out, "{name}: accepted, {claim}")?,
            Err(refusal) => writeln!(out, "{name}: refused, {refusal}")?,
        }
    }
    out.flush()?;
    Ok(if checked.is_ok() { Exit::Answered } else { Exit::Refused })
}
