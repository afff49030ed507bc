//! `generate`: new instances.

use std::io::{self, Write};

use clap::{Arg, ArgAction, ArgMatches, Command};
use fewest_core::budget::Limits;
use fewest_puzzle::capabilities::{End, GenerateVerb};
use fewest_puzzle::options::Given;
use fewest_puzzle::results::{self, GenerateReport};

use crate::Puzzle;
use crate::args::{LimitArgs, instance, instance_arg, parsed, reader, with};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Source;
use crate::message::{message, note};
use crate::output::standard_output;
use crate::run::Run;

pub(super) fn command(puzzle: Puzzle) -> Option<Command> {
    let verb = puzzle.verbs().generate?;
    let mut command = Command::new("generate").about(verb.about).long_about(verb.long_about);
    if let Some(help) = verb.base {
        command = command.arg(instance_arg(puzzle).help(help));
    }
    let noun = noun(&verb);
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue).help(format!(
        "Print one JSON object per {noun}, one object per line, with the text of the {noun}"
    ));
    command = (verb.arguments)(command).arg(json);
    // Instances that are like another one are read with the options of the puzzle.
    Some(match verb.base {
        Some(_) => puzzle.arguments(with::<LimitArgs>(command)),
        None => command,
    })
}

/// What one of the generated instances is called.
fn noun(verb: &GenerateVerb) -> &'static str {
    if verb.base.is_some() { verb.noun } else { "instance" }
}

pub(super) fn run(puzzle: Puzzle, matches: &ArgMatches) -> Result<Exit, Failure> {
    let Some(verb) = puzzle.verbs().generate else { return Ok(Exit::Answered) };
    let (mut base, mut limits) = (None, Limits::default());
    if verb.base.is_some() {
        let (name, reader) = (instance(matches), reader(puzzle, matches, false)?);
        let source = Source::instance(puzzle, name)?;
        let mut data_sets = source.data_sets(&*reader);
        let Some(first) = data_sets.next() else { return Ok(Exit::Answered) };
        base = Some(first?.instance);
        if data_sets.next().is_some() {
            let noun = verb.noun;
            return Err(Failure::usage(format!(
                "generate takes one {noun}, and {name} has several"
            )));
        }
        limits = parsed::<LimitArgs>(matches)?.limits();
    }
    let (json, run) = (matches.get_flag("json"), Run::start(noun(&verb)));
    let mut out = standard_output();
    let mut is_first = true;
    let mut emit = |text: String, cost| -> io::Result<()> {
        if json {
            return results::write(puzzle, &GenerateReport { text: &text, cost }, &mut out);
        }
        if !std::mem::take(&mut is_first) {
            out.write_all(verb.separator.as_bytes())?;
        }
        out.write_all(text.as_bytes())
    };
    let given = Given::Arguments(matches);
    let generated = puzzle.generate(base.as_deref(), given, limits, &run, &mut emit);
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
        End::Complete => Exit::Answered,
        End::NoneExists => Exit::Unsolvable,
        End::NoneFound => Exit::OutOfStates,
        End::Stopped(limit) => Exit::from_limit(limit),
    })
}
