//! Files of states: blocks that have a checksum each, and that are coded by differences if their
//! states are sorted.
//!
//! A block is a head of three little-endian numbers of 32 bits (the bytes of its body, its states,
//! and the CRC-32 of these two numbers and the body) and the body. If the highest bit of the number
//! of states is set, the body is the states in any order, as [`Word::write_le`] writes them.
//! Otherwise it is the first state and then for each state how it differs from the one before: for
//! words of up to 64 bits the difference as LEB128, and for others the number of bytes of the key
//! that are equal, and the rest of the key. The key of a word is its limbs from limb 0, each
//! big-endian, so that keys are in the order of words.

use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::disk::{Disk, Input, Output};
use crate::word::Word;

/// The greatest number of states of a block. In a run, only the last one has fewer.
pub(crate) const BLOCK_STATES: usize = 1 << 13;
/// A block whose states are not sorted.
const UNSORTED: u32 = 1 << 31;
const HEAD_BYTES: usize = 12;
/// The greatest number of bytes by which a state differs from the one before.
const MAX_WORD_BYTES: usize = 256;
/// How much is written to a file at a time.
const WRITE_BYTES: usize = 1 << 18;

/// A complete file of states, in ascending order unless its blocks are used one by one.
#[derive(Debug)]
pub(crate) struct RunFile {
    path: PathBuf,
    disk: Disk,
    /// The number of states.
    pub(crate) states: u64,
    /// The number of bytes.
    pub(crate) bytes: u64,
    /// Where each block starts.
    blocks: Vec<u64>,
}

impl RunFile {
    /// Finds the blocks of a file after a head of this number of bytes. Reads all of them.
    ///
    /// # Errors
    /// If the file cannot be read, or a block is not what was written.
    pub(crate) fn scan<W: Word>(path: &Path, disk: &Disk, head: u64) -> io::Result<Self> {
        let (mut blocks, mut bytes) = (Vec::new(), head);
        let mut file = disk.files().open(path)?;
        file.seek(SeekFrom::Start(head))?;
        let (states, _) = read_sized_blocks(&mut *file, |_: &[W], length| {
            blocks.push(bytes);
            bytes += length;
            io::Result::Ok(())
        })?;
        let (path, disk) = (path.to_owned(), disk.clone());
        Ok(Self { path, disk, states, bytes, blocks })
    }

    /// The number of blocks.
    pub(crate) fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Opens the file to be read.
    pub(crate) fn open(&self) -> io::Result<Box<dyn Input>> {
        self.disk.files().open(&self.path)
    }

    /// Reads a block into `states`, of which the old contents are dropped.
    ///
    /// # Errors
    /// If the file cannot be read, or is not what was written.
    pub(crate) fn read_block<W: Word>(
        &self,
        file: &mut dyn Input,
        block: usize,
        bytes: &mut Vec<u8>,
        states: &mut Vec<W>,
    ) -> io::Result<()> {
        let start = self.blocks[block];
        let end = self.blocks.get(block + 1).copied().unwrap_or(self.bytes);
        bytes.resize((end - start) as usize, 0);
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(bytes)?;
        decode(bytes, states).ok_or_else(damaged)
    }

    /// Removes the file.
    pub(crate) fn remove(self) {
        // Its folder is removed in the end, and then this file, too.
        let _ = self.disk.files().remove(&self.path);
    }
}

pub(crate) fn damaged() -> io::Error {
    ErrorKind::InvalidData.into()
}

/// Writes states in ascending order to a new file.
#[derive(Debug)]
pub(crate) struct RunWriter<W> {
    file: BufWriter<Box<dyn Output>>,
    path: PathBuf,
    disk: Disk,
    body: Vec<u8>,
    in_block: usize,
    last: Option<W>,
    states: u64,
    bytes: u64,
    /// Where each block starts; `None` if the file is only read from its beginning to its end.
    blocks: Option<Vec<u64>>,
}

impl<W: Word> RunWriter<W> {
    /// Creates the file.
    pub(crate) fn create(path: &Path, disk: &Disk) -> io::Result<Self> {
        Self::with_buffer(WRITE_BYTES, Some(Vec::new()), path, disk)
    }

    /// Creates the file, which starts with a head of the caller.
    pub(crate) fn create_with_head(path: &Path, disk: &Disk, head: &[u8]) -> io::Result<Self> {
        let mut writer = Self::create(path, disk)?;
        disk.note_written(head.len() as u64)?;
        writer.file.write_all(head)?;
        writer.bytes = head.len() as u64;
        Ok(writer)
    }

    /// Creates a file to which whole blocks are [pushed](Self::push_blocks), each written at once.
    pub(crate) fn create_of_blocks(path: &Path, disk: &Disk) -> io::Result<Self> {
        Self::with_buffer(0, Some(Vec::new()), path, disk)
    }

    /// Creates a file that is not read by block. What is pushed is written at once.
    pub(crate) fn create_unbuffered(path: &Path, disk: &Disk) -> io::Result<Self> {
        Self::with_buffer(0, None, path, disk)
    }

    fn with_buffer(
        bytes: usize,
        blocks: Option<Vec<u64>>,
        path: &Path,
        disk: &Disk,
    ) -> io::Result<Self> {
        const { assert!(W::BYTES <= MAX_WORD_BYTES, "states on disk have at most 256 bytes") };
        let file = BufWriter::with_capacity(bytes, disk.files().create(path)?);
        let body = Vec::new();
        let (path, disk) = (path.to_owned(), disk.clone());
        Ok(Self { file, path, disk, body, in_block: 0, last: None, states: 0, bytes: 0, blocks })
    }

    /// Adds a state that is greater than all before it.
    pub(crate) fn push(&mut self, state: W) -> io::Result<()> {
        debug_assert!(self.last.is_none_or(|last| last < state), "states are in ascending order");
        match self.last.filter(|_| self.in_block > 0) {
            Some(last) => write_difference(last, state, &mut self.body),
            None => {
                let start = self.body.len();
                self.body.resize(start + W::BYTES, 0);
                state.write_le(&mut self.body[start..]);
            }
        }
        self.last = Some(state);
        self.in_block += 1;
        self.states += 1;
        if self.in_block == BLOCK_STATES { self.end_block() } else { Ok(()) }
    }

    /// Adds states in any order, as blocks of their own.
    pub(crate) fn push_blocks(&mut self, states: &[W]) -> io::Result<()> {
        self.end_block()?;
        for block in states.chunks(BLOCK_STATES) {
            if block.is_sorted_by(|one, next| one < next) {
                self.last = None;
                block.iter().try_for_each(|&state| self.push(state))?;
                self.end_block()?;
                continue;
            }
            self.body.resize(block.len() * W::BYTES, 0);
            for (bytes, state) in self.body.chunks_exact_mut(W::BYTES).zip(block) {
                state.write_le(bytes);
            }
            self.in_block = block.len();
            self.states += block.len() as u64;
            self.write_block(UNSORTED)?;
        }
        Ok(())
    }

    fn end_block(&mut self) -> io::Result<()> {
        if self.in_block == 0 { Ok(()) } else { self.write_block(0) }
    }

    fn write_block(&mut self, order: u32) -> io::Result<()> {
        self.disk.note_written((HEAD_BYTES + self.body.len()) as u64)?;
        let head = head_of(self.in_block as u32 | order, &self.body);
        self.file.write_all(&head)?;
        self.file.write_all(&self.body)?;
        if let Some(blocks) = &mut self.blocks {
            blocks.push(self.bytes);
        }
        self.bytes += (HEAD_BYTES + self.body.len()) as u64;
        self.body.clear();
        self.in_block = 0;
        Ok(())
    }

    /// The states and the bytes of the blocks so far.
    pub(crate) fn length(&self) -> (u64, u64) {
        (self.states, self.bytes)
    }

    /// Opens what was written so far.
    pub(crate) fn open(&mut self) -> io::Result<Box<dyn Input>> {
        self.end_block()?;
        self.file.flush()?;
        self.disk.files().open(&self.path)
    }

    /// Ends the file.
    pub(crate) fn finish(self) -> io::Result<RunFile> {
        Ok(self.end()?.0)
    }

    /// Ends the file, and returns it also as it was opened, so that it can be made durable.
    pub(crate) fn end(mut self) -> io::Result<(RunFile, Box<dyn Output>)> {
        self.end_block()?;
        let Self { path, disk, states, bytes, blocks, .. } = self;
        let output = self.file.into_inner()?;
        let blocks = blocks.unwrap_or_default();
        Ok((RunFile { path, disk, states, bytes, blocks }, output))
    }
}

/// Reads all states of a file, from the least to the greatest.
pub(crate) struct RunReader<'a, W> {
    run: &'a RunFile,
    file: Box<dyn Input>,
    next_block: usize,
    bytes: Vec<u8>,
    states: Vec<W>,
    at: usize,
}

impl<'a, W: Word> RunReader<'a, W> {
    pub(crate) fn new(run: &'a RunFile) -> io::Result<Self> {
        let (bytes, states) = (Vec::new(), Vec::new());
        let file = run.open()?;
        Ok(Self { run, file, next_block: 0, bytes, states, at: 0 })
    }

    /// The next state.
    pub(crate) fn next(&mut self) -> io::Result<Option<W>> {
        if self.at == self.states.len() {
            if self.next_block == self.run.block_count() {
                return Ok(None);
            }
            let Self { run, file, next_block, bytes, states, .. } = self;
            run.read_block(&mut **file, *next_block, bytes, states)?;
            *next_block += 1;
            self.at = 0;
        }
        self.at += 1;
        Ok(Some(self.states[self.at - 1]))
    }
}

/// Reads a file block by block, without the list of blocks, up to its end. Returns the numbers of
/// its states and of its bytes.
pub(crate) fn read_blocks<W: Word, E: From<io::Error>>(
    file: &mut dyn Input,
    mut visit: impl FnMut(&[W]) -> Result<(), E>,
) -> Result<(u64, u64), E> {
    read_sized_blocks(file, |states, _| visit(states))
}

/// The same; `visit` also gets the number of bytes of the block.
fn read_sized_blocks<W: Word, E: From<io::Error>>(
    file: &mut dyn Input,
    mut visit: impl FnMut(&[W], u64) -> Result<(), E>,
) -> Result<(u64, u64), E> {
    let mut file = BufReader::with_capacity(WRITE_BYTES, file);
    let (mut block, mut states) = (Vec::new(), Vec::new());
    let (mut read, mut bytes) = (0, 0);
    while !file.fill_buf()?.is_empty() {
        block.resize(HEAD_BYTES, 0);
        file.read_exact(&mut block)?;
        let length = u32::from_le_bytes([block[0], block[1], block[2], block[3]]) as usize;
        if length > BLOCK_STATES * (MAX_WORD_BYTES + 1) {
            return Err(damaged().into());
        }
        block.resize(HEAD_BYTES + length, 0);
        file.read_exact(&mut block[HEAD_BYTES..])?;
        decode(&block, &mut states).ok_or_else(damaged)?;
        visit(&states, block.len() as u64)?;
        read += states.len() as u64;
        bytes += block.len() as u64;
    }
    Ok((read, bytes))
}

/// The head of a block.
fn head_of(states: u32, body: &[u8]) -> [u8; HEAD_BYTES] {
    let mut head = [0; HEAD_BYTES];
    head[..4].copy_from_slice(&(body.len() as u32).to_le_bytes());
    head[4..8].copy_from_slice(&states.to_le_bytes());
    let checksum = checksum(&head[..8], body);
    head[8..].copy_from_slice(&checksum.to_le_bytes());
    head
}

/// A block of states in ascending order: at least one, and at most [`BLOCK_STATES`].
pub(crate) fn encode<W: Word>(states: &[W]) -> Vec<u8> {
    let mut block = vec![0; HEAD_BYTES + W::BYTES];
    states[0].write_le(&mut block[HEAD_BYTES..]);
    states.windows(2).for_each(|pair| write_difference(pair[0], pair[1], &mut block));
    let head = head_of(states.len() as u32, &block[HEAD_BYTES..]);
    block[..HEAD_BYTES].copy_from_slice(&head);
    block
}

fn checksum(head: &[u8], body: &[u8]) -> u32 {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(head);
    checksum.update(body);
    checksum.finalize()
}

/// The states of a block; `None` if it is damaged.
pub(crate) fn decode<W: Word>(block: &[u8], states: &mut Vec<W>) -> Option<()> {
    let (head, body) = block.split_at_checked(HEAD_BYTES)?;
    let number =
        |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let (length, count) = (number(0) as usize, (number(4) & !UNSORTED) as usize);
    let is_whole = length == body.len() && (1..=BLOCK_STATES).contains(&count);
    if !is_whole || number(8) != checksum(&head[..8], body) {
        return None;
    }
    states.clear();
    states.reserve(count);
    if number(4) & UNSORTED != 0 {
        states.extend(body.chunks_exact(W::BYTES).map(W::read_le));
        return (body.len() == count * W::BYTES).then_some(());
    }
    let (first, mut rest) = body.split_at_checked(W::BYTES)?;
    let mut last = W::read_le(first);
    states.push(last);
    for _ in 1..count {
        last = read_difference(last, &mut rest)?;
        states.push(last);
    }
    rest.is_empty().then_some(())
}

fn write_difference<W: Word>(last: W, state: W, body: &mut Vec<u8>) {
    if W::BITS <= 64 {
        let mut difference = state.low_bits() - last.low_bits();
        while difference >= 0x80 {
            body.push(difference as u8 | 0x80);
            difference >>= 7;
        }
        body.push(difference as u8);
        return;
    }
    let (mut before, mut key) = ([0; MAX_WORD_BYTES], [0; MAX_WORD_BYTES]);
    let (before, key) = (key_of(last, &mut before), key_of(state, &mut key));
    // The keys differ, so fewer than 256 bytes are equal.
    let equal = before.iter().zip(key).take_while(|(one, other)| one == other).count();
    body.push(equal as u8);
    body.extend_from_slice(&key[equal..]);
}

fn read_difference<W: Word>(last: W, rest: &mut &[u8]) -> Option<W> {
    if W::BITS <= 64 {
        let (mut difference, mut shift) = (0u64, 0);
        loop {
            let (&byte, after) = rest.split_first()?;
            *rest = after;
            difference |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                break;
            }
            shift += 7;
        }
        let mut bytes = [0; 8];
        last.low_bits().checked_add(difference)?.write_le(&mut bytes);
        return Some(W::read_le(&bytes));
    }
    let (&equal, after) = rest.split_first()?;
    let equal = usize::from(equal);
    let (new, after) = after.split_at_checked(W::BYTES.checked_sub(equal)?)?;
    *rest = after;
    let mut key = [0; MAX_WORD_BYTES];
    key_of(last, &mut key);
    key[equal..W::BYTES].copy_from_slice(new);
    Some(word_of(&mut key[..W::BYTES]))
}

/// The key of a word, in a buffer.
fn key_of<W: Word>(word: W, buffer: &mut [u8; MAX_WORD_BYTES]) -> &[u8] {
    let key = &mut buffer[..W::BYTES];
    word.write_le(key);
    key.chunks_exact_mut(W::LIMB_BITS as usize / 8).for_each(<[u8]>::reverse);
    key
}

/// The word with a key.
fn word_of<W: Word>(key: &mut [u8]) -> W {
    key.chunks_exact_mut(W::LIMB_BITS as usize / 8).for_each(<[u8]>::reverse);
    W::read_le(key)
}

#[cfg(test)]
mod tests {
    use std::env::temp_dir;
    use std::fs;
    use std::process;

    use super::*;

    /// A file of words, its bytes, and what is read from other bytes in its place.
    fn written<W: Word>(name: &str, words: &[W]) -> RunFile {
        let path = temp_dir().join(format!("fewest-test-{}-{name}", process::id()));
        let _ = fs::remove_file(&path);
        let mut writer = RunWriter::create(&path, &Disk::new(temp_dir())).expect("a file");
        words.iter().for_each(|&word| writer.push(word).expect("written"));
        writer.finish().expect("written")
    }

    fn read<W: Word>(run: &RunFile) -> io::Result<Vec<W>> {
        let mut reader = RunReader::new(run)?;
        let mut words = Vec::new();
        while let Some(word) = reader.next()? {
            words.push(word);
        }
        Ok(words)
    }

    fn check<W: Word>(name: &str, words: &[W]) {
        let run = written(name, words);
        assert_eq!(read::<W>(&run).expect("readable"), words);
        let bytes = fs::read(&run.path).expect("a file");
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(&run.path, flipped).expect("written");
            let found = read::<W>(&run).expect_err("damaged");
            assert_eq!(found.kind(), ErrorKind::InvalidData, "{name}: bit {bit}");
        }
        fs::write(&run.path, &bytes[..bytes.len() - 1]).expect("written");
        assert!(read::<W>(&run).is_err(), "{name}: cut short");
        run.remove();
    }

    #[test]
    fn words_of_all_widths_are_read_as_written_and_each_flipped_bit_is_found() {
        check::<u8>("u8", &[0, 1, 7, 128, 255]);
        check::<u16>("u16", &[0, 300, u16::MAX]);
        check::<u32>("u32", &[5, 6, 1 << 20, u32::MAX]);
        check::<u64>("u64", &[0, 1, 1 << 35, u64::MAX - 1, u64::MAX]);
        check::<u128>("u128", &[1, 1 << 100, (1 << 100) + 1, u128::MAX]);
        check::<[u64; 2]>("wide", &[[0, 5], [1, 0], [1, u64::MAX], [u64::MAX, 0]]);
    }

    #[test]
    fn words_in_any_order_are_read_as_written() {
        let path = temp_dir().join(format!("fewest-test-{}-unsorted", process::id()));
        let mut writer = RunWriter::create(&path, &Disk::new(temp_dir())).expect("a file");
        let sorted: Vec<u64> = (0..BLOCK_STATES as u64 + 3).collect();
        let unsorted: Vec<u64> =
            sorted.iter().map(|word| word.wrapping_mul(0x9E37_79B9)).rev().collect();
        for words in [&sorted, &unsorted, &vec![7, 7]] {
            writer.push_blocks(words).expect("written");
        }
        let (run, _) = writer.end().expect("written");
        let mut read = Vec::new();
        let counts = read_blocks(&mut *run.open().expect("a file"), |words: &[u64]| {
            read.extend_from_slice(words);
            io::Result::Ok(())
        });
        assert_eq!(counts.expect("readable"), (read.len() as u64, run.bytes));
        assert_eq!(read, [&sorted[..], &unsorted, &[7, 7]].concat());
        run.remove();
    }

    #[test]
    fn files_have_many_blocks() {
        let words: Vec<u64> = (0..3 * BLOCK_STATES as u64 + 5).map(|word| word * word).collect();
        let run = written("blocks", &words);
        assert_eq!((run.block_count(), run.states), (4, words.len() as u64));
        assert_eq!(read::<u64>(&run).expect("readable"), words);
        run.remove();
    }
}
