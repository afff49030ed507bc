//! A store in memory for one thread.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Mutex;

use super::layer::{Frontier, Layers, Segment};
use super::{
    Interrupt, LEAST_FORGOTTEN, LayerStore, StoreProperties, Visit, VisitTagged, get_mut, lock,
};
use crate::budget::{Limit, Meter};
use crate::memory::{Memory, OutOfMemory};
use crate::seam::{Batch, SpaceView};
use crate::space::PruningKind;
use crate::visited::Visited;
use crate::word::Word;

/// A [`LayerStore`] in memory for one thread, with the [visited set](crate::visited) `V`.
///
/// Unless layers are kept, the memory of a part of the current layer is free for the next one as
/// soon as its states are expanded.
#[derive(Debug)]
pub struct OneThread<W, V> {
    keeps_tags: bool,
    /// Whether no state that was added is generated again once its layer is complete.
    is_graded: bool,
    /// `None` after the search. Never locked twice: there is one thread.
    visited: Mutex<Option<V>>,
    layers: Layers<W>,
    /// The current layer while it is open, unless layers are kept. A segment is released when it is
    /// read.
    segments: Vec<Mutex<Option<Segment<W>>>>,
    /// Which slices the current layer has while it is open, if layers are kept.
    slices: usize,
}

impl<W: Word, V: Visited<W>> OneThread<W, V> {
    /// An empty store that reserves its memory from `memory`.
    ///
    /// # Errors
    /// [`OutOfMemory`] if an empty visited set does not fit.
    pub fn new(space: &SpaceView<'_, W>, memory: &Memory) -> Result<Self, OutOfMemory> {
        let is_graded = space.properties().repeated_layers() == 0;
        Ok(Self {
            is_graded,
            ..Self::with_set(space, V::new(&space.properties(), memory)?, memory)
        })
    }

    /// The same for one of several stores of a search: see [`Visited::small`]. It can look up the
    /// states of all layers.
    pub(crate) fn small(space: &SpaceView<'_, W>, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self::with_set(space, V::small(&space.properties(), memory)?, memory))
    }

    fn with_set(space: &SpaceView<'_, W>, visited: V, memory: &Memory) -> Self {
        Self {
            keeps_tags: space.properties().pruning != PruningKind::PathDependent,
            is_graded: false,
            visited: Mutex::new(Some(visited)),
            layers: Layers::new(1, memory),
            segments: Vec::new(),
            slices: 0,
        }
    }
}

/// A store that can look up states.
pub(crate) trait Lookup<W>: LayerStore<W> {
    /// The least state of a batch that was added before; `least` if that is less.
    fn least_known(&self, batch: &Batch<W>, least: Option<W>) -> Option<W>;

    /// The number of states that were added to the next layer.
    fn added(&self) -> usize;

    /// Emits the states that were added to the next layer after the first ones.
    fn read_added_after(&self, first: usize, emit: &mut dyn FnMut(W));
}

impl<W: Word, V: Visited<W>> Lookup<W> for OneThread<W, V> {
    fn least_known(&self, batch: &Batch<W>, least: Option<W>) -> Option<W> {
        let visited = lock(&self.visited);
        let Some(visited) = &*visited else { return least };
        let ranks = batch.ranks();
        let known = batch.states().iter().enumerate().filter(|&(index, &state)| {
            visited.contains(state, ranks.get(index).copied().unwrap_or(0))
        });
        known.map(|(_, &state)| state).chain(least).min()
    }

    fn added(&self) -> usize {
        lock(&self.layers.next[0]).states.len()
    }

    fn read_added_after(&self, first: usize, emit: &mut dyn FnMut(W)) {
        lock(&self.layers.next[0]).states.iter().skip(first).for_each(emit);
    }
}

impl<W: Word, V: Visited<W>> LayerStore<W> for OneThread<W, V> {
    fn properties(&self) -> StoreProperties {
        StoreProperties {
            is_sequential: true,
            has_rank_layers: false,
            needs_ranks: V::BY_RANK,
            keeps_tags: self.keeps_tags,
            has_separate_ranges: false,
            threads: NonZero::<usize>::MIN,
        }
    }

    fn is_empty(&self) -> bool {
        self.layers.are_empty()
    }

    fn start(&mut self, batch: &mut Batch<W>) -> Result<(), Limit> {
        batch.drop_tags();
        let Some(visited) = get_mut(&mut self.visited) else { return Ok(()) };
        let new = visited.insert(batch)?;
        let no_tags = None::<std::iter::Empty<u32>>;
        Ok(self.layers.first().add(batch.new_states(new), no_tags)?)
    }

    fn open(&mut self) -> Result<usize, Limit> {
        if self.layers.are_kept() {
            self.slices = self.layers.current.iter().flat_map(Frontier::slices).count();
            return Ok(self.slices);
        }
        // When it is opened again, the segments that are not read are still there.
        let taken = self.layers.take_segments().map(|segment| Mutex::new(Some(segment)));
        if self.segments.is_empty() {
            self.segments.extend(taken);
        }
        Ok(self.segments.len())
    }

    fn read_chunk(&self, chunk: usize, visit: VisitTagged<'_, W>) -> Result<(), Limit> {
        if self.layers.are_kept() {
            let (states, tags) = self.layers.current[0].slice(chunk);
            let _ = visit(states, tags);
        } else {
            let segment = lock(&self.segments[chunk]).take();
            if let Some((states, tags)) = &segment {
                let _ = visit(states, tags);
            }
        }
        Ok(())
    }

    fn add(&self, _: usize, batch: &mut Batch<W>) -> Result<(), Interrupt> {
        let mut visited = lock(&self.visited);
        let Some(visited) = &mut *visited else { return Ok(()) };
        let mut next = lock(&self.layers.next[0]);
        let inserted = match visited.insert(batch) {
            Err(OutOfMemory) => {
                next.free_unused();
                visited.insert(batch)
            }
            inserted => inserted,
        };
        let new = inserted?;
        let tags = batch.new_tags(new).filter(|_| self.keeps_tags);
        Ok(next.add(batch.new_states(new), tags)?)
    }

    fn commit(&mut self, _: &mut Meter<'_>) -> Result<u64, Limit> {
        self.segments.clear();
        // The next layer takes the memory of the current one, part by part.
        self.layers.commit();
        self.layers.shrink_spare(0);
        if self.is_graded
            && self.layers.len() >= LEAST_FORGOTTEN
            && let Some(visited) = get_mut(&mut self.visited)
        {
            visited.forget();
        }
        Ok(self.layers.len() as u64)
    }

    fn read_added(
        &mut self,
        visit: &mut dyn FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        self.layers.read_next(visit)
    }

    fn read(&self, visit: Visit<'_, W>) -> Result<ControlFlow<()>, Limit> {
        Ok(self.layers.read(visit))
    }

    fn keep_layers(&mut self) -> Result<(), Limit> {
        self.layers.keep();
        Ok(())
    }

    fn drop_all_but_layers(&mut self) {
        *get_mut(&mut self.visited) = None;
    }

    fn read_layer(&self, depth: u32, visit: Visit<'_, W>) -> Result<ControlFlow<()>, Limit> {
        Ok(self.layers.read_layer(depth, visit))
    }
}
