//! `solve`: the plan, and what is proved of it.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::Verdict;

use crate::args::SolveArgs;
use crate::diagnostic;
use crate::exit::{Exit, Failure};
use crate::input::{DataSet, Source};
use crate::message::is_quiet;
use crate::picture::{Draw, Pictures};
use crate::puzzle::Puzzle;
use crate::report::{self, Solution};
use crate::session::Session;
use crate::summary::Summary;

/// A data set with what is to be told of it.
struct Answered<P: Puzzle> {
    solution: Solution<P>,
    /// How long it took.
    elapsed: Duration,
    /// What kept the shortest plans from being counted.
    uncounted: Option<Limit>,
    /// Whether it is the only one of this call.
    alone: bool,
}

/// Writes a report a data set, each as soon as it and those before it are known.
pub(crate) fn solve<P: Puzzle>(args: &SolveArgs<P>) -> Result<Exit, Failure> {
    let pictures = pictures(args)?;
    let sources = Source::instances::<P>(&args.instances)?;
    let session = Session::start(&args.search, args.show);
    let start = Instant::now();
    let data_sets = sources.iter().flat_map(|source| source.data_sets::<P>(&args.search.options));
    let mut exit = Exit::Answered;
    let mut summary = Summary::default();
    let mut number = 0;
    let end = session.each(
        data_sets,
        |data_set| answer(args, &session, data_set, sources.len() == 1),
        |Answered { solution, elapsed, uncounted, alone }| {
            number += 1;
            session.tell_stats(&solution);
            exit = exit.max(Exit::of(&solution.outcome.verdict));
            summary.add(&solution);
            // The plan that is known is not lost with what is not.
            let name = &solution.name;
            if let Some(limit) = uncounted {
                session.message(format_args!(
                    "{name}: the shortest plans were not counted: stopped, {limit}"
                ));
            }
            let unlisted = solution.every.as_ref().and_then(|every| every.limit);
            if let Some(limit) = unlisted {
                session.message(format_args!(
                    "{name}: the list of plans is incomplete: stopped, {limit}"
                ));
            }
            exit = uncounted.or(unlisted).map_or(exit, |limit| exit.max(Exit::at(limit)));
            let writing = Instant::now();
            write(args, &session, pictures.as_ref(), &solution)?;
            let Some(pictures) = &pictures else { return Ok(()) };
            // The answer reaches its reader before the picture is drawn.
            session.finish()?;
            let file = pictures.file((!alone).then_some(number))?;
            // The picture has the time that solving and writing left. Waiting for earlier data sets
            // does not count.
            let budget = session.budget_after(elapsed + writing.elapsed());
            let drawn = draw(args, &session, pictures, &solution, file.as_deref(), &budget);
            // Neither its own answer nor those of other data sets are lost with a picture.
            drawn.or_else(|failure| {
                let Some(of_this) = failure.exit() else { return Err(failure) };
                exit = exit.max(of_this);
                if pictures.are_text() {
                    session.write(|out| report::write_moves(&solution, out))?;
                }
                match failure {
                    Failure::Stopped(limit) => {
                        let what = if pictures.are_files() {
                            "no picture was written"
                        } else {
                            "the picture ends early"
                        };
                        session.message(format_args!("{}: {what}: {limit}", solution.name));
                    }
                    other => session
                        .message(format_args!("{}", diagnostic::render(&other.of(&solution.name)))),
                }
                Ok(())
            })
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
    let inputs = args.instances.iter().map(String::as_str);
    let pictures = args
        .picture
        .settle(inputs.chain(P::second_file(&args.search.options).map(|(file, _)| file)))?;
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
    let (start, budget) = (Instant::now(), session.budget());
    let mut solution = session.solve(name, instance, &budget)?;
    let mut uncounted = None;
    if matches!(solution.outcome.verdict, Verdict::Solved { .. }) {
        match P::every(&solution.instance, &args.listed, &budget) {
            Ok(every) => solution.every = every,
            Err(Failure::Stopped(limit)) => uncounted = Some(limit),
            Err(failure) => return Err(failure.of(&solution.name)),
        }
    }
    Ok(Answered { solution, elapsed: start.elapsed(), uncounted, alone: alone && only_text })
}

/// Writes an answer, unless a picture takes its place on standard output.
fn write<P: Puzzle>(
    args: &SolveArgs<P>,
    session: &Session<'_, P>,
    pictures: Option<&Pictures>,
    solution: &Solution<P>,
) -> Result<(), Failure> {
    if pictures.is_none_or(Pictures::are_files) {
        session.write(|out| match () {
            () if args.json => report::write_json(solution, out),
            () if args.hint => report::write_hint(solution, out),
            () => report::write_text(solution, out),
        })?;
    } else if pictures.is_some_and(Pictures::are_text) {
        // The answer is not lost with its picture.
        session.write(|out| report::write_heading(solution, out))?;
    }
    Ok(())
}

/// Draws an answer.
fn draw<P: Puzzle>(
    args: &SolveArgs<P>,
    session: &Session<'_, P>,
    pictures: &Pictures,
    solution: &Solution<P>,
    file: Option<&Path>,
    budget: &Budget,
) -> Result<(), Failure> {
    let plan = solution.outcome.plan().map_or(&[][..], Vec::as_slice);
    let print = |draw: &mut Draw<'_>| {
        session.write_with(|out| {
            draw(out)?;
            if pictures.are_text() { Ok(writeln!(out)?) } else { Ok(()) }
        })
    };
    pictures.draw::<P>((&solution.instance, plan), &args.picture.options, file, budget, print)
}
