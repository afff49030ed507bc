//! `solve`: the plan, and what is proved of it.

use fewest_core::outcome::Verdict;

use crate::args::SearchArgs;
use crate::exit::{Exit, Failure};
use crate::input::Source;
use crate::puzzle::Puzzle;
use crate::report;
use crate::session::Session;

/// How an answer is written.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Text,
    Json,
    /// The next move alone.
    Hint,
}

/// Writes a report a data set, each as soon as it is known.
pub(crate) fn solve<P: Puzzle>(
    instance: &str,
    search: &SearchArgs<P>,
    form: Form,
    show: &P::Show,
) -> Result<Exit, Failure> {
    let source = Source::instance::<P>(instance)?;
    let session = Session::start(search);
    let mut exit = Exit::Answered;
    for data_set in source.data_sets::<P>(&search.options) {
        let (name, instance) = data_set?;
        let budget = session.budget();
        let mut solution = session.solve(name, &instance, &budget)?;
        exit = exit.max(Exit::of(&solution.outcome.verdict));
        if matches!(solution.outcome.verdict, Verdict::Solved { .. }) {
            match P::every(&instance, show, &budget) {
                Ok(every) => solution.every = every,
                // The plan that is known is not lost with it.
                Err(Failure::Stopped(limit)) => {
                    session.message(format_args!(
                        "{}: the shortest plans were not counted: stopped, {limit}",
                        solution.name
                    ));
                    exit = exit.max(Exit::at(limit));
                }
                Err(failure) => return Err(failure),
            }
            if let Some(limit) = solution.every.as_ref().and_then(|every| every.limit) {
                session
                    .message(format_args!("{}: not all that were wanted are listed: stopped, {limit}", solution.name));
                exit = exit.max(Exit::at(limit));
            }
        }
        session.write(|out| match form {
            Form::Json => report::write_json(&solution, out),
            Form::Text => report::write_text(&solution, show, out),
            Form::Hint => report::write_hint(&solution, out),
        })?;
        if exit == Exit::Interrupted {
            break;
        }
    }
    session.finish()?;
    Ok(exit)
}
