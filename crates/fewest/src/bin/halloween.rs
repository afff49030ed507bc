//! `halloween`: the same as `fewest halloween`.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    fewest_cli::puzzle(fewest_catalog::HALLOWEEN)
}
