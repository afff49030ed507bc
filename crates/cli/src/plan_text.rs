//! Parser of plans as `solve` prints them: blocks that blank lines separate.
//!
//! A line that starts with `#` is a comment. The first line of a block starts with the number of
//! moves, such as `7 steps, optimal`; the rest of the line is ignored. If there is no plan, it is
//! `unsolvable` or starts with `stopped`.

use std::vec;

use fewest_rules::text::{Diagnostic, Line, Lines, number, quote};
use fewest_rules::{Verified, verify};

use crate::failure::Failure;
use crate::input::Source;
use crate::puzzle::{Puzzle, moves};

/// The lines of one data set.
struct Block<'a> {
    header: Line<'a>,
    /// The number of moves that the header states; `None` if there is no plan.
    moves: Option<u32>,
    plan: Vec<Line<'a>>,
}

/// Parses all blocks of a text; there is at least one.
fn read(text: &[u8]) -> Result<Vec<Block<'_>>, Diagnostic> {
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
            block.plan.push(line);
        } else {
            let (at, word) = line.words().next().unwrap_or((0, ""));
            let form = if blocks.is_empty() {
                FORM
            } else {
                "the number of moves of the next plan, because a blank line ended the previous plan"
            };
            let moves = match word.trim_end_matches([',', ':']) {
                "unsolvable" | "stopped" => None,
                digits => Some(number(digits).ok_or_else(|| line.wrong(at, quote(word), form))?),
            };
            blocks.push(Block { header: line, moves, plan: Vec::new() });
            in_block = true;
        }
    }
    if blocks.is_empty() { Err(lines.ended(FORM)) } else { Ok(blocks) }
}

/// The plans of a text, in the order of the data sets.
pub(crate) struct Plans<'a> {
    source: &'a Source,
    blocks: vec::IntoIter<Block<'a>>,
}

impl<'a> Plans<'a> {
    pub(crate) fn read(source: &'a Source) -> Result<Self, Failure> {
        let blocks = read(&source.text).map_err(|diagnostic| source.error_at(diagnostic))?;
        Ok(Self { source, blocks: blocks.into_iter() })
    }

    /// The next plan, or the reason why it is refused for this instance.
    pub(crate) fn next<P: Puzzle>(
        &mut self,
        name: &str,
        instance: &P::Instance,
    ) -> Result<Result<Verified<P::Move>, String>, Failure> {
        let Some(block) = self.blocks.next() else {
            return Err(Failure::usage(format!(
                "{} ends before the plan of {name}",
                self.source.name
            )));
        };
        let Some(stated_cost) = block.moves else {
            return Ok(Err(format!(
                "there is no plan to replay, only `{}`",
                block.header.text.trim()
            )));
        };
        let plan = block
            .plan
            .iter()
            .map(|&line| P::read_move(instance, line))
            .collect::<Result<Vec<_>, _>>();
        let plan = plan.map_err(|diagnostic| self.source.error_at(diagnostic))?;
        let cost = plan.len() as u32;
        let plan = match verify(instance, plan) {
            Ok(plan) => plan,
            Err(refusal) => return Ok(Err(refusal.to_string())),
        };
        Ok(if cost == stated_cost {
            Ok(plan)
        } else {
            Err(format!(
                "it has {}, but its first line states {stated_cost}",
                moves::<P>(instance, cost)
            ))
        })
    }

    /// Returns an error if a plan is left after the last data set of `instances`.
    pub(crate) fn expect_end(mut self, instances: &str) -> Result<(), Failure> {
        match self.blocks.next() {
            Some(block) => {
                let expected = format!("no more plans than {instances} has data sets");
                Err(self.source.error_at(block.header.wrong(
                    block.header.start(),
                    "another plan",
                    expected,
                )))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::halloween::{Halloween, Scenario};

    proptest! {
        #[test]
        fn no_input_panics(
            text in prop::collection::vec(prop::sample::select(&b"7 steps,\n\n#-aNbEcS \r\tunsolvable\xff"[..]), 0..80),
        ) {
            let map = Halloween::read(b"5 1 2\nab AB\n", &Scenario::default()).next().expect("a data set").expect("a valid one");
            for block in read(&text).into_iter().flatten() {
                let plan: Result<Vec<_>, _> = block.plan.iter().map(|&line| Halloween::read_move(&map, line)).collect();
                if let Ok(plan) = plan {
                    let _ = verify(&map, plan);
                }
            }
        }
    }

    #[test]
    fn signs_and_large_numbers_are_refused() {
        assert!(read(b"+7 steps\n").is_err());
        assert!(read(b"99999999999 steps\n").is_err());
    }
}
