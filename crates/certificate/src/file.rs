//! The file format: compressed sections and a checksum.
//!
//! | bytes | what |
//! | --- | --- |
//! | 21 | `fewest-certificate 1` and a line feed |
//! | for each section: 1 | its tag |
//! | 8 | the number of its bytes, least significant byte first |
//! | 8 | the number of the bytes that follow |
//! | ... | the bytes of the section, as raw deflate (RFC 1951) |
//! | 4 | the CRC-32 of all bytes before, least significant byte first |

use std::io::{self, BufReader, BufWriter, Read, Take, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::refusal::Refusal;

const MAGIC: &[u8] = b"fewest-certificate 1\n";
const HEAD_BYTES: usize = 17;
const CHECKSUM_BYTES: usize = 4;

/// The sections of a certificate, in the order in which they occur. Each occurs at most once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Tag {
    /// The header: the instance and the claim, as text.
    Claim = b'c',
    /// The moves of a plan, as text.
    Plan = b'p',
    /// For each record, the length of the prefix that it shares with the record before.
    Shared = b's',
    /// The remaining bytes of the records.
    Rest = b't',
    /// For each record, its depth, delta-encoded.
    Depths = b'u',
    /// The data of a potential, delta-encoded.
    Numbers = b'v',
    /// As `Shared`, of the states from the goal.
    BackShared = b'w',
    /// As `Rest`, of these.
    BackRest = b'x',
    /// As `Depths`, of these.
    BackDepths = b'y',
}

impl Tag {
    const ALL: [Self; 9] = [
        Self::Claim,
        Self::Plan,
        Self::Shared,
        Self::Rest,
        Self::Depths,
        Self::Numbers,
        Self::BackShared,
        Self::BackRest,
        Self::BackDepths,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Claim => "claim",
            Self::Plan => "plan",
            Self::Shared => "shared",
            Self::Rest => "rest",
            Self::Depths => "depths",
            Self::Numbers => "numbers",
            Self::BackShared => "back-shared",
            Self::BackRest => "back-rest",
            Self::BackDepths => "back-depths",
        }
    }
}

/// Compresses the bytes of a section.
pub(crate) struct SectionWriter {
    /// Buffered, because most writes are a few bytes, and each write to the encoder is expensive.
    encoder: BufWriter<DeflateEncoder<Vec<u8>>>,
    bytes: u64,
    /// The last number.
    last: i64,
}

impl SectionWriter {
    pub(crate) fn new() -> Self {
        let encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        Self { encoder: BufWriter::new(encoder), bytes: 0, last: 0 }
    }

    /// A section of text.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut section = Self::new();
        section.push(text.as_bytes());
        section
    }

    /// Appends the difference to the previous number, zigzag-encoded as LEB128.
    pub(crate) fn push_number(&mut self, number: i64) {
        let difference = number.wrapping_sub(std::mem::replace(&mut self.last, number));
        let mut bits = (difference << 1 ^ difference >> 63) as u64;
        while bits >= 0x80 {
            self.push(&[bits as u8 | 0x80]);
            bits >>= 7;
        }
        self.push(&[bits as u8]);
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        // Writing to a `Vec` cannot fail.
        let _ = self.encoder.write_all(bytes);
    }

    fn end(self) -> (u64, Vec<u8>) {
        let stored = self.encoder.into_inner().map_err(io::Error::from);
        (self.bytes, stored.and_then(DeflateEncoder::finish).unwrap_or_default())
    }
}

/// Encodes sections as a file.
pub(crate) fn write(sections: impl IntoIterator<Item = (Tag, SectionWriter)>) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    for (tag, section) in sections {
        let (bytes, stored) = section.end();
        file.push(tag as u8);
        file.extend_from_slice(&bytes.to_le_bytes());
        file.extend_from_slice(&(stored.len() as u64).to_le_bytes());
        file.extend_from_slice(&stored);
    }
    let checksum = crc32fast::hash(&file);
    file.extend_from_slice(&checksum.to_le_bytes());
    file
}

/// The sections of a file.
#[derive(Debug)]
pub(crate) struct Sections<'a>(Vec<(Tag, Section<'a>)>);

/// A section, compressed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section<'a> {
    tag: Tag,
    /// The declared size after decompression. Untrusted.
    pub(crate) bytes: u64,
    stored: &'a [u8],
}

impl<'a> Sections<'a> {
    pub(crate) fn read(file: &'a [u8]) -> Result<Self, Refusal> {
        let damaged = |what: &str| Refusal::Damaged(what.to_owned());
        let rest = file
            .strip_prefix(MAGIC)
            .ok_or_else(|| damaged("it is not a certificate of this version"))?;
        let (_, checksum) =
            rest.split_last_chunk::<CHECKSUM_BYTES>().ok_or_else(|| damaged("it is too short"))?;
        let (before, _) = file.split_at(file.len() - CHECKSUM_BYTES);
        if crc32fast::hash(before) != u32::from_le_bytes(*checksum) {
            return Err(damaged("its checksum does not match"));
        }
        let mut rest = &before[MAGIC.len()..];
        let mut sections: Vec<(Tag, Section<'a>)> = Vec::new();
        while !rest.is_empty() {
            let (head, after) =
                rest.split_first_chunk::<HEAD_BYTES>().ok_or_else(|| damaged("it is cut short"))?;
            let number = |at: usize| {
                let bytes: [u8; 8] = std::array::from_fn(|byte| head[at + byte]);
                u64::from_le_bytes(bytes)
            };
            let tag = Tag::ALL.into_iter().find(|&tag| tag as u8 == head[0]);
            let tag = tag.ok_or_else(|| damaged("it has an unknown section"))?;
            if sections.last().is_some_and(|&(last, _)| last >= tag) {
                return Err(damaged("its sections are not in order"));
            }
            let length = usize::try_from(number(9)).unwrap_or(usize::MAX);
            let (stored, after) =
                after.split_at_checked(length).ok_or_else(|| damaged("it is cut short"))?;
            sections.push((tag, Section { tag, bytes: number(1), stored }));
            rest = after;
        }
        Ok(Self(sections))
    }

    pub(crate) fn get(&self, tag: Tag) -> Result<Section<'a>, Refusal> {
        let section = self.0.iter().find(|&&(found, _)| found == tag);
        let missing = || Refusal::Damaged(format!("it has no section `{}`", tag.name()));
        section.map(|&(_, section)| section).ok_or_else(missing)
    }

    /// Whether the file has exactly these sections.
    pub(crate) fn are(&self, expected: &[Tag]) -> bool {
        self.0.iter().map(|&(tag, _)| tag).eq(expected.iter().copied())
    }
}

impl<'a> Section<'a> {
    /// Decompresses the section while it is read, but never more bytes than it declares.
    pub(crate) fn open(self) -> SectionReader<'a> {
        SectionReader {
            tag: self.tag,
            left: self.bytes,
            last: 0,
            stored_bytes: self.stored.len() as u64,
            decoder: BufReader::new(DeflateDecoder::new(self.stored).take(self.bytes)),
        }
    }

    /// Reads the section as text. Refuses more than `most` bytes as damaged, and more than `memory`
    /// bytes as out of memory.
    pub(crate) fn text(self, most: u64, memory: u64) -> Result<String, Refusal> {
        if self.bytes > most {
            let what = format!("its section `{}` is too long", self.tag.name());
            return Err(Refusal::Damaged(what));
        }
        if self.bytes > memory {
            return Err(Refusal::Memory);
        }
        let mut bytes = vec![0; self.bytes as usize];
        let mut reader = self.open();
        reader.read(&mut bytes)?;
        reader.end()?;
        let damaged =
            |_| Refusal::Damaged(format!("its section `{}` is not UTF-8", self.tag.name()));
        String::from_utf8(bytes).map_err(damaged)
    }
}

/// Reads the bytes of a section.
pub(crate) struct SectionReader<'a> {
    tag: Tag,
    left: u64,
    /// The last number.
    last: i64,
    stored_bytes: u64,
    /// Buffered, because most reads are a few bytes, and each read from the decoder is expensive.
    decoder: BufReader<Take<DeflateDecoder<&'a [u8]>>>,
}

impl SectionReader<'_> {
    fn damaged(&self, what: &str) -> Refusal {
        Refusal::Damaged(format!("its section `{}` {what}", self.tag.name()))
    }

    /// Fills the buffer.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Result<(), Refusal> {
        self.left = self
            .left
            .checked_sub(buffer.len() as u64)
            .ok_or_else(|| self.damaged("is too short"))?;
        let read = self.decoder.read_exact(buffer);
        read.map_err(|_: io::Error| self.damaged("is damaged"))
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Refusal> {
        let mut byte = [0];
        self.read(&mut byte)?;
        Ok(byte[0])
    }

    /// Reads a number as [`push_number`](SectionWriter::push_number) writes it.
    pub(crate) fn number(&mut self) -> Result<i64, Refusal> {
        let (mut number, mut shift) = (0_u64, 0);
        loop {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift > 63 || bits << shift >> shift != bits {
                return Err(self.damaged("has a number that is too large"));
            }
            number |= bits << shift;
            if byte < 0x80 {
                break;
            }
            shift += 7;
        }
        let difference = (number >> 1) as i64 ^ -((number & 1) as i64);
        let next = self.last.checked_add(difference);
        self.last = next.ok_or_else(|| self.damaged("has a number that is not in range"))?;
        Ok(self.last)
    }

    /// Checks that all bytes were read: the declared ones and the compressed ones.
    pub(crate) fn end(mut self) -> Result<(), Refusal> {
        // `take` of `open` limits the output to the declared size; reading one more byte from the
        // decoder itself detects sections that inflate to more, and `total_in` detects trailing
        // garbage.
        let decoder = self.decoder.get_mut().get_mut();
        let is_at_end = self.left == 0 && decoder.read(&mut [0]).is_ok_and(|read| read == 0);
        if is_at_end && decoder.total_in() == self.stored_bytes {
            Ok(())
        } else {
            Err(self.damaged("is too long"))
        }
    }
}
