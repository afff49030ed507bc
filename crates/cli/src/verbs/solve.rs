//! `solve`: the plan, and what is proved of it.

use std::io::Write;
use std::time::Instant;

use fewest_core::budget::Limit;
use fewest_core::outcome::Verdict;

use crate::args::SolveArgs;
use crate::exit::{Exit, Failure};
use crate::input::{DataSet, Source};
use crate::message::is_quiet;
use crate::picture::{Pictures, film, write_file};
use crate::puzzle::Puzzle;
use crate::report::{self, Solution};
use crate::session::Session;
use crate::summary::Summary;

/// A data set with what is to be told of it.
struct Answered<P: Puzzle> {
    solution: Solution<P>,
    /// What kept the shortest plans from being counted.
    uncounted: Option<Limit>,
    /// Whether it is the only one of this call.
    alone: bool,
}

/// Writes a report a data set, each as soon as it and those before it are known.
pub(crate) fn solve<P: Puzzle>(args: &SolveArgs<P>) -> Result<Exit, Failure> {
    let pictures = pictures(args)?;
    let sources = Source::instances::<P>(&args.instances)?;
    let session = Session::start(&args.search);
    let start = Instant::now();
    let data_sets = sources.iter().flat_map(|source| source.data_sets::<P>(&args.search.options));
    let mut exit = Exit::Answered;
    let mut summary = Summary::default();
    let mut number = 0;
    let end = session.each(
        data_sets,
        |data_set| answer(args, &session, data_set, sources.len() == 1),
        |Answered { solution, uncounted, alone }| {
            number += 1;
            session.tell_stats(&solution);
            exit = exit.max(Exit::of(&solution.outcome.verdict));
            summary.add(&solution);
            // The plan that is known is not lost with what is not.
            let name = &solution.name;
            if let Some(limit) = uncounted {
                session.message(format_args!("{name}: the shortest plans were not counted: stopped, {limit}"));
            }
            let unlisted = solution.every.as_ref().and_then(|every| every.limit);
            if let Some(limit) = unlisted {
                session.message(format_args!("{name}: not all that were wanted are listed: stopped, {limit}"));
            }
            exit = uncounted.or(unlisted).map_or(exit, |limit| exit.max(Exit::at(limit)));
            write(args, &session, pictures.as_ref(), &solution, (!alone).then_some(number))
        },
    )?;
    session.finish()?;
    if let Some(table) = summary.table(end, start.elapsed()).filter(|_| !is_quiet()) {
        session.message(format_args!("{table}"));
    }
    Ok(exit.max(end.exit()))
}

/// The pictures that are wanted.
fn pictures<P: Puzzle>(args: &SolveArgs<P>) -> Result<Option<Pictures>, Failure> {
    if !args.show {
        return Ok(None);
    }
    let pictures = args.picture.settle()?;
    if args.json && !pictures.are_files() {
        return Err(Failure::advised(
            "`--json` and a picture cannot both go to standard output",
            "`-o FILE` writes the picture to a file",
        ));
    }
    Ok(Some(pictures))
}

fn answer<P: Puzzle>(
    args: &SolveArgs<P>,
    session: &Session<'_, P>,
    DataSet { name, alone, instance }: DataSet<P>,
    only_text: bool,
) -> Result<Answered<P>, Failure> {
    let budget = session.budget();
    let mut solution = session.solve(name, instance, &budget)?;
    let mut uncounted = None;
    if matches!(solution.outcome.verdict, Verdict::Solved { .. }) {
        match P::every(&solution.instance, &args.listed, &budget) {
            Ok(every) => solution.every = every,
            Err(Failure::Stopped(limit)) => uncounted = Some(limit),
            Err(failure) => return Err(failure.of(&solution.name)),
        }
    }
    Ok(Answered { solution, uncounted, alone: alone && only_text })
}

/// Writes an answer, and draws it if that is wanted; `number` counts from 1 where there are several.
fn write<P: Puzzle>(
    args: &SolveArgs<P>,
    session: &Session<'_, P>,
    pictures: Option<&Pictures>,
    solution: &Solution<P>,
    number: Option<usize>,
) -> Result<(), Failure> {
    if pictures.is_none_or(Pictures::are_files) {
        session.write(|out| match () {
            () if args.json => report::write_json(solution, out),
            () if args.hint => report::write_hint(solution, out),
            () => report::write_text(solution, out),
        })?;
    }
    let Some(pictures) = pictures else { return Ok(()) };
    // The answer is not lost with its picture.
    if pictures.are_text() {
        session.write(|out| report::write_heading(solution, out))?;
    }
    let of_this = |failure: Failure| failure.of(&solution.name);
    let file = pictures.file(number)?;
    let plan = solution.outcome.plan().map_or(&[][..], Vec::as_slice);
    let film = film::<P>(&solution.instance, plan, &args.picture.options).map_err(of_this)?;
    let draw = || pictures.draw(&film);
    let picture = if pictures.take_long() { session.unattended(draw)? } else { draw() }.map_err(of_this)?;
    match file {
        Some(file) => write_file(&file, &picture),
        None => session.write(|out| {
            out.write_all(&picture)?;
            if pictures.are_text() { writeln!(out) } else { Ok(()) }
        }),
    }
}
