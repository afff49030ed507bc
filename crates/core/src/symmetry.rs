//! Mirror images folded into one: half the states to visit, half the work.
//!
//! A search on a [`Folded`] space returns a chain of canonical forms; [`unfold`] makes of it a chain of states as they
//! are. Folding keeps every distance to a goal. What it does not keep are counts: see
//! [`explore_folded`](crate::explore::explore_folded).

use std::ops::ControlFlow;

use crate::space::{StateSpace, Undirected};

/// A space that is its own mirror image: what holds of a state, its moves and whether it is a goal, holds of its image.
pub trait Symmetric: StateSpace {
    /// The mirror image of a state. The image of the image is the state itself.
    fn image(&self, state: Self::State) -> Self::State;

    /// The one of a state and its image that stands for both: the lesser.
    #[inline]
    fn canonical(&self, state: Self::State) -> Self::State {
        state.min(self.image(state))
    }
}

/// A space in which a state and its mirror image are one.
#[derive(Clone, Copy, Debug)]
pub struct Folded<'a, S>(pub &'a S);

impl<S: Symmetric> StateSpace for Folded<'_, S> {
    type State = S::State;
    type Move = S::Move;

    fn initial(&self, mut emit: impl FnMut(S::State)) {
        self.0.initial(|state| emit(self.0.canonical(state)));
    }

    #[inline]
    fn is_goal(&self, state: S::State) -> bool {
        self.0.is_goal(state)
    }

    /// The moves are those of the canonical form; `last` is not handed on, since it may have been made on the image.
    #[inline]
    fn successors<B>(
        &self,
        state: S::State,
        _: Option<S::Move>,
        mut emit: impl FnMut(S::Move, S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.successors(state, None, |by, next| emit(by, self.0.canonical(next)))
    }
}

impl<S: Symmetric + Undirected> Undirected for Folded<'_, S> {}

/// The states that a chain of canonical forms stands for, from a start of `space` on: each time the first successor whose
/// canonical form comes next. `None` if there is none somewhere.
///
/// Costs one expansion a move.
pub fn unfold<S: Symmetric>(space: &S, chain: &[S::State]) -> Option<Vec<S::State>> {
    let (&first, rest) = chain.split_first()?;
    let mut here = None;
    space.initial(|state| here = here.or((space.canonical(state) == first).then_some(state)));
    let mut here = here?;
    let mut unfolded = vec![here];
    for &next in rest {
        let found = space.successors(here, None, |_, successor| {
            if space.canonical(successor) == next { ControlFlow::Break(successor) } else { ControlFlow::Continue(()) }
        });
        here = found.break_value()?;
        unfolded.push(here);
    }
    Some(unfolded)
}
