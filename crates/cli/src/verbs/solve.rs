//! `solve`: the plan, and what is proved of it.

use std::io::Write;

use fewest_core::outcome::Verdict;

use crate::args::SearchArgs;
use crate::exit::{Exit, Failure};
use crate::input::Source;
use crate::picture::{PictureArgs, Pictures, film};
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

/// The pictures that are wanted.
fn pictures<P: Puzzle>(form: Form, show: bool, picture: &PictureArgs<P>) -> Result<Option<Pictures>, Failure> {
    if !show {
        let usage = || Failure::Usage("`--format`, `--output` and `--animate` are for `--show`".to_owned());
        return if picture.is_given() { Err(usage()) } else { Ok(None) };
    }
    let pictures = picture.settle()?;
    if matches!(form, Form::Json) && !pictures.are_files() {
        return Err(Failure::Usage("`--json` and a picture cannot both go to standard output; `-o FILE`".to_owned()));
    }
    Ok(Some(pictures))
}

/// Writes a report a data set, each as soon as it is known.
pub(crate) fn solve<P: Puzzle>(
    instance: &str,
    search: &SearchArgs<P>,
    form: Form,
    listed: &P::Show,
    show: bool,
    picture: &PictureArgs<P>,
) -> Result<Exit, Failure> {
    let pictures = pictures(form, show, picture)?;
    let source = Source::instance::<P>(instance)?;
    let session = Session::start(search);
    let mut exit = Exit::Answered;
    let mut data_sets = source.data_sets::<P>(&search.options).peekable();
    let mut number = 0;
    while let Some(data_set) = data_sets.next() {
        let (name, instance) = data_set?;
        number += 1;
        let budget = session.budget();
        let mut solution = session.solve(name, &instance, &budget)?;
        exit = exit.max(Exit::of(&solution.outcome.verdict));
        if matches!(solution.outcome.verdict, Verdict::Solved { .. }) {
            match P::every(&instance, listed, &budget) {
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
        if pictures.as_ref().is_none_or(Pictures::are_files) {
            session.write(|out| match form {
                Form::Json => report::write_json(&solution, out),
                Form::Text => report::write_text(&solution, out),
                Form::Hint => report::write_hint(&solution, out),
            })?;
        }
        if let Some(pictures) = &pictures {
            let mut drawn = Vec::new();
            if pictures.are_text() {
                report::write_heading(&solution, &mut drawn)?;
            }
            let plan = solution.outcome.plan().map_or(&[][..], Vec::as_slice);
            let several = number > 1 || data_sets.peek().is_some();
            let film = film::<P>(&instance, plan, &picture.options)?;
            pictures.draw(&film, several.then_some(number), &mut drawn)?;
            if pictures.are_text() {
                drawn.push(b'\n');
            }
            session.write(|out| out.write_all(&drawn))?;
        }
        if exit == Exit::Interrupted {
            break;
        }
    }
    session.finish()?;
    Ok(exit)
}
