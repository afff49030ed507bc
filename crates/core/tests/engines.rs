//! One suite over every engine: on the same spaces all of them give the cost that a plain search gives, with a chain of
//! states that is a plan.

#[path = "../examples/sliding_tile.rs"]
mod sliding_tile;

use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::explore::explore;
use fewest_core::heuristic::Blind;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::{astar, bfs, bidirectional, idastar};
use fewest_core::space::moves_along;
use fewest_core::visited::{DenseBits, Table};
use fewest_core::{Goals, Heuristic, Predecessors, Ranked, StateSpace};
use proptest::prelude::*;
use sliding_tile::Tiles;

impl Goals for Tiles {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        emit((0..self.width * self.height).fold(0, |state, cell| state | (cell as u64) << (4 * cell)));
    }
}

/// A directed graph with unit edges, several starts and goals, and any heuristic.
#[derive(Clone, Debug)]
struct Graph {
    edges: Vec<Vec<u16>>,
    starts: Vec<u16>,
    goals: Vec<u16>,
    bounds: Vec<Option<u32>>,
}

impl StateSpace for Graph {
    type State = u16;
    type Move = usize;

    fn initial(&self, emit: impl FnMut(u16)) {
        self.starts.iter().copied().for_each(emit);
    }

    fn is_goal(&self, state: u16) -> bool {
        self.goals.contains(&state)
    }

    fn successors<B>(
        &self,
        state: u16,
        _: Option<usize>,
        mut emit: impl FnMut(usize, u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.edges[usize::from(state)].iter().enumerate().try_for_each(|(by, &next)| emit(by, next))
    }
}

impl Predecessors for Graph {
    fn predecessors<B>(&self, state: u16, mut emit: impl FnMut(u16) -> ControlFlow<B>) -> ControlFlow<B> {
        let all = 0..self.edges.len() as u16;
        all.filter(|&from| self.edges[usize::from(from)].contains(&state)).try_for_each(&mut emit)
    }
}

impl Goals for Graph {
    fn goals(&self, emit: impl FnMut(u16)) {
        self.goals.iter().copied().for_each(emit);
    }
}

impl Ranked for Graph {
    fn ranks(&self) -> Option<u64> {
        Some(self.edges.len() as u64)
    }

    fn rank(&self, state: u16) -> u64 {
        state.into()
    }

    fn unrank(&self, rank: u64) -> u16 {
        rank as u16
    }
}

impl Heuristic<Graph> for Graph {
    type Memo = u16;

    fn memo(&self, state: u16) -> u16 {
        state
    }

    fn bound(&self, state: u16) -> Option<u32> {
        self.bounds[usize::from(state)]
    }
}

/// Distances from a set of states, by a plain queue over a plain set.
fn distances(from: &[u16], edges: &[Vec<u16>]) -> Vec<Option<u32>> {
    let mut distances = vec![None; edges.len()];
    let mut queue = VecDeque::new();
    for &state in from {
        distances[usize::from(state)] = Some(0);
        queue.push_back((state, 0));
    }
    while let Some((state, distance)) = queue.pop_front() {
        for &next in &edges[usize::from(state)] {
            if distances[usize::from(next)].is_none() {
                distances[usize::from(next)] = Some(distance + 1);
                queue.push_back((next, distance + 1));
            }
        }
    }
    distances
}

impl Graph {
    fn reversed(&self) -> Vec<Vec<u16>> {
        let mut reversed = vec![Vec::new(); self.edges.len()];
        for (from, to) in self.edges.iter().enumerate() {
            to.iter().for_each(|&to| reversed[usize::from(to)].push(from as u16));
        }
        reversed
    }

    fn cost(&self) -> Option<u32> {
        let from_starts = distances(&self.starts, &self.edges);
        self.goals.iter().filter_map(|&goal| from_starts[usize::from(goal)]).min()
    }
}

type Run<S> = (&'static str, fn(&S, &Budget) -> Outcome<Vec<<S as StateSpace>::State>>);

/// The engines that end on every finite space. `S` is its own heuristic.
fn engines<S: Goals + Predecessors + Heuristic<S>>() -> Vec<Run<S>> {
    vec![
        ("bfs", |space, budget| bfs::search::<Table<_>, _>(space, budget)),
        ("bfs, predecessors", |space, budget| bfs::search_with_predecessors::<Table<_>, _>(space, budget)),
        ("bidirectional", |space, budget| bidirectional::search::<Table<_>, _>(space, budget)),
        ("astar", |space, budget| astar::search(space, space, budget)),
        ("astar, predecessors", |space, budget| astar::search_with_predecessors(space, space, budget)),
        ("astar, blind", |space, budget| astar::search(space, &Blind, budget)),
        ("idastar, table", |space, budget| idastar::search_with_table(space, space, budget)),
        ("idastar, blind, table", |space, budget| idastar::search_with_table(space, &Blind, budget)),
    ]
}

fn on_bits<S: Goals + Predecessors + Ranked>() -> Vec<Run<S>> {
    vec![
        ("bfs, bits", |space, budget| bfs::search::<DenseBits, _>(space, budget)),
        ("bfs, bits, predecessors", |space, budget| bfs::search_with_predecessors::<DenseBits, _>(space, budget)),
        ("bidirectional, bits", |space, budget| bidirectional::search::<DenseBits, _>(space, budget)),
    ]
}

/// The engine that needs a budget where there is no plan.
fn plain_idastar<S: Heuristic<S> + StateSpace>() -> Run<S> {
    ("idastar", |space, budget| idastar::search(space, space, budget))
}

fn assert_plan<S: StateSpace>(space: &S, chain: &[S::State], cost: u32, engine: &str) {
    assert_eq!(chain.len() as u32, cost + 1, "{engine}");
    let mut starts = BTreeSet::new();
    space.initial(|state| {
        starts.insert(state);
    });
    assert!(starts.contains(&chain[0]), "{engine}");
    assert!(space.is_goal(chain[chain.len() - 1]), "{engine}");
    assert_eq!(moves_along(space, chain).map(|moves| moves.len() as u32), Some(cost), "{engine}");
}

fn assert_answer<S: StateSpace>(space: &S, outcome: &Outcome<Vec<S::State>>, expected: Option<u32>, engine: &str) {
    match (&outcome.verdict, expected) {
        (Verdict::Solved { plan, cost }, Some(expected)) => {
            assert_eq!(*cost, expected, "{engine}");
            assert_plan(space, plan, *cost, engine);
        }
        (Verdict::Unsolvable, None) => {}
        (verdict, expected) => panic!("{engine}: {verdict:?}, expected {expected:?}"),
    }
}

/// A stopped search has proved no more than is true, and has no plan that is none.
fn assert_truthful<S: StateSpace>(
    space: &S,
    outcome: &Outcome<Vec<S::State>>,
    expected: Option<u32>,
    limit: Limit,
    engine: &str,
) {
    let Verdict::Stopped { limit: hit, lower_bound, best } = &outcome.verdict else {
        return assert_answer(space, outcome, expected, engine);
    };
    assert_eq!(*hit, limit, "{engine}");
    if let Some(expected) = expected {
        assert!(*lower_bound <= expected, "{engine}: {lower_bound} > {expected}");
    }
    if let Some((plan, cost)) = best {
        assert!(*cost > *lower_bound, "{engine}: that would be proved");
        assert!(expected.is_some_and(|expected| *cost >= expected), "{engine}");
        assert_plan(space, plan, *cost, engine);
    }
}

fn graphs() -> impl Strategy<Value = Graph> {
    (2usize..40)
        .prop_flat_map(|states| {
            let state = 0..states as u16;
            let edges = prop::collection::vec(prop::collection::vec(state.clone(), 0..4), states);
            let starts = prop::collection::btree_set(state.clone(), 1..4);
            let goals = prop::collection::btree_set(state, 0..4);
            (edges, starts, goals, prop::collection::vec((0u32..=4, any::<bool>()), states))
        })
        .prop_map(|(edges, starts, goals, parts)| {
            let (starts, goals) = (starts.into_iter().collect(), goals.into_iter().collect());
            let mut graph = Graph { edges, starts, goals, bounds: Vec::new() };
            // Any part of the true distance: admissible, and as inconsistent as can be.
            let to_goal = distances(&graph.goals, &graph.reversed()).into_iter().zip(parts);
            let bound = |(distance, (part, dead)): (Option<u32>, (u32, bool))| match distance {
                Some(distance) => Some(distance * part / 4),
                None => (!dead).then_some(part),
            };
            graph.bounds = to_goal.map(bound).collect();
            graph
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn all_engines_agree_on_directed_graphs(graph in graphs()) {
        for (engine, search) in engines::<Graph>().into_iter().chain(on_bits()) {
            assert_answer(&graph, &search(&graph, &Budget::unlimited()), graph.cost(), engine);
        }
        let (engine, search) = plain_idastar::<Graph>();
        let budget = Budget::start(Limits { states: Some(2_000), ..Limits::default() }, Arc::default());
        assert_truthful(&graph, &search(&graph, &budget), graph.cost(), Limit::States, engine);
    }

    #[test]
    fn whatever_stops_a_search_it_tells_the_truth(graph in graphs(), states in 0u64..40, kilobytes in 0u64..8) {
        for (engine, search) in engines::<Graph>().into_iter().chain(on_bits()).chain([plain_idastar()]) {
            let few_states = Limits { states: Some(states), ..Limits::default() };
            let outcome = search(&graph, &Budget::start(few_states, Arc::default()));
            assert_truthful(&graph, &outcome, graph.cost(), Limit::States, engine);
            prop_assert!(outcome.stats.expanded <= states);

            if engine != "idastar" {
                let memory_bytes = Some(kilobytes << 10);
                let budget = Budget::start(Limits { memory_bytes, ..Limits::default() }, Arc::default());
                let outcome = search(&graph, &budget);
                // IDA* goes on without room in its table, and where there is no plan it needs another limit to end.
                if !(engine.starts_with("idastar") && graph.cost().is_none()) {
                    assert_truthful(&graph, &outcome, graph.cost(), Limit::Memory, engine);
                }
                prop_assert!(outcome.stats.bytes <= kilobytes << 10);
                prop_assert_eq!(budget.memory().held_bytes(), 0);
            }
        }
    }
}

/// 3x3 boards from all over the space.
fn boards() -> Vec<u64> {
    let tiles = Tiles { width: 3, height: 3, start: 0x8_7654_3210 };
    let mut boards = vec![tiles.start, 0x1_2345_6780];
    let mut state = tiles.start;
    for turn in 0..400 {
        let mut next = Vec::new();
        let _ = tiles.successors(state, None, |_, to| {
            next.push(to);
            ControlFlow::<()>::Continue(())
        });
        state = next[(turn * turn / 7 + turn) % next.len()];
        if turn % 50 == 49 {
            boards.push(state);
        }
    }
    boards
}

#[test]
fn all_engines_agree_on_sliding_tiles() {
    for start in boards() {
        let tiles = Tiles { width: 3, height: 3, start };
        let expected = bfs::search::<Table<_>, _>(&tiles, &Budget::unlimited()).cost();
        assert!(expected.is_some());
        for (engine, search) in engines::<Tiles>().into_iter().chain([plain_idastar()]) {
            let outcome = search(&tiles, &Budget::unlimited());
            assert_answer(&tiles, &outcome, expected, engine);
            assert_eq!(outcome, search(&tiles, &Budget::unlimited()), "{engine}: twice the same");
        }
    }
}

#[test]
fn two_tiles_exchanged_cannot_be_solved_and_every_engine_says_so() {
    let tiles = Tiles { width: 3, height: 2, start: 0x54_3120 };
    for (engine, search) in engines::<Tiles>() {
        assert_answer(&tiles, &search(&tiles, &Budget::unlimited()), None, engine);
    }
}

#[test]
fn the_space_of_3x3_tiles_has_its_known_size_and_depth() {
    let tiles = Tiles { width: 3, height: 3, start: 0x8_7654_3210 };
    let all = explore::<Table<_>, _>(&tiles, &Budget::unlimited());
    assert_eq!((all.states(), all.layers.len() - 1, all.limit), (181_440, 31, None));
    // The published numbers of boards at each depth (Reinefeld, 1993): two at 31, from the blank in a corner.
    assert_eq!((all.layers[1], all.layers[2], all.layers[30], all.layers[31]), (2, 4, 221, 2));

    let limits = Limits { states: Some(1000), ..Limits::default() };
    let part = explore::<Table<_>, _>(&tiles, &Budget::start(limits, Arc::default()));
    assert_eq!(part.limit, Some(Limit::States));
    assert_eq!(part.layers, all.layers[..part.layers.len()]);
}

#[test]
fn time_and_the_flag_end_every_engine() {
    let tiles = Tiles { width: 4, height: 4, start: 0x0123_4567_89ab_cdef };
    for (engine, search) in engines::<Tiles>().into_iter().chain([plain_idastar()]) {
        let no_time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let outcome = search(&tiles, &Budget::start(no_time, Arc::default()));
        assert!(matches!(outcome.verdict, Verdict::Stopped { limit: Limit::Time, .. }), "{engine}");

        let raised = Arc::new(AtomicBool::new(true));
        let outcome = search(&tiles, &Budget::start(Limits::default(), raised));
        assert!(matches!(outcome.verdict, Verdict::Stopped { limit: Limit::Cancelled, .. }), "{engine}");
    }
}
