//! A breadth-first search, or a side of a bidirectional one, that expands one state at a time.

use std::ops::ControlFlow;

use super::steps::{Node, Step};
use crate::budget::{Budget, Limit, Meter};
use crate::driver::Driver;
use crate::layers::{Expander, LayerPass, Source, next_layer};
use crate::memory::OutOfMemory;
use crate::representation::Representation;
use crate::seam::{Batch, SpaceView};
use crate::store::{Interrupt, Lookup, OneThread};
use crate::visited::{Adaptive, RankSet};
use crate::word::Word;

/// The layers of a search in memory, on this thread. All of them are kept.
pub(super) struct Side<'s, W> {
    pub(super) store: Box<dyn Lookup<W>>,
    pub(super) driver: Driver<'s, W>,
    is_backward: bool,
}

impl<'s, W: Word> Side<'s, W> {
    /// The first layer.
    pub(super) fn start(
        space: SpaceView<'s, W>,
        representation: Representation,
        budget: &Budget,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Limit> {
        let mut store = new_store(&space, representation, meter)?;
        store.keep_layers()?;
        let driver = Driver::start(space, &mut *store, budget, meter, None)?;
        Ok(Self { store, driver, is_backward: space.is_backward() })
    }

    pub(super) fn space(&self) -> SpaceView<'s, W> {
        self.driver.expander.space
    }

    /// The number of states of the current layer.
    pub(super) fn states(&self) -> u64 {
        self.driver.layer.all
    }

    /// Expands the current layer. If a limit stops the expansion, the new layer holds the states up
    /// to then.
    pub(super) fn expand_layer(&mut self, meter: &mut Meter<'_>) -> Result<(), Limit> {
        let Driver { expander, layer, .. } = &mut self.driver;
        let filled;
        (*layer, filled) = next_layer(&mut *self.store, expander, meter, layer.all, None)?;
        filled
    }

    /// Makes what was added the current layer.
    pub(super) fn next_layer(
        &mut self,
        filled: Result<(), Limit>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit> {
        self.driver.next_layer(&mut *self.store, filled, meter, None)
    }

    /// Expands the next state of the current layer, as the loop of all threads does, and notes it.
    /// Returns false if none is left.
    pub(super) fn expand_one(
        &mut self,
        step: Option<&mut Step<W>>,
        lower_bound: u32,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Limit> {
        let Self { store, driver, is_backward } = self;
        let at = driver.take(&mut **store, 1, meter)?;
        if at.is_empty() {
            return Ok(false);
        }
        let (states, tags) = driver.taken(at);
        let (state, tag) = (states[0], tags.first().copied());
        let Expander { space, batches, queue, distance, .. } = &mut driver.expander;
        let (batch, depth, before) = (&mut batches[0], *distance, store.added());
        let mut queue = queue.as_mut().map(|queue| queue.begin(depth)).transpose()?;
        let (has_step, is_by_cost) = (step.is_some(), queue.is_some());
        let (mut by_cost, mut generated) = (Vec::new(), 0);
        let source = Source::Lists(Vec::new());
        let pass = LayerPass::new(*space, &**store, &source, false);
        let mut add = |batch: &mut Batch<W>| -> Result<(), Interrupt> {
            generated += batch.len();
            if has_step && is_by_cost {
                by_cost.extend(batch.states_and_costs());
            }
            let successors = queue.as_mut().map(|queue| &mut *queue[0]);
            pass.add(0, batch, &mut 0, successors, meter)
        };
        let mut result = Ok(());
        batch.clear();
        space.expand(&[state], tag.as_slice(), &mut 0, batch, &mut |batch| {
            result = add(batch);
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        match result.and_then(|()| add(batch)) {
            Ok(()) => {}
            Err(Interrupt::Limit(limit)) => return Err(limit),
            Err(Interrupt::NeedsRoom) => unreachable!("a store for one thread makes room itself"),
        }
        let new = store.added() - before;
        if let Some(step) = step {
            let is_backward = *is_backward;
            step.begin(Node { depth, is_backward, ..Node::new(state) }, lower_bound);
            let mut add = |next, cost| step.add(Node { depth: depth + cost, ..Node::new(next) });
            by_cost.into_iter().for_each(|(next, cost)| add(next, cost));
            store.read_added_after(before, &mut |next| add(next, 1));
        }
        if !is_by_cost {
            driver.count_duplicates((generated - new) as u64, meter);
        }
        meter.report_step(lower_bound, &state);
        Ok(true)
    }

    /// Emits the states that wait for their expansion.
    pub(super) fn open(&self, emit: &mut dyn FnMut(Node<W>)) {
        let Expander { distance, queue, .. } = &self.driver.expander;
        let is_backward = self.is_backward;
        let mut emit = |state, depth| emit(Node { depth, is_backward, ..Node::new(state) });
        // In memory, nothing fails.
        let _ = self.driver.read_left(&*self.store, &mut |states| {
            states.iter().for_each(|&state| emit(state, *distance));
            ControlFlow::Continue(())
        });
        match queue {
            Some(queue) => queue.for_each(&mut emit),
            None => self.store.read_added_after(0, &mut |state| emit(state, distance + 1)),
        }
    }
}

/// An empty store in memory, for one of several searches at the same time.
fn new_store<W: Word>(
    space: &SpaceView<'_, W>,
    representation: Representation,
    meter: &Meter<'_>,
) -> Result<Box<dyn Lookup<W>>, OutOfMemory> {
    Ok(match representation {
        Representation::Bits => Box::new(OneThread::<W, RankSet>::small(space, meter.memory())?),
        _ => Box::new(OneThread::<W, Adaptive<W>>::small(space, meter.memory())?),
    })
}
