//! A breadth-first search that its caller drives: it takes states of the current layer, adds
//! successors to the store, and goes on to the next layer when no states are left.
//!
//! The searches that run by themselves have the loop of [`layers`](crate::layers), on all threads.

use std::ops::{ControlFlow, Range};

use crate::budget::{Budget, Limit, Meter};
use crate::checkpoint::LayerLog;
use crate::layers::{Expander, LayerSize, add_initial, commit_layer, log_layer, read_layer};
use crate::memory::Reservation;
use crate::seam::SpaceView;
use crate::stats::Stats;
use crate::store::{LayerStore, Visit};
use crate::word::Word;

/// A search between two expansions. Its store is with the caller, and always the same.
pub(crate) struct Driver<'s, W> {
    pub(crate) expander: Expander<'s, W>,
    /// The number of states of the current layer.
    pub(crate) layer: LayerSize,
    /// How many of them are not taken.
    pub(crate) left: u64,
    /// The chunks of the layer that are not read; `None` before it is opened.
    chunks: Option<Range<usize>>,
    /// What was read: those before `at` are taken.
    states: Vec<W>,
    tags: Vec<u32>,
    at: usize,
    held: Reservation,
    /// The work before the layer was expanded.
    before: Stats,
}

impl<'s, W: Word> Driver<'s, W> {
    /// The first layer of a search with an empty store. Reads the layers of the log, if it has any,
    /// up to the last one.
    pub(crate) fn start(
        space: SpaceView<'s, W>,
        store: &mut dyn LayerStore<W>,
        budget: &Budget,
        meter: &mut Meter<'_>,
        log: Option<&mut LayerLog>,
    ) -> Result<Self, Limit> {
        let mut expander = Expander::new(space, store, budget);
        add_initial(store, &mut expander)?;
        let own = store.commit(meter)?;
        meter.note_frontier(own);
        let mut driver = Self {
            expander,
            layer: LayerSize { own, all: own },
            left: 0,
            chunks: None,
            states: Vec::new(),
            tags: Vec::new(),
            at: 0,
            held: Reservation::none(budget.memory()),
            before: Stats::default(),
        };
        driver.enter(store, meter, log)?;
        Ok(driver)
    }

    /// Appends the current layer to the log, or reads those that follow in it.
    fn enter(
        &mut self,
        store: &mut dyn LayerStore<W>,
        meter: &mut Meter<'_>,
        log: Option<&mut LayerLog>,
    ) -> Result<(), Limit> {
        let Self { expander, layer, .. } = self;
        if let Some(log) = log {
            while layer.all > 0 {
                log_layer(log, store, meter, expander.distance, layer.own)?;
                if !log.has_next() {
                    break;
                }
                let before = layer.all;
                *layer = read_layer(log, store, expander, meter, before)?;
                meter.set_last_layers(expander.distance, [layer.all, before]);
            }
        }
        (self.left, self.chunks) = (self.layer.own, None);
        Ok(())
    }

    /// Takes up to this number of states of the layer, and counts their expansions. Returns where
    /// they are in [`taken`](Self::taken); an empty range if none are left.
    ///
    /// With several threads, a layer with more states than the limit allows is not begun.
    pub(crate) fn take(
        &mut self,
        store: &mut dyn LayerStore<W>,
        most: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Range<usize>, Limit> {
        if self.chunks.is_none() {
            if !store.properties().is_sequential && meter.states_left() < self.layer.all {
                return Err(Limit::States);
            }
            self.chunks = Some(0..store.open()?);
            // Now: the other side of a bidirectional search may have worked since the last layer.
            self.before = meter.stats();
        }
        let Self { left, chunks: Some(chunks), states, tags, at, held, .. } = self else {
            return Ok(0..0);
        };
        while states.len() - *at < most
            && let Some(chunk) = chunks.next()
        {
            states.drain(..*at);
            tags.drain(..tags.len().min(*at));
            *at = 0;
            let mut reserved = Ok(());
            store.read_chunk(chunk, &mut |block, with| {
                let (items, tag_bytes) = (states.len() + block.len(), size_of::<u32>());
                let bytes = items * size_of::<W>() + (tags.len() + with.len()) * tag_bytes;
                reserved = held.grow((bytes as u64).saturating_sub(held.bytes()));
                if reserved.is_err() {
                    return ControlFlow::Break(());
                }
                states.extend_from_slice(block);
                tags.extend_from_slice(with);
                ControlFlow::Continue(())
            })?;
            reserved?;
        }
        let wanted = (states.len() - *at).min(most);
        if wanted == 0 {
            return Ok(0..0);
        }
        let granted = meter.grant(wanted)?;
        meter.expanded(granted as u64);
        *at += granted;
        *left -= granted as u64;
        Ok(*at - granted..*at)
    }

    /// Counts duplicates that are known before the layer is complete.
    pub(crate) fn count_duplicates(&mut self, duplicates: u64, meter: &mut Meter<'_>) {
        meter.duplicates(duplicates);
        // All others are what was generated since and is not in the layer.
        self.before.generated += duplicates;
    }

    /// States that were taken, and the tags of the moves that led to them, if the store keeps them.
    pub(crate) fn taken(&self, range: Range<usize>) -> (&[W], &[u32]) {
        (&self.states[range.clone()], self.tags.get(range).unwrap_or_default())
    }

    /// Reads the states of the layer that are not taken, from a store that keeps its layers.
    pub(crate) fn read_left(
        &self,
        store: &dyn LayerStore<W>,
        visit: Visit<'_, W>,
    ) -> Result<(), Limit> {
        let Some(chunks) = &self.chunks else { return store.read(visit).map(drop) };
        let _ = visit(&self.states[self.at..]);
        chunks.clone().try_for_each(|chunk| store.read_chunk(chunk, &mut |states, _| visit(states)))
    }

    /// Makes what was added the current layer, when no states are left or a limit was reached.
    pub(crate) fn next_layer(
        &mut self,
        store: &mut dyn LayerStore<W>,
        filled: Result<(), Limit>,
        meter: &mut Meter<'_>,
        log: Option<&mut LayerLog>,
    ) -> Result<(), Limit> {
        let (before, expander) = (self.layer.all, &mut self.expander);
        (self.layer, _) =
            commit_layer(store, expander, meter, (before, self.before), filled, None)?;
        meter.set_last_layers(expander.distance, [self.layer.all, before]);
        self.enter(store, meter, log)
    }
}
