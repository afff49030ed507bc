//! `black-white`: the same as `fewest black-white`.

fn main() -> std::process::ExitCode {
    fewest_cli::puzzle(fewest_catalog::BLACK_WHITE)
}
