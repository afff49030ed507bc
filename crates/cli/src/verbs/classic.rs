//! Classic mode: the judges' text in, the judges' answer out.

use std::io::Write;

use fewest_core::outcome::Verdict;

use crate::args::PuzzleArgs;
use crate::exit::{Exit, Failure};
use crate::input::{DataSet, Source};
use crate::puzzle::{Puzzle, moves};
use crate::session::Session;

/// Writes an answer a data set, each as soon as it and those before it are known. A stopped search
/// is answered by `?`, and ends the program with the code of its limit; no solution is an answer
/// like any other.
pub(crate) fn classic<P: Puzzle>(args: &PuzzleArgs<P>) -> Result<Exit, Failure> {
    let source = Source::classic::<P>(args.file.as_deref().unwrap_or("-"))?;
    let session = Session::start(&args.search, false);
    let mut exit = Exit::Answered;
    let solve = if args.count_only { P::count } else { P::solve };
    let end = session.each(
        source.data_sets::<P>(&args.search.options),
        |DataSet { name, instance, .. }| session.solve_by(solve, name, instance, &session.budget()),
        |solution| {
            session.tell_stats(&solution);
            let (instance, verdict) = (&solution.instance, &solution.outcome.verdict);
            if let Verdict::Stopped { limit, lower_bound, .. } = verdict {
                let least = moves::<P>(instance, *lower_bound);
                session.message(format_args!(
                    "{}: stopped, {limit}: any plan has at least {least}",
                    solution.name
                ));
                exit = exit.max(Exit::of(verdict));
            }
            session.write(|out| {
                match verdict {
                    Verdict::Solved { cost, .. } if args.count_only => write!(out, "{cost}")?,
                    Verdict::Solved { plan, .. } => P::write_classic(instance, plan, out)?,
                    Verdict::Unsolvable => write!(out, "{}", P::CLASSIC_UNSOLVABLE)?,
                    Verdict::Stopped { .. } => write!(out, "?")?,
                }
                writeln!(out)
            })
        },
    )?;
    session.finish()?;
    Ok(exit.max(end.exit()))
}
