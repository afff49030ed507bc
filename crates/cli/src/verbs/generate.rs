//! `generate`: new instances.

use std::io::{self, Write};

use clap::{Arg, ArgAction, ArgMatches, Command};
use fewest_puzzle::generate::{GenerateEnd, GenerateReport};
use fewest_puzzle::options::OptionSource;
use fewest_puzzle::results;

use crate::PuzzleRef;
use crate::args::{instance, instance_arg, reader};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Source;
use crate::message::{message, note};
use crate::output::standard_output;
use crate::run::Run;
use crate::verbs::capability;

pub(super) fn command(puzzle: PuzzleRef) -> Option<Command> {
    let verb = puzzle.info().verbs.generate?;
    let mut command = Command::new("generate").about(verb.about).long_about(verb.long_about);
    if let Some(help) = verb.base {
        let arg = instance_arg(puzzle).help(help);
        command = command.arg(match verb.without_base {
            Some(option) => arg.required(false).required_unless_present(option),
            None => arg,
        });
    }
    let noun = verb.base.map_or("instance", |_| verb.noun);
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue).help(format!(
        "Print one JSON object per {noun}, one object per line, with the text of the {noun}"
    ));
    command = puzzle.generate_arguments(command).arg(json);
    // Instances that are like another one are read with the options of the puzzle.
    Some(if verb.base.is_some() { puzzle.arguments(command) } else { command })
}

pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let verb = capability(puzzle.info().verbs.generate)?;
    let mut base = None;
    if verb.base.is_some() && !verb.without_base.is_some_and(|option| matches.get_flag(option)) {
        let (name, reader) = (instance(matches), reader(puzzle, matches)?);
        let source = Source::instance(puzzle, name)?;
        let mut data_sets = source.data_sets(&*reader);
        base = data_sets.next().transpose()?.map(|first| first.instance);
        if data_sets.next().is_some() {
            let (noun, name) = (verb.noun, name.display());
            return Err(Failure::usage(format!(
                "generate takes one {noun}, and {name} has several"
            )));
        }
    }
    let (json, run) = (matches.get_flag("json"), Run::start());
    let mut out = standard_output();
    let mut is_first = true;
    let mut emit = |text: String, cost| -> io::Result<()> {
        if json {
            return results::write(
                puzzle.info().name,
                &GenerateReport { text: &text, cost },
                &mut out,
            );
        }
        if !std::mem::take(&mut is_first) && text.lines().nth(1).is_some() {
            out.write_all(verb.separator.as_bytes())?;
        }
        out.write_all(text.as_bytes())
    };
    let given = OptionSource::Arguments(matches);
    let generated = puzzle.generate(base.as_deref(), given, &run, &mut emit);
    out.flush()?;
    let generated = generated?;
    for told in &generated.messages {
        if told.is_note {
            note(format_args!("{}", told.text));
        } else {
            message(format_args!("{}", told.text));
        }
    }
    Ok(match generated.end {
        GenerateEnd::Complete => Exit::Answered,
        GenerateEnd::NoneExists => Exit::Unsolvable,
        GenerateEnd::NoneFound => Exit::OutOfStates,
        GenerateEnd::Stopped(limit) => Exit::from_limit(limit),
    })
}
