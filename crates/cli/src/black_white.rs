//! Black and white on the command line.

use std::fmt::Display;
use std::io::{self, Write};

use clap::Args;
use fewest_black_white::{Exchange, Instance, Plan, Size, builtin, picture, rules, solve};
use fewest_core::budget::Budget;
use fewest_core::builtin::Builtin;
use fewest_core::search::{Answer, Engine};
use fewest_core::text::{Diagnostic, Line};
use fewest_scene::{Animation, DrawError, Limits};

use crate::exit::Failure;
use crate::puzzle::{All, NoVerb, Nothing, Puzzle, ShortestPlans};

pub(crate) enum BlackWhite {}

/// How its boards are read.
#[derive(Args)]
pub(crate) struct Options {
    /// Rows x columns of boards in digits, at most 1024x1024; a drawing tells its own
    #[arg(long, value_name = "RxC", default_value = "4x4")]
    size: Size,
}

/// What asks for a search is for small boards.
fn searched(instance: &Instance, what: &str) -> Result<(), Failure> {
    let cells = instance.size().cells();
    if cells <= solve::MOST_SEARCHED {
        return Ok(());
    }
    let most = solve::MOST_SEARCHED;
    Err(Failure::usage(format!(
        "{what} takes boards of at most {most} cells, and these have {cells}"
    )))
}

impl Puzzle for BlackWhite {
    const NAME: &'static str = "black-white";
    const ABOUT: &'static str =
        "Black and white: exchange neighbours until the target board stands";
    const FORMAT: &'static str = "\
A data set is the start and the target, a digit a cell: `0` is a white piece (or an empty cell),
`1` a black one (or a toy), and `#` a wall, which no piece may enter and which both boards have.
White space does not matter, so it does not tell the size either: there are 16 marks a board, or
as many as `--size` says. Or they are two drawings, with a blank line between them and behind
them, `.` white, `X` black and `#` a wall, which tell their size; walls alone are a drawing:
  1111 0000 1110 0010  1010 0101 1010 0101
is the same as
  XXXX
  ....
  XXX.
  ..X.

  X.X.
  .X.X
  X.X.
  .X.X

A move exchanges two pieces of different colours whose cells share an edge. A line of a plan is a
move: row and column of the one and of the other, such as `1222`, or `1,2 2,2` if there are more
than nine rows or columns. Classic mode answers by the number of moves and the moves below it
(P1225), with `--count-only` by the number alone (P4289), or by -1 where the boards, or parts of
them between walls, have different counts.

Without --engine nothing is searched: a cheapest flow is a plan, for boards of any size (`flow` in
--stats and JSON). The engines take boards of at most 64 cells, and so does --all. For the flow,
--states counts the cells that it looks at; where at most eight pieces are out of place, it looks at
none.";
    const CLASSIC_UNSOLVABLE: &'static str = "-1";
    const ENGINES: &'static [Engine] = solve::ENGINES;

    type Options = Options;
    type Show = All;
    type Picture = Nothing;
    type Verb = NoVerb;
    type Instance = Instance;
    type Move = Exchange;

    fn builtins() -> &'static [Builtin] {
        builtin::BUILTINS
    }

    fn read(text: &[u8], options: &Options) -> impl Iterator<Item = Result<Instance, Diagnostic>> {
        Instance::read(text, options.size)
    }

    fn solve(
        instance: &Instance,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<Plan>, Failure> {
        if let Some(engine) = engine {
            searched(instance, &format!("--engine {engine}"))?;
        }
        solve::solve(instance, engine, budget).map_err(Failure::refused)
    }

    fn count(
        instance: &Instance,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<Plan>, Failure> {
        if engine.is_some() {
            return Self::solve(instance, engine, budget);
        }
        let Answer { outcome, engine } = solve::count(instance, budget);
        Ok(Answer { outcome: outcome.map(|()| Plan::new()), engine })
    }

    fn every(
        instance: &Instance,
        show: &All,
        budget: &Budget,
    ) -> Result<Option<ShortestPlans<Exchange>>, Failure> {
        show.every(|most| {
            searched(instance, "--all")?;
            solve::every(instance, most, budget).map_err(Failure::refused)
        })
    }

    fn write_classic(
        instance: &Instance,
        plan: &[Exchange],
        out: &mut impl Write,
    ) -> io::Result<()> {
        write!(out, "{}", plan.len())?;
        plan.iter().try_for_each(|step| write!(out, "\n{}", step.text(instance.size())))
    }

    fn animation<'a>(
        instance: &'a Instance,
        plan: &'a [Exchange],
        _: &Nothing,
        limits: &Limits<'_>,
    ) -> Result<Animation<'a>, DrawError> {
        picture::animation(instance, plan, limits)
    }

    fn shapes(instance: &Instance) -> usize {
        // A piece on each cell of both boards, the cells and walls of each, and the arrow.
        2 * instance.size().cells() + 5
    }

    fn write_move(instance: &Instance, step: &Exchange, line: &mut String) {
        *line += &step.text(instance.size());
    }

    fn read_move(_: &Instance, line: Line<'_>) -> Result<Exchange, Diagnostic> {
        Exchange::read(line)
    }

    fn replay(instance: &Instance, plan: &[Exchange]) -> Result<(), impl Display> {
        rules::replay(instance, plan)
    }
}
