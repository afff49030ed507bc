//! Arguments that several verbs share.

use std::ffi::OsStr;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use colorchoice_clap::Color;
use fewest_core::search::Engine;
use fewest_puzzle::any::AnyReader;
pub(crate) use fewest_puzzle::options::{LimitOptions, add_arguments as with};
use fewest_puzzle::options::{OptionSource, Whole};

use crate::PuzzleRef;
use crate::failure::Failure;
use crate::message;

pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    answered, accepted, or broken pipe
  1    internal or I/O error
  2    bad usage or bad input
  10   proved unsolvable (contest mode prints this as its answer and exits with 0)
  11   a plan was refused, or there was no plan to verify; an answer differs (`judge`, `--expected`)
  20   out of memory (see --memory), or too large to be encoded
  21   out of time
  22   out of states, or out of attempts of `generate`
  130  interrupted by Ctrl-C, SIGTERM or SIGHUP
With several data sets: the most severe of their codes, in the order 0, 10, 11, 22, 21, 20, 130, 2.
An internal or I/O error makes the code 1. Reading of a text stops at its first error; the data
sets before the error, and other texts, are answered.";

/// Options for all messages and colours.
#[derive(Args)]
#[group(skip)]
#[command(next_help_heading = "Messages")]
pub(crate) struct MessageArgs {
    #[command(flatten)]
    color: Color,

    /// Suppress notes and progress on standard error. Errors, notices that a limit stopped a
    /// search, and what other options request, such as `--stats`, are still printed
    #[arg(short, long, global = true)]
    quiet: bool,

    /// Report progress even with `--quiet`, or if standard error is not a terminal (then a line
    /// every 3 seconds)
    #[arg(long, global = true)]
    progress: bool,
}

impl MessageArgs {
    /// Applies the options to the whole process.
    pub(crate) fn apply(matches: &ArgMatches) {
        if let Ok(args) = Self::from_arg_matches(matches) {
            args.color.write_global();
            message::configure(args.quiet, args.progress);
        }
    }
}

/// The arguments of a parsed command line.
pub(crate) fn parsed<A: FromArgMatches>(matches: &ArgMatches) -> Result<A, Failure> {
    A::from_arg_matches(matches).map_err(|error| Failure::Internal(error.to_string()))
}

/// A reader with the options of a puzzle.
pub(crate) fn reader(
    puzzle: PuzzleRef,
    matches: &ArgMatches,
) -> Result<Box<dyn AnyReader>, Failure> {
    Ok(puzzle.reader(OptionSource::Arguments(matches))?)
}

/// A reader of instances that are only explored.
pub(crate) fn explorer_reader(
    puzzle: PuzzleRef,
    matches: &ArgMatches,
) -> Result<Box<dyn AnyReader>, Failure> {
    Ok(puzzle.explorer_reader(OptionSource::Arguments(matches))?)
}

/// The argument `INSTANCE`, which the other arguments of a verb follow.
pub(crate) fn instance_arg(puzzle: PuzzleRef) -> Arg {
    let info = puzzle.info();
    let inline = info.inline.map(|what| format!(", or {what}")).unwrap_or_default();
    let list = format!("`{} list`", info.name);
    Arg::new("instance")
        .required(true)
        .value_name("INSTANCE")
        .value_parser(value_parser!(PathBuf))
        .help(format!("A file, `-` for standard input, or a built-in name (see {list}){inline}"))
        .add(complete_instance(puzzle))
}

/// Completes an instance: built-in names with this prefix, and files.
fn complete_instance(puzzle: PuzzleRef) -> ArgValueCompleter {
    ArgValueCompleter::new(move |prefix: &OsStr| {
        let prefix_text = prefix.to_string_lossy();
        let names = puzzle
            .info()
            .builtins
            .iter()
            .flat_map(|builtin| builtin.names.iter().map(move |name| (name, builtin.about)));
        let matching = names.filter(|(name, _)| name.starts_with(prefix_text.as_ref()));
        let mut candidates: Vec<_> = matching
            .map(|(name, about)| CompletionCandidate::new(name).help(Some(about.into())))
            .collect();
        candidates.extend(PathCompleter::file().complete(prefix));
        candidates
    })
}

/// The help of `INSTANCE` for verbs that are not the main ones.
pub(crate) fn short_instance_help(puzzle: PuzzleRef) -> String {
    match puzzle.info().inline.and_then(|what| what.split(':').next()) {
        Some(what) => format!("A file, `-` for standard input, a built-in name, or {what}"),
        None => "A file, `-` for standard input, or a built-in name".to_owned(),
    }
}

/// The argument `INSTANCE...`
pub(crate) fn instances_arg(puzzle: PuzzleRef) -> Arg {
    instance_arg(puzzle).num_args(1..).action(ArgAction::Append)
}

/// The value of [`instance_arg`].
pub(crate) fn instance(matches: &ArgMatches) -> &Path {
    matches.get_one::<PathBuf>("instance").map_or(Path::new("-"), PathBuf::as_path)
}

/// The values of [`instances_arg`].
pub(crate) fn instances(matches: &ArgMatches) -> Vec<PathBuf> {
    matches.get_many::<PathBuf>("instance").into_iter().flatten().cloned().collect()
}

#[derive(Args)]
#[group(skip)]
pub(crate) struct ListArgs {
    /// List only instances with this text in a name, the puzzle or the description, ignoring case.
    /// A pattern with `*`, which stands for any characters, has to match in full
    #[arg(default_value = "*", hide_default_value = true)]
    pub(crate) pattern: String,

    /// Print one JSON object per instance, one object per line, with the text of the instance
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
#[group(skip)]
pub(crate) struct SearchArgs {
    /// Search algorithm: `auto` chooses the one that suits the puzzle best. All of them prove their
    /// answers
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    engine: String,

    #[command(flatten)]
    pub(crate) limits: LimitOptions,

    /// Print the engine, counters, memory and time of each search on standard error
    #[arg(long)]
    pub(crate) stats: bool,

    /// Solve this number of data sets in parallel, each with an equal share of --memory. A single
    /// data set is searched with this number of threads by the engine `bfs`. Neither the answers
    /// nor their order change
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = Whole::new(1),
    )]
    pub(crate) threads: Whole<1, 1024>,
}

impl SearchArgs {
    /// Adds the arguments and the options of the puzzle to a command.
    pub(crate) fn add_to(command: Command, puzzle: PuzzleRef) -> Command {
        let engines = puzzle.info().engines.iter().map(|engine| engine.name());
        let names: Vec<_> = std::iter::once("auto").chain(engines).collect();
        let command = with::<Self>(command)
            .mut_arg("engine", |engine| engine.value_parser(PossibleValuesParser::new(names)));
        puzzle.arguments(command)
    }

    /// The number of threads.
    pub(crate) fn threads(&self) -> NonZero<usize> {
        self.threads.to_threads()
    }

    /// The chosen engine; `None` leaves the choice to the puzzle.
    pub(crate) fn engine(&self) -> Option<Engine> {
        self.engine.parse().ok()
    }
}

/// Names as a list for messages.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}
