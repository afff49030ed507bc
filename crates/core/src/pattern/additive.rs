//! The heuristic of one pattern database or of several whose distances are added.

use std::borrow::Borrow;

use super::Database;
use super::database::UNKNOWN;
use crate::heuristic::Heuristic;
use crate::space::StateSpace;

/// What a pattern keeps of the states of a space. A closure from a state to the rank of its pattern
/// is an abstraction, too.
pub trait Abstraction<S: StateSpace>: Sync {
    /// What is kept, such as the cells of some tiles.
    type Pattern: Copy;

    /// The pattern of a state.
    fn pattern(&self, state: S::State) -> Self::Pattern;

    /// The rank of a pattern in its database. Called for each pattern of each state whose bound is
    /// asked for: if it is expensive, let the pattern be the rank, and compute it in
    /// [`after`](Self::after).
    fn rank(&self, pattern: Self::Pattern) -> u64;

    /// The pattern of `to` from that of `from`; the move `by` leads from `from` to `to`. The default
    /// computes it from `to`.
    #[inline]
    fn after(
        &self,
        pattern: Self::Pattern,
        from: S::State,
        by: S::Move,
        to: S::State,
    ) -> Self::Pattern {
        let _ = (pattern, from, by);
        self.pattern(to)
    }
}

impl<S: StateSpace, F: Fn(S::State) -> u64 + Sync> Abstraction<S> for F {
    type Pattern = u64;

    #[inline]
    fn pattern(&self, state: S::State) -> u64 {
        self(state)
    }

    #[inline]
    fn rank(&self, rank: u64) -> u64 {
        rank
    }
}

/// The sum of the distances of `N` patterns.
///
/// It is admissible if no move [costs](crate::space::cost) anything in two of the pattern spaces;
/// one database is always. A state from which one of the patterns reaches no goal has no bound,
/// since it reaches none either.
#[derive(Clone, Debug)]
pub struct Additive<A, D, const N: usize> {
    parts: [(A, D); N],
}

impl<A, D: Borrow<Database>, const N: usize> Additive<A, D, N> {
    /// Of patterns, each with what it keeps and its database. All abstractions have one type:
    /// closures from one place in the code, or a type of your own.
    pub fn new(parts: [(A, D); N]) -> Self {
        Self { parts }
    }

    /// The parts.
    pub fn parts(&self) -> &[(A, D); N] {
        &self.parts
    }
}

impl<S, A, D, const N: usize> Heuristic<S> for Additive<A, D, N>
where
    S: StateSpace,
    A: Abstraction<S>,
    D: Borrow<Database> + Sync,
{
    type Evaluation = [A::Pattern; N];

    #[inline]
    fn evaluate(&self, state: S::State) -> Self::Evaluation {
        self.parts.each_ref().map(|(kept, _)| kept.pattern(state))
    }

    #[inline]
    fn update(
        &self,
        evaluation: impl FnOnce() -> Self::Evaluation,
        from: S::State,
        by: S::Move,
        to: S::State,
    ) -> Self::Evaluation {
        let patterns = evaluation();
        std::array::from_fn(|index| self.parts[index].0.after(patterns[index], from, by, to))
    }

    #[inline]
    fn bound(&self, patterns: Self::Evaluation) -> Option<u32> {
        let distances: [u8; N] = std::array::from_fn(|index| {
            let (kept, database) = &self.parts[index];
            database.borrow().byte(kept.rank(patterns[index]))
        });
        let sum = distances.iter().copied().map(u32::from).sum();
        // One comparison for the sums that are common.
        (sum < UNKNOWN.into() || !distances.contains(&UNKNOWN)).then_some(sum)
    }
}
