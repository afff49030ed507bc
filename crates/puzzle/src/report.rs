//! Results as text: what an exploration found, and a ranking by difficulty.
//! [`solution`](crate::solution) has the text of a plan.

use std::cmp::Reverse;
use std::io::{self, Write};

use fewest_core::explore::diameter::Diameter;
use unicode_width::UnicodeWidthStr;

use crate::any::AnyInstance;
use crate::capabilities::{Difficulty, ExploreVerb};
use crate::explore::{Explored, Extreme, InCheckpoint};
use crate::solution::{moves, plan_count, write_comment};
use crate::words::plural;

/// Writes what an exploration found.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_explored(
    name: &str,
    instance: &dyn AnyInstance,
    verb: ExploreVerb,
    explored: &Explored,
    diameter: Option<Diameter>,
    out: &mut impl Write,
) -> io::Result<()> {
    let count = |count| moves(instance, count);
    write_comment(name, out)?;
    write_comment(&instance.board().unwrap_or_default(), out)?;
    if let Some(limit) = explored.limit {
        let most = count(explored.last_distance());
        writeln!(out, "stopped, {limit}: the numbers below are for the boards within {most}")?;
    }
    if let Some(InCheckpoint { moves, states }) = explored.checkpoint {
        let states = format!("{states} {}", plural("state", states));
        writeln!(out, "in the checkpoint: {states} within {}", count(moves))?;
    }
    let goals = explored.goals.map(|goals| {
        let are = if goals == 1 { "is" } else { "are" };
        format!(", of which {goals} {are} solved")
    });
    writeln!(out, "boards: {}{}", explored.boards(), goals.unwrap_or_default())?;
    if let Some(cost) = explored.cost {
        writeln!(out, "{}: {}", verb.cost.unwrap_or("nearest goal"), count(cost))?;
    } else if explored.is_unsolvable() && explored.goals.is_none() {
        writeln!(out, "unsolvable")?;
    }
    let write = |what: &str, extreme: &Extreme, out: &mut dyn Write| {
        let Extreme { moves, boards, board } = extreme;
        let noun = plural("board", *boards);
        write!(out, "{what}: {}, {boards} {noun}", count(*moves))?;
        if verb.shows_boards { writeln!(out, ": {board}") } else { writeln!(out) }
    };
    if let Some(farthest) = &explored.farthest {
        write("farthest from the start", farthest, out)?;
    }
    match &explored.hardest {
        Ok(Some(hardest)) => write("farthest from a goal", hardest, out)?,
        Ok(None) if explored.is_unsolvable() && explored.goals.is_some() => {
            writeln!(out, "unsolvable")?;
        }
        Err(stopped) if explored.limit.is_none() => {
            writeln!(out, "farthest from a goal: stopped, {stopped}")?;
        }
        _ => {}
    }
    if let Some(Diameter { diameter, radius, searches }) = diameter {
        let noun = plural("search", searches);
        writeln!(out, "diameter: {diameter}, radius: {radius}, by {searches} {noun}")?;
    }
    writeln!(out, "boards by moves from the start:")?;
    write_histogram(&explored.layers, out)?;
    writeln!(out)
}

/// Writes a layer that is complete, on a line.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_layer(
    name: &str,
    instance: &dyn AnyInstance,
    count: u32,
    boards: u64,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "{name}, {}: {boards} {}", moves(instance, count), plural("board", boards))
}

/// The greatest number of rows of a histogram, and of marks in a row.
const MAX_ROWS: usize = 20;
const MAX_MARKS: u64 = 50;

/// Writes the number of boards at each number of moves, or at several that follow one another: one
/// row each, with a bar.
fn write_histogram(layers: &[u64], out: &mut impl Write) -> io::Result<()> {
    let per_row = layers.len().div_ceil(MAX_ROWS).max(1);
    let rows: Vec<u64> = layers.chunks(per_row).map(|layers| layers.iter().sum()).collect();
    let most = rows.iter().copied().max().unwrap_or(0).max(1);
    let width = most.to_string().len();
    let digits = layers.len().to_string().len();
    for (row, &boards) in rows.iter().enumerate() {
        let (first, end) = (row * per_row, layers.len().min((row + 1) * per_row));
        let moves = match end - 1 {
            _ if per_row == 1 => format!("{first:>digits$}"),
            last if last == first => format!("{first:>digits$}    {:digits$}", ""),
            last => format!("{first:>digits$} to {last:>digits$}"),
        };
        let marks = "#".repeat((boards * MAX_MARKS).div_ceil(most) as usize);
        writeln!(out, "  {moves}  {boards:>width$}  {marks}")?;
    }
    Ok(())
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

/// Writes a ranking as a table. Its column `same moves` says whether all shortest plans have the same moves, in
/// other orders.
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
        let idle: String = hard.idle.iter().collect();
        writeln!(
            out,
            "{:<5}  {plans:<14}  {:<10}  {:>4.0} %  {}  {:<8}  {:<9}  {name}",
            hard.moves,
            if hard.unique { "yes" } else { "no" },
            100.0 * hard.forced,
            padded(if idle.is_empty() { "-" } else { &idle }, 4),
            hard.boards,
            hard.dead_ends,
        )?;
    }
    Ok(())
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}
