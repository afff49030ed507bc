//! Exploration with a store of layers.

use std::ops::ControlFlow;

use super::{End, Exploration};
use crate::budget::{Budget, Limit};
use crate::checkpoint::Purpose;
use crate::cluster;
use crate::layers::{Expander, Reached, Reading, expand_layers};
use crate::seam::SpaceView;
use crate::store::LayerStore;
use crate::word::Word;

/// Called for each complete layer with its depth. If it breaks, the exploration ends after this
/// layer. Moves of [cost](crate::space::cost) 0 lead to a further layer of the same depth.
pub type VisitLayer<'v, W> =
    &'v mut dyn FnMut(u32, &dyn CompleteLayer<W>) -> Result<ControlFlow<()>, Limit>;

/// A complete layer of an exploration.
pub trait CompleteLayer<W> {
    /// The number of its states, of all processes.
    fn states(&self) -> u64;

    /// Reads its states in batches until `visit` breaks. In a [cluster](crate::cluster), only the
    /// states of this process are read, and all processes must break at the same layer.
    ///
    /// # Errors
    /// The limit that was reached.
    fn read(
        &self,
        visit: &mut dyn FnMut(&[W]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Limit>;

    /// Concatenates the words that all processes pass, in the order of the processes. Every process
    /// must call it, and gets the same result. Used to combine what the processes found in their
    /// states of the layer.
    ///
    /// # Errors
    /// The limit that was reached.
    fn gather(&self, words: &[W]) -> Result<Vec<W>, Limit>;

    /// Replaces each number by its sum over all processes. Every process must call it with the same
    /// number of numbers.
    ///
    /// # Errors
    /// The limit that was reached.
    fn sum(&self, numbers: &mut [u64]) -> Result<(), Limit>;
}

/// The current layer of a store.
struct CurrentLayer<'a, W> {
    store: &'a dyn LayerStore<W>,
    states: u64,
}

impl<W: Word> CompleteLayer<W> for CurrentLayer<'_, W> {
    fn states(&self) -> u64 {
        self.states
    }

    fn read(
        &self,
        visit: &mut dyn FnMut(&[W]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Limit> {
        self.store.read(visit)
    }

    fn gather(&self, words: &[W]) -> Result<Vec<W>, Limit> {
        cluster::gather(self.store.cluster(), words)
    }

    fn sum(&self, numbers: &mut [u64]) -> Result<(), Limit> {
        cluster::sum(self.store.cluster(), numbers)
    }
}

/// Explores a space with an empty [store](crate::store), with its threads and its memory, and calls
/// `visit` for each complete layer.
///
/// The counts are the same for any number of threads, unless the space declares
/// [`TwoStep`](crate::Pruning::TwoStep), which several threads cannot use: then they generate more
/// states. With several threads, a layer with more states than the limit on states still allows is
/// not expanded at all.
///
/// `only_counts` promises that `visit` does not read the states. In an undirected or a graded space,
/// a checkpoint then keeps only the last two layers.
///
/// Time: one expansion for each state, divided among the threads, plus one barrier per layer.
///
/// # Panics
/// If a method of the space panics on any thread.
pub fn explore_in<W: Word>(
    space: SpaceView<'_, W>,
    store: &mut dyn LayerStore<W>,
    only_counts: bool,
    budget: &Budget,
    visit: VisitLayer<'_, W>,
) -> Exploration {
    let keeps_two = only_counts && space.properties().repeated_layers() <= 2;
    let purpose = if keeps_two { Purpose::Count } else { Purpose::Visit };
    let mut expander = Expander::new(space, store, budget);
    let mut meter = budget.meter();
    let (mut layers, mut distances, mut visited) = (Vec::new(), Vec::new(), 0);
    let mut reached = Reached::default();
    let explored = expand_layers(
        store,
        &mut expander,
        &mut meter,
        &mut reached,
        purpose,
        &mut |store, Reading { distance, states, is_complete }| {
            if !is_complete || states == 0 {
                return Ok(ControlFlow::Continue(()));
            }
            visited += 1;
            match layers.last_mut() {
                // By moves of cost 0.
                Some(layer) if distances.last() == Some(&distance) => *layer += states,
                _ => {
                    layers.push(states);
                    distances.push(distance);
                }
            }
            visit(distance, &CurrentLayer { store, states })
        },
    );
    let end = match explored {
        Ok(false) => End::Complete,
        Ok(true) => End::Visitor,
        Err(limit) => End::Limit(limit),
    };
    let unread = reached.earlier.get(visited..).unwrap_or_default().to_vec();
    if space.properties().costs.is_unit() {
        distances.clear();
    } else if space.properties().costs.least() == 0 && end != End::Complete {
        // Moves of cost 0 may lead to more states of the last distance.
        layers.pop();
        distances.pop();
    }
    Exploration { layers, distances, unread, end, stats: meter.stats(), representation: None }
}
