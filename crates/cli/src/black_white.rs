//! Black and white on the command line.

use std::fmt::Display;

use clap::Args;
use fewest_black_white::{Exchange, Instance, Plan, builtin, rules, solve};
use fewest_core::budget::Budget;
use fewest_core::builtin::Builtin;
use fewest_core::grid::Size;
use fewest_core::search::{Answer, Engine};
use fewest_core::text::{Diagnostic, Line};

use crate::exit::Failure;
use crate::puzzle::{NoOptions, NoVerb, Puzzle};

pub(crate) enum BlackWhite {}

/// How its boards are read.
#[derive(Args)]
pub(crate) struct Options {
    /// Rows x columns of boards in digits, at most 8x8; a drawing tells its own
    #[arg(long, value_name = "RxC", default_value = "4x4")]
    size: Size,
}

impl Puzzle for BlackWhite {
    const NAME: &'static str = "black-white";
    const ABOUT: &'static str = "Black and white: exchange neighbours until the target board stands";
    const FORMAT: &'static str = "\
A data set is the start and the target, a digit a cell: `0` is a white piece and `1` a black one.
White space does not matter, so it does not tell the size either: there are 16 digits a board, or as
many as `--size` says. Or they are two drawings, with a blank line between them and behind them, `.`
white and `#` black, which tell their size:
  1111  1010      ####  #.#.
  0000  0101      ....  .#.#
  1110  1010      ###.  #.#.
  0010  0101      ..#.  .#.#
(Both are side by side here only to save space.)

A move exchanges two pieces of different colours whose cells share an edge. A line of a plan is a
move: row and column of the one and of the other, such as `1222`. Classic mode answers by the number
of moves and the moves below it (P1225), with `--count-only` by the number alone (P4289), or by -1
where the boards have different counts.";
    const CLASSIC_UNSOLVABLE: &'static str = "-1";
    const ENGINES: &'static [Engine] = solve::ENGINES;

    type Options = Options;
    type Show = NoOptions;
    type Verb = NoVerb;
    type Instance = Instance;
    type Move = Exchange;

    fn builtins() -> &'static [Builtin] {
        builtin::BUILTINS
    }

    fn read(text: &[u8], options: &Options) -> impl Iterator<Item = Result<Instance, Diagnostic>> {
        Instance::read(text, options.size)
    }

    fn solve(instance: &Instance, engine: Option<Engine>, budget: &Budget) -> Result<Answer<Plan>, Failure> {
        solve::solve(instance, engine, budget).map_err(Failure::refused)
    }

    fn classic(plan: &[Exchange]) -> String {
        let number = plan.len().to_string();
        std::iter::once(number).chain(plan.iter().map(Exchange::to_string)).collect::<Vec<_>>().join("\n")
    }

    fn write_move(step: &Exchange) -> String {
        step.to_string()
    }

    fn read_move(_: &Instance, line: Line<'_>) -> Result<Exchange, Diagnostic> {
        Exchange::read(line)
    }

    fn replay(instance: &Instance, plan: &[Exchange]) -> Result<(), impl Display> {
        rules::replay(instance, plan)
    }
}
