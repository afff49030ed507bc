//! Text that a user wrote: lines with their places, and what to say when something is wrong there.
//!
//! ```
//! use fewest_core::text::{Lines, quote};
//!
//! let line = Lines::new(b"5 five").next().unwrap().unwrap();
//! let (at, word) = line.words().nth(1).unwrap();
//! assert_eq!(line.wrong(at, quote(word), "a number").to_string(), "1:3: found `five`, expected a number");
//! ```

use std::fmt;
use std::str::FromStr;

/// Something wrong at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters, from 1.
    pub column: usize,
    /// What is there.
    pub found: String,
    /// What should be.
    pub expected: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, found, expected } = self;
        write!(f, "{line}:{column}: found {found}, expected {expected}")
    }
}

impl std::error::Error for Diagnostic {}

/// A piece of the user's text as a message shows it: between backquotes, unprintable characters escaped, long ones cut.
pub fn quote(text: &str) -> String {
    const SHOWN: usize = 24;
    let show = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    let shown: String = text.chars().take(SHOWN).map(show).collect();
    let rest = if text.chars().nth(SHOWN).is_some() { "..." } else { "" };
    format!("`{shown}{rest}`")
}

/// The number that a word of digits says, without a sign, if it fits.
pub fn number<T: FromStr>(word: &str) -> Option<T> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) { word.parse().ok() } else { None }
}

/// A line without its line break (LF or CRLF).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The line's number, from 1.
    pub number: usize,
    /// What it says.
    pub text: &'a str,
}

impl<'a> Line<'a> {
    /// A diagnostic at the character that starts at byte `offset` of this line.
    pub fn wrong(self, offset: usize, found: impl Into<String>, expected: impl Into<String>) -> Diagnostic {
        Diagnostic {
            line: self.number,
            column: self.text[..offset].chars().count() + 1,
            found: found.into(),
            expected: expected.into(),
        }
    }

    /// The words between blanks, each with the byte at which it starts.
    pub fn words(self) -> impl Iterator<Item = (usize, &'a str)> {
        let start = self.text.as_ptr() as usize;
        let words = self.text.split_ascii_whitespace();
        words.map(move |word| (word.as_ptr() as usize - start, word))
    }

    /// The byte at which the first word starts; 0 on a blank line.
    pub fn start(self) -> usize {
        self.words().next().map_or(0, |(at, _)| at)
    }

    /// Whether it says nothing.
    pub fn is_blank(self) -> bool {
        self.text.trim_ascii().is_empty()
    }
}

/// The lines of a text, one after the other. A line that is not UTF-8 is an error when it is its turn, not before.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: &'a [u8],
    /// The lines taken.
    taken: usize,
}

impl<'a> Lines<'a> {
    /// From the first line on. A byte order mark is passed over.
    pub fn new(text: &'a [u8]) -> Self {
        Self { rest: text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text), taken: 0 }
    }

    /// A diagnostic for a text that ends too early, on the line after its last.
    pub fn ended(&self, expected: impl Into<String>) -> Diagnostic {
        Diagnostic {
            line: self.taken + 1,
            column: 1,
            found: "the end of the text".to_owned(),
            expected: expected.into(),
        }
    }

    /// The next line that is not blank.
    pub fn next_filled(&mut self) -> Option<Result<Line<'a>, Diagnostic>> {
        self.find(|line| !matches!(line, Ok(line) if line.is_blank()))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Result<Line<'a>, Diagnostic>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let line = &self.rest[..end.unwrap_or(self.rest.len())];
        self.rest = end.map_or(&[], |end| &self.rest[end + 1..]);
        self.taken += 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Some(match std::str::from_utf8(line) {
            Ok(text) => Ok(Line { number: self.taken, text }),
            Err(error) => {
                let valid = error.valid_up_to();
                let before = String::from_utf8_lossy(&line[..valid]);
                Err(Diagnostic {
                    line: self.taken,
                    column: before.chars().count() + 1,
                    found: format!("the byte {:#04x}, which is no UTF-8", line[valid]),
                    expected: "UTF-8 text".to_owned(),
                })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_lf_or_crlf_or_the_end() {
        let texts: Vec<_> = Lines::new(b"a\r\n\n b c\nlast").map(|line| line.unwrap().text).collect();
        assert_eq!(texts, ["a", "", " b c", "last"]);
        assert!(Lines::new(b"").next().is_none());
        assert_eq!(Lines::new(b"\n").count(), 1);
    }

    #[test]
    fn words_know_where_they_start() {
        let line = Lines::new(b" 16  4\t3 ").next().unwrap().unwrap();
        assert!(line.words().eq([(1, "16"), (5, "4"), (7, "3")]));
    }

    #[test]
    fn columns_count_characters() {
        let line = Lines::new("äö x".as_bytes()).next().unwrap().unwrap();
        assert_eq!(line.wrong(5, "x", "y").column, 4);
    }

    #[test]
    fn a_quote_fits_on_a_line() {
        assert_eq!(quote("a\tb"), "`a\\tb`");
        assert_eq!(quote(&"x".repeat(1000)), format!("`{}...`", "x".repeat(24)));
    }

    #[test]
    fn bytes_that_are_no_utf8_are_an_error_in_their_turn() {
        let mut lines = Lines::new(b"good\n\xc3\xa4b\xff\nafter");
        assert!(lines.next().unwrap().is_ok());
        let wrong = lines.next().unwrap().unwrap_err();
        assert_eq!((wrong.line, wrong.column), (2, 3));
        assert_eq!(lines.next().unwrap().unwrap().text, "after");
    }
}
