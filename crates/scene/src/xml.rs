//! Formatting of numbers and text for SVG.

use std::fmt::{self, Display};

/// A length in pixels, displayed with at most two decimal places.
pub(crate) struct Px(pub(crate) f64);

impl Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounding can give -0. Adding zero makes it 0.
        let rounded = (self.0 * 100.0).round() / 100.0 + 0.0;
        write!(f, "{rounded}")
    }
}

/// Escapes text for XML content and attributes. Characters that XML does not allow become `?`.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('?'),
            c if c.is_control() => escaped.push('?'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_at_most_two_decimal_places() {
        assert_eq!(
            [1.0, 0.1 + 0.2, -0.0001, 2.345].map(|px| Px(px).to_string()),
            ["1", "0.3", "0", "2.35"]
        );
    }

    #[test]
    fn markup_characters_are_escaped() {
        assert_eq!(escaped("a<b & \"c\">\u{1b}"), "a&lt;b &amp; &quot;c&quot;&gt;?");
    }
}
