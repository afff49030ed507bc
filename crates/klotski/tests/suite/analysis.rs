//! Components, all shortest plans and generated boards, compared with a plain search on the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::layouts::{self, played, read, task};
use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::outcome::Verdict;
use fewest_core::search::Engine;
use fewest_klotski::explore::count_boards;
use fewest_klotski::generate::{Source, generate};
use fewest_klotski::options::GenerateOptions;
use fewest_klotski::solve::solve;
use fewest_klotski::{Board, Encoding, Instance, Metric, Slide, Task};
use fewest_puzzle::SolveError;
use fewest_puzzle::count_plans::CountPlans;
use fewest_puzzle::explore::{Explore, Explored};
use fewest_puzzle::options::{NumberRange, Whole};
use fewest_puzzle::random::Random;
use fewest_puzzle::rank::Rank;
use fewest_puzzle::work::WorkError;
use fewest_rules::Rules;
use fewest_rules::text::Line;
use proptest::prelude::*;

/// The key of a board: the cells, the lock and the gates of each piece, and its character if it has
/// a goal. Boards that differ in interchangeable pieces only have the same key.
type Key = Vec<(Vec<usize>, Option<char>, String)>;

fn key(instance: &Instance, board: &Board) -> Key {
    let pieces = board.pieces().into_iter().map(|piece| {
        let goal = instance.goals().iter().any(|goal| goal.piece == piece).then_some(piece);
        let other = format!("{:?} {:?}", instance.lock(piece), instance.gates_for(piece));
        (board.cells_of(piece), goal, other)
    });
    let mut pieces: Vec<_> = pieces.collect();
    pieces.sort();
    pieces
}

/// All reachable boards with their successors, by a plain search on the rules.
struct PlainGraph {
    boards: Vec<Board>,
    successors: Vec<BTreeSet<usize>>,
}

impl PlainGraph {
    fn of(instance: &Instance, metric: Metric) -> Self {
        let task = task(instance, metric);
        let mut numbers = BTreeMap::from([(key(instance, instance.board()), 0)]);
        let (mut boards, mut successors) = (vec![instance.board().clone()], Vec::new());
        while successors.len() < boards.len() {
            let mut numbers_of_next = BTreeSet::new();
            let board = boards[successors.len()].clone();
            for slide in task.moves(&board) {
                let after = played(&task, &board, &slide).expect("a legal move");
                let number = *numbers.entry(key(instance, &after)).or_insert(boards.len());
                if number == boards.len() {
                    boards.push(after);
                }
                numbers_of_next.insert(number);
            }
            successors.push(numbers_of_next);
        }
        Self { boards, successors }
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
            layer =
                layer.iter().flat_map(|&board| self.successors[board].iter().copied()).collect();
        }
        distances
    }

    fn goals(&self, instance: &Instance) -> Vec<usize> {
        (0..self.boards.len())
            .filter(|&board| task(instance, Metric::Unit).is_solved(&self.boards[board]))
            .collect()
    }

    /// All shortest plans, as the numbers of their boards. Stops early beyond 5,000 plans.
    fn plans(&self, instance: &Instance) -> Vec<Vec<usize>> {
        let to_goal = self.distances(&self.goals(instance));
        let mut plans = vec![vec![0]];
        while let Some(left) = to_goal[plans[0][plans[0].len() - 1]].filter(|&left| left > 0) {
            let extended = |plan: &Vec<usize>| {
                let next = self.successors[plan[plan.len() - 1]]
                    .iter()
                    .filter(|&&next| to_goal[next] == Some(left - 1));
                next.map(|&next| [plan.clone(), vec![next]].concat()).collect::<Vec<_>>()
            };
            plans = plans.iter().flat_map(extended).collect();
            if plans.len() > 5_000 {
                break;
            }
        }
        plans
    }
}

/// The greatest distance, and the number of boards at this distance.
fn explore(task: &Task, budget: &Budget) -> Result<Explored, SolveError> {
    task.explore(budget, &mut |_, _| {})
}

fn farthest(distances: &[Option<u32>]) -> (u32, u64) {
    let greatest = distances.iter().flatten().copied().max().unwrap_or(0);
    (greatest, distances.iter().filter(|&&distance| distance == Some(greatest)).count() as u64)
}

/// Whether at most `max_boards` boards are reachable, so that a plain search is fast.
fn has_few_boards(text: &str, max_boards: u64) -> bool {
    let limits = Limits { states: Some(max_boards), ..Limits::default() };
    explore(&task(&read(text), Metric::Unit), &Budget::new(limits))
        .is_ok_and(|component| component.limit.is_none())
}

proptest! {
    #![proptest_config(fewest_testing::cases(100))]

    #[test]
    fn components_match_a_plain_search(
        text in prop_oneof![layouts::puzzles(), layouts::texts(), layouts::large_puzzles()]
            .prop_filter("few boards", |text| has_few_boards(text, 120)),
    ) {
        let instance = read(&text);
        for metric in Metric::ALL {
            let plain = PlainGraph::of(&instance, metric);
            let found = explore(&task(&instance, metric), &Budget::unlimited())
                .expect("at most 192 bits");
            let (depths, goals) = (plain.distances(&[0]), plain.goals(&instance));
            let counts = (plain.boards.len() as u64, Some(goals.len() as u64));
            prop_assert_eq!((found.boards(), found.goals), counts);
            prop_assert_eq!(found.cost, goals.iter().filter_map(|&goal| depths[goal]).min());
            let last = found.farthest.expect("a board");
            for (depth, &boards) in found.layers.iter().enumerate() {
                let at_depth = depths.iter().filter(|&&other| other == Some(depth as u32));
                prop_assert_eq!(at_depth.count() as u64, boards);
            }
            prop_assert_eq!((last.moves, last.boards), farthest(&depths));
            let number_of = |rows: &str| {
                let board = &Board::of_rows(rows.split('/')).expect("a board");
                plain.boards.iter().position(|other| key(&instance, other) == key(&instance, board))
            };
            let number = number_of(&last.board).expect("a board of the component");
            prop_assert_eq!(depths[number], Some(last.moves));
            let to_goal = plain.distances(&goals);
            let hardest = found.hardest.expect("no limit");
            prop_assert_eq!(hardest.is_some(), !goals.is_empty());
            if let Some(hardest) = hardest {
                prop_assert_eq!((hardest.moves, hardest.boards), farthest(&to_goal));
                let number = number_of(&hardest.board).expect("a board of the component");
                prop_assert_eq!(to_goal[number], Some(hardest.moves));
            }
            let eccentricities: Vec<u32> = (0..plain.boards.len())
                .map(|from| farthest(&plain.distances(&[from])).0)
                .collect();
            let extremes = task(&instance, metric).diameter(&Budget::unlimited(), &mut |_| {})
                .expect("no limit");
            prop_assert_eq!(Some(&extremes.diameter), eccentricities.iter().max());
            prop_assert_eq!(Some(&extremes.radius), eccentricities.iter().min());
            let counted = count_boards(&task(&instance, metric), &Budget::unlimited())
                .expect("at most 192 bits");
            prop_assert_eq!(counted.layers, found.layers);
            let visited = task(&instance, metric).graph(&Budget::unlimited(), &mut |network| {
                assert_eq!(network.boards() as usize, plain.boards.len());
                let edges = plain.successors.iter().map(BTreeSet::len).sum::<usize>();
                assert_eq!(2 * network.moves().count(), edges);
                let board = |number| Board::of_rows(network.board(number).split('/'));
                let moves = |from| network.successors(from).iter().map(move |&to| (from, to));
                for (from, to) in (0..network.boards()).flat_map(moves) {
                    let mut played = board(from).expect("a board");
                    let text = &network.move_text(from, to);
                    let slide = Slide::read(Line { number: 1, text }).expect("a move");
                    task(&instance, metric).play(&mut played, &slide).expect("a legal move");
                    let expected = board(to).expect("a board");
                    assert_eq!(key(&instance, &played), key(&instance, &expected));
                }
                Ok(())
            });
            visited.expect("no limit");
        }
    }

    #[test]
    fn shortest_plans_and_difficulty_match_a_plain_search(
        text in prop_oneof![3 => layouts::puzzles(), 1 => layouts::large_puzzles()]
            .prop_filter("few boards", |text| has_few_boards(text, 120)),
    ) {
        let instance = read(&text);
        for metric in Metric::ALL {
            let plain = PlainGraph::of(&instance, metric);
            let difficulty =
                task(&instance, metric).difficulty(&Budget::unlimited()).expect("no limit");
            let found = task(&instance, metric).list_shortest_plans(10_000, &Budget::unlimited())
                .expect("legal plans");
            prop_assert_eq!(difficulty.is_some(), found.optimal().is_some());
            let (Some(difficulty), Some(every)) = (difficulty, found.optimal()) else {
                prop_assert!(plain.goals(&instance).is_empty());
                continue;
            };
            let plans = plain.plans(&instance);
            if plans.len() > 2_000 {
                continue;
            }
            let count = Some(plans.len() as u128);
            prop_assert_eq!((every.count, difficulty.plans), (count, count));
            prop_assert_eq!(every.plans.len(), plans.len());
            prop_assert_eq!(difficulty.moves as usize, plans[0].len() - 1);
            let nodes: BTreeSet<usize> =
                plans.iter().flat_map(|plan| plan[..plan.len() - 1].iter().copied()).collect();
            let edges: BTreeSet<(usize, usize)> = plans
                .iter()
                .flat_map(|plan| plan.windows(2).map(|pair| (pair[0], pair[1])))
                .collect();
            let is_forced =
                |&&node: &&usize| edges.iter().filter(|edge| edge.0 == node).count() == 1;
            let forced = nodes.iter().filter(is_forced).count();
            let share = if nodes.is_empty() { 1.0 } else { forced as f64 / nodes.len() as f64 };
            prop_assert!((difficulty.forced - share).abs() < 1e-9);
            prop_assert_eq!(difficulty.boards, plain.boards.len() as u64);
            let dead_ends = plain.successors.iter().filter(|successors| successors.len() == 1);
            prop_assert_eq!(difficulty.dead_ends, dead_ends.count() as u64);
            let moved: BTreeSet<char> =
                every.plans.iter().flatten().map(|slide| slide.piece).collect();
            let pieces = instance.board().pieces().into_iter();
            let idle: String = pieces.filter(|piece| !moved.contains(piece)).collect();
            prop_assert_eq!(&difficulty.idle, &idle);
            prop_assert_eq!(difficulty.unique, are_all_exchanges(&instance, &plain, &plans));
        }
    }

    #[test]
    fn generated_boards_match_a_plain_search(
        text in layouts::puzzles()
            .prop_filter("few cells", |text| text.lines().count() < 6),
    ) {
        let instance = read(&text);
        let all = all_boards(&instance);
        prop_assume!((1..200).contains(&all.len()));
        let metric = Metric::Straight;
        let cost = |board: &Board| {
            let instance = instance.with_board(board.clone()).expect("the same pieces");
            let answer = solve(&task(&instance, metric), None, &Budget::unlimited());
            answer.expect("a legal plan").outcome.cost()
        };
        let greatest = all.iter().filter_map(&cost).max();
        let options = GenerateOptions { count: Whole::new(1000), ..GenerateOptions::default() };
        let found = generate(&task(&instance, metric), &options, Source::All, &Budget::unlimited())
            .expect("at most 192 bits");
        prop_assert_eq!(found.moves, greatest);
        if let Some(greatest) = greatest {
            let hardest = all.iter().filter(|board| cost(board) == Some(greatest));
            let keys: BTreeSet<Key> = hardest.map(|board| key(&instance, board)).collect();
            prop_assert_eq!(found.boards.len(), keys.len());
            prop_assert!(found.boards.iter().all(|board| cost(board.board()) == Some(greatest)));
            let mut random = Random::from_seed(7);
            let source = Source::Random { tries: 3, random: &mut random };
            let some = generate(&task(&instance, metric), &options, source, &Budget::unlimited())
                .expect("at most 192 bits");
            prop_assert!(some.moves <= Some(greatest));
            prop_assert!(some.boards.iter().all(|board| cost(board.board()) == some.moves));
            for moves in 0..=greatest {
                let options = GenerateOptions {
                    moves: Some(NumberRange::new(moves, moves)),
                    unique: true,
                    no_idle_piece: true,
                    ..options.clone()
                };
                let found = generate(&task(&instance, metric), &options, Source::All, &Budget::unlimited())
                    .expect("at most 192 bits");
                prop_assert!(found.complete);
                let meets_options = |instance: &Instance| {
                    let difficulty =
                        task(instance, metric).difficulty(&Budget::unlimited()).expect("no limit");
                    difficulty.is_some_and(|difficulty| {
                        (difficulty.moves, difficulty.unique, difficulty.idle.len())
                            == (moves, true, 0)
                    })
                };
                prop_assert!(found.boards.iter().all(meets_options));
                let expected = all.iter().filter(|board| cost(board) == Some(moves));
                let expected = expected.filter(|board| {
                    let instance = instance.with_board((*board).clone()).expect("the same pieces");
                    meets_options(&instance)
                });
                prop_assert_eq!(found.boards.len(), expected.count());
            }
        }
    }
}

/// Whether all plans can be obtained from the first by exchanging two successive moves of different
/// pieces, repeatedly.
fn are_all_exchanges(instance: &Instance, plain: &PlainGraph, plans: &[Vec<usize>]) -> bool {
    let mut remaining: BTreeSet<&Vec<usize>> = plans.iter().collect();
    let moved = |one: usize, other: usize| {
        let (before, after) =
            (key(instance, &plain.boards[one]), key(instance, &plain.boards[other]));
        let left: Vec<_> = before.iter().filter(|piece| !after.contains(piece)).cloned().collect();
        let new: Vec<_> = after.iter().filter(|piece| !before.contains(piece)).cloned().collect();
        (left, new)
    };
    let mut stack: Vec<Vec<usize>> = plans.iter().take(1).cloned().collect();
    while let Some(plan) = stack.pop() {
        if !remaining.remove(&plan) {
            continue;
        }
        for at in 1..plan.len() - 1 {
            let (start, middle, end) = (plan[at - 1], plan[at], plan[at + 1]);
            for &other_middle in &plain.successors[start] {
                let is_exchange = other_middle != middle
                    && plain.successors[other_middle].contains(&end)
                    && moved(start, other_middle) == moved(middle, end)
                    && moved(other_middle, end) == moved(start, middle);
                if is_exchange {
                    let mut other = plan.clone();
                    other[at] = other_middle;
                    stack.push(other);
                }
            }
        }
    }
    remaining.is_empty()
}

/// All boards with each piece of a puzzle in a placement that it can reach on an otherwise empty
/// board, without duplicates. Empty if there are too many.
fn all_boards(instance: &Instance) -> Vec<Board> {
    let placements = |piece: char| {
        let start = instance.board();
        let cells =
            start.cells().iter().map(|&cell| if cell == piece || cell == '#' { cell } else { '.' });
        let mut reached = vec![Board::of_cells(start.columns(), cells.collect())];
        let mut expanded = 0;
        while expanded < reached.len() {
            let (task, board) = (task(instance, Metric::Unit), reached[expanded].clone());
            for slide in task.moves(&board) {
                let after = played(&task, &board, &slide).expect("a legal move");
                if slide.piece == piece && !reached.contains(&after) {
                    reached.push(after);
                }
            }
            expanded += 1;
        }
        reached.iter().map(|board| board.cells_of(piece)).collect::<Vec<_>>()
    };
    let empty = instance.board().cells().iter().map(|&cell| if cell == '#' { cell } else { '.' });
    let mut boards = vec![Board::of_cells(instance.board().columns(), empty.collect())];
    for piece in instance.board().pieces() {
        let placements = placements(piece);
        let mut next = Vec::new();
        for board in &boards {
            for cells in &placements {
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
    boards.retain(|board| keys.insert(key(instance, board)));
    boards
}

#[test]
fn heng_dao_li_ma_matches_published_figures() {
    let layout = read("横刀立马");
    let figures = |metric| {
        let found =
            explore(&task(&layout, metric), &Budget::unlimited()).expect("at most 192 bits");
        let hardest = found.hardest.clone().expect("no limit").expect("solvable");
        let last = found.farthest.clone().expect("a board");
        let extremes =
            task(&layout, metric).diameter(&Budget::unlimited(), &mut |_| {}).expect("no limit");
        assert!(extremes.searches < 200, "{}", extremes.searches);
        assert_eq!(
            (found.boards(), found.goals, last.moves),
            (25_955, Some(964), found.layers.len() as u32 - 1)
        );
        [last.moves, hardest.moves, hardest.boards as u32, extremes.diameter]
    };
    assert_eq!(figures(Metric::Rectilinear), [124, 93, 2, 145]);
    assert_eq!(figures(Metric::Straight), [133, 101, 2, 156]);
    assert_eq!(figures(Metric::Unit), [167, 126, 4, 190]);
}

#[test]
fn every_computation_can_be_cancelled() {
    fn stopped<T>() -> Result<T, SolveError> {
        Err(Limit::Cancelled.into())
    }
    let budget = || Budget::unlimited().cancelled_by(Arc::new(AtomicBool::new(true)));
    for text in ["横刀立马", "AA11\nAA22\n34..\n5677\n5688\ngoal: A at 4,1\n"] {
        let (instance, metric) = (read(text), Metric::Unit);
        let component = explore(&task(&instance, metric), &budget()).expect("at most 192 bits");
        assert_eq!(
            (component.limit, component.hardest),
            (Some(Limit::Cancelled), Err(Limit::Cancelled))
        );
        assert_eq!(
            count_boards(&task(&instance, metric), &budget()).expect("at most 192 bits").limit(),
            Some(Limit::Cancelled)
        );
        assert_eq!(task(&instance, metric).diameter(&budget(), &mut |_| {}), stopped());
        let graph = task(&instance, metric).graph(&budget(), &mut |_| unreachable!());
        assert!(matches!(graph, Err(WorkError::Solve(SolveError::Stopped(Limit::Cancelled)))));
        assert_eq!(task(&instance, metric).difficulty(&budget()), stopped());
        let every = task(&instance, metric).list_shortest_plans(1, &budget()).expect("no plan");
        assert!(matches!(every.verdict, Verdict::Stopped { limit: Limit::Cancelled, .. }));
        let mut random = Random::from_seed(1);
        for source in [Source::All, Source::Random { tries: 3, random: &mut random }] {
            let found =
                generate(&task(&instance, metric), &GenerateOptions::default(), source, &budget())
                    .expect("at most 192 bits");
            assert_eq!(
                (found.limit, found.complete, found.boards.len()),
                (Some(Limit::Cancelled), false, 0)
            );
        }
    }
}

/// Five pieces move in lanes of their own, so any order of their moves is a shortest plan.
#[test]
fn a_memory_limit_stops_the_list_of_plans_but_not_their_count() {
    let lanes = "A...\nB...\nC...\nD...\nE...\nlock: horizontal\n";
    let goals: String = "ABCDE"
        .chars()
        .zip(1..)
        .map(|(piece, row)| format!("goal: {piece} at {row},4\n"))
        .collect();
    let instance = read(&lanes.replace("lock", &format!("{goals}lock")));
    let difficulty = task(&instance, Metric::Unit)
        .difficulty(&Budget::unlimited())
        .expect("no limit")
        .expect("a plan");
    // 15 moves, three of each piece: 15! / 3!^5 orders.
    assert_eq!(
        (difficulty.moves, difficulty.plans, difficulty.unique, difficulty.boards),
        (15, Some(168_168_000), true, 1024)
    );
    let limits = Limits { memory_bytes: Some(1 << 20), ..Limits::default() };
    let found = task(&instance, Metric::Unit)
        .list_shortest_plans(usize::MAX, &Budget::new(limits))
        .expect("legal plans");
    let every = found.optimal().expect("a plan");
    assert_eq!((every.count, every.limit), (Some(168_168_000), Some(Limit::Memory)));
    assert!((100..10_000).contains(&every.plans.len()), "{}", every.plans.len());
}

/// Sets would take 3,000 bits for the thirty pieces in 100 placements each, and lists 210.
#[test]
fn states_of_more_than_192_bits_are_refused() {
    let row = ".".repeat(10);
    let pieces: String = ('a'..='z').chain('A'..='D').collect();
    let goals: String = pieces
        .chars()
        .zip(0..)
        .map(|(piece, at)| format!("goal: {piece} at {},{}\n", 8 + at / 10, 1 + at % 10))
        .collect();
    let rows = [&pieces[..10], &pieces[10..20], &pieces[20..]];
    let rows = rows.into_iter().chain([row.as_str(); 7]);
    let instance = read(&(rows.map(|row| format!("{row}\n")).collect::<String>() + &goals));
    assert_eq!(
        explore(&task(&instance, Metric::Unit), &Budget::unlimited()).err(),
        Some(SolveError::Stopped(Limit::Encoding))
    );
    let outcome =
        solve(&task(&instance, Metric::Unit), None, &Budget::unlimited()).expect("no plan").outcome;
    assert_eq!(
        outcome.verdict,
        Verdict::Stopped { limit: Limit::Encoding, lower_bound: 0, best: None }
    );
}

#[test]
fn walls_do_not_count_as_cells() {
    let walls = format!("{}\n", "#".repeat(300)).repeat(219);
    let instance = read(&format!("{walls}{}A.\ngoal: A at 220,300\n", "#".repeat(298)));
    let found =
        explore(&task(&instance, Metric::Unit), &Budget::unlimited()).expect("at most 192 bits");
    assert_eq!(
        (found.boards(), found.goals, found.farthest.map(|last| last.moves)),
        (2, Some(1), Some(1))
    );
}

/// A piece that cannot move takes no bits, and the classes before it fill the word: a list of 4
/// bits and a set of 60 placements.
#[test]
fn a_piece_that_cannot_move_fits_in_a_full_word() {
    let rows =
        format!("A.........\nbcdefghijk\n{}##########\n#########z\n", "..........\n".repeat(4));
    let instance = read(&(rows + "goal: A at 1,10\nlock: horizontal A\n"));
    let outcome = solve(&task(&instance, Metric::Straight), None, &Budget::unlimited())
        .expect("a legal plan")
        .outcome;
    assert_eq!(outcome.cost(), Some(1));
}

/// A piece of two parts can move to the two sides of a wall, although a drawing of it there is
/// refused.
#[test]
fn boards_with_a_wall_inside_a_piece_are_generated() {
    let instance = read("A.A/.../.#.\ngoal: A at 1,1\n");
    let options = GenerateOptions::default();
    let found =
        generate(&task(&instance, Metric::Unit), &options, Source::All, &Budget::unlimited())
            .expect("at most 192 bits");
    assert_eq!(
        (found.moves, found.boards[0].board().row_text().as_str()),
        (Some(2), ".../.../A#A")
    );
}

/// A solved board is a board of 0 moves. Without it, the proof that there is no such board would be
/// wrong.
#[test]
fn solved_boards_are_generated_if_no_other_boards_match() {
    let all = |text: &str, moves| {
        let options = GenerateOptions { moves, ..GenerateOptions::default() };
        let found =
            generate(&task(&read(text), Metric::Unit), &options, Source::All, &Budget::unlimited())
                .expect("at most 192 bits");
        assert!(found.complete);
        (found.moves, found.boards.iter().map(|board| board.board().row_text()).collect::<Vec<_>>())
    };
    let solved = (Some(0), vec!["../A.".to_owned()]);
    let exactly = |moves| Some(NumberRange::new(moves, moves));
    assert_eq!(all("A./..\ngoal: A at 2,1\n", exactly(0)), solved);
    // `b` fills its lane, so nothing moves.
    assert_eq!(
        all("A/b\ngoal: A at 1,1\nlock: horizontal\n", None),
        (Some(0), vec!["A/b".to_owned()])
    );
    assert_eq!(all("A./..\ngoal: A at 2,1\n", exactly(3)), (None, Vec::new()));
}

#[test]
fn full_boards_and_goals_on_walls_are_valid() {
    let answers = [
        ("aaa/aaa\ngoal: a at 1,1\n", Some(0)),
        ("Ab/cd\ngoal: A at 1,2\n", None),
        ("AA./A#.\ngoal: A at 1,2\n", None),
        ("aCCb/aCCb/cdde/cfge/hjki", None),
        ("abcd/efgh/ijkl/mCCn/oCCp", Some(0)),
        ("0FFFFFFFF", None),
        // Rush Hour: a wall on the exit, a full board with the red car on the exit, and a full
        // board with it elsewhere.
        ("ooooooooooooAAoooxoooooooooooooooooo", None),
        ("BBCCDDEEFFGGHHIIAAJJKKLLMMNNPPQQRRSS", Some(0)),
        ("BBCCDDEEFFGGAAHHIIJJKKLLMMNNPPQQRRSS", None),
    ];
    for (text, cost) in answers {
        let instance = read(text);
        for encoding in [Encoding::Auto, Encoding::General] {
            for engine in [None, Some(Engine::Astar), Some(Engine::Idastar)] {
                let task = Task { encoding, ..task(&instance, Metric::Rectilinear) };
                let answer = solve(&task, engine, &Budget::unlimited());
                let outcome = answer.expect("a legal plan").outcome;
                assert_eq!(
                    (outcome.cost(), outcome.optimal().is_some()),
                    (cost, cost.is_some()),
                    "{text}"
                );
                let proved =
                    matches!(outcome.verdict, Verdict::Solved { .. } | Verdict::Unsolvable);
                assert!(proved, "{text}");
            }
        }
        assert_eq!(read(&instance.to_string()), instance, "{text}");
        let found = explore(&task(&instance, Metric::Unit), &Budget::unlimited())
            .expect("at most 192 bits");
        assert_eq!(found.goals > Some(0), cost.is_some(), "{text}");
    }
}
