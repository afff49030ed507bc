//! Layers for a `for` loop.

use std::fmt;
use std::ops::ControlFlow;

use crate::budget::{Budget, Limit};
use crate::layers::{Expander, add_initial, next_layer};
use crate::memory::reserved_vec;
use crate::seam::SpaceView;
use crate::stats::Stats;
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
pub struct Layers<'s, W>(Next<'s, W>);

enum Next<'s, W> {
    Search(Box<Pulled<'s, W>>),
    Limit(Limit),
    End,
}

/// An exploration between two layers.
struct Pulled<'s, W> {
    store: Box<dyn LayerStore<W> + 's>,
    expander: Expander<'s, W>,
    budget: Budget,
    stats: Stats,
    /// The number of states of the last layer.
    last: Option<u64>,
}

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
        let (budget, stats) = (budget.clone(), Stats::default());
        Self(Next::Search(Box::new(Pulled { store, expander, budget, stats, last: None })))
    }

    /// No layers, because of a limit.
    pub(crate) fn stopped(limit: Limit) -> Self {
        Self(Next::Limit(limit))
    }
}

impl<W: Word> Pulled<'_, W> {
    fn next(&mut self) -> Result<Option<Layer<W>>, Limit> {
        let Self { store, expander, budget, stats, last } = self;
        let mut meter = budget.meter_from(*stats);
        let count = match *last {
            None => {
                add_initial(&mut **store, expander)?;
                store.commit(&mut meter)?
            }
            Some(states) => {
                let (next, filled) = next_layer(&mut **store, expander, &mut meter, states, None)?;
                filled?;
                next.all
            }
        };
        *stats = meter.stats();
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

impl<W: Word> Iterator for Layers<'_, W> {
    type Item = Result<Layer<W>, Limit>;

    fn next(&mut self) -> Option<Self::Item> {
        match std::mem::replace(&mut self.0, Next::End) {
            Next::Search(mut search) => {
                let layer = search.next().transpose()?;
                if layer.is_ok() {
                    self.0 = Next::Search(search);
                }
                Some(layer)
            }
            Next::Limit(limit) => Some(Err(limit)),
            Next::End => None,
        }
    }
}
