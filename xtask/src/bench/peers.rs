//! Other libraries on the same spaces, for `--peers`.

use std::cell::Cell;
use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::num::NonZero;
use std::ops::ControlFlow;

use anyhow::{Context, ensure};
use fewest_bench_variants::tiles::neighbours;
use fewest_core::budget::Budget;
use fewest_core::outcome::Outcome;
use fewest_core::search::{Search, astar, idastar};
use fewest_core::{Heuristic, StateSpace};
use fxhash::FxHashMap;
use pathfinding::directed::astar::astar as peer_astar;
use pathfinding::directed::bfs::{bfs, bfs_reach};
use pathfinding::directed::idastar::idastar as peer_idastar;
use stateright::{Checker, Model, Property};

use super::case::{Case, Work};
use super::costs::sokoban::{self as example, Matching, Sokoban};
use super::library::successors;
use super::measure::Comparison;
use super::testdata;
use super::tiles::{Puzzle, SMALL, Space, Tiles};

/// Sliding tiles with 4 bits per cell, as a successor function.
#[derive(Clone)]
struct Grid {
    cells: usize,
    neighbours: Vec<Vec<usize>>,
    start: u64,
}

impl Grid {
    fn new(width: usize, height: usize, start: u64) -> Self {
        Self { cells: width * height, neighbours: neighbours(width, height), start }
    }

    fn successors(&self, state: u64) -> impl Iterator<Item = u64> + '_ {
        let blank = (0..self.cells).find(|cell| state >> (4 * cell) & 15 == 0).expect("a blank");
        self.neighbours[blank].iter().map(move |&from| {
            let tile = state >> (4 * from) & 15;
            state ^ tile << (4 * from) ^ tile << (4 * blank)
        })
    }
}

impl Model for Grid {
    type State = u64;
    type Action = u64;

    fn init_states(&self) -> Vec<u64> {
        vec![self.start]
    }

    fn actions(&self, state: &u64, actions: &mut Vec<u64>) {
        actions.extend(self.successors(*state));
    }

    fn next_state(&self, _: &u64, next: u64) -> Option<u64> {
        Some(next)
    }

    /// stateright stops immediately if there is no property to check.
    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("always true", |_, _| true)]
    }
}

/// A space as a model of stateright.
struct Spaced<S: 'static>(&'static S);

impl<S> Clone for Spaced<S> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<S: StateSpace<State: Hash> + Send> Model for Spaced<S> {
    type State = S::State;
    type Action = S::State;

    fn init_states(&self) -> Vec<S::State> {
        let mut starts = Vec::new();
        self.0.initial(|state| starts.push(state));
        starts
    }

    fn actions(&self, state: &S::State, actions: &mut Vec<S::State>) {
        actions.extend(successors(self.0, *state));
    }

    fn next_state(&self, _: &S::State, next: S::State) -> Option<S::State> {
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("always true", |_, _| true)]
    }
}

/// All states of a space by other libraries.
pub(super) fn explorations<S: StateSpace<State: Hash> + Send>(
    id: &str,
    space: &'static S,
    states: u64,
) -> [Case; 2] {
    let check = move |&found: &u64| {
        ensure!(found == states, "found {found} states, expected {states}");
        Ok(Work { states: Some(found), ..Work::default() })
    };
    let starts = Spaced(space).init_states();
    let reach = move || bfs_reach(starts[0], |&state| successors(space, state)).count() as u64;
    let check_model = move || {
        let checker = Spaced(space).checker().spawn_bfs().join();
        checker.unique_state_count() as u64
    };
    [
        Case::new(format!("{id}pathfinding"), "pathfinding::bfs_reach", reach, check).baseline(),
        Case::new(format!("{id}stateright"), "stateright spawn_bfs", check_model, check).baseline(),
    ]
}

/// The number of states that stateright visits.
fn stateright_count(grid: &Grid, threads: usize) -> u64 {
    grid.clone().checker().threads(threads).spawn_bfs().join().unique_state_count() as u64
}

/// Complete exploration of a space.
fn spaces(space: &'static Space) -> Comparison {
    let grid = Grid::new(space.width, space.height, space.start());
    let id = |method: &str| format!("peers.{}.{method}", space.name);
    let peer = |method: &str, about: &str, run: fn(&Grid) -> u64| {
        let grid = grid.clone();
        Case::new(
            id(method),
            about,
            move || run(&grid),
            |&states| {
                ensure!(states == space.states, "found {states} states, expected {}", space.states);
                Ok(Work { states: Some(states), ..Work::default() })
            },
        )
        .baseline()
    };
    let mut cases = vec![
        peer("pathfinding-bfs", "pathfinding::bfs", |grid| {
            let states = Cell::new(0);
            let successors = |state: &u64| {
                states.set(states.get() + 1);
                grid.successors(*state)
            };
            let found: Option<Vec<u64>> = bfs(&grid.start, successors, |_| false);
            if found.is_some() { 0 } else { states.get() }
        }),
        peer("pathfinding-bfs-reach", "pathfinding::bfs_reach", |grid| {
            bfs_reach(grid.start, |&state| grid.successors(state)).count() as u64
        }),
        peer("stateright", "stateright spawn_bfs", |grid| stateright_count(grid, 1)),
        peer("stateright.2", "stateright spawn_bfs, 2 threads", |grid| stateright_count(grid, 2)),
    ];
    cases.extend(space.methods("peers"));
    let title = format!("Peers on sliding tiles {}", space.name);
    Comparison { title, cases, isolated: true, ..Comparison::default() }
}

/// The sum of the Manhattan distances of all tiles of a 15-puzzle.
fn manhattan(state: u64) -> u32 {
    let tile = |cell: usize| (state >> (4 * cell) & 15) as usize;
    let distance = |cell: usize| {
        let tile = tile(cell);
        ((tile % 4).abs_diff(cell % 4) + (tile / 4).abs_diff(cell / 4)) as u32
    };
    (0..16).filter(|&cell| tile(cell) != 0).map(distance).sum()
}

/// One 15-puzzle by searches with a heuristic.
fn puzzle(puzzle: Puzzle) -> anyhow::Result<Comparison> {
    let grid = Grid::new(4, 4, puzzle.packed());
    let goal = super::tiles::Grid::new(4, 4).goal();
    let check = move |&(moves, nodes, bytes): &(Option<u32>, u64, Option<u64>)| {
        let moves = moves.context("no plan")?;
        ensure!(moves == puzzle.moves, "found {moves} moves, expected {}", puzzle.moves);
        Ok(Work { generated: Some(nodes), bytes, ..Work::default() })
    };
    let peer = |name: &str, about: &str, run: fn(&Grid, u64, &Cell<u64>) -> Option<u32>| {
        let grid = grid.clone();
        let run = move || {
            let nodes = Cell::new(0);
            (run(&grid, goal, &nodes), nodes.get(), None)
        };
        Case::new(format!("peers.15.{name}"), about, run, check).baseline()
    };
    let tiles = || Tiles::new(4, 4, grid.start);
    let (deepening, table) = (tiles(), tiles());
    let cases = vec![
        peer("pathfinding-idastar", "pathfinding::idastar", |grid, goal, nodes| {
            let found = peer_idastar(
                &grid.start,
                |&state| successors_with_cost(grid, state, nodes),
                |&state| manhattan(state),
                |&state| state == goal,
            );
            found.map(|(_, moves)| moves)
        }),
        peer("pathfinding-astar", "pathfinding::astar", |grid, goal, nodes| {
            let found = peer_astar(
                &grid.start,
                |&state| successors_with_cost(grid, state, nodes),
                |&state| manhattan(state),
                |&state| state == goal,
            );
            found.map(|(_, moves)| moves)
        }),
        Case::new(
            "peers.15.idastar",
            "ours: IDA*",
            move || {
                let outcome =
                    idastar::search_without_table(&deepening, &deepening, &Budget::unlimited());
                (outcome.cost(), outcome.stats.generated, Some(outcome.stats.bytes))
            },
            check,
        ),
        Case::new(
            "peers.15.astar",
            "ours: A* with a packed table",
            move || {
                let outcome = astar::search(&table, &table, &Budget::unlimited());
                (outcome.cost(), outcome.stats.generated, Some(outcome.stats.bytes))
            },
            check,
        ),
    ];
    let title = format!("Peers on a 15-puzzle of {} moves", puzzle.moves);
    Ok(Comparison { title, cases, isolated: true, ..Comparison::default() })
}

/// The successors, each with a cost of 1; counts them in `nodes`.
fn successors_with_cost<'a>(
    grid: &'a Grid,
    state: u64,
    nodes: &'a Cell<u64>,
) -> impl Iterator<Item = (u64, u32)> + 'a {
    grid.successors(state).map(move |next| {
        nodes.set(nodes.get() + 1);
        (next, 1)
    })
}

/// A Sokoban level whose expansions are expensive: each successor takes a search for the squares
/// that the player can reach.
fn sokoban() -> anyhow::Result<Comparison> {
    const PUSHES: usize = 61;
    let levels = example::read(&testdata("sokoban/microban-111.xsb")?);
    let level = levels.map_err(anyhow::Error::msg)?.pop().context("found no level")?;
    let space: &'static Sokoban =
        Box::leak(Box::new(Sokoban::new(level).context("too many squares")?));
    let matching: &'static Matching<'_> = Box::leak(Box::new(Matching::new(space)));
    let mut start = None;
    space.initial(|state| start = Some(state));
    let start = start.context("found no start")?;
    let successors = |&state: &u64| {
        let mut next = Vec::new();
        let _ = space.successors::<()>(state, None, |_, successor| {
            next.push(successor);
            ControlFlow::Continue(())
        });
        next
    };
    let with_cost = move |state: &u64| successors(state).into_iter().map(|next| (next, 1));
    let check = |&(pushes, bytes): &(Option<usize>, Option<u64>)| {
        ensure!(pushes == Some(PUSHES), "found {pushes:?} pushes, expected {PUSHES}");
        Ok(Work { bytes, ..Work::default() })
    };
    let case = |name: &str, about: &str, run: Box<dyn Fn() -> (Option<usize>, Option<u64>)>| {
        Case::new(format!("peers.sokoban.{name}"), about, run, check)
    };
    let ours = |outcome: Outcome<Vec<u64>>| {
        (outcome.cost().map(|moves| moves as usize), Some(outcome.stats.bytes))
    };
    let pushes_of = |plan: Vec<u64>| plan.len() - 1;
    let cases = vec![
        case(
            "pathfinding-bfs",
            "pathfinding::bfs",
            Box::new(move || {
                let plan = bfs(&start, successors, |&state| space.is_goal(state));
                (plan.map(pushes_of), None)
            }),
        )
        .baseline(),
        case(
            "hash-map",
            "hand-written: breadth-first with a hash map of parents",
            Box::new(move || (breadth_first(space, start).map(pushes_of), None)),
        ),
        case("bfs", "ours: breadth-first", Box::new(move || ours(Search::new(space).run()))),
        case(
            "bfs-predecessors",
            "ours: breadth-first, plan recovery by pulls",
            Box::new(move || ours(Search::new(space).predecessors().run())),
        ),
        case(
            "bfs.2",
            "ours: breadth-first, 2 threads",
            Box::new(move || {
                let two = NonZero::<usize>::MIN.saturating_add(1);
                ours(Search::new(space).threads(two).run())
            }),
        ),
        case(
            "pathfinding-astar",
            "pathfinding::astar",
            Box::new(move || {
                let bound = |&state: &u64| matching.evaluate(state);
                let found = peer_astar(&start, with_cost, bound, |&state| space.is_goal(state));
                (found.map(|(plan, _)| pushes_of(plan)), None)
            }),
        ),
        case(
            "astar",
            "ours: A*",
            Box::new(move || ours(Search::new(space).heuristic(matching).run())),
        ),
        case(
            "astar-predecessors",
            "ours: A*, plan recovery by pulls",
            Box::new(move || ours(Search::new(space).heuristic(matching).predecessors().run())),
        ),
    ];
    let title = format!("Peers on Sokoban, Microban 111, {PUSHES} pushes");
    Ok(Comparison { title, cases, isolated: true, ..Comparison::default() })
}

/// What one would write without a library: a queue, and the parent of each state in a hash map.
fn breadth_first(space: &Sokoban, start: u64) -> Option<Vec<u64>> {
    let mut parents = FxHashMap::from_iter([(start, start)]);
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        if space.is_goal(state) {
            let mut plan = vec![state];
            let mut last = state;
            while parents[&last] != last {
                last = parents[&last];
                plan.push(last);
            }
            plan.reverse();
            return Some(plan);
        }
        let _ = space.successors::<()>(state, None, |_, next| {
            if let Entry::Vacant(entry) = parents.entry(next) {
                entry.insert(state);
                queue.push_back(next);
            }
            ControlFlow::Continue(())
        });
    }
    None
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    let easiest =
        Puzzle::all()?.into_iter().min_by_key(|puzzle| puzzle.nodes).context("found no puzzle")?;
    Ok(vec![spaces(&SMALL), puzzle(easiest)?, sokoban()?])
}
