//! Published figures of named layouts, and whole components, folded and not.

use std::collections::BTreeSet;

use crate::layouts::read;
use fewest_core::Symmetric;
use fewest_core::budget::Budget;
use fewest_core::explore::{explore, explore_folded, explore_with};
use fewest_core::outcome::Verdict;
use fewest_core::search::bfs;
use fewest_core::symmetry::Folded;
use fewest_core::visited::{Adaptive, Table};
use fewest_klotski::builtin::BUILTINS;
use fewest_klotski::solve::solve;
use fewest_klotski::solve::{Choice, Encoding, Question, ask};
use fewest_klotski::space::classic::Space;
use fewest_klotski::space::{Boards, Reach, Rectilinear, Straight, Unit, unpack};
use fewest_klotski::{Board, Instance, Metric};
use fewest_testing::spaces::next_states;

/// Lines of tab-separated fields, the heading left out.
fn table(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../testdata/klotski/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn the_forty_classics_have_their_optimum_in_each_metric_and_their_component() {
    let classics = table("classic40.tsv");
    assert_eq!(classics.len(), 40);
    for fields in classics {
        let [name, code, board, costs @ .., component] = fields.as_slice() else {
            panic!("{fields:?}")
        };
        let layout = read(name);
        assert_eq!((layout.code().as_ref(), &layout.board().row_text()), (Some(code), board));
        for (metric, cost) in Metric::ALL.into_iter().zip(costs) {
            let answer = solve(&layout, metric, Choice::default(), &Budget::unlimited())
                .expect("a legal plan");
            let found = match answer.outcome.verdict {
                Verdict::Solved { cost, .. } => cost.to_string(),
                Verdict::Unsolvable => "unsolvable".to_owned(),
                Verdict::Stopped { .. } => panic!("{name}: stopped without a limit"),
            };
            assert_eq!(found, *cost, "{name}, {metric}");
        }
        let folded = explore_folded(&space::<Rectilinear>(&layout), &Budget::unlimited());
        assert_eq!(folded.states.to_string(), *component, "{name}");
    }
}

#[test]
fn the_named_layouts_are_those_of_the_table_under_all_their_names() {
    let layouts = table("layouts.tsv");
    assert_eq!((layouts.len(), BUILTINS.len()), (363, 363));
    let mut names = BTreeSet::new();
    for (fields, builtin) in layouts.iter().zip(BUILTINS) {
        let [code, board, classic, titles] = fields.as_slice() else { panic!("{fields:?}") };
        for name in builtin.names {
            assert!(names.insert(*name), "{name} twice");
            let layout = read(name);
            assert_eq!(
                (layout.code().as_ref(), &layout.board().row_text()),
                (Some(code), board),
                "{name}"
            );
        }
        // The board of a code is that of the table, down to the letters.
        assert_eq!(read(code), read(board));
        let slugs =
            builtin.names.iter().take_while(|name| name.is_ascii() && name.contains('-')).count();
        assert_eq!(slugs > 0, classic == "yes", "{titles}");
        assert!(builtin.names[slugs..].iter().copied().eq(titles.split(';')), "{titles}");
    }
    let slugs = names.iter().filter(|name| name.is_ascii()).count();
    assert_eq!((names.len() - slugs, slugs), (559, 40));
}

const HENG_DAO_LI_MA: &str = "aCCb/aCCb/cdde/cfge/h..i";

fn space<M: Reach>(layout: &Instance) -> Space<M> {
    Space::new(layout).expect("classic pieces")
}

/// States, goals, edges from each of their ends, layers and how many boards are farthest.
struct Component;

impl Question for Component {
    type Answer = [u64; 5];

    fn ask<S: Boards>(self, space: &S) -> [u64; 5] {
        let (mut goals, mut edges, mut farthest) = (0, 0, (0, 0));
        let all = explore_with::<Table<_>, _>(space, &Budget::unlimited(), |depth, state| {
            goals += u64::from(space.is_goal(state));
            edges += next_states(space, state).len() as u64;
            farthest = if depth > farthest.0 { (depth, 1) } else { (depth, farthest.1 + 1) };
        });
        assert_eq!(explore_folded(space, &Budget::unlimited()).states, all.states());
        if space.is_symmetric() {
            let orbits = explore::<Table<_>, _>(&Folded(space), &Budget::unlimited());
            assert_eq!((orbits.states(), orbits.layers.len()), (13_011, all.layers.len()));
        }
        [all.states(), goals, edges, u64::from(farthest.0), farthest.1]
    }
}

#[test]
fn the_component_of_heng_dao_li_ma_is_as_published_in_each_encoding() {
    let layout = read(HENG_DAO_LI_MA);
    for encoding in [Encoding::Classic, Encoding::General] {
        let component = |metric| ask(&layout, metric, Some(encoding), Component).expect("few bits");
        assert_eq!(component(Metric::Rectilinear), [25_955, 964, 94_302, 124, 8]);
        assert_eq!(component(Metric::Straight)[..4], [25_955, 964, 88_846, 133]);
        assert_eq!(component(Metric::Unit)[..4], [25_955, 964, 83_896, 167]);
    }
    let folded = explore_folded(&space::<Rectilinear>(&layout), &Budget::unlimited());
    assert_eq!((folded.states, folded.orbits.states(), folded.own_image), (25_955, 13_011, true));
}

#[test]
fn a_component_that_is_not_its_own_mirror_image_has_as_many_states_as_orbits() {
    let layout = read("aabb/c.dd/c.CC/efCC/gghh");
    for (folded, all) in [
        both(&space::<Rectilinear>(&layout)),
        both(&space::<Straight>(&layout)),
        both(&space::<Unit>(&layout)),
    ] {
        assert_eq!((folded.own_image, folded.states, folded.orbits.states()), (false, all, all));
        assert_eq!(all, 742);
    }
}

fn both<M: Reach>(space: &Space<M>) -> (fewest_core::explore::FoldedExploration, u64) {
    (
        explore_folded(space, &Budget::unlimited()),
        explore::<Table<_>, _>(space, &Budget::unlimited()).states(),
    )
}

/// The fewest moves, folded and not.
struct Costs;

impl Question for Costs {
    type Answer = [Option<u32>; 2];

    fn ask<S: Boards>(self, space: &S) -> [Option<u32>; 2] {
        let unfolded = bfs::search_with_predecessors::<Adaptive<_>, _>(space, &Budget::unlimited());
        let folded =
            bfs::search_with_predecessors::<Adaptive<_>, _>(&Folded(space), &Budget::unlimited());
        [unfolded.cost(), folded.cost()]
    }
}

#[test]
fn all_named_layouts_have_the_same_optimum_in_each_encoding_folded_and_unfolded() {
    let mut rectilinear = 0;
    for builtin in BUILTINS {
        let layout = read(builtin.text);
        for metric in Metric::ALL {
            let costs = |encoding| ask(&layout, metric, Some(encoding), Costs).expect("few bits");
            let [unfolded, folded] = costs(Encoding::Classic);
            assert_eq!(unfolded, folded, "{}", builtin.names[0]);
            assert_eq!(costs(Encoding::General), [folded; 2], "{}", builtin.names[0]);
            assert_eq!(
                builtin.about.ends_with(", unsolvable"),
                folded.is_none(),
                "{}",
                builtin.names[0]
            );
            rectilinear += folded.filter(|_| metric == Metric::Rectilinear).unwrap_or(0);
        }
    }
    assert_eq!(rectilinear, 26_222);
}

/// The puzzles of the book and elsewhere, with the fewest moves in each metric and the boards of
/// their components.
#[test]
fn puzzles_at_large_are_as_published() {
    for (text, costs, states) in [
        ("aCCb/cCCd/c.ed/f.eg/hhii", [99, 111, 131], 81_340),
        ("AA11/AA22/34../5677/5688\ngoal: A at 4,1", [59, 62, 83], 1_398),
        ("aaaBB/ccddB/Effgg/EEhhh/..i..\ngoal: B at 1,4\ngoal: E at 2,4", [23, 26, 36], 110_804),
        ("GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo", [51, 51, 81], 4_780),
        ("IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", [60, 60, 103], 2_332),
    ] {
        let puzzle = read(text);
        for (metric, cost) in Metric::ALL.into_iter().zip(costs) {
            let answer = solve(&puzzle, metric, Choice::default(), &Budget::unlimited())
                .expect("a legal plan");
            assert_eq!(answer.outcome.cost(), Some(cost), "{text}, {metric}");
        }
        let counted =
            ask(&puzzle, Metric::Unit, Some(Encoding::General), States).expect("few bits");
        assert_eq!(counted, states, "{text}");
    }
}

struct States;

impl Question for States {
    type Answer = u64;

    fn ask<S: Boards>(self, space: &S) -> u64 {
        explore_folded(space, &Budget::unlimited()).states
    }
}

/// The boards that moving blanks makes, as an older solver has it: a blank goes over the single or
/// along the domino beside it, also through the other blank, and two blanks side by side go
/// together over what is as broad as they are.
fn by_blanks<M: Reach>(space: &Space<M>, board: &Board) -> BTreeSet<u64> {
    let pack = |board: &Vec<char>| space.pack(&Board::of_cells(4, board.clone()));
    let board = board.cells().to_vec();
    let board = &board;
    let blanks: Vec<usize> = (0..20).filter(|&cell| board[cell] == '.').collect();
    let beside = |cell: usize, (down, right): (isize, isize)| {
        let (row, column) = ((cell / 4) as isize + down, (cell % 4) as isize + right);
        ((0..5).contains(&row) && (0..4).contains(&column)).then_some((4 * row + column) as usize)
    };
    // A block by one cell, against the way that the blank goes; `None` if it does not fit.
    let pull = |board: &Vec<char>, block: char, (down, right): (isize, isize)| {
        let mut after: Vec<char> =
            board.iter().map(|&cell| if cell == block { '.' } else { cell }).collect();
        for cell in (0..20).filter(|&cell| board[cell] == block) {
            let to = beside(cell, (-down, -right)).filter(|&to| after[to] == '.')?;
            after[to] = block;
        }
        Some(after)
    };
    let ways = [(-1, 0), (0, 1), (1, 0), (0, -1)];
    let mut made = BTreeSet::new();
    for &blank in &blanks {
        for way in ways {
            let Some(next) = beside(blank, way) else { continue };
            // Singly: what stands there comes into the blank, if it is not broader.
            if board[next] != '.' {
                made.extend(pull(board, board[next], way).map(|after| pack(&after)));
                continue;
            }
            // Through the other blank: what stands beyond comes into that one first.
            for turn in ways {
                let Some(beyond) = beside(next, turn).filter(|&beyond| board[beyond] != '.') else {
                    continue;
                };
                let block = board[beyond];
                let there = pull(board, block, turn).and_then(|after| pull(&after, block, way));
                made.extend(there.map(|after| pack(&after)));
            }
        }
    }
    // Jointly: two blanks side by side, and beside both of them the same block.
    if let [one, other] = blanks[..] {
        for way in ways {
            if let (Some(here), Some(there)) = (beside(one, way), beside(other, way))
                && board[here] == board[there]
                && board[here] != '.'
            {
                made.extend(pull(board, board[here], way).map(|after| pack(&after)));
            }
        }
    }
    made
}

#[test]
fn moving_blanks_gives_the_rectilinear_successors_on_all_states_of_heng_dao_li_ma() {
    let layout = read(HENG_DAO_LI_MA);
    let space = space::<Rectilinear>(&layout);
    let (mut states, mut edges) = (0, 0);
    explore_with::<Table<_>, _>(&space, &Budget::unlimited(), |_, state| {
        let by_blocks: BTreeSet<u64> = next_states(&space, state).into_iter().collect();
        let board = unpack(&space, layout.board(), state);
        let blanks = by_blanks(&space, &board);
        assert_eq!(by_blocks, blanks, "{board}");
        states += 1;
        edges += blanks.len();
    });
    assert_eq!((states, edges), (25_955, 94_302));
    let start = space.pack(layout.board());
    assert_eq!(space.canonical(space.image(start)), start);
}
