//! Breadth-first search: layer by layer from the start; the first layer with a goal gives the
//! answer.
//!
//! It finishes the layer in which it meets a goal and takes the least of the goals in it, so
//! neither the plan nor a count depends on the order within layers. All layers are kept, a word a
//! state, beside the visited set: they are the queue, and the plan is recovered from them. Proof: a
//! goal at depth `d` would have been met in layer `d`.

use super::layers::{
    Backward, Forward, Frontier, Layer, NO_WAY_BACK, first_layer, least_expanding_to,
    least_neighbour, next_layer, retrace,
};
use crate::budget::{Budget, Limit, Meter};
use crate::outcome::{Outcome, Verdict};
use crate::space::{Predecessors, StateSpace};
use crate::visited::Visited;

/// Searches any space; `V` is the visited set, `Table<_>` where nothing better is known. To recover
/// the plan, it expands the states of each layer before the goal's once more.
pub fn search<V: Visited<S>, S: StateSpace>(space: &S, budget: &Budget) -> Outcome<Vec<S::State>> {
    recover(
        budget,
        |meter, layers| layers_to_goal::<V, S>(space, meter, layers),
        |layer, state, meter| least_expanding_to(space, layer, state, meter),
    )
}

/// Searches a space that knows its predecessors; `V` is the visited set. To recover the plan, it
/// only reads the layers once more.
///
/// # Panics
/// If the predecessors turn out not to be the successors backwards.
pub fn search_with_predecessors<V: Visited<S>, S: Predecessors>(
    space: &S,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    recover(
        budget,
        |meter, layers| layers_to_goal::<V, S>(space, meter, layers),
        |layer, state, meter| least_neighbour(Backward, space, layer, state, meter),
    )
}

/// Searches with `to_goal`, which returns the least goal at the least depth and leaves the layers
/// before its own; `before` is that of [`retrace`].
pub(super) fn recover<W: Copy>(
    budget: &Budget,
    to_goal: impl FnOnce(&mut Meter<'_>, &mut Vec<Layer<W>>) -> Result<Option<W>, Limit>,
    before: impl Fn(&Layer<W>, W, &mut Meter<'_>) -> Result<Option<W>, Limit>,
) -> Outcome<Vec<W>> {
    let mut meter = budget.meter();
    let mut layers = Vec::new();
    let verdict = match to_goal(&mut meter, &mut layers) {
        Ok(None) => Ok(Verdict::Unsolvable),
        Ok(Some(goal)) => {
            meter.start_recovery();
            let mut before = |layer: &_, state| before(layer, state, &mut meter);
            retrace(&layers, goal, &mut before).map(|plan| {
                assert_eq!(plan.len(), layers.len() + 1, "{NO_WAY_BACK}");
                Verdict::Solved { plan, cost: layers.len() as u32 }
            })
        }
        Err(limit) => Err(limit),
    };
    // No goal lies in the layers that were kept, whatever happened after.
    let verdict = verdict.unwrap_or_else(|limit| Verdict::Stopped {
        limit,
        lower_bound: layers.len() as u32,
        best: None,
    });
    Outcome { verdict, stats: meter.stats() }
}

/// The least goal at the least depth, with all layers before its own in `layers`; `None` if there
/// is no goal.
fn layers_to_goal<V: Visited<S>, S: StateSpace>(
    space: &S,
    meter: &mut Meter<'_>,
    layers: &mut Vec<Layer<S::State>>,
) -> Result<Option<S::State>, Limit> {
    let last = layers_to_goals::<V, S>(space, meter, layers)?;
    // A layer that a limit cut short may hold a goal all the same, and it is as near as any.
    Ok(last.and_then(|(layer, _)| layer.iter().filter(|&state| space.is_goal(state)).min()))
}

/// The layer of the goals at the least depth, with all layers before it in `layers`, and the limit
/// that cut it short, if one did; `None` if there is no goal.
#[expect(clippy::type_complexity, reason = "two results at once, each for one of the callers")]
pub(super) fn layers_to_goals<V: Visited<S>, S: StateSpace>(
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
