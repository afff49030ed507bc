//! `list`: what there is.

use std::io::{self, Write};

use fewest_core::builtin::Builtin;
use unicode_width::UnicodeWidthStr;

use crate::exit::{Exit, Failure};
use crate::puzzle::Puzzle;
use crate::{BlackWhite, Halloween, Klotski, WallPusher};

/// Writes each puzzle and, indented below it, its built-in instances.
pub(crate) fn all() -> Result<Exit, Failure> {
    one::<Halloween>()?;
    one::<WallPusher>()?;
    one::<Klotski>()?;
    one::<BlackWhite>()
}

/// Writes one puzzle and its built-in instances.
pub(crate) fn one<P: Puzzle>() -> Result<Exit, Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}  {}", P::NAME, P::ABOUT)?;
    let width = P::builtins().iter().map(|builtin| builtin.names[0].width()).max().unwrap_or(0);
    for Builtin { names, about, .. } in P::builtins() {
        let padding = width - names[0].width();
        let others = if names.len() > 1 { format!(" (also {})", names[1..].join(", ")) } else { String::new() };
        writeln!(out, "  {}{:padding$}  {about}{others}", names[0], "")?;
    }
    out.flush()?;
    Ok(Exit::Answered)
}
