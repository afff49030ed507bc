//! Two bits for each rank of the space, in files.

use std::io::{self, BufWriter, ErrorKind, SeekFrom, Write};
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::run_file::{RunWriter, damaged, read_blocks};
use super::sort_buffer::SortBuffer;
use super::two_bits::{
    FIELDS_PER_WORD, READ_STATES, as_earlier, check_ranks, current_fields, ranks_of, read_ranks,
    word_count,
};
use super::{Interrupt, LayerReader, LayerStore, LayerWriter, MAX_THREADS, flow, stopped};
use crate::budget::{Limit, Meter};
use crate::disk::{Disk, Input, ScratchFolder};
use crate::memory::{Memory, OutOfMemory, Reservation, reserved_vec};
use crate::space::Ranked;

/// A [`LayerStore`] of two bits per rank in files, for many threads: [`TwoBits`](super::TwoBits) for
/// spaces whose table is larger than memory.
///
/// The table is divided into segments, each a file. A layer is expanded by reading the segments from
/// the first to the last. The ranks that are generated are collected by segment, and full buffers are
/// sorted and added to a file of the segment. A commit loads one segment after the other, applies what
/// was added to it, and writes it again. So all files are read and written from their beginning to
/// their end; this is the structured duplicate detection of Zhou and Hansen (2004), with delayed
/// updates in the way of Kunkle and Cooperman (2007). A segment is written again only if it has states
/// of the current layer, or new ones.
///
/// # Cost
/// Disk: `n / 4` bytes for `n` ranks, a second copy of one segment, and for each rank that a layer
/// generates mostly two bytes. Memory: what [`new`](Self::new) books, and for each thread and for each
/// segment a block of 64 KiB. For a layer, the table is read twice and written once.
///
/// It cannot recover plans, as [`TwoBits`](super::TwoBits) cannot.
#[derive(Debug)]
pub struct TwoBitsOnDisk<'s, S> {
    space: &'s S,
    segments: Vec<Segment>,
    /// The words of each segment, except the last.
    segment_words: usize,
    /// The field value of the next layer, 1 or 2.
    next: u64,
    /// For each thread, the ranks of each segment that are not in its file.
    buffers: Vec<Vec<SortBuffer<u64>>>,
    /// Room for the words of a segment.
    loaded: Vec<u64>,
    is_committed: bool,
    /// The number of segments that the current commit, or one that a limit stopped, has written.
    committed: usize,
    _held: Reservation,
    /// The last field, so that no file in it is open when it is removed.
    folder: ScratchFolder,
}

/// A part of the table.
#[derive(Debug)]
struct Segment {
    words: usize,
    /// `None` if no rank of it has been generated.
    table: Option<PathBuf>,
    has_current: bool,
    /// Ranks that may be new.
    updates: Mutex<Option<RunWriter<u64>>>,
}

impl Segment {
    fn updates(&mut self) -> &mut Option<RunWriter<u64>> {
        self.updates.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of blocks of its table.
    fn blocks(&self) -> usize {
        self.words.div_ceil(BLOCK_WORDS)
    }
}

/// The words of a block of a table. A checksum of 4 bytes follows each.
const BLOCK_WORDS: usize = 1 << 13;
/// The most segments. Each may have an open file.
const MAX_SEGMENTS: usize = 256;
const CHECKSUM_BYTES: usize = 4;
/// The greatest number of ranks of a buffer.
const MAX_BUFFER: usize = 1 << 13;
/// The fewest.
const MIN_BUFFER: usize = 1 << 6;

impl<'s, S: Ranked> TwoBitsOnDisk<'s, S> {
    /// An empty store for up to `threads` threads, at most 256, with files in a new folder on `disk`.
    /// A segment takes seven eighths of `bytes`, but not less than 64 KiB or the 256th part of the table;
    /// buffers take the rest, but not less than 512 bytes for each thread and segment. All of it is
    /// reserved from `memory`.
    ///
    /// # Errors
    /// If the space has no ranks, the folder cannot be created, or the memory is not there.
    pub fn new(
        space: &'s S,
        disk: &Disk,
        threads: NonZero<usize>,
        bytes: u64,
        memory: &Memory,
    ) -> Result<Self, Limit> {
        let threads = threads.get().min(MAX_THREADS);
        let words = word_count(space)?;
        let budgeted = usize::try_from(bytes / 8 * 7 / 8).unwrap_or(usize::MAX);
        let blocks =
            (budgeted / BLOCK_WORDS).max(words.div_ceil(BLOCK_WORDS * MAX_SEGMENTS)).max(1);
        let segment_words = blocks.saturating_mul(BLOCK_WORDS);
        let count = words.div_ceil(segment_words);
        let each = usize::try_from(bytes / 64).unwrap_or(usize::MAX) / (threads * count.max(1));
        let capacity = each.clamp(MIN_BUFFER, MAX_BUFFER);
        let (loaded, held) = reserved_vec(segment_words.min(words), memory)?;
        let buffers = |_| (0..count).map(|_| SortBuffer::new(capacity, memory)).collect();
        let segment = |number| Segment {
            words: segment_words.min(words - number * segment_words),
            table: None,
            has_current: false,
            updates: Mutex::default(),
        };
        Ok(Self {
            space,
            segments: (0..count).map(segment).collect(),
            segment_words,
            next: 1,
            buffers: (0..threads).map(buffers).collect::<Result<_, OutOfMemory>>()?,
            loaded,
            is_committed: false,
            committed: 0,
            _held: held,
            folder: ScratchFolder::create(disk)?,
        })
    }

    /// The current layer, and a writer for each thread.
    fn parts(&mut self) -> (TableView<'_, S>, impl Iterator<Item = Writer<'_, S>>) {
        let Self { space, ref folder, ref segments, segment_words, next, .. } = *self;
        let layer = TableView { space, folder, segments, segment_words, next };
        (layer, self.buffers.iter_mut().map(move |buffers| Writer { layer, buffers }))
    }

    fn layer(&self) -> TableView<'_, S> {
        let Self { space, ref folder, ref segments, segment_words, next, .. } = *self;
        TableView { space, folder, segments, segment_words, next }
    }

    /// Applies what was added to a segment, and returns the number of its new states.
    fn commit_segment(&mut self, number: usize, meter: &mut Meter<'_>) -> Result<u64, Limit> {
        let first = (number * self.segment_words) as u64 * FIELDS_PER_WORD;
        let Self { folder, next, segments, loaded: words, .. } = self;
        let (segment, next) = (&mut segments[number], *next);
        if segment.updates().is_none() && !segment.has_current {
            return Ok(0);
        }
        words.clear();
        if let Some(path) = &segment.table {
            let mut file = folder.files().open(path)?;
            for block in 0..segment.blocks() {
                read_words(&mut *file, block, segment.words, words)?;
                meter.poll_after(BLOCK_WORDS as u32)?;
            }
        }
        words.resize(segment.words, 0);
        if segment.has_current {
            for word in words.iter_mut() {
                *word |= as_earlier(current_fields(*word, next));
            }
        }
        let mut new = 0;
        if let Some(updates) = segment.updates() {
            let mut file = updates.open()?;
            let read = read_blocks(&mut *file, |ranks: &[u64]| {
                for &rank in ranks {
                    // The file has what a writer put there.
                    let rank = rank.wrapping_sub(first);
                    let word = words.get_mut((rank / FIELDS_PER_WORD) as usize);
                    let word = word.ok_or(Limit::Io(ErrorKind::InvalidData))?;
                    let shift = 2 * (rank % FIELDS_PER_WORD);
                    let is_new = *word >> shift & 3 == 0;
                    *word |= (u64::from(is_new) * next) << shift;
                    new += u64::from(is_new);
                }
                meter.poll_after(ranks.len() as u32)
            })?;
            if read != updates.length() {
                return Err(damaged().into());
            }
        }
        if segment.has_current || new > 0 {
            let path = folder.new_file()?;
            write_words(&path, folder, words)?;
            if let Some(old) = segment.table.replace(path) {
                folder.files().remove(&old)?;
            }
        }
        if let Some(updates) = segment.updates().take() {
            updates.finish()?.remove();
        }
        segment.has_current = new > 0;
        Ok(new)
    }
}

/// Writes a table in blocks.
fn write_words(path: &Path, folder: &ScratchFolder, words: &[u64]) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 18, folder.files().create(path)?);
    let mut bytes = Vec::with_capacity(8 * BLOCK_WORDS);
    for block in words.chunks(BLOCK_WORDS) {
        bytes.clear();
        block.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        folder.disk().note_written(bytes.len() as u64)?;
        file.write_all(&bytes)?;
        file.write_all(&crc32fast::hash(&bytes).to_le_bytes())?;
    }
    file.flush()
}

/// Reads a block of a table of `words` words, and appends it.
fn read_words(
    file: &mut dyn Input,
    block: usize,
    words: usize,
    into: &mut Vec<u64>,
) -> io::Result<()> {
    let count = BLOCK_WORDS.min(words - block * BLOCK_WORDS);
    let mut bytes = vec![0; 8 * count + CHECKSUM_BYTES];
    file.seek(SeekFrom::Start((block * (8 * BLOCK_WORDS + CHECKSUM_BYTES)) as u64))?;
    file.read_exact(&mut bytes)?;
    let (words, checksum) = bytes.split_at(8 * count);
    if checksum != crc32fast::hash(words).to_le_bytes() {
        return Err(damaged());
    }
    into.extend(words.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)));
    Ok(())
}

impl<'s, S: Ranked> LayerStore<'s, S> for TwoBitsOnDisk<'s, S> {
    const SEQUENTIAL: bool = false;

    const HAS_RANKS: bool = true;

    type Reader<'a>
        = Reader<'a, S>
    where
        Self: 'a;

    type Writer<'a>
        = Writer<'a, S>
    where
        Self: 'a;

    fn space(&self) -> &'s S {
        self.space
    }

    fn threads(&self) -> NonZero<usize> {
        NonZero::new(self.buffers.len()).unwrap_or(NonZero::<usize>::MIN)
    }

    fn is_empty(&self) -> bool {
        let is_new = |segment: &Segment| {
            segment.updates.lock().unwrap_or_else(PoisonError::into_inner).is_none()
        };
        !self.is_committed
            && self.segments.iter().all(is_new)
            && self.buffers.iter().flatten().all(SortBuffer::is_empty)
    }

    fn start(&mut self, states: &[S::State]) -> Result<(), Limit> {
        let space = self.space;
        let ranks = states.iter().map(|&state| space.rank(state));
        self.parts().1.next().map_or(Ok(()), |mut writer| writer.take(ranks))
    }

    fn open(&mut self) -> Result<(Reader<'_, S>, Vec<Writer<'_, S>>), Limit> {
        let (layer, writers) = self.parts();
        let current = layer.current().collect();
        Ok((Reader { layer, current, files: Mutex::default() }, writers.collect()))
    }

    fn commit(&mut self, meter: &mut Meter<'_>) -> Result<u64, Limit> {
        // Of the start, or of threads that a limit stopped.
        self.parts().1.try_for_each(|mut writer| writer.write_all())?;
        let mut states = 0;
        for number in 0..self.segments.len() {
            self.committed = number;
            states += self.commit_segment(number, meter)?;
        }
        self.committed = 0;
        self.next = 3 - self.next;
        self.is_committed = true;
        Ok(states)
    }

    fn read_added(
        &mut self,
        mut visit: impl FnMut(&[S::State]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        self.parts().1.try_for_each(|mut writer| writer.write_all())?;
        let done = TableView { next: 3 - self.next, ..self.layer() };
        stopped(done.read_all(0..self.committed, |first, words| {
            read_ranks(self.space, done.ranks_in(first, words), |states| flow(visit(states)))
        })?)?;
        let (space, mut states) = (self.space, Vec::new());
        for segment in &mut self.segments[self.committed..] {
            let Some(updates) = segment.updates() else { continue };
            read_blocks(&mut *updates.open()?, |ranks| {
                states.clear();
                states.extend(ranks.iter().map(|&rank| space.unrank(rank)));
                visit(&states)
            })?;
        }
        Ok(())
    }

    fn read<B>(
        &self,
        mut visit: impl FnMut(&[S::State]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit> {
        let layer = self.layer();
        layer.read_all(0..self.segments.len(), |first, words| {
            read_ranks(self.space, layer.ranks_in(first, words), &mut visit)
        })
    }

    fn read_ranks<B>(
        &self,
        mut visit: impl FnMut(&[u64]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit> {
        let (layer, mut batch) = (self.layer(), Vec::with_capacity(READ_STATES));
        layer.read_all(0..self.segments.len(), |first, words| {
            let mut ranks = layer.ranks_in(first, words);
            loop {
                batch.clear();
                batch.extend(ranks.by_ref().take(READ_STATES));
                if batch.is_empty() {
                    return ControlFlow::Continue(());
                }
                visit(&batch)?;
            }
        })
    }

    fn start_ranks(&mut self, ranks: &[u64]) -> Result<(), Limit> {
        check_ranks(self.space, ranks)?;
        let ranks = ranks.iter().copied();
        self.parts().1.next().map_or(Ok(()), |mut writer| writer.take(ranks))
    }
}

/// The table while a layer is read.
#[derive(Debug)]
struct TableView<'a, S> {
    space: &'a S,
    folder: &'a ScratchFolder,
    segments: &'a [Segment],
    segment_words: usize,
    next: u64,
}

impl<S> Clone for TableView<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for TableView<'_, S> {}

impl<'a, S> TableView<'a, S> {
    /// The segments with states of the layer.
    fn current(self) -> impl Iterator<Item = usize> + 'a {
        let segments = self.segments.iter().enumerate();
        segments.filter(|(_, segment)| segment.has_current).map(|(number, _)| number)
    }

    /// Opens the table of a segment that has states.
    fn file(self, segment: usize) -> io::Result<Box<dyn Input>> {
        let path = self.segments[segment].table.as_deref().ok_or(ErrorKind::NotFound)?;
        self.folder.files().open(path)
    }

    /// Reads a block, and returns the index of its first word in the whole table.
    fn read(
        self,
        segment: usize,
        block: usize,
        file: &mut dyn Input,
        words: &mut Vec<u64>,
    ) -> io::Result<usize> {
        words.clear();
        read_words(file, block, self.segments[segment].words, words)?;
        Ok(segment * self.segment_words + block * BLOCK_WORDS)
    }

    /// The ranks of the layer in words of the table, of which the first one has this index.
    fn ranks_in<'w>(self, first: usize, words: &'w [u64]) -> impl Iterator<Item = u64> + 'w {
        let next = self.next;
        words
            .iter()
            .enumerate()
            .flat_map(move |(index, &word)| ranks_of(first + index, current_fields(word, next)))
    }

    /// Reads all blocks of these segments, each with the index of its first word.
    fn read_all<B>(
        self,
        segments: Range<usize>,
        mut visit: impl FnMut(usize, &[u64]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit> {
        let mut words = Vec::new();
        for segment in self.current().filter(|segment| segments.contains(segment)) {
            let mut file = self.file(segment)?;
            for block in 0..self.segments[segment].blocks() {
                let first = self.read(segment, block, &mut *file, &mut words)?;
                if let ControlFlow::Break(value) = visit(first, &words) {
                    return Ok(ControlFlow::Break(value));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The current layer of a [`TwoBitsOnDisk`] store. A chunk is a block.
#[derive(Debug)]
#[doc(hidden)]
pub struct Reader<'a, S> {
    layer: TableView<'a, S>,
    /// The segments with states. All but the last one of the table have the same number of blocks.
    current: Vec<usize>,
    /// Open files of segments that no thread uses.
    files: Mutex<Vec<(usize, Box<dyn Input>)>>,
}

impl<S: Ranked> LayerReader<S> for Reader<'_, S> {
    const SEPARATE_RANGES: bool = false;

    fn chunk_count(&self) -> usize {
        let Some((&last, others)) = self.current.split_last() else { return 0 };
        let blocks = |segment: usize| self.layer.segments[segment].blocks();
        others.len() * blocks(0) + blocks(last)
    }

    fn read(
        &self,
        chunk: usize,
        mut visit: impl FnMut(&[S::State], &[S::Move]) -> ControlFlow<()>,
    ) -> Result<(), Limit> {
        let blocks = self.layer.segments[0].blocks();
        let (segment, block) = (self.current[chunk / blocks], chunk % blocks);
        let files = || self.files.lock().unwrap_or_else(PoisonError::into_inner);
        // Threads are in the same segment, or one is in the next.
        let open = files().pop().filter(|&(of, _)| of == segment);
        let mut file = open.map_or_else(|| self.layer.file(segment), |(_, file)| Ok(file))?;
        let mut words = Vec::new();
        let first = self.layer.read(segment, block, &mut *file, &mut words)?;
        files().push((segment, file));
        let ranks = self.layer.ranks_in(first, &words);
        let _ = read_ranks(self.layer.space, ranks, |states| visit(states, &[]));
        Ok(())
    }
}

/// Collects the ranks of one thread.
#[derive(Debug)]
#[doc(hidden)]
pub struct Writer<'a, S> {
    layer: TableView<'a, S>,
    /// For each segment.
    buffers: &'a mut [SortBuffer<u64>],
}

impl<S: Sync> Writer<'_, S> {
    fn take(&mut self, ranks: impl Iterator<Item = u64>) -> Result<(), Limit> {
        let segment_ranks = self.layer.segment_words as u64 * FIELDS_PER_WORD;
        for rank in ranks {
            let segment = (rank / segment_ranks) as usize;
            self.buffers[segment].push(rank);
            if self.buffers[segment].is_full() {
                self.write(segment)?;
            }
        }
        Ok(())
    }

    /// Adds a buffer to the file of its segment.
    fn write(&mut self, segment: usize) -> Result<(), Limit> {
        let TableView { folder, segments, .. } = self.layer;
        let mut updates = segments[segment].updates.lock().unwrap_or_else(PoisonError::into_inner);
        let writer = match &mut *updates {
            Some(writer) => writer,
            // Blocks are written as they are.
            none => none.insert(RunWriter::create_unbuffered(&folder.new_file()?, folder.disk())?),
        };
        Ok(self.buffers[segment].drain(|ranks| writer.push_blocks(ranks))?)
    }

    fn write_all(&mut self) -> Result<(), Limit> {
        let filled = |&segment: &usize| !self.buffers[segment].is_empty();
        let filled: Vec<_> = (0..self.buffers.len()).filter(filled).collect();
        filled.into_iter().try_for_each(|segment| self.write(segment))
    }
}

impl<S: Ranked> LayerWriter<S> for Writer<'_, S> {
    fn add(&mut self, batch: &mut [(S::State, S::Move)]) -> Result<(), Interrupt> {
        let space = self.layer.space;
        Ok(self.take(batch.iter().map(|&(state, by)| space.rank_after(state, by)))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_flipped_bit_of_a_table_is_found() {
        let folder = ScratchFolder::create(&Disk::new(std::env::temp_dir())).expect("a folder");
        let path = folder.new_file().expect("room");
        let words: Vec<u64> = (0..BLOCK_WORDS as u64 + 5).map(|word| word.pow(3)).collect();
        write_words(&path, &folder, &words).expect("written");
        let (files, mut read) = (folder.files(), Vec::new());
        let mut bytes = Vec::new();
        files.open(&path).expect("a file").read_to_end(&mut bytes).expect("read");
        let mut block = |number| {
            let mut file = files.open(&path).expect("a file");
            read.clear();
            read_words(&mut *file, number, words.len(), &mut read).map(|()| read.clone())
        };
        assert_eq!(block(0).expect("read"), words[..BLOCK_WORDS]);
        assert_eq!(block(1).expect("read"), words[BLOCK_WORDS..]);
        for flip in 0..1000 {
            let bit = flip * 7919 % (8 * bytes.len());
            bytes[bit / 8] ^= 1 << (bit % 8);
            files.create(&path).expect("a file").write_all(&bytes).expect("written");
            let number = usize::from(bit / 8 >= 8 * BLOCK_WORDS + CHECKSUM_BYTES);
            let found = block(number).expect_err("damaged");
            assert_eq!(found.kind(), ErrorKind::InvalidData, "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}
