//! `verify`: a plan replayed by the rules.

use std::io::{self, Write};

use crate::exit::{Exit, Failure};
use crate::input::Source;
use crate::plan_text;
use crate::puzzle::{Puzzle, moves};

/// Writes a verdict a data set: accepted, or refused and why.
pub(crate) fn verify<P: Puzzle>(instance: &str, plan: &str, options: &P::Options) -> Result<Exit, Failure> {
    let second = P::second_file(options).map(|(file, _)| file);
    if plan == "-" && (instance == "-" || second == Some("-")) {
        let what = if instance == "-" { "instance" } else { "file beside the instance" };
        return Err(Failure::Usage(format!("the {what} and the plan cannot both come from standard input")));
    }
    let source = Source::instance::<P>(instance)?;
    let plans = Source::file(plan, String::new)?;
    let mut blocks = plan_text::read(&plans.text).map_err(|diagnostic| plans.wrong(diagnostic))?.into_iter();

    let mut out = io::stdout().lock();
    let mut exit = Exit::Answered;
    for data_set in source.data_sets::<P>(options) {
        let (name, instance) = data_set?;
        let Some(block) = blocks.next() else {
            return Err(Failure::Usage(format!("{} ends before the plan of {name}", plans.name)));
        };
        let verdict = match block.moves {
            None => Err(format!("there is no plan to replay, only `{}`", block.header.text.trim())),
            Some(promised) => {
                let plan = block.plan.iter().map(|&line| P::read_move(&instance, line)).collect::<Result<Vec<_>, _>>();
                let plan = plan.map_err(|diagnostic| plans.wrong(diagnostic))?;
                let cost = plan.len() as u32;
                match P::replay(&instance, &plan) {
                    Err(refusal) => Err(refusal.to_string()),
                    Ok(()) if cost != promised => {
                        Err(format!("it has {}, and its first line says {promised}", moves::<P>(&instance, cost)))
                    }
                    Ok(()) => Ok(cost),
                }
            }
        };
        match verdict {
            Ok(cost) => writeln!(out, "{name}: accepted, {}", moves::<P>(&instance, cost))?,
            Err(refusal) => {
                writeln!(out, "{name}: refused, {refusal}")?;
                exit = Exit::Refused;
            }
        }
    }
    match blocks.next() {
        Some(block) => {
            let expected = format!("no more plans than {} has data sets", source.name);
            Err(plans.wrong(block.header.wrong(block.header.start(), "another plan", expected)))
        }
        None => Ok(exit),
    }
}
