//! Plans as `solve` prints them, read back: blocks between blank lines.
//!
//! A line that starts with `#` is a comment. The first line of a block says how many moves follow,
//! `7 steps, optimal`, whatever stands behind the number; or that there is no plan, `unsolvable` or
//! `stopped`.

use std::vec;

use fewest_core::text::{Diagnostic, Line, Lines, number, quote};

use crate::exit::Failure;
use crate::input::Source;
use crate::puzzle::{Puzzle, moves};

/// One data set's.
struct Block<'a> {
    header: Line<'a>,
    /// The moves that the header promises; `None` if it says that there is no plan.
    moves: Option<u32>,
    plan: Vec<Line<'a>>,
}

/// All blocks of a text; at least one.
fn read(text: &[u8]) -> Result<Vec<Block<'_>>, Diagnostic> {
    const FORM: &str =
        "the number of moves of a plan, such as `7`, and the moves on the lines below it";
    let mut lines = Lines::new(text);
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut within = false;
    for line in lines.by_ref() {
        let line = line?;
        if line.text.starts_with('#') {
            continue;
        }
        if line.is_blank() {
            within = false;
        } else if within && let Some(block) = blocks.last_mut() {
            block.plan.push(line);
        } else {
            let (at, word) = line.words().next().unwrap_or((0, ""));
            let form = if blocks.is_empty() {
                FORM
            } else {
                "the number of moves of the next plan, as a blank line ended the one before"
            };
            let moves = match word.trim_end_matches([',', ':']) {
                "unsolvable" | "stopped" => None,
                digits => Some(number(digits).ok_or_else(|| line.wrong(at, quote(word), form))?),
            };
            blocks.push(Block { header: line, moves, plan: Vec::new() });
            within = true;
        }
    }
    if blocks.is_empty() { Err(lines.ended(FORM)) } else { Ok(blocks) }
}

/// The plans of a text, each for the data set of its turn.
pub(crate) struct Plans<'a> {
    source: &'a Source,
    blocks: vec::IntoIter<Block<'a>>,
}

impl<'a> Plans<'a> {
    pub(crate) fn read(source: &'a Source) -> Result<Self, Failure> {
        let blocks = read(&source.text).map_err(|diagnostic| source.wrong(diagnostic))?;
        Ok(Self { source, blocks: blocks.into_iter() })
    }

    /// The next plan if the rules accept it for an instance, else why they do not.
    pub(crate) fn next<P: Puzzle>(
        &mut self,
        name: &str,
        instance: &P::Instance,
    ) -> Result<Result<Vec<P::Move>, String>, Failure> {
        let Some(block) = self.blocks.next() else {
            return Err(Failure::usage(format!(
                "{} ends before the plan of {name}",
                self.source.name
            )));
        };
        let Some(promised) = block.moves else {
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
        let plan = plan.map_err(|diagnostic| self.source.wrong(diagnostic))?;
        let cost = plan.len() as u32;
        if let Err(refusal) = P::replay(instance, &plan) {
            return Ok(Err(refusal.to_string()));
        }
        Ok(if cost == promised {
            Ok(plan)
        } else {
            Err(format!(
                "it has {}, and its first line says {promised}",
                moves::<P>(instance, cost)
            ))
        })
    }

    /// There has to be no plan left once there is no data set left, of those that come from
    /// `instances`.
    pub(crate) fn end(mut self, instances: &str) -> Result<(), Failure> {
        match self.blocks.next() {
            Some(block) => {
                let expected = format!("no more plans than {instances} has data sets");
                Err(self.source.wrong(block.header.wrong(
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
        fn no_bytes_make_it_panic(
            text in prop::collection::vec(prop::sample::select(&b"7 steps,\n\n#-aNbEcS \r\tunsolvable\xff"[..]), 0..80),
        ) {
            let house = Halloween::read(b"5 1 2\nab AB\n", &Scenario::default()).next().expect("a data set").expect("a good one");
            for block in read(&text).into_iter().flatten() {
                let plan: Result<Vec<_>, _> = block.plan.iter().map(|&line| Halloween::read_move(&house, line)).collect();
                if let Ok(plan) = plan {
                    let _ = Halloween::replay(&house, &plan);
                }
            }
        }
    }

    #[test]
    fn a_sign_is_no_part_of_a_number() {
        assert!(read(b"+7 steps\n").is_err());
        assert!(read(b"99999999999 steps\n").is_err());
    }
}
