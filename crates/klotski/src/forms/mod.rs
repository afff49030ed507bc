//! Boards in the forms of other programs and collections. A file each; its documentation names the
//! source of the form.
//!
//! A form is read only where it is unmistakable: a text that is a board in the notation of
//! [`read`](crate::read) stays one.

#![cfg_attr(not(feature = "search"), expect(dead_code, reason = "only `convert` writes them"))]

#[cfg(feature = "search")]
mod blocks;
mod car_list;
mod digits;
mod framed;
mod gnome;
mod grid;
mod square;

#[cfg(feature = "search")]
use fewest_rules::text::until_error;
use fewest_rules::text::{Diagnostic, Line, Lines};

use self::grid::Block;
#[cfg(feature = "search")]
use crate::instance::Instance;
use crate::parts::{Overrides, Parts};

/// Reads the data set that starts on `line` if it has one of the forms; otherwise leaves `lines` as
/// they are.
pub(crate) fn read<'a>(
    line: Line<'a>,
    lines: &mut Lines<'a>,
    overrides: Overrides<'_>,
) -> Result<Option<Parts<'a>>, Diagnostic> {
    #[cfg(feature = "search")]
    if let Some(parts) = blocks::read(line, lines)? {
        return Ok(Some(parts));
    }
    if let Some(parts) = digits::read_line(line)? {
        return Ok(Some(parts));
    }
    let mut block = Block::at(line, lines);
    let parts = match car_list::read(&mut block, overrides.red)? {
        Some(parts) => Some(parts),
        None => gnome::read(&block),
    };
    let parts = match parts {
        Some(parts) => Some(parts),
        None => square::read(&block, overrides)?,
    };
    let parts = parts.or_else(|| digits::read_rows(&block)).or_else(|| framed::read(&block));
    if parts.is_some() {
        block.take_from(lines);
    }
    Ok(parts)
}

/// The boards of a text that is a JSON array; `None` if it is not.
#[cfg(feature = "search")]
pub(crate) fn array(
    text: &[u8],
) -> Option<impl Iterator<Item = Result<Parts<'_>, Diagnostic>> + use<'_>> {
    blocks::Array::of(text).map(|mut array| until_error(move || array.read_next()))
}

/// Writes a puzzle in the form with this name. What the form cannot express is left out.
#[cfg(feature = "search")]
pub(crate) fn write(form: &str, instance: &Instance) -> Option<String> {
    match form {
        "gnome" => gnome::write(instance),
        "csv" => car_list::write_csv(instance),
        "jams" => car_list::write_jam(instance),
        "digits" => digits::write(instance),
        "blocks" => blocks::write(instance),
        _ => None,
    }
}

/// Whether a word is a board in one of the forms.
pub(crate) fn is_word(word: &str) -> bool {
    digits::looks_like_digits(word)
}

/// The characters of pieces in forms that number them, or that give them longer names: letters and
/// digits, and then further letters of Latin alphabets.
fn piece_names() -> impl Iterator<Item = char> {
    let further = ('\u{c0}'..='\u{17f}').filter(|name| name.is_alphabetic());
    ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(further)
}

/// The character of the piece with a number, from 0, without `except`.
fn piece_name(number: usize, except: char) -> Option<char> {
    piece_names().filter(|&name| name != except).nth(number)
}
