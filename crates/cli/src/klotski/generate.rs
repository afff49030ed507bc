//! `generate`: boards of the pieces of another.

use std::io::Write;

use clap::Args;
use fewest_core::random::Random;
use fewest_klotski::generate::{Source as Boards, Wanted, generate};
use fewest_klotski::plans::{Difficulty, difficulty};
use serde_json::json;

use super::{Klotski, Options, Question};
use crate::args::{LimitArgs, whole};
use crate::exit::{Exit, Failure};
use crate::input::Source;
use crate::json;
use crate::message::{message, note};
use crate::output::standard_output;
use crate::puzzle::{moves, plan_count, plural};
use crate::run::Run;
use crate::verbs::completions;

#[derive(Args)]
pub(crate) struct Generate {
    /// A board whose outline, pieces, goals and locks are taken, wherever its pieces are: a file,
    /// `-` for standard input, a built-in name, or the board itself
    #[arg(add = completions::instance::<Klotski>())]
    instance: String,

    /// Boards whose shortest plans have exactly so many moves, instead of the most that are found
    #[arg(long, value_name = "COUNT")]
    moves: Option<u32>,

    /// What the random boards follow from: another seed makes others
    #[arg(long, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    seed: u64,

    /// So many random boards; of each, all that can be reached from it is searched for the hardest
    #[arg(long, default_value_t = 10, value_parser = whole(1, u64::MAX))]
    tries: u64,

    /// All boards that there are instead of random ones: the hardest is proved to be so
    #[arg(long, conflicts_with_all = ["seed", "tries"])]
    exhaustive: bool,

    /// So many boards of the same number of moves
    #[arg(long, default_value_t = 1, value_parser = whole(1usize, 1 << 20))]
    count: usize,

    /// Only boards whose shortest plans differ in nothing but the order of moves of different
    /// pieces that can be exchanged. Of what a random board reaches, no more than 1000 boards are
    /// looked at for this
    #[arg(long)]
    unique: bool,

    /// Only boards of which each piece moves in some shortest plan, as far as they are looked at
    #[arg(long)]
    no_idle_piece: bool,

    /// Tell on standard error how hard each board is
    #[arg(long)]
    stats: bool,

    /// Print one JSON object a board, each on a line, with its text in it
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    options: Options,
}

impl Generate {
    pub(super) fn carry_out(&self) -> Result<Exit, Failure> {
        let source = Source::instance::<Klotski>(&self.instance)?;
        let mut data_sets = source.data_sets::<Klotski>(&self.options);
        let Some(first) = data_sets.next() else { return Ok(Exit::Answered) };
        let question = first?.instance;
        if data_sets.next().is_some() {
            return Err(Failure::usage(format!(
                "generate takes one board, and {} has several",
                self.instance
            )));
        }
        let &Question { ref puzzle, metric, encoding } = question.checked()?;
        let run = Run::start("board");
        let budget = run.budget(self.limits.limits());
        let wanted = Wanted {
            metric,
            encoding,
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
        let found = generate(puzzle, &wanted, boards, &budget).map_err(Failure::Stopped)?;
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
        let count = |count| moves::<Klotski>(&question, count);
        match (found.moves, found.limit) {
            (Some(moves), None) if self.moves.is_some() => note(format_args!("{}", count(moves))),
            (Some(moves), None) if found.complete => {
                note(format_args!("{}, the most of all boards of these pieces", count(moves)));
            }
            (Some(moves), None) => {
                note(format_args!("{}, the most of all that {}", count(moves), reached()))
            }
            (Some(moves), Some(_)) => note(format_args!("{}", count(moves))),
            (None, Some(_)) => {}
            (None, None) if found.complete => {
                message(format_args!("there is no such board of these pieces"))
            }
            (None, None) if found.tried == 0 => {
                message(format_args!("no room was found to place the pieces at random"))
            }
            (None, None) => {
                message(format_args!("no such board was found among those that {}", reached()))
            }
        }
        if (1..self.count).contains(&found.boards.len()) {
            note(format_args!(
                "{} {}, and no more",
                found.boards.len(),
                plural("board", found.boards.len() as u64)
            ));
        }
        if let Some(limit) = found.limit {
            message(format_args!("stopped, {limit}"));
            return Ok(Exit::at(limit));
        }
        if self.stats {
            for board in &found.boards {
                let hard =
                    difficulty(board, metric, encoding, &budget).map_err(Failure::Stopped)?;
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

/// How hard a board is, in words.
fn line(hard: &Difficulty) -> String {
    let plans = plan_count(hard.plans);
    let unique = if hard.unique { ", all of them one up to the order of moves" } else { "" };
    let idle: String = hard.idle.iter().collect();
    format!(
        "{} moves, shortest plans {plans}{unique}, a single best move on {:.0} % of the boards on the way, idle pieces {}, \
         {} boards, {} dead ends",
        hard.moves,
        100.0 * hard.forced,
        if idle.is_empty() { "none" } else { &idle },
        hard.boards,
        hard.dead_ends,
    )
}
