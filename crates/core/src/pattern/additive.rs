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

    /// The rank of a pattern in its database.
    fn rank(&self, pattern: Self::Pattern) -> u64;

    /// The pattern of `to` from that of `from`, if the move `by`, which leads from `from` to `to`,
    /// changes it; `None` if the pattern stays as it is. The default computes it from `to`.
    #[inline]
    fn after(
        &self,
        pattern: Self::Pattern,
        from: S::State,
        by: S::Move,
        to: S::State,
    ) -> Option<Self::Pattern> {
        let _ = (pattern, from, by);
        Some(self.pattern(to))
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
/// It is admissible if no move is [counted](Database::with_costs) in two of the databases; one
/// database is always. A state from which one of the patterns reaches no goal has no bound, since
/// it reaches none either.
///
/// A move computes again only the patterns that it [changes](Abstraction::after).
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
    /// Each pattern, and its distance.
    type Evaluation = [(A::Pattern, u8); N];

    #[inline]
    fn evaluate(&self, state: S::State) -> Self::Evaluation {
        std::array::from_fn(|index| {
            let (kept, database) = &self.parts[index];
            let pattern = kept.pattern(state);
            (pattern, database.borrow().byte(kept.rank(pattern)))
        })
    }

    #[inline]
    fn update(
        &self,
        evaluation: impl FnOnce() -> Self::Evaluation,
        from: S::State,
        by: S::Move,
        to: S::State,
    ) -> Self::Evaluation {
        let mut evaluation = evaluation();
        for ((kept, database), part) in self.parts.iter().zip(&mut evaluation) {
            if let Some(pattern) = kept.after(part.0, from, by, to) {
                *part = (pattern, database.borrow().byte(kept.rank(pattern)));
            }
        }
        evaluation
    }

    #[inline]
    fn bound(&self, evaluation: Self::Evaluation) -> Option<u32> {
        let distances = evaluation.map(|(_, distance)| distance);
        let is_known = !distances.contains(&UNKNOWN);
        is_known.then(|| distances.into_iter().map(u32::from).sum())
    }
}
