//! Layer stores: where a breadth-first search keeps its states.
//!
//! A search reads the current layer, expands its states, and passes what it generates to the store
//! in batches. The store removes duplicates. When all states of the layer are expanded, the search
//! commits the next layer, which becomes the current one.
//!
//! | store | states | memory | threads |
//! | --- | --- | --- | --- |
//! | [`OneThread<_, V>`](OneThread) | any that the [visited set](crate::visited) `V` takes | `V` and the layers | one |
//! | [`Sharded<_, Table<_>>`](Sharded) | any | as [`Table`](crate::visited::Table), the layers and buffers | many |
//! | [`Sharded<_, CompactTable>`](Sharded) | of known width | as [`CompactTable`](crate::visited::CompactTable), the layers and buffers | many |
//! | [`Sharded<_, RankSet>`](Sharded) | ranked | as [`RankSet`](crate::visited::RankSet), the layers and buffers | many |
//! | [`TwoBits`] | ranked | 1/4 byte per *rank*; no lists of layers | many |
//! | [`Runs`] | any | buffers; the layers are in files | many |
//! | [`TwoBitsOnDisk`] | ranked | buffers and a part of the table; 1/4 byte per *rank* in files | many |
//! | [`Distributed`] | those of another store | those that one process of a [cluster](crate::cluster) owns, and buffers | those of the other store |
//!
//! "Ranked" requires that the space implements [`Ranked`](crate::Ranked). A layer takes
//! `size_of::<State>()` bytes per state, and with [`PRUNING`](crate::StateSpace::PRUNING) that the
//! store can use also 4 bytes for the tag of a move.
//!
//! A store knows words, and nothing of moves and rules. It decides when it removes duplicates: a
//! store in memory does it when states are added, and the store on disk when a layer is committed.
//! All operations of a store can fail with a [`Limit`], which is [`Limit::Io`] if a file or a
//! connection failed.

mod distributed;
mod layer;
mod one_thread;
mod runs;
mod sharded;
mod sort_buffer;
mod two_bits;
mod two_bits_on_disk;

use std::fmt;
use std::io::ErrorKind;
use std::num::NonZero;
use std::ops::ControlFlow;

pub use distributed::{Distributed, Owners};
pub(crate) use one_thread::Lookup;
pub use one_thread::OneThread;
pub(crate) use runs::FileReader;
pub use runs::Runs;
pub use sharded::{Shard, Sharded};
pub use two_bits::TwoBits;
pub use two_bits_on_disk::TwoBitsOnDisk;

use crate::budget::{Limit, Meter};
use crate::cluster::Cluster;
use crate::seam::Batch;

/// In a graded space, a store in memory forgets its earlier states when a layer of at least this
/// many is complete, so that small layers do not make new tables each time.
const LEAST_FORGOTTEN: usize = 1 << 12;

/// Takes the states of a batch and the tags of the moves that led to them: as many as states, or
/// none if they are not stored.
pub type VisitTagged<'v, W> = &'v mut dyn FnMut(&[W], &[u32]) -> ControlFlow<()>;

/// Takes the states, or the ranks, of a batch.
pub type Visit<'v, W> = &'v mut dyn FnMut(&[W]) -> ControlFlow<()>;

/// Properties of a store that a search depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreProperties {
    /// Whether one thread reads and adds all states in a fixed order.
    ///
    /// If so, a layer that a limit cut short has the same states in each run, and the store keeps
    /// them; and a search can use [`TwoStep`](crate::Pruning::TwoStep) pruning.
    pub is_sequential: bool,
    /// Whether a [checkpoint](crate::checkpoint) has ranks instead of states: for a store that has
    /// no states, and computes each from its rank.
    pub has_rank_layers: bool,
    /// Whether batches need their ranks.
    pub needs_ranks: bool,
    /// Whether tags are kept.
    pub keeps_tags: bool,
    /// Whether each thread starts with its own range of chunks. That is faster if neighbouring
    /// chunks have successors that are close together in the store. Otherwise all threads take
    /// chunks from one range.
    pub has_separate_ranges: bool,
    /// The greatest number of threads that can add states at the same time.
    pub threads: NonZero<usize>,
}

/// The states of a breadth-first search: all that were generated, the current layer, and the next.
///
/// ```text
/// start, commit                                           layer 0
/// open, read and add on each thread, flush, commit        layer 1
/// open, ...
/// open, ..., flush, read_added, open, add, flush, commit  a layer of which a part was written
/// start, open, add, flush, commit                         a layer of which a part was read
/// ```
///
/// When a part of a layer was written or read, the states that are still to be expanded are in a
/// file, and the store is not read.
pub trait LayerStore<W>: Sync + fmt::Debug {
    /// What a search has to know of it.
    fn properties(&self) -> StoreProperties;

    /// Whether no state has been added. A search panics if its store has states of an earlier one.
    fn is_empty(&self) -> bool;

    /// The processes over which the states are partitioned, if any. This store then has only the
    /// states of this process, and all counts and reads are about those.
    fn cluster(&self) -> Option<&dyn Cluster> {
        None
    }

    /// The name of the partitioning, used in file names; empty without a cluster. Two stores have
    /// the same states only if this name and the number of processes are the same.
    fn division(&self) -> &'static str {
        ""
    }

    /// Adds the states of a batch to the next layer without their tags: the initial ones, before
    /// the first commit, or those of a layer of a [checkpoint](crate::checkpoint), instead of
    /// reading the current one. A store that
    /// [has layers of ranks](StoreProperties::has_rank_layers) gets whole layers by
    /// [`start_ranks`](Self::start_ranks). Marks the current layer as expanded, even if the batch
    /// is empty.
    ///
    /// # Errors
    /// The limit that was reached. The states before it are added.
    fn start(&mut self, batch: &mut Batch<W>) -> Result<(), Limit>;

    /// Opens the current layer, and returns the number of its chunks. Unless a thread needed room,
    /// or a part was written, a layer is opened once.
    ///
    /// # Errors
    /// The limit that was reached.
    fn open(&mut self) -> Result<usize, Limit>;

    /// Reads a chunk of the open layer in batches until `visit` breaks, on any thread.
    ///
    /// A chunk is read once. Only if a thread needed room in the middle of it, it is read again
    /// after the layer was opened again, and then has the same states in the same order.
    ///
    /// # Errors
    /// The limit that was reached.
    fn read_chunk(&self, chunk: usize, visit: VisitTagged<'_, W>) -> Result<(), Limit>;

    /// Adds all states of a batch, generated by the thread with this number. The contents of the
    /// batch are unspecified afterwards.
    ///
    /// # Errors
    /// [`Interrupt::NeedsRoom`] if states are left that cannot be inserted; they are kept.
    fn add(&self, thread: usize, batch: &mut Batch<W>) -> Result<(), Interrupt>;

    /// Inserts all states that the thread with this index has buffered.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    fn flush(&self, thread: usize) -> Result<(), Interrupt> {
        let _ = thread;
        Ok(())
    }

    /// Grows the store so that the states that are kept in buffers can be inserted. Called while no
    /// thread is running.
    ///
    /// The protocol: `add` or `flush` of a thread returns [`Interrupt::NeedsRoom`] and keeps in its
    /// buffers what it could not insert. When all threads have stopped, the search calls this, then
    /// [`open`](Self::open), and each of these threads calls [`flush`](Self::flush) before it
    /// continues in the middle of its chunk.
    ///
    /// # Errors
    /// The limit that was reached.
    fn make_room(&mut self) -> Result<(), Limit> {
        Ok(())
    }

    /// Makes the states that were added the current layer, and returns their number. A commit that
    /// takes long polls the meter.
    ///
    /// # Errors
    /// The limit that was reached. If the meter reported it, [`read_added`](Self::read_added) still
    /// reads all states that were added.
    fn commit(&mut self, meter: &mut Meter<'_>) -> Result<u64, Limit>;

    /// Reads the states that were added since the last commit, in batches: what the next layer has
    /// so far, and possibly states that a commit would still remove. A search calls it when all
    /// threads have flushed.
    ///
    /// # Errors
    /// The limit that was reached, or that of `visit`.
    fn read_added(&mut self, visit: &mut dyn FnMut(&[W]) -> Result<(), Limit>)
    -> Result<(), Limit>;

    /// Reads all states of the current layer in batches until `visit` breaks. A search calls it
    /// only between a commit and the opening of the layer, which may use up the states.
    ///
    /// # Errors
    /// The limit that was reached.
    fn read(&self, visit: Visit<'_, W>) -> Result<ControlFlow<()>, Limit>;

    /// As [`read`](Self::read), for a store that
    /// [has layers of ranks](StoreProperties::has_rank_layers): they are in ascending order.
    ///
    /// # Errors
    /// The limit that was reached.
    fn read_ranks(&self, visit: Visit<'_, u64>) -> Result<ControlFlow<()>, Limit> {
        let _ = visit;
        Err(Limit::Io(ErrorKind::Unsupported))
    }

    /// As [`start`](Self::start), for a store that
    /// [has layers of ranks](StoreProperties::has_rank_layers).
    ///
    /// # Errors
    /// The limit that was reached.
    fn start_ranks(&mut self, ranks: &[u64]) -> Result<(), Limit> {
        let _ = ranks;
        Err(Limit::Io(ErrorKind::Unsupported))
    }

    /// Keeps each layer when it is no longer the current one, so that a plan can be recovered from
    /// them. A search calls it at the start.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the store cannot.
    fn keep_layers(&mut self) -> Result<(), Limit> {
        Err(Limit::Io(ErrorKind::Unsupported))
    }

    /// Frees everything but the layers that were kept, after the last commit.
    fn drop_all_but_layers(&mut self) {}

    /// Reads all states of a layer that was kept, in batches, until `visit` breaks. `depth` is at
    /// most that of the current layer.
    ///
    /// # Errors
    /// The limit that was reached.
    fn read_layer(&self, depth: u32, visit: Visit<'_, W>) -> Result<ControlFlow<()>, Limit> {
        let _ = (depth, visit);
        Err(Limit::Io(ErrorKind::Unsupported))
    }
}

/// Stops a reader at an error of its visitor, which it keeps.
pub(crate) fn flow(visited: Result<(), Limit>, result: &mut Result<(), Limit>) -> ControlFlow<()> {
    *result = visited;
    if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// The greatest number of threads of a store. Each has a stack, and buffers in some stores.
const MAX_THREADS: usize = 256;

/// Why a thread has to stop adding states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// The store needs room that it can only make while no thread uses it: when all threads have
    /// stopped, the search calls [`make_room`](LayerStore::make_room), and opens the layer again.
    NeedsRoom,
    /// A limit stops the search.
    Limit(Limit),
}

impl<L: Into<Limit>> From<L> for Interrupt {
    fn from(limit: L) -> Self {
        Self::Limit(limit.into())
    }
}

/// Locks what only one thread uses at a time. Ignores poisoning: if a thread panicked, its search
/// is over.
fn lock<T>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// As [`lock`], with exclusive access instead of locking.
fn get_mut<T>(mutex: &mut std::sync::Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner)
}
