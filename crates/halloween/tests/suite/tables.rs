//! The distances of two and three ghosts, as far as they were asked for, against a plain search
//! backward.

use std::collections::BTreeMap;

use fewest_core::budget::Budget;
use fewest_halloween::rules::{self, Board};
use fewest_halloween::single_agent::SingleAgent;
use fewest_halloween::tables::Table;
use fewest_halloween::{Instance, Place};
use proptest::prelude::*;

use crate::houses;

/// The steps of all boards to the goals, by the rules: steps can be undone.
fn steps(house: &Instance) -> BTreeMap<Board, u32> {
    let goals: Board = house.ghosts().iter().map(|ghost| ghost.goal).collect();
    let mut steps = BTreeMap::from([(goals.clone(), 0)]);
    let mut queue = std::collections::VecDeque::from([goals]);
    while let Some(board) = queue.pop_front() {
        let next = steps[&board] + 1;
        for before in rules::successors(house, &board) {
            steps.entry(before.clone()).or_insert_with(|| {
                queue.push_back(before);
                next
            });
        }
    }
    steps
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_known_is_exact_and_what_was_asked_for_is_known(text in houses::texts([4, 4], 1..=3)) {
        let house = Instance::read(text.as_bytes()).next().expect("a data set").expect("a good one");
        let budget = Budget::unlimited();
        let mut meter = budget.meter();
        let alone = SingleAgent::new(&house, &mut meter).expect("memory");
        let mut table = match house.ghosts().len() {
            2 => Table::of_two(&alone, [0, 1], budget.memory()),
            3 => Table::of_three(&alone, [0, 1, 2], budget.memory()),
            _ => return Ok(()),
        }
        .expect("memory");
        let steps = steps(&house);
        let cell = |place: Place| alone.cells().at(place.x.into(), place.y.into()).expect("a corridor cell");
        let farthest = steps.values().max().copied().unwrap_or(0);
        for sum in 0..2 * farthest + 3 {
            table.extend(sum, &mut meter).expect("no limit");
            for (board, &steps) in &steps {
                let from_starts = (0..board.len()).map(|ghost| alone.from_start(ghost)[usize::from(cell(board[ghost]))]);
                let bound = from_starts.max().map_or(0, u32::from);
                let known = table.from(|ghost| cell(board[ghost]));
                prop_assert!(known.is_none_or(|known| known == steps));
                prop_assert!(known.is_some() || steps + bound > sum);
            }
        }
        let expected = steps.get(&rules::start(&house)).copied();
        match (table.from_starts(), table.least_unknown()) {
            (Some(known), _) => prop_assert_eq!(Some(known), expected),
            (None, Some(least)) => prop_assert!(expected.is_none_or(|expected| least <= expected)),
            (None, None) => prop_assert_eq!(expected, None),
        }
    }
}
