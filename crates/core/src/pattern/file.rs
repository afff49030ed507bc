//! Pattern databases in files.
//!
//! A file is a text of fields, as those of a [checkpoint](crate::checkpoint): the version of the
//! format, the description, the number of ranks, the CRC-32 of the distances, and the CRC-32 of the
//! text itself. After it comes a byte for each rank: the distance, or 255.

use std::io::{self, BufRead, Read, Write};
use std::sync::atomic::{AtomicU8, Ordering};

use super::Database;
use crate::checkpoint::{Description, text};
use crate::memory::{Memory, OutOfMemory};

const FORMAT: &str = "fewest pattern database 1";
const RANKS: &str = "ranks";
const CHECKSUM: &str = "checksum of the distances";

/// The most bytes of the text before the distances.
const MAX_TEXT: u64 = 1 << 20;

/// How many distances are read or written at a time.
const BLOCK: usize = 1 << 16;

/// The error of a file that is not the pattern database that was asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is about something else.
    #[error(
        "the pattern database is about another `{field}`: {}, and expected is {}",
        .found.as_deref().unwrap_or("none"), .expected.as_deref().unwrap_or("none")
    )]
    Other {
        /// The first field of the description that differs.
        field: String,
        /// Its value in the file.
        found: Option<String>,
        /// Its value in the description that was asked for.
        expected: Option<String>,
    },
    /// It has another format.
    #[error("the pattern database has the format `{0}`, and expected is `{FORMAT}`")]
    Version(String),
    /// Its checksum is wrong, it ends too early, or something follows it.
    #[error("the pattern database is damaged")]
    Damaged,
    /// The distances do not fit the memory limit.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

impl Database {
    /// Writes the database with the description of what it is about: all that its distances depend
    /// on. A file of the same description is taken for the same database.
    ///
    /// # Errors
    /// That of the output.
    pub fn write(&self, mut out: impl Write, about: &Description) -> io::Result<()> {
        let bytes = |block: &[AtomicU8]| -> Vec<u8> {
            block.iter().map(|distance| distance.load(Ordering::Relaxed)).collect()
        };
        let mut checksum = crc32fast::Hasher::new();
        self.distances().chunks(BLOCK).for_each(|block| checksum.update(&bytes(block)));
        let (ranks, checksum) = (self.ranks().to_string(), format!("{:08x}", checksum.finalize()));
        let own = [(RANKS, ranks.as_str()), (CHECKSUM, checksum.as_str())];
        out.write_all(text::write(FORMAT, about.fields().chain(own)).as_bytes())?;
        self.distances().chunks(BLOCK).try_for_each(|block| out.write_all(&bytes(block)))?;
        out.flush()
    }

    /// Reads a database that [`write`](Self::write) has written.
    ///
    /// # Errors
    /// If the file is damaged, is not about this description, or does not fit the memory.
    pub fn read(
        mut input: impl BufRead,
        about: &Description,
        memory: &Memory,
    ) -> Result<Self, DatabaseError> {
        let fields = text::parse(&read_text(&mut input)?, FORMAT).map_err(|error| match error {
            text::TextError::Damaged => DatabaseError::Damaged,
            text::TextError::Format(found) => DatabaseError::Version(found),
        })?;
        let Some((about_file, [(_, ranks), (_, checksum)])) = fields.split_last_chunk() else {
            return Err(DatabaseError::Damaged);
        };
        let found = Description::new(about_file.iter().cloned());
        if let Some((field, expected, found)) = about.difference(&found) {
            let [expected, found] = [expected, found].map(|value| value.map(str::to_owned));
            return Err(DatabaseError::Other { field: field.to_owned(), found, expected });
        }
        let ranks = ranks.parse().map_err(|_| DatabaseError::Damaged)?;
        let mut database = Self::unknown(ranks, memory)?;
        let mut found = crc32fast::Hasher::new();
        for block in database.distances_mut().chunks_mut(BLOCK) {
            let mut bytes = vec![0; block.len()];
            input.read_exact(&mut bytes).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => DatabaseError::Damaged,
                _ => error.into(),
            })?;
            found.update(&bytes);
            block.iter_mut().zip(bytes).for_each(|(distance, byte)| *distance.get_mut() = byte);
        }
        let is_complete = input.fill_buf()?.is_empty();
        if is_complete && format!("{:08x}", found.finalize()) == *checksum {
            Ok(database)
        } else {
            Err(DatabaseError::Damaged)
        }
    }
}

/// The text before the distances. Its last line is the only one without a tab, but the first.
fn read_text(input: &mut impl BufRead) -> Result<Vec<u8>, DatabaseError> {
    let (mut limited, mut text) = (input.take(MAX_TEXT), Vec::new());
    loop {
        let start = text.len();
        limited.read_until(b'\n', &mut text)?;
        let line = &text[start..];
        if line.is_empty() {
            return Err(DatabaseError::Damaged);
        }
        if start > 0 && !line.contains(&b'\t') {
            return Ok(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::space::from_fn;

    fn row(cells: u16) -> Database {
        let moves = move |cell: u16| {
            let steps = [cell.checked_sub(1), Some(cell + 1).filter(|&next| next < cells)];
            steps.into_iter().flatten().map(|next| ((), next))
        };
        let row = from_fn([0_u16], moves, |cell| cell == 0)
            .undirected()
            .with_goals([0])
            .with_ranks(u64::from(cells) + 1, u64::from, |rank| rank as u16);
        Database::new(&row, &Budget::unlimited()).expect("memory")
    }

    fn about(cells: &str) -> Description {
        Description::new([("puzzle", "a row of cells"), ("cells", cells)])
    }

    #[test]
    fn it_is_read_as_written_and_each_flipped_bit_is_found() {
        let (database, memory) = (row(200), Memory::unlimited());
        let mut file = Vec::new();
        database.write(&mut file, &about("200")).unwrap();
        let read = Database::read(&*file, &about("200"), &memory).unwrap();
        assert!(read.known().eq(database.known()));
        assert_eq!((read.ranks(), read.distance(199), read.distance(200)), (201, Some(199), None));
        for bit in 0..8 * file.len() {
            let mut flipped = file.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(Database::read(&*flipped, &about("200"), &memory).is_err(), "bit {bit}");
        }
        for length in 0..file.len() {
            let cut = Database::read(&file[..length], &about("200"), &memory);
            assert!(matches!(cut, Err(DatabaseError::Damaged)), "length {length}");
        }
        file.push(0);
        assert!(Database::read(&*file, &about("200"), &memory).is_err());
    }

    #[test]
    fn another_database_is_refused_with_what_differs() {
        let mut file = Vec::new();
        row(200).write(&mut file, &about("200")).unwrap();
        let refused = |about, memory| {
            Database::read(&*file, &about, &memory).expect_err("another one").to_string()
        };
        let expected = "the pattern database is about another `cells`: 200, and expected is 300";
        assert_eq!(refused(about("300"), Memory::unlimited()), expected);
        assert_eq!(refused(about("200"), Memory::with_limit(100)), OutOfMemory.to_string());
        let newer = text::write("fewest pattern database 2", [("cells", "200")]);
        let newer = Database::read(newer.as_bytes(), &about("200"), &Memory::unlimited());
        assert!(matches!(newer, Err(DatabaseError::Version(found)) if found.ends_with("2")));
    }

    #[test]
    fn a_distance_of_more_than_254_is_refused() {
        assert_eq!(row(255).known().last(), Some((254, 254)));
        let moves = |cell: u16| [((), cell.saturating_sub(1)), ((), (cell + 1).min(255))];
        let row = from_fn([0_u16], moves, |cell| cell == 0)
            .undirected()
            .with_goals([0])
            .with_ranks(256, u64::from, |rank| rank as u16);
        let refused = Database::new(&row, &Budget::unlimited()).expect_err("too far");
        assert_eq!(refused, crate::budget::Limit::Encoding);
    }
}
