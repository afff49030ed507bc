//! The reading of plans as [`Solution::write_text`](crate::solution::Solution::write_text) writes
//! them: blocks that blank lines separate.
//!
//! A line that starts with `#` is a comment. The first line of a block starts with the number of
//! moves, such as `7 steps, optimal`; the rest of the line is ignored. If there is no plan, it is
//! `unsolvable` or starts with `stopped`.

use std::sync::Arc;

use fewest_rules::text::{Diagnostic, Line, Lines, number, quote};

use crate::any::{AnyInstance, AnyPlan};
use crate::error::PlanError;
use crate::solution::moves;

/// The lines of one data set.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    /// The first line.
    pub header: Line<'a>,
    /// The number of moves that the header states; `None` if there is no plan.
    stated_cost: Option<usize>,
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
        if line.text.starts_with('#') {
            continue;
        }
        if line.is_blank() {
            in_block = false;
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
            blocks.push(Block { header: line, stated_cost, lines: Vec::new() });
            in_block = true;
        }
    }
    if blocks.is_empty() { Err(lines.ended(FORM)) } else { Ok(blocks) }
}

impl Block<'_> {
    /// Replays the plan by the rules.
    ///
    /// # Errors
    /// If a line is not a move, or the plan is refused.
    pub fn verify(&self, instance: &Arc<dyn AnyInstance>) -> Result<Box<dyn AnyPlan>, PlanError> {
        let Some(stated) = self.stated_cost else {
            let header = self.header.text.trim();
            return Err(PlanError::Refused(format!("there is no plan to replay, only `{header}`")));
        };
        let plan = Arc::clone(instance).verify(&self.lines)?;
        if plan.len() == stated {
            return Ok(plan);
        }
        let found = moves(&**instance, plan.len() as u32);
        let refusal = format!("it has {found}, but its first line states {stated}");
        Err(PlanError::Refused(refusal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_large_numbers_are_refused() {
        assert!(read(b"+7 steps\n").is_err());
        assert!(read(b"99999999999 steps\n").is_err());
    }
}
