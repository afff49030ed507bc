//! Generated houses keep the rules of the statement, and all ways to solve them agree.

use std::iter;

use fewest_bench_variants::ghosts::{House, breadth_first::numbered};
use fewest_core::budget::Budget;
use fewest_core::hardest::Tried;
use fewest_core::outcome::Verdict;
use fewest_core::random::Random;
use fewest_core::search::Engine;
use fewest_halloween::generate::{LIMITS, Wanted, hard, house};
use fewest_halloween::rules::{self, Board};
use fewest_halloween::solve::solve;
use fewest_halloween::{Instance, Place};
use fewest_testing::outcomes::plain_search;

/// How many of `cells` can be reached from the first of them.
fn connected(cells: &[Place]) -> usize {
    let mut met = vec![cells[0]];
    let mut next = 0;
    while let Some(&here) = met.get(next) {
        next += 1;
        let beside = cells.iter().filter(|to| to.x.abs_diff(here.x) + to.y.abs_diff(here.y) == 1);
        let new: Vec<Place> = beside.copied().filter(|to| !met.contains(to)).collect();
        met.extend(new);
    }
    met.len()
}

#[test]
fn corridors_are_a_tree_and_walls_are_connected() {
    let mut random = Random::from_seed(1);
    for round in 0..300 {
        let wanted = Wanted { width: 4 + round % 13, height: 4 + round / 13 % 13, ghosts: 1 };
        let house = house(wanted, &mut random).expect("four cells");
        let (open, walls): (Vec<Place>, Vec<Place>) =
            house.places().partition(|&place| house.is_open(place));
        let edge = |place: &Place| {
            [0, house.width() - 1].contains(&place.x) || [0, house.height() - 1].contains(&place.y)
        };
        assert!(!open.iter().any(edge), "{house}");
        assert_eq!(connected(&walls), walls.len(), "{house}");
        assert_eq!(connected(&open), open.len(), "{house}");
        let right = |place: &Place| house.is_open(Place { x: place.x + 1, ..*place });
        let below = |place: &Place| house.is_open(Place { y: place.y + 1, ..*place });
        let ways = open.iter().filter(|place| right(place)).count()
            + open.iter().filter(|place| below(place)).count();
        assert_eq!(ways, open.len() - 1, "{house}");
    }
}

#[test]
fn a_seed_gives_the_same_house_everywhere() {
    let wanted = Wanted { width: 9, height: 6, ghosts: 2 };
    let generated = house(wanted, &mut Random::from_seed(5)).map(|house| house.to_string());
    let text = "9 6 2\n#########\n### ##BA#\n##a  # ##\n#  #    #\n#b### # #\n#########\n";
    assert_eq!(generated.as_deref(), Some(text));
    assert_eq!(house(Wanted { width: 3, height: 3, ghosts: 1 }, &mut Random::from_seed(1)), None);
    assert_eq!(house(Wanted { width: 256, height: 3, ghosts: 1 }, &mut Random::from_seed(1)), None);
    let large = house(Wanted { width: 255, height: 255, ghosts: 26 }, &mut Random::from_seed(1))
        .expect("enough cells");
    assert_eq!(large.ghosts().len(), 26);
    let hardest = |seed| {
        hard(wanted, 50, &mut Random::from_seed(seed), || Some(Budget::new(LIMITS)))
            .expect("legal plans")
    };
    assert_eq!(hardest(1), hardest(1));
    let Tried { hardest: Some((hard, steps)), solved, unsolvable, given_up: 0 } = hardest(1) else {
        panic!("one is solved and all are decided");
    };
    assert_eq!((steps, solved + unsolvable), (12, 50));
    let cost =
        solve(&hard, Some(Engine::Bfs), &Budget::unlimited()).expect("a legal plan").outcome.cost();
    assert_eq!(cost, Some(steps));
}

fn cost(house: &Instance, engine: Option<Engine>) -> Option<u32> {
    match solve(house, engine, &Budget::unlimited()).expect("a legal plan").outcome.verdict {
        Verdict::Solved { cost, .. } => Some(cost),
        Verdict::Unsolvable => None,
        Verdict::Stopped { limit, .. } => panic!("{limit}"),
    }
}

#[test]
fn two_thousand_small_houses_by_the_rules_and_by_every_way_to_search() {
    let mut random = Random::from_seed(2);
    let houses = iter::repeat_with(|| {
        let wanted = Wanted {
            width: 4 + random.below(6) as u16,
            height: 4 + random.below(6) as u16,
            ghosts: 1 + random.below(3),
        };
        // Some are too small.
        house(wanted, &mut random)
    });
    for house in houses.flatten().take(2000) {
        let successors = |board: &Board| rules::successors(&house, board);
        let by_rules = plain_search(
            rules::start(&house),
            Board::clone,
            |board| rules::is_solved(&house, board),
            successors,
        );
        for engine in [None, Some(Engine::Astar), Some(Engine::Bidirectional)] {
            assert_eq!(cost(&house, engine), by_rules, "{engine:?}\n{house}");
        }
    }
}

#[test]
fn fifty_full_houses_by_a_textbook_program_and_by_every_way_to_search() {
    let mut random = Random::from_seed(3);
    for _ in 0..50 {
        let house =
            house(Wanted { width: 16, height: 16, ghosts: 3 }, &mut random).expect("enough cells");
        // It has a reader of its own and shares nothing with this crate.
        let by_textbook = numbered(&House::read(&house.to_string(), 3))[0].moves;
        for engine in [None, Some(Engine::Astar), Some(Engine::Bidirectional)] {
            assert_eq!(cost(&house, engine), by_textbook, "{engine:?}\n{house}");
        }
    }
}
