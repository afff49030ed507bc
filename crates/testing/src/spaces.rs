//! Successors of a state as lists, and plain explorations.

use std::ops::ControlFlow;

use fewest_core::StateSpace;
use fewest_core::budget::Budget;
use fewest_core::explore::Exploration;
use fewest_core::search::Search;

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

/// Explores a space on the calling thread, and only counts.
pub fn explore<S: StateSpace>(space: &S, budget: &Budget) -> Exploration {
    explore_states(space, budget, |_, _| {})
}

/// The same, and calls `visit` for each state with its depth.
pub fn explore_states<S: StateSpace>(
    space: &S,
    budget: &Budget,
    mut visit: impl FnMut(u32, S::State),
) -> Exploration {
    Search::new(space).budget(budget).explore(|depth, state| {
        visit(depth, state);
        ControlFlow::Continue(())
    })
}
