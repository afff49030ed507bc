//! A ranked space whose states are ranks.

use std::ops::ControlFlow;

use crate::space::{Goals, MovePruning, Predecessors, Ranked, StateSpace};

/// The same space with the rank of a state as its word.
///
/// Sorted ranks are close together, so [`Runs`](crate::store::Runs) take about one byte for each instead
/// of four. An expansion takes one `unrank`, and a `rank` for each successor.
#[derive(Clone, Copy, Debug)]
pub struct ByRank<'a, S>(&'a S);

impl<'a, S: Ranked> ByRank<'a, S> {
    /// The ranks of a space; `None` if its states have none.
    pub fn new(space: &'a S) -> Option<Self> {
        space.ranks().map(|_| Self(space))
    }
}

impl<S: Ranked> StateSpace for ByRank<'_, S> {
    type State = u64;
    type Move = S::Move;

    const MOVE_PRUNING: MovePruning = S::MOVE_PRUNING;
    const EXPENSIVE_EXPANSION: bool = S::EXPENSIVE_EXPANSION;

    fn state_bits(&self) -> u32 {
        self.0.ranks().map_or(u64::BITS, |ranks| u64::BITS - ranks.leading_zeros())
    }

    fn expected_states(&self) -> usize {
        self.0.expected_states()
    }

    fn initial(&self, mut emit: impl FnMut(u64)) {
        self.0.initial(|state| emit(self.0.rank(state)));
    }

    #[inline]
    fn is_goal(&self, rank: u64) -> bool {
        self.0.is_goal(self.0.unrank(rank))
    }

    #[inline]
    fn successors<B>(
        &self,
        rank: u64,
        last: Option<S::Move>,
        mut emit: impl FnMut(S::Move, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.successors(self.0.unrank(rank), last, |by, next| emit(by, self.0.rank(next)))
    }
}

impl<S: Ranked + Predecessors> Predecessors for ByRank<'_, S> {
    const UNDIRECTED: bool = S::UNDIRECTED;

    #[inline]
    fn predecessors<B>(
        &self,
        rank: u64,
        mut emit: impl FnMut(u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.predecessors(self.0.unrank(rank), |before| emit(self.0.rank(before)))
    }
}

impl<S: Ranked + Goals> Goals for ByRank<'_, S> {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        self.0.goals(|goal| emit(self.0.rank(goal)));
    }
}

impl<S: Ranked> Ranked for ByRank<'_, S> {
    fn ranks(&self) -> Option<u64> {
        self.0.ranks()
    }

    #[inline]
    fn rank(&self, rank: u64) -> u64 {
        rank
    }

    #[inline]
    fn unrank(&self, rank: u64) -> u64 {
        rank
    }
}
