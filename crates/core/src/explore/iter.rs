//! Layers for a `for` loop.

use std::fmt;
use std::ops::ControlFlow;

use crate::budget::{Budget, Limit, Paused};
use crate::layers::{Expander, add_initial, next_layer};
use crate::memory::reserved_vec;
use crate::seam::SpaceView;
use crate::store::LayerStore;
use crate::word::Word;

/// A complete layer with its states.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layer<W> {
    /// The number of moves from the start, or what they [cost](crate::space::cost). If moves may
    /// cost 0, several layers in a row may have the same.
    pub depth: u32,
    /// The states, as an [exploration](crate::Search::explore) visits them.
    pub states: Vec<W>,
}

/// The layers of [`Search::layers`](crate::Search::layers). After a limit, it ends.
pub struct Layers<'s, W>(Box<dyn Iterator<Item = Result<Layer<W>, Limit>> + 's>);

impl<W> fmt::Debug for Layers<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layers").finish_non_exhaustive()
    }
}

impl<'s, W: Word> Layers<'s, W> {
    pub(crate) fn new(
        space: SpaceView<'s, W>,
        store: Box<dyn LayerStore<W> + 's>,
        budget: &Budget,
    ) -> Self {
        let expander = Expander::new(space, &*store, budget);
        let (budget, paused) = (budget.clone(), budget.meter().pause());
        let mut search = Search { store, expander, budget, paused, last: None };
        let mut is_over = false;
        // Behind a `dyn`, so that the crate that pulls layers does not compile the search again.
        Self(Box::new(std::iter::from_fn(move || {
            if is_over {
                return None;
            }
            let layer = search.next();
            is_over = layer.is_err();
            layer.transpose()
        })))
    }

    /// No layers, because of a limit.
    pub(crate) fn stopped(limit: Limit) -> Self {
        Self(Box::new(std::iter::once(Err(limit))))
    }
}

impl<W> Iterator for Layers<'_, W> {
    type Item = Result<Layer<W>, Limit>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

/// An exploration between two layers.
struct Search<'s, W> {
    store: Box<dyn LayerStore<W> + 's>,
    expander: Expander<'s, W>,
    budget: Budget,
    paused: Paused,
    /// The number of states of the last layer.
    last: Option<u64>,
}

impl<W: Word> Search<'_, W> {
    fn next(&mut self) -> Result<Option<Layer<W>>, Limit> {
        let Self { store, expander, budget, paused, last } = self;
        let mut meter = budget.resume(*paused);
        let count = match *last {
            None => {
                add_initial(&mut **store, expander)?;
                store.commit(&mut meter)?
            }
            Some(0) => return Ok(None),
            Some(states) => {
                let (next, filled) = next_layer(&mut **store, expander, &mut meter, states, None)?;
                filled?;
                next.all
            }
        };
        *paused = meter.pause();
        *last = Some(count);
        let depth = expander.distance;
        // The caller has to be able to hold the copy.
        let (mut states, _held) = reserved_vec(count as usize, budget.memory())?;
        let _ = store.read(&mut |batch| {
            states.extend_from_slice(batch);
            ControlFlow::Continue(())
        })?;
        Ok((count > 0).then_some(Layer { depth, states }))
    }
}
