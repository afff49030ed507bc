//! The rules. The packed space agrees with them, and every engine with a plain search on them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::outcome::Verdict;
use fewest_core::search::Engine;
use fewest_core::{Goals, Ranked, StateSpace, Word};
use fewest_geometry::{Cell, Direction};
use fewest_halloween::plan::plan_through;
use fewest_halloween::rules::{Board, Illegal, NotAtGoal};
use fewest_halloween::solve::solve;
use fewest_halloween::space::{Space, max_ghosts};
use fewest_halloween::{Ghost, Instance, Plan, Size, plan::JointStep};
use fewest_puzzle::explore::Explore;
use fewest_puzzle::random::Random;
use fewest_rules::{Refusal, Rules, verify};
use fewest_testing::outcomes::ExpectedResult;
use fewest_testing::spaces::next_states;
use proptest::prelude::*;

use crate::{maps, plain};

fn read(text: &str) -> Instance {
    Instance::read(text.as_bytes()).next().expect("a data set").expect("well-formed")
}

#[test]
fn the_example_of_the_statement_has_its_four_successors() {
    // The two rows of the example, inside walls, with the goals in a separate room below.
    let text = |rows: &str| {
        format!("6 6 3\n######\n#{}#\n######\n#ABC #\n######\n", rows.replace('\n', "#\n#"))
    };
    let boards = ["ab #\n#c##", " ab#\n#c##", "a b#\n#c##", "acb#\n# ##"]
        .map(|rows| read(&text(rows)).starts());
    let instance = read(&text("ab #\n#c##"));
    let expected: BTreeSet<Vec<Cell>> = boards.into_iter().collect();
    let by_rules: BTreeSet<Vec<Cell>> =
        plain::successors(&instance, &instance.starts()).into_iter().collect();
    assert_eq!(by_rules, expected);

    let space = Space::<u32>::new(&instance).expect("the state fits 32 bits");
    let state = space.pack(instance.starts()).expect("corridor cells");
    let by_space: BTreeSet<Vec<Cell>> =
        next_states(&space, state).into_iter().map(|next| space.unpack(next)).collect();
    assert_eq!(by_space, expected);
}

#[test]
fn four_ghosts_may_rotate_in_a_2x2_opening_and_two_may_not_exchange() {
    let full = read("2 4 4\nab\ndc\nAB\nDC\n");
    let play = |step: &JointStep| full.play(&mut full.start_board(), step);
    let rotated: JointStep = JointStep(
        [Direction::East, Direction::South, Direction::West, Direction::North].map(Some).to_vec(),
    );
    assert!(play(&rotated).is_ok());
    let exchange = JointStep(vec![Some(Direction::East), Some(Direction::West), None, None]);
    assert_eq!(play(&exchange), Err(Illegal::Exchanged { first: 0, second: 1 }));
    let same_cell = JointStep(vec![Some(Direction::East), None, None, None]);
    let place = Cell { row: 0, column: 1 };
    assert_eq!(play(&same_cell), Err(Illegal::SameCell { first: 0, second: 1, cell: place }));
    let off_the_map = JointStep(vec![Some(Direction::North), None, None, None]);
    let from = Cell { row: 0, column: 0 };
    let wall = Err(Illegal::Wall { ghost: 0, from, direction: Direction::North });
    assert_eq!(play(&off_the_map), wall);
    let too_few = Err(Illegal::GhostCount { found: 1, expected: 4 });
    assert_eq!(play(&JointStep(vec![None])), too_few);
}

#[test]
fn a_refusal_reports_the_first_illegal_step_or_a_ghost_that_is_not_at_its_goal() {
    let instance = read("3 1 1\na A\n");
    let plan = |directions: &[Option<Direction>]| -> Plan {
        directions.iter().map(|&direction| JointStep(vec![direction])).collect()
    };
    let [east, south, west] = [Direction::East, Direction::South, Direction::West].map(Some);
    let refused = |directions: &[Option<Direction>]| verify(&instance, plan(directions)).map(drop);
    assert_eq!(refused(&[east, east]), Ok(()));
    assert_eq!(refused(&[east, None, west, east, east]), Ok(()));
    let step = |directions: &[Option<Direction>]| match refused(directions) {
        Err(Refusal::Illegal { number, .. }) => number,
        other => panic!("{other:?}"),
    };
    assert_eq!(step(&[east, south, south]), 2);
    assert_eq!(step(&[east, east, east]), 3);
    let (cell, goal) = (Cell::new(0, 1), Cell::new(0, 2));
    let unsolved = NotAtGoal { ghost: 0, cell, goal };
    assert_eq!(refused(&[east]), Err(Refusal::Unsolved { noun: "step", moves: 1, unsolved }));
    assert_eq!(plan_through([vec![cell], vec![cell], vec![Cell::new(2, 1)]]), None);
}

#[test]
fn moves_are_the_steps_of_one_ghost_and_a_board_starts_an_instance() {
    let full = read("3 3 3\nab \nc  \nABC\n");
    let moves: Vec<String> =
        full.moves(&full.start_board()).iter().map(JointStep::to_string).collect();
    assert_eq!(moves, ["bE", "bS", "cE", "cS"]);
    let mut board = full.start_board();
    let steps = full.moves(&board);
    full.play(&mut board, &steps[1]).expect("a legal step");
    let from_there = full.with_board(board).expect("an instance");
    assert_eq!(from_there.starts(), [Cell::new(0, 0), Cell::new(1, 1), Cell::new(1, 0)]);
    assert_eq!(from_there.ghosts()[1].goal, full.ghosts()[1].goal);
}

/// Checks that the space and the rules agree along a random walk.
fn check_space<W: Word>(
    instance: &Instance,
    walk: &[prop::sample::Index],
) -> Result<(), TestCaseError> {
    let space = Space::<W>::new(instance).expect("the state fits the word");
    let mut board = instance.starts();
    for choice in walk {
        let state = space.pack(board.iter().copied()).expect("corridor cells");
        prop_assert_eq!(space.unpack(state), board.clone());
        let plain = Board::new(instance, board.clone()).expect("a board");
        prop_assert_eq!(space.is_goal(state), instance.is_solved(&plain));
        if let Some(ranks) = space.ranks() {
            prop_assert!(space.rank(state) < ranks);
            prop_assert_eq!(space.unrank(space.rank(state)), state);
        }

        let next = next_states(&space, state);
        let unpacked: BTreeSet<Vec<Cell>> = next.iter().map(|&next| space.unpack(next)).collect();
        prop_assert_eq!(unpacked.len(), next.len(), "duplicate successors");
        let by_rules = plain::successors(instance, &board);
        prop_assert_eq!(unpacked, by_rules.iter().cloned().collect::<BTreeSet<_>>());
        let back = next.iter().map(|&next| next_states(&space, next));
        prop_assert!(back.into_iter().all(|back| back.contains(&state)), "not undirected");
        board = choice.get(&by_rules).clone();
    }
    Ok(())
}

/// Calls `check` with the expected result of an instance, which a plain search on the rules finds.
fn with_expected(instance: &Instance, check: impl FnOnce(ExpectedResult<'_, Instance>)) {
    check(ExpectedResult {
        solve: &|engine, budget| solve(instance, engine, budget).expect("a legal plan").outcome,
        cost: plain::cost(instance),
    });
}

proptest! {
    #![proptest_config(fewest_testing::cases(1000))]

    #[test]
    fn space_and_rules_have_the_same_successors(
        text in maps::texts([6, 6], 1..=4),
        walk in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let instance = read(&text);
        if Space::<u16>::new(&instance).is_some() {
            check_space::<u16>(&instance, &walk)?;
        }
        check_space::<u32>(&instance, &walk)?;
        check_space::<u64>(&instance, &walk)?;
        check_space::<u128>(&instance, &walk)?;
        check_space::<[u64; 7]>(&instance, &walk)?;
    }

    #[test]
    fn every_engine_agrees_with_a_plain_search_on_the_rules(text in maps::texts([4, 4], 1..=3)) {
        with_expected(&read(&text), |expected| expected.check(&Engine::ALL));
    }

    #[test]
    fn stopped_searches_return_correct_bounds(
        text in maps::texts([4, 4], 1..=3),
        states in 0u64..200,
    ) {
        with_expected(&read(&text), |expected| {
            expected.check_with_state_limit(&Engine::ALL, states);
        });
    }
}

proptest! {
    #![proptest_config(fewest_testing::cases(200))]

    #[test]
    fn explored_boards_are_those_of_a_plain_search(text in maps::texts([4, 4], 1..=3)) {
        let instance = read(&text);
        let mut depths = BTreeMap::from([(instance.starts(), 0u32)]);
        let mut queue = VecDeque::from([instance.starts()]);
        let mut moves = 0;
        while let Some(board) = queue.pop_front() {
            let depth = depths[&board] + 1;
            for next in plain::successors(&instance, &board) {
                moves += usize::from(next != board);
                depths.entry(next.clone()).or_insert_with(|| {
                    queue.push_back(next);
                    depth
                });
            }
        }
        let budget = Budget::unlimited();
        let explored = instance.explore(&budget, &mut |_, _| {}).expect("a small map");
        let layer = |depth| depths.values().filter(|&&other| other == depth).count() as u64;
        let layers: Vec<u64> = (0..).map(layer).take_while(|&boards| boards > 0).collect();
        let goal: Vec<Cell> = instance.ghosts().iter().map(|ghost| ghost.goal).collect();
        prop_assert_eq!((explored.layers, explored.cost), (layers, depths.get(&goal).copied()));
        let mut counts = (0, 0);
        let visited = instance.graph(&budget, &mut |graph| {
            counts = (graph.boards() as usize, 2 * graph.moves().count());
            Ok(())
        });
        visited.expect("no limit");
        prop_assert_eq!(counts, (depths.len(), moves));
    }

    // By default, more than three ghosts are searched in groups of those that interfere.
    #[test]
    fn the_search_by_groups_agrees_with_exhaustive_search(
        text in maps::texts([4, 3], 4..=5),
        states in 0u64..2000,
    ) {
        let instance = read(&text);
        let verdict = |engine, budget: &Budget| {
            solve(&instance, engine, budget).expect("a legal plan").outcome.verdict
        };
        let cost = |engine| match verdict(engine, &Budget::unlimited()) {
            Verdict::Solved { cost, .. } => Some(cost),
            Verdict::Unsolvable => None,
            Verdict::Stopped { limit, .. } => panic!("{limit}"),
        };
        let optimum = cost(Some(Engine::Bfs));
        prop_assert_eq!(cost(None), optimum);

        match verdict(None, &Budget::new(Limits { states: Some(states), ..Limits::default() })) {
            Verdict::Solved { cost, .. } => prop_assert_eq!(Some(cost), optimum),
            Verdict::Unsolvable => prop_assert_eq!(None, optimum),
            Verdict::Stopped { lower_bound, best, .. } => {
                prop_assert!(optimum.is_none_or(|optimum| lower_bound <= optimum));
                let is_possible = |cost: u32| {
                    cost > lower_bound && optimum.is_some_and(|optimum| cost >= optimum)
                };
                prop_assert!(best.is_none_or(|(_, cost)| is_possible(cost)));
            }
        }
    }
}

/// More ghosts than are searched jointly before those that interfere are known.
#[test]
fn the_search_of_seven_to_nine_ghosts_agrees_with_exhaustive_search() {
    let mut random = Random::from_seed(1);
    for round in 0..fewest_testing::count(40) {
        let mut cells: Vec<Cell> =
            (0..9).map(|cell| Cell { row: cell / 3, column: cell % 3 }).collect();
        random.shuffle(&mut cells);
        // One or two walls in every other instance.
        let walls = if round % 2 == 0 { 0 } else { 1 + random.below(2) };
        let open = cells.split_off(walls);
        let mut goals = open.clone();
        random.shuffle(&mut goals);
        let pairs = open.iter().zip(&goals).take(7 + round % 3);
        let ghosts = pairs.map(|(&start, &goal)| Ghost { start, goal }).collect();
        let is_open = |place: Cell| open.contains(&place);
        let instance = Instance::new(
            Size::new(3, 3).expect("a size"),
            (0..9).map(|cell| is_open(Cell { row: cell / 3, column: cell % 3 })).collect(),
            ghosts,
        );
        let instance = instance.expect("a valid instance");
        let cost = |engine| {
            solve(&instance, engine, &Budget::unlimited()).expect("a legal plan").outcome.cost()
        };
        assert_eq!(cost(None), cost(Some(Engine::Bfs)), "{instance:?}");
    }
}

/// An instance without walls. The ghosts start in the first row, and their goals are in the last
/// row in the same order.
fn open_map(width: usize, height: usize, ghosts: usize) -> Instance {
    let row = |first: u8| {
        (0..width).map(|x| if x < ghosts { char::from(first + x as u8) } else { ' ' }).collect()
    };
    let mut rows: Vec<String> = vec![" ".repeat(width); height];
    (rows[0], rows[height - 1]) = (row(b'a'), row(b'A'));
    read(&format!("{width} {height} {ghosts}\n{}\n", rows.join("\n")))
}

#[test]
fn every_engine_searches_the_largest_maps() {
    for (cells, ghosts) in
        [(64, 64), (111, 63), (1024, 42), (4096, 35), (8192, 28), (255 * 255, 28)]
    {
        assert_eq!(max_ghosts(cells), ghosts, "{cells}");
    }
    // Sixteen fields of 12 bits have 192 bits, but a limb of 64 bits does not hold six of them.
    let instance = open_map(64, 40, 16);
    let budget = Budget::new(Limits { states: Some(0), ..Limits::default() });
    let answer = solve(&instance, Some(Engine::Bfs), &budget).expect("a legal plan");
    let verdict = answer.outcome.verdict;
    assert!(matches!(verdict, Verdict::Stopped { limit: Limit::States, .. }), "{verdict:?}");
    let instance = open_map(255, 255, 1);
    for engine in Engine::ALL {
        let answer = solve(&instance, Some(engine), &Budget::unlimited()).expect("a legal plan");
        assert_eq!(answer.outcome.cost(), Some(254), "{engine}");
    }
    // The start has too many successors for any engine, so each must stop in its expansion when it
    // runs out of memory. IDA* takes no memory for states beyond its bound, so it stops by time.
    let instance = open_map(255, 255, 26);
    for engine in Engine::ALL {
        let time = (engine == Engine::Idastar).then_some(Duration::from_millis(200));
        let limits = Limits { memory_bytes: Some(64 << 20), time, states: None };
        let answer = solve(&instance, Some(engine), &Budget::new(limits)).expect("a legal plan");
        let Verdict::Stopped { limit, lower_bound, .. } = answer.outcome.verdict else {
            panic!("{engine}: {:?}", answer.outcome.verdict)
        };
        assert_eq!(limit, if time.is_some() { Limit::Time } else { Limit::Memory }, "{engine}");
        assert!(lower_bound <= 254, "{engine}");
        assert!(answer.outcome.stats.bytes <= 64 << 20, "{engine}");
    }
}

#[test]
fn there_is_one_goal_state() {
    let space = Space::<u32>::new(&open_map(3, 3, 3)).expect("the state fits 32 bits");
    let mut goals = Vec::new();
    space.goals(|goal| goals.push(goal));
    assert_eq!(goals.len(), 1);
    assert!(space.is_goal(goals[0]));
}
