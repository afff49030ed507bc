//! IDA* with a transposition table.
//!
//! # Bounds
//!
//! The table stores a lower bound on the distance of each known state. It starts as the heuristic's
//! bound. When a state is entered with `r` moves left, the bound rises to `r + 1`: either the
//! search below fails, which proves that bound, or it finds a plan and the whole search ends. When
//! the state is left, the bound rises to the least bound of its successors plus 1. A successor is
//! skipped if its bound exceeds the moves left. The bounds stay valid from one iteration to the
//! next (Reinefeld and Marsland, "Enhanced iterative-deepening search", 1994).
//!
//! # Spaces without a plan
//!
//! If all known states have been expanded and none is a goal, no plan exists. Deepening alone would
//! need about as many iterations as there are moves to the farthest state. Therefore, once the
//! iterations have repeated at least as many expansions as the table has states, the search expands
//! states that no iteration has expanded yet, in any order, with at most as many expansions as were
//! repeated. That phase, called
//! closing, ends when all states are expanded, when it generates a goal, which proves that
//! deepening will find a plan, or when its expansions are used up. It costs at most as much as the
//! repetitions. It runs only while the table can still grow twice, which is up to about a third of
//! the memory limit, so that the states that it adds do not displace those of the iterations.
//!
//! # Full table
//!
//! If memory for another state is refused, the search continues without new entries, for ten times
//! as many expansions as the table has states, and then stops with [`Limit::Memory`]. So a search
//! with a table ends even if no plan exists, provided that the space is finite or the memory is
//! limited.

use std::ops::ControlFlow;

use super::NO_PLAN;
use crate::budget::{Budget, Limit, Meter};
use crate::expansion::{continue_if_ok, expanded};
use crate::heuristic::Heuristic;
use crate::memory::{Block, Memory, OutOfMemory, SegmentedVec};
use crate::outcome::{Outcome, Verdict};
use crate::search::stepped::{self, Stepped};
use crate::search::steps::{Node, Step};
use crate::space::StateSpace;
use crate::space::cost::{self, CostRange};
use crate::visited::Table;
use crate::word::Word;

/// Searches with an admissible heuristic and a transposition table. Ends with
/// [`Unsolvable`](Verdict::Unsolvable) if no plan exists and the table can hold all reachable
/// states.
///
/// The search does not pass the last move to `successors`, so no
/// [`PRUNING`](StateSpace::PRUNING) applies.
///
/// Time: each iteration expands every state whose depth plus bound is within the threshold at least
/// once. A state that is reached by a shorter path than before can be expanded again. The
/// expansions that detect that no plan exists are at most as many as those that iterations
/// repeated. Where moves have costs, the threshold can rise by as little as a cycle costs, so that
/// a dear move behind a cheap cycle takes many iterations: A* has no such case.
///
/// Memory: `size_of::<State>() + 8` bytes for each known state, times 5/4 to 35/16 ([`Table`]). In
/// addition, one state, one evaluation and 4 bytes for each successor that is not visited yet, and
/// one state and 8 bytes for each move of the path. If the memory limit refuses more entries, the
/// search continues without them for ten times as many expansions as the table has states.
///
/// If a limit stops the search, the lower bound is the threshold of the current iteration, or of
/// the next one if closing was stopped.
pub fn search<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    search_from(space, None, heuristic, budget)
}

/// The same from other states.
pub(in crate::search) fn search_from<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    starts: Option<&[S::State]>,
    heuristic: &H,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    let mut meter = budget.meter();
    match TableSearch::new(space, starts, heuristic, &meter) {
        Ok(mut search) => stepped::run(&mut search, &mut meter),
        Err(limit) => Outcome::stopped(limit, budget),
    }
}

/// A search that has expanded nothing.
pub(in crate::search) fn new_search<'a, S: StateSpace, H: Heuristic<S>>(
    space: &'a S,
    starts: Option<&'a [S::State]>,
    heuristic: &'a H,
    meter: &Meter<'_>,
) -> Result<Box<dyn Stepped<S::State> + 'a>, Limit> {
    Ok(Box::new(TableSearch::new(space, starts, heuristic, meter)?))
}

/// Once the table is full: the number of further expansions per state of the table.
const EXPANSIONS_PER_STATE_WHEN_FULL: u64 = 10;

#[derive(Clone, Copy, Debug, Default)]
struct TableEntry {
    /// A lower bound on the distance.
    bound: u32,
    expanded: bool,
}

struct TranspositionTable<W> {
    entries: Table<W, TableEntry>,
    /// The number of states in the table that were never expanded.
    unexpanded: u64,
    /// Whether a state was not inserted because memory was refused.
    full: bool,
    /// The number of expansions since the table became full.
    expanded_when_full: u64,
}

impl<W: Word> TranspositionTable<W> {
    fn new(memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self { entries: Table::new(memory)?, unexpanded: 0, full: false, expanded_when_full: 0 })
    }

    /// Inserts a state with `bound` if it is not in the table. Returns its bound, and whether it
    /// was in the table before.
    fn entry(&mut self, state: W, bound: u32) -> (u32, bool) {
        if self.full {
            let entry = self.entries.get(state);
            return entry.map_or((bound, false), |entry| (entry.bound, true));
        }
        match self.entries.entry(state, TableEntry { bound, expanded: false }) {
            Ok((entry, new)) => {
                self.unexpanded += u64::from(new);
                (entry.bound, !new)
            }
            Err(OutOfMemory) => {
                self.full = true;
                (bound, false)
            }
        }
    }

    /// Marks a state as expanded. Returns whether it is in the table and was not expanded before.
    ///
    /// # Errors
    /// If the table is full and the expansions allowed since then are used up.
    fn mark_expanded(&mut self, state: W) -> Result<bool, OutOfMemory> {
        self.expanded_when_full += u64::from(self.full);
        if self.expanded_when_full > EXPANSIONS_PER_STATE_WHEN_FULL * self.entries.len() as u64 {
            return Err(OutOfMemory);
        }
        let first = self
            .entries
            .get_mut(state)
            .is_some_and(|entry| !std::mem::replace(&mut entry.expanded, true));
        self.unexpanded -= u64::from(first);
        Ok(first)
    }

    /// The states in the table that were never expanded, in ascending order; `None` if there is no
    /// memory for the list.
    fn unexpanded_states(&self, memory: &Memory) -> Option<Block<W>> {
        let bytes = self.unexpanded.saturating_mul(size_of::<W>() as u64);
        if !self.can_grow_twice(bytes, memory) {
            return None;
        }
        let mut states = Block::filled(W::ZERO, self.unexpanded as usize, memory).ok()?;
        let unexpanded = self.entries.iter().filter(|(_, entry)| !entry.expanded);
        states.iter_mut().zip(unexpanded).for_each(|(slot, (state, _))| *slot = state);
        // No count may depend on the order of the table.
        states.sort_unstable();
        Some(states)
    }

    /// Whether the table can grow twice more, next to `bytes` for something else: once for the
    /// states of closing and once for those of the iterations.
    fn can_grow_twice(&self, bytes: u64, memory: &Memory) -> bool {
        // Each growth adds three quarters, so two of them give 49/16 of the current slots.
        let growth = self.entries.bytes().saturating_mul(33) / 16;
        let needed = memory.held_bytes().saturating_add(growth).saturating_add(bytes);
        !self.full && needed <= memory.limit_bytes()
    }

    /// Raises the bound of a state to at least `bound`, if it is in the table.
    fn raise_bound(&mut self, state: W, bound: u32) {
        if let Some(entry) = self.entries.get_mut(state) {
            entry.bound = entry.bound.max(bound);
        }
    }

    /// Whether all reachable states are in the table and expanded.
    fn is_closed(&self) -> bool {
        !self.full && self.unexpanded == 0
    }
}

/// A state on the current path.
#[derive(Clone, Copy)]
struct PathEntry<W> {
    state: W,
    depth: u32,
    /// The least sum of depth and bound that was cut off below the state.
    least_cut: u32,
}

/// An entry of the explicit stack: a state to enter, or the end of the path to leave.
enum StackItem<S: StateSpace, H: Heuristic<S>> {
    Enter { state: S::State, depth: u32, evaluation: H::Evaluation },
    Leave,
}

impl<S: StateSpace, H: Heuristic<S>> Clone for StackItem<S, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: StateSpace, H: Heuristic<S>> Copy for StackItem<S, H> {}

struct TableSearch<'a, S: StateSpace, H: Heuristic<S>> {
    space: &'a S,
    /// Instead of the initial states.
    starts: Option<&'a [S::State]>,
    heuristic: &'a H,
    costs: CostRange,
    table: TranspositionTable<S::State>,
    /// The greatest number of moves of a plan that this iteration looks for.
    threshold: u32,
    /// Whether the initial states of the iteration were pushed.
    is_iterating: bool,
    stack: SegmentedVec<StackItem<S, H>>,
    path: SegmentedVec<PathEntry<S::State>>,
    /// The least sum of depth and bound that this iteration cut off.
    least_cut: u32,
    /// Repeated expansions, minus the expansions of closing.
    repeated: u64,
    /// Whether closing has generated a goal, so that a plan exists.
    solvable: bool,
    closing: Option<Closing<S::State>>,
    /// Every plan costs at least this.
    lower_bound: u32,
    /// The plan that was found, and its cost.
    plan: Option<(Vec<S::State>, u32)>,
}

/// The states that closing has still to expand.
struct Closing<W> {
    /// What the iterations have not expanded: those before `at` are done.
    unexpanded: Block<W>,
    at: usize,
    generated: SegmentedVec<W>,
}

/// How a part of the search ended.
enum Part {
    /// The expansions that were allowed are used up.
    Paused,
    Done,
}

impl<S: StateSpace, H: Heuristic<S>> Stepped<S::State> for TableSearch<'_, S, H> {
    fn advance(
        &mut self,
        expansions: u64,
        mut step: Option<&mut Step<S::State>>,
        meter: &mut Meter<'_>,
    ) -> Result<ControlFlow<()>, Limit> {
        let mut left = expansions;
        loop {
            if self.closing.is_none() {
                if let Part::Paused = self.iterate(&mut left, step.as_deref_mut(), meter)? {
                    return Ok(ControlFlow::Continue(()));
                }
                if self.plan.is_some() || self.least_cut == NO_PLAN {
                    return Ok(ControlFlow::Break(()));
                }
                if !const { S::COSTS.are_unit() } && self.least_cut == NO_PLAN - 1 {
                    return Err(Limit::Encoding);
                }
                self.lower_bound = self.least_cut;
                meter.set_depth(self.least_cut);
                self.begin_closing(meter.memory());
            }
            if let Part::Paused = self.close(&mut left, step.as_deref_mut(), meter)? {
                return Ok(ControlFlow::Continue(()));
            }
            self.closing = None;
            if self.table.is_closed() {
                return Ok(ControlFlow::Break(()));
            }
            self.threshold = self.least_cut;
        }
    }

    fn lower_bound(&self) -> u32 {
        self.lower_bound
    }

    fn knows_parents(&self) -> bool {
        true
    }

    fn open(&self, emit: &mut dyn FnMut(Node<S::State>)) {
        let mut path = self.path.iter().rev().map(|entry| entry.state);
        let mut parent = path.next();
        for item in self.stack.iter().rev() {
            match item {
                StackItem::Leave => parent = path.next(),
                StackItem::Enter { state, depth, evaluation } => {
                    let bound = self.bound(state, evaluation);
                    emit(Node { depth, bound, parent, ..Node::new(state) });
                }
            }
        }
    }

    fn end(
        &mut self,
        result: Result<(), Limit>,
        _: &mut Meter<'_>,
    ) -> Result<Verdict<Vec<S::State>>, Limit> {
        result.map(|()| match self.plan.take() {
            Some((plan, cost)) => Verdict::Solved { plan, cost },
            None => Verdict::Unsolvable,
        })
    }
}

impl<'a, S: StateSpace, H: Heuristic<S>> TableSearch<'a, S, H> {
    fn new(
        space: &'a S,
        starts: Option<&'a [S::State]>,
        heuristic: &'a H,
        meter: &Meter<'_>,
    ) -> Result<Self, Limit> {
        Ok(Self {
            space,
            starts,
            heuristic,
            costs: CostRange::of(space),
            table: TranspositionTable::new(meter.memory())?,
            threshold: 0,
            is_iterating: false,
            stack: SegmentedVec::new(meter.memory()),
            path: SegmentedVec::new(meter.memory()),
            least_cut: NO_PLAN,
            repeated: 0,
            solvable: false,
            closing: None,
            lower_bound: 0,
            plan: None,
        })
    }

    /// Looks for a plan of at most `threshold` moves, depth first.
    fn iterate(
        &mut self,
        left: &mut u64,
        mut step: Option<&mut Step<S::State>>,
        meter: &mut Meter<'_>,
    ) -> Result<Part, Limit> {
        if !self.is_iterating {
            self.least_cut = NO_PLAN;
            self.push_initial()?;
            self.is_iterating = true;
        }
        while *left > 0 {
            match self.stack.pop() {
                Some(StackItem::Enter { state, depth, .. }) if self.space.is_goal(state) => {
                    let path = self.path.iter().map(|entry| entry.state);
                    self.plan = Some((path.chain([state]).collect(), depth));
                    return Ok(Part::Done);
                }
                Some(StackItem::Enter { state, depth, evaluation }) => {
                    if let Some(step) = &mut step {
                        let bound = self.bound(state, evaluation);
                        let parent = self.path.iter().next_back().map(|entry| entry.state);
                        step.begin(
                            Node { depth, bound, parent, ..Node::new(state) },
                            self.threshold,
                        );
                    }
                    self.enter(state, depth, evaluation, meter)?;
                    *left -= 1;
                    if *left == 0 {
                        meter.report_step(self.lower_bound, &state);
                    }
                    if let Some(step) = &mut step {
                        self.note_new(step);
                    }
                }
                Some(StackItem::Leave) => self.leave(),
                None => {
                    self.is_iterating = false;
                    return Ok(Part::Done);
                }
            }
        }
        Ok(Part::Paused)
    }

    /// Notes the states that the last expansion has put on the stack.
    fn note_new(&self, step: &mut Step<S::State>) {
        for item in self.stack.iter().rev() {
            let StackItem::Enter { state, depth, evaluation } = item else { break };
            let bound = self.bound(state, evaluation);
            step.add(Node { depth, bound, ..Node::new(state) });
        }
        step.new.reverse();
    }

    /// What is known of a state that is on the stack.
    fn bound(&self, state: S::State, evaluation: H::Evaluation) -> u32 {
        let stored = self.table.entries.get(state).map_or(0, |entry| entry.bound);
        self.heuristic.bound(evaluation).map_or(stored, |bound| bound.max(stored))
    }

    /// Pushes the initial states that are within the threshold.
    fn push_initial(&mut self) -> Result<(), Limit> {
        let Self { space, starts, heuristic, table, threshold, stack, least_cut, .. } = self;
        let mut result = Ok(());
        let mut push = |state| {
            let evaluation = heuristic.evaluate(state);
            match plan_bound(*heuristic, table, state, 0, evaluation) {
                Some((sum, _)) if sum <= *threshold => {
                    let item = StackItem::Enter { state, depth: 0, evaluation };
                    result = result.and(stack.push(item));
                }
                Some((sum, _)) => *least_cut = sum.min(*least_cut),
                None => {}
            }
        };
        match starts {
            Some(starts) => starts.iter().copied().for_each(push),
            None => space.initial(&mut push),
        }
        Ok(result?)
    }

    fn enter(
        &mut self,
        state: S::State,
        depth: u32,
        evaluation: H::Evaluation,
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit> {
        self.table.raise_bound(state, self.threshold - depth + 1);
        self.repeated += u64::from(!self.table.mark_expanded(state)?);

        meter.expand()?;
        self.stack.push(StackItem::Leave)?;
        let mut least_cut = NO_PLAN;
        let Self { space, heuristic, costs, table, threshold, stack, .. } = self;
        let mut admit = |by, next| -> Result<(), Limit> {
            meter.generate()?;
            let evaluation = heuristic.update(|| evaluation, state, by, next);
            let depth = cost::add::<S>(*costs, depth, cost::of(*space, state, by))?;
            match plan_bound(*heuristic, table, next, depth, evaluation) {
                Some((sum, _)) if sum <= *threshold => {
                    stack.push(StackItem::Enter { state: next, depth, evaluation })?
                }
                Some((sum, known)) => {
                    least_cut = least_cut.min(sum);
                    if known {
                        meter.duplicate();
                    }
                }
                None => {}
            }
            Ok(())
        };
        let mut result = Ok(());
        // No move pruning: the bound that the table stores for a state has to hold whichever move
        // led to it.
        let flow = space
            .successors(state, None, |by, next| continue_if_ok(&mut result, || admit(by, next)));
        expanded(flow, result)?;
        self.path.push(PathEntry { state, depth, least_cut })?;
        meter.note_frontier(self.stack.len() as u64);
        Ok(())
    }

    /// Removes the last state of the path, whose successors are all done, and raises its bound.
    fn leave(&mut self) {
        if let Some(PathEntry { state, depth, least_cut }) = self.path.pop() {
            self.table
                .raise_bound(state, if least_cut == NO_PLAN { NO_PLAN } else { least_cut - depth });
            self.note_cut(least_cut);
        }
    }

    /// Prepares the expansion of states that no iteration has expanded, if enough was repeated.
    fn begin_closing(&mut self, memory: &Memory) {
        let is_due = !self.solvable && self.repeated >= self.table.entries.len() as u64;
        let unexpanded = is_due.then(|| self.table.unexpanded_states(memory)).flatten();
        self.closing = unexpanded.map(|unexpanded| Closing {
            unexpanded,
            at: 0,
            generated: SegmentedVec::new(memory),
        });
    }

    /// Expands these states, for at most as many expansions as were repeated. Proves that no plan
    /// exists if the table is closed afterwards.
    fn close(
        &mut self,
        left: &mut u64,
        mut step: Option<&mut Step<S::State>>,
        meter: &mut Meter<'_>,
    ) -> Result<Part, Limit> {
        let Self { space, heuristic, table, repeated, solvable, closing, lower_bound, .. } = self;
        let Some(Closing { unexpanded, at, generated }) = closing else { return Ok(Part::Done) };
        let memory = meter.memory().clone();
        loop {
            if *left == 0 {
                return Ok(Part::Paused);
            }
            let Some(state) = generated.pop().or_else(|| {
                *at += 1;
                unexpanded.get(*at - 1).copied()
            }) else {
                return Ok(Part::Done);
            };
            *solvable = space.is_goal(state);
            if *solvable || *repeated == 0 {
                return Ok(Part::Done);
            }
            *repeated -= 1;
            meter.expand()?;
            *left -= 1;
            if let Some(step) = &mut step {
                step.begin(Node::new(state), *lower_bound);
                step.is_closing = true;
            }
            let mut admit = |next| -> Result<(), Limit> {
                meter.generate()?;
                if !table.can_grow_twice(0, &memory) {
                    return Err(Limit::Memory);
                }
                let bound = heuristic.bound(heuristic.evaluate(next));
                match bound.map(|bound| table.entry(next, bound)) {
                    Some((_, true)) => meter.duplicate(),
                    Some((bound, false)) => {
                        // If the list has no room, a later call expands the state.
                        let _ = generated.push(next);
                        if let Some(step) = &mut step {
                            step.add(Node { bound, ..Node::new(next) });
                        }
                    }
                    None => {}
                }
                Ok(())
            };
            let mut result = Ok(());
            let flow = space
                .successors(state, None, |_, next| continue_if_ok(&mut result, || admit(next)));
            if *left == 0 {
                meter.report_step(*lower_bound, &state);
            }
            match expanded(flow, result) {
                // Not all successors of the state are in the table, so it stays unexpanded.
                Err(Limit::Memory) => return Ok(Part::Done),
                result => result?,
            }
            table.mark_expanded(state)?;
        }
    }

    /// Notes a sum that was cut off below the last state of the path.
    fn note_cut(&mut self, sum: u32) {
        let least = self.path.last_mut().map_or(&mut self.least_cut, |entry| &mut entry.least_cut);
        *least = sum.min(*least);
    }
}

/// A lower bound on the cost of every plan through a state that is generated at `depth`, and
/// whether the state was in the table before. `None` if no plan visits the state.
fn plan_bound<S: StateSpace, H: Heuristic<S>>(
    heuristic: &H,
    table: &mut TranspositionTable<S::State>,
    state: S::State,
    depth: u32,
    evaluation: H::Evaluation,
) -> Option<(u32, bool)> {
    let bound = heuristic.bound(evaluation)?;
    let (stored, known) = table.entry(state, bound);
    let bound = stored.max(bound);
    // A sum that does not fit must not look like a proof that there is no plan.
    let most =
        if bound == NO_PLAN || const { S::COSTS.are_unit() } { NO_PLAN } else { NO_PLAN - 1 };
    Some((bound.saturating_add(depth).min(most), known))
}
