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

use std::ops::ControlFlow;

use super::layers::{Expander, expand_layers};
use super::parents::{Parents, Traced};
use super::recovery::{least_emitted, least_predecessor, path_to};
use super::worker_pool::WorkerPool;
use crate::budget::{Budget, Limit, Meter};
use crate::checkpoint::Kept;
use crate::cluster;
use crate::outcome::{Outcome, Verdict};
use crate::space::{Predecessors, StateSpace};
use crate::store::{KeepsLayers, KeptLayers, LayerStore, OneThread};
use crate::visited::Visited;

/// Searches any space with one thread. `V` is the visited set: [`Table<_>`](crate::visited::Table)
/// works for every space.
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
pub fn search<V: Visited<S> + Send, S: StateSpace>(
    space: &S,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    match OneThread::<S, V>::new(space, budget.memory()) {
        Ok(store) => search_in(store, budget),
        Err(error) => Outcome::stopped(error.into(), budget),
    }
}

/// The same as [`search`], for a space that knows its predecessors.
///
/// To recover the plan, the search reads each layer once and asks for the predecessors of one state
/// a layer. It expands nothing a second time.
///
/// # Panics
/// If the search finds that the predecessors are not the successors reversed.
pub fn search_with_predecessors<V: Visited<S> + Send, S: Predecessors>(
    space: &S,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    match OneThread::<S, V>::new(space, budget.memory()) {
        Ok(store) => search_in_with_predecessors(store, budget),
        Err(error) => Outcome::stopped(error.into(), budget),
    }
}

/// The same as [`search`], with the same plan, for a space whose expansions are
/// [expensive](StateSpace::EXPENSIVE_EXPANSION): stores the least parent of each state.
///
/// Recovering the plan takes one lookup per move. The search does not use
/// [`MOVE_PRUNING`](StateSpace::MOVE_PRUNING).
///
/// Memory: two states and 4 bytes for each generated state, times 5/4 to 35/16
/// ([`Table`](crate::visited::Table)), and two layers at `size_of::<State>()` bytes per state.
pub fn search_with_parents<S: StateSpace>(space: &S, budget: &Budget) -> Outcome<Vec<S::State>> {
    let traced = Traced(space);
    // Layers do not have parents.
    let budget = &budget.without_checkpoint();
    let mut store = match OneThread::<_, Parents<S::State>>::new(&traced, budget.memory()) {
        Ok(store) => store,
        Err(error) => return Outcome::stopped(error.into(), budget),
    };
    let mut expander = Expander::new(&store);
    let (mut meter, mut depth) = (budget.meter(), 0);
    let goal = expand_to_goal(&mut store, &mut expander, &mut meter, &mut depth);
    let verdict = match goal {
        Ok(Some(goal)) => Verdict::Solved { plan: store.visited().path_to(goal), cost: depth },
        Ok(None) => Verdict::Unsolvable,
        Err(limit) => Verdict::Stopped { limit, lower_bound: depth, best: None },
    };
    Outcome { verdict, stats: meter.stats() }
}

/// Searches the space of an empty [store](crate::store), with its threads and its memory.
///
/// The threads expand one layer together, and the next layer starts when the last thread is done.
/// So the plan and all counts except [`recovered`](crate::stats::Stats::recovered) are the same for
/// any number of threads: only the order within a layer depends on timing. The layers and the plan
/// are those of [`search`], and so are the counts unless the space declares
/// [`TwoStep`](crate::MovePruning::TwoStep), which several threads cannot use: they generate more
/// states. The calling thread is one of the threads. Small layers are expanded by fewer threads,
/// because calling a thread costs more than their work. If the system refuses to start threads, the
/// calling thread works alone.
///
/// To recover the plan, all threads expand the layers before the goal's a second time, at worst
/// each state once more.
///
/// A limit on states or memory can stop several threads earlier than one: a layer with more states
/// than the limit still allows is not expanded at all, and a layer that was not completed is
/// discarded. How far a memory limit allows the search to go depends on timing.
///
/// # Panics
/// As [`search`]. A panic in a method of `space` stops all threads and resumes in the caller.
pub fn search_in<'s, S: StateSpace + 's>(
    store: impl KeepsLayers<'s, S>,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    let space = store.space();
    run(store, budget, |layers, pool, depth, state, meter| {
        least_predecessor(space, layers, pool, depth, state, meter)
    })
}

/// The same as [`search_in`], for a space that knows its predecessors.
///
/// To recover the plan, the calling thread reads each layer once and asks for the predecessors of
/// one state per layer.
///
/// # Panics
/// As [`search_with_predecessors`]. A panic in a method of `space` stops all threads and resumes in
/// the caller.
pub fn search_in_with_predecessors<'s, S: Predecessors + 's>(
    store: impl KeepsLayers<'s, S>,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    let space = store.space();
    run(store, budget, |layers, _, depth, state, meter| {
        least_emitted(|emit| space.predecessors(state, emit), layers, depth, meter)
    })
}

/// Searches, and recovers the plan with `previous`, which returns the least state of the layer at a
/// depth from which a move leads to a given state.
pub(super) fn run<'s, S: StateSpace + 's, T: KeepsLayers<'s, S>>(
    mut store: T,
    budget: &Budget,
    previous: impl Fn(
        &T::Layers,
        &WorkerPool,
        u32,
        S::State,
        &mut Meter<'_>,
    ) -> Result<Option<S::State>, Limit>,
) -> Outcome<Vec<S::State>> {
    let mut expander = Expander::new(&store);
    let mut meter = budget.meter();
    let mut depth = 0;
    store.keep_layers();
    let goal = expand_to_goal(&mut store, &mut expander, &mut meter, &mut depth);
    let verdict = goal.and_then(|goal| {
        let Some(goal) = goal else { return Ok(Verdict::Unsolvable) };
        meter.start_recovery();
        let layers = store.into_layers();
        let plan = path_to(goal, depth, &mut meter, |depth, state, meter| {
            let least = previous(&layers, &expander.pool, depth, state, meter)?;
            cluster::least(layers.cluster(), least)
        });
        if let (Err(limit), Some(cluster)) = (&plan, layers.cluster()) {
            cluster.stop(*limit);
        }
        Ok(Verdict::Solved { plan: plan?, cost: depth })
    });
    // The layers before that of this depth hold no goal, whichever limit ended the search.
    let verdict =
        verdict.unwrap_or_else(|limit| Verdict::Stopped { limit, lower_bound: depth, best: None });
    Outcome { verdict, stats: meter.stats() }
}

/// Expands layers up to the first with a goal, and returns the least goal in it; `None` if there is
/// no goal.
fn expand_to_goal<'s, S: StateSpace + 's>(
    store: &mut impl LayerStore<'s, S>,
    expander: &mut Expander<S>,
    meter: &mut Meter<'_>,
    depth: &mut u32,
) -> Result<Option<S::State>, Limit> {
    expand_layers(store, expander, meter, depth, Kept::All, |store, _, _| {
        Ok(least_goal(store)?.map_or(ControlFlow::Continue(()), ControlFlow::Break))
    })
}

/// The least goal in the current layer.
fn least_goal<'s, S: StateSpace + 's>(
    store: &impl LayerStore<'s, S>,
) -> Result<Option<S::State>, Limit> {
    let space = store.space();
    let mut least = None;
    let _ = store.read(|states| {
        let goals = states.iter().copied().filter(|&state| space.is_goal(state));
        least = least.into_iter().chain(goals).min();
        ControlFlow::<()>::Continue(())
    })?;
    cluster::least(store.cluster(), least)
}
