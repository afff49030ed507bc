//! `show`: a board, or a plan on it, as a picture.

use std::io::{self, Write};

use crate::exit::{Exit, Failure, message};
use crate::input::Source;
use crate::picture::{PictureArgs, film};
use crate::plan_text::Plans;
use crate::puzzle::Puzzle;

/// Draws each data set, with its plan if there is one.
pub(crate) fn show<P: Puzzle>(
    instance: &str,
    plan: Option<&str>,
    picture: &PictureArgs<P>,
    options: &P::Options,
) -> Result<Exit, Failure> {
    let pictures = picture.settle()?;
    let plans = plan.map(|plan| Source::plan::<P>(plan, instance, options)).transpose()?;
    let mut plans = plans.as_ref().map(Plans::read).transpose()?;
    let source = Source::instance::<P>(instance)?;
    let mut out = io::stdout().lock();
    let mut exit = Exit::Answered;
    let mut data_sets = source.data_sets::<P>(options).peekable();
    let mut number = 0;
    while let Some(data_set) = data_sets.next() {
        let (name, instance) = data_set?;
        number += 1;
        let several = number > 1 || data_sets.peek().is_some();
        let plan = match &mut plans {
            None => Vec::new(),
            Some(plans) => match plans.next::<P>(&name, &instance)? {
                Ok(plan) => plan,
                Err(refusal) => {
                    message(format_args!("{name}: refused, {refusal}"));
                    exit = Exit::Refused;
                    continue;
                }
            },
        };
        if several && pictures.are_text() {
            writeln!(out, "{}# {name}", if number > 1 { "\n" } else { "" })?;
        }
        let film = film::<P>(&instance, &plan, &picture.options)?;
        pictures.draw(&film, several.then_some(number), &mut out)?;
    }
    plans.map_or(Ok(()), |plans| plans.end(&source.name))?;
    out.flush()?;
    Ok(exit)
}
