//! Exploration with a store of layers.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use super::{End, Exploration};
use crate::budget::{Budget, Limit};
use crate::checkpoint::Kept;
use crate::cluster;
use crate::search::layers::{Expander, expand_layers};
use crate::space::StateSpace;
use crate::store::{LayerStore, OneThread};
use crate::visited::Visited;

/// Counts all reachable states by depth with one thread. `V` is the visited set:
/// [`Table<_>`](crate::visited::Table) works for every space,
/// [`DenseBits`](crate::visited::DenseBits) for a space with ranks.
///
/// Time: one expansion for each state.
///
/// Memory: the visited set, and `size_of::<State>()` bytes for each state of the last complete
/// layer that is not expanded yet and of the next one. If the space declares
/// [`TwoStep`](crate::MovePruning::TwoStep) or [`Inverse`](crate::MovePruning::Inverse) move
/// pruning, also `size_of::<Move>()` bytes for each of these states.
pub fn explore<V: Visited<S> + Send, S: StateSpace>(space: &S, budget: &Budget) -> Exploration {
    match OneThread::<S, V>::new(space, budget.memory()) {
        Ok(mut store) => explore_in(&mut store, budget),
        Err(error) => Exploration::stopped(error.into(), budget),
    }
}

/// The same as [`explore`], and calls `visit` once for each state with its depth: layer by layer,
/// within a layer in the order of the search. If a limit stops the exploration, `visit` has been
/// called for the states of the complete layers only.
pub fn explore_with<V: Visited<S> + Send, S: StateSpace>(
    space: &S,
    budget: &Budget,
    mut visit: impl FnMut(u32, S::State),
) -> Exploration {
    match OneThread::<S, V>::new(space, budget.memory()) {
        Ok(mut store) => explore_in_with(&mut store, budget, |depth, state| {
            visit(depth, state);
            ControlFlow::Continue(())
        }),
        Err(error) => Exploration::stopped(error.into(), budget),
    }
}

/// Counts all reachable states of the space of an empty [store](crate::store) by depth, with its
/// threads and its memory.
///
/// The counts are the same for any number of threads. They are those of [`explore`] unless the
/// space declares [`TwoStep`](crate::MovePruning::TwoStep), which several threads cannot use: then
/// they generate more states. With several threads, a layer with more states than the limit on
/// states still allows is not expanded at all.
///
/// Time: one expansion for each state, divided among the threads, plus one barrier per layer.
///
/// # Panics
/// If a method of `space` panics on any thread.
pub fn explore_in<'s, S: StateSpace + 's>(
    store: &mut impl LayerStore<'s, S>,
    budget: &Budget,
) -> Exploration {
    explore_in_with_counts(store, false, budget, |_, _| ControlFlow::Continue(()))
}

/// The same as [`explore_in`], and calls `on_layer` with the depth and the number of states of each
/// layer as soon as it is complete. If `on_layer` breaks, the exploration ends with that layer.
///
/// `is_undirected` says that each move of the space can be undone. Then a checkpoint of the budget keeps
/// only two layers.
pub fn explore_in_with_counts<'s, S: StateSpace + 's>(
    store: &mut impl LayerStore<'s, S>,
    is_undirected: bool,
    budget: &Budget,
    mut on_layer: impl FnMut(u32, u64) -> ControlFlow<()>,
) -> Exploration {
    let kept = if is_undirected { Kept::LastTwo } else { Kept::All };
    run(store, budget, kept, |_, depth, states| Ok(on_layer(depth, states)))
}

/// The same as [`explore_in`], and calls `visit` once for each state with its depth, layer by layer,
/// on the calling thread. If `visit` breaks, the exploration ends; then the last of its layers is
/// the one with that state.
///
/// With several threads, `visit` gets the states of a layer in an order that depends on timing.
pub fn explore_in_with<'s, S: StateSpace + 's, T: LayerStore<'s, S>>(
    store: &mut T,
    budget: &Budget,
    mut visit: impl FnMut(u32, S::State) -> ControlFlow<()>,
) -> Exploration {
    run(store, budget, Kept::All, |store: &T, depth, _| {
        store.read(|states| states.iter().try_for_each(|&state| visit(depth, state)))
    })
}

/// A complete layer of an exploration.
pub trait CompleteLayer<W> {
    /// The number of its states, of all processes.
    fn states(&self) -> u64;

    /// Reads its states in batches until `visit` breaks. If the exploration is distributed over the
    /// processes of a [cluster](crate::cluster), these are the states of this process. Then all processes
    /// have to end at the same layer.
    ///
    /// # Errors
    /// The limit that was reached.
    fn read(
        &self,
        visit: &mut dyn FnMut(&[W]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Limit>;

    /// The words that all processes pass, in the order of the processes: what they found in their parts of
    /// the layer. Each process has to call it, and gets the same words.
    ///
    /// # Errors
    /// The limit that was reached.
    fn gather(&self, words: &[W]) -> Result<Vec<W>, Limit>;

    /// Replaces numbers by their sums over all processes, each of which passes as many, as
    /// [`gather`](Self::gather).
    ///
    /// # Errors
    /// The limit that was reached.
    fn sum(&self, numbers: &mut [u64]) -> Result<(), Limit>;
}

/// The current layer of a store.
struct CurrentLayer<'a, 's, S, T> {
    store: &'a T,
    states: u64,
    space: PhantomData<&'s S>,
}

impl<'s, S: StateSpace + 's, T: LayerStore<'s, S>> CompleteLayer<S::State>
    for CurrentLayer<'_, 's, S, T>
{
    fn states(&self) -> u64 {
        self.states
    }

    fn read(
        &self,
        visit: &mut dyn FnMut(&[S::State]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Limit> {
        self.store.read(visit)
    }

    fn gather(&self, words: &[S::State]) -> Result<Vec<S::State>, Limit> {
        cluster::gather(self.store.cluster(), words)
    }

    fn sum(&self, numbers: &mut [u64]) -> Result<(), Limit> {
        cluster::sum(self.store.cluster(), numbers)
    }
}

/// The same as [`explore_in_with`], for a visitor of whole layers.
pub(crate) fn explore_by_layer<'s, S: StateSpace + 's, T: LayerStore<'s, S>>(
    store: &mut T,
    budget: &Budget,
    mut visit: impl FnMut(u32, &dyn CompleteLayer<S::State>) -> Result<ControlFlow<()>, Limit>,
) -> Exploration {
    run(store, budget, Kept::All, |store: &T, depth, states| {
        visit(depth, &CurrentLayer { store, states, space: PhantomData })
    })
}

/// Explores, and calls `on_layer` for each complete layer, with its depth and its number of states,
/// until it breaks.
fn run<'s, S: StateSpace + 's, T: LayerStore<'s, S>>(
    store: &mut T,
    budget: &Budget,
    kept: Kept,
    mut on_layer: impl FnMut(&T, u32, u64) -> Result<ControlFlow<()>, Limit>,
) -> Exploration {
    let mut expander = Expander::new(store);
    let mut meter = budget.meter();
    let (mut layers, mut depth) = (Vec::new(), 0);
    let explored = expand_layers(
        store,
        &mut expander,
        &mut meter,
        &mut depth,
        kept,
        |store, states, complete| {
            if !complete || states == 0 {
                return Ok(ControlFlow::Continue(()));
            }
            layers.push(states);
            on_layer(store, layers.len() as u32 - 1, states)
        },
    );
    let end = match explored {
        Ok(None) => End::Complete,
        Ok(Some(())) => End::Visitor,
        Err(limit) => End::Limit(limit),
    };
    Exploration { layers, end, stats: meter.stats() }
}
