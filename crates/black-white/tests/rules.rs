//! The rules themselves, the packed space against them, and every engine against a plain search on them.

use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;

use fewest_black_white::heuristic::Crossings;
use fewest_black_white::rules::{self, Illegal};
use fewest_black_white::solve::{ENGINES, solve};
use fewest_black_white::space::Space;
use fewest_black_white::{Board, Exchange, Instance, Place};
use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::outcome::Verdict;
use fewest_core::{Goals, Heuristic, Ranked, Size, StateSpace};
use proptest::prelude::*;

mod boards;

fn place(row: usize, column: usize) -> Place {
    Place { row, column }
}

#[test]
fn a_move_exchanges_neighbours_of_different_colours() {
    let size = Size { rows: 2, columns: 2 };
    let boards = Instance::read(b"1000 0001", size).next().expect("a data set").expect("a good one");
    let play = |one, other| rules::play(&boards, boards.start(), Exchange(one, other));
    assert_eq!(play(place(0, 0), place(0, 1)), Ok(vec![false, true, false, false]));
    assert_eq!(play(place(1, 0), place(0, 0)), Ok(vec![false, false, true, false]));
    assert_eq!(play(place(0, 0), place(1, 1)), Err(Illegal::Apart(place(0, 0), place(1, 1))));
    assert_eq!(play(place(0, 0), place(0, 0)), Err(Illegal::Apart(place(0, 0), place(0, 0))));
    assert_eq!(play(place(0, 1), place(1, 1)), Err(Illegal::SameColour(place(0, 1), place(1, 1))));
    assert_eq!(play(place(0, 0), place(2, 0)), Err(Illegal::Outside(place(2, 0))));
}

/// All boards that one move makes of `board`: each two cells are tried.
fn successors(boards: &Instance, board: &[bool]) -> BTreeSet<Board> {
    let Size { rows, columns } = boards.size();
    let places = || (0..rows).flat_map(|row| (0..columns).map(move |column| Place { row, column }));
    let pairs = places().flat_map(|one| places().map(move |other| Exchange(one, other)));
    pairs.filter_map(|exchange| rules::play(boards, board, exchange).ok()).collect()
}

fn packed_successors(space: &Space, state: u64) -> Vec<u64> {
    let mut all = Vec::new();
    let _ = space.successors(state, None, |(), next| {
        all.push(next);
        ControlFlow::<()>::Continue(())
    });
    all
}

/// The fewest moves, by a plain breadth-first search on the rules.
fn plain_search(boards: &Instance) -> Option<u32> {
    let mut seen = BTreeSet::from([boards.start().to_vec()]);
    let mut queue = VecDeque::from([(boards.start().to_vec(), 0)]);
    while let Some((board, depth)) = queue.pop_front() {
        if board == boards.target() {
            return Some(depth);
        }
        for next in successors(boards, &board) {
            if seen.insert(next.clone()) {
                queue.push_back((next, depth + 1));
            }
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn space_and_rules_have_the_same_successors(
        boards in boards::instances(8, 8),
        walk in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let space = Space::new(&boards);
        let crossings = Crossings::new(&space);
        let bound = |state| crossings.bound(crossings.memo(state)).expect("a bound");
        let mut goals = Vec::new();
        space.goals(|goal| goals.push(goal));
        prop_assert_eq!(&goals, &[space.pack(boards.target())]);
        let mut now = boards.start().to_vec();
        for turn in walk {
            let state = space.pack(&now);
            prop_assert_eq!(space.unpack(state), now.clone());
            prop_assert_eq!(space.is_goal(state), now == boards.target());
            if let Some(ranks) = space.ranks() {
                prop_assert!(space.rank(state) < ranks);
                prop_assert_eq!(space.unrank(space.rank(state)), state);
            }
            let next = packed_successors(&space, state);
            let unpacked: BTreeSet<Board> = next.iter().map(|&next| space.unpack(next)).collect();
            prop_assert_eq!(unpacked.len(), next.len(), "no successor twice");
            let by_rules = successors(&boards, &now);
            prop_assert_eq!(&unpacked, &by_rules);
            prop_assert!(next.iter().all(|&next| packed_successors(&space, next).contains(&state)), "undirected");
            prop_assert!(next.iter().all(|&next| bound(next).abs_diff(bound(state)) <= 1), "consistent");
            prop_assert!(!space.is_goal(state) || bound(state) == 0);
            let exchanges: BTreeSet<Board> = next
                .iter()
                .map(|&next| space.exchange(state, next).expect("a move"))
                .map(|exchange| rules::play(&boards, &now, exchange).expect("a legal one"))
                .collect();
            prop_assert_eq!(exchanges, by_rules.clone());
            if by_rules.is_empty() {
                break;
            }
            now = turn.get(&by_rules.into_iter().collect::<Vec<_>>()).clone();
        }
    }

    #[test]
    fn every_engine_agrees_with_a_plain_search_on_the_rules(boards in boards::instances(3, 3)) {
        let expected = plain_search(&boards);
        for engine in ENGINES.iter().copied().map(Some).chain([None]) {
            let answer = solve(&boards, engine, &Budget::unlimited()).expect("a legal plan");
            match (answer.outcome.verdict, expected) {
                (Verdict::Solved { plan, cost }, Some(expected)) => {
                    prop_assert_eq!((cost, plan.0.len()), (expected, expected as usize), "{:?}", engine);
                    prop_assert_eq!(rules::replay(&boards, &plan), Ok(()));
                }
                (Verdict::Unsolvable, None) => {}
                (verdict, _) => prop_assert!(false, "{engine:?}: {verdict:?}, expected {expected:?}"),
            }
        }
    }

    #[test]
    fn out_of_budget_it_tells_the_truth(boards in boards::instances(3, 3), states in 0u64..40) {
        let expected = plain_search(&boards);
        for &engine in ENGINES {
            let budget = Budget::new(Limits { states: Some(states), ..Limits::default() });
            match solve(&boards, Some(engine), &budget).expect("a legal plan").outcome.verdict {
                Verdict::Solved { cost, .. } => prop_assert_eq!(Some(cost), expected),
                Verdict::Unsolvable => prop_assert_eq!(None, expected),
                Verdict::Stopped { limit, lower_bound, best } => {
                    prop_assert_eq!(limit, Limit::States);
                    prop_assert!(expected.is_some_and(|expected| lower_bound <= expected));
                    if let Some((plan, cost)) = best {
                        prop_assert!(expected.is_some_and(|expected| expected <= cost));
                        prop_assert_eq!(rules::replay(&boards, &plan), Ok(()));
                    }
                }
            }
        }
    }
}

#[test]
fn the_largest_boards_are_searched() {
    // One black piece from corner to corner of 8 x 8 cells.
    let text = format!("1{}{}1", "0".repeat(63), "0".repeat(63));
    let size = Size { rows: 8, columns: 8 };
    let boards = Instance::read(text.as_bytes(), size).next().expect("a data set").expect("a good one");
    for &engine in ENGINES {
        let answer = solve(&boards, Some(engine), &Budget::unlimited()).expect("a legal plan");
        assert_eq!(answer.outcome.cost(), Some(14), "{engine}");
    }
}
