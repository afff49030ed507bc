//! The program `klotski`, for sliding pieces of any shape.

mod census;
mod convert;
mod explore;
mod generate;
mod rank;

use std::fmt::Write;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use fewest_core::budget::Budget;
use fewest_core::search::{Answer, Engine};
use fewest_klotski::instance::MAX_CELLS;
use fewest_klotski::picture::Labels;
use fewest_klotski::read::Target;
use fewest_klotski::solve::SolveError;
use fewest_klotski::{Encoding, Instance, Metric, Slide, Task, builtin, picture, plans, solve};
use fewest_puzzle::builtin::Builtin;
use fewest_rules::text::{Diagnostic, Line};
use fewest_rules::{Replayed, Verified};
use fewest_scene::{Animation, DrawError, Limits};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::puzzle::{AllPlansArgs, Puzzle, PuzzleVerb, ShortestPlans};

pub(crate) enum Klotski {}

/// The options to read boards and to count moves.
#[derive(Args)]
pub(crate) struct Options {
    /// What counts as one move: a piece along any path (`rectilinear`), any distance in one
    /// direction (`straight`), or one cell (`unit`)
    #[arg(long, default_value = "rectilinear", value_parser = metric_parser())]
    metric: Metric,

    /// Goal of a piece: `A at 4,2` means that its first cell, in reading order, has to be in row 4,
    /// column 2, counted from 1. The goals of the text are ignored then. Repeat the option for
    /// several pieces
    #[arg(long, value_name = "GOAL")]
    goal: Vec<Target>,

    /// How boards are packed into bits: `classic` is the fastest, for 5 x 4 cells with one 2x2,
    /// dominoes and singles; `general` is for any board; `auto` takes the one that fits. The
    /// results are the same
    #[arg(long, default_value = "auto", value_parser = ["auto", "classic", "general"])]
    encoding: String,
}

/// The labels of pieces in pictures.
#[derive(Args)]
pub(crate) struct Names {
    /// Label the pieces of a classic board with the names of Huarong Dao (Cao Cao, the generals who
    /// block his way, and the soldiers) instead of their characters
    #[arg(long, help_heading = "Pictures")]
    names: bool,
}

fn metric_parser() -> impl TypedValueParser<Value = Metric> {
    PossibleValuesParser::from(Metric::ALL.map(Metric::name)).try_map(|name| name.parse::<Metric>())
}

impl Options {
    fn encoding(&self) -> Option<Encoding> {
        match self.encoding.as_str() {
            "classic" => Some(Encoding::Classic),
            "general" => Some(Encoding::General),
            _ => None,
        }
    }
}

/// The verbs of klotski alone.
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Explore all boards that can be reached: their number, the boards farthest from the start,
    /// and those farthest from a goal
    Explore(explore::Explore),
    /// Generate boards with the pieces of a given board: the hardest, or with a given number of
    /// moves
    ///
    /// `--time` and `--memory` limit the whole run, `--states` each search. Exit code 10 means that
    /// no such board exists, which only `--exhaustive` can prove; 22 means that none was found.
    Generate(generate::Generate),
    /// Sort boards by difficulty
    ///
    /// The columns for each board: the fewest moves; the number of shortest plans; whether these
    /// differ only in the order of independent moves (unique); the share of boards on shortest
    /// plans from which only one move continues a shortest plan (forced); the pieces that no
    /// shortest plan moves (idle); the boards that can be reached; and the dead ends among them,
    /// from which the only move leads back.
    Rank(rank::Rank),
    /// List the components of all 29,334,498 classic layouts with at least two blanks, as CSV
    ///
    /// A component is all layouts reachable from one another. The columns: its pieces, its number
    /// of layouts, whether it is solvable, and the code of one layout.
    Census(census::Census),
    /// Convert boards to another notation
    Convert(convert::Convert),
}

/// Returns an error if the encoding does not fit the puzzle.
fn checked(task: &Task) -> Result<&Task, Failure> {
    if task.encoding == Some(Encoding::Classic) && !task.instance.is_of_classic_pieces() {
        return Err(Failure::usage(
            "--encoding classic needs 5 x 4 cells with dominoes, singles and one 2x2, which has \
             the goal",
        ));
    }
    Ok(task)
}

impl PuzzleVerb for Verb {
    fn run(self) -> Result<Exit, Failure> {
        match self {
            Self::Explore(args) => args.run(),
            Self::Generate(args) => args.run(),
            Self::Rank(args) => args.run(),
            Self::Census(args) => args.run(),
            Self::Convert(args) => args.run(),
        }
    }
}

impl Puzzle for Klotski {
    const NAME: &'static str = "klotski";
    const ABOUT: &'static str =
        "Klotski, Huarong Dao, Rush Hour: slide pieces until some of them are at their goals";
    const FORMAT: &'static str = "\
A data set is a board with one character per cell: `.` is a blank, `#` a wall or outside the board,
and equal characters are one piece. The classic puzzle is five lines of four characters, with one
2x2 piece, dominoes and singles. It is solved when the 2x2 is in the middle of the last two rows. A
data set may also be the rows on one line, a code, or a name that `klotski list` shows:
  aCCb
  aCCb
  cdde
  cfge
  h..i
  aCCb/aCCb/cdde/cfge/h..i
  1A9BF0C
  heng-dao-li-ma
These four are the same board. A code is a hexadecimal number. Its first digit is the number of the
2x2's first cell, counted from 0. Two bits follow for each cell that is not covered yet: 00 is a
blank, 01 a horizontal domino, 10 a vertical domino, 11 a single. Zeros at the end may be omitted.

Any other board has up to 128 cells that are not walls, and pieces of any shape. It needs a blank
line before it and its goals directly below it, and may have locks:
  AA11
  AA22
  34..
  5677
  5688
  goal: A at 4,1
  lock: along 7 8
A goal is the row and column of the piece's first cell in reading order; or, below a line `goal:`, a
second drawing of the same size with the pieces that have goals. A lock restricts the named pieces,
or all pieces if none is named: `horizontal`, `vertical`, or `along` for the direction in which the
piece is longer. A classic board may have goals below it, too.

A line of 36 characters is a Rush Hour board: `o` or `.` is a blank, `x` a wall, and letters are
cars, which are locked along their length. Car `A` on the third row must reach the right end.

A line of a plan is a move: `fSW` slides piece `f` one row down and one column to the left. Pieces
are named as on the board; for a code or a name, as `solve` shows them. Contest mode prints the
number of moves, or -1 if there is no plan.";
    const CONTEST_UNSOLVABLE: &'static str = "-1";
    const ENGINES: &'static [Engine] = solve::ENGINES;
    const INLINE: Option<&'static str> = Some(
        "a board itself: rows separated by `/`, the code of a classic board such as `1A9BF0C`, or a Rush Hour line",
    );

    type Options = Options;
    type PlanArgs = AllPlansArgs;
    type Picture = Names;
    type Verb = Verb;
    type Instance = Task;
    type Move = Slide;

    fn builtins() -> &'static [Builtin] {
        builtin::BUILTINS
    }

    fn read(text: &[u8], options: &Options) -> impl Iterator<Item = Result<Task, Diagnostic>> {
        let (metric, encoding) = (options.metric, options.encoding());
        let puzzles = Instance::read_with_goals(text, &options.goal);
        puzzles.map(move |instance| Ok(Task { instance: instance?, metric, encoding }))
    }

    fn is_inline(word: &str) -> bool {
        Instance::is_word(word)
    }

    fn board(task: &Task) -> Option<String> {
        Some(task.instance.to_string())
    }

    fn moves(task: &Task) -> [&'static str; 2] {
        match task.metric {
            Metric::Rectilinear => ["rectilinear move", "rectilinear moves"],
            Metric::Straight => ["straight move", "straight moves"],
            Metric::Unit => ["unit move", "unit moves"],
        }
    }

    fn solve(
        task: &Task,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<Verified<Slide>>, Failure> {
        solve::solve(checked(task)?, engine, budget).map_err(|error| match error {
            SolveError::Engine(unsupported) => Failure::usage(unsupported.to_string()),
            SolveError::Plan(refusal) => Failure::plan_refused(refusal),
        })
    }

    fn shortest_plans(
        task: &Task,
        args: &AllPlansArgs,
        budget: &Budget,
    ) -> Result<Option<ShortestPlans<Slide>>, Failure> {
        args.shortest_plans(|most| {
            plans::list_shortest_plans(task, most, budget).map_err(Failure::plan_refused)
        })
    }

    fn about(builtin: &Builtin) -> String {
        let puzzle = Instance::read(builtin.text.as_bytes()).next().and_then(Result::ok);
        let code = puzzle.and_then(|puzzle| puzzle.code()).unwrap_or_default();
        format!("{code:<9} {}", builtin.about)
    }

    fn animation<'a>(
        task: &'a Task,
        plan: &'a Replayed<Slide>,
        names: &Names,
        limits: &Limits<'_>,
    ) -> Result<Animation<'a>, DrawError> {
        let labels = if names.names { Labels::Generals } else { Labels::Characters };
        picture::animation(&task.instance, plan, labels, limits)
    }

    fn max_shapes(task: &Task) -> usize {
        // A piece on each cell, with four edges around it.
        5 * MAX_CELLS + task.instance.goals().len() + 1
    }

    fn write_move(_: &Task, step: &Slide, line: &mut String) {
        let _ = write!(line, "{step}");
    }

    fn read_move(_: &Task, line: Line<'_>) -> Result<Slide, Diagnostic> {
        Slide::read(line)
    }
}
