//! The lower bound of A* and IDA*: how far the pieces are from their goals, as if nothing else were on the board.

use fewest_core::Heuristic;
use fewest_core::symmetry::Folded;

use crate::space::Boards;

/// The moves that the pieces with goals would take [alone](Boards::alone). Consistent, as a move takes only one of them
/// nearer, and the same for a board and its mirror image.
#[derive(Clone, Copy, Debug)]
pub struct Way<'a, S>(pub &'a S);

impl<S: Boards> Heuristic<S> for Way<'_, S> {
    type Memo = Option<u32>;

    #[inline]
    fn memo(&self, state: S::State) -> Option<u32> {
        self.0.alone(state)
    }

    #[inline]
    fn bound(&self, moves: Option<u32>) -> Option<u32> {
        moves
    }
}

impl<'a, S: Boards> Heuristic<Folded<'a, S>> for Way<'_, S> {
    type Memo = Option<u32>;

    #[inline]
    fn memo(&self, state: S::State) -> Option<u32> {
        self.0.alone(state)
    }

    #[inline]
    fn bound(&self, moves: Option<u32>) -> Option<u32> {
        moves
    }
}
