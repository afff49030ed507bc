//! `solve`: finds a plan and reports what is proved about it.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::Verdict;
use fewest_rules::replay;

use crate::args::SolveArgs;
use crate::diagnostic;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{DataSet, Source};
use crate::message::is_quiet;
use crate::output::BrokenPipe;
use crate::picture::{Draw, Pictures};
use crate::puzzle::{PlanListing, Puzzle};
use crate::report::{self, Solution};
use crate::session::Session;
use crate::summary::Summary;

/// The result of one data set.
struct Answered<P: Puzzle> {
    solution: Solution<P>,
    /// The time of the search, including the search for all shortest plans.
    elapsed: Duration,
    /// The limit that stopped the count of the shortest plans.
    count_limit: Option<Limit>,
    /// Whether it is the only data set of the run.
    is_only: bool,
}

/// Writes the report of each data set as soon as it and all earlier reports are known.
pub(crate) fn solve<P: Puzzle>(args: &SolveArgs<P>) -> Result<Exit, Failure> {
    let pictures = pictures(args)?;
    let sources = Source::instances::<P>(&args.instances)?;
    let session = Session::start(
        &args.search,
        args.show,
        args.plan_args.lists_plans(),
        BrokenPipe::discards_if(pictures.as_ref().is_some_and(Pictures::are_files)),
    );
    let start = Instant::now();
    let data_sets = sources.iter().flat_map(|source| source.data_sets::<P>(&args.search.options));
    let mut exit = Exit::Answered;
    let mut summary = Summary::default();
    let mut number = 0;
    let end = session.for_each(
        data_sets,
        |data_set| answer(args, &session, data_set, sources.len() == 1),
        |Answered { solution, elapsed, count_limit, is_only }| {
            number += 1;
            session.print_stats(&solution);
            exit = exit.max(Exit::from_verdict(&solution.outcome.verdict));
            summary.add(&solution);
            // The plan is printed even if the count or the list of all plans is incomplete.
            let name = &solution.name;
            if let Some(limit) = count_limit {
                session.message(format_args!(
                    "{name}: the shortest plans were not counted: stopped, {limit}"
                ));
            }
            let list_limit = solution.shortest_plans.as_ref().and_then(|plans| plans.limit);
            if let Some(limit) = list_limit {
                session.message(format_args!(
                    "{name}: the list of plans is incomplete: stopped, {limit}"
                ));
            }
            exit =
                count_limit.or(list_limit).map_or(exit, |limit| exit.max(Exit::from_limit(limit)));
            let writing = Instant::now();
            write(args, &session, pictures.as_ref(), &solution)?;
            let Some(pictures) = &pictures else { return Ok(()) };
            // Flush the answer before the picture, which may take long.
            session.finish()?;
            let file = pictures.file((!is_only).then_some(number))?;
            // The picture may use the time that solving and writing left. The time spent waiting
            // for earlier data sets does not count.
            let plan_bytes = solution.shortest_plans.as_ref().map_or(0, |plans| plans.plan_bytes);
            let budget = session.budget_after(elapsed + writing.elapsed(), plan_bytes);
            let drawn = draw(args, &session, pictures, &solution, file.as_deref(), &budget);
            // If a picture cannot be drawn, its own plan and the other data sets are still
            // reported. A file that cannot be written ends the run.
            drawn.or_else(|failure| {
                let Some(picture_exit) = failure.exit() else { return Err(failure) };
                exit = exit.max(picture_exit);
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
                    other => session.message(format_args!(
                        "{}",
                        diagnostic::render(&other.in_data_set(&solution.name))
                    )),
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

/// The resolved picture options; `None` without `--show`.
fn pictures<P: Puzzle>(args: &SolveArgs<P>) -> Result<Option<Pictures>, Failure> {
    if !args.show {
        return Ok(None);
    }
    let inputs = args.instances.iter().map(String::as_str);
    let pictures = args
        .picture
        .resolve(inputs.chain(P::second_file(&args.search.options).map(|(file, _)| file)))?;
    if args.json && !pictures.are_files() {
        return Err(Failure::usage_with_hint(
            "`--json` and a picture cannot both go to standard output",
            "use `-o FILE` to write the picture to a file",
        ));
    }
    Ok(Some(pictures))
}

/// Solves a data set and, with `--all`, finds all shortest plans.
fn answer<P: Puzzle>(
    args: &SolveArgs<P>,
    session: &Session<'_, P>,
    DataSet { name, is_only, instance }: DataSet<P>,
    is_only_text: bool,
) -> Result<Answered<P>, Failure> {
    let (start, budget) = (Instant::now(), session.budget());
    let mut solution = session.solve(name, instance, &budget)?;
    let mut count_limit = None;
    if matches!(solution.outcome.verdict, Verdict::Solved { .. }) {
        match P::shortest_plans(&solution.instance, &args.plan_args, &budget) {
            Ok(plans) => solution.shortest_plans = plans,
            Err(Failure::Stopped(limit)) => count_limit = Some(limit),
            Err(failure) => return Err(failure.in_data_set(&solution.name)),
        }
    }
    let is_only = is_only && is_only_text;
    Ok(Answered { solution, elapsed: start.elapsed(), count_limit, is_only })
}

/// Writes the answer, unless a picture takes its place on standard output.
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
        // The plan is printed below the heading if the picture fails.
        session.write(|out| report::write_heading(solution, out))?;
    }
    Ok(())
}

/// Draws the plan of an answer.
fn draw<P: Puzzle>(
    args: &SolveArgs<P>,
    session: &Session<'_, P>,
    pictures: &Pictures,
    solution: &Solution<P>,
    file: Option<&Path>,
    budget: &Budget,
) -> Result<(), Failure> {
    let no_plan = replay(&solution.instance, Vec::new()).map_err(Failure::plan_refused)?;
    let plan = solution.outcome.plan().map_or(&no_plan, |plan| plan);
    let print = |draw: &mut Draw<'_>| {
        session.write_with(|out| {
            draw(out)?;
            if pictures.are_text() { Ok(writeln!(out)?) } else { Ok(()) }
        })
    };
    pictures.draw::<P>((&solution.instance, plan), &args.picture.options, file, budget, print)
}
