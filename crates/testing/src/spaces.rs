//! What a space says of its states.

use std::ops::ControlFlow;

use fewest_core::StateSpace;

/// All moves from a state, with the states that they lead to.
pub fn successors<S: StateSpace>(space: &S, state: S::State) -> Vec<(S::Move, S::State)> {
    let mut all = Vec::new();
    let _ = space.successors(state, None, |by, next| {
        all.push((by, next));
        ControlFlow::<()>::Continue(())
    });
    all
}

/// All states that one move leads to.
pub fn next_states<S: StateSpace>(space: &S, state: S::State) -> Vec<S::State> {
    successors(space, state).into_iter().map(|(_, next)| next).collect()
}
