//! Why searches stop.

use std::io::ErrorKind;

use crate::memory::OutOfMemory;
use crate::representation::UnsupportedRepresentation;

/// What a search leaves free on a disk: other programs need room, and so does the list of a
/// checkpoint.
pub const RESERVED_BYTES: u64 = 64 << 20;

/// The reason why a search stopped without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Limit {
    /// The time limit.
    #[error("out of time")]
    Time,
    /// The memory limit, or an allocation that the system refused.
    #[error("out of memory")]
    Memory,
    /// The limit on the number of expanded states.
    #[error("out of states")]
    States,
    /// A state, or a number stored with it, does not fit its encoding. A larger budget does not
    /// help.
    #[error("too large to be encoded")]
    Encoding,
    /// The cancellation flag was set; see
    /// [`Budget::cancelled_by`](crate::budget::Budget::cancelled_by).
    #[error("interrupted")]
    Cancelled,
    /// A [store](crate::store) failed to read or write a file or a connection. Stores in memory do
    /// not return it unless there is a [checkpoint](crate::checkpoint).
    #[error("input or output failed: {}", io_text(*.0))]
    Io(#[cfg_attr(feature = "serde", serde(serialize_with = "in_words"))] ErrorKind),
    /// The search cannot keep its states as it was
    /// [asked to](crate::storage::Storage::with_representation).
    #[error(transparent)]
    Representation(#[from] UnsupportedRepresentation),
}

impl Limit {
    /// Whether it ended this run, and says nothing about what an earlier one has found.
    pub(crate) fn is_of_run(self) -> bool {
        self.is_of_budget() || self == Self::Memory
    }

    /// Whether a meter reports it, and not a store, which then has all that was added to it.
    pub(crate) fn is_of_budget(self) -> bool {
        matches!(self, Self::Time | Self::Cancelled | Self::States)
    }
}

#[cfg(feature = "serde")]
fn in_words<S: serde::Serializer>(kind: &ErrorKind, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(kind)
}

/// A kind of error in words. A disk counts as full before it is.
fn io_text(kind: ErrorKind) -> String {
    match kind {
        ErrorKind::StorageFull => {
            let reserve = RESERVED_BYTES >> 20;
            format!("no storage space beyond the {reserve} MiB that are left free")
        }
        kind => kind.to_string(),
    }
}

impl From<OutOfMemory> for Limit {
    fn from(_: OutOfMemory) -> Self {
        Self::Memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inner loops return it.
    #[test]
    fn a_result_of_it_fits_a_register() {
        assert!(size_of::<Result<(), Limit>>() <= size_of::<usize>());
    }
}
