//! What the programs do, one verb a file.

pub(crate) mod classic;
pub(crate) mod completions;
pub(crate) mod list;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod verify;
