//! IDA* as it was first described: nothing is remembered but the path.
//!
//! It is a function that calls itself from within [`successors`](StateSpace::successors), so a
//! successor is entered before the next one is made, and nothing of it is stored that a register
//! can hold. Below 128 calls it goes on with a stack of its own, which is booked, so depth does not
//! overflow that of the thread: on 2 MiB, not as long as `successors` keeps less than 8 KiB.
//!
//! On Korf's 15-puzzles it makes as many nodes a second as the same function written for the puzzle
//! alone, to within what the placement of the code makes; with the stack of its own from the start
//! it made four fifths of that. What takes the time of both is branches that are predicted wrongly,
//! 1.4 for each node.

use std::ops::ControlFlow;

use super::NEVER;
use crate::budget::{Budget, Limit, Meter, go_on};
use crate::heuristic::Heuristic;
use crate::memory::SegmentedVec;
use crate::outcome::{Outcome, Verdict};
use crate::space::StateSpace;
use crate::stats::Stats;

/// Searches without a table: a state is searched again each time it is met. For spaces where few
/// ways lead to the same state; and where no plan exists, only the budget ends it. Takes the
/// thread's stack for up to 128 calls of `successors`.
pub fn search_without_table<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    let mut search = Search {
        space,
        heuristic,
        meter: budget.meter(),
        threshold: 0,
        least_excess: NEVER,
        plan: SegmentedVec::new(budget.memory()),
        deepest: 0,
        least_left: 0,
        until_poll: 0,
        burst: 0,
        generated: 0,
    };
    let mut lower_bound = 0;
    let verdict = search.deepen(&mut lower_bound);
    let verdict =
        verdict.unwrap_or_else(|limit| Verdict::Stopped { limit, lower_bound, best: None });
    search.count();
    Outcome { verdict, stats: search.meter.stats() }
}

/// So many states are expanded before the clock is looked at.
const BURST: u64 = 1024;

/// So many calls deep it goes on without calling itself.
const CALLS: u32 = 128;

/// Why an iteration ends before it has seen all.
enum End {
    /// The states from here on are the end of a plan.
    Found,
    Limit(Limit),
}

impl<L: Into<Limit>> From<L> for End {
    fn from(limit: L) -> Self {
        Self::Limit(limit.into())
    }
}

struct Search<'a, 'b, S: StateSpace, H: Heuristic<S>> {
    space: &'a S,
    heuristic: &'a H,
    meter: Meter<'b>,
    /// The most moves that a plan of this iteration may have.
    threshold: u32,
    /// The least by which a bound that was cut off in this iteration was more than 1 too high.
    least_excess: u32,
    /// The states of the plan, goal first, once that is reached.
    plan: SegmentedVec<S::State>,
    deepest: u32,
    /// No state with fewer moves left was expanded in this iteration, but for those that are too
    /// deep for a call.
    least_left: u32,
    /// So many expansions until the clock is looked at, of so many since the meter was told of
    /// them.
    until_poll: u64,
    burst: u64,
    /// States that the meter has not been told of.
    generated: u64,
}

impl<S: StateSpace, H: Heuristic<S>> Search<'_, '_, S, H> {
    fn deepen(&mut self, lower_bound: &mut u32) -> Result<Verdict<Vec<S::State>>, Limit> {
        loop {
            match self.iterate() {
                Err(End::Found) => {
                    let mut plan: Vec<_> = self.plan.iter().collect();
                    plan.reverse();
                    let cost = plan.len() as u32 - 1;
                    return Ok(Verdict::Solved { plan, cost });
                }
                Err(End::Limit(limit)) => return Err(limit),
                Ok(()) => {}
            }
            match self.threshold.saturating_add(self.least_excess).saturating_add(1) {
                NEVER => return Ok(Verdict::Unsolvable),
                least_cut => self.threshold = least_cut,
            }
            *lower_bound = self.threshold;
            self.meter.set_depth(self.threshold);
        }
    }

    /// Looks for a plan of at most `threshold` moves, depth first.
    fn iterate(&mut self) -> Result<(), End> {
        let mut end = Ok(());
        let left = self.threshold;
        (self.least_excess, self.least_left) = (NEVER, NEVER);
        self.space.initial(|state| {
            if end.is_ok()
                && let Some(evaluation) = self.unless_cut(self.heuristic.evaluate(state), left + 1)
                && let ControlFlow::Break(why) = self.enter(state, None, evaluation, left)
            {
                end = Err(why);
            }
        });
        end
    }

    /// The evaluation of a state, unless it is cut off: its bound is to be below `room`.
    #[inline(always)]
    fn unless_cut(&mut self, evaluation: H::Evaluation, room: u32) -> Option<H::Evaluation> {
        let bound = self.heuristic.bound(evaluation)?;
        if bound >= room {
            if bound - room < self.least_excess {
                self.note_excess(bound - room);
            }
            return None;
        }
        Some(evaluation)
    }

    /// Out of the way, as it happens some times an iteration.
    #[cold]
    #[inline(never)]
    fn note_excess(&mut self, excess: u32) {
        self.least_excess = excess;
    }

    #[inline(always)]
    fn is_goal(&self, state: S::State, evaluation: H::Evaluation) -> bool {
        self.heuristic.bound(evaluation) == Some(0) && self.space.is_goal(state)
    }

    /// Looks for a goal from a state on, with so many moves left.
    #[inline(always)]
    fn enter(
        &mut self,
        state: S::State,
        last: Option<S::Move>,
        evaluation: H::Evaluation,
        left: u32,
    ) -> ControlFlow<End> {
        if self.is_goal(state, evaluation) {
            return self.found(state);
        }
        self.expand()?;
        if left < self.least_left && self.is_too_deep(left) {
            return self.enter_below(state, last, evaluation, left);
        }
        let (space, heuristic) = (self.space, self.heuristic);
        let end = space.successors(state, last, |by, next| {
            self.generated += 1;
            match self.unless_cut(heuristic.update(evaluation, state, by, next), left) {
                Some(evaluation) => self.enter_next(next, by, evaluation, left - 1),
                None => ControlFlow::Continue(()),
            }
        });
        if let ControlFlow::Break(End::Found) = end { self.found(state) } else { end }
    }

    #[inline(never)]
    fn enter_next(
        &mut self,
        state: S::State,
        by: S::Move,
        evaluation: H::Evaluation,
        left: u32,
    ) -> ControlFlow<End> {
        self.enter(state, Some(by), evaluation, left)
    }

    /// Notes the first state of an iteration with so few moves left; whether it is too deep for
    /// another call.
    #[cold]
    #[inline(never)]
    fn is_too_deep(&mut self, left: u32) -> bool {
        let depth = self.threshold - left;
        self.deepest = self.deepest.max(depth);
        if depth < CALLS {
            self.least_left = left;
        }
        depth >= CALLS
    }

    /// Notes a state of the plan; those after it are noted.
    fn found(&mut self, state: S::State) -> ControlFlow<End> {
        ControlFlow::Break(self.plan.push(state).map_or_else(End::from, |()| End::Found))
    }

    /// Counts an expansion that is about to be made.
    #[inline(always)]
    fn expand(&mut self) -> ControlFlow<End> {
        if self.until_poll == 0
            && let Err(limit) = self.poll()
        {
            return ControlFlow::Break(End::Limit(limit));
        }
        self.until_poll -= 1;
        ControlFlow::Continue(())
    }

    #[cold]
    #[inline(never)]
    fn poll(&mut self) -> Result<(), Limit> {
        self.count();
        self.until_poll = self.meter.states_left().min(BURST);
        self.burst = self.until_poll;
        if self.until_poll == 0 {
            return Err(Limit::States);
        }
        self.meter.poll_now()
    }

    fn count(&mut self) {
        let expanded = self.burst - self.until_poll;
        self.burst = self.until_poll;
        self.meter.add(Stats {
            expanded,
            generated: std::mem::take(&mut self.generated),
            ..Stats::default()
        });
        self.meter.note_frontier(u64::from(self.deepest) + 1);
    }

    /// The same as [`enter`](Self::enter) for a state that has been counted, without calling
    /// itself.
    #[cold]
    #[inline(never)]
    fn enter_below(
        &mut self,
        state: S::State,
        last: Option<S::Move>,
        evaluation: H::Evaluation,
        top: u32,
    ) -> ControlFlow<End> {
        let mut nodes = SegmentedVec::new(self.meter.memory());
        let mut path = SegmentedVec::new(self.meter.memory());
        let mut search = || -> Result<(), End> {
            self.push_successors(state, last, evaluation, top, &mut nodes)?;
            while let Some(Node { state, by, evaluation, left }) = nodes.pop() {
                while path.len() as u32 >= top - left {
                    path.pop();
                }
                path.push(state)?;
                if self.is_goal(state, evaluation) {
                    return Err(End::Found);
                }
                if let ControlFlow::Break(end) = self.expand() {
                    return Err(end);
                }
                self.deepest = self.deepest.max(self.threshold - left);
                self.push_successors(state, Some(by), evaluation, left, &mut nodes)?;
            }
            Ok(())
        };
        match search() {
            Ok(()) => ControlFlow::Continue(()),
            Err(End::Limit(limit)) => ControlFlow::Break(End::Limit(limit)),
            Err(End::Found) => {
                while let Some(state) = path.pop() {
                    if let ControlFlow::Break(limit @ End::Limit(_)) = self.found(state) {
                        return ControlFlow::Break(limit);
                    }
                }
                self.found(state)
            }
        }
    }

    /// Puts the successors that are not cut off on the stack, the first one on top.
    fn push_successors(
        &mut self,
        state: S::State,
        last: Option<S::Move>,
        evaluation: H::Evaluation,
        left: u32,
        nodes: &mut SegmentedVec<Node<S, H>>,
    ) -> Result<(), Limit> {
        let (space, heuristic) = (self.space, self.heuristic);
        let mut successors = SegmentedVec::new(self.meter.memory());
        let mut end = Ok(());
        let _ = space.successors(state, last, |by, next| {
            self.generated += 1;
            let evaluation = self.unless_cut(heuristic.update(evaluation, state, by, next), left);
            go_on(&mut end, || match evaluation {
                Some(evaluation) => {
                    Ok(successors.push(Node { state: next, by, evaluation, left: left - 1 })?)
                }
                None => Ok(()),
            })
        });
        end?;
        while let Some(node) = successors.pop() {
            nodes.push(node)?;
        }
        Ok(())
    }
}

/// A state that is to be entered.
struct Node<S: StateSpace, H: Heuristic<S>> {
    state: S::State,
    by: S::Move,
    evaluation: H::Evaluation,
    left: u32,
}

impl<S: StateSpace, H: Heuristic<S>> Clone for Node<S, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: StateSpace, H: Heuristic<S>> Copy for Node<S, H> {}
