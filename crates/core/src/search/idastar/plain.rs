//! IDA* without a table: the only states in memory are those of the current path.
//!
//! The search is a function that calls itself from within [`successors`](StateSpace::successors),
//! so it visits a successor before the space computes the next one, and everything about the
//! successor can stay in registers. Below a depth of 128 calls it uses an explicit stack, whose
//! memory is reserved from the budget. So the depth does not overflow a thread stack of 2 MiB as
//! long as a call of `successors` takes less than 8 KiB of it.
//!
//! On Korf's 15-puzzles, it generates as many states per second as the same function written
//! for that puzzle only. What it takes for that:
//!
//! - one place that calls `successors` with a last move, so that the closure is compiled into the
//!   loop, and the space does not ask whether there is one;
//! - a result that fits a register;
//! - no call for a successor that is cut off, which most are.
//!
//! With an explicit stack from the start, it reached four fifths of that.

use std::ops::ControlFlow;

use super::NO_PLAN;
use crate::budget::{Budget, Limit, Meter};
use crate::expansion::{Breaks, continue_if_ok, expanded};
use crate::heuristic::Heuristic;
use crate::memory::SegmentedVec;
use crate::outcome::{Outcome, Verdict};
use crate::space::StateSpace;
use crate::space::cost::{self, CostRange};

/// Searches with an admissible heuristic and without a table. A state is expanded again for each
/// path that leads to it, so use this function for spaces where few paths lead to the same state.
///
/// The search passes the last move to `successors`, so every [`PRUNING`] applies.
///
/// If moves may [cost] 0, a path may have no end within a threshold. The search then
/// uses a table: it is [`search`](super::search).
///
/// If no plan exists, the search ends with [`Unsolvable`](Verdict::Unsolvable) only if every path
/// ends in a state that has no successors or whose bound is `None`. If a path can follow a cycle,
/// only a limit of the budget ends the search.
///
/// Time: in each iteration, one expansion for each path whose depth plus bound is within the
/// threshold; at worst about `b^c` for a branching factor of `b` and a plan of cost `c`.
///
/// Memory: the thread's stack for up to 128 nested calls of `successors`. At greater depths, for
/// each move of the path, one state and the successors that are not visited yet, each with its
/// move, its evaluation and 8 bytes.
///
/// If a limit stops the search, the lower bound is the threshold of the current iteration.
///
/// [`PRUNING`]: StateSpace::PRUNING
pub fn search_without_table<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    search_without_table_from(space, None, heuristic, budget)
}

/// The same, from these states instead of the initial ones.
pub(in crate::search) fn search_without_table_from<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    starts: Option<&[S::State]>,
    heuristic: &H,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    let costs = CostRange::of(space);
    if costs.least() == 0 {
        return super::search_from(space, starts, heuristic, budget);
    }
    let mut search = PlainSearch {
        space,
        starts,
        heuristic,
        meter: budget.meter(),
        threshold: 0,
        least_excess: NO_PLAN,
        plan: SegmentedVec::new(budget.memory()),
        costs,
        calls: 0,
        cost: 0,
        max_depth: 0,
        least_moves_left: 0,
        until_poll: 0,
        reported_until_poll: 0,
        generated: 0,
    };
    let mut lower_bound = 0;
    let verdict = search.deepen(&mut lower_bound);
    let verdict =
        verdict.unwrap_or_else(|limit| Verdict::Stopped { limit, lower_bound, best: None });
    search.report_counts();
    Outcome::new(verdict, search.meter.stats())
}

/// The most expansions between two polls of the budget.
const POLL_INTERVAL: u64 = 1024;

/// The greatest depth of recursion. Deeper states are expanded with an explicit stack.
const MAX_RECURSION: u32 = 128;

/// Why an iteration stops before it has visited all states within the threshold.
enum StopReason {
    /// A goal was found. The states from the current one to the goal are in [`PlainSearch::plan`].
    Found,
    Limit(Limit),
}

impl<L: Into<Limit>> From<L> for StopReason {
    fn from(limit: L) -> Self {
        Self::Limit(limit.into())
    }
}

type Flow = ControlFlow<StopReason>;

struct PlainSearch<'a, 'b, S: StateSpace, H: Heuristic<S>> {
    space: &'a S,
    starts: Option<&'a [S::State]>,
    heuristic: &'a H,
    meter: Meter<'b>,
    /// The greatest number of moves of a plan that this iteration looks for.
    threshold: u32,
    /// The least value of `bound - moves left - 1` over the states that this iteration cut off.
    least_excess: u32,
    /// The states of the plan in reverse order, once a goal is found.
    plan: SegmentedVec<S::State>,
    costs: CostRange,
    /// If moves have costs: the calls of `enter`, and what the path to the goal costs.
    calls: u32,
    cost: u32,
    max_depth: u32,
    /// The least number of moves left at a state that this iteration expanded by recursion.
    least_moves_left: u32,
    /// Expansions until the next poll.
    until_poll: u64,
    /// The value of `until_poll` when the meter last counted expansions.
    reported_until_poll: u64,
    /// Generated states that the meter has not counted yet.
    generated: u64,
}

impl<S: StateSpace, H: Heuristic<S>> PlainSearch<'_, '_, S, H> {
    fn deepen(&mut self, lower_bound: &mut u32) -> Result<Verdict<Vec<S::State>>, Limit> {
        loop {
            match self.iterate() {
                ControlFlow::Break(StopReason::Found) => {
                    let mut plan: Vec<_> = self.plan.iter().collect();
                    plan.reverse();
                    let moves = plan.len() as u32 - 1;
                    let cost = if const { S::COSTS.are_unit() } { moves } else { self.cost };
                    return Ok(Verdict::Solved { plan, cost });
                }
                ControlFlow::Break(StopReason::Limit(limit)) => return Err(limit),
                ControlFlow::Continue(()) => {}
            }
            let next =
                self.threshold.checked_add(self.least_excess).and_then(|sum| sum.checked_add(1));
            if next.is_none() && self.least_excess != NO_PLAN && !const { S::COSTS.are_unit() } {
                return Err(Limit::Encoding);
            }
            match next.unwrap_or(NO_PLAN) {
                NO_PLAN => return Ok(Verdict::Unsolvable),
                next_threshold => self.threshold = next_threshold,
            }
            *lower_bound = self.threshold;
            self.meter.set_depth(self.threshold);
        }
    }

    /// Looks for a plan of at most `threshold` moves, depth first.
    fn iterate(&mut self) -> Flow {
        let mut flow = ControlFlow::Continue(());
        let bound_limit = self.threshold + 1;
        (self.least_excess, self.least_moves_left) = (NO_PLAN, NO_PLAN);
        let (space, starts) = (self.space, self.starts);
        let enter = |state| {
            if flow.is_continue() {
                flow =
                    self.visit(state, None::<S::Move>, self.heuristic.evaluate(state), bound_limit);
            }
        };
        match starts {
            Some(starts) => starts.iter().copied().for_each(enter),
            None => space.initial(enter),
        }
        flow
    }

    /// Returns the bound if it is less than `bound_limit`. Otherwise the state is cut off.
    #[inline(always)]
    fn unless_cut(&mut self, evaluation: H::Evaluation, bound_limit: u32) -> Option<u32> {
        let bound = self.heuristic.bound(evaluation)?;
        if bound >= bound_limit {
            if bound - bound_limit < self.least_excess {
                self.note_excess(bound - bound_limit);
            }
            return None;
        }
        Some(bound)
    }

    /// A separate cold function, because it runs only a few times per iteration.
    #[cold]
    #[inline(never)]
    fn note_excess(&mut self, excess: u32) {
        self.least_excess = excess;
    }

    /// Looks for a goal within fewer than `bound_limit` moves of a state, unless it is cut off.
    #[inline(always)]
    fn visit<L: Copy + Into<Option<S::Move>>>(
        &mut self,
        state: S::State,
        last: L,
        evaluation: H::Evaluation,
        bound_limit: u32,
    ) -> Flow {
        match self.unless_cut(evaluation, bound_limit) {
            None => ControlFlow::Continue(()),
            Some(0) if self.space.is_goal(state) => {
                self.cost = self.threshold + 1 - bound_limit;
                self.push_plan(state)
            }
            Some(_) => self.enter(state, last, evaluation, bound_limit - 1),
        }
    }

    /// Expands a state whose bound is at most `moves_left`, and visits its successors.
    ///
    /// Compiled twice: for the initial states, and for those that a move led to.
    #[inline(never)]
    fn enter<L: Copy + Into<Option<S::Move>>>(
        &mut self,
        state: S::State,
        last: L,
        evaluation: H::Evaluation,
        moves_left: u32,
    ) -> Flow {
        self.expand()?;
        let is_deep = if const { S::COSTS.are_unit() } {
            moves_left < self.least_moves_left && self.note_depth(moves_left)
        } else {
            self.max_depth = self.max_depth.max(self.calls);
            self.calls >= MAX_RECURSION
        };
        if is_deep {
            return self.enter_with_stack(state, last.into(), evaluation, moves_left);
        }
        let (space, heuristic) = (self.space, self.heuristic);
        let mut breaks = Breaks::default();
        self.calls += u32::from(!const { S::COSTS.are_unit() });
        let flow = space.successors(state, last.into(), |by, next| {
            self.generated += 1;
            let evaluation = heuristic.update(|| evaluation, state, by, next);
            breaks.pass(match self.limit_after(state, by, evaluation, moves_left) {
                Ok(Some(bound_limit)) => self.visit(next, by, evaluation, bound_limit),
                Ok(None) => ControlFlow::Continue(()),
                Err(limit) => ControlFlow::Break(limit.into()),
            })
        });
        self.calls -= u32::from(!const { S::COSTS.are_unit() });
        match breaks.end(flow) {
            ControlFlow::Break(StopReason::Found) => self.push_plan(state),
            flow => flow,
        }
    }

    /// The bound limit of a successor; `None` if it is cut off, since the move costs more than is
    /// left.
    #[inline(always)]
    fn limit_after(
        &mut self,
        state: S::State,
        by: S::Move,
        evaluation: H::Evaluation,
        moves_left: u32,
    ) -> Result<Option<u32>, Limit> {
        if const { S::COSTS.are_unit() } {
            return Ok(Some(moves_left));
        }
        let cost = cost::of(self.space, state, by);
        let depth = self.costs.add(self.threshold - moves_left, cost)?;
        if depth <= self.threshold {
            return Ok(Some(self.threshold - depth + 1));
        }
        if let Some(bound) = self.heuristic.bound(evaluation) {
            // Not that of a search without plans.
            let excess = (depth - self.threshold - 1).saturating_add(bound).min(NO_PLAN - 1);
            self.least_excess = self.least_excess.min(excess);
        }
        Ok(None)
    }

    /// Notes the depth of the first state of an iteration with this few moves left. Returns whether
    /// it is too deep for recursion.
    #[cold]
    #[inline(never)]
    fn note_depth(&mut self, moves_left: u32) -> bool {
        let depth = self.threshold - moves_left;
        self.max_depth = self.max_depth.max(depth);
        if depth < MAX_RECURSION {
            self.least_moves_left = moves_left;
        }
        depth >= MAX_RECURSION
    }

    /// Adds a state to the plan, which holds the states after it.
    fn push_plan(&mut self, state: S::State) -> Flow {
        ControlFlow::Break(
            self.plan.push(state).map_or_else(StopReason::from, |()| StopReason::Found),
        )
    }

    /// Counts an expansion that is about to be made.
    #[inline(always)]
    fn expand(&mut self) -> Flow {
        if self.until_poll == 0
            && let Err(limit) = self.poll()
        {
            return ControlFlow::Break(limit.into());
        }
        self.until_poll -= 1;
        ControlFlow::Continue(())
    }

    #[cold]
    #[inline(never)]
    fn poll(&mut self) -> Result<(), Limit> {
        self.report_counts();
        self.until_poll = self.meter.states_left().min(POLL_INTERVAL);
        self.reported_until_poll = self.until_poll;
        if self.until_poll == 0 {
            return Err(Limit::States);
        }
        self.meter.poll_now()
    }

    /// Passes the counts since the last call to the meter.
    fn report_counts(&mut self) {
        let expanded = self.reported_until_poll - self.until_poll;
        self.reported_until_poll = self.until_poll;
        self.meter.add(expanded, std::mem::take(&mut self.generated));
        self.meter.note_frontier(u64::from(self.max_depth) + 1);
    }

    /// The same as [`enter`](Self::enter) for a state that is already counted, with an explicit
    /// stack instead of recursion.
    #[cold]
    #[inline(never)]
    fn enter_with_stack(
        &mut self,
        state: S::State,
        last: Option<S::Move>,
        evaluation: H::Evaluation,
        start_moves_left: u32,
    ) -> Flow {
        let mut stack = SegmentedVec::new(self.meter.memory());
        let mut path = SegmentedVec::new(self.meter.memory());
        let mut search = || -> Result<(), StopReason> {
            self.push_successors(state, last, evaluation, (start_moves_left, 0), &mut stack)?;
            while let Some(entry) = stack.pop() {
                let StackEntry { state, by, evaluation, bound, moves_left, depth } = entry;
                while path.len() as u32 >= depth {
                    path.pop();
                }
                path.push(state)?;
                if bound == 0 && self.space.is_goal(state) {
                    self.cost = self.threshold - moves_left;
                    return Err(StopReason::Found);
                }
                if let ControlFlow::Break(reason) = self.expand() {
                    return Err(reason);
                }
                self.max_depth = self.max_depth.max(MAX_RECURSION + depth);
                self.push_successors(state, Some(by), evaluation, (moves_left, depth), &mut stack)?;
            }
            Ok(())
        };
        match search() {
            Ok(()) => ControlFlow::Continue(()),
            Err(StopReason::Limit(limit)) => ControlFlow::Break(limit.into()),
            Err(StopReason::Found) => {
                while let Some(state) = path.pop() {
                    if let ControlFlow::Break(limit @ StopReason::Limit(_)) = self.push_plan(state)
                    {
                        return ControlFlow::Break(limit);
                    }
                }
                self.push_plan(state)
            }
        }
    }

    /// Pushes the successors that are not cut off on the stack, the first one on top.
    fn push_successors(
        &mut self,
        state: S::State,
        last: Option<S::Move>,
        evaluation: H::Evaluation,
        (moves_left, depth): (u32, u32),
        stack: &mut SegmentedVec<StackEntry<S, H>>,
    ) -> Result<(), Limit> {
        let (space, heuristic) = (self.space, self.heuristic);
        let mut successors = SegmentedVec::new(self.meter.memory());
        let mut result = Ok(());
        let flow = space.successors(state, last, |by, next| {
            self.generated += 1;
            let evaluation = heuristic.update(|| evaluation, state, by, next);
            continue_if_ok(&mut result, || {
                let Some(limit) = self.limit_after(state, by, evaluation, moves_left)? else {
                    return Ok(());
                };
                if let Some(bound) = self.unless_cut(evaluation, limit) {
                    let (state, moves_left, depth) = (next, limit - 1, depth + 1);
                    let entry = StackEntry { state, by, evaluation, bound, moves_left, depth };
                    successors.push(entry)?;
                }
                Ok(())
            })
        });
        expanded(flow, result)?;
        while let Some(entry) = successors.pop() {
            stack.push(entry)?;
        }
        Ok(())
    }
}

/// A state that has not been visited yet, with the move that led to it.
struct StackEntry<S: StateSpace, H: Heuristic<S>> {
    state: S::State,
    by: S::Move,
    evaluation: H::Evaluation,
    bound: u32,
    moves_left: u32,
    /// The number of moves since the search goes on with a stack.
    depth: u32,
}

impl<S: StateSpace, H: Heuristic<S>> Clone for StackEntry<S, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: StateSpace, H: Heuristic<S>> Copy for StackEntry<S, H> {}
