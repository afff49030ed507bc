//! Glyphs as outlines, so that rasterising needs no font: printable ASCII and the characters of the
//! labels of klotski.
//!
//! The glyphs are from Noto Sans SC Medium (Copyright 2014-2021 Adobe), under the SIL Open Font
//! License 1.1, which is in `OFL.txt` in this folder. A line of `glyphs.txt` has a character, its
//! advance width, and its outline as SVG path data relative to the left end of the baseline. The
//! unit is 1/1000 of the font size.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use unicode_width::UnicodeWidthChar;

use crate::xml::Px;

/// The outline of characters without a glyph: an empty box.
const MISSING_GLYPH: &str = "M80 0V-720H520V0ZM140 -60H460V-660H140Z";

/// The width and the outline of a character, in 1/1000 of the font size.
fn glyph(c: char) -> (f64, &'static str) {
    static GLYPHS: OnceLock<HashMap<char, (f64, &str)>> = OnceLock::new();
    let glyphs = GLYPHS.get_or_init(|| {
        let line = |line: &'static str| {
            let mut words = line.splitn(3, ' ');
            let c = words.next()?.chars().next()?;
            Some((c, (words.next()?.parse().ok()?, words.next()?)))
        };
        include_str!("glyphs.txt").lines().filter_map(line).collect()
    });
    glyphs.get(&c).copied().unwrap_or(match c.width() {
        _ if c == ' ' => (250.0, ""),
        None | Some(0) => (0.0, ""),
        Some(_) => (600.0, MISSING_GLYPH),
    })
}

/// The width of a text, relative to the font size.
pub(crate) fn width(text: &str) -> f64 {
    text.chars().map(|c| glyph(c).0).sum::<f64>() / 1000.0
}

/// Writes text as paths. The baseline starts at `(x, y)`, and `size` is the font size in pixels.
pub(crate) fn write(
    text: &str,
    (x, y, size): (f64, f64, f64),
    class: &str,
    svg: &mut dyn fmt::Write,
) {
    let mut x = x;
    for c in text.chars() {
        let (width, outline) = glyph(c);
        if !outline.is_empty() {
            let scale = format!("{:.5}", size / 1000.0);
            let _ = write!(
                svg,
                "<path transform=\"translate({} {}) scale({scale})\" d=\"{outline}\" class=\"{class}\"/>",
                Px(x),
                Px(y)
            );
        }
        x += width * size / 1000.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_ascii_and_labels_have_glyphs() {
        assert!(
            (0x21..0x7f)
                .map(char::from)
                .chain("曹操关羽…→".chars())
                .all(|c| glyph(c).1 != MISSING_GLYPH)
        );
        assert_eq!((width("é"), width("\u{301}"), width("")), (0.6, 0.0, 0.0));
        assert!(width("il") < width("WM"));
    }
}
