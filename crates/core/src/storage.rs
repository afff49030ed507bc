//! Where and how breadth-first searches and explorations keep their states.
//!
//! With files below one folder and a checkpoint in another, the same program goes on where it was
//! stopped:
//!
//! ```
//! use fewest_core::budget::{Budget, Limits};
//! use fewest_core::checkpoint::{Checkpoint, Description};
//! use fewest_core::disk::Disk;
//! use fewest_core::search::Search;
//! use fewest_core::space::from_fn;
//! use fewest_core::storage::Storage;
//!
//! let folder = std::env::temp_dir().join(format!("storage-{}", std::process::id()));
//! let space = from_fn([1_u32], |n| [('+', n + 1), ('*', n * 2)], |n| n > 500);
//! // All that the states depend on, also the version of the rules: two spaces with the same
//! // description would read each other's layers.
//! let description = Description::new([("puzzle", "add or double, version 1"), ("start", "1")]);
//! for states in [Some(20), None] {
//!     let checkpoint = Checkpoint::open(&Disk::new(folder.join("saved")), &description)?;
//!     let storage = Storage::default()
//!         .with_disk(Disk::new(folder.join("layers")))
//!         .with_checkpoint(checkpoint.clone());
//!     // A budget is for one run, since its clock is running; a storage may be used again.
//!     let budget = Budget::new(Limits { states, ..Limits::default() }).with_storage(storage);
//!     let outcome = Search::new(&space).budget(&budget).run();
//!     // Why the checkpoint could not be read or written, if that is why the search stopped.
//!     assert!(checkpoint.take_error().is_none());
//!     assert_eq!(outcome.cost().is_some(), states.is_none());
//! }
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::sync::Arc;

use crate::checkpoint::Checkpoint;
use crate::cluster::Cluster;
use crate::disk::Disk;
use crate::representation::{Representation, RepresentationChoice};

/// Whether there are neither files nor threads nor other processes. Then disks, checkpoints and
/// processes are ignored, a search has one thread, and the code for them is left out of a program.
pub(crate) const IS_BROWSER: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Where and how breadth-first searches and explorations keep their states. By default, one process
/// keeps them in memory, as the search chooses. Other engines ignore it.
///
/// A [budget](crate::budget::Budget::with_storage) carries it. Clones are of the same disk,
/// checkpoint and processes. On `wasm32-unknown-unknown` they are ignored.
#[derive(Clone, Debug, Default)]
pub struct Storage {
    disk: Option<Disk>,
    checkpoint: Option<Checkpoint>,
    representation: Option<Representation>,
    cluster: Option<Arc<dyn Cluster>>,
    on_choice: Option<OnChoice>,
}

/// The function of [`Storage::on_choice`].
#[derive(Clone)]
struct OnChoice(Arc<dyn Fn(&RepresentationChoice) + Send + Sync>);

impl fmt::Debug for OnChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnChoice").finish_non_exhaustive()
    }
}

impl Storage {
    /// The states are on a disk. The buffers take at most half of the memory limit, or 256 MiB if
    /// there is none.
    #[must_use]
    pub fn with_disk(self, disk: Disk) -> Self {
        Self { disk: Some(disk), ..self }
    }

    /// The disk of [`with_disk`](Self::with_disk).
    pub fn disk(&self) -> Option<&Disk> {
        if IS_BROWSER { None } else { self.disk.as_ref() }
    }

    /// Searches go on from a checkpoint, and write to it.
    #[must_use]
    pub fn with_checkpoint(self, checkpoint: Checkpoint) -> Self {
        Self { checkpoint: Some(checkpoint), ..self }
    }

    /// The checkpoint of [`with_checkpoint`](Self::with_checkpoint).
    pub fn checkpoint(&self) -> Option<&Checkpoint> {
        if IS_BROWSER { None } else { self.checkpoint.as_ref() }
    }

    /// Breadth-first searches and explorations keep their states in this way, or are refused. Without
    /// it, they choose. Other searches ignore it.
    #[must_use]
    pub fn with_representation(self, representation: Representation) -> Self {
        Self { representation: Some(representation), ..self }
    }

    /// The representation of [`with_representation`](Self::with_representation).
    pub(crate) fn representation(&self) -> Option<Representation> {
        self.representation
    }

    /// Searches are distributed over these processes. All of them have to make the same searches in
    /// the same order, under budgets with the same limit on states.
    #[must_use]
    pub fn with_cluster(self, cluster: Arc<dyn Cluster>) -> Self {
        Self { cluster: Some(cluster), ..self }
    }

    /// The processes of [`with_cluster`](Self::with_cluster).
    pub fn cluster(&self) -> Option<&dyn Cluster> {
        if IS_BROWSER { None } else { self.cluster.as_deref() }
    }

    /// Each search calls `report` before it starts.
    #[must_use]
    pub fn on_choice(self, report: impl Fn(&RepresentationChoice) + Send + Sync + 'static) -> Self {
        Self { on_choice: Some(OnChoice(Arc::new(report))), ..self }
    }

    pub(crate) fn report(&self, choice: &RepresentationChoice) {
        if let Some(OnChoice(report)) = &self.on_choice {
            report(choice);
        }
    }
}
