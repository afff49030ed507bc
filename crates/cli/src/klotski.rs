//! Klotski on the command line.

use std::fmt::Display;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fewest_core::budget::Budget;
use fewest_core::builtin::Builtin;
use fewest_core::search::{Answer, Engine};
use fewest_core::text::{Diagnostic, Line};
use fewest_klotski::{Instance, Metric, Plan, Slide, builtin, rules, solve};

use crate::exit::Failure;
use crate::puzzle::{NoOptions, NoVerb, Puzzle};

pub(crate) enum Klotski {}

/// What is counted.
#[derive(Args)]
pub(crate) struct Options {
    /// One move is: one block by any way; any distance in one direction; or one cell
    #[arg(long, default_value = "rectilinear", value_parser = metric_parser())]
    metric: Metric,
}

fn metric_parser() -> impl TypedValueParser<Value = Metric> {
    PossibleValuesParser::from(Metric::ALL.map(Metric::name)).try_map(|name| name.parse::<Metric>())
}

/// A layout, and the metric in which it is to be solved.
pub(crate) struct Question {
    layout: Instance,
    metric: Metric,
}

impl Puzzle for Klotski {
    const NAME: &'static str = "klotski";
    const ABOUT: &'static str = "Klotski, Huarong Dao: slide the 2x2 block to the exit";
    const FORMAT: &'static str = "\
A data set is a board, five lines of four characters, in which the same character is the same block
and `.` is a blank: one block of 2x2, dominoes, singles, and at least two blanks. The five rows may
also stand on one line. Any character but `#` and `/` names a block. Or it is a code, or a name that
`klotski list` shows, alone on a line:
  aCCb
  aCCb
  cdde
  cfge
  h..i
  aCCb/aCCb/cdde/cfge/h..i
  1A9BF0C
  heng-dao-li-ma
The four of them are the same layout. Five lines of four characters are a board, though they might
be codes. The puzzle is solved when the 2x2 is in the middle of the last two rows. In a code, the
first digit is the cell of the 2x2's upper left, from 0, and then follow two bits for each cell that
is not covered yet: 00 blank, 01 a domino that lies, 10 one that stands, 11 a single; zeros at the
end may be dropped.

A line of a plan is a move: `fSW` slides block `f` a row down and a column to the left. Blocks are
called as on the board; those of a code or a name as `solve` shows them. Classic mode answers by the
number of moves, or -1 where there is no plan.";
    const CLASSIC_UNSOLVABLE: &'static str = "-1";
    const ENGINES: &'static [Engine] = solve::ENGINES;
    const INLINE: Option<&'static str> = Some("a layout: a code, or five rows with `/` between them");

    type Options = Options;
    type Show = NoOptions;
    type Verb = NoVerb;
    type Instance = Question;
    type Move = Slide;

    fn builtins() -> &'static [Builtin] {
        builtin::BUILTINS
    }

    fn read(text: &[u8], options: &Options) -> impl Iterator<Item = Result<Question, Diagnostic>> {
        Instance::read(text).map(|layout| Ok(Question { layout: layout?, metric: options.metric }))
    }

    fn is_inline(word: &str) -> bool {
        Instance::is_word(word)
    }

    fn board(question: &Question) -> Option<String> {
        Some(question.layout.to_string())
    }

    fn moves(question: &Question) -> [&'static str; 2] {
        match question.metric {
            Metric::Rectilinear => ["rectilinear move", "rectilinear moves"],
            Metric::Straight => ["straight move", "straight moves"],
            Metric::Unit => ["unit move", "unit moves"],
        }
    }

    fn solve(question: &Question, engine: Option<Engine>, budget: &Budget) -> Result<Answer<Plan>, Failure> {
        let Question { layout, metric } = question;
        solve::solve(layout, *metric, engine, budget).map_err(Failure::fault)
    }

    fn write_move(step: &Slide) -> String {
        step.to_string()
    }

    fn read_move(_: &Question, line: Line<'_>) -> Result<Slide, Diagnostic> {
        Slide::read(line)
    }

    fn replay(question: &Question, plan: &[Slide]) -> Result<(), impl Display> {
        rules::replay(&question.layout, plan, question.metric)
    }
}
