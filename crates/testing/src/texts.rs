//! Checks of parsers on valid and invalid texts.

use fewest_rules::text::Diagnostic;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Returns the number of valid data sets before the error, and the error message.
///
/// # Panics
/// If there is no error, or if items follow the error.
pub fn parse_error<T>(
    data_sets: impl IntoIterator<Item = Result<T, Diagnostic>>,
) -> (usize, String) {
    let items: Vec<_> = data_sets.into_iter().collect();
    let valid = items.iter().take_while(|data_set| data_set.is_ok()).count();
    match items.get(valid) {
        Some(Err(error)) if valid + 1 == items.len() => (valid, error.to_string()),
        Some(_) => panic!("found {} items after the error, expected none", items.len() - valid - 1),
        None => panic!("found {valid} valid data sets, expected an error"),
    }
}

/// Checks the error messages of invalid texts, each given as a text and its message.
///
/// Each text is parsed alone, and again after two copies of the valid data set `valid`. The second
/// message must be the same except for its line numbers: that at its start, and that after
/// `on line` at its end, if any.
///
/// # Panics
/// If a message differs, or if a text has no error.
pub fn assert_parse_errors<T>(
    read: impl Fn(&[u8]) -> Vec<Result<T, Diagnostic>>,
    valid: &str,
    invalid: &[(&[u8], String)],
) {
    let lines = 2 * valid.lines().count();
    for (text, message) in invalid {
        assert_eq!(parse_error(read(text)), (0, message.clone()));
        let (line, rest) = message.split_once(':').expect("a message starts with a line number");
        let line: usize = line.parse().expect("a line number");
        let mut shifted = format!("{}:{rest}", line + lines);
        if let Some((before, other_line)) = shifted.split_once("on line ") {
            let other_line: usize = other_line.parse().expect("a line number at the end");
            shifted = format!("{before}on line {}", other_line + lines);
        }
        let text = [valid.as_bytes(), valid.as_bytes(), text].concat();
        assert_eq!(parse_error(read(&text)), (2, shifted));
    }
}

/// Returns the valid data sets of a text.
///
/// # Panics
/// If there is no item, or if an item follows an error.
pub fn valid_data_sets<T>(data_sets: impl IntoIterator<Item = Result<T, Diagnostic>>) -> Vec<T> {
    let items: Vec<_> = data_sets.into_iter().collect();
    assert!(!items.is_empty(), "found no data set and no error");
    assert!(
        items[..items.len() - 1].iter().all(Result::is_ok),
        "found items after an error, expected none"
    );
    items.into_iter().flatten().collect()
}

/// A strategy of texts with up to five changes. A change replaces, inserts or removes one byte, or
/// truncates the text. New bytes are from `bytes`.
pub fn mutated(
    text: impl Strategy<Value = String>,
    bytes: &'static [u8],
) -> impl Strategy<Value = Vec<u8>> {
    let changes = prop::collection::vec((any::<Index>(), 0u8..4, select(bytes)), 0..6);
    (text, changes).prop_map(|(text, changes)| {
        let mut text = text.into_bytes();
        for (index, change, byte) in changes {
            if text.is_empty() {
                break;
            }
            let at = index.index(text.len());
            match change {
                0 => text[at] = byte,
                1 => text.insert(at, byte),
                2 => text.truncate(at.max(1)),
                _ => drop(text.remove(at)),
            }
        }
        text
    })
}
