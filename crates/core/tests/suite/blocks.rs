//! Spaces that expand blocks, and layers that the caller expands, on random graphs: compared with
//! the plain definition of distances.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::checkpoint::{Checkpoint, Description};
use fewest_core::cost::CostRange;
use fewest_core::disk::Disk;
use fewest_core::outcome::Verdict;
use fewest_core::representation::Representation;
use fewest_core::seam::{Batch, Full, Properties, SearchSpace};
use fewest_core::search::{LayeredSearch, PulledLayers};
use fewest_core::storage::Storage;
use proptest::prelude::*;

use crate::test_files::TestFiles;

#[path = "../../examples/batches.rs"]
#[allow(dead_code, reason = "its `main`")]
mod batches;

const STATES: u32 = 24;

/// A graph that expands whole blocks. The number of a state is its rank.
#[derive(Clone, Debug)]
struct Blocks {
    /// From, to, and the cost.
    edges: Vec<(u32, u32, u32)>,
    starts: Vec<u32>,
    goals: Vec<u32>,
    costs: CostRange,
    has_ranks: bool,
    has_predecessors: bool,
    has_goals: bool,
    is_undirected: bool,
}

impl Blocks {
    /// What costs least from the starts, by relaxing all edges until nothing changes.
    fn distances(&self) -> BTreeMap<u32, u32> {
        let mut distances: BTreeMap<u32, u32> =
            self.starts.iter().map(|&state| (state, 0)).collect();
        loop {
            let before = distances.clone();
            for &(from, to, cost) in &self.edges {
                if let Some(&distance) = distances.get(&from) {
                    let known = distances.entry(to).or_insert(u32::MAX);
                    *known = (distance + cost).min(*known);
                }
            }
            if distances == before {
                return distances;
            }
        }
    }

    fn layers(&self) -> BTreeMap<u32, Vec<u32>> {
        let mut layers = BTreeMap::<u32, Vec<u32>>::new();
        for (state, distance) in self.distances() {
            layers.entry(distance).or_default().push(state);
        }
        layers
    }

    fn cost(&self) -> Option<u32> {
        let distances = self.distances();
        self.goals.iter().filter_map(|goal| distances.get(goal).copied()).min()
    }

    /// The ends of the edges that begin at a state, and their costs.
    fn from(&self, state: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.edges.iter().filter(move |edge| edge.0 == state).map(|&(_, to, cost)| (to, cost))
    }

    /// What the edges of a path cost, the cheapest between each two states.
    fn cost_of(&self, path: &[u32]) -> u32 {
        let cheapest = |pair: &[u32]| {
            self.from(pair[0]).filter(|&(to, _)| to == pair[1]).map(|(_, cost)| cost).min()
        };
        path.windows(2).map(|pair| cheapest(pair).expect("an edge")).sum()
    }

    fn extend(&self, successors: impl Iterator<Item = (u32, u32)>, out: &mut Batch<u32>) {
        if self.costs.is_unit() {
            out.extend(successors.map(|(to, _)| to));
        } else {
            out.extend_with_costs(successors);
        }
    }

    fn budget(&self, storage: Storage, threads: usize) -> Budget {
        let threads = NonZero::new(threads).expect("not 0");
        Budget::unlimited().with_storage(storage).with_threads(threads)
    }
}

impl SearchSpace<u32> for Blocks {
    fn properties(&self) -> Properties {
        let mut properties = Properties::new(5);
        properties.ranks = self.has_ranks.then_some(STATES.into());
        properties.has_predecessors = self.has_predecessors;
        properties.has_goals = self.has_goals;
        properties.is_undirected = self.is_undirected;
        properties.costs = self.costs;
        properties
    }

    fn initial(&self, emit: &mut dyn FnMut(u32)) {
        self.starts.iter().copied().for_each(emit);
    }

    fn goals(&self, emit: &mut dyn FnMut(u32)) {
        (0..STATES).filter(|state| self.goals.contains(state)).for_each(emit);
    }

    fn successors(
        &self,
        states: &[u32],
        _: &[u32],
        at: &mut usize,
        out: &mut Batch<u32>,
        _: Full<'_, u32>,
    ) {
        // In the order of the edges, not of the states.
        let is_here = |state: u32| states[*at..].iter().filter(move |&&here| here == state);
        let ends =
            self.edges.iter().flat_map(|&(from, to, cost)| is_here(from).map(move |_| (to, cost)));
        self.extend(ends, out);
        *at = states.len();
    }

    fn predecessors(&self, states: &[u32], at: &mut usize, out: &mut Batch<u32>, _: Full<'_, u32>) {
        for &state in &states[*at..] {
            let begins = self.edges.iter().filter(|edge| edge.1 == state);
            self.extend(begins.map(|&(from, _, cost)| (from, cost)), out);
        }
        *at = states.len();
    }

    fn goals_among(&self, states: &[u32], emit: &mut dyn FnMut(u32)) {
        states.iter().copied().filter(|state| self.goals.contains(state)).for_each(emit);
    }

    fn rank(&self, states: &[u32], ranks: &mut [u64]) {
        states.iter().zip(ranks).for_each(|(&state, rank)| *rank = state.into());
    }

    fn unrank(&self, ranks: &[u64], states: &mut [u32]) {
        ranks.iter().zip(states).for_each(|(&rank, state)| *state = rank as u32);
    }
}

fn graphs(costs: Vec<u32>) -> impl Strategy<Value = Blocks> {
    let states = || prop::collection::vec(0..STATES, 1..4);
    let edge = (0..STATES, 0..STATES, prop::sample::select(costs.clone()));
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (prop::collection::vec(edge, 0..60), states(), states(), flags).prop_map(
        move |(mut edges, starts, goals, flags)| {
            let (has_ranks, has_predecessors, has_goals, is_undirected) = flags;
            if is_undirected {
                edges.extend(edges.clone().into_iter().map(|(from, to, cost)| (to, from, cost)));
            }
            let costs = match &costs[..] {
                [1] => CostRange::UNIT,
                costs => CostRange::integers(costs[0]..=costs[costs.len() - 1]),
            };
            let is_undirected = is_undirected && costs.is_unit();
            Blocks {
                edges,
                starts,
                goals,
                costs,
                has_ranks,
                has_predecessors,
                has_goals,
                is_undirected,
            }
        },
    )
}

fn all_graphs() -> impl Strategy<Value = Blocks> {
    prop_oneof![graphs(vec![1]), graphs(vec![1]), graphs(vec![1, 2, 5]), graphs(vec![0, 1, 3])]
}

/// How a search keeps its states.
fn storages() -> Vec<Storage> {
    let disk = || Disk::with_files("scratch", Arc::new(TestFiles::default()));
    let of = |asked| Storage::default().with_representation(asked);
    vec![
        Storage::default(),
        of(Representation::Table),
        of(Representation::Bits),
        of(Representation::TwoBits),
        of(Representation::Runs).with_disk(disk()),
        of(Representation::TwoBits).with_disk(disk()),
    ]
}

/// Pulls all layers in batches, and pushes successors in batches of another size, the last first.
fn pull_all(
    graph: &Blocks,
    layers: &mut PulledLayers<'_, u32>,
    (pulled, pushed): (usize, usize),
) -> Result<BTreeMap<u32, Vec<u32>>, Limit> {
    let mut found = BTreeMap::<u32, Vec<u32>>::new();
    while let Some(batch) = layers.pull(pulled)? {
        assert!(!batch.is_empty() && batch.len() <= pulled);
        let mut successors: Vec<_> = batch.iter().flat_map(|&state| graph.from(state)).collect();
        successors.reverse();
        for block in successors.chunks(pushed) {
            let (states, costs): (Vec<_>, Vec<_>) = block.iter().copied().unzip();
            if graph.costs.is_unit() {
                layers.push(&states)?;
            } else {
                layers.push_with_costs(&states, &costs)?;
            }
        }
        let layer = found.entry(layers.depth()).or_default();
        layer.extend(batch);
        if graph.costs.least() > 0 {
            assert_eq!(layer.len() as u64, layers.states() - layers.left());
        }
    }
    found.values_mut().for_each(|layer| layer.sort_unstable());
    Ok(found)
}

proptest! {
    #![proptest_config(fewest_testing::cases(500))]

    #[test]
    fn blocks_are_searched_as_states_are(graph in all_graphs()) {
        let expected = graph.cost();
        for (index, storage) in storages().into_iter().enumerate() {
            for threads in [1, 3] {
                let budget = graph.budget(storage.clone(), threads);
                let search = || LayeredSearch::new(&graph).budget(&budget);
                // Bits need ranks.
                let is_refused = !graph.has_ranks && [2, 3, 5].contains(&index);
                let sizes: Vec<_> = graph.layers().values().map(|layer| layer.len() as u64).collect();
                let counted = search().count_layers(|_, _| ControlFlow::Continue(()));
                let expected_sizes = if is_refused { &[][..] } else { &sizes };
                prop_assert_eq!(&counted.layers, expected_sizes);
                if !is_refused {
                    let read = search().layers().map(|layer| layer.unwrap().states.len());
                    prop_assert_eq!(read.sum::<usize>() as u64, sizes.iter().sum::<u64>());
                }
                let outcome = search().run();
                if matches!(outcome.verdict, Verdict::Stopped { .. }) {
                    // Two bits do not keep layers.
                    prop_assert!(is_refused || [3, 5].contains(&index));
                    continue;
                }
                prop_assert_eq!(outcome.cost(), expected);
                if let Some(plan) = outcome.optimal() {
                    let ends = (plan.first().unwrap(), plan.last().unwrap());
                    prop_assert!(graph.starts.contains(ends.0) && graph.goals.contains(ends.1));
                    prop_assert_eq!(graph.cost_of(plan), expected.unwrap());
                }
            }
        }
        let all = LayeredSearch::new(&graph).all_shortest();
        let is_endless = matches!(all.verdict, Verdict::Stopped { limit: Limit::Encoding, .. });
        prop_assert!(is_endless && graph.costs.least() == 0 || all.cost() == expected);
    }

    #[test]
    fn pulled_layers_have_all_states_once(
        graph in all_graphs(),
        sizes in (1_usize..9, 1_usize..9),
        threads in 1_usize..4,
    ) {
        let expected = graph.layers();
        for (index, storage) in storages().into_iter().enumerate() {
            let budget = graph.budget(storage, threads);
            match LayeredSearch::new(&graph).budget(&budget).pull_layers() {
                Ok(mut layers) => {
                    prop_assert_eq!(&pull_all(&graph, &mut layers, sizes).unwrap(), &expected);
                    prop_assert_eq!(layers.pull(1), Ok(None));
                    let reached = expected.values().flatten();
                    let generated: usize = reached.map(|&state| graph.from(state).count()).sum();
                    prop_assert_eq!(layers.stats().generated, generated as u64);
                    prop_assert_eq!(layers.stats().expanded, graph.distances().len() as u64);
                }
                Err(_) => prop_assert!(!graph.has_ranks && [2, 3, 5].contains(&index)),
            }
        }
    }

    #[test]
    fn plans_lead_to_pulled_states(
        graph in all_graphs(),
        threads in 1_usize..4,
        stops in any::<bool>(),
    ) {
        let distances = graph.distances();
        for (index, storage) in storages().into_iter().enumerate() {
            for target in 0..STATES {
                let budget = graph.budget(storage.clone(), threads);
                let search = LayeredSearch::new(&graph).budget(&budget).keep_layers();
                let Ok(mut layers) = search.pull_layers() else {
                    prop_assert!([2, 3, 5].contains(&index));
                    break;
                };
                while let Some(batch) = layers.pull(3).unwrap() {
                    if stops && batch.contains(&target) {
                        break;
                    }
                    let (states, costs): (Vec<_>, Vec<_>) =
                        batch.iter().flat_map(|&state| graph.from(state)).unzip();
                    if graph.costs.is_unit() {
                        layers.push(&states).unwrap();
                    } else {
                        layers.push_with_costs(&states, &costs).unwrap();
                    }
                }
                let plan = layers.plan_to(target).unwrap();
                prop_assert_eq!(
                    plan.as_ref().map(|plan| graph.cost_of(plan)),
                    distances.get(&target).copied()
                );
                if let Some(plan) = plan {
                    prop_assert!(graph.starts.contains(&plan[0]));
                    prop_assert_eq!(plan.last(), Some(&target));
                }
            }
        }
    }

    #[test]
    fn pulled_layers_go_on_from_a_checkpoint(
        graph in all_graphs(),
        states in 1_u64..24,
        threads in 1_usize..4,
    ) {
        let expected = graph.layers();
        for (index, storage) in storages().into_iter().enumerate() {
            let files = TestFiles::default();
            let (mut found, mut runs) = (BTreeMap::<u32, Vec<u32>>::new(), 0);
            loop {
                let description = Description::new([("graph", "random")]);
                let disk = Disk::with_files("saved", Arc::new(files.clone()));
                let checkpoint = Checkpoint::open(&disk, &description).unwrap();
                let limits = Limits { states: Some(states + runs), ..Limits::default() };
                let budget = Budget::new(limits)
                    .with_storage(storage.clone().with_checkpoint(checkpoint.clone()))
                    .with_threads(NonZero::new(threads).unwrap());
                let Ok(mut layers) = LayeredSearch::new(&graph).budget(&budget).pull_layers() else {
                    prop_assert!(!graph.has_ranks && [2, 3, 5].contains(&index));
                    break;
                };
                let mut last = None;
                let end = loop {
                    let batch = match layers.pull(2) {
                        Ok(Some(batch)) => batch,
                        end => break end,
                    };
                    if last != Some(layers.depth()) {
                        prop_assert!(last.is_some() || found.last_key_value().is_none_or(
                            |(&deepest, _)| deepest <= layers.depth()
                        ) || graph.costs.least() == 0);
                        last = Some(layers.depth());
                        if graph.costs.least() > 0 {
                            found.remove(&layers.depth());
                        }
                    }
                    found.entry(layers.depth()).or_default().extend(&batch);
                    let (next, costs): (Vec<_>, Vec<_>) =
                        batch.iter().flat_map(|&state| graph.from(state)).unzip();
                    let pushed = if graph.costs.is_unit() {
                        layers.push(&next)
                    } else {
                        layers.push_with_costs(&next, &costs)
                    };
                    prop_assert_eq!(pushed, Ok(()));
                };
                prop_assert_eq!(checkpoint.take_error().map(|error| error.to_string()), None);
                match end {
                    Ok(_) => break,
                    Err(limit) => {
                        prop_assert_eq!(limit, Limit::States);
                        prop_assert_eq!(layers.pull(1), Err(Limit::States));
                        prop_assert_eq!(layers.push(&[]), Err(Limit::States));
                    }
                }
                runs += 1;
                prop_assert!(runs < 100);
            }
            if !found.is_empty() {
                for states in found.values_mut() {
                    states.sort_unstable();
                    states.dedup();
                }
                prop_assert_eq!(&found, &expected);
            }
        }
    }
}

#[test]
fn a_wide_layer_is_pulled_as_it_was_pushed() {
    /// A space whose caller expands its states.
    struct Star;

    impl SearchSpace<u64> for Star {
        fn properties(&self) -> Properties {
            Properties::new(u64::BITS)
        }

        fn initial(&self, emit: &mut dyn FnMut(u64)) {
            emit(u64::MAX);
        }

        fn successors(
            &self,
            _: &[u64],
            _: &[u32],
            _: &mut usize,
            _: &mut Batch<u64>,
            _: Full<'_, u64>,
        ) {
            unreachable!("the caller expands the states");
        }
    }

    for threads in [1, 3] {
        let threads = NonZero::new(threads).expect("not 0");
        let mut layers = LayeredSearch::new(&Star).threads(threads).pull_layers().expect("memory");
        assert_eq!(layers.pull(usize::MAX), Ok(Some(vec![u64::MAX])));
        let successors: Vec<u64> = (0..300_000).map(|number| number << 20).collect();
        layers.push(&successors).expect("memory");
        layers.push(&successors[..1000]).expect("memory");
        let mut found = Vec::new();
        let mut sizes = Vec::new();
        while let Some(batch) = layers.pull(1 << 16).expect("memory") {
            found.extend_from_slice(&batch);
            sizes.push(batch.len());
        }
        assert_eq!(sizes, [65_536, 65_536, 65_536, 65_536, 37_856]);
        found.sort_unstable();
        assert_eq!(found, successors);
    }
}

fn with_costs(costs: CostRange) -> Blocks {
    Blocks {
        edges: vec![(0, 1, 2)],
        starts: vec![0],
        goals: vec![1],
        costs,
        has_ranks: false,
        has_predecessors: false,
        has_goals: false,
        is_undirected: false,
    }
}

#[test]
#[should_panic(expected = "the moves of this space have costs")]
fn successors_without_their_costs_are_refused() {
    let graph = with_costs(CostRange::integers(1..=2));
    let mut layers = LayeredSearch::new(&graph).pull_layers().expect("memory");
    layers.pull(1).expect("a state");
    let _ = layers.push(&[1]);
}

#[test]
#[should_panic(expected = "each move of this space costs 1")]
fn costs_that_are_not_declared_are_refused() {
    let graph = with_costs(CostRange::UNIT);
    let mut layers = LayeredSearch::new(&graph).pull_layers().expect("memory");
    layers.pull(1).expect("a state");
    let _ = layers.push_with_costs(&[1], &[2]);
}

#[test]
#[should_panic(expected = "no state of this layer was pulled")]
fn successors_before_the_first_state_are_refused() {
    let graph = with_costs(CostRange::UNIT);
    let _ = LayeredSearch::new(&graph).pull_layers().expect("memory").push(&[1]);
}

#[test]
#[should_panic(expected = "no state of this layer was pulled")]
fn successors_after_the_last_state_are_refused() {
    let graph = with_costs(CostRange::UNIT);
    let mut layers = LayeredSearch::new(&graph).pull_layers().expect("memory");
    while layers.pull(1).expect("memory").is_some() {}
    let _ = layers.push(&[1]);
}

#[test]
#[should_panic(expected = "a plan needs `keep_layers` before `pull_layers`")]
fn a_plan_through_layers_that_were_not_kept_is_refused() {
    let graph = with_costs(CostRange::UNIT);
    let mut layers = LayeredSearch::new(&graph).pull_layers().expect("memory");
    layers.pull(1).expect("a state");
    let _ = layers.plan_to(0);
}

#[test]
fn the_example_has_the_published_numbers_of_orders() {
    let text = include_str!("../../../../testdata/permutations/growth.txt");
    for labels in 3..=9 {
        let row = text.lines().find_map(|line| line.strip_prefix(&format!("lrx {labels}: ")));
        let published: Vec<u64> =
            row.expect("a row").split(' ').map(|size| size.parse().expect("a number")).collect();
        let space = batches::Lrx(labels);
        let counted = LayeredSearch::new(&space).count_layers(|_, _| ControlFlow::Continue(()));
        assert_eq!(counted.layers, published);
        let mut layers = LayeredSearch::new(&space).keep_layers().pull_layers().expect("memory");
        let (mut sizes, mut last) = (Vec::new(), 0);
        while let Some(batch) = layers.pull(1000).expect("memory") {
            sizes.resize(layers.depth() as usize + 1, layers.states());
            layers.push(&space.expand(&batch)).expect("memory");
            last = batch[0];
        }
        assert_eq!(sizes, published);
        let plan = layers.plan_to(last).expect("memory").expect("it was pulled");
        assert_eq!(plan.len(), published.len());
        assert!(plan.windows(2).all(|pair| space.expand(&pair[..1]).contains(&pair[1])));
    }
}
