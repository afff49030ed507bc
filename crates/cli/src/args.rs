//! Command-line arguments, as clap derives them.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use clap::{Args, Parser, Subcommand, ValueHint};
use colorchoice_clap::Color;
use fewest_core::budget::Limits;
use fewest_core::search::Engine;

use crate::black_white::BlackWhite;
use crate::halloween::Halloween;
use crate::klotski::Klotski;
use crate::message;
use crate::picture::PictureArgs;
use crate::puzzle::Puzzle;
use crate::verbs::completions::{self, Completions};
use crate::wall_pusher::WallPusher;

pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    answered, accepted, or broken pipe
  1    internal or I/O error
  2    bad usage or bad input
  10   proved unsolvable (contest mode prints this as its answer and exits with 0)
  11   a plan was refused, or there was no plan to verify
  20   out of memory (see --memory), or too large to be encoded
  21   out of time
  22   out of states, or out of attempts of `generate`
  130  interrupted by Ctrl-C, SIGTERM or SIGHUP
With several data sets: the most severe of their codes, in the order 0, 10, 11, 22, 21, 20, 130, 2.
An internal or I/O error makes the code 1. Reading of a text stops at its first error; the data
sets before the error, and other texts, are answered.";

/// Find the fewest moves that solve a puzzle, and prove that no plan is shorter
#[derive(Parser)]
#[command(name = "fewest", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Fewest {
    #[command(subcommand)]
    pub(crate) command: Command,

    #[command(flatten)]
    pub(crate) message_args: MessageArgs,
}

/// Options for all messages and colours.
#[derive(Args)]
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
    pub(crate) fn apply(&self) {
        self.color.write_global();
        message::configure(self.quiet, self.progress);
    }
}

#[derive(Subcommand)]
pub(crate) enum Command {
    #[command(about = Halloween::ABOUT, after_long_help = Halloween::FORMAT)]
    Halloween(PuzzleArgs<Halloween>),
    #[command(about = WallPusher::ABOUT, after_long_help = WallPusher::FORMAT)]
    WallPusher(PuzzleArgs<WallPusher>),
    #[command(about = Klotski::ABOUT, after_long_help = Klotski::FORMAT)]
    Klotski(PuzzleArgs<Klotski>),
    #[command(about = BlackWhite::ABOUT, after_long_help = BlackWhite::FORMAT)]
    BlackWhite(PuzzleArgs<BlackWhite>),
    /// List the puzzles and their built-in instances
    List(ListArgs),
    /// Generate a shell completion script
    ///
    /// The script also completes the names of built-in instances.
    Completions(Completions),
}

/// The program of one puzzle.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
pub(crate) struct PuzzleProgram<P: Puzzle> {
    #[command(flatten)]
    pub(crate) args: PuzzleArgs<P>,

    #[command(flatten)]
    pub(crate) message_args: MessageArgs,
}

/// The arguments of one puzzle. Without a verb the program runs in contest mode.
#[derive(Args)]
pub(crate) struct PuzzleArgs<P: Puzzle> {
    #[command(subcommand)]
    pub(crate) verb: Option<Verb<P>>,

    /// Contest mode: a file in contest format; standard input if it is omitted or `-`. The answer
    /// of a data set that a limit stopped is `?`
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<String>,

    /// Contest mode: print only the number of moves. `halloween` and `klotski` never print moves
    /// there
    #[arg(long)]
    pub(crate) count_only: bool,

    #[command(flatten)]
    pub(crate) search: SearchArgs<P>,
}

#[derive(Subcommand)]
pub(crate) enum Verb<P: Puzzle> {
    /// Find a shortest plan, or prove that there is none
    ///
    /// Prints for each data set: its name as a comment (`klotski` and `wall-pusher`: also its
    /// board); a line with the result; and the plan, one move per line.
    Solve(SolveArgs<P>),
    /// Draw a board, or a plan on it
    ///
    /// In text and SVG a plan is a strip of boards: the whole plan at a glance, for puzzles that
    /// draw paths; then the board before each move, with arrows for what moves; and the final
    /// board.
    Show(ShowArgs<P>),
    /// Replay a plan by the rules, and report the first illegal move
    ///
    /// The plan is text as `solve` prints it: a line that starts with the number of moves, then one
    /// move per line. Lines that start with `#` are comments. A blank line ends a plan. The plans
    /// of several data sets follow one another, in the order of the data sets.
    ///
    /// A plan that cannot be parsed is bad input. A plan is refused if it breaks a rule, does not
    /// solve the puzzle, or does not have the number of moves that its first line states. A first
    /// line `unsolvable` or `stopped` has no plan and is refused, too. `verify` does not check that
    /// a plan is optimal.
    Verify(VerifyArgs<P>),
    /// List the built-in instances
    List(ListArgs),
    #[command(flatten)]
    Puzzle(P::Verb),
    /// Generate a shell completion script
    ///
    /// The script also completes the names of built-in instances.
    Completions(Completions),
}

#[derive(Args)]
pub(crate) struct SolveArgs<P: Puzzle> {
    #[arg(required = true, value_name = "INSTANCE", help = instance_help::<P>(), add = completions::instance::<P>())]
    pub(crate) instances: Vec<String>,

    #[command(flatten)]
    pub(crate) search: SearchArgs<P>,

    /// Print one JSON object per data set, one object per line
    #[arg(long)]
    pub(crate) json: bool,

    /// Print only the first move of a shortest plan
    #[arg(long, conflicts_with = "json")]
    pub(crate) hint: bool,

    #[command(flatten)]
    pub(crate) plan_args: P::PlanArgs,

    /// Draw the plan. The picture replaces the moves on standard output; with `-o` it goes to a
    /// file and the moves are printed as well
    #[arg(long, conflicts_with = "hint", help_heading = "Pictures")]
    pub(crate) show: bool,

    #[command(flatten)]
    pub(crate) picture: PictureArgs<P>,
}

#[derive(Args)]
pub(crate) struct ShowArgs<P: Puzzle> {
    #[arg(help = instance_help::<P>(), add = completions::instance::<P>())]
    pub(crate) instance: String,

    /// Draw this plan, as `solve` prints it: a file, or `-` for standard input. The plan is
    /// replayed by the rules first
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) plan: Option<String>,

    /// Print the shapes of the board and the motions of the plan for other programs to draw: one
    /// JSON object per data set, one object per line
    #[arg(long, conflicts_with_all = ["format", "output", "animate", "every", "theme", "cell"])]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) options: P::Options,

    // Last, because its help heading applies to all arguments that follow.
    #[command(flatten)]
    pub(crate) picture: PictureArgs<P>,
}

#[derive(Args)]
pub(crate) struct VerifyArgs<P: Puzzle> {
    #[arg(help = instance_help::<P>(), add = completions::instance::<P>())]
    pub(crate) instance: String,

    /// Plan to replay: a file, or `-` for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) plan: String,

    /// Print one JSON object per data set, one object per line
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) options: P::Options,
}

#[derive(Args)]
pub(crate) struct ListArgs {
    /// List only instances with this text in a name, the puzzle or the description, ignoring case.
    /// A pattern with `*`, which stands for any characters, has to match in full
    #[arg(default_value = "*", hide_default_value = true)]
    pub(crate) pattern: String,

    /// Print one JSON object per instance, one object per line, with the text of the instance
    #[arg(long)]
    pub(crate) json: bool,
}

/// The default of `--memory`, also for commands without that option.
pub(crate) const DEFAULT_MEMORY: ByteSize = ByteSize::gib(4);

/// The limits of a search.
#[derive(Args)]
pub(crate) struct LimitArgs {
    /// Stop after this time per data set, such as `10s`, `1m 30s`, `500ms`, or a number of seconds;
    /// no limit by default
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,

    /// Stop before using more memory than this, such as `500MB` or `16GiB`
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = parse_memory)]
    memory: ByteSize,

    /// Stop after expanding this number of states per data set; no limit by default
    #[arg(long, value_name = "COUNT", value_parser = parse_count)]
    states: Option<u64>,
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits { time: self.time, memory_bytes: Some(self.memory.as_u64()), states: self.states }
    }
}

#[derive(Args)]
pub(crate) struct SearchArgs<P: Puzzle> {
    /// Search algorithm: `auto` chooses the one that suits the puzzle best. All of them prove their
    /// answers
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = engine_parser::<P>())]
    engine: String,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Print the engine, counters, memory and time of each search on standard error
    #[arg(long)]
    pub(crate) stats: bool,

    /// Solve this number of data sets in parallel, each with an equal share of --memory. The order
    /// of the answers does not change
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = 1,
        value_parser = whole_number(1usize, 1024),
    )]
    pub(crate) threads: usize,

    #[command(flatten)]
    pub(crate) options: P::Options,
}

impl<P: Puzzle> SearchArgs<P> {
    /// The chosen engine; `None` leaves the choice to the puzzle.
    pub(crate) fn engine(&self) -> Option<Engine> {
        self.engine.parse().ok()
    }
}

/// The verbs of a puzzle as a list for messages.
pub(crate) fn verbs<P: Puzzle>() -> String {
    verbs_of(&Verb::<P>::augment_subcommands(clap::Command::new(P::NAME)))
}

/// The subcommands of `command` as a list for messages.
pub(crate) fn verbs_of(command: &clap::Command) -> String {
    let names: Vec<_> =
        command.get_subcommands().map(|verb| format!("`{}`", verb.get_name())).collect();
    match names.split_last() {
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

fn instance_help<P: Puzzle>() -> String {
    let inline = P::INLINE.map(|what| format!(", or {what}")).unwrap_or_default();
    format!("A file, `-` for standard input, or a built-in name (see `{} list`){inline}", P::NAME)
}

fn engine_parser<P: Puzzle>() -> clap::builder::PossibleValuesParser {
    let engines = P::ENGINES.iter().map(|engine| engine.name());
    std::iter::once("auto").chain(engines).collect::<Vec<_>>().into()
}

pub(crate) fn parse_time(text: &str) -> Result<Duration, &'static str> {
    let time = match text.parse() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => humantime::parse_duration(text).ok(),
    };
    time.ok_or("expected a time such as `10s`, `1m 30s`, `500ms`, or a number of seconds")
}

fn parse_count(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "expected a whole number such as `1000000`")
}

/// A parser of whole numbers from `min` to `max`.
pub(crate) fn whole_number<T>(min: T, max: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Copy,
{
    move |text| {
        let number = text.parse().ok().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| format!("expected a whole number from {min} to {max}"))
    }
}

fn parse_memory(text: &str) -> Result<ByteSize, &'static str> {
    text.parse().map_err(|_| "expected a size such as `500MB`, `16GiB`, or a number of bytes")
}
