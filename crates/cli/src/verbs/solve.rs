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
    let mut session = Session::start(search);
    let mut exit = Exit::Answered;
    for data_set in source.data_sets::<P>(&search.options) {
        let (name, instance) = data_set?;
        let mut solution = session.solve(name, &instance)?;
        if matches!(solution.outcome.verdict, Verdict::Solved { .. }) {
            solution.every = P::every(&instance, show, &session.budget())?;
        }
        session.write(|out| match form {
            Form::Json => report::write_json(&solution, out),
            Form::Text => report::write_text(&solution, show, out),
            Form::Hint => report::write_hint(&solution, out),
        })?;
        exit = exit.max(Exit::of(&solution.outcome.verdict));
        if exit == Exit::Interrupted {
            break;
        }
    }
    Ok(exit)
}
