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
    /// How it may be mended, where that is not said by what is expected.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// The same with a hint how it may be mended, or without.
    #[must_use]
    pub fn hinting(self, hint: impl Into<Option<String>>) -> Self {
        Self { hint: hint.into(), ..self }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, found, expected, hint } = self;
        write!(f, "{line}:{column}: found {found}, expected {expected}")?;
        hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

impl std::error::Error for Diagnostic {}

/// A piece of the user's text as a message shows it: between backquotes, unprintable characters
/// escaped, long ones cut.
pub fn quote(text: &str) -> String {
    const SHOWN: usize = 24;
    let show =
        |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    let shown: String = text.chars().take(SHOWN).map(show).collect();
    let rest = if text.chars().nth(SHOWN).is_some() { "..." } else { "" };
    format!("`{shown}{rest}`")
}

/// The number that a word of digits says, without a sign, if it fits.
pub fn number<T: FromStr>(word: &str) -> Option<T> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) { word.parse().ok() } else { None }
}

/// Those of `names` that look most like `word` or that have it in them, whatever its case, best
/// first and at most three.
fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    /// Half of the characters may be wrong, missing or too many; two that change places count as
    /// one.
    const ALIKE: f64 = 0.5;
    const SHOWN: usize = 3;
    /// Nobody's name is longer, and comparing takes the product of both lengths.
    const LONGEST: usize = 64;
    if word.chars().nth(LONGEST).is_some() {
        return Vec::new();
    }
    let word = word.to_lowercase();
    let likeness = |name: &str| {
        let name = name.to_lowercase();
        let part = word.chars().nth(1).is_some() && name.contains(&word);
        strsim::normalized_damerau_levenshtein(&word, &name).max(if part { ALIKE } else { 0.0 })
    };
    let scored = names.into_iter().map(|name| (likeness(name), name));
    let mut alike: Vec<_> = scored.filter(|&(likeness, _)| likeness >= ALIKE).collect();
    alike.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    // Beside one that is nearly right, those that are half right are noise.
    let best = alike.first().map_or(0.0, |&(best, _)| best);
    alike.retain(|&(likeness, _)| likeness >= best - 0.2);
    alike.into_iter().map(|(_, name)| name).take(SHOWN).collect()
}

/// Those of `names` that look most like `word`, as a hint: ``did you mean `cut`?``.
///
/// Costs the length of the word times that of all names; a word of more than 64 characters is like
/// none.
pub fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let near: Vec<_> = nearest(word, names).into_iter().map(quote).collect();
    match near.as_slice() {
        [] => None,
        [name] => Some(format!("did you mean {name}?")),
        [names @ .., last] => Some(format!("did you mean {} or {last}?", names.join(", "))),
    }
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
    pub fn wrong(
        self,
        offset: usize,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            line: self.number,
            column: self.text[..offset].chars().count() + 1,
            found: found.into(),
            expected: expected.into(),
            hint: None,
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

/// The lines of a text, one after the other. A line that is not UTF-8 is an error when it is its
/// turn, not before.
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
            hint: None,
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
                    hint: None,
                })
            }
        })
    }
}

/// The data sets of a text, each read in its turn; an error is the last item, and so is a text
/// without any, where `form` says what was expected.
///
/// `read` gets the first line of a data set that is not blank, and takes as many more as it needs;
/// `None` says that the line closes the text.
pub fn data_sets<'a, T>(
    text: &'a [u8],
    form: &'static str,
    mut read: impl FnMut(Line<'a>, &mut Lines<'a>) -> Result<Option<T>, Diagnostic>,
) -> impl Iterator<Item = Result<T, Diagnostic>> {
    let mut lines = Lines::new(text);
    let mut any = false;
    let next = move || -> Result<Option<T>, Diagnostic> {
        let Some(first) = lines.next_filled().transpose()? else {
            return if any { Ok(None) } else { Err(lines.ended(form)) };
        };
        if let Some(data_set) = read(first, &mut lines)? {
            any = true;
            return Ok(Some(data_set));
        }
        let closing = quote(first.text.trim());
        if !any {
            return Err(first.wrong(first.start(), format!("the closing {closing}"), form));
        }
        match lines.next_filled().transpose()? {
            Some(more) => Err(more.wrong(
                more.start(),
                quote(more.text.trim()),
                format!("nothing after the closing {closing}"),
            )),
            None => Ok(None),
        }
    };
    until_error(next)
}

/// What `next` gives, until it says that there is no more; an error is the last item.
pub fn until_error<T>(
    mut next: impl FnMut() -> Result<Option<T>, Diagnostic>,
) -> impl Iterator<Item = Result<T, Diagnostic>> {
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let item = next();
        done = !matches!(item, Ok(Some(_)));
        item.transpose()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_lf_or_crlf_or_the_end() {
        let texts: Vec<_> =
            Lines::new(b"a\r\n\n b c\nlast").map(|line| line.unwrap().text).collect();
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
    fn near_names_are_those_with_few_slips() {
        let names = ["sample-1", "sample-2", "cut", "横刀立马", "横马当关"];
        assert_eq!(nearest("sampel-2", names), ["sample-2", "sample-1"]);
        assert_eq!(did_you_mean("横刀立刀", names).as_deref(), Some("did you mean `横刀立马`?"));
        assert_eq!(did_you_mean("横刀", names).as_deref(), Some("did you mean `横刀立马`?"));
        assert_eq!(did_you_mean("橫刀立馬", names).as_deref(), Some("did you mean `横刀立马`?"));
        assert_eq!(nearest("SAMPLE", names), ["sample-1", "sample-2"]);
        assert_eq!(did_you_mean("nothing", names), None);
        assert_eq!(nearest(&"cut".repeat(100_000), names), Vec::<&str>::new());
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
