//! Test helpers that the crates share: a reference search, checks of search outcomes, checks of
//! parse errors, large maps, and a measurement of processes. A check panics if it fails.

#![forbid(unsafe_code)]

pub mod certificates;
pub mod maps;
pub mod outcomes;
pub mod process;
pub mod spaces;
pub mod texts;

use std::io::{Write, stderr};

/// The configuration of a property test with [`count(thorough)`](count) cases.
pub fn cases(thorough: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config::with_cases(count(thorough as usize) as u32)
}

/// The number of repetitions of a test: `thorough` if the environment variable `FEWEST_TESTS` is
/// `thorough`, as in `cargo xtask ci --thorough`, and an eighth of it otherwise, but at least 16 if
/// there are as many.
pub fn count(thorough: usize) -> usize {
    if is_thorough() { thorough } else { thorough.div_ceil(8).max(thorough.min(16)) }
}

/// Whether the tests run with all their cases.
pub fn is_thorough() -> bool {
    std::env::var_os("FEWEST_TESTS").is_some_and(|value| value == "thorough")
}

/// Says on standard error, which is not captured unlike what the macros print, that a test passes
/// without a check.
pub fn not_checked(what: &str) {
    let _ = stderr().write_all(format!("NOT CHECKED: {what}\n").as_bytes());
}
