//! Options for large searches: `--disk`, `--checkpoint` and `--representation`.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use bytesize::ByteSize;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, ValueHint};
use fewest_core::budget::{Budget, Limit};
use fewest_core::checkpoint::{Checkpoint, CheckpointContents, CheckpointError, Description};
use fewest_core::disk::Disk;
use fewest_core::representation::{Representation, RepresentationChoice};
use fewest_core::search::Engine;
use fewest_puzzle::any::AnyInstance;
use fewest_puzzle::words::plural;
use fewest_rules::text::where_they_differ;

use crate::PuzzleRef;
use crate::cluster::{ClusterArgs, JoinedCluster};
use crate::failure::Failure;
use crate::input::DataSet;
use crate::message::{self, note};

/// The heading of the options.
const LARGE: &str = "Large searches";

#[derive(Args)]
#[group(skip)]
pub(crate) struct StorageArgs {
    /// Keep the boards of a breadth-first search in files in this folder, which are removed at the
    /// end. Buffers take at most half of --memory. Plans are those of `--engine bfs`
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = LARGE)]
    disk: Option<PathBuf>,

    /// Save each layer of a breadth-first search to this folder, so that the same command resumes
    /// after Ctrl-C, a limit or a crash. Only for one board
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = LARGE)]
    checkpoint: Option<PathBuf>,

    /// Keep the boards of a breadth-first search in a hash table, in one or two bits per possible
    /// board, or in sorted files in the folder of --disk. By default chosen by what fits into
    /// --memory; a note before the search gives the choice and the reason
    #[arg(
        long,
        value_name = "NAME",
        value_parser = PossibleValuesParser::new(Representation::ALL.map(Representation::name))
            .try_map(|name| name.parse::<Representation>()),
        help_heading = LARGE,
    )]
    representation: Option<Representation>,

    #[command(flatten)]
    cluster: ClusterArgs,
}

/// The budget of a search and the processes over which it is distributed.
pub(crate) struct LargeSearch {
    pub(crate) budget: Budget,
    joined: JoinedCluster,
}

impl LargeSearch {
    /// Reports a checkpoint that could not be read or is incomplete, and shuts the cluster down.
    /// `end` is the limit that stopped the search, if any, or the error that kept it from an
    /// answer.
    ///
    /// # Errors
    /// As [`JoinedCluster::finish`].
    pub(crate) fn finish(self, end: Result<Option<Limit>, &Failure>) -> Result<(), Failure> {
        if let Some(error) = self.budget.storage().checkpoint().and_then(Checkpoint::take_error) {
            // An error if it ended the search, otherwise a warning.
            let is_reason =
                matches!(end, Ok(Some(Limit::Io(_))) | Err(Failure::Stopped(Limit::Io(_))));
            let kind = if is_reason { "error" } else { "warning" };
            self.joined.write(kind, format_args!("checkpoint: {error}"));
        }
        self.joined.finish(end)
    }
}

impl StorageArgs {
    /// Whether any option that requires breadth-first search is set.
    fn is_set(&self) -> bool {
        let is_stored =
            self.disk.is_some() || self.checkpoint.is_some() || self.representation.is_some();
        is_stored || self.cluster.is_set()
    }

    /// Refuses a distributed search for options that only work in one process.
    pub(crate) fn check(&self, matches: &ArgMatches) -> Result<(), Failure> {
        let is_given = |option: &&str| {
            let source = matches.try_contains_id(option).is_ok_and(|is_there| is_there);
            source && matches.value_source(option) == Some(ValueSource::CommandLine)
        };
        match ["all", "diameter", "export"].iter().find(|option| is_given(option)) {
            Some(option) if self.cluster.is_set() => {
                Err(Failure::usage(format!("--{option} does not work with several processes")))
            }
            _ => {
                if self.cluster.is_other() {
                    message::write_no_answers();
                }
                if let Some(tasks) = self.cluster.separate_tasks() {
                    note(format_args!(
                        "note: Slurm started {tasks} tasks, and each of them searches separately; \
                         use --workers to distribute one search over them"
                    ));
                }
                Ok(())
            }
        }
    }

    /// The engine of a search.
    pub(crate) fn engine(&self, engine: Option<Engine>) -> Result<Option<Engine>, Failure> {
        match engine {
            None if self.is_set() => Ok(Some(Engine::Bfs)),
            Some(engine) if self.is_set() && engine != Engine::Bfs => {
                Err(Failure::usage_with_hint(
                    format!(
                        "--disk, --checkpoint, --representation and several processes need the \
                         engine `bfs`, not `{engine}`"
                    ),
                    "leave out --engine",
                ))
            }
            engine => Ok(engine),
        }
    }

    /// Applies the options to a budget, and connects the processes. `is_only` says whether this is
    /// the only data set.
    pub(crate) fn apply(
        &self,
        budget: Budget,
        puzzle: PuzzleRef,
        matches: &ArgMatches,
        verb: &str,
        data_set: &DataSet<'_>,
        is_only: bool,
    ) -> Result<LargeSearch, Failure> {
        let description = description(puzzle, matches, verb, &*data_set.instance);
        if self.cluster.is_set() && !is_only {
            return Err(Failure::usage(
                "a distributed search takes one board, but there are several",
            ));
        }
        let joined = self.cluster.join(self.agreement(&description, &budget), &budget)?;
        match self.prepare(joined.apply(budget), &description, data_set, is_only) {
            Ok(budget) => Ok(LargeSearch { budget, joined }),
            Err(failure) => {
                // The processes are connected by now, so this failure must be sent to the others.
                joined.finish(Err(&failure))?;
                Err(failure)
            }
        }
    }

    /// A budget whose searches use the folders, and a checkpoint with this description.
    fn prepare(
        &self,
        budget: Budget,
        description: &Description,
        data_set: &DataSet<'_>,
        is_only: bool,
    ) -> Result<Budget, Failure> {
        let mut storage = budget.storage().clone();
        if let Some(folder) = &self.disk {
            let disk = Disk::new(folder);
            disk.check().map_err(|error| unusable("--disk", folder, error))?;
            storage = storage.with_disk(disk);
        }
        if let Some(representation) = self.representation {
            storage = storage.with_representation(representation);
        }
        if self.is_set() {
            // Print the note only once: later searches are about the same board.
            let (name, first) = (data_set.name().to_string(), AtomicBool::new(true));
            storage = storage.on_choice(move |choice| {
                if first.swap(false, Ordering::Relaxed) {
                    note(format_args!("note: {name}: {}", explain(choice)));
                }
            });
        }
        let Some(folder) = &self.checkpoint else { return Ok(budget.with_storage(storage)) };
        if !is_only {
            return Err(Failure::usage("--checkpoint takes one board, but there are several"));
        }
        if folder.is_file() {
            return Err(unusable("--checkpoint", folder, ErrorKind::NotADirectory.into()));
        }
        let disk = Disk::new(folder);
        let checkpoint = match storage.cluster() {
            Some(cluster) => Checkpoint::open_in_cluster(&disk, description, cluster),
            None => Checkpoint::open(&disk, description),
        };
        let checkpoint =
            checkpoint.map_err(|error| refused(&folder.display().to_string(), error))?;
        let found = checkpoint.found();
        if found.layers > 0 {
            let CheckpointContents { layers, states, has_part, .. } = found;
            note(format_args!(
                "note: {}: resumes after {layers} {}{}, with {states} {}",
                data_set.name(),
                plural("layer", layers.into()),
                if has_part { " and a partial one" } else { "" },
                plural("state", states),
            ));
        }
        Ok(budget.with_storage(storage.with_checkpoint(checkpoint)))
    }

    /// The fields that must be equal in all processes: also the representation, which determines
    /// the owner of each board.
    fn agreement(&self, description: &Description, budget: &Budget) -> Description {
        let name = self.representation.map_or("automatic", Representation::name);
        let place = if self.disk.is_some() { "disk" } else { "memory" };
        let or_none = |limit: u64, unit| match limit {
            u64::MAX => "without limit".to_owned(),
            limit => format!("{limit}{unit}"),
        };
        let further = [
            ("--representation", name.to_owned()),
            ("place of the boards", place.to_owned()),
            (
                "--checkpoint",
                if self.checkpoint.is_some() { "given" } else { "not given" }.to_owned(),
            ),
            ("--memory", or_none(budget.memory().limit_bytes(), " bytes")),
            ("--states", or_none(budget.states(), "")),
        ];
        let further = further.iter().map(|(name, value)| (*name, value.as_str()));
        Description::new(description.fields().chain(further))
    }
}

/// The text of the note about the choice of a representation.
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

/// The failure for a folder that cannot be used for --disk.
fn unusable(option: &str, folder: &Path, error: io::Error) -> Failure {
    let name = folder.display();
    match error.kind() {
        _ if folder.is_file() => {
            Failure::usage(format!("`{name}` is a file, but {option} takes a folder"))
        }
        ErrorKind::StorageFull => {
            let error = io::Error::other(Limit::Io(ErrorKind::StorageFull));
            Failure::Create { file: name.to_string(), error }
        }
        _ => Failure::Create { file: name.to_string(), error },
    }
}

fn refused(folder: &str, error: CheckpointError) -> Failure {
    let what = match &error {
        CheckpointError::Differs { field, found, expected } => {
            let [found, expected] = where_they_differ(found, expected);
            format!("its {field} is {found}, not {expected}")
        }
        error => error.to_string(),
    };
    let hint = match error {
        CheckpointError::Io(error) => return Failure::Create { file: folder.to_owned(), error },
        CheckpointError::Elsewhere => return Failure::Elsewhere,
        CheckpointError::Ranks => "continue with one process, or use another folder",
        CheckpointError::NotShared(_) => "use a folder on a file system that all processes share",
        CheckpointError::Stopped(limit) => return Failure::Stopped(limit),
        CheckpointError::Differs { .. } => {
            "use another folder, or the board and the options that it was started with"
        }
        CheckpointError::InUse(_) => "wait until it ends, or use another folder",
        CheckpointError::OtherFiles => "use an empty folder, or one that does not exist",
        // Damaged, foreign or unlisted files, and another version.
        _ => "remove the folder to start again",
    };
    Failure::usage_with_hint(format!("the checkpoint `{folder}` cannot be used: {what}"), hint)
}

/// Everything that the layers depend on.
fn description(
    puzzle: PuzzleRef,
    matches: &ArgMatches,
    verb: &str,
    instance: &dyn AnyInstance,
) -> Description {
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
    Description::new(fields.into_iter().chain(options))
}
