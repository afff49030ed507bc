//! The verbs of the programs, one per file.

pub(crate) mod completions;
pub(crate) mod contest;
pub(crate) mod list;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod verify;
