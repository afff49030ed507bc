//! Instances that a puzzle brings along, known by name.

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

impl Builtin {
    /// Whether it goes by this name.
    pub fn is_called(&self, name: &str) -> bool {
        self.names.contains(&name)
    }
}
