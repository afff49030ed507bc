//! Folded spaces against the same spaces as they are, on random graphs that are their own mirror
//! image.

use std::ops::ControlFlow;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::explore::{explore_folded, explore_with};
use fewest_core::search::bfs;
use fewest_core::symmetry::{Folded, unfold};
use fewest_core::visited::Table;
use fewest_core::{MovePruning, StateSpace, Symmetric, Undirected};
use proptest::prelude::*;

/// An undirected graph of pairs of states. State `2i` and state `2i + 1` are each other's image,
/// unless pair `i` is one of those whose states are their own images.
#[derive(Clone, Debug)]
struct Pairs {
    own: Vec<bool>,
    edges: Vec<Vec<u16>>,
    start: u16,
    goal: u16,
}

impl Pairs {
    fn new(own: Vec<bool>, links: &[(u16, u16)], start: u16, goal: u16) -> Self {
        let mut pairs = Self { edges: vec![Vec::new(); 2 * own.len()], own, start, goal };
        let states = pairs.edges.len() as u16;
        for &(from, to) in links {
            let (from, to) = (from % states, to % states);
            for (from, to) in [(from, to), (pairs.image(from), pairs.image(to))] {
                for (from, to) in [(from, to), (to, from)] {
                    let edges = &mut pairs.edges[usize::from(from)];
                    if from != to && !edges.contains(&to) {
                        edges.push(to);
                    }
                }
            }
        }
        (pairs.start, pairs.goal) = (start % states, goal % states);
        pairs
    }
}

impl StateSpace for Pairs {
    type State = u16;
    /// The state that it leaves: what the next move need not go back to.
    type Move = u16;

    const MOVE_PRUNING: MovePruning = MovePruning::TwoStep;

    fn initial(&self, mut emit: impl FnMut(u16)) {
        emit(self.start);
    }

    fn is_goal(&self, state: u16) -> bool {
        state == self.goal || self.image(state) == self.goal
    }

    fn successors<B>(
        &self,
        state: u16,
        last: Option<u16>,
        mut emit: impl FnMut(u16, u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let edges = self.edges[usize::from(state)].iter();
        edges.filter(|&&next| Some(next) != last).try_for_each(|&next| emit(state, next))
    }
}

impl Undirected for Pairs {}

impl Symmetric for Pairs {
    fn image(&self, state: u16) -> u16 {
        if self.own[usize::from(state / 2)] { state } else { state ^ 1 }
    }

    fn image_of_move(&self, from: u16) -> u16 {
        self.image(from)
    }
}

fn pairs() -> impl Strategy<Value = Pairs> {
    let own = prop::collection::vec(prop::bool::weighted(0.1), 1..20);
    let links = prop::collection::vec((any::<u16>(), any::<u16>()), 0..40);
    (own, links, any::<u16>(), any::<u16>())
        .prop_map(|(own, links, start, goal)| Pairs::new(own, &links, start, goal))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn folding_keeps_distances_and_counts(graph in pairs(), states in 0u64..20) {
        let budget = Budget::unlimited();
        let plain = bfs::search::<Table<_>, _>(&graph, &budget);
        let folded = bfs::search_with_predecessors::<Table<_>, _>(&Folded(&graph), &budget);
        prop_assert_eq!(folded.cost(), plain.cost());
        if let Some(chain) = folded.plan() {
            let plan = unfold(&graph, chain).expect("a chain of states");
            prop_assert_eq!(plan.len(), chain.len());
            prop_assert_eq!(plan[0], graph.start);
            prop_assert!(plan.windows(2).all(|pair| graph.edges[usize::from(pair[0])].contains(&pair[1])));
            prop_assert!(graph.is_goal(plan[plan.len() - 1]));
        }

        // After a move, that back is left out and no other.
        for state in 0..graph.edges.len() as u16 {
            let successors = |last| {
                let mut all = Vec::new();
                let _ = Folded(&graph).successors(state, last, |_, next| {
                    all.push(next);
                    ControlFlow::<()>::Continue(())
                });
                all
            };
            let all = successors(None);
            for &back in &all {
                let kept = successors(Some(back));
                prop_assert!(kept.iter().all(|next| all.contains(next)));
                prop_assert!(all.iter().all(|next| *next == back || kept.contains(next)));
            }
        }

        let mut met = Vec::new();
        let all = explore_with::<Table<_>, _>(&graph, &budget, |depth, state| met.push((depth, state)));
        for (&states, depth) in all.layers.iter().zip(0..) {
            prop_assert_eq!(met.iter().filter(|&&(at, _)| at == depth).count() as u64, states);
        }
        let orbits = explore_folded(&graph, &budget);
        prop_assert_eq!(orbits.states, all.states());
        prop_assert!(orbits.orbits.states() <= all.states());
        prop_assert_eq!(orbits.orbits.limit, None);
        let image = graph.image(graph.start);
        prop_assert_eq!(orbits.own_image, met.iter().any(|&(_, state)| state == image));

        let stopped = explore_folded(&graph, &Budget::new(Limits { states: Some(states), ..Limits::default() }));
        prop_assert!(stopped.states <= all.states());
        prop_assert!(orbits.orbits.layers.starts_with(&stopped.orbits.layers));
    }
}

#[test]
fn a_component_apart_from_its_image_is_not_counted_twice() {
    // 0-2-4 and its image 1-3-5, apart; the edge 4-1 joins them.
    let apart = Pairs::new(vec![false; 3], &[(0, 2), (2, 4)], 0, 4);
    let folded = explore_folded(&apart, &Budget::unlimited());
    assert_eq!((folded.states, folded.own_image, folded.orbits.layers), (3, false, vec![1, 1, 1]));
    let joined = Pairs::new(vec![false; 3], &[(0, 2), (2, 4), (4, 1)], 0, 4);
    let folded = explore_folded(&joined, &Budget::unlimited());
    assert_eq!((folded.states, folded.own_image, folded.orbits.states()), (6, true, 3));
}

#[test]
fn a_limit_ends_it_and_no_chain_unfolds_to_nothing() {
    let graph = Pairs::new(vec![false; 3], &[(0, 2), (2, 4)], 0, 4);
    for (states, layers) in [(0, vec![1]), (1, vec![1, 1]), (2, vec![1, 1, 1])] {
        let limits = Limits { states: Some(states), ..Limits::default() };
        let folded = explore_folded(&graph, &Budget::new(limits));
        assert_eq!((folded.orbits.limit, folded.orbits.layers), (Some(Limit::States), layers));
    }
    // A start with many neighbours that are their own images, none of them in a layer that is
    // complete.
    let rays: Vec<_> = (1..100).map(|ray| (0, 2 * ray)).collect();
    let star = Pairs::new(vec![true; 100], &rays, 0, 4);
    let limits = Limits { memory_bytes: Some(700), ..Limits::default() };
    let folded = explore_folded(&star, &Budget::new(limits));
    assert_eq!((folded.orbits.limit, folded.states), (Some(Limit::Memory), 1));
    assert_eq!(unfold(&graph, &[0, 4]), None);
    assert_eq!(unfold(&graph, &[2]), None);
    assert_eq!(unfold(&graph, &[]), None);
}
