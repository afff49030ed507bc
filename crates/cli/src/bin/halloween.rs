//! `halloween`: the same as `fewest halloween`.

fn main() -> std::process::ExitCode {
    fewest_cli::one_puzzle(fewest_cli::PuzzleName::Halloween)
}
