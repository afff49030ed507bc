//! The lower bound of A* and IDA*: how far the pieces are from their goals, as if nothing else were
//! on the board.

use fewest_core::{Heuristic, StateSpace};

use crate::space::Boards;

/// The moves that the pieces with goals would take [alone](Boards::alone). Consistent, as a move
/// takes only one of them nearer, and the same for a board and its mirror image: so it is one for
/// the space and for the folded space.
#[derive(Clone, Copy, Debug)]
pub struct GoalDistance<'a, S>(pub &'a S);

impl<S: Boards, T: StateSpace<State = S::State>> Heuristic<T> for GoalDistance<'_, S> {
    type Evaluation = Option<u32>;

    #[inline]
    fn evaluate(&self, state: S::State) -> Option<u32> {
        self.0.relaxed_distance(state)
    }

    #[inline]
    fn bound(&self, moves: Option<u32>) -> Option<u32> {
        moves
    }
}
