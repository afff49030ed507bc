//! `black-white`: the same as `fewest black-white`.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    fewest_cli::puzzle(fewest_catalog::BLACK_WHITE)
}
