//! Numbers with their nouns.

/// The word of `1 board`, `2 boards` or `3 searches`.
pub fn plural(noun: &str, count: u64) -> String {
    match count {
        1 => noun.to_owned(),
        _ if noun.ends_with('h') => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// A number with one of the words for one and for several.
pub fn counted(words: [&str; 2], count: u32) -> String {
    format!("{count} {}", words[usize::from(count != 1)])
}
