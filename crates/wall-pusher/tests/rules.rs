//! The rules themselves, the packed space against them, and every engine against a plain search on them.

use fewest_core::budget::{Budget, Limits};
use fewest_core::grid::{Direction, Place, Size};
use fewest_core::{Heuristic, StateSpace, Word};
use fewest_testing::outcomes::{Judge, plain_search};
use fewest_testing::spaces;
use fewest_wall_pusher::Instance;
use fewest_wall_pusher::heuristic::NearestGap;
use fewest_wall_pusher::plan::letters;
use fewest_wall_pusher::rules::{self, Board, Illegal};
use fewest_wall_pusher::solve::{ENGINES, solve};
use fewest_wall_pusher::space::{Space, state_bits};
use proptest::prelude::*;

mod mazes;

fn read(text: &str) -> Instance {
    Instance::read(text.as_bytes(), Size::new(4, 6).expect("a size")).next().expect("a data set").expect("a good one")
}

fn solved(text: &str) -> Option<String> {
    let answer = solve(&read(text), None, &Budget::unlimited()).expect("a legal plan");
    answer.outcome.plan().map(|plan| letters(plan))
}

#[test]
fn a_start_beside_an_exit_takes_one_move() {
    assert_eq!(solved("+--+--+\n| S    \n+--+--+\n").as_deref(), Some("EE"));
    assert_eq!(solved("+--+--+\n|   S  \n+--+--+\n").as_deref(), Some("E"));
    assert_eq!(solved("+  +\n|S |\n+--+\n").as_deref(), Some("N"));
    assert_eq!(solved("+--+\n S |\n+--+\n").as_deref(), Some("W"));
    assert_eq!(solved("+--+\n|S |\n+  +\n").as_deref(), Some("S"));
}

#[test]
fn a_wall_pushed_into_a_gap_closes_it() {
    // The only way is through the wall, and the wall goes into the only gap.
    let maze = read("+--+--+\n| S|   \n+--+--+\n");
    assert_eq!(solved(&maze.drawing()), None);
    let after = rules::play(&maze, &rules::start(&maze), Direction::East).expect("a push");
    assert_eq!(after.place, Some(Place { row: 0, column: 1 }));
    let from = Place { row: 0, column: 1 };
    let way = Direction::East;
    assert_eq!(rules::play(&maze, &after, way), Err(Illegal::Border { from, way }));
    // With one cell more it is the second push that closes the gap.
    assert_eq!(solved("+--+--+--+\n| S|      \n+--+--+--+\n"), None);
    assert_eq!(solved("+--+--+\n| S|   \n+--+  +\n").as_deref(), Some("ES"));
}

#[test]
fn two_walls_are_too_many_and_the_border_stays() {
    let maze = read("+--+--+--+\n| S|  |   \n+--+--+--+\n");
    let from = Place { row: 0, column: 0 };
    let way = Direction::East;
    assert_eq!(rules::play(&maze, &rules::start(&maze), way), Err(Illegal::Blocked { from, way }));
    let way = Direction::West;
    assert_eq!(rules::play(&maze, &rules::start(&maze), way), Err(Illegal::Border { from, way }));
    let out = read("+--+\n|S  \n+--+\n");
    let after = rules::play(&out, &rules::start(&out), Direction::East).expect("a way out");
    assert!(rules::is_solved(&after));
    assert_eq!(rules::play(&out, &after, Direction::East), Err(Illegal::Outside));
}

fn successors(maze: &Instance, board: &Board) -> Vec<(Direction, Board)> {
    let played = Direction::ALL.map(|way| (way, rules::play(maze, board, way)));
    played.into_iter().filter_map(|(way, after)| Some((way, after.ok()?))).collect()
}

/// Holds `space` against the rules along a random walk, and the bound against the moves.
fn twins_agree<W: Word>(maze: &Instance, walk: &[prop::sample::Index]) -> Result<(), TestCaseError> {
    let space = Space::<W>::new(maze).expect("wide enough");
    let nearest = NearestGap::new(&space);
    let bound = |state| nearest.bound(nearest.memo(state));
    let mut now = rules::start(maze);
    for turn in walk {
        let state = space.pack(&now);
        prop_assert_eq!(space.is_goal(state), rules::is_solved(&now));
        if rules::is_solved(&now) {
            prop_assert_eq!(spaces::successors(&space, state), []);
            prop_assert_eq!(bound(state), Some(0));
            break;
        }
        prop_assert_eq!(space.unpack(state), now);
        let next = spaces::successors(&space, state);
        let by_rules = successors(maze, &now);
        let packed: Vec<_> = by_rules.iter().map(|&(way, board)| (way, space.pack(&board))).collect();
        prop_assert_eq!(&next, &packed);
        for (_, next) in next {
            match (bound(state), bound(next)) {
                (Some(here), Some(there)) => prop_assert!(here <= there + 1 && here >= 1),
                (here, there) => prop_assert!(here.is_some() || there.is_none(), "a gap opened"),
            }
        }
        if by_rules.is_empty() {
            break;
        }
        now = turn.get(&by_rules).1;
    }
    Ok(())
}

/// Every engine on a maze, with the fewest moves by a plain search on the rules.
fn judged(maze: &Instance, test: impl FnOnce(Judge<'_, Direction>)) {
    let next = |board: &Board| successors(maze, board).into_iter().map(|(_, after)| after).collect();
    test(Judge {
        solve: &|engine, budget| solve(maze, engine, budget).expect("a legal plan").outcome,
        replay: &|plan| rules::replay(maze, plan).is_ok(),
        expected: plain_search(rules::start(maze), |board| *board, rules::is_solved, next),
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn space_and_rules_have_the_same_successors(
        maze in mazes::mazes(8, 8),
        walk in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
    ) {
        if state_bits(maze.size()) <= 64 {
            twins_agree::<u64>(&maze, &walk)?;
        }
        if state_bits(maze.size()) <= 128 {
            twins_agree::<u128>(&maze, &walk)?;
        }
        twins_agree::<[u64; 3]>(&maze, &walk)?;
    }

    #[test]
    fn out_of_budget_it_tells_the_truth(maze in mazes::mazes(3, 4), states in 0u64..200) {
        judged(&maze, |judge| judge.every_engine_of_few_states(ENGINES, states));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4500))]

    #[test]
    fn every_engine_agrees_with_a_plain_search_on_the_rules(maze in mazes::mazes(3, 4)) {
        judged(&maze, |judge| judge.every_engine(ENGINES));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_engine_agrees_with_a_plain_search_on_classic_mazes(
        maze in mazes::of_size(Size::new(4, 6).expect("a size")).prop_filter("few boards", few_boards),
    ) {
        judged(&maze, |judge| judge.every_engine(ENGINES));
    }
}

/// Not so many that the plain search on the rules takes seconds.
fn few_boards(maze: &Instance) -> bool {
    let space = Space::<u64>::new(maze).expect("63 bits");
    let limits = Limits { states: Some(100_000), ..Limits::default() };
    let all = fewest_core::explore::explore::<fewest_core::visited::Table<_>, _>(&space, &Budget::new(limits));
    all.limit.is_none()
}

#[test]
fn the_largest_maze_fits_a_word_and_is_searched() {
    let side = |size| state_bits(Size::new(size, size).expect("a size"));
    assert_eq!((state_bits(Size::new(4, 6).expect("a size")), side(7), side(8)), (63, 118, 151));
    let mut text = "8 8\n".to_owned();
    for row in 0..8 {
        let masks = (0..8).map(|column| {
            // The border, with a gap on the west of the first row.
            let walls = [column == 0 && row > 0, row == 0, column == 7, row == 7];
            let mask: u8 = walls.into_iter().enumerate().map(|(bit, wall)| u8::from(wall) << bit).sum();
            mask.to_string()
        });
        text += &(masks.collect::<Vec<_>>().join(" ") + "\n");
    }
    let maze =
        Instance::read(text.as_bytes(), Size::new(8, 8).expect("a size")).next().expect("one").expect("a good one");
    for &engine in ENGINES {
        let answer = solve(&maze, Some(engine), &Budget::unlimited()).expect("a legal plan");
        assert_eq!(answer.outcome.cost(), Some(15), "{engine}");
    }
}
