//! The program `black-white`.

use std::io::{self, Write};

use clap::Args;
use fewest_black_white::{Exchange, Instance, Size, builtin, picture, solve, space};
use fewest_core::budget::Budget;
use fewest_core::search::{Answer, Engine};
use fewest_puzzle::builtin::Builtin;
use fewest_rules::text::{Diagnostic, Line};
use fewest_rules::{Replayed, Verified};
use fewest_scene::{Animation, DrawError, Limits};

use crate::failure::Failure;
use crate::puzzle::{AllPlansArgs, NoArgs, NoVerbs, Puzzle, ShortestPlans};

pub(crate) enum BlackWhite {}

/// The options to read boards.
#[derive(Args)]
pub(crate) struct Options {
    /// Rows x columns of boards given as digits, at most 1024x1024; a drawing shows its own size
    #[arg(long, value_name = "RxC", default_value = "4x4")]
    size: Size,
}

/// Returns an error if a board is too large for a search, which `option` asks for.
fn check_searchable(instance: &Instance, option: &str) -> Result<(), Failure> {
    let cells = instance.size().len();
    if cells <= space::MAX_SEARCHED_CELLS {
        return Ok(());
    }
    let most = space::MAX_SEARCHED_CELLS;
    Err(Failure::usage(format!(
        "{option} takes boards of at most {most} cells, and these have {cells}"
    )))
}

impl Puzzle for BlackWhite {
    const NAME: &'static str = "black-white";
    const ABOUT: &'static str =
        "Black and white: exchange neighbouring pieces until the board equals the target";
    const FORMAT: &'static str = "\
A data set is the start board and the target board, one character per cell: `0` is a white piece (or
an empty cell), `1` a black piece (or a toy), and `#` a wall, which no piece may enter and which
both boards have. White space is ignored and does not show the size: a board has 4 x 4 cells, or the
size that `--size` sets. Or a data set is two drawings of any size, each followed by a blank line:
`.` is white, `X` black and `#` a wall. A board of walls only is a drawing:
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
move: the row and column of both cells, such as `1222`, or `1,2 2,2` if there are more than nine
rows or columns. Contest mode prints the number of moves, then the moves (P1225); with
`--count-only` only the number (P4289); and -1 if the boards, or parts of them between walls, have
different numbers of pieces of a colour.

Without --engine nothing is searched: a minimum-cost flow gives a plan, for boards of any size
(`flow` in --stats and JSON). The engines and --all take boards of at most 64 cells. For the flow,
--states limits the number of cells that it visits. With at most eight pieces out of place it visits
none.";
    const CONTEST_UNSOLVABLE: &'static str = "-1";
    const ENGINES: &'static [Engine] = solve::ENGINES;

    type Options = Options;
    type PlanArgs = AllPlansArgs;
    type Picture = NoArgs;
    type Verb = NoVerbs;
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
    ) -> Result<Answer<Verified<Exchange>>, Failure> {
        if let Some(engine) = engine {
            check_searchable(instance, &format!("--engine {engine}"))?;
        }
        solve::solve(instance, engine, budget).map_err(Failure::plan_refused)
    }

    fn solve_cost(
        instance: &Instance,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<()>, Failure> {
        if engine.is_none() {
            return Ok(solve::solve_cost(instance, budget));
        }
        let Answer { outcome, engine } = Self::solve(instance, engine, budget)?;
        Ok(Answer { outcome: outcome.map(drop), engine })
    }

    fn shortest_plans(
        instance: &Instance,
        args: &AllPlansArgs,
        budget: &Budget,
    ) -> Result<Option<ShortestPlans<Exchange>>, Failure> {
        args.shortest_plans(|most| {
            check_searchable(instance, "--all")?;
            solve::list_shortest_plans(instance, most, budget).map_err(Failure::plan_refused)
        })
    }

    fn write_contest(
        instance: &Instance,
        plan: &Verified<Exchange>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        write!(out, "{}", plan.len())?;
        plan.iter().try_for_each(|step| write!(out, "\n{}", step.text(instance.size())))
    }

    fn animation<'a>(
        instance: &'a Instance,
        plan: &'a Replayed<Exchange>,
        _: &NoArgs,
        limits: &Limits<'_>,
    ) -> Result<Animation<'a>, DrawError> {
        picture::animation(instance, plan, limits)
    }

    fn max_shapes(instance: &Instance) -> usize {
        // Pieces on each cell of both boards, the cells and walls of both, and the arrow.
        2 * instance.size().len() + 5
    }

    fn write_move(instance: &Instance, step: &Exchange, line: &mut String) {
        *line += &step.text(instance.size());
    }

    fn read_move(_: &Instance, line: Line<'_>) -> Result<Exchange, Diagnostic> {
        Exchange::read(line)
    }
}
