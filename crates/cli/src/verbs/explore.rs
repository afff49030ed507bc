//! `explore`: counts all boards that are reachable from a board.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{ArgMatches, Args, Command};
use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::diameter::{Diameter, Progress};
use fewest_puzzle::SolveError;
use fewest_puzzle::explore::{
    Explore, ExploreReport, Explored, LayerReport, write_explored, write_layer,
};
use fewest_puzzle::export::{FORMATS, write_graph};
use fewest_puzzle::options::Whole;
use fewest_puzzle::results;
use fewest_puzzle::work::WorkContext;

use crate::PuzzleRef;
use crate::args::{
    LimitOptions, explorer_reader, instances, instances_arg, parsed, short_instance_help, with,
};
use crate::diagnostic;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Source, skip_invalid};
use crate::message::{message, note};
use crate::output::{BrokenPipe, standard_output_with};
use crate::plot::PlotArgs;
use crate::run::Run;
use crate::storage::StorageArgs;
use crate::verbs::capability;

#[derive(Args)]
#[group(skip)]
struct ExportArgs {
    /// Print the graph of all boards and moves instead: as GraphML, as DOT for Graphviz, as CSV
    /// with one move per row, or as JSON with one board per line
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = FORMATS,
        conflicts_with_all = ["json", "layers", "plot", "disk", "checkpoint", "representation"],
    )]
    export: Option<String>,
}

#[derive(Args)]
#[group(skip)]
struct DiameterArgs {
    /// Also compute the diameter and the radius, that is, the greatest and the least eccentricity
    /// of a board
    #[arg(long, conflicts_with = "export")]
    diameter: bool,
}

#[derive(Args)]
#[group(skip)]
struct ThreadArgs {
    /// Number of threads. Does not affect the counts
    #[arg(long, value_name = "COUNT", default_value_t = Whole::new(1))]
    threads: Whole<1, 1024>,
}

#[derive(Args)]
#[group(skip)]
struct OutputArgs {
    #[command(flatten)]
    plot: PlotArgs,

    /// Print the number of boards of each layer as soon as it is complete
    #[arg(long)]
    layers: bool,

    /// Print one JSON object per data set, and with --layers one per layer, each on one line
    #[arg(long)]
    json: bool,
}

pub(super) fn command(puzzle: PuzzleRef) -> Option<Command> {
    let verb = puzzle.info().verbs.explore?;
    let command = Command::new("explore")
        .about(verb.about)
        .arg(instances_arg(puzzle).help(short_instance_help(puzzle)));
    let mut command = puzzle.arguments(with::<ThreadArgs>(with::<LimitOptions>(command)));
    if verb.undirected {
        command = with::<DiameterArgs>(command);
    }
    Some(with::<OutputArgs>(with::<ExportArgs>(with::<StorageArgs>(command))))
}

pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let verb = capability(puzzle.info().verbs.explore)?;
    let wants_diameter = verb.undirected && parsed::<DiameterArgs>(matches)?.diameter;
    let export = parsed::<ExportArgs>(matches)?.export;
    let OutputArgs { plot, layers, json } = parsed(matches)?;
    let limits = parsed::<LimitOptions>(matches)?.limits();
    let storage: StorageArgs = parsed(matches)?;
    storage.check(matches)?;
    let threads = parsed::<ThreadArgs>(matches)?.threads.to_threads();
    let (names, reader) = (instances(matches), explorer_reader(puzzle, matches)?);
    let sources = Source::instances(puzzle, &names)?;
    let run = Run::start();
    run.start("board", None);
    let mut out = standard_output_with(BrokenPipe::discards_if(plot.is_set()));
    let mut exit = Exit::Answered;
    let mut plot = plot.start(names.iter().chain(reader.second_texts()))?;
    for data_set in sources.iter().flat_map(|source| source.data_sets(&*reader)) {
        if run.is_interrupted() {
            exit = exit.max(Exit::Interrupted);
            break;
        }
        let Some(data_set) = skip_invalid(data_set, &mut exit)? else { continue };
        let (name, instance) = (data_set.name(), &data_set.instance);
        let explorer = capability(instance.explorer())?;
        if let Some(text) = instance.note() {
            note(format_args!("note: {name}: {text}"));
        }
        let is_only = data_set.is_only() && sources.len() == 1;
        let budget = run.budget(limits).with_threads(threads);
        if let Some(format) = &export {
            if !is_only {
                return Err(Failure::usage("--export takes one board, but there are several"));
            }
            let written = explorer
                .graph(&budget, &mut |graph| write_graph(puzzle, graph, format, &budget, &mut out));
            written.map_err(|error| Failure::from(error).in_data_set(&name))?;
            break;
        }
        // Set if a layer could not be written, for example because the pipe is closed. It cancels
        // the exploration.
        let unread = Arc::new(AtomicBool::new(false));
        let budget = budget.cancelled_by(Arc::clone(&unread));
        let large = storage.apply(budget, puzzle, matches, "explore", &data_set, is_only)?;
        let budget = large.budget.clone();
        let mut stopped = |what: &str, limit: Limit| {
            message(format_args!("{name}{what}: stopped, {limit}"));
            exit = exit.max(Exit::from_limit(limit));
        };
        let named = instance.named(&name);
        let mut written = Ok(());
        let mut write = |moves, boards| {
            if json {
                let layer = LayerReport { instance: &name, moves, boards };
                results::write(puzzle.info().name, &layer, &mut out)?;
            } else {
                write_layer(&named, moves, boards, &mut out)?;
            }
            out.flush()
        };
        let explored = explorer.explore(&budget, &mut |moves, boards| {
            if layers && written.is_ok() {
                written = write(moves, boards);
                unread.store(written.is_err(), Ordering::Relaxed);
            }
        });
        let explored = explored.map_err(Failure::from);
        // `finish` must run on success and on failure: it reports the checkpoint and releases the
        // other processes, which would otherwise wait for this one.
        large.finish(explored.as_ref().map(Explored::first_limit))?;
        written?;
        let explored = match explored {
            Ok(explored) => explored,
            Err(Failure::Stopped(limit)) => {
                stopped("", limit);
                continue;
            }
            Err(failure @ Failure::Usage { .. }) => {
                let failure = failure.in_data_set(&name);
                message(format_args!("{}", diagnostic::render(&failure)));
                exit = exit.max(Exit::BadInput);
                continue;
            }
            Err(failure) => return Err(failure.in_data_set(&name)),
        };
        let diameter = match wants_diameter && explored.limit.is_none() {
            true => Some(diameter(explorer, &budget, &run)?),
            false => None,
        };
        // Still print the report of the exploration.
        if let Some(Err(limit)) = diameter {
            stopped(", diameter", limit);
        }
        run.add_done(1);
        plot.add(&name, &explored.layers);
        if json {
            let report = ExploreReport::new(named, &explored, diameter);
            results::write(puzzle.info().name, &report, &mut out)?;
        } else {
            let diameter = diameter.and_then(Result::ok);
            write_explored(&named, verb, &explored, diameter, &mut out)?;
        }
        out.flush()?;
        exit = exit.max(match explored.first_limit() {
            Some(limit) => Exit::from_limit(limit),
            None if explored.is_unsolvable() => Exit::Unsolvable,
            None => Exit::Answered,
        });
    }
    out.flush()?;
    plot.write()?;
    Ok(exit)
}

fn diameter(
    explorer: &dyn Explore,
    budget: &Budget,
    run: &Run,
) -> Result<Result<Diameter, Limit>, Failure> {
    let found = explorer.diameter(budget, &mut |progress| {
        let Progress { searches, undecided, .. } = progress;
        let Progress { diameter_least, diameter_most, radius_least, radius_most, .. } = progress;
        run.set_message(format!(
            "{searches} searches, {undecided} boards undecided: diameter {diameter_least} to \
             {diameter_most}, radius {radius_least} to {radius_most}"
        ));
    });
    match found {
        Ok(diameter) => Ok(Ok(diameter)),
        Err(SolveError::Stopped(limit)) => Ok(Err(limit)),
        Err(error) => Err(error.into()),
    }
}
