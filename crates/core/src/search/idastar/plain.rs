//! IDA* as it was first described: nothing is remembered but the path.
//!
//! It is a function that calls itself from within [`successors`](StateSpace::successors), so a successor is entered before the
//! next one is made, and nothing of it is stored that a register can hold. Below some hundreds of calls it goes on with a
//! stack of its own, which is booked, so no depth can overflow that of the thread.
//!
//! On Korf's 15-puzzles it makes as many nodes a second as the same function written for the puzzle alone; with the stack of its
//! own from the start it made four fifths of that.

use std::ops::ControlFlow;

use super::NEVER;
use crate::budget::{Budget, Limit, Meter, go_on};
use crate::heuristic::Heuristic;
use crate::memory::SegmentedVec;
use crate::outcome::{Outcome, Verdict};
use crate::space::StateSpace;
use crate::stats::Stats;

/// Searches without a table: a state is searched again each time it is met. For spaces where few ways lead to the same
/// state; and where no plan exists, only the budget ends it.
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
        least_cut: NEVER,
        plan: SegmentedVec::new(budget.memory()),
        deepest: 0,
        until_look: 0,
        work: Stats::default(),
    };
    let mut lower_bound = 0;
    let verdict = search.deepen(&mut lower_bound);
    let verdict = verdict.unwrap_or_else(|limit| Verdict::Stopped { limit, lower_bound, best: None });
    search.count();
    Outcome { verdict, stats: search.meter.stats() }
}

/// So many states are expanded before the clock is looked at.
const BURST: u64 = 1024;

/// So many calls deep it goes on without calling itself.
const CALLS: u32 = 256;

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
    /// The least sum of depth and bound that this iteration cut off.
    least_cut: u32,
    /// The states of the plan, goal first, once that is reached.
    plan: SegmentedVec<S::State>,
    deepest: u32,
    until_look: u64,
    /// What the meter has not been told yet.
    work: Stats,
}

impl<S: StateSpace, H: Heuristic<S>> Search<'_, '_, S, H> {
    fn deepen(&mut self, lower_bound: &mut u32) -> Result<Verdict<Vec<S::State>>, Limit> {
        loop {
            self.least_cut = NEVER;
            match self.iterate() {
                Err(End::Found) => {
                    let mut plan: Vec<_> = self.plan.iter().collect();
                    plan.reverse();
                    let cost = plan.len() as u32 - 1;
                    return Ok(Verdict::Solved { plan, cost });
                }
                Err(End::Limit(limit)) => return Err(limit),
                Ok(()) if self.least_cut == NEVER => return Ok(Verdict::Unsolvable),
                Ok(()) => {}
            }
            *lower_bound = self.least_cut;
            self.threshold = self.least_cut;
        }
    }

    /// Looks for a plan of at most `threshold` moves, depth first.
    fn iterate(&mut self) -> Result<(), End> {
        let mut end = Ok(());
        self.space.initial(|state| {
            if end.is_ok()
                && let Some(memo) = self.unless_cut(self.heuristic.memo(state), 0)
                && let ControlFlow::Break(why) = self.enter(state, None, memo, 0)
            {
                end = Err(why);
            }
        });
        end
    }

    /// The memo of a state, unless no plan of this iteration leads through it.
    #[inline(always)]
    fn unless_cut(&mut self, memo: H::Memo, depth: u32) -> Option<H::Memo> {
        let sum = self.heuristic.bound(memo)?.saturating_add(depth);
        if sum > self.threshold {
            self.least_cut = self.least_cut.min(sum);
            return None;
        }
        Some(memo)
    }

    #[inline(always)]
    fn is_goal(&self, state: S::State, memo: H::Memo) -> bool {
        self.heuristic.bound(memo) == Some(0) && self.space.is_goal(state)
    }

    /// Looks for a goal from a state on.
    #[inline(always)]
    fn enter(&mut self, state: S::State, last: Option<S::Move>, memo: H::Memo, depth: u32) -> ControlFlow<End> {
        if self.is_goal(state, memo) {
            return self.found(state);
        }
        self.expand(depth)?;
        if depth == CALLS {
            return self.enter_below(state, last, memo);
        }
        let (space, heuristic) = (self.space, self.heuristic);
        let end = space.successors(state, last, |by, next| {
            self.work.generated += 1;
            match self.unless_cut(heuristic.advance(memo, state, by, next), depth + 1) {
                Some(memo) => self.enter_next(next, by, memo, depth + 1),
                None => ControlFlow::Continue(()),
            }
        });
        if let ControlFlow::Break(End::Found) = end { self.found(state) } else { end }
    }

    #[inline(never)]
    fn enter_next(&mut self, state: S::State, by: S::Move, memo: H::Memo, depth: u32) -> ControlFlow<End> {
        self.enter(state, Some(by), memo, depth)
    }

    /// Notes a state of the plan; those after it are noted.
    fn found(&mut self, state: S::State) -> ControlFlow<End> {
        ControlFlow::Break(self.plan.push(state).map_or_else(End::from, |()| End::Found))
    }

    /// Counts an expansion that is about to be made.
    #[inline(always)]
    fn expand(&mut self, depth: u32) -> ControlFlow<End> {
        self.deepest = self.deepest.max(depth);
        if self.until_look == 0
            && let Err(limit) = self.look()
        {
            return ControlFlow::Break(End::Limit(limit));
        }
        self.until_look -= 1;
        self.work.expanded += 1;
        ControlFlow::Continue(())
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> Result<(), Limit> {
        self.count();
        self.until_look = self.meter.states_left().min(BURST);
        if self.until_look == 0 {
            return Err(Limit::States);
        }
        self.meter.look_now()
    }

    fn count(&mut self) {
        self.meter.add(std::mem::take(&mut self.work));
        self.meter.waiting(u64::from(self.deepest) + 1);
    }

    /// The same as [`enter`](Self::enter) for a state that has been counted, without calling itself.
    #[cold]
    #[inline(never)]
    fn enter_below(&mut self, state: S::State, last: Option<S::Move>, memo: H::Memo) -> ControlFlow<End> {
        let mut nodes = SegmentedVec::new(self.meter.memory());
        let mut path = SegmentedVec::new(self.meter.memory());
        let mut search = || -> Result<(), End> {
            self.push_successors(state, last, memo, CALLS, &mut nodes)?;
            while let Some(Node { state, by, memo, depth }) = nodes.pop() {
                while path.len() as u32 >= depth - CALLS {
                    path.pop();
                }
                path.push(state)?;
                if self.is_goal(state, memo) {
                    return Err(End::Found);
                }
                if let ControlFlow::Break(end) = self.expand(depth) {
                    return Err(end);
                }
                self.push_successors(state, Some(by), memo, depth, &mut nodes)?;
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
        memo: H::Memo,
        depth: u32,
        nodes: &mut SegmentedVec<Node<S, H>>,
    ) -> Result<(), Limit> {
        let (space, heuristic) = (self.space, self.heuristic);
        let mut successors = SegmentedVec::new(self.meter.memory());
        let mut end = Ok(());
        let _ = space.successors(state, last, |by, next| {
            self.work.generated += 1;
            let memo = self.unless_cut(heuristic.advance(memo, state, by, next), depth + 1);
            go_on(&mut end, || match memo {
                Some(memo) => Ok(successors.push(Node { state: next, by, memo, depth: depth + 1 })?),
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
    memo: H::Memo,
    depth: u32,
}

impl<S: StateSpace, H: Heuristic<S>> Clone for Node<S, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: StateSpace, H: Heuristic<S>> Copy for Node<S, H> {}
