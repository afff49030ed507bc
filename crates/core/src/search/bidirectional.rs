//! Bidirectional breadth-first search: layers from the initial states and layers from the goals,
//! until a layer of one side has a state in common with the other side.
//!
//! Each round expands the smaller of the two last layers, which is the cardinality comparison of
//! Pohl ("Bi-directional search", 1971) applied to whole layers.
//!
//! Optimality: let one side hold all states within `a` moves of the start and the other all states
//! within `b` moves of a goal. If they have no state in common, no plan has `a + b` moves or fewer.
//! So the first layer with a common state gives a plan of `a + b + 1` moves, which is optimal. The
//! search completes that layer and takes the least common state, so neither the plan nor a count
//! depends on the order within a layer.
//!
//! Time: if the number of states grows by a factor of `b` a layer on both sides, about `2 b^(c/2)`
//! expansions for a plan of cost `c`, instead of `b^c` from one side. With many goals it can be
//! slower than [`bfs`](super::bfs).
//!
//! Memory: two visited sets, and all layers of both sides at `size_of::<State>()` bytes per state.

use super::layers::{
    Backward, Forward, Frontier, Layer, PREDECESSOR_MISMATCH, SearchDirection, first_layer,
    least_neighbour, next_layer, reconstruct_path,
};
use crate::budget::{Budget, Limit, Meter};
use crate::outcome::{Outcome, Verdict};
use crate::space::{Goals, Predecessors};
use crate::visited::Visited;

/// Searches a space that lists its goals and knows its predecessors. `V` is the visited set of each
/// side: [`Table<_>`](crate::visited::Table) works for every space.
///
/// To recover the plan, the search reads each layer once and expands one state per layer.
///
/// If a limit stops the search, the lower bound is `a + b + 1`, where `a` and `b` are the depths
/// that the two sides have completed. A layer that a limit cuts short may still have a state in
/// common with the other side; the plan through it is then returned as [`Solved`](Verdict::Solved).
///
/// # Panics
/// If the search finds that the predecessors are not the successors reversed.
pub fn search<V: Visited<S>, S: Goals + Predecessors>(
    space: &S,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    let mut meter = budget.meter();
    let mut lower_bound = 0;
    let verdict = run::<V, S>(space, &mut meter, &mut lower_bound);
    let verdict =
        verdict.unwrap_or_else(|limit| Verdict::Stopped { limit, lower_bound, best: None });
    Outcome { verdict, stats: meter.stats() }
}

/// The half of the search that starts from the initial states, or from the goals.
struct SearchSide<V, W> {
    visited: V,
    /// All layers before the last.
    layers: Vec<Layer<W>>,
    last: Layer<W>,
}

impl<V, W: Copy + Ord> SearchSide<V, W> {
    fn new<S: Goals<State = W>>(
        space: &S,
        states: impl FnOnce(&mut dyn FnMut(W)),
        meter: &mut Meter<'_>,
    ) -> Result<Self, Limit>
    where
        V: Visited<S>,
    {
        let mut visited = V::new(space, meter.memory())?;
        let mut last = Layer::new(meter.memory());
        first_layer(space, states, &mut visited, meter, &mut last)?;
        Ok(Self { visited, layers: Vec::new(), last })
    }

    /// Expands the last layer; the next one becomes the last. If a limit stops the expansion, the
    /// new last layer holds the states up to then.
    fn expand_last<S: Goals<State = W>>(
        &mut self,
        direction: impl SearchDirection<S>,
        space: &S,
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit>
    where
        V: Visited<S>,
    {
        let mut next = Frontier::new(meter.memory());
        let last = self.last.slices().map(|states| (states, &[][..]));
        let filled = next_layer(direction, space, last, &mut self.visited, meter, &mut next);
        self.layers.push(std::mem::replace(&mut self.last, next.states));
        filled
    }

    /// The least state of the last layer that the other side has visited, too.
    fn least_common<S: Goals<State = W>>(&self, space: &S, other: &Self) -> Option<W>
    where
        V: Visited<S>,
    {
        let is_common = |&state: &W| other.visited.contains(V::key(space, state), state);
        self.last.iter().filter(is_common).min()
    }
}

fn run<V: Visited<S>, S: Goals + Predecessors>(
    space: &S,
    meter: &mut Meter<'_>,
    lower_bound: &mut u32,
) -> Result<Verdict<Vec<S::State>>, Limit> {
    let mut forward = SearchSide::<V, S::State>::new(space, |emit| space.initial(emit), meter)?;
    let mut backward = SearchSide::<V, S::State>::new(space, |emit| space.goals(emit), meter)?;
    let mut common = forward.least_common(space, &backward);
    let mut filled = Ok(());
    let common = loop {
        // A common state in a layer that a limit cut short gives a shortest plan, too.
        if let Some(state) = common {
            break state;
        }
        filled?;
        *lower_bound += 1;
        meter.set_depth(*lower_bound);
        if forward.last.is_empty() || backward.last.is_empty() {
            return Ok(Verdict::Unsolvable);
        }
        let before = (forward.last.len() + backward.last.len()) as u64;
        let last = if forward.last.len() <= backward.last.len() {
            filled = forward.expand_last(Forward, space, meter);
            common = forward.least_common(space, &backward);
            &forward.last
        } else {
            filled = backward.expand_last(Backward, space, meter);
            common = backward.least_common(space, &forward);
            &backward.last
        };
        meter.note_frontier(before + last.len() as u64);
    };

    drop((forward.visited, backward.visited));
    meter.start_recovery();
    let mut plan = reconstruct_path(&forward.layers, common, |layer, state| {
        least_neighbour(Backward, space, layer, state, meter)
    })?;
    let mut rest = reconstruct_path(&backward.layers, common, |layer, state| {
        least_neighbour(Forward, space, layer, state, meter)
    })?;
    rest.pop();
    plan.extend(rest.into_iter().rev());
    let cost = *lower_bound;
    assert_eq!(plan.len(), cost as usize + 1, "{PREDECESSOR_MISMATCH}");
    Ok(Verdict::Solved { plan, cost })
}
