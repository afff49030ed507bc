//! Sokoban levels are solved in the known numbers of pushes, and the plans follow the plain rules.

#[path = "../../examples/sokoban_certificate.rs"]
mod certificate_example;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use fewest_certificate::Claim;
use fewest_core::budget::Budget;
use fewest_core::search::{Engine, Search};
use fewest_core::space::moves_along;
use fewest_core::{Plan, StateSpace, check, cost};
use fewest_testing::certificates::{certificates_hold, mutants_are_refused};
use fewest_testing::not_checked;

use certificate_example::Walk;
use certificate_example::sokoban::{
    Level, Matching, Metric, Push, PushCosts, Sokoban, Squares, Step, Steps, read,
};

const LEVELS: &str = include_str!("../../../../testdata/sokoban/microban-1-10.xsb");

/// The fewest pushes of levels 1 to 10.
const PUSHES: [u32; 10] = [8, 3, 13, 7, 6, 29, 6, 32, 10, 21];

/// The fewest moves, steps and pushes together (tintor/Workspace, src/tintor/sokoban/SolverTest.java,
/// as the lengths of the plans of its A*).
const MOVES: [u32; 10] = [33, 16, 41, 23, 25, 107, 26, 97, 30, 89];

fn levels() -> impl Iterator<Item = Sokoban> {
    let levels = read(LEVELS).expect("valid levels");
    levels.into_iter().map(|level| Sokoban::new(level).expect("at most 57 live squares"))
}

/// A level as cells of a text, played by the plain rules.
struct Board {
    walls: BTreeSet<(u32, u32)>,
    boxes: BTreeSet<(u32, u32)>,
    goals: BTreeSet<(u32, u32)>,
    player: (u32, u32),
}

impl Board {
    fn new(rows: &[&str]) -> Self {
        let mut board = Self {
            walls: BTreeSet::new(),
            boxes: BTreeSet::new(),
            goals: BTreeSet::new(),
            player: (0, 0),
        };
        for (row, line) in (1..).zip(rows) {
            for (column, character) in (1..).zip(line.chars()) {
                let cell = (row, column);
                match character {
                    '#' => drop(board.walls.insert(cell)),
                    '.' => drop(board.goals.insert(cell)),
                    '$' => drop(board.boxes.insert(cell)),
                    '@' => board.player = cell,
                    '*' => drop((board.boxes.insert(cell), board.goals.insert(cell))),
                    '+' => (board.player, _) = (cell, board.goals.insert(cell)),
                    _ => {}
                }
            }
        }
        board
    }

    fn is_free(&self, cell: (u32, u32)) -> bool {
        !self.walls.contains(&cell) && !self.boxes.contains(&cell)
    }

    fn can_walk_to(&self, target: (u32, u32)) -> bool {
        let (mut known, mut open) = (BTreeSet::from([self.player]), vec![self.player]);
        while let Some(cell) = open.pop() {
            for direction in 0..4 {
                let next = step(cell, direction);
                if self.is_free(next) && known.insert(next) {
                    open.push(next);
                }
            }
        }
        known.contains(&target)
    }

    fn push(&mut self, from: (u32, u32), direction: u8) {
        // The opposite direction.
        assert!(self.can_walk_to(step(from, direction ^ 1)));
        let to = step(from, direction);
        assert!(self.boxes.remove(&from) && self.is_free(to));
        self.boxes.insert(to);
        self.player = from;
    }
}

/// The next cell to the left, to the right, above or below.
fn step((row, column): (u32, u32), direction: u8) -> (u32, u32) {
    match direction {
        0 => (row, column - 1),
        1 => (row, column + 1),
        2 => (row - 1, column),
        _ => (row + 1, column),
    }
}

/// The rows of each level.
fn texts() -> Vec<Vec<&'static str>> {
    let levels = LEVELS.split("\n; ").skip(1);
    levels.map(|level| level.lines().filter(|line| line.contains('#')).collect()).collect()
}

#[test]
fn every_engine_finds_the_known_pushes_and_the_plans_follow_the_rules() {
    let texts = texts();
    let solved = levels().zip(PUSHES).zip(&texts).map(|((sokoban, pushes), rows)| {
        let matching = Matching::new(&sokoban);
        for engine in Engine::ALL {
            let search = Search::new(&sokoban).heuristic(&matching).predecessors().goals();
            let outcome = search.engine(engine).unwrap().run();
            assert_eq!(outcome.cost(), Some(pushes), "{engine}");
            let mut board = Board::new(rows);
            let plan = outcome.optimal().expect("a plan");
            for Push { square, direction } in moves_along(&sokoban, plan).expect("moves") {
                board.push(sokoban.level.row_and_column(square.into()), direction);
            }
            assert_eq!(board.boxes, board.goals, "{engine}");
        }
    });
    assert_eq!(solved.count(), 10);
}

/// Plays the moves by the plain rules, and returns the pushes and the moves.
fn play(rows: &[&str], steps: impl Iterator<Item = Step>) -> (u32, u32) {
    let (mut board, mut pushes, mut moves) = (Board::new(rows), 0, 0);
    for Step { direction, is_push } in steps {
        let to = step(board.player, direction);
        assert_eq!(board.boxes.contains(&to), is_push);
        if is_push {
            board.push(to, direction);
            pushes += 1;
        } else {
            assert!(board.is_free(to));
            board.player = to;
        }
        moves += 1;
    }
    assert_eq!(board.boxes, board.goals);
    (pushes, moves)
}

#[test]
fn every_engine_finds_the_known_moves_and_of_those_with_the_fewest_pushes_the_fewest() {
    let texts = texts();
    for (number, sokoban) in levels().enumerate() {
        let matching = Matching::new(&sokoban);
        let solve = |metric| {
            let steps = Steps { sokoban: &sokoban, metric };
            let bound = PushCosts::new(&steps, &matching);
            let mut costs = Vec::new();
            for engine in [Engine::Bfs, Engine::Astar, Engine::Idastar] {
                // With a bound that ignores steps, IDA* has an iteration for each number of moves.
                if engine == Engine::Idastar && PUSHES[number] > 3 {
                    continue;
                }
                let search = Search::new(&steps).heuristic(&bound).predecessors();
                let plan = search.engine(engine).unwrap().plan().unwrap().expect("a plan");
                let cost = plan.cost();
                costs.push((play(&texts[number], plan.into_iter()), cost));
            }
            costs.dedup();
            costs
        };
        let moves = solve(Metric::Moves);
        assert!(moves.iter().all(|&((_, moves), cost)| (moves, cost) == (MOVES[number], cost)));
        let both = solve(Metric::PushesThenMoves);
        let [((pushes, moves), cost)] = both[..] else { panic!("{number}: {both:?}") };
        assert_eq!(pushes, PUSHES[number]);
        assert_eq!(cost::parts(cost), (pushes as u16, moves as u16));
        // Where a plan has both the fewest moves and the fewest pushes, it is found.
        assert!(moves >= MOVES[number]);
        let weighted = solve(Metric::Costs { step: 1, push: 3 });
        for ((pushes, moves), cost) in weighted {
            assert_eq!(moves + 2 * pushes, cost);
        }
    }
}

/// The fewest moves of a plan with the fewest pushes, by a search without costs: in rounds of one
/// push more, each a breadth-first search by moves from the states of the round before at their
/// depths.
#[test]
fn pushes_then_moves_are_those_of_a_search_in_rounds() {
    for sokoban in levels() {
        let steps = Steps { sokoban: &sokoban, metric: Metric::PushesThenMoves };
        let mut starts = BTreeMap::new();
        steps.initial(|state| {
            starts.insert(state, 0);
        });
        let mut pushes = 0;
        let mut known = BTreeSet::new();
        let least = loop {
            let (mut depths, mut next_round) = (starts.clone(), BTreeMap::new());
            let mut open: BTreeSet<(u32, u64)> =
                starts.iter().map(|(&state, &depth)| (depth, state)).collect();
            while let Some((depth, state)) = open.pop_first() {
                let _ = steps.successors::<()>(state, None, |by, next| {
                    let list = if by.is_push { &mut next_round } else { &mut depths };
                    let least = list.entry(next).or_insert(u32::MAX);
                    if depth + 1 < *least {
                        *least = depth + 1;
                        if !by.is_push {
                            open.insert((depth + 1, next));
                        }
                    }
                    ControlFlow::Continue(())
                });
            }
            let goals = depths.iter().filter(|&(&state, _)| steps.is_goal(state));
            if let Some(moves) = goals.map(|(_, &moves)| moves).min() {
                break (pushes, moves);
            }
            known.extend(depths.into_keys());
            next_round.retain(|state, _| !known.contains(state));
            (starts, pushes) = (next_round, pushes + 1);
        };
        let found = Search::new(&steps).run().cost().map(cost::parts);
        assert_eq!(found, Some((least.0, least.1 as u16)));
    }
}

#[test]
fn steps_keep_their_promises() {
    for sokoban in levels() {
        let matching = Matching::new(&sokoban);
        for metric in [
            Metric::Moves,
            Metric::PushesThenMoves,
            Metric::Costs { step: 1, push: 3 },
            Metric::Costs { step: 0, push: 1 },
        ] {
            let steps = Steps { sokoban: &sokoban, metric };
            let (states, budget) = (check::reachable(&steps, 100), Budget::unlimited());
            assert_eq!(check::space(&steps, &states), Ok(()));
            assert_eq!(check::predecessors(&steps, &states), Ok(()));
            let bound = PushCosts::new(&steps, &matching);
            assert_eq!(check::heuristic(&steps, &bound, &states[..10], &budget), Ok(()));
            assert_eq!(check::consistency(&steps, &bound, &states), Ok(()));
        }
    }
}

#[test]
fn levels_keep_their_promises() {
    for sokoban in levels() {
        let states = check::reachable(&sokoban, 60);
        assert_eq!(check::space(&sokoban, &states), Ok(()));
        assert_eq!(check::predecessors(&sokoban, &states), Ok(()));
        assert_eq!(check::goals(&sokoban, &states), Ok(()));
        let (matching, budget) = (Matching::new(&sokoban), Budget::unlimited());
        assert_eq!(check::heuristic(&sokoban, &matching, &states, &budget), Ok(()));
        assert_eq!(check::consistency(&sokoban, &matching, &states), Ok(()));
    }
}

#[test]
fn invalid_levels_are_refused() {
    let error = |text: &str| read(text).err().expect("an invalid level");
    assert_eq!(
        error("####\n#@ .\n####"),
        "level 1: expected one player, and as many boxes as goals"
    );
    let open = "level 1: expected walls around the player and all boxes and goals";
    assert_eq!(error("######\n#@$. \n######"), open);
    let wide = format!("{0}\n#@$.#\n{0}", "#".repeat(50));
    assert_eq!(error(&wide), "level 1: 3 x 50 squares, at most 128 fit");
    let valid = |text| read(text).expect("a valid level");
    let levels: Vec<Level> = valid("#####\n#@$.#\n#####\n\n######\n#.$ @#\n######");
    let boxes: Vec<Squares> = levels.iter().map(|level| level.boxes).collect();
    assert_eq!(boxes, [1 << 7, 1 << 8]);
}

const METRICS: [(Metric, &str); 4] = [
    (Metric::Moves, "moves"),
    (Metric::PushesThenMoves, "pushes-then-moves"),
    (Metric::Costs { step: 0, push: 1 }, "0,1"),
    (Metric::Costs { step: 3, push: 1 }, "3,1"),
];

/// The tool in Python, which shares no code with this one, on the files of a level.
fn script(folder: &Path, metric: &str) -> Option<ExitStatus> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/check_certificate.py");
    let mut python = Command::new("python3");
    python.arg(script).arg("sokoban").arg(folder.join("level")).arg(folder.join("certificate"));
    let status = python.arg(metric).stdout(Stdio::null()).status().ok();
    if status.is_none() {
        not_checked("the Python script, because there is no python3");
    }
    status
}

#[test]
fn plans_by_cost_are_certified() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sokoban");
    fs::create_dir_all(&folder).expect("a folder");
    let unsolvable = read("#######\n#@ $$.#\n#  . ##\n#######").expect("a level");
    let unsolvable = unsolvable.into_iter().filter_map(Sokoban::new);
    for sokoban in levels().take(5).chain(unsolvable) {
        let matching = Matching::new(&sokoban);
        for (metric, name) in METRICS {
            let steps = Steps { sokoban: &sokoban, metric };
            let bound = PushCosts::new(&steps, &matching);
            let plan = Search::new(&steps).heuristic(&bound).plan().expect("no limit");
            let cost = plan.as_ref().map(Plan::cost);
            let claim = cost.map_or(Claim::Unsolvable, |cost| Claim::Optimal { cost });
            let walk = Walk::new(&steps);
            let file = walk.certify(&steps, &matching, plan.as_ref()).expect("a certificate");
            let checked = fewest_certificate::check(&walk, &file, 1 << 30, &|| false);
            assert_eq!(checked, Ok(claim), "{metric:?}");
            mutants_are_refused(&walk, &file, fewest_testing::count(500));
            fs::write(folder.join("level"), sokoban.level.text()).expect("written");
            fs::write(folder.join("certificate"), &file).expect("written");
            assert_ne!(script(&folder, name).map(|status| status.success()), Some(false));
            // A certificate of other costs.
            let status = script(&folder, "2,5");
            assert_ne!(status.map(|status| status.code()), Some(Some(0)));
        }
    }
}

/// As by a plain search, with all boards.
#[test]
fn faults_of_a_search_by_cost_are_found() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sokoban-faults");
    fs::create_dir_all(&folder).expect("a folder");
    let level = read("######\n#@ $.#\n# $. #\n#    #\n######").expect("a level");
    let sokoban = level.into_iter().find_map(Sokoban::new).expect("few squares");
    for (metric, name) in METRICS {
        let steps = Steps { sokoban: &sokoban, metric };
        let plan = Search::new(&steps).plan().expect("no limit").expect("a plan");
        let text: String = plan.moves().iter().map(|by| format!("{}\n", by.letter())).collect();
        let idle = (metric != METRICS[2].0).then_some("d\nu\n");
        // Pairs are too far apart for a list of layers.
        if metric == Metric::PushesThenMoves {
            continue;
        }
        let walk = Walk::new(&steps);
        let held = certificates_hold(
            &walk,
            Some(plan.cost()),
            &text,
            idle,
            false,
            fewest_testing::count(500),
        );
        assert!(held.refused.len() >= 3, "{metric:?}: {:?}", held.refused);
        fs::write(folder.join("level"), sokoban.level.text()).expect("written");
        for file in held.files {
            fs::write(folder.join("certificate"), &file).expect("written");
            assert_ne!(script(&folder, name).map(|status| status.success()), Some(false));
        }
    }
}
