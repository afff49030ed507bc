//! The tables of two and three ghosts agree with a plain backward search.

use std::collections::BTreeMap;

use fewest_core::budget::Budget;
use fewest_geometry::Cell;
use fewest_halloween::Instance;
use fewest_halloween::single_agent::SingleAgent;
use fewest_halloween::tables::DistanceTable;
use proptest::prelude::*;

use crate::{maps, plain};

/// The distance of every board to the goal, by the rules. Predecessors are successors because the
/// space is undirected.
fn distances(instance: &Instance) -> BTreeMap<Vec<Cell>, u32> {
    let goal: Vec<Cell> = instance.ghosts().iter().map(|ghost| ghost.goal).collect();
    let mut distances = BTreeMap::from([(goal.clone(), 0)]);
    let mut queue = std::collections::VecDeque::from([goal]);
    while let Some(board) = queue.pop_front() {
        let next = distances[&board] + 1;
        for before in plain::successors(instance, &board) {
            distances.entry(before.clone()).or_insert_with(|| {
                queue.push_back(before);
                next
            });
        }
    }
    distances
}

proptest! {
    #![proptest_config(fewest_testing::cases(300))]

    #[test]
    fn distances_are_exact_and_complete_up_to_the_extension(text in maps::texts([4, 4], 1..=3)) {
        let instance =
            Instance::read(text.as_bytes()).next().expect("a data set").expect("well-formed");
        let budget = Budget::unlimited();
        let mut meter = budget.meter();
        let single_agent = SingleAgent::new(&instance, &mut meter).expect("unlimited memory");
        let mut table = match instance.ghosts().len() {
            2 => DistanceTable::of_two(&single_agent, [0, 1], budget.memory()),
            3 => DistanceTable::of_three(&single_agent, [0, 1, 2], budget.memory()),
            _ => return Ok(()),
        }
        .expect("unlimited memory");
        let distances = distances(&instance);
        let cell = |place: Cell| {
            single_agent.cells().index(place).expect("a corridor cell")
        };
        let eccentricity = distances.values().max().copied().unwrap_or(0);
        for sum in 0..2 * eccentricity + 3 {
            table.extend(sum, &mut meter).expect("no limit");
            for (board, &distance) in &distances {
                let from_starts = board.iter().enumerate().map(|(ghost, &place)| {
                    single_agent.from_start(ghost)[cell(place) as usize]
                });
                let start_bound = from_starts.max().map_or(0, u32::from);
                let found = table.distance(|ghost| cell(board[ghost]));
                prop_assert!(found.is_none_or(|found| found == distance));
                prop_assert!(found.is_some() || distance + start_bound > sum);
            }
        }
        let expected = distances.get(&instance.starts()).copied();
        match (table.start_distance(), table.least_unknown()) {
            (Some(found), _) => prop_assert_eq!(Some(found), expected),
            (None, Some(least)) => prop_assert!(expected.is_none_or(|expected| least <= expected)),
            (None, None) => prop_assert_eq!(expected, None),
        }
    }
}
