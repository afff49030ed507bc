//! `solve`: finds a plan and reports what is proved about it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::parser::ValueSource;
use clap::{ArgGroup, ArgMatches, Args, Command, ValueHint};
use fewest_core::budget::Budget;
use fewest_core::outcome::Verdict;
use fewest_core::search::{Answer, Engine};
use fewest_puzzle::SolveError;
use fewest_puzzle::any::AnyReplay;
use fewest_puzzle::export::csv_error;
use fewest_puzzle::options::OptionSource;
use fewest_puzzle::puzzle::Choice;
use fewest_puzzle::results;
use fewest_puzzle::solve::{Solution, SolveReport, columns, fields};
use fewest_scene::Limits;

use crate::PuzzleRef;
use crate::args::{SearchArgs, instances, instances_arg, parsed, reader, with};
use crate::diagnostic;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::OutputFiles;
use crate::input::{DataSet, Source};
use crate::message::is_quiet;
use crate::output::{BrokenPipe, Out};
use crate::picture::{Draw, PictureArgs, Pictures, title};
use crate::plot::svg;
use crate::session::Session;
use crate::storage::StorageArgs;
use crate::success::Success;
use crate::summary::Summary;
use crate::terminal;
use crate::verbs::verify::Plans;

#[derive(Args)]
#[group(skip)]
struct OutputArgs {
    /// Print one JSON object per data set, one object per line
    #[arg(long)]
    json: bool,

    /// Print one row per data set as CSV, without plans
    #[arg(long, conflicts_with_all = ["json", "hint", "show", "output"])]
    csv: bool,

    /// Print, list or draw only the first move of a shortest plan
    #[arg(long)]
    hint: bool,

    /// Start after the moves of this plan: a file in the form that `solve` prints, or `-` for
    /// standard input. The plan may stop anywhere
    #[arg(long, value_name = "PLAN", value_hint = ValueHint::FilePath)]
    after: Option<PathBuf>,
}

/// Options of puzzles with many agents.
#[derive(Args, Default)]
#[group(skip)]
struct AgentArgs {
    /// Write a chart to this SVG file: the share of solved instances by the number of agents, one line
    /// per map
    #[arg(long, value_name = "FILE.svg", value_parser = svg(), value_hint = ValueHint::FilePath)]
    plot_success: Option<PathBuf>,

    /// Print the cells of all ghosts at each time as the visualizers of multi-agent path finding read
    /// them: `3:(5,16),(2,0)`, with the column and the row, counted from 0
    #[arg(long, conflicts_with_all = ["json", "hint", "csv"])]
    positions: bool,
}

/// Options to count and list all shortest plans.
#[derive(Args)]
#[group(skip)]
struct AllPlansArgs {
    /// Count all shortest plans, as sequences of boards, and list the first of them. `--show` draws
    /// only the first
    #[arg(long, conflicts_with_all = ["hint", "csv"])]
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
    /// Draw the plan. The picture replaces the moves on standard output; `-o` writes it to a file
    /// and implies `--show`
    #[arg(long, help_heading = "Pictures")]
    show: bool,

    /// With `-o`, print the moves on a terminal, too; elsewhere they are always printed
    #[arg(long, help_heading = "Pictures", requires = "output")]
    moves: bool,
}

/// What to print.
#[derive(Args)]
#[group(skip)]
struct SolveArgs {
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    show: ShowArgs,
    /// Only some puzzles have them.
    #[arg(skip)]
    agents: AgentArgs,
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
    let command = with::<OutputArgs>(with::<StorageArgs>(SearchArgs::add_to(command, puzzle)));
    let command = if puzzle.info().verbs.timeline { with::<AgentArgs>(command) } else { command };
    let command = match puzzle.info().verbs.count_plans {
        true => with::<AllPlansArgs>(command),
        false => command,
    };
    let command = with::<PictureArgs>(with::<ShowArgs>(command));
    let command = command.mut_args(|arg| match arg.get_help_heading() {
        Some("Pictures") if !DRAWS.contains(&arg.get_id().as_str()) => arg.requires("draws"),
        _ => arg,
    });
    // Those of the puzzle, such as names of pieces, are for moves as text, too.
    let command = puzzle.picture_arguments(command);
    Some(command.group(ArgGroup::new("draws").args(DRAWS).multiple(true)))
}

/// The options that ask for a picture.
const DRAWS: [&str; 2] = ["show", "output"];

/// The result of one data set.
struct Answered {
    solution: Solution,
    /// The time that the search, and that for all shortest plans, left of `--time`.
    time_left: Option<Duration>,
    /// Whether it is the only data set of the run.
    is_only: bool,
}

/// Writes the report of each data set as soon as it and all earlier reports are known.
pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let mut args: SolveArgs = parsed(matches)?;
    if puzzle.info().verbs.timeline {
        args.agents = parsed(matches)?;
    }
    let search: SearchArgs = parsed(matches)?;
    let storage: StorageArgs = parsed(matches)?;
    storage.check(matches)?;
    let engine = storage.engine(search.engine())?;
    let instances = instances(matches);
    let reader = reader(puzzle, matches)?;
    let all_plans = match puzzle.info().verbs.count_plans {
        true => parsed::<AllPlansArgs>(matches)?.max_plans(),
        false => None,
    };
    let inputs = || instances.iter().chain(&args.output.after).chain(reader.second_texts());
    let pictures = pictures(&args, matches, inputs())?;
    let OutputArgs { json, csv, hint, .. } = args.output;
    if let Some(option) = words_option(puzzle, matches)
        && pictures.is_none()
        && (json || csv || hint)
    {
        let what = format!("`--{option}` is for pictures, and for moves as text");
        return Err(Failure::usage(what));
    }
    let charts = OutputFiles::new(inputs());
    args.agents.plot_success.as_deref().map_or(Ok(()), |file| charts.check_writable(file))?;
    let after = args.output.after.as_ref();
    let after = after.map(|plan| Source::plan(plan, &instances, &*reader)).transpose()?;
    let mut after = after.as_ref().map(Plans::read).transpose()?;
    let sources = Source::instances(puzzle, &instances)?;
    let all = || sources.iter().flat_map(|source| source.data_sets(&*reader));
    if after.is_some() {
        // Each plan is of one data set, so all of them have to be valid.
        all().try_for_each(|data_set| data_set.map(drop))?;
    }
    // The numbers of files have as many digits as their count.
    let count = if pictures.is_some() { all().count() } else { 0 };
    let session = Session::start(
        &search,
        pictures.is_some(),
        all_plans.is_some(),
        BrokenPipe::discards_if(pictures.as_ref().is_some_and(Pictures::are_files)),
    );
    let start = Instant::now();
    let data_sets = all().map(|data_set| match &mut after {
        Some(plans) => play(data_set?, plans),
        None => data_set,
    });
    let mut exit = Exit::Answered;
    let mut summary = Summary::default();
    let mut success = Success::default();
    if args.output.csv {
        session.write(|out| write_csv(out, &columns(puzzle.info().two_texts)))?;
    }
    let mut number = 0;
    let end = session.for_each(
        data_sets,
        |data_set| {
            let is_only = data_set.is_only() && sources.len() == 1;
            let budget = session.budget(is_only);
            let large = storage.apply(budget, puzzle, matches, "solve", &data_set, is_only)?;
            let answered = answer(data_set, engine, all_plans, is_only, &large.budget);
            large.finish(answered.as_ref().map(|answered| answered.solution.limit()))?;
            answered
        },
        |Answered { solution, time_left, is_only }| {
            number += 1;
            let Solution { name, outcome, .. } = &solution;
            if search.stats {
                session.print_stats(name, solution.engine, outcome.stats, solution.elapsed);
            }
            exit = exit.max(Exit::from_verdict(&solution.outcome.verdict));
            if let Some(text) = solution.instance.note().filter(|_| !is_quiet()) {
                session.message(format_args!("note: {name}: {text}"));
            }
            summary.add(&solution);
            success.add(&solution);
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
            write(puzzle, &args, matches, &session, pictures.as_ref(), &solution)?;
            let Some(pictures) = &pictures else { return Ok(()) };
            // Flush the answer before the picture, which may take long.
            session.finish()?;
            let file = pictures.file(number, count)?;
            // The picture may use the time that solving and writing left. The time spent waiting
            // for earlier data sets does not count.
            let plan_bytes = solution.all_plans().map_or(0, |plans| plans.plan_bytes());
            let time_left = time_left.map(|time| time.saturating_sub(writing.elapsed()));
            let budget = session.budget_within(time_left, plan_bytes, is_only);
            let drawn = draw(&session, &args, pictures, &solution, file.as_deref(), &budget);
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
    if let Some(plans) = after.filter(|_| end.exit() == Exit::Answered) {
        plans.expect_end(&sources)?;
    }
    let tables = [summary.table(end, start.elapsed()), success.table()];
    for table in tables.into_iter().flatten().filter(|_| !is_quiet()) {
        session.message(format_args!("{table}"));
    }
    if let Some(file) = &args.agents.plot_success {
        let chart = success.chart();
        charts.write(file, |out| Ok(out.write_all(chart.as_bytes())?))?;
    }
    Ok(exit.max(end.exit()))
}

/// The data set that starts after the moves of the next plan.
fn play<'a>(data_set: DataSet<'a>, plans: &mut Plans<'_>) -> Result<DataSet<'a>, Failure> {
    let (name, instance) = (data_set.name(), &data_set.instance);
    let refused = |refusal| Failure::Refused(format!("{name}: refused, {refusal}"));
    let plan = plans.next(&name, |block| block.replay(instance))?.map_err(refused)?;
    let after = instance.moves(plan.len() as u32);
    let ended = || Failure::Refused(format!("{name}: after {after} nothing is left to solve"));
    let instance = plan.rest().ok_or_else(ended)?;
    Ok(data_set.going_on(after, instance))
}

/// The resolved picture options; `None` without `--show` and `-o`.
fn pictures<'a>(
    args: &SolveArgs,
    matches: &'a ArgMatches,
    inputs: impl IntoIterator<Item: AsRef<Path>>,
) -> Result<Option<Pictures<'a>>, Failure> {
    if !args.show.show && !matches.contains_id("output") {
        return Ok(None);
    }
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
    data_set: DataSet<'_>,
    engine: Option<Engine>,
    all_plans: Option<usize>,
    is_only: bool,
    budget: &Budget,
) -> Result<Answered, Failure> {
    let (name, start) = (data_set.name(), Instant::now());
    let texts = data_set.texts.clone();
    let instance = data_set.instance;
    let in_data_set = |error: SolveError| Failure::from(error).in_data_set(&name);
    let Answer { mut outcome, engine } =
        Arc::clone(&instance).solve(engine, budget).map_err(in_data_set)?;
    let elapsed = start.elapsed();
    let mut shortest_plans = None;
    if let (Some(max_plans), Verdict::Solved { .. }) = (all_plans, &outcome.verdict) {
        let listed = Arc::clone(&instance).list_shortest_plans(max_plans, budget);
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
    let solution = Solution { name, texts, instance, outcome, shortest_plans, engine, elapsed };
    Ok(Answered { solution, time_left: budget.time_left(), is_only })
}

/// Writes a row of CSV.
fn write_csv(out: &mut Out, fields: &[String]) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(fields).map_err(csv_error)?;
    csv.flush()
}

/// The option of the puzzle for other words in pictures and below moves, if it is given.
fn words_option(puzzle: PuzzleRef, matches: &ArgMatches) -> Option<&'static str> {
    let is_given = |choice: &&Choice| {
        choice.is_of_pictures
            && matches.value_source(choice.option) == Some(ValueSource::CommandLine)
    };
    puzzle.info().choices.iter().find(is_given).map(|choice| choice.option)
}

/// The moves of the plan in the words of pictures, if an option gives them other words.
fn captions(puzzle: PuzzleRef, matches: &ArgMatches, solution: &Solution) -> Vec<String> {
    let plan = solution.plan().filter(|_| words_option(puzzle, matches).is_some());
    // The options are valid, and there are no limits.
    let animation =
        plan.and_then(|plan| plan.animation(OptionSource::Arguments(matches), &Limits::NONE).ok());
    let steps = animation.iter().flat_map(|animation| animation.steps());
    steps.map_while(|step| step.caption).collect()
}

/// Writes them as comments, so that the text can still be read as a plan.
fn write_captions(captions: &[String], out: &mut Out) -> io::Result<()> {
    if captions.is_empty() {
        return Ok(());
    }
    (1..).zip(captions).try_for_each(|(number, caption)| writeln!(out, "# {number} {caption}"))?;
    writeln!(out)
}

/// Writes the answer, unless a picture takes its place on standard output.
fn write(
    puzzle: PuzzleRef,
    args: &SolveArgs,
    matches: &ArgMatches,
    session: &Session<'_>,
    pictures: Option<&Pictures<'_>>,
    solution: &Solution,
) -> Result<(), Failure> {
    if pictures.is_none_or(Pictures::are_files) {
        let max_moves = if args.output.hint { 1 } else { usize::MAX };
        let has_moves = pictures.is_none() || args.show.moves || !terminal::stdout_is_terminal();
        session.write(|out| match () {
            () if args.output.csv => write_csv(out, &fields(solution, puzzle.info().two_texts)),
            () if args.output.json => {
                results::write(puzzle.info().name, &SolveReport::new(solution, max_moves), out)
            }
            () if args.output.hint => solution.write_hint(out),
            () if args.agents.positions => solution.write_timeline(out),
            () if has_moves => {
                solution.write_text(out)?;
                write_captions(&captions(puzzle, matches, solution), out)
            }
            () => solution.write_heading(out),
        })?;
    } else if pictures.is_some_and(Pictures::are_text) {
        // The plan is printed below the heading if the picture fails.
        session.write(|out| solution.write_heading(out))?;
    }
    Ok(())
}

/// Draws the plan of an answer, its first move with `--hint`, or the board if there is none.
fn draw(
    session: &Session<'_>,
    args: &SolveArgs,
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
    let (plan, instance) = (solution.plan(), &*solution.instance);
    let first = plan.filter(|_| args.output.hint).map(|plan| plan.first_moves(1));
    let drawn = first.as_deref().or(plan.map(|plan| plan as &dyn AnyReplay));
    // Of the whole plan, also with a hint.
    let title = title(&solution.name, instance, plan.map(|plan| plan as &dyn AnyReplay));
    pictures.draw(title, instance, drawn, file, budget, print)
}
