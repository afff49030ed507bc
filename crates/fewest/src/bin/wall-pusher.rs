//! `wall-pusher`: the same as `fewest wall-pusher`.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    fewest_cli::puzzle(fewest_catalog::WALL_PUSHER)
}
