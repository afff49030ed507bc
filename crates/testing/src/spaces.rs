//! Successors of a state as lists.

use std::ops::ControlFlow;

use fewest_core::StateSpace;

/// Returns all moves from a state, each with the successor that it leads to.
pub fn successors<S: StateSpace>(space: &S, state: S::State) -> Vec<(S::Move, S::State)> {
    let mut all = Vec::new();
    let _ = space.successors(state, None, |successor_move, next| {
        all.push((successor_move, next));
        ControlFlow::<()>::Continue(())
    });
    all
}

/// Returns all successors of a state.
pub fn next_states<S: StateSpace>(space: &S, state: S::State) -> Vec<S::State> {
    successors(space, state).into_iter().map(|(_, next)| next).collect()
}
