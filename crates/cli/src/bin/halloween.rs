//! `halloween`: the same as `fewest halloween`.

fn main() -> std::process::ExitCode {
    fewest_cli::program(fewest_catalog::PUZZLES, env!("CARGO_BIN_NAME"))
}
