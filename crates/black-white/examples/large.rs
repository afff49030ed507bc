//! Boards that are too large for a search, solved by a minimum-cost flow:
//! `cargo run --release -p fewest-black-white --example large`
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;

use fewest_black_white::solve::{solve, solve_cost};
use fewest_black_white::{Instance, Size};
use fewest_core::budget::Budget;

fn main() -> Result<(), Box<dyn Error>> {
    // All black pieces are in the left half, and in the right half on the target.
    let size = Size::new(64, 64).ok_or("a size")?;
    let row =
        |left, right: &str| format!("{}{}\n", str::repeat(left, 32), right.repeat(32)).repeat(64);
    let text = row("1", "0") + &row("0", "1");
    let boards = Instance::read(text.as_bytes(), size).next().ok_or("boards")??;
    // 64 rows of 32 pieces, and each piece moves 32 cells.
    assert_eq!(solve_cost(&boards, &Budget::unlimited()).outcome.cost(), Some(64 * 32 * 32));
    let answer = solve(&boards, None, &Budget::unlimited())?;
    let plan = answer.outcome.optimal().ok_or("a plan")?;
    println!("{} exchanges by {}, the first {}", plan.len(), answer.engine, plan[0].text(size));
    Ok(())
}

#[test]
fn example_runs() {
    main().expect("no error");
}
