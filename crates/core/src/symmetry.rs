//! Mirror images folded into one: half the states to visit, half the work.
//!
//! A search on a [`Folded`] space returns a chain of canonical forms; [`unfold`] makes of it a
//! chain of states as they are. Folding keeps every distance to a goal. What it does not keep are
//! counts: see [`explore_folded`](crate::explore::explore_folded).

use std::ops::ControlFlow;

use crate::space::{MovePruning, StartingFrom, StateSpace, Undirected};

/// A space that is its own mirror image: what holds of a state, its moves and whether it is a goal,
/// holds of its image.
pub trait Symmetric: StateSpace {
    /// The mirror image of a state. The image of the image is the state itself.
    fn image(&self, state: Self::State) -> Self::State;

    /// The move that leads from the image of a state to the image of the next.
    fn image_of_move(&self, by: Self::Move) -> Self::Move;

    /// The one of a state and its image that stands for both: the lesser.
    #[inline]
    fn canonical(&self, state: Self::State) -> Self::State {
        state.min(self.image(state))
    }

    /// The same as [`successors`](StateSpace::successors), and the image of each state that is
    /// emitted beside it: to be written anew where a move changes an image by less than it takes to
    /// make one.
    #[inline]
    fn successors_and_images<B>(
        &self,
        state: Self::State,
        last: Option<Self::Move>,
        mut emit: impl FnMut(Self::Move, Self::State, Self::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.successors(state, last, |by, next| emit(by, next, self.image(next)))
    }
}

impl<S: Symmetric> Symmetric for StartingFrom<'_, S> {
    #[inline]
    fn image(&self, state: S::State) -> S::State {
        self.space.image(state)
    }

    #[inline]
    fn image_of_move(&self, by: S::Move) -> S::Move {
        self.space.image_of_move(by)
    }

    #[inline]
    fn successors_and_images<B>(
        &self,
        state: S::State,
        last: Option<S::Move>,
        emit: impl FnMut(S::Move, S::State, S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.space.successors_and_images(state, last, emit)
    }
}

/// A space in which a state and its mirror image are one.
#[derive(Clone, Copy, Debug)]
pub struct Folded<'a, S>(pub &'a S);

impl<S: Symmetric> StateSpace for Folded<'_, S> {
    type State = S::State;
    type Move = S::Move;

    // The way back from a state may be another one's, too, once they are folded.
    const MOVE_PRUNING: MovePruning = match S::MOVE_PRUNING {
        MovePruning::PathDependent => MovePruning::PathDependent,
        MovePruning::TwoStep | MovePruning::Inverse => MovePruning::TwoStep,
    };

    fn expected_states(&self) -> usize {
        self.0.expected_states() / 2
    }

    fn initial(&self, mut emit: impl FnMut(S::State)) {
        self.0.initial(|state| emit(self.0.canonical(state)));
    }

    #[inline]
    fn is_goal(&self, state: S::State) -> bool {
        self.0.is_goal(state)
    }

    /// The moves are those of the canonical form; each is told as it leads to the canonical form of
    /// the next.
    #[inline]
    fn successors<B>(
        &self,
        state: S::State,
        last: Option<S::Move>,
        mut emit: impl FnMut(S::Move, S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.successors_and_images(state, last, |by, next, image| {
            // Which of both it is cannot be guessed, so both are at hand before it is asked.
            let mirrored = self.0.image_of_move(by);
            let (by, canonical) = if next <= image { (by, next) } else { (mirrored, image) };
            emit(by, canonical)
        })
    }
}

impl<S: Symmetric + Undirected> Undirected for Folded<'_, S> {}

/// The states that a chain of canonical forms stands for, from a start of `space` on: each time the
/// first successor whose canonical form comes next. `None` if there is none somewhere.
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
            if space.canonical(successor) == next {
                ControlFlow::Break(successor)
            } else {
                ControlFlow::Continue(())
            }
        });
        here = found.break_value()?;
        unfolded.push(here);
    }
    Some(unfolded)
}
