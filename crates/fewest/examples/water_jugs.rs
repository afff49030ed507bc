//! The program of the example puzzle of fewest-puzzle: `cargo run -p fewest --example water_jugs --
//! solve classic`.

use std::process::ExitCode;

#[path = "../../puzzle/examples/water_jugs.rs"]
#[expect(unreachable_pub, reason = "the example is a library")]
mod water_jugs;

fn main() -> ExitCode {
    fewest_cli::puzzle(&water_jugs::WaterJugs)
}
