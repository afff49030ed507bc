//! Small text files with a checksum: a format line, one `name<TAB>value` line per field, and a last
//! line with the CRC-32 of all preceding lines.

use super::CheckpointError;

/// The error of a text that cannot be parsed.
pub(crate) enum TextError {
    Damaged,
    /// The format line is another one: this is its text.
    Format(String),
}

impl TextError {
    pub(super) fn of(self, file: &str) -> CheckpointError {
        match self {
            Self::Damaged => CheckpointError::Damaged(file.to_owned()),
            Self::Format(found) => CheckpointError::Version(found),
        }
    }
}

/// Writes fields as text. Line breaks, tabs and backslashes are escaped as `\n`, `\r`, `\t` and
/// `\\`.
pub(crate) fn write<'a>(
    format: &str,
    fields: impl IntoIterator<Item = (&'a str, impl AsRef<str>)>,
) -> String {
    let mut text = format!("{format}\n");
    for (name, value) in fields {
        text.push_str(&format!("{}\t{}\n", escaped(name), escaped(value.as_ref())));
    }
    let checksum = crc32fast::hash(text.as_bytes());
    text.push_str(&format!("checksum {checksum:08x}\n"));
    text
}

/// Parses a text: the inverse of [`write`].
pub(crate) fn parse(text: &[u8], format: &str) -> Result<Vec<(String, String)>, TextError> {
    let text = str::from_utf8(text).map_err(|_| TextError::Damaged)?;
    // `rfind`: a value may contain the word, the last line is the checksum.
    let end = text.rfind("checksum ").ok_or(TextError::Damaged)?;
    let (body, checksum) = text.split_at(end);
    if checksum != format!("checksum {:08x}\n", crc32fast::hash(body.as_bytes())) {
        return Err(TextError::Damaged);
    }
    let mut lines = body.lines();
    let found = lines.next().ok_or(TextError::Damaged)?;
    if found != format {
        return Err(TextError::Format(found.to_owned()));
    }
    let field = |line: &str| {
        let (name, value) = line.split_once('\t')?;
        Some((unescaped(name)?, unescaped(value)?))
    };
    lines.map(field).collect::<Option<_>>().ok_or(TextError::Damaged)
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t")
}

fn unescaped(value: &str) -> Option<String> {
    let mut characters = value.chars();
    let mut text = String::new();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                '\\' => '\\',
                _ => return None,
            },
            other => other,
        });
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_as_written_and_each_flipped_bit_is_found() {
        let fields = [("the board", "a\\b\r\n\t c \\n"), ("empty", "")];
        let text = write("format 1", fields);
        let read = parse(text.as_bytes(), "format 1").ok().expect("readable");
        assert!(read.iter().map(|(name, value)| (&**name, &**value)).eq(fields));
        for bit in 0..8 * text.len() {
            let mut flipped = text.clone().into_bytes();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(parse(&flipped, "format 1").is_err(), "bit {bit}");
        }
        let other = parse(text.as_bytes(), "format 2").err();
        assert!(matches!(other, Some(TextError::Format(found)) if found == "format 1"));
    }
}
