//! Checkpoints: breadth-first searches and explorations that go on where they were stopped.
//!
//! A [`Checkpoint`] is a folder. With one in its
//! [budget](crate::storage::Storage::with_checkpoint), a search writes each layer there when it is
//! complete. If the folder has layers of the same [`Description`], the search reads them instead of
//! expanding anything, and then goes on. They are states and nothing else, so another number of
//! threads, another memory limit, and another [store](crate::store) can go on from them. Only
//! [`TwoBits`](crate::store::TwoBits) and [`TwoBitsOnDisk`](crate::store::TwoBitsOnDisk) write
//! ranks, which take an eighth of the space, unless there are states already; no other store reads
//! ranks.
//!
//! Several searches under one budget use a checkpoint one after the other, in the same order each
//! time; two at the same time are refused. A search checks that the first layer has its initial
//! states, and that each further one has as many states as it says.
//!
//! A search that went on, or that has written a part of a layer, may generate more states than one
//! that did not, since the moves that led to a layer are not in it. Other counts are the same.
//!
//! # What is kept when
//! A layer is written when it is complete. To make it durable takes longer. It is done after the
//! first layer, then if the time spent on it so far is at most a tenth of the run or if 16 layers
//! are not durable, and at the end of the search, also if a limit or a signal ended it. So a
//! process that is killed loses at most what it had done since, and a system that loses power, too.
//! The layers that were durable stay until the next ones are.
//!
//! While a layer is expanded that takes longer than a [minute](Checkpoint::with_part_interval),
//! parts of the next one are written, and made durable at once: the states that are not expanded
//! yet, and those that the others led to. Parts take at most a tenth of the time of the run. A
//! search that is cancelled, or ends at its time or its number of states, writes a last part,
//! unless it would lose less than 0.1 s. For the writing it has a twentieth of its time so far, at
//! least 50 ms and at most two seconds; to sort what a store on disk has in its buffers, and to
//! make the part durable, come on top. (On Windows, new names of files are made durable by the
//! system when it sees fit.)
//!
//! # Files
//! - `lock` belongs to the process that has the checkpoint, and `owner` names it.
//! - `question` is text: a line with the version of the format, a line for each field of the
//!   [`Description`], and the CRC-32 of the lines before.
//! - `search-0`, `search-1`, and so on, are folders, one for each search: `layers`, text as above,
//!   names what one consistent state consists of, and `layer-0`, `layer-1` have the states or
//!   ranks, in blocks with a checksum each. `rest-` and `added-`, with a random number, are the two
//!   files of a part, and have states. The head of each of these files has the description, the
//!   number of the search, the process and how states are divided; that of a file of states also
//!   its name, depth and coding. A file with another head is refused.
//! - `process-0-of-2-by-hash` and `process-1-of-2-by-hash` have such folders for the processes of a
//!   [cluster](crate::cluster), each with the states that it owns. What all of them have counts.
//!   Another number of processes, or others that divide the states by something else, read all of
//!   them, and write the layers again.

mod files;
mod layer_log;
mod list;
mod owner;
mod pace;
mod parts;
mod text;

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
use parts::{Division, EarlierLayers};

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

    /// The first field in which `other` differs: its name, its value, and that of `other`. The
    /// value of a description without the field is `None`.
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

/// Why a checkpoint cannot be used. Nothing is changed then.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// A file cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Another process has it.
    #[error("it is in use by {0}")]
    InUse(String),
    /// The first process of a cluster cannot use it, and says why.
    #[error("process 0 cannot use it")]
    Elsewhere,
    /// It has ranks, and a cluster needs states.
    #[error("it has the numbers of states, which only one process with two bits for each reads")]
    Ranks,
    /// A process of a cluster does not see the folder of process 0.
    #[error("process {0} does not see the folder that process 0 sees")]
    NotShared(u64),
    /// The processes of a cluster stopped.
    #[error("stopped, {0}")]
    Stopped(Limit),
    /// The folder has other files.
    #[error("the folder is not empty, and has no checkpoint")]
    OtherFiles,
    /// A file is not what was written.
    #[error("`{0}` is damaged")]
    Damaged(String),
    /// Files are there, and the list of layers that has to be there with them is not.
    #[error("it has `{has}`, and `{missing}` is missing")]
    Unlisted {
        /// A file that is there.
        has: String,
        /// The list that is missing.
        missing: String,
    },
    /// Another version wrote it, whose files this one does not read.
    #[error("its format is `{0}`, which this version does not read")]
    Version(String),
    /// A file belongs to another description, search, process or depth.
    #[error("`{file}` is of another search: its {field} is `{found}`, not `{expected}`")]
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

/// A folder with what searches need to go on. Clones are of the same folder.
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
    /// The first process of a cluster has it for all.
    _lock: Option<Box<dyn Lock>>,
    /// The number of this process, and of all.
    process: usize,
    processes: usize,
    /// The number of searches that have used it.
    searches: AtomicU32,
    /// Whether one is using it.
    is_searching: AtomicBool,
    /// The layers and the states that it had when it was opened.
    found: CheckpointContents,
    /// What it had of each search then.
    earlier: Vec<EarlierLayers>,
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
    /// Whether a part of the next layer is there, too.
    pub has_part: bool,
}

const FORMAT: &str = "fewest-checkpoint 1";
/// The file of the description. The format has this name since its first version.
const DESCRIPTION: &str = "question";
const LOCK: &str = "lock";
const OWNER: &str = "owner";

/// What process 0 says instead of its name if it cannot use the folder.
const REFUSED: &str = "refused";

/// How often, and after which pauses, a process looks for a folder: file systems of networks may
/// show it late.
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
        let opened = (process == 0).then(|| Self::open_first(disk, description, processes));
        // The others see what the first one has seen, and who it is.
        let seen: Vec<_> = match &opened {
            Some(Ok(opened)) => {
                let earlier = opened.inner.earlier.iter().map(EarlierLayers::to_text);
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
        let earlier: Option<Vec<_>> = seen.map(EarlierLayers::of_text).collect();
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

    /// Opens the checkpoint for the first of as many processes.
    fn open_first(
        disk: &Disk,
        description: &Description,
        processes: usize,
    ) -> Result<Self, CheckpointError> {
        let files = disk.files();
        disk.create()?;
        let names = files.names(disk.folder())?;
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
                let Some(found) = EarlierLayers::find(disk, description, search)? else {
                    // A search begins after the one before.
                    let [missing, has] = [search, search + 1].map(list_name);
                    match EarlierLayers::find(disk, description, search + 1)? {
                        Some(_) => return Err(CheckpointError::Unlisted { has, missing }),
                        None => break,
                    }
                };
                earlier.push(found);
            }
        } else {
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
        earlier: Vec<EarlierLayers>,
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

    /// The least time between two parts of a layer, which is one minute without this. Parts also
    /// take at most a tenth of the run. If it is zero, a part is written after each chunk of
    /// states.
    #[must_use]
    pub fn with_part_interval(self, part_interval: Duration) -> Self {
        Self { part_interval, ..self }
    }

    /// What it had when it was opened.
    pub fn found(&self) -> CheckpointContents {
        self.inner.found
    }

    /// Why a search could not read it, or why the last layers of a search are not in it.
    pub fn take_error(&self) -> Option<io::Error> {
        self.inner.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether the layers of the next search are ranks.
    pub(crate) fn has_ranks_next(&self) -> bool {
        let number = self.inner.searches.load(Ordering::Relaxed);
        self.inner.earlier.get(number as usize).is_some_and(|earlier| earlier.are_ranks)
    }

    /// The layers of the next search.
    pub(crate) fn next_log(
        &self,
        purpose: Purpose,
        state_bytes: usize,
        takes_ranks: bool,
        division: &str,
    ) -> Result<LayerLog, Limit> {
        if self.inner.is_searching.swap(true, Ordering::Acquire) {
            self.note(io::Error::other("two searches cannot use it at the same time"));
            return Err(Limit::Io(ErrorKind::ResourceBusy));
        }
        let number = self.inner.searches.fetch_add(1, Ordering::Relaxed);
        let earlier = self.inner.earlier.get(number as usize).cloned();
        let division = Division::new(self.inner.processes, division);
        LayerLog::open(self.clone(), number, division, earlier, purpose, state_bytes, takes_ranks)
    }

    /// Lets the next search use it.
    fn end_search(&self) {
        self.inner.is_searching.store(false, Ordering::Release);
    }

    pub(crate) fn note(&self, error: io::Error) {
        self.inner.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// How the folder names this process.
fn owner_text() -> String {
    format!("process {}", process::id())
}

/// Whether the folder belongs to this process of another machine, as soon as its files are seen
/// here.
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
