//! Generated instances satisfy the rules of the statement, and all searches agree on their costs.

use std::iter;

use fewest_bench_variants::ghosts::{GhostMap, breadth_first::numbered};
use fewest_core::budget::Budget;
use fewest_core::outcome::Verdict;
use fewest_core::search::Engine;
use fewest_geometry::{Cell, Direction};
use fewest_halloween::Instance;
use fewest_halloween::generate::{InstanceSize, LIMITS, hard, random_instance};
use fewest_halloween::solve::solve;
use fewest_puzzle::hardest::Tried;
use fewest_puzzle::random::Random;

use crate::plain;

/// The number of cells that can be reached from the first one.
fn reachable_count(cells: &[Cell]) -> usize {
    let mut visited = vec![cells[0]];
    let mut next = 0;
    while let Some(&here) = visited.get(next) {
        next += 1;
        let neighbours = cells
            .iter()
            .filter(|to| to.column.abs_diff(here.column) + to.row.abs_diff(here.row) == 1);
        let new: Vec<Cell> = neighbours.copied().filter(|to| !visited.contains(to)).collect();
        visited.extend(new);
    }
    visited.len()
}

#[test]
fn corridors_are_a_tree_and_walls_are_connected() {
    let mut random = Random::from_seed(1);
    for round in 0..300 {
        let size = InstanceSize { width: 4 + round % 13, height: 4 + round / 13 % 13, ghosts: 1 };
        let instance = random_instance(size, &mut random).expect("four cells");
        let (open, walls): (Vec<Cell>, Vec<Cell>) =
            instance.size().cells().partition(|&cell| instance.is_corridor(cell));
        let is_on_border = |place: &Cell| {
            [0, instance.size().columns() as i32 - 1].contains(&place.column)
                || [0, instance.size().rows() as i32 - 1].contains(&place.row)
        };
        assert!(!open.iter().any(is_on_border), "{instance}");
        assert_eq!(reachable_count(&walls), walls.len(), "{instance}");
        assert_eq!(reachable_count(&open), open.len(), "{instance}");
        let is_open_to_east = |place: &Cell| instance.is_corridor(place.step(Direction::East));
        let is_open_to_south = |place: &Cell| instance.is_corridor(place.step(Direction::South));
        let edges = open.iter().filter(|place| is_open_to_east(place)).count()
            + open.iter().filter(|place| is_open_to_south(place)).count();
        assert_eq!(edges, open.len() - 1, "{instance}");
    }
}

#[test]
fn a_seed_gives_the_same_instance_on_every_machine() {
    let size = InstanceSize { width: 9, height: 6, ghosts: 2 };
    let generated =
        random_instance(size, &mut Random::from_seed(5)).map(|instance| instance.to_string());
    let text = "9 6 2\n#########\n### ##BA#\n##a  # ##\n#  #    #\n#b### # #\n#########\n";
    assert_eq!(generated.as_deref(), Some(text));
    let from_seed_1 = |width, height, ghosts| {
        random_instance(InstanceSize { width, height, ghosts }, &mut Random::from_seed(1))
    };
    assert_eq!(from_seed_1(3, 3, 1), None);
    assert_eq!(from_seed_1(256, 3, 1), None);
    let large = from_seed_1(255, 255, 26).expect("enough cells");
    assert_eq!(large.ghosts().len(), 26);
    let hardest = |seed| {
        hard(size, 50, &mut Random::from_seed(seed), || Some(Budget::new(LIMITS)))
            .expect("legal plans")
    };
    assert_eq!(hardest(1), hardest(1));
    let Tried { hardest: Some((hard, steps)), solved, unsolvable, given_up: 0 } = hardest(1) else {
        panic!("found none solved or some given up, expected one solved and none given up");
    };
    assert_eq!((steps, solved + unsolvable), (12, 50));
    let cost =
        solve(&hard, Some(Engine::Bfs), &Budget::unlimited()).expect("a legal plan").outcome.cost();
    assert_eq!(cost, Some(steps));
}

fn cost(instance: &Instance, engine: Option<Engine>) -> Option<u32> {
    match solve(instance, engine, &Budget::unlimited()).expect("a legal plan").outcome.verdict {
        Verdict::Solved { cost, .. } => Some(cost),
        Verdict::Unsolvable => None,
        Verdict::Stopped { limit, .. } => panic!("{limit}"),
    }
}

#[test]
fn small_instances_have_the_same_cost_by_the_rules_and_by_every_search() {
    let mut random = Random::from_seed(2);
    let instances = iter::repeat_with(|| {
        let size = InstanceSize {
            width: 4 + random.below(6) as u16,
            height: 4 + random.below(6) as u16,
            ghosts: 1 + random.below(3),
        };
        // Some sizes have no room for the ghosts.
        random_instance(size, &mut random)
    });
    for instance in instances.flatten().take(fewest_testing::count(2000)) {
        let by_rules = plain::cost(&instance);
        for engine in [None, Some(Engine::Astar), Some(Engine::Bidirectional)] {
            assert_eq!(cost(&instance, engine), by_rules, "{engine:?}\n{instance}");
        }
    }
}

#[test]
fn full_size_instances_have_the_same_cost_by_a_textbook_program_and_by_every_search() {
    let mut random = Random::from_seed(3);
    let size = InstanceSize { width: 16, height: 16, ghosts: 3 };
    for _ in 0..fewest_testing::count(50) {
        let instance = random_instance(size, &mut random).expect("enough cells");
        // The textbook program has its own parser and shares no code with this crate.
        let by_textbook = numbered(&GhostMap::read(&instance.to_string(), 3))[0].moves;
        for engine in [None, Some(Engine::Astar), Some(Engine::Bidirectional)] {
            assert_eq!(cost(&instance, engine), by_textbook, "{engine:?}\n{instance}");
        }
    }
}
