//! `solve`: finds a plan and reports what is proved about it.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{ArgMatches, Args, Command};
use fewest_core::budget::Budget;
use fewest_core::outcome::Verdict;
use fewest_core::search::Answer;
use fewest_puzzle::SolveError;
use fewest_puzzle::results::{self, SolveReport};
use fewest_puzzle::solution::Solution;

use crate::PuzzleRef;
use crate::args::{SearchArgs, instances, instances_arg, parsed, reader, with};
use crate::diagnostic;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{DataSet, Source};
use crate::message::is_quiet;
use crate::output::BrokenPipe;
use crate::picture::{Draw, PictureArgs, Pictures};
use crate::session::Session;
use crate::summary::Summary;

#[derive(Args)]
#[group(skip)]
struct OutputArgs {
    /// Print one JSON object per data set, one object per line
    #[arg(long)]
    json: bool,

    /// Print only the first move of a shortest plan
    #[arg(long, conflicts_with = "json")]
    hint: bool,
}

/// Options to count and list all shortest plans.
#[derive(Args)]
#[group(skip)]
struct AllPlansArgs {
    /// Count all shortest plans, as sequences of boards, and list the first of them. `--show` draws
    /// only the first
    #[arg(long, conflicts_with = "hint")]
    all: bool,

    /// List at most this number of shortest plans; `verify` reads one plan per data set, so use 1
    /// for it
    #[arg(long, value_name = "COUNT", default_value_t = 1, requires = "all")]
    limit: usize,
}

impl AllPlansArgs {
    /// The number of plans to list; `None` without `--all`.
    fn max_plans(&self) -> Option<usize> {
        self.all.then_some(self.limit)
    }
}

#[derive(Args)]
#[group(skip)]
struct ShowArgs {
    /// Draw the plan. The picture replaces the moves on standard output; with `-o` it goes to a
    /// file and the moves are printed as well
    #[arg(long, conflicts_with = "hint", help_heading = "Pictures")]
    show: bool,
}

/// What to print.
#[derive(Args)]
#[group(skip)]
struct SolveArgs {
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    show: ShowArgs,
}

pub(super) fn command(puzzle: PuzzleRef) -> Option<Command> {
    let command = Command::new("solve")
        .about("Find a shortest plan, or prove that there is none")
        .long_about(
            "Find a shortest plan, or prove that there is none\n\n\
             Prints for each data set: its name as a comment (`klotski` and `wall-pusher`: also its \
             board); a line with the result; and the plan, one move per line.",
        )
        .arg(instances_arg(puzzle));
    let command = with::<OutputArgs>(SearchArgs::add_to(command, puzzle));
    let command = match puzzle.verbs().count_plans {
        true => with::<AllPlansArgs>(command),
        false => command,
    };
    let command = puzzle.picture_arguments(with::<PictureArgs>(with::<ShowArgs>(command)));
    Some(command.mut_args(|arg| match arg.get_help_heading() {
        Some("Pictures") if arg.get_id() != "show" => arg.requires("show"),
        _ => arg,
    }))
}

/// The result of one data set.
struct Answered {
    solution: Solution,
    /// The time of the search, including the search for all shortest plans.
    elapsed: Duration,
    /// Whether it is the only data set of the run.
    is_only: bool,
}

/// Writes the report of each data set as soon as it and all earlier reports are known.
pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let args: SolveArgs = parsed(matches)?;
    let search: SearchArgs = parsed(matches)?;
    let instances = instances(matches);
    let reader = reader(puzzle, matches)?;
    let all_plans = match puzzle.verbs().count_plans {
        true => parsed::<AllPlansArgs>(matches)?.max_plans(),
        false => None,
    };
    let pictures = pictures(&args, matches, &instances, reader.second_text())?;
    let sources = Source::instances(puzzle, &instances)?;
    let session = Session::start(
        &search,
        args.show.show,
        all_plans.is_some(),
        BrokenPipe::discards_if(pictures.as_ref().is_some_and(Pictures::are_files)),
    );
    let start = Instant::now();
    let data_sets = sources.iter().flat_map(|source| source.data_sets(&*reader));
    let mut exit = Exit::Answered;
    let mut summary = Summary::default();
    let mut number = 0;
    let end = session.for_each(
        data_sets,
        |data_set| answer(&session, data_set, all_plans, sources.len() == 1),
        |Answered { solution, elapsed, is_only }| {
            number += 1;
            let Solution { name, outcome, .. } = &solution;
            if search.stats {
                session.print_stats(name, solution.engine, outcome.stats, solution.elapsed);
            }
            exit = exit.max(Exit::from_verdict(&solution.outcome.verdict));
            summary.add(&solution);
            // The plan is printed even if the count or the list of all plans is incomplete.
            let incomplete = match &solution.shortest_plans {
                Some(Err(limit)) => Some(("the shortest plans were not counted", *limit)),
                Some(Ok(plans)) => {
                    plans.limit().map(|limit| ("the list of plans is incomplete", limit))
                }
                None => None,
            };
            if let Some((what, limit)) = incomplete {
                session.message(format_args!("{name}: {what}: stopped, {limit}"));
                exit = exit.max(Exit::from_limit(limit));
            }
            let writing = Instant::now();
            write(puzzle, &args, &session, pictures.as_ref(), &solution)?;
            let Some(pictures) = &pictures else { return Ok(()) };
            // Flush the answer before the picture, which may take long.
            session.finish()?;
            let file = pictures.file((!is_only).then_some(number))?;
            // The picture may use the time that solving and writing left. The time spent waiting
            // for earlier data sets does not count.
            let plan_bytes = solution.all_plans().map_or(0, |plans| plans.plan_bytes());
            let elapsed = elapsed + writing.elapsed();
            let budget = session.budget_after(elapsed, plan_bytes, is_only);
            let drawn = draw(&session, pictures, &solution, file.as_deref(), &budget);
            // If a picture cannot be drawn, its own plan and the other data sets are still
            // reported. A file that cannot be written ends the run.
            drawn.or_else(|failure| {
                let Some(picture_exit) = failure.exit() else { return Err(failure) };
                exit = exit.max(picture_exit);
                if pictures.are_text() {
                    session.write(|out| solution.write_moves(out))?;
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
fn pictures<'a>(
    args: &SolveArgs,
    matches: &'a ArgMatches,
    instances: &[String],
    second: Option<&str>,
) -> Result<Option<Pictures<'a>>, Failure> {
    if !args.show.show {
        return Ok(None);
    }
    let inputs = instances.iter().map(String::as_str).chain(second);
    let pictures = Pictures::resolve(matches, inputs)?;
    if args.output.json && !pictures.are_files() {
        return Err(Failure::usage_with_hint(
            "`--json` and a picture cannot both go to standard output",
            "use `-o FILE` to write the picture to a file",
        ));
    }
    Ok(Some(pictures))
}

/// Solves a data set and, with `--all`, finds all shortest plans.
fn answer(
    session: &Session<'_>,
    data_set: DataSet<'_>,
    all_plans: Option<usize>,
    is_only_text: bool,
) -> Result<Answered, Failure> {
    let (name, is_only) = (data_set.name(), data_set.is_only() && is_only_text);
    let (start, budget) = (Instant::now(), session.budget(is_only));
    let instance = data_set.instance;
    let in_data_set = |error: SolveError| Failure::from(error).in_data_set(&name);
    let Answer { mut outcome, engine } =
        Arc::clone(&instance).solve(session.engine(), &budget).map_err(in_data_set)?;
    let elapsed = start.elapsed();
    let mut shortest_plans = None;
    if let (Some(max_plans), Verdict::Solved { .. }) = (all_plans, &outcome.verdict) {
        let listed = Arc::clone(&instance).list_shortest_plans(max_plans, &budget);
        shortest_plans = match listed.map_err(in_data_set)?.verdict {
            Verdict::Solved { plan: plans, .. } => {
                if let (Some(first), Verdict::Solved { plan, .. }) =
                    (plans.first(), &mut outcome.verdict)
                {
                    *plan = first;
                }
                Some(Ok(plans))
            }
            Verdict::Unsolvable => None,
            Verdict::Stopped { limit, .. } => Some(Err(limit)),
        };
    }
    let solution = Solution { name, instance, outcome, shortest_plans, engine, elapsed };
    Ok(Answered { solution, elapsed: start.elapsed(), is_only })
}

/// Writes the answer, unless a picture takes its place on standard output.
fn write(
    puzzle: PuzzleRef,
    args: &SolveArgs,
    session: &Session<'_>,
    pictures: Option<&Pictures<'_>>,
    solution: &Solution,
) -> Result<(), Failure> {
    if pictures.is_none_or(Pictures::are_files) {
        session.write(|out| match () {
            () if args.output.json => results::write(puzzle, &SolveReport::new(solution), out),
            () if args.output.hint => solution.write_hint(out),
            () => solution.write_text(out),
        })?;
    } else if pictures.is_some_and(Pictures::are_text) {
        // The plan is printed below the heading if the picture fails.
        session.write(|out| solution.write_heading(out))?;
    }
    Ok(())
}

/// Draws the plan of an answer, or the board if there is none.
fn draw(
    session: &Session<'_>,
    pictures: &Pictures<'_>,
    solution: &Solution,
    file: Option<&Path>,
    budget: &Budget,
) -> Result<(), Failure> {
    let print = |draw: &mut Draw<'_>| {
        session.write_with(|out| {
            draw(out)?;
            if pictures.are_text() { Ok(writeln!(out)?) } else { Ok(()) }
        })
    };
    pictures.draw(&*solution.instance, solution.plan(), file, budget, print)
}
