//! Searches that are larger than memory, or longer than a run: `--disk` and `--checkpoint`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use bytesize::ByteSize;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, Command, ValueHint};
use fewest_core::budget::Budget;
use fewest_core::checkpoint::{Checkpoint, CheckpointError, Found, Question};
use fewest_core::disk::Disk;
use fewest_core::representation::{Representation, RepresentationChoice};
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
    /// Keep the boards of a breadth-first search in files in this folder. At most half of --memory is
    /// for buffers. The answers are those of `--engine bfs`. The files are removed in the end
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = LARGE)]
    disk: Option<PathBuf>,

    /// Write each layer of a breadth-first search to this folder, so that the same command goes on
    /// where this one was stopped: by Ctrl-C, a limit, or a crash. Takes one board
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = LARGE)]
    checkpoint: Option<PathBuf>,

    /// Keep the boards of a breadth-first search in this way: in a hash table, in one or two bits for
    /// each board that there could be, or in sorted files in the folder of --disk. Without this, it is
    /// chosen by what fits --memory; the note before the search says what and why
    #[arg(
        long,
        value_name = "NAME",
        value_parser = PossibleValuesParser::new(Representation::ALL.map(Representation::name))
            .try_map(|name| name.parse::<Representation>()),
        help_heading = LARGE,
    )]
    representation: Option<Representation>,
}

impl StorageArgs {
    /// Whether an option is set. They are for breadth-first search.
    fn is_set(&self) -> bool {
        self.disk.is_some() || self.checkpoint.is_some() || self.representation.is_some()
    }

    /// The engine of a search.
    pub(crate) fn engine(&self, engine: Option<Engine>) -> Result<Option<Engine>, Failure> {
        match engine {
            None if self.is_set() => Ok(Some(Engine::Bfs)),
            Some(engine) if self.is_set() && engine != Engine::Bfs => {
                Err(Failure::usage_with_hint(
                    format!(
                        "--disk, --checkpoint and --representation need the engine `bfs`, and this \
                         is `{engine}`"
                    ),
                    "leave out --engine",
                ))
            }
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
        if let Some(representation) = self.representation {
            budget = budget.with_representation(representation);
        }
        if self.is_set() {
            // Later searches are for the same boards.
            let (name, first) = (data_set.name().to_string(), AtomicBool::new(true));
            budget = budget.on_choice(move |choice| {
                if first.swap(false, Ordering::Relaxed) {
                    note(format_args!("note: {name}: {}", explain(choice)));
                }
            });
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
            let Found { layers, states, has_part, .. } = found;
            note(format_args!(
                "note: {}: goes on after {layers} {}{}, with {states} {} so far",
                data_set.name(),
                plural("layer", layers.into()),
                if has_part { " and a part of the next one" } else { "" },
                plural("state", states),
            ));
        }
        Ok(budget.with_checkpoint(checkpoint))
    }
}

/// How the boards are kept, why, and what it takes.
fn explain(choice: &RepresentationChoice) -> String {
    let RepresentationChoice { representation, is_on_disk, reason, .. } = choice;
    let place = if *is_on_disk { "on disk" } else { "in memory" };
    let bytes = |bytes: u64, what: &str| (bytes > 0).then(|| format!("{} {what}", ByteSize(bytes)));
    let again = if *is_on_disk { " and each duplicate in the next layer" } else { "" };
    let each = format!("{place} for each board{again}");
    let needs = [
        bytes(choice.memory_bytes, "in memory"),
        bytes(choice.disk_bytes, "on disk"),
        bytes(choice.bytes_per_state, &each),
    ];
    let needs: Vec<_> = needs.into_iter().flatten().collect();
    let needs = needs.join(" and ");
    format!("keeps boards as `{representation}` {place} ({reason}): at most {needs}")
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
        // Those of several processes.
        CheckpointError::Elsewhere | CheckpointError::Stopped(_) => {
            return Failure::Internal(error.to_string());
        }
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
