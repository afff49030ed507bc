//! Certificates: they hold, and false claims are refused.

use std::collections::BTreeSet;

use fewest_certificate::{BoardOf, Boards};
use fewest_core::budget::Budget;
use fewest_geometry::Direction;
use fewest_rules::Rules;
use fewest_testing::certificates::{PlantedFault, bombs_are_refused, certificates_hold};
use fewest_wall_pusher::certificate::BoardRecords;
use fewest_wall_pusher::solve::solve;
use fewest_wall_pusher::{Instance, Size};

/// A step and the step back, if no wall is pushed.
fn idle(maze: &Instance) -> Option<String> {
    let record = |board: &BoardOf<BoardRecords<'_>>| {
        let mut record = Vec::new();
        BoardRecords(maze).write_record(board, &mut record).then_some(record)
    };
    let start = maze.start_board();
    Direction::ALL.iter().find_map(|by| {
        let mut board = start;
        [*by, by.opposite()].iter().try_for_each(|by| maze.play(&mut board, by)).ok()?;
        let steps = format!("{}\n{}\n", by.letter(), by.opposite().letter());
        (record(&board)? == record(&start)?).then_some(steps)
    })
}

#[test]
fn answers_and_layers_of_small_mazes_are_certified_and_attacked() {
    let (count, mut refused) = (fewest_testing::count(1000), BTreeSet::new());
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
        let idle = idle(&maze);
        let (moves, idle) = (outcome.cost(), idle.as_deref());
        let held = certificates_hold(&records, moves, &plan, idle, false, count);
        held.files.iter().for_each(|file| bombs_are_refused(&records, file));
        refused.extend(held.refused);
    }
    assert_eq!(refused, PlantedFault::ALL.into(), "each fault is found");
}
