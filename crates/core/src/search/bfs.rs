//! Breadth-first search (Moore, "The shortest path through a maze", 1959): layer by layer from the
//! initial states to the first layer with a goal.
//!
//! Optimality: every state within `d` moves of the start is in one of the layers 0 to `d`, so a
//! goal that is first generated in layer `d` has no plan of fewer than `d` moves.
//!
//! The search completes the layer in which it generates a goal and takes the least goal in it. So
//! neither the plan nor a count depends on the order within a layer.
//!
//! Time: each state before the goal's layer is expanded once; if no goal is reachable, each
//! reachable state. Recovering the plan costs extra, see [`search`] and
//! [`search_with_predecessors`].
//!
//! Memory: the visited set, and all layers before the goal's, at `size_of::<State>()` bytes per
//! state. The layers are both the queue and the record from which the plan is recovered. If
//! [`MOVE_PRUNING`](StateSpace::MOVE_PRUNING) allows it, the two most recent layers also store one
//! `Move` per state.

use super::layers::{
    Backward, Forward, Frontier, Layer, PREDECESSOR_MISMATCH, first_layer, least_neighbour,
    least_predecessor, next_layer, reconstruct_path,
};
use crate::budget::{Budget, Limit, Meter};
use crate::outcome::{Outcome, Verdict};
use crate::space::{Predecessors, StateSpace};
use crate::visited::Visited;

/// Searches any space. `V` is the visited set: [`Table<_>`](crate::visited::Table) works for every
/// space.
///
/// To recover the plan, the search expands the layers before the goal's a second time, at worst
/// each state once more.
///
/// If a limit stops the search, the lower bound is the number of layers that are proved to hold no
/// goal. A layer that a limit cuts short may still hold a goal; the plan to it is then returned as
/// [`Solved`](Verdict::Solved).
///
/// # Panics
/// If `successors` emits different states for the same state when it is called again.
pub fn search<V: Visited<S>, S: StateSpace>(space: &S, budget: &Budget) -> Outcome<Vec<S::State>> {
    search_and_recover(
        budget,
        |meter, layers| expand_to_goal::<V, S>(space, meter, layers),
        |layer, state, meter| least_predecessor(space, layer, state, meter),
    )
}

/// The same as [`search`], for a space that knows its predecessors.
///
/// To recover the plan, the search reads each layer once and asks for the predecessors of one state
/// a layer. It expands nothing a second time.
///
/// # Panics
/// If the search finds that the predecessors are not the successors reversed.
pub fn search_with_predecessors<V: Visited<S>, S: Predecessors>(
    space: &S,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    search_and_recover(
        budget,
        |meter, layers| expand_to_goal::<V, S>(space, meter, layers),
        |layer, state, meter| least_neighbour(Backward, space, layer, state, meter),
    )
}

/// Runs `expand_to_goal`, which returns the least goal at the least depth and leaves all layers
/// before its own in the list, and recovers the plan with `previous` as [`reconstruct_path`] does.
pub(super) fn search_and_recover<W: Copy>(
    budget: &Budget,
    expand_to_goal: impl FnOnce(&mut Meter<'_>, &mut Vec<Layer<W>>) -> Result<Option<W>, Limit>,
    previous: impl Fn(&Layer<W>, W, &mut Meter<'_>) -> Result<Option<W>, Limit>,
) -> Outcome<Vec<W>> {
    let mut meter = budget.meter();
    let mut layers = Vec::new();
    let verdict = match expand_to_goal(&mut meter, &mut layers) {
        Ok(None) => Ok(Verdict::Unsolvable),
        Ok(Some(goal)) => {
            meter.start_recovery();
            let mut previous = |layer: &_, state| previous(layer, state, &mut meter);
            reconstruct_path(&layers, goal, &mut previous).map(|plan| {
                assert_eq!(plan.len(), layers.len() + 1, "{PREDECESSOR_MISMATCH}");
                Verdict::Solved { plan, cost: layers.len() as u32 }
            })
        }
        Err(limit) => Err(limit),
    };
    // The layers in the list hold no goal, whichever limit ended the search.
    let verdict = verdict.unwrap_or_else(|limit| Verdict::Stopped {
        limit,
        lower_bound: layers.len() as u32,
        best: None,
    });
    Outcome { verdict, stats: meter.stats() }
}

/// Expands layers into `layers` up to the one before the first layer with a goal. Returns the least
/// goal in that layer, or `None` if no goal is reachable.
fn expand_to_goal<V: Visited<S>, S: StateSpace>(
    space: &S,
    meter: &mut Meter<'_>,
    layers: &mut Vec<Layer<S::State>>,
) -> Result<Option<S::State>, Limit> {
    let last = expand_to_goal_layer::<V, S>(space, meter, layers)?;
    // A goal in a layer that a limit cut short is at the least depth, too.
    Ok(last.and_then(|(layer, _)| layer.iter().filter(|&state| space.is_goal(state)).min()))
}

/// Expands layers into `layers` up to the one before the first layer with a goal. Returns that
/// layer and the limit that cut it short, if any; `None` if no goal is reachable.
#[expect(clippy::type_complexity, reason = "two results, each for one of the callers")]
pub(super) fn expand_to_goal_layer<V: Visited<S>, S: StateSpace>(
    space: &S,
    meter: &mut Meter<'_>,
    layers: &mut Vec<Layer<S::State>>,
) -> Result<Option<(Layer<S::State>, Result<(), Limit>)>, Limit> {
    let mut visited = V::new(space, meter.memory())?;
    let (mut layer, mut next) = (Frontier::new(meter.memory()), Frontier::new(meter.memory()));
    let initial = |emit: &mut dyn FnMut(S::State)| space.initial(emit);
    let mut filled = first_layer(space, initial, &mut visited, meter, &mut layer.states);
    loop {
        if layer.states.iter().any(|state| space.is_goal(state)) {
            return Ok(Some((layer.states, filled)));
        }
        filled?;
        if layer.states.is_empty() {
            return Ok(None);
        }
        filled = next_layer(Forward, space, layer.slices(), &mut visited, meter, &mut next);
        meter.note_frontier((layer.states.len() + next.states.len()) as u64);
        let (expanded, empty) = layer.into_next(meter.memory());
        layers.push(expanded);
        meter.set_depth(layers.len() as u32);
        layer = std::mem::replace(&mut next, empty);
    }
}
