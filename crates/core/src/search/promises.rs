//! What a [`Search`](super::Search) may use of a space. A builder cannot see which traits a type
//! implements, so its methods record them in type parameters.

use std::io::ErrorKind;
use std::num::NonZero;
use std::ops::ControlFlow;

use super::{astar, bfs, bidirectional};
use crate::budget::{Budget, Limit};
use crate::explore::{CompleteLayer, Exploration, explore_by_layer};
use crate::heuristic::{Blind, Heuristic};
use crate::outcome::Outcome;
use crate::representation::{Representation, Request};
use crate::space::{Goals, Predecessors, Ranked, StateSpace};
use crate::store::{
    KeepsLayers, LayerStore, OneThread, Runs, Shard, Sharded, TwoBits, TwoBitsOnDisk,
};
use crate::visited::{Adaptive, CompactTable, DenseBits, Table, Visited};

mod sealed {
    /// Keeps the traits of this module from being implemented elsewhere.
    pub trait Sealed {}
}

use sealed::Sealed;

impl Sealed for NoHeuristic {}
impl<H> Sealed for &H {}
impl<F> Sealed for Lazy<F> {}
impl Sealed for ForwardOnly {}
impl Sealed for Backward {}
impl Sealed for Unranked {}
impl Sealed for KnownWidth {}
impl Sealed for Ranks {}
impl Sealed for NoGoals {}
impl Sealed for ListedGoals {}

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

/// The search may expand states only.
#[derive(Clone, Copy, Debug)]
pub struct ForwardOnly;

/// The search may use [`Predecessors`].
#[derive(Clone, Copy, Debug)]
pub struct Backward;

/// How a search recovers plans. This trait is sealed: it is implemented for [`ForwardOnly`] and
/// [`Backward`].
pub trait BackwardUse<S: StateSpace>: Sealed {
    /// Whether each move is known to have an inverse.
    #[doc(hidden)]
    const IS_UNDIRECTED: bool;
    /// Whether the search may use predecessors.
    #[doc(hidden)]
    const HAS_PREDECESSORS: bool;
    #[doc(hidden)]
    fn bfs<'s>(store: impl KeepsLayers<'s, S>, budget: &Budget) -> Outcome<Vec<S::State>>
    where
        S: 's;
    /// A search that stores parents, if that is the better way to recover plans.
    #[doc(hidden)]
    fn bfs_with_parents(space: &S, budget: &Budget) -> Option<Outcome<Vec<S::State>>> {
        let _ = (space, budget);
        None
    }
    #[doc(hidden)]
    fn astar<H: Heuristic<S>>(space: &S, heuristic: &H, budget: &Budget) -> Outcome<Vec<S::State>>;
    /// Emits the predecessors. Called only if the search may use them.
    #[doc(hidden)]
    fn predecessors(
        space: &S,
        state: S::State,
        emit: &mut dyn FnMut(S::State) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let _ = (space, state, emit);
        unreachable!("the search may not use predecessors")
    }
}

impl<S: StateSpace> BackwardUse<S> for ForwardOnly {
    const IS_UNDIRECTED: bool = false;
    const HAS_PREDECESSORS: bool = false;

    fn bfs<'s>(store: impl KeepsLayers<'s, S>, budget: &Budget) -> Outcome<Vec<S::State>>
    where
        S: 's,
    {
        bfs::search_in(store, budget)
    }

    fn bfs_with_parents(space: &S, budget: &Budget) -> Option<Outcome<Vec<S::State>>> {
        S::EXPENSIVE_EXPANSION.then(|| bfs::search_with_parents(space, budget))
    }

    fn astar<H: Heuristic<S>>(space: &S, heuristic: &H, budget: &Budget) -> Outcome<Vec<S::State>> {
        if S::EXPENSIVE_EXPANSION {
            astar::search_with_parents(space, heuristic, budget)
        } else {
            astar::search(space, heuristic, budget)
        }
    }
}

impl<S: Predecessors> BackwardUse<S> for Backward {
    const IS_UNDIRECTED: bool = S::UNDIRECTED;
    const HAS_PREDECESSORS: bool = true;

    fn bfs<'s>(store: impl KeepsLayers<'s, S>, budget: &Budget) -> Outcome<Vec<S::State>>
    where
        S: 's,
    {
        bfs::search_in_with_predecessors(store, budget)
    }

    fn astar<H: Heuristic<S>>(space: &S, heuristic: &H, budget: &Budget) -> Outcome<Vec<S::State>> {
        astar::search_with_predecessors(space, heuristic, budget)
    }

    fn predecessors(
        space: &S,
        state: S::State,
        emit: &mut dyn FnMut(S::State) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        space.predecessors(state, emit)
    }
}

/// The search stores states.
#[derive(Clone, Copy, Debug)]
pub struct Unranked;

/// The search may use the ranks of states.
#[derive(Clone, Copy, Debug)]
pub struct Ranks;

/// The search stores states in a [`CompactTable`].
#[derive(Clone, Copy, Debug)]
pub struct KnownWidth;

/// Which visited set a search uses. This trait is sealed: it is implemented for [`Unranked`],
/// [`KnownWidth`] and [`Ranks`].
pub trait RankUse<S: StateSpace>: Sealed {
    /// The number of ranks, if the search may use them.
    #[doc(hidden)]
    fn ranks(space: &S) -> Option<u64> {
        let _ = space;
        None
    }
    /// The rank of a state. Called only if there are ranks.
    #[doc(hidden)]
    fn rank(space: &S, state: S::State) -> u64 {
        let _ = (space, state);
        unreachable!("the search may not use ranks")
    }
    /// The state with a rank. Called only if there are ranks.
    #[doc(hidden)]
    fn unrank(space: &S, rank: u64) -> S::State {
        let _ = (space, rank);
        unreachable!("the search may not use ranks")
    }
    #[doc(hidden)]
    fn bfs<B: BackwardUse<S>>(
        space: &S,
        representation: Representation,
        threads: NonZero<usize>,
        budget: &Budget,
    ) -> Outcome<Vec<S::State>>;
    #[doc(hidden)]
    fn bidirectional(space: &S, budget: &Budget) -> Outcome<Vec<S::State>>
    where
        S: Goals + Predecessors;
    #[doc(hidden)]
    fn explore<B: BackwardUse<S>>(
        space: &S,
        representation: Representation,
        threads: NonZero<usize>,
        budget: &Budget,
        visit: impl FnMut(u32, &dyn CompleteLayer<S::State>) -> Result<ControlFlow<()>, Limit>,
    ) -> Exploration;
}

impl<S: StateSpace> RankUse<S> for Unranked {
    fn bfs<B: BackwardUse<S>>(
        space: &S,
        representation: Representation,
        threads: NonZero<usize>,
        budget: &Budget,
    ) -> Outcome<Vec<S::State>> {
        bfs_on::<S, Adaptive<_>, Table<_>, B>(space, representation, threads, budget)
    }

    fn bidirectional(space: &S, budget: &Budget) -> Outcome<Vec<S::State>>
    where
        S: Goals + Predecessors,
    {
        bidirectional::search::<Adaptive<_>, S>(space, budget)
    }

    fn explore<B: BackwardUse<S>>(
        space: &S,
        representation: Representation,
        threads: NonZero<usize>,
        budget: &Budget,
        visit: impl FnMut(u32, &dyn CompleteLayer<S::State>) -> Result<ControlFlow<()>, Limit>,
    ) -> Exploration {
        explore_on::<S, Adaptive<_>, Table<_>, B>(space, representation, threads, budget, visit)
    }
}

impl<S: StateSpace> RankUse<S> for KnownWidth {
    fn bfs<B: BackwardUse<S>>(
        space: &S,
        representation: Representation,
        threads: NonZero<usize>,
        budget: &Budget,
    ) -> Outcome<Vec<S::State>> {
        // The user chose the visited set, so parents are not stored instead.
        bfs_in_set::<S, CompactTable, CompactTable, B>(space, representation, threads, budget)
    }

    fn bidirectional(space: &S, budget: &Budget) -> Outcome<Vec<S::State>>
    where
        S: Goals + Predecessors,
    {
        bidirectional::search::<CompactTable, S>(space, budget)
    }

    fn explore<B: BackwardUse<S>>(
        space: &S,
        representation: Representation,
        threads: NonZero<usize>,
        budget: &Budget,
        visit: impl FnMut(u32, &dyn CompleteLayer<S::State>) -> Result<ControlFlow<()>, Limit>,
    ) -> Exploration {
        explore_on::<S, CompactTable, CompactTable, B>(
            space,
            representation,
            threads,
            budget,
            visit,
        )
    }
}

impl<S: Ranked> RankUse<S> for Ranks {
    fn ranks(space: &S) -> Option<u64> {
        space.ranks()
    }

    fn rank(space: &S, state: S::State) -> u64 {
        space.rank(state)
    }

    fn unrank(space: &S, rank: u64) -> S::State {
        space.unrank(rank)
    }

    fn bfs<B: BackwardUse<S>>(
        space: &S,
        representation: Representation,
        threads: NonZero<usize>,
        budget: &Budget,
    ) -> Outcome<Vec<S::State>> {
        if representation == Representation::Bits {
            bfs_on::<S, DenseBits, DenseBits, B>(space, representation, threads, budget)
        } else {
            Unranked::bfs::<B>(space, representation, threads, budget)
        }
    }

    fn bidirectional(space: &S, budget: &Budget) -> Outcome<Vec<S::State>>
    where
        S: Goals + Predecessors,
    {
        if DenseBits::is_suitable(space, budget.memory()) {
            bidirectional::search::<DenseBits, S>(space, budget)
        } else {
            Unranked::bidirectional(space, budget)
        }
    }

    fn explore<B: BackwardUse<S>>(
        space: &S,
        representation: Representation,
        threads: NonZero<usize>,
        budget: &Budget,
        visit: impl FnMut(u32, &dyn CompleteLayer<S::State>) -> Result<ControlFlow<()>, Limit>,
    ) -> Exploration {
        let memory = budget.memory();
        match (representation, budget.disk()) {
            (Representation::Bits, _) => explore_on::<S, DenseBits, DenseBits, B>(
                space,
                representation,
                threads,
                budget,
                visit,
            ),
            (Representation::TwoBits, None) => {
                explore_store(TwoBits::new(space, threads, memory), budget, visit)
            }
            (Representation::TwoBits, Some(disk)) => {
                let bytes = Request::buffer_bytes(memory.limit_bytes());
                let store = TwoBitsOnDisk::new(space, disk, threads, bytes, memory);
                explore_store(store, budget, visit)
            }
            _ => Unranked::explore::<B>(space, representation, threads, budget, visit),
        }
    }
}

/// Breadth-first search on the set `V` with one thread, or on shards of the set `T` with more.
fn bfs_on<S: StateSpace, V: Visited<S> + Send, T: Shard<S>, B: BackwardUse<S>>(
    space: &S,
    representation: Representation,
    threads: NonZero<usize>,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    let is_free = budget.representation().is_none()
        && budget.disk().is_none()
        && budget.checkpoint().is_none();
    let stores_parents = threads == NonZero::<usize>::MIN && is_free;
    let parents = if stores_parents { B::bfs_with_parents(space, budget) } else { None };
    parents.unwrap_or_else(|| bfs_in_set::<S, V, T, B>(space, representation, threads, budget))
}

/// The same without parents.
fn bfs_in_set<S: StateSpace, V: Visited<S> + Send, T: Shard<S>, B: BackwardUse<S>>(
    space: &S,
    representation: Representation,
    threads: NonZero<usize>,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    let memory = budget.memory();
    if representation == Representation::Runs {
        return match runs(space, B::IS_UNDIRECTED, threads, budget) {
            Ok(store) => B::bfs(store, budget),
            Err(limit) => Outcome::stopped(limit, budget),
        };
    }
    let outcome = if threads == NonZero::<usize>::MIN {
        OneThread::<S, V>::new(space, memory).map(|store| B::bfs(store, budget))
    } else {
        Sharded::<S, T>::new(space, threads, memory).map(|store| B::bfs(store, budget))
    };
    outcome.unwrap_or_else(|error| Outcome::stopped(error.into(), budget))
}

/// Exploration on the set `V` with one thread, or on shards of the set `T` with more.
fn explore_on<S: StateSpace, V: Visited<S> + Send, T: Shard<S>, B: BackwardUse<S>>(
    space: &S,
    representation: Representation,
    threads: NonZero<usize>,
    budget: &Budget,
    visit: impl FnMut(u32, &dyn CompleteLayer<S::State>) -> Result<ControlFlow<()>, Limit>,
) -> Exploration {
    let memory = budget.memory();
    if representation == Representation::Runs {
        explore_store(runs(space, B::IS_UNDIRECTED, threads, budget), budget, visit)
    } else if threads == NonZero::<usize>::MIN {
        explore_store(OneThread::<S, V>::new(space, memory), budget, visit)
    } else {
        explore_store(Sharded::<S, T>::new(space, threads, memory), budget, visit)
    }
}

fn explore_store<'s, S: StateSpace + 's>(
    store: Result<impl LayerStore<'s, S>, impl Into<Limit>>,
    budget: &Budget,
    visit: impl FnMut(u32, &dyn CompleteLayer<S::State>) -> Result<ControlFlow<()>, Limit>,
) -> Exploration {
    match store {
        Ok(mut store) => explore_by_layer(&mut store, budget, visit),
        Err(error) => Exploration::stopped(error.into(), budget),
    }
}

/// A store on the disk of the budget.
pub(super) fn runs<'s, S: StateSpace>(
    space: &'s S,
    is_undirected: bool,
    threads: NonZero<usize>,
    budget: &Budget,
) -> Result<Runs<'s, S>, Limit> {
    let disk = budget.disk().ok_or(Limit::Io(ErrorKind::Unsupported))?;
    let memory = budget.memory();
    let bytes = Request::buffer_bytes(memory.limit_bytes());
    Runs::new(space, disk, is_undirected, threads, bytes, memory)
}

/// The search may not list the goals.
#[derive(Clone, Copy, Debug)]
pub struct NoGoals;

/// The search may list the goals.
#[derive(Clone, Copy, Debug)]
pub struct ListedGoals;

/// Whether a search can start from the goals. This trait is sealed: it is implemented for
/// [`NoGoals`] and [`ListedGoals`].
pub trait GoalUse<S: StateSpace, B, R>: Sealed {
    #[doc(hidden)]
    const ALLOWS_BIDIRECTIONAL: bool = false;
    #[doc(hidden)]
    fn bidirectional(space: &S, budget: &Budget) -> Option<Outcome<Vec<S::State>>> {
        let _ = (space, budget);
        None
    }
}

impl<S: StateSpace, B, R> GoalUse<S, B, R> for NoGoals {}

impl<S: Goals, R> GoalUse<S, ForwardOnly, R> for ListedGoals {}

impl<S: Goals + Predecessors, R: RankUse<S>> GoalUse<S, Backward, R> for ListedGoals {
    const ALLOWS_BIDIRECTIONAL: bool = true;

    fn bidirectional(space: &S, budget: &Budget) -> Option<Outcome<Vec<S::State>>> {
        Some(R::bidirectional(space, budget))
    }
}
