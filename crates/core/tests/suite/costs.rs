//! Searches by cost on random graphs, compared with Dijkstra's algorithm by the plain definition.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::checkpoint::{Checkpoint, Description};
use fewest_core::cost::{self, CostRange, Costs};
use fewest_core::disk::Disk;
use fewest_core::explore::End;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::representation::Representation;
use fewest_core::search::{Engine, Search};
use fewest_core::space::from_fn;
use fewest_core::stats::Stats;
use fewest_core::storage::Storage;
use fewest_core::visited::{Adaptive, CompactTable, RankSet, Table};
use fewest_core::{Goals, Heuristic, Predecessors, Ranked, StateSpace, check, heuristic};
use proptest::prelude::*;

use crate::by_set::{explore, sharded, sweep};
use crate::cluster::{BITS, RUNS, TABLE, in_processes, within};
use crate::engines::{ENGINES, THREADS, assert_answer, assert_valid};
use crate::test_files::TestFiles;

const STATES: u16 = 24;

/// A graph whose edges have costs. A move is the number of an edge.
#[derive(Clone, Debug)]
pub(crate) struct CostGraph {
    /// From, to, and the cost.
    pub(crate) edges: Vec<(u16, u16, u32)>,
    pub(crate) starts: Vec<u16>,
    pub(crate) goals: Vec<u16>,
    /// What is subtracted from the distance of a state to get its bound.
    errors: Vec<u32>,
    pub(crate) range: CostRange,
}

impl CostGraph {
    /// The least costs from some states, along the edges or against them: relaxes all edges until
    /// nothing changes.
    pub(crate) fn distances(&self, from: &[u16], is_forward: bool) -> BTreeMap<u16, u32> {
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

    pub(crate) fn cost(&self) -> Option<u32> {
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
pub(crate) fn all_graphs() -> impl Strategy<Value = CostGraph> {
    let pairs = [(0, 1), (1, 1), (1, 0)].map(|(first, then)| cost::pair(first, then)).to_vec();
    prop_oneof![
        graphs((0..=5).collect(), CostRange::integers(0..=5)),
        graphs((1..=9).collect(), CostRange::integers(1..=9)),
        graphs(vec![0, 1], CostRange::integers(0..=1)),
        graphs(vec![1, 30], CostRange::integers(1..=30)),
        graphs(vec![2, 3], CostRange::integers(2..=3)),
        graphs(vec![3, 5, 7], CostRange::integers(3..=7)),
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
        for (representation, threads) in WAYS_ON_DISK {
            let files = Arc::new(TestFiles::default());
            let disk = Disk::with_files("scratch", files);
            let storage = Storage::default().with_disk(disk).with_representation(representation);
            let budget = Budget::unlimited().with_storage(storage);
            let search = Search::new(&graph).ranked().threads(threads).budget(&budget);
            let found = search.count_layers(|_, _| ControlFlow::Continue(()));
            prop_assert_eq!((&found.layers, &found.distances), (&one.layers, &one.distances));
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

#[test]
fn broken_promises_of_costs_are_found() {
    let graph = CostGraph {
        edges: vec![(0, 1, 2), (0, 1, 5), (1, 2, 3)],
        starts: vec![0],
        goals: vec![2],
        errors: vec![0; STATES.into()],
        range: CostRange::integers(2..=5),
    };
    let states = check::reachable(&graph, 10);
    assert_eq!(check::space(&graph, &states), Ok(()));
    assert_eq!(check::predecessors(&graph, &states), Ok(()));
    assert_eq!(check::heuristic(&graph, &graph, &states, &Budget::unlimited()), Ok(()));
    assert_eq!(check::consistency(&graph, &graph, &states), Ok(()));
    let narrow = CostGraph { range: CostRange::integers(2..=4), ..graph.clone() };
    let violation = check::space(&narrow, &states).unwrap_err().to_string();
    assert_eq!(violation, "state 0: a move costs 5, which is not from 2 to 4; it leads to 1");
    let dear = from_fn([0_u16], |n| (n < 2).then_some((n, n + 1)), |n| n == 2)
        .with_predecessors(|n| n.checked_sub(1))
        .with_costs(CostRange::integers(1..=3), |_, _| 3);
    let bounds = heuristic::from_fn(|n: u16| [7, 2, 0][usize::from(n)]);
    let violation = check::heuristic(&dear, &bounds, &[0], &Budget::unlimited()).unwrap_err();
    assert_eq!(violation.to_string(), "state 0: the bound is 7, but a goal is at a distance of 6");
    let violation = check::consistency(&dear, &bounds, &[0]).unwrap_err();
    assert_eq!(
        violation.to_string(),
        "state 0: the bound falls from 7 to 2 at 1, and the move costs 3"
    );
}

/// Sums that do not fit are no proof that there is no plan.
#[test]
fn sums_that_do_not_fit_are_refused() {
    let numbers = from_fn([0_u16], |n| (n < 2).then_some(((), n + 1)), |n| n == 2)
        .with_costs(CostRange::integers(1..=u32::MAX), |_, ()| 3_000_000_000);
    let bound = heuristic::from_fn(|n: u16| if n < 2 { 3_000_000_000 } else { 0_u32 });
    let search = || Search::new(&numbers).heuristic(&bound);
    let outcomes =
        Engine::ALL.into_iter().filter_map(|engine| Some(search().engine(engine).ok()?.run()));
    let outcomes: Vec<_> = outcomes.chain([search().run_without_table()]).collect();
    assert_eq!(outcomes.len(), 4);
    for outcome in outcomes {
        let is_refused = matches!(
            outcome.verdict,
            Verdict::Stopped { limit: Limit::Encoding, lower_bound: 0..=3_000_000_001, .. }
        );
        assert!(is_refused, "{outcome:?}");
    }
}

#[test]
#[should_panic(expected = "a move costs 5, which is not from 1 to 4")]
fn a_search_refuses_a_cost_beyond_the_range() {
    let numbers = from_fn([0_u16], |n| [((), n + 1)], |n| n == 2)
        .with_costs(CostRange::integers(1..=4), |_, ()| 5);
    let _ = Search::new(&numbers).run();
}

/// All plans of the least cost, each until its first goal; `None` if there is no end of them.
fn all_plans(graph: &CostGraph) -> Option<BTreeSet<Vec<u16>>> {
    let left = graph.distances(&graph.goals, false);
    let starts = graph.starts.iter().filter(|start| left.get(start) == graph.cost().as_ref());
    let mut open: Vec<Vec<u16>> = starts.map(|&start| vec![start]).collect();
    let mut plans = BTreeSet::new();
    while let Some(path) = open.pop() {
        let here = path[path.len() - 1];
        if graph.is_goal(here) {
            plans.insert(path);
            continue;
        }
        for &(from, to, cost) in &graph.edges {
            let goes_on =
                from == here && left.get(&to).is_some_and(|&after| after + cost == left[&here]);
            if goes_on {
                if path.contains(&to) {
                    return None;
                }
                open.push(path.iter().copied().chain([to]).collect());
            }
        }
    }
    Some(plans)
}

proptest! {
    #![proptest_config(fewest_testing::cases(1000))]

    #[test]
    fn all_plans_of_the_least_cost_are_listed_once_each(graph in all_graphs()) {
        let outcome = Search::new(&graph).all_shortest();
        match (&outcome.verdict, graph.cost()) {
            (Verdict::Solved { plan: found, cost }, Some(expected)) => {
                prop_assert_eq!(*cost, expected);
                let plans = all_plans(&graph).expect("an end of the plans");
                let listed: Vec<Vec<u16>> = found.iter().collect();
                prop_assert_eq!(found.count(), Some(plans.len() as u128));
                prop_assert_eq!(listed.len(), plans.len());
                prop_assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), plans);
                let distances = graph.distances(&graph.starts, true);
                for node in found.nodes() {
                    prop_assert_eq!(node.distance, distances[&node.state]);
                    prop_assert_eq!(node.next.is_empty(), graph.is_goal(node.state));
                }
            }
            (Verdict::Unsolvable, None) => {}
            (Verdict::Stopped { limit: Limit::Encoding, lower_bound, .. }, Some(cost)) => {
                prop_assert_eq!(*lower_bound, cost);
                prop_assert!(all_plans(&graph).is_none());
            }
            (verdict, cost) => panic!("{verdict:?}, expected {cost:?}"),
        }
    }
}

const WAYS_ON_DISK: [(Representation, NonZero<usize>); 3] = [
    (Representation::Runs, NonZero::<usize>::MIN),
    (Representation::Runs, THREADS),
    (Representation::TwoBits, THREADS),
];

/// A search that is stopped after some expansions, again and again, and goes on from its checkpoint.
fn in_steps(graph: &CostGraph, states: u64, threads: NonZero<usize>) -> Outcome<Vec<u16>> {
    let files = Arc::new(TestFiles::default());
    let mut proved = 0;
    for step in 1.. {
        let disk = Disk::with_files("saved", Arc::clone(&files) as _);
        let description = Description::new([("puzzle", "graph")]);
        let checkpoint = Checkpoint::open(&disk, &description).expect("usable");
        let limits = Limits { states: Some(step * states), ..Limits::default() };
        let storage = Storage::default().with_checkpoint(checkpoint.clone());
        let budget = Budget::new(limits).with_storage(storage);
        let outcome = Search::new(graph).threads(threads).budget(&budget).run();
        assert!(checkpoint.take_error().is_none());
        let Verdict::Stopped { limit: Limit::States, lower_bound, .. } = outcome.verdict else {
            return outcome;
        };
        assert!(lower_bound >= proved && graph.cost().is_none_or(|cost| lower_bound <= cost));
        proved = lower_bound;
    }
    unreachable!("the limit grows")
}

proptest! {
    #![proptest_config(fewest_testing::cases(300))]

    #[test]
    fn a_stopped_search_by_cost_goes_on_from_its_checkpoint(
        graph in all_graphs(),
        states in 1u64..9,
    ) {
        let expected = Search::new(&graph).run();
        for threads in [NonZero::<usize>::MIN, THREADS] {
            let outcome = in_steps(&graph, states, threads);
            prop_assert_eq!(&outcome.verdict, &expected.verdict);
            let counts = |stats: Stats| (stats.expanded, stats.generated, stats.duplicates);
            prop_assert_eq!(counts(outcome.stats), counts(expected.stats));
        }
    }

    #[test]
    fn several_processes_find_the_same_by_cost(graph in all_graphs()) {
        let expected = Search::new(&graph).run();
        let layers = explore::<Table<_>, _>(&graph, &Budget::unlimited());
        for (way, processes, threads) in [(TABLE, 2, 1), (BITS, 3, 2), (RUNS, 2, 2)] {
            let (found, _) = in_processes(processes, |cluster| {
                let budget = &within(&Budget::unlimited(), cluster, way, threads);
                let search = || Search::new(&graph).ranked().budget(budget);
                let search_back = search().predecessors().run();
                let counted = search().count_layers(|_, _| ControlFlow::Continue(()));
                (search().run(), search_back, counted)
            });
            for (forward, back, counted) in found {
                prop_assert_eq!(&forward.verdict, &expected.verdict);
                prop_assert_eq!(&back.verdict, &expected.verdict);
                prop_assert_eq!((&counted.layers, &counted.distances), (&layers.layers, &layers.distances));
                prop_assert_eq!(counted.stats.duplicates, layers.stats.duplicates);
            }
        }
    }
}

const NUMBERS: u32 = 200_000;

/// Numbers with four successors each, so that buckets grow beyond a block of a file and layers are
/// worth several threads.
fn numbers() -> impl Ranked<State = u32> {
    let next = |n: u32| {
        let next = |number: u32, step: u32| {
            (step, (u64::from(n) * u64::from(number) + u64::from(step)) as u32 % NUMBERS)
        };
        [next(7, 1), next(13, 2), next(31, 3), next(97, 4)]
    };
    from_fn([1, 2, 3], next, |n| n == NUMBERS - 1)
        .with_state_bits(18)
        .with_ranks(NUMBERS.into(), u64::from, |rank| rank as u32)
        .with_costs(CostRange::integers(0..=8), |n, step| (n % 7).min(step * 2))
}

#[test]
fn large_layers_are_the_same_in_all_stores() {
    let space = numbers();
    // Dijkstra's algorithm with a heap.
    let mut distances = vec![u32::MAX; NUMBERS as usize];
    let mut heap: BinaryHeap<_> = [1, 2, 3].map(|start| Reverse((0, start))).into();
    while let Some(Reverse((distance, state))) = heap.pop() {
        if distance >= distances[state as usize] {
            continue;
        }
        distances[state as usize] = distance;
        let _ = space.successors::<()>(state, None, |by, next| {
            heap.push(Reverse((distance + cost::of(&space, state, by), next)));
            ControlFlow::Continue(())
        });
    }
    let mut expected = BTreeMap::new();
    for &distance in distances.iter().filter(|&&distance| distance < u32::MAX) {
        *expected.entry(distance).or_insert(0) += 1;
    }
    assert!(expected.values().any(|&states| states > 20_000));
    let one = NonZero::<usize>::MIN;
    let ways = [
        (Representation::Table, false, one),
        (Representation::Table, false, THREADS),
        (Representation::Bits, false, THREADS),
        (Representation::TwoBits, false, THREADS),
        (Representation::Runs, true, one),
        (Representation::Runs, true, THREADS),
        (Representation::TwoBits, true, THREADS),
    ];
    for (representation, is_on_disk, threads) in ways {
        let files = TestFiles::default();
        let mut storage = Storage::default().with_representation(representation);
        if is_on_disk {
            storage = storage.with_disk(Disk::with_files("scratch", Arc::new(files.clone())));
        }
        let budget = Budget::unlimited().with_storage(storage);
        let search = || Search::new(&space).ranked().threads(threads).budget(&budget);
        let found = search().count_layers(|_, _| ControlFlow::Continue(()));
        assert_eq!(found.end, End::Complete, "{representation:?}");
        let layers = found.distances.into_iter().zip(found.layers);
        assert_eq!(layers.collect::<BTreeMap<_, _>>(), expected, "{representation:?}, {threads}");
        if representation != Representation::TwoBits {
            let goal = distances[NUMBERS as usize - 1];
            assert_answer(&space, &search().run(), Some(goal), "large layers");
        }
    }
}

/// One step whose predecessor is listed with a cost of its own.
struct OneStep {
    listed: u32,
}

impl StateSpace for OneStep {
    type State = u16;
    type Move = ();

    const COSTS: Costs<Self> = Costs::ByMove {
        cost: |_, _, ()| cost::pair(1, 2),
        range: |_| CostRange::pairs((0, 1)..=(1, 2)),
    };

    fn initial(&self, mut emit: impl FnMut(u16)) {
        emit(0);
    }

    fn is_goal(&self, state: u16) -> bool {
        state == 1
    }

    fn successors<B>(
        &self,
        state: u16,
        _last: Option<()>,
        mut emit: impl FnMut((), u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if state == 0 { emit((), 1) } else { ControlFlow::Continue(()) }
    }
}

impl Predecessors for OneStep {
    fn predecessors<B>(
        &self,
        state: u16,
        mut emit: impl FnMut(u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if state == 1 { emit(0) } else { ControlFlow::Continue(()) }
    }

    fn predecessors_with_costs<B>(
        &self,
        state: u16,
        mut emit: impl FnMut(u32, u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.predecessors(state, |before| emit(self.listed, before))
    }
}

#[test]
fn predecessors_have_the_cost_of_the_cheapest_move() {
    let check = |listed| check::predecessors(&OneStep { listed }, &[0, 1]);
    assert_eq!(check(cost::pair(1, 2)), Ok(()));
    assert_eq!(
        check(cost::pair(0, 3)).unwrap_err().to_string(),
        "state 1: its predecessor 0 has the cost (0, 3), but the cheapest move from there (1, 2)"
    );
    // Moves that nothing undoes are found before their costs are asked.
    let one_way = from_fn([0_u16], |n| (n < 2).then_some(((), n + 1)), |n| n == 2)
        .undirected()
        .with_costs(CostRange::integers(1..=2), |_, ()| 2);
    let violation = check::predecessors(&one_way, &[0, 1, 2]).unwrap_err();
    assert_eq!(violation.to_string(), "state 0: 1 is a successor, but 0 is no predecessor of 1");
}
