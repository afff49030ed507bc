//! Text for a terminal: what would move the cursor, hide text or turn it around is shown as an
//! escape, since file names, names of pieces and the output of judged programs may have it. Colours
//! are left.

use std::fmt::Write;

/// The most bytes of a colour that is not complete.
const MAX_COLOUR_BYTES: usize = 64;

/// Text that arrives in pieces of bytes.
#[derive(Default)]
pub(crate) struct Visible {
    /// The beginning of a character or of a colour.
    rest: Vec<u8>,
}

impl Visible {
    /// What can be shown with these bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> String {
        self.rest.extend(bytes);
        let (shown, used) = visible_part(&self.rest, false);
        self.rest.drain(..used);
        shown
    }

    /// What is left at the end.
    pub(crate) fn end(&mut self) -> String {
        visible(&String::from_utf8_lossy(&std::mem::take(&mut self.rest)))
    }
}

/// A whole text.
pub(crate) fn visible(text: &str) -> String {
    visible_part(text.as_bytes(), true).0
}

/// The text, and the number of bytes that it has used.
fn visible_part(bytes: &[u8], is_end: bool) -> (String, usize) {
    let (mut shown, mut at) = (String::new(), 0);
    while let Some((c, len)) = first_char(&bytes[at..], is_end) {
        if c == '\x1b' {
            match colour(&bytes[at..]) {
                Some(colour) => {
                    shown.push_str(colour);
                    at += colour.len();
                    continue;
                }
                None if !is_end && may_be_colour(&bytes[at..]) => break,
                None => {}
            }
        }
        if is_invisible(c) {
            // A string takes everything.
            let _ = write!(shown, "{}", c.escape_unicode());
        } else {
            shown.push(c);
        }
        at += len;
    }
    (shown, at)
}

/// The first character and its bytes; `None` if it is not complete.
fn first_char(bytes: &[u8], is_end: bool) -> Option<(char, usize)> {
    let bytes = &bytes[..bytes.len().min(4)];
    let chunk = bytes.utf8_chunks().next()?;
    match (chunk.valid().chars().next(), chunk.invalid().len()) {
        (Some(c), _) => Some((c, c.len_utf8())),
        (None, _)
            if !is_end && std::str::from_utf8(bytes).is_err_and(|e| e.error_len().is_none()) =>
        {
            None
        }
        (None, invalid) => Some((char::REPLACEMENT_CHARACTER, invalid)),
    }
}

/// The colour with which a text begins: `ESC [`, numbers, `m`.
fn colour(bytes: &[u8]) -> Option<&str> {
    let parameters = bytes.strip_prefix(b"\x1b[")?;
    let end = parameters.iter().position(|byte| !is_parameter(*byte))?;
    let is_colour = parameters[end] == b'm' && end + 3 <= MAX_COLOUR_BYTES;
    std::str::from_utf8(&bytes[..end + 3]).ok().filter(|_| is_colour)
}

/// Whether more bytes may make it a colour.
fn may_be_colour(bytes: &[u8]) -> bool {
    let parameters = bytes.iter().skip(2);
    bytes.len() < MAX_COLOUR_BYTES
        && bytes.get(1).is_none_or(|&byte| byte == b'[')
        && parameters.copied().all(is_parameter)
}

fn is_parameter(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b';' || byte == b':'
}

fn is_invisible(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || c.is_control() && c != '\n' && c != '\t'
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASES: [(&str, &str); 6] = [
        ("a\tb\n横刀 █ µs", "a\tb\n横刀 █ µs"),
        (
            "\x1b[31mred\x1b[0m \x1b[38;2;1;2;3mblue\x1b[m",
            "\x1b[31mred\x1b[0m \x1b[38;2;1;2;3mblue\x1b[m",
        ),
        ("\x1b[2J\x1b]0;title\x07", "\\u{1b}[2J\\u{1b}]0;title\\u{7}"),
        ("a\r\u{9b}31m\u{7f}", "a\\u{d}\\u{9b}31m\\u{7f}"),
        ("txt.\u{202e}exe\u{2066}", "txt.\\u{202e}exe\\u{2066}"),
        ("ends \x1b[1", "ends \\u{1b}[1"),
    ];

    #[test]
    fn only_colours_are_left() {
        for (text, expected) in CASES {
            assert_eq!(visible(text), expected);
        }
    }

    #[test]
    fn pieces_give_the_same() {
        for (text, expected) in CASES {
            for size in 1..=text.len() {
                let mut pieces = Visible::default();
                let mut shown: String =
                    text.as_bytes().chunks(size).map(|bytes| pieces.push(bytes)).collect();
                shown += &pieces.end();
                assert_eq!(shown, expected, "{size}");
            }
        }
        let mut pieces = Visible::default();
        assert_eq!(pieces.push(b"a\xff\xe6\xa8b\xe6"), "a\u{fffd}\u{fffd}b");
        assert_eq!(pieces.end(), "\u{fffd}");
    }
}
