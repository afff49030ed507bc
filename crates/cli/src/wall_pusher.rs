//! The Wall Pusher on the command line.

mod convert;
mod explore;
mod generate;

use std::fmt::Display;
use std::io::{self, Write};

use clap::{Args, Subcommand};
use fewest_core::budget::Budget;
use fewest_core::builtin::Builtin;
use fewest_core::grid::{Direction, Place};
use fewest_core::search::{Answer, Engine};
use fewest_core::text::{Diagnostic, Line, number};
use fewest_scene::{Animation, DrawError, Limits};
use fewest_wall_pusher::plan::{letters, read_move};
use fewest_wall_pusher::{Instance, Plan, Size, builtin, picture, rules, solve};

use crate::exit::{Exit, Failure};
use crate::puzzle::{All, Nothing, OwnVerb, Puzzle, ShortestPlans};

pub(crate) enum WallPusher {}

/// How its mazes are read.
#[derive(Args)]
pub(crate) struct Options {
    /// Rows x columns of mazes in numbers, at most 8x8; a drawing tells its own
    #[arg(long, value_name = "RxC", default_value = "4x6")]
    size: Size,

    /// Start from this cell instead of the maze's own, which a drawing need not have then: row and
    /// column, from 1. May be given several times, for an answer each
    #[arg(long, value_name = "R,C", value_parser = parse_place)]
    start: Vec<Place>,
}

fn parse_place(text: &str) -> Result<Place, &'static str> {
    let from_1 = |text: &str| number::<usize>(text)?.checked_sub(1);
    let place = text
        .split_once(',')
        .and_then(|(row, column)| Some(Place { row: from_1(row)?, column: from_1(column)? }));
    place.ok_or("expected the row and the column of a cell, from 1, such as `2,3`")
}

/// What only the wall pusher can do.
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Tell what can be reached from the start: how many boards, by moves, ways out or not
    Explore(explore::Explore),
    /// Make mazes from a seed, as numbers
    ///
    /// The same seed and options give the same mazes on every machine.
    Generate(generate::Generate),
    /// Write mazes in another notation
    Convert(convert::Convert),
}

impl OwnVerb for Verb {
    fn carry_out(self) -> Result<Exit, Failure> {
        match self {
            Self::Explore(args) => args.carry_out(),
            Self::Generate(args) => args.carry_out(),
            Self::Convert(args) => args.carry_out(),
        }
    }
}

impl Puzzle for WallPusher {
    const NAME: &'static str = "wall-pusher";
    const ABOUT: &'static str =
        "The Wall Pusher: find the way out of a maze whose walls can be pushed";
    const FORMAT: &'static str = "\
A data set is a line with the column and the row of the start, from 1, then the maze, a line a row,
a number a cell: the sum of 1 for a wall on its west, 2 north, 4 east and 8 south. Or it is a
drawing, up to a blank line or the next data set, in which `S` is the start, and a row of cells
without any wall is as many blanks as the frame is wide:
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
plan is a move: `W`, `N`, `E` or `S`.

Without --engine a short search goes first, then A* and a proof that there is no way out take turns
(`regions` in --stats and JSON: cells that can be walked through count as one state). Where one
knows that there is a way out of a large maze, `--engine astar` alone may be ten times as fast.";
    const CLASSIC_UNSOLVABLE: &'static str = "NO";
    const ENGINES: &'static [Engine] = solve::ENGINES;

    type Options = Options;
    type Show = All;
    type Picture = Nothing;
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
    ) -> Result<Answer<Plan>, Failure> {
        solve::solve(instance, engine, budget).map_err(Failure::refused)
    }

    fn every(
        maze: &Instance,
        show: &All,
        budget: &Budget,
    ) -> Result<Option<ShortestPlans<Direction>>, Failure> {
        show.every(|most| solve::every(maze, most, budget).map_err(Failure::refused))
    }

    fn write_classic(_: &Instance, plan: &[Direction], out: &mut impl Write) -> io::Result<()> {
        out.write_all(letters(plan).as_bytes())
    }

    fn animation<'a>(
        maze: &'a Instance,
        plan: &'a [Direction],
        _: &Nothing,
        limits: &Limits<'_>,
    ) -> Result<Animation<'a>, DrawError> {
        picture::animation(maze, plan, limits)
    }

    fn shapes(maze: &Instance) -> usize {
        // Each cell has at most four edges.
        4 * maze.size().cells() + 2
    }

    fn write_move(_: &Instance, step: &Direction, line: &mut String) {
        line.push(step.letter());
    }

    fn read_move(_: &Instance, line: Line<'_>) -> Result<Direction, Diagnostic> {
        read_move(line)
    }

    fn replay(instance: &Instance, plan: &[Direction]) -> Result<(), impl Display> {
        rules::replay(instance, plan)
    }
}
