//! `wall-pusher`: the same as `fewest wall-pusher`.

fn main() -> std::process::ExitCode {
    fewest_cli::program(fewest_catalog::PUZZLES, env!("CARGO_BIN_NAME"))
}
