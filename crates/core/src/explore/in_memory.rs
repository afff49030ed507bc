//! Exploration with a visited set and two layers in memory.

use super::Exploration;
use crate::budget::{Budget, Limit};
use crate::memory::SegmentPool;
use crate::search::layers::{Forward, Frontier, first_layer, next_layer};
use crate::space::StateSpace;
use crate::visited::Visited;

/// Counts all reachable states by depth. `V` is the visited set:
/// [`Table<_>`](crate::visited::Table) works for every space,
/// [`DenseBits`](crate::visited::DenseBits) for a space with ranks.
///
/// Time: one expansion for each state.
///
/// Memory: the visited set, and `size_of::<State>()` bytes for each state of the last complete
/// layer that is not expanded yet and of the next one. If the space declares
/// [`TwoStep`](crate::MovePruning::TwoStep) or [`Inverse`](crate::MovePruning::Inverse) move
/// pruning, also `size_of::<Move>()` bytes for each of these states.
pub fn explore<V: Visited<S>, S: StateSpace>(space: &S, budget: &Budget) -> Exploration {
    explore_with::<V, S>(space, budget, |_, _| {})
}

/// The same as [`explore`], and calls `visit` once for each state with its depth: layer by layer,
/// within a layer in the order of the search. If a limit stops the exploration, `visit` has been
/// called for the states of the complete layers only.
pub fn explore_with<V: Visited<S>, S: StateSpace>(
    space: &S,
    budget: &Budget,
    visit: impl FnMut(u32, S::State),
) -> Exploration {
    explore_returning_set::<V, S>(space, budget, visit).0
}

/// The same as [`explore_with`], and returns the visited set; `None` if there was no memory for an
/// empty one.
pub(super) fn explore_returning_set<V: Visited<S>, S: StateSpace>(
    space: &S,
    budget: &Budget,
    mut visit: impl FnMut(u32, S::State),
) -> (Exploration, Option<V>) {
    let mut meter = budget.meter();
    let mut layers = Vec::new();
    let mut set = None;
    let mut expand_layers = || -> Result<(), Limit> {
        let visited = set.insert(V::new(space, meter.memory())?);
        let pool = (SegmentPool::new(), SegmentPool::new());
        let mut layer = Frontier::with_pool(meter.memory(), &pool);
        let initial = |emit: &mut dyn FnMut(S::State)| space.initial(emit);
        first_layer(space, initial, visited, &mut meter, &mut layer.states)?;
        while !layer.states.is_empty() {
            layer.states.iter().for_each(|state| visit(layers.len() as u32, state));
            layers.push(layer.states.len() as u64);
            meter.set_depth(layers.len() as u32);
            let mut next = Frontier::with_pool(meter.memory(), &pool);
            let expanded = layer.states.len();
            next_layer(Forward, space, layer.into_segments(), visited, &mut meter, &mut next)?;
            meter.note_frontier((expanded + next.states.len()) as u64);
            layer = next;
        }
        Ok(())
    };
    let result = expand_layers();
    (Exploration { layers, limit: result.err(), stats: meter.stats() }, set)
}
