//! The rules, the packed spaces compared with the rules, and every engine compared with a plain
//! search on the rules.

use std::collections::BTreeSet;

use crate::layouts::{self, played, read, task};
use fewest_core::Heuristic;
use fewest_core::budget::{Budget, Limits};
use fewest_core::symmetry::Folded;
use fewest_geometry::Direction;
use fewest_klotski::explore::count_boards;
use fewest_klotski::heuristic::GoalDistance;
use fewest_klotski::rules::Illegal;
use fewest_klotski::solve::{ENGINES, solve};
use fewest_klotski::space::wide::Wide;
use fewest_klotski::space::{BoardSpace, general, unpack};
use fewest_klotski::with_space;
use fewest_klotski::{Axis, Board, Encoding, Instance, Metric, Slide, Task};
use fewest_rules::Rules;
use fewest_testing::outcomes::{ExpectedResult, plain_cost};
use fewest_testing::spaces::{explore, next_states, successors};
use proptest::prelude::*;

fn slide(text: &str) -> Slide {
    Slide::read(fewest_rules::text::Line { number: 1, text }).expect("a move")
}

#[test]
fn metrics_decide_which_moves_are_legal() {
    let layout = read("CCab/CCcd/e..f/ghij/klmn");
    let play = |text: &str, metric| {
        played(&task(&layout, metric), layout.board(), &slide(text)).map(|board| board.row_text())
    };
    let around = Ok("CCab/CC.d/ec.f/ghij/klmn".to_owned());
    assert_eq!(play("cS", Metric::Unit), Ok("CCab/CC.d/e.cf/ghij/klmn".to_owned()));
    assert_eq!(play("cSW", Metric::Rectilinear), around);
    assert_eq!(play("cSW", Metric::Straight), Err(Illegal::Turns('c')));
    assert_eq!(play("cSW", Metric::Unit), Err(Illegal::TooFar { piece: 'c', cells: 2 }));
    assert_eq!(play("eEE", Metric::Straight), Ok("CCab/CCcd/..ef/ghij/klmn".to_owned()));
    assert_eq!(
        play("eEEE", Metric::Straight),
        Err(Illegal::Blocked { piece: 'e', direction: Direction::East, cells_before: 2 })
    );
    assert_eq!(
        play("eW", Metric::Unit),
        Err(Illegal::Blocked { piece: 'e', direction: Direction::West, cells_before: 0 })
    );
    assert_eq!(
        play("aN", Metric::Unit),
        Err(Illegal::Blocked { piece: 'a', direction: Direction::North, cells_before: 0 })
    );
    assert_eq!(play("cSN", Metric::Rectilinear), Err(Illegal::ReturnsToStart('c')));
    assert_eq!(play("xN", Metric::Unit), Err(Illegal::NoPiece('x')));
    assert_eq!(play(".N", Metric::Unit), Err(Illegal::NoPiece('.')));
    assert_eq!(
        play("CS", Metric::Unit),
        Err(Illegal::Blocked { piece: 'C', direction: Direction::South, cells_before: 0 })
    );
}

#[test]
fn walls_block_moves_and_locks_confine_pieces() {
    let instance = read("AA#b/A..b/.cc./....\ngoal: A at 3,1\nlock: along b c");
    let play = |text: &str| {
        played(&task(&instance, Metric::Rectilinear), instance.board(), &slide(text))
            .map(|board| board.row_text())
    };
    assert_eq!(play("AS"), Ok("..#b/AA.b/Acc./....".to_owned()));
    assert_eq!(
        play("AEE"),
        Err(Illegal::Blocked { piece: 'A', direction: Direction::East, cells_before: 0 })
    );
    assert_eq!(
        play("AE"),
        Err(Illegal::Blocked { piece: 'A', direction: Direction::East, cells_before: 0 })
    );
    assert_eq!(
        play("bW"),
        Err(Illegal::Locked { piece: 'b', direction: Direction::West, axis: Axis::Vertical })
    );
    assert_eq!(
        play("cWS"),
        Err(Illegal::Locked { piece: 'c', direction: Direction::South, axis: Axis::Horizontal })
    );
    assert_eq!(play("bSS"), Ok("AA#./A.../.ccb/...b".to_owned()));
    assert_eq!(play("cW"), Ok("AA#b/A..b/cc../....".to_owned()));
}

/// Compares a space with the rules on the boards of a random walk.
fn compare_space_with_rules<S: BoardSpace>(
    space: &S,
    instance: &Instance,
    metric: Metric,
    walk: &[prop::sample::Index],
) -> Result<(), TestCaseError> {
    let distance = GoalDistance(space);
    let bound =
        |state| Heuristic::<S>::bound(&distance, Heuristic::<S>::evaluate(&distance, state));
    let task = task(instance, metric);
    let mut board = instance.board().clone();
    let mut starts = Vec::new();
    space.initial(|state| starts.push(state));
    prop_assert_eq!(starts, vec![space.pack(&board)]);
    for choice in walk {
        let state = space.pack(&board);
        prop_assert_eq!(space.pack(&unpack(space, instance.board(), state)), state);
        prop_assert_eq!(space.is_goal(state), task.is_solved(&board));
        let next = next_states(space, state);
        let by_space: BTreeSet<S::State> = next.iter().copied().collect();
        prop_assert_eq!(by_space.len(), next.len(), "no successor is emitted twice");
        let with_board = |slide: Slide| {
            let after = played(&task, &board, &slide).expect("a legal move");
            (slide, after)
        };
        let moves: Vec<_> = task.moves(&board).into_iter().map(with_board).collect();
        let by_rules: BTreeSet<S::State> =
            moves.iter().map(|(_, after)| space.pack(after)).collect();
        prop_assert_eq!(&by_space, &by_rules);
        prop_assert_eq!(by_rules.len(), moves.len(), "no move is listed twice");
        for (slide, after) in &moves {
            let first_cells = (
                board.first_cell(slide.piece).expect("the piece is on the board"),
                after.first_cell(slide.piece).expect("the piece is on the board"),
            );
            prop_assert_eq!(space.moved_piece(state, space.pack(after)), Some(first_cells));
        }
        for (by, next) in successors(space, state) {
            prop_assert!(next_states(space, next).contains(&state), "every move can be undone");
            prop_assert!(
                bound(next).zip(bound(state)).is_none_or(|(one, other)| one.abs_diff(other) <= 1)
            );
            prop_assert_eq!(bound(next).is_some(), bound(state).is_some());
            // A pruned successor is the state before the move or a successor of that state.
            let (mut remaining, all) = (BTreeSet::new(), next_states(space, next));
            let _ = space.successors(next, Some(by), |_, after| {
                remaining.insert(after);
                std::ops::ControlFlow::<()>::Continue(())
            });
            prop_assert!(remaining.iter().all(|after| all.contains(after)));
            prop_assert!(!remaining.contains(&state));
            prop_assert!(all.iter().all(|after| remaining.contains(after)
                || by_space.contains(after)
                || *after == state));
        }

        if space.is_symmetric() {
            let image = space.image(state, 1);
            prop_assert_eq!(space.image(image, 1), state);
            let mirrored: BTreeSet<S::State> =
                next_states(space, image).into_iter().map(|next| space.image(next, 1)).collect();
            prop_assert_eq!(&mirrored, &by_space, "the image of a move is a move");
            prop_assert_eq!(
                (space.is_goal(image), bound(image)),
                (space.is_goal(state), bound(state))
            );
            let (mut moves_and_states, mut canonical) = (Vec::new(), Vec::new());
            let _ = space.successors(state, None, |by, next| {
                moves_and_states.push((by, next));
                std::ops::ControlFlow::<()>::Continue(())
            });
            let _ = space.canonical_successors(state, None, |_, _, next| {
                canonical.push(next);
                std::ops::ControlFlow::<()>::Continue(())
            });
            prop_assert_eq!(canonical.len(), next.len());
            for ((by, next), canonical) in moves_and_states.into_iter().zip(canonical) {
                prop_assert_eq!(space.canonical(next).0, canonical);
                let image_of_next = space.image(next, 1);
                // After the image of a move, the images of the pruned successors are pruned.
                let after = |state, by| {
                    let mut all = BTreeSet::new();
                    let _ = space.successors(state, Some(by), |_, after| {
                        all.insert(after);
                        std::ops::ControlFlow::<()>::Continue(())
                    });
                    all
                };
                let one: BTreeSet<S::State> =
                    after(next, by).into_iter().map(|after| space.image(after, 1)).collect();
                prop_assert_eq!(one, after(image_of_next, space.image_of_move(by, 1)));
            }
        }
        if moves.is_empty() {
            break;
        }
        board = choice.get(&moves).1.clone();
    }
    Ok(())
}

fn compare_with_rules(
    instance: &Instance,
    encoding: Encoding,
    walk: &[prop::sample::Index],
) -> Result<(), TestCaseError> {
    for metric in Metric::ALL {
        let task = task(instance, metric).with_encoding(encoding);
        let compared =
            with_space!(&task, |space| compare_space_with_rules(space, instance, metric, walk));
        compared.expect("at most 192 bits")?;
        if encoding == Encoding::General {
            let wide = general::Space::<Wide>::new(instance, metric).expect("at most 384 cells");
            compare_space_with_rules(&wide, instance, metric, walk)?;
        }
    }
    Ok(())
}

/// For each piece its cells, its character if it has a goal, its lock and its gates.
type Key = Vec<(Vec<usize>, Option<char>, Option<Axis>, Vec<usize>)>;

/// The pieces of a board by their cells, goal, lock and gates. Boards that differ in
/// interchangeable pieces only have the same key.
fn key(instance: &Instance, board: &Board) -> Key {
    let pieces = board.pieces().into_iter().map(|piece| {
        let goal = instance.goals().iter().any(|goal| goal.piece == piece).then_some(piece);
        (board.cells_of(piece), goal, instance.lock(piece), instance.gates_for(piece))
    });
    let mut pieces: Vec<_> = pieces.collect();
    pieces.sort_by(|one, other| one.0.cmp(&other.0));
    pieces
}

/// The cost of a shortest plan, by a plain search on the rules.
fn plain_search(instance: &Instance, metric: Metric) -> Option<u32> {
    plain_cost(&task(instance, metric), |board| format!("{:?}", key(instance, board)))
}

/// Calls `check` with the expected result of a puzzle in each metric and encoding, which a plain
/// search on the rules finds.
fn with_expected(instance: &Instance, check: impl Fn(ExpectedResult<'_, Task>)) {
    for metric in Metric::ALL {
        let cost = plain_search(instance, metric);
        for encoding in [Encoding::Classic, Encoding::General] {
            let task = task(instance, metric).with_encoding(encoding);
            check(ExpectedResult {
                solve: &|engine, budget| {
                    solve(&task, engine, budget).expect("a legal plan").outcome
                },
                cost,
            });
        }
    }
}

/// The numbers of reachable boards without folding, and of orbits; `None` if a limit stops the
/// exploration.
fn count_states<S: BoardSpace>(space: &S, limits: Limits) -> Option<[u64; 2]> {
    let budget = || Budget::new(limits);
    let all = explore(space, &budget());
    let orbits =
        if space.is_symmetric() { explore(&Folded::new(space), &budget()).states() } else { 0 };
    all.limit().is_none().then_some([all.states(), orbits])
}

/// Whether at most `max_boards` boards are reachable, so that a plain search is fast.
fn has_few_boards(text: &str, max_boards: u64) -> bool {
    let limits = Limits { states: Some(max_boards), ..Limits::default() };
    let task = task(&read(text), Metric::Rectilinear);
    with_space!(&task, |space| count_states(space, limits)).is_ok_and(|count| count.is_some())
}

proptest! {
    #![proptest_config(fewest_testing::cases(1000))]

    #[test]
    fn spaces_have_the_successors_of_the_rules(
        layout in layouts::texts(),
        instance in layouts::puzzles(),
        walk in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        compare_with_rules(&read(&layout), Encoding::Classic, &walk)?;
        compare_with_rules(&read(&layout), Encoding::General, &walk)?;
        compare_with_rules(&read(&instance), Encoding::General, &walk)?;
    }
}

/// Puzzles whose classes are lists; lists and a set; lists in 128 bits; lists that are mirror
/// images of one another; lists of which one has pieces that cannot move; and lists of which one
/// cannot reach its goal. All puzzles but one are their own mirror images.
const LIST_PUZZLES: [&str; 6] = [
    "aa.A.bb/..AAA../c.....d/e.....f/g.....h/...i.../.......\ngoal: A at 6,4",
    "abAAcd/e.AA.f/gg..hh/i....j/k....l/......\ngoal: A at 5,3",
    "aa.....bb/..cc...../d...A...e/..A...A../f...A...g/........./.h.....i./........./.........\ngoal: A at 5,5",
    "a..AA..b/a......b/......../c......d/c......d/......../......../..e..f../......../......../........\ngoal: A at 9,4\nlock: vertical abcd",
    "aa.A.bb/..AAA../c.....d/e.....f/g.....h/...i.../k.....k\ngoal: A at 5,4\nlock: horizontal k",
    "aa.A.bb/..AAA../c.....d/e.....f/g.....h/...i.../.......\ngoal: A at 6,4\nlock: horizontal A",
];

proptest! {
    #![proptest_config(fewest_testing::cases(5))]

    #[test]
    fn spaces_with_lists_have_the_successors_of_the_rules(
        walk in prop::collection::vec(any::<prop::sample::Index>(), 3),
    ) {
        for instance in LIST_PUZZLES {
            compare_with_rules(&read(instance), Encoding::General, &walk)?;
        }
    }
}

proptest! {
    #![proptest_config(fewest_testing::cases(200))]

    #[test]
    fn engines_agree_with_a_plain_search_on_the_rules(
        layout in layouts::texts().prop_filter("few boards", |text| has_few_boards(text, 400)),
        instance in layouts::puzzles().prop_filter("few boards", |text| has_few_boards(text, 400)),
    ) {
        with_expected(&read(&layout), |expected| expected.check(ENGINES));
        with_expected(&read(&instance), |expected| expected.check(ENGINES));
    }

    #[test]
    fn stopped_engines_report_valid_bounds(
        layout in layouts::texts().prop_filter("few boards", |text| has_few_boards(text, 400)),
        instance in layouts::puzzles().prop_filter("few boards", |text| has_few_boards(text, 400)),
        states in 0u64..300,
    ) {
        with_expected(&read(&layout), |expected| expected.check_with_state_limit(ENGINES, states));
        with_expected(&read(&instance), |expected| expected.check_with_state_limit(ENGINES, states));
    }

    #[test]
    fn folding_preserves_the_number_of_states(
        layout in layouts::texts().prop_filter("few boards", |text| has_few_boards(text, 5_000)),
        instance in layouts::puzzles().prop_filter("few boards", |text| has_few_boards(text, 5_000)),
    ) {
        for (text, encoding) in [
            (&layout, Encoding::Classic),
            (&layout, Encoding::General),
            (&instance, Encoding::General),
        ] {
            let task = task(&read(text), Metric::Unit).with_encoding(encoding);
            let counted = with_space!(&task, |space| count_states(space, Limits::default()));
            let [all, _] = counted.expect("at most 192 bits").expect("no limit");
            let folded = count_boards(&task, &Budget::unlimited()).expect("at most 192 bits");
            prop_assert_eq!(all, folded.states());
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
