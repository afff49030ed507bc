//! Layers as sorted runs in files, for state spaces that are larger than memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fmt;
use std::io;
use std::num::NonZero;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Mutex;

use super::sort_buffer::SortBuffer;
use super::{
    Interrupt, LayerStore, MAX_THREADS, StoreProperties, Visit, VisitTagged, flow, get_mut, lock,
};
use crate::budget::{Limit, Meter};
use crate::disk::{Disk, Input, ScratchFolder};
use crate::memory::{Memory, OutOfMemory};
use crate::representation::run_buffer_states;
use crate::run_file::{BLOCK_STATES, RunFile, RunReader, RunWriter};
use crate::seam::Batch;
use crate::word::Word;

/// A [`LayerStore`] in files, for many threads: external sorting and delayed duplicate detection.
///
/// Each thread collects the states that it generates in a buffer. When it is full, it is sorted and
/// written as a run. A commit merges all runs of the layer and drops the states of earlier layers,
/// which are sorted files, too: of the last two, if the space is undirected, since a neighbour of a
/// layer is in it or beside it, of none if it is [graded](crate::StateSpace::is_graded), and of all
/// layers otherwise. Files are written and read from their
/// beginning to their end, and each block has a checksum.
///
/// # Cost
/// Memory: the buffers, which take at most what [`new`](Self::new) is given, one block (8,192
/// states and their bytes) for each run of a merge, and 8 bytes per block of each layer. Disk: the
/// current layer, those that it compares with, and the runs of the next one, in which a state
/// occurs as often as buffers with it were full. Words of up to 64 bits take one to ten bytes, by
/// how close together they are.
///
/// A commit opens the runs of the layer, at most 192 at a time, and the earlier layers that it
/// compares with: in a directed space that is not graded as many files as there are layers. The folder is removed with
/// the store; that of a process that was killed is removed by the next store on the same disk.
///
/// The moves that led to states are not stored, so the successors include those that undo a move.
///
/// # Errors
/// [`Limit::Io`] with the kind of the error; [`ErrorKind::InvalidData`](std::io::ErrorKind) if a
/// file is not what was written.
#[derive(Debug)]
pub struct Runs<W> {
    folder: ScratchFolder,
    /// How many of the last layers have states that may be generated again.
    repeated_layers: usize,
    keeps_layers: bool,
    /// All layers that are needed, up to the current one; an earlier one that is not is `None`.
    layers: Vec<Option<RunFile>>,
    /// The states that each thread has added and not written.
    buffers: Vec<Mutex<SortBuffer<W>>>,
    /// The file of the current layer while it is open.
    files: OpenFiles,
    next: Mutex<Vec<RunFile>>,
    /// The most runs that are merged at once; more are merged in groups first.
    max_merged: usize,
}

/// The limits of [`Runs::max_merged`], which grows with the memory. Systems allow at least 256 open
/// files.
const MERGED_RUNS: RangeInclusive<usize> = 64..=192;
/// At least this many runs are merged at once, however many earlier layers the last merge has open.
const MIN_MERGED_RUNS: usize = 16;

/// Open files that no thread reads.
#[derive(Default)]
struct OpenFiles(Mutex<Vec<Box<dyn Input>>>);

impl fmt::Debug for OpenFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OpenFiles")
    }
}

impl<W: Word> Runs<W> {
    /// An empty store for up to `threads` threads, at most 256, with files in a new folder on
    /// `disk`. The buffers of all threads together have `buffer_bytes` bytes, but at least 256 and
    /// at most 4,194,304 states each; they are reserved from `memory`. `repeated_layers` is
    /// [that of the space](crate::seam::Properties::repeated_layers).
    ///
    /// # Errors
    /// If the folder cannot be created, or the memory is not there.
    pub fn new(
        disk: &Disk,
        repeated_layers: usize,
        threads: NonZero<usize>,
        buffer_bytes: u64,
        memory: &Memory,
    ) -> Result<Self, Limit> {
        let threads = threads.get().min(MAX_THREADS);
        let state_bytes = size_of::<W>();
        let capacity = run_buffer_states(threads, state_bytes, buffer_bytes);
        // An open run has a block of states, and its bytes.
        let merged = buffer_bytes as usize / (2 * BLOCK_STATES * state_bytes);
        let buffers = (0..threads).map(|_| Ok(Mutex::new(SortBuffer::new(capacity, memory)?)));
        Ok(Self {
            files: OpenFiles::default(),
            folder: ScratchFolder::create(disk)?,
            repeated_layers,
            keeps_layers: false,
            layers: Vec::new(),
            buffers: buffers.collect::<Result<_, OutOfMemory>>()?,
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
        let next = get_mut(next);
        for buffer in buffers.iter_mut().map(get_mut).filter(|buffer| !buffer.is_empty()) {
            next.push(write_run(buffer, folder)?);
        }
        Ok(std::mem::take(next))
    }

    /// The states of these runs that are new. Groups of runs are replaced by their merge.
    fn merge_all(&self, runs: &mut Vec<RunFile>, meter: &mut Meter<'_>) -> Result<RunFile, Limit> {
        let most = self.max_merged.saturating_sub(self.earlier().count()).max(MIN_MERGED_RUNS);
        while runs.len() > most {
            let group = &runs[..most];
            let merged = merge::<W>(group, std::iter::empty(), &self.folder, meter)?;
            runs.drain(..most).for_each(RunFile::remove);
            runs.push(merged);
        }
        merge::<W>(runs, self.earlier(), &self.folder, meter)
    }

    /// The layers whose states are known and may be generated again.
    fn earlier(&self) -> impl Iterator<Item = &RunFile> {
        self.layers.iter().rev().take(self.repeated_layers).flatten()
    }

    /// The current layer.
    fn current(&self) -> Option<&RunFile> {
        self.layers.last().and_then(Option::as_ref)
    }

    /// Adds states to the buffer of a thread, and writes it when it is full.
    fn take(&self, thread: usize, states: &[W]) -> Result<(), Limit> {
        let mut buffer = lock(&self.buffers[thread]);
        for &state in states {
            if buffer.is_full() {
                let run = write_run(&mut buffer, &self.folder)?;
                lock(&self.next).push(run);
            }
            buffer.push(state);
        }
        Ok(())
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

impl<W: Word> LayerStore<W> for Runs<W> {
    fn properties(&self) -> StoreProperties {
        StoreProperties {
            is_sequential: false,
            has_rank_layers: false,
            needs_ranks: false,
            keeps_tags: false,
            has_separate_ranges: false,
            threads: NonZero::new(self.buffers.len()).unwrap_or(NonZero::<usize>::MIN),
        }
    }

    fn is_empty(&self) -> bool {
        self.layers.is_empty()
            && lock(&self.next).is_empty()
            && self.buffers.iter().all(|buffer| lock(buffer).is_empty())
    }

    fn start(&mut self, batch: &mut Batch<W>) -> Result<(), Limit> {
        self.take(0, batch.states())
    }

    fn open(&mut self) -> Result<usize, Limit> {
        get_mut(&mut self.files.0).clear();
        Ok(self.current().map_or(0, RunFile::block_count))
    }

    fn read_chunk(&self, chunk: usize, visit: VisitTagged<'_, W>) -> Result<(), Limit> {
        match self.current() {
            Some(layer) => read_chunk(layer, &self.files, chunk, visit),
            None => Ok(()),
        }
    }

    fn add(&self, thread: usize, batch: &mut Batch<W>) -> Result<(), Interrupt> {
        Ok(self.take(thread, batch.states())?)
    }

    fn commit(&mut self, meter: &mut Meter<'_>) -> Result<u64, Limit> {
        get_mut(&mut self.files.0).clear();
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
        if !self.keeps_layers {
            // The current layer is still to be expanded.
            let kept = self.repeated_layers.max(1);
            let old = self.layers.len().checked_sub(kept.saturating_add(1));
            let old = old.and_then(|old| self.layers[old].take());
            old.into_iter().for_each(RunFile::remove);
        }
        Ok(states)
    }

    fn read_added(
        &mut self,
        visit: &mut dyn FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let (runs, mut result) = (self.take_runs()?, Ok(()));
        let read = runs.iter().try_for_each(|run| {
            read_all(Some(run), &mut |states| flow(visit(states), &mut result)).and(result)
        });
        self.next = Mutex::new(runs);
        read
    }

    fn read(&self, visit: Visit<'_, W>) -> Result<ControlFlow<()>, Limit> {
        read_all(self.current(), visit)
    }

    fn keep_layers(&mut self) -> Result<(), Limit> {
        self.keeps_layers = true;
        Ok(())
    }

    fn drop_all_but_layers(&mut self) {
        self.buffers.clear();
    }

    fn read_layer(&self, depth: u32, visit: Visit<'_, W>) -> Result<ControlFlow<()>, Limit> {
        read_all(self.layers[depth as usize].as_ref(), visit)
    }
}

/// Reads a layer in blocks.
fn read_all<W: Word>(
    layer: Option<&RunFile>,
    visit: Visit<'_, W>,
) -> Result<ControlFlow<()>, Limit> {
    let Some(layer) = layer else { return Ok(ControlFlow::Continue(())) };
    let (mut file, mut bytes, mut states) = (layer.open()?, Vec::new(), Vec::new());
    for block in 0..layer.block_count() {
        layer.read_block(&mut *file, block, &mut bytes, &mut states)?;
        if visit(&states).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Reads a block of a file, for any thread.
fn read_chunk<W: Word>(
    layer: &RunFile,
    files: &OpenFiles,
    chunk: usize,
    visit: VisitTagged<'_, W>,
) -> Result<(), Limit> {
    let open = lock(&files.0).pop();
    let mut file = open.map_or_else(|| layer.open(), Ok)?;
    let (mut bytes, mut states) = (Vec::new(), Vec::new());
    layer.read_block(&mut *file, chunk, &mut bytes, &mut states)?;
    lock(&files.0).push(file);
    let _ = visit(&states, &[]);
    Ok(())
}

/// The states of a file, in chunks that any thread can read, in place of the current layer of a
/// store.
pub(crate) struct FileReader<'a> {
    layer: &'a RunFile,
    files: OpenFiles,
}

impl<'a> FileReader<'a> {
    pub(crate) fn new(layer: &'a RunFile) -> Self {
        Self { layer, files: OpenFiles::default() }
    }

    pub(crate) fn chunk_count(&self) -> usize {
        self.layer.block_count()
    }

    pub(crate) fn read_chunk<W: Word>(
        &self,
        chunk: usize,
        visit: VisitTagged<'_, W>,
    ) -> Result<(), Limit> {
        read_chunk(self.layer, &self.files, chunk, visit)
    }
}
