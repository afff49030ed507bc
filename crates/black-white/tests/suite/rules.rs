//! Tests of the rules, of the packed space against the rules, and of every engine against a plain
//! search on the rules.

use std::collections::BTreeSet;

use fewest_black_white::heuristic::Crossings;
use fewest_black_white::rules::Illegal;
use fewest_black_white::solve::{ENGINES, solve};
use fewest_black_white::space::Space;
use fewest_black_white::{Board, Exchange, Instance, Size};
use fewest_core::budget::Budget;
use fewest_core::search::Engine;
use fewest_core::{Goals, Heuristic, Ranked, StateSpace};
use fewest_geometry::Cell;
use fewest_puzzle::explore::Explore;
use fewest_rules::Rules;
use fewest_testing::outcomes::{ExpectedResult, plain_cost};
use fewest_testing::spaces::next_states;
use proptest::prelude::*;

use crate::boards;

#[test]
fn moves_exchange_neighbours_of_different_colours() {
    let size = Size::new(2, 2).expect("a size");
    let boards = Instance::read(b"1000 0001", size).next().expect("a data set").expect("no error");
    let play = |one, other| played(&boards, boards.start(), Exchange::new(one, other));
    assert_eq!(play(Cell::new(0, 0), Cell::new(0, 1)), Ok(vec![false, true, false, false]));
    assert_eq!(play(Cell::new(1, 0), Cell::new(0, 0)), Ok(vec![false, false, true, false]));
    assert_eq!(
        play(Cell::new(0, 0), Cell::new(1, 1)),
        Err(Illegal::Apart(Cell::new(0, 0), Cell::new(1, 1)))
    );
    assert_eq!(
        play(Cell::new(0, 0), Cell::new(0, 0)),
        Err(Illegal::Apart(Cell::new(0, 0), Cell::new(0, 0)))
    );
    assert_eq!(
        play(Cell::new(0, 1), Cell::new(1, 1)),
        Err(Illegal::SameColour(Cell::new(0, 1), Cell::new(1, 1)))
    );
    assert_eq!(play(Cell::new(0, 0), Cell::new(2, 0)), Err(Illegal::Outside(Cell::new(2, 0))));
}

fn played(boards: &Instance, board: &[bool], exchange: Exchange) -> Result<Board, Illegal> {
    let mut after = board.to_vec();
    boards.play(&mut after, &exchange).map(|()| after)
}

/// All boards after one move, by trying each pair of cells.
fn successors(boards: &Instance, board: &[bool]) -> BTreeSet<Board> {
    let places = || boards.size().cells();
    let pairs = places().flat_map(|one| places().map(move |other| Exchange::new(one, other)));
    pairs.filter_map(|exchange| played(boards, board, exchange).ok()).collect()
}

/// Calls `check` with the expected result of an instance, which a plain search on the rules finds.
fn with_expected(boards: &Instance, check: impl FnOnce(ExpectedResult<'_, Instance>)) {
    check(ExpectedResult {
        solve: &|engine, budget| solve(boards, engine, budget).expect("a legal plan").outcome,
        cost: plain_cost(boards, Board::clone),
    });
}

proptest! {
    #![proptest_config(fewest_testing::cases(1000))]

    #[test]
    fn space_and_rules_have_the_same_successors(
        boards in boards::walled(8, 8),
        walk in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let space = Space::new(&boards).expect("64 cells");
        let heuristic = Crossings::new(&space);
        let bound = |state| heuristic.bound(heuristic.evaluate(state)).expect("a bound");
        let mut goals = Vec::new();
        space.goals(|goal| goals.push(goal));
        prop_assert_eq!(&goals, &[space.pack(boards.target())]);
        let mut board = boards.start().to_vec();
        for choice in walk {
            let state = space.pack(&board);
            prop_assert_eq!(space.unpack(state), board.clone());
            prop_assert_eq!(space.is_goal(state), board == boards.target());
            if let Some(ranks) = space.ranks() {
                prop_assert!(space.rank(state) < ranks);
                prop_assert_eq!(space.unrank(space.rank(state)), state);
            }
            let next = next_states(&space, state);
            let unpacked: BTreeSet<Board> = next.iter().map(|&next| space.unpack(next)).collect();
            prop_assert_eq!(unpacked.len(), next.len(), "distinct successors");
            let by_rules = successors(&boards, &board);
            prop_assert_eq!(&unpacked, &by_rules);
            for &next in &next {
                prop_assert!(next_states(&space, next).contains(&state), "undirected");
                prop_assert!(bound(next).abs_diff(bound(state)) <= 1, "consistent");
            }
            prop_assert!(!space.is_goal(state) || bound(state) == 0);
            let exchanges: BTreeSet<Board> = next
                .iter()
                .map(|&next| space.exchange(state, next).expect("a move"))
                .map(|exchange| played(&boards, &board, exchange).expect("a legal move"))
                .collect();
            prop_assert_eq!(exchanges, by_rules.clone());
            if by_rules.is_empty() {
                break;
            }
            board = choice.get(&by_rules.into_iter().collect::<Vec<_>>()).clone();
        }
    }

    #[test]
    fn explored_boards_are_those_of_a_plain_search(boards in boards::walled(3, 3)) {
        let (mut visited, mut layers) = (BTreeSet::from([boards.start().to_vec()]), Vec::new());
        let mut layer = visited.clone();
        let mut cost = None;
        while !layer.is_empty() {
            cost = cost.or(layer.contains(boards.target()).then_some(layers.len() as u32));
            layers.push(layer.len() as u64);
            let next: BTreeSet<Board> =
                layer.iter().flat_map(|board| successors(&boards, board)).collect();
            layer = next.difference(&visited).cloned().collect();
            visited.extend(layer.iter().cloned());
        }
        let budget = Budget::unlimited();
        let explored = boards.explore(&budget, &mut |_, _| {}).expect("a small board");
        prop_assert_eq!((explored.layers, explored.cost), (layers, cost));
        prop_assert_eq!(explored.goals, Some(u64::from(cost.is_some())));
        let moves: usize = visited.iter().map(|board| successors(&boards, board).len()).sum();
        let mut counts = (0, 0);
        let shown = boards.graph(&budget, &mut |graph| {
            counts = (graph.boards() as usize, 2 * graph.moves().count());
            Ok(())
        });
        shown.expect("no limit");
        prop_assert_eq!(counts, (visited.len(), moves));
        // Every move of the rules is one of these, and every one of these a move of the rules.
        for board in &visited {
            prop_assert_eq!(boards.moves(board).len(), successors(&boards, board).len());
        }
    }

    #[test]
    fn every_engine_agrees_with_a_plain_search_on_the_rules(boards in boards::walled(3, 3)) {
        with_expected(&boards, |expected| expected.check(ENGINES));
    }

    #[test]
    fn verdicts_under_a_state_limit_are_true(boards in boards::walled(3, 3), states in 0u64..40) {
        with_expected(&boards, |expected| expected.check_with_state_limit(ENGINES, states));
    }
}

#[test]
fn single_rows_and_columns_of_64_cells_are_searched() {
    let text = format!("11{}{}11", "0".repeat(62), "0".repeat(62));
    for (rows, columns) in [(1, 64), (64, 1)] {
        let size = Size::new(rows, columns).expect("a size");
        let boards =
            Instance::read(text.as_bytes(), size).next().expect("a data set").expect("no error");
        for engine in [None, Some(Engine::Bfs), Some(Engine::Astar)] {
            let answer = solve(&boards, engine, &Budget::unlimited()).expect("a legal plan");
            assert_eq!(answer.outcome.cost(), Some(124), "{engine:?}");
        }
    }
}

#[test]
fn boards_of_8x8_cells_are_searched() {
    // One black piece from corner to corner of 8 x 8 cells.
    let text = format!("1{}{}1", "0".repeat(63), "0".repeat(63));
    let size = Size::new(8, 8).expect("a size");
    let boards =
        Instance::read(text.as_bytes(), size).next().expect("a data set").expect("no error");
    for &engine in ENGINES {
        let answer = solve(&boards, Some(engine), &Budget::unlimited()).expect("a legal plan");
        assert_eq!(answer.outcome.cost(), Some(14), "{engine}");
    }
}
