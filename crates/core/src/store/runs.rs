//! Layers as sorted runs in files, for state spaces that are larger than memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io;
use std::num::NonZero;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::{Mutex, PoisonError};

use super::run_file::{BLOCK_STATES, RunFile, RunReader, RunWriter};
use super::sort_buffer::SortBuffer;
use super::{
    Interrupt, KeepsLayers, KeptLayers, LayerReader, LayerStore, LayerWriter, MAX_THREADS, flow,
    stopped,
};
use crate::budget::{Limit, Meter};
use crate::disk::{Disk, Input, ScratchFolder};
use crate::memory::Memory;
use crate::representation::run_buffer_states;
use crate::space::StateSpace;
use crate::word::Word;

/// A [`LayerStore`] in files, for many threads: external sorting and delayed duplicate detection.
///
/// Each thread collects the states that it generates in a buffer. When it is full, it is sorted and
/// written as a run. A commit merges all runs of the layer and drops the states of earlier layers,
/// which are sorted files, too: of the last two, if the space is undirected, since a neighbour of a
/// layer is in it or beside it, and of all layers otherwise. Files are written and read from their
/// beginning to their end, and each block has a checksum.
///
/// # Cost
/// Memory: the buffers, which take at most what [`new`](Self::new) is given, one block (8,192 states and
/// their bytes) for each run of a merge, and 8 bytes per block of each layer. Disk: the current layer, the
/// one before or all before, and the runs of the next one, in which a state occurs as often as buffers
/// with it were full. Words of up to 64 bits take one to ten bytes, by how close together they are.
///
/// A commit opens the runs of the layer, at most 192 at a time, and the earlier layers that it compares
/// with: in a directed space as many files as there are layers. The folder is removed with the store;
/// that of a process that was killed is removed by the next store on the same disk.
///
/// The moves that led to states are not stored, so the successors include those that undo a move.
///
/// # Errors
/// [`Limit::Io`] with the kind of the error; [`ErrorKind::InvalidData`](std::io::ErrorKind) if a file is
/// not what was written.
#[derive(Debug)]
pub struct Runs<'s, S: StateSpace> {
    space: &'s S,
    folder: ScratchFolder,
    /// Whether states can only be in the last two layers or new.
    is_undirected: bool,
    keeps_layers: bool,
    /// All layers that are needed, up to the current one; an earlier one that is not is `None`.
    layers: Vec<Option<RunFile>>,
    /// The states that each thread has added and not written.
    buffers: Vec<SortBuffer<S::State>>,
    next: Mutex<Vec<RunFile>>,
    /// The most runs that are merged at once; more are merged in groups first.
    max_merged: usize,
}

/// The limits of [`Runs::max_merged`], which grows with the memory. Systems allow at least 256 open files.
const MERGED_RUNS: RangeInclusive<usize> = 64..=192;
/// At least this many runs are merged at once, however many earlier layers the last merge has open.
const MIN_MERGED_RUNS: usize = 16;

impl<'s, S: StateSpace> Runs<'s, S> {
    /// An empty store for up to `threads` threads, at most 256, with files in a new folder on
    /// `disk`. The buffers of all threads together have `buffer_bytes` bytes, but at least 256 and at
    /// most 4,194,304 states each; they are reserved from `memory`. `is_undirected` says that each move
    /// of the space can be undone.
    ///
    /// # Errors
    /// If the folder cannot be created, or the memory is not there.
    pub fn new(
        space: &'s S,
        disk: &Disk,
        is_undirected: bool,
        threads: NonZero<usize>,
        buffer_bytes: u64,
        memory: &Memory,
    ) -> Result<Self, Limit> {
        let threads = threads.get().min(MAX_THREADS);
        let state_bytes = size_of::<S::State>();
        let capacity = run_buffer_states(threads, state_bytes, buffer_bytes);
        // An open run has a block of states, and its bytes.
        let merged = buffer_bytes as usize / (2 * BLOCK_STATES * state_bytes);
        let buffers = (0..threads).map(|_| SortBuffer::new(capacity, memory));
        Ok(Self {
            space,
            folder: ScratchFolder::create(disk)?,
            is_undirected,
            keeps_layers: false,
            layers: Vec::new(),
            buffers: buffers.collect::<Result<_, _>>()?,
            next: Mutex::default(),
            max_merged: merged.clamp(*MERGED_RUNS.start(), *MERGED_RUNS.end()),
        })
    }

    /// The number of bytes of the files of all layers that are kept.
    pub fn disk_bytes(&self) -> u64 {
        self.layers.iter().flatten().map(|layer| layer.bytes).sum()
    }

    /// The runs of the next layer, with what is in the buffers.
    fn take_runs(&mut self) -> Result<Vec<RunFile>, Limit> {
        let Self { folder, buffers, next, .. } = self;
        let next = next.get_mut().unwrap_or_else(PoisonError::into_inner);
        for buffer in buffers.iter_mut().filter(|buffer| !buffer.is_empty()) {
            next.push(write_run(buffer, folder)?);
        }
        Ok(std::mem::take(next))
    }

    /// The states of these runs that are new. Groups of runs are replaced by their merge.
    fn merge_all(&self, runs: &mut Vec<RunFile>, meter: &mut Meter<'_>) -> Result<RunFile, Limit> {
        let most = self.max_merged.saturating_sub(self.earlier().count()).max(MIN_MERGED_RUNS);
        while runs.len() > most {
            let group = &runs[..most];
            let merged = merge::<S::State>(group, std::iter::empty(), &self.folder, meter)?;
            runs.drain(..most).for_each(RunFile::remove);
            runs.push(merged);
        }
        merge::<S::State>(runs, self.earlier(), &self.folder, meter)
    }

    /// The layers whose states are known and may be generated again.
    fn earlier(&self) -> impl Iterator<Item = &RunFile> {
        let relevant = if self.is_undirected { 2 } else { usize::MAX };
        self.layers.iter().rev().take(relevant).flatten()
    }
}

/// Writes what is in a buffer as a run.
fn write_run<W: Word>(
    buffer: &mut SortBuffer<W>,
    folder: &ScratchFolder,
) -> Result<RunFile, Limit> {
    buffer.drain(|states| {
        let mut run = RunWriter::create(&folder.new_file()?, folder.disk())?;
        states.iter().try_for_each(|&state| run.push(state))?;
        Ok(run.finish()?)
    })
}

/// Merges runs into a new file, without the states of `known`.
fn merge<'a, W: Word>(
    runs: &[RunFile],
    known: impl Iterator<Item = &'a RunFile>,
    folder: &ScratchFolder,
    meter: &mut Meter<'_>,
) -> Result<RunFile, Limit> {
    let mut readers = runs.iter().map(RunReader::new).collect::<io::Result<Vec<_>>>()?;
    let mut known = known.map(RunReader::new).collect::<io::Result<Vec<_>>>()?;
    let mut known_heads = known.iter_mut().map(RunReader::next).collect::<io::Result<Vec<_>>>()?;
    let mut heap = BinaryHeap::with_capacity(readers.len());
    for (number, reader) in readers.iter_mut().enumerate() {
        heap.extend(reader.next()?.map(|state: W| Reverse((state, number))));
    }
    let mut merged = RunWriter::create(&folder.new_file()?, folder.disk())?;
    let mut last = None;
    while let Some(mut head) = heap.peek_mut() {
        let Reverse((state, number)) = *head;
        meter.poll()?;
        // To replace the head and sift once took 15 % less time than to remove it and add another.
        match readers[number].next()? {
            Some(next) => head.0.0 = next,
            None => drop(PeekMut::pop(head)),
        }
        if last == Some(state) {
            continue;
        }
        last = Some(state);
        let mut is_known = false;
        for (reader, head) in known.iter_mut().zip(&mut known_heads) {
            while head.is_some_and(|head| head < state) {
                *head = reader.next()?;
            }
            is_known |= *head == Some(state);
        }
        if !is_known {
            merged.push(state)?;
        }
    }
    Ok(merged.finish()?)
}

impl<'s, S: StateSpace> LayerStore<'s, S> for Runs<'s, S> {
    const SEQUENTIAL: bool = false;

    type Reader<'a>
        = Reader<'a>
    where
        Self: 'a;

    type Writer<'a>
        = Writer<'a, S::State>
    where
        Self: 'a;

    fn space(&self) -> &'s S {
        self.space
    }

    fn threads(&self) -> NonZero<usize> {
        NonZero::new(self.buffers.len()).unwrap_or(NonZero::<usize>::MIN)
    }

    fn is_empty(&self) -> bool {
        let runs = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        self.layers.is_empty() && runs.is_empty() && self.buffers.iter().all(SortBuffer::is_empty)
    }

    fn start(&mut self, states: &[S::State]) -> Result<(), Limit> {
        let Self { folder, buffers, next, .. } = self;
        Writer { buffer: &mut buffers[0], folder, next }.take(states.iter().copied())
    }

    fn open(&mut self) -> Result<(Reader<'_>, Vec<Writer<'_, S::State>>), Limit> {
        let Self { folder, buffers, next, layers, .. } = self;
        let (folder, next) = (&*folder, &*next);
        let writers = buffers.iter_mut().map(|buffer| Writer { buffer, folder, next });
        Ok((Reader::new(layers.last().and_then(Option::as_ref)), writers.collect()))
    }

    fn commit(&mut self, meter: &mut Meter<'_>) -> Result<u64, Limit> {
        let mut runs = self.take_runs()?;
        let layer = match self.merge_all(&mut runs, meter) {
            Ok(layer) => layer,
            Err(limit) => {
                self.next = Mutex::new(runs);
                return Err(limit);
            }
        };
        runs.into_iter().for_each(RunFile::remove);
        let states = layer.states;
        self.layers.push(Some(layer));
        if self.is_undirected && !self.keeps_layers {
            let old = self.layers.len().checked_sub(3).and_then(|old| self.layers[old].take());
            old.into_iter().for_each(RunFile::remove);
        }
        Ok(states)
    }

    fn read_added(
        &mut self,
        mut visit: impl FnMut(&[S::State]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let runs = self.take_runs()?;
        let read = runs
            .iter()
            .try_for_each(|run| stopped(read_all(Some(run), |states| flow(visit(states)))?));
        self.next = Mutex::new(runs);
        read
    }

    fn read<B>(
        &self,
        visit: impl FnMut(&[S::State]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit> {
        read_all(self.layers.last().and_then(Option::as_ref), visit)
    }
}

/// Reads a layer in blocks.
fn read_all<W: Word, B>(
    layer: Option<&RunFile>,
    mut visit: impl FnMut(&[W]) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, Limit> {
    let Some(layer) = layer else { return Ok(ControlFlow::Continue(())) };
    let (mut file, mut bytes, mut states) = (layer.open()?, Vec::new(), Vec::new());
    for block in 0..layer.block_count() {
        layer.read_block(&mut *file, block, &mut bytes, &mut states)?;
        if let ControlFlow::Break(found) = visit(&states) {
            return Ok(ControlFlow::Break(found));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// The states of a file, such as the current layer of [`Runs`]. A chunk is a block.
#[derive(Debug)]
#[doc(hidden)]
pub struct Reader<'a> {
    layer: Option<&'a RunFile>,
    /// Open files that no thread uses.
    files: Mutex<Vec<Box<dyn Input>>>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(layer: Option<&'a RunFile>) -> Self {
        Self { layer, files: Mutex::default() }
    }
}

impl<S: StateSpace> LayerReader<S> for Reader<'_> {
    const SEPARATE_RANGES: bool = false;

    fn chunk_count(&self) -> usize {
        self.layer.map_or(0, RunFile::block_count)
    }

    fn read(
        &self,
        chunk: usize,
        mut visit: impl FnMut(&[S::State], &[S::Move]) -> ControlFlow<()>,
    ) -> Result<(), Limit> {
        let Some(layer) = self.layer else { return Ok(()) };
        let files = || self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let open = files().pop();
        let mut file = open.map_or_else(|| layer.open(), Ok)?;
        let (mut bytes, mut states) = (Vec::new(), Vec::new());
        layer.read_block(&mut *file, chunk, &mut bytes, &mut states)?;
        files().push(file);
        let _ = visit(&states, &[]);
        Ok(())
    }
}

/// Collects the states of one thread.
#[derive(Debug)]
#[doc(hidden)]
pub struct Writer<'a, W> {
    buffer: &'a mut SortBuffer<W>,
    folder: &'a ScratchFolder,
    next: &'a Mutex<Vec<RunFile>>,
}

impl<W: Word> Writer<'_, W> {
    fn take(&mut self, states: impl Iterator<Item = W>) -> Result<(), Limit> {
        for state in states {
            if self.buffer.is_full() {
                self.write()?;
            }
            self.buffer.push(state);
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), Limit> {
        let run = write_run(self.buffer, self.folder)?;
        self.next.lock().unwrap_or_else(PoisonError::into_inner).push(run);
        Ok(())
    }
}

impl<S: StateSpace> LayerWriter<S> for Writer<'_, S::State> {
    fn add(&mut self, batch: &mut [(S::State, S::Move)]) -> Result<(), Interrupt> {
        Ok(self.take(batch.iter().map(|&(state, _)| state))?)
    }
}

impl<'s, S: StateSpace> KeepsLayers<'s, S> for Runs<'s, S> {
    type Layers = RunLayers;

    fn keep_layers(&mut self) {
        self.keeps_layers = true;
    }

    fn into_layers(self) -> RunLayers {
        RunLayers { layers: self.layers, _folder: self.folder }
    }
}

/// The layers of [`Runs`].
#[derive(Debug)]
pub struct RunLayers {
    layers: Vec<Option<RunFile>>,
    _folder: ScratchFolder,
}

impl<W: Word> KeptLayers<W> for RunLayers {
    fn read_layer<B>(
        &self,
        depth: u32,
        visit: impl FnMut(&[W]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit> {
        read_all(self.layers[depth as usize].as_ref(), visit)
    }
}
