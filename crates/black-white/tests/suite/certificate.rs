//! Certificates: they hold, and false claims are refused.

use fewest_black_white::certificate::BoardRecords;
use fewest_black_white::solve::solve;
use fewest_black_white::{Instance, Size};
use fewest_core::budget::Budget;
use fewest_testing::certificates::certificates_hold;

#[test]
fn answers_and_layers_of_small_boards_are_certified_and_attacked() {
    let count = fewest_testing::count(1000);
    for (text, rows, columns, has_mirrors) in [
        ("1000 0001", 2, 2, false),
        ("110 000 011 000", 2, 3, false),
        ("1#1 010 0#0 111", 2, 3, true),
        ("1010 0101 0000 1111", 2, 4, false),
        ("0110 0000 0000 0110", 2, 4, true),
        ("11 00", 1, 2, false),
        ("1#0 0#1", 1, 3, false),
    ] {
        let size = Size::new(rows, columns).expect("a size");
        let boards = Instance::read(text.as_bytes(), size).next().expect("a data set");
        let boards = boards.expect("well-formed");
        let outcome = solve(&boards, None, &Budget::unlimited()).expect("an answer").outcome;
        let plan: String = outcome
            .optimal()
            .map(|plan| plan.iter().map(|by| by.text(size) + "\n").collect())
            .unwrap_or_default();
        let records = BoardRecords::new(&boards).expect("records");
        certificates_hold(&records, outcome.moves(), &plan, None, has_mirrors, count);
    }
}
