//! Lower bounds on the moves that are left, for A* and IDA*.

use crate::space::StateSpace;

/// A lower bound on the distance to the nearest goal, kept up to date from move to move.
///
/// It must be *admissible*, never above the true distance, and 0 at a goal; on that rests every
/// proof of a search that uses it. Where it is also *consistent* (it falls by at most 1 a move) A*
/// expands no state twice.
pub trait Heuristic<S: StateSpace>: Sync {
    /// What is carried from a state to its successor, so that the bound need not be worked out
    /// afresh.
    type Evaluation: Copy;

    /// The evaluation of a state, from nothing.
    fn evaluate(&self, state: S::State) -> Self::Evaluation;

    /// The evaluation of `to`, which the move `by` makes of `from`. As it stands it works the
    /// evaluation out from nothing; a heuristic that can tell the new evaluation from the old one
    /// more cheaply says so here.
    #[inline]
    fn update(
        &self,
        evaluation: Self::Evaluation,
        from: S::State,
        by: S::Move,
        to: S::State,
    ) -> Self::Evaluation {
        let _ = (evaluation, from, by);
        self.evaluate(to)
    }

    /// The bound, in moves; `None` if no goal can be reached from here at all.
    fn bound(&self, evaluation: Self::Evaluation) -> Option<u32>;
}

/// No knowledge: every state may be a goal's neighbour or the goal. A* with it is a breadth-first
/// search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl<S: StateSpace> Heuristic<S> for Blind {
    type Evaluation = ();

    #[inline]
    fn evaluate(&self, _: S::State) {}

    #[inline]
    fn bound(&self, (): ()) -> Option<u32> {
        Some(0)
    }
}
