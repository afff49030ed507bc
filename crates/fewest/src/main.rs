//! `fewest`: every puzzle, by name.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    fewest_cli::fewest(fewest_catalog::PUZZLES)
}
