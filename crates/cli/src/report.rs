//! A solution as text and as JSON.

use std::io::{self, Write};
use std::time::Duration;

use bytesize::ByteSize;
use fewest_core::budget::Limit;
use fewest_core::outcome::{Outcome, Verdict};
use serde_json::{Value, json};

use crate::json;
use crate::puzzle::{Every, Puzzle, moves};
use crate::terminal;

/// An instance solved, and how.
pub(crate) struct Solution<P: Puzzle> {
    pub(crate) name: String,
    pub(crate) instance: P::Instance,
    pub(crate) outcome: Outcome<Vec<P::Move>>,
    /// All shortest plans, if they were asked for.
    pub(crate) every: Option<Every<P::Move>>,
    pub(crate) engine: &'static str,
    pub(crate) elapsed: Duration,
}

/// Lines that `verify` passes over.
pub(crate) fn comment(text: &str, out: &mut impl Write) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "{}", format!("# {line}").trim_end()))
}

/// A line that says what is proved.
fn verdict<P: Puzzle>(solution: &Solution<P>) -> String {
    let moves = |count| moves::<P>(&solution.instance, count);
    match &solution.outcome.verdict {
        Verdict::Solved { cost, .. } => format!("{}, optimal", moves(*cost)),
        Verdict::Unsolvable => "unsolvable".to_owned(),
        Verdict::Stopped { limit: limit @ Limit::Encoding, lower_bound: 0, best: None } => {
            format!("not searched, {limit}")
        }
        Verdict::Stopped { limit, lower_bound, best: None } => {
            format!("stopped, {limit}: any plan has at least {}", moves(*lower_bound))
        }
        Verdict::Stopped { limit, lower_bound, best: Some((_, cost)) } => {
            let (cost, least) = (moves(*cost), moves(*lower_bound));
            format!("{cost}, maybe not optimal; stopped, {limit}: any plan has at least {least}")
        }
    }
}

/// Comments with the name and the board, a line that says what is proved, the plan, and a blank line: what `verify` reads. Of
/// several plans each has its own line and blank line.
pub(crate) fn write_text<P: Puzzle>(solution: &Solution<P>, out: &mut impl Write) -> io::Result<()> {
    comment(&solution.name, out)?;
    comment(&P::board(&solution.instance).unwrap_or_default(), out)?;
    if let Some(Every { count, plans, .. }) = &solution.every {
        comment(&format!("{}; shortest plans: {count}, listed: {}", verdict(solution), plans.len()), out)?;
        return plans.iter().try_for_each(|plan| write_plan(solution, plan, out));
    }
    write_plan(solution, solution.outcome.plan().map_or(&[][..], Vec::as_slice), out)
}

fn write_plan<P: Puzzle>(solution: &Solution<P>, plan: &[P::Move], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", verdict(solution))?;
    for step in plan {
        writeln!(out, "{}", P::write_move(&solution.instance, step))?;
    }
    writeln!(out)
}

/// Comments with the name and the number of shortest plans, if that is known, and a line that says what is proved, for a picture
/// below.
pub(crate) fn write_heading<P: Puzzle>(solution: &Solution<P>, out: &mut impl Write) -> io::Result<()> {
    comment(&solution.name, out)?;
    if let Some(Every { count, .. }) = &solution.every {
        comment(&format!("shortest plans: {count}"), out)?;
    }
    writeln!(out, "{}", verdict(solution))
}

/// The first move of the plan, and how many there are.
pub(crate) fn write_hint<P: Puzzle>(solution: &Solution<P>, out: &mut impl Write) -> io::Result<()> {
    comment(&solution.name, out)?;
    comment(&P::board(&solution.instance).unwrap_or_default(), out)?;
    comment(&verdict(solution), out)?;
    let first = solution.outcome.plan().and_then(|plan| plan.first());
    first.map_or(Ok(()), |first| writeln!(out, "{}", P::write_move(&solution.instance, first)))?;
    writeln!(out)
}

/// The beginning of what `explore` tells: the instance and, of an exploration that was stopped, how many moves it came.
pub(crate) fn write_explored<P: Puzzle>(
    name: &str,
    instance: &P::Instance,
    stopped: Option<(Limit, u32)>,
    out: &mut impl Write,
) -> io::Result<()> {
    comment(name, out)?;
    comment(&P::board(instance).unwrap_or_default(), out)?;
    stopped.map_or(Ok(()), |(limit, most)| {
        writeln!(out, "stopped, {limit}: what follows is of the boards within {}", moves::<P>(instance, most))
    })
}

/// The end of it.
pub(crate) fn write_layers(layers: &[u64], out: &mut impl Write) -> io::Result<()> {
    let layers: Vec<String> = layers.iter().map(u64::to_string).collect();
    writeln!(out, "boards by moves from the start: {}\n", layers.join(" "))
}

/// One object on a line.
pub(crate) fn write_json<P: Puzzle>(solution: &Solution<P>, out: &mut impl Write) -> io::Result<()> {
    let outcome = &solution.outcome;
    let (word, limit, lower_bound) = match outcome.verdict {
        Verdict::Solved { cost, .. } => ("solved", None, Some(cost)),
        Verdict::Unsolvable => ("unsolvable", None, None),
        Verdict::Stopped { limit, lower_bound, .. } => ("stopped", Some(limit), Some(lower_bound)),
    };
    let stats = outcome.stats;
    let fields = json!({
        "instance": solution.name,
        "outcome": word,
        "cost": outcome.cost(),
        "cost_unit": P::moves(&solution.instance)[0],
        "optimal": matches!(outcome.verdict, Verdict::Solved { .. }),
        "lower_bound": lower_bound,
        "limit": limit.map(limit_word),
        PLAN: null,
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
    let mut object = json::object::<P>("solve", fields);
    for (key, value) in outcome.plan().map(|plan| P::details(&solution.instance, plan)).into_iter().flatten() {
        object[key] = value;
    }
    if let Some(Every { count, .. }) = &solution.every {
        // As text, since many readers of JSON round what has more than 15 digits.
        object["plan_count"] = json!(count.to_string());
        object[PLANS] = Value::Null;
    }
    if let Some(board) = P::board(&solution.instance) {
        object["board"] = json!(board);
    }
    out.write_all(b"{")?;
    for (number, (key, value)) in object.as_object().into_iter().flatten().enumerate() {
        write!(out, "{}{}:", separator(number), Value::from(key.as_str()))?;
        match (key.as_str(), outcome.plan(), &solution.every) {
            (PLAN, Some(plan), _) => write_moves(solution, plan, out)?,
            (PLANS, _, Some(every)) => write_list(&every.plans, out, |plan, out| write_moves(solution, plan, out))?,
            _ => write!(out, "{value}")?,
        }
    }
    writeln!(out, "}}")
}

/// The keys of the plan and of all plans. There may be millions of moves, so they are written one by one and never are all in
/// memory as text.
const PLAN: &str = "plan";
const PLANS: &str = "plans";

fn write_moves<P: Puzzle>(solution: &Solution<P>, plan: &[P::Move], out: &mut impl Write) -> io::Result<()> {
    write_list(plan, out, |step, out| write!(out, "{}", Value::from(P::write_move(&solution.instance, step))))
}

fn write_list<T, W: Write>(
    items: &[T],
    out: &mut W,
    mut write: impl FnMut(&T, &mut W) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (number, item) in items.iter().enumerate() {
        out.write_all(separator(number).as_bytes())?;
        write(item, out)?;
    }
    out.write_all(b"]")
}

/// What stands before an item of a list.
fn separator(number: usize) -> &'static str {
    if number > 0 { "," } else { "" }
}

/// A limit as JSON names it.
pub(crate) fn limit_word(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "time",
        Limit::Memory => "memory",
        Limit::Encoding => "encoding",
        Limit::States => "states",
        Limit::Cancelled => "interrupted",
    }
}

/// What the search took, for people.
pub(crate) fn stats_line<P: Puzzle>(solution: &Solution<P>) -> String {
    let stats = solution.outcome.stats;
    format!(
        "{}: {}, expanded {}, generated {}, duplicates {}, peak frontier {}, memory {}, time {}",
        solution.name,
        solution.engine,
        stats.expanded,
        stats.generated,
        stats.duplicates,
        stats.peak_frontier,
        ByteSize(stats.bytes),
        terminal::time(solution.elapsed, 2),
    )
}
