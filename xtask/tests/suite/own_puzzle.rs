//! `docs/own-puzzle.md` shows the code and the output of its example.

#[path = "../../../crates/core/examples/pancakes/main.rs"]
mod pancakes;

use std::fs;
use std::path::Path;

use fewest_core::budget::Budget;
use fewest_core::space::moves_along;
use pancakes::{Pancakes, TEN, check_promises, searches};

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).expect(path)
}

/// The pancakes of a stack from the top.
fn unpack(stack: u64, count: u32) -> Vec<u64> {
    (0..count).map(|position| stack >> (4 * position) & 15).collect()
}

#[test]
fn the_plan_of_every_search_sorts_the_stack() {
    let page = read("docs/own-puzzle.md");
    for (search, outcome) in searches(&TEN).expect("memory") {
        let plan = outcome.optimal().expect("a plan");
        let mut stack = unpack(TEN.start, 10);
        for flipped in moves_along(&TEN, plan).expect("moves") {
            stack[..flipped as usize].reverse();
        }
        assert!(stack.iter().copied().eq(0..10), "{search}: {stack:?}");
        let line = format!(
            "{search:<14} {:?} flips, {:>7} expanded",
            outcome.cost(),
            outcome.stats.expanded
        );
        assert!(page.contains(&line), "the page does not contain: {line}");
    }
}

#[test]
fn all_searches_agree_on_stacks_of_six() {
    // Each number gives a shuffled stack.
    for number in 0..200u64 {
        let mut order: Vec<u64> = (0..6).collect();
        let mut choice = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for last in (1..6).rev() {
            order.swap(last, (choice % (last as u64 + 1)) as usize);
            choice /= 7;
        }
        let start = order.iter().enumerate().map(|(position, size)| size << (4 * position)).sum();
        let costs = searches(&Pancakes { start, count: 6 }).expect("memory");
        let costs: Vec<_> = costs.iter().map(|(_, outcome)| outcome.cost()).collect();
        // Every stack of six needs at most seven flips (OEIS A058986).
        assert!(
            costs.iter().all(|&cost| cost == costs[0] && cost.is_some_and(|cost| cost <= 7)),
            "{order:?}: {costs:?}"
        );
    }
}

#[test]
fn pancakes_keep_their_promises() {
    let pancakes = Pancakes { start: 0x24_1305, count: 6 };
    assert_eq!(check_promises(&pancakes, &Budget::unlimited()), Ok(()));
}

#[test]
fn the_code_on_the_pages_is_in_the_examples() {
    for (page, examples, min_blocks) in [
        (
            "docs/coming-from.md",
            "crates/core/examples/eight_puzzle.rs xtask/src/bench/coming_from.rs",
            5,
        ),
        (
            "docs/own-puzzle.md",
            "crates/core/examples/pancakes/main.rs crates/core/examples/weighted_grid.rs crates/core/examples/sokoban/steps.rs",
            8,
        ),
        (
            "docs/permutations.md",
            "crates/permutations/examples/pocket_cube.rs crates/permutations/examples/cube_orbits.rs",
            3,
        ),
        (
            "docs/steps-and-batches.md",
            "crates/core/examples/steps.rs crates/core/examples/batches.rs",
            3,
        ),
        ("README.md", "crates/core/examples/numbers.rs", 1),
        ("README.zh-CN.md", "crates/core/examples/numbers.rs", 1),
    ] {
        let text = read(page);
        let code: String = examples.split(' ').map(read).collect();
        let blocks: Vec<&str> =
            text.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        assert!(blocks.len() >= min_blocks, "{page}");
        for block in blocks {
            assert!(
                code.contains(block),
                "{examples} does not contain this block of {page}:\n{block}"
            );
        }
    }
}
