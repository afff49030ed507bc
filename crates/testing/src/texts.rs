//! Texts, good and bad.

use fewest_core::text::Diagnostic;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// The data sets before the error, and what it says. An error has to come, and to be the last.
pub fn refused<T>(data_sets: impl IntoIterator<Item = Result<T, Diagnostic>>) -> (usize, String) {
    let read: Vec<_> = data_sets.into_iter().collect();
    let good = read.iter().take_while(|data_set| data_set.is_ok()).count();
    match read.get(good) {
        Some(Err(wrong)) if good + 1 == read.len() => (good, wrong.to_string()),
        Some(_) => panic!("{} items after the error", read.len() - good - 1),
        None => panic!("nothing refused, {good} data sets read"),
    }
}

/// Each fault is told with its place: `message` is that of `text` alone, and behind two data sets
/// `good` it is the same, so many lines later, also where a message ends in the number of another
/// line.
pub fn assert_faults<T>(
    read: impl Fn(&[u8]) -> Vec<Result<T, Diagnostic>>,
    good: &str,
    faults: &[(&[u8], String)],
) {
    let lines = 2 * good.lines().count();
    for (text, message) in faults {
        assert_eq!(refused(read(text)), (0, message.clone()));
        let (line, rest) = message.split_once(':').expect("a line");
        let line: usize = line.parse().expect("a number");
        let mut later = format!("{}:{rest}", line + lines);
        if let Some((before, named)) = later.split_once("on line ") {
            let named: usize = named.parse().expect("a message that ends in a line");
            later = format!("{before}on line {}", named + lines);
        }
        assert_eq!(refused(read(&[good.as_bytes(), good.as_bytes(), text].concat())), (2, later));
    }
}

/// Either all data sets of a text are good, or the last item is the error; and there is one item at
/// least. Returns the good ones.
pub fn read_or_refused<T>(data_sets: impl IntoIterator<Item = Result<T, Diagnostic>>) -> Vec<T> {
    let read: Vec<_> = data_sets.into_iter().collect();
    assert!(!read.is_empty());
    assert!(read[..read.len() - 1].iter().all(Result::is_ok));
    read.into_iter().flatten().collect()
}

/// A text with up to six of its bytes replaced, put in from `bytes`, taken out, or all behind one
/// cut off.
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
