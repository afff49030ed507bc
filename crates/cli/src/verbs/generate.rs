//! `generate`: new instances.

use std::io::{self, Write};
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command};
use fewest_puzzle::any::AnyInstance;
use fewest_puzzle::distances::{DistanceOptions, boards_at_distances};
use fewest_puzzle::generate::{GenerateEnd, GenerateReport, GenerateVerb};
use fewest_puzzle::options::OptionSource;
use fewest_puzzle::results::{self, Report};

use crate::PuzzleRef;
use crate::args::{instance, instance_arg, parsed, reader, short_instance_help, with};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Source;
use crate::message::{message, note};
use crate::output::{Out, standard_output};
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
    let own = command.clone();
    if verb.base.is_some() {
        command = puzzle.arguments(command);
    }
    Some(if puzzle.info().verbs.explore.is_some() {
        with_distances(puzzle, &own, command)
    } else {
        command
    })
}

/// Adds the arguments of boards at given distances. Those that the verb has anyway, such as the
/// seed, have the same meaning; all others of it, `own`, make other instances.
fn with_distances(puzzle: PuzzleRef, own: &Command, mut command: Command) -> Command {
    let options = puzzle.arguments(with::<DistanceOptions>(Command::new("distances")));
    let instance = instance_arg(puzzle).required(false).help(short_instance_help(puzzle));
    let of_distances: Vec<Arg> = std::iter::once(instance)
        .chain(options.get_arguments().map(|arg| arg.clone().help_heading(HEADING)))
        .collect();
    let is_shared = |arg: &&Arg| of_distances.iter().any(|other| other.get_id() == arg.get_id());
    let others = own.get_arguments().filter(|arg| !is_shared(arg) && arg.get_id() != "json");
    let others: Vec<_> = others.map(|arg| arg.get_id().clone()).collect();
    for arg in &of_distances {
        let has = command.get_arguments().any(|other| other.get_id() == arg.get_id());
        if arg.get_id() == "distance" {
            command = command.arg(arg.clone().requires("instance").conflicts_with_all(&others));
        } else if !has {
            command = command.arg(arg.clone().requires("distance"));
        }
    }
    command
}

const HEADING: &str = "Boards at given distances";

pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let verb = capability(puzzle.info().verbs.generate)?;
    let at_distances = puzzle.info().verbs.explore.is_some() && matches.contains_id("distance");
    let needs_base =
        verb.base.is_some() && !verb.without_base.is_some_and(|option| matches.get_flag(option));
    let base = match at_distances || needs_base {
        true => only_instance(puzzle, verb, matches)?,
        false => None,
    };
    let run = Run::start();
    let mut output = Output {
        puzzle: puzzle.info().name,
        json: matches.get_flag("json"),
        separator: verb.separator,
        is_first: true,
        out: standard_output(),
    };
    let generated = match base.as_deref().filter(|_| at_distances) {
        Some(base) => boards_at_distances(
            capability(base.explorer())?,
            base.unit(),
            &parsed(matches)?,
            &run,
            &mut |found| output.write(found.text.as_deref().unwrap_or_default(), &found),
        ),
        None => {
            let mut emit =
                |text: String, cost| output.write(&text, &GenerateReport { text: &text, cost });
            puzzle.generate(base.as_deref(), OptionSource::Arguments(matches), &run, &mut emit)
        }
    };
    output.out.flush()?;
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

/// The instance that the generated ones are like, or that they are reached from.
fn only_instance(
    puzzle: PuzzleRef,
    verb: GenerateVerb,
    matches: &ArgMatches,
) -> Result<Option<Arc<dyn AnyInstance>>, Failure> {
    let (name, reader) = (instance(matches), reader(puzzle, matches)?);
    let source = Source::instance(puzzle, name)?;
    let mut data_sets = source.data_sets(&*reader);
    let base = data_sets.next().transpose()?.map(|first| first.instance);
    if data_sets.next().is_some() {
        let (noun, name) = (verb.noun, name.display());
        return Err(Failure::usage(format!("generate takes one {noun}, and {name} has several")));
    }
    Ok(base)
}

/// Where generated instances are written.
struct Output {
    puzzle: &'static str,
    json: bool,
    separator: &'static str,
    is_first: bool,
    out: Out,
}

impl Output {
    fn write<R: Report>(&mut self, text: &str, report: &R) -> io::Result<()> {
        if self.json {
            return results::write(self.puzzle, report, &mut self.out);
        }
        if !std::mem::take(&mut self.is_first) && text.lines().nth(1).is_some() {
            self.out.write_all(self.separator.as_bytes())?;
        }
        self.out.write_all(text.as_bytes())
    }
}
