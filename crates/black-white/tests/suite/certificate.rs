//! Certificates: they hold, and false claims are refused.

use std::collections::BTreeSet;

use fewest_black_white::certificate::BoardRecords;
use fewest_black_white::solve::solve;
use fewest_black_white::{Instance, Size};
use fewest_certificate::Claim;
use fewest_core::budget::Budget;
use fewest_puzzle::certify::{Certified, Certify, Subject};
use fewest_testing::certificates::{
    PlantedFault, bombs_are_refused, certificates_hold, mutants_are_refused, plain_states,
};

#[test]
fn answers_and_layers_of_small_boards_are_certified_and_attacked() {
    let (count, mut refused) = (fewest_testing::count(1000), BTreeSet::new());
    for (text, rows, columns, has_mirrors) in [
        ("1000 0001", 2, 2, false),
        ("110 000 011 000", 2, 3, false),
        ("1#1 010 0#0 111", 2, 3, true),
        ("1010 0101 0000 1111", 2, 4, false),
        ("0110 0000 0000 0110", 2, 4, true),
        ("11 00", 1, 2, false),
        ("1#0 0#1", 1, 3, false),
        ("1000000000 0000000001", 1, 10, false),
    ] {
        let size = Size::new(rows, columns).expect("a size");
        let boards = Instance::read(text.as_bytes(), size).next().expect("a data set");
        let boards = boards.expect("well-formed");
        let outcome = solve(&boards, None, &Budget::unlimited()).expect("an answer").outcome;
        let plan: String = outcome
            .optimal()
            .map(|plan| plan.iter().map(|by| by.text(size) + "\n").collect())
            .unwrap_or_default();
        let records = BoardRecords::new(&boards);
        // The same exchange twice.
        let idle = plan.lines().next().map(|first| format!("{first}\n{first}\n"));
        let (moves, idle) = (outcome.cost(), idle.as_deref());
        let held = certificates_hold(&records, moves, &plan, idle, has_mirrors, count);
        held.files.iter().for_each(|file| bombs_are_refused(&records, file));
        refused.extend(held.refused);
    }
    assert_eq!(refused, PlantedFault::ALL.into(), "each fault is found");
}

/// The certificate that the solver makes: by prices, for boards of any size.
#[test]
fn prices_prove_answers_and_no_others() {
    let count = fewest_testing::count(1000);
    for (text, columns) in [
        ("1000 0001", 2),
        ("1#1 010 0#0 111", 3),
        ("1#0 0#1", 3),
        ("1#10 0#00 1#00 0#01", 4),
        ("111000 000000 000111 000000", 6),
    ] {
        let rows = text.split(' ').count() / 2;
        let size = Size::new(rows, columns).expect("a size");
        let boards = Instance::read(text.as_bytes(), size).next().expect("a data set");
        let boards = boards.expect("well-formed");
        let made = certified(&boards);
        let records = BoardRecords::new(&boards);
        let plain = plain_states(&records, u32::MAX, None).cost;
        let expected = plain.map_or(Claim::Unsolvable, |moves| Claim::Optimal { cost: moves });
        assert_eq!(made.claim, expected, "{text}");
        mutants_are_refused(&records, &made.file, count);
        bombs_are_refused(&records, &made.file);
    }
}

#[test]
fn large_boards_are_certified() {
    let side = 100;
    let size = Size::new(side, side).expect("a size");
    let start: Vec<bool> = (0..side * side).map(|cell| cell % 7 < 3).collect();
    let target = start.iter().rev().copied().collect();
    let boards = Instance::new(size, start, target).expect("a board");
    let made = certified(&boards);
    assert!(matches!(made.claim, Claim::Optimal { cost: moves } if moves > 1000), "{}", made.claim);
}

/// The certificate that `certify` writes, which was checked.
fn certified(boards: &Instance) -> Certified {
    boards.certify(Subject::Answer, &Budget::unlimited()).expect("a certificate")
}
