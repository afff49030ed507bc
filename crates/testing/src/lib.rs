//! Test helpers that the puzzle crates share: a reference search, checks of search outcomes, checks
//! of parse errors, and a measurement of processes. A check panics if it fails.

pub mod outcomes;
pub mod process;
pub mod spaces;
pub mod texts;

/// The configuration of a property test with `count` cases.
///
/// A run has `count` cases if the environment variable `FEWEST_TESTS` is `thorough`, as in `cargo
/// xtask ci --thorough`, and an eighth of them otherwise, but at least 16 if there are as many.
pub fn cases(count: u32) -> proptest::test_runner::Config {
    let is_thorough = std::env::var_os("FEWEST_TESTS").is_some_and(|value| value == "thorough");
    proptest::test_runner::Config::with_cases(if is_thorough {
        count
    } else {
        count.div_ceil(8).max(count.min(16))
    })
}
