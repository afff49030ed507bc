//! Published figures of named layouts and of whole components, with and without folding.

use std::collections::BTreeSet;

use crate::layouts::{read, task};
use fewest_core::budget::{Budget, Limits};
use fewest_core::check;
use fewest_core::outcome::Verdict;
use fewest_core::search::Search;
use fewest_core::symmetry::{Folded, Symmetric};
use fewest_klotski::builtin::BUILTINS;
use fewest_klotski::heuristic::GoalDistance;
use fewest_klotski::solve::solve;
use fewest_klotski::space::classic::Space;
use fewest_klotski::space::{BoardSpace, Rectilinear, StaticMetric, Straight, Unit, unpack};
use fewest_klotski::with_space;
use fewest_klotski::{Board, Encoding, Instance, Metric};
use fewest_testing::spaces::{explore, explore_states, next_states};

/// The lines of a test data file as tab-separated fields, without the header.
fn table(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../testdata/klotski/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn classics_have_the_published_costs_and_component_sizes() {
    let classics = table("classic40.tsv");
    assert_eq!(classics.len(), 40);
    for fields in classics {
        let [name, code, board, costs @ .., component] = fields.as_slice() else {
            panic!("{fields:?}")
        };
        let layout = read(name);
        assert_eq!((layout.code().as_ref(), &layout.board().row_text()), (Some(code), board));
        for (metric, cost) in Metric::ALL.into_iter().zip(costs) {
            let answer =
                solve(&task(&layout, metric), None, &Budget::unlimited()).expect("a legal plan");
            let found = match answer.outcome.verdict {
                Verdict::Solved { cost, .. } => cost.to_string(),
                Verdict::Unsolvable => "unsolvable".to_owned(),
                Verdict::Stopped { .. } => panic!("{name}: stopped without a limit"),
            };
            assert_eq!(found, *cost, "{name}, {metric}");
        }
        let all = explore(&space::<Rectilinear>(&layout), &Budget::unlimited());
        assert_eq!(all.states().to_string(), *component, "{name}");
    }
}

#[test]
fn builtins_match_the_table_of_layouts() {
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
        // The board of a code also has the characters of the table.
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

fn space<M: StaticMetric>(layout: &Instance) -> Space<M> {
    Space::new(layout).expect("classic pieces")
}

/// The numbers of states, goals and edges (counted from both ends), the eccentricity of the start
/// and the number of farthest states.
fn component_counts<S: BoardSpace>(space: &S) -> [u64; 5] {
    let (mut goals, mut edges, mut farthest) = (0, 0, (0, 0));
    let all = explore_states(space, &Budget::unlimited(), |depth, state| {
        goals += u64::from(space.is_goal(state));
        edges += next_states(space, state).len() as u64;
        farthest = if depth > farthest.0 { (depth, 1) } else { (depth, farthest.1 + 1) };
    });
    if space.is_symmetric() {
        let orbits = explore(&Folded::new(space), &Budget::unlimited());
        assert_eq!((orbits.states(), orbits.layers.len()), (13_011, all.layers.len()));
    }
    [all.states(), goals, edges, u64::from(farthest.0), farthest.1]
}

#[test]
fn component_of_heng_dao_li_ma_matches_published_figures() {
    let layout = read(HENG_DAO_LI_MA);
    for encoding in [Encoding::Classic, Encoding::General] {
        let component = |metric| {
            let task = task(&layout, metric).with_encoding(encoding);
            with_space!(&task, |space| component_counts(space)).expect("at most 192 bits")
        };
        assert_eq!(component(Metric::Rectilinear), [25_955, 964, 94_302, 124, 8]);
        assert_eq!(component(Metric::Straight)[..4], [25_955, 964, 88_846, 133]);
        assert_eq!(component(Metric::Unit)[..4], [25_955, 964, 83_896, 167]);
    }
}

#[test]
fn component_without_symmetry_has_as_many_states_as_orbits() {
    let layout = read("aabb/c.dd/c.CC/efCC/gghh");
    for counts in [
        explore_both(&space::<Rectilinear>(&layout)),
        explore_both(&space::<Straight>(&layout)),
        explore_both(&space::<Unit>(&layout)),
    ] {
        assert_eq!(counts, [742; 2]);
    }
}

/// The numbers of states with and without folding.
fn explore_both<M: StaticMetric>(space: &Space<M>) -> [u64; 2] {
    let budget = Budget::unlimited();
    [explore(&Folded::new(space), &budget).states(), explore(space, &budget).states()]
}

/// The costs of a shortest plan without and with folding.
fn costs_in<S: BoardSpace>(space: &S) -> [Option<u32>; 2] {
    let unfolded = Search::new(space).predecessors().run();
    let folded = Search::new(&Folded::new(space)).predecessors().run();
    [unfolded.cost(), folded.cost()]
}

#[test]
fn builtins_have_the_same_cost_in_each_encoding_with_and_without_folding() {
    let mut rectilinear_sum = 0;
    for builtin in BUILTINS {
        let layout = read(builtin.text);
        for metric in Metric::ALL {
            let costs = |encoding| {
                let task = task(&layout, metric).with_encoding(encoding);
                with_space!(&task, |space| costs_in(space)).expect("at most 192 bits")
            };
            let [unfolded, folded] = costs(Encoding::Classic);
            assert_eq!(unfolded, folded, "{}", builtin.names[0]);
            assert_eq!(costs(Encoding::General), [folded; 2], "{}", builtin.names[0]);
            if metric == Metric::Rectilinear {
                assert_eq!(builtin.moves, folded, "{}", builtin.names[0]);
                rectilinear_sum += folded.unwrap_or(0);
            }
        }
    }
    assert_eq!(rectilinear_sum, 26_222);
}

/// Puzzles with the cost in each metric and the number of boards in their component.
#[test]
fn general_puzzles_match_published_figures() {
    for (text, costs, states) in [
        ("aCCb/cCCd/c.ed/f.eg/hhii", [99, 111, 131], 81_340),
        ("AA11/AA22/34../5677/5688\ngoal: A at 4,1", [59, 62, 83], 1_398),
        ("aaaBB/ccddB/Effgg/EEhhh/..i..\ngoal: B at 1,4\ngoal: E at 2,4", [23, 26, 36], 110_804),
        ("GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo", [51, 51, 81], 4_780),
        ("IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", [60, 60, 103], 2_332),
    ] {
        let instance = read(text);
        for (metric, cost) in Metric::ALL.into_iter().zip(costs) {
            let answer =
                solve(&task(&instance, metric), None, &Budget::unlimited()).expect("a legal plan");
            assert_eq!(answer.outcome.cost(), Some(cost), "{text}, {metric}");
        }
        let task = task(&instance, Metric::Unit).with_encoding(Encoding::General);
        let counted = with_space!(&task, |space| explore(space, &Budget::unlimited()).states());
        assert_eq!(counted, Ok(states), "{text}");
    }
}

/// The successors of a board with two blanks, generated by moving blanks instead of pieces, as an
/// older solver does. A blank moves across the single next to it or along the domino next to it,
/// also by way of the other blank. Two adjacent blanks move together across a piece that is as wide
/// as both of them.
fn successors_by_blanks<M: StaticMetric>(space: &Space<M>, board: &Board) -> BTreeSet<u64> {
    let pack = |board: &Vec<char>| space.pack(&Board::of_cells(4, board.clone()));
    let board = board.cells().to_vec();
    let board = &board;
    let blanks: Vec<usize> = (0..20).filter(|&cell| board[cell] == '.').collect();
    let adjacent = |cell: usize, (down, right): (isize, isize)| {
        let (row, column) = ((cell / 4) as isize + down, (cell % 4) as isize + right);
        ((0..5).contains(&row) && (0..4).contains(&column)).then_some((4 * row + column) as usize)
    };
    // Moves a piece by one cell, opposite to the direction of the blank; `None` if it does not fit.
    let pull = |board: &Vec<char>, piece: char, (down, right): (isize, isize)| {
        let mut after: Vec<char> =
            board.iter().map(|&cell| if cell == piece { '.' } else { cell }).collect();
        for cell in (0..20).filter(|&cell| board[cell] == piece) {
            let to = adjacent(cell, (-down, -right)).filter(|&to| after[to] == '.')?;
            after[to] = piece;
        }
        Some(after)
    };
    let directions = [(-1, 0), (0, 1), (1, 0), (0, -1)];
    let mut successors = BTreeSet::new();
    for &blank in &blanks {
        for direction in directions {
            let Some(next) = adjacent(blank, direction) else { continue };
            // One blank: the piece next to it moves onto it, if the piece is not wider.
            if board[next] != '.' {
                successors.extend(pull(board, board[next], direction).map(|after| pack(&after)));
                continue;
            }
            // By way of the other blank: the piece next to that one moves onto it first.
            for turn in directions {
                let Some(beyond) = adjacent(next, turn).filter(|&beyond| board[beyond] != '.')
                else {
                    continue;
                };
                let piece = board[beyond];
                let there =
                    pull(board, piece, turn).and_then(|after| pull(&after, piece, direction));
                successors.extend(there.map(|after| pack(&after)));
            }
        }
    }
    // Both blanks: the same piece is next to each of them.
    if let [one, other] = blanks[..] {
        for direction in directions {
            if let (Some(here), Some(there)) =
                (adjacent(one, direction), adjacent(other, direction))
                && board[here] == board[there]
                && board[here] != '.'
            {
                successors.extend(pull(board, board[here], direction).map(|after| pack(&after)));
            }
        }
    }
    successors
}

#[test]
fn moving_blanks_gives_the_rectilinear_successors() {
    let layout = read(HENG_DAO_LI_MA);
    let space = space::<Rectilinear>(&layout);
    let (mut states, mut edges) = (0, 0);
    explore_states(&space, &Budget::unlimited(), |_, state| {
        let by_pieces: BTreeSet<u64> = next_states(&space, state).into_iter().collect();
        let board = unpack(&space, layout.board(), state);
        let by_blanks = successors_by_blanks(&space, &board);
        assert_eq!(by_pieces, by_blanks, "{board}");
        states += 1;
        edges += by_blanks.len();
    });
    assert_eq!((states, edges), (25_955, 94_302));
    let start = space.pack(layout.board());
    assert_eq!(space.canonical(space.image(start, 1)).0, start);
}

/// Checks all that a space promises.
fn check_promises<S: BoardSpace>(space: &S) -> Result<(), String> {
    let budget = Budget::new(Limits { states: Some(30_000), ..Limits::default() });
    let states = check::reachable(space, 150);
    let distance = GoalDistance(space);
    let mut checks = vec![
        check::space(space, &states),
        check::predecessors(space, &states),
        check::heuristic(space, &distance, &states[..20.min(states.len())], &budget),
        check::consistency(space, &distance, &states),
    ];
    if space.is_symmetric() {
        let folded = Folded::new(space);
        let states = check::reachable(&folded, 150);
        checks.extend([
            check::symmetry(space, &states),
            check::space(&folded, &states),
            check::predecessors(&folded, &states),
        ]);
    }
    checks.into_iter().collect::<Result<_, _>>().map_err(|violation| violation.to_string())
}

#[test]
fn spaces_keep_their_promises() {
    for name in
        [HENG_DAO_LI_MA, "AB.\nC.D\n.EE\ngoal: A at 3,3\n", "aab.\ncab.\nc.dd\ngoal: b at 1,4\n"]
    {
        for metric in Metric::ALL {
            for encoding in [Encoding::Auto, Encoding::General] {
                let task = task(&read(name), metric).with_encoding(encoding);
                let checked = with_space!(&task, |space| check_promises(space));
                assert_eq!(checked, Ok(Ok(())), "{name}, {metric}, {encoding:?}");
            }
        }
    }
}
