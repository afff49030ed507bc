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

use std::ops::ControlFlow;

use super::layers::{Expander, add_initial, next_layer};
use super::recovery::{least_emitted, path_to};
use crate::budget::{Budget, Limit, Meter};
use crate::outcome::{Outcome, Verdict};
use crate::space::{Goals, Predecessors, Reversed, StateSpace};
use crate::store::{KeepsLayers, LayerStore, OneThread};
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
pub fn search<'a, V, S: Goals + Predecessors>(
    space: &'a S,
    budget: &Budget,
) -> Outcome<Vec<S::State>>
where
    V: Visited<S> + Visited<Reversed<'a, S>> + Send,
{
    let mut meter = budget.meter();
    let mut lower_bound = 0;
    let verdict = run::<V, S>(space, &mut meter, &mut lower_bound);
    let verdict =
        verdict.unwrap_or_else(|limit| Verdict::Stopped { limit, lower_bound, best: None });
    Outcome { verdict, stats: meter.stats() }
}

/// The half of the search that starts from the initial states of `space`. Those of the reversed
/// space are the goals.
struct SearchSide<'s, S: StateSpace, V> {
    store: OneThread<'s, S, V>,
    expander: Expander<S>,
    /// The number of states of the current layer.
    states: u64,
    depth: u32,
}

impl<'s, S: StateSpace, V: Visited<S> + Send> SearchSide<'s, S, V> {
    fn new(space: &'s S, meter: &mut Meter<'_>) -> Result<Self, Limit> {
        let mut store = OneThread::small(space, meter.memory())?;
        store.keep_layers();
        add_initial(&mut store)?;
        let expander = Expander::new(&store);
        let states = store.commit(meter)?;
        meter.note_frontier(states);
        Ok(Self { store, expander, states, depth: 0 })
    }

    /// Expands the current layer. If a limit stops the expansion, the new layer holds the states up
    /// to then.
    fn expand(&mut self, meter: &mut Meter<'_>) -> Result<(), Limit> {
        let Self { store, expander, states, .. } = self;
        let (next, filled) = next_layer(store, expander, meter, *states, None)?;
        let next = next.all;
        self.states = next;
        self.depth += 1;
        filled
    }

    /// The least state of the current layer that the other side has visited, too.
    fn least_common<R: StateSpace<State = S::State>>(
        &self,
        other: &SearchSide<'_, R, V>,
    ) -> Result<Option<S::State>, Limit>
    where
        V: Visited<R> + Send,
    {
        let mut least = None;
        let _ = self.store.read(|states| {
            let common = states.iter().copied().filter(|&state| other.store.contains(state));
            least = least.into_iter().chain(common).min();
            ControlFlow::<()>::Continue(())
        })?;
        Ok(least)
    }
}

fn run<'a, V, S: Goals + Predecessors>(
    space: &'a S,
    meter: &mut Meter<'_>,
    lower_bound: &mut u32,
) -> Result<Verdict<Vec<S::State>>, Limit>
where
    V: Visited<S> + Visited<Reversed<'a, S>> + Send,
{
    let reversed = Reversed::new(space);
    let mut forward = SearchSide::<S, V>::new(space, meter)?;
    let mut backward = SearchSide::<Reversed<'a, S>, V>::new(&reversed, meter)?;
    let mut common = forward.least_common(&backward)?;
    let mut filled = Ok(());
    let common = loop {
        // A common state in a layer that a limit cut short gives a shortest plan, too.
        if let Some(state) = common {
            break state;
        }
        filled?;
        *lower_bound += 1;
        meter.set_depth(*lower_bound);
        if forward.states == 0 || backward.states == 0 {
            return Ok(Verdict::Unsolvable);
        }
        let before = forward.states + backward.states;
        let new;
        (filled, common, new) = if forward.states <= backward.states {
            let filled = forward.expand(meter);
            (filled, forward.least_common(&backward)?, forward.states)
        } else {
            let filled = backward.expand(meter);
            (filled, backward.least_common(&forward)?, backward.states)
        };
        meter.note_frontier(before + new);
    };
    meter.start_recovery();
    let (forward_depth, backward_depth) = (forward.depth, backward.depth);
    let (layers, goal_layers) = (forward.store.into_layers(), backward.store.into_layers());
    let mut plan = path_to(common, forward_depth, meter, |depth, state, meter| {
        least_emitted(|emit| space.predecessors(state, emit), &layers, depth, meter)
    })?;
    let mut rest = path_to(common, backward_depth, meter, |depth, state, meter| {
        least_emitted(
            |emit| space.successors(state, None, |_, next| emit(next)),
            &goal_layers,
            depth,
            meter,
        )
    })?;
    assert!(space.is_goal(rest[0]), "invalid state space: a listed goal that `is_goal` refuses");
    rest.pop();
    plan.extend(rest.into_iter().rev());
    Ok(Verdict::Solved { plan, cost: *lower_bound })
}
