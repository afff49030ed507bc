//! A* (Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost
//! paths", 1968): expands the state with the least sum of its depth and the heuristic's bound
//! first.
//!
//! Optimality: the least sum on the open list is a lower bound on the cost of every plan that is
//! not found yet. The search ends when it has a plan of at most that cost, or when the open list is
//! empty. This requires an [admissible](crate::heuristic::Heuristic) heuristic.
//!
//! The heuristic need not be consistent: a state is put on the open list again when a shorter path
//! to it is found, so it is expanded at most once for each depth at which it is reached. With a
//! consistent heuristic no state is expanded twice. A successor takes over the sum of its parent if
//! that is greater (pathmax; Mérő, 1984).
//!
//! Of equal sums, the state of the greatest depth is expanded first; of equal depths, the one that
//! was generated last. If moves have costs, it is the one that was generated last, whatever its
//! depth. So the search always expands the same states in the same order.
//!
//! Time: with a consistent heuristic, the search expands every state whose sum is less than the
//! cost of the plan, and some of those whose sum equals it. An expansion costs a table lookup for
//! each successor, and for each that is new an update of the heuristic. The heuristic evaluates
//! each state once, when it is generated, unless it implements `update`: then once for each
//! expansion.
//!
//! Memory: `size_of::<State>() + 4` bytes for each generated state, times 5/4 to 35/16 ([`Table`]),
//! and `size_of::<State>()` bytes for each state on the open list. If moves have costs, a state on
//! the open list takes `size_of::<(u32, State)>()` bytes, and a search that may use up to 2^24
//! ranks has 4 bytes for each instead of a table, if they take at most an eighth of the memory
//! limit: on a map of 1,000,000 cells, it took a quarter of the time.
//!
//! Table lookups are not prefetched ahead. To do so for all successors of a state gained a tenth on
//! a halloween map with 375,000 states, and nothing on 15-puzzles with two million, where the
//! states that were generated last are expanded next and are still in the cache.

use std::ops::ControlFlow;

use super::bucket_queue::BucketQueue;
use super::compiled::SearchedWord;
use super::cost_queue::CostQueue;
use super::depths::{DepthArray, Depths};
use super::open_list::OpenList;
use super::stepped::{self, Stepped};
use super::steps::{Node, Step};
use crate::budget::{Budget, Limit, Meter};
use crate::expansion::{continue_if_ok, expanded};
use crate::heuristic::Heuristic;
use crate::memory::SegmentedVec;
use crate::outcome::{Outcome, Verdict};
use crate::seam::{Batch, Erased, SpaceView, Uses};
use crate::space::StateSpace;
use crate::space::cost;
use crate::visited::Table;

/// Evaluates an expression with a search that has expanded nothing, unless its table does not fit. It
/// is compiled for each kind of depths and open list that moves with the costs of the space have.
macro_rules! with_search {
    ($problem:ident, $meter:ident, |$search:ident| $result:expr) => {{
        let memory = &$meter.memory().clone();
        if const { S::COSTS.are_unit() } {
            Table::new(memory).map(|depths| {
                let $search = Astar::new($problem, depths, BucketQueue::new(memory));
                $result
            })
        } else if let Some(depths) = DepthArray::new($problem.view, memory) {
            let $search = Astar::new($problem, depths, CostQueue::new(memory));
            Ok($result)
        } else {
            Table::new(memory).map(|depths| {
                let $search = Astar::new($problem, depths, CostQueue::new(memory));
                $result
            })
        }
    }};
}

/// Searches any space with an admissible heuristic.
///
/// To recover the plan of a space that knows its predecessors, the search asks for the predecessors
/// of one state per move and looks each of them up. It takes no extra memory and expands nothing
/// again. Otherwise it sorts the generated states into layers by depth, which takes another
/// `size_of::<State>()` bytes per state, and expands the layers before the goal's again, at worst
/// each state once more. If moves have [costs](cost), it searches among the moves that lead to each
/// state at its depth: it expands predecessors, too, to know what they cost, and keeps a map of the
/// states that it visits.
///
/// If a limit stops the search, the lower bound is the sum of the state whose expansion was
/// stopped, and the outcome holds the best plan found so far, if any. A plan whose cost equals the
/// lower bound is optimal; the verdict is then [`Solved`](Verdict::Solved).
///
/// # Panics
/// If `successors` emits different states for the same state when it is called again, or if the
/// predecessors are not the successors reversed.
pub fn search<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    search_with(space, Uses::default(), None, heuristic, budget)
}

/// The same with what the search may use, from other states.
pub(super) fn search_with<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    uses: Uses<S>,
    starts: Option<&[S::State]>,
    heuristic: &H,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    let erased = Erased::with(space, uses);
    let view = SpaceView::new(&erased).starting_from(starts);
    let (problem, mut meter) = (Problem { space, view, heuristic }, budget.meter());
    let outcome = with_search!(problem, meter, |search| {
        let mut search = search;
        stepped::run(&mut search, &mut meter)
    });
    outcome.unwrap_or_else(|error| Outcome::stopped(error.into(), budget))
}

/// A search that has expanded nothing.
pub(super) fn new_search<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    view: SpaceView<'a, S::State>,
    heuristic: &'a H,
    meter: &Meter<'_>,
) -> Result<Box<dyn Stepped<S::State> + 'a>, Limit> {
    let problem = Problem { space, view, heuristic };
    Ok(with_search!(problem, meter, |search| Box::new(search) as _)?)
}

/// What is searched.
struct Problem<'a, S: StateSpace, H> {
    space: &'a S,
    view: SpaceView<'a, S::State>,
    heuristic: &'a H,
}

struct Astar<'a, S: StateSpace, H, D, O> {
    problem: Problem<'a, S, H>,
    depths: D,
    open: O,
    /// Whether the initial states are in both.
    is_started: bool,
    /// The goal of least depth generated so far, with that depth.
    best: Option<(S::State, u32)>,
    /// Every plan costs at least this.
    lower_bound: u32,
}

impl<'a, S, H, D, O> Astar<'a, S, H, D, O>
where
    S: StateSpace,
    H: Heuristic<S>,
    D: Depths<S::State>,
    O: OpenList<S::State>,
{
    fn new(problem: Problem<'a, S, H>, depths: D, open: O) -> Self {
        Self { problem, depths, open, is_started: false, best: None, lower_bound: 0 }
    }

    /// Puts the initial states on the open list, unless one of them is a goal.
    fn start(&mut self, meter: &Meter<'_>) -> Result<(), Limit> {
        let Self { problem: Problem { space, view, heuristic }, depths, open, best, .. } = self;
        let mut starts = SegmentedVec::new(meter.memory());
        let (mut least, mut result) = (None, Ok(()));
        view.initial(&mut |state| {
            let mut insert = |state| -> Result<(), Limit> {
                let new = depths.lower(state, 0)?;
                if space.is_goal(state) {
                    *best = Some(best.map_or((state, 0), |least| least.min((state, 0))));
                } else if new && let Some(bound) = heuristic.bound(heuristic.evaluate(state)) {
                    least = Some(least.map_or(bound, |least: u32| least.min(bound)));
                    starts.push((bound, state))?;
                }
                Ok(())
            };
            result = result.and_then(|()| insert(state));
        });
        result?;
        if let (None, Some(least)) = (best, least) {
            self.lower_bound = least;
            open.start(least);
            starts.iter().try_for_each(|(bound, state)| open.push(bound, 0, state))?;
        }
        Ok(())
    }
}

impl<S, H, D, O> Stepped<S::State> for Astar<'_, S, H, D, O>
where
    S: StateSpace,
    H: Heuristic<S>,
    D: Depths<S::State>,
    O: OpenList<S::State>,
{
    fn advance(
        &mut self,
        expansions: u64,
        step: Option<&mut Step<S::State>>,
        meter: &mut Meter<'_>,
    ) -> Result<ControlFlow<()>, Limit> {
        if !std::mem::replace(&mut self.is_started, true) {
            self.start(meter)?;
        }
        let Self { problem, depths, open, best, lower_bound, .. } = self;
        expand_best_first(problem, depths, open, (best, lower_bound), expansions, step, meter)
    }

    fn lower_bound(&self) -> u32 {
        self.lower_bound
    }

    fn open(&self, emit: &mut dyn FnMut(Node<S::State>)) {
        self.open.for_each(&mut |sum, depth, state| {
            if self.depths.get(state) == Some(depth) {
                emit(Node { depth, bound: sum - depth, ..Node::new(state) });
            }
        });
    }

    fn end(
        &mut self,
        result: Result<(), Limit>,
        meter: &mut Meter<'_>,
    ) -> Result<Verdict<Vec<S::State>>, Limit> {
        let Some((goal, _)) = self.best else {
            return result.map(|()| Verdict::Unsolvable);
        };
        meter.start_recovery();
        self.open.free();
        let (plan, cost) =
            SearchedWord::plan_by_depths(self.problem.view, &self.depths, goal, meter)?;
        let lower_bound = self.lower_bound;
        Ok(match result {
            Err(limit) if cost > lower_bound => {
                Verdict::Stopped { limit, lower_bound, best: Some((plan, cost)) }
            }
            _ => Verdict::Solved { plan, cost },
        })
    }
}

/// Expands states until the best plan is proved optimal, the open list is empty, or this number is
/// expanded. Raises the lower bound, so that every plan has at least that cost.
///
/// Not inlined, and with an argument for each thing that it changes: as a method, it took up to 3 %
/// more instructions.
#[inline(never)]
fn expand_best_first<S, H, D, O>(
    problem: &Problem<'_, S, H>,
    depths: &mut D,
    open: &mut O,
    (best, lower_bound): (&mut Option<(S::State, u32)>, &mut u32),
    expansions: u64,
    mut step: Option<&mut Step<S::State>>,
    meter: &mut Meter<'_>,
) -> Result<ControlFlow<()>, Limit>
where
    S: StateSpace,
    H: Heuristic<S>,
    D: Depths<S::State>,
    O: OpenList<S::State>,
{
    let &Problem { space, view, heuristic } = problem;
    let costs = view.properties().costs;
    let mut left = expansions;
    while left > 0 {
        let Some((sum, depth, state)) = open.pop() else { return Ok(ControlFlow::Break(())) };
        // The bound cannot exceed the cost of a known plan.
        *lower_bound = best.map_or(sum, |(_, cost)| cost.min(sum));
        meter.set_depth(*lower_bound);
        if best.is_some_and(|(_, cost)| cost <= sum) {
            return Ok(ControlFlow::Break(()));
        }
        // A shorter path to the state may have been found since.
        if depths.get(state) != Some(depth) {
            continue;
        }
        meter.expand()?;
        left -= 1;
        if let Some(step) = &mut step {
            let node = Node { depth, bound: sum - depth, ..Node::new(state) };
            step.begin(node, *lower_bound);
            note_new(problem, depths, sum, step);
        }
        let (before, mut own) = (depth, None);
        let mut admit = |by, next| -> Result<(), Limit> {
            meter.generate()?;
            let depth = cost::add::<S>(costs, before, cost::of(space, state, by))?;
            if !depths.lower(next, depth)? {
                meter.duplicate();
                return Ok(());
            }
            if space.is_goal(next) {
                if best.is_none_or(|(_, cost)| depth < cost) {
                    *best = Some((next, depth));
                }
                return Ok(());
            }
            let evaluation = || *own.get_or_insert_with(|| heuristic.evaluate(state));
            let bound = heuristic.bound(heuristic.update(evaluation, state, by, next));
            let next_sum = bound.map(|bound| depth.checked_add(bound));
            if next_sum == Some(None) && const { !S::COSTS.are_unit() } {
                return Err(Limit::Encoding);
            }
            if let Some(next_sum) = next_sum.flatten() {
                // The parent's sum is a bound for its successors, too (pathmax).
                open.push(sum.max(next_sum), depth, next)?;
            }
            Ok(())
        };
        let mut result = Ok(());
        let flow = space
            .successors(state, None, |by, next| continue_if_ok(&mut result, || admit(by, next)));
        expanded(flow, result)?;
        meter.note_frontier(open.len());
        if left == 0 {
            meter.report_step(*lower_bound, &state);
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Notes which successors of a state will be new. It expands the state once more, so that the loop
/// above does not look at each successor whether somebody wants to see it, which cost 2 to 3 %.
#[cold]
#[inline(never)]
fn note_new<S, H, D>(
    &Problem { space, view, heuristic }: &Problem<'_, S, H>,
    depths: &D,
    sum: u32,
    step: &mut Step<S::State>,
) where
    S: StateSpace,
    H: Heuristic<S>,
    D: Depths<S::State>,
{
    let (Node { state, depth, .. }, mut batch) = (step.node, Batch::unlimited());
    view.expand(&[state], &[], &mut 0, &mut batch, &mut |_| ControlFlow::Break(()));
    for (next, cost) in batch.states_and_costs() {
        let depth = depth.saturating_add(cost);
        let is_known = depths.get(next).is_some_and(|known| known <= depth)
            || step.new.iter().any(|node| node.state == next && node.depth <= depth);
        let bound = match space.is_goal(next) {
            true => Some(0),
            false => heuristic
                .bound(heuristic.evaluate(next))
                .map(|bound| depth.saturating_add(bound).max(sum) - depth),
        };
        if let (Some(bound), false) = (bound, is_known) {
            step.add(Node { depth, bound, ..Node::new(next) });
        }
    }
}
