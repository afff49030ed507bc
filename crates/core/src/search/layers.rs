//! What the layered searches share: expanding a layer in either direction, and reconstructing a
//! path from the layers.

use std::iter::{repeat, repeat_with};
use std::ops::{ControlFlow, Deref};

use super::worker_pool::{Chunks, VisitedWithPending, WorkerOutput, WorkerPool};
use crate::budget::{Limit, Meter};
use crate::expansion::{Breaks, IGNORED_BREAK, continue_if_ok, expanded};
use crate::memory::{Block, Memory, OutOfMemory, PooledSegment, SegmentPool, SegmentedVec};
use crate::space::{MovePruning, Predecessors, StateSpace};
use crate::visited::{
    Adaptive, BATCH, ConcurrentVisited, StateHash, Visited, insert_batch_prefetched,
};

/// The states of one depth, in the order in which they were generated.
pub(crate) type Layer<W> = SegmentedVec<W>;

/// A layer that has not been expanded yet.
pub(crate) struct Frontier<W, M> {
    pub(crate) states: Layer<W>,
    /// The moves by which the states were generated: either one for each state, or none at all.
    moves: SegmentedVec<M>,
}

impl<W: Copy, M: Copy> Frontier<W, M> {
    pub(crate) fn new(memory: &Memory) -> Self {
        Self { states: Layer::new(memory), moves: SegmentedVec::new(memory) }
    }

    /// An empty frontier that reuses the memory that other frontiers returned to `pool`.
    pub(crate) fn with_pool(memory: &Memory, pool: &(SegmentPool<W>, SegmentPool<M>)) -> Self {
        let (states, moves) = pool;
        Self {
            states: Layer::with_pool(memory, states),
            moves: SegmentedVec::with_pool(memory, moves),
        }
    }

    /// Adds states, and if `store_moves` the moves that led to them. On an error, only the states
    /// that fit have been added, and there may be fewer moves than states: the frontier must not be
    /// expanded then.
    pub(crate) fn add(
        &mut self,
        states: impl ExactSizeIterator<Item = (W, M)> + Clone,
        store_moves: bool,
    ) -> Result<(), OutOfMemory> {
        self.states.extend(states.clone().map(|(state, _)| state))?;
        if store_moves { self.moves.extend(states.map(|(_, by)| by)) } else { Ok(()) }
    }

    /// Removes all states and keeps the memory for new ones.
    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.moves.clear();
    }

    /// The states of an expanded layer, and an empty frontier that reuses the memory of its moves.
    pub(crate) fn into_next(mut self, memory: &Memory) -> (Layer<W>, Self) {
        self.moves.clear();
        (self.states, Self { states: Layer::new(memory), moves: self.moves })
    }

    /// Returns unused memory to the budget.
    pub(crate) fn free_unused(&mut self) {
        self.states.free_unused();
        self.moves.free_unused();
    }

    /// The states in slices, each with the moves that led to them, or with an empty slice if the
    /// moves are not stored.
    pub(crate) fn slices(&self) -> impl Iterator<Item = (&[W], &[M])> {
        // Both lists grew by the same operations, so their segments have the same lengths.
        self.states.slices().zip(self.moves.slices().chain(repeat(&[][..])))
    }

    /// The same as [`slices`](Self::slices); dropping a slice returns its memory.
    pub(crate) fn into_segments(
        self,
    ) -> impl Iterator<Item = (PooledSegment<W>, PooledSegment<M>)> {
        self.states
            .into_segments()
            .zip(self.moves.into_segments().chain(repeat_with(PooledSegment::empty)))
    }
}

impl<S: StateSpace> WorkerOutput<S> for Frontier<S::State, S::Move> {
    fn create(memory: &Memory) -> Self {
        Frontier::new(memory)
    }

    fn add_new(
        &mut self,
        states: impl ExactSizeIterator<Item = (S::State, S::Move)> + Clone,
    ) -> Result<(), OutOfMemory> {
        self.add(states, S::MOVE_PRUNING == MovePruning::Inverse)
    }

    fn trim(&mut self) {
        self.free_unused();
    }
}

/// Each state with the move that led to it, or with `None` if `moves` is empty.
#[inline(always)]
fn with_moves<W: Copy, M: Copy>(states: &[W], moves: &[M]) -> impl Iterator<Item = (W, Option<M>)> {
    states.iter().enumerate().map(|(index, &state)| (state, moves.get(index).copied()))
}

/// Chunks of a layer, sorted by the partition of their first state. If a move changes a rank by
/// little, the successors are in the same partition of the visited set, whose memory is then in the
/// cache. On the 3x4 tiles with sharded bits, this reduces the time of two threads by 20 %.
struct LayerChunks<'a, W, M>(Block<LayerChunk<'a, W, M>>);

#[derive(Clone, Copy)]
struct LayerChunk<'a, W, M> {
    /// The partition of the first state. In a large layer, most other states of the chunk share it.
    /// It affects only the speed.
    partition: usize,
    states: &'a [W],
    /// The moves that led to the states; empty if they are not stored.
    moves: &'a [M],
}

/// The number of states in a chunk, about 10 µs of work.
const CHUNK_STATES: usize = 256;

impl<S: StateSpace<Move: Sync>, V: ConcurrentVisited<S>> Chunks<S, V>
    for LayerChunks<'_, S::State, S::Move>
{
    const SEPARATE_RANGES: bool = true;

    fn chunk_count(&self) -> usize {
        self.0.len()
    }

    fn chunk<'a>(
        &'a self,
        _: &'a V,
        chunk: usize,
    ) -> impl Iterator<Item = (S::State, Option<S::Move>)> + 'a {
        let LayerChunk { states, moves, .. } = self.0[chunk];
        with_moves(states, moves)
    }
}

/// Expands `layer` with several threads and fills `next`, one output per thread, with the states
/// that are new. The new states are the same as those of [`next_layer`] in direction [`Forward`].
pub(crate) fn next_layer_parallel<S: StateSpace<Move: Sync>, V: ConcurrentVisited<S>>(
    pool: &WorkerPool,
    space: &S,
    layer: &[Frontier<S::State, S::Move>],
    visited: &mut VisitedWithPending<S, V>,
    next: &mut [Frontier<S::State, S::Move>],
    meter: &mut Meter<'_>,
) -> Result<(), Limit> {
    let slices = layer.iter().flat_map(Frontier::slices).flat_map(|(states, moves)| {
        states.chunks(CHUNK_STATES).zip(moves.chunks(CHUNK_STATES).chain(repeat(&[][..])))
    });
    let count = layer
        .iter()
        .flat_map(|output| output.states.slices())
        .map(|states| states.len().div_ceil(CHUNK_STATES))
        .sum();
    let empty = LayerChunk { partition: 0, states: &[], moves: &[] };
    let mut chunks = Block::filled(empty, count, meter.memory())?;
    for (chunk, (states, moves)) in chunks.iter_mut().zip(slices) {
        let partition = visited.visited.partition_of(V::key(space, states[0]));
        *chunk = LayerChunk { partition, states, moves };
    }
    chunks.sort_unstable_by_key(|chunk| chunk.partition);
    let states = layer.iter().map(|output| output.states.len() as u64).sum();
    pool.expand(space, &LayerChunks(chunks), states, visited, next, meter)
}

/// The direction of a layered search: along the moves or against them.
pub(crate) trait SearchDirection<S: StateSpace>: Copy {
    type Move: Copy + Send;
    /// Whether a frontier stores the move that led to each state.
    const STORES_MOVES: bool;

    /// Emits the successors or the predecessors of `state`.
    fn neighbours<B>(
        self,
        space: &S,
        state: S::State,
        last: Option<Self::Move>,
        emit: impl FnMut(Self::Move, S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B>;
}

#[derive(Clone, Copy)]
pub(crate) struct Forward;

impl<S: StateSpace> SearchDirection<S> for Forward {
    type Move = S::Move;
    const STORES_MOVES: bool = !matches!(S::MOVE_PRUNING, MovePruning::PathDependent);

    #[inline]
    fn neighbours<B>(
        self,
        space: &S,
        state: S::State,
        last: Option<S::Move>,
        emit: impl FnMut(S::Move, S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        space.successors(state, last, emit)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Backward;

impl<S: Predecessors> SearchDirection<S> for Backward {
    type Move = ();
    const STORES_MOVES: bool = false;

    #[inline]
    fn neighbours<B>(
        self,
        space: &S,
        state: S::State,
        _: Option<()>,
        mut emit: impl FnMut((), S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        space.predecessors(state, |before| emit((), before))
    }
}

/// Inserts `states` into `visited` and fills `layer`, that of depth 0, with those that are new.
pub(crate) fn first_layer<S: StateSpace, V: Visited<S>>(
    space: &S,
    states: impl FnOnce(&mut dyn FnMut(S::State)),
    visited: &mut V,
    meter: &mut Meter<'_>,
    layer: &mut Layer<S::State>,
) -> Result<(), Limit> {
    let mut result = Ok(());
    states(&mut |state| {
        let mut insert = || -> Result<(), OutOfMemory> {
            visited.make_room(1)?;
            if visited.insert(V::key(space, state), state) { layer.push(state) } else { Ok(()) }
        };
        result = result.and_then(|()| insert());
    });
    meter.note_frontier(layer.len() as u64);
    Ok(result?)
}

/// Expands the states of `slices` and fills `next` with the neighbours that are new to `visited`.
/// Each slice comes with the moves that led to its states, or with an empty slice. If a limit stops
/// the expansion, `next` holds the new states up to then.
pub(crate) fn next_layer<S: StateSpace, V: Visited<S>, D: SearchDirection<S>>(
    direction: D,
    space: &S,
    slices: impl Iterator<Item = (impl Deref<Target = [S::State]>, impl Deref<Target = [D::Move]>)>,
    visited: &mut V,
    meter: &mut Meter<'_>,
    next: &mut Frontier<S::State, D::Move>,
) -> Result<(), Limit> {
    let mut batch = Batch::new();
    let mut result = Ok(());
    for (states, moves) in slices {
        let mut states = with_moves(&states, &moves);
        if visited.fits_in_cache() {
            result = expand_in_cache(direction, space, &mut states, visited, meter, next);
        }
        for (state, last) in states {
            result = result.and_then(|()| meter.expand());
            if result.is_err() {
                break;
            }
            let flow = direction.neighbours(space, state, last, |by, neighbour| {
                let key = V::key(space, neighbour);
                continue_if_ok(&mut result, || {
                    visited.prefetch(key);
                    batch.add::<_, _, D>(key, neighbour, by, visited, meter, next)
                })
            });
            result = expanded(flow, result);
        }
        if result.is_err() {
            break;
        }
    }
    // Generated states count even if a limit stopped the expansion.
    let flushed = batch.flush::<_, _, D>(visited, meter, next);
    result.and(flushed)
}

/// The most neighbours of one state that are kept before they are inserted. Only the memory for
/// them is not booked.
const MAX_PENDING: usize = 1 << 14;

/// Expands states like [`next_layer`] for as long as the visited set fits in the cache, where
/// prefetching its slots would not pay.
fn expand_in_cache<S: StateSpace, V: Visited<S>, D: SearchDirection<S>>(
    direction: D,
    space: &S,
    states: &mut impl Iterator<Item = (S::State, Option<D::Move>)>,
    visited: &mut V,
    meter: &mut Meter<'_>,
    next: &mut Frontier<S::State, D::Move>,
) -> Result<(), Limit> {
    // This capacity is mostly enough. Growing the list on demand in each layer cost 5 % of the time
    // of the classic klotski space.
    let mut generated: Vec<(S::State, D::Move)> = Vec::with_capacity(2 * BATCH);
    // A separate counter avoids reloading the length of the list after each write.
    let mut pending = 0;
    let mut result = Ok(());
    for (state, last) in states {
        result = meter.expand();
        if result.is_err() {
            break;
        }
        // The closure almost always only stores the neighbour, so that the loop of the space stays
        // tight. To look at what the space returns cost 5 % of the time of classic klotski.
        let _ = direction.neighbours(space, state, last, |by, neighbour| {
            match generated.get_mut(pending) {
                Some(slot) => *slot = (neighbour, by),
                None => {
                    if pending == MAX_PENDING {
                        let inserted = continue_if_ok(&mut result, || {
                            insert_in_cache::<_, _, D>(space, &mut generated, visited, meter, next)
                        });
                        generated.clear();
                        pending = 0;
                        inserted?;
                    }
                    generated.push((neighbour, by));
                }
            }
            pending += 1;
            ControlFlow::Continue(())
        });
        if result.is_ok() {
            if pending < BATCH {
                continue;
            }
            let batch = &mut generated[..pending];
            result = insert_in_cache::<_, _, D>(space, batch, visited, meter, next);
            pending = 0;
        } else {
            assert!(pending == 0, "{IGNORED_BREAK}");
        }
        if result.is_err() || !visited.fits_in_cache() {
            break;
        }
    }
    // Generated states count even if a limit stopped the expansion.
    result.and(insert_in_cache::<_, _, D>(space, &mut generated[..pending], visited, meter, next))
}

/// Inserts states and adds those that are new to `next`.
#[inline(never)]
fn insert_in_cache<S: StateSpace, V: Visited<S>, D: SearchDirection<S>>(
    space: &S,
    generated: &mut [(S::State, D::Move)],
    visited: &mut V,
    meter: &mut Meter<'_>,
    next: &mut Frontier<S::State, D::Move>,
) -> Result<(), Limit> {
    let counted = meter.generated(generated.len() as u64);
    let inserted = make_room(visited, generated.len(), next).and_then(|()| {
        let new = visited.insert_batch_in_cache(space, generated);
        meter.duplicates((generated.len() - new) as u64);
        Ok(next.add(generated[..new].iter().copied(), D::STORES_MOVES)?)
    });
    inserted.and(counted)
}

/// Makes room for `states` more states in the visited set. If memory is short, takes the unused
/// memory of `next`.
fn make_room<S: StateSpace, V: Visited<S>, M: Copy>(
    visited: &mut V,
    states: usize,
    next: &mut Frontier<S::State, M>,
) -> Result<(), Limit> {
    let room = visited.make_room(states).or_else(|_| {
        next.free_unused();
        visited.make_room(states)
    });
    Ok(room?)
}

/// Generated states whose slots in the visited set have been prefetched, with the moves that led to
/// them.
struct Batch<K, W, M> {
    pending: Vec<(K, W, M)>,
    /// Scratch space of [`insert_batch_prefetched`]; empty between calls.
    retry: Vec<(K, W, M)>,
}

impl<K: Copy, W: Copy, M: Copy> Batch<K, W, M> {
    fn new() -> Self {
        Self { pending: Vec::new(), retry: Vec::new() }
    }

    /// Adds a state whose slot has been prefetched. Inserts all pending states once there are
    /// [`BATCH`] of them.
    #[inline(always)]
    fn add<S: StateSpace<State = W>, V: Visited<S, Key = K>, D: SearchDirection<S, Move = M>>(
        &mut self,
        key: K,
        state: W,
        by: M,
        visited: &mut V,
        meter: &mut Meter<'_>,
        next: &mut Frontier<W, M>,
    ) -> Result<(), Limit> {
        self.pending.push((key, state, by));
        if self.pending.len() < BATCH {
            Ok(())
        } else {
            self.flush::<S, V, D>(visited, meter, next)
        }
    }

    /// Inserts all pending states and adds those that are new to `next`. Nothing is pending
    /// afterwards, even on an error.
    #[inline(never)]
    fn flush<S: StateSpace<State = W>, V: Visited<S, Key = K>, D: SearchDirection<S, Move = M>>(
        &mut self,
        visited: &mut V,
        meter: &mut Meter<'_>,
        next: &mut Frontier<W, M>,
    ) -> Result<(), Limit> {
        let generated = self.pending.len();
        let counted = meter.generated(generated as u64);
        if let Err(limit) = make_room(visited, generated, next) {
            self.pending.clear();
            return Err(limit);
        }
        let new = insert_batch_prefetched::<S, V, M>(visited, &mut self.pending, &mut self.retry);
        meter.duplicates((generated - new) as u64);
        let added = next
            .add(self.pending[..new].iter().map(|&(_, state, by)| (state, by)), D::STORES_MOVES);
        self.pending.clear();
        added?;
        counted
    }
}

/// The panic message if a layer holds no predecessor of a state of the next layer.
pub(crate) const PREDECESSOR_MISMATCH: &str = "invalid state space: its predecessors are not the \
     reverse of its successors, or its successors change between calls";

/// A path that ends in `target`, in the order of the layers, with at most one state from each
/// layer. `previous` returns the least state of a layer from which a move leads to a given state;
/// layers for which it returns `None` are skipped.
pub(crate) fn reconstruct_path<W: Copy>(
    layers: &[Layer<W>],
    target: W,
    mut previous: impl FnMut(&Layer<W>, W) -> Result<Option<W>, Limit>,
) -> Result<Vec<W>, Limit> {
    let mut path = vec![target];
    let mut state = target;
    for layer in layers.iter().rev() {
        if let Some(earlier) = previous(layer, state)? {
            path.push(earlier);
            state = earlier;
        }
    }
    path.reverse();
    Ok(path)
}

/// The least state of `layer` among the neighbours of `state` in `direction`.
///
/// Costs one expansion, and one pass over the layer.
pub(crate) fn least_neighbour<S: StateSpace>(
    direction: impl SearchDirection<S>,
    space: &S,
    layer: &Layer<S::State>,
    state: S::State,
    meter: &mut Meter<'_>,
) -> Result<Option<S::State>, Limit> {
    let mut neighbours = Adaptive::<S::State>::with_room(0, meter.memory())?;
    // A bitmap over six bits of the hash excludes most states of the layer without a lookup.
    let hash_bit = |state| 1u64 << StateHash::of(state).high_bits(u64::BITS - 6);
    let mut bitmap = 0;
    let mut insert = |neighbour| -> Result<(), Limit> {
        meter.poll()?;
        bitmap |= hash_bit(neighbour);
        neighbours.entry(neighbour, ())?;
        Ok(())
    };
    let mut result = Ok(());
    let flow = direction.neighbours(space, state, None, |_, neighbour| {
        continue_if_ok(&mut result, || insert(neighbour))
    });
    expanded(flow, result)?;
    let common = layer
        .iter()
        .filter(|&state| bitmap & hash_bit(state) != 0 && neighbours.get(state).is_some());
    Ok(common.min())
}

/// The least state of `layer` from which a move leads to `state`, for spaces without
/// [`Predecessors`].
///
/// Expands the states of the layer once more.
pub(crate) fn least_predecessor<S: StateSpace>(
    space: &S,
    layer: &Layer<S::State>,
    state: S::State,
    meter: &mut Meter<'_>,
) -> Result<Option<S::State>, Limit> {
    let mut least = None;
    for candidate in layer.iter() {
        if least.is_some_and(|least| least <= candidate) {
            continue;
        }
        let mut breaks = Breaks::default();
        let flow = space.successors(candidate, None, |_, next| {
            breaks.pass(if next == state {
                ControlFlow::Break(None)
            } else {
                match meter.poll() {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(limit) => ControlFlow::Break(Some(limit)),
                }
            })
        });
        match breaks.end(flow) {
            ControlFlow::Break(None) => least = Some(candidate),
            ControlFlow::Break(Some(limit)) => return Err(limit),
            ControlFlow::Continue(()) => {}
        }
    }
    Ok(least)
}
