//! All shortest plans, graphs and diameters on random graphs, compared with naive implementations.

use std::collections::BTreeSet;

use fewest_core::StateSpace;
use fewest_core::budget::{Budget, Limits};
use fewest_core::explore::diameter::diameter;
use fewest_core::explore::graph::{self, UNREACHED};
use fewest_core::memory::Memory;
use fewest_core::outcome::Verdict;
use fewest_core::search::Search;
use fewest_core::space::from_fn;
use fewest_core::visited::Table;
use proptest::prelude::*;

use crate::by_set::bfs;
use crate::spaces::Graph;

/// Random graphs of 24 states.
pub(crate) fn graphs(undirected: bool) -> impl Strategy<Value = Graph> {
    let states = || prop::collection::vec(0u16..24, 1..4);
    let links = prop::collection::vec((0u16..24, 0u16..24), 0..50);
    (states(), states(), links).prop_map(move |(starts, goals, links)| {
        let mut edges = vec![Vec::new(); 24];
        for (one, other) in links {
            edges[usize::from(one)].push(other);
            if undirected {
                edges[usize::from(other)].push(one);
            }
        }
        Graph { edges, starts, goals, bounds: Vec::new() }
    })
}

fn successors_of(space: &Graph, state: u16) -> BTreeSet<u16> {
    space.edges[usize::from(state)].iter().copied().collect()
}

/// All paths with exactly `moves` moves from a state to a goal, in ascending lexicographic order.
fn plans_from(space: &Graph, state: u16, moves: u32) -> Vec<Vec<u16>> {
    if moves == 0 {
        return if space.is_goal(state) { vec![vec![state]] } else { Vec::new() };
    }
    let rest =
        successors_of(space, state).into_iter().flat_map(|next| plans_from(space, next, moves - 1));
    rest.map(|path| [vec![state], path].concat()).collect()
}

proptest! {
    #![proptest_config(fewest_testing::cases(2000))]

    #[test]
    fn all_shortest_plans_are_listed_once_each_in_order(
        space in prop_oneof![graphs(false), graphs(true)],
    ) {
        let budget = Budget::unlimited();
        let expected_cost = bfs::search::<Table<_>, _>(&space, &budget).cost();
        let outcome = Search::new(&space).budget(&budget).all_shortest();
        prop_assert_eq!(outcome.cost(), expected_cost);
        let small_cost = expected_cost.filter(|&cost| cost < 7);
        if let (Some(plans), Some(cost)) = (outcome.optimal(), small_cost) {
            let starts: BTreeSet<u16> = space.starts.iter().copied().collect();
            let expected: Vec<_> =
                starts.into_iter().flat_map(|start| plans_from(&space, start, cost)).collect();
            prop_assert_eq!(plans.iter().collect::<Vec<_>>(), expected.clone());
            prop_assert_eq!(plans.count(), Some(expected.len() as u128));
        }
    }

    #[test]
    fn a_stopped_search_for_all_plans_reports_a_valid_bound(
        space in graphs(true),
        states in 0u64..20,
    ) {
        let cost = bfs::search::<Table<_>, _>(&space, &Budget::unlimited()).cost();
        let budget = Budget::new(Limits { states: Some(states), ..Limits::default() });
        match Search::new(&space).budget(&budget).all_shortest().verdict {
            Verdict::Solved { cost: found, .. } => prop_assert_eq!(Some(found), cost),
            Verdict::Unsolvable => prop_assert_eq!(cost, None),
            Verdict::Stopped { lower_bound, .. } => {
                prop_assert!(cost.is_none_or(|cost| lower_bound <= cost));
            }
        }
    }

    #[test]
    fn a_graph_has_the_states_and_moves_of_its_space(
        space in prop_oneof![graphs(false), graphs(true)],
    ) {
        let graph = graph::Graph::of(&space, &Budget::unlimited()).unwrap();
        let mut reachable: BTreeSet<u16> = space.starts.iter().copied().collect();
        loop {
            let new = reachable
                .iter()
                .flat_map(|&state| successors_of(&space, state))
                .find(|state| !reachable.contains(state));
            let Some(new) = new else { break };
            reachable.insert(new);
        }
        prop_assert_eq!(graph.states().iter().copied().collect::<BTreeSet<_>>(), reachable);
        for (number, &state) in graph.states().iter().enumerate() {
            let numbers = graph.edges().successors(number as u32).iter();
            let ends = numbers.map(|&number| graph.states()[number as usize]);
            prop_assert_eq!(ends.collect::<BTreeSet<_>>(), successors_of(&space, state));
        }
        let pairs = |edges: &graph::Edges| {
            let ends = |from| edges.successors(from).iter().map(move |&to| (from, to));
            (0..graph.len() as u32).flat_map(ends).collect::<Vec<_>>()
        };
        let reversed = pairs(&graph.edges().reversed(&Memory::unlimited()).unwrap());
        let mut expected: Vec<_> =
            pairs(graph.edges()).into_iter().map(|(from, to)| (to, from)).collect();
        expected.sort_unstable();
        prop_assert_eq!(reversed, expected);
    }

    #[test]
    fn diameter_and_radius_match_searches_from_every_state(space in graphs(true)) {
        let space = Graph { starts: vec![space.starts[0]], ..space };
        let graph = graph::Graph::of(&space, &Budget::unlimited()).unwrap();
        let mut distances = vec![0; graph.len()];
        let eccentricities: Vec<u32> = (0..graph.len() as u32)
            .map(|from| {
                graph.edges().distances([from], &mut distances, &mut Vec::new());
                assert!(!distances.contains(&UNREACHED));
                distances.iter().copied().max().unwrap_or(0)
            })
            .collect();
        let mut reports = 0;
        let found = diameter(&graph, &Budget::unlimited(), |progress| {
            reports += 1;
            let diameters = progress.diameter_least..=progress.diameter_most;
            let radii = progress.radius_least..=progress.radius_most;
            assert!(!diameters.is_empty() && !radii.is_empty());
            assert!(diameters.contains(eccentricities.iter().max().unwrap()));
            assert!(radii.contains(eccentricities.iter().min().unwrap()));
        });
        let found = found.unwrap();
        prop_assert_eq!(Some(&found.diameter), eccentricities.iter().max());
        prop_assert_eq!(Some(&found.radius), eccentricities.iter().min());
        prop_assert_eq!(found.searches, reports);
    }
}

#[test]
fn the_plan_count_is_none_from_2_to_the_power_of_128() {
    // A chain of `n` diamonds has 2^n shortest plans.
    let count = |diamonds: u32| {
        let next = |state| match state % 3 {
            0 => [state + 1, state + 2].map(|next| ((), next)),
            side => [((), state + 3 - side); 2],
        };
        let chain = from_fn([0_u32], next, |state| state == 3 * diamonds);
        let outcome = Search::new(&chain).all_shortest();
        outcome.optimal().expect("a plan").count()
    };
    assert_eq!((count(100), count(127)), (Some(1 << 100), Some(1 << 127)));
    assert_eq!((count(128), count(200)), (None, None));
}
