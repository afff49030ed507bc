//! Certificates: they hold, and false claims are refused.

use fewest_core::budget::Budget;
use fewest_testing::certificates::certificates_hold;
use fewest_wall_pusher::certificate::BoardRecords;
use fewest_wall_pusher::solve::solve;
use fewest_wall_pusher::{Instance, Size};

#[test]
fn answers_and_layers_of_small_mazes_are_certified_and_attacked() {
    let count = fewest_testing::count(1000);
    for (text, rows, columns) in [
        ("1 1\n11 10\n", 1, 2),
        ("2 1\n3 6\n9 8\n", 2, 2),
        ("1 1\n15\n", 1, 1),
        (
            "+--+--+--+\n|     |  |\n+  +--+  +\n|  | S   |\n+  +  +--+\n|        |\n+--+--+--+\n",
            3,
            3,
        ),
        // A wall can be pushed onto the open edge of the border.
        (
            "+--+--+--+\n|  |     |\n+--+--+  +\n|  | S|   \n+  +--+--+\n|  |     |\n+--+--+--+\n",
            3,
            3,
        ),
        ("+--+--+--+--+--+--+--+--+\n|  | S|                 |\n+--+--+--+--+--+--+--+--+\n", 1, 8),
    ] {
        let size = Size::new(rows, columns).expect("a size");
        let maze = Instance::read(text.as_bytes(), size).next().expect("a data set");
        let maze = maze.expect("well-formed");
        let outcome = solve(&maze, None, &Budget::unlimited()).expect("an answer").outcome;
        let plan: Option<String> = outcome
            .optimal()
            .map(|plan| plan.iter().map(|by| format!("{}\n", by.letter())).collect());
        let plan = plan.unwrap_or_default();
        let records = BoardRecords(&maze);
        certificates_hold(&records, outcome.moves(), &plan, None, false, count);
    }
}
