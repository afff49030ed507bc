//! `show`: draws boards and plans.

use std::io::Write;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, ValueHint};
use fewest_puzzle::options::OptionSource;
use fewest_puzzle::results;
use fewest_puzzle::show::ShowReport;
use fewest_puzzle::work::WorkContext;
use fewest_scene::DrawLimits;

use crate::PuzzleRef;
use crate::args::{LimitOptions, instances, instances_arg, parsed, reader, with};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Source;
use crate::message::{message, note};
use crate::output::standard_output;
use crate::picture::{Draw, PictureArgs, Pictures, title};
use crate::run::Run;
use crate::verbs::verify::Plans;

#[derive(Args)]
#[group(skip)]
struct ShowArgs {
    /// Draw this plan, as `solve` prints it: a file, or `-` for standard input. The plan is
    /// replayed by the rules first. It may stop before the puzzle is solved
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    plan: Option<PathBuf>,

    /// Print the shapes of the board and the motions of the plan for other programs to draw: one
    /// JSON object per data set, one object per line
    #[arg(long, conflicts_with_all = ["format", "output", "animate", "every", "theme", "cell"])]
    json: bool,
}

pub(super) fn command(puzzle: PuzzleRef) -> Option<Command> {
    let command = Command::new("show")
        .about("Draw a board, or a plan on it")
        .long_about(
            "Draw a board, or a plan on it\n\n\
             In text and SVG a plan is a strip of boards: the whole plan at a glance, for puzzles \
             that draw paths; then the board before each move, with arrows for what moves; and the \
             final board.",
        )
        .arg(instances_arg(puzzle));
    let command = puzzle.arguments(with::<ShowArgs>(command));
    // Last, because its help heading applies to all arguments that follow.
    Some(puzzle.picture_arguments(with::<PictureArgs>(command)))
}

/// Draws each data set, with its plan if `--plan` is given.
pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let args: ShowArgs = parsed(matches)?;
    let (instances, reader) = (instances(matches), reader(puzzle, matches)?);
    let inputs = instances.iter().chain(&args.plan).chain(reader.second_texts());
    let pictures = Pictures::resolve(matches, inputs)?;
    let plans =
        args.plan.as_ref().map(|plan| Source::plan(plan, &instances, &*reader)).transpose()?;
    let mut plans = plans.as_ref().map(Plans::read).transpose()?;
    let sources = Source::instances(puzzle, &instances)?;
    let data_sets = || sources.iter().flat_map(|source| source.data_sets(&*reader));
    let count = data_sets().count();
    let run = Run::start();
    run.start("board", None);
    let budget = run.budget(LimitOptions::default().limits());
    let mut out = standard_output();
    let mut exit = Exit::Answered;
    for (number, data_set) in data_sets().enumerate() {
        if run.is_interrupted() {
            return Err(Failure::Interrupted);
        }
        let data_set = data_set?;
        let name = data_set.name();
        let instance = data_set.instance;
        if let Some(text) = instance.note() {
            note(format_args!("note: {name}: {text}"));
        }
        let plan = match &mut plans {
            None => None,
            Some(plans) => match plans.next(&name, |block| block.replay(&instance))? {
                Ok(plan) => {
                    if let Some(missing) = plan.unsolved() {
                        note(format_args!("{name}: the plan is not finished: {missing}"));
                    }
                    Some(plan)
                }
                Err(refusal) => {
                    message(format_args!("{name}: refused, {refusal}"));
                    exit = Exit::Refused;
                    continue;
                }
            },
        };
        if args.json {
            let (given, limits) = (OptionSource::Arguments(matches), DrawLimits::NONE);
            let animation = match &plan {
                Some(plan) => plan.animation(given, &limits),
                None => instance.animation(given, &limits),
            };
            let animation = animation.map_err(|error| Failure::Internal(error.to_string()))?;
            // An interrupt ends the list of steps.
            let is_stopped = || run.is_interrupted();
            let report = ShowReport::new(&name, &animation, &is_stopped);
            results::write(puzzle.info().name, &report, &mut out)?;
            run.add_done(1);
            continue;
        }
        if count > 1 && pictures.are_text() {
            writeln!(out, "{}# {name}", if number > 0 { "\n" } else { "" })?;
        }
        let file = pictures.file(number + 1, count)?;
        let print = |draw: &mut Draw<'_>| draw(&mut out);
        let drawn = pictures.draw(
            title(&name, &*instance, plan.as_deref()),
            &*instance,
            plan.as_deref(),
            file.as_deref(),
            &budget,
            print,
        );
        drawn.map_err(|failure| failure.in_data_set(&name))?;
        run.add_done(1);
    }
    if run.is_interrupted() {
        return Err(Failure::Interrupted);
    }
    plans.map_or(Ok(()), |plans| plans.expect_end(&sources))?;
    out.flush()?;
    Ok(exit)
}
