//! Klotski on the command line, and sliding pieces at large.

mod census;
mod convert;
mod explore;
mod generate;
mod rank;

use std::fmt::{Display, Write};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use fewest_core::budget::Budget;
use fewest_core::builtin::Builtin;
use fewest_core::search::{Answer, Engine};
use fewest_core::text::{Diagnostic, Line};
use fewest_klotski::instance::MOST_CELLS;
use fewest_klotski::picture::Labels;
use fewest_klotski::read::Target;
use fewest_klotski::solve::{Choice, Encoding};
use fewest_klotski::{Instance, Metric, Plan, Slide, builtin, picture, plans, rules, solve};
use fewest_scene::{Animation, DrawError, Limits};

use crate::exit::{Exit, Failure};
use crate::puzzle::{All, OwnVerb, Puzzle, ShortestPlans};

pub(crate) enum Klotski {}

/// What is counted, and of which puzzle.
#[derive(Args)]
pub(crate) struct Options {
    /// One move is: one piece by any way; any distance in one direction; or one cell
    #[arg(long, default_value = "rectilinear", value_parser = metric_parser())]
    metric: Metric,

    /// Where a piece is to come to, instead of the goals of the text: `A at 4,2` is the row and
    /// column of its first cell. May be given for several pieces
    #[arg(long, value_name = "GOAL")]
    goal: Vec<Target>,

    /// How a board becomes bits: `classic` is the fastest, for 5 x 4 cells with one 2x2, dominoes
    /// and singles; `general` is for any board, and `auto` takes what fits. Moves and counts are
    /// the same
    #[arg(long, default_value = "auto", value_parser = ["auto", "classic", "general"])]
    encoding: String,
}

/// What is written on pieces.
#[derive(Args)]
pub(crate) struct Names {
    /// Write the names of Huarong Dao on classic pieces, Cao Cao and his generals, instead of their
    /// characters
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

/// What only klotski can do.
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Tell what can be reached from a board: how much, how far, and from where it is hardest
    Explore(explore::Explore),
    /// Make boards of the pieces of another: the hardest, or of a number of moves that is wanted
    ///
    /// `--time` and `--memory` bound all of it, `--states` each of its searches. Exit code 10 says
    /// that there is no such board, which only `--exhaustive` can know, and 22 that none was found.
    Generate(generate::Generate),
    /// Sort boards by how hard they are
    ///
    /// Of each board: the fewest moves; the number of shortest plans; whether all of these are one
    /// but for the order of moves that can be exchanged; the share of boards on the way from which
    /// a single move keeps to a shortest plan; the pieces that no shortest plan moves; the boards
    /// that can be reached; and those of them from which the only move is back.
    Rank(rank::Rank),
    /// List the components of all 29,334,498 classic layouts with two blanks or more, as CSV
    ///
    /// A component is what moves make of a layout. Of each: its pieces, how many layouts it has,
    /// whether it can be solved, and one of them by its code.
    Census(census::Census),
    /// Write boards in another notation
    Convert(convert::Convert),
}

impl Question {
    /// The question itself, unless it asks for an encoding that the puzzle does not have.
    fn checked(&self) -> Result<&Self, Failure> {
        if self.encoding == Some(Encoding::Classic) && !self.puzzle.is_of_classic_pieces() {
            return Err(Failure::usage(
                "--encoding classic is for 5 x 4 cells with one 2x2, which has the goal, dominoes and singles",
            ));
        }
        Ok(self)
    }
}

impl OwnVerb for Verb {
    fn carry_out(self) -> Result<Exit, Failure> {
        match self {
            Self::Explore(args) => args.carry_out(),
            Self::Generate(args) => args.carry_out(),
            Self::Rank(args) => args.carry_out(),
            Self::Census(args) => args.carry_out(),
            Self::Convert(args) => args.carry_out(),
        }
    }
}

/// A puzzle, and how it is to be solved.
pub(crate) struct Question {
    puzzle: Instance,
    metric: Metric,
    encoding: Option<Encoding>,
}

impl Puzzle for Klotski {
    const NAME: &'static str = "klotski";
    const ABOUT: &'static str =
        "Klotski, Huarong Dao, Rush Hour: slide pieces until some are where they should be";
    const FORMAT: &'static str = "\
A data set is a board, a character a cell: `.` is a blank, `#` a wall or outside, and the same
character is the same piece. The classic puzzle is five lines of four characters, with one piece of
2x2, dominoes and singles, and is solved when the 2x2 is in the middle of the last two rows. The
rows may also stand on one line; or it is a code, or a name that `klotski list` shows:
  aCCb
  aCCb
  cdde
  cfge
  h..i
  aCCb/aCCb/cdde/cfge/h..i
  1A9BF0C
  heng-dao-li-ma
The four of them are the same. In a code, the first digit is the cell of the 2x2's first cell, from
0, and then follow two bits for each cell that is not covered yet: 00 blank, 01 a domino that lies,
10 one that stands, 11 a single; zeros at the end may be dropped.

Any other board, of up to 128 cells that are no walls and pieces of any cells, has a blank line
before it and its goals directly below it, and may have locks:
  AA11
  AA22
  34..
  5677
  5688
  goal: A at 4,1
  lock: along 7 8
A goal is the row and column of the piece's first cell in reading order, or, behind `goal:` alone, a
second drawing of the same size with those pieces that are to be somewhere. A lock confines pieces,
or all if none is named: `horizontal`, `vertical`, or `along` which of both they are longer. Goals
may stand below a classic board, too.

A line of 36 letters is a board of Rush Hour: `o` or `.` blank, `x` wall, and cars, locked along
their length, of which `A` on the third row is to come to the right end.

A line of a plan is a move: `fSW` slides piece `f` a row down and a column to the left. Pieces are
called as on the board; those of a code or a name as `solve` shows them. Classic mode answers by the
number of moves, or -1 where there is no plan.";
    const CLASSIC_UNSOLVABLE: &'static str = "-1";
    const ENGINES: &'static [Engine] = solve::ENGINES;
    const INLINE: Option<&'static str> =
        Some("a board itself: rows with `/` between them, a code, or a line of Rush Hour");

    type Options = Options;
    type Show = All;
    type Picture = Names;
    type Verb = Verb;
    type Instance = Question;
    type Move = Slide;

    fn builtins() -> &'static [Builtin] {
        builtin::BUILTINS
    }

    fn read(text: &[u8], options: &Options) -> impl Iterator<Item = Result<Question, Diagnostic>> {
        let (metric, encoding) = (options.metric, options.encoding());
        let puzzles = Instance::read_with_goals(text, &options.goal);
        puzzles.map(move |puzzle| Ok(Question { puzzle: puzzle?, metric, encoding }))
    }

    fn is_inline(word: &str) -> bool {
        Instance::is_word(word)
    }

    fn board(question: &Question) -> Option<String> {
        Some(question.puzzle.to_string())
    }

    fn moves(question: &Question) -> [&'static str; 2] {
        match question.metric {
            Metric::Rectilinear => ["rectilinear move", "rectilinear moves"],
            Metric::Straight => ["straight move", "straight moves"],
            Metric::Unit => ["unit move", "unit moves"],
        }
    }

    fn solve(
        question: &Question,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<Plan>, Failure> {
        let &Question { ref puzzle, metric, encoding } = question.checked()?;
        solve::solve(puzzle, metric, Choice { engine, encoding }, budget).map_err(Failure::refused)
    }

    fn every(
        question: &Question,
        show: &All,
        budget: &Budget,
    ) -> Result<Option<ShortestPlans<Slide>>, Failure> {
        let &Question { ref puzzle, metric, encoding } = question;
        show.every(|most| {
            plans::every(puzzle, metric, encoding, most, budget).map_err(Failure::refused)
        })
    }

    fn about(builtin: &Builtin) -> String {
        let puzzle = Instance::read(builtin.text.as_bytes()).next().and_then(Result::ok);
        let code = puzzle.and_then(|puzzle| puzzle.code()).unwrap_or_default();
        format!("{code:<9} {}", builtin.about)
    }

    fn animation<'a>(
        question: &'a Question,
        plan: &'a [Slide],
        names: &Names,
        limits: &Limits<'_>,
    ) -> Result<Animation<'a>, DrawError> {
        let labels = if names.names { Labels::Generals } else { Labels::Characters };
        picture::animation(&question.puzzle, plan, labels, limits)
    }

    fn shapes(question: &Question) -> usize {
        // A piece on each cell and the four edges around.
        5 * MOST_CELLS + question.puzzle.goals().len() + 1
    }

    fn write_move(_: &Question, step: &Slide, line: &mut String) {
        let _ = write!(line, "{step}");
    }

    fn read_move(_: &Question, line: Line<'_>) -> Result<Slide, Diagnostic> {
        Slide::read(line)
    }

    fn replay(question: &Question, plan: &[Slide]) -> Result<(), impl Display> {
        rules::replay(&question.puzzle, plan, question.metric)
    }
}
