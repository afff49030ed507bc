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

use super::recovery::{Emitted, path_to};
use crate::budget::{Budget, Limit, Meter};
use crate::layers::{Expander, add_initial, next_layer};
use crate::memory::OutOfMemory;
use crate::outcome::{Outcome, Verdict};
use crate::seam::SpaceView;
use crate::space::cost::CostRange;
use crate::store::Lookup;
use crate::word::Word;

/// How many states are looked up together, so that a batch does not become as large as a layer.
const LOOKED_UP: usize = 1024;

/// Makes the empty store of a side.
pub(crate) type NewStore<'f, W> =
    &'f dyn Fn(&SpaceView<'_, W>) -> Result<Box<dyn Lookup<W>>, OutOfMemory>;

/// Searches a space that lists its goals and knows its predecessors.
///
/// To recover the plan, the search reads each layer once and expands one state per layer.
///
/// If a limit stops the search, the lower bound is `a + b + 1`, where `a` and `b` are the depths
/// that the two sides have completed. A layer that a limit cuts short may still have a state in
/// common with the other side; the plan through it is then returned as [`Solved`](Verdict::Solved).
///
/// # Panics
/// If the search finds that the predecessors are not the successors reversed.
pub(crate) fn search<W: Word>(
    space: SpaceView<'_, W>,
    budget: &Budget,
    new_store: NewStore<'_, W>,
) -> Outcome<Vec<W>> {
    if let Some(searches) = space.searches_by_cost() {
        return searches.bidirectional(space, budget);
    }
    let mut meter = budget.meter();
    let mut lower_bound = 0;
    let verdict = run(space, budget, &mut meter, &mut lower_bound, new_store);
    let verdict =
        verdict.unwrap_or_else(|limit| Verdict::Stopped { limit, lower_bound, best: None });
    Outcome::new(verdict, meter.stats())
}

/// The half of the search that starts from the initial states, or from the goals.
struct SearchSide<'s, W> {
    store: Box<dyn Lookup<W>>,
    expander: Expander<'s, W>,
    /// The number of states of the current layer.
    states: u64,
    depth: u32,
}

impl<'s, W: Word> SearchSide<'s, W> {
    fn new(
        space: SpaceView<'s, W>,
        mut store: Box<dyn Lookup<W>>,
        budget: &Budget,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Limit> {
        store.keep_layers()?;
        let mut expander = Expander::new(space, &*store, budget);
        add_initial(&mut *store, &mut expander)?;
        let states = store.commit(meter)?;
        meter.note_frontier(states);
        Ok(Self { store, expander, states, depth: 0 })
    }

    /// Expands the current layer. If a limit stops the expansion, the new layer holds the states up
    /// to then.
    fn expand(&mut self, meter: &mut Meter<'_>) -> Result<(), Limit> {
        let Self { store, expander, states, .. } = self;
        let (next, filled) = next_layer(&mut **store, expander, meter, *states, None)?;
        self.states = next.all;
        self.depth += 1;
        filled
    }

    /// The least state of the current layer that the other side has visited, too.
    fn least_common(&mut self, other: &Self) -> Result<Option<W>, Limit> {
        let (mut least, batch) = (None, &mut self.expander.batches[0]);
        let needs_ranks = other.store.properties().needs_ranks;
        let _ = self.store.read(&mut |states| {
            for states in states.chunks(LOOKED_UP) {
                batch.set(states);
                if needs_ranks {
                    other.expander.space.fill_ranks(batch);
                }
                least = other.store.least_known(batch, least);
            }
            ControlFlow::Continue(())
        })?;
        Ok(least)
    }
}

fn run<W: Word>(
    space: SpaceView<'_, W>,
    budget: &Budget,
    meter: &mut Meter<'_>,
    lower_bound: &mut u32,
    new_store: NewStore<'_, W>,
) -> Result<Verdict<Vec<W>>, Limit> {
    let reversed = space.backward();
    let mut forward = SearchSide::new(space, new_store(&space)?, budget, meter)?;
    let mut backward = SearchSide::new(reversed, new_store(&reversed)?, budget, meter)?;
    let mut common = forward.least_common(&backward)?;
    let mut filled = Ok(());
    let common = loop {
        // A common state in a layer that a limit cut short gives a shortest plan, too.
        if let Some(state) = common {
            break state;
        }
        filled?;
        *lower_bound += 1;
        meter.set_depth(*lower_bound);
        if forward.states == 0 || backward.states == 0 {
            return Ok(Verdict::Unsolvable);
        }
        let before = forward.states + backward.states;
        let new;
        (filled, common, new) = if forward.states <= backward.states {
            let filled = forward.expand(meter);
            (filled, forward.least_common(&backward)?, forward.states)
        } else {
            let filled = backward.expand(meter);
            (filled, backward.least_common(&forward)?, backward.states)
        };
        meter.note_frontier(before + new);
    };
    meter.start_recovery();
    let mut half = |mut side: SearchSide<'_, W>| {
        side.store.drop_all_but_layers();
        let Expander { space, batches, .. } = &mut side.expander;
        let distances: Vec<u32> = (0..=side.depth).collect();
        path_to(common, &distances, CostRange::UNIT, meter, &mut |layers, state, meter| {
            Emitted::before(state, *space, &mut batches[0], meter)?.least(layers, &*side.store)
        })
    };
    let mut plan = half(forward)?;
    let mut rest = half(backward)?;
    let is_goal = space.least_goal(&rest[..1], None).is_some();
    assert!(is_goal, "invalid state space: a listed goal that `is_goal` refuses");
    rest.pop();
    plan.extend(rest.into_iter().rev());
    Ok(Verdict::Solved { plan, cost: *lower_bound })
}
