//! IDA*: depth-first searches under a rising bound on the plan, with hardly any memory (Korf, 1985).
//!
//! Each iteration looks for a plan of at most `threshold` moves by depth plus heuristic; the next threshold is the least
//! sum that was cut off. The stack is explicit and booked on the budget, so depth cannot overflow it.
//!
//! With a transposition table, each known state carries a lower bound on its distance: the heuristic at first; `r + 1`
//! once it is entered with `r` moves left (if those do not reach a goal, that is what the failure proves; if they do,
//! the search is over); and on leaving, the least of what its successors say, plus one. A state is not entered again
//! with fewer moves left than its bound. The bounds hold from one iteration to the next (Reinefeld and Marsland, 1994).
//! When every known state has been entered, all that can be reached is known, and a goal is not among it: so a search
//! with a table ends on unsolvable puzzles too. Without a table, or once memory for more states is refused, it does
//! not, and it is for the budget to end it.

use std::ops::ControlFlow;

use crate::budget::{Budget, Limit, Meter};
use crate::heuristic::Heuristic;
use crate::memory::{Memory, OutOfMemory, SegmentedVec};
use crate::outcome::{Outcome, Verdict};
use crate::space::StateSpace;
use crate::visited::Table;
use crate::word::Word;

/// Searches without a table: a state is searched again each time it is met. For spaces where few ways lead to the same
/// state, and the budget must end it where no plan exists.
pub fn search<S: StateSpace, H: Heuristic<S>>(space: &S, heuristic: &H, budget: &Budget) -> Outcome<Vec<S::State>> {
    run(space, heuristic, budget, |_| Ok(None))
}

/// Searches with a table of all states met, as far as the memory allows; what does not fit is searched as without.
pub fn search_with_table<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    run(space, heuristic, budget, |memory| Bounds::new(memory).map(Some))
}

/// A sum of depth and bound that no plan has.
const NEVER: u32 = u32::MAX;

/// What is known of a state.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// No goal is nearer than this.
    bound: u32,
    entered: bool,
}

/// The transposition table.
struct Bounds<W> {
    known: Table<W, Known>,
    /// Known states that were never entered.
    to_enter: u64,
    /// Whether a state was left out for want of memory.
    full: bool,
}

impl<W: Word> Bounds<W> {
    fn new(memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self { known: Table::new(memory)?, to_enter: 0, full: false })
    }

    /// The bound of a state, which is noted with `bound` if it is new; and whether it was known.
    fn note(&mut self, state: W, bound: u32) -> (u32, bool) {
        if self.full {
            let known = self.known.get(state);
            return known.map_or((bound, false), |known| (known.bound, true));
        }
        let unseen = Known { bound, entered: false };
        match self.known.entry(state, unseen) {
            Ok((known, new)) => {
                self.to_enter += u64::from(new);
                (known.bound, !new)
            }
            Err(OutOfMemory) => {
                self.full = true;
                (bound, false)
            }
        }
    }

    /// Raises the bound of a state, if it is in the table.
    fn raise(&mut self, state: W, bound: u32, entered: bool) {
        if let Some(known) = self.known.get_mut(state) {
            known.bound = known.bound.max(bound);
            if entered && !known.entered {
                known.entered = true;
                self.to_enter -= 1;
            }
        }
    }

    /// Whether all that can be reached has been entered.
    fn closed(&self) -> bool {
        !self.full && self.to_enter == 0
    }
}

/// A state on the way from the start to the state at hand.
#[derive(Clone, Copy)]
struct Step<W> {
    state: W,
    /// The least sum of depth and bound that was cut off below it.
    least_cut: u32,
}

/// What is left to do, last first.
enum Task<S: StateSpace, H: Heuristic<S>> {
    Enter { state: S::State, by: Option<S::Move>, memo: H::Memo },
    Leave,
}

impl<S: StateSpace, H: Heuristic<S>> Clone for Task<S, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: StateSpace, H: Heuristic<S>> Copy for Task<S, H> {}

fn run<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    budget: &Budget,
    table: impl FnOnce(&Memory) -> Result<Option<Bounds<S::State>>, OutOfMemory>,
) -> Outcome<Vec<S::State>> {
    let mut meter = budget.meter();
    let mut threshold = 0;
    let deepen = || -> Result<_, Limit> {
        let mut bounds = table(meter.memory())?;
        loop {
            let mut least_cut = NEVER;
            let found = iterate(space, heuristic, &mut meter, bounds.as_mut(), threshold, &mut least_cut)?;
            if let Some(plan) = found {
                let cost = plan.len() as u32 - 1;
                return Ok(Verdict::Solved { plan, cost });
            }
            if least_cut == NEVER || bounds.as_ref().is_some_and(Bounds::closed) {
                return Ok(Verdict::Unsolvable);
            }
            threshold = least_cut;
        }
    };
    let verdict = deepen().unwrap_or_else(|limit| Verdict::Stopped { limit, lower_bound: threshold, best: None });
    Outcome { verdict, stats: meter.stats() }
}

/// One depth-first search for a plan of at most `threshold` moves.
fn iterate<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    meter: &mut Meter<'_>,
    mut bounds: Option<&mut Bounds<S::State>>,
    threshold: u32,
    least_cut: &mut u32,
) -> Result<Option<Vec<S::State>>, Limit> {
    let mut tasks = SegmentedVec::<Task<S, H>>::new(meter.memory());
    let mut way = SegmentedVec::<Step<S::State>>::new(meter.memory());
    // The bound of a state `depth` moves from the start on the plans through it, and whether the state was known.
    let sum_at = |bounds: &mut Option<&mut Bounds<_>>, state, depth, memo| {
        let bound = heuristic.bound(memo)?;
        let (known, met) = match bounds {
            Some(bounds) => bounds.note(state, bound),
            None => (bound, false),
        };
        Some((known.max(bound).saturating_add(depth), met))
    };

    let mut started = Ok(());
    space.initial(|state| {
        let memo = heuristic.memo(state);
        match sum_at(&mut bounds, state, 0, memo) {
            Some((sum, _)) if sum <= threshold => {
                let by = None;
                started = started.and(tasks.push(Task::Enter { state, by, memo }));
            }
            Some((sum, _)) => *least_cut = sum.min(*least_cut),
            None => {}
        }
    });
    started?;

    while let Some(task) = tasks.pop() {
        let Task::Enter { state, by, memo } = task else {
            let Some(left) = way.pop() else { break };
            if let Some(bounds) = &mut bounds {
                let bound = match left.least_cut {
                    NEVER => NEVER,
                    sum => sum - way.len() as u32,
                };
                bounds.raise(left.state, bound, false);
            }
            let above = way.last_mut().map_or(&mut *least_cut, |s| &mut s.least_cut);
            *above = left.least_cut.min(*above);
            continue;
        };
        let depth = way.len() as u32;
        if space.is_goal(state) {
            return Ok(Some(way.iter().map(|step| step.state).chain([state]).collect()));
        }
        if let Some(bounds) = &mut bounds {
            // Since it was put on the stack, it may have been entered by another way.
            let known = bounds.known.get(state).map_or(0, |known| known.bound);
            let sum = known.saturating_add(depth);
            if sum > threshold {
                meter.duplicate();
                let above = way.last_mut().map_or(&mut *least_cut, |s| &mut s.least_cut);
                *above = sum.min(*above);
                continue;
            }
            bounds.raise(state, threshold - depth + 1, true);
        }

        meter.expand()?;
        tasks.push(Task::Leave)?;
        let mut cut = NEVER;
        // A table and the leaving out of moves do not mix: a state entered after one move would count as done for all.
        let last = if bounds.is_some() { None } else { by };
        let mut admit = |by, next| -> Result<(), Limit> {
            meter.generate()?;
            let memo = heuristic.advance(memo, state, by, next);
            let Some((sum, met)) = sum_at(&mut bounds, next, depth + 1, memo) else {
                return Ok(());
            };
            if sum <= threshold {
                let by = Some(by);
                tasks.push(Task::Enter { state: next, by, memo })?;
            } else {
                cut = cut.min(sum);
                if met {
                    meter.duplicate();
                }
            }
            Ok(())
        };
        let flow = space.successors(state, last, |by, next| match admit(by, next) {
            Ok(()) => ControlFlow::Continue(()),
            Err(limit) => ControlFlow::Break(limit),
        });
        if let ControlFlow::Break(limit) = flow {
            return Err(limit);
        }
        way.push(Step { state, least_cut: cut })?;
        meter.waiting(tasks.len() as u64);
    }
    Ok(None)
}
