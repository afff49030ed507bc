//! The heuristic of A* and IDA*: the distance of each piece to its goal on an otherwise empty
//! board.

use fewest_core::{Heuristic, StateSpace};

use crate::space::BoardSpace;

/// The sum of the distances to the goals, each on an otherwise empty board: the
/// [relaxed distance](BoardSpace::relaxed_distance) of a state.
///
/// The bound is consistent, since a move changes the distance of one piece only, and by at most 1.
/// A board and its mirror image have the same bound, so the heuristic serves both a space and its
/// [folded](fewest_core::symmetry::Folded) space.
#[derive(Clone, Copy, Debug)]
pub struct GoalDistance<'a, S>(pub &'a S);

impl<S: BoardSpace, T: StateSpace<State = S::State>> Heuristic<T> for GoalDistance<'_, S> {
    type Evaluation = Option<u32>;

    #[inline]
    fn evaluate(&self, state: S::State) -> Option<u32> {
        self.0.relaxed_distance(state)
    }

    #[inline]
    fn bound(&self, distance: Option<u32>) -> Option<u32> {
        distance
    }
}
