//! `halloween`: the same as `fewest halloween`.

fn main() -> std::process::ExitCode {
    fewest_cli::puzzle(fewest_catalog::HALLOWEEN)
}
