//! LaCAM finds a plan if and only if there is one.

use fewest_core::budget::Budget;
use fewest_geometry::Cell;
use fewest_halloween::feasibility::has_plan;
use fewest_halloween::generate::{InstanceSize, random_instance};
use fewest_halloween::plan::plan_through;
use fewest_halloween::single_agent::SingleAgent;
use fewest_halloween::{Ghost, Instance, Size, lacam};
use fewest_puzzle::random::Random;
use fewest_rules::verify;
use proptest::prelude::*;

use crate::maps;

/// Whether LaCAM finds a plan within `steps` steps. Replays the plan by the rules.
fn finds_plan(instance: &Instance, steps: u64) -> bool {
    let budget = Budget::unlimited();
    let mut meter = budget.meter();
    let single_agent = SingleAgent::new(instance, &mut meter).expect("at most 65,535 cells");
    let Some(plan) = lacam::plan(&single_agent, steps, &mut meter).expect("no limit") else {
        return false;
    };
    let board = |cells: &Vec<_>| cells.iter().map(|&cell| single_agent.cell(cell)).collect();
    let plan = plan_through(plan.iter().map(board)).expect("steps");
    verify(instance, plan).expect("a legal plan");
    true
}

fn is_solvable(instance: &Instance) -> bool {
    let budget = Budget::unlimited();
    let mut meter = budget.meter();
    let single_agent = SingleAgent::new(instance, &mut meter).expect("at most 65,535 cells");
    has_plan(single_agent.cells(), single_agent.starts(), single_agent.goals(), &mut meter)
        .expect("no limit")
}

fn read(text: &str) -> Instance {
    Instance::read(text.as_bytes()).next().expect("a data set").expect("well-formed")
}

proptest! {
    #![proptest_config(fewest_testing::cases(1000))]

    #[test]
    fn a_plan_is_found_if_and_only_if_there_is_one(text in maps::texts([4, 2], 1..=4)) {
        let instance = read(&text);
        prop_assert_eq!(finds_plan(&instance, u64::MAX), is_solvable(&instance));
    }
}

/// All corridors of generated instances are one cell wide, so ghosts have to pull each other into
/// side corridors.
#[test]
fn eight_ghosts_pass_each_other_in_corridors() {
    let mut random = Random::from_seed(1);
    let size = InstanceSize { width: 16, height: 16, ghosts: 8 };
    let instances =
        std::iter::repeat_with(|| random_instance(size, &mut random).expect("enough cells"));
    let mut solvable = instances.filter(is_solvable).take(50);
    assert!(solvable.all(|instance| finds_plan(&instance, 100_000)));
}

/// Ghosts would move in circles if ties were always broken in the same way.
#[test]
fn three_hundred_ghosts_pass_each_other_in_a_room() {
    const SIDE: usize = 64;
    let mut random = Random::from_seed(1);
    for _ in 0..5 {
        let mut places = || {
            let mut places: Vec<Cell> = Size::new(SIDE, SIDE).expect("a size").cells().collect();
            random.shuffle(&mut places);
            places
        };
        let pairs = places().into_iter().zip(places()).take(300);
        let ghosts = pairs.map(|(start, goal)| Ghost { start, goal }).collect();
        let open = std::iter::repeat_n(true, SIDE * SIDE).collect();
        assert!(finds_plan(
            &Instance::new(Size::new(SIDE, SIDE).expect("a size"), open, ghosts)
                .expect("a valid instance"),
            200
        ));
    }
}

/// A chain of thousands of ghosts that make room for one another does not overflow the stack.
#[test]
fn a_long_row_of_ghosts_moves_on() {
    let place = |column| Cell::new(0, column);
    let ghosts = (0..3000).map(|x| Ghost { start: place(x), goal: place(x + 1) }).collect();
    let instance = Instance::new(
        Size::new(1, 3001).expect("a size"),
        std::iter::repeat_n(true, 3001).collect(),
        ghosts,
    )
    .expect("a valid instance");
    assert!(finds_plan(&instance, 100));
}

#[test]
fn the_number_of_steps_is_limited() {
    let instance = read("5 1 1\na   A\n");
    assert!(!finds_plan(&instance, 4) && finds_plan(&instance, 5));
}
