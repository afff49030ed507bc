//! Output of a solution as text and as JSON.

use std::io::{self, Write};
use std::time::Duration;

use bytesize::ByteSize;
use fewest_core::budget::Limit;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_rules::Verified;
use serde::ser::{Serialize, SerializeMap};
use serde_json::json;

use crate::json::{self, List};
use crate::puzzle::{Puzzle, ShortestPlans, moves, plan_count};
use crate::terminal;

/// An instance with the result of its search.
pub(crate) struct Solution<P: Puzzle, T = Verified<<P as Puzzle>::Move>> {
    pub(crate) name: String,
    pub(crate) instance: P::Instance,
    pub(crate) outcome: Outcome<T>,
    /// All shortest plans, if `--all` asks for them.
    pub(crate) shortest_plans: Option<ShortestPlans<P::Move>>,
    pub(crate) engine: &'static str,
    pub(crate) elapsed: Duration,
}

/// Writes text as comment lines, which `verify` ignores.
pub(crate) fn comment(text: &str, out: &mut impl Write) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "{}", format!("# {line}").trim_end()))
}

/// The result line: what is proved.
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

/// Writes the format that `verify` reads: the name and the board as comments, the result line, the
/// plan, and a blank line. With several plans, each has its own result line and blank line.
pub(crate) fn write_text<P: Puzzle>(
    solution: &Solution<P>,
    out: &mut impl Write,
) -> io::Result<()> {
    comment(&solution.name, out)?;
    comment(&P::board(&solution.instance).unwrap_or_default(), out)?;
    if let Some(ShortestPlans { count, plans, .. }) = &solution.shortest_plans {
        comment(
            &format!(
                "{}; shortest plans: {}, listed: {}",
                verdict(solution),
                plan_count(*count),
                plans.len()
            ),
            out,
        )?;
        return plans.iter().try_for_each(|plan| write_plan(solution, Some(plan), out));
    }
    write_plan(solution, solution.outcome.plan(), out)
}

fn write_plan<P: Puzzle>(
    solution: &Solution<P>,
    plan: Option<&Verified<P::Move>>,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "{}", verdict(solution))?;
    write_lines(solution, plan, out)
}

/// Writes only the moves of the plan: after [`write_heading`], in place of a picture that could not
/// be drawn.
pub(crate) fn write_moves<P: Puzzle>(
    solution: &Solution<P>,
    out: &mut impl Write,
) -> io::Result<()> {
    write_lines(solution, solution.outcome.plan(), out)
}

fn write_lines<P: Puzzle>(
    solution: &Solution<P>,
    plan: Option<&Verified<P::Move>>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut line = String::new();
    for step in plan.into_iter().flatten() {
        line.clear();
        P::write_move(&solution.instance, step, &mut line);
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    writeln!(out)
}

/// Writes the heading of a picture: the name and the number of shortest plans as comments, and the
/// result line.
pub(crate) fn write_heading<P: Puzzle>(
    solution: &Solution<P>,
    out: &mut impl Write,
) -> io::Result<()> {
    comment(&solution.name, out)?;
    if let Some(ShortestPlans { count, .. }) = &solution.shortest_plans {
        comment(&format!("shortest plans: {}", plan_count(*count)), out)?;
    }
    writeln!(out, "{}", verdict(solution))
}

/// Writes the result as a comment and the first move of the plan.
pub(crate) fn write_hint<P: Puzzle>(
    solution: &Solution<P>,
    out: &mut impl Write,
) -> io::Result<()> {
    comment(&solution.name, out)?;
    comment(&P::board(&solution.instance).unwrap_or_default(), out)?;
    comment(&verdict(solution), out)?;
    let first = solution.outcome.plan().and_then(|plan| plan.first());
    first.map_or(Ok(()), |first| writeln!(out, "{}", move_line::<P>(&solution.instance, first)))?;
    writeln!(out)
}

/// Writes the start of the report of `explore`: the instance and, if a limit stopped the
/// exploration, the number of moves that it covers completely.
pub(crate) fn write_explored<P: Puzzle>(
    name: &str,
    instance: &P::Instance,
    stopped: Option<(Limit, u32)>,
    out: &mut impl Write,
) -> io::Result<()> {
    comment(name, out)?;
    comment(&P::board(instance).unwrap_or_default(), out)?;
    stopped.map_or(Ok(()), |(limit, most)| {
        writeln!(
            out,
            "stopped, {limit}: the numbers below are for the boards within {}",
            moves::<P>(instance, most)
        )
    })
}

/// Writes the end of the report of `explore`: the number of boards in each layer.
pub(crate) fn write_layers(layers: &[u64], out: &mut impl Write) -> io::Result<()> {
    let layers: Vec<String> = layers.iter().map(u64::to_string).collect();
    writeln!(out, "boards by moves from the start: {}\n", layers.join(" "))
}

/// Writes one JSON object on a line.
pub(crate) fn write_json<P: Puzzle>(
    solution: &Solution<P>,
    out: &mut impl Write,
) -> io::Result<()> {
    let outcome = &solution.outcome;
    let (outcome_name, limit, lower_bound) = match outcome.verdict {
        Verdict::Solved { cost, .. } => ("solved", None, Some(cost)),
        Verdict::Unsolvable => ("unsolvable", None, None),
        Verdict::Stopped { limit, lower_bound, .. } => ("stopped", Some(limit), Some(lower_bound)),
    };
    let stats = outcome.stats;
    let elapsed = solution.elapsed.as_secs_f64();
    json::write_streamed::<P, _>("solve", out, |object| {
        let head = json!({
            "instance": solution.name,
            "outcome": outcome_name,
            "cost": outcome.cost(),
            "cost_unit": P::moves(&solution.instance)[0],
            "optimal": matches!(outcome.verdict, Verdict::Solved { .. }),
            "lower_bound": lower_bound,
            "limit": limit.map(limit_name),
        });
        json::add(head, object)?;
        let plan = outcome.plan();
        object.serialize_entry("plan", &plan.map(|plan| move_lines(solution, plan)))?;
        object.serialize_entry("engine", solution.engine)?;
        let stats = json!({
            "expanded": stats.expanded,
            "generated": stats.generated,
            "duplicates": stats.duplicates,
            "peak_frontier": stats.peak_frontier,
            "bytes": stats.bytes,
            "elapsed_seconds": elapsed,
        });
        object.serialize_entry("stats", &stats)?;
        plan.map_or(Ok(()), |plan| P::write_details(&solution.instance, plan, object))?;
        if let Some(ShortestPlans { count, plans, .. }) = &solution.shortest_plans {
            // As text, because many JSON parsers round numbers with more than 15 digits.
            count
                .map_or(Ok(()), |count| object.serialize_entry("plan_count", &count.to_string()))?;
            object.serialize_entry(
                "plans",
                &List(|| plans.iter().map(|plan| move_lines(solution, plan))),
            )?;
        }
        P::board(&solution.instance).map_or(Ok(()), |board| object.serialize_entry("board", &board))
    })
}

/// The moves of a plan as a list of lines. The lines are created one by one, because there may be
/// millions.
fn move_lines<'a, P: Puzzle>(
    solution: &'a Solution<P>,
    plan: &'a Verified<P::Move>,
) -> impl Serialize + use<'a, P> {
    List(|| plan.iter().map(|step| move_line::<P>(&solution.instance, step)))
}

fn move_line<P: Puzzle>(instance: &P::Instance, step: &P::Move) -> String {
    let mut line = String::new();
    P::write_move(instance, step, &mut line);
    line
}

/// The name of a limit in JSON.
pub(crate) fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "time",
        Limit::Memory => "memory",
        Limit::Encoding => "encoding",
        Limit::States => "states",
        Limit::Cancelled => "interrupted",
    }
}

/// The line of `--stats`.
pub(crate) fn stats_line<P: Puzzle, T>(solution: &Solution<P, T>) -> String {
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
        terminal::format_time(solution.elapsed, 2),
    )
}
