//! Pattern databases of bytes, compared with relaxation of all edges.

use std::num::NonZero;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::cost::CostRange;
use fewest_core::pattern::Database;
use fewest_core::space::from_fn;
use fewest_core::{Goals, Heuristic, Predecessors, Ranked, Symmetric, check, heuristic};
use proptest::prelude::*;

use crate::by_set::explore;
use crate::spaces::sliding_tile::{Grid, Tiles, patterns};

/// Moves from a node to another, and what they cost.
type Edges = Vec<(u32, u32, u32)>;

/// A graph of `nodes` nodes whose goals are those below `goals`.
fn graph(
    nodes: u32,
    goals: u32,
    edges: &Edges,
    costs: CostRange,
) -> impl Ranked<State = u32, Move = u32> + Goals + Predecessors {
    let mut next = vec![Vec::new(); nodes as usize];
    let mut before = vec![Vec::new(); nodes as usize];
    for &(from, to, cost) in edges {
        next[from as usize].push((cost, to));
        before[to as usize].push(from);
    }
    from_fn([0_u32], move |node| next[node as usize].clone(), move |node| node < goals)
        .with_predecessors(move |node| before[node as usize].clone())
        .with_goals((0..goals).collect::<Vec<_>>())
        .with_ranks(nodes.into(), u64::from, |rank| rank as u32)
        .with_costs(costs, |_, cost| cost)
}

/// Lowers the distances to the goals along edges until none changes.
fn relaxed(nodes: u32, goals: u32, edges: &Edges) -> Vec<Option<u32>> {
    let mut distances: Vec<_> = (0..nodes).map(|node| (node < goals).then_some(0)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &(from, to, cost) in edges {
            let Some(distance) = distances[to as usize].map(|distance: u32| distance + cost) else {
                continue;
            };
            if distances[from as usize].is_none_or(|known| known > distance) {
                distances[from as usize] = Some(distance);
                changed = true;
            }
        }
    }
    distances
}

fn found(database: &Database) -> Vec<Option<u32>> {
    (0..database.ranks()).map(|rank| database.distance(rank)).collect()
}

proptest! {
    #[test]
    fn distances_are_those_of_relaxation(
        goals in 1_u32..4,
        (least, greatest) in prop::sample::select(vec![(1, 1), (0, 1), (0, 5), (2, 9), (40, 60)]),
        edges in prop::collection::vec((0_u32..40, 0_u32..40, any::<u32>()), 0..120),
    ) {
        let cost = |any: u32| least + any % (greatest - least + 1);
        let edges: Edges = edges.into_iter().map(|(from, to, any)| (from, to, cost(any))).collect();
        let costs = CostRange::integers(least..=greatest);
        let (graph, budget) = (graph(40, goals, &edges, costs), Budget::unlimited());
        let expected = relaxed(40, goals, &edges);
        let database = Database::new(&graph, &budget);
        if expected.iter().flatten().any(|&distance| distance > 254) {
            prop_assert_eq!(database.err(), Some(Limit::Encoding));
            return Ok(());
        }
        let database = database.expect("no limit");
        prop_assert_eq!(found(&database), expected);
        let halves = database.least_by(20, |rank| rank / 2, budget.memory()).expect("no limit");
        let least = |half: &[Option<u32>]| half.iter().flatten().min().copied();
        let expected: Vec<_> = found(&database).chunks(2).map(least).collect();
        prop_assert_eq!(found(&halves), expected);
    }
}

#[test]
fn several_threads_find_the_same_distances() {
    // Large layers, so that all threads work.
    let number = |index: u64| (index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as u32 % 100_000;
    for greatest in [0, 1, 3] {
        let cost = |i: u64| (i % 3).min(greatest) as u32 + u32::from(greatest == 0);
        let edge = |i| (number(2 * i), number(2 * i + 1), cost(i));
        let back = |(from, to, cost)| [(from, to, cost), (to, from, cost)];
        let edges = (0..150_000).map(edge).flat_map(back).collect();
        let graph = graph(100_000, 50, &edges, CostRange::integers(0..=greatest as u32 + 1));
        let expected = relaxed(100_000, 50, &edges);
        for threads in [1, 2, 3] {
            let budget = Budget::unlimited().with_threads(NonZero::new(threads).expect("not 0"));
            let database = Database::new(&graph, &budget).expect("no limit");
            assert!(found(&database) == expected, "{threads} threads, {greatest}");
        }
    }
}

#[test]
fn a_database_of_all_tiles_has_the_layers_of_an_exploration() {
    let tiles = Tiles::new(3, 3, Grid::new(3, 3).goal());
    let budget = Budget::unlimited();
    let database = Database::new(&tiles, &budget).expect("no limit");
    let mut layers = vec![0; 32];
    database.known().for_each(|(_, distance)| layers[distance as usize] += 1);
    assert_eq!(layers, explore::<fewest_core::visited::RankSet, _>(&tiles, &budget).layers);
}

#[test]
fn the_greater_of_two_bounds_is_a_bound() {
    let tiles = Tiles::new(3, 3, Grid::new(3, 3).goal());
    let budget = Budget::unlimited();
    let tables = patterns(&Grid::new(3, 3), [&[1, 2, 5], &[3, 6]], &budget).expect("no limit");
    let both = heuristic::max(&tiles, &tables);
    let states = check::reachable(&tiles, 2000);
    assert_eq!(check::heuristic(&tiles, &both, &states[..100], &budget), Ok(()));
    let (mut ones, mut others) = (0, 0);
    for &state in &states {
        let one = tiles.bound(tiles.evaluate(state)).expect("a bound");
        let other = Heuristic::<Tiles>::bound(&tables, tables.evaluate(state)).expect("a bound");
        let bound = Heuristic::<Tiles>::bound(&both, both.evaluate(state)).expect("a bound");
        assert_eq!(bound, one.max(other));
        ones += u32::from(one > other);
        others += u32::from(one < other);
    }
    assert!(ones > 0 && others > 0, "{ones} and {others}");
}

#[test]
fn a_mirrored_look_up_is_a_greater_bound() {
    // The goal is at the diagonal, so that it is its own image; the patterns are not.
    let tiles = Tiles::new(3, 3, Grid::new(3, 3).goal());
    let budget = Budget::unlimited();
    let distances = Database::new(&tiles, &budget).expect("no limit");
    let tables = patterns(&Grid::new(3, 3), [&[1, 2, 4, 5], &[3, 6, 7, 8]], &budget);
    let tables = tables.expect("no limit");
    let mirrored = heuristic::mirrored(&tiles, &tables);
    let states = check::reachable(&tiles, 2000);
    assert_eq!(check::heuristic(&tiles, &mirrored, &states[..100], &budget), Ok(()));
    let (mut own, mut both) = (0, 0);
    for (rank, distance) in distances.known() {
        let state = tiles.unrank(rank);
        assert_eq!(tiles.image(tiles.image(state, 1), 1), state);
        assert_eq!(distances.distance(tiles.rank(tiles.image(state, 1))), Some(distance));
        let bound = |bound: Option<u32>| bound.expect("a bound");
        let one = bound(Heuristic::<Tiles>::bound(&tables, tables.evaluate(state)));
        let two = bound(mirrored.bound(mirrored.evaluate(state)));
        assert!(one <= two && two <= distance, "{state:x}: {one}, {two}, {distance}");
        own += u64::from(one);
        both += u64::from(two);
    }
    assert!(both > own, "{both} and {own}");
}

#[test]
fn limits_stop_a_database() {
    let tiles = Tiles::new(3, 3, Grid::new(3, 3).goal());
    let stopped = |limits| Database::new(&tiles, &Budget::new(limits)).expect_err("a limit");
    let limits = Limits::default();
    let memory = Limits { memory_bytes: Some(400_000), ..limits };
    assert_eq!(stopped(Limits { states: Some(1000), ..limits }), Limit::States);
    assert_eq!(stopped(memory), Limit::Memory);
    // One state and then one move that does not count.
    let edges = vec![(1, 0, 0), (2, 1, 1), (3, 2, 1)];
    let budget = Budget::new(Limits { states: Some(1), ..limits });
    let counted = Database::new(&graph(4, 1, &edges, CostRange::integers(0..=1)), &budget);
    assert_eq!(counted.expect_err("a limit"), Limit::States);
    assert_eq!(stopped(Limits { time: Some(std::time::Duration::ZERO), ..limits }), Limit::Time);
}
