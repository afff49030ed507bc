//! `solve`: finds a plan and reports what is proved about it. Arguments make a [`Request`], which
//! is solved data set by data set; a [`Reporter`] writes the answers in order.

mod report;
mod request;

use std::sync::Arc;
use std::time::Instant;

use clap::ArgMatches;
use fewest_core::budget::Budget;
use fewest_core::outcome::Verdict;
use fewest_core::search::Answer;
use fewest_puzzle::SolveError;
use fewest_puzzle::solve::Solution;

use self::report::{Answered, Reporter};
use self::request::Request;
pub(super) use self::request::command;
use crate::PuzzleRef;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::DataSet;
use crate::output::BrokenPipe;
use crate::picture::Pictures;
use crate::session::Session;
use crate::verbs::verify::Plans;

/// Writes the report of each data set as soon as it and all earlier reports are known.
pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let request = Request::of(puzzle, matches)?;
    let mut after = request.after.as_ref().map(Plans::read).transpose()?;
    if after.is_some() {
        // Each plan is of one data set, so all of them have to be valid.
        request.data_sets().try_for_each(|data_set| data_set.map(drop))?;
    }
    let are_files = request.pictures.as_ref().is_some_and(Pictures::are_files);
    let session = Session::start(
        &request.search,
        request.pictures.is_some(),
        request.all_plans.is_some(),
        BrokenPipe::discards_if(are_files),
    );
    let mut reporter = Reporter::start(&request, &session)?;
    let data_sets = request.data_sets().map(|data_set| match &mut after {
        Some(plans) => play(data_set?, plans),
        None => data_set,
    });
    let end = session.for_each(
        data_sets,
        |data_set| {
            let is_only = request.is_only(&data_set);
            let budget = session.budget(is_only);
            let large =
                request.storage.apply(budget, puzzle, matches, "solve", &data_set, is_only)?;
            let answered = answer(&request, data_set, is_only, &large.budget);
            large.finish(answered.as_ref().map(|answered| answered.solution.limit()))?;
            answered
        },
        |answered| reporter.add(&answered),
    )?;
    session.finish()?;
    if let Some(plans) = after.filter(|_| end.exit() == Exit::Answered) {
        plans.expect_end(&request.sources)?;
    }
    reporter.end(end)
}

/// The data set that starts after the moves of the next plan.
fn play<'a>(data_set: DataSet<'a>, plans: &mut Plans<'_>) -> Result<DataSet<'a>, Failure> {
    let (name, instance) = (data_set.name(), &data_set.instance);
    let refused = |refusal| Failure::Refused(format!("{name}: refused, {refusal}"));
    let plan = plans.next(&name, |block| block.replay(instance))?.map_err(refused)?;
    let after = instance.moves(plan.len() as u32);
    let ended = || Failure::Refused(format!("{name}: after {after} nothing is left to solve"));
    let instance = plan.rest().ok_or_else(ended)?;
    Ok(data_set.going_on(after, instance))
}

/// Solves a data set and, with `--all`, finds all shortest plans.
fn answer(
    request: &Request<'_>,
    data_set: DataSet<'_>,
    is_only: bool,
    budget: &Budget,
) -> Result<Answered, Failure> {
    let (name, start) = (data_set.name(), Instant::now());
    let texts = data_set.texts.clone();
    let instance = data_set.instance;
    let in_data_set = |error: SolveError| Failure::from(error).in_data_set(&name);
    let Answer { mut outcome, engine } =
        Arc::clone(&instance).solve(request.engine, budget).map_err(in_data_set)?;
    let elapsed = start.elapsed();
    let mut shortest_plans = None;
    if let (Some(max_plans), Verdict::Solved { .. }) = (request.all_plans, &outcome.verdict) {
        let listed = Arc::clone(&instance).list_shortest_plans(max_plans, budget);
        shortest_plans = match listed.map_err(in_data_set)?.verdict {
            Verdict::Solved { plan: plans, .. } => {
                if let (Some(first), Verdict::Solved { plan, .. }) =
                    (plans.first(), &mut outcome.verdict)
                {
                    *plan = first;
                }
                Some(Ok(plans))
            }
            Verdict::Unsolvable => None,
            Verdict::Stopped { limit, .. } => Some(Err(limit)),
        };
    }
    let solution = Solution { name, texts, instance, outcome, shortest_plans, engine, elapsed };
    Ok(Answered { solution, time_left: budget.time_left(), is_only })
}
