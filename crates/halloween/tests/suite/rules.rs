//! The rules themselves, the packed space against them, and every engine against a plain search on
//! them.

use std::collections::BTreeSet;
use std::time::Duration;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::outcome::Verdict;
use fewest_core::random::Random;
use fewest_core::search::Engine;
use fewest_core::{Goals, Ranked, StateSpace, Word};
use fewest_halloween::rules::{self, Board, Illegal, Refusal};
use fewest_halloween::solve::solve;
use fewest_halloween::space::{Space, most_ghosts};
use fewest_halloween::{Direction, Ghost, Instance, Place, Plan, plan::Step};
use fewest_testing::outcomes::{Judge, plain_search};
use fewest_testing::spaces::next_states;
use proptest::prelude::*;

use crate::houses;

fn read(text: &str) -> Instance {
    Instance::read(text.as_bytes()).next().expect("a data set").expect("a good one")
}

#[test]
fn the_example_of_the_statement_has_exactly_its_four_results() {
    // The two rows of the example within their walls, and the goals in a room of their own below.
    let house = |rows: &str| {
        format!("6 6 3\n######\n#{}#\n######\n#ABC #\n######\n", rows.replace('\n', "#\n#"))
    };
    let boards = ["ab #\n#c##", " ab#\n#c##", "a b#\n#c##", "acb#\n# ##"]
        .map(|rows| rules::start(&read(&house(rows))));
    let house = read(&house("ab #\n#c##"));
    let expected: BTreeSet<Board> = boards.into_iter().collect();
    let by_rules: BTreeSet<Board> =
        rules::successors(&house, &rules::start(&house)).into_iter().collect();
    assert_eq!(by_rules, expected);

    let space = Space::<u32>::new(&house).expect("it fits");
    let state = space.pack(rules::start(&house)).expect("open cells");
    let by_space: BTreeSet<Board> =
        next_states(&space, state).into_iter().map(|next| space.unpack(next)).collect();
    assert_eq!(by_space, expected);
}

#[test]
fn four_ghosts_rotate_in_an_opening_and_two_never_exchange() {
    let full = read("2 4 4\nab\ndc\nAB\nDC\n");
    let start = rules::start(&full);
    let rotated: Step =
        Step(vec![Direction::East, Direction::South, Direction::West, Direction::North]);
    assert!(rules::play(&full, &start, &rotated).is_ok());
    let exchange = Step(vec![Direction::East, Direction::West, Direction::Stay, Direction::Stay]);
    assert_eq!(
        rules::play(&full, &start, &exchange),
        Err(Illegal::Exchanged { first: 0, second: 1 })
    );
    let share = Step(vec![Direction::East, Direction::Stay, Direction::Stay, Direction::Stay]);
    let place = Place { x: 1, y: 0 };
    assert_eq!(
        rules::play(&full, &start, &share),
        Err(Illegal::Shared { first: 0, second: 1, place })
    );
    let off = Step(vec![Direction::North, Direction::Stay, Direction::Stay, Direction::Stay]);
    let from = Place { x: 0, y: 0 };
    let wall = Err(Illegal::Wall { ghost: 0, from, way: Direction::North });
    assert_eq!(rules::play(&full, &start, &off), wall);
    let few = Err(Illegal::Ghosts { found: 1, expected: 4 });
    assert_eq!(rules::play(&full, &start, &Step(vec![Direction::Stay])), few);
}

#[test]
fn a_refusal_names_the_first_illegal_step_or_the_ghost_that_is_not_home() {
    let house = read("3 1 1\na A\n");
    let plan = |ways: &[Direction]| ways.iter().map(|&way| Step(vec![way])).collect::<Plan>();
    use Direction::{East, South, Stay, West};
    assert_eq!(rules::replay(&house, &plan(&[East, East])), Ok(()));
    assert_eq!(rules::replay(&house, &plan(&[East, Stay, West, East, East])), Ok(()));
    let step = |refused: Result<(), Refusal>| match refused {
        Err(Refusal::Step { step, .. }) => step,
        other => panic!("{other:?}"),
    };
    assert_eq!(step(rules::replay(&house, &plan(&[East, South, South]))), 2);
    assert_eq!(step(rules::replay(&house, &plan(&[East, East, East]))), 3);
    let short = rules::replay(&house, &plan(&[East]));
    let (place, goal) = (Place { x: 1, y: 0 }, Place { x: 2, y: 0 });
    assert_eq!(short, Err(Refusal::NotHome { steps: 1, ghost: 0, place, goal }));
    let jump = rules::plan_through([vec![place], vec![place], vec![Place { x: 1, y: 2 }]]);
    assert_eq!(jump, Err(Refusal::Jump { step: 2 }));
}

/// Holds `space` against the rules along a random walk.
fn twins_agree<W: Word>(
    house: &Instance,
    walk: &[prop::sample::Index],
) -> Result<(), TestCaseError> {
    let space = Space::<W>::new(house).expect("wide enough");
    let mut now = rules::start(house);
    for turn in walk {
        let state = space.pack(now.iter().copied()).expect("open cells");
        prop_assert_eq!(space.unpack(state), now.clone());
        prop_assert_eq!(space.is_goal(state), rules::is_solved(house, &now));
        if let Some(ranks) = space.ranks() {
            prop_assert!(space.rank(state) < ranks);
            prop_assert_eq!(space.unrank(space.rank(state)), state);
        }

        let next = next_states(&space, state);
        let unpacked: BTreeSet<Board> = next.iter().map(|&next| space.unpack(next)).collect();
        prop_assert_eq!(unpacked.len(), next.len(), "no successor twice");
        let by_rules = rules::successors(house, &now);
        prop_assert_eq!(unpacked, by_rules.iter().cloned().collect::<BTreeSet<_>>());
        let back = next.iter().map(|&next| next_states(&space, next));
        prop_assert!(back.into_iter().all(|back| back.contains(&state)), "undirected");
        now = turn.get(&by_rules).clone();
    }
    Ok(())
}

/// Every engine on a house, with the fewest steps by a plain search on the rules.
fn judged(house: &Instance, test: impl FnOnce(Judge<'_, Step>)) {
    let successors = |board: &Board| rules::successors(house, board);
    test(Judge {
        solve: &|engine, budget| solve(house, engine, budget).expect("a legal plan").outcome,
        replay: &|plan| rules::replay(house, plan).is_ok(),
        expected: plain_search(
            rules::start(house),
            Board::clone,
            |board| rules::is_solved(house, board),
            successors,
        ),
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn space_and_rules_have_the_same_successors(
        text in houses::texts([6, 6], 1..=4),
        walk in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let house = read(&text);
        if Space::<u16>::new(&house).is_some() {
            twins_agree::<u16>(&house, &walk)?;
        }
        twins_agree::<u32>(&house, &walk)?;
        twins_agree::<u64>(&house, &walk)?;
        twins_agree::<u128>(&house, &walk)?;
        twins_agree::<[u64; 7]>(&house, &walk)?;
    }

    #[test]
    fn every_engine_agrees_with_a_plain_search_on_the_rules(text in houses::texts([4, 4], 1..=3)) {
        judged(&read(&text), |judge| judge.every_engine(&Engine::ALL));
    }

    #[test]
    fn out_of_budget_it_tells_the_truth(text in houses::texts([4, 4], 1..=3), states in 0u64..200) {
        judged(&read(&text), |judge| judge.every_engine_of_few_states(&Engine::ALL, states));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    // Without an engine's name, more ghosts than three are planned apart and searched by those that
    // are in each other's way.
    #[test]
    fn ghosts_that_are_searched_in_groups_get_home_as_soon_as_by_exhaustion(
        text in houses::texts([4, 3], 4..=5),
        states in 0u64..2000,
    ) {
        let house = read(&text);
        let verdict = |engine, budget: &Budget| solve(&house, engine, budget).expect("a legal plan").outcome.verdict;
        let steps = |engine| match verdict(engine, &Budget::unlimited()) {
            Verdict::Solved { cost, .. } => Some(cost),
            Verdict::Unsolvable => None,
            Verdict::Stopped { limit, .. } => panic!("{limit}"),
        };
        let fewest = steps(Some(Engine::Bfs));
        prop_assert_eq!(steps(None), fewest);

        match verdict(None, &Budget::new(Limits { states: Some(states), ..Limits::default() })) {
            Verdict::Solved { cost, .. } => prop_assert_eq!(Some(cost), fewest),
            Verdict::Unsolvable => prop_assert_eq!(None, fewest),
            Verdict::Stopped { lower_bound, best, .. } => {
                prop_assert!(fewest.is_none_or(|fewest| lower_bound <= fewest));
                let longer = |cost: u32| cost > lower_bound && fewest.is_some_and(|fewest| cost >= fewest);
                prop_assert!(best.is_none_or(|(_, cost)| longer(cost)));
            }
        }
    }
}

/// More than are searched together at once.
#[test]
fn eight_ghosts_in_a_small_room_get_home_as_soon_as_by_exhaustion() {
    let mut random = Random::from_seed(1);
    for round in 0..40 {
        let mut cells: Vec<Place> = (0..9).map(|cell| Place { x: cell % 3, y: cell / 3 }).collect();
        random.shuffle(&mut cells);
        // A wall or two in every other.
        let walls = if round % 2 == 0 { 0 } else { 1 + random.below(2) };
        let open = cells.split_off(walls);
        let mut goals = open.clone();
        random.shuffle(&mut goals);
        let ways = open.iter().zip(&goals).take(7 + round % 3);
        let ghosts = ways.map(|(&start, &goal)| Ghost { start, goal }).collect();
        let is_open = |place: Place| open.contains(&place);
        let house = Instance::new(
            3,
            (0..9).map(|cell| is_open(Place { x: cell % 3, y: cell / 3 })).collect(),
            ghosts,
        );
        let house = house.expect("a house");
        let cost = |engine| {
            solve(&house, engine, &Budget::unlimited()).expect("a legal plan").outcome.cost()
        };
        assert_eq!(cost(None), cost(Some(Engine::Bfs)), "{house:?}");
    }
}

/// A house of one room with ghosts in its first row and their goals, in the same order, in the
/// last.
fn hall(width: usize, height: usize, ghosts: usize) -> Instance {
    let row = |first: u8| {
        (0..width).map(|x| if x < ghosts { char::from(first + x as u8) } else { ' ' }).collect()
    };
    let mut rows: Vec<String> = vec![" ".repeat(width); height];
    (rows[0], rows[height - 1]) = (row(b'a'), row(b'A'));
    read(&format!("{width} {height} {ghosts}\n{}\n", rows.join("\n")))
}

#[test]
fn the_largest_houses_fit_a_word_and_are_searched() {
    for (cells, ghosts) in
        [(64, 64), (111, 63), (1024, 42), (4096, 35), (8192, 28), (255 * 255, 28)]
    {
        assert_eq!(most_ghosts(cells), ghosts, "{cells}");
    }
    // Sixteen fields of twelve bits are 192 bits, but no limb holds six of them.
    let house = hall(64, 40, 16);
    let budget = Budget::new(Limits { states: Some(0), ..Limits::default() });
    let verdict = solve(&house, Some(Engine::Bfs), &budget).expect("a legal plan").outcome.verdict;
    assert!(matches!(verdict, Verdict::Stopped { limit: Limit::States, .. }), "{verdict:?}");
    let house = hall(255, 255, 1);
    for engine in Engine::ALL {
        let answer = solve(&house, Some(engine), &Budget::unlimited()).expect("a legal plan");
        assert_eq!(answer.outcome.cost(), Some(254), "{engine}");
    }
    // No search can expand even its first board here: each must end when its memory is over, in the
    // midst of it. IDA* needs no memory for boards that its bound rules out, so it is the time that
    // ends it.
    let house = hall(255, 255, 26);
    for engine in Engine::ALL {
        let time = (engine == Engine::Idastar).then_some(Duration::from_millis(200));
        let limits = Limits { memory_bytes: Some(64 << 20), time, states: None };
        let answer = solve(&house, Some(engine), &Budget::new(limits)).expect("a legal plan");
        let Verdict::Stopped { limit, lower_bound, .. } = answer.outcome.verdict else {
            panic!("{engine}: {:?}", answer.outcome.verdict)
        };
        assert_eq!(limit, if time.is_some() { Limit::Time } else { Limit::Memory }, "{engine}");
        assert!(lower_bound <= 254, "{engine}");
        assert!(answer.outcome.stats.bytes <= 64 << 20, "{engine}");
    }
}

#[test]
fn the_goal_is_one_board() {
    let space = Space::<u32>::new(&hall(3, 3, 3)).expect("it fits");
    let mut goals = Vec::new();
    space.goals(|goal| goals.push(goal));
    assert_eq!(goals.len(), 1);
    assert!(space.is_goal(goals[0]));
}
