//! `list`: the puzzles and their built-in instances.

use std::io::{self, Write};

use clap::{ArgMatches, Command};
use fewest_puzzle::builtin::Builtin;
use fewest_puzzle::results::{self, ListReport};
use unicode_width::UnicodeWidthStr;

use crate::PuzzleRef;
use crate::args::{ListArgs, parsed, with};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::standard_output;

pub(crate) fn command(_: PuzzleRef) -> Option<Command> {
    Some(with::<ListArgs>(Command::new("list").about("List the built-in instances")))
}

/// Lists the built-in instances of a puzzle that match the pattern.
pub(crate) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    all(&[puzzle], matches)
}

/// Lists each puzzle with its built-in instances indented below it.
pub(crate) fn all(puzzles: &[PuzzleRef], matches: &ArgMatches) -> Result<Exit, Failure> {
    let args: ListArgs = parsed(matches)?;
    let mut out = standard_output();
    let mut found = 0;
    for puzzle in puzzles {
        found += write(*puzzle, &args, &mut out)?;
    }
    out.flush()?;
    match found {
        0 => Err(Failure::usage(format!(
            "`{}` matches no built-in name, puzzle or description",
            args.pattern
        ))),
        _ => Ok(Exit::Answered),
    }
}

/// Writes the instances of a puzzle that match the pattern, and returns their number.
fn write(puzzle: PuzzleRef, args: &ListArgs, out: &mut impl Write) -> io::Result<usize> {
    let info = puzzle.info();
    let matching = |builtin: &&Builtin| {
        let about = puzzle.describe(builtin);
        builtin
            .names
            .iter()
            .copied()
            .chain([info.name, about.as_str()])
            .any(|text| matches(&args.pattern, text))
    };
    let found: Vec<_> = info.builtins.iter().filter(matching).collect();
    if args.json {
        for builtin in &found {
            let about = puzzle.describe(builtin);
            let (names, about, text) = (builtin.names, about.trim(), builtin.text);
            results::write(puzzle, &ListReport { names, about, text }, out)?;
        }
        return Ok(found.len());
    }
    if !found.is_empty() {
        writeln!(out, "{}  {}", info.name, info.about)?;
    }
    let width = info.builtins.iter().map(|builtin| builtin.names[0].width()).max().unwrap_or(0);
    for builtin in &found {
        let names = builtin.names;
        let padding = width - names[0].width();
        let others = if names.len() > 1 {
            format!(" (also {})", names[1..].join(", "))
        } else {
            String::new()
        };
        writeln!(out, "  {}{:padding$}  {}{others}", names[0], "", puzzle.describe(builtin))?;
    }
    Ok(found.len())
}

/// Whether a text matches a pattern, ignoring case. A pattern with `*`, which stands for any
/// characters, has to match the whole text; a pattern without it may be anywhere in the text.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.to_lowercase(), text.to_lowercase());
    let Some((first, rest)) = pattern.split_once('*') else { return text.contains(&pattern) };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let (between, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in between.split('*') {
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_substrings_or_with_stars_the_whole_text() {
        for (pattern, text, expected) in [
            ("ma", "heng-dao-li-ma", true),
            ("MA", "heng-dao-li-ma", true),
            ("*", "", true),
            ("heng*", "heng-dao-li-ma", true),
            ("*heng", "heng-dao-li-ma", false),
            ("h*-*ma", "heng-dao-li-ma", true),
            ("h*ma*ma", "heng-dao-li-ma", false),
            ("a*a", "a", false),
            ("立", "横刀立马", true),
            ("横*马", "横刀立马", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
