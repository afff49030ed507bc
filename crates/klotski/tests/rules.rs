//! The rules themselves, the packed space against them, and every engine against a plain search on them.

use std::collections::{BTreeMap, BTreeSet};

use fewest_core::budget::{Budget, Limits};
use fewest_core::explore::{explore, explore_folded};
use fewest_core::grid::Direction;
use fewest_core::visited::Table;
use fewest_core::{Heuristic, StateSpace, Symmetric};
use fewest_klotski::heuristic::Way;
use fewest_klotski::rules::{self, Illegal};
use fewest_klotski::solve::{ENGINES, solve};
use fewest_klotski::space::{Reach, Rectilinear, Space, Straight, Unit, pack, unpack};
use fewest_klotski::{Board, Instance, Metric, Slide};
use fewest_testing::outcomes::{self, Judge};
use fewest_testing::spaces::next_states;
use layouts::read;
use proptest::prelude::*;

mod layouts;

fn slide(text: &str) -> Slide {
    Slide::read(fewest_core::text::Line { number: 1, text }).expect("a move")
}

fn rows(board: &Board) -> String {
    board.chunks(4).map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
}

#[test]
fn a_metric_says_what_is_one_move() {
    let layout = read("CCab/CCcd/e..f/ghij/klmn");
    let play = |text: &str, metric| rules::play(layout.board(), &slide(text), metric).map(|board| rows(&board));
    let around = Ok("CCab/CC.d/ec.f/ghij/klmn".to_owned());
    assert_eq!(play("cS", Metric::Unit), Ok("CCab/CC.d/e.cf/ghij/klmn".to_owned()));
    assert_eq!(play("cSW", Metric::Rectilinear), around);
    assert_eq!(play("cSW", Metric::Straight), Err(Illegal::Turns('c')));
    assert_eq!(play("cSW", Metric::Unit), Err(Illegal::Far { block: 'c', cells: 2 }));
    assert_eq!(play("eEE", Metric::Straight), Ok("CCab/CCcd/..ef/ghij/klmn".to_owned()));
    assert_eq!(play("eEEE", Metric::Straight), Err(Illegal::Blocked { block: 'e', way: Direction::East, steps: 2 }));
    assert_eq!(play("eW", Metric::Unit), Err(Illegal::Blocked { block: 'e', way: Direction::West, steps: 0 }));
    assert_eq!(play("aN", Metric::Unit), Err(Illegal::Blocked { block: 'a', way: Direction::North, steps: 0 }));
    assert_eq!(play("cSN", Metric::Rectilinear), Err(Illegal::Nowhere('c')));
    assert_eq!(play("xN", Metric::Unit), Err(Illegal::NoBlock('x')));
    assert_eq!(play(".N", Metric::Unit), Err(Illegal::NoBlock('.')));
    assert_eq!(play("CS", Metric::Unit), Err(Illegal::Blocked { block: 'C', way: Direction::South, steps: 0 }));
}

/// Holds the space of a metric against the rules along a random walk.
fn twins_agree<M: Reach>(layout: &Instance, walk: &[prop::sample::Index]) -> Result<(), TestCaseError> {
    let space = Space::<M>::new(layout);
    let way = Way::<M>::new();
    let bound = |state| Heuristic::<Space<M>>::bound(&way, Heuristic::<Space<M>>::memo(&way, state)).expect("a bound");
    let mut now = *layout.board();
    for turn in walk {
        let state = pack(&now);
        prop_assert_eq!(pack(&unpack(state)), state);
        prop_assert_eq!(space.is_goal(state), rules::is_solved(&now));
        let next = next_states(&space, state);
        let by_space: BTreeSet<u64> = next.iter().copied().collect();
        prop_assert_eq!(by_space.len(), next.len(), "no successor twice");
        let moves = rules::moves(&now, M::METRIC);
        let by_rules: BTreeSet<u64> = moves.iter().map(|(_, after)| pack(after)).collect();
        prop_assert_eq!(&by_space, &by_rules);
        prop_assert_eq!(by_rules.len(), moves.len(), "no move twice");
        for (slide, after) in &moves {
            prop_assert_eq!(rules::play(&now, slide, M::METRIC), Ok(*after));
        }
        for &next in &next {
            prop_assert!(next_states(&space, next).contains(&state), "undirected");
            prop_assert!(bound(next).abs_diff(bound(state)) <= 1, "consistent");
        }

        let image = space.image(state);
        prop_assert_eq!(space.image(image), state);
        let mirrored: BTreeSet<u64> = next_states(&space, image).into_iter().map(|next| space.image(next)).collect();
        prop_assert_eq!(&mirrored, &by_space, "the image of a move is a move");
        prop_assert_eq!((space.is_goal(image), bound(image)), (space.is_goal(state), bound(state)));
        let mut reversed = now;
        reversed.chunks_mut(4).for_each(<[char]>::reverse);
        prop_assert_eq!(pack(&reversed), image);
        if moves.is_empty() {
            break;
        }
        now = turn.get(&moves).1;
    }
    Ok(())
}

/// A board with blocks that are named by their shape: what it shares with those that differ in names alone.
fn nameless(board: &Board) -> Board {
    let mut cells: BTreeMap<char, Vec<usize>> = BTreeMap::new();
    for (cell, &block) in board.iter().enumerate() {
        cells.entry(block).or_default().push(cell);
    }
    board.map(|block| match cells[&block][..] {
        _ if block == '.' => '.',
        [_] => 's',
        [one, other] if other - one == 1 => 'l',
        [_, _] => 't',
        _ => 'C',
    })
}

/// The fewest moves, by a plain search on the rules.
fn plain_search(layout: &Instance, metric: Metric) -> Option<u32> {
    let next = |board: &Board| rules::moves(board, metric).into_iter().map(|(_, after)| after).collect();
    outcomes::plain_search(*layout.board(), nameless, rules::is_solved, next)
}

/// Every engine on a layout in each metric, with the fewest moves by a plain search on the rules.
fn judged(layout: &Instance, test: impl Fn(Judge<'_, Slide>)) {
    for metric in Metric::ALL {
        test(Judge {
            solve: &|engine, budget| solve(layout, metric, engine, budget).expect("a legal plan").outcome,
            replay: &|plan| rules::replay(layout, plan, metric).is_ok(),
            expected: plain_search(layout, metric),
        });
    }
}

/// Whether so few boards can be reached that a plain search is done at once.
fn few_boards(text: &str, most: u64) -> bool {
    let limits = Limits { states: Some(most), ..Limits::default() };
    let space = Space::<Rectilinear>::new(&read(text));
    explore::<Table<_>, _>(&space, &Budget::new(limits)).limit.is_none()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn space_and_rules_have_the_same_successors(
        text in layouts::texts(),
        walk in prop::collection::vec(any::<prop::sample::Index>(), 1..10),
    ) {
        let layout = read(&text);
        twins_agree::<Rectilinear>(&layout, &walk)?;
        twins_agree::<Straight>(&layout, &walk)?;
        twins_agree::<Unit>(&layout, &walk)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_engine_agrees_with_a_plain_search_on_the_rules(
        text in layouts::texts().prop_filter("few boards", |text| few_boards(text, 600)),
    ) {
        judged(&read(&text), |judge| judge.every_engine(ENGINES));
    }

    #[test]
    fn out_of_budget_it_tells_the_truth(
        text in layouts::texts().prop_filter("few boards", |text| few_boards(text, 600)),
        states in 0u64..300,
    ) {
        judged(&read(&text), |judge| judge.every_engine_of_few_states(ENGINES, states));
    }

    #[test]
    fn components_are_counted_right_with_folding_on_and_off(
        text in layouts::texts().prop_filter("few boards", |text| few_boards(text, 5_000)),
    ) {
        let space = Space::<Unit>::new(&read(&text));
        let folded = explore_folded(&space, &Budget::unlimited());
        prop_assert_eq!(folded.states, explore::<Table<_>, _>(&space, &Budget::unlimited()).states());
    }
}

#[test]
fn named_layouts_agree_with_a_plain_search_on_the_rules() {
    for (name, costs) in
        [("qian-hu-hou-yong", [22, 23, 31]), ("bi-yi-heng-kong", [28, 34, 39]), ("yong-chuang-wu-guan", [34, 37, 46])]
    {
        let layout = read(name);
        assert_eq!(Metric::ALL.map(|metric| plain_search(&layout, metric)), costs.map(Some), "{name}");
    }
}
