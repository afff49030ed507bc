//! Whether a [`Search`](super::Search) has a heuristic, as a type: A* and IDA* are compiled for
//! each heuristic.

use crate::budget::{Budget, Limit};
use crate::heuristic::{Blind, Heuristic};
use crate::space::StateSpace;

mod sealed {
    /// Keeps the trait of this module from being implemented elsewhere.
    pub trait Sealed {}
}

use sealed::Sealed;

impl Sealed for NoHeuristic {}
impl<H> Sealed for &H {}
impl<F> Sealed for Lazy<F> {}

/// The search has no heuristic.
#[derive(Clone, Copy, Debug)]
pub struct NoHeuristic;

/// The search makes its heuristic when it needs it.
#[derive(Clone, Copy, Debug)]
pub struct Lazy<F>(pub(super) F);

/// Whether a search has a heuristic. This trait is sealed: it is implemented for [`NoHeuristic`], a
/// reference to a heuristic, and [`Lazy`].
pub trait HeuristicUse<S: StateSpace>: Sealed + Sized {
    #[doc(hidden)]
    const IS_GIVEN: bool;
    #[doc(hidden)]
    type Given: Heuristic<S>;
    #[doc(hidden)]
    fn with<T>(
        self,
        budget: &Budget,
        run: impl FnOnce(&Self::Given) -> T,
    ) -> Option<Result<T, Limit>>;
}

impl<S: StateSpace> HeuristicUse<S> for NoHeuristic {
    const IS_GIVEN: bool = false;
    type Given = Blind;

    fn with<T>(self, _: &Budget, _: impl FnOnce(&Blind) -> T) -> Option<Result<T, Limit>> {
        None
    }
}

impl<S: StateSpace, H: Heuristic<S>> HeuristicUse<S> for &H {
    const IS_GIVEN: bool = true;
    type Given = H;

    fn with<T>(self, _: &Budget, run: impl FnOnce(&H) -> T) -> Option<Result<T, Limit>> {
        Some(Ok(run(self)))
    }
}

impl<S, H, E, F> HeuristicUse<S> for Lazy<F>
where
    S: StateSpace,
    H: Heuristic<S>,
    E: Into<Limit>,
    F: FnOnce(&Budget) -> Result<H, E>,
{
    const IS_GIVEN: bool = true;
    type Given = H;

    fn with<T>(self, budget: &Budget, run: impl FnOnce(&H) -> T) -> Option<Result<T, Limit>> {
        Some((self.0)(budget).map(|heuristic| run(&heuristic)).map_err(Into::into))
    }
}
