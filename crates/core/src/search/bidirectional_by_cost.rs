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

use super::bidirectional::joined;
use super::cost_queue::CostQueue;
use super::depths::Depths;
use super::open_list::OpenList;
use super::recovery::path_by_depths;
use super::stepped::Stepped;
use super::steps::{Node, Step};
use crate::budget::{Limit, Meter};
use crate::outcome::Verdict;
use crate::seam::{Batch, SpaceView};
use crate::visited::Table;
use crate::word::Word;

/// A search that has expanded nothing, of a space that lists its goals and knows its predecessors.
///
/// If a limit stops the search, the lower bound is `a + b`, or the cost of the best plan if that is
/// less.
pub(super) fn new_search<'s, W: Word>(
    space: SpaceView<'s, W>,
    meter: &Meter<'_>,
) -> Result<Box<dyn Stepped<W> + 's>, Limit> {
    let sides = [Side::new(space, meter)?, Side::new(space.backward(), meter)?];
    let starts = sides[0].depths.iter().map(|(state, _)| state);
    let common = starts.filter(|&state| sides[1].depths.get(state).is_some());
    let best = common.min().map(|state| (0, state));
    Ok(Box::new(ByCost { sides, active: None, best, lower_bound: 0 }))
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

    /// Expands up to `left` open states of the least depth. Returns whether all are expanded.
    fn expand(
        &mut self,
        other: &Table<W, u32>,
        best: &mut Best<W>,
        left: &mut u64,
        lower_bound: u32,
        mut step: Option<&mut Step<W>>,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Limit> {
        let (Some(least), costs) = (self.least, self.space.properties().costs) else {
            return Ok(true);
        };
        while *left > 0 {
            let Some((_, depth, state)) = self.open.pop() else {
                self.least = None;
                return Ok(true);
            };
            if depth > least {
                self.open.push(depth, depth, state)?;
                self.least = Some(depth);
                return Ok(true);
            }
            // It may have been reached at a lesser depth since.
            if self.depths.get(state) != Some(depth) {
                continue;
            }
            meter.expand()?;
            *left -= 1;
            if let Some(step) = &mut step {
                let is_backward = self.space.is_backward();
                step.begin(Node { depth, is_backward, ..Node::new(state) }, lower_bound);
            }
            let mut batch = std::mem::take(&mut self.batch);
            batch.clear();
            self.space.expand(&[state], &[], &mut 0, &mut batch, &mut |_| ControlFlow::Break(()));
            meter.generated(batch.len() as u64)?;
            for (next, cost) in batch.states_and_costs() {
                let depth = costs.add(depth, cost)?;
                if !self.reach(next, depth)? {
                    meter.duplicate();
                    continue;
                }
                if let Some(step) = &mut step {
                    step.add(Node { depth, ..Node::new(next) });
                }
                if let Some(rest) = other.get(next) {
                    let found = (costs.sum(depth, rest)?, next);
                    *best = Some(best.map_or(found, |best| best.min(found)));
                }
            }
            self.batch = batch;
            if *left == 0 {
                meter.report_step(lower_bound, &state);
            }
        }
        Ok(false)
    }
}

struct ByCost<'s, W> {
    /// From the initial states, and from the goals.
    sides: [Side<'s, W>; 2],
    /// The side of which the states of the least depth are expanded.
    active: Option<usize>,
    best: Best<W>,
    lower_bound: u32,
}

impl<W: Word> ByCost<'_, W> {
    /// Chooses a side, unless the search has ended.
    fn begin(&mut self, meter: &mut Meter<'_>) -> Option<usize> {
        let [forward, backward] = &self.sides;
        let (a, b) = (forward.least?, backward.least?);
        let proved = a.saturating_add(b);
        self.lower_bound = self.best.map_or(proved, |(cost, _)| proved.min(cost));
        meter.set_depth(self.lower_bound);
        if self.best.is_some_and(|(cost, _)| cost <= proved) {
            return None;
        }
        meter.note_frontier(forward.open.len() + backward.open.len());
        Some(usize::from(forward.open.len() > backward.open.len()))
    }
}

impl<W: Word> Stepped<W> for ByCost<'_, W> {
    fn advance(
        &mut self,
        expansions: u64,
        mut step: Option<&mut Step<W>>,
        meter: &mut Meter<'_>,
    ) -> Result<ControlFlow<()>, Limit> {
        let mut left = expansions;
        while left > 0 {
            let Some(side) = self.active.or_else(|| self.begin(meter)) else {
                return Ok(ControlFlow::Break(()));
            };
            let [forward, backward] = &mut self.sides;
            let (own, other) = if side == 0 { (forward, backward) } else { (backward, forward) };
            let (step, lower_bound) = (step.as_deref_mut(), self.lower_bound);
            let is_over =
                own.expand(&other.depths, &mut self.best, &mut left, lower_bound, step, meter)?;
            self.active = (!is_over).then_some(side);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn lower_bound(&self) -> u32 {
        self.lower_bound
    }

    fn open(&self, emit: &mut dyn FnMut(Node<W>)) {
        for Side { space, depths, open, .. } in &self.sides {
            let is_backward = space.is_backward();
            open.for_each(&mut |_, depth, state| {
                if depths.get(state) == Some(depth) {
                    emit(Node { depth, is_backward, ..Node::new(state) });
                }
            });
        }
    }

    fn end(
        &mut self,
        result: Result<(), Limit>,
        meter: &mut Meter<'_>,
    ) -> Result<Verdict<Vec<W>>, Limit> {
        result?;
        let Some((cost, common)) = self.best else { return Ok(Verdict::Unsolvable) };
        meter.start_recovery();
        let [forward, backward] = &self.sides;
        let (plan, _) = path_by_depths(forward.space, &forward.depths, common, meter)?;
        let (rest, _) = path_by_depths(backward.space, &backward.depths, common, meter)?;
        let plan = joined(forward.space, plan, rest);
        Ok(Verdict::Solved { plan, cost })
    }
}
