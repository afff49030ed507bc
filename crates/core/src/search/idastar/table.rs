//! IDA* with a transposition table.
//!
//! Each known state carries a lower bound on its distance: the heuristic at first; `r + 1` once it
//! is entered with `r` moves left (if those do not reach a goal, that is what the failure proves;
//! if they do, the search is over); and on leaving, the least of what its successors say, plus one.
//! A successor is passed over where fewer moves are left than its bound. The bounds hold from one
//! iteration to the next (Reinefeld and Marsland, 1994).
//!
//! So a search with a table also ends where there is no plan: when every known state has been
//! expanded, all that can be reached is known, and a goal is not among it. Deepening alone would
//! come to that after as many iterations as the farthest state has moves. Therefore, whenever the
//! iterations have repeated more expansions than the table has states, as many again go into
//! expanding the states that no iteration has entered yet, in any order, until all are expanded or
//! a goal turns up, which says that there is a plan to deepen for. That costs at most as much as
//! the repetitions. It goes on only while the table can grow twice more, that is up to about a
//! third of the memory, so that the states met in this way do not take the room of those that
//! iterations meet.
//!
//! Once memory for more states is refused, the search goes on without room for them, for ten times
//! as many expansions as the table has states, and is then out of memory: so a search with a table
//! always ends. Without a table, a search without a plan does not, and it is for the budget to end
//! it.

use super::NEVER;
use crate::budget::{Budget, Limit, Meter, go_on};
use crate::heuristic::Heuristic;
use crate::memory::{Block, Memory, OutOfMemory, SegmentedVec};
use crate::outcome::{Outcome, Verdict};
use crate::space::StateSpace;
use crate::visited::Table;
use crate::word::Word;

/// Searches with a table of all states met, as far as the memory allows; what does not fit is
/// searched as without, for a while and if there is still room for the stack.
pub fn search<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    let mut meter = budget.meter();
    let mut lower_bound = 0;
    let verdict = deepen(space, heuristic, &mut meter, &mut lower_bound);
    let verdict =
        verdict.unwrap_or_else(|limit| Verdict::Stopped { limit, lower_bound, best: None });
    Outcome { verdict, stats: meter.stats() }
}

/// So many expansions a state of the table when it is full.
const BEYOND: u64 = 10;

/// What is known of a state.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// No goal is nearer than this.
    bound: u32,
    expanded: bool,
}

/// The transposition table.
struct Transpositions<W> {
    known: Table<W, Entry>,
    /// Known states that were never expanded.
    to_expand: u64,
    /// Whether a state was left out for want of memory.
    full: bool,
    /// Expansions since then.
    beyond: u64,
}

impl<W: Word> Transpositions<W> {
    fn new(memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self { known: Table::new(memory)?, to_expand: 0, full: false, beyond: 0 })
    }

    /// The bound of a state, which is noted with `bound` if it is new; and whether it was known.
    fn note(&mut self, state: W, bound: u32) -> (u32, bool) {
        if self.full {
            let known = self.known.get(state);
            return known.map_or((bound, false), |known| (known.bound, true));
        }
        let unseen = Entry { bound, expanded: false };
        match self.known.entry(state, unseen) {
            Ok((known, new)) => {
                self.to_expand += u64::from(new);
                (known.bound, !new)
            }
            Err(OutOfMemory) => {
                self.full = true;
                (bound, false)
            }
        }
    }

    /// A state is about to be expanded; whether it is so for the first time, as far as the table
    /// knows. An error if it went on without room for long enough.
    fn expand(&mut self, state: W) -> Result<bool, OutOfMemory> {
        self.beyond += u64::from(self.full);
        if self.beyond > BEYOND * self.known.len() as u64 {
            return Err(OutOfMemory);
        }
        let first = self
            .known
            .get_mut(state)
            .is_some_and(|known| !std::mem::replace(&mut known.expanded, true));
        self.to_expand -= u64::from(first);
        Ok(first)
    }

    /// The known states that were never expanded, in their order; `None` if there is no room for
    /// them.
    fn unexpanded(&self, memory: &Memory) -> Option<Block<W>> {
        let bytes = self.to_expand.saturating_mul(size_of::<W>() as u64);
        if !self.can_share(bytes, memory) {
            return None;
        }
        let mut states = Block::filled(W::ZERO, self.to_expand as usize, memory).ok()?;
        let unexpanded = self.known.iter().filter(|(_, known)| !known.expanded);
        states.iter_mut().zip(unexpanded).for_each(|(place, (state, _))| *place = state);
        // No count may rest on the order of the table.
        states.sort_unstable();
        Some(states)
    }

    /// Whether states that no iteration has met may be put into the table, beside so many bytes for
    /// something else: it can grow twice more then, once for them and once for what iterations
    /// meet.
    fn can_share(&self, bytes: u64, memory: &Memory) -> bool {
        // By three quarters each time: 49/16 of the slots of today.
        let growth = self.known.bytes().saturating_mul(33) / 16;
        let needed = memory.held_bytes().saturating_add(growth).saturating_add(bytes);
        !self.full && needed <= memory.limit_bytes()
    }

    /// Raises the bound of a state, if it is in the table.
    fn raise(&mut self, state: W, bound: u32) {
        if let Some(known) = self.known.get_mut(state) {
            known.bound = known.bound.max(bound);
        }
    }

    /// Whether all that can be reached has been expanded.
    fn closed(&self) -> bool {
        !self.full && self.to_expand == 0
    }
}

/// A state on the path from the start to the state at hand.
#[derive(Clone, Copy)]
struct PathNode<W> {
    state: W,
    /// The least sum of depth and bound that was cut off below it.
    least_cut: u32,
}

/// What is left to do, last first.
enum Task<S: StateSpace, H: Heuristic<S>> {
    Enter { state: S::State, evaluation: H::Evaluation },
    Leave,
}

impl<S: StateSpace, H: Heuristic<S>> Clone for Task<S, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: StateSpace, H: Heuristic<S>> Copy for Task<S, H> {}

fn deepen<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    meter: &mut Meter<'_>,
    lower_bound: &mut u32,
) -> Result<Verdict<Vec<S::State>>, Limit> {
    let mut search = Search {
        space,
        heuristic,
        bounds: Transpositions::new(meter.memory())?,
        threshold: 0,
        tasks: SegmentedVec::new(meter.memory()),
        path: SegmentedVec::new(meter.memory()),
        least_cut: NEVER,
        repeated: 0,
        solvable: false,
        meter,
    };
    loop {
        if let Some(plan) = search.iterate()? {
            let cost = plan.len() as u32 - 1;
            return Ok(Verdict::Solved { plan, cost });
        }
        if search.least_cut == NEVER {
            return Ok(Verdict::Unsolvable);
        }
        *lower_bound = search.least_cut;
        search.meter.set_depth(search.least_cut);
        if search.close()? {
            return Ok(Verdict::Unsolvable);
        }
        search.threshold = search.least_cut;
    }
}

struct Search<'a, 'b, S: StateSpace, H: Heuristic<S>> {
    space: &'a S,
    heuristic: &'a H,
    meter: &'a mut Meter<'b>,
    bounds: Transpositions<S::State>,
    /// The most moves that a plan of this iteration may have.
    threshold: u32,
    tasks: SegmentedVec<Task<S, H>>,
    path: SegmentedVec<PathNode<S::State>>,
    /// The least sum of depth and bound that this iteration cut off.
    least_cut: u32,
    /// Expansions of states that had been expanded before, less those that went into closing.
    repeated: u64,
    /// Whether closing has met a goal.
    solvable: bool,
}

impl<S: StateSpace, H: Heuristic<S>> Search<'_, '_, S, H> {
    /// Looks for a plan of at most `threshold` moves, depth first.
    fn iterate(&mut self) -> Result<Option<Vec<S::State>>, Limit> {
        self.least_cut = NEVER;
        self.start()?;
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Enter { state, .. } if self.space.is_goal(state) => {
                    let path = self.path.iter().map(|node| node.state);
                    return Ok(Some(path.chain([state]).collect()));
                }
                Task::Enter { state, evaluation } => self.enter(state, evaluation)?,
                Task::Leave => self.leave(),
            }
        }
        Ok(None)
    }

    fn start(&mut self) -> Result<(), Limit> {
        let Self { space, heuristic, bounds, threshold, tasks, least_cut, .. } = self;
        let mut started = Ok(());
        space.initial(|state| {
            let evaluation = heuristic.evaluate(state);
            match sum_through(*heuristic, bounds, state, 0, evaluation) {
                Some((sum, _)) if sum <= *threshold => {
                    started = started.and(tasks.push(Task::Enter { state, evaluation }));
                }
                Some((sum, _)) => *least_cut = sum.min(*least_cut),
                None => {}
            }
        });
        Ok(started?)
    }

    fn enter(&mut self, state: S::State, evaluation: H::Evaluation) -> Result<(), Limit> {
        let depth = self.path.len() as u32;
        self.bounds.raise(state, self.threshold - depth + 1);
        self.repeated += u64::from(!self.bounds.expand(state)?);

        self.meter.expand()?;
        self.tasks.push(Task::Leave)?;
        let mut least_cut = NEVER;
        let Self { space, heuristic, meter, bounds, threshold, tasks, .. } = self;
        let mut admit = |by, next| -> Result<(), Limit> {
            meter.generate()?;
            let evaluation = heuristic.update(evaluation, state, by, next);
            match sum_through(*heuristic, bounds, next, depth + 1, evaluation) {
                Some((sum, _)) if sum <= *threshold => {
                    tasks.push(Task::Enter { state: next, evaluation })?
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
        let mut end = Ok(());
        // A table and the leaving out of moves do not mix: a state entered after one move would
        // count as done for all.
        let _ = space.successors(state, None, |by, next| go_on(&mut end, || admit(by, next)));
        end?;
        self.path.push(PathNode { state, least_cut })?;
        self.meter.note_frontier(self.tasks.len() as u64);
        Ok(())
    }

    /// All below the last state of the path is done.
    fn leave(&mut self) {
        if let Some(PathNode { state, least_cut }) = self.path.pop() {
            let depth = self.path.len() as u32;
            self.bounds.raise(state, if least_cut == NEVER { NEVER } else { least_cut - depth });
            self.cut(least_cut);
        }
    }

    /// Expands states that no iteration has entered, for as long as that costs less than the
    /// repetitions; whether it is proved now that there is no plan.
    fn close(&mut self) -> Result<bool, Limit> {
        let Self { space, heuristic, meter, bounds, repeated, solvable, .. } = self;
        if *solvable || *repeated < bounds.known.len() as u64 {
            return Ok(bounds.closed());
        }
        let memory = meter.memory().clone();
        let Some(unexpanded) = bounds.unexpanded(&memory) else { return Ok(bounds.closed()) };
        let mut newly_met = SegmentedVec::new(&memory);
        let mut rest = unexpanded.iter();
        while let Some(state) = newly_met.pop().or_else(|| rest.next().copied()) {
            *solvable = space.is_goal(state);
            if *solvable || *repeated == 0 {
                break;
            }
            *repeated -= 1;
            meter.expand()?;
            let mut admit = |next| -> Result<(), Limit> {
                meter.generate()?;
                if !bounds.can_share(0, &memory) {
                    return Err(Limit::Memory);
                }
                let bound = heuristic.bound(heuristic.evaluate(next));
                match bound.map(|bound| bounds.note(next, bound)) {
                    Some((_, true)) => meter.duplicate(),
                    // What finds no room here waits for another time.
                    Some((_, false)) => drop(newly_met.push(next)),
                    None => {}
                }
                Ok(())
            };
            let mut end = Ok(());
            let _ = space.successors(state, None, |_, next| go_on(&mut end, || admit(next)));
            match end {
                // No more to share: not all that comes of this state is known, so it stays what it
                // was.
                Err(Limit::Memory) => break,
                end => end?,
            }
            bounds.expand(state)?;
        }
        Ok(bounds.closed())
    }

    /// Notes a sum that was cut off below the state at the end of the path.
    fn cut(&mut self, sum: u32) {
        let least = self.path.last_mut().map_or(&mut self.least_cut, |node| &mut node.least_cut);
        *least = sum.min(*least);
    }
}

/// What bounds every plan through a state that is met at `depth`, and whether the state was known
/// before. `None` if no plan leads through it.
fn sum_through<S: StateSpace, H: Heuristic<S>>(
    heuristic: &H,
    bounds: &mut Transpositions<S::State>,
    state: S::State,
    depth: u32,
    evaluation: H::Evaluation,
) -> Option<(u32, bool)> {
    let bound = heuristic.bound(evaluation)?;
    let (known, met) = bounds.note(state, bound);
    Some((known.max(bound).saturating_add(depth), met))
}
