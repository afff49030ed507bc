//! Contest mode: reads and writes the contest format.

use std::io::Write;

use fewest_core::outcome::Verdict;
use fewest_core::search::Answer;

use crate::args::PuzzleArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{DataSet, Source};
use crate::output::BrokenPipe;
use crate::puzzle::{Puzzle, moves};
use crate::session::Session;

/// Writes the answer of each data set as soon as it and all earlier answers are known. The answer
/// of a stopped search is `?`, and the exit code is that of its limit. An unsolvable data set is an
/// ordinary answer.
pub(crate) fn contest<P: Puzzle>(args: &PuzzleArgs<P>) -> Result<Exit, Failure> {
    let source = Source::contest::<P>(args.file.as_deref().unwrap_or("-"))?;
    let session = Session::start(&args.search, false, false, BrokenPipe::IsAnError);
    let mut exit = Exit::Answered;
    // Without its plan a cost may take less time.
    let count_only = args.count_only;
    let solve = |instance: &P::Instance, engine, budget: &_| {
        if count_only {
            let Answer { outcome, engine } = P::solve_cost(instance, engine, budget)?;
            Ok(Answer { outcome: outcome.map(|()| None), engine })
        } else {
            let Answer { outcome, engine } = P::solve(instance, engine, budget)?;
            Ok(Answer { outcome: outcome.map(Some), engine })
        }
    };
    let end = session.for_each(
        source.data_sets::<P>(&args.search.options),
        |DataSet { name, instance, .. }| session.solve_by(solve, name, instance, &session.budget()),
        |solution| {
            session.print_stats(&solution);
            let (instance, verdict) = (&solution.instance, &solution.outcome.verdict);
            if let Verdict::Stopped { limit, lower_bound, .. } = verdict {
                let least = moves::<P>(instance, *lower_bound);
                session.message(format_args!(
                    "{}: stopped, {limit}: any plan has at least {least}",
                    solution.name
                ));
                exit = exit.max(Exit::from_verdict(verdict));
            }
            session.write(|out| {
                match verdict {
                    Verdict::Solved { cost, plan: None } => write!(out, "{cost}")?,
                    Verdict::Solved { plan: Some(plan), .. } => {
                        P::write_contest(instance, plan, out)?
                    }
                    Verdict::Unsolvable => write!(out, "{}", P::CONTEST_UNSOLVABLE)?,
                    Verdict::Stopped { .. } => write!(out, "?")?,
                }
                writeln!(out)
            })
        },
    )?;
    session.finish()?;
    Ok(exit.max(end.exit()))
}
