//! Bidirectional search where moves have costs: Dijkstra's algorithm from both sides (Nicholson,
//! "Finding the shortest route between two points in a network", 1966).
//!
//! Each state that one side generates is looked up in the table of the other, which gives a plan.
//!
//! Optimality: let one side have expanded all states within less than `a` of the start, and the
//! other all within less than `b` of a goal. A plan that costs less than `a + b` has a move from a
//! state that the first has expanded to one that the second has, or a state that both have, and has
//! been found. So the search ends when the best plan costs at most `a + b`.
//!
//! Memory: for each side `size_of::<State>() + 4` bytes for each generated state, times 5/4 to
//! 35/16 ([`Table`](crate::visited::Table)), and `size_of::<(u32, State)>()` bytes for each state
//! on the open list.

use std::ops::ControlFlow;

use super::cost_queue::CostQueue;
use super::depths::Depths;
use super::open_list::OpenList;
use super::recovery::path_by_depths;
use crate::budget::{Budget, Limit, Meter};
use crate::outcome::{Outcome, Verdict};
use crate::seam::{Batch, SpaceView};
use crate::visited::Table;
use crate::word::Word;

/// Searches a space that lists its goals and knows its predecessors.
///
/// If a limit stops the search, the lower bound is `a + b`, or the cost of the best plan if that is
/// less.
pub(super) fn search<W: Word>(space: SpaceView<'_, W>, budget: &Budget) -> Outcome<Vec<W>> {
    let mut meter = budget.meter();
    let mut lower_bound = 0;
    let verdict = run(space, &mut meter, &mut lower_bound);
    let verdict =
        verdict.unwrap_or_else(|limit| Verdict::Stopped { limit, lower_bound, best: None });
    Outcome::new(verdict, meter.stats())
}

/// One side: a search from the initial states, or from the goals.
struct Side<'s, W> {
    space: SpaceView<'s, W>,
    depths: Table<W, u32>,
    open: CostQueue<W>,
    /// The least depth of the open states; `None` if there are none.
    least: Option<u32>,
    batch: Batch<W>,
}

/// The state in which the best plan so far passes from one side to the other, and its cost.
type Best<W> = Option<(u32, W)>;

impl<'s, W: Word> Side<'s, W> {
    fn new(space: SpaceView<'s, W>, meter: &Meter<'_>) -> Result<Self, Limit> {
        let (depths, open) = (Table::new(meter.memory())?, CostQueue::new(meter.memory()));
        let mut side = Self { space, depths, open, least: None, batch: Batch::unlimited() };
        let mut result = Ok(());
        space.initial(&mut |state| result = result.and_then(|()| side.reach(state, 0).map(drop)));
        result.map(|()| side)
    }

    /// Notes that a state is reached at this depth. Returns whether it is less than any before.
    fn reach(&mut self, state: W, depth: u32) -> Result<bool, Limit> {
        if !self.depths.lower(state, depth)? {
            return Ok(false);
        }
        self.open.push(depth, depth, state)?;
        self.least = Some(self.least.map_or(depth, |least| least.min(depth)));
        Ok(true)
    }

    /// Expands the open states of the least depth.
    fn expand(
        &mut self,
        other: &Table<W, u32>,
        best: &mut Best<W>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit> {
        let (Some(least), costs) = (self.least, self.space.properties().costs) else {
            return Ok(());
        };
        loop {
            let Some((_, depth, state)) = self.open.pop() else {
                self.least = None;
                return Ok(());
            };
            if depth > least {
                self.open.push(depth, depth, state)?;
                self.least = Some(depth);
                return Ok(());
            }
            // It may have been reached at a lesser depth since.
            if self.depths.get(state) != Some(depth) {
                continue;
            }
            meter.expand()?;
            let mut batch = std::mem::take(&mut self.batch);
            batch.clear();
            self.space.expand(&[state], &[], &mut 0, &mut batch, &mut |_| ControlFlow::Break(()));
            meter.generated(batch.len() as u64)?;
            for (next, cost) in batch.states_and_costs() {
                let depth = costs.add(depth, cost)?;
                if !self.reach(next, depth)? {
                    meter.duplicate();
                } else if let Some(rest) = other.get(next) {
                    let found = (costs.sum(depth, rest)?, next);
                    *best = Some(best.map_or(found, |best| best.min(found)));
                }
            }
            self.batch = batch;
        }
    }
}

fn run<W: Word>(
    space: SpaceView<'_, W>,
    meter: &mut Meter<'_>,
    lower_bound: &mut u32,
) -> Result<Verdict<Vec<W>>, Limit> {
    let mut forward = Side::new(space, meter)?;
    let mut backward = Side::new(space.backward(), meter)?;
    let starts = forward.depths.iter().map(|(state, _)| state);
    let common = starts.filter(|&state| backward.depths.get(state).is_some());
    let mut best: Best<W> = common.min().map(|state| (0, state));
    while let (Some(a), Some(b)) = (forward.least, backward.least) {
        let proved = a.saturating_add(b);
        *lower_bound = best.map_or(proved, |(cost, _)| proved.min(cost));
        meter.set_depth(*lower_bound);
        if best.is_some_and(|(cost, _)| cost <= proved) {
            break;
        }
        meter.note_frontier(forward.open.len() + backward.open.len());
        if forward.open.len() <= backward.open.len() {
            forward.expand(&backward.depths, &mut best, meter)?;
        } else {
            backward.expand(&forward.depths, &mut best, meter)?;
        }
    }
    let Some((cost, common)) = best else { return Ok(Verdict::Unsolvable) };
    meter.start_recovery();
    let (mut plan, _) = path_by_depths(forward.space, &forward.depths, common, meter)?;
    let (mut rest, _) = path_by_depths(backward.space, &backward.depths, common, meter)?;
    let is_goal = space.least_goal(&rest[..1], None).is_some();
    assert!(is_goal, "invalid state space: a listed goal that `is_goal` refuses");
    rest.pop();
    plan.extend(rest.into_iter().rev());
    Ok(Verdict::Solved { plan, cost })
}
