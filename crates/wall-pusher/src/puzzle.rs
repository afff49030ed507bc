//! The wall pusher as a puzzle that programs know by name.

use std::any::Any;
use std::fmt;
use std::io;

use fewest_core::budget::Budget;
use fewest_core::search::Engine;
use fewest_geometry::{Cell, Direction};
use fewest_puzzle::certify::Certify;
use fewest_puzzle::convert::{Convert, ConvertVerb, Notation};
use fewest_puzzle::count_plans::CountPlans;
use fewest_puzzle::edit::Edit;
use fewest_puzzle::explore::{Explore, ExploreVerb};
use fewest_puzzle::generate::{Generate, GenerateVerb};
use fewest_puzzle::generating::RandomOptions;
use fewest_puzzle::judge::{Judge, JudgeVerb};
use fewest_puzzle::options::{NoOptions, Whole, from_text, from_texts};
use fewest_puzzle::puzzle::not_in_browser;
use fewest_puzzle::{Info, Parsed, Push, Puzzle, Solved, Verbs};
use fewest_rules::text::Line;
use fewest_rules::{Replayed, Verified};
use fewest_scene::{Animation, DrawError, DrawLimits};
use serde::Deserialize;

use crate::instance::{Instance, Size};
use crate::plan::{letters, read_move};
use crate::{builtin, edit, picture, solve};

/// The Wall Pusher.
pub struct WallPusher;

const FORMAT: &str = "\
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

const EXAMPLES: &[(&str, &[&str])] = &[
    ("", &["wall-pusher solve sample", "wall-pusher generate --count 5 --seed 7 | wall-pusher"]),
    (
        "solve",
        &[
            "wall-pusher solve sample --start 3,4 --start 4,2",
            "wall-pusher solve long --all --limit 3 --json",
        ],
    ),
    (
        "explore",
        &["wall-pusher explore sample", "wall-pusher explore sample long --plot boards.svg"],
    ),
    (
        "generate",
        &[
            "wall-pusher generate --size 5x5 --seed 7 | wall-pusher solve - --size 5x5 --show",
            "wall-pusher generate --hard 2000 --seed 3",
        ],
    ),
    (
        "convert",
        &[
            "wall-pusher convert sample --to numbers",
            "wall-pusher generate | wall-pusher convert - --to drawing",
        ],
    ),
];

pub(crate) const DEFAULT_SIZE: Size = Size::new(4, 6).unwrap();

/// The options to read mazes.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(default, deny_unknown_fields)]
pub struct ReadOptions {
    /// Rows x columns of mazes given as numbers, at most 8x8; a drawing shows its own size
    #[cfg_attr(feature = "clap", arg(long, value_name = "RxC", default_value_t = DEFAULT_SIZE))]
    #[serde(deserialize_with = "from_text")]
    pub size: Size,

    /// Start from this cell instead of the start of the maze: row and column, counted from 1.
    /// Repeat the option for several answers. A drawing may then omit its start
    #[cfg_attr(feature = "clap", arg(long, value_name = "R,C"))]
    #[serde(deserialize_with = "from_texts")]
    pub start: Vec<Cell>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { size: DEFAULT_SIZE, start: Vec::new() }
    }
}

/// Which mazes to generate.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(default, deny_unknown_fields)]
pub struct GenerateOptions {
    /// Rows x columns, at most 8x8. The numbers do not contain the size, so `solve` needs --size as
    /// well
    #[cfg_attr(feature = "clap", arg(long, value_name = "RxC", default_value_t = DEFAULT_SIZE))]
    #[serde(deserialize_with = "from_text")]
    pub size: Size,

    /// Average share of inner edges with a wall, in percent; changes of --hard may have more or
    /// fewer
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "PERCENT", default_value_t = Whole::new(50))
    )]
    pub walls: Whole<0, 100>,

    /// Number of gaps in the border, at most 100, or all edges of a smaller border; changes of
    /// --hard may have more or fewer
    #[cfg_attr(feature = "clap", arg(long, value_name = "COUNT", default_value_t = Whole::new(2)))]
    pub gaps: Whole<0, 100>,

    /// How many mazes, or the hardest of how many.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub random: RandomOptions,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self {
            size: DEFAULT_SIZE,
            walls: Whole::new(50),
            gaps: Whole::new(2),
            random: RandomOptions::default(),
        }
    }
}

/// What this puzzle offers beyond solving.
const VERBS: Verbs = Verbs {
    count_plans: true,
    explore: Some(ExploreVerb {
        about: "Count the boards that can be reached from the start, by number of moves",
        cost: Some("shortest path out"),
        undirected: false,
        shows_boards: false,
    }),
    certify: true,
    generate: Some(GenerateVerb {
        about: "Generate random mazes as numbers",
        long_about: "\
Generate random mazes as numbers

The same seed and options generate the same mazes on every machine.",
        base: None,
        without_base: None,
        noun: "maze",
        separator: "",
    }),
    convert: Some(ConvertVerb {
        about: "Convert mazes to another notation",
        help: "Target notation: the numbers of the contest format, which do not contain the size, \
               or drawings",
        notations: &[
            Notation { name: "numbers", noun: "numbers", separator: "" },
            Notation { name: "drawing", noun: "drawing", separator: "\n" },
        ],
    }),
    judge: Some(JudgeVerb { end: "0 0\n", separator: "", has_statement: true }),
    brushes: edit::BRUSHES,
    ..Verbs::NONE
};

impl Puzzle for WallPusher {
    const INFO: Info = Info {
        about: "The Wall Pusher: find the shortest path out of a maze whose walls can be pushed",
        format: not_in_browser(FORMAT),
        chinese: not_in_browser(include_str!("chinese.txt")),
        engines: solve::ENGINES,
        contest_unsolvable: "NO",
        import_options: &[("size", "4x6")],
        verbs: VERBS,
        compared: "large",
        examples: EXAMPLES,
        ..Info::named("wall-pusher", builtin::BUILTINS)
    };

    type Options = ReadOptions;
    type PictureOptions = NoOptions;
    type Instance = Instance;

    fn read<'a>(
        text: &'a [u8],
        options: &'a ReadOptions,
    ) -> impl Iterator<Item = Parsed<Instance>> + 'a {
        Instance::read_from(text, options.size, &options.start)
    }

    fn solve(maze: &Instance, engine: Option<Engine>, budget: &Budget) -> Solved<Self> {
        solve::solve(maze, engine, budget)
    }

    fn read_move(_: &Instance, line: Line<'_>) -> Parsed<Direction> {
        read_move(line)
    }

    fn drawing(maze: &Instance) -> String {
        maze.drawing()
    }

    fn by_hand(maze: &Instance, pushes: &[Push]) -> Option<Direction> {
        match pushes {
            [Push { at, path }] if *at == maze.start() => path.first().copied(),
            _ => None,
        }
    }

    fn write_move(_: &Instance, by: &Direction, line: &mut dyn fmt::Write) -> fmt::Result {
        line.write_char(by.letter())
    }

    fn animation<'a>(
        maze: &'a Instance,
        plan: &'a Replayed<Instance>,
        _: &NoOptions,
        limits: &DrawLimits<'_>,
    ) -> Result<Animation<'a>, DrawError> {
        picture::animation(maze, plan, limits)
    }

    fn max_shapes(maze: &Instance) -> usize {
        // Each cell has at most four edges.
        4 * maze.size().len() + 2
    }

    fn board(maze: &Instance) -> Option<String> {
        Some(maze.drawing())
    }

    fn write_contest(
        _: &Instance,
        plan: &Verified<Instance>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        out.write_all(letters(plan).as_bytes())
    }

    fn plan_counter(maze: &Instance) -> Option<&dyn CountPlans<Instance>> {
        Some(maze)
    }

    fn at_state(maze: &Instance, state: &dyn Any) -> Option<Instance> {
        solve::at_state(maze, state)
    }

    fn explorer(maze: &Instance) -> Option<&dyn Explore> {
        Some(maze)
    }

    fn certifier(maze: &Instance) -> Option<&dyn Certify> {
        Some(maze)
    }

    fn converter(maze: &Instance) -> Option<&dyn Convert> {
        Some(maze)
    }

    fn editor(maze: &Instance) -> Option<&dyn Edit<Instance>> {
        Some(maze)
    }

    fn generator() -> Option<&'static dyn Generate<Self::Instance>> {
        Some(&Self)
    }

    fn judge() -> Option<&'static dyn Judge<Self::Instance>> {
        Some(&Self)
    }
}
