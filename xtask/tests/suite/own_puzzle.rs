//! `docs/own-puzzle.md` says what its example does, in the example's own lines.

#[path = "../../../crates/core/examples/pancakes/main.rs"]
mod pancakes;

use std::fs;
use std::path::Path;

use fewest_core::space::moves_along;
use pancakes::{Pancakes, TEN, searches};

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).expect(path)
}

/// A stack as a list, the one on top first.
fn list(stack: u64, count: u32) -> Vec<u64> {
    (0..count).map(|place| stack >> (4 * place) & 15).collect()
}

#[test]
fn each_search_finds_ten_flips_that_sort_the_stack() {
    let page = read("docs/own-puzzle.md");
    for (search, outcome) in searches(&TEN).expect("memory") {
        let plan = outcome.plan().expect("a plan");
        let mut stack = list(TEN.start, 10);
        for flipped in moves_along(&TEN, plan).expect("moves") {
            stack[..flipped as usize].reverse();
        }
        assert!(stack.iter().copied().eq(0..10), "{search}: {stack:?}");
        let line = format!(
            "{search:<14} {:?} flips, {:>7} expanded",
            outcome.cost(),
            outcome.stats.expanded
        );
        assert!(page.contains(&line), "the page does not say: {line}");
    }
}

#[test]
fn all_stacks_of_six_take_as_many_flips_by_each_search() {
    // A stack after so many flips that follow from its number.
    for number in 0..200u64 {
        let mut order: Vec<u64> = (0..6).collect();
        let mut choice = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for last in (1..6).rev() {
            order.swap(last, (choice % (last as u64 + 1)) as usize);
            choice /= 7;
        }
        let start = order.iter().enumerate().map(|(place, size)| size << (4 * place)).sum();
        let costs = searches(&Pancakes { start, count: 6 }).expect("memory");
        let costs: Vec<_> = costs.iter().map(|(_, outcome)| outcome.cost()).collect();
        // No stack of six takes more than seven flips (OEIS A058986).
        assert!(
            costs.iter().all(|&cost| cost == costs[0] && cost.is_some_and(|cost| cost <= 7)),
            "{order:?}: {costs:?}"
        );
    }
}

#[test]
fn what_the_page_shows_is_in_the_example() {
    let (page, example) =
        (read("docs/own-puzzle.md"), read("crates/core/examples/pancakes/main.rs"));
    let blocks: Vec<&str> =
        page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 6);
    for block in blocks {
        assert!(example.contains(block), "the example has not:\n{block}");
    }
}
