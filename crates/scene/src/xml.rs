//! What SVG is written with.

use std::fmt::{self, Display};

/// A length in pixels with two digits at most behind the point.
pub(crate) struct Px(pub(crate) f64);

impl Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero makes -0 of rounding a 0.
        let rounded = (self.0 * 100.0).round() / 100.0 + 0.0;
        write!(f, "{rounded}")
    }
}

/// Text as it stands between tags and in attributes. What XML cannot hold is shown as a question
/// mark.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for mark in text.chars() {
        match mark {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('?'),
            mark if mark.is_control() => escaped.push('?'),
            mark => escaped.push(mark),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        assert_eq!(
            [1.0, 0.1 + 0.2, -0.0001, 2.345].map(|px| Px(px).to_string()),
            ["1", "0.3", "0", "2.35"]
        );
    }

    #[test]
    fn nothing_breaks_out_of_text() {
        assert_eq!(escaped("a<b & \"c\">\u{1b}"), "a&lt;b &amp; &quot;c&quot;&gt;?");
    }
}
