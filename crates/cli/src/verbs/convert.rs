//! `convert`: writes instances in another notation.

use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use fewest_puzzle::convert::ConvertReport;
use fewest_puzzle::results;

use crate::PuzzleRef;
use crate::args::{instance, instance_arg, reader, short_instance_help};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Source;
use crate::output::standard_output;
use crate::verbs::capability;

pub(super) fn command(puzzle: PuzzleRef) -> Option<Command> {
    let verb = puzzle.info().verbs.convert?;
    let names = verb.notations.iter().map(|notation| notation.name);
    let to = Arg::new("to")
        .long("to")
        .value_name("NOTATION")
        .required(true)
        .value_parser(PossibleValuesParser::new(names))
        .help(verb.help);
    let json = Arg::new("json")
        .long("json")
        .action(ArgAction::SetTrue)
        .help("Print one JSON object per data set, one object per line, with the converted text");
    let command = Command::new("convert").about(verb.about);
    Some(puzzle.arguments(command.args([
        instance_arg(puzzle).help(short_instance_help(puzzle)),
        to,
        json,
    ])))
}

pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let verb = capability(puzzle.info().verbs.convert)?;
    let to = matches.get_one::<String>("to").map_or("", String::as_str);
    let notation = verb.notations.iter().find(|notation| notation.name == to);
    let unknown = || Failure::Internal(format!("no notation {to}"));
    let notation = notation.ok_or_else(unknown)?;
    let (json, reader) = (matches.get_flag("json"), reader(puzzle, matches)?);
    let source = Source::instance(puzzle, instance(matches))?;
    let mut out = standard_output();
    for (number, data_set) in source.data_sets(&*reader).enumerate() {
        let data_set = data_set?;
        let (name, instance) = (data_set.name(), &data_set.instance);
        let converter = capability(instance.converter())?;
        let text = converter.convert(notation.name).ok_or_else(|| {
            let noun = notation.noun;
            Failure::usage(format!("{name} cannot be written as a {noun} without loss"))
        })?;
        let text = text.trim_end();
        if json {
            let (notation, size) = (notation.name, converter.size());
            let report = ConvertReport { instance: &name, notation, size, text };
            results::write(puzzle.info().name, &report, &mut out)?;
            continue;
        }
        let between = if number > 0 { notation.separator } else { "" };
        writeln!(out, "{between}{text}")?;
    }
    out.flush()?;
    Ok(Exit::Answered)
}
