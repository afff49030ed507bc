//! The command line.

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
  10   proved unsolvable (classic mode says so in its answer and exits 0)
  11   a plan was refused, or there was none to verify
  20   out of memory, as --memory allows it, or too large to be encoded
  21   out of time
  22   out of states, or of the tries of `generate`
  130  interrupted, by Ctrl-C, SIGTERM or SIGHUP
With several data sets it is the gravest that any of them had, in the order 0, 10, 11, 22, 21, 20,
130, 2. A fault in a text is where that text ends; what stands before it, and other texts, are
answered all the same.";

/// The fewest moves that solve a puzzle, with the proof that there are none fewer.
#[derive(Parser)]
#[command(name = "fewest", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Fewest {
    #[command(subcommand)]
    pub(crate) command: Command,

    #[command(flatten)]
    pub(crate) told: Told,
}

/// How much is told, and how.
#[derive(Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct Told {
    #[command(flatten)]
    color: Color,

    /// Tell nothing on standard error but errors, what a limit stopped, and what other options ask
    /// for
    #[arg(short, long, global = true)]
    quiet: bool,

    /// Tell how far a search has come where standard error is no terminal, too, by a line every few
    /// seconds; and in spite of `--quiet`
    #[arg(long, global = true)]
    progress: bool,
}

impl Told {
    /// From now on, for the whole program.
    pub(crate) fn settle(&self) {
        self.color.write_global();
        message::settle(self.quiet, self.progress);
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
    /// Write what completes command lines of `fewest` in a shell, with the names of built-in
    /// instances
    Completions(Completions),
}

/// The program of one puzzle.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
pub(crate) struct PuzzleProgram<P: Puzzle> {
    #[command(flatten)]
    pub(crate) args: PuzzleArgs<P>,

    #[command(flatten)]
    pub(crate) told: Told,
}

/// With no verb, the puzzle reads its classic text, that of the online judges, and writes the
/// classic answer.
#[derive(Args)]
pub(crate) struct PuzzleArgs<P: Puzzle> {
    #[command(subcommand)]
    pub(crate) verb: Option<Verb<P>>,

    /// Without a verb: a file of classic text, to be answered as the judges want it; `-` or none is
    /// standard input. A data set that a limit stopped is answered by `?`
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<String>,

    /// Without a verb: answer by the number of moves alone, where the judges want the moves as well
    #[arg(long)]
    pub(crate) count_only: bool,

    #[command(flatten)]
    pub(crate) search: SearchArgs<P>,
}

#[derive(Subcommand)]
pub(crate) enum Verb<P: Puzzle> {
    /// Find a shortest plan, or prove that there is none
    ///
    /// Prints for each data set comments with its name and, where it helps, its board, then a line
    /// that says what is proved, and the plan, a line a move.
    Solve(SolveArgs<P>),
    /// Draw a board, or a plan on it
    ///
    /// Of a plan, text and SVG are a strip of boards: first, where there are ways to draw, all of
    /// it, then the board before each move with arrows for what it moves, and last the board after
    /// all.
    Show(ShowArgs<P>),
    /// Replay a plan by the rules, and name the first illegal move
    ///
    /// The plan is text as `solve` prints it: a line that begins with the number of moves, then a
    /// line a move. Lines that begin with `#` are comments; a blank line ends a plan, and the plans
    /// of several data sets follow one another in their order. One that says `unsolvable` or
    /// `stopped` has no plan, which counts as refused. Whether a plan is the shortest is not asked.
    /// A plan that cannot be read is bad input; one that can be read and does not solve the puzzle
    /// by its rules is refused, and so is one with another number of moves than it says.
    Verify(VerifyArgs<P>),
    /// List the built-in instances
    List(ListArgs),
    #[command(flatten)]
    Own(P::Verb),
    /// Write what completes command lines of this program in a shell, with the names of built-in
    /// instances
    Completions(Completions),
}

#[derive(Args)]
pub(crate) struct SolveArgs<P: Puzzle> {
    #[arg(required = true, value_name = "INSTANCE", help = instance_help::<P>(), add = completions::instance::<P>())]
    pub(crate) instances: Vec<String>,

    #[command(flatten)]
    pub(crate) search: SearchArgs<P>,

    /// Print one JSON object a data set, each on a line
    #[arg(long)]
    pub(crate) json: bool,

    /// Print only the first move of a shortest plan
    #[arg(long, conflicts_with = "json")]
    pub(crate) hint: bool,

    #[command(flatten)]
    pub(crate) listed: P::Show,

    /// Draw the plan: on standard output instead of its moves, or with `-o` to a file beside them
    #[arg(long, conflicts_with = "hint", help_heading = "Pictures")]
    pub(crate) show: bool,

    #[command(flatten)]
    pub(crate) picture: PictureArgs<P>,
}

#[derive(Args)]
pub(crate) struct ShowArgs<P: Puzzle> {
    #[arg(help = instance_help::<P>(), add = completions::instance::<P>())]
    pub(crate) instance: String,

    /// A plan to draw, as `solve` prints it: a file, or `-` for standard input. It is replayed by
    /// the rules first
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) plan: Option<String>,

    /// Print the shapes of the board and what the plan moves as one JSON object a data set, each on
    /// a line, for other programs to draw
    #[arg(long, conflicts_with_all = ["format", "output", "animate", "every", "theme", "cell"])]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) options: P::Options,

    // Last, as its heading goes on.
    #[command(flatten)]
    pub(crate) picture: PictureArgs<P>,
}

#[derive(Args)]
pub(crate) struct VerifyArgs<P: Puzzle> {
    #[arg(help = instance_help::<P>(), add = completions::instance::<P>())]
    pub(crate) instance: String,

    /// The plan: a file, or `-` for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) plan: String,

    /// Print one JSON object a data set, each on a line
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) options: P::Options,
}

#[derive(Args)]
pub(crate) struct ListArgs {
    /// Only those that have this in a name, in that of their puzzle or in what is told of them,
    /// whatever its case; `*` is anything
    #[arg(default_value = "*", hide_default_value = true)]
    pub(crate) pattern: String,

    /// Print one JSON object an instance, each on a line, with its text
    #[arg(long)]
    pub(crate) json: bool,
}

/// The default of `--memory`, for commands that do not have it, too.
pub(crate) const DEFAULT_MEMORY: ByteSize = ByteSize::gib(4);

/// What a search may take.
#[derive(Args)]
pub(crate) struct LimitArgs {
    /// Stop after so much time for a data set, such as `10s`, `1m 30s`, `500ms`, or a number of
    /// seconds
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,

    /// Stop rather than hold more memory than this, such as `500MB` or `16GiB`
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = parse_memory)]
    memory: ByteSize,

    /// Stop after so many states were expanded for a data set
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
    /// The search; each proves what it answers, and `auto` takes what suits the puzzle best
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = engine_parser::<P>())]
    engine: String,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Tell on standard error what each search took
    #[arg(long)]
    pub(crate) stats: bool,

    /// Solve so many data sets at once; each has its share of --memory. The answers stay in their
    /// order
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = whole(1usize, 1024))]
    pub(crate) threads: usize,

    #[command(flatten)]
    pub(crate) options: P::Options,
}

impl<P: Puzzle> SearchArgs<P> {
    /// `None` is a choice left to the puzzle.
    pub(crate) fn engine(&self) -> Option<Engine> {
        self.engine.parse().ok()
    }
}

/// The verbs of a puzzle, as a message lists them.
pub(crate) fn verbs<P: Puzzle>() -> String {
    verbs_of(&Verb::<P>::augment_subcommands(clap::Command::new(P::NAME)))
}

/// The same, of its command line.
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

/// Reads a number between these two.
pub(crate) fn whole<T>(least: T, most: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Copy,
{
    move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("expected a whole number from {least} to {most}"))
    }
}

fn parse_memory(text: &str) -> Result<ByteSize, &'static str> {
    text.parse().map_err(|_| "expected a size such as `500MB`, `16GiB`, or a number of bytes")
}
