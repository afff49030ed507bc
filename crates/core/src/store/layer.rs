//! Layers in memory: lists of states and of the moves that led to them.

use std::iter::{repeat, repeat_with};
use std::ops::ControlFlow;

use super::KeptLayers;
use crate::budget::Limit;
use crate::memory::{Memory, OutOfMemory, PooledSegment, SegmentPool, SegmentedVec};

/// The part of a layer that one thread added, possibly with the moves.
#[derive(Debug)]
pub(super) struct Frontier<W, M> {
    pub(super) states: SegmentedVec<W>,
    /// The moves by which the states were generated: either one for each state, or none at all.
    moves: SegmentedVec<M>,
}

impl<W: Copy, M: Copy> Frontier<W, M> {
    /// Adds states, and if `store_moves` the moves that led to them, unless there are states without
    /// moves. On an error, only the states that fit have been added, and there may be fewer moves
    /// than states: the frontier must not be expanded then.
    pub(super) fn add(
        &mut self,
        states: impl ExactSizeIterator<Item = (W, M)> + Clone,
        store_moves: bool,
    ) -> Result<(), OutOfMemory> {
        let have_moves = self.moves.len() == self.states.len();
        self.states.extend(states.clone().map(|(state, _)| state))?;
        if store_moves && have_moves { self.moves.extend(states.map(|(_, by)| by)) } else { Ok(()) }
    }

    /// Returns unused memory to the budget.
    pub(super) fn free_unused(&mut self) {
        self.states.free_unused();
        self.moves.free_unused();
    }

    /// The states in slices, each with the moves that led to them, or with an empty slice if the
    /// moves are not stored.
    pub(super) fn slices(&self) -> impl Iterator<Item = (&[W], &[M])> {
        // Both lists grew by the same operations, so their segments have the same lengths.
        self.states.slices().zip(self.moves.slices().chain(repeat(&[][..])))
    }

    /// The same as [`slices`](Self::slices); dropping a slice returns its memory.
    fn into_segments(self) -> impl Iterator<Item = (PooledSegment<W>, PooledSegment<M>)> {
        let no_moves = repeat_with(PooledSegment::empty);
        self.states.into_segments().zip(self.moves.into_segments().chain(no_moves))
    }
}

/// The current layer and the next, each in one part per thread, and earlier layers if they are
/// kept. A layer that is not kept leaves its memory to the next ones.
#[derive(Debug)]
pub struct Layers<W, M> {
    /// Empty before the first commit.
    pub(super) current: Vec<Frontier<W, M>>,
    pub(super) next: Vec<Frontier<W, M>>,
    kept: Option<Vec<SegmentedVec<W>>>,
    memory: Memory,
    pool: (SegmentPool<W>, SegmentPool<M>),
}

impl<W: Copy, M: Copy> Layers<W, M> {
    pub(super) fn new(threads: usize, memory: &Memory) -> Self {
        let mut layers = Self {
            current: Vec::new(),
            next: Vec::new(),
            kept: None,
            memory: memory.clone(),
            pool: (SegmentPool::new(), SegmentPool::new()),
        };
        layers.next = layers.empty(threads);
        layers
    }

    fn empty(&self, threads: usize) -> Vec<Frontier<W, M>> {
        let (states, moves) = &self.pool;
        let frontier = || Frontier {
            states: SegmentedVec::with_pool(&self.memory, states),
            moves: SegmentedVec::with_pool(&self.memory, moves),
        };
        repeat_with(frontier).take(threads).collect()
    }

    /// Whether no state has been added. Not to be called while a layer is open.
    pub(super) fn are_empty(&self) -> bool {
        self.current.is_empty() && self.next.iter().all(|next| next.states.is_empty())
    }

    pub(super) fn keep(&mut self) {
        self.kept.get_or_insert_default();
    }

    pub(super) fn are_kept(&self) -> bool {
        self.kept.is_some()
    }

    /// The number of states of the current layer.
    pub(super) fn len(&self) -> usize {
        self.current.iter().map(|frontier| frontier.states.len()).sum()
    }

    /// Makes the next layer the current one.
    pub(super) fn commit(&mut self) {
        let next = self.empty(self.next.len());
        let next = std::mem::replace(&mut self.next, next);
        let done = std::mem::replace(&mut self.current, next);
        match &mut self.kept {
            Some(kept) if !done.is_empty() => {
                let mut layer = SegmentedVec::new(&self.memory);
                for Frontier { states, moves } in done {
                    layer.append(states);
                    moves.into_segments().for_each(drop);
                }
                kept.push(layer);
            }
            _ => done.into_iter().flat_map(Frontier::into_segments).for_each(drop),
        }
    }

    /// Frees the memory that earlier layers left, except for room for `states` states.
    pub(super) fn shrink_spare(&self, states: usize) {
        self.pool.0.shrink_to(states);
        self.pool.1.shrink_to(states);
    }

    /// The segments of the current layer, which is empty afterwards.
    pub(super) fn take_segments(
        &mut self,
    ) -> impl Iterator<Item = (PooledSegment<W>, PooledSegment<M>)> + use<W, M> {
        std::mem::take(&mut self.current).into_iter().flat_map(Frontier::into_segments)
    }

    /// Reads the next layer in batches.
    pub(super) fn read_next<E>(&self, visit: impl FnMut(&[W]) -> Result<(), E>) -> Result<(), E> {
        self.next.iter().flat_map(|frontier| frontier.states.slices()).try_for_each(visit)
    }

    /// Reads the current layer in batches until `visit` breaks.
    pub(super) fn read<B>(&self, visit: impl FnMut(&[W]) -> ControlFlow<B>) -> ControlFlow<B> {
        self.current.iter().flat_map(|frontier| frontier.states.slices()).try_for_each(visit)
    }
}

impl<W: Copy, M: Copy> KeptLayers<W> for Layers<W, M> {
    fn read_layer<B>(
        &self,
        depth: u32,
        visit: impl FnMut(&[W]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit> {
        let kept = self.kept.as_deref().unwrap_or_default();
        Ok(match kept.get(depth as usize) {
            Some(layer) => layer.slices().try_for_each(visit),
            None if depth as usize == kept.len() => self.read(visit),
            None => ControlFlow::Continue(()),
        })
    }
}
