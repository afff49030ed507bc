//! An answered instance, and its form as text: what `solve` prints and `verify` reads.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use fewest_core::budget::Limit;
use fewest_core::outcome::{Outcome, Verdict};

use crate::any::{AnyInstance, AnyPlan, AnyPlans};
use crate::puzzle::TwoTexts;
use crate::words::counted;

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

/// A number of moves with its unit, such as `7 steps`.
pub fn moves(instance: &dyn AnyInstance, count: u32) -> String {
    counted(instance.unit(), count)
}

/// A number of plans as text; `None` is 2^128 or more.
pub fn plan_count(count: Option<u128>) -> String {
    count.map_or_else(|| "at least 2^128".to_owned(), |count| count.to_string())
}

/// Writes text as comment lines, which `verify` ignores.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_comment(text: &str, out: &mut impl Write) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "{}", format!("# {line}").trim_end()))
}

impl Solution {
    /// The plan to show.
    pub fn plan(&self) -> Option<&dyn AnyPlan> {
        self.outcome.best().map(|(plan, _)| &**plan)
    }

    /// All shortest plans, if they were asked for and counted.
    pub fn all_plans(&self) -> Option<&dyn AnyPlans> {
        self.shortest_plans.as_ref()?.as_deref().ok()
    }

    /// The result line: what is proved.
    fn verdict(&self) -> String {
        let moves = |count| moves(&*self.instance, count);
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
        self.write_name_and_board(out)?;
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
        self.write_name_and_board(out)?;
        write_comment(&self.verdict(), out)?;
        if let Some(plan) = self.plan().filter(|plan| !plan.is_empty()) {
            writeln!(out, "{}", plan.line(0))?;
        }
        writeln!(out)
    }

    fn write_name_and_board(&self, out: &mut impl Write) -> io::Result<()> {
        write_comment(&self.name, out)?;
        write_comment(&self.instance.board().unwrap_or_default(), out)
    }
}

fn write_lines(plan: &dyn AnyPlan, out: &mut impl Write) -> io::Result<()> {
    plan.lines().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out)
}
