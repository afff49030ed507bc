//! IDA* as it was first described: nothing is remembered but the path.
//!
//! A node of the stack is what its successors are made of: state, move, memo and depth. It is pushed when it is generated, if it
//! is not cut off, and whoever takes it writes its state into the path at its depth. The bound of a state is worked out once,
//! and `is_goal` is asked only where it is 0.

use std::ops::ControlFlow;

use super::NEVER;
use crate::budget::{Budget, Limit, Meter};
use crate::heuristic::Heuristic;
use crate::memory::{Memory, OutOfMemory, Stack};
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
    let mut meter = budget.meter();
    let mut lower_bound = 0;
    let verdict = deepen(space, heuristic, &mut meter, &mut lower_bound);
    let verdict = verdict.unwrap_or_else(|limit| Verdict::Stopped { limit, lower_bound, best: None });
    Outcome { verdict, stats: meter.stats() }
}

fn deepen<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    meter: &mut Meter<'_>,
    lower_bound: &mut u32,
) -> Result<Verdict<Vec<S::State>>, Limit> {
    let mut search = Search::new(space, heuristic, meter.memory());
    loop {
        search.start()?;
        while !search.nodes.is_empty() {
            let found = search.run(meter.states_left().min(BURST));
            meter.waiting(search.nodes.len() as u64);
            meter.add(std::mem::take(&mut search.work));
            if let Some(plan) = found? {
                let cost = plan.len() as u32 - 1;
                return Ok(Verdict::Solved { plan, cost });
            }
            meter.look_now()?;
            if meter.states_left() == 0 && !search.nodes.is_empty() {
                return Err(Limit::States);
            }
        }
        if search.least_cut == NEVER {
            return Ok(Verdict::Unsolvable);
        }
        *lower_bound = search.least_cut;
        search.threshold = search.least_cut;
    }
}

/// So many states are expanded before the clock is looked at.
const BURST: u64 = 1024;

/// A state that is to be entered.
struct Node<S: StateSpace, H: Heuristic<S>> {
    state: S::State,
    memo: H::Memo,
    depth: u32,
    by: Option<S::Move>,
}

impl<S: StateSpace, H: Heuristic<S>> Clone for Node<S, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: StateSpace, H: Heuristic<S>> Copy for Node<S, H> {}

struct Search<'a, S: StateSpace, H: Heuristic<S>> {
    space: &'a S,
    heuristic: &'a H,
    /// The most moves that a plan of this iteration may have.
    threshold: u32,
    /// The least sum of depth and bound that this iteration cut off.
    least_cut: u32,
    nodes: Stack<Node<S, H>>,
    /// The states from the start to the one that was entered last.
    path: Stack<S::State>,
    work: Stats,
}

impl<'a, S: StateSpace, H: Heuristic<S>> Search<'a, S, H> {
    fn new(space: &'a S, heuristic: &'a H, memory: &Memory) -> Self {
        let (nodes, path) = (Stack::new(memory), Stack::new(memory));
        Self { space, heuristic, threshold: 0, least_cut: NEVER, nodes, path, work: Stats::default() }
    }

    /// Puts the starts on the stack that are not cut off.
    fn start(&mut self) -> Result<(), OutOfMemory> {
        self.least_cut = NEVER;
        let mut started = Ok(());
        self.space.initial(|state| {
            let memo = self.heuristic.memo(state);
            let Some(bound) = self.heuristic.bound(memo) else { return };
            if bound <= self.threshold {
                started = started.and(self.nodes.push(Node { state, memo, depth: 0, by: None }));
            } else {
                self.least_cut = self.least_cut.min(bound);
            }
        });
        started
    }

    /// Enters at most so many states, and returns the plan if one of them is a goal.
    fn run(&mut self, states: u64) -> Result<Option<Vec<S::State>>, OutOfMemory> {
        let Self { space, heuristic, threshold, nodes, path, .. } = self;
        let (mut least_cut, mut expanded, mut generated) = (self.least_cut, 0, 0);
        let mut end = Ok(());
        let mut plan = None;
        while expanded < states
            && let Some(Node { state, memo, depth, by }) = nodes.pop()
        {
            path.truncate(depth as usize);
            end = path.push(state);
            if heuristic.bound(memo) == Some(0) && space.is_goal(state) {
                plan = end.is_ok().then(|| path.to_vec());
                break;
            }
            expanded += 1;
            let depth = depth + 1;
            let _ = space.successors(state, by, |by, next| {
                generated += 1;
                let memo = heuristic.advance(memo, state, by, next);
                if let Some(bound) = heuristic.bound(memo) {
                    let sum = bound.saturating_add(depth);
                    if sum <= *threshold {
                        end = end.and(nodes.push(Node { state: next, memo, depth, by: Some(by) }));
                        if end.is_err() {
                            return ControlFlow::Break(());
                        }
                    } else {
                        least_cut = least_cut.min(sum);
                    }
                }
                ControlFlow::Continue(())
            });
            if end.is_err() {
                break;
            }
        }
        self.least_cut = least_cut;
        self.work.expanded += expanded;
        self.work.generated += generated;
        end.map(|()| plan)
    }
}
