//! Whether a [`Search`](super::Search) has a heuristic, as a type: A* and IDA* are compiled for
//! each heuristic.

use super::settings::Settings;
use crate::budget::{Budget, Limit};
use crate::heuristic::{Blind, Heuristic};
use crate::outcome::Outcome;
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
    /// Runs a search with the heuristic. If it cannot be made, the search is stopped.
    #[doc(hidden)]
    fn run<P>(
        self,
        settings: Settings<'_>,
        search: impl FnOnce(&Self::Given, &Budget) -> Outcome<P>,
    ) -> Outcome<P>;
}

/// Whether a search has a heuristic that is there already, so that it can be [driven step by
/// step](super::Search::steps). This trait is sealed: it is implemented for [`NoHeuristic`] and a
/// reference to a heuristic.
pub trait HeuristicReady<S: StateSpace>: HeuristicUse<S> {
    #[doc(hidden)]
    fn get(&self) -> &Self::Given;
}

impl<S: StateSpace> HeuristicReady<S> for NoHeuristic {
    fn get(&self) -> &Blind {
        &Blind
    }
}

impl<S: StateSpace, H: Heuristic<S>> HeuristicReady<S> for &H {
    fn get(&self) -> &H {
        self
    }
}

/// A search that has a heuristic. This trait is sealed, too.
pub trait HeuristicGiven: Sealed {}

impl<H> HeuristicGiven for &H {}
impl<F> HeuristicGiven for Lazy<F> {}

impl<S: StateSpace> HeuristicUse<S> for NoHeuristic {
    const IS_GIVEN: bool = false;
    type Given = Blind;

    fn run<P>(self, _: Settings<'_>, _: impl FnOnce(&Blind, &Budget) -> Outcome<P>) -> Outcome<P> {
        unreachable!("an engine that needs a heuristic is refused without one")
    }
}

impl<S: StateSpace, H: Heuristic<S>> HeuristicUse<S> for &H {
    const IS_GIVEN: bool = true;
    type Given = H;

    fn run<P>(
        self,
        settings: Settings<'_>,
        search: impl FnOnce(&H, &Budget) -> Outcome<P>,
    ) -> Outcome<P> {
        search(self, &settings.budget())
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

    fn run<P>(
        self,
        settings: Settings<'_>,
        search: impl FnOnce(&H, &Budget) -> Outcome<P>,
    ) -> Outcome<P> {
        let budget = &settings.budget();
        match (self.0)(budget) {
            Ok(heuristic) => search(&heuristic, budget),
            Err(error) => Outcome::stopped(error.into(), budget),
        }
    }
}
