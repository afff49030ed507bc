//! `census`: the components of all instances of a kind.

use std::io::Write;

use clap::{Arg, ArgAction, ArgMatches, Command};
use fewest_puzzle::census::CensusReport;
use fewest_puzzle::export::csv_error;
use fewest_puzzle::options::OptionSource;
use fewest_puzzle::results;

use crate::PuzzleRef;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::message::note;
use crate::output::standard_output;
use crate::run::Run;
use crate::verbs::capability;

pub(super) fn command(puzzle: PuzzleRef) -> Option<Command> {
    let verb = puzzle.info().verbs.census?;
    let json = Arg::new("json")
        .long("json")
        .action(ArgAction::SetTrue)
        .help("Print one JSON object per component, one object per line, instead of CSV");
    let command = Command::new("census").about(verb.about).long_about(verb.long_about);
    Some(puzzle.census()?.arguments(command).arg(json))
}

pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let census = capability(puzzle.census())?;
    let (given, json) = (OptionSource::Arguments(matches), matches.get_flag("json"));
    let run = Run::start();
    let mut out = standard_output();
    let note_text = if json {
        census.census(given, &run, &mut |row| {
            results::write(puzzle.info().name, &CensusReport::new(row), &mut out)
        })?
    } else {
        let mut csv = csv::Writer::from_writer(&mut out);
        csv.write_record(census.columns(given)?).map_err(csv_error)?;
        let note = census
            .census(given, &run, &mut |row| csv.write_record(row.fields()).map_err(csv_error))?;
        csv.flush()?;
        note
    };
    out.flush()?;
    note(format_args!("{note_text}"));
    Ok(Exit::Answered)
}
