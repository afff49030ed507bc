//! Lower bounds on the moves that are left, for A* and IDA*.

use crate::space::StateSpace;

/// A lower bound on the distance to the nearest goal, kept up to date from move to move.
///
/// It must be *admissible*, never above the true distance, and 0 at a goal; on that rests every proof of a search that
/// uses it. Where it is also *consistent* (it falls by at most 1 a move) A* expands no state twice.
pub trait Heuristic<S: StateSpace>: Sync {
    /// What is carried from a state to its successor, so that the bound need not be worked out afresh.
    type Memo: Copy;

    /// The memo of a state, from nothing.
    fn memo(&self, state: S::State) -> Self::Memo;

    /// The memo of `to`, which the move `by` makes of `from`. As it stands it works the memo out from nothing; a heuristic
    /// that can tell the new memo from the old one more cheaply says so here.
    #[inline]
    fn advance(&self, memo: Self::Memo, from: S::State, by: S::Move, to: S::State) -> Self::Memo {
        let _ = (memo, from, by);
        self.memo(to)
    }

    /// The bound, in moves; `None` if no goal can be reached from here at all.
    fn bound(&self, memo: Self::Memo) -> Option<u32>;
}

/// No knowledge: every state may be a goal's neighbour or the goal. A* with it is a breadth-first search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl<S: StateSpace> Heuristic<S> for Blind {
    type Memo = ();

    #[inline]
    fn memo(&self, _: S::State) {}

    #[inline]
    fn bound(&self, (): ()) -> Option<u32> {
        Some(0)
    }
}
