//! What is told of components, of all shortest plans and of new boards, against a plain search on
//! the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::layouts::{self, read};
use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::outcome::Verdict;
use fewest_core::random::Random;
use fewest_core::search::Engine;
use fewest_klotski::explore::{count, diameter, explore, network};
use fewest_klotski::generate::{Source, Wanted, generate};
use fewest_klotski::plans::{difficulty, every};
use fewest_klotski::solve::{Choice, Encoding, solve};
use fewest_klotski::{Board, Instance, Metric, rules};
use proptest::prelude::*;

/// What tells boards apart: the cells of each piece, by shape and lock, and its character if it has
/// a goal.
type Key = Vec<(Vec<usize>, Option<char>, String)>;

fn key(puzzle: &Instance, board: &Board) -> Key {
    let pieces = board.pieces().into_iter().map(|piece| {
        let goal = puzzle.goals().iter().any(|goal| goal.piece == piece).then_some(piece);
        (board.cells_of(piece), goal, format!("{:?}", puzzle.lock(piece)))
    });
    let mut pieces: Vec<_> = pieces.collect();
    pieces.sort();
    pieces
}

/// All boards that can be reached, each with those that a move makes of it.
struct Plain {
    boards: Vec<Board>,
    next: Vec<BTreeSet<usize>>,
}

impl Plain {
    fn of(puzzle: &Instance, metric: Metric) -> Self {
        let mut numbers = BTreeMap::from([(key(puzzle, puzzle.board()), 0)]);
        let (mut boards, mut next) = (vec![puzzle.board().clone()], Vec::new());
        while next.len() < boards.len() {
            let mut ends = BTreeSet::new();
            for (_, after) in rules::moves(puzzle, &boards[next.len()].clone(), metric) {
                let number = *numbers.entry(key(puzzle, &after)).or_insert(boards.len());
                if number == boards.len() {
                    boards.push(after);
                }
                ends.insert(number);
            }
            next.push(ends);
        }
        Self { boards, next }
    }

    fn distances(&self, from: &[usize]) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.boards.len()];
        let mut layer = from.to_vec();
        for depth in 0.. {
            layer.retain(|&board| distances[board].is_none());
            if layer.is_empty() {
                break;
            }
            layer.iter().for_each(|&board| distances[board] = Some(depth));
            layer = layer.iter().flat_map(|&board| self.next[board].iter().copied()).collect();
        }
        distances
    }

    fn goals(&self, puzzle: &Instance) -> Vec<usize> {
        (0..self.boards.len())
            .filter(|&board| rules::is_solved(puzzle, &self.boards[board]))
            .collect()
    }

    /// All shortest plans from the start to a goal, as boards.
    fn plans(&self, puzzle: &Instance) -> Vec<Vec<usize>> {
        let to_goal = self.distances(&self.goals(puzzle));
        let mut plans = vec![vec![0]];
        while let Some(left) = to_goal[plans[0][plans[0].len() - 1]].filter(|&left| left > 0) {
            let longer = |plan: &Vec<usize>| {
                let ends = self.next[plan[plan.len() - 1]]
                    .iter()
                    .filter(|&&end| to_goal[end] == Some(left - 1));
                ends.map(|&end| [plan.clone(), vec![end]].concat()).collect::<Vec<_>>()
            };
            plans = plans.iter().flat_map(longer).collect();
            if plans.len() > 5_000 {
                break;
            }
        }
        plans
    }
}

/// The last depth, and how many boards lie there.
fn last(distances: &[Option<u32>]) -> (u32, u64) {
    let most = distances.iter().flatten().copied().max().unwrap_or(0);
    (most, distances.iter().filter(|&&distance| distance == Some(most)).count() as u64)
}

fn few_boards(text: &str, most: u64) -> bool {
    let limits = Limits { states: Some(most), ..Limits::default() };
    explore(&read(text), Metric::Unit, None, &Budget::new(limits))
        .is_ok_and(|component| component.limit.is_none())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn components_are_as_a_plain_search_finds_them(
        text in prop_oneof![layouts::puzzles(), layouts::texts(), layouts::large()].prop_filter("few boards", |text| few_boards(text, 120)),
    ) {
        let puzzle = read(&text);
        for metric in Metric::ALL {
            let plain = Plain::of(&puzzle, metric);
            let found = explore(&puzzle, metric, None, &Budget::unlimited()).expect("few bits");
            let (depths, goals) = (plain.distances(&[0]), plain.goals(&puzzle));
            prop_assert_eq!((found.boards, found.goals), (plain.boards.len() as u64, goals.len() as u64));
            for (depth, &boards) in found.layers.iter().enumerate() {
                prop_assert_eq!(depths.iter().filter(|&&at| at == Some(depth as u32)).count() as u64, boards);
            }
            prop_assert_eq!((found.farthest.moves, found.farthest.boards), last(&depths));
            let there = |board: &Board| plain.boards.iter().position(|other| key(&puzzle, other) == key(&puzzle, board));
            let at = there(&found.farthest.board).expect("a board of the component");
            prop_assert_eq!(depths[at], Some(found.farthest.moves));
            let to_goal = plain.distances(&goals);
            let hardest = found.hardest.expect("no limit");
            prop_assert_eq!(hardest.is_some(), !goals.is_empty());
            if let Some(hardest) = hardest {
                prop_assert_eq!((hardest.moves, hardest.boards), last(&to_goal));
                prop_assert_eq!(to_goal[there(&hardest.board).expect("of the component")], Some(hardest.moves));
            }
            let eccentricities: Vec<u32> = (0..plain.boards.len()).map(|from| last(&plain.distances(&[from])).0).collect();
            let extreme = diameter(&puzzle, metric, None, &Budget::unlimited(), |_| {}).expect("no limit");
            prop_assert_eq!(Some(&extreme.diameter), eccentricities.iter().max());
            prop_assert_eq!(Some(&extreme.radius), eccentricities.iter().min());
            prop_assert_eq!(count(&puzzle, metric, None, &Budget::unlimited()).expect("few bits").layers, found.layers);
            let network = network(&puzzle, metric, None, &Budget::unlimited()).expect("no limit");
            prop_assert_eq!(network.boards.len(), plain.boards.len());
            prop_assert_eq!(2 * network.moves().count(), plain.next.iter().map(BTreeSet::len).sum::<usize>());
        }
    }

    #[test]
    fn all_shortest_plans_are_counted_and_what_they_say_is_so(
        text in prop_oneof![3 => layouts::puzzles(), 1 => layouts::large()].prop_filter("few boards", |text| few_boards(text, 120)),
    ) {
        let puzzle = read(&text);
        for metric in Metric::ALL {
            let plain = Plain::of(&puzzle, metric);
            let hard = difficulty(&puzzle, metric, None, &Budget::unlimited()).expect("no limit");
            let found = every(&puzzle, metric, None, 10_000, &Budget::unlimited()).expect("legal plans");
            prop_assert_eq!(hard.is_some(), found.plan().is_some());
            let (Some(hard), Some(every)) = (hard, found.plan()) else {
                prop_assert!(plain.goals(&puzzle).is_empty());
                continue;
            };
            let plans = plain.plans(&puzzle);
            if plans.len() > 2_000 {
                continue;
            }
            prop_assert_eq!((every.count, hard.plans), (Some(plans.len() as u128), Some(plans.len() as u128)));
            prop_assert_eq!(every.plans.len(), plans.len());
            prop_assert_eq!(hard.moves as usize, plans[0].len() - 1);
            for plan in &every.plans {
                prop_assert!(rules::replay(&puzzle, plan, metric).is_ok());
            }
            let way: BTreeSet<usize> = plans.iter().flat_map(|plan| plan[..plan.len() - 1].iter().copied()).collect();
            let edges: BTreeSet<(usize, usize)> = plans.iter().flat_map(|plan| plan.windows(2).map(|pair| (pair[0], pair[1]))).collect();
            let forced = way.iter().filter(|&&board| edges.iter().filter(|edge| edge.0 == board).count() == 1).count();
            let share = if way.is_empty() { 1.0 } else { forced as f64 / way.len() as f64 };
            prop_assert!((hard.forced - share).abs() < 1e-9);
            prop_assert_eq!(hard.boards, plain.boards.len() as u64);
            prop_assert_eq!(hard.dead_ends, plain.next.iter().filter(|next| next.len() == 1).count() as u64);
            let moved: BTreeSet<char> = every.plans.iter().flatten().map(|slide| slide.piece).collect();
            let idle: Vec<char> = puzzle.board().pieces().into_iter().filter(|piece| !moved.contains(piece)).collect();
            prop_assert_eq!(&hard.idle, &idle);
            prop_assert_eq!(hard.unique, one_class(&puzzle, &plain, &plans));
        }
    }

    #[test]
    fn the_hardest_board_of_all_is_found(
        text in layouts::puzzles().prop_filter("few cells", |text| text.lines().count() < 6),
    ) {
        let puzzle = read(&text);
        let all = placements(&puzzle);
        prop_assume!((1..200).contains(&all.len()));
        let metric = Metric::Straight;
        let moves = |board: &Board| {
            let puzzle = puzzle.with_board(board.clone()).expect("the same pieces");
            solve(&puzzle, metric, Choice::default(), &Budget::unlimited()).expect("a legal plan").outcome.cost()
        };
        let most = all.iter().filter_map(&moves).max();
        let wanted = Wanted { metric, count: 1000, ..Wanted::default() };
        let found = generate(&puzzle, &wanted, Source::All, &Budget::unlimited()).expect("few bits");
        prop_assert_eq!(found.moves, most);
        if let Some(most) = most {
            let keys: BTreeSet<Key> = all.iter().filter(|board| moves(board) == Some(most)).map(|board| key(&puzzle, board)).collect();
            prop_assert_eq!(found.boards.len(), keys.len());
            prop_assert!(found.boards.iter().all(|board| moves(board.board()) == Some(most)));
            let mut random = Random::from_seed(7);
            let some = generate(&puzzle, &wanted, Source::Random { tries: 3, random: &mut random }, &Budget::unlimited());
            let some = some.expect("few bits");
            prop_assert!(some.moves <= Some(most));
            prop_assert!(some.boards.iter().all(|board| moves(board.board()) == some.moves));
            for moves_wanted in 0..=most {
                let wanted = Wanted { moves: Some(moves_wanted), unique: true, no_idle_piece: true, ..wanted.clone() };
                let found = generate(&puzzle, &wanted, Source::All, &Budget::unlimited()).expect("few bits");
                prop_assert!(found.complete);
                let suits = |puzzle: &Instance| {
                    let hard = difficulty(puzzle, metric, None, &Budget::unlimited()).expect("no limit");
                    hard.is_some_and(|hard| (hard.moves, hard.unique, hard.idle.len()) == (moves_wanted, true, 0))
                };
                prop_assert!(found.boards.iter().all(suits));
                let suiting = all.iter().filter(|board| moves(board) == Some(moves_wanted));
                let suiting = suiting.filter(|board| suits(&puzzle.with_board((*board).clone()).expect("the same pieces")));
                prop_assert_eq!(found.boards.len(), suiting.count());
            }
        }
    }
}

/// Whether all plans come of the first by exchanging two moves of different pieces in a row, again
/// and again.
fn one_class(puzzle: &Instance, plain: &Plain, plans: &[Vec<usize>]) -> bool {
    let mut left: BTreeSet<&Vec<usize>> = plans.iter().collect();
    let moved = |one: usize, other: usize| {
        let (before, after) = (key(puzzle, &plain.boards[one]), key(puzzle, &plain.boards[other]));
        let gone: Vec<_> = before.iter().filter(|piece| !after.contains(piece)).cloned().collect();
        let come: Vec<_> = after.iter().filter(|piece| !before.contains(piece)).cloned().collect();
        (gone, come)
    };
    let mut waiting: Vec<Vec<usize>> = plans.iter().take(1).cloned().collect();
    while let Some(plan) = waiting.pop() {
        if !left.remove(&plan) {
            continue;
        }
        for at in 1..plan.len() - 1 {
            let (start, middle, end) = (plan[at - 1], plan[at], plan[at + 1]);
            for &through in &plain.next[start] {
                let exchanged = through != middle
                    && plain.next[through].contains(&end)
                    && moved(start, through) == moved(middle, end)
                    && moved(through, end) == moved(start, middle);
                if exchanged {
                    let mut other = plan.clone();
                    other[at] = through;
                    waiting.push(other);
                }
            }
        }
    }
    left.is_empty()
}

/// All boards with the pieces of a puzzle, each where it could get to alone; equal ones once. None
/// if they are many.
fn placements(puzzle: &Instance) -> Vec<Board> {
    let alone = |piece: char| {
        let start = puzzle.board();
        let lifted =
            start.cells().iter().map(|&cell| if cell == piece || cell == '#' { cell } else { '.' });
        let board = Board::of_cells(start.columns(), lifted.collect());
        let mut met = vec![board];
        let mut done = 0;
        while done < met.len() {
            for (slide, after) in rules::moves(puzzle, &met[done].clone(), Metric::Unit) {
                if slide.piece == piece && !met.contains(&after) {
                    met.push(after);
                }
            }
            done += 1;
        }
        met.iter().map(|board| board.cells_of(piece)).collect::<Vec<_>>()
    };
    let bare = puzzle.board().cells().iter().map(|&cell| if cell == '#' { cell } else { '.' });
    let mut boards = vec![Board::of_cells(puzzle.board().columns(), bare.collect())];
    for piece in puzzle.board().pieces() {
        let places = alone(piece);
        let mut next = Vec::new();
        for board in &boards {
            for cells in &places {
                if cells.iter().all(|&cell| board.cells()[cell] == '.') {
                    let mut board = board.clone();
                    board.put(piece, cells);
                    next.push(board);
                }
            }
        }
        boards = next;
        if boards.len() > 5_000 {
            return Vec::new();
        }
    }
    let mut keys = BTreeSet::new();
    boards.retain(|board| keys.insert(key(puzzle, board)));
    boards
}

#[test]
fn heng_dao_li_ma_is_as_published_in_each_metric() {
    let layout = read("横刀立马");
    let told = |metric| {
        let found = explore(&layout, metric, None, &Budget::unlimited()).expect("few bits");
        let hardest = found.hardest.expect("no limit").expect("solvable");
        let extreme =
            diameter(&layout, metric, None, &Budget::unlimited(), |_| {}).expect("no limit");
        assert!(extreme.searches < 200, "{}", extreme.searches);
        assert_eq!(
            (found.boards, found.goals, found.farthest.moves),
            (25_955, 964, found.layers.len() as u32 - 1)
        );
        [found.farthest.moves, hardest.moves, hardest.boards as u32, extreme.diameter]
    };
    assert_eq!(told(Metric::Rectilinear), [124, 93, 2, 145]);
    assert_eq!(told(Metric::Straight), [133, 101, 2, 156]);
    assert_eq!(told(Metric::Unit), [167, 126, 4, 190]);
}

#[test]
fn a_raised_flag_ends_every_question() {
    let budget = || Budget::unlimited().cancelled_by(Arc::new(AtomicBool::new(true)));
    for text in ["横刀立马", "AA11\nAA22\n34..\n5677\n5688\ngoal: A at 4,1\n"] {
        let (puzzle, metric) = (read(text), Metric::Unit);
        let component = explore(&puzzle, metric, None, &budget()).expect("few bits");
        assert_eq!(
            (component.limit, component.hardest),
            (Some(Limit::Cancelled), Err(Limit::Cancelled))
        );
        assert_eq!(
            count(&puzzle, metric, None, &budget()).expect("few bits").limit,
            Some(Limit::Cancelled)
        );
        assert_eq!(diameter(&puzzle, metric, None, &budget(), |_| {}), Err(Limit::Cancelled));
        assert_eq!(network(&puzzle, metric, None, &budget()).map(drop), Err(Limit::Cancelled));
        assert_eq!(difficulty(&puzzle, metric, None, &budget()), Err(Limit::Cancelled));
        let every = every(&puzzle, metric, None, 1, &budget()).expect("no plan");
        assert!(matches!(every.verdict, Verdict::Stopped { limit: Limit::Cancelled, .. }));
        let mut random = Random::from_seed(1);
        for source in [Source::All, Source::Random { tries: 3, random: &mut random }] {
            let found = generate(&puzzle, &Wanted::default(), source, &budget()).expect("few bits");
            assert_eq!(
                (found.limit, found.complete, found.boards.len()),
                (Some(Limit::Cancelled), false, 0)
            );
        }
    }
}

/// Five pieces that go along lanes of their own: any order of their moves is a shortest plan.
#[test]
fn a_list_of_plans_ends_with_the_budget_and_the_count_is_kept() {
    let lanes = "A...\nB...\nC...\nD...\nE...\nlock: horizontal\n";
    let goals: String = "ABCDE"
        .chars()
        .zip(1..)
        .map(|(piece, row)| format!("goal: {piece} at {row},4\n"))
        .collect();
    let puzzle = read(&lanes.replace("lock", &format!("{goals}lock")));
    let hard = difficulty(&puzzle, Metric::Unit, None, &Budget::unlimited())
        .expect("no limit")
        .expect("a plan");
    // Fifteen moves, three of each piece.
    assert_eq!(
        (hard.moves, hard.plans, hard.unique, hard.boards),
        (15, Some(168_168_000), true, 1024)
    );
    let limits = Limits { memory_bytes: Some(1 << 20), ..Limits::default() };
    let found =
        every(&puzzle, Metric::Unit, None, usize::MAX, &Budget::new(limits)).expect("legal plans");
    let every = found.plan().expect("a plan");
    assert_eq!((every.count, every.limit), (Some(168_168_000), Some(Limit::Memory)));
    assert!((100..10_000).contains(&every.plans.len()), "{}", every.plans.len());
}

/// Two million and more bits would not do for each piece in each place; a hundred and forty do not
/// fit either.
#[test]
fn too_many_bits_are_said_to_be_too_many() {
    let row = ".".repeat(10);
    let pieces: String = ('a'..='t').collect();
    let goals: String = ('a'..='t')
        .zip(0..)
        .map(|(piece, at)| format!("goal: {piece} at {},{}\n", 9 + at / 10, 1 + at % 10))
        .collect();
    let rows = [&pieces[..10], &pieces[10..]].into_iter().chain([row.as_str(); 8]);
    let puzzle = read(&(rows.map(|row| format!("{row}\n")).collect::<String>() + &goals));
    assert_eq!(
        explore(&puzzle, Metric::Unit, None, &Budget::unlimited()).err(),
        Some(Limit::Encoding)
    );
    let outcome = solve(&puzzle, Metric::Unit, Choice::default(), &Budget::unlimited())
        .expect("no plan")
        .outcome;
    assert_eq!(
        outcome.verdict,
        Verdict::Stopped { limit: Limit::Encoding, lower_bound: 0, best: None }
    );
}

#[test]
fn a_drawing_may_be_much_larger_than_its_room() {
    let walls = format!("{}\n", "#".repeat(300)).repeat(219);
    let puzzle = read(&format!("{walls}{}A.\ngoal: A at 220,300\n", "#".repeat(298)));
    let found = explore(&puzzle, Metric::Unit, None, &Budget::unlimited()).expect("few bits");
    assert_eq!((found.boards, found.goals, found.farthest.moves), (2, 1, 1));
}

/// One that cannot move needs no bit, and those before it fill the word: a list of 4 bits, and a
/// set of 60 places.
#[test]
fn a_piece_that_cannot_move_may_come_behind_a_full_word() {
    let rows =
        format!("A.........\nbcdefghijk\n{}##########\n#########z\n", "..........\n".repeat(4));
    let puzzle = read(&(rows + "goal: A at 1,10\nlock: horizontal A\n"));
    let outcome = solve(&puzzle, Metric::Straight, Choice::default(), &Budget::unlimited())
        .expect("a legal plan")
        .outcome;
    assert_eq!(outcome.cost(), Some(1));
}

/// A piece in two parts may come to stand on both sides of a wall.
#[test]
fn boards_that_nobody_would_draw_are_generated_as_well() {
    let puzzle = read("A.A/.../.#.\ngoal: A at 1,1\n");
    let wanted = Wanted { metric: Metric::Unit, ..Wanted::default() };
    let found = generate(&puzzle, &wanted, Source::All, &Budget::unlimited()).expect("few bits");
    assert_eq!(
        (found.moves, found.boards[0].board().row_text().as_str()),
        (Some(2), ".../.../A#A")
    );
}

/// The board that takes no move is a board, too: without it, "there is no such board" would be a
/// false proof.
#[test]
fn solved_boards_are_generated_where_no_others_are_wanted_or_reach_the_goal() {
    let all = |text: &str, moves| {
        let wanted = Wanted { metric: Metric::Unit, moves, ..Wanted::default() };
        let found =
            generate(&read(text), &wanted, Source::All, &Budget::unlimited()).expect("few bits");
        assert!(found.complete);
        (found.moves, found.boards.iter().map(|board| board.board().row_text()).collect::<Vec<_>>())
    };
    let solved = (Some(0), vec!["../A.".to_owned()]);
    assert_eq!(all("A./..\ngoal: A at 2,1\n", Some(0)), solved);
    // `b` fills its lane, so nothing moves.
    assert_eq!(
        all("A/b\ngoal: A at 1,1\nlock: horizontal\n", None),
        (Some(0), vec!["A/b".to_owned()])
    );
    assert_eq!(all("A./..\ngoal: A at 2,1\n", Some(3)), (None, Vec::new()));
}

#[test]
fn full_boards_and_goals_behind_walls_are_puzzles() {
    let answers = [
        ("aaa/aaa\ngoal: a at 1,1\n", Some(0)),
        ("Ab/cd\ngoal: A at 1,2\n", None),
        ("AA./A#.\ngoal: A at 1,2\n", None),
        ("aCCb/aCCb/cdde/cfge/hjki", None),
        ("abcd/efgh/ijkl/mCCn/oCCp", Some(0)),
        ("0FFFFFFFF", None),
        // Rush Hour: a wall on the exit, a full board with the red car on the exit, and one with it
        // elsewhere.
        ("ooooooooooooAAoooxoooooooooooooooooo", None),
        ("BBCCDDEEFFGGHHIIAAJJKKLLMMNNPPQQRRSS", Some(0)),
        ("BBCCDDEEFFGGAAHHIIJJKKLLMMNNPPQQRRSS", None),
    ];
    for (text, cost) in answers {
        let puzzle = read(text);
        for encoding in [None, Some(Encoding::General)] {
            for engine in [None, Some(Engine::Astar), Some(Engine::Idastar)] {
                let answer = solve(
                    &puzzle,
                    Metric::Rectilinear,
                    Choice { engine, encoding },
                    &Budget::unlimited(),
                );
                let outcome = answer.expect("a legal plan").outcome;
                assert_eq!(
                    (outcome.cost(), outcome.plan().is_some()),
                    (cost, cost.is_some()),
                    "{text}"
                );
                let proved =
                    matches!(outcome.verdict, Verdict::Solved { .. } | Verdict::Unsolvable);
                assert!(proved, "{text}");
            }
        }
        // What is written reads as the same puzzle.
        assert_eq!(read(&puzzle.to_string()), puzzle, "{text}");
        let found = explore(&puzzle, Metric::Unit, None, &Budget::unlimited()).expect("few bits");
        assert_eq!(found.goals > 0, cost.is_some(), "{text}");
    }
}
