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
//! | [`Sharded<_, DenseBits>`](Sharded) | ranked | 1/8 byte per *rank*, the layers and buffers | many |
//! | [`TwoBits`] | ranked | 1/4 byte per *rank*; no lists of layers | many |
//! | [`Runs`] | any | buffers; the layers are in files | many |
//! | [`TwoBitsOnDisk`] | ranked | buffers and a part of the table; 1/4 byte per *rank* in files | many |
//! | [`Distributed`] | those of another store | those that one process of a [cluster](crate::cluster) owns, and buffers | those of the other store |
//!
//! "Ranked" requires that the space implements [`Ranked`](crate::Ranked). A layer takes
//! `size_of::<State>()` bytes per state, and with
//! [`MOVE_PRUNING`](StateSpace::MOVE_PRUNING) that the store can use also `size_of::<Move>()`.
//!
//! A store decides when it removes duplicates: a store in memory does it when states are added, and
//! the store on disk when a layer is committed. All operations of a store can fail with a
//! [`Limit`], which is [`Limit::Io`] if a file or a connection failed.

mod distributed;
mod layer;
mod one_thread;
pub(crate) mod run_file;
mod runs;
mod sharded;
mod sort_buffer;
mod two_bits;
mod two_bits_on_disk;

use std::io::ErrorKind;
use std::num::NonZero;
use std::ops::ControlFlow;

pub use distributed::{Distributed, HashOwners, Owned, Owners, RankOwners};
pub use layer::Layers;
pub use one_thread::OneThread;
pub(crate) use runs::Reader as FileReader;
pub use runs::{RunLayers, Runs};
pub use sharded::{Shard, Sharded};
pub use two_bits::TwoBits;
pub use two_bits_on_disk::TwoBitsOnDisk;

use crate::budget::{Limit, Meter};
use crate::cluster::Cluster;
use crate::space::StateSpace;

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
/// When a part of a layer was written or read, the states that are still to be expanded are in a file,
/// and the reader that `open` returns is not used.
///
/// A store belongs to one space: it keeps the reference that it was created with, so that states of
/// another instance cannot get into it.
pub trait LayerStore<'s, S: StateSpace + 's> {
    /// Whether one thread reads and adds all states in a fixed order.
    ///
    /// If so, a layer that a limit cut short has the same states in each run, and the store keeps
    /// them; and a search can use [`TwoStep`](crate::MovePruning::TwoStep) move pruning.
    const SEQUENTIAL: bool;

    /// Whether a [checkpoint](crate::checkpoint) has ranks instead of states: for a store that has no
    /// states, and computes each from its rank.
    const HAS_RANKS: bool = false;

    /// A source of the current layer, for all threads.
    type Reader<'a>: LayerReader<S>
    where
        Self: 'a;

    /// What one thread adds its states to.
    type Writer<'a>: LayerWriter<S>
    where
        Self: 'a;

    /// The space that is searched.
    fn space(&self) -> &'s S;

    /// The greatest number of threads that can add states at the same time.
    fn threads(&self) -> NonZero<usize>;

    /// Whether no state has been added. A search panics if its store has states of an earlier one.
    fn is_empty(&self) -> bool;

    /// The processes that the states are divided among. Then this store has a part of them; also the
    /// numbers of states, and what is read, are those of this part.
    fn cluster(&self) -> Option<&dyn Cluster> {
        None
    }

    /// How the states are divided among the processes, as a word for names of files; empty if they are not.
    /// Only stores with the same word and the same number of processes have the same states.
    fn division(&self) -> &'static str {
        ""
    }

    /// Adds states to the next layer without their moves: the initial ones, before the first commit,
    /// or those of a layer of a [checkpoint](crate::checkpoint), instead of reading the current one.
    /// A store that [has ranks](Self::HAS_RANKS) gets whole layers by
    /// [`start_ranks`](Self::start_ranks). The states of the current layer count as read then, also if
    /// there are no `states`.
    ///
    /// # Errors
    /// The limit that was reached. The states before it are added.
    fn start(&mut self, states: &[S::State]) -> Result<(), Limit>;

    /// Opens the current layer: its reader, and a writer for each of the [`threads`](Self::threads).
    /// Unless a writer needed room, or a part was written, a layer is opened once.
    ///
    /// # Errors
    /// The limit that was reached.
    fn open(&mut self) -> Result<(Self::Reader<'_>, Vec<Self::Writer<'_>>), Limit>;

    /// Makes room for all states that the writers took and could not insert.
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
    /// The limit that was reached. If the meter reported it, [`read_added`](Self::read_added) still reads
    /// all states that were added.
    fn commit(&mut self, meter: &mut Meter<'_>) -> Result<u64, Limit>;

    /// Reads the states that were added since the last commit, in batches: what the next layer has
    /// so far, and possibly states that a commit would still remove. A search calls it when all
    /// writers are flushed and gone.
    ///
    /// # Errors
    /// The limit that was reached, or that of `visit`.
    fn read_added(
        &mut self,
        visit: impl FnMut(&[S::State]) -> Result<(), Limit>,
    ) -> Result<(), Limit>;

    /// Reads all states of the current layer in batches until `visit` breaks. A search calls it only
    /// between a commit and the opening of the layer, which may use up the states.
    ///
    /// # Errors
    /// The limit that was reached.
    fn read<B>(
        &self,
        visit: impl FnMut(&[S::State]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit>;

    /// As [`read`](Self::read), for a store that [has ranks](Self::HAS_RANKS): they are in ascending
    /// order.
    ///
    /// # Errors
    /// The limit that was reached.
    fn read_ranks<B>(
        &self,
        visit: impl FnMut(&[u64]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit> {
        let _ = visit;
        Err(Limit::Io(ErrorKind::Unsupported))
    }

    /// As [`start`](Self::start), for a store that [has ranks](Self::HAS_RANKS).
    ///
    /// # Errors
    /// The limit that was reached.
    fn start_ranks(&mut self, ranks: &[u64]) -> Result<(), Limit> {
        let _ = ranks;
        Err(Limit::Io(ErrorKind::Unsupported))
    }
}

/// Lets a reader stop at an error of its visitor.
pub(crate) fn flow(visited: Result<(), Limit>) -> ControlFlow<Limit> {
    visited.map_or_else(ControlFlow::Break, ControlFlow::Continue)
}

/// The error at which a reader stopped.
pub(crate) fn stopped(flow: ControlFlow<Limit>) -> Result<(), Limit> {
    flow.break_value().map_or(Ok(()), Err)
}

/// The greatest number of threads of a store. Each has a stack, and buffers in some stores.
const MAX_THREADS: usize = 256;

/// A store that can keep all layers, so that a plan can be recovered from them.
pub trait KeepsLayers<'s, S: StateSpace + 's>: LayerStore<'s, S> {
    /// The layers without the rest of the store.
    type Layers: KeptLayers<S::State>;

    /// Keeps each layer when it is no longer the current one. A search calls it at the start.
    fn keep_layers(&mut self);

    /// The layers from depth 0 to the current one. Everything else is dropped.
    fn into_layers(self) -> Self::Layers;
}

/// The layers of a search.
pub trait KeptLayers<W> {
    /// The processes that the states are divided among.
    fn cluster(&self) -> Option<&dyn Cluster> {
        None
    }

    /// Reads all states of a layer in batches until `visit` breaks. `depth` is at most that of the
    /// current layer.
    ///
    /// # Errors
    /// The limit that was reached.
    fn read_layer<B>(
        &self,
        depth: u32,
        visit: impl FnMut(&[W]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit>;
}

/// The current layer, in chunks that any thread can read.
pub trait LayerReader<S: StateSpace>: Sync {
    /// Whether each thread starts with its own range of chunks. That is faster if neighbouring
    /// chunks have successors that are close together in the store. Otherwise all threads take
    /// chunks from one range.
    const SEPARATE_RANGES: bool;

    /// The number of chunks.
    fn chunk_count(&self) -> usize;

    /// Reads a chunk in batches until `visit` breaks. `visit` gets states and the moves that led to
    /// them: as many moves as states, or none if they are not stored.
    ///
    /// A chunk is read once. Only if a writer needed room in the middle of it, it is read again
    /// after the layer was opened again, and then has the same states in the same order.
    ///
    /// # Errors
    /// The limit that was reached.
    fn read(
        &self,
        chunk: usize,
        visit: impl FnMut(&[S::State], &[S::Move]) -> ControlFlow<()>,
    ) -> Result<(), Limit>;
}

/// The destination of the states that one thread generates.
pub trait LayerWriter<S: StateSpace>: Send {
    /// Takes all states of a batch, each with the move that led to it. The batch is a buffer: its
    /// contents are unspecified afterwards.
    ///
    /// # Errors
    /// [`Interrupt::NeedsRoom`] if states are left that cannot be inserted; they are kept.
    fn add(&mut self, batch: &mut [(S::State, S::Move)]) -> Result<(), Interrupt>;

    /// Inserts all states that are kept in buffers.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    fn flush(&mut self) -> Result<(), Interrupt> {
        Ok(())
    }
}

/// Why a thread cannot add further states now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// All threads have to stop, and then the owner of the store calls
    /// [`make_room`](LayerStore::make_room) and opens the layer again.
    NeedsRoom,
    /// A limit stops the search.
    Limit(Limit),
}

impl<L: Into<Limit>> From<L> for Interrupt {
    fn from(limit: L) -> Self {
        Self::Limit(limit.into())
    }
}
