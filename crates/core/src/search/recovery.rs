//! Plan recovery: the walk back from a goal through the layers.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::budget::{Limit, Meter};
use crate::seam::{Batch, SpaceView};
use crate::store::LayerStore;
use crate::visited::{AdaptiveMap, StateHash};
use crate::word::Word;
use crate::worker_pool::{ChunkQueue, WorkerPool};

/// Whether plan recovery found a predecessor, which each state after the initial ones has.
///
/// # Errors
/// [`Limit::Cancelled`] if it found none and the search is cancelled: successors that fail cancel
/// it.
///
/// # Panics
/// If it found none although the search is not cancelled.
pub(super) fn ensure_predecessor(found: bool, meter: &Meter<'_>) -> Result<(), Limit> {
    if !found {
        meter.check_cancellation()?;
    }
    assert!(
        found,
        "invalid state space: its predecessors are not the reverse of its successors, or its \
         successors change between calls"
    );
    Ok(())
}

/// A path of `depth` moves from layer 0 to `target`, with one state from each layer. `previous`
/// returns the least state of the layer at a depth from which a move leads to a given state.
///
/// # Panics
/// If `previous` returns `None`, unless the search is cancelled.
pub(super) fn path_to<W: Copy>(
    target: W,
    depth: u32,
    meter: &mut Meter<'_>,
    mut previous: impl FnMut(u32, W, &mut Meter<'_>) -> Result<Option<W>, Limit>,
) -> Result<Vec<W>, Limit> {
    let mut path = vec![target];
    let mut state = target;
    for depth in (0..depth).rev() {
        let before = previous(depth, state, meter)?;
        ensure_predecessor(before.is_some(), meter)?;
        if let Some(before) = before {
            path.push(before);
            state = before;
        }
    }
    path.reverse();
    Ok(path)
}

/// The least state of a layer from which a move of the search leads to `state`, for spaces that
/// know their predecessors, or their goals and successors.
///
/// Costs one expansion, into a batch whose contents do not matter, and one pass over the layer.
pub(super) fn least_emitted<W: Word>(
    space: SpaceView<'_, W>,
    batch: &mut Batch<W>,
    state: W,
    store: &dyn LayerStore<W>,
    depth: u32,
    meter: &mut Meter<'_>,
) -> Result<Option<W>, Limit> {
    let mut emitted = AdaptiveMap::<W, ()>::with_room(0, meter.memory())?;
    // A bitmap over six bits of the hash excludes most states of the layer without a lookup.
    let hash_bit = |state| 1u64 << StateHash::of(state).high_bits(u64::BITS - 6);
    let mut bitmap = 0;
    let mut take = |batch: &mut Batch<W>, meter: &mut Meter<'_>| -> Result<(), Limit> {
        meter.poll_after(batch.len() as u32)?;
        for &state in batch.states() {
            bitmap |= hash_bit(state);
            emitted.entry(state, ())?;
        }
        batch.clear();
        Ok(())
    };
    let mut result = Ok(());
    meter.recover(1);
    batch.clear();
    space.expand_back(state, batch, &mut |batch| {
        result = take(batch, meter);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    result?;
    take(batch, meter)?;
    let mut least = None;
    let _ = store.read_layer(depth, &mut |states| {
        let common = states
            .iter()
            .copied()
            .filter(|&state| bitmap & hash_bit(state) != 0 && emitted.get(state).is_some());
        least = least.into_iter().chain(common).min();
        ControlFlow::Continue(())
    })?;
    Ok(least)
}

/// The least state of a layer from which a move leads to `target`, for spaces without
/// [`Predecessors`](crate::Predecessors).
///
/// Expands the states of the layer once more, with all threads of the pool.
pub(super) fn least_predecessor<W: Word>(
    space: SpaceView<'_, W>,
    store: &dyn LayerStore<W>,
    pool: &WorkerPool,
    depth: u32,
    target: W,
    meter: &mut Meter<'_>,
) -> Result<Option<W>, Limit> {
    let (mut least, mut result) = (None, Ok(()));
    let _ = store.read_layer(depth, &mut |states| {
        match least_predecessor_in(space, pool, states, least, target, meter) {
            Ok(found) => least = found,
            Err(limit) => result = Err(limit),
        }
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    result.map(|()| least)
}

/// The number of states that a thread takes at a time.
const CHUNK_STATES: usize = 256;

/// The least state of `states` from which a move leads to `target`, or `least` if that is less.
pub(super) fn least_predecessor_in<W: Word>(
    space: SpaceView<'_, W>,
    pool: &WorkerPool,
    states: &[W],
    least: Option<W>,
    target: W,
    meter: &mut Meter<'_>,
) -> Result<Option<W>, Limit> {
    let chunks = states.len().div_ceil(CHUNK_STATES);
    let threads = pool.worthwhile(states.len() as u64).min(chunks).max(1);
    let queue = ChunkQueue::new(chunks, threads);
    let stop = AtomicBool::new(false);
    let mut workers: Vec<_> = (0..threads).map(|_| (meter.for_worker(), Ok(least))).collect();
    let mut indexed: Vec<_> = workers.iter_mut().enumerate().collect();
    pool.run(&mut indexed, &stop, |(index, (meter, least))| {
        while let Ok(found) = *least
            && !stop.load(Ordering::Relaxed)
            && let Some(chunk) = queue.take(*index)
        {
            let states = &states[chunk * CHUNK_STATES..];
            let states = &states[..states.len().min(CHUNK_STATES)];
            let mut result = Ok(());
            let found = space.least_leading_to(states, target, found, &mut |is_expansion| {
                meter.recover(is_expansion.into());
                // A block of successors, or one state.
                result = meter.poll();
                if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            *least = result.map(|()| found);
            stop.fetch_or(least.is_err(), Ordering::Relaxed);
        }
        meter.stats().recovered
    });
    let mut result = Ok(least);
    for (worker, found) in workers {
        meter.absorb(worker);
        result = result.and_then(|least| Ok(least.into_iter().chain(found?).min()));
    }
    result
}
