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
//! | [`Symmetric`](crate::Symmetric) | a mirror symmetry | [symmetry reduction](crate::symmetry) |
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
//! let outcome = Search::new(&Numbers).run()?;
//! assert_eq!(outcome.optimal(), Some(&vec![1, 2, 4, 5, 10]));
//! # Ok::<(), fewest_core::search::Unsupported>(())
//! ```

use std::ops::ControlFlow;

pub use crate::by_rank::ByRank;
use crate::expansion::Breaks;
pub use crate::from_fn::{FromFn, TryFromFn, UntilError, from_fn, try_from_fn};
use crate::word::Word;

/// Which successors a space omits if it gets the move that led to the state.
///
/// [`StateSpace::MOVE_PRUNING`] declares it. Searches use it to decide whether they may pass the
/// last move to [`StateSpace::successors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovePruning {
    /// Any successor that another path from the start reaches in at most as many moves. A search
    /// with a visited set must not pass the last move: the other path may itself be pruned there.
    /// Only IDA* without a table passes it.
    PathDependent,
    /// Only the previous state, and states that one move from the previous state reaches. A
    /// breadth-first search has generated all of these before, so it may pass the last move. The
    /// number of omitted successors may depend on the order of the states within a layer. Parallel
    /// searches therefore do not pass the last move, so that their counts are reproducible.
    TwoStep,
    /// Only the previous state. Sequential and parallel breadth-first searches pass the last move.
    Inverse,
}

/// A state space: states, the moves between them, the initial states and the goal test. Every move
/// costs 1.
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
    /// With [`TwoStep`](MovePruning::TwoStep) or [`Inverse`](MovePruning::Inverse), breadth-first
    /// searches pass the last move. They then generate fewer states and store one move for each
    /// state of the frontier.
    const MOVE_PRUNING: MovePruning = MovePruning::PathDependent;

    /// Whether expanding a state takes longer than looking up some dozens of states in a table. A
    /// search on one thread that may not use [`Predecessors`] then stores the parent of each state,
    /// instead of expanding layers a second time to recover the plan. It affects time and memory.
    /// Breadth-first search returns the same plan in both cases.
    const EXPENSIVE_EXPANSION: bool = false;

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
    /// [`MOVE_PRUNING`](Self::MOVE_PRUNING) declares which ones. With `None` it must emit all
    /// successors.
    fn successors<B>(
        &self,
        state: Self::State,
        last: Option<Self::Move>,
        emit: impl FnMut(Self::Move, Self::State) -> ControlFlow<B>,
    ) -> ControlFlow<B>;
}

/// A space that can list its goals, so that a search can start from them.
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
/// #     type State = u8;
/// #     type Move = ();
/// #     fn initial(&self, mut emit: impl FnMut(u8)) {
/// #         emit(0)
/// #     }
/// #     fn is_goal(&self, digit: u8) -> bool {
/// #         digit == 5
/// #     }
/// #     fn successors<B>(
/// #         &self,
/// #         digit: u8,
/// #         _last: Option<()>,
/// #         mut emit: impl FnMut((), u8) -> ControlFlow<B>,
/// #     ) -> ControlFlow<B> {
/// #         [1, 9].into_iter().try_for_each(|turn| emit((), (digit + turn) % 10))
/// #     }
/// # }
/// impl Predecessors for Dial {
///     const UNDIRECTED: bool = true;
/// }
/// ```
pub trait Predecessors: StateSpace {
    /// Whether every move can be undone by one move.
    const UNDIRECTED: bool = false;

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
}

/// A space whose states have a dense numbering, so that a [visited set](crate::visited) can use one
/// bit for each number instead of storing states.
pub trait Ranked: StateSpace {
    /// The number of ranks, `n`: ranks are in `0..n`. `None` if `n` does not fit a `u64`. In that
    /// case no other method may be called, and creating a visited set of ranks returns
    /// [`OutOfMemory`](crate::memory::OutOfMemory).
    fn ranks(&self) -> Option<u64>;
    /// The rank of a state. States that a search can generate must have different ranks. Bidirectional
    /// search also generates states from which the goals can be reached but which the start does not
    /// reach.
    fn rank(&self, state: Self::State) -> u64;
    /// The same, for a space whose moves have the ranks of the states that they lead to.
    #[doc(hidden)]
    #[inline]
    fn rank_after(&self, state: Self::State, last: Self::Move) -> u64 {
        let _ = last;
        self.rank(state)
    }
    /// The inverse of [`rank`](Self::rank): `unrank(rank(state)) == state`. For a rank that no
    /// state has, the result is unspecified.
    fn unrank(&self, rank: u64) -> Self::State;
}

/// A space with other initial states. Everything else is as in the underlying space.
///
/// A heuristic of the underlying space is also one of this space, but the type system does not know.
/// Implement [`Heuristic<S>`](crate::Heuristic) for all spaces `S` with the same type of state.
#[derive(Clone, Debug)]
pub struct StartingFrom<'a, S: StateSpace> {
    /// The underlying space.
    pub space: &'a S,
    /// The initial states.
    pub states: &'a [S::State],
}

impl<S: StateSpace> StateSpace for StartingFrom<'_, S> {
    type State = S::State;
    type Move = S::Move;

    const MOVE_PRUNING: MovePruning = S::MOVE_PRUNING;
    const EXPENSIVE_EXPANSION: bool = S::EXPENSIVE_EXPANSION;

    fn state_bits(&self) -> u32 {
        self.space.state_bits()
    }

    fn expected_states(&self) -> usize {
        self.space.expected_states()
    }

    fn initial(&self, emit: impl FnMut(S::State)) {
        self.states.iter().copied().for_each(emit);
    }

    #[inline]
    fn is_goal(&self, state: S::State) -> bool {
        self.space.is_goal(state)
    }

    #[inline]
    fn successors<B>(
        &self,
        state: S::State,
        last: Option<S::Move>,
        emit: impl FnMut(S::Move, S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.space.successors(state, last, emit)
    }
}

impl<S: Predecessors> Predecessors for StartingFrom<'_, S> {
    const UNDIRECTED: bool = S::UNDIRECTED;

    #[inline]
    fn predecessors<B>(
        &self,
        state: S::State,
        emit: impl FnMut(S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.space.predecessors(state, emit)
    }
}

impl<S: Goals> Goals for StartingFrom<'_, S> {
    fn goals(&self, emit: impl FnMut(S::State)) {
        self.space.goals(emit);
    }
}

impl<S: Ranked> Ranked for StartingFrom<'_, S> {
    fn ranks(&self) -> Option<u64> {
        self.space.ranks()
    }

    #[inline]
    fn rank(&self, state: S::State) -> u64 {
        self.space.rank(state)
    }

    #[inline]
    fn unrank(&self, rank: u64) -> S::State {
        self.space.unrank(rank)
    }
}

/// A space searched against its moves: from its goals to its initial states.
///
/// The successors of a state are its predecessors in the underlying space. A move is not described;
/// the two states determine it. It is not [`Symmetric`](crate::Symmetric) if the underlying space
/// is, because the image of an initial state need not be one.
#[derive(Clone, Debug)]
pub struct Reversed<'a, S: StateSpace> {
    space: &'a S,
    /// The initial states of the underlying space, sorted: the goals.
    goals: Vec<S::State>,
}

impl<'a, S: Goals + Predecessors> Reversed<'a, S> {
    /// The reverse of a space. It holds a copy of the initial states.
    pub fn new(space: &'a S) -> Self {
        let mut goals = Vec::new();
        space.initial(|state| goals.push(state));
        goals.sort_unstable();
        goals.dedup();
        Self { space, goals }
    }

    /// The underlying space.
    pub fn space(&self) -> &'a S {
        self.space
    }
}

impl<S: Goals + Predecessors> StateSpace for Reversed<'_, S> {
    type State = S::State;
    type Move = ();

    const EXPENSIVE_EXPANSION: bool = S::EXPENSIVE_EXPANSION;

    fn state_bits(&self) -> u32 {
        self.space.state_bits()
    }

    fn expected_states(&self) -> usize {
        self.space.expected_states()
    }

    fn initial(&self, emit: impl FnMut(S::State)) {
        self.space.goals(emit);
    }

    #[inline]
    fn is_goal(&self, state: S::State) -> bool {
        self.goals.binary_search(&state).is_ok()
    }

    #[inline]
    fn successors<B>(
        &self,
        state: S::State,
        _last: Option<()>,
        mut emit: impl FnMut((), S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.space.predecessors(state, |before| emit((), before))
    }
}

impl<S: Goals + Predecessors> Predecessors for Reversed<'_, S> {
    const UNDIRECTED: bool = S::UNDIRECTED;

    #[inline]
    fn predecessors<B>(
        &self,
        state: S::State,
        mut emit: impl FnMut(S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.space.successors(state, None, |_, next| emit(next))
    }
}

impl<S: Goals + Predecessors> Goals for Reversed<'_, S> {
    fn goals(&self, emit: impl FnMut(S::State)) {
        self.goals.iter().copied().for_each(emit);
    }
}

impl<S: Goals + Predecessors + Ranked> Ranked for Reversed<'_, S> {
    fn ranks(&self) -> Option<u64> {
        self.space.ranks()
    }

    #[inline]
    fn rank(&self, state: S::State) -> u64 {
        self.space.rank(state)
    }

    #[inline]
    fn unrank(&self, rank: u64) -> S::State {
        self.space.unrank(rank)
    }
}

/// The moves of a plan that is given as a chain of states, as searches return it. For each state
/// and the next one it takes the first move, in the order of [`StateSpace::successors`], that leads
/// from one to the other. `None` if no move does.
///
/// Time: one expansion per move.
pub fn moves_along<S: StateSpace>(space: &S, chain: &[S::State]) -> Option<Vec<S::Move>> {
    chain
        .windows(2)
        .map(|pair| {
            let mut breaks = Breaks::default();
            let found = space.successors(pair[0], None, |by, next| {
                breaks.pass(if next == pair[1] {
                    ControlFlow::Break(by)
                } else {
                    ControlFlow::Continue(())
                })
            });
            breaks.end(found).break_value()
        })
        .collect()
}
