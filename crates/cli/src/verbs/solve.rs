//! `solve`: the plan, and what is proved of it.

use crate::args::SearchArgs;
use crate::exit::{Exit, Failure};
use crate::input::Source;
use crate::puzzle::Puzzle;
use crate::report;
use crate::session::Session;

/// Writes a report a data set, each as soon as it is known.
pub(crate) fn solve<P: Puzzle>(
    instance: &str,
    search: &SearchArgs<P>,
    json: bool,
    show: &P::Show,
) -> Result<Exit, Failure> {
    let source = Source::instance::<P>(instance)?;
    let mut session = Session::start(search);
    let mut exit = Exit::Answered;
    for data_set in source.data_sets::<P>(&search.options) {
        let (name, instance) = data_set?;
        let solution = session.solve(name, &instance)?;
        session.write(|out| match json {
            true => report::write_json(&solution, out),
            false => report::write_text(&solution, show, out),
        })?;
        exit = exit.max(Exit::of(&solution.outcome.verdict));
        if exit == Exit::Interrupted {
            break;
        }
    }
    Ok(exit)
}
