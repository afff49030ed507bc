//! The program `wall-pusher`.

mod convert;
mod explore;
mod generate;

use std::io::{self, Write};

use clap::{Args, Subcommand};
use fewest_core::budget::Budget;
use fewest_core::search::{Answer, Engine};
use fewest_geometry::{Cell, Direction};
use fewest_puzzle::builtin::Builtin;
use fewest_rules::text::{Diagnostic, Line};
use fewest_rules::{Replayed, Verified};
use fewest_scene::{Animation, DrawError, Limits};
use fewest_wall_pusher::plan::{letters, read_move};
use fewest_wall_pusher::solve::SolveError;
use fewest_wall_pusher::{Instance, Size, builtin, picture, solve};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::puzzle::{AllPlansArgs, NoArgs, Puzzle, PuzzleVerb, ShortestPlans};

pub(crate) enum WallPusher {}

/// The options to read mazes.
#[derive(Args)]
pub(crate) struct Options {
    /// Rows x columns of mazes given as numbers, at most 8x8; a drawing shows its own size
    #[arg(long, value_name = "RxC", default_value = "4x6")]
    size: Size,

    /// Start from this cell instead of the start of the maze: row and column, counted from 1.
    /// Repeat the option for several answers. A drawing may then omit its start
    #[arg(long, value_name = "R,C")]
    start: Vec<Cell>,
}

/// The verbs of the wall pusher alone.
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Count the boards that can be reached from the start, by number of moves
    Explore(explore::Explore),
    /// Generate random mazes as numbers
    ///
    /// The same seed and options generate the same mazes on every machine.
    Generate(generate::Generate),
    /// Convert mazes to another notation
    Convert(convert::Convert),
}

impl PuzzleVerb for Verb {
    fn run(self) -> Result<Exit, Failure> {
        match self {
            Self::Explore(args) => args.run(),
            Self::Generate(args) => args.run(),
            Self::Convert(args) => args.run(),
        }
    }
}

impl Puzzle for WallPusher {
    const NAME: &'static str = "wall-pusher";
    const ABOUT: &'static str =
        "The Wall Pusher: find the shortest path out of a maze whose walls can be pushed";
    const FORMAT: &'static str = "\
A data set is a line with the column and the row of the start, counted from 1, then the maze: one
line per row and one number per cell, its mask: the sum of 1 for a wall to the west, 2 north, 4 east
and 8 south. Or it is a drawing, which ends at a blank line or the next data set. `S` is the start.
A row of cells without walls is a line of spaces as wide as the frame:
  2 1          +--+--+
  3 6          |   S |
  9 8          +  +  +
               |
               +--+--+
The numbers of this maze need `--size 2x2`; by default a maze has 4 rows and 6 columns. Data sets
follow one another; a line `0 0` may end them. Contest mode prints the letters of the plan on one
line, or NO if there is no path out.

A move goes to the next cell. If a wall is in between, it is pushed one cell ahead, unless another
wall is there. The walls of the border never move. The last move leaves through a gap in the border.
A line of a plan is a move: `W`, `N`, `E` or `S`.

Without --engine a short search runs first, then A* and a proof of unsolvability take turns
(`regions` in --stats and JSON: cells that are reachable from one another without a push count as
one state). If a large maze is known to have a path out, `--engine astar` may be ten times as fast.";
    const CONTEST_UNSOLVABLE: &'static str = "NO";
    const ENGINES: &'static [Engine] = solve::ENGINES;

    type Options = Options;
    type PlanArgs = AllPlansArgs;
    type Picture = NoArgs;
    type Verb = Verb;
    type Instance = Instance;
    type Move = Direction;

    fn builtins() -> &'static [Builtin] {
        builtin::BUILTINS
    }

    fn read(text: &[u8], options: &Options) -> impl Iterator<Item = Result<Instance, Diagnostic>> {
        Instance::read_from(text, options.size, &options.start)
    }

    fn board(instance: &Instance) -> Option<String> {
        Some(instance.drawing())
    }

    fn solve(
        instance: &Instance,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<Verified<Direction>>, Failure> {
        solve::solve(instance, engine, budget).map_err(|error| match error {
            SolveError::Engine(unsupported) => Failure::usage(unsupported.to_string()),
            SolveError::Plan(refusal) => Failure::plan_refused(refusal),
        })
    }

    fn shortest_plans(
        maze: &Instance,
        args: &AllPlansArgs,
        budget: &Budget,
    ) -> Result<Option<ShortestPlans<Direction>>, Failure> {
        args.shortest_plans(|most| {
            solve::list_shortest_plans(maze, most, budget).map_err(Failure::plan_refused)
        })
    }

    fn write_contest(
        _: &Instance,
        plan: &Verified<Direction>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        out.write_all(letters(plan).as_bytes())
    }

    fn animation<'a>(
        maze: &'a Instance,
        plan: &'a Replayed<Direction>,
        _: &NoArgs,
        limits: &Limits<'_>,
    ) -> Result<Animation<'a>, DrawError> {
        picture::animation(maze, plan, limits)
    }

    fn max_shapes(maze: &Instance) -> usize {
        // Each cell has at most four edges.
        4 * maze.size().len() + 2
    }

    fn write_move(_: &Instance, step: &Direction, line: &mut String) {
        line.push(step.letter());
    }

    fn read_move(_: &Instance, line: Line<'_>) -> Result<Direction, Diagnostic> {
        read_move(line)
    }
}
