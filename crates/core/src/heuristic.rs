//! Heuristics: lower bounds on the distance to a goal, for A* and IDA*.
//!
//! ```
//! use fewest_core::search::Search;
//! use fewest_core::{heuristic, space};
//!
//! // From 1 to 100 by adding 1 or doubling.
//! let numbers = space::from_fn([1_u32], |n| [('+', n + 1), ('*', n * 2)], |n| n == 100);
//! // A move at most doubles the number and never decreases it.
//! let doublings = heuristic::from_fn(|number: u32| {
//!     (number <= 100).then(|| 100_u32.div_ceil(number).next_power_of_two().ilog2())
//! });
//! let outcome = Search::new(&numbers).heuristic(&doublings).run();
//! assert_eq!(outcome.cost(), Some(8));
//! ```

use std::cell::LazyCell;

use crate::space::StateSpace;
use crate::symmetry::Symmetric;
use crate::word::Word;

/// A lower bound on the distance to the nearest goal.
///
/// The bound must be *admissible*: it must never exceed the distance, so it is 0 at a goal. The
/// proofs of A* and IDA* depend on it. If the bound is also *consistent*, which means that it
/// decreases by at most 1 per move, or by the [cost](crate::space::cost) of the move, A* expands no
/// state twice.
///
/// A search calls [`evaluate`](Self::evaluate) for initial states, [`update`](Self::update) for
/// each generated successor, and [`bound`](Self::bound) to get the number. IDA* carries the
/// [`Evaluation`](Self::Evaluation) along each path. A* does not store it: it evaluates an expanded
/// state once more, but only if `update` asks for its evaluation.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no heuristic of this space",
    note = "`heuristic::from_fn` makes one of a closure from a state to a lower bound"
)]
pub trait Heuristic<S: StateSpace>: Sync {
    /// What the bound of a state is computed from. Choose a type that is cheap to update after a
    /// move.
    type Evaluation: Copy;

    /// Computes the evaluation of a state from the state alone.
    fn evaluate(&self, state: S::State) -> Self::Evaluation;

    /// Computes the evaluation of `to` from that of its predecessor `from`, which `evaluation`
    /// returns; the move `by` leads from `from` to `to`. The result must equal `evaluate(to)`. The
    /// default calls [`evaluate`](Self::evaluate); override it if an incremental update is cheaper.
    #[inline]
    fn update(
        &self,
        evaluation: impl FnOnce() -> Self::Evaluation,
        from: S::State,
        by: S::Move,
        to: S::State,
    ) -> Self::Evaluation {
        let _ = (evaluation, from, by);
        self.evaluate(to)
    }

    /// The lower bound, in moves. `None` means that no goal is reachable from the state; searches
    /// then discard it. Do not return a large number instead: the open list of A* has a bucket for
    /// each number of moves up to the greatest bound.
    fn bound(&self, evaluation: Self::Evaluation) -> Option<u32>;
}

/// The heuristic whose bound is 0 for every state. A* with it expands states in the order of their
/// depth, as breadth-first search does.
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

/// The greater of two bounds of a state.
pub fn max<'a, A, B>(one: &'a A, other: &'a B) -> Max<'a, A, B> {
    Max { one, other }
}

/// The heuristic that [`max`] returns.
#[derive(Clone, Copy, Debug)]
pub struct Max<'a, A, B> {
    one: &'a A,
    other: &'a B,
}

impl<S: StateSpace, A: Heuristic<S>, B: Heuristic<S>> Heuristic<S> for Max<'_, A, B> {
    type Evaluation = (A::Evaluation, B::Evaluation);

    #[inline]
    fn evaluate(&self, state: S::State) -> Self::Evaluation {
        (self.one.evaluate(state), self.other.evaluate(state))
    }

    #[inline]
    fn update(
        &self,
        evaluation: impl FnOnce() -> Self::Evaluation,
        from: S::State,
        by: S::Move,
        to: S::State,
    ) -> Self::Evaluation {
        let both = LazyCell::new(evaluation);
        (self.one.update(|| both.0, from, by, to), self.other.update(|| both.1, from, by, to))
    }

    #[inline]
    fn bound(&self, (one, other): Self::Evaluation) -> Option<u32> {
        Some(self.one.bound(one)?.max(self.other.bound(other)?))
    }
}

/// The greater bound of a state and of its image under symmetry 1, such as a mirror, which is as far
/// from the goals. The [order](Symmetric::order) must be at least 2. It is worth its time if the heuristic is not the same for both, as a pattern database that is not symmetric.
pub fn mirrored<'a, S: Symmetric, H: Heuristic<S>>(
    space: &'a S,
    heuristic: &'a H,
) -> Mirrored<'a, S, H> {
    Mirrored { space, heuristic }
}

/// The heuristic that [`mirrored`] returns.
#[derive(Clone, Copy, Debug)]
pub struct Mirrored<'a, S, H> {
    space: &'a S,
    heuristic: &'a H,
}

impl<S: Symmetric, H: Heuristic<S>> Heuristic<S> for Mirrored<'_, S, H> {
    /// Those of the state and of its image.
    type Evaluation = [H::Evaluation; 2];

    #[inline]
    fn evaluate(&self, state: S::State) -> Self::Evaluation {
        [state, self.space.image(state, 1)].map(|state| self.heuristic.evaluate(state))
    }

    #[inline]
    fn update(
        &self,
        evaluation: impl FnOnce() -> Self::Evaluation,
        from: S::State,
        by: S::Move,
        to: S::State,
    ) -> Self::Evaluation {
        let (space, heuristic) = (self.space, self.heuristic);
        let both = LazyCell::new(evaluation);
        let (image_from, image_to) = (space.image(from, 1), space.image(to, 1));
        [
            heuristic.update(|| both[0], from, by, to),
            heuristic.update(|| both[1], image_from, space.image_of_move(by, 1), image_to),
        ]
    }

    #[inline]
    fn bound(&self, [own, image]: Self::Evaluation) -> Option<u32> {
        Some(self.heuristic.bound(own)?.max(self.heuristic.bound(image)?))
    }
}

/// A heuristic from a closure that computes the lower bound of a state, in moves, or `None` if no
/// goal is reachable from it.
///
/// A type that implements [`Heuristic`] can do more: [update](Heuristic::update) a bound after a
/// move instead of computing it from the state.
pub fn from_fn<W: Word, B: Into<Option<u32>>, F: Fn(W) -> B>(bound: F) -> FromFn<F> {
    FromFn(bound)
}

/// The heuristic that [`from_fn`] returns.
#[derive(Clone, Copy, Debug)]
pub struct FromFn<F>(F);

impl<S, B, F> Heuristic<S> for FromFn<F>
where
    S: StateSpace,
    B: Into<Option<u32>>,
    F: Fn(S::State) -> B + Sync,
{
    type Evaluation = Option<u32>;

    #[inline]
    fn evaluate(&self, state: S::State) -> Option<u32> {
        (self.0)(state).into()
    }

    #[inline]
    fn bound(&self, evaluation: Option<u32>) -> Option<u32> {
        evaluation
    }
}
