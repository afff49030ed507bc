//! What a file of a checkpoint belongs to. Each file says it in its head, so that a file of another
//! description, search, process or depth is refused, and never taken for a proof.

use std::io::{self, ErrorKind, Read};

use super::parts::Division;
use super::{CheckpointError, Description, text};
use crate::disk::Input;

/// A file of states of an owner.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateFile<'a> {
    pub(super) name: &'a str,
    /// That of its states.
    pub(super) depth: usize,
    /// How the states are written, as the list says.
    pub(super) coding: &'a str,
}

/// A process of a search: the owner of its files.
#[derive(Clone, Debug)]
pub(super) struct Owner(Vec<(String, String)>);

/// The first field of an owner in which a head differs.
#[derive(Debug)]
pub(super) struct Difference {
    field: String,
    found: String,
    expected: String,
}

impl Difference {
    /// What is wrong with this file.
    pub(super) fn of(self, file: &str) -> CheckpointError {
        let Self { field, found, expected } = self;
        CheckpointError::Foreign { file: file.to_owned(), field, found, expected }
    }
}

const FORMAT: &str = "fewest-states 2";

/// How much longer the head of a file may be than expected: its length is read from the file, and
/// cannot be trusted.
const FURTHER_BYTES: u64 = 1 << 20;

/// A field of the description has another name than all others.
const DESCRIPTION: &str = "question ";

impl Owner {
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

    /// Splits the fields of a list into those of its owner and the others. If its owner is another
    /// one, returns the first difference.
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

    /// The head of a file of states: its length as a little-endian number of 32 bits, and a text.
    pub(super) fn head(&self, file: StateFile<'_>) -> Vec<u8> {
        let StateFile { name, depth, coding } = file;
        let depth = depth.to_string();
        let fields = self.fields().chain([("file", name), ("depth", &depth), ("coding", coding)]);
        let text = text::write(FORMAT, fields);
        [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()
    }

    /// Reads the head of a file, and returns the number of its bytes.
    ///
    /// # Errors
    /// If the file cannot be read; [`ErrorKind::InvalidData`] if it is damaged.
    pub(super) fn read_head(
        &self,
        from: &mut dyn Input,
        file: StateFile<'_>,
    ) -> io::Result<Result<u64, Difference>> {
        let expected = self.head(file);
        let (mut length, mut text) = ([0; 4], Vec::new());
        from.read_exact(&mut length)?;
        let most = expected.len() as u64 + FURTHER_BYTES;
        let length_to_read = u64::from(u32::from_le_bytes(length)).min(most);
        (&mut *from).take(length_to_read).read_to_end(&mut text)?;
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
            Ok(()) => Err(ErrorKind::InvalidData.into()),
        }
    }
}
