//! `verify`: replays plans by the rules.

use std::io::Write;

use serde_json::json;

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{DataSet, Source};
use crate::json;
use crate::output::standard_output;
use crate::plan_text::Plans;
use crate::puzzle::{Puzzle, moves};

/// Writes for each data set whether its plan is accepted, or why it is refused.
pub(crate) fn verify<P: Puzzle>(args: &VerifyArgs<P>) -> Result<Exit, Failure> {
    let plans = Source::plan::<P>(&args.plan, &args.instance, &args.options)?;
    let source = Source::instance::<P>(&args.instance)?;
    let mut plans = Plans::read(&plans)?;
    let mut out = standard_output();
    let mut exit = Exit::Answered;
    for data_set in source.data_sets::<P>(&args.options) {
        let DataSet { name, instance, .. } = data_set?;
        let verdict = plans.next::<P>(&name, &instance)?;
        if verdict.is_err() {
            exit = Exit::Refused;
        }
        if args.json {
            let fields = json!({
                "instance": name,
                "accepted": verdict.is_ok(),
                "cost": verdict.as_ref().ok().map(|plan| plan.len()),
                "cost_unit": P::moves(&instance)[0],
                "refusal": verdict.err(),
            });
            json::write::<P>("verify", fields, &mut out)?;
            continue;
        }
        match verdict {
            Ok(plan) => {
                writeln!(out, "{name}: accepted, {}", moves::<P>(&instance, plan.len() as u32))?
            }
            Err(refusal) => writeln!(out, "{name}: refused, {refusal}")?,
        }
    }
    plans.expect_end(&source.name)?;
    out.flush()?;
    Ok(exit)
}
