//! LaCAM finds a plan exactly where there is one.

use fewest_core::budget::Budget;
use fewest_core::random::Random;
use fewest_halloween::feasibility::has_plan;
use fewest_halloween::generate::{Wanted, house};
use fewest_halloween::plan::Step;
use fewest_halloween::rules::{Board, replay};
use fewest_halloween::single_agent::SingleAgent;
use fewest_halloween::{Ghost, Instance, Place, lacam};
use proptest::prelude::*;

use crate::houses;

/// Whether a plan is found, which is replayed by the rules.
fn finds_plan(house: &Instance, steps: u64) -> bool {
    let budget = Budget::unlimited();
    let mut meter = budget.meter();
    let alone = SingleAgent::new(house, &mut meter).expect("few cells");
    let Some(plan) = lacam::plan(&alone, steps, &mut meter).expect("no limit") else {
        return false;
    };
    let boards: Vec<Board> =
        plan.iter().map(|cells| cells.iter().map(|&cell| alone.place(cell)).collect()).collect();
    let step = |pair: &[Board]| Step::between(&pair[0], &pair[1]).expect("a step");
    let plan: Vec<Step> = boards.windows(2).map(step).collect();
    assert_eq!(replay(house, &plan), Ok(()));
    true
}

fn is_solvable(house: &Instance) -> bool {
    let budget = Budget::unlimited();
    let mut meter = budget.meter();
    let alone = SingleAgent::new(house, &mut meter).expect("few cells");
    has_plan(alone.cells(), alone.starts(), alone.goals(), &mut meter).expect("no limit")
}

fn read(text: &str) -> Instance {
    Instance::read(text.as_bytes()).next().expect("a data set").expect("a good one")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_plan_is_found_where_there_is_one_and_no_other(text in houses::texts([4, 2], 1..=4)) {
        let house = read(&text);
        prop_assert_eq!(finds_plan(&house, u64::MAX), is_solvable(&house));
    }
}

/// In generated houses all corridors are one cell wide, so ghosts have to pull each other into side
/// ways.
#[test]
fn eight_ghosts_pass_each_other_in_corridors() {
    let mut random = Random::from_seed(1);
    let mut houses = std::iter::repeat_with(|| {
        house(Wanted { width: 16, height: 16, ghosts: 8 }, &mut random).expect("room")
    });
    assert!(houses.by_ref().filter(is_solvable).take(50).all(|house| finds_plan(&house, 100_000)));
}

/// Ghosts that break ties all alike go around in circles.
#[test]
fn three_hundred_ghosts_pass_each_other_in_a_room() {
    const SIDE: u16 = 64;
    let mut random = Random::from_seed(1);
    for _ in 0..5 {
        let mut places = || {
            let mut places: Vec<Place> =
                (0..SIDE * SIDE).map(|cell| Place { x: cell % SIDE, y: cell / SIDE }).collect();
            random.shuffle(&mut places);
            places
        };
        let ways = places().into_iter().zip(places()).take(300);
        let ghosts = ways.map(|(start, goal)| Ghost { start, goal }).collect();
        let open = std::iter::repeat_n(true, usize::from(SIDE * SIDE)).collect();
        assert!(finds_plan(&Instance::new(SIDE, open, ghosts).expect("a house"), 200));
    }
}

/// Each has the next make room, thousands deep, and the program's stack holds.
#[test]
fn a_long_row_of_ghosts_moves_on() {
    let place = |x| Place { x, y: 0 };
    let ghosts = (0..3000).map(|x| Ghost { start: place(x), goal: place(x + 1) }).collect();
    let house =
        Instance::new(3001, std::iter::repeat_n(true, 3001).collect(), ghosts).expect("a house");
    assert!(finds_plan(&house, 100));
}

#[test]
fn so_many_steps_are_asked_for_and_no_more() {
    let house = read("5 1 1\na   A\n");
    assert!(!finds_plan(&house, 4) && finds_plan(&house, 5));
}
