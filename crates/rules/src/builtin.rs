//! Built-in instances of a puzzle, selected by name.
//!
//! ```
//! use fewest_rules::builtin::{Builtin, did_you_mean, find};
//!
//! const BUILTINS: &[Builtin] =
//!     &[Builtin { names: &["cut", "corner-cut"], about: "the smallest", text: "1 1\n", moves: Some(1) }];
//!
//! assert_eq!(find(BUILTINS, "corner-cut"), Some(&BUILTINS[0]));
//! assert_eq!(did_you_mean(BUILTINS, "cat").as_deref(), Some("did you mean `cut`?"));
//! ```

use std::ffi::OsStr;

use crate::text;

/// A built-in instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// The names of the instance, at least one. Lists show the first.
    pub names: &'static [&'static str],
    /// A short description.
    pub about: &'static str,
    /// The text of the instance: one data set in the format of the puzzle.
    pub text: &'static str,
    /// The fewest moves with the default options; `None` if there is no plan. A test solves each.
    pub moves: Option<u32>,
}

/// The instance with this name.
pub fn find(builtins: &[Builtin], name: impl AsRef<OsStr>) -> Option<&Builtin> {
    builtins.iter().find(|builtin| builtin.names.iter().any(|&known| name.as_ref() == known))
}

/// A hint that lists names similar to `name`, as [`text::did_you_mean`] does.
pub fn did_you_mean(builtins: &[Builtin], name: &str) -> Option<String> {
    text::did_you_mean(name, builtins.iter().flat_map(|builtin| builtin.names).copied())
}

/// What a collection of instances says about one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The number of moves of a shortest plan.
    pub moves: u32,
    /// The number of boards that are reachable from the start.
    pub boards: u64,
}
