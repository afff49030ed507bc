//! `klotski`: the same as `fewest klotski`.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    fewest_cli::puzzle(fewest_catalog::KLOTSKI)
}
