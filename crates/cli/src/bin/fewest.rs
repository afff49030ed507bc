//! `fewest`: every puzzle, by name.

fn main() -> std::process::ExitCode {
    fewest_cli::fewest(fewest_catalog::PUZZLES)
}
