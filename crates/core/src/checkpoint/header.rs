//! File headers. Each list and each file of states starts with the description, the search and the
//! process that it belongs to, and a file of states also with its name, depth and encoding: a
//! misplaced file is refused, and never becomes part of a proof.

use std::io::{self, ErrorKind, Read};

use super::parts::Division;
use super::{CheckpointError, Description, text};
use crate::disk::Input;

/// The fields in the header of a file of states that are specific to this file.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateFile<'a> {
    pub(super) name: &'a str,
    /// The depth of its states.
    pub(super) depth: usize,
    /// The encoding of the states, as in the list.
    pub(super) coding: &'a str,
}

/// The header fields that all files of one process of one search share.
#[derive(Clone, Debug)]
pub(super) struct Header(Vec<(String, String)>);

/// The first header field that differs from the expected one.
#[derive(Debug)]
pub(super) struct Difference {
    field: String,
    found: String,
    expected: String,
}

impl Difference {
    /// The error for the file with this name.
    pub(super) fn of(self, file: &str) -> CheckpointError {
        let Self { field, found, expected } = self;
        CheckpointError::Foreign { file: file.to_owned(), field, found, expected }
    }
}

const FORMAT: &str = "fewest-states 2";

/// How much longer the header of a file may be than expected: its length is read from the file, and
/// cannot be trusted.
const FURTHER_BYTES: u64 = 1 << 20;

/// Prefix of the description's fields, so that their names cannot collide with those of the header.
const DESCRIPTION: &str = "question ";

impl Header {
    pub(super) fn new(
        description: &Description,
        search: u32,
        division: &Division,
        process: usize,
    ) -> Self {
        let Division { processes, name } = division;
        let by = if name.is_empty() { String::new() } else { format!(" by {name}") };
        let further = [
            ("search".to_owned(), search.to_string()),
            ("process".to_owned(), format!("{process} of {processes}{by}")),
        ];
        let fields = description.fields();
        let fields = fields.map(|(name, value)| (format!("{DESCRIPTION}{name}"), value.to_owned()));
        Self(fields.chain(further).collect())
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Checks the header fields at the beginning of a list and returns the fields after them, or
    /// the first field that differs.
    pub(super) fn check<'a>(
        &self,
        fields: &'a [(String, String)],
    ) -> Result<&'a [(String, String)], Difference> {
        let count = self.0.len().min(fields.len());
        let (found, rest) = fields.split_at(count);
        self.compare(&[], found).map(|()| rest)
    }

    fn compare(
        &self,
        further: &[(&str, &str)],
        found: &[(String, String)],
    ) -> Result<(), Difference> {
        let expected = Description::new(self.fields().chain(further.iter().copied()));
        let found = Description::new(found.iter().map(|(name, value)| (name, value)));
        match expected.difference(&found) {
            None => Ok(()),
            Some((field, expected, found)) => Err(Difference {
                field: field.strip_prefix(DESCRIPTION).unwrap_or(field).to_owned(),
                found: found.unwrap_or_default().to_owned(),
                expected: expected.unwrap_or_default().to_owned(),
            }),
        }
    }

    /// Encodes the header of a file of states: its length (`u32`, little-endian) and a text.
    pub(super) fn bytes(&self, file: StateFile<'_>) -> Vec<u8> {
        let StateFile { name, depth, coding } = file;
        let depth = depth.to_string();
        let fields = self.fields().chain([("file", name), ("depth", &depth), ("coding", coding)]);
        let text = text::write(FORMAT, fields);
        [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()
    }

    /// Reads and checks the header of a file, and returns its size in bytes.
    ///
    /// # Errors
    /// If the file cannot be read; [`ErrorKind::InvalidData`] if it is damaged.
    pub(super) fn read_header(
        &self,
        from: &mut dyn Input,
        file: StateFile<'_>,
    ) -> io::Result<Result<u64, Difference>> {
        let expected = self.bytes(file);
        let (mut length, mut text) = ([0; 4], Vec::new());
        from.read_exact(&mut length)?;
        let most = expected.len() as u64 + FURTHER_BYTES;
        let length_to_read = u64::from(u32::from_le_bytes(length)).min(most);
        (&mut *from).take(length_to_read).read_to_end(&mut text)?;
        // The common case: the bytes are exactly the expected ones. Parse only to name the field
        // that differs.
        if [&length[..], &text].concat() == expected {
            return Ok(Ok(expected.len() as u64));
        }
        let Ok(found) = text::parse(&text, FORMAT) else {
            return Err(ErrorKind::InvalidData.into());
        };
        let StateFile { name, depth, coding } = file;
        let further = [("file", name), ("depth", &depth.to_string()), ("coding", coding)];
        match self.compare(&further, &found) {
            Err(difference) => Ok(Err(difference)),
            // All fields are equal but the bytes were not: the text or its length field is damaged.
            Ok(()) => Err(ErrorKind::InvalidData.into()),
        }
    }
}
