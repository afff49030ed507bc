//! Bidirectional breadth-first search: layers from the initial states and layers from the goals,
//! until a layer of one side has a state in common with the other side.
//!
//! Each round expands the smaller of the two last layers, which is the cardinality comparison of
//! Pohl ("Bi-directional search", 1971) applied to whole layers.
//!
//! Optimality: let one side hold all states within `a` moves of the start and the other all states
//! within `b` moves of a goal. If they have no state in common, no plan has `a + b` moves or fewer.
//! So the first layer with a common state gives a plan of `a + b + 1` moves, which is optimal. The
//! search completes that layer and takes the least common state, so neither the plan nor a count
//! depends on the order within a layer.
//!
//! Time: if the number of states grows by a factor of `b` a layer on both sides, about `2 b^(c/2)`
//! expansions for a plan of cost `c`, instead of `b^c` from one side. With many goals it can be
//! slower than [`bfs`](super::bfs).
//!
//! If moves have [costs](crate::space::cost), both sides are searches by Dijkstra's algorithm
//! instead, each with a table of depths and an open list.
//!
//! Memory: two visited sets, and all layers of both sides at `size_of::<State>()` bytes per state.

use std::ops::ControlFlow;

use super::driven_side::Side;
use super::recovery::{Emitted, path_to};
use super::stepped::Stepped;
use super::steps::{Node, Step};
use crate::budget::{Budget, Limit, Meter};
use crate::layers::Expander;
use crate::outcome::Verdict;
use crate::representation::Representation;
use crate::seam::SpaceView;
use crate::space::cost::CostRange;
use crate::word::Word;

/// How many states are looked up together, so that a batch does not become as large as a layer.
const LOOKED_UP: usize = 1024;

/// A search that has expanded nothing, of a space that lists its goals and knows its predecessors.
///
/// To recover the plan, the search reads each layer once and expands one state per layer.
///
/// If a limit stops the search, the lower bound is `a + b + 1`, where `a` and `b` are the depths
/// that the two sides have completed. A layer that a limit cuts short may still have a state in
/// common with the other side; the plan through it is then returned as [`Solved`](Verdict::Solved).
///
/// # Panics
/// If the search finds that the predecessors are not the successors reversed.
pub(super) fn new_search<'s, W: Word>(
    space: SpaceView<'s, W>,
    representation: Representation,
    budget: &Budget,
    meter: &mut Meter<'_>,
) -> Result<Box<dyn Stepped<W> + 's>, Limit> {
    if let Some(searches) = space.searches_by_cost() {
        return searches.bidirectional(space, meter);
    }
    let start = |space, meter: &mut Meter<'_>| Side::start(space, representation, budget, meter);
    let mut sides = vec![start(space, meter)?, start(space.backward(), meter)?];
    let common = least_common(&mut sides, 0)?;
    Ok(Box::new(Bidirectional { sides, active: None, common, lower_bound: 0 }))
}

/// The sides from the initial states and from the goals.
struct Bidirectional<'s, W> {
    sides: Vec<Side<'s, W>>,
    /// The side whose layer is expanded, and the states of both last layers.
    active: Option<(usize, u64)>,
    /// The least state that both have visited.
    common: Option<W>,
    lower_bound: u32,
}

/// The least state of the current layer of a side that the other side has visited, too.
fn least_common<W: Word>(sides: &mut [Side<'_, W>], side: usize) -> Result<Option<W>, Limit> {
    let (forward, backward) = sides.split_at_mut(1);
    let (forward, backward) = (&mut forward[0], &mut backward[0]);
    let (side, other) = if side == 0 { (forward, &*backward) } else { (backward, &*forward) };
    let (mut least, batch) = (None, &mut side.driver.expander.batches[0]);
    let needs_ranks = other.store.properties().needs_ranks;
    let _ = side.store.read(&mut |states| {
        for states in states.chunks(LOOKED_UP) {
            batch.set(states);
            if needs_ranks {
                other.space().fill_ranks(batch);
            }
            least = other.store.least_known(batch, least);
        }
        ControlFlow::Continue(())
    })?;
    Ok(least)
}

impl<W: Word> Bidirectional<'_, W> {
    /// Begins to expand the smaller layer, unless the search has ended.
    fn begin_layer(&mut self, meter: &mut Meter<'_>) -> Option<usize> {
        if self.common.is_some() {
            return None;
        }
        self.lower_bound += 1;
        meter.set_depth(self.lower_bound);
        let [forward, backward] = [0, 1].map(|side| self.sides[side].states());
        if forward == 0 || backward == 0 {
            return None;
        }
        let side = usize::from(forward > backward);
        self.active = Some((side, forward + backward));
        Some(side)
    }

    /// Looks for a common state in the new layer of a side, which a limit may have cut short.
    fn end_layer(&mut self, meter: &mut Meter<'_>) -> Result<(), Limit> {
        if let Some((side, before)) = self.active.take() {
            self.common = least_common(&mut self.sides, side)?;
            meter.note_frontier(before + self.sides[side].states());
        }
        Ok(())
    }
}

impl<W: Word> Stepped<W> for Bidirectional<'_, W> {
    fn advance(
        &mut self,
        expansions: u64,
        mut step: Option<&mut Step<W>>,
        meter: &mut Meter<'_>,
    ) -> Result<ControlFlow<()>, Limit> {
        let mut left = expansions;
        while left > 0 {
            let active = self.active.map(|(side, _)| side);
            let Some(side) = active.or_else(|| self.begin_layer(meter)) else {
                return Ok(ControlFlow::Break(()));
            };
            let side = &mut self.sides[side];
            if active.is_none() && expansions == u64::MAX {
                let filled = side.expand_layer(meter);
                self.end_layer(meter)?;
                // A common state in a layer that a limit cut short gives a shortest plan, too.
                if self.common.is_none() {
                    filled?;
                }
            } else if side.expand_one(step.as_deref_mut(), self.lower_bound, meter)? {
                left -= 1;
            } else {
                side.next_layer(Ok(()), meter)?;
                self.end_layer(meter)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn lower_bound(&self) -> u32 {
        self.lower_bound
    }

    fn open(&self, emit: &mut dyn FnMut(Node<W>)) {
        self.sides.iter().for_each(|side| side.open(emit));
    }

    fn end(
        &mut self,
        result: Result<(), Limit>,
        meter: &mut Meter<'_>,
    ) -> Result<Verdict<Vec<W>>, Limit> {
        if let (Err(limit), Some((side, _))) = (result, self.active) {
            self.sides[side].next_layer(Err(limit), meter)?;
            self.end_layer(meter)?;
        }
        let Some(common) = self.common else { return result.map(|()| Verdict::Unsolvable) };
        meter.start_recovery();
        let space = self.sides[0].space();
        // A side is freed before the plan of the other one is recovered.
        let mut halves = std::mem::take(&mut self.sides).into_iter().map(|mut side| {
            side.store.drop_all_but_layers();
            let (store, distances) = (&*side.store, side.driver.expander.distances());
            let Expander { space, batches, .. } = &mut side.driver.expander;
            path_to(common, &distances, CostRange::UNIT, meter, &mut |layers, state, meter| {
                Emitted::before(state, *space, &mut batches[0], meter)?.least(layers, store)
            })
        });
        let mut half = || halves.next().unwrap_or_else(|| Ok(vec![common]));
        let plan = joined(space, half()?, half()?);
        Ok(Verdict::Solved { plan, cost: self.lower_bound })
    }
}

/// The plan of two halves, from the initial states and from the goals to the same state.
pub(super) fn joined<W: Word>(
    space: SpaceView<'_, W>,
    mut plan: Vec<W>,
    mut rest: Vec<W>,
) -> Vec<W> {
    let is_goal = space.least_goal(&rest[..1], None).is_some();
    assert!(is_goal, "invalid state space: a listed goal that `is_goal` refuses");
    rest.pop();
    plan.extend(rest.into_iter().rev());
    plan
}
