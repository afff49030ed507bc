//! Black and white as a puzzle that programs know by name.

use std::any::Any;
use std::fmt;
use std::io;

use fewest_core::budget::Budget;
use fewest_core::search::{Answer, Engine};
use fewest_puzzle::certify::Certify;
use fewest_puzzle::count_plans::CountPlans;
use fewest_puzzle::edit::Edit;
use fewest_puzzle::explore::{Explore, ExploreVerb};
use fewest_puzzle::judge::{Judge, JudgeVerb};
use fewest_puzzle::options::{NoOptions, from_text};
use fewest_puzzle::puzzle::not_in_browser;
use fewest_puzzle::{Info, Parsed, Push, Puzzle, SolveError, Solved, Verbs};
use fewest_rules::text::Line;
use fewest_rules::{Replayed, Verified};
use fewest_scene::{Animation, DrawError, DrawLimits};
use serde::Deserialize;

use crate::instance::{Instance, Size};
use crate::plan::Exchange;
use crate::{builtin, edit, picture, solve};

/// Black and white.
pub struct BlackWhite;

const FORMAT: &str = "\
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

const EXAMPLES: &[(&str, &[&str])] = &[
    ("", &["black-white solve sample", "echo 1111000011100010 1010010110100101 | black-white"]),
    (
        "solve",
        &[
            "black-white solve sample --all --limit 3",
            "black-white solve sample --show -o sample.svg --animate",
        ],
    ),
    ("explore", &["black-white explore sample", "black-white explore sample --export csv"]),
];

pub(crate) const DEFAULT_SIZE: Size = Size::new(4, 4).unwrap();

/// The options to read boards.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(default, deny_unknown_fields)]
pub struct ReadOptions {
    /// Rows x columns of boards given as digits, at most 1024x1024; a drawing shows its own size
    #[cfg_attr(feature = "clap", arg(long, value_name = "RxC", default_value_t = DEFAULT_SIZE))]
    #[serde(deserialize_with = "from_text")]
    pub size: Size,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { size: DEFAULT_SIZE }
    }
}

/// What this puzzle offers beyond solving.
const VERBS: Verbs = Verbs {
    count_plans: true,
    explore: Some(ExploreVerb { undirected: true, ..ExploreVerb::DEFAULT }),
    certify: true,
    judge: Some(JudgeVerb { end: "", separator: "", has_statement: true }),
    brushes: edit::BRUSHES,
    ..Verbs::NONE
};

impl Puzzle for BlackWhite {
    const INFO: Info = Info {
        about: "Black and white: exchange neighbouring pieces until the board equals the target",
        format: not_in_browser(FORMAT),
        chinese: not_in_browser(include_str!("chinese.txt")),
        engines: solve::ENGINES,
        import_options: &[("size", "4x4")],
        verbs: VERBS,
        compared: "inverted",
        examples: EXAMPLES,
        ..Info::named("black-white", builtin::BUILTINS)
    };

    type Options = ReadOptions;
    type PictureOptions = NoOptions;
    type Instance = Instance;

    fn read<'a>(
        text: &'a [u8],
        options: &'a ReadOptions,
    ) -> impl Iterator<Item = Parsed<Instance>> + 'a {
        Instance::read(text, options.size)
    }

    fn solve(boards: &Instance, engine: Option<Engine>, budget: &Budget) -> Solved<Self> {
        solve::solve(boards, engine, budget)
    }

    fn read_move(_: &Instance, line: Line<'_>) -> Parsed<Exchange> {
        Exchange::read(line)
    }

    fn drawing(boards: &Instance) -> String {
        boards.drawing()
    }

    fn by_hand(boards: &Instance, pushes: &[Push]) -> Option<Exchange> {
        let [Push { at, path }] = pushes else { return None };
        let cells = [*at, at.step(*path.first()?)];
        let is_on_board = cells.iter().all(|&cell| boards.size().contains(cell));
        is_on_board.then(|| Exchange::new(cells[0], cells[1]))
    }

    fn write_move(
        boards: &Instance,
        exchange: &Exchange,
        line: &mut dyn fmt::Write,
    ) -> fmt::Result {
        line.write_str(&exchange.text(boards.size()))
    }

    fn animation<'a>(
        boards: &'a Instance,
        plan: &'a Replayed<Instance>,
        _: &NoOptions,
        limits: &DrawLimits<'_>,
    ) -> Result<Animation<'a>, DrawError> {
        picture::animation(boards, plan, limits)
    }

    fn max_shapes(boards: &Instance) -> usize {
        // Pieces on each cell of both boards, and the cells and walls of both.
        2 * boards.size().len() + 4
    }

    fn solve_cost(
        boards: &Instance,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<()>, SolveError> {
        if engine.is_none() {
            return Ok(solve::solve_cost(boards, budget));
        }
        Ok(Self::solve(boards, engine, budget)?.map(drop))
    }

    fn write_contest(
        boards: &Instance,
        plan: &Verified<Instance>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        write!(out, "{}", plan.len())?;
        plan.iter().try_for_each(|step| write!(out, "\n{}", step.text(boards.size())))
    }

    fn plan_counter(boards: &Instance) -> Option<&dyn CountPlans<Instance>> {
        Some(boards)
    }

    fn at_state(boards: &Instance, state: &dyn Any) -> Option<Instance> {
        solve::at_state(boards, state)
    }

    fn explorer(boards: &Instance) -> Option<&dyn Explore> {
        Some(boards)
    }

    fn certifier(boards: &Instance) -> Option<&dyn Certify> {
        Some(boards)
    }

    fn editor(boards: &Instance) -> Option<&dyn Edit<Instance>> {
        Some(boards)
    }

    fn judge() -> Option<&'static dyn Judge<Self::Instance>> {
        Some(&Self)
    }
}
