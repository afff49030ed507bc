//! Breadth-first search by many threads, layer by layer.
//!
//! The threads expand one layer together, and nobody begins the next one before it is finished. So
//! the layers, the plan and every count are those of [`bfs`](super::bfs), at any number of threads;
//! only the order within layers is not, and nothing rests on it. What a limit of memory allows
//! depends on the threads, each of which has some for itself, and a layer that cannot be finished
//! within a limit counts for nothing.

use std::num::NonZero;

use super::bfs::recover;
use super::layers::{
    Backward, Frontier, Layer, first_layer, least_expanding_to, least_neighbour, next_layer_by,
};
use super::worker_pool::WorkerPool;
use crate::budget::{Budget, Limit, Meter};
use crate::outcome::Outcome;
use crate::space::{Predecessors, StateSpace};
use crate::visited::Shared;

/// Searches any space; `V` is the visited set: [`Sharded<Table<_>>`](crate::visited::Sharded) where
/// nothing better is known and the space is large; [`SharedTable`](crate::visited::SharedTable)
/// where it is small, as it does without megabytes of partition_buffers.
pub fn search<V: Shared<S>, S: StateSpace<Move: Sync>>(
    space: &S,
    budget: &Budget,
    threads: NonZero<usize>,
) -> Outcome<Vec<S::State>> {
    recover(
        budget,
        |meter, layers| layers_to_goal::<V, S>(&WorkerPool::of(threads), space, meter, layers),
        |layer, state, meter| least_expanding_to(space, layer, state, meter),
    )
}

/// Searches a space that knows its predecessors, and recovers the plan by them.
///
/// # Panics
/// If the predecessors turn out not to be the successors backwards.
pub fn search_with_predecessors<V: Shared<S>, S: Predecessors<Move: Sync>>(
    space: &S,
    budget: &Budget,
    threads: NonZero<usize>,
) -> Outcome<Vec<S::State>> {
    recover(
        budget,
        |meter, layers| layers_to_goal::<V, S>(&WorkerPool::of(threads), space, meter, layers),
        |layer, state, meter| least_neighbour(Backward, space, layer, state, meter),
    )
}

/// The least goal at the least depth, with all layers before its own in `layers`; `None` if there
/// is no goal.
fn layers_to_goal<V: Shared<S>, S: StateSpace<Move: Sync>>(
    pool: &WorkerPool,
    space: &S,
    meter: &mut Meter<'_>,
    layers: &mut Vec<Layer<S::State>>,
) -> Result<Option<S::State>, Limit> {
    let mut visited = pool.with_pending(V::new(space, meter.memory())?, meter.memory())?;
    let mut layer: Vec<Frontier<_, _>> = pool.outputs::<S, _>(meter.memory());
    first_layer(
        space,
        |emit| space.initial(emit),
        &mut visited.visited,
        meter,
        &mut layer[0].states,
    )?;
    loop {
        let states = layer.iter().flat_map(|output| output.states.iter());
        if let Some(goal) = states.filter(|&state| space.is_goal(state)).min() {
            return Ok(Some(goal));
        }
        if layer.iter().all(|output| output.states.is_empty()) {
            return Ok(None);
        }
        let mut next = pool.outputs::<S, _>(meter.memory());
        let filled = next_layer_by(pool, space, &layer, &mut visited, &mut next, meter);
        let mut whole = Layer::new(meter.memory());
        layer.into_iter().for_each(|output| whole.append(output.states));
        meter.note_frontier(
            (whole.len() + next.iter().map(|output| output.states.len()).sum::<usize>()) as u64,
        );
        layers.push(whole);
        meter.set_depth(layers.len() as u32);
        filled?;
        layer = next;
    }
}
