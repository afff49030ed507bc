//! Checkpoints: saved layers from which a breadth-first search or an exploration resumes.
//!
//! A [`Checkpoint`] is a folder. A search whose [budget](crate::storage::Storage::with_checkpoint)
//! has a checkpoint writes each layer to this folder when the layer is complete. If the folder
//! already has layers of the same [`Description`], the search reads them instead of expanding
//! states, and continues after the last one. A saved layer is a set of states and nothing else. A
//! search with another number of threads, another memory limit, or another [store](crate::store)
//! can therefore resume from it. [`TwoBits`](crate::store::TwoBits) and
//! [`TwoBitsOnDisk`](crate::store::TwoBitsOnDisk) write ranks instead of states, which takes an
//! eighth of the space. If the checkpoint already has states, they write states too. No other store
//! reads ranks.
//!
//! Several searches under one budget can share a checkpoint if they run one at a time and in the
//! same order in each run. Two concurrent searches are refused. A search checks that layer 0 equals
//! its initial states, and that every other layer has the number of states that the list records.
//!
//! A search that was resumed, or that wrote a partial layer, may generate more states than an
//! uninterrupted one: the checkpoint does not store the moves that led to a layer, so move pruning
//! is not possible there. All other counts are the same.
//!
//! # What is kept when
//! A layer is written when it is complete. Making it durable (fsync) takes longer, so it happens
//! only after the first layer, then whenever fsync has taken at most a tenth of the run so far or
//! 16 layers are not durable yet, and at the end of the search, even if a limit or a signal ended
//! it. If the process is killed or the system loses power, at most the work since the last fsync is
//! lost. Durable layers are deleted only after their successors are durable.
//!
//! If expanding a layer takes longer than a [minute](Checkpoint::with_part_interval), the search
//! writes a partial next layer and makes it durable immediately: the states of the current layer
//! that are not expanded yet, and the states that were generated so far. Partial layers take at
//! most a tenth of the run time. A search that is cancelled, or that reaches its time limit or its
//! limit on states, writes a last partial layer, unless less than 0.1 s of work would be lost.
//! Writing may take 1/20 of the run time so far, clamped to 50 ms..2 s. Sorting the buffers of a
//! store on disk and the fsync are not included in this limit. (On Windows, a folder cannot be
//! synced: the system decides when a new file name becomes durable.)
//!
//! # Files
//! - `lock` is locked by the process that uses the checkpoint; `owner` contains the name of this
//!   process.
//! - `question` is text: a line with the version of the format, a line for each field of the
//!   [`Description`], and the CRC-32 of the lines before.
//! - `search-0`, `search-1`, and so on, are folders, one for each search: `layers` (text in the
//!   same format) lists the files of one consistent state. `layer-0`, `layer-1` and so on contain
//!   the states or ranks, in blocks with a checksum each. `rest-N` and `added-N`, where N is a
//!   random number, are the two files of a partial layer and contain states. The header of each of
//!   these files contains the description, the number of the search, the process, and how the
//!   states are partitioned. The header of a file of states also contains its name, depth and
//!   encoding. A file whose header differs is refused.
//! - `process-0-of-2-by-hash` and `process-1-of-2-by-hash` contain such folders for the processes
//!   of a [cluster](crate::cluster), each with the states that the process owns. Only layers that
//!   all processes have written are used. A run with another number of processes or another
//!   partitioning reads all of these folders and writes the layers again.

mod files;
mod header;
mod layer_log;
mod list;
mod pace;
mod parts;
pub(crate) mod text;

use std::io::{self, ErrorKind};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

pub(crate) use layer_log::{LayerLog, Purpose};
use list::LAYERS;

use crate::cluster::{Cluster, gather};
use crate::disk::{Disk, Lock, ScratchFolder};
use crate::limit::Limit;
use parts::{Division, SavedLayers};

/// All that the answer of a search depends on, as names and values.
///
/// ```
/// use fewest_core::checkpoint::Description;
/// let description = Description::new([("puzzle", "klotski"), ("metric", "unit")]);
/// assert_eq!(description.fields().next(), Some(("puzzle", "klotski")));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description(Vec<(String, String)>);

impl Description {
    /// A description with these fields.
    pub fn new<N: Into<String>, V: Into<String>>(fields: impl IntoIterator<Item = (N, V)>) -> Self {
        Self(fields.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }

    /// The names and the values, in their order.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The first field whose value differs: its name, its value here, and its value in `other`. A
    /// value is `None` if the field is missing.
    pub fn difference<'a>(
        &'a self,
        other: &'a Self,
    ) -> Option<(&'a str, Option<&'a str>, Option<&'a str>)> {
        let value = |description: &'a Self, name: &str| {
            description.fields().find(|&(other, _)| other == name).map(|(_, value)| value)
        };
        self.fields().chain(other.fields()).find_map(|(field, _)| {
            let (own, others) = (value(self, field), value(other, field));
            (own != others).then_some((field, own, others))
        })
    }
}

/// The error of a checkpoint that cannot be used. Saved layers are left unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// A file cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Another process has locked it.
    #[error("it is in use by {0}")]
    InUse(String),
    /// Process 0 of the cluster cannot use it. Process 0 reports the reason.
    #[error("process 0 cannot use it")]
    Elsewhere,
    /// It contains ranks, but a cluster needs states.
    #[error("it was written with `two-bits`, which only a single process can read")]
    Ranks,
    /// A process of a cluster does not see the folder of process 0.
    #[error("process {0} does not see the folder of process 0")]
    NotShared(u64),
    /// The cluster stopped while the checkpoint was opened.
    #[error("stopped, {0}")]
    Stopped(Limit),
    /// The folder contains files but no checkpoint.
    #[error("the folder is not empty and contains no checkpoint")]
    OtherFiles,
    /// The checksum or the syntax of a file is wrong.
    #[error("`{0}` is damaged")]
    Damaged(String),
    /// Layer files exist, but the list that must accompany them is missing.
    #[error("it contains `{has}`, but `{missing}` is missing")]
    Unlisted {
        /// A file that is there.
        has: String,
        /// The list that is missing.
        missing: String,
    },
    /// Another version wrote it in a format that this version does not read.
    #[error("its format is `{0}`, which this version does not read")]
    Version(String),
    /// A file belongs to another description, search, process or depth.
    #[error("`{file}` belongs to another search: its {field} is `{found}`, expected `{expected}`")]
    Foreign {
        /// Its name.
        file: String,
        /// What differs: a field of the [`Description`], `search`, `process`, `file`, `depth` or
        /// `coding`.
        field: String,
        /// The value of the file; empty if it has none.
        found: String,
        /// The value that is expected; empty if there is none.
        expected: String,
    },
    /// It is the checkpoint of another search.
    #[error("its {field} is `{found}`, not `{expected}`")]
    Differs {
        /// The field of the [`Description`].
        field: String,
        /// The value of the checkpoint; empty if it has none.
        found: String,
        /// The value of the description; empty if it has none.
        expected: String,
    },
}

/// A folder with the saved layers of one or more searches. Clones refer to the same folder.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    inner: Arc<Inner>,
    part_interval: Duration,
}

/// The time between two parts of a layer.
const PART_INTERVAL: Duration = Duration::from_secs(60);

#[derive(Debug)]
struct Inner {
    disk: Disk,
    description: Description,
    /// `Some` in process 0, which holds the lock for the whole cluster.
    _lock: Option<Box<dyn Lock>>,
    /// The index of this process, and the number of processes.
    process: usize,
    processes: usize,
    /// The number of searches that have used it.
    searches: AtomicU32,
    /// Whether a search is using it now.
    is_searching: AtomicBool,
    /// What it contained when it was opened, as counts.
    found: CheckpointContents,
    /// What it contained of each search when it was opened.
    earlier: Vec<SavedLayers>,
    /// The first error of a search.
    error: Mutex<Option<io::Error>>,
}

/// What a checkpoint had when it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckpointContents {
    /// The number of layers, of all searches.
    pub layers: u32,
    /// The number of states in them.
    pub states: u64,
    /// Whether there is also a partial next layer.
    pub has_part: bool,
}

const FORMAT: &str = "fewest-checkpoint 1";
/// The file of the description. It has had this name since the first version of the format.
const DESCRIPTION: &str = "question";
const LOCK: &str = "lock";
const OWNER: &str = "owner";

/// Sent by process 0 instead of its name if it cannot use the folder.
const REFUSED: &str = "refused";

/// How often a process looks for the folder, and the pause in between: a network file system may
/// show new files late.
const FOLDER_ATTEMPTS: usize = 10;
const FOLDER_PAUSE: Duration = Duration::from_millis(300);

impl Checkpoint {
    /// Opens the checkpoint of the search with this description, or starts one if the folder is
    /// empty or does not exist.
    ///
    /// # Errors
    /// If the folder cannot be used, belongs to another process, or has a checkpoint of another
    /// search.
    pub fn open(disk: &Disk, description: &Description) -> Result<Self, CheckpointError> {
        Self::open_first(disk, description, 1)
    }

    /// As [`open`](Self::open), for a checkpoint that the processes of a cluster share. All of them
    /// have to call it, with a folder that all of them see.
    ///
    /// # Errors
    /// As [`open`](Self::open); or if the cluster stopped.
    pub fn open_in_cluster(
        disk: &Disk,
        description: &Description,
        cluster: &dyn Cluster,
    ) -> Result<Self, CheckpointError> {
        let (process, processes) = (cluster.process(), cluster.processes());
        // 1. Process 0 locks the folder and reads what it contains; the others touch nothing yet.
        // 2. It broadcasts its name and the saved layers (or `REFUSED`) with an all-gather in which
        //    only process 0 contributes bytes.
        // 3. Each other process looks for the `owner` file with that name, up to ten times: this
        //    shows that the folder is on a shared file system.
        // 4. A second all-gather collects the processes that do not see it, so that all of them
        //    return the same error.
        let opened = (process == 0).then(|| Self::open_first(disk, description, processes));
        // Process 0 broadcasts its name and the layers that it found, so that all processes resume
        // at the same layer even if their views of the file system differ.
        let seen: Vec<_> = match &opened {
            Some(Ok(opened)) => {
                let earlier = opened.inner.earlier.iter().map(SavedLayers::to_text);
                [owner_text()].into_iter().chain(earlier).collect()
            }
            Some(Err(_)) => vec![REFUSED.to_owned()],
            None => Vec::new(),
        };
        let seen = gather(Some(cluster), seen.join("\n").as_bytes());
        let seen = String::from_utf8_lossy(&seen.map_err(CheckpointError::Stopped)?).into_owned();
        let opened = opened.transpose()?;
        let mut seen = seen.lines();
        let owner = seen.next().filter(|&owner| owner != REFUSED);
        let owner = owner.ok_or(CheckpointError::Elsewhere)?;
        let earlier: Option<Vec<_>> = seen.map(SavedLayers::of_text).collect();
        let earlier = earlier.ok_or(CheckpointError::Elsewhere)?;
        if earlier.iter().any(|earlier| earlier.are_ranks) {
            return Err(CheckpointError::Ranks);
        }
        let sees_another_folder = process > 0 && !has_owner(disk, owner);
        let without_owner =
            gather(Some(cluster), sees_another_folder.then_some(process as u64).as_slice());
        match without_owner.map_err(CheckpointError::Stopped)?.first() {
            Some(&process) => Err(CheckpointError::NotShared(process)),
            None => Ok(opened.unwrap_or_else(|| {
                Self::new(disk, description, None, (process, processes), earlier)
            })),
        }
    }

    /// Locks and opens the checkpoint as process 0 of `processes`.
    fn open_first(
        disk: &Disk,
        description: &Description,
        processes: usize,
    ) -> Result<Self, CheckpointError> {
        let files = disk.files();
        disk.create()?;
        let names = files.names(disk.folder())?;
        // A folder without the file `question` may have been left by a process that was killed
        // between taking the lock and writing that file. Only files of such a process are allowed;
        // anything else may be data of the user.
        let is_ours = |name: &String| {
            let name = name.trim_end_matches(".new");
            [LOCK, OWNER, DESCRIPTION].contains(&name)
                || ScratchFolder::is_name(name)
                || Division::of_part(name).is_some()
        };
        let has_description = names.iter().any(|name| name == DESCRIPTION);
        if !has_description && !names.iter().all(is_ours) {
            return Err(CheckpointError::OtherFiles);
        }
        let Some(lock) = files.lock(&disk.path(LOCK))? else {
            let owner = disk.contents(OWNER).ok().flatten().unwrap_or_default();
            let owner = String::from_utf8_lossy(&owner).trim().to_owned();
            let owner = if owner.is_empty() { "another process".to_owned() } else { owner };
            return Err(CheckpointError::InUse(owner));
        };
        let mut earlier = Vec::new();
        if let Some(text) = disk.contents(DESCRIPTION)? {
            let fields = text::parse(&text, FORMAT).map_err(|error| error.of(DESCRIPTION))?;
            if let Some((field, expected, found)) = description.difference(&Description(fields)) {
                return Err(CheckpointError::Differs {
                    field: field.to_owned(),
                    found: found.unwrap_or_default().to_owned(),
                    expected: expected.unwrap_or_default().to_owned(),
                });
            }
            for search in 0.. {
                let Some(found) = SavedLayers::find(disk, description, search)? else {
                    // Searches are numbered without gaps, so a list after a missing one means that
                    // a file was lost.
                    let [missing, has] = [search, search + 1].map(list_name);
                    match SavedLayers::find(disk, description, search + 1)? {
                        Some(_) => return Err(CheckpointError::Unlisted { has, missing }),
                        None => break,
                    }
                };
                earlier.push(found);
            }
        } else {
            // Written only after the lock is held and the folder is known to have no other files.
            // `replace` is atomic and durable, so a checkpoint has no description or a complete
            // one.
            disk.replace(DESCRIPTION, text::write(FORMAT, description.fields()).as_bytes())?;
        }
        disk.replace(OWNER, format!("{}\n", owner_text()).as_bytes())?;
        Ok(Self::new(disk, description, Some(lock), (0, processes), earlier))
    }

    fn new(
        disk: &Disk,
        description: &Description,
        lock: Option<Box<dyn Lock>>,
        (process, processes): (usize, usize),
        earlier: Vec<SavedLayers>,
    ) -> Self {
        let found = CheckpointContents {
            layers: earlier.iter().map(|earlier| earlier.layers.len() as u32).sum(),
            states: earlier.iter().flat_map(|earlier| &earlier.layers).sum(),
            has_part: earlier.last().is_some_and(|earlier| earlier.has_part),
        };
        let inner = Arc::new(Inner {
            disk: disk.clone(),
            description: description.clone(),
            _lock: lock,
            process,
            processes,
            searches: AtomicU32::new(0),
            is_searching: AtomicBool::new(false),
            found,
            earlier,
            error: Mutex::default(),
        });
        Self { inner, part_interval: PART_INTERVAL }
    }

    /// Sets the minimum time between two partial layers; the default is one minute. Partial layers
    /// also take at most a tenth of the run time. With zero, one is written after each chunk of
    /// states.
    #[must_use]
    pub fn with_part_interval(self, part_interval: Duration) -> Self {
        Self { part_interval, ..self }
    }

    /// What the checkpoint contained when it was opened.
    pub fn found(&self) -> CheckpointContents {
        self.inner.found
    }

    /// Takes the error that kept a search from reading the checkpoint or from saving its last
    /// layers.
    pub fn take_error(&self) -> Option<io::Error> {
        self.inner.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether the saved layers of the next search contain ranks.
    pub(crate) fn next_search_has_ranks(&self) -> bool {
        let number = self.inner.searches.load(Ordering::Relaxed);
        self.inner.earlier.get(number as usize).is_some_and(|earlier| earlier.are_ranks)
    }

    /// Opens the saved layers of the next search.
    pub(crate) fn open_next_search(
        &self,
        purpose: Purpose,
        state_bytes: usize,
        takes_ranks: bool,
        division: &str,
    ) -> Result<LayerLog, Limit> {
        if self.inner.is_searching.swap(true, Ordering::Acquire) {
            self.note(io::Error::other("two searches cannot use the checkpoint at the same time"));
            return Err(Limit::Io(ErrorKind::ResourceBusy));
        }
        let number = self.inner.searches.fetch_add(1, Ordering::Relaxed);
        let earlier = self.inner.earlier.get(number as usize).cloned();
        let division = Division::new(self.inner.processes, division);
        LayerLog::open(self.clone(), number, division, earlier, purpose, state_bytes, takes_ranks)
    }

    /// Allows the next search to use the checkpoint.
    fn end_search(&self) {
        self.inner.is_searching.store(false, Ordering::Release);
    }

    pub(crate) fn note(&self, error: io::Error) {
        self.inner.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// The name of this process in the `owner` file.
fn owner_text() -> String {
    format!("process {}", process::id())
}

/// Waits until the `owner` file of process 0 is visible here, and returns whether it is. Process 0
/// may run on another machine.
fn has_owner(disk: &Disk, owner: &str) -> bool {
    (0..FOLDER_ATTEMPTS).any(|attempt| {
        if attempt > 0 {
            thread::sleep(FOLDER_PAUSE);
        }
        let found = disk.contents(OWNER).ok().flatten().unwrap_or_default();
        String::from_utf8_lossy(&found).trim() == owner
    })
}

fn search_name(number: u32) -> String {
    format!("search-{number}")
}

fn list_name(search: u32) -> String {
    format!("{}/{LAYERS}", search_name(search))
}
