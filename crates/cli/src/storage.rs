//! Searches that are larger than memory, or longer than a run: `--disk` and `--checkpoint`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, ValueHint};
use fewest_core::budget::Budget;
use fewest_core::checkpoint::{Checkpoint, CheckpointError, Question};
use fewest_core::disk::Disk;
use fewest_core::search::Engine;
use fewest_puzzle::any::AnyInstance;
use fewest_puzzle::words::plural;

use crate::PuzzleRef;
use crate::failure::Failure;
use crate::input::DataSet;
use crate::message::{message, note};

/// The heading of the options.
const LARGE: &str = "Large searches";

#[derive(Args)]
#[group(skip)]
pub(crate) struct StorageArgs {
    /// Keep the boards of a breadth-first search in files in this folder, and as many in memory as
    /// half of --memory allows. The answers are those of `--engine bfs`. The files are removed in the
    /// end
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = LARGE)]
    disk: Option<PathBuf>,

    /// Write each layer of a breadth-first search to this folder, so that the same command goes on
    /// where this one was stopped: by Ctrl-C, a limit, or a crash. Takes one board
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = LARGE)]
    checkpoint: Option<PathBuf>,
}

impl StorageArgs {
    /// The engine of a search: these options are for breadth-first search.
    pub(crate) fn engine(&self, engine: Option<Engine>) -> Result<Option<Engine>, Failure> {
        let is_set = self.disk.is_some() || self.checkpoint.is_some();
        match engine {
            None if is_set => Ok(Some(Engine::Bfs)),
            Some(engine) if is_set && engine != Engine::Bfs => Err(Failure::usage_with_hint(
                format!("--disk and --checkpoint need the engine `bfs`, and this is `{engine}`"),
                "leave out --engine",
            )),
            engine => Ok(engine),
        }
    }

    /// A budget whose searches use the folders. `is_only` says that there is no other data set.
    pub(crate) fn apply(
        &self,
        mut budget: Budget,
        puzzle: PuzzleRef,
        matches: &ArgMatches,
        verb: &str,
        data_set: &DataSet<'_>,
        is_only: bool,
    ) -> Result<Budget, Failure> {
        if let Some(folder) = &self.disk {
            budget = budget.with_disk(Disk::new(folder));
        }
        let Some(folder) = &self.checkpoint else { return Ok(budget) };
        if !is_only {
            return Err(Failure::usage("--checkpoint takes one board, and there are several"));
        }
        let question = question(puzzle, matches, verb, &*data_set.instance);
        let checkpoint = Checkpoint::open(&Disk::new(folder), &question)
            .map_err(|error| refused(&folder.display().to_string(), error))?;
        let found = checkpoint.found();
        if found.layers > 0 {
            let (layers, states) = (found.layers, found.states);
            note(format_args!(
                "note: {}: goes on after {layers} {}, with {states} {} so far",
                data_set.name(),
                plural("layer", layers.into()),
                plural("state", states),
            ));
        }
        Ok(budget.with_checkpoint(checkpoint))
    }
}

/// Reports a checkpoint that could not be read, or is not complete.
pub(crate) fn report(budget: &Budget) {
    if let Some(error) = budget.checkpoint().and_then(Checkpoint::take_error) {
        message(format_args!("warning: checkpoint: {error}"));
    }
}

fn refused(folder: &str, error: CheckpointError) -> Failure {
    let hint = match error {
        CheckpointError::Io(error) => return Failure::Create { file: folder.to_owned(), error },
        CheckpointError::Differs { .. } => {
            "use another folder, or the board and the options that it was started with"
        }
        CheckpointError::InUse(_) => "wait until it ends, or use another folder",
        CheckpointError::OtherFiles => "use an empty folder, or one that does not exist",
        CheckpointError::Damaged(_) | CheckpointError::Version(_) => {
            "remove the folder to start again"
        }
    };
    Failure::usage_with_hint(format!("the checkpoint `{folder}` cannot be used: {error}"), hint)
}

/// All that the layers depend on.
fn question(
    puzzle: PuzzleRef,
    matches: &ArgMatches,
    verb: &str,
    instance: &dyn AnyInstance,
) -> Question {
    let options = puzzle.arguments(Command::new("options"));
    let options = options.get_arguments().map(|option| {
        let id = option.get_id().as_str();
        let values = matches.get_raw(id).into_iter().flatten();
        let values: Vec<_> = values.map(|value| value.to_string_lossy()).collect();
        (format!("--{}", id.replace('_', "-")), values.join(" "))
    });
    let fields = [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("puzzle", puzzle.info().name.to_owned()),
        ("command", verb.to_owned()),
        ("board", instance.text()),
    ];
    let fields = fields.map(|(name, value)| (name.to_owned(), value));
    Question::new(fields.into_iter().chain(options))
}
