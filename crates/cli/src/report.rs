//! A solution as text and as JSON.

use std::io::{self, Write};
use std::time::Duration;

use bytesize::ByteSize;
use fewest_core::budget::Limit;
use fewest_core::outcome::{Outcome, Verdict};
use serde_json::{Value, json};

use crate::puzzle::{Puzzle, moves};

/// An instance solved, and how.
pub(crate) struct Solution<'a, P: Puzzle> {
    pub(crate) name: String,
    pub(crate) instance: &'a P::Instance,
    pub(crate) outcome: Outcome<Vec<P::Move>>,
    pub(crate) engine: &'static str,
    pub(crate) elapsed: Duration,
}

/// Comments with the name and the board, a line that says what is proved, the plan, and a blank line: what `verify` reads.
pub(crate) fn write_text<P: Puzzle>(
    solution: &Solution<'_, P>,
    show: &P::Show,
    out: &mut impl Write,
) -> io::Result<()> {
    let comment = |text: &str, out: &mut dyn Write| -> io::Result<()> {
        text.lines().try_for_each(|line| writeln!(out, "{}", format!("# {line}").trim_end()))
    };
    comment(&solution.name, out)?;
    comment(&P::board(solution.instance).unwrap_or_default(), out)?;
    let moves = |count| moves::<P>(solution.instance, count);
    match &solution.outcome.verdict {
        Verdict::Solved { cost, .. } => writeln!(out, "{}, optimal", moves(*cost))?,
        Verdict::Unsolvable => writeln!(out, "unsolvable")?,
        Verdict::Stopped { limit, lower_bound, best: None } => {
            writeln!(out, "stopped, {limit}: any plan has at least {}", moves(*lower_bound))?;
        }
        Verdict::Stopped { limit, lower_bound, best: Some((_, cost)) } => {
            let (cost, least) = (moves(*cost), moves(*lower_bound));
            writeln!(out, "{cost}, maybe not optimal; stopped, {limit}: any plan has at least {least}")?;
        }
    }
    let plan = solution.outcome.plan().map_or(&[][..], Vec::as_slice);
    let mut comments = P::comments(solution.instance, plan, show);
    for step in plan {
        comments.next().map_or(Ok(()), |text| comment(&text, out))?;
        writeln!(out, "{}", P::write_move(step))?;
    }
    comments.next().map_or(Ok(()), |text| comment(&text, out))?;
    writeln!(out)
}

/// One object on a line.
pub(crate) fn write_json<P: Puzzle>(solution: &Solution<'_, P>, out: &mut impl Write) -> io::Result<()> {
    let outcome = &solution.outcome;
    let (word, limit, lower_bound) = match outcome.verdict {
        Verdict::Solved { cost, .. } => ("solved", None, Some(cost)),
        Verdict::Unsolvable => ("unsolvable", None, None),
        Verdict::Stopped { limit, lower_bound, .. } => ("stopped", Some(limit), Some(lower_bound)),
    };
    let limit = limit.map(|limit| match limit {
        Limit::Time => "time",
        Limit::Memory => "memory",
        Limit::Encoding => "encoding",
        Limit::States => "states",
        Limit::Cancelled => "interrupted",
    });
    let plan = outcome.plan().map(|plan| plan.iter().map(|step| Value::from(P::write_move(step))).collect::<Vec<_>>());
    let stats = outcome.stats;
    let mut object = json!({
        "puzzle": P::NAME,
        "instance": solution.name,
        "outcome": word,
        "cost": outcome.cost(),
        "cost_unit": P::moves(solution.instance)[0],
        "optimal": matches!(outcome.verdict, Verdict::Solved { .. }),
        "lower_bound": lower_bound,
        "limit": limit,
        "plan": plan,
        "engine": solution.engine,
        "stats": {
            "expanded": stats.expanded,
            "generated": stats.generated,
            "duplicates": stats.duplicates,
            "peak_frontier": stats.peak_frontier,
            "bytes": stats.bytes,
            "elapsed_seconds": solution.elapsed.as_secs_f64(),
        },
    });
    for (key, value) in outcome.plan().map(|plan| P::details(solution.instance, plan)).into_iter().flatten() {
        object[key] = value;
    }
    if let Some(board) = P::board(solution.instance) {
        object["board"] = json!(board);
    }
    writeln!(out, "{object}")
}

/// What the search took, for people.
pub(crate) fn stats_line<P: Puzzle>(solution: &Solution<'_, P>) -> String {
    let stats = solution.outcome.stats;
    format!(
        "{}: {}, expanded {}, generated {}, duplicates {}, peak frontier {}, memory {}, time {:.2?}",
        solution.name,
        solution.engine,
        stats.expanded,
        stats.generated,
        stats.duplicates,
        stats.peak_frontier,
        ByteSize(stats.bytes),
        solution.elapsed,
    )
}
