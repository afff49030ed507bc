//! A store in memory for one thread.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::layer::{Frontier, Layers};
use super::{Interrupt, KeepsLayers, LayerReader, LayerStore, LayerWriter};
use crate::budget::{Limit, Meter};
use crate::memory::{Memory, OutOfMemory, PooledSegment};
use crate::space::{MovePruning, StateSpace};
use crate::visited::Visited;

/// A [`LayerStore`] in memory for one thread, with the [visited set](crate::visited) `V`.
///
/// Unless layers are kept, the memory of a part of the current layer is free for the next one as
/// soon as its states are expanded.
#[derive(Debug)]
pub struct OneThread<'s, S: StateSpace, V> {
    space: &'s S,
    visited: V,
    layers: Layers<S::State, S::Move>,
}

impl<'s, S: StateSpace, V: Visited<S>> OneThread<'s, S, V> {
    /// An empty store that reserves its memory from `memory`.
    ///
    /// # Errors
    /// [`OutOfMemory`] if an empty visited set does not fit.
    pub fn new(space: &'s S, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self::with_set(space, V::new(space, memory)?, memory))
    }

    /// The same for one of several stores of a search: see [`Visited::small`].
    pub(crate) fn small(space: &'s S, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self::with_set(space, V::small(space, memory)?, memory))
    }

    fn with_set(space: &'s S, visited: V, memory: &Memory) -> Self {
        Self { space, visited, layers: Layers::new(1, memory) }
    }

    /// The set of all states that were added.
    pub fn visited(&self) -> &V {
        &self.visited
    }

    /// Whether a state was added.
    pub fn contains(&self, state: S::State) -> bool {
        self.visited.contains(self.space, state)
    }
}

impl<'s, S: StateSpace, V: Visited<S> + Send> LayerStore<'s, S> for OneThread<'s, S, V> {
    const SEQUENTIAL: bool = true;

    type Reader<'a>
        = Reader<'a, S::State, S::Move>
    where
        Self: 'a;

    type Writer<'a>
        = Writer<'a, S, V>
    where
        Self: 'a;

    fn space(&self) -> &'s S {
        self.space
    }

    fn threads(&self) -> NonZero<usize> {
        NonZero::<usize>::MIN
    }

    fn is_empty(&self) -> bool {
        self.layers.are_empty()
    }

    fn start(&mut self, states: &[S::State]) -> Result<(), Limit> {
        for &state in states {
            if self.visited.insert(self.space, state)? {
                self.layers.next[0].states.push(state)?;
            }
        }
        Ok(())
    }

    fn open(&mut self) -> Result<(Self::Reader<'_>, Vec<Self::Writer<'_>>), Limit> {
        let Self { space, visited, layers } = self;
        let segments = if layers.are_kept() {
            Segments::Kept(layers.current.iter().flat_map(Frontier::slices).collect())
        } else {
            let segments = layers.take_segments().map(|segment| Mutex::new(Some(segment)));
            Segments::Released(segments.collect())
        };
        let next = &mut layers.next[0];
        Ok((Reader(segments), vec![Writer { space, visited, next }]))
    }

    fn commit(&mut self, _: &mut Meter<'_>) -> Result<u64, Limit> {
        // The next layer takes the memory of the current one, part by part.
        self.layers.commit();
        self.layers.shrink_spare(0);
        self.visited.commit_layer();
        Ok(self.layers.len() as u64)
    }

    fn read_added(
        &mut self,
        visit: impl FnMut(&[S::State]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        self.layers.read_next(visit)
    }

    fn read<B>(
        &self,
        visit: impl FnMut(&[S::State]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit> {
        Ok(self.layers.read(visit))
    }
}

impl<'s, S: StateSpace, V: Visited<S> + Send> KeepsLayers<'s, S> for OneThread<'s, S, V> {
    type Layers = Layers<S::State, S::Move>;

    fn keep_layers(&mut self) {
        self.layers.keep();
    }

    fn into_layers(self) -> Self::Layers {
        self.layers
    }
}

/// The current layer of a [`OneThread`] store. A chunk is a segment.
#[derive(Debug)]
#[doc(hidden)]
pub struct Reader<'a, W, M>(Segments<'a, W, M>);

#[derive(Debug)]
enum Segments<'a, W, M> {
    Kept(Vec<(&'a [W], &'a [M])>),
    /// A segment is released when it has been read.
    Released(Vec<Mutex<Option<Segment<W, M>>>>),
}

/// States and the moves that led to them.
type Segment<W, M> = (PooledSegment<W>, PooledSegment<M>);

impl<S: StateSpace> LayerReader<S> for Reader<'_, S::State, S::Move> {
    const SEPARATE_RANGES: bool = false;

    fn chunk_count(&self) -> usize {
        match &self.0 {
            Segments::Kept(slices) => slices.len(),
            Segments::Released(segments) => segments.len(),
        }
    }

    #[inline]
    fn read(
        &self,
        chunk: usize,
        mut visit: impl FnMut(&[S::State], &[S::Move]) -> ControlFlow<()>,
    ) -> Result<(), Limit> {
        let segment;
        let (states, moves) = match &self.0 {
            Segments::Kept(slices) => slices[chunk],
            Segments::Released(segments) => {
                segment = segments[chunk].lock().unwrap_or_else(PoisonError::into_inner).take();
                segment.as_ref().map_or((&[][..], &[][..]), |(states, moves)| (states, moves))
            }
        };
        let _ = visit(states, moves);
        Ok(())
    }
}

/// Inserts states into the visited set and adds those that are new to the next layer.
#[derive(Debug)]
#[doc(hidden)]
pub struct Writer<'a, S: StateSpace, V> {
    space: &'a S,
    visited: &'a mut V,
    next: &'a mut Frontier<S::State, S::Move>,
}

impl<S: StateSpace, V: Visited<S> + Send> LayerWriter<S> for Writer<'_, S, V> {
    #[inline]
    fn add(&mut self, batch: &mut [(S::State, S::Move)]) -> Result<(), Interrupt> {
        let inserted = match self.visited.insert_batch(self.space, batch) {
            Err(OutOfMemory) => {
                self.next.free_unused();
                self.visited.insert_batch(self.space, batch)
            }
            inserted => inserted,
        };
        let new = inserted?;
        let store_moves = !matches!(S::MOVE_PRUNING, MovePruning::PathDependent);
        Ok(self.next.add(batch[..new].iter().copied(), store_moves)?)
    }
}
