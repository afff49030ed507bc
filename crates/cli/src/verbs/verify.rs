//! `verify`: a plan replayed by the rules.

use std::io::{self, Write};

use crate::exit::{Exit, Failure};
use crate::input::Source;
use crate::plan_text;
use crate::puzzle::{Puzzle, moves};

/// Writes a verdict a data set: accepted, or refused and why.
pub(crate) fn verify<P: Puzzle>(instance: &str, plan: &str) -> Result<Exit, Failure> {
    if instance == "-" && plan == "-" {
        return Err(Failure::Usage("the instance and the plan cannot both come from standard input".to_owned()));
    }
    let source = Source::instance::<P>(instance)?;
    let instances = source.data_sets::<P>().collect::<Result<Vec<_>, _>>()?;
    let plans = Source::file(plan, "")?;
    let blocks = plan_text::read(&plans.text).map_err(|diagnostic| plans.wrong(diagnostic))?;
    if instances.len() != blocks.len() {
        let (sets, blocks) = (instances.len(), blocks.len());
        return Err(Failure::Usage(format!(
            "{} has data sets: {sets}, and {} plans: {blocks}; there must be as many",
            source.name, plans.name
        )));
    }

    let mut out = io::stdout().lock();
    let mut exit = Exit::Answered;
    for ((name, instance), block) in instances.iter().zip(blocks) {
        let verdict = match block.moves {
            None => Err(format!("there is no plan to replay, only `{}`", block.header.text.trim())),
            Some(promised) => {
                let plan = P::read_plan(instance, &block.plan).map_err(|diagnostic| plans.wrong(diagnostic))?;
                let cost = P::cost(&plan);
                if cost != promised {
                    let found = format!("the number {promised} and a plan of {}", moves::<P>(cost));
                    return Err(plans.wrong(block.header.wrong(0, found, "the number of moves that follow")));
                }
                P::replay(instance, &plan).map(|()| cost).map_err(|refusal| refusal.to_string())
            }
        };
        match verdict {
            Ok(cost) => writeln!(out, "{name}: accepted, {}", moves::<P>(cost))?,
            Err(refusal) => {
                writeln!(out, "{name}: refused, {refusal}")?;
                exit = Exit::Refused;
            }
        }
    }
    out.flush()?;
    Ok(exit)
}
