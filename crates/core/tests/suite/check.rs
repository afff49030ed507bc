//! The checks find each broken law, and searches find a space that ignores breaks.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::check;
use fewest_core::heuristic::Blind;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::{astar, idastar};
use fewest_core::space::moves_along;
use fewest_core::visited::Table;

use crate::by_set::{bfs, bidirectional};
use crate::spaces::sliding_tile::Tiles;
use crate::spaces::{Flaw, LAST, Line};

/// All violations of a line, in the order of the functions; only those of `check::space` if there
/// are any, because searches panic then.
fn violations(flaw: Flaw) -> Vec<String> {
    let line = Line::new(flaw);
    let states: Vec<_> = (0..=LAST).collect();
    let budget = Budget::unlimited();
    if let Err(violation) = check::space(&line, &states) {
        return vec![violation.to_string()];
    }
    [
        check::predecessors(&line, &states),
        check::goals(&line, &states),
        check::ranks(&line, &states),
        check::symmetry(&line, &states),
        check::heuristic(&line, &line, &states, &budget),
        check::consistency(&line, &line, &states),
    ]
    .into_iter()
    .filter_map(|result| Some(result.err()?.to_string()))
    .collect()
}

#[test]
fn each_broken_law_is_named_with_its_state() {
    for (flaw, expected) in [
        (Flaw::None, &[][..]),
        (
            Flaw::ContinuesAfterBreak,
            &[
                "state 1: in `successors`, `emit` broke in call 1 and was called 2 times; the break \
               was returned",
            ],
        ),
        (
            Flaw::DropsBreak,
            &[
                "state 0: in `successors`, `emit` broke in call 1 and was called 1 times; the break \
               was not returned",
            ],
        ),
        (Flaw::Order, &["state 1: its successors change between calls: [2, 0], then [0, 2]"]),
        (
            Flaw::Pruning,
            &["state 12: after a move from 11, its successor 13 is omitted, which Inverse does \
               not allow"],
        ),
        (Flaw::Adds, &["state 12: 15 is a successor only after a move from 11"]),
        (
            Flaw::OneWay,
            &[
                "state 10: 11 is a successor, but 10 is no predecessor of 11",
                "state 8: 9 is a successor, but its image 10 is no successor of the image 11 by \
                 the image of the move",
            ],
        ),
        (
            Flaw::Irreversible,
            &[
                "state 10: no move undoes the move to 11, but the space is undirected",
                "state 8: 9 is a successor, but its image 10 is no successor of the image 11 by \
                 the image of the move",
            ],
        ),
        (
            Flaw::PredecessorsDropBreak,
            &["state 0: in `predecessors`, `emit` broke in call 1 and was called 1 times; the \
                 break was not returned"],
        ),
        (Flaw::GoalTwice, &["state 0: a goal that is listed twice"]),
        (Flaw::GoalRefused, &["state 5: a listed goal, but `is_goal` refuses it"]),
        (Flaw::GoalMissing, &["state 19: `is_goal` accepts it, but it is not listed as a goal"]),
        (Flaw::Rank, &["state 1: its rank is 0, which is the rank of 0"]),
        (Flaw::RankTooHigh, &["state 15: its rank is 15 of 15"]),
        (
            Flaw::Image,
            &["state 2: 3 is a successor, but its image 3 is no successor of the image \
             17 by the image of the move"],
        ),
        (
            Flaw::ImageOfMove,
            &["state 0: 1 is a successor, but its image 18 is no successor of \
             the image 19 by the image of the move"],
        ),
        (
            Flaw::ImagesOfSuccessors,
            &["state 0: `canonical_successors` differs from `successors` and `canonical`"],
        ),
        (
            Flaw::Bound,
            &[
                "state 8: the bound is 9, but a goal is at a distance of 8",
                "state 8: the bound falls from 9 to 7 at 7, and the move costs 1",
            ],
        ),
        (
            Flaw::NoBound,
            &[
                "state 8: the bound is infinity, but a goal is at a distance of 8",
                "state 8: the bound falls from infinity to 7 at 7, and the move costs 1",
            ],
        ),
        (Flaw::Update, &["state 9: `update` to 10 gives the bound 10, `evaluate` 9"]),
        (Flaw::Inconsistent, &["state 4: the bound falls from 4 to 1 at 5, and the move costs 1"]),
    ] {
        assert_eq!(violations(flaw), expected, "{flaw:?}");
    }
    let found = violations(Flaw::ImageOfGoal);
    assert!(found.contains(&"state 0: of it and its image 19, one is a goal".to_owned()));
}

#[test]
fn a_heuristic_of_which_no_bound_was_checked_is_not_accepted() {
    let line = Line::new(Flaw::None);
    let no_states = Budget::new(Limits { states: Some(0), ..Limits::default() });
    let violation = check::heuristic(&line, &line, &[5, 6], &no_states).unwrap_err();
    assert_eq!(
        violation.to_string(),
        "state 5: a limit stopped the search from each state, so no bound was checked"
    );
    assert_eq!(check::heuristic(&line, &line, &[], &no_states), Ok(()));
}

#[test]
#[should_panic(expected = "a listed goal that `is_goal` refuses")]
fn a_bidirectional_search_finds_that_its_goal_is_none() {
    let line = Line::new(Flaw::GoalRefused);
    let _ = bidirectional(&line, &Budget::unlimited(), |search| search);
}

#[test]
fn the_sliding_tiles_keep_their_promises() {
    for tiles in [Tiles::new(3, 2, 0x35_4201), Tiles::new(3, 3, 0x8_7654_3210)] {
        let states = check::reachable(&tiles, 300);
        assert_eq!(states.len(), 300);
        assert_eq!(check::space(&tiles, &states), Ok(()));
        assert_eq!(check::predecessors(&tiles, &states), Ok(()));
        assert_eq!(check::goals(&tiles, &states), Ok(()));
        assert_eq!(check::ranks(&tiles, &states), Ok(()));
    }
}

/// Runs a search of a line that ignores breaks, with a limit on states.
type Run = fn(&Line, &Budget) -> Outcome<Vec<u16>>;

#[test]
fn searches_do_not_report_what_an_ignored_break_lost() {
    let runs: [(&str, Run); 7] = [
        ("bfs", |line, budget| bfs::search::<Table<_>, _>(line, budget)),
        ("bfs, predecessors", |line, budget| {
            bfs::search_with_predecessors::<Table<_>, _>(line, budget)
        }),
        ("bidirectional", |line, budget| bidirectional(line, budget, |search| search)),
        ("astar", |line, budget| astar::search(line, line, budget)),
        ("idastar", |line, budget| idastar::search_without_table(line, line, budget)),
        ("idastar, blind", |line, budget| idastar::search_without_table(line, &Blind, budget)),
        ("idastar, table", |line, budget| idastar::search(line, line, budget)),
    ];
    for flaw in [Flaw::ContinuesAfterBreak, Flaw::DropsBreak] {
        for (name, run) in runs {
            for states in 0..40 {
                let limits = Limits { states: Some(states), ..Limits::default() };
                let line = Line::new(flaw);
                let result = catch_unwind(AssertUnwindSafe(|| run(&line, &Budget::new(limits))));
                // A search may never break; otherwise it panics.
                let Ok(outcome) = result else { continue };
                match outcome.verdict {
                    Verdict::Solved { cost, .. } => assert_eq!(cost, 7, "{name}, {states}"),
                    Verdict::Unsolvable => panic!("{name}, {states}: no plan"),
                    Verdict::Stopped { limit, lower_bound, .. } => {
                        assert_eq!(limit, Limit::States, "{name}, {states}");
                        assert!(lower_bound <= 7, "{name}, {states}: {lower_bound}");
                    }
                }
            }
        }
    }
    let panics = catch_unwind(|| {
        moves_along(&Line::new(Flaw::DropsBreak), &[7, 6]);
    });
    assert!(panics.is_err());
}

#[test]
fn plain_idastar_finds_that_a_goal_was_lost() {
    let line = Line::new(Flaw::DropsBreak);
    let run = || idastar::search_without_table(&line, &line, &Budget::unlimited());
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
}
