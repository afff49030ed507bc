//! Checks of what a space and a heuristic promise, for the tests of a puzzle.
//!
//! The searches rely on these laws, and most of them cannot be expressed by types. Each function
//! checks the laws of one trait on some states and returns the first [`Violation`], which names the
//! law and the state. [`reachable`] lists states to check.
//!
//! | function | laws |
//! | --- | --- |
//! | [`space`] | the same successors in the same order each time; breaks are returned; the width of states; [pruning](crate::Pruning); costs are in their range |
//! | [`graded`] | every move leads to the next layer |
//! | [`predecessors`] | the predecessors are the successors reversed, or in an undirected space the same; breaks are returned; they have the cost of the cheapest move |
//! | [`goals`] | the goals are the states that `is_goal` accepts |
//! | [`ranks`] | `unrank` is the inverse of `rank`, and ranks are in range |
//! | [`symmetry`] | images of states, moves, costs and goals |
//! | [`heuristic`] | the bound is admissible, and `update` agrees with `evaluate` |
//! | [`consistency`] | the bound decreases by at most the cost of a move |
//!
//! ```
//! use std::ops::ControlFlow;
//! use fewest_core::{StateSpace, Predecessors, check};
//!
//! /// Steps on a line of ten cells. The last cell has no way back.
//! struct Line;
//!
//! impl StateSpace for Line {
//!     type State = u8;
//!     type Move = i8;
//!     fn initial(&self, mut emit: impl FnMut(u8)) {
//!         emit(0)
//!     }
//!     fn is_goal(&self, cell: u8) -> bool {
//!         cell == 9
//!     }
//!     fn successors<B>(
//!         &self,
//!         cell: u8,
//!         _last: Option<i8>,
//!         mut emit: impl FnMut(i8, u8) -> ControlFlow<B>,
//!     ) -> ControlFlow<B> {
//!         if cell > 0 && cell < 9 {
//!             emit(-1, cell - 1)?;
//!         }
//!         if cell < 9 { emit(1, cell + 1) } else { ControlFlow::Continue(()) }
//!     }
//! }
//!
//! impl Predecessors for Line {
//!     const UNDIRECTED: bool = true;
//! }
//!
//! let states = check::reachable(&Line, 100);
//! assert_eq!(check::space(&Line, &states), Ok(()));
//! let violation = check::predecessors(&Line, &states).unwrap_err();
//! assert_eq!(violation.to_string(), "state 8: 9 is a successor, but 8 is no predecessor of 9");
//! ```

use std::collections::{HashMap, HashSet};
use std::num::NonZero;
use std::ops::ControlFlow;

use crate::budget::Budget;
use crate::heuristic::Heuristic;
use crate::outcome::Verdict;
use crate::search::Search;
use crate::space::cost::{self, CostRange};
use crate::space::{Goals, Predecessors, PruningKind, Ranked, StateSpace, cheapest_move};
use crate::symmetry::Symmetric;
use crate::word::Word;

/// A law that does not hold, and the state that shows it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("state {state:?}: {law}")]
pub struct Violation<W: std::fmt::Debug> {
    /// The state.
    pub state: W,
    /// What does not hold there.
    pub law: String,
}

/// The result of a check of the space `S`.
pub type Checked<S> = Result<(), Violation<<S as StateSpace>::State>>;

fn ensure<W: std::fmt::Debug>(
    holds: bool,
    state: W,
    law: impl FnOnce() -> String,
) -> Result<(), Violation<W>> {
    if holds { Ok(()) } else { Err(Violation { state, law: law() }) }
}

/// The first `max_states` states that a breadth-first search generates from the initial states.
pub fn reachable<S: StateSpace>(space: &S, max_states: usize) -> Vec<S::State> {
    let mut starts = Vec::new();
    space.initial(|state| starts.push(state));
    generated(starts, max_states, |state| states_of(&successors(space, state, None)))
}

/// The first `max_states` states that a breadth-first search generates from the goals, against the
/// moves.
pub fn near_goals<S: Goals + Predecessors>(space: &S, max_states: usize) -> Vec<S::State> {
    let mut goals = Vec::new();
    space.goals(|state| goals.push(state));
    generated(goals, max_states, |state| {
        let mut before = Vec::new();
        let _ = space.predecessors::<()>(state, |state| {
            before.push(state);
            ControlFlow::Continue(())
        });
        before
    })
}

fn generated<W: Word>(starts: Vec<W>, max_states: usize, expand: impl Fn(W) -> Vec<W>) -> Vec<W> {
    let (mut states, mut known) = (Vec::new(), HashSet::new());
    let mut add = |states: &mut Vec<_>, state| {
        if states.len() < max_states && known.insert(state) {
            states.push(state);
        }
    };
    starts.into_iter().for_each(|state| add(&mut states, state));
    let mut expanded = 0;
    while expanded < states.len() && states.len() < max_states {
        expand(states[expanded]).into_iter().for_each(|next| add(&mut states, next));
        expanded += 1;
    }
    states
}

fn successors<S: StateSpace>(
    space: &S,
    state: S::State,
    last: Option<S::Move>,
) -> Vec<(S::Move, S::State)> {
    let mut successors = Vec::new();
    let _ = space.successors::<()>(state, last, |by, next| {
        successors.push((by, next));
        ControlFlow::Continue(())
    });
    successors
}

/// A cost or a bound: infinity if there is none.
fn written(costs: CostRange, cost: Option<u32>) -> String {
    cost.map_or("infinity".to_owned(), |cost| costs.written(cost))
}

fn states_of<M, W: Copy>(successors: &[(M, W)]) -> Vec<W> {
    successors.iter().map(|&(_, state)| state).collect()
}

/// Checks the laws of [`StateSpace`].
///
/// [`Pruning::PathDependent`](crate::Pruning::PathDependent) allows more than a single state can
/// show: only that pruning adds no successor is checked then.
///
/// Time: for each state, the square of the number of its successors.
///
/// # Errors
/// The first violation.
pub fn space<S: StateSpace>(space: &S, states: &[S::State]) -> Checked<S> {
    let (bits, costs) = (space.state_bits(), CostRange::of(space));
    for &state in states {
        ensure(fits(state, bits), state, || {
            format!("it has more than `state_bits`, {bits}, bits")
        })?;
        let all = successors(space, state, None);
        let targets = states_of(&all);
        let again = states_of(&successors(space, state, None));
        ensure(again == targets, state, || {
            format!("its successors change between calls: {targets:?}, then {again:?}")
        })?;
        breaks(state, all.len(), "successors", |emit| {
            space.successors(state, None, |_, _| emit())
        })?;
        for (by, next) in all {
            let cost = cost::of(space, state, by);
            ensure(costs.contains(cost), state, || {
                format!("{}; it leads to {next:?}", costs.refusal(cost))
            })?;
            pruning(space, state, &targets, by, next)?;
        }
    }
    Ok(())
}

/// Whether all bits from `bits` upward are clear.
fn fits<W: Word>(state: W, bits: u32) -> bool {
    let mut bytes = vec![0; W::BYTES];
    state.write_le(&mut bytes);
    let set = |bit: u32| bytes[bit as usize / 8] >> (bit % 8) & 1 == 1;
    !(bits..W::BITS).any(set)
}

/// Checks that a method, which calls `emit` this many times, returns when it breaks, and returns
/// the break.
fn breaks<W: Copy + std::fmt::Debug>(
    state: W,
    calls: usize,
    method: &str,
    call: impl Fn(&mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<()>,
) -> Result<(), Violation<W>> {
    for last in 1..=calls {
        let mut made = 0;
        let flow = call(&mut || {
            made += 1;
            if made < last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        ensure(flow.is_break() && made == last, state, || {
            let returned = if flow.is_break() { "returned" } else { "not returned" };
            format!(
                "in `{method}`, `emit` broke in call {last} and was called {made} times; the break \
                 was {returned}"
            )
        })?;
    }
    Ok(())
}

/// Checks which successors of `next` are omitted after the move `by` from `state`, whose successors
/// are `siblings`.
fn pruning<S: StateSpace>(
    space: &S,
    state: S::State,
    siblings: &[S::State],
    by: S::Move,
    next: S::State,
) -> Checked<S> {
    let pruned = || states_of(&successors(space, next, Some(by)));
    let (kept, all) = (pruned(), states_of(&successors(space, next, None)));
    ensure(kept == pruned(), next, || {
        format!("after a move from {state:?}, its successors change between calls")
    })?;
    for target in all.iter().filter(|target| !kept.contains(target)) {
        let allowed = match S::PRUNING.kind() {
            PruningKind::PathDependent => true,
            PruningKind::TwoStep => *target == state || siblings.contains(target),
            PruningKind::Inverse => *target == state,
        };
        ensure(allowed, next, || {
            format!(
                "after a move from {state:?}, its successor {target:?} is omitted, which {:?} does \
                 not allow",
                S::PRUNING.kind()
            )
        })?;
    }
    if let Some(moves) = S::PRUNING.tags() {
        let kept_of_tag = successors(space, next, Some((moves.from)((moves.to)(by))));
        ensure(kept == states_of(&kept_of_tag), next, || {
            format!(
                "after a move from {state:?}, its successors are others than after that of its tag"
            )
        })?;
    }
    kept.iter().try_for_each(|target| {
        ensure(all.contains(target), next, || {
            format!("{target:?} is a successor only after a move from {state:?}")
        })
    })
}

/// Checks that every move from the first `max_states` states that a breadth-first search generates
/// leads to the next layer, as those of a [graded](StateSpace::is_graded) space do.
///
/// # Errors
/// The first violation.
pub fn graded<S: StateSpace>(space: &S, max_states: usize) -> Checked<S> {
    let mut depths = HashMap::new();
    space.initial(|state| {
        depths.insert(state, 0_u32);
    });
    for state in reachable(space, max_states) {
        let depth = depths[&state];
        for next in states_of(&successors(space, state, None)) {
            let next_depth = *depths.entry(next).or_insert(depth + 1);
            ensure(next_depth == depth + 1, state, || {
                format!("it is in layer {depth}, and its successor {next:?} in layer {next_depth}")
            })?;
        }
    }
    Ok(())
}

/// Checks that the predecessors are the successors reversed, that breaks are returned, for a space
/// that [is undirected](Predecessors::is_undirected) that a move undoes each move, and that
/// [`predecessors_with_costs`](Predecessors::predecessors_with_costs) emits the predecessors, each
/// with what the cheapest move from it [costs](cost).
///
/// # Errors
/// The first violation.
pub fn predecessors<S: Predecessors>(space: &S, states: &[S::State]) -> Checked<S> {
    let costs = CostRange::of(space);
    let before = |state| {
        let mut predecessors = Vec::new();
        let _ = space.predecessors::<()>(state, |before| {
            predecessors.push(before);
            ControlFlow::Continue(())
        });
        predecessors
    };
    for &state in states {
        breaks(state, before(state).len(), "predecessors", |emit| {
            space.predecessors(state, |_| emit())
        })?;
        for (_, next) in successors(space, state, None) {
            ensure(before(next).contains(&state), state, || {
                format!("{next:?} is a successor, but {state:?} is no predecessor of {next:?}")
            })?;
            let undone = || states_of(&successors(space, next, None)).contains(&state);
            ensure(!space.is_undirected() || undone(), state, || {
                format!("no move undoes the move to {next:?}, but the space is undirected")
            })?;
        }
        let (mut cheapest, mut found) = (HashMap::new(), HashMap::new());
        for earlier in before(state) {
            let step = cheapest_move(space, earlier, |next| next == state);
            ensure(step.is_some(), state, || {
                format!(
                    "{earlier:?} is a predecessor, but {state:?} is no successor of {earlier:?}"
                )
            })?;
            cheapest.extend(step.map(|step| (earlier, step.cost)));
        }
        let _ = space.predecessors_with_costs::<()>(state, |cost, earlier| {
            let least = found.entry(earlier).or_insert(cost);
            *least = cost.min(*least);
            ControlFlow::Continue(())
        });
        let mut all: Vec<_> = found.keys().chain(cheapest.keys()).copied().collect();
        all.sort_unstable();
        for earlier in all {
            let (found, least) = (found.get(&earlier), cheapest.get(&earlier));
            ensure(found == least, state, || {
                let [found, least] = [found, least].map(|cost| written(costs, cost.copied()));
                format!(
                    "its predecessor {earlier:?} has the cost {found}, but the cheapest move from \
                     there {least}"
                )
            })?;
        }
    }
    Ok(())
}

/// Checks that [`Goals::goals`] emits exactly the states that
/// [`is_goal`](StateSpace::is_goal) accepts, each once.
///
/// # Errors
/// The first violation.
pub fn goals<S: Goals>(space: &S, states: &[S::State]) -> Checked<S> {
    let (mut goals, mut known) = (Vec::new(), HashSet::new());
    space.goals(|goal| goals.push(goal));
    for &goal in &goals {
        ensure(space.is_goal(goal), goal, || "a listed goal, but `is_goal` refuses it".to_owned())?;
        ensure(known.insert(goal), goal, || "a goal that is listed twice".to_owned())?;
    }
    for &state in states {
        ensure(!space.is_goal(state) || known.contains(&state), state, || {
            "`is_goal` accepts it, but it is not listed as a goal".to_owned()
        })?;
    }
    Ok(())
}

/// Checks the laws of [`Ranked`].
///
/// # Errors
/// The first violation.
pub fn ranks<S: Ranked>(space: &S, states: &[S::State]) -> Checked<S> {
    // Without ranks no other method may be called.
    let Some(ranks) = space.ranks() else { return Ok(()) };
    for &state in states {
        let rank = space.rank(state);
        ensure(rank < ranks, state, || format!("its rank is {rank} of {ranks}"))?;
        let unranked = space.unrank(rank);
        ensure(unranked == state, state, || {
            format!("its rank is {rank}, which is the rank of {unranked:?}")
        })?;
    }
    Ok(())
}

/// Checks the laws of [`Symmetric`].
///
/// # Errors
/// The first violation.
pub fn symmetry<S: Symmetric<Move: PartialEq>>(space: &S, states: &[S::State]) -> Checked<S> {
    for &state in states {
        let orbit = space.orbit(state);
        let of_state = successors(space, state, None);
        for symmetry in 1..space.order() {
            symmetry_of(space, state, symmetry, &orbit, &of_state)?;
        }
        let (canonical, symmetry) = space.canonical(state);
        let image = if symmetry == 0 { state } else { space.image(state, symmetry) };
        ensure((canonical, canonical) == (orbit[0], image), state, || {
            format!(
                "its canonical form is {canonical:?} by symmetry {symmetry}, which maps it to \
                 {image:?}; the least image is {:?}",
                orbit[0]
            )
        })?;
        let mut emitted = Vec::new();
        let _ = space.canonical_successors::<()>(state, None, |by, image, canonical| {
            emitted.push((by, image, canonical));
            ControlFlow::Continue(())
        });
        let expected = of_state.into_iter().map(|(by, next)| {
            let (canonical, symmetry) = space.canonical(next);
            (by, if symmetry == 0 { by } else { space.image_of_move(by, symmetry) }, canonical)
        });
        ensure(emitted.into_iter().eq(expected), state, || {
            "`canonical_successors` differs from `successors` and `canonical`".to_owned()
        })?;
    }
    Ok(())
}

/// Checks the image of a state, which has this orbit and these successors.
fn symmetry_of<S: Symmetric<Move: PartialEq>>(
    space: &S,
    state: S::State,
    symmetry: u32,
    orbit: &[S::State],
    of_state: &[(S::Move, S::State)],
) -> Checked<S> {
    let range = CostRange::of(space);
    let image = space.image(state, symmetry);
    ensure(space.orbit(image) == orbit, state, || {
        format!(
            "its images are {orbit:?}, and those of its image {image:?} are {:?}, so that the \
             symmetries are no group",
            space.orbit(image)
        )
    })?;
    ensure(space.is_goal(state) == space.is_goal(image), state, || {
        format!("of it and its image {image:?}, one is a goal")
    })?;
    let of_image = successors(space, image, None);
    for &(by, next) in of_state {
        let mirrored = (space.image_of_move(by, symmetry), space.image(next, symmetry));
        ensure(of_image.contains(&mirrored), state, || {
            format!(
                "{next:?} is a successor, but its image {:?} is no successor of the image \
                 {image:?} by the image of the move",
                mirrored.1
            )
        })?;
        let costs = (cost::of(space, state, by), cost::of(space, image, mirrored.0));
        ensure(costs.0 == costs.1, state, || {
            let [of_move, of_image] = [costs.0, costs.1].map(|cost| range.written(cost));
            format!("the move to {next:?} costs {of_move}, and its image {of_image}")
        })?;
    }
    ensure(of_image.len() == of_state.len(), state, || {
        let (own, images) = (of_state.len(), of_image.len());
        format!("it has {own} successors, and its image {image:?} has {images}")
    })
}

/// Checks that a heuristic is admissible and that [`update`](Heuristic::update) agrees with
/// [`evaluate`](Heuristic::evaluate).
///
/// From each state a breadth-first search within `budget` finds the distance to the goals. If a
/// limit stops it, the bound of that state is not checked. States near the goals need short
/// searches: [`near_goals`] lists them.
///
/// # Errors
/// The first violation; or the first state, if a limit stopped the searches from all states.
pub fn heuristic<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    states: &[S::State],
    budget: &Budget,
) -> Checked<S> {
    let bound_of = |state| heuristic.bound(heuristic.evaluate(state));
    let (costs, mut stopped) = (CostRange::of(space), 0);
    for &state in states {
        let bound = bound_of(state);
        let starts = [state];
        let search = Search::new(space).starting_from(&starts);
        let outcome = search.threads(NonZero::<usize>::MIN).budget(budget).run();
        stopped += usize::from(matches!(outcome.verdict, Verdict::Stopped { .. }));
        if let Verdict::Solved { cost, .. } = outcome.verdict {
            ensure(bound.is_some_and(|bound| bound <= cost), state, || {
                let [bound, cost] = [bound, Some(cost)].map(|cost| written(costs, cost));
                format!("the bound is {bound}, but a goal is at a distance of {cost}")
            })?;
        }
        for (by, next) in successors(space, state, None) {
            let updated =
                heuristic.bound(heuristic.update(|| heuristic.evaluate(state), state, by, next));
            ensure(updated == bound_of(next), state, || {
                let [updated, own] = [updated, bound_of(next)].map(|bound| written(costs, bound));
                format!("`update` to {next:?} gives the bound {updated}, `evaluate` {own}")
            })?;
        }
    }
    states.first().map_or(Ok(()), |&first| {
        ensure(stopped < states.len(), first, || {
            "a limit stopped the search from each state, so no bound was checked".to_owned()
        })
    })
}

/// Checks that a heuristic is consistent: its bound decreases by at most the cost of a move. No
/// search requires it, but A* expands no state twice then.
///
/// # Errors
/// The first violation.
pub fn consistency<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    states: &[S::State],
) -> Checked<S> {
    let costs = CostRange::of(space);
    let bound_of = |state| heuristic.bound(heuristic.evaluate(state));
    for &state in states {
        let bound = bound_of(state);
        for (by, next) in successors(space, state, None) {
            let next_bound = bound_of(next);
            let cost = cost::of(space, state, by);
            let keeps = match (bound, next_bound) {
                (Some(bound), Some(next_bound)) => bound <= next_bound.saturating_add(cost),
                // Without a bound it is infinite.
                (bound, next_bound) => bound.is_some() || next_bound.is_none(),
            };
            ensure(keeps, state, || {
                let [bound, next_bound] = [bound, next_bound].map(|bound| written(costs, bound));
                let cost = costs.written(cost);
                format!(
                    "the bound falls from {bound} to {next_bound} at {next:?}, and the move costs \
                     {cost}"
                )
            })?;
        }
    }
    Ok(())
}
