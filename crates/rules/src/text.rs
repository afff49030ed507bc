//! Parsing of text that a user wrote: lines with positions, and error messages that point into
//! them.
//!
//! Lines and columns are counted from 1. A [`Diagnostic`] prints as
//! `line:column: found X, expected Y`, followed by `; hint` if there is a hint.
//!
//! ```
//! use fewest_rules::text::{Lines, quote};
//!
//! let line = Lines::new(b"5 five").next().unwrap().unwrap();
//! let (at, word) = line.words().nth(1).unwrap();
//! let diagnostic = line.wrong(at, quote(word), "a number");
//! assert_eq!(diagnostic.to_string(), "1:3: found `five`, expected a number");
//! ```

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// An error at a position in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters, from 1.
    pub column: usize,
    /// What was found there.
    pub found: String,
    /// What was expected there.
    pub expected: String,
    /// How to fix the error, if `expected` does not make it clear.
    pub hint: Option<String>,
    /// The option whose value is the text, with this value; `None` for the text that was read.
    pub option: Option<Box<(&'static str, String)>>,
}

impl Diagnostic {
    /// A diagnostic of the whole value of an option.
    pub fn of_option(
        option: &'static str,
        value: impl fmt::Display,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self {
            line: 1,
            column: 1,
            found: found.into(),
            expected: expected.into(),
            hint: None,
            option: Some(Box::new((option, value.to_string()))),
        }
    }

    /// The same diagnostic with this hint, or with none.
    #[must_use]
    pub fn hinting(self, hint: impl Into<Option<String>>) -> Self {
        Self { hint: hint.into(), ..self }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, found, expected, hint, option: _ } = self;
        write!(f, "{line}:{column}: found {found}, expected {expected}")?;
        hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

impl std::error::Error for Diagnostic {}

/// A piece of the user's text, quoted for a message: between backquotes, control characters
/// escaped, and cut after 24 characters.
pub fn quote(text: &str) -> String {
    const MAX_CHARS: usize = 24;
    let escape =
        |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    let shown: String = text.chars().take(MAX_CHARS).map(escape).collect();
    let ellipsis = if text.chars().nth(MAX_CHARS).is_some() { "..." } else { "" };
    format!("`{shown}{ellipsis}`")
}

/// The first lines in which two texts differ, from a little before the difference.
pub fn where_they_differ(one: &str, other: &str) -> [String; 2] {
    const BEFORE: usize = 8;
    let lines = [one, other].map(|text| text.lines().map(str::trim_end).collect::<Vec<_>>());
    let [ones, others] = &lines;
    let number = ones.iter().zip(others).take_while(|(one, other)| one == other).count();
    let [one, other] = lines.each_ref().map(|lines| lines.get(number).copied().unwrap_or_default());
    let equal = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let skipped = equal.saturating_sub(BEFORE);
    let has_lines = ones.len().max(others.len()) > 1;
    [one, other].map(|line| {
        let rest: String = line.chars().skip(skipped).collect();
        match rest.as_str() {
            "" => "nothing".to_owned(),
            rest if has_lines && skipped > 0 => {
                format!("{} in line {}, from character {}", quote(rest), number + 1, skipped + 1)
            }
            rest if has_lines => format!("{} in line {}", quote(rest), number + 1),
            rest if skipped > 0 => format!("{} from character {}", quote(rest), skipped + 1),
            rest => quote(rest),
        }
    })
}

/// Parses a number in decimal digits. `None` if there is any other character, such as a sign, or if
/// the number does not fit `T`.
pub fn number<T: FromStr>(word: &str) -> Option<T> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) { word.parse().ok() } else { None }
}

/// The parts of `FILE#3`, a text and the number of an instance in it.
pub fn numbered(name: &Path) -> Option<(PathBuf, usize)> {
    let bytes = name.as_os_str().as_encoded_bytes();
    let at = bytes.iter().rposition(|&byte| byte == b'#')?;
    let number = number(str::from_utf8(&bytes[at + 1..]).ok()?)?;
    #[cfg(unix)]
    let file: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(&bytes[..at]);
    #[cfg(not(unix))]
    let file = &name.to_str()?[..at];
    Some((file.into(), number))
}

/// Up to three of `names` that are similar to `word` or contain it, ignoring case, most similar
/// first.
fn similar_names<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    /// Up to half of the characters may be replaced, inserted or deleted. A transposition of two
    /// characters counts once.
    const MIN_SIMILARITY: f64 = 0.5;
    /// Names that are less similar than the best one by more than this are not listed.
    const MAX_GAP: f64 = 0.2;
    const MAX_NAMES: usize = 3;
    /// No name is longer, and a comparison takes time proportional to the product of the lengths.
    const MAX_CHARS: usize = 64;
    if word.chars().nth(MAX_CHARS).is_some() {
        return Vec::new();
    }
    let word = word.to_lowercase();
    let similarity = |name: &str| {
        let name = name.to_lowercase();
        let is_part = word.chars().nth(1).is_some() && name.contains(&word);
        let floor = if is_part { MIN_SIMILARITY } else { 0.0 };
        strsim::normalized_damerau_levenshtein(&word, &name).max(floor)
    };
    let scored = names.into_iter().map(|name| (similarity(name), name));
    let mut similar: Vec<_> = scored.filter(|&(score, _)| score >= MIN_SIMILARITY).collect();
    similar.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let best = similar.first().map_or(0.0, |&(best, _)| best);
    similar.retain(|&(score, _)| score >= best - MAX_GAP);
    similar.into_iter().map(|(_, name)| name).take(MAX_NAMES).collect()
}

/// A hint that lists up to three of `names` that are similar to `word`, such as
/// ``did you mean `cut`?``. `None` if there is none.
///
/// Similarity is the normalized Damerau-Levenshtein similarity, ignoring case. Cost: the product of
/// the length of `word` and the total length of the names. For a word of more than 64 characters
/// the result is `None`.
pub fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let similar: Vec<_> = similar_names(word, names).into_iter().map(quote).collect();
    match similar.as_slice() {
        [] => None,
        [name] => Some(format!("did you mean {name}?")),
        [names @ .., last] => Some(format!("did you mean {} or {last}?", names.join(", "))),
    }
}

/// A line of a text, without its line break (LF or CRLF).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The line number, from 1.
    pub number: usize,
    /// The text of the line.
    pub text: &'a str,
}

impl<'a> Line<'a> {
    /// A diagnostic at the character that starts at byte `offset` of this line.
    ///
    /// # Panics
    /// If `offset` is not on a character boundary or beyond the end of the line.
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
            option: None,
        }
    }

    /// The words of the line, separated by ASCII whitespace, each with the byte offset of its first
    /// character.
    pub fn words(self) -> impl Iterator<Item = (usize, &'a str)> {
        let start = self.text.as_ptr() as usize;
        let words = self.text.split_ascii_whitespace();
        words.map(move |word| (word.as_ptr() as usize - start, word))
    }

    /// The byte offset of the first word; 0 if the line is blank.
    pub fn start(self) -> usize {
        self.words().next().map_or(0, |(at, _)| at)
    }

    /// Whether the line is empty or has only ASCII whitespace.
    pub fn is_blank(self) -> bool {
        self.text.trim_ascii().is_empty()
    }
}

/// An iterator over the lines of a text.
///
/// A line that is not valid UTF-8 is an error item. The lines before and after it are not affected.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: &'a [u8],
    /// The number of lines returned so far.
    taken: usize,
}

impl<'a> Lines<'a> {
    /// The lines of `text`. A leading byte order mark is skipped, and so is a byte 26 at the end,
    /// which programs for DOS wrote there.
    pub fn new(text: &'a [u8]) -> Self {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        Self { rest: text.trim_ascii_end().strip_suffix(b"\x1a").unwrap_or(text), taken: 0 }
    }

    /// A diagnostic for a text that ends too early. Its position is the line after the last line
    /// that was returned.
    pub fn ended(&self, expected: impl Into<String>) -> Diagnostic {
        Diagnostic {
            line: self.taken + 1,
            column: 1,
            found: "the end of the text".to_owned(),
            expected: expected.into(),
            hint: None,
            option: None,
        }
    }

    /// The next line that is not blank, or `None` at the end.
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
                    found: format!("the byte {:#04x}, which is not UTF-8", line[valid]),
                    expected: "UTF-8 text".to_owned(),
                    hint: None,
                    option: None,
                })
            }
        })
    }
}

/// An iterator over the data sets of a text. It parses one data set per item and ends after the
/// first error.
///
/// `read` gets the first line of a data set, which is not blank, and reads further lines as needed.
/// It returns `None` if that line is the closing line, after which no text may follow. A text
/// without a data set is an error that says that `form` was expected.
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

/// An iterator that calls `next` for each item. It ends when `next` returns `Ok(None)`, or after
/// the first error.
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
    fn messages_show_where_texts_differ() {
        let differ = |one: &str, other: &str| where_they_differ(one, other);
        assert_eq!(differ("unit", "straight"), ["`unit`", "`straight`"]);
        assert_eq!(differ("ab\ncd\n", "ab\ncx\n"), ["`cd` in line 2", "`cx` in line 2"]);
        assert_eq!(differ("ab\n", "ab\ncx\n"), ["nothing", "`cx` in line 2"]);
        let long = format!("{}a.....", ".".repeat(30));
        let expected = ["`........a.....` from character 23", "`........` from character 23"];
        assert_eq!(differ(&long, &".".repeat(30)), expected);
    }

    #[test]
    fn lines_end_in_lf_or_crlf_or_the_end() {
        let texts: Vec<_> =
            Lines::new(b"a\r\n\n b c\nlast").map(|line| line.unwrap().text).collect();
        assert_eq!(texts, ["a", "", " b c", "last"]);
        assert!(Lines::new(b"").next().is_none());
        for text in [b"a\r\n\x1a".as_slice(), b"a\x1a\r\n", b"a\n\x1a\n"] {
            assert!(Lines::new(text).map(|line| line.unwrap().text).eq(["a"]));
        }
        assert_eq!(Lines::new(b"\n").count(), 1);
    }

    #[test]
    fn words_have_their_byte_offsets() {
        let line = Lines::new(b" 16  4\t3 ").next().unwrap().unwrap();
        assert!(line.words().eq([(1, "16"), (5, "4"), (7, "3")]));
    }

    #[test]
    fn columns_count_characters() {
        let line = Lines::new("äö x".as_bytes()).next().unwrap().unwrap();
        assert_eq!(line.wrong(5, "x", "y").column, 4);
    }

    #[test]
    fn quotes_are_escaped_and_cut() {
        assert_eq!(quote("a\tb"), "`a\\tb`");
        assert_eq!(quote(&"x".repeat(1000)), format!("`{}...`", "x".repeat(24)));
    }

    #[test]
    fn similar_names_are_suggested() {
        let names = ["sample-1", "sample-2", "cut", "横刀立马", "横马当关"];
        assert_eq!(similar_names("sampel-2", names), ["sample-2", "sample-1"]);
        assert_eq!(did_you_mean("横刀立刀", names).as_deref(), Some("did you mean `横刀立马`?"));
        assert_eq!(did_you_mean("横刀", names).as_deref(), Some("did you mean `横刀立马`?"));
        assert_eq!(did_you_mean("橫刀立馬", names).as_deref(), Some("did you mean `横刀立马`?"));
        assert_eq!(similar_names("SAMPLE", names), ["sample-1", "sample-2"]);
        assert_eq!(did_you_mean("nothing", names), None);
        assert_eq!(similar_names(&"cut".repeat(100_000), names), Vec::<&str>::new());
    }

    #[test]
    fn invalid_utf8_is_an_error_of_its_line_only() {
        let mut lines = Lines::new(b"good\n\xc3\xa4b\xff\nafter");
        assert!(lines.next().unwrap().is_ok());
        let wrong = lines.next().unwrap().unwrap_err();
        assert_eq!((wrong.line, wrong.column), (2, 3));
        assert_eq!(lines.next().unwrap().unwrap().text, "after");
    }
}
