//! Folded spaces compared with the same spaces without folding, on random graphs that are their own
//! mirror image.

use std::ops::ControlFlow;

use fewest_core::StateSpace;
use fewest_core::budget::Budget;
use fewest_core::symmetry::{Folded, unfold};
use fewest_core::visited::Table;
use proptest::prelude::*;

use crate::by_set::{bfs, explore_with};
use crate::spaces::MirroredGraph;

fn mirrored_graphs() -> impl Strategy<Value = MirroredGraph> {
    let self_images = prop::collection::vec(prop::bool::weighted(0.1), 1..20);
    let links = prop::collection::vec((any::<u16>(), any::<u16>()), 0..40);
    (self_images, links, any::<u16>(), any::<u16>()).prop_map(
        |(self_images, links, start, goal)| MirroredGraph::new(self_images, &links, start, goal),
    )
}

proptest! {
    #![proptest_config(fewest_testing::cases(3000))]

    #[test]
    fn folding_keeps_distances(graph in mirrored_graphs()) {
        let budget = Budget::unlimited();
        let unfolded = bfs::search::<Table<_>, _>(&graph, &budget);
        let folded = bfs::search_with_predecessors::<Table<_>, _>(&Folded::new(&graph), &budget);
        prop_assert_eq!(folded.cost(), unfolded.cost());
        if let Some(chain) = folded.optimal() {
            let plan = unfold(&graph, chain).expect("a plan of the graph");
            prop_assert_eq!(plan.len(), chain.len());
            prop_assert_eq!(plan[0], graph.start);
            let is_move = |pair: &[u16]| graph.edges[usize::from(pair[0])].contains(&pair[1]);
            prop_assert!(plan.windows(2).all(is_move));
            prop_assert!(graph.is_goal(plan[plan.len() - 1]));
        }

        // After a move, the move back is pruned and no other.
        for state in 0..graph.edges.len() as u16 {
            let successors = |last| {
                let mut all = Vec::new();
                let _ = Folded::new(&graph).successors(state, last, |_, next| {
                    all.push(next);
                    ControlFlow::<()>::Continue(())
                });
                all
            };
            let all = successors(None);
            for &back in &all {
                let remaining = successors(Some(back));
                prop_assert!(remaining.iter().all(|next| all.contains(next)));
                prop_assert!(all.iter().all(|next| *next == back || remaining.contains(next)));
            }
        }

        let mut visited = Vec::new();
        let all = explore_with::<Table<_>, _>(&graph, &budget, |depth, state| {
            visited.push((depth, state));
        });
        for (&states, depth) in all.layers.iter().zip(0..) {
            prop_assert_eq!(visited.iter().filter(|&&(at, _)| at == depth).count() as u64, states);
        }
    }
}

#[test]
fn invalid_chains_do_not_unfold() {
    let graph = MirroredGraph::<true>::new(vec![false; 3], &[(0, 2), (2, 4)], 0, 4);
    assert_eq!(unfold(&graph, &[0, 4]), None);
    assert_eq!(unfold(&graph, &[2]), None);
    assert_eq!(unfold(&graph, &[]), None);
}
