//! The words of texts and reports: numbers with their nouns, and what an instance is called.

use std::io::{self, Write};

/// The word of `1 board`, `2 boards`, `3 searches` or `4 processes`.
pub fn plural(noun: &str, count: u64) -> String {
    match count {
        1 => noun.to_owned(),
        _ if noun.ends_with(['h', 's']) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// A number with one of the words for one and for several.
pub fn counted(words: [&str; 2], count: u32) -> String {
    format!("{count} {}", words[usize::from(count != 1)])
}

/// A number of plans as text; `None` is 2^128 or more.
pub fn plan_count(count: Option<u128>) -> String {
    count.map_or_else(|| "at least 2^128".to_owned(), |count| count.to_string())
}

/// Writes text as comment lines, which `verify` ignores.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_comment(text: &str, out: &mut impl Write) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "{}", format!("# {line}").trim_end()))
}

/// What texts and reports say of an instance.
#[derive(Clone, Debug)]
pub struct Named<'a> {
    /// The name of the data set.
    pub name: &'a str,
    /// [`Puzzle::board`](crate::Puzzle::board)
    pub board: Option<String>,
    /// [`Puzzle::unit`](crate::Puzzle::unit)
    pub unit: [&'static str; 2],
}

impl Named<'_> {
    /// A number of moves with its unit, such as `7 steps`.
    pub fn moves(&self, count: u32) -> String {
        counted(self.unit, count)
    }

    /// Writes the name and the board as comments.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_comment(self.name, out)?;
        write_comment(self.board.as_deref().unwrap_or_default(), out)
    }
}
