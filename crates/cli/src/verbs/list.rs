//! `list`: what there is.

use std::io::{self, Write};

use crate::exit::{Exit, Failure};
use crate::halloween::Halloween;
use crate::puzzle::Puzzle;

/// Writes each puzzle and, indented below it, its built-in instances.
pub(crate) fn all() -> Result<Exit, Failure> {
    one::<Halloween>()
}

/// Writes one puzzle and its built-in instances.
pub(crate) fn one<P: Puzzle>() -> Result<Exit, Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}  {}", P::NAME, P::ABOUT)?;
    let width = P::builtins().map(|builtin| builtin.name.len()).max().unwrap_or(0);
    for builtin in P::builtins() {
        writeln!(out, "  {:width$}  {}", builtin.name, builtin.about)?;
    }
    out.flush()?;
    Ok(Exit::Answered)
}
