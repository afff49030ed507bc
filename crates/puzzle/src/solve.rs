//! `solve`: an instance with the result of its search, as text (which `verify` reads), as JSON and
//! as a row of CSV.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use fewest_core::budget::Limit;
use fewest_core::outcome::{Outcome, Verdict};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::any::{AnyInstance, AnyPlan, AnyPlans};
use crate::puzzle::{AnyDetails, TwoTexts};
use crate::results::{LimitName, Stream, report};
use crate::words::{plan_count, write_comment};

/// The two texts of an instance.
#[derive(Clone, Debug)]
pub struct InTwoTexts {
    /// What they are called.
    pub names: TwoTexts,
    /// The name of the first text.
    pub first: String,
    /// The name of the second text.
    pub second: String,
    /// [`Puzzle::part`](crate::Puzzle::part)
    pub part: usize,
}

/// An instance with the result of its search.
pub struct Solution {
    /// The name of the data set.
    pub name: String,
    /// The texts, if there are two.
    pub texts: Option<InTwoTexts>,
    /// The instance.
    pub instance: Arc<dyn AnyInstance>,
    /// What was found and proved. If plans are listed, its plan is the first of them.
    pub outcome: Outcome<Box<dyn AnyPlan>>,
    /// All shortest plans, or the limit that stopped their count. `None` if they were not asked for
    /// or there is no plan.
    pub shortest_plans: Option<Result<Box<dyn AnyPlans>, Limit>>,
    /// The name of the engine, or of the method of the puzzle.
    pub engine: &'static str,
    /// The time of the search.
    pub elapsed: Duration,
}

impl Solution {
    /// The plan to show.
    pub fn plan(&self) -> Option<&dyn AnyPlan> {
        self.outcome.best().map(|(plan, _)| &**plan)
    }

    /// The limit that stopped the search.
    pub fn limit(&self) -> Option<Limit> {
        match self.outcome.verdict {
            Verdict::Stopped { limit, .. } => Some(limit),
            Verdict::Solved { .. } | Verdict::Unsolvable => None,
        }
    }

    /// All shortest plans, if they were asked for and counted.
    pub fn all_plans(&self) -> Option<&dyn AnyPlans> {
        self.shortest_plans.as_ref()?.as_deref().ok()
    }

    /// The limit that stopped the count or the list of all shortest plans.
    pub fn plans_limit(&self) -> Option<Limit> {
        match self.shortest_plans.as_ref()? {
            Ok(plans) => plans.limit(),
            Err(limit) => Some(*limit),
        }
    }

    /// The result line: what is proved.
    fn verdict(&self) -> String {
        let moves = |count| self.instance.moves(count);
        match &self.outcome.verdict {
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
                format!(
                    "{cost}, maybe not optimal; stopped, {limit}: any plan has at least {least}"
                )
            }
        }
    }

    /// Writes the name and the board as comments, the result line, the plan, and a blank line. With
    /// several plans, each has its own result line and blank line.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        self.instance.named(&self.name).write(out)?;
        let Some(plans) = self.all_plans() else {
            writeln!(out, "{}", self.verdict())?;
            return self.write_moves(out);
        };
        let (verdict, listed) = (self.verdict(), plans.listed());
        let count = plan_count(plans.count());
        write_comment(&format!("{verdict}; shortest plans: {count}, listed: {listed}"), out)?;
        plans.iter().try_for_each(|plan| {
            writeln!(out, "{verdict}")?;
            write_lines(&*plan, out)
        })
    }

    /// Writes the name and the result as comments, and the plan as a timeline.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write_timeline(&self, out: &mut impl Write) -> io::Result<()> {
        write_comment(&self.name, out)?;
        write_comment(&self.verdict(), out)?;
        let timeline = self.plan().and_then(|plan| plan.timeline());
        writeln!(out, "{}", timeline.unwrap_or_default())
    }

    /// Writes only the moves of the plan and a blank line: after [`write_heading`], in place of a
    /// picture that could not be drawn.
    ///
    /// [`write_heading`]: Self::write_heading
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write_moves(&self, out: &mut impl Write) -> io::Result<()> {
        match self.plan() {
            Some(plan) => write_lines(plan, out),
            None => writeln!(out),
        }
    }

    /// Writes the heading of a picture: the name and the number of shortest plans as comments, and
    /// the result line.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write_heading(&self, out: &mut impl Write) -> io::Result<()> {
        write_comment(&self.name, out)?;
        if let Some(plans) = self.all_plans() {
            write_comment(&format!("shortest plans: {}", plan_count(plans.count())), out)?;
        }
        writeln!(out, "{}", self.verdict())
    }

    /// Writes the name, the board and the result as comments, and the first move of the plan.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write_hint(&self, out: &mut impl Write) -> io::Result<()> {
        self.instance.named(&self.name).write(out)?;
        write_comment(&self.verdict(), out)?;
        if let Some(plan) = self.plan().filter(|plan| !plan.is_empty()) {
            writeln!(out, "{}", plan.line(0))?;
        }
        writeln!(out)
    }
}

fn write_lines(plan: &dyn AnyPlan, out: &mut impl Write) -> io::Result<()> {
    plan.lines().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out)
}

/// The result of one data set: `solve --json`.
#[derive(Serialize, JsonSchema)]
pub struct SolveReport<'a> {
    /// The name of the data set: the name of its text, followed by `#` and a number if the text has
    /// several data sets.
    instance: &'a str,
    /// For an instance in two texts: their names and the number that tells the instances in them
    /// apart, as `map`, `scenario` and `agents` (halloween).
    #[serde(flatten)]
    #[schemars(skip)]
    texts: BTreeMap<&'static str, Value>,
    /// `solved`: the plan is proved optimal. `unsolvable`: it is proved that there is no plan.
    /// `stopped`: a limit stopped the search.
    outcome: OutcomeName,
    /// The number of moves of `plan`.
    cost: Option<u32>,
    /// The unit of the cost, such as `step` or `unit move`.
    cost_unit: &'static str,
    /// Whether the plan is proved optimal.
    optimal: bool,
    /// The proved lower bound of the number of moves; null if there is no plan.
    lower_bound: Option<u32>,
    /// The limit that stopped the search; null if none did.
    limit: Option<LimitName>,
    /// A shortest plan, or the best plan that a stopped search found; null if there is none. Each
    /// move is a line of a plan. With `--hint`, only the first move.
    plan: Option<Stream<'a, String>>,
    /// The algorithm that found the answer: an engine, or `joint` (halloween), `regions`
    /// (wall-pusher) or `flow` (black-white).
    engine: &'static str,
    /// The work of the search.
    stats: SearchStats,
    // The schemas of the puzzles' details are added to the schema.
    #[serde(flatten)]
    #[schemars(skip)]
    details: Option<AnyDetails<'a>>,
    /// With `--all`: the number of shortest plans, as text, because many JSON parsers round numbers
    /// with more than 15 digits; missing if it is 2^128 or more, or if a limit stopped the count.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", regex(pattern = "^[0-9]+$"))]
    plan_count: Option<String>,
    /// With `--all`: the first shortest plans.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Vec<String>>")]
    plans: Option<Stream<'a, Vec<String>>>,
    /// With `--all`: the limit that stopped the count or the list of the shortest plans; missing if
    /// none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LimitName")]
    plans_limit: Option<LimitName>,
    /// The board as text, for puzzles whose plans are easier to read with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    board: Option<String>,
}

/// What a search found and proved.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum OutcomeName {
    Solved,
    Unsolvable,
    Stopped,
}

impl OutcomeName {
    fn of<T>(verdict: &Verdict<T>) -> Self {
        match verdict {
            Verdict::Solved { .. } => Self::Solved,
            Verdict::Unsolvable => Self::Unsolvable,
            Verdict::Stopped { .. } => Self::Stopped,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Stopped => "stopped",
        }
    }
}

/// The work of a search.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
struct SearchStats {
    /// The number of expanded states.
    expanded: u64,
    /// The number of states that were expanded to recover the plan.
    recovered: u64,
    /// The number of generated states.
    generated: u64,
    /// The number of generated states that were known before.
    duplicates: u64,
    /// The greatest number of states that waited for their expansion.
    peak_frontier: u64,
    /// The peak of the reserved memory in bytes.
    bytes: u64,
    /// The time of the search.
    #[schemars(range(min = 0.0))]
    elapsed_seconds: f64,
}

impl<'a> SolveReport<'a> {
    /// The report of a solution, with at most this number of moves of its plan.
    pub fn new(solution: &'a Solution, max_moves: usize) -> Self {
        let outcome = &solution.outcome;
        let plan = solution.plan();
        let all = solution.all_plans();
        let stats = outcome.stats;
        let texts = solution.texts.iter().flat_map(|InTwoTexts { names, first, second, part }| {
            [
                (names.first, Value::from(first.as_str())),
                (names.second, Value::from(second.as_str())),
                (names.part, Value::from(*part)),
            ]
        });
        Self {
            instance: &solution.name,
            texts: texts.collect(),
            outcome: OutcomeName::of(&outcome.verdict),
            cost: outcome.best().map(|(_, cost)| cost),
            cost_unit: solution.instance.unit()[0],
            optimal: outcome.optimal().is_some(),
            lower_bound: outcome.lower_bound(),
            limit: solution.limit().map(Into::into),
            plan: plan.map(|plan| Stream::new(move || plan.lines().take(max_moves))),
            engine: solution.engine,
            stats: SearchStats {
                expanded: stats.expanded,
                recovered: stats.recovered,
                generated: stats.generated,
                duplicates: stats.duplicates,
                peak_frontier: stats.peak_frontier,
                bytes: stats.bytes,
                elapsed_seconds: solution.elapsed.as_secs_f64(),
            },
            details: plan.and_then(|plan| plan.details()),
            plan_count: all.and_then(|all| Some(all.count()?.to_string())),
            plans: all.map(|all| Stream::new(|| all.iter().map(|plan| plan.lines().collect()))),
            plans_limit: solution.plans_limit().map(Into::into),
            board: solution.instance.board(),
        }
    }
}

report!(SolveReport<'_>, "solve", 2);

/// The columns of a table of solutions as CSV. Only puzzles with instances in two texts name these.
pub fn columns(two_texts: Option<TwoTexts>) -> Vec<String> {
    let (of_instance, cost) = match two_texts {
        Some(names) => (vec![names.first, names.second, names.part], names.cost),
        None => (vec!["instance"], "moves"),
    };
    let rest = ["outcome", cost, "lower_bound", "seconds", "engine"];
    let details = two_texts.map_or(&[][..], |names| names.details);
    of_instance.into_iter().chain(rest).chain(details.iter().copied()).map(str::to_owned).collect()
}

/// A solution as a row of the [columns]: an empty field is unknown.
pub fn fields(solution: &Solution, two_texts: Option<TwoTexts>) -> Vec<String> {
    let of_instance = match (&solution.texts, two_texts) {
        (Some(texts), _) => vec![texts.first.clone(), texts.second.clone(), texts.part.to_string()],
        (None, Some(_)) => {
            vec![solution.name.clone(), String::new(), solution.instance.part().to_string()]
        }
        (None, None) => vec![solution.name.clone()],
    };
    let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
    let cost = solution.outcome.best().map(|(_, cost)| cost);
    let rest = [
        OutcomeName::of(&solution.outcome.verdict).name().to_owned(),
        number(cost),
        number(solution.outcome.lower_bound()),
        format!("{:.6}", solution.elapsed.as_secs_f64()),
        solution.engine.to_owned(),
    ];
    let names = two_texts.map_or(&[][..], |names| names.details);
    let plan = solution.plan().filter(|_| !names.is_empty());
    let details = plan.and_then(|plan| serde_json::to_value(plan.details()?).ok());
    let detail = |name: &&str| {
        let number = details.as_ref().and_then(|details| details.get(*name));
        number.map(ToString::to_string).unwrap_or_default()
    };
    of_instance.into_iter().chain(rest).chain(names.iter().map(detail)).collect()
}
