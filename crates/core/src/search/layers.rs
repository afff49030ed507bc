//! What the layered searches output: expanding a layer, in either direction, and walking back
//! through layers.

use std::iter::{repeat, repeat_with};
use std::ops::{ControlFlow, Deref};

use super::worker_pool::{Chunks, VisitedWithPending, WorkerOutput, WorkerPool};
use crate::budget::{Limit, Meter, go_on};
use crate::memory::{Block, Memory, OutOfMemory, PooledSegment, SegmentPool, SegmentedVec};
use crate::space::{MovePruning, Predecessors, StateSpace};
use crate::visited::{Adaptive, BATCH, Hashed, Shared, Visited, insert_all};

/// The states at one depth, in the order in which they were met.
pub(crate) type Layer<W> = SegmentedVec<W>;

/// A layer that is still to be expanded.
pub(crate) struct Frontier<W, M> {
    pub(crate) states: Layer<W>,
    /// The moves by which the states were met, if the direction wants them.
    by: SegmentedVec<M>,
}

impl<W: Copy, M: Copy> Frontier<W, M> {
    pub(crate) fn new(memory: &Memory) -> Self {
        Self { states: Layer::new(memory), by: SegmentedVec::new(memory) }
    }

    /// The same, with memory that other frontiers have given back.
    pub(crate) fn with_pool(memory: &Memory, pool: &(SegmentPool<W>, SegmentPool<M>)) -> Self {
        let (states, by) = pool;
        Self { states: Layer::with_pool(memory, states), by: SegmentedVec::with_pool(memory, by) }
    }

    /// Adds states with the moves that led to them, which are kept if `with_moves` says so. Where
    /// there is no room for all, as many states as there is room for, and there may be moves for
    /// fewer: it is not to be expanded then.
    pub(crate) fn add(
        &mut self,
        states: impl ExactSizeIterator<Item = (W, M)> + Clone,
        with_moves: bool,
    ) -> Result<(), OutOfMemory> {
        self.states.extend(states.clone().map(|(state, _)| state))?;
        if with_moves { self.by.extend(states.map(|(_, by)| by)) } else { Ok(()) }
    }

    /// Empties it, and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.by.clear();
    }

    /// The states of a layer that was expanded, and an empty one that takes the memory of its
    /// moves.
    pub(crate) fn into_next(mut self, memory: &Memory) -> (Layer<W>, Self) {
        self.by.clear();
        (self.states, Self { states: Layer::new(memory), by: self.by })
    }

    /// Gives back the memory that it keeps for states to come.
    pub(crate) fn give_back_unused(&mut self) {
        self.states.give_back_unused();
        self.by.give_back_unused();
    }

    /// Its states in slices, each with the moves that led to them, or with none if they are not
    /// known.
    pub(crate) fn slices(&self) -> impl Iterator<Item = (&[W], &[M])> {
        // Two lists to which the same was done have their segments at the same places.
        self.states.slices().zip(self.by.slices().chain(repeat(&[][..])))
    }

    /// The same; the memory of a slice is given back when it is dropped.
    pub(crate) fn into_slices(self) -> impl Iterator<Item = (PooledSegment<W>, PooledSegment<M>)> {
        self.states
            .into_slices()
            .zip(self.by.into_slices().chain(repeat_with(PooledSegment::nothing)))
    }
}

impl<S: StateSpace> WorkerOutput<S> for Frontier<S::State, S::Move> {
    fn new(memory: &Memory) -> Self {
        Self::new(memory)
    }

    fn add(
        &mut self,
        states: impl ExactSizeIterator<Item = (S::State, S::Move)> + Clone,
    ) -> Result<(), OutOfMemory> {
        self.add(states, S::MOVE_PRUNING == MovePruning::Inverse)
    }

    fn give_back_unused(&mut self) {
        self.give_back_unused();
    }
}

/// States, each with the move that led to it, or with none where moves are not known.
#[inline(always)]
fn with_moves<W: Copy, M: Copy>(states: &[W], by: &[M]) -> impl Iterator<Item = (W, Option<M>)> {
    states.iter().enumerate().map(|(index, &state)| (state, by.get(index).copied()))
}

/// Chunks of a layer in lists, by the part of the visited set that their states were entered into:
/// where a move changes a rank by little, it leads to the same part, whose memory is in the cache
/// then. On the 3x4 tiles with sharded bits, two threads take four fifths of the time for it.
struct Pieces<'a, W, M>(Block<Piece<'a, W, M>>);

/// States, and the moves that led to them or none.
#[derive(Clone, Copy)]
struct Piece<'a, W, M> {
    /// That of the first state. In a large layer most of the others have it, too; nothing but speed
    /// rests on it.
    part: usize,
    states: &'a [W],
    by: &'a [M],
}

/// So many states in a chunk: some tens of microseconds of work.
const PIECE: usize = 256;

impl<S: StateSpace<Move: Sync>, V: Shared<S>> Chunks<S, V> for Pieces<'_, S::State, S::Move> {
    const APART: bool = true;

    fn chunks(&self) -> usize {
        self.0.len()
    }

    fn chunk<'a>(
        &'a self,
        _: &'a V,
        chunk: usize,
    ) -> impl Iterator<Item = (S::State, Option<S::Move>)> + 'a {
        let Piece { states, by, .. } = self.0[chunk];
        with_moves(states, by)
    }
}

/// Fills `next`, a output for each thread, with the layer after that in `layer`, as [`next_layer`]
/// does along the moves.
pub(crate) fn next_layer_by<S: StateSpace<Move: Sync>, V: Shared<S>>(
    pool: &WorkerPool,
    space: &S,
    layer: &[Frontier<S::State, S::Move>],
    visited: &mut VisitedWithPending<S, V>,
    next: &mut [Frontier<S::State, S::Move>],
    meter: &mut Meter<'_>,
) -> Result<(), Limit> {
    let cut = layer
        .iter()
        .flat_map(Frontier::slices)
        .flat_map(|(states, by)| states.chunks(PIECE).zip(by.chunks(PIECE).chain(repeat(&[][..]))));
    let count = layer
        .iter()
        .flat_map(|output| output.states.slices())
        .map(|states| states.len().div_ceil(PIECE))
        .sum();
    let mut pieces = Block::filled(Piece { part: 0, states: &[], by: &[] }, count, meter.memory())?;
    for (place, (states, by)) in pieces.iter_mut().zip(cut) {
        *place = Piece { part: visited.visited.part(V::key(space, states[0])), states, by };
    }
    pieces.sort_unstable_by_key(|piece| piece.part);
    let states = layer.iter().map(|output| output.states.len() as u64).sum();
    pool.expand(space, &Pieces(pieces), states, visited, next, meter)
}

/// Along the moves, or against them.
pub(crate) trait Direction<S: StateSpace>: Copy {
    /// What a step is called.
    type Move: Copy + Send;
    /// Whether the step that led to a state is worth a place beside it.
    const UNDONE: bool;

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

impl<S: StateSpace> Direction<S> for Forward {
    type Move = S::Move;
    const UNDONE: bool = !matches!(S::MOVE_PRUNING, MovePruning::PathDependent);

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

impl<S: Predecessors> Direction<S> for Backward {
    type Move = ();
    const UNDONE: bool = false;

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

/// Fills `layer` with those of `states` that are new to `visited`: depth 0.
pub(crate) fn first_layer<S: StateSpace, V: Visited<S>>(
    space: &S,
    states: impl FnOnce(&mut dyn FnMut(S::State)),
    visited: &mut V,
    meter: &mut Meter<'_>,
    layer: &mut Layer<S::State>,
) -> Result<(), Limit> {
    let mut result = Ok(());
    states(&mut |state| {
        let mut enter = || -> Result<(), OutOfMemory> {
            visited.make_room(1)?;
            if visited.insert(V::key(space, state), state) { layer.push(state) } else { Ok(()) }
        };
        result = result.and_then(|()| enter());
    });
    meter.note_frontier(layer.len() as u64);
    Ok(result?)
}

/// Fills `next` with the neighbours of states, with the moves that led to these or none, that are
/// new to `visited`. Where a limit ends it early, `next` holds what was met until then.
pub(crate) fn next_layer<S: StateSpace, V: Visited<S>, D: Direction<S>>(
    direction: D,
    space: &S,
    slices: impl Iterator<Item = (impl Deref<Target = [S::State]>, impl Deref<Target = [D::Move]>)>,
    visited: &mut V,
    meter: &mut Meter<'_>,
    next: &mut Frontier<S::State, D::Move>,
) -> Result<(), Limit> {
    let mut batch = Batch::new();
    let mut end = Ok(());
    for (states, by) in slices {
        let mut states = with_moves(&states, &by);
        if visited.fits_in_cache() {
            end = expand_near(direction, space, &mut states, visited, meter, next);
        }
        for (state, last) in states {
            end = end.and_then(|()| meter.expand());
            if end.is_err() {
                break;
            }
            let _ = direction.neighbours(space, state, last, |by, neighbour| {
                let key = V::key(space, neighbour);
                go_on(&mut end, || {
                    visited.prefetch(key);
                    batch.add::<_, _, D>(key, neighbour, by, visited, meter, next)
                })
            });
        }
        if end.is_err() {
            break;
        }
    }
    // What was generated is counted, whatever ended the expansion.
    let flushed = batch.flush::<_, _, D>(visited, meter, next);
    end.and(flushed)
}

/// [`next_layer`] of one slice for as long as the visited set is in the cache: no place in it is
/// asked for before.
fn expand_near<S: StateSpace, V: Visited<S>, D: Direction<S>>(
    direction: D,
    space: &S,
    states: &mut impl Iterator<Item = (S::State, Option<D::Move>)>,
    visited: &mut V,
    meter: &mut Meter<'_>,
    next: &mut Frontier<S::State, D::Move>,
) -> Result<(), Limit> {
    // Mostly enough, as a list that grows by and by in each layer takes a twentieth of the time for
    // the klotski classic.
    let mut generated: Vec<(S::State, D::Move)> = Vec::with_capacity(2 * BATCH);
    // Counted here, as the length of the list would be read again and again just after it is
    // written.
    let mut waiting = 0;
    let mut end = Ok(());
    for (state, last) in states {
        end = meter.expand();
        if end.is_err() {
            break;
        }
        // Nothing is decided while a state is expanded, so that what the space does is all there is
        // to do.
        let _: ControlFlow<()> = direction.neighbours(space, state, last, |by, neighbour| {
            match generated.get_mut(waiting) {
                Some(place) => *place = (neighbour, by),
                None => generated.push((neighbour, by)),
            }
            waiting += 1;
            ControlFlow::Continue(())
        });
        if waiting < BATCH {
            continue;
        }
        end = enter_near::<_, _, D>(space, &mut generated[..waiting], visited, meter, next);
        waiting = 0;
        if end.is_err() || !visited.fits_in_cache() {
            break;
        }
    }
    // What was generated is counted, whatever ended the expansion.
    end.and(enter_near::<_, _, D>(space, &mut generated[..waiting], visited, meter, next))
}

/// Inserts states, and puts those that are new into `next`.
#[inline(never)]
fn enter_near<S: StateSpace, V: Visited<S>, D: Direction<S>>(
    space: &S,
    generated: &mut [(S::State, D::Move)],
    visited: &mut V,
    meter: &mut Meter<'_>,
    next: &mut Frontier<S::State, D::Move>,
) -> Result<(), Limit> {
    let in_time = meter.generated(generated.len() as u64);
    let entered = make_room(visited, generated.len(), next).and_then(|()| {
        let new = visited.insert_batch_resident(space, generated);
        meter.duplicates((generated.len() - new) as u64);
        Ok(next.add(generated[..new].iter().copied(), D::UNDONE)?)
    });
    entered.and(in_time)
}

/// Makes room for states in the visited set, if need be with the memory that a list keeps for
/// states to come.
fn make_room<S: StateSpace, V: Visited<S>, M: Copy>(
    visited: &mut V,
    states: usize,
    next: &mut Frontier<S::State, M>,
) -> Result<(), Limit> {
    let room = visited.make_room(states).or_else(|_| {
        next.give_back_unused();
        visited.make_room(states)
    });
    Ok(room?)
}

/// Generated states whose places in the visited set are on their way to the cache, with the moves
/// that led to them.
struct Batch<K, W, M> {
    waiting: Vec<(K, W, M)>,
    /// For those of the batch whose places turn out to be elsewhere; empty but for that.
    again: Vec<(K, W, M)>,
}

impl<K: Copy, W: Copy, M: Copy> Batch<K, W, M> {
    fn new() -> Self {
        Self { waiting: Vec::new(), again: Vec::new() }
    }

    /// Adds a state whose place has been asked for, and inserts all that wait when they are enough.
    #[inline(always)]
    fn add<S: StateSpace<State = W>, V: Visited<S, Key = K>, D: Direction<S, Move = M>>(
        &mut self,
        key: K,
        state: W,
        by: M,
        visited: &mut V,
        meter: &mut Meter<'_>,
        next: &mut Frontier<W, M>,
    ) -> Result<(), Limit> {
        self.waiting.push((key, state, by));
        if self.waiting.len() < BATCH {
            Ok(())
        } else {
            self.flush::<S, V, D>(visited, meter, next)
        }
    }

    /// Inserts all that wait, and puts those that are new into `next`. Nothing waits after it,
    /// whatever it returns.
    #[inline(never)]
    fn flush<S: StateSpace<State = W>, V: Visited<S, Key = K>, D: Direction<S, Move = M>>(
        &mut self,
        visited: &mut V,
        meter: &mut Meter<'_>,
        next: &mut Frontier<W, M>,
    ) -> Result<(), Limit> {
        let generated = self.waiting.len();
        let in_time = meter.generated(generated as u64);
        if let Err(limit) = make_room(visited, generated, next) {
            self.waiting.clear();
            return Err(limit);
        }
        let new = insert_all::<S, V, M>(visited, &mut self.waiting, &mut self.again);
        meter.duplicates((generated - new) as u64);
        let entered =
            next.add(self.waiting[..new].iter().map(|&(_, state, by)| (state, by)), D::UNDONE);
        self.waiting.clear();
        entered?;
        in_time
    }
}

/// What is wrong with a space where a state that was met has nothing before it.
pub(crate) const NO_WAY_BACK: &str = "a fault of the space: its predecessors are not its successors backwards, or its successors change";

/// The chain that ends in `target`, one state a layer from those before it, the first layer's
/// first. `before` names the least state of a layer from which a move leads to the state given; a
/// layer without one is passed over.
pub(crate) fn retrace<W: Copy>(
    layers: &[Layer<W>],
    target: W,
    mut before: impl FnMut(&Layer<W>, W) -> Result<Option<W>, Limit>,
) -> Result<Vec<W>, Limit> {
    let mut chain = vec![target];
    let mut state = target;
    for layer in layers.iter().rev() {
        if let Some(earlier) = before(layer, state)? {
            chain.push(earlier);
            state = earlier;
        }
    }
    chain.reverse();
    Ok(chain)
}

/// The least state of `layer` among the neighbours of `state` in the direction in which the layer
/// lies.
///
/// Costs one expansion and one look at each state of the layer.
pub(crate) fn least_neighbour<S: StateSpace>(
    direction: impl Direction<S>,
    space: &S,
    layer: &Layer<S::State>,
    state: S::State,
    meter: &mut Meter<'_>,
) -> Result<Option<S::State>, Limit> {
    let mut neighbours = Adaptive::<S::State>::with_room(0, meter.memory())?;
    // Most states of the layer are told apart from the few neighbours by six bits of their hashes.
    let mark = |state| 1u64 << Hashed::of(state).high_bits(u64::BITS - 6);
    let mut marks = 0;
    let mut enter = |neighbour| -> Result<(), Limit> {
        meter.poll()?;
        marks |= mark(neighbour);
        neighbours.entry(neighbour, ())?;
        Ok(())
    };
    let mut end = Ok(());
    let _ = direction
        .neighbours(space, state, None, |_, neighbour| go_on(&mut end, || enter(neighbour)));
    end?;
    let known =
        layer.iter().filter(|&state| marks & mark(state) != 0 && neighbours.get(state).is_some());
    Ok(known.min())
}

/// The least state of `layer` from which a move leads to `state`, for spaces that do not know their
/// predecessors.
///
/// Expands the layer once more.
pub(crate) fn least_expanding_to<S: StateSpace>(
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
        let mut end = Ok(());
        let _ = space.successors(candidate, None, |_, next| {
            if next == state {
                least = Some(candidate);
                return ControlFlow::Break(());
            }
            go_on(&mut end, || meter.poll())
        });
        end?;
    }
    Ok(least)
}
