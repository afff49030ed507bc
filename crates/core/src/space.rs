//! The seam between puzzles and searches: a [`StateSpace`], and the capabilities that a search may
//! ask for on top.
//!
//! The smallest space there is, a walk along the numbers, and the shortest way in it:
//!
//! ```
//! use std::ops::ControlFlow;
//! use fewest_core::{StateSpace, budget::Budget, search::bfs, visited::Table};
//!
//! /// Double or add one, from 1 to 10.
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
//! let outcome = bfs::search::<Table<_>, _>(&Numbers, &Budget::unlimited());
//! assert_eq!(outcome.plan(), Some(&vec![1, 2, 4, 5, 10]));
//! ```

use std::ops::ControlFlow;

use crate::word::Word;

/// What a space leaves out of the successors of a state when it is told the move that led there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovePruning {
    /// Whatever the start reaches no later in another way; it is not to be told where states that
    /// were met are known.
    PathDependent,
    /// Nothing but the state before the move and what one move from there leads to. A breadth-first
    /// search has met all of it by then. How much it is may depend on the order within a layer, so
    /// several threads do not tell the move, lest what they count depends on them.
    TwoStep,
    /// The state before the move, and nothing else.
    Inverse,
}

/// States, the moves between them, where they start and where they should end. Every move costs
/// one.
pub trait StateSpace: Sync {
    /// A state, packed.
    type State: Word;
    /// What a move is called; `()` where two states already say which move lies between them.
    type Move: Copy + Send;

    /// What [`successors`](Self::successors), told the last move, leaves out. Breadth-first
    /// searches tell it if they may: they generate fewer states, and keep a move beside each state
    /// that waits for its expansion.
    const MOVE_PRUNING: MovePruning = MovePruning::PathDependent;

    /// How many states may be met, as far as anything is known of it; a visited set may make room
    /// for them at the start. A wrong guess costs nothing but time.
    fn expected_states(&self) -> usize {
        0
    }

    /// Emits the state that the search starts from, or all of them.
    fn initial(&self, emit: impl FnMut(Self::State));

    /// Whether the puzzle is solved.
    fn is_goal(&self, state: Self::State) -> bool;

    /// Emits each move from `state` with the state that it leads to, always in the same order,
    /// until `emit` breaks: put a `?` behind each call of it.
    ///
    /// `last` may be ignored. It is the move that led to `state`, where the caller knows it and
    /// keeps no table of states that it has met: a successor may then be left out if the start
    /// reaches it no later in another way, as is the one that undoes `last`.
    fn successors<B>(
        &self,
        state: Self::State,
        last: Option<Self::Move>,
        emit: impl FnMut(Self::Move, Self::State) -> ControlFlow<B>,
    ) -> ControlFlow<B>;
}

/// A space that can list its goals, so that a search may start from them.
pub trait Goals: StateSpace {
    /// Emits exactly the states for which [`is_goal`](StateSpace::is_goal) holds; none twice.
    fn goals(&self, emit: impl FnMut(Self::State));
}

/// A space that knows its moves backwards.
pub trait Predecessors: StateSpace {
    /// Emits each state from which one move leads to `state`, always in the same order, until
    /// `emit` breaks. States that the start cannot reach may be among them.
    fn predecessors<B>(
        &self,
        state: Self::State,
        emit: impl FnMut(Self::State) -> ControlFlow<B>,
    ) -> ControlFlow<B>;
}

/// A promise that each move can be undone by a move. It gives [`Predecessors`] for free: they are
/// the successors.
pub trait Undirected: StateSpace {}

impl<S: Undirected> Predecessors for S {
    #[inline]
    fn predecessors<B>(
        &self,
        state: Self::State,
        mut emit: impl FnMut(Self::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.successors(state, None, |_, next| emit(next))
    }
}

/// A space whose states can be numbered densely, so that a visited set needs one bit for each.
pub trait Ranked: StateSpace {
    /// How many ranks there are; `None` if they do not fit a `u64`, and then no rank may be asked
    /// for, and a visited set over them is out of memory.
    fn ranks(&self) -> Option<u64>;
    /// The rank of a state, below [`ranks`](Self::ranks); no two states that can be met share one.
    fn rank(&self, state: Self::State) -> u64;
    /// The state of a rank that [`rank`](Self::rank) gave.
    fn unrank(&self, rank: u64) -> Self::State;
}

/// A space that is entered elsewhere: at any states of it instead of its own start.
#[derive(Clone, Debug)]
pub struct StartingFrom<'a, S: StateSpace> {
    /// The space.
    pub space: &'a S,
    /// Where it starts.
    pub states: &'a [S::State],
}

impl<S: StateSpace> StateSpace for StartingFrom<'_, S> {
    type State = S::State;
    type Move = S::Move;

    const MOVE_PRUNING: MovePruning = S::MOVE_PRUNING;

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

impl<S: Undirected> Undirected for StartingFrom<'_, S> {}

/// The moves along a chain of states such as a search returns: for each two neighbours, the first
/// move in the order of [`StateSpace::successors`] that leads from the one to the next. `None` if
/// there is none somewhere.
///
/// Costs one expansion a move.
pub fn moves_along<S: StateSpace>(space: &S, chain: &[S::State]) -> Option<Vec<S::Move>> {
    chain
        .windows(2)
        .map(|pair| {
            let found = space.successors(pair[0], None, |by, next| {
                if next == pair[1] { ControlFlow::Break(by) } else { ControlFlow::Continue(()) }
            });
            found.break_value()
        })
        .collect()
}
