//! Breadth-first search with several threads, layer by layer.
//!
//! The threads expand one layer together, and the next layer starts when the last thread is done.
//! So the plan and all counts are the same for any number of threads. Only the order within a layer
//! depends on timing, and no result depends on that order. The layers and the plan are those of
//! [`bfs`](super::bfs), and so are the counts unless the space declares
//! [`TwoStep`](crate::MovePruning::TwoStep): this search cannot use that pruning, so it generates
//! more states.
//!
//! Time: that of [`bfs`](super::bfs) divided among the threads, plus one barrier per layer. Small
//! layers are expanded by fewer threads, because calling a thread costs more than their work.
//!
//! Memory: that of [`bfs`](super::bfs), and for each thread and each partition of the visited set a
//! buffer of up to 1,024 states with their moves. The buffers take at most an eighth of the memory
//! limit, unless a buffer would hold fewer than 4 states.
//!
//! A limit on states or memory can stop the search earlier than [`bfs`](super::bfs): a layer with
//! more states than the limit still allows is not expanded at all, and a layer that was not
//! completed is discarded. How far a memory limit allows the search to go depends on the number of
//! threads and on timing.

use std::num::NonZero;

use super::bfs::search_and_recover;
use super::layers::{
    Backward, Frontier, Layer, first_layer, least_neighbour, least_predecessor, next_layer_parallel,
};
use super::worker_pool::WorkerPool;
use crate::budget::{Budget, Limit, Meter};
use crate::outcome::Outcome;
use crate::space::{Predecessors, StateSpace};
use crate::visited::ConcurrentVisited;

/// Searches any space. `V` is the visited set: [`Sharded<Table<_>>`](crate::visited::Sharded) works
/// for every space and suits large ones; [`SharedTable`](crate::visited::SharedTable) suits small
/// ones, as it needs no megabytes of buffers.
///
/// `threads` includes the calling thread. The search uses at most 256 threads. If the system
/// refuses to start them, the calling thread works alone.
///
/// To recover the plan, the calling thread expands the layers before the goal's a second time, at
/// worst each state once more.
///
/// If a limit stops the search, the lower bound is the number of layers that are proved to hold no
/// goal.
///
/// # Panics
/// If `successors` emits different states for the same state when it is called again. A panic in a
/// method of `space` stops all threads and resumes in the caller.
pub fn search<V: ConcurrentVisited<S>, S: StateSpace<Move: Sync>>(
    space: &S,
    budget: &Budget,
    threads: NonZero<usize>,
) -> Outcome<Vec<S::State>> {
    search_and_recover(
        budget,
        |meter, layers| expand_to_goal::<V, S>(&WorkerPool::new(threads), space, meter, layers),
        |layer, state, meter| least_predecessor(space, layer, state, meter),
    )
}

/// The same as [`search`], for a space that knows its predecessors.
///
/// To recover the plan, the calling thread reads each layer once and asks for the predecessors of
/// one state per layer.
///
/// # Panics
/// If the search finds that the predecessors are not the successors reversed. A panic in a method
/// of `space` stops all threads and resumes in the caller.
pub fn search_with_predecessors<V: ConcurrentVisited<S>, S: Predecessors<Move: Sync>>(
    space: &S,
    budget: &Budget,
    threads: NonZero<usize>,
) -> Outcome<Vec<S::State>> {
    search_and_recover(
        budget,
        |meter, layers| expand_to_goal::<V, S>(&WorkerPool::new(threads), space, meter, layers),
        |layer, state, meter| least_neighbour(Backward, space, layer, state, meter),
    )
}

/// Expands layers into `layers` up to the one before the first layer with a goal. Returns the least
/// goal in that layer, or `None` if no goal is reachable.
fn expand_to_goal<V: ConcurrentVisited<S>, S: StateSpace<Move: Sync>>(
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
        let filled = next_layer_parallel(pool, space, &layer, &mut visited, &mut next, meter);
        let mut expanded = Layer::new(meter.memory());
        layer.into_iter().for_each(|output| expanded.append(output.states));
        meter.note_frontier(
            (expanded.len() + next.iter().map(|output| output.states.len()).sum::<usize>()) as u64,
        );
        layers.push(expanded);
        meter.set_depth(layers.len() as u32);
        filled?;
        layer = next;
    }
}
