//! Exploration with a visited set in memory and two layers at a time.

use super::Exploration;
use crate::budget::{Budget, Limit};
use crate::memory::SegmentPool;
use crate::search::layers::{Forward, Frontier, first_layer, next_layer};
use crate::space::StateSpace;
use crate::visited::Visited;

/// Counts what can be reached from the start, goals or not. Keeps the visited set and, of two
/// layers, what is still to be expanded and what was met.
pub fn explore<V: Visited<S>, S: StateSpace>(space: &S, budget: &Budget) -> Exploration {
    explore_with::<V, S>(space, budget, |_, _| {})
}

/// The same, and shows `visit` each state with its depth, once: layer by layer, within a layer in
/// the order of the search.
pub fn explore_with<V: Visited<S>, S: StateSpace>(
    space: &S,
    budget: &Budget,
    visit: impl FnMut(u32, S::State),
) -> Exploration {
    explore_keeping::<V, S>(space, budget, visit).0
}

/// The same, with the visited set as it is at the end, if there was memory for one.
pub(super) fn explore_keeping<V: Visited<S>, S: StateSpace>(
    space: &S,
    budget: &Budget,
    mut visit: impl FnMut(u32, S::State),
) -> (Exploration, Option<V>) {
    let mut meter = budget.meter();
    let mut layers = Vec::new();
    let mut kept = None;
    let mut walk = || -> Result<(), Limit> {
        let visited = kept.insert(V::new(space, meter.memory())?);
        let pool = (SegmentPool::new(), SegmentPool::new());
        let mut layer = Frontier::with_pool(meter.memory(), &pool);
        let initial = |emit: &mut dyn FnMut(S::State)| space.initial(emit);
        first_layer(space, initial, visited, &mut meter, &mut layer.states)?;
        while !layer.states.is_empty() {
            layer.states.iter().for_each(|state| visit(layers.len() as u32, state));
            layers.push(layer.states.len() as u64);
            meter.set_depth(layers.len() as u32);
            let mut next = Frontier::with_pool(meter.memory(), &pool);
            let expanding = layer.states.len();
            next_layer(Forward, space, layer.into_slices(), visited, &mut meter, &mut next)?;
            meter.note_frontier((expanding + next.states.len()) as u64);
            layer = next;
        }
        Ok(())
    };
    let end = walk();
    (Exploration { layers, limit: end.err(), stats: meter.stats() }, kept)
}
