//! `verify`: a plan replayed by the rules.

use std::io::{self, Write};

use crate::exit::{Exit, Failure};
use crate::input::Source;
use crate::plan_text::Plans;
use crate::puzzle::{Puzzle, moves};

/// Writes a verdict a data set: accepted, or refused and why.
pub(crate) fn verify<P: Puzzle>(instance: &str, plan: &str, options: &P::Options) -> Result<Exit, Failure> {
    let plans = Source::plan::<P>(plan, instance, options)?;
    let source = Source::instance::<P>(instance)?;
    let mut plans = Plans::read(&plans)?;
    let mut out = io::stdout().lock();
    let mut exit = Exit::Answered;
    for data_set in source.data_sets::<P>(options) {
        let (name, instance) = data_set?;
        match plans.next::<P>(&name, &instance)? {
            Ok(plan) => writeln!(out, "{name}: accepted, {}", moves::<P>(&instance, plan.len() as u32))?,
            Err(refusal) => {
                writeln!(out, "{name}: refused, {refusal}")?;
                exit = Exit::Refused;
            }
        }
    }
    plans.end(&source.name)?;
    Ok(exit)
}
