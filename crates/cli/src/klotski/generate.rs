//! `generate`: boards with the pieces of a given board.

use std::io::Write;

use clap::Args;
use fewest_klotski::generate::{GenerateOptions, Source as Boards, generate};
use fewest_klotski::plans::{Difficulty, difficulty};
use fewest_puzzle::random::Random;
use serde_json::json;

use fewest_klotski::Task;

use super::{Klotski, Options, checked};
use crate::args::{LimitArgs, whole_number};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Source;
use crate::json;
use crate::message::{message, note};
use crate::output::standard_output;
use crate::puzzle::{moves, plan_count, plural};
use crate::run::Run;
use crate::verbs::completions;

#[derive(Args)]
pub(crate) struct Generate {
    /// Board with the outline, pieces, goals and locks to use; the positions of its pieces do not
    /// matter. A file, `-` for standard input, a built-in name, or the board itself
    #[arg(add = completions::instance::<Klotski>())]
    instance: String,

    /// Generate boards whose shortest plans have exactly this number of moves, instead of the
    /// hardest
    #[arg(long, value_name = "COUNT")]
    moves: Option<u32>,

    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = whole_number(0, u64::MAX))]
    seed: u64,

    /// Number of random boards; the hardest board is searched among all that they reach
    #[arg(long, default_value_t = 10, value_parser = whole_number(1, u64::MAX))]
    tries: u64,

    /// Search all boards instead of random ones, which proves that the result is the hardest
    #[arg(long, conflicts_with_all = ["seed", "tries"])]
    exhaustive: bool,

    /// Number of boards to print, all with the same number of moves
    #[arg(long, default_value_t = 1, value_parser = whole_number(1usize, 1 << 20))]
    count: usize,

    /// Print only boards whose shortest plans differ only in the order of independent moves. At
    /// most 1000 boards are checked for each random board
    #[arg(long)]
    unique: bool,

    /// Print only boards on which every piece moves in some shortest plan, among the checked boards
    #[arg(long)]
    no_idle_piece: bool,

    /// Print the difficulty of each board on standard error
    #[arg(long)]
    stats: bool,

    /// Print one JSON object per board, one object per line, with the text of the board
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    options: Options,
}

impl Generate {
    pub(super) fn run(&self) -> Result<Exit, Failure> {
        let source = Source::instance::<Klotski>(&self.instance)?;
        let mut data_sets = source.data_sets::<Klotski>(&self.options);
        let Some(first) = data_sets.next() else { return Ok(Exit::Answered) };
        let task = first?.instance;
        if data_sets.next().is_some() {
            return Err(Failure::usage(format!(
                "generate takes one board, and {} has several",
                self.instance
            )));
        }
        checked(&task)?;
        let run = Run::start("board");
        let budget = run.budget(self.limits.limits());
        let options = GenerateOptions {
            moves: self.moves,
            unique: self.unique,
            no_idle_piece: self.no_idle_piece,
            count: self.count,
        };
        let mut random = Random::from_seed(self.seed);
        let boards = if self.exhaustive {
            Boards::All
        } else {
            Boards::Random { tries: self.tries, random: &mut random }
        };
        let found = generate(&task, &options, boards, &budget).map_err(Failure::Stopped)?;
        let mut out = standard_output();
        for (number, board) in found.boards.iter().enumerate() {
            if self.json {
                let fields = json!({ "text": board.to_string(), "cost": found.moves });
                json::write::<Klotski>("generate", fields, &mut out)?;
                continue;
            }
            if number > 0 {
                writeln!(out)?;
            }
            write!(out, "{board}")?;
        }
        out.flush()?;
        let reached = || {
            let boards = plural("board", found.tried);
            format!(
                "can be reached from {} {boards}, {} of them unsolvable",
                found.tried, found.unsolvable
            )
        };
        let count = |count| moves::<Klotski>(&task, count);
        match (found.moves, found.limit) {
            (Some(moves), None) if self.moves.is_some() => note(format_args!("{}", count(moves))),
            (Some(moves), None) if found.complete => {
                note(format_args!("{}, the most of all boards with these pieces", count(moves)));
            }
            (Some(moves), None) => {
                note(format_args!("{}, the most of all boards that {}", count(moves), reached()))
            }
            (Some(moves), Some(_)) => note(format_args!("{}", count(moves))),
            (None, Some(_)) => {}
            (None, None) if found.complete => {
                message(format_args!("no such board exists with these pieces"))
            }
            (None, None) if found.tried == 0 => {
                message(format_args!("found no room to place the pieces at random"))
            }
            (None, None) => {
                message(format_args!("found no such board among those that {}", reached()))
            }
        }
        if (1..self.count).contains(&found.boards.len()) {
            note(format_args!(
                "found only {} {}",
                found.boards.len(),
                plural("board", found.boards.len() as u64)
            ));
        }
        if let Some(limit) = found.limit {
            message(format_args!("stopped, {limit}"));
            return Ok(Exit::from_limit(limit));
        }
        if self.stats {
            for board in &found.boards {
                let hard = difficulty(&Task { instance: board.clone(), ..task.clone() }, &budget)
                    .map_err(Failure::Stopped)?;
                message(format_args!(
                    "{}: {}",
                    board.board().row_text(),
                    hard.map(|hard| line(&hard)).unwrap_or_default()
                ));
            }
        }
        Ok(match found.boards.is_empty() {
            false => Exit::Answered,
            true if found.complete => Exit::Unsolvable,
            true => Exit::OutOfStates,
        })
    }
}

/// The difficulty of a board as text.
fn line(hard: &Difficulty) -> String {
    let plans = plan_count(hard.plans);
    let unique =
        if hard.unique { " that differ only in the order of independent moves" } else { "" };
    let idle: String = hard.idle.iter().collect();
    format!(
        "{} moves, shortest plans {plans}{unique}, a single best move on {:.0} % of the \
         boards on shortest plans, idle pieces {}, {} boards, {} dead ends",
        hard.moves,
        100.0 * hard.forced,
        if idle.is_empty() { "none" } else { &idle },
        hard.boards,
        hard.dead_ends,
    )
}
