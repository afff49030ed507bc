//! `verify`: plans are read as [`Solution::write_text`](crate::solve::Solution::write_text) writes
//! them, in blocks that blank lines separate, and replayed by the rules.
//!
//! A line that starts with `#` is a comment. The first line of a block starts with the number of
//! moves, such as `7 steps, optimal`; the rest of the line is ignored. If there is no plan, it is
//! `unsolvable` or starts with `stopped`.
//!
//! A plan may also be a [timeline](crate::timeline::Timeline), which has no such line. Lines before
//! it such as `solution=`, which other programs write, are ignored.

use std::sync::Arc;

use fewest_rules::text::{Diagnostic, Line, Lines, number, quote};
use schemars::JsonSchema;
use serde::Serialize;

use crate::any::{AnyInstance, AnyPlan, AnyReplay};
use crate::error::PlanError;
use crate::results::report;
use crate::timeline::PlanForm;

/// The lines of one data set.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    /// The first line.
    pub header: Line<'a>,
    /// The number of moves that the header states; `None` if there is no plan.
    stated_cost: Option<usize>,
    form: PlanForm,
    lines: Vec<Line<'a>>,
}

/// All blocks of a text; there is at least one.
///
/// # Errors
/// A diagnostic of a header, or if there is no block.
pub fn read(text: &[u8]) -> Result<Vec<Block<'_>>, Diagnostic> {
    const FORM: &str =
        "the number of moves of a plan, such as `7`, and the moves on the lines below it";
    let mut lines = Lines::new(text);
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut in_block = false;
    for line in lines.by_ref() {
        let line = line?;
        let is_setting =
            !in_block && line.text.split_once('=').is_some_and(|(name, _)| is_name(name));
        if line.text.starts_with('#') || is_setting {
            continue;
        }
        if line.is_blank() {
            in_block = false;
        } else if is_time(line) && !in_block {
            let (form, lines) = (PlanForm::Timeline, vec![line]);
            blocks.push(Block { header: line, stated_cost: None, form, lines });
            in_block = true;
        } else if in_block && let Some(block) = blocks.last_mut() {
            block.lines.push(line);
        } else {
            let (at, word) = line.words().next().unwrap_or((0, ""));
            let form = if blocks.is_empty() {
                FORM
            } else {
                "the number of moves of the next plan, because a blank line ended the previous plan"
            };
            let stated_cost = match word.trim_end_matches([',', ':']) {
                "unsolvable" | "stopped" => None,
                digits => {
                    let cost = number::<u32>(digits);
                    Some(cost.ok_or_else(|| line.wrong(at, quote(word), form))? as usize)
                }
            };
            let (form, lines) = (PlanForm::Moves, Vec::new());
            blocks.push(Block { header: line, stated_cost, form, lines });
            in_block = true;
        }
    }
    if blocks.is_empty() { Err(lines.ended(FORM)) } else { Ok(blocks) }
}

/// Whether a line is the first of a timeline, such as `0:(5,16),(2,0)`.
fn is_time(line: Line<'_>) -> bool {
    line.text.trim_start().starts_with("0:(")
}

/// Whether a text is the name of a setting, such as `solution=`, which other programs write before
/// a timeline.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

impl Block<'_> {
    /// Replays the plan by the rules.
    ///
    /// # Errors
    /// If a line is not a move, or the plan is refused.
    pub fn verify(&self, instance: &Arc<dyn AnyInstance>) -> Result<Box<dyn AnyPlan>, PlanError> {
        let stated = self.stated_cost()?;
        let plan = Arc::clone(instance).verify(&self.lines, self.form)?;
        if plan.len() == stated { Ok(plan) } else { Err(self.other_cost(instance, stated)) }
    }

    /// Replays the plan by the rules. It may have fewer moves than its first line states, and may
    /// stop before the puzzle is solved.
    ///
    /// # Errors
    /// If a line is not a move, or a move is refused.
    pub fn replay(&self, instance: &Arc<dyn AnyInstance>) -> Result<Box<dyn AnyReplay>, PlanError> {
        let stated = self.stated_cost()?;
        let plan = Arc::clone(instance).replay(&self.lines, self.form)?;
        if plan.len() <= stated { Ok(plan) } else { Err(self.other_cost(instance, stated)) }
    }

    fn stated_cost(&self) -> Result<usize, PlanError> {
        if self.form == PlanForm::Timeline {
            return Ok(self.lines.len() - 1);
        }
        self.stated_cost.ok_or_else(|| {
            let header = self.header.text.trim();
            PlanError::Refused(format!("there is no plan to replay, only `{header}`"))
        })
    }

    fn other_cost(&self, instance: &Arc<dyn AnyInstance>, stated: usize) -> PlanError {
        let found = instance.moves(self.lines.len() as u32);
        PlanError::Refused(format!("it has {found}, but its first line states {stated}"))
    }
}

/// Whether the rules accept a plan: `verify --json`.
#[derive(Serialize, JsonSchema)]
pub struct VerifyReport<'a> {
    /// The name of the data set.
    instance: &'a str,
    /// Whether the plan is accepted.
    accepted: bool,
    /// The number of moves of an accepted plan.
    cost: Option<u32>,
    /// The unit of the cost, such as `step` or `unit move`.
    cost_unit: &'static str,
    /// Why the plan is refused; null if it is accepted.
    refusal: Option<&'a str>,
}

impl<'a> VerifyReport<'a> {
    /// The report of an instance with its plan, or with the reason why the plan is refused.
    pub fn new(
        name: &'a str,
        instance: &dyn AnyInstance,
        verdict: Result<&dyn AnyPlan, &'a str>,
    ) -> Self {
        Self {
            instance: name,
            accepted: verdict.is_ok(),
            cost: verdict.ok().map(|plan| plan.len() as u32),
            cost_unit: instance.unit()[0],
            refusal: verdict.err(),
        }
    }
}

report!(VerifyReport<'_>, "verify", 1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_large_numbers_are_refused() {
        assert!(read(b"+7 steps\n").is_err());
        assert!(read(b"99999999999 steps\n").is_err());
    }
}
