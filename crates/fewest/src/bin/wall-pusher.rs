//! `wall-pusher`: the same as `fewest wall-pusher`.

fn main() -> std::process::ExitCode {
    fewest_cli::puzzle(fewest_catalog::WALL_PUSHER)
}
