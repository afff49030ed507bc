//! Instances that a puzzle brings along, known by name.

use crate::text;

/// An instance with its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// Its names, at least one; a list shows the first.
    pub names: &'static [&'static str],
    /// What is special about it.
    pub about: &'static str,
    /// One data set, as the puzzle's reader takes it.
    pub text: &'static str,
}

/// The one of that name.
pub fn find<'a>(builtins: &'a [Builtin], name: &str) -> Option<&'a Builtin> {
    builtins.iter().find(|builtin| builtin.names.contains(&name))
}

/// A hint for a name that none has: those that are near, as [`text::did_you_mean`] puts it.
pub fn did_you_mean(builtins: &[Builtin], name: &str) -> Option<String> {
    text::did_you_mean(name, builtins.iter().flat_map(|builtin| builtin.names).copied())
}
