//! `klotski`: the same as `fewest klotski`.

fn main() -> std::process::ExitCode {
    fewest_cli::puzzle(fewest_catalog::KLOTSKI)
}
