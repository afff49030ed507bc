//! Letters as outlines, so that pictures of pixels need no font: printable ASCII and what the
//! generals' names are written with.
//!
//! They are those of Noto Sans SC Medium (Copyright 2014-2021 Adobe), under the SIL Open Font
//! License 1.1, which is in `OFL.txt` beside them. A line of `glyphs.txt` is a character, how wide
//! it is, and its outline from the left end of its foot, both in thousandths of the font's size.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use unicode_width::UnicodeWidthChar;

use crate::xml::Px;

/// Where there is no outline: an empty box.
const BOX: &str = "M80 0V-720H520V0ZM140 -60H460V-660H140Z";

/// Width and outline of a character.
fn glyph(mark: char) -> (f64, &'static str) {
    static GLYPHS: OnceLock<HashMap<char, (f64, &str)>> = OnceLock::new();
    let glyphs = GLYPHS.get_or_init(|| {
        let line = |line: &'static str| {
            let mut words = line.splitn(3, ' ');
            let mark = words.next()?.chars().next()?;
            Some((mark, (words.next()?.parse().ok()?, words.next()?)))
        };
        include_str!("glyphs.txt").lines().filter_map(line).collect()
    });
    glyphs.get(&mark).copied().unwrap_or(match mark.width() {
        _ if mark == ' ' => (250.0, ""),
        None | Some(0) => (0.0, ""),
        Some(_) => (600.0, BOX),
    })
}

/// How wide a text is, in parts of its size.
pub(crate) fn width(text: &str) -> f64 {
    text.chars().map(|mark| glyph(mark).0).sum::<f64>() / 1000.0
}

/// Writes a text of a size, which begins at a place.
pub(crate) fn write(
    text: &str,
    (x, y, size): (f64, f64, f64),
    class: &str,
    svg: &mut dyn fmt::Write,
) {
    let mut x = x;
    for mark in text.chars() {
        let (wide, outline) = glyph(mark);
        if !outline.is_empty() {
            let scale = format!("{:.5}", size / 1000.0);
            let _ = write!(
                svg,
                "<path transform=\"translate({} {}) scale({scale})\" d=\"{outline}\" class=\"{class}\"/>",
                Px(x),
                Px(y)
            );
        }
        x += wide * size / 1000.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_can_be_typed_has_an_outline_and_nothing_breaks_without() {
        assert!(
            (0x21..0x7f)
                .map(char::from)
                .chain("曹操关羽…→".chars())
                .all(|mark| glyph(mark).1 != BOX)
        );
        assert_eq!((width("é"), width("\u{301}"), width("")), (0.6, 0.0, 0.0));
        assert!(width("il") < width("WM"));
    }
}
