//! Searches by cost on random graphs, compared with Dijkstra's algorithm by the plain definition.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::cost::{self, CostRange, Costs};
use fewest_core::explore::End;
use fewest_core::search::Search;
use fewest_core::visited::{Adaptive, CompactTable, RankSet, Table};
use fewest_core::{Goals, Heuristic, Predecessors, Ranked, StateSpace};
use proptest::prelude::*;

use crate::by_set::{explore, sharded, sweep};
use crate::engines::{ENGINES, THREADS, assert_answer, assert_valid};

const STATES: u16 = 24;

/// A graph whose edges have costs. A move is the number of an edge.
#[derive(Clone, Debug)]
struct CostGraph {
    /// From, to, and the cost.
    edges: Vec<(u16, u16, u32)>,
    starts: Vec<u16>,
    goals: Vec<u16>,
    /// What is subtracted from the distance of a state to get its bound.
    errors: Vec<u32>,
    range: CostRange,
}

impl CostGraph {
    /// The least costs from some states, along the edges or against them: relaxes all edges until
    /// nothing changes.
    fn distances(&self, from: &[u16], is_forward: bool) -> BTreeMap<u16, u32> {
        let mut distances: BTreeMap<u16, u32> = from.iter().map(|&state| (state, 0)).collect();
        loop {
            let before = distances.clone();
            for &(one, other, cost) in &self.edges {
                let (one, other) = if is_forward { (one, other) } else { (other, one) };
                if let Some(&distance) = distances.get(&one) {
                    let known = distances.entry(other).or_insert(u32::MAX);
                    *known = distance.saturating_add(cost).min(*known);
                }
            }
            if distances == before {
                return distances;
            }
        }
    }

    fn cost(&self) -> Option<u32> {
        let distances = self.distances(&self.starts, true);
        self.goals.iter().filter_map(|goal| distances.get(goal).copied()).min()
    }
}

impl StateSpace for CostGraph {
    type State = u16;
    type Move = u16;

    const COSTS: Costs<Self> = Costs::ByMove {
        cost: |graph, _, edge| graph.edges[usize::from(edge)].2,
        range: |graph| graph.range,
    };

    fn initial(&self, emit: impl FnMut(u16)) {
        self.starts.iter().copied().for_each(emit);
    }

    fn is_goal(&self, state: u16) -> bool {
        self.goals.contains(&state)
    }

    fn state_bits(&self) -> u32 {
        5
    }

    fn successors<B>(
        &self,
        state: u16,
        _: Option<u16>,
        mut emit: impl FnMut(u16, u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let edges = (0..).zip(&self.edges).filter(|(_, edge)| edge.0 == state);
        edges.into_iter().try_for_each(|(number, edge)| emit(number, edge.1))
    }
}

impl Predecessors for CostGraph {
    fn predecessors<B>(
        &self,
        state: u16,
        mut emit: impl FnMut(u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.edges.iter().filter(|edge| edge.1 == state).try_for_each(|edge| emit(edge.0))
    }
}

impl Goals for CostGraph {
    fn goals(&self, mut emit: impl FnMut(u16)) {
        (0..STATES).filter(|state| self.goals.contains(state)).for_each(&mut emit);
    }
}

impl Ranked for CostGraph {
    fn ranks(&self) -> Option<u64> {
        Some(STATES.into())
    }

    fn rank(&self, state: u16) -> u64 {
        state.into()
    }

    fn unrank(&self, rank: u64) -> u16 {
        rank as u16
    }
}

/// Below the distance by some number for each state: mostly inconsistent.
impl Heuristic<Self> for CostGraph {
    type Evaluation = Option<u32>;

    fn evaluate(&self, state: u16) -> Option<u32> {
        let distance = *self.distances(&self.goals, false).get(&state)?;
        Some(distance.saturating_sub(self.errors[usize::from(state)]))
    }

    fn bound(&self, evaluation: Option<u32>) -> Option<u32> {
        evaluation
    }
}

/// Graphs whose edges have one of some costs.
fn graphs(costs: Vec<u32>, range: CostRange) -> impl Strategy<Value = CostGraph> {
    let states = || prop::collection::vec(0..STATES, 1..4);
    let errors = prop::collection::vec(0u32..8, usize::from(STATES));
    let edge = (0..STATES, 0..STATES, prop::sample::select(costs));
    let edges = prop::collection::vec(edge, 0..60);
    (edges, states(), states(), errors).prop_map(move |(edges, starts, goals, errors)| CostGraph {
        edges,
        starts,
        goals,
        errors,
        range,
    })
}

/// Of each kind of costs.
fn all_graphs() -> impl Strategy<Value = CostGraph> {
    let pairs = [(0, 1), (1, 1), (1, 0)].map(|(first, then)| cost::pair(first, then)).to_vec();
    prop_oneof![
        graphs((0..=5).collect(), CostRange::integers(0..=5)),
        graphs((1..=9).collect(), CostRange::integers(1..=9)),
        graphs(vec![0, 1], CostRange::integers(0..=1)),
        graphs(vec![1, 30], CostRange::integers(1..=30)),
        graphs(pairs, CostRange::pairs((0, 1)..=(1, 1))),
    ]
}

/// The number of states at each distance.
fn layers(graph: &CostGraph) -> BTreeMap<u32, u64> {
    let mut layers = BTreeMap::new();
    for distance in graph.distances(&graph.starts, true).into_values() {
        *layers.entry(distance).or_insert(0) += 1;
    }
    layers
}

proptest! {
    #![proptest_config(fewest_testing::cases(1000))]

    #[test]
    fn all_engines_find_the_least_cost(graph in all_graphs()) {
        let expected = graph.cost();
        for case in ENGINES {
            let outcome = case.run(&graph, &Budget::unlimited());
            assert_answer(&graph, &outcome, expected, case.name);
        }
        let plain = Search::new(&graph).heuristic(&graph);
        // Without a table it ends only if no path can go on.
        if expected.is_some() {
            assert_answer(&graph, &plain.run_without_table(), expected, "idastar, no table");
        }
        let plan = Search::new(&graph).plan().unwrap();
        prop_assert_eq!(plan.map(|plan| plan.cost()), expected);
    }

    #[test]
    fn a_stopped_search_by_cost_reports_a_valid_bound_and_plan(
        graph in all_graphs(),
        states in 0u64..24,
    ) {
        let budget = Budget::new(Limits { states: Some(states), ..Limits::default() });
        for case in ENGINES {
            let outcome = case.run(&graph, &budget);
            assert_valid(&graph, &outcome, graph.cost(), Limit::States, case.name);
        }
    }

    #[test]
    fn explorations_count_the_states_of_each_distance(graph in all_graphs()) {
        let (budget, expected) = (Budget::unlimited(), layers(&graph));
        let one = explore::<Adaptive<_>, _>(&graph, &budget);
        let all = [
            explore::<Table<_>, _>(&graph, &budget),
            explore::<CompactTable, _>(&graph, &budget),
            explore::<RankSet, _>(&graph, &budget),
            sharded::<Table<_>, _>(&graph, &budget, THREADS),
            sharded::<CompactTable, _>(&graph, &budget, THREADS),
            sharded::<RankSet, _>(&graph, &budget, THREADS),
            sweep(&graph, &budget, THREADS),
        ];
        for found in all.iter().chain([&one]) {
            prop_assert_eq!(found.end, End::Complete);
            let layers = found.distances.iter().copied().zip(found.layers.iter().copied());
            prop_assert_eq!(layers.collect::<BTreeMap<_, _>>(), expected.clone());
            prop_assert_eq!(found.stats.expanded, one.stats.expanded);
            prop_assert_eq!(found.stats.generated, one.stats.generated);
            prop_assert_eq!(found.stats.duplicates, one.stats.duplicates);
        }
        let mut visited = BTreeMap::new();
        Search::new(&graph).explore(|distance, state| {
            assert!(visited.insert(state, distance).is_none());
            ControlFlow::Continue(())
        });
        prop_assert_eq!(visited, graph.distances(&graph.starts, true));
    }
}
