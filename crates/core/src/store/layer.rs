//! Layers in memory: lists of states and of the tags of the moves that led to them.

use std::iter::{repeat, repeat_with};
use std::ops::ControlFlow;
use std::sync::Mutex;

use super::{Visit, get_mut};
use crate::memory::{Memory, OutOfMemory, PooledSegment, SegmentPool, SegmentedVec};

/// The part of a layer that one thread added, possibly with tags.
#[derive(Debug)]
pub(super) struct Frontier<W> {
    pub(super) states: SegmentedVec<W>,
    /// The tags of the moves by which the states were generated: one for each state, or none at
    /// all.
    tags: SegmentedVec<u32>,
}

impl<W: Copy> Frontier<W> {
    /// Adds states, and their tags unless there are states without tags. On an error, only the
    /// states that fit have been added, and there may be fewer tags than states: the frontier must
    /// not be expanded then.
    #[inline]
    pub(super) fn add(
        &mut self,
        states: impl ExactSizeIterator<Item = W>,
        tags: Option<impl ExactSizeIterator<Item = u32>>,
    ) -> Result<(), OutOfMemory> {
        let have_tags = self.tags.len() == self.states.len();
        self.states.extend(states)?;
        match tags {
            Some(tags) if have_tags => self.tags.extend(tags),
            _ => Ok(()),
        }
    }

    /// Returns unused memory to the budget.
    pub(super) fn free_unused(&mut self) {
        self.states.free_unused();
        self.tags.free_unused();
    }

    /// The states in slices, each with its tags, or with an empty slice if the tags are not stored.
    pub(super) fn slices(&self) -> impl Iterator<Item = (&[W], &[u32])> {
        // Both lists grew by the same operations, so their segments have the same lengths.
        self.states.slices().zip(self.tags.slices().chain(repeat(&[][..])))
    }

    /// The slice with this index.
    #[inline]
    pub(super) fn slice(&self, index: usize) -> (&[W], &[u32]) {
        (self.states.slice(index), self.tags.slice(index))
    }

    /// The same as [`slices`](Self::slices); dropping a slice returns its memory.
    fn into_segments(self) -> impl Iterator<Item = Segment<W>> {
        let no_tags = repeat_with(PooledSegment::empty);
        self.states.into_segments().zip(self.tags.into_segments().chain(no_tags))
    }
}

/// States and their tags.
pub(super) type Segment<W> = (PooledSegment<W>, PooledSegment<u32>);

/// The current layer and the next, each in one part per thread, and earlier layers if they are
/// kept. A layer that is not kept leaves its memory to the next ones.
#[derive(Debug)]
pub(super) struct Layers<W> {
    /// Empty before the first commit.
    pub(super) current: Vec<Frontier<W>>,
    /// Only its own thread locks a part.
    pub(super) next: Vec<Mutex<Frontier<W>>>,
    kept: Option<Vec<SegmentedVec<W>>>,
    memory: Memory,
    pool: (SegmentPool<W>, SegmentPool<u32>),
}

impl<W: Copy> Layers<W> {
    pub(super) fn new(threads: usize, memory: &Memory) -> Self {
        let mut layers = Self {
            current: Vec::new(),
            next: Vec::new(),
            kept: None,
            memory: memory.clone(),
            pool: (SegmentPool::new(), SegmentPool::new()),
        };
        layers.next = repeat_with(|| Mutex::new(layers.empty())).take(threads).collect();
        layers
    }

    fn empty(&self) -> Frontier<W> {
        let (states, tags) = &self.pool;
        Frontier {
            states: SegmentedVec::with_pool(&self.memory, states),
            tags: SegmentedVec::with_pool(&self.memory, tags),
        }
    }

    /// The part of the next layer that the first thread adds to.
    pub(super) fn first(&mut self) -> &mut Frontier<W> {
        get_mut(&mut self.next[0])
    }

    /// Whether no state has been added. Not to be called while a layer is open.
    pub(super) fn are_empty(&self) -> bool {
        self.current.is_empty() && self.next.iter().all(|next| super::lock(next).states.is_empty())
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

    /// Returns the unused memory of the next layer to the budget.
    pub(super) fn free_unused(&mut self) {
        self.next.iter_mut().for_each(|next| get_mut(next).free_unused());
    }

    /// Makes the next layer the current one.
    pub(super) fn commit(&mut self) {
        let done = std::mem::take(&mut self.current);
        for index in 0..self.next.len() {
            let empty = self.empty();
            self.current.push(std::mem::replace(get_mut(&mut self.next[index]), empty));
        }
        match &mut self.kept {
            Some(kept) if !done.is_empty() => {
                let mut layer = SegmentedVec::new(&self.memory);
                for Frontier { states, tags } in done {
                    layer.append(states);
                    tags.into_segments().for_each(drop);
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
    pub(super) fn take_segments(&mut self) -> impl Iterator<Item = Segment<W>> + use<W> {
        std::mem::take(&mut self.current).into_iter().flat_map(Frontier::into_segments)
    }

    /// Reads the next layer in batches.
    pub(super) fn read_next<E>(
        &mut self,
        visit: &mut dyn FnMut(&[W]) -> Result<(), E>,
    ) -> Result<(), E> {
        for next in &mut self.next {
            get_mut(next).states.slices().try_for_each(&mut *visit)?;
        }
        Ok(())
    }

    /// Reads the current layer in batches until `visit` breaks.
    pub(super) fn read(&self, visit: Visit<'_, W>) -> ControlFlow<()> {
        self.current.iter().flat_map(|frontier| frontier.states.slices()).try_for_each(visit)
    }

    /// Reads a layer that was kept, or the current one.
    pub(super) fn read_layer(&self, depth: u32, visit: Visit<'_, W>) -> ControlFlow<()> {
        let kept = self.kept.as_deref().unwrap_or_default();
        match kept.get(depth as usize) {
            Some(layer) => layer.slices().try_for_each(visit),
            None if depth as usize == kept.len() => self.read(visit),
            None => ControlFlow::Continue(()),
        }
    }
}
