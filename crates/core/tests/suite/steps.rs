//! Searches that the caller drives, on random graphs: each engine makes the same steps as when it
//! runs by itself, and what it says of them holds by the plain definition of distances.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use fewest_core::budget::{Budget, Limits};
use fewest_core::heuristic::Blind;
use fewest_core::outcome::Verdict;
use fewest_core::search::{Engine, Search, Step, Steps};
use fewest_core::space::from_fn;
use fewest_core::stats::Stats;
use fewest_core::{Goals, Heuristic, Predecessors, Ranked, StateSpace};
use proptest::prelude::*;

use crate::costs::{CostGraph, all_graphs};
use crate::graphs::graphs;
use crate::spaces::sliding_tile::{Grid, Tiles};

/// What a search has counted, without the memory, in which steps differ.
fn counts(stats: Stats) -> Stats {
    let mut stats = stats;
    stats.bytes = 0;
    stats
}

/// A search with all that an engine may use.
fn search<'a, S, H>(
    space: &'a S,
    heuristic: &'a H,
    engine: Engine,
    is_ranked: bool,
    budget: &'a Budget,
) -> Search<'a, S, &'a H>
where
    S: Goals + Predecessors + Ranked,
    H: Heuristic<S>,
{
    let mut search = Search::new(space).heuristic(heuristic).predecessors().goals();
    if is_ranked {
        search = search.ranked();
    }
    search.engine(engine).unwrap().budget(budget)
}

/// Drives a search to its end.
fn drive(steps: &mut Steps<'_, u16>) -> Vec<Step<u16>> {
    let mut all = Vec::new();
    while let Some(step) = steps.next() {
        assert!(steps.lower_bound() >= step.lower_bound);
        all.push(step);
    }
    assert_eq!(steps.next(), None);
    all
}

/// A search that is driven for some steps, or to its end, has the outcome of one that runs.
fn assert_same<'a, S: StateSpace<State = u16> + 'a, H: Heuristic<S> + 'a>(
    driven: Option<usize>,
    new_search: impl Fn() -> Search<'a, S, &'a H>,
) {
    let search = new_search();
    let mut steps = search.steps();
    let made = match driven {
        None => drive(&mut steps).len(),
        Some(count) => steps.by_ref().take(count).count(),
    };
    let outcome = steps.outcome();
    let run = new_search().run();
    assert_eq!(outcome.verdict, run.verdict, "{search:?}");
    assert_eq!(counts(outcome.stats), counts(run.stats), "{search:?}");
    let all = run.stats.expanded as usize;
    assert_eq!(made, driven.unwrap_or(all).min(all), "{search:?}");
}

/// A search that a limit stops after some expansions has proved, and counted, what the driven one
/// has there. Looks at the first steps: the bounds of IDA* rise by as little as a cycle costs, so
/// that a dear move behind a cheap cycle takes it 100,000 steps.
fn assert_stops_at_each_step<S, H>(space: &S, heuristic: &H, engine: Engine)
where
    S: StateSpace<State = u16> + Goals + Predecessors + Ranked,
    H: Heuristic<S>,
{
    let unlimited = Budget::unlimited();
    let driven = search(space, heuristic, engine, false, &unlimited);
    let mut steps = driven.steps();
    for _ in 0..300 {
        let stats = steps.stats();
        let Some(step) = steps.next() else { break };
        let limits = Limits { states: Some(stats.expanded), ..Limits::default() };
        let budget = Budget::new(limits);
        let stopped = search(space, heuristic, engine, false, &budget).run();
        assert_eq!(stopped.lower_bound(), Some(step.lower_bound), "{engine}, {stats:?}");
        let of = |stats: Stats| (stats.expanded, stats.generated);
        assert_eq!(of(stopped.stats), of(stats), "{engine}");
        // A search by costs counts them when it looks at the next distance.
        if S::COSTS.are_unit() || engine != Engine::Bfs {
            assert_eq!(stopped.stats.duplicates, stats.duplicates, "{engine}");
        }
    }
}

fn cheapest(graph: &CostGraph, from: u16, to: u16) -> Option<u32> {
    let edges = graph.edges.iter().filter(|edge| (edge.0, edge.1) == (from, to));
    edges.map(|edge| edge.2).min()
}

proptest! {
    #![proptest_config(fewest_testing::cases(1000))]

    #[test]
    fn a_driven_search_is_the_search(
        graph in all_graphs(),
        is_ranked in any::<bool>(),
        states in prop::option::of(0_u64..40),
        driven in prop::option::of(0_usize..30),
    ) {
        let budget = Budget::new(Limits { states, ..Limits::default() });
        for engine in Engine::ALL {
            assert_same(driven, || search(&graph, &graph, engine, is_ranked, &budget));
            assert_same(driven, || search(&graph, &Blind, engine, is_ranked, &budget));
        }
    }

    #[test]
    fn a_driven_search_of_moves_that_cost_1_is_the_search(
        mut graph in prop_oneof![graphs(false), graphs(true)],
        is_ranked in any::<bool>(),
        states in prop::option::of(0_u64..40),
        driven in prop::option::of(0_usize..30),
    ) {
        // No state lists itself twice as a goal.
        graph.goals.sort_unstable();
        graph.goals.dedup();
        let budget = Budget::new(Limits { states, ..Limits::default() });
        for engine in Engine::ALL {
            assert_same(driven, || search(&graph, &Blind, engine, is_ranked, &budget));
        }
    }

    #[test]
    fn each_step_is_where_a_search_with_that_limit_stops(
        graph in all_graphs(),
        mut unit_graph in prop_oneof![graphs(false), graphs(true)],
    ) {
        unit_graph.goals.sort_unstable();
        unit_graph.goals.dedup();
        for engine in Engine::ALL {
            assert_stops_at_each_step(&graph, &graph, engine);
            assert_stops_at_each_step(&graph, &Blind, engine);
            assert_stops_at_each_step(&unit_graph, &Blind, engine);
        }
    }

    #[test]
    fn steps_say_what_the_search_knows(graph in all_graphs(), is_ranked in any::<bool>()) {
        let from_starts = graph.distances(&graph.starts, true);
        let from_goals = graph.distances(&graph.goals, false);
        let budget = Budget::unlimited();
        for engine in Engine::ALL {
            let search = search(&graph, &graph, engine, is_ranked, &budget);
            let mut steps = search.steps();
            let all = drive(&mut steps);
            let stats = steps.stats();
            let outcome = steps.outcome();
            prop_assert_eq!(outcome.cost(), graph.cost());
            prop_assert_eq!(all.len() as u64, stats.expanded);
            let mut expanded = BTreeSet::new();
            let mut depths = BTreeMap::new();
            let mut before = 0;
            for Step { node, new, lower_bound, is_closing, .. } in all {
                prop_assert!(lower_bound >= before && outcome.cost().is_none_or(|cost| lower_bound <= cost));
                before = lower_bound;
                prop_assert!(!is_closing || engine == Engine::Idastar);
                for next in &new {
                    prop_assert_eq!(next.parent, Some(node.state));
                    prop_assert_eq!(next.is_backward, node.is_backward);
                }
                if is_closing {
                    continue;
                }
                let (distances, origins) = match node.is_backward {
                    false => (&from_starts, &graph.starts),
                    true => (&from_goals, &graph.goals),
                };
                let cost = |before: u16, after: u16| match node.is_backward {
                    false => cheapest(&graph, before, after),
                    true => cheapest(&graph, after, before),
                };
                match engine {
                    // Expanded once, at the distance.
                    Engine::Bfs | Engine::Bidirectional => {
                        prop_assert!(expanded.insert((node.is_backward, node.state)));
                        prop_assert_eq!((node.depth, node.bound), (distances[&node.state], 0));
                    }
                    Engine::Astar | Engine::Idastar => {
                        prop_assert!(node.depth >= distances[&node.state]);
                        prop_assert!(node.sum() >= lower_bound || engine == Engine::Idastar);
                    }
                }
                match node.parent {
                    None => prop_assert!(origins.contains(&node.state) && node.depth == 0),
                    // Its depth may have been lowered since, but not raised.
                    Some(parent) => {
                        let depth: u32 = depths[&(node.is_backward, parent)];
                        prop_assert!(depth + cost(parent, node.state).unwrap() <= node.depth);
                    }
                }
                depths.insert((node.is_backward, node.state), node.depth);
                for next in &new {
                    prop_assert!(next.depth >= node.depth + cost(node.state, next.state).unwrap());
                }
            }
        }
    }

    #[test]
    fn the_open_list_begins_with_the_next_state(graph in all_graphs()) {
        let budget = Budget::unlimited();
        for engine in Engine::ALL {
            let search = search(&graph, &graph, engine, false, &budget);
            let mut steps = search.steps();
            loop {
                let open = steps.open();
                let Some(step) = steps.next() else { break };
                match engine {
                    Engine::Bfs if graph.range.is_unit() => {
                        prop_assert_eq!(open.first(), Some(&step.node));
                    }
                    // A state may be there more than once, and IDA* starts anew when there are none.
                    Engine::Bfs | Engine::Bidirectional => {
                        prop_assert!(open.iter().any(|node| node.state == step.node.state));
                    }
                    Engine::Astar => {
                        prop_assert_eq!(open.first(), Some(&step.node));
                        prop_assert!(open.is_sorted_by_key(|node| node.sum()));
                    }
                    Engine::Idastar => {
                        if !step.is_closing && let Some(first) = open.first() {
                            // The path may be left until then, which raises bounds.
                            prop_assert!(first.bound <= step.node.bound);
                            prop_assert_eq!((first.state, first.depth), (step.node.state, step.node.depth));
                            prop_assert_eq!(first.parent, step.node.parent);
                        }
                    }
                }
            }
        }
    }
}

/// Tiles that are farthest from the goal.
fn farthest_tiles() -> Tiles {
    let mut last = Grid::new(2, 3).goal();
    Search::new(&Tiles::new(2, 3, last)).explore(|_, state| {
        last = state;
        ControlFlow::Continue(())
    });
    Tiles::new(2, 3, last)
}

#[test]
fn a_budget_reports_the_steps_of_a_search() {
    let tiles = farthest_tiles();
    for engine in [Engine::Bfs, Engine::Astar, Engine::Idastar] {
        let search = || Search::new(&tiles).heuristic(&Blind).engine(engine).unwrap();
        let reported = Arc::new(Mutex::new(Vec::new()));
        let report = Arc::clone(&reported);
        let budget = Budget::unlimited().on_step(move |stats, lower_bound, state| {
            let state = *state.downcast_ref::<u64>().expect("a state of the space");
            report.lock().unwrap().push((stats.expanded, stats.generated, lower_bound, state));
        });
        let run = search().budget(&budget).run();
        let driven = search();
        let mut steps = driven.steps();
        let mut expected = Vec::new();
        while let Some(step) = steps.next() {
            let stats = steps.stats();
            expected.push((stats.expanded, stats.generated, step.lower_bound, step.node.state));
        }
        assert!(expected.len() > 100, "{engine}");
        assert_eq!(*reported.lock().unwrap(), expected, "{engine}");
        assert_eq!(run.verdict, steps.outcome().verdict, "{engine}");
    }
}

#[test]
fn pruned_moves_are_no_steps() {
    // Its moves are kept, so that a search does not generate those that undo the last one.
    let tiles = farthest_tiles();
    let run = Search::new(&tiles).run();
    let search = Search::new(&tiles);
    let mut steps = search.steps();
    let expanded = steps.by_ref().count() as u64;
    let driven = steps.outcome();
    assert!(expanded > 100);
    assert_eq!(expanded, run.stats.expanded);
    assert_eq!((driven.verdict, counts(driven.stats)), (run.verdict, counts(run.stats)));
}

#[test]
fn a_search_that_cannot_start_has_no_steps() {
    let numbers = from_fn([1_u32], |n| [((), n + 1)], |n| n == 10);
    let zero = Blind;
    for engine in [Engine::Bfs, Engine::Astar, Engine::Idastar] {
        let budget = Budget::new(Limits { memory_bytes: Some(100), ..Limits::default() });
        let search = Search::new(&numbers).heuristic(&zero).engine(engine).unwrap().budget(&budget);
        let mut steps = search.steps();
        assert_eq!((steps.next(), steps.open().len(), steps.lower_bound()), (None, 0, 0));
        assert!(matches!(steps.outcome().verdict, Verdict::Stopped { .. }));
    }
}
