//! Built-in instances of a puzzle, selected by name.

pub use fewest_rules::builtin::{Builtin, did_you_mean, find};

/// What lists show of a built-in instance beside its names and its description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// A short code that is also an instance.
    pub code: Option<String>,
    /// The number of pieces.
    pub pieces: Option<usize>,
}
