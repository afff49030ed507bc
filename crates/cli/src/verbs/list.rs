//! `list`: the puzzles and their built-in instances.

use std::io::{self, Write};

use clap::{ArgMatches, Command};
use fewest_puzzle::builtin::{Builtin, ListReport, Listed};
use fewest_puzzle::results;
use unicode_width::UnicodeWidthStr;

use crate::PuzzleRef;
use crate::args::{ListArgs, parsed, with};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::matches_pattern;
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
    let matching = |(builtin, listed): &(&Builtin, Listed)| {
        let others = [info.name, builtin.about].into_iter().chain(listed.code.as_deref());
        builtin.names.iter().copied().chain(others).any(|text| matches(&args.pattern, text))
    };
    let all = info.builtins.iter().map(|builtin| (builtin, puzzle.listed(builtin)));
    let found: Vec<_> = all.filter(matching).collect();
    if args.json {
        for (builtin, Listed { code, pieces, group }) in found.iter().cloned() {
            let &Builtin { names, about, text, moves } = builtin;
            results::write(
                puzzle.info().name,
                &ListReport { names, about, moves, code, pieces, group, text },
                out,
            )?;
        }
        return Ok(found.len());
    }
    if found.is_empty() {
        return Ok(0);
    }
    writeln!(out, "{}  {}", info.name, info.about)?;
    let name_width = |builtin: &Builtin| builtin.names[0].width();
    let width = info.builtins.iter().map(name_width).chain(["name".len()]).max().unwrap_or(0);
    let row = |name: &str, moves: &str, listed: [Option<&str>; 2], about: &str| {
        let mut row = format!("  {name}{:1$}  {moves:>5}", "", width - name.width());
        if let [pieces, Some(code)] = listed {
            row += &format!("  {:>6}  {code:<9}", pieces.unwrap_or_default());
        }
        row + "  " + about
    };
    let has_codes = found.iter().any(|(_, listed)| listed.code.is_some());
    let header = if has_codes { [Some("pieces"), Some("code")] } else { [None, None] };
    writeln!(out, "{}", row("name", "moves", header, "description"))?;
    for (builtin, Listed { code, pieces, .. }) in &found {
        let Builtin { names, about, moves, .. } = builtin;
        let moves = moves.map_or("none".to_owned(), |moves| moves.to_string());
        let others = match &names[1..] {
            [] => String::new(),
            others => format!(" (also {})", others.join(", ")),
        };
        let pieces = pieces.map(|pieces| pieces.to_string());
        let about = format!("{about}{others}");
        let listed = [pieces.as_deref(), code.as_deref().filter(|_| has_codes)];
        writeln!(out, "{}", row(names[0], &moves, listed, &about))?;
    }
    Ok(found.len())
}

/// Whether a text matches a pattern, ignoring case. A pattern with `*`, which stands for any
/// characters, has to match the whole text; a pattern without it may be anywhere in the text.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.to_lowercase(), text.to_lowercase());
    if pattern.contains('*') {
        matches_pattern(pattern.as_bytes(), text.as_bytes())
    } else {
        text.contains(&pattern)
    }
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
