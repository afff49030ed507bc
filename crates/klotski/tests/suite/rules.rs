//! The rules themselves, the packed spaces against them, and every engine against a plain search on
//! them.

use std::collections::BTreeSet;

use crate::layouts::{self, read};
use fewest_core::Heuristic;
use fewest_core::budget::{Budget, Limits};
use fewest_core::explore::{explore, explore_folded};
use fewest_core::grid::Direction;
use fewest_core::symmetry::Folded;
use fewest_core::visited::Table;
use fewest_klotski::heuristic::GoalDistance;
use fewest_klotski::rules::{self, Illegal};
use fewest_klotski::solve::{Choice, ENGINES, Encoding, Question, ask, solve};
use fewest_klotski::space::{Boards, unpack};
use fewest_klotski::{Axis, Board, Instance, Metric, Slide};
use fewest_testing::outcomes::{self, Judge};
use fewest_testing::spaces::{next_states, successors};
use proptest::prelude::*;

fn slide(text: &str) -> Slide {
    Slide::read(fewest_core::text::Line { number: 1, text }).expect("a move")
}

#[test]
fn a_metric_says_what_is_one_move() {
    let layout = read("CCab/CCcd/e..f/ghij/klmn");
    let play = |text: &str, metric| {
        rules::play(&layout, layout.board(), &slide(text), metric).map(|board| board.row_text())
    };
    let around = Ok("CCab/CC.d/ec.f/ghij/klmn".to_owned());
    assert_eq!(play("cS", Metric::Unit), Ok("CCab/CC.d/e.cf/ghij/klmn".to_owned()));
    assert_eq!(play("cSW", Metric::Rectilinear), around);
    assert_eq!(play("cSW", Metric::Straight), Err(Illegal::Turns('c')));
    assert_eq!(play("cSW", Metric::Unit), Err(Illegal::Far { piece: 'c', cells: 2 }));
    assert_eq!(play("eEE", Metric::Straight), Ok("CCab/CCcd/..ef/ghij/klmn".to_owned()));
    assert_eq!(
        play("eEEE", Metric::Straight),
        Err(Illegal::Blocked { piece: 'e', way: Direction::East, steps: 2 })
    );
    assert_eq!(
        play("eW", Metric::Unit),
        Err(Illegal::Blocked { piece: 'e', way: Direction::West, steps: 0 })
    );
    assert_eq!(
        play("aN", Metric::Unit),
        Err(Illegal::Blocked { piece: 'a', way: Direction::North, steps: 0 })
    );
    assert_eq!(play("cSN", Metric::Rectilinear), Err(Illegal::Nowhere('c')));
    assert_eq!(play("xN", Metric::Unit), Err(Illegal::NoPiece('x')));
    assert_eq!(play(".N", Metric::Unit), Err(Illegal::NoPiece('.')));
    assert_eq!(
        play("CS", Metric::Unit),
        Err(Illegal::Blocked { piece: 'C', way: Direction::South, steps: 0 })
    );
}

#[test]
fn walls_stop_what_moves_and_locks_confine_it() {
    let puzzle = read("AA#b/A..b/.cc./....\ngoal: A at 3,1\nlock: along b c");
    let play = |text: &str| {
        rules::play(&puzzle, puzzle.board(), &slide(text), Metric::Rectilinear)
            .map(|board| board.row_text())
    };
    assert_eq!(play("AS"), Ok("..#b/AA.b/Acc./....".to_owned()));
    assert_eq!(play("AEE"), Err(Illegal::Blocked { piece: 'A', way: Direction::East, steps: 0 }));
    assert_eq!(play("AE"), Err(Illegal::Blocked { piece: 'A', way: Direction::East, steps: 0 }));
    assert_eq!(
        play("bW"),
        Err(Illegal::Locked { piece: 'b', way: Direction::West, axis: Axis::Vertical })
    );
    assert_eq!(
        play("cWS"),
        Err(Illegal::Locked { piece: 'c', way: Direction::South, axis: Axis::Horizontal })
    );
    assert_eq!(play("bSS"), Ok("AA#./A.../.ccb/...b".to_owned()));
    assert_eq!(play("cW"), Ok("AA#b/A..b/cc../....".to_owned()));
}

/// A question that a closure for each space answers.
struct Walk<'a> {
    puzzle: &'a Instance,
    metric: Metric,
    walk: &'a [prop::sample::Index],
}

/// Holds the space of a metric against the rules along a random walk.
impl Question for Walk<'_> {
    type Answer = Result<(), TestCaseError>;

    fn ask<S: Boards>(self, space: &S) -> Self::Answer {
        let Self { puzzle, metric, walk } = self;
        let distance = GoalDistance(space);
        let bound =
            |state| Heuristic::<S>::bound(&distance, Heuristic::<S>::evaluate(&distance, state));
        let mut now = puzzle.board().clone();
        let mut starts = Vec::new();
        space.initial(|state| starts.push(state));
        prop_assert_eq!(starts, vec![space.pack(&now)]);
        for turn in walk {
            let state = space.pack(&now);
            prop_assert_eq!(space.pack(&unpack(space, puzzle.board(), state)), state);
            prop_assert_eq!(space.is_goal(state), rules::is_solved(puzzle, &now));
            let next = next_states(space, state);
            let by_space: BTreeSet<S::State> = next.iter().copied().collect();
            prop_assert_eq!(by_space.len(), next.len(), "no successor twice");
            let moves = rules::moves(puzzle, &now, metric);
            let by_rules: BTreeSet<S::State> =
                moves.iter().map(|(_, after)| space.pack(after)).collect();
            prop_assert_eq!(&by_space, &by_rules);
            prop_assert_eq!(by_rules.len(), moves.len(), "no move twice");
            for (slide, after) in &moves {
                prop_assert_eq!(rules::play(puzzle, &now, slide, metric), Ok(after.clone()));
                let places = (
                    now.first_cell(slide.piece).expect("there"),
                    after.first_cell(slide.piece).expect("there"),
                );
                prop_assert_eq!(space.moved(state, space.pack(after)), Some(places));
            }
            for (by, next) in successors(space, state) {
                prop_assert!(next_states(space, next).contains(&state), "undirected");
                prop_assert!(
                    bound(next)
                        .zip(bound(state))
                        .is_none_or(|(one, other)| one.abs_diff(other) <= 1)
                );
                prop_assert_eq!(bound(next).is_some(), bound(state).is_some());
                // What is left out after a move is known from before it.
                let (mut kept, all) = (BTreeSet::new(), next_states(space, next));
                let _ = space.successors(next, Some(by), |_, after| {
                    kept.insert(after);
                    std::ops::ControlFlow::<()>::Continue(())
                });
                prop_assert!(kept.iter().all(|after| all.contains(after)));
                prop_assert!(!kept.contains(&state));
                prop_assert!(all.iter().all(|after| kept.contains(after)
                    || by_space.contains(after)
                    || *after == state));
            }

            if space.is_symmetric() {
                let image = space.image(state);
                prop_assert_eq!(space.image(image), state);
                let mirrored: BTreeSet<S::State> =
                    next_states(space, image).into_iter().map(|next| space.image(next)).collect();
                prop_assert_eq!(&mirrored, &by_space, "the image of a move is a move");
                prop_assert_eq!(
                    (space.is_goal(image), bound(image)),
                    (space.is_goal(state), bound(state))
                );
                let mut images = Vec::new();
                let _ = space.successors_and_images(state, None, |by, next, image| {
                    images.push((by, next, image));
                    std::ops::ControlFlow::<()>::Continue(())
                });
                prop_assert_eq!(images.len(), next.len());
                for (by, next, image_of_next) in images {
                    prop_assert_eq!(space.image(next), image_of_next);
                    // After the image of a move, the images of what was left out are.
                    let after = |state, by| {
                        let mut all = BTreeSet::new();
                        let _ = space.successors(state, Some(by), |_, after| {
                            all.insert(after);
                            std::ops::ControlFlow::<()>::Continue(())
                        });
                        all
                    };
                    let one: BTreeSet<S::State> =
                        after(next, by).into_iter().map(|after| space.image(after)).collect();
                    prop_assert_eq!(one, after(image_of_next, space.image_of_move(by)));
                }
            }
            if moves.is_empty() {
                break;
            }
            now = turn.get(&moves).1.clone();
        }
        Ok(())
    }
}

fn twins_agree(
    puzzle: &Instance,
    encoding: Encoding,
    walk: &[prop::sample::Index],
) -> Result<(), TestCaseError> {
    for metric in Metric::ALL {
        ask(puzzle, metric, Some(encoding), Walk { puzzle, metric, walk }).expect("few bits")?;
    }
    Ok(())
}

/// A board with pieces that are named by their shape and goal: what it shares with those that
/// differ in other names alone.
fn nameless(puzzle: &Instance, board: &Board) -> Vec<(Vec<usize>, Option<char>, Option<Axis>)> {
    let pieces = board.pieces().into_iter().map(|piece| {
        let goal = puzzle.goals().iter().any(|goal| goal.piece == piece).then_some(piece);
        (board.cells_of(piece), goal, puzzle.lock(piece))
    });
    let mut pieces: Vec<_> = pieces.collect();
    pieces.sort_by(|one, other| one.0.cmp(&other.0));
    pieces
}

/// The fewest moves, by a plain search on the rules.
fn plain_search(puzzle: &Instance, metric: Metric) -> Option<u32> {
    let next = |board: &Board| {
        rules::moves(puzzle, board, metric).into_iter().map(|(_, after)| after).collect()
    };
    let key = |board: &Board| format!("{:?}", nameless(puzzle, board));
    outcomes::plain_search(
        puzzle.board().clone(),
        key,
        |board| rules::is_solved(puzzle, board),
        next,
    )
}

/// Every engine on a puzzle in each metric and encoding, with the fewest moves by a plain search on
/// the rules.
fn judged(puzzle: &Instance, test: impl Fn(Judge<'_, Slide>)) {
    for metric in Metric::ALL {
        let expected = plain_search(puzzle, metric);
        for encoding in [Encoding::Classic, Encoding::General] {
            let choice = |engine| Choice { engine, encoding: Some(encoding) };
            test(Judge {
                solve: &|engine, budget| {
                    solve(puzzle, metric, choice(engine), budget).expect("a legal plan").outcome
                },
                replay: &|plan| rules::replay(puzzle, plan, metric).is_ok(),
                expected,
            });
        }
    }
}

/// How many boards can be reached, folded and not.
struct Count(Limits);

impl Question for Count {
    type Answer = Option<[u64; 3]>;

    fn ask<S: Boards>(self, space: &S) -> Option<[u64; 3]> {
        let budget = || Budget::new(self.0);
        let all = explore::<Table<_>, _>(space, &budget());
        let folded = explore_folded(space, &budget());
        let orbits = if space.is_symmetric() {
            explore::<Table<_>, _>(&Folded(space), &budget()).states()
        } else {
            0
        };
        all.limit.is_none().then_some([all.states(), folded.states, orbits])
    }
}

/// Whether so few boards can be reached that a plain search is done at once.
fn few_boards(text: &str, most: u64) -> bool {
    let limits = Limits { states: Some(most), ..Limits::default() };
    ask(&read(text), Metric::Rectilinear, None, Count(limits)).is_ok_and(|count| count.is_some())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn spaces_and_rules_have_the_same_successors(
        layout in layouts::texts(),
        puzzle in layouts::puzzles(),
        walk in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        twins_agree(&read(&layout), Encoding::Classic, &walk)?;
        twins_agree(&read(&layout), Encoding::General, &walk)?;
        twins_agree(&read(&puzzle), Encoding::General, &walk)?;
    }
}

/// Puzzles, all but one their own mirror image, whose classes are lists; lists and a set; lists in
/// 128 bits; lists that become each other in the mirror; a list that cannot move beside others; and
/// a goal out of reach of a list.
const FORMS: [&str; 6] = [
    "aa.A.bb/..AAA../c.....d/e.....f/g.....h/...i.../.......\ngoal: A at 6,4",
    "abAAcd/e.AA.f/gg..hh/i....j/k....l/......\ngoal: A at 5,3",
    "aa.....bb/..cc...../d...A...e/..A...A../f...A...g/........./.h.....i./........./.........\ngoal: A at 5,5",
    "a..AA..b/a......b/......../c......d/c......d/......../......../..e..f../......../......../........\ngoal: A at 9,4\nlock: vertical abcd",
    "aa.A.bb/..AAA../c.....d/e.....f/g.....h/...i.../k.....k\ngoal: A at 5,4\nlock: horizontal k",
    "aa.A.bb/..AAA../c.....d/e.....f/g.....h/...i.../.......\ngoal: A at 6,4\nlock: horizontal A",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5))]

    #[test]
    fn lists_beside_sets_have_the_same_successors_too(
        walk in prop::collection::vec(any::<prop::sample::Index>(), 3),
    ) {
        for puzzle in FORMS {
            twins_agree(&read(puzzle), Encoding::General, &walk)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_engine_agrees_with_a_plain_search_on_the_rules(
        layout in layouts::texts().prop_filter("few boards", |text| few_boards(text, 400)),
        puzzle in layouts::puzzles().prop_filter("few boards", |text| few_boards(text, 400)),
    ) {
        judged(&read(&layout), |judge| judge.every_engine(ENGINES));
        judged(&read(&puzzle), |judge| judge.every_engine(ENGINES));
    }

    #[test]
    fn out_of_budget_they_tell_the_truth(
        layout in layouts::texts().prop_filter("few boards", |text| few_boards(text, 400)),
        puzzle in layouts::puzzles().prop_filter("few boards", |text| few_boards(text, 400)),
        states in 0u64..300,
    ) {
        judged(&read(&layout), |judge| judge.every_engine_of_few_states(ENGINES, states));
        judged(&read(&puzzle), |judge| judge.every_engine_of_few_states(ENGINES, states));
    }

    #[test]
    fn components_are_counted_right_with_folding_on_and_off(
        layout in layouts::texts().prop_filter("few boards", |text| few_boards(text, 5_000)),
        puzzle in layouts::puzzles().prop_filter("few boards", |text| few_boards(text, 5_000)),
    ) {
        for (text, encoding) in
            [(&layout, Encoding::Classic), (&layout, Encoding::General), (&puzzle, Encoding::General)]
        {
            let counted = ask(&read(text), Metric::Unit, Some(encoding), Count(Limits::default())).expect("few bits");
            let [all, folded, _] = counted.expect("no limit");
            prop_assert_eq!(all, folded);
        }
    }
}

#[test]
fn named_layouts_agree_with_a_plain_search_on_the_rules() {
    for (name, costs) in [
        ("qian-hu-hou-yong", [22, 23, 31]),
        ("bi-yi-heng-kong", [28, 34, 39]),
        ("yong-chuang-wu-guan", [34, 37, 46]),
    ] {
        let layout = read(name);
        assert_eq!(
            Metric::ALL.map(|metric| plain_search(&layout, metric)),
            costs.map(Some),
            "{name}"
        );
    }
}
