//! Published figures of named layouts, and whole components, folded and not.

use std::collections::BTreeSet;

use fewest_core::budget::Budget;
use fewest_core::explore::{explore, explore_folded, explore_with};
use fewest_core::outcome::Verdict;
use fewest_core::search::bfs;
use fewest_core::symmetry::Folded;
use fewest_core::visited::Table;
use fewest_core::{StateSpace, Symmetric};
use fewest_klotski::builtin::BUILTINS;
use fewest_klotski::solve::solve;
use fewest_klotski::space::{Reach, Rectilinear, Space, Straight, Unit, pack, unpack};
use fewest_klotski::{Board, Metric};
use fewest_testing::spaces::next_states;
use layouts::read;

mod layouts;

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
        let [name, code, board, costs @ .., component] = fields.as_slice() else { panic!("{fields:?}") };
        let layout = read(name);
        assert_eq!((&layout.code(), &layout.row_text()), (code, board));
        for (metric, cost) in Metric::ALL.into_iter().zip(costs) {
            let answer = solve(&layout, metric, None, &Budget::unlimited()).expect("a legal plan");
            let found = match answer.outcome.verdict {
                Verdict::Solved { cost, .. } => cost.to_string(),
                Verdict::Unsolvable => "unsolvable".to_owned(),
                Verdict::Stopped { .. } => panic!("{name}: stopped without a limit"),
            };
            assert_eq!(found, *cost, "{name}, {metric}");
        }
        let folded = explore_folded(&Space::<Rectilinear>::new(&layout), &Budget::unlimited());
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
            assert_eq!((&layout.code(), &layout.row_text()), (code, board), "{name}");
        }
        // The board of a code is that of the table, down to the letters.
        assert_eq!(read(code), read(board));
        let slugs = builtin.names.iter().take_while(|name| name.is_ascii() && name.contains('-')).count();
        assert_eq!(slugs > 0, classic == "yes", "{titles}");
        assert!(builtin.names[slugs..].iter().copied().eq(titles.split(';')), "{titles}");
    }
    let slugs = names.iter().filter(|name| name.is_ascii()).count();
    assert_eq!((names.len() - slugs, slugs), (559, 40));
}

const HENG_DAO_LI_MA: &str = "aCCb/aCCb/cdde/cfge/h..i";

#[test]
fn the_component_of_heng_dao_li_ma_is_as_published() {
    let layout = read(HENG_DAO_LI_MA);
    let space = Space::<Rectilinear>::new(&layout);
    let (mut goals, mut farthest) = (0, (0, 0));
    let all = explore_with::<Table<_>, _>(&space, &Budget::unlimited(), |depth, state| {
        goals += u32::from(space.is_goal(state));
        farthest = if depth > farthest.0 { (depth, 1) } else { (depth, farthest.1 + 1) };
    });
    assert_eq!((all.states(), goals, farthest), (25_955, 964, (124, 8)));
    let folded = explore_folded(&space, &Budget::unlimited());
    assert_eq!((folded.states, folded.orbits.states(), folded.own_image), (25_955, 13_011, true));
    let orbits = explore::<Table<_>, _>(&Folded(&space), &Budget::unlimited());
    assert_eq!((orbits.states(), orbits.layers.len()), (13_011, 125));

    // Each edge is generated once from each of its ends.
    assert_eq!(all.stats.generated, 94_302);
    let straight = explore::<Table<_>, _>(&Space::<Straight>::new(&layout), &Budget::unlimited());
    assert_eq!((straight.stats.generated, straight.layers.len()), (88_846, 134));
    let unit = explore::<Table<_>, _>(&Space::<Unit>::new(&layout), &Budget::unlimited());
    assert_eq!((unit.stats.generated, unit.layers.len()), (83_896, 168));
}

#[test]
fn a_component_that_is_not_its_own_mirror_image_has_as_many_states_as_orbits() {
    let layout = read("aabb/c.dd/c.CC/efCC/gghh");
    for (folded, all) in [
        both::<Rectilinear>(&Space::new(&layout)),
        both::<Straight>(&Space::new(&layout)),
        both::<Unit>(&Space::new(&layout)),
    ] {
        assert_eq!((folded.own_image, folded.states, folded.orbits.states()), (false, all, all));
        assert_eq!(all, 742);
    }
}

fn both<M: Reach>(space: &Space<M>) -> (fewest_core::explore::FoldedExploration, u64) {
    (explore_folded(space, &Budget::unlimited()), explore::<Table<_>, _>(space, &Budget::unlimited()).states())
}

#[test]
fn all_named_layouts_have_the_same_optimum_folded_and_unfolded() {
    fn costs<M: Reach>(space: &Space<M>) -> [Option<u32>; 2] {
        let unfolded = bfs::search_with_predecessors::<Table<_>, _>(space, &Budget::unlimited());
        let folded = bfs::search_with_predecessors::<Table<_>, _>(&Folded(space), &Budget::unlimited());
        [unfolded.cost(), folded.cost()]
    }
    for builtin in BUILTINS {
        let layout = read(builtin.text);
        for [unfolded, folded] in [
            costs::<Rectilinear>(&Space::new(&layout)),
            costs::<Straight>(&Space::new(&layout)),
            costs::<Unit>(&Space::new(&layout)),
        ] {
            assert_eq!(unfolded, folded, "{}", builtin.names[0]);
            assert_eq!(builtin.about.ends_with(", unsolvable"), folded.is_none(), "{}", builtin.names[0]);
        }
    }
}

/// The boards that moving blanks makes, as an older solver has it: a blank goes over the single or along the domino beside
/// it, also through the other blank, and two blanks side by side go together over what is as broad as they are.
fn by_blanks(board: &Board) -> BTreeSet<u64> {
    let blanks: Vec<usize> = (0..20).filter(|&cell| board[cell] == '.').collect();
    let beside = |cell: usize, (down, right): (isize, isize)| {
        let (row, column) = ((cell / 4) as isize + down, (cell % 4) as isize + right);
        ((0..5).contains(&row) && (0..4).contains(&column)).then_some((4 * row + column) as usize)
    };
    // A block by one cell, against the way that the blank goes; `None` if it does not fit.
    let pull = |board: &Board, block: char, (down, right): (isize, isize)| {
        let mut after = board.map(|cell| if cell == block { '.' } else { cell });
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
                let Some(beyond) = beside(next, turn).filter(|&beyond| board[beyond] != '.') else { continue };
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
    let space = Space::<Rectilinear>::new(&read(HENG_DAO_LI_MA));
    let (mut states, mut edges) = (0, 0);
    explore_with::<Table<_>, _>(&space, &Budget::unlimited(), |_, state| {
        let by_blocks: BTreeSet<u64> = next_states(&space, state).into_iter().collect();
        let blanks = by_blanks(&unpack(state));
        assert_eq!(by_blocks, blanks, "{:?}", unpack(state));
        states += 1;
        edges += blanks.len();
    });
    assert_eq!((states, edges), (25_955, 94_302));
    assert_eq!(space.canonical(space.image(pack(read(HENG_DAO_LI_MA).board()))), pack(read(HENG_DAO_LI_MA).board()));
}
