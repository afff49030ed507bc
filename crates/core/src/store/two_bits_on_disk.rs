//! Two bits for each rank of the space, in files.

use std::fmt;
use std::io::{self, BufWriter, ErrorKind, SeekFrom, Write};
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::sort_buffer::SortBuffer;
use super::two_bits::{
    FIELDS_PER_WORD, READ_STATES, as_earlier, check_ranks, current_fields, ranks_of, read_ranks,
    word_count,
};
use super::{
    Interrupt, LayerStore, MAX_THREADS, StoreProperties, Visit, VisitTagged, flow, get_mut, lock,
};
use crate::budget::{Limit, Meter};
use crate::disk::{Disk, Input, ScratchFolder};
use crate::memory::{Memory, OutOfMemory, Reservation, reserved_vec};
use crate::run_file::{RunWriter, damaged, read_blocks};
use crate::seam::{Batch, SpaceView};
use crate::word::Word;

/// A [`LayerStore`] of two bits per rank in files, for many threads: [`TwoBits`](super::TwoBits)
/// for spaces whose table is larger than memory.
///
/// The table is divided into segments, each a file. A layer is expanded by reading the segments
/// from the first to the last. The ranks that are generated are collected by segment, and full
/// buffers are sorted and added to a file of the segment. A commit loads one segment after the
/// other, applies what was added to it, and writes it again. So all files are read and written from
/// their beginning to their end; this is the structured duplicate detection of Zhou and Hansen
/// (2004), with delayed updates in the way of Kunkle and Cooperman (2007). A segment is written
/// again only if it has states of the current layer, or new ones.
///
/// # Cost
/// Disk: `n / 4` bytes for `n` ranks, a second copy of one segment, and for each rank that a layer
/// generates mostly two bytes. Memory: what [`new`](Self::new) books, and for each thread and for
/// each segment a block of 64 KiB. For a layer, the table is read twice and written once.
///
/// It cannot recover plans, as [`TwoBits`](super::TwoBits) cannot.
#[derive(Debug)]
pub struct TwoBitsOnDisk<'s, W> {
    space: SpaceView<'s, W>,
    segments: Vec<Segment>,
    /// The words of each segment, except the last.
    segment_words: usize,
    /// The field value of the next layer, 1 or 2.
    next: u64,
    /// For each thread, the ranks of each segment that are not in its file.
    buffers: Vec<Mutex<Vec<SortBuffer<u64>>>>,
    /// The segments with states of the layer that is open. All but the last one of the table have
    /// the same number of blocks.
    current: Vec<usize>,
    files: OpenFiles,
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
        get_mut(&mut self.updates)
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

/// Open files of segments that no thread reads.
#[derive(Default)]
struct OpenFiles(Mutex<Vec<(usize, Box<dyn Input>)>>);

impl fmt::Debug for OpenFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OpenFiles")
    }
}

impl<'s, W: Word> TwoBitsOnDisk<'s, W> {
    /// An empty store for up to `threads` threads, at most 256, with files in a new folder on
    /// `disk`. A segment takes seven eighths of `bytes`, but not less than 64 KiB or the 256th part
    /// of the table; buffers take the rest, but not less than 512 bytes for each thread and
    /// segment. All of it is reserved from `memory`.
    ///
    /// # Errors
    /// If the space has no ranks, the folder cannot be created, or the memory is not there.
    pub fn new(
        space: &SpaceView<'s, W>,
        disk: &Disk,
        threads: NonZero<usize>,
        bytes: u64,
        memory: &Memory,
    ) -> Result<Self, Limit> {
        let threads = threads.get().min(MAX_THREADS);
        let words = word_count(space.properties().ranks)?;
        let budgeted = usize::try_from(bytes / 8 * 7 / 8).unwrap_or(usize::MAX);
        let blocks =
            (budgeted / BLOCK_WORDS).max(words.div_ceil(BLOCK_WORDS * MAX_SEGMENTS)).max(1);
        let segment_words = blocks.saturating_mul(BLOCK_WORDS);
        let count = words.div_ceil(segment_words);
        let each = usize::try_from(bytes / 64).unwrap_or(usize::MAX) / (threads * count.max(1));
        let capacity = each.clamp(MIN_BUFFER, MAX_BUFFER);
        let (loaded, held) = reserved_vec(segment_words.min(words), memory)?;
        let buffers = |_| {
            let buffers = (0..count).map(|_| SortBuffer::new(capacity, memory));
            Ok(Mutex::new(buffers.collect::<Result<_, OutOfMemory>>()?))
        };
        let segment = |number| Segment {
            words: segment_words.min(words - number * segment_words),
            table: None,
            has_current: false,
            updates: Mutex::default(),
        };
        Ok(Self {
            space: *space,
            current: Vec::new(),
            files: OpenFiles::default(),
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

    fn layer(&self) -> TableView<'_> {
        let Self { ref folder, ref segments, segment_words, next, .. } = *self;
        TableView { folder, segments, segment_words, next }
    }

    /// Adds ranks to the buffers of a thread, and writes those that are full.
    fn take(&self, thread: usize, ranks: &[u64]) -> Result<(), Limit> {
        let mut buffers = lock(&self.buffers[thread]);
        let segment_ranks = self.segment_words as u64 * FIELDS_PER_WORD;
        for &rank in ranks {
            let segment = (rank / segment_ranks) as usize;
            buffers[segment].push(rank);
            if buffers[segment].is_full() {
                self.write(segment, &mut buffers[segment])?;
            }
        }
        Ok(())
    }

    /// Adds a buffer to the file of its segment.
    fn write(&self, segment: usize, buffer: &mut SortBuffer<u64>) -> Result<(), Limit> {
        let mut updates = lock(&self.segments[segment].updates);
        let writer = match &mut *updates {
            Some(writer) => writer,
            // Blocks are written as they are.
            none => {
                let path = self.folder.new_file()?;
                none.insert(RunWriter::create_unbuffered(&path, self.folder.disk())?)
            }
        };
        Ok(buffer.drain(|ranks| writer.push_blocks(ranks))?)
    }

    /// Writes the buffers of all threads.
    fn write_all(&self) -> Result<(), Limit> {
        for buffers in &self.buffers {
            let mut buffers = lock(buffers);
            let filled = buffers.iter_mut().enumerate().filter(|(_, buffer)| !buffer.is_empty());
            for (segment, buffer) in filled {
                self.write(segment, buffer)?;
            }
        }
        Ok(())
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

impl<W: Word> LayerStore<W> for TwoBitsOnDisk<'_, W> {
    fn properties(&self) -> StoreProperties {
        StoreProperties {
            is_sequential: false,
            has_rank_layers: true,
            needs_ranks: true,
            keeps_tags: false,
            has_separate_ranges: false,
            threads: NonZero::new(self.buffers.len()).unwrap_or(NonZero::<usize>::MIN),
        }
    }

    fn is_empty(&self) -> bool {
        let is_filled = |buffers: &Mutex<Vec<SortBuffer<u64>>>| {
            lock(buffers).iter().any(|buffer| !buffer.is_empty())
        };
        !self.is_committed
            && self.segments.iter().all(|segment| lock(&segment.updates).is_none())
            && !self.buffers.iter().any(is_filled)
    }

    fn start(&mut self, batch: &mut Batch<W>) -> Result<(), Limit> {
        self.take(0, batch.ranks())
    }

    fn open(&mut self) -> Result<usize, Limit> {
        self.current = self.layer().current().collect();
        get_mut(&mut self.files.0).clear();
        let Some((&last, others)) = self.current.split_last() else { return Ok(0) };
        Ok(others.len() * self.segments[0].blocks() + self.segments[last].blocks())
    }

    fn read_chunk(&self, chunk: usize, visit: VisitTagged<'_, W>) -> Result<(), Limit> {
        let (layer, blocks) = (self.layer(), self.segments[0].blocks());
        let (segment, block) = (self.current[chunk / blocks], chunk % blocks);
        // Threads are in the same segment, or one is in the next.
        let open = lock(&self.files.0).pop().filter(|&(of, _)| of == segment);
        let mut file = open.map_or_else(|| layer.file(segment), |(_, file)| Ok(file))?;
        let mut words = Vec::new();
        let first = layer.read(segment, block, &mut *file, &mut words)?;
        lock(&self.files.0).push((segment, file));
        let ranks = layer.ranks_in(first, &words);
        let _ = read_ranks(&self.space, ranks, &mut |states| visit(states, &[]));
        Ok(())
    }

    fn add(&self, thread: usize, batch: &mut Batch<W>) -> Result<(), Interrupt> {
        Ok(self.take(thread, batch.ranks())?)
    }

    fn commit(&mut self, meter: &mut Meter<'_>) -> Result<u64, Limit> {
        get_mut(&mut self.files.0).clear();
        // Of the start, or of threads that a limit stopped.
        self.write_all()?;
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
        visit: &mut dyn FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        self.write_all()?;
        let done = TableView { next: 3 - self.next, ..self.layer() };
        let mut result = Ok(());
        let _ = done.read_all(0..self.committed, &mut |first, words| {
            let ranks = done.ranks_in(first, words);
            read_ranks(&self.space, ranks, &mut |states| flow(visit(states), &mut result))
        })?;
        result?;
        let (space, mut states, mut own) = (self.space, Vec::new(), Vec::new());
        for segment in &mut self.segments[self.committed..] {
            let Some(updates) = segment.updates() else { continue };
            read_blocks(&mut *updates.open()?, |ranks: &[u64]| {
                own.clear();
                own.extend_from_slice(ranks);
                states.clear();
                states.resize(ranks.len(), W::ZERO);
                space.unrank(&mut own, &mut states);
                visit(&states)
            })?;
        }
        Ok(())
    }

    fn read(&self, visit: Visit<'_, W>) -> Result<ControlFlow<()>, Limit> {
        let layer = self.layer();
        layer.read_all(0..self.segments.len(), &mut |first, words| {
            read_ranks(&self.space, layer.ranks_in(first, words), visit)
        })
    }

    fn read_ranks(&self, visit: Visit<'_, u64>) -> Result<ControlFlow<()>, Limit> {
        let (layer, mut batch) = (self.layer(), Vec::with_capacity(READ_STATES));
        layer.read_all(0..self.segments.len(), &mut |first, words| {
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
        check_ranks(&self.space, ranks)?;
        self.take(0, ranks)
    }
}

/// The table while a layer is read.
#[derive(Clone, Copy, Debug)]
struct TableView<'a> {
    folder: &'a ScratchFolder,
    segments: &'a [Segment],
    segment_words: usize,
    next: u64,
}

impl<'a> TableView<'a> {
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
    fn read_all(
        self,
        segments: Range<usize>,
        visit: &mut dyn FnMut(usize, &[u64]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Limit> {
        let mut words = Vec::new();
        for segment in self.current().filter(|segment| segments.contains(segment)) {
            let mut file = self.file(segment)?;
            for block in 0..self.segments[segment].blocks() {
                let first = self.read(segment, block, &mut *file, &mut words)?;
                if visit(first, &words).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
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
