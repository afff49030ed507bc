//! Tests of the rules, of the packed space against the rules, and of every engine against a plain
//! search on the rules.

use std::collections::BTreeSet;

use fewest_core::budget::{Budget, Limits};
use fewest_core::search::Engine;
use fewest_core::{Heuristic, StateSpace, Word};
use fewest_geometry::{Cell, Direction};
use fewest_puzzle::count_plans::CountPlans;
use fewest_puzzle::explore::Explore;
use fewest_puzzle::random::Random;
use fewest_rules::Rules;
use fewest_testing::outcomes::{ExpectedResult, plain_cost};
use fewest_testing::spaces;
use fewest_wall_pusher::generate::{self, MazeOptions, hard, limits};
use fewest_wall_pusher::heuristic::NearestGap;
use fewest_wall_pusher::instance::Edge;
use fewest_wall_pusher::plan::letters;
use fewest_wall_pusher::relaxation::Relaxation;
use fewest_wall_pusher::rules::{Board, Illegal};
use fewest_wall_pusher::solve::{ENGINES, solve};
use fewest_wall_pusher::space::Space;
use fewest_wall_pusher::{Instance, Size, Walls};
use proptest::prelude::*;

use crate::mazes;

fn read(text: &str) -> Instance {
    Instance::read(text.as_bytes(), Size::new(4, 6).expect("a size"))
        .next()
        .expect("a data set")
        .expect("no error")
}

fn solved(text: &str) -> Option<String> {
    let answer = solve(&read(text), None, &Budget::unlimited()).expect("a legal plan");
    answer.outcome.optimal().map(|plan| letters(plan))
}

#[test]
fn gap_at_the_start_cell_takes_one_move() {
    assert_eq!(solved("+--+--+\n| S    \n+--+--+\n").as_deref(), Some("EE"));
    assert_eq!(solved("+--+--+\n|   S  \n+--+--+\n").as_deref(), Some("E"));
    assert_eq!(solved("+  +\n|S |\n+--+\n").as_deref(), Some("N"));
    assert_eq!(solved("+--+\n S |\n+--+\n").as_deref(), Some("W"));
    assert_eq!(solved("+--+\n|S |\n+  +\n").as_deref(), Some("S"));
}

#[test]
fn wall_pushed_into_a_gap_closes_it() {
    // Each path to the gap pushes the wall, and the push closes the gap.
    let maze = read("+--+--+\n| S|   \n+--+--+\n");
    assert_eq!(solved(&maze.drawing()), None);
    let after = played(&maze, &maze.start_board(), Direction::East).expect("a push");
    assert_eq!(after.place, Some(Cell { row: 0, column: 1 }));
    let from = Cell { row: 0, column: 1 };
    let direction = Direction::East;
    assert_eq!(played(&maze, &after, direction), Err(Illegal::Border { from, direction }));
    // With one more cell, the second push closes the gap.
    assert_eq!(solved("+--+--+--+\n| S|      \n+--+--+--+\n"), None);
    assert_eq!(solved("+--+--+\n| S|   \n+--+  +\n").as_deref(), Some("ES"));
}

#[test]
fn two_walls_and_border_walls_cannot_be_pushed() {
    let maze = read("+--+--+--+\n| S|  |   \n+--+--+--+\n");
    let from = Cell { row: 0, column: 0 };
    let start = maze.start_board();
    let direction = Direction::East;
    assert_eq!(played(&maze, &start, direction), Err(Illegal::Blocked { from, direction }));
    let direction = Direction::West;
    assert_eq!(played(&maze, &start, direction), Err(Illegal::Border { from, direction }));
    let out = read("+--+\n|S  \n+--+\n");
    let after = played(&out, &out.start_board(), Direction::East).expect("a legal move");
    assert!(out.is_solved(&after));
    assert_eq!(played(&out, &after, Direction::East), Err(Illegal::Outside));
}

fn played(maze: &Instance, board: &Board, direction: Direction) -> Result<Board, Illegal> {
    let mut after = *board;
    maze.play(&mut after, &direction).map(|()| after)
}

fn successors(maze: &Instance, board: &Board) -> Vec<(Direction, Board)> {
    let played = Direction::ALL.map(|direction| (direction, played(maze, board, direction)));
    played.into_iter().filter_map(|(direction, after)| Some((direction, after.ok()?))).collect()
}

/// Compares the packed space with the rules along a random walk, and checks that the heuristic is
/// consistent.
fn assert_space_follows_rules<W: Word>(
    maze: &Instance,
    walk: &[prop::sample::Index],
) -> Result<(), TestCaseError> {
    let relaxation = Relaxation::new(maze);
    let Some(space) = Space::<W>::new(maze) else {
        let cell_bits = usize::BITS - (maze.size().len() + 3).leading_zeros();
        prop_assert!(W::BITS < Edge::all(maze.size()).count() as u32 + cell_bits);
        return Ok(());
    };
    let heuristic = NearestGap::new(&relaxation, &space);
    let bound = |state| heuristic.bound(heuristic.evaluate(state));
    let mut board = maze.start_board();
    for choice in walk {
        let Some(state) = space.pack(&board) else { break };
        prop_assert_eq!(space.unpack(state), board);
        let next = spaces::successors(&space, state);
        let by_rules = successors(maze, &board);
        let unpacked: Vec<_> =
            next.iter().map(|&(direction, state)| (direction, space.unpack(state))).collect();
        // The space has no walls in states outside the maze.
        let after = |&(direction, board): &(Direction, Board)| {
            (
                direction,
                if maze.is_solved(&board) {
                    Board { walls: Walls::default(), place: None }
                } else {
                    board
                },
            )
        };
        prop_assert_eq!(unpacked, by_rules.iter().map(after).collect::<Vec<_>>());
        for &(_, next) in next.iter().filter(|&&(_, next)| space.is_goal(next)) {
            prop_assert_eq!(spaces::successors(&space, next), []);
            prop_assert_eq!(bound(next), Some(0));
        }
        for (_, next) in next {
            match (bound(state), bound(next)) {
                (Some(here), Some(there)) => prop_assert!(here <= there + 1 && here >= 1),
                (here, there) => prop_assert!(here.is_some() || there.is_none(), "a gap opened"),
            }
        }
        if by_rules.is_empty() {
            break;
        }
        board = choice.get(&by_rules).1;
    }
    Ok(())
}

/// Calls `check` with the expected result of a maze, which a plain search on the rules finds.
fn with_expected(maze: &Instance, check: impl FnOnce(ExpectedResult<'_, Instance>)) {
    check(ExpectedResult {
        solve: &|engine, budget| solve(maze, engine, budget).expect("a legal plan").outcome,
        cost: plain_cost(maze, |board| *board),
    });
}

proptest! {
    #![proptest_config(fewest_testing::cases(2000))]

    #[test]
    fn space_and_rules_have_the_same_successors(
        maze in mazes::mazes(8, 8),
        walk in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
    ) {
        assert_space_follows_rules::<u64>(&maze, &walk)?;
        assert_space_follows_rules::<u128>(&maze, &walk)?;
        assert_space_follows_rules::<[u64; 3]>(&maze, &walk)?;
    }

    #[test]
    fn verdicts_under_a_state_limit_are_true(maze in mazes::mazes(3, 4), states in 0u64..200) {
        with_expected(&maze, |expected| expected.check_with_state_limit(ENGINES, states));
    }
}

proptest! {
    #![proptest_config(fewest_testing::cases(4500))]

    #[test]
    fn every_engine_agrees_with_a_plain_cost_on_the_rules(maze in mazes::mazes(3, 4)) {
        with_expected(&maze, |expected| expected.check(ENGINES));
    }
}

proptest! {
    #![proptest_config(fewest_testing::cases(500))]

    #[test]
    fn every_engine_agrees_with_a_plain_cost_on_classic_mazes(
        maze in mazes::of_size(Size::new(4, 6).expect("a size"))
            .prop_filter("few boards", few_boards),
    ) {
        with_expected(&maze, |expected| expected.check(ENGINES));
    }
}

/// Whether at most 100,000 boards are reachable, so that the plain search on the rules is fast.
fn few_boards(maze: &Instance) -> bool {
    let space = Space::<u64>::new(maze).expect("63 bits");
    let limits = Limits { states: Some(100_000), ..Limits::default() };
    fewest_testing::spaces::explore(&space, &Budget::new(limits)).limit().is_none()
}

#[test]
fn largest_maze_fits_a_word_and_is_solved() {
    let mut text = "8 8\n".to_owned();
    for row in 0..8 {
        let masks = (0..8).map(|column| {
            // Walls on the border only, with a gap on the west of the first row.
            let walls = [column == 0 && row > 0, row == 0, column == 7, row == 7];
            let mask: u8 =
                walls.into_iter().enumerate().map(|(bit, wall)| u8::from(wall) << bit).sum();
            mask.to_string()
        });
        text += &(masks.collect::<Vec<_>>().join(" ") + "\n");
    }
    let maze = Instance::read(text.as_bytes(), Size::new(8, 8).expect("a size"))
        .next()
        .expect("a data set")
        .expect("no error");
    assert!(Space::<[u64; 3]>::new(&maze).is_some());
    for &engine in ENGINES {
        let answer = solve(&maze, Some(engine), &Budget::unlimited()).expect("a legal plan");
        assert_eq!(answer.outcome.cost(), Some(15), "{engine}");
    }
}

/// All plans of exactly `moves_left` moves from a board, by trying all moves from all boards.
fn plain_plans(maze: &Instance, board: &Board, moves_left: u32) -> Vec<String> {
    if moves_left == 0 {
        return if maze.is_solved(board) { vec![String::new()] } else { Vec::new() };
    }
    let next = successors(maze, board).into_iter();
    next.flat_map(|(direction, after)| {
        plain_plans(maze, &after, moves_left - 1)
            .into_iter()
            .map(move |rest| format!("{}{rest}", direction.letter()))
    })
    .collect()
}

#[test]
fn all_shortest_plans_are_counted_and_listed() {
    let mut random = Random::from_seed(4);
    let mut several = 0;
    for _ in 0..400 {
        let size = Size::new(3, 4).expect("a size");
        let maze = generate::maze(MazeOptions { size, walls: 40, gaps: 3 }, &mut random);
        let Some(cost) =
            solve(&maze, None, &Budget::unlimited()).expect("a legal plan").outcome.cost()
        else {
            continue;
        };
        if cost > 7 {
            continue;
        }
        let mut expected = plain_plans(&maze, &maze.start_board(), cost);
        let every =
            maze.list_shortest_plans(usize::MAX, &Budget::unlimited()).expect("legal plans");
        let every = every.optimal().expect("at least one plan");
        let mut found: Vec<_> = every.plans.iter().map(|plan| letters(plan)).collect();
        expected.sort();
        found.sort();
        assert_eq!((&found, every.count), (&expected, Some(expected.len() as u128)), "{maze}");
        several += usize::from(found.len() > 1);
    }
    assert!(several > 30, "{several}");
}

#[test]
fn explored_layers_are_those_of_a_plain_cost() {
    let mut random = Random::from_seed(5);
    for _ in 0..300 {
        let size = Size::new(3, 3).expect("a size");
        let options = MazeOptions { size, walls: 40, gaps: random.below(3) };
        let maze = generate::maze(options, &mut random);
        let (mut visited, mut layers, mut cost) = (BTreeSet::<Board>::new(), Vec::new(), None);
        let mut layer = BTreeSet::from([maze.start_board()]);
        while !layer.is_empty() {
            let depth = layers.len() as u32;
            let (outside, inside): (Vec<_>, Vec<_>) =
                layer.iter().copied().partition(|board| maze.is_solved(board));
            cost = cost.or((!outside.is_empty()).then_some(depth));
            visited.extend(&inside);
            layers.extend((!inside.is_empty()).then_some(inside.len() as u64));
            let next =
                inside.iter().flat_map(|board| successors(&maze, board)).map(|(_, after)| after);
            layer = next.filter(|board| !visited.contains(board)).collect();
        }
        let explored = maze.explore(&Budget::unlimited(), &mut |_, _| {}).expect("64 bits");
        assert_eq!(
            (explored.layers, explored.cost, explored.limit),
            (layers, cost, None),
            "{maze}"
        );
    }
}

#[test]
fn seeds_determine_hard_mazes() {
    let options = MazeOptions { size: Size::new(3, 4).expect("a size"), walls: 50, gaps: 1 };
    let tried = |seed| {
        hard(options, 300, &mut Random::from_seed(seed), || Some(Budget::new(limits(options.size))))
            .expect("legal plans")
    };
    assert_eq!(tried(1), tried(1));
    let all = tried(2);
    assert_eq!(all.solved + all.unsolvable + all.given_up, 300);
    let (maze, cost) = all.hardest.expect("a solvable maze");
    assert_eq!(
        solve(&maze, Some(Engine::Bfs), &Budget::unlimited()).expect("a legal plan").outcome.cost(),
        Some(cost)
    );
    assert!(cost >= 8, "{cost}");
    let closed = MazeOptions { gaps: 0, ..options };
    let none =
        hard(closed, 1, &mut Random::from_seed(1), || Some(Budget::new(limits(closed.size))))
            .expect("legal plans");
    assert_eq!((none.hardest, none.unsolvable), (None, 1));
}

#[test]
fn given_starts_replace_those_of_the_mazes() {
    let drawing = "+--+--+\n|\n+--+--+\n";
    let size = Size::new(4, 6).expect("a size");
    let starts = [0, 1].map(|column| Cell { row: 0, column });
    let costs = |text: &str, starts: &[Cell]| -> Vec<_> {
        let mazes = Instance::read_from(text.as_bytes(), size, starts);
        mazes
            .map(|maze| {
                maze.map(|maze| {
                    solve(&maze, None, &Budget::unlimited()).expect("legal").outcome.cost()
                })
            })
            .collect()
    };
    assert_eq!(costs(drawing, &starts), [Ok(Some(2)), Ok(Some(1))]);
    assert_eq!(costs("+--+--+\n|S\n+--+--+\n", &starts[1..]), [Ok(Some(1))]);
    let error =
        |starts: &[Cell]| costs(drawing, starts).remove(0).expect_err("an error").to_string();
    assert_eq!(
        error(&[]),
        "1:1: found a drawing without `S`, expected an `S` in the start cell; a row of cells without walls is a line of spaces, not an empty line"
    );
    assert_eq!(
        error(&[starts[0], Cell { row: 1, column: 0 }]),
        "1:1: found `2,1`, expected a cell of a maze of 1x2"
    );
}
