//! The Wall Pusher on the command line.

use std::fmt::Display;

use clap::Args;
use fewest_core::budget::Budget;
use fewest_core::builtin::Builtin;
use fewest_core::grid::{Direction, Size};
use fewest_core::search::{Answer, Engine};
use fewest_core::text::{Diagnostic, Line};
use fewest_wall_pusher::plan::{letters, read_move};
use fewest_wall_pusher::{Instance, Plan, builtin, rules, solve};

use crate::exit::Failure;
use crate::puzzle::{NoOptions, NoVerb, Puzzle};

pub(crate) enum WallPusher {}

/// How its mazes are read.
#[derive(Args)]
pub(crate) struct Options {
    /// Rows x columns of mazes in numbers, at most 8x8; a drawing tells its own
    #[arg(long, value_name = "RxC", default_value = "4x6")]
    size: Size,
}

impl Puzzle for WallPusher {
    const NAME: &'static str = "wall-pusher";
    const ABOUT: &'static str = "The Wall Pusher: find the way out of a maze whose walls can be pushed";
    const FORMAT: &'static str = "\
A data set is a line with the column and the row of the start, from 1, then the maze, a line a row,
a number a cell: the sum of 1 for a wall on its west, 2 north, 4 east and 8 south. Or it is a
drawing, up to a blank line, in which `S` is the start, and a row of cells without any wall is as
many blanks as the frame is wide:
  2 1          +--+--+
  3 6          |   S |
  9 8          +  +  +
               |
               +--+--+
This one is read with `--size 2x2`; without it numbers are of 4 rows and 6 columns. Data sets follow
one another; a line `0 0` may close them. Classic mode answers by the letters of the plan in a row,
or NO where there is no way out.

A move goes to the next cell. A wall in the way is pushed one cell ahead if no other wall is there;
the walls of the border never move. The last move goes out through a gap in the border. A line of a
plan is a move: `W`, `N`, `E` or `S`.";
    const CLASSIC_UNSOLVABLE: &'static str = "NO";
    const ENGINES: &'static [Engine] = solve::ENGINES;

    type Options = Options;
    type Show = NoOptions;
    type Verb = NoVerb;
    type Instance = Instance;
    type Move = Direction;

    fn builtins() -> &'static [Builtin] {
        builtin::BUILTINS
    }

    fn read(text: &[u8], options: &Options) -> impl Iterator<Item = Result<Instance, Diagnostic>> {
        Instance::read(text, options.size)
    }

    fn board(instance: &Instance) -> Option<String> {
        Some(instance.drawing())
    }

    fn solve(instance: &Instance, engine: Option<Engine>, budget: &Budget) -> Result<Answer<Plan>, Failure> {
        solve::solve(instance, engine, budget).map_err(Failure::refused)
    }

    fn classic(plan: &[Direction]) -> String {
        letters(plan)
    }

    fn write_move(step: &Direction) -> String {
        step.letter().to_string()
    }

    fn read_move(_: &Instance, line: Line<'_>) -> Result<Direction, Diagnostic> {
        read_move(line)
    }

    fn replay(instance: &Instance, plan: &[Direction]) -> Result<(), impl Display> {
        rules::replay(instance, plan)
    }
}
