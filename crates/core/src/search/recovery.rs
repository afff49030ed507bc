//! Plan recovery: the walk back from a goal through the layers.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::depths::Depths;
use crate::budget::{Limit, Meter};
use crate::cluster;
use crate::memory::SegmentedVec;
use crate::seam::{Batch, SpaceView};
use crate::space::cost::CostRange;
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

/// A layer before that of a state, and what a move from it to the state costs.
#[derive(Clone, Copy)]
pub(super) struct Before {
    pub(super) layer: u32,
    pub(super) cost: u32,
}

/// Finds the first of some layers from which a move leads to a state, and the least such state.
type Previous<'f, W> = &'f mut dyn FnMut(
    &mut dyn Iterator<Item = Before>,
    W,
    &mut Meter<'_>,
) -> Result<Option<(Before, W)>, Limit>;

/// A path from layer 0 to `target`, which is in the last of the layers with these distances.
///
/// # Panics
/// If `previous` returns `None`, unless the search is cancelled.
pub(super) fn path_to<W: Copy>(
    target: W,
    distances: &[u32],
    costs: CostRange,
    meter: &mut Meter<'_>,
    previous: Previous<'_, W>,
) -> Result<Vec<W>, Limit> {
    let (mut path, mut state) = (vec![target], target);
    let mut at = distances.len() - 1;
    while at > 0 {
        let cost_of = |layer: usize| distances[at] - distances[layer];
        let before = (0..at).rev().take_while(|&layer| cost_of(layer) <= costs.greatest());
        let before = before.filter(|&layer| cost_of(layer) >= costs.least());
        let mut before = before.map(|layer| Before { layer: layer as u32, cost: cost_of(layer) });
        let found = previous(&mut before, state, meter)?;
        ensure_predecessor(found.is_some(), meter)?;
        let Some((before, earlier)) = found else { break };
        path.push(earlier);
        (at, state) = (before.layer as usize, earlier);
    }
    path.reverse();
    Ok(path)
}

/// The states from which a move of the search leads to a state, each with the least cost.
pub(super) struct Emitted<W> {
    states: AdaptiveMap<W, u32>,
    costs: Vec<u32>,
    /// Over six bits of the hash: excludes most states of a layer without a lookup.
    bitmap: u64,
}

impl<W: Word> Emitted<W> {
    /// For spaces that know their predecessors, or their goals and successors. Costs one expansion,
    /// into a batch whose contents do not matter.
    pub(super) fn before(
        state: W,
        space: SpaceView<'_, W>,
        batch: &mut Batch<W>,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Limit> {
        let states = AdaptiveMap::with_room(0, meter.memory())?;
        let mut emitted = Self { states, costs: Vec::new(), bitmap: 0 };
        let mut result = Ok(());
        meter.recover(1);
        batch.clear();
        space.expand_back(state, batch, &mut |batch| {
            result = emitted.take(batch, meter);
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        result?;
        emitted.take(batch, meter)?;
        Ok(emitted)
    }

    fn take(&mut self, batch: &mut Batch<W>, meter: &mut Meter<'_>) -> Result<(), Limit> {
        meter.poll_after(batch.len() as u32)?;
        for (state, cost) in batch.states_and_costs() {
            self.bitmap |= Self::hash_bit(state);
            let (known, _) = self.states.entry(state, cost)?;
            *known = cost.min(*known);
            if !self.costs.contains(&cost) {
                self.costs.push(cost);
            }
        }
        batch.clear();
        Ok(())
    }

    fn hash_bit(state: W) -> u64 {
        1 << StateHash::of(state).high_bits(u64::BITS - 6)
    }

    /// The least of them in a layer of the store, and the first of the layers that have one. Costs
    /// a pass over each layer.
    pub(super) fn least(
        &self,
        layers: &mut dyn Iterator<Item = Before>,
        store: &dyn LayerStore<W>,
    ) -> Result<Option<(Before, W)>, Limit> {
        for before in layers.filter(|before| self.costs.contains(&before.cost)) {
            let is_before = |&state: &W| {
                self.bitmap & Self::hash_bit(state) != 0
                    && self.states.get(state) == Some(before.cost)
            };
            let mut least = None;
            let _ = store.read_layer(before.layer, &mut |states| {
                least = least.into_iter().chain(states.iter().copied().filter(is_before)).min();
                ControlFlow::Continue(())
            })?;
            if let Some(least) = cluster::least(store.cluster(), least)? {
                return Ok(Some((before, least)));
            }
        }
        Ok(None)
    }
}

/// The same as [`Emitted::least`] for spaces without [`Predecessors`](crate::Predecessors).
///
/// Expands the states of the layers once more, with all threads of the pool.
pub(super) fn least_predecessor<W: Word>(
    space: SpaceView<'_, W>,
    layers: &mut dyn Iterator<Item = Before>,
    store: &dyn LayerStore<W>,
    pool: &WorkerPool,
    target: W,
    meter: &mut Meter<'_>,
) -> Result<Option<(Before, W)>, Limit> {
    for before in layers {
        let (mut least, mut result) = (None, Ok(()));
        let _ = store.read_layer(before.layer, &mut |states| {
            match least_predecessor_in(space, pool, states, least, (target, before.cost), meter) {
                Ok(found) => least = found,
                Err(limit) => result = Err(limit),
            }
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        result?;
        if let Some(least) = cluster::least(store.cluster(), least)? {
            return Ok(Some((before, least)));
        }
    }
    Ok(None)
}

/// The number of states that a thread takes at a time.
const CHUNK_STATES: usize = 256;

/// The least state of `states` from which a move of this cost leads to the target, or `least` if
/// that is less.
pub(super) fn least_predecessor_in<W: Word>(
    space: SpaceView<'_, W>,
    pool: &WorkerPool,
    states: &[W],
    least: Option<W>,
    (target, cost): (W, u32),
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
            let found = space.least_leading_to(states, target, cost, found, &mut |is_expansion| {
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

/// A plan to a goal by the depths at which states were generated, and its cost. Compiled for each
/// word, and not for each space that A* searches.
pub fn plan_by_depths<W: Word>(
    space: SpaceView<'_, W>,
    depths: &dyn Depths<W>,
    goal: W,
    meter: &mut Meter<'_>,
) -> Result<(Vec<W>, u32), Limit> {
    let (plan, cost) = if let Some(searches) = space.searches_by_cost() {
        searches.plan_by_depths(space, depths, goal, meter)?
    } else {
        let plan = if space.properties().has_predecessors {
            plan_by_predecessors(space, depths, goal, meter)
        } else {
            plan_by_expansion(space, depths, goal, meter)
        }?;
        let moves = plan.len() as u32 - 1;
        (plan, moves)
    };
    ensure_predecessor(depths.get(plan[0]) == Some(0), meter)?;
    Ok((plan, cost))
}

/// Walks back from the goal: each time to the predecessor of the least depth below that of the
/// state, and among those to the least state.
fn plan_by_predecessors<W: Word>(
    space: SpaceView<'_, W>,
    depths: &dyn Depths<W>,
    goal: W,
    meter: &mut Meter<'_>,
) -> Result<Vec<W>, Limit> {
    let mut path = Vec::new();
    let mut current = depths.get(goal).map(|depth| (depth, goal));
    let mut batch = Batch::unlimited();
    while let Some((depth, state)) = current {
        path.push(state);
        if depth == 0 {
            break;
        }
        meter.recover(1);
        batch.clear();
        space.expand_back(state, &mut batch, &mut |_| ControlFlow::Break(()));
        meter.poll_after(batch.len() as u32)?;
        let known = batch.states().iter().filter_map(|&before| {
            depths.get(before).filter(|&known| known < depth).map(|depth| (depth, before))
        });
        current = known.min();
    }
    path.reverse();
    Ok(path)
}

/// Sorts the generated states into layers by depth and walks back through the layers.
fn plan_by_expansion<W: Word>(
    space: SpaceView<'_, W>,
    depths: &dyn Depths<W>,
    goal: W,
    meter: &mut Meter<'_>,
) -> Result<Vec<W>, Limit> {
    let mut layers: Vec<SegmentedVec<W>> = Vec::new();
    layers
        .resize_with(depths.get(goal).unwrap_or(0) as usize, || SegmentedVec::new(meter.memory()));
    let mut sorted = Ok(());
    depths.for_each(&mut |state, depth| {
        if sorted.is_ok()
            && let Some(layer) = layers.get_mut(depth as usize)
        {
            sorted = layer.push(state);
        }
    });
    sorted?;
    let pool = WorkerPool::new(NonZero::<usize>::MIN);
    let mut path = vec![goal];
    let mut state = goal;
    for layer in layers.iter().rev() {
        let mut before = None;
        for states in layer.slices() {
            before = least_predecessor_in(space, &pool, states, before, (state, 1), meter)?;
        }
        // A path to the goal may have become shorter after its last states were generated.
        if let Some(before) = before {
            path.push(before);
            state = before;
        }
    }
    path.reverse();
    Ok(path)
}

/// A path from an initial state to `target` along moves that lead to each state at its depth or
/// above, and its cost: if moves have costs.
///
/// A search in depth, so that moves of cost 0 may form cycles: against the moves if the space knows
/// predecessors, else from the initial states, which expands each state of a lesser depth once more
/// at worst. Memory: two states and up to 16 bytes for each state that it visits, times 2 to 4.
pub(super) fn path_by_depths<W: Word>(
    space: SpaceView<'_, W>,
    depths: &dyn Depths<W>,
    target: W,
    meter: &mut Meter<'_>,
) -> Result<(Vec<W>, u32), Limit> {
    let (costs, is_back) = (space.properties().costs, space.properties().has_predecessors);
    let most = depths.get(target).unwrap_or(0);
    // For each visited state the one from which it was visited, and the cost of the move.
    let mut from = AdaptiveMap::<W, Option<(W, u32)>>::with_room(0, meter.memory())?;
    let (mut open, mut pushed) = (SegmentedVec::new(meter.memory()), Ok(()));
    space.initial(&mut |start| pushed = pushed.and_then(|()| open.push(start)));
    pushed?;
    let mut starts = AdaptiveMap::<W, ()>::with_room(open.len(), meter.memory())?;
    open.iter().try_for_each(|start| starts.entry(start, ()).map(drop))?;
    if is_back {
        open.clear();
        open.push(target)?;
    }
    open.iter().try_for_each(|state| from.entry(state, None).map(drop))?;
    let is_end = |state| if is_back { starts.get(state).is_some() } else { state == target };
    let mut batch = Batch::unlimited();
    while let Some(state) = open.pop() {
        if is_end(state) {
            let (mut path, mut cost, mut at) = (vec![state], 0, state);
            while let Some((next, step)) = from.get(at).flatten() {
                (cost, at) = (costs.add(cost, step)?, next);
                path.push(at);
            }
            if !is_back {
                path.reverse();
            }
            return Ok((path, cost));
        }
        meter.recover(1);
        batch.clear();
        if is_back {
            space.expand_back(state, &mut batch, &mut |_| ControlFlow::Break(()));
        } else {
            space.expand(&[state], &[], &mut 0, &mut batch, &mut |_| ControlFlow::Break(()));
        }
        meter.poll_after(batch.len() as u32)?;
        let Some(depth) = depths.get(state) else { continue };
        for (other, cost) in batch.states_and_costs() {
            let Some(other_depth) = depths.get(other) else { continue };
            let (before, after) = if is_back { (other_depth, depth) } else { (depth, other_depth) };
            let leads_there = costs.add(before, cost).is_ok_and(|depth| depth <= after);
            let is_on_path = leads_there && after <= most;
            if is_on_path && from.entry(other, Some((state, cost)))?.1 {
                open.push(other)?;
            }
        }
    }
    ensure_predecessor(false, meter)?;
    Err(Limit::Cancelled)
}
