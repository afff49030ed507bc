//! The interface of the forms of a space.

use fewest_core::{Goals, Predecessors, Ranked, StateSpace};

/// A permutation puzzle as the searches see it. The solved arrangement is the initial state, and
/// the goal. A move is its number in [`PermutationSpace::names`](crate::PermutationSpace::names).
pub trait Space: StateSpace<Move = u16> + Predecessors + Goals + Ranked {
    /// The state of an arrangement: the label of each place. It must have the labels of the solved
    /// one, each as often. `None` only if no moves lead to it, which is not always known.
    fn state(&self, arrangement: &[u8]) -> Option<Self::State>;

    /// The label of each place.
    fn arrangement(&self, state: Self::State) -> Vec<u8>;
}

/// What is done with a [`Space`], whatever its states are.
pub trait WithSpace {
    /// What it returns.
    type Output;

    /// Does it.
    fn run<S: Space>(self, space: &S) -> Self::Output;
}
