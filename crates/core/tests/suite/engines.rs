//! One suite for all engines: on the same spaces, each of them returns the cost that a naive search
//! computes, and a chain of states that is a plan.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use fewest_core::budget::{Budget, Limit, Limits, Meter};
use fewest_core::cost;
use fewest_core::explore::{End, Exploration};
use fewest_core::heuristic::Blind;
use fewest_core::memory::Memory;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::pattern::ResumableDatabase;
use fewest_core::progress::ProgressCounters;
use fewest_core::seam::{Batch, Erased, SpaceView};
use fewest_core::search::{Engine, Search, astar, idastar};
use fewest_core::space::{from_fn, moves_along};
use fewest_core::stats::Stats;
use fewest_core::store::{
    Interrupt, LayerStore, Shard, Sharded, StoreProperties, Visit, VisitTagged,
};
use fewest_core::visited::{Adaptive, CompactTable, RankSet, Table};
use fewest_core::{Goals, Heuristic, Predecessors, Ranked, StateSpace, Word};
use proptest::prelude::*;

use crate::by_set::{
    SetOf, astar_with_predecessors, bfs, explore, explore_store, explore_with, search_sharded,
    search_sharded_with_predecessors, sharded, sweep,
};
use crate::spaces::sliding_tile::{FIFTEEN, Grid, Tiles, patterns};
use crate::spaces::{
    Graph, Permutations, Star, StatePairs, distances, doubling, hub, square, then,
};

pub(crate) const THREADS: NonZero<usize> = NonZero::new(3).unwrap();

/// An engine, and what it uses.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    engine: Engine,
    set: Set,
    threads: NonZero<usize>,
    uses_predecessors: bool,
    is_blind: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Set {
    Table,
    Compact,
    Adaptive,
    Bits,
}

impl Case {
    const fn new(name: &'static str, engine: Engine, set: Set) -> Self {
        let threads = NonZero::<usize>::MIN;
        Self { name, engine, set, threads, uses_predecessors: false, is_blind: false }
    }

    const fn threads(self) -> Self {
        Self { threads: THREADS, ..self }
    }

    const fn predecessors(self) -> Self {
        Self { uses_predecessors: true, ..self }
    }

    const fn blind(self) -> Self {
        Self { is_blind: true, ..self }
    }

    pub(crate) fn run<S: Complete>(self, space: &S, budget: &Budget) -> Outcome<Vec<S::State>> {
        if self.engine == Engine::Bfs {
            self.bfs(space, budget)
        } else if self.is_blind {
            self.search(space, &Blind, budget)
        } else {
            self.search(space, space, budget)
        }
    }

    fn bfs<S: Complete>(self, space: &S, budget: &Budget) -> Outcome<Vec<S::State>> {
        let mut erased = Erased::new(space);
        if self.set == Set::Bits {
            erased = erased.with_ranks();
        }
        if self.uses_predecessors {
            erased = erased.with_predecessors();
        }
        match (self.set, self.threads.get()) {
            (Set::Table, 1) => bfs::one_thread::<Table<_>, _>(&erased, budget),
            (Set::Compact, 1) => bfs::one_thread::<CompactTable, _>(&erased, budget),
            (Set::Bits, 1) => bfs::one_thread::<RankSet, _>(&erased, budget),
            (Set::Adaptive, _) => bfs::one_thread::<Adaptive<_>, _>(&erased, budget),
            (Set::Table, _) => bfs::shards::<Table<_>, _>(&erased, budget, self.threads),
            (Set::Compact, _) => bfs::shards::<CompactTable, _>(&erased, budget, self.threads),
            (Set::Bits, _) => bfs::shards::<RankSet, _>(&erased, budget, self.threads),
        }
    }

    fn search<S: Complete>(
        self,
        space: &S,
        heuristic: &impl Heuristic<S>,
        budget: &Budget,
    ) -> Outcome<Vec<S::State>> {
        let mut search = Search::new(space).heuristic(heuristic).goals();
        if self.set == Set::Bits {
            search = search.ranked();
        }
        if self.uses_predecessors {
            search = search.predecessors();
        }
        search.engine(self.engine).unwrap().budget(budget).run()
    }
}

/// A space with everything that an engine may use, which is its own heuristic.
pub(crate) trait Complete: Goals + Predecessors + Ranked + Heuristic<Self> + Sized {}
impl<S: Goals + Predecessors + Ranked + Heuristic<S>> Complete for S {}

/// The engines that end on every finite space.
pub(crate) const ENGINES: [Case; 19] = [
    Case::new("bfs", Engine::Bfs, Set::Table),
    Case::new("bfs, predecessors", Engine::Bfs, Set::Table).predecessors(),
    Case::new("bfs, threads", Engine::Bfs, Set::Table).threads(),
    Case::new("bfs, threads, predecessors", Engine::Bfs, Set::Table).threads().predecessors(),
    Case::new("bfs, compact", Engine::Bfs, Set::Compact),
    Case::new("bfs, compact, threads", Engine::Bfs, Set::Compact).threads(),
    Case::new("bfs, adaptive", Engine::Bfs, Set::Adaptive),
    Case::new("bfs, bits", Engine::Bfs, Set::Bits),
    Case::new("bfs, bits, predecessors", Engine::Bfs, Set::Bits).predecessors(),
    Case::new("bfs, bits, threads", Engine::Bfs, Set::Bits).threads(),
    Case::new("bidirectional", Engine::Bidirectional, Set::Table).predecessors(),
    Case::new("bidirectional, bits", Engine::Bidirectional, Set::Bits).predecessors(),
    Case::new("astar", Engine::Astar, Set::Table),
    Case::new("astar, predecessors", Engine::Astar, Set::Table).predecessors(),
    Case::new("astar, blind", Engine::Astar, Set::Table).blind(),
    Case::new("astar, ranks", Engine::Astar, Set::Bits),
    Case::new("astar, ranks, predecessors, blind", Engine::Astar, Set::Bits).predecessors().blind(),
    Case::new("idastar, table", Engine::Idastar, Set::Table),
    Case::new("idastar, blind, table", Engine::Idastar, Set::Table).blind(),
];

fn engines(engine: Engine) -> impl Iterator<Item = Case> {
    ENGINES.into_iter().filter(move |case| case.engine == engine)
}

pub(crate) fn assert_plan<S: StateSpace>(space: &S, chain: &[S::State], cost: u32, engine: &str) {
    let mut starts = BTreeSet::new();
    space.initial(|state| {
        starts.insert(state);
    });
    assert!(starts.contains(&chain[0]), "{engine}");
    assert!(space.is_goal(chain[chain.len() - 1]), "{engine}");
    let moves = moves_along(space, chain).expect("a move leads to each state");
    let costs = chain.iter().zip(moves).map(|(&state, by)| cost::of(space, state, by));
    assert_eq!(costs.sum::<u32>(), cost, "{engine}");
}

pub(crate) fn assert_answer<S: StateSpace>(
    space: &S,
    outcome: &Outcome<Vec<S::State>>,
    expected: Option<u32>,
    engine: &str,
) {
    match (&outcome.verdict, expected) {
        (Verdict::Solved { plan, cost }, Some(expected)) => {
            assert_eq!(*cost, expected, "{engine}");
            assert_plan(space, plan, *cost, engine);
        }
        (Verdict::Unsolvable, None) => {}
        (verdict, expected) => panic!("{engine}: {verdict:?}, expected {expected:?}"),
    }
}

/// Asserts that the outcome of a search that `limit` may have stopped has a valid lower bound and a
/// valid plan, if any.
pub(crate) fn assert_valid<S: StateSpace>(
    space: &S,
    outcome: &Outcome<Vec<S::State>>,
    expected: Option<u32>,
    limit: Limit,
    engine: &str,
) {
    let Verdict::Stopped { limit: stopped_by, lower_bound, best } = &outcome.verdict else {
        return assert_answer(space, outcome, expected, engine);
    };
    assert_eq!(*stopped_by, limit, "{engine}");
    if let Some(expected) = expected {
        assert!(*lower_bound <= expected, "{engine}: {lower_bound} > {expected}");
    }
    if let Some((plan, cost)) = best {
        assert!(
            *cost > *lower_bound,
            "{engine}: found cost {cost}, expected more than {lower_bound}"
        );
        assert!(expected.is_some_and(|expected| *cost >= expected), "{engine}");
        assert_plan(space, plan, *cost, engine);
    }
}

fn graphs() -> impl Strategy<Value = Graph> {
    prop_oneof![4 => 2usize..40, 1 => 60usize..200]
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
            // Any fraction of the distance: admissible, and inconsistent in general.
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
    #![proptest_config(fewest_testing::cases(1000))]

    #[test]
    fn all_engines_agree_on_directed_graphs(graph in graphs()) {
        let plan = least_plan(&graph);
        for case in ENGINES {
            let outcome = case.run(&graph, &Budget::unlimited());
            assert_answer(&graph, &outcome, graph.cost(), case.name);
            if case.engine == Engine::Bfs {
                prop_assert_eq!(outcome.optimal(), plan.as_ref(), "{}", case.name);
            }
        }
        // It may need a limit to end if no plan exists.
        let budget = Budget::new(Limits { states: Some(2_000), ..Limits::default() });
        let outcome = idastar::search_without_table(&graph, &graph, &budget);
        assert_valid(&graph, &outcome, graph.cost(), Limit::States, "idastar");
    }

    #[test]
    fn a_stopped_search_reports_a_valid_bound_and_plan(
        graph in graphs(),
        states in 0u64..40,
        bytes in 0u64..9000,
    ) {
        let few_states = || Budget::new(Limits { states: Some(states), ..Limits::default() });
        for case in ENGINES {
            let outcome = case.run(&graph, &few_states());
            assert_valid(&graph, &outcome, graph.cost(), Limit::States, case.name);
            prop_assert!(outcome.stats.expanded <= states);

            // IDA* continues when its table is full, so it needs another limit to end if no plan
            // exists.
            let states = (case.engine == Engine::Idastar).then_some(20_000);
            let budget = Budget::new(Limits { memory_bytes: Some(bytes), states, time: None });
            let outcome = case.run(&graph, &budget);
            let limit = match outcome.verdict {
                Verdict::Stopped { limit: Limit::States, .. } if states.is_some() => Limit::States,
                _ => Limit::Memory,
            };
            assert_valid(&graph, &outcome, graph.cost(), limit, case.name);
            prop_assert!(outcome.stats.bytes <= bytes);
            prop_assert_eq!(budget.memory().held_bytes(), 0);
        }
        let outcome = idastar::search_without_table(&graph, &graph, &few_states());
        assert_valid(&graph, &outcome, graph.cost(), Limit::States, "idastar");
        prop_assert!(outcome.stats.expanded <= states);
    }
}

/// The plan that a breadth-first search must return: it ends in the least goal at the least depth,
/// and each state before is the least one of its depth with a move to the next.
fn least_plan(graph: &Graph) -> Option<Vec<u16>> {
    let depths = distances(&graph.starts, &graph.edges);
    let mut plan = vec![
        graph
            .goals
            .iter()
            .copied()
            .filter_map(|goal| Some((depths[usize::from(goal)]?, goal)))
            .min()?,
    ];
    while let Some(&(depth @ 1.., state)) = plan.last() {
        let before = (0..graph.edges.len() as u16).find(|&from| {
            depths[usize::from(from)] == Some(depth - 1)
                && graph.edges[usize::from(from)].contains(&state)
        });
        plan.push((depth - 1, before.expect("a predecessor")));
    }
    Some(plan.into_iter().rev().map(|(_, state)| state).collect())
}

/// Goal 5 is two moves from the start, but the heuristic leads A* to goal 3 first, at three moves.
fn detour() -> Graph {
    let edges = vec![vec![4, 1], vec![2], vec![3], vec![], vec![5], vec![]];
    let bounds = vec![Some(0), Some(0), Some(0), Some(0), Some(1), Some(0)];
    Graph { edges, starts: vec![0], goals: vec![3, 5], bounds }
}

#[test]
fn a_stopped_astar_returns_the_plan_that_it_found_but_not_as_optimal() {
    for case in engines(Engine::Astar) {
        let three_states = Limits { states: Some(3), ..Limits::default() };
        let stopped = case.run(&detour(), &Budget::new(three_states));
        if !case.is_blind {
            let best = Some((vec![0, 1, 2, 3], 3));
            let expected = Verdict::Stopped { limit: Limit::States, lower_bound: 2, best };
            assert_eq!(stopped.verdict, expected, "{}", case.name);
        }
        let solved = case.run(&detour(), &Budget::unlimited());
        let expected = Verdict::Solved { plan: vec![0, 4, 5], cost: 2 };
        assert_eq!(solved.verdict, expected, "{}", case.name);
    }
}

/// A path of 30 moves to the goal, with an exact bound, and a dead end with a bound of 33.
fn path_with_a_dead_end() -> Graph {
    let mut edges: Vec<Vec<u16>> = (1..=30).map(|next| vec![next]).collect();
    edges.extend([vec![], vec![]]);
    edges[1].push(31);
    let mut bounds: Vec<Option<u32>> = (0..=30).rev().map(Some).collect();
    bounds.push(Some(33));
    Graph { edges, starts: vec![0], goals: vec![30], bounds }
}

#[test]
fn astar_without_memory_to_recover_its_plan_reports_a_valid_bound() {
    for bytes in (0..20_000).step_by(50) {
        for case in engines(Engine::Astar) {
            let limits = Limits { memory_bytes: Some(bytes), ..Limits::default() };
            let outcome = case.run(&path_with_a_dead_end(), &Budget::new(limits));
            assert_valid(&path_with_a_dead_end(), &outcome, Some(30), Limit::Memory, case.name);
        }
    }
}

#[test]
fn a_huge_bound_takes_no_memory() {
    let mut graph = path_with_a_dead_end();
    graph.bounds[31] = Some(u32::MAX);
    let limits = Limits { memory_bytes: Some(1 << 20), ..Limits::default() };
    assert_eq!(astar::search(&graph, &graph, &Budget::new(limits)).cost(), Some(30));
}

#[test]
fn the_least_of_several_initial_goals_is_the_plan() {
    let bounds = vec![Some(0); 4];
    let graph = Graph { edges: vec![vec![]; 4], starts: vec![3, 1, 2], goals: vec![1, 2], bounds };
    for case in ENGINES.into_iter().filter(|case| case.engine != Engine::Idastar) {
        let outcome = case.run(&graph, &Budget::unlimited());
        assert_eq!(outcome.optimal(), Some(&vec![1]), "{}", case.name);
    }
}

#[test]
fn a_cancellation_does_not_discard_a_found_plan() {
    type Search = fn(&Star, &Budget) -> Outcome<Vec<u32>>;
    let searches: [(&str, Search); 4] = [
        ("bfs", |star, budget| bfs::search::<Table<_>, _>(star, budget)),
        ("bfs, predecessors", |star, budget| {
            bfs::search_with_predecessors::<Table<_>, _>(star, budget)
        }),
        ("astar", |star, budget| astar::search(star, &Blind, budget)),
        ("astar, predecessors", |star, budget| astar_with_predecessors(star, &Blind, budget)),
    ];
    for (engine, search) in searches {
        let star = Star { rays: 5000, ..Star::default() };
        let budget = Budget::new(Limits::default()).cancelled_by(Arc::clone(&star.flag));
        let outcome = search(&star, &budget);
        assert_eq!(outcome.best().map(|(plan, _)| plan), Some(&vec![0, 1]), "{engine}");
        let generated = outcome.stats.generated;
        assert!(generated < 5000, "{engine}: generated {generated}, expected fewer than 5000");
    }
}

proptest! {
    #![proptest_config(fewest_testing::cases(1000))]

    #[test]
    fn path_dependent_pruning_keeps_a_shortest_plan(
        moves in prop::collection::btree_set(Just([0u8, 1, 2, 3, 4]).prop_shuffle(), 2..5),
        walk in prop::collection::vec(any::<prop::sample::Index>(), 0..9),
    ) {
        let moves: Vec<_> = moves.into_iter().collect();
        let goal = walk.iter().fold([0, 1, 2, 3, 4], |order, by| then(order, *by.get(&moves)));
        let space = Permutations::new(moves, goal);
        let expected = bfs::search::<Table<_>, _>(&space, &Budget::unlimited()).cost();
        prop_assert!(expected.is_some());
        for (engine, outcome) in [
            ("idastar", idastar::search_without_table(&space, &Blind, &Budget::unlimited())),
            ("idastar, table", idastar::search(&space, &Blind, &Budget::unlimited())),
        ] {
            assert_answer(&space, &outcome, expected, engine);
        }
    }
}

#[test]
fn idastar_without_a_table_uses_move_pruning() {
    let tiles = Tiles::new(3, 2, 0x35_4201);
    let successors = |state| {
        let mut all = Vec::new();
        let _ = tiles.successors(state, None, |by, next| {
            all.push((by, next));
            ControlFlow::<()>::Continue(())
        });
        all
    };
    let not_pruning = from_fn([tiles.start], successors, |state| tiles.is_goal(state));
    let pruned = idastar::search_without_table(&tiles, &Blind, &Budget::unlimited());
    let unpruned = idastar::search_without_table(&not_pruning, &Blind, &Budget::unlimited());
    assert_eq!((pruned.cost(), unpruned.cost()), (Some(15), Some(15)));
    assert!(pruned.stats.generated < unpruned.stats.generated / 2, "{pruned:?} {unpruned:?}");
}

/// A sample of 3x3 boards.
fn boards() -> Vec<u64> {
    let tiles = Tiles::new(3, 3, 0x8_7654_3210);
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
        let tiles = Tiles::new(3, 3, start);
        let expected = bfs::search::<Table<_>, _>(&tiles, &Budget::unlimited()).cost();
        assert!(expected.is_some());
        for case in ENGINES.into_iter().filter(|case| case.set != Set::Bits) {
            let (name, progress) = (case.name, Arc::new(ProgressCounters::default()));
            let budget = Budget::unlimited().with_progress(Arc::clone(&progress));
            let outcome = case.run(&tiles, &budget);
            assert_answer(&tiles, &outcome, expected, name);
            assert_eq!(progress.expanded(), outcome.stats.expanded, "{name}: reported expansions");
            let depth = progress.depth();
            assert!(Some(depth) <= expected, "{name}: reported depth {depth}");
            let again = case.run(&tiles, &Budget::unlimited());
            assert_eq!(outcome.verdict, again.verdict, "{name}");
            if case.threads == THREADS {
                assert_eq!(counts(outcome.stats), counts(again.stats), "{name}");
            } else {
                assert_eq!(outcome.stats, again.stats, "{name}");
            }
        }
        let progress = Arc::new(ProgressCounters::default());
        let budget = Budget::unlimited().with_progress(Arc::clone(&progress));
        let outcome = idastar::search_without_table(&tiles, &tiles, &budget);
        assert_answer(&tiles, &outcome, expected, "idastar");
        assert_eq!(progress.expanded(), outcome.stats.expanded);
        assert!(Some(progress.depth()) <= expected);
        let again = idastar::search_without_table(&tiles, &tiles, &Budget::unlimited());
        assert_eq!(outcome, again);
    }
}

#[test]
fn all_engines_report_swapped_tiles_as_unsolvable() {
    let tiles = Tiles::new(3, 2, 0x54_3120);
    for case in ENGINES {
        assert_answer(&tiles, &case.run(&tiles, &Budget::unlimited()), None, case.name);
    }
}

#[test]
fn the_space_of_3x3_tiles_has_its_known_size_and_depth() {
    let tiles = Tiles::new(3, 3, 0x8_7654_3210);
    let all = explore::<Table<_>, _>(&tiles, &Budget::unlimited());
    assert_eq!((all.states(), all.layers.len() - 1, all.limit()), (181_440, 31, None));
    // The published numbers of boards at each depth (Reinefeld, 1993), for a start with the blank
    // in a corner.
    assert_eq!((all.layers[1], all.layers[2], all.layers[30], all.layers[31]), (2, 4, 221, 2));

    let limits = Limits { states: Some(1000), ..Limits::default() };
    let part = explore::<Table<_>, _>(&tiles, &Budget::new(limits));
    assert_eq!(part.limit(), Some(Limit::States));
    assert_eq!(part.layers, all.layers[..part.layers.len()]);
}

#[test]
fn a_time_limit_and_a_cancellation_stop_every_engine() {
    let tiles = Tiles::new(4, 4, 0x0123_4567_89ab_cdef);
    let plain_idastar = |budget: &Budget| idastar::search_without_table(&tiles, &tiles, budget);
    let no_time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let budgets = [
        (Limit::Time, Budget::new(no_time)),
        (Limit::Cancelled, Budget::unlimited().cancelled_by(Arc::new(AtomicBool::new(true)))),
    ];
    for (expected, budget) in budgets {
        let has_stopped = |outcome: &Outcome<_>| match outcome.verdict {
            Verdict::Stopped { limit, .. } => limit == expected,
            _ => false,
        };
        for case in ENGINES.into_iter().filter(|case| case.set != Set::Bits) {
            assert!(has_stopped(&case.run(&tiles, &budget)), "{}", case.name);
        }
        assert!(has_stopped(&plain_idastar(&budget)));
    }
}

#[test]
fn closing_in_idastar_leaves_room_in_the_table_for_the_iterations() {
    // The square has far more cells than any of these tables can hold, and closing easily generates
    // cells far away.
    for kibibytes in [40, 80, 130, 200, 260, 400] {
        for steps in [20, 30] {
            let square = square(1000, 1001 * (steps / 2));
            let limits =
                Limits { memory_bytes: Some(kibibytes << 10), states: Some(1_000_000), time: None };
            let outcome = idastar::search(&square, &Blind, &Budget::new(limits));
            assert_eq!(outcome.cost(), Some(steps), "{kibibytes} KiB: {:?}", outcome.stats);
            // The iterations expand each of about `2 * depth` cells per layer once for each depth.
            let by_iterations = u64::from(steps * steps * steps);
            assert!(
                outcome.stats.expanded < 2 * by_iterations,
                "{kibibytes} KiB, {steps} steps: {}",
                outcome.stats.expanded
            );
        }
    }
}

#[test]
fn idastar_with_a_full_table_ends() {
    let no_goal = square(300, u32::MAX);
    for kibibytes in [20, 100, 500] {
        let limits =
            Limits { memory_bytes: Some(kibibytes << 10), states: Some(3_000_000), time: None };
        let outcome = idastar::search(&no_goal, &Blind, &Budget::new(limits));
        assert!(
            matches!(outcome.verdict, Verdict::Stopped { limit: Limit::Memory, .. }),
            "{kibibytes} KiB"
        );
    }
}

#[test]
fn idastar_with_a_table_detects_that_no_plan_exists() {
    // Two tiles are swapped, so the goal is in the other half of the space. Each half has 181,440
    // boards.
    let tiles = Tiles::new(3, 3, 0x8_7654_3120);
    let outcome = idastar::search(&tiles, &tiles, &Budget::unlimited());
    assert_eq!(outcome.verdict, Verdict::Unsolvable);
    assert!(outcome.stats.expanded < 3 * 181_440, "{}", outcome.stats.expanded);
}

#[test]
fn every_tile_state_has_a_unique_rank() {
    // Odd and even widths, starts of both parities.
    for (width, height, start) in
        [(3, 2, 0x54_3210), (2, 3, 0x54_3201), (4, 2, 0x7654_3210), (4, 2, 0x7653_4012)]
    {
        let tiles = Tiles::new(width, height, start);
        let mut ranks = BTreeSet::new();
        explore_with::<Table<_>, _>(&tiles, &Budget::unlimited(), |_, state| {
            assert_eq!(tiles.unrank(tiles.rank(state)), state);
            ranks.insert(tiles.rank(state));
        });
        assert!(ranks.into_iter().eq(0..tiles.ranks().unwrap()), "{width}x{height}");
    }
}

#[test]
fn the_number_of_threads_changes_no_layer_plan_or_count() {
    for threads in [1, 2, 3, 8].map(|threads| NonZero::new(threads).unwrap()) {
        let tiles = Tiles::new(3, 3, 0x8_7654_3210);
        let expected = explore::<Table<_>, _>(&tiles, &Budget::unlimited());
        assert_eq!((expected.states(), expected.layers.len()), (181_440, 32));
        for explored in [
            sharded::<Table<_>, _>(&tiles, &Budget::unlimited(), threads),
            sharded::<RankSet, _>(&tiles, &Budget::unlimited(), threads),
        ] {
            assert_eq!(
                (&explored.layers, counts(explored.stats)),
                (&expected.layers, counts(expected.stats))
            );
        }
        let swept = sweep(&tiles, &Budget::unlimited(), threads);
        assert_eq!((&swept.layers, swept.stats.expanded), (&expected.layers, 181_440));
        // A sweep does not prune the inverse of the last move: one more successor for each state
        // but the start.
        assert_eq!(swept.stats.generated, expected.stats.generated + 181_439);

        for start in boards() {
            let tiles = Tiles::new(3, 3, start);
            let single = bfs::search_with_predecessors::<RankSet, _>(&tiles, &Budget::unlimited());
            for outcome in [
                search_sharded::<Table<_>, _>(&tiles, &Budget::unlimited(), threads),
                search_sharded_with_predecessors::<RankSet, _>(
                    &tiles,
                    &Budget::unlimited(),
                    threads,
                ),
            ] {
                assert_eq!(
                    (&outcome.verdict, counts(outcome.stats)),
                    (&single.verdict, counts(single.stats))
                );
            }
        }
    }
}

/// Asserts that explorations by 1, 2, 3 and 8 threads have the same layers and counts.
fn assert_threads_change_no_exploration(width: usize, height: usize, states: u64, depth: usize) {
    let goal = Grid::new(width, height).goal();
    let tiles = Tiles::new(width, height, goal);
    let all = explore::<RankSet, _>(&tiles, &Budget::unlimited());
    assert_eq!((all.states(), all.layers.len()), (states, depth + 1));
    let swept = sweep(&tiles, &Budget::unlimited(), NonZero::<usize>::MIN);
    assert_eq!(swept.layers, all.layers);
    for threads in [1, 2, 3, 8].map(|threads| NonZero::new(threads).unwrap()) {
        let explored = sharded::<RankSet, _>(&tiles, &Budget::unlimited(), threads);
        assert_eq!((&explored.layers, counts(explored.stats)), (&all.layers, counts(all.stats)));
        let again = sweep(&tiles, &Budget::unlimited(), threads);
        assert_eq!((&again.layers, counts(again.stats)), (&swept.layers, counts(swept.stats)));
    }
}

#[test]
fn the_number_of_threads_changes_nothing_on_2x5_tiles() {
    assert_threads_change_no_exploration(5, 2, 1_814_400, 55);
    // One of the two boards at depth 55.
    let tiles = Tiles::new(5, 2, 0x01_7395_6284);
    let single = bfs::search_with_predecessors::<RankSet, _>(&tiles, &Budget::unlimited());
    assert_eq!(single.cost(), Some(55));
    for threads in [1, 2, 3, 8].map(|threads| NonZero::new(threads).unwrap()) {
        let outcome =
            search_sharded_with_predecessors::<Table<_>, _>(&tiles, &Budget::unlimited(), threads);
        assert_eq!(
            (&outcome.verdict, counts(outcome.stats)),
            (&single.verdict, counts(single.stats))
        );
    }
}

#[test]
#[should_panic = "deliberate panic"]
fn a_panic_of_the_space_in_a_worker_ends_the_search() {
    let successors = |state| {
        assert!(state != 50_000, "deliberate panic");
        [2 * state + 1, 2 * state + 2].map(|next| ((), next))
    };
    let panicking = from_fn([0_u32], successors, |_| false);
    let _ = sharded::<Table<_>, _>(&panicking, &Budget::unlimited(), THREADS);
}

/// `cargo test --release --package fewest-core --test suite -- --ignored` takes three minutes and
/// 700 MB.
#[test]
#[ignore = "takes three minutes"]
fn the_number_of_threads_changes_nothing_on_3x4_tiles() {
    assert_threads_change_no_exploration(4, 3, 239_500_800, 53);
}

/// A store that reports no room after every fourth batch, and whose disk is full after some
/// commits.
#[derive(Debug)]
pub(crate) struct Refusing<T> {
    store: T,
    batches: AtomicUsize,
    commits_left: usize,
}

impl<W: Word, T: LayerStore<W>> LayerStore<W> for Refusing<T> {
    fn properties(&self) -> StoreProperties {
        self.store.properties()
    }

    fn is_empty(&self) -> bool {
        self.store.is_empty()
    }

    fn start(&mut self, batch: &mut Batch<W>) -> Result<(), Limit> {
        self.store.start(batch)
    }

    fn open(&mut self) -> Result<usize, Limit> {
        self.store.open()
    }

    fn read_chunk(&self, chunk: usize, visit: VisitTagged<'_, W>) -> Result<(), Limit> {
        self.store.read_chunk(chunk, visit)
    }

    fn add(&self, thread: usize, batch: &mut Batch<W>) -> Result<(), Interrupt> {
        self.store.add(thread, batch)?;
        if self.batches.fetch_add(1, Ordering::Relaxed) % 4 == 3 {
            Err(Interrupt::NeedsRoom)
        } else {
            Ok(())
        }
    }

    fn flush(&self, thread: usize) -> Result<(), Interrupt> {
        self.store.flush(thread)
    }

    fn make_room(&mut self) -> Result<(), Limit> {
        self.store.make_room()
    }

    fn commit(&mut self, meter: &mut Meter<'_>) -> Result<u64, Limit> {
        let disk_full = Limit::Io(ErrorKind::StorageFull);
        self.commits_left = self.commits_left.checked_sub(1).ok_or(disk_full)?;
        self.store.commit(meter)
    }

    fn read_added(
        &mut self,
        visit: &mut dyn FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        self.store.read_added(visit)
    }

    fn read(&self, visit: Visit<'_, W>) -> Result<ControlFlow<()>, Limit> {
        self.store.read(visit)
    }
}

pub(crate) fn refusing<T>(store: T, commits: usize) -> Refusing<T> {
    Refusing { store, batches: AtomicUsize::new(0), commits_left: commits }
}

#[test]
fn an_io_error_of_a_store_stops_a_search() {
    let tiles = Tiles::new(3, 3, 0x8_7654_3210);
    let budget = Budget::unlimited();
    let expected = explore::<Table<_>, _>(&tiles, &budget);
    let erased = Table::<u64>::erase(&tiles);
    let view = SpaceView::new(&erased);
    let store = Sharded::<_, Table<_>>::new(&view, THREADS, budget.memory()).unwrap();
    let explored = explore_store(view, Ok::<_, Limit>(refusing(store, 5)), &budget);
    assert_eq!(explored.end, End::Limit(Limit::Io(ErrorKind::StorageFull)));
    assert_eq!(explored.layers, expected.layers[..5]);
}

#[test]
fn no_state_is_lost_if_a_store_often_has_no_room() {
    fn assert_nothing_lost<S, V>(space: &S, expected: &Exploration)
    where
        S: StateSpace,
        V: SetOf<S> + Shard<S::State>,
    {
        let erased = <V as SetOf<S>>::erase(space);
        let view = SpaceView::new(&erased);
        for threads in [1, 2, 8].map(|threads| NonZero::new(threads).unwrap()) {
            let store = Sharded::<S::State, V>::new(&view, threads, &Memory::unlimited()).unwrap();
            let store = Ok::<_, Limit>(refusing(store, usize::MAX));
            let explored = explore_store(view, store, &Budget::unlimited());
            assert_eq!(
                (&explored.layers, counts(explored.stats)),
                (&expected.layers, counts(expected.stats))
            );
        }
    }
    let tiles = Tiles::new(3, 3, 0x8_7654_3210);
    let expected = explore::<Table<_>, _>(&tiles, &Budget::unlimited());
    assert_nothing_lost::<_, Table<_>>(&tiles, &expected);
    assert_nothing_lost::<_, CompactTable>(&tiles, &expected);
    assert_nothing_lost::<_, RankSet>(&tiles, &expected);
    let hub = hub();
    let expected = explore::<Table<_>, _>(&hub, &Budget::unlimited());
    assert_eq!((expected.layers[1], expected.states()), (50_000, 60_001));
    assert_nothing_lost::<_, Table<_>>(&hub, &expected);
    assert_nothing_lost::<_, CompactTable>(&hub, &expected);
}

#[test]
fn zero_sized_moves_are_stored_with_their_states() {
    for explored in [
        explore::<Table<_>, _>(&StatePairs, &Budget::unlimited()),
        sharded::<Table<_>, _>(&StatePairs, &Budget::unlimited(), THREADS),
    ] {
        assert_eq!(
            (&explored.layers[..], counts(explored.stats)),
            (&[5000, 5000][..], [10_000, 5000, 0, 10_000])
        );
    }
}

/// The counts that do not depend on memory layout or timing.
fn counts(stats: Stats) -> [u64; 4] {
    [stats.expanded, stats.generated, stats.duplicates, stats.peak_frontier]
}

#[test]
fn only_memory_limits_the_depth_of_idastar_without_a_table() {
    // The path is far longer than the recursion limit. Each state also has a move to a dead end,
    // and one state near the goal has a move back.
    let moves = 3000u16;
    let mut edges: Vec<Vec<u16>> = (1..=moves).map(|next| vec![moves + 1, next]).collect();
    edges[2999].push(2990);
    edges.extend([vec![], vec![]]);
    let mut bounds: Vec<Option<u32>> =
        (0..=moves).rev().map(|left| Some(u32::from(left) - u32::from(left > 0))).collect();
    bounds.push(Some(0));
    let deep = Graph { edges, starts: vec![0], goals: vec![moves], bounds };
    for (bytes, is_enough) in [(1 << 20, true), (1 << 16, false)] {
        let budget = Budget::new(Limits { memory_bytes: Some(bytes), ..Limits::default() });
        let outcome = idastar::search_without_table(&deep, &deep, &budget);
        if is_enough {
            assert_answer(&deep, &outcome, Some(3000), "idastar");
            // The path to the dead end after the last state before the goal.
            assert_eq!(outcome.stats.peak_frontier, 3001);
        } else {
            assert_valid(&deep, &outcome, Some(3000), Limit::Memory, "idastar");
        }
        assert_eq!(budget.memory().held_bytes(), 0);
    }
}

#[test]
fn a_memory_limit_stops_an_exploration_at_any_point() {
    // The frontier of this space stores moves in separate lists.
    let tiles = Tiles::new(3, 3, 0x8_7654_3210);
    let all = explore::<Table<_>, _>(&tiles, &Budget::unlimited()).layers;
    for bytes in (0..40_000).step_by(64) {
        let budget = || Budget::new(Limits { memory_bytes: Some(bytes), ..Limits::default() });
        let stopped = explore::<Table<_>, _>(&tiles, &budget());
        assert_eq!(stopped.limit(), Some(Limit::Memory));
        assert!(all.starts_with(&stopped.layers) && stopped.stats.bytes <= bytes);
    }
    // Shards need more memory, and the capacity of their buffers depends on the limit.
    let mut reached = Vec::new();
    for bytes in (400_000..6 << 20).step_by(200_003) {
        let budget = Budget::new(Limits { memory_bytes: Some(bytes), ..Limits::default() });
        let stopped = sharded::<Table<_>, _>(&tiles, &budget, THREADS);
        assert!(all.starts_with(&stopped.layers) && stopped.stats.bytes <= bytes);
        assert_eq!(
            (stopped.limit(), budget.memory().held_bytes()),
            ((stopped.layers != all).then_some(Limit::Memory), 0)
        );
        reached.push(stopped.layers.len());
    }
    // Timing decides which shards grow at the same time, and so how much memory they need. Twice
    // the memory outweighs that.
    assert!((0..reached.len()).all(|index| reached[index / 2] <= reached[index]), "{reached:?}");
    assert!(reached[0] < 20 && reached.last() == Some(&all.len()), "{reached:?}");
}

#[test]
fn an_expanded_layer_releases_its_memory_to_the_visited_set() {
    /// Many initial states, and from the last of them a path through all other states.
    fn wide_then_narrow(starts: u32) -> impl StateSpace<State = u32, Move = ()> {
        let path = starts..STATES;
        let next = move |state| path.contains(&(state + 1)).then_some(((), state + 1));
        from_fn(0..starts, next, |_| false)
    }
    const STATES: u32 = 1_000_000;
    let narrow = explore::<Table<_>, _>(&wide_then_narrow(1), &Budget::unlimited());
    let limit = narrow.stats.bytes + narrow.stats.bytes / 20;
    let wide = wide_then_narrow(600_000);
    let budget = || Budget::new(Limits { memory_bytes: Some(limit), ..Limits::default() });
    for explored in [
        explore::<Table<_>, _>(&wide, &budget()),
        sharded::<Table<_>, _>(&wide, &budget(), NonZero::<usize>::MIN),
    ] {
        assert_eq!((explored.limit(), explored.states()), (None, u64::from(STATES)));
    }
}

#[test]
fn parallel_engines_support_states_of_every_width() {
    fn agree<W: Word>() {
        let space = doubling::<W>(200_001);
        let single = explore::<Table<W>, _>(&space, &Budget::unlimited());
        let solved = bfs::search::<Table<W>, _>(&space, &Budget::unlimited());
        assert!(single.limit().is_none() && solved.optimal().is_some());
        let unlimited = Budget::unlimited;
        let explored = sharded::<Table<W>, _>(&space, &unlimited(), THREADS);
        assert_eq!(
            (&explored.layers, counts(explored.stats)),
            (&single.layers, counts(single.stats))
        );
        let outcome = search_sharded::<Table<W>, _>(&space, &unlimited(), THREADS);
        assert_eq!(
            (outcome.optimal(), counts(outcome.stats)),
            (solved.optimal(), counts(solved.stats))
        );
    }
    agree::<u32>();
    agree::<u64>();
    agree::<u128>();
    agree::<[u64; 3]>();
}

#[test]
fn parallel_searches_run_inside_the_threads_of_a_rayon_pool() {
    let tiles = Tiles::new(3, 3, 0x8_7654_3210);
    let explored = || sharded::<Table<_>, _>(&tiles, &Budget::unlimited(), THREADS).states();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let all: Vec<u64> = pool.broadcast(|_| explored());
    assert_eq!(all, [181_440; 3]);
}

#[test]
fn a_complete_pattern_database_has_the_layers_of_an_exploration() {
    let tiles = || Tiles::new(3, 3, Grid::new(3, 3).goal());
    let budget = Budget::unlimited();
    let mut meter = budget.meter();
    let mut database = ResumableDatabase::new(tiles(), Blind, budget.memory()).expect("memory");
    let mut known = vec![0; 32];
    for moves in 0..32 {
        database.extend(moves, &mut meter).expect("no limit");
        known[moves as usize] =
            database.known().filter(|&(_, distance)| distance == moves).count() as u64;
        assert!(database.known().all(|(_, distance)| distance <= moves), "{moves}");
    }
    assert_eq!(known, explore::<Table<_>, _>(&tiles(), &budget).layers);
    assert_eq!(database.known().count(), 181_440);
}

#[test]
fn additive_patterns_are_admissible() {
    let tiles = Tiles::new(3, 3, Grid::new(3, 3).goal());
    let budget = Budget::unlimited();
    let mut meter = budget.meter();
    let patterns =
        patterns(&Grid::new(3, 3), [&[1, 2, 4, 5], &[3, 6, 7, 8]], &budget).expect("no limit");
    let mut database =
        ResumableDatabase::new(Tiles::new(3, 3, Grid::new(3, 3).goal()), Blind, budget.memory())
            .expect("memory");
    database.extend(u32::MAX, &mut meter).expect("no limit");
    let (mut pattern_sum, mut manhattan_sum) = (0, 0);
    for (state, distance) in database.known() {
        let evaluation = patterns.evaluate(state);
        let bound = Heuristic::<Tiles>::bound(&patterns, evaluation).expect("a bound");
        assert!(bound <= distance, "{state:x}: found bound {bound}, expected at most {distance}");
        pattern_sum += u64::from(bound);
        manhattan_sum += u64::from(tiles.bound(tiles.evaluate(state)).expect("a bound"));
        let _ = tiles.successors(state, None, |by, next| {
            let moved = Heuristic::<Tiles>::bound(
                &patterns,
                patterns.update(|| evaluation, state, by, next),
            );
            assert_eq!(moved, Heuristic::<Tiles>::bound(&patterns, patterns.evaluate(next)));
            ControlFlow::<()>::Continue(())
        });
    }
    assert!(pattern_sum > manhattan_sum, "{pattern_sum} and {manhattan_sum}");
}

#[test]
fn patterns_report_out_of_memory() {
    let budget = Budget::new(Limits { memory_bytes: Some(100_000), ..Limits::default() });
    let patterns = patterns(&Grid::new(4, 4), FIFTEEN, &budget);
    assert_eq!(patterns.err(), Some(Limit::Memory));
}

#[test]
fn limits_stop_the_expansion_of_a_single_state() {
    // Far more successors than fit the memory or can be generated in time.
    let star = from_fn([0_u64], |_| (1..u64::MAX).map(|state| ((), state)), |_| false);
    let memory = Limits { memory_bytes: Some(1 << 20), ..Limits::default() };
    let time = Limits { time: Some(Duration::from_millis(1)), ..Limits::default() };
    for (limits, limit) in [(memory, Limit::Memory), (time, Limit::Time)] {
        let explored = explore::<Table<_>, _>(&star, &Budget::new(limits));
        assert_eq!((explored.limit(), explored.layers), (Some(limit), vec![1]));
        let verdict = bfs::search::<Table<_>, _>(&star, &Budget::new(limits)).verdict;
        assert_eq!(verdict, Verdict::Stopped { limit, lower_bound: 1, best: None });
    }
}

#[test]
fn a_space_with_ranks_but_without_states_is_unsolvable() {
    let empty = Graph { edges: vec![], starts: vec![], goals: vec![], bounds: vec![] };
    for case in ENGINES {
        assert_answer(&empty, &case.run(&empty, &Budget::unlimited()), None, case.name);
    }
    let outcome = Search::new(&empty).ranked().threads(THREADS).run();
    assert!(matches!(outcome.verdict, Verdict::Unsolvable));
}
