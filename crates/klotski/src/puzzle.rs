//! Klotski as a puzzle that programs know by name.

use std::any::Any;
use std::fmt;

use fewest_core::budget::Budget;
use fewest_core::search::Engine;
use fewest_geometry::Cell;
use fewest_puzzle::builtin::{Builtin, Listed};
use fewest_puzzle::census::{Census, CensusVerb};
use fewest_puzzle::certify::Certify;
use fewest_puzzle::convert::{Convert, ConvertVerb, Notation};
use fewest_puzzle::count_plans::CountPlans;
use fewest_puzzle::edit::Edit;
use fewest_puzzle::explore::{Explore, ExploreVerb};
use fewest_puzzle::generate::{Generate, GenerateVerb};
use fewest_puzzle::judge::{Judge, JudgeVerb};
use fewest_puzzle::puzzle::not_in_browser;
use fewest_puzzle::rank::Rank;
use fewest_puzzle::{Choice, Info, Parsed, Push, Puzzle, Solved, Verbs};
use fewest_rules::Replayed;
use fewest_rules::text::Line;
use fewest_scene::{Animation, DrawError, DrawLimits};

use crate::instance::{Instance, MAX_CELLS};
use crate::options::{PictureOptions, ReadOptions};
use crate::picture::{self, Labels};
use crate::plan::Slide;
use crate::read::Overrides;
use crate::rush_hour::red_car::straight_cars;
use crate::task::Task;
use crate::{builtin, edit, plan_forms, solve};

/// Klotski, Huarong Dao, Rush Hour.
pub struct Klotski;

const FORMAT: &str = "\
A data set is a board with one character per cell: `.` is a blank, `#` a wall or outside the board,
and equal characters are one piece. The classic puzzle is five lines of four characters, with one
2x2 piece, dominoes and singles. It is solved when the 2x2 is in the middle of the last two rows. A
data set may also be the rows on one line, a code, or a name that `klotski list` shows:
  aCCb
  aCCb
  cdde
  cfge
  h..i
  aCCb/aCCb/cdde/cfge/h..i
  1A9BF0C
  4WVE1
  heng-dao-li-ma
These five are the same board. A code is a hexadecimal number. Its first digit is the number of the
2x2's first cell, counted from 0. Two bits follow for each cell that is not covered yet: 00 is a
blank, 01 a horizontal domino, 10 a vertical domino, 11 a single. Zeros at the end may be omitted.
A short code of five characters, such as 4WVE1, is the number of the layout among all of them in the
order of their codes, as dnomd343's programs write it; `short:` before it is needed if it has only
hexadecimal digits.

Any other board has up to 384 cells that are not walls, and pieces of any shape. It needs a blank
line before it and its goals directly below it, and may have locks:
  AA11
  AA22
  34..
  5677
  5688
  goal: A at 4,1
  lock: along 7 8
A goal is the row and column of the piece's first cell in reading order; or, below a line `goal:`, a
second drawing of the same size with the pieces that have goals. A lock restricts the named pieces,
or all pieces if none is named: `horizontal`, `vertical`, or `along` for the direction in which the
piece is longer. A classic board may have goals below it, too. `gate: A at 6,2 6,3` makes cells that
only piece A may enter; `-` beside walls is a gate for the pieces that have goals.

A Rush Hour board is a line of 36 characters, or as many rows as columns: `o`, `.`, `-` or `_` is a
blank, `x` a wall, and letters are cars, which are locked along their length. Car `A` or `X` in the
row of the exit, the third one of six, must reach the right end; --red names another car. Before the
line of a board there may be its published fewest moves, and behind it the number of its boards.

Levels of GNOME Klotski, lists of cars (`car,orientation,col,row,length`, or jams.txt), 20 digits,
and JSON with `blocks` are read, too, and boards with a frame or with spaces or commas between
cells.

A line of a plan is a move: `fSW` slides piece `f` one row down and one column to the left. Pieces
are named as on the board; for a code or a name, as `solve` shows them. Moves as other programs
write them are read, too: `CL3 OD3 XR5`, `A+2 B-1`, or CSV with the columns `car,move`. Contest mode
prints the number of moves, or -1 if there is no plan.";

const EXAMPLES: &[(&str, &[&str])] = &[
    ("", &["klotski solve heng-dao-li-ma", "echo 1A9BF0C | klotski"]),
    (
        "solve",
        &[
            "klotski solve .CC./.CC./aabb/..../.... --metric straight",
            "klotski solve heng-dao-li-ma --show --names -o heng-dao-li-ma.svg --animate",
        ],
    ),
    (
        "show",
        &[
            "klotski show heng-dao-li-ma --names",
            "klotski solve 1A9BF0C | klotski show 1A9BF0C --plan - -o plan.svg --theme dark",
        ],
    ),
    (
        "judge",
        &[
            "klotski judge heng-dao-li-ma --program 'echo 81'",
            "klotski judge --tries 10 --program klotski",
        ],
    ),
    (
        "verify",
        &[
            "klotski solve heng-dao-li-ma | klotski verify heng-dao-li-ma -",
            "klotski solve heng-dao-li-ma --metric unit | klotski verify heng-dao-li-ma - --metric unit --json",
        ],
    ),
    ("list", &["klotski list '*兵*'", "klotski list heng-dao --json"]),
    (
        "explore",
        &[
            "klotski explore heng-dao-li-ma --diameter --plot heng-dao-li-ma.svg",
            "klotski explore .CC./.CC./aabb/..../.... --export graphml > boards.graphml",
        ],
    ),
    (
        "generate",
        &[
            "klotski generate heng-dao-li-ma --seed 7 --stats",
            "klotski generate --rush-hour --cars 8..12 --moves 20.. --count 2",
        ],
    ),
    (
        "rank",
        &[
            "klotski rank heng-dao-li-ma 指挥若定 将拥曹营",
            "klotski rank heng-dao-li-ma 指挥若定 --by plans --json",
        ],
    ),
    (
        "census",
        &[
            "klotski census --pieces 4,1,4 --hardest",
            "klotski census --rush-hour 5x5 --minimal > rush-hour.csv",
        ],
    ),
    (
        "convert",
        &["klotski convert 1A9BF0C --to board", "klotski convert heng-dao-li-ma --to code --json"],
    ),
];

/// What this puzzle offers beyond solving.
const VERBS: Verbs = Verbs {
    count_plans: true,
    explore: Some(ExploreVerb {
        about: "Explore all boards that can be reached: their number, the boards farthest from the \
                start, and those farthest from a goal",
        cost: None,
        undirected: true,
        shows_boards: true,
    }),
    certify: true,
    generate: Some(GenerateVerb {
        about: "Generate boards with the pieces of a given board, or Rush Hour boards: the hardest, \
                or with a given number of moves",
        long_about: "\
Generate boards with the pieces of a given board, or Rush Hour boards: the hardest, or with a given \
number of moves

`--time` and `--memory` limit the whole run, `--states` each search. Exit code 10 means that no such \
board exists, which only `--exhaustive` and `--distance` can prove; 22 means that none was found.

With `--rush-hour`, boards of 6x6 are written as the lines of collections: the straight moves, the \
board, and the number of boards that can be reached from it. The slide that takes the red car to the \
right end of its row is counted.

With `--distance`, boards at exactly these distances from the nearest solved board, among all boards \
that can be reached from INSTANCE.",
        base: Some(
            "Board with the outline, pieces, goals and locks to use; the positions of its pieces do \
             not matter. A file, `-` for standard input, a built-in name, or the board itself",
        ),
        without_base: Some("rush_hour"),
        noun: "board",
        separator: "\n",
    }),
    convert: Some(ConvertVerb {
        about: "Convert boards to another notation",
        help: "Target notation: the lines of a board; rows on one line separated by `/`, with goals \
               and locks below; a code; a short code; a name; a Rush Hour line; a level of GNOME Klotski; \
               a list of cars as CSV or as in jams.txt; 20 digits; or JSON with blocks",
        notations: &[
            Notation { name: "board", noun: "board", separator: "\n" },
            Notation { name: "rows", noun: "rows", separator: "" },
            Notation { name: "code", noun: "code", separator: "" },
            Notation { name: "short-code", noun: "short code", separator: "" },
            Notation { name: "name", noun: "name", separator: "" },
            Notation { name: "rush-hour", noun: "Rush Hour line", separator: "" },
            Notation { name: "gnome", noun: "level of GNOME Klotski", separator: "\n" },
            Notation { name: "csv", noun: "CSV list of cars", separator: "\n" },
            Notation { name: "jams", noun: "list of cars", separator: "\n" },
            Notation { name: "digits", noun: "line of 20 digits", separator: "" },
            Notation { name: "blocks", noun: "JSON object with blocks", separator: "" },
        ],
    }),
    rank: true,
    census: Some(CensusVerb {
        about: "List the components of all classic layouts, or of all Rush Hour boards, as CSV",
        long_about: "\
List the components of all classic layouts, or of all Rush Hour boards, as CSV

A component is all layouts reachable from one another. The columns: its pieces, its number of \
layouts, whether it is solvable, and the code of one layout. There are 29,334,498 classic layouts \
with at least two blanks.

With --rush-hour, the boards have the red car of two cells in the third row and any other cars of \
two and three cells, but no other horizontal car in that row and no full row or column. The columns: \
the straight moves that the hardest board takes, this board, the number of boards in its component, \
whether it is minimal, and the number of boards at each number of moves.",
    }),
    judge: Some(JudgeVerb { end: "", separator: "\n", has_statement: false }),
    brushes: edit::BRUSHES,
    ..Verbs::NONE
};

impl Puzzle for Klotski {
    const INFO: Info = Info {
        about: "Klotski, Huarong Dao, Rush Hour: slide pieces until some of them are at their goals",
        format: not_in_browser(FORMAT),
        chinese: not_in_browser(include_str!("chinese.txt")),
        engines: solve::ENGINES,
        inline: Some(
            "a board itself: rows separated by `/`, the code of a classic board such as `1A9BF0C`, \
             or a Rush Hour line",
        ),
        choices: &[
            Choice {
                option: "metric",
                values: &["rectilinear", "straight", "unit"],
                is_of_pictures: false,
                language: None,
            },
            Choice { option: "names", values: &[], is_of_pictures: true, language: Some("zh") },
        ],
        verbs: VERBS,
        compared: "HAC\nB.E\nGFD\ngoal:\nABC\nDEF\nGH.\n",
        examples: EXAMPLES,
        ..Info::named("klotski", builtin::BUILTINS)
    };

    type Options = ReadOptions;
    type PictureOptions = PictureOptions;
    type Instance = Task;

    fn read<'a>(
        text: &'a [u8],
        options: &'a ReadOptions,
    ) -> impl Iterator<Item = Parsed<Task>> + 'a {
        let (metric, encoding) = (options.metric, options.encoding);
        let &ReadOptions { ref goal, red, without_goals, .. } = options;
        let overrides = Overrides { goals: goal, red, without_goals };
        let puzzles = Instance::read_with(text, overrides);
        puzzles.map(move |instance| Ok(Task { instance: instance?, metric, encoding }))
    }

    fn solve(task: &Task, engine: Option<Engine>, budget: &Budget) -> Solved<Self> {
        solve::solve(solve::check_encoding(task)?, engine, budget)
    }

    fn read_move(_: &Task, line: Line<'_>) -> Parsed<Slide> {
        Slide::read(line)
    }

    fn read_moves(task: &Task, lines: &[Line<'_>]) -> Parsed<Vec<Slide>> {
        plan_forms::read(task, lines)
    }

    fn by_hand(task: &Task, pushes: &[Push]) -> Option<Slide> {
        let [Push { at, path }] = pushes else { return None };
        let board = task.instance.board();
        let is_at = |&piece: &char| {
            let first = board.first_cell(piece);
            first.is_some_and(|first| {
                Cell::at(first / board.columns(), first % board.columns()) == *at
            })
        };
        Some(Slide { piece: board.pieces().into_iter().find(is_at)?, path: path.clone() })
    }

    fn write_move(_: &Task, slide: &Slide, line: &mut dyn fmt::Write) -> fmt::Result {
        write!(line, "{slide}")
    }

    fn animation<'a>(
        task: &'a Task,
        plan: &'a Replayed<Task>,
        names: &PictureOptions,
        limits: &DrawLimits<'_>,
    ) -> Result<Animation<'a>, DrawError> {
        let labels = if names.names { Labels::Generals } else { Labels::Characters };
        picture::animation(&task.instance, plan, labels, limits)
    }

    fn max_shapes(task: &Task) -> usize {
        // A piece on each cell, with four edges around it, and a gate below it.
        6 * MAX_CELLS + task.instance.goals().len() + 1
    }

    fn is_inline(word: &str) -> bool {
        Instance::is_word(word)
    }

    fn board(task: &Task) -> Option<String> {
        Some(task.instance.to_string())
    }

    fn without_goals(options: ReadOptions) -> ReadOptions {
        ReadOptions { without_goals: true, ..options }
    }

    fn note(task: &Task) -> Option<String> {
        let (instance, board) = (&task.instance, task.instance.board());
        let in_parts = |&piece: &char| !board.is_connected(&board.cells_of(piece));
        let pieces: Vec<String> =
            board.pieces().into_iter().filter(in_parts).map(|piece| format!("`{piece}`")).collect();
        if !pieces.is_empty() {
            return Some(format!("pieces in parts that do not touch: {}", pieces.join(", ")));
        }
        let are_cars =
            instance.locks().is_empty() && board.pieces().len() > 1 && straight_cars(board).is_ok();
        are_cars.then(|| {
            "all pieces are straight, and may move in any direction; if they are cars that move along \
             their length, write `lock: along` below the board"
                .to_owned()
        })
    }

    fn unit(task: &Task) -> [&'static str; 2] {
        task.metric.unit()
    }

    fn listed(builtin: &Builtin) -> Listed {
        let puzzle = Instance::read(builtin.text.as_bytes()).next().and_then(Result::ok);
        Listed {
            code: puzzle.as_ref().and_then(Instance::code),
            pieces: puzzle.as_ref().map(|puzzle| puzzle.board().pieces().len()),
            group: puzzle.as_ref().map(|puzzle| builtin::group(builtin, puzzle.board())),
        }
    }

    fn plan_counter(task: &Task) -> Option<&dyn CountPlans<Task>> {
        Some(task)
    }

    fn at_state(task: &Task, state: &dyn Any) -> Option<Task> {
        solve::at_state(task, state)
    }

    fn explorer(task: &Task) -> Option<&dyn Explore> {
        Some(task)
    }

    fn certifier(task: &Task) -> Option<&dyn Certify> {
        Some(task)
    }

    fn ranker(task: &Task) -> Option<&dyn Rank> {
        Some(task)
    }

    fn converter(task: &Task) -> Option<&dyn Convert> {
        Some(task)
    }

    fn editor(task: &Task) -> Option<&dyn Edit<Task>> {
        Some(task)
    }

    fn generator() -> Option<&'static dyn Generate<Self::Instance>> {
        Some(&Self)
    }

    fn census() -> Option<&'static dyn Census> {
        Some(&Self)
    }

    fn judge() -> Option<&'static dyn Judge<Self::Instance>> {
        Some(&Self)
    }
}
