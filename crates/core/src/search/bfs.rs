//! Breadth-first search (Moore, "The shortest path through a maze", 1959): layer by layer from the
//! initial states to the first layer with a goal.
//!
//! Optimality: every state within `d` moves of the start is in one of the layers 0 to `d`, so a
//! goal that is first generated in layer `d` has no plan of fewer than `d` moves.
//!
//! The search completes the layer in which it generates a goal and takes the least goal in it. So
//! neither the plan nor a count depends on the order within a layer.
//!
//! Time: each state before the goal's layer is expanded once; if no goal is reachable, each
//! reachable state. Recovering the plan costs extra, see [`search_in`].
//!
//! Memory: the visited set, and all layers before the goal's, at `size_of::<State>()` bytes per
//! state. The layers are both the queue and the record from which the plan is recovered. If
//! [`PRUNING`](crate::StateSpace::PRUNING) allows it, the two most recent layers also store a tag
//! of 4 bytes per state.

use std::ops::ControlFlow;

use super::driven_side::Side;
use super::recovery::{Emitted, least_predecessor, path_to};
use super::stepped::Stepped;
use super::steps::{Node, Step};
use crate::budget::{Budget, Limit, Meter};
use crate::checkpoint::Purpose;
use crate::cluster;
use crate::layers::{Expander, Reached, expand_layers, proved_beyond};
use crate::outcome::{Outcome, Verdict};
use crate::representation::Representation;
use crate::seam::SpaceView;
use crate::store::LayerStore;
use crate::word::Word;

/// Searches a space with an empty [store](crate::store), with its threads and its memory.
///
/// The threads expand one layer together, and the next layer starts when the last thread is done.
/// So the plan and all counts except [`recovered`](crate::stats::Stats::recovered) are the same for
/// any number of threads, and so are the counts unless the space declares
/// [`TwoStep`](crate::Pruning::TwoStep), which several threads cannot use: they generate more
/// states. The calling thread is one of the threads. Small layers are expanded by fewer threads,
/// because calling a thread costs more than their work. If the system refuses to start threads, the
/// calling thread works alone.
///
/// To recover the plan of a space that knows its predecessors, the search reads each layer once and
/// asks for the predecessors of one state a layer. Otherwise all threads expand the layers before
/// the goal's a second time, at worst each state once more.
///
/// If a limit stops the search, the lower bound is the number of layers that are proved to hold no
/// goal. A layer that a limit cuts short may still hold a goal; the plan to it is then returned as
/// [`Solved`](Verdict::Solved). A limit on states or memory can stop several threads earlier than
/// one: a layer with more states than the limit still allows is not expanded at all, and a layer
/// that was not completed is discarded. How far a memory limit allows the search to go depends on
/// timing.
///
/// # Panics
/// If `successors` emits different states for the same state when it is called again, or if the
/// predecessors are not the successors reversed. A panic in a method of the space stops all threads
/// and resumes in the caller.
pub fn search_in<W: Word>(
    space: SpaceView<'_, W>,
    store: &mut dyn LayerStore<W>,
    budget: &Budget,
) -> Outcome<Vec<W>> {
    let mut expander = Expander::new(space, store, budget);
    let mut meter = budget.meter();
    let mut reached = Reached::default();
    let mut search = || -> Result<Verdict<Vec<W>>, Limit> {
        store.keep_layers()?;
        let mut goal = None;
        expand_layers(
            store,
            &mut expander,
            &mut meter,
            &mut reached,
            Purpose::Goal,
            &mut |store, _| {
                goal = least_goal(space, store)?;
                Ok(if goal.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            },
        )?;
        let Some(goal) = goal else { return Ok(Verdict::Unsolvable) };
        meter.start_recovery();
        store.drop_all_but_layers();
        let plan = plan_to(goal, &expander.distances(), store, &mut expander, &mut meter);
        if let (Err(limit), Some(cluster)) = (&plan, store.cluster()) {
            cluster.stop(*limit);
        }
        Ok(Verdict::Solved { plan: plan?, cost: reached.distance })
    };
    // The layers before this distance hold no goal, whichever limit ended the search.
    let verdict = search();
    let lower_bound = reached.distance;
    let verdict =
        verdict.unwrap_or_else(|limit| Verdict::Stopped { limit, lower_bound, best: None });
    Outcome::new(verdict, meter.stats())
}

/// A path to a state of the last of the layers with these distances, which the store has kept.
pub(crate) fn plan_to<W: Word>(
    state: W,
    distances: &[u32],
    store: &dyn LayerStore<W>,
    expander: &mut Expander<'_, W>,
    meter: &mut Meter<'_>,
) -> Result<Vec<W>, Limit> {
    let Expander { space, pool, batches, .. } = expander;
    let (space, properties) = (*space, space.properties());
    path_to(state, distances, properties.costs, meter, &mut |layers, state, meter| {
        if properties.has_predecessors {
            Emitted::before(state, space, &mut batches[0], meter)?.least(layers, store)
        } else {
            least_predecessor(space, layers, store, pool, state, meter)
        }
    })
}

/// The least goal in the current layer.
fn least_goal<W: Word>(
    space: SpaceView<'_, W>,
    store: &dyn LayerStore<W>,
) -> Result<Option<W>, Limit> {
    let mut least = None;
    let _ = store.read(&mut |states| {
        least = space.least_goal(states, least);
        ControlFlow::Continue(())
    })?;
    cluster::least(store.cluster(), least)
}

/// A search in memory that has expanded nothing, and whose caller drives it.
pub(super) fn new_search<'s, W: Word>(
    space: SpaceView<'s, W>,
    representation: Representation,
    budget: &Budget,
    meter: &mut Meter<'_>,
) -> Result<Box<dyn Stepped<W> + 's>, Limit> {
    let side = Side::start(space, representation, budget, meter)?;
    let mut search = SteppedBfs { side, goal: None, lower_bound: 0 };
    search.note_layer()?;
    Ok(Box::new(search))
}

struct SteppedBfs<'s, W> {
    side: Side<'s, W>,
    /// The least goal in the current layer.
    goal: Option<W>,
    /// Every plan costs at least this.
    lower_bound: u32,
}

impl<W: Word> SteppedBfs<'_, W> {
    /// Looks for a goal in a complete layer.
    fn note_layer(&mut self) -> Result<(), Limit> {
        let Side { store, driver, .. } = &self.side;
        let Expander { space, distance, .. } = driver.expander;
        self.goal = least_goal(space, &**store)?;
        let beyond = if self.goal.is_some() { 0 } else { proved_beyond(space) };
        self.lower_bound = distance.saturating_add(beyond);
        Ok(())
    }
}

impl<W: Word> Stepped<W> for SteppedBfs<'_, W> {
    fn advance(
        &mut self,
        expansions: u64,
        mut step: Option<&mut Step<W>>,
        meter: &mut Meter<'_>,
    ) -> Result<ControlFlow<()>, Limit> {
        let mut left = expansions;
        while left > 0 {
            if self.goal.is_some() || self.side.states() == 0 {
                return Ok(ControlFlow::Break(()));
            } else if self.side.expand_one(step.as_deref_mut(), self.lower_bound, meter)? {
                left -= 1;
            } else {
                self.side.next_layer(Ok(()), meter)?;
                self.note_layer()?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn lower_bound(&self) -> u32 {
        self.lower_bound
    }

    fn open(&self, emit: &mut dyn FnMut(Node<W>)) {
        self.side.open(emit);
    }

    fn end(
        &mut self,
        result: Result<(), Limit>,
        meter: &mut Meter<'_>,
    ) -> Result<Verdict<Vec<W>>, Limit> {
        if result.is_err() {
            // The layer that was cut short may have a goal.
            self.side.next_layer(result, meter)?;
            self.goal = least_goal(self.side.space(), &*self.side.store)?;
        }
        let Some(goal) = self.goal else { return result.map(|()| Verdict::Unsolvable) };
        meter.start_recovery();
        let Side { store, driver, .. } = &mut self.side;
        let cost = driver.expander.distance;
        store.drop_all_but_layers();
        let distances = driver.expander.distances();
        let plan = plan_to(goal, &distances, &**store, &mut driver.expander, meter)?;
        Ok(Verdict::Solved { plan, cost })
    }
}
