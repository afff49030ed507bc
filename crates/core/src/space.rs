//! The interface between puzzles and searches: [`StateSpace`], and traits for what else is known
//! about a space.
//!
//! Every search accepts a [`StateSpace`]. Further traits are optional:
//!
//! | trait | promise | allows |
//! | --- | --- | --- |
//! | [`Predecessors`] | a move undoes each move, or predecessors can be listed | plan recovery without a second expansion |
//! | [`Goals`] | goals can be listed | bidirectional search, [pattern databases](crate::pattern) |
//! | [`Ranked`] | states have a dense numbering | [visited sets](crate::visited) of bits |
//! | [`Heuristic`](crate::Heuristic) | a lower bound on the distance | A* and IDA* |
//! | [`Symmetric`](crate::Symmetric) | a group of symmetries | [symmetry reduction](crate::symmetry) |
//!
//! A complete space and a search in it:
//!
//! ```
//! use std::ops::ControlFlow;
//! use fewest_core::{StateSpace, search::Search};
//!
//! /// From 1 to 10 by adding 1 or doubling.
//! struct Numbers;
//!
//! impl StateSpace for Numbers {
//!     type State = u32;
//!     type Move = char;
//!     fn initial(&self, mut emit: impl FnMut(u32)) {
//!         emit(1)
//!     }
//!     fn is_goal(&self, state: u32) -> bool {
//!         state == 10
//!     }
//!     fn successors<B>(
//!         &self,
//!         state: u32,
//!         _last: Option<char>,
//!         mut emit: impl FnMut(char, u32) -> ControlFlow<B>,
//!     ) -> ControlFlow<B> {
//!         emit('+', state + 1)?;
//!         emit('*', state * 2)
//!     }
//! }
//!
//! let outcome = Search::new(&Numbers).run();
//! assert_eq!(outcome.optimal(), Some(&vec![1, 2, 4, 5, 10]));
//! ```

use std::ops::ControlFlow;

use crate::expansion::Breaks;
use crate::word::Word;

pub mod cost;
mod from_fn;

use cost::Costs;
pub use from_fn::{
    CostFn, EachOne, FromFn, GoalList, MoveCosts, PredecessorsFn, RankFns, Undirected, Unknown,
    from_fn,
};

/// Which successors a space omits if it gets the move that led to the state.
///
/// [`StateSpace::PRUNING`] declares it. Searches use it to decide whether they may pass the last
/// move to [`StateSpace::successors`]. Where a breadth-first search may, it keeps a [tag](Tags) for
/// each state.
#[derive(Clone, Copy, Debug)]
pub enum Pruning<M> {
    /// Any successor that another path from the start reaches in at most as many moves. A search
    /// with a visited set must not pass the last move: the other path may itself be pruned there.
    /// Only IDA* without a table passes it.
    PathDependent,
    /// Only the previous state, and states that one move from the previous state reaches. A
    /// breadth-first search has generated all of these before, so it may pass the last move. The
    /// number of omitted successors may depend on the order of the states within a layer. Parallel
    /// searches therefore do not pass the last move, so that their counts are reproducible.
    TwoStep(Tags<M>),
    /// Only the previous state. Sequential and parallel breadth-first searches pass the last move.
    Inverse(Tags<M>),
}

/// How a search keeps the move that led to a state: as a number of 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct Tags<M> {
    /// The tag of a move.
    pub to: fn(M) -> u32,
    /// The move of a tag: the inverse of `to`.
    pub from: fn(u32) -> M,
}

impl<M: Copy> Pruning<M> {
    /// The tags; `None` if a breadth-first search keeps no moves.
    #[inline(always)]
    pub const fn tags(self) -> Option<Tags<M>> {
        match self {
            Self::PathDependent => None,
            Self::TwoStep(tags) | Self::Inverse(tags) => Some(tags),
        }
    }

    /// Whether a search with one thread may pass the last move, and one with several.
    pub const fn kind(self) -> PruningKind {
        match self {
            Self::PathDependent => PruningKind::PathDependent,
            Self::TwoStep(_) => PruningKind::TwoStep,
            Self::Inverse(_) => PruningKind::Inverse,
        }
    }
}

/// [`Pruning`] without the moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PruningKind {
    /// No tags: a layered search must not pass the last move.
    #[default]
    PathDependent,
    /// As [`Pruning::TwoStep`].
    TwoStep,
    /// As [`Pruning::Inverse`].
    Inverse,
}

/// A state space: states, the moves between them, the initial states and the goal test.
///
/// The methods must be pure: the same arguments always give the same result. Searches rely on it to
/// recover plans.
pub trait StateSpace: Sync {
    /// A packed state. Equal states must have equal words.
    type State: Word;
    /// A move as the puzzle describes it. Use `()` if two neighbouring states determine the move
    /// between them.
    type Move: Copy + Send + Sync;

    /// Which successors [`successors`](Self::successors) omits if it gets the last move. The
    /// default is correct for every implementation that satisfies the contract of `successors`.
    ///
    /// With [`TwoStep`](Pruning::TwoStep) or [`Inverse`](Pruning::Inverse), breadth-first searches
    /// pass the last move. They then generate fewer states, and keep 4 bytes for each state of the
    /// frontier.
    const PRUNING: Pruning<Self::Move> = Pruning::PathDependent;

    /// What moves [cost]. Where they do not cost 1 each, only IDA* without a table
    /// prunes moves, and a successor that it omits must be reached by another path of at most the
    /// same cost.
    const COSTS: Costs<Self> = Costs::Unit;

    /// The number of low bits of a state that can be set in any state that a search generates. The
    /// default is all bits. With fewer, a [`CompactTable`](crate::visited::CompactTable) stores
    /// fewer bits per state; a state that has more can make it panic.
    fn state_bits(&self) -> u32 {
        Self::State::BITS
    }

    /// An estimate of the number of states that a search generates; 0 if it is unknown. A visited
    /// set may allocate room for as many states when it is created. The estimate affects time and
    /// memory, never the result.
    fn expected_states(&self) -> usize {
        0
    }

    /// Whether the space is graded: each state has a number that every move raises by one, and all
    /// initial states have the same; in a [`Symmetric`](crate::Symmetric) space, the image of a
    /// state, too. Peg solitaire is graded, since a jump removes a peg.
    ///
    /// No state is in two layers then. So a hash table of a breadth-first search or an exploration
    /// is emptied after each layer of some thousands of states, and states in files are not
    /// compared with those of earlier layers. If the promise does not hold, a search may count a
    /// state more than once and may not end; [`check::graded`](crate::check::graded) tests it.
    fn is_graded(&self) -> bool {
        false
    }

    /// Emits every initial state.
    fn initial(&self, emit: impl FnMut(Self::State));

    /// Whether `state` is a goal.
    fn is_goal(&self, state: Self::State) -> bool;

    /// Emits each move from `state` with the state that it leads to, always in the same order, and
    /// returns when `emit` breaks. In an implementation, follow each call of `emit` with `?`.
    ///
    /// `last` is the move that led to `state`, if the caller knows it and permits pruning. An
    /// implementation may ignore it. Otherwise it may omit successors that need not be reached by
    /// this path, such as the one that undoes `last`, as long as some shortest path to each state
    /// remains: for example, of two moves in either order, one order.
    /// [`PRUNING`](Self::PRUNING) declares which ones. With `None` it must emit all
    /// successors.
    fn successors<B>(
        &self,
        state: Self::State,
        last: Option<Self::Move>,
        emit: impl FnMut(Self::Move, Self::State) -> ControlFlow<B>,
    ) -> ControlFlow<B>;
}

/// A space that can list its goals, so that a search can start from them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not list its goals",
    note = "implement `Goals`, or call `.with_goals(...)` on a space from closures"
)]
pub trait Goals: StateSpace {
    /// Emits exactly the states for which [`is_goal`](StateSpace::is_goal) returns `true`, each
    /// once.
    fn goals(&self, emit: impl FnMut(Self::State));
}

/// A space that can list the predecessors of a state.
///
/// State `a` must be a predecessor of state `b` if and only if `b` is a successor of `a`. Searches
/// panic if plan recovery detects a violation.
///
/// If every move can be undone by one move, the predecessors are the successors, and one line is
/// enough. Without it and without `predecessors`, a program that searches the space does not build;
/// `cargo check` reports nothing:
///
/// ```
/// # use std::ops::ControlFlow;
/// # use fewest_core::{Predecessors, StateSpace};
/// # struct Dial;
/// # impl StateSpace for Dial {
/// #     type State = u32;
/// #     type Move = ();
/// #     fn initial(&self, mut emit: impl FnMut(u32)) {
/// #         emit(0)
/// #     }
/// #     fn is_goal(&self, digit: u32) -> bool {
/// #         digit == 5
/// #     }
/// #     fn successors<B>(
/// #         &self,
/// #         digit: u32,
/// #         _last: Option<()>,
/// #         mut emit: impl FnMut((), u32) -> ControlFlow<B>,
/// #     ) -> ControlFlow<B> {
/// #         [1, 9].into_iter().try_for_each(|turn| emit((), (digit + turn) % 10))
/// #     }
/// # }
/// impl Predecessors for Dial {
///     const UNDIRECTED: bool = true;
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not list predecessors",
    note = "implement `Predecessors`",
    note = "or, on a space from closures, call `.undirected()` or `.with_predecessors(...)`"
)]
pub trait Predecessors: StateSpace {
    /// Whether every move can be undone by one move.
    const UNDIRECTED: bool = false;

    /// The same, for a space that is data: if only some of its instances are undirected, the constant
    /// is false, they say so here, and `predecessors` is implemented for all.
    fn is_undirected(&self) -> bool {
        Self::UNDIRECTED
    }

    /// Emits each state from which one move leads to `state`, always in the same order, and returns
    /// when `emit` breaks. Emitted states need not be reachable from the start.
    ///
    /// The default emits the successors. A space that is not [`UNDIRECTED`](Self::UNDIRECTED) must
    /// override it: a search of such a space does not compile otherwise.
    #[inline]
    fn predecessors<B>(
        &self,
        state: Self::State,
        mut emit: impl FnMut(Self::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        const { assert!(Self::UNDIRECTED, "implement `predecessors`, or set `UNDIRECTED`") };
        self.successors(state, None, |_, next| emit(next))
    }

    /// The same with the cost of the move from the predecessor. If there are several moves, the
    /// state may be emitted several times, and must be with the least cost.
    ///
    /// The default expands each predecessor, unless every move costs 1. Override it if the cost is
    /// known without.
    #[inline]
    fn predecessors_with_costs<B>(
        &self,
        state: Self::State,
        mut emit: impl FnMut(u32, Self::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.predecessors(state, |before| {
            let cost = if const { Self::COSTS.are_unit() } {
                1
            } else {
                cheapest_move(self, before, |next| next == state).expect(IS_REVERSE).cost
            };
            emit(cost, before)
        })
    }
}

/// A space whose states have a dense numbering, so that a [visited set](crate::visited) can use one
/// bit for each number instead of storing states.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not number its states",
    note = "implement `Ranked`, or call `.with_ranks(...)` on a space from closures"
)]
pub trait Ranked: StateSpace {
    /// The number of ranks, `n`: ranks are in `0..n`. `None` if `n` does not fit a `u64`. In that
    /// case no other method may be called, and creating a visited set of ranks returns
    /// [`OutOfMemory`](crate::memory::OutOfMemory).
    fn ranks(&self) -> Option<u64>;
    /// The rank of a state. States that a search can generate must have different ranks.
    /// Bidirectional search, and A* with [costs](cost) and predecessors, also rank states from
    /// which the goals can be reached but which the start does not reach.
    fn rank(&self, state: Self::State) -> u64;
    /// The inverse of [`rank`](Self::rank): `unrank(rank(state)) == state`. For a rank that no
    /// state has, the result is unspecified.
    fn unrank(&self, rank: u64) -> Self::State;
}

const IS_REVERSE: &str = "invalid state space: no move leads from a predecessor to its successor";

/// The moves of a plan that is given as a chain of states, as searches return it. For each state
/// and the next one it takes the cheapest move that leads from one to the other, of several the
/// first in the order of [`StateSpace::successors`]. `None` if no move does.
///
/// Time: one expansion per move.
pub fn moves_along<S: StateSpace>(space: &S, chain: &[S::State]) -> Option<Vec<S::Move>> {
    let mut moves = Vec::new();
    for pair in chain.windows(2) {
        moves.push(cheapest_move(space, pair[0], |next| next == pair[1])?.by);
    }
    Some(moves)
}

/// A move with its cost and the state that it leads to.
pub(crate) struct Step<S: StateSpace + ?Sized> {
    pub(crate) cost: u32,
    pub(crate) by: S::Move,
    pub(crate) to: S::State,
}

/// The first of the cheapest moves to a state that `is_wanted`.
pub(crate) fn cheapest_move<S: StateSpace + ?Sized>(
    space: &S,
    from: S::State,
    is_wanted: impl Fn(S::State) -> bool,
) -> Option<Step<S>> {
    let (mut breaks, mut least) = (Breaks::default(), None::<Step<S>>);
    let flow = space.successors(from, None, |by, to| {
        if is_wanted(to) {
            let cost = cost::of(space, from, by);
            if least.as_ref().is_none_or(|least| cost < least.cost) {
                least = Some(Step { cost, by, to });
            }
        }
        let is_least = least.is_some() && const { S::COSTS.are_unit() };
        breaks.pass(if is_least { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    let _ = breaks.end(flow);
    least
}
