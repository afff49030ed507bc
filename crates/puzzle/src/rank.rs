//! `rank`: how difficult instances are.

use std::cmp::Reverse;
use std::io::{self, Write};

use fewest_core::budget::Budget;
pub use fewest_rules::builtin::Published;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use unicode_width::UnicodeWidthStr;

use crate::error::SolveError;
use crate::results::report;
use crate::words::plan_count;

/// The difficulty of an instance can be measured.
pub trait Rank {
    /// Measures how difficult the instance is; `None` if it has no plan.
    ///
    /// # Errors
    /// If the instance is not supported, or a limit stopped the work.
    fn difficulty(&self, budget: &Budget) -> Result<Option<Difficulty>, SolveError>;

    /// What the text of the instance says about its difficulty.
    fn published(&self) -> Option<Published>;
}

/// Measures of how difficult an instance is.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Difficulty {
    /// The number of moves of a shortest plan.
    #[serde(skip)]
    pub moves: u32,
    /// The number of shortest plans, as sequences of boards, if it is less than 2^128. In JSON it
    /// is text.
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "Option<String>", regex(pattern = "^[0-9]+$"))]
    pub plans: Option<u128>,
    /// Whether each shortest plan can be obtained from any other by exchanging successive moves,
    /// repeatedly. Two successive moves of different pieces can be exchanged if the opposite order
    /// is legal and leads to the same board.
    pub unique: bool,
    /// The share of forced boards among the boards on shortest plans, goals excluded. A board is
    /// forced if only one move from it is on a shortest plan. The share is 1 if there are no such
    /// boards.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub forced: f64,
    /// The pieces that no shortest plan moves, in the order of their first cells.
    pub idle: String,
    /// The number of boards that are reachable from the start.
    pub boards: u64,
    /// The number of these boards that have only one move, which leads back.
    pub dead_ends: u64,
}

/// The difficulty of an instance: `rank --json`.
#[derive(Serialize, JsonSchema)]
pub struct RankReport<'a> {
    /// The name of the data set.
    instance: &'a str,
    /// The number of moves of a shortest plan; null if there is none, and then the rest is missing.
    moves: Option<u32>,
    #[serde(flatten)]
    measures: Option<&'a Difficulty>,
}

impl<'a> RankReport<'a> {
    /// The report of an instance; `None` if it has no plan.
    pub fn new(name: &'a str, difficulty: Option<&'a Difficulty>) -> Self {
        let moves = difficulty.map(|hard| hard.moves);
        Self { instance: name, moves, measures: difficulty }
    }
}

report!(RankReport<'_>, "rank", 1);

/// A number that many JSON parsers would round.
fn as_text<S: Serializer>(plans: &Option<u128>, serializer: S) -> Result<S::Ok, S::Error> {
    plans.map(|plans| plans.to_string()).serialize(serializer)
}

/// An instance by name with its difficulty; `None` if it has no plan.
pub type Ranked = (String, Option<Difficulty>);

/// The sort keys of a ranking.
pub const RANK_KEYS: [&str; 5] = ["moves", "plans", "forced", "dead-ends", "boards"];

/// Sorts instances by one of [`RANK_KEYS`], the most difficult first.
pub fn sort_by_difficulty(ranked: &mut [Ranked], by: &str) {
    // Unsolvable boards come last. The sort is stable.
    let key = |hard: &Difficulty| match by {
        "plans" => u128::MAX - hard.plans.unwrap_or(u128::MAX),
        "forced" => (hard.forced * 1e9) as u128,
        "dead-ends" => hard.dead_ends.into(),
        "boards" => hard.boards.into(),
        _ => hard.moves.into(),
    };
    ranked.sort_by_key(|(_, hard)| Reverse(hard.as_ref().map(key)));
}

/// Writes a ranking as a table. Its column `same moves` says whether all shortest plans have the
/// same moves, in other orders.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_ranking(ranked: &[Ranked], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "moves  plans           same moves  forced  idle  boards    dead ends  board")?;
    for (name, hard) in ranked {
        let Some(hard) = hard else {
            writeln!(out, "{:<64}  {name}", "unsolvable")?;
            continue;
        };
        let plans = plan_count(hard.plans);
        writeln!(
            out,
            "{:<5}  {plans:<14}  {:<10}  {:>4.0} %  {}  {:<8}  {:<9}  {name}",
            hard.moves,
            if hard.unique { "yes" } else { "no" },
            100.0 * hard.forced,
            padded(if hard.idle.is_empty() { "-" } else { &hard.idle }, 4),
            hard.boards,
            hard.dead_ends,
        )?;
    }
    Ok(())
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}
