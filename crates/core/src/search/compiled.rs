//! The layered searches, compiled for each type of word.
//!
//! A search with a space behind a `dyn` is generic over the word only.
//! [`compiled!`](crate::compiled) turns it into functions without type parameters, so that the
//! crate that calls the macro has their code and no other one compiles it again: at optimization
//! level 2 and 3, rustc does not share generic code between crates. With `#[inline]`, each crate
//! that searches the word has the code.

use std::io::ErrorKind;
use std::num::NonZero;

use super::all_shortest::{self, PlanGraph};
#[doc(hidden)]
pub use super::depths::Depths;
#[doc(hidden)]
pub use super::recovery::plan_by_depths;
#[doc(hidden)]
pub use super::settings::Settings;
#[doc(hidden)]
pub use super::stepped::Stepped;
use super::{Engine, PulledLayers, bfs, bidirectional, bidirectional_by_cost, recovery, stepped};
use crate::buckets::Buckets;
use crate::budget::{Budget, Limit, Meter};
use crate::checkpoint::Checkpoint;
use crate::explore::graph::Graph;
use crate::explore::{Exploration, Layers, VisitLayer, explore_in};
use crate::layers::DistanceQueue;
use crate::outcome::Outcome;
use crate::representation::{Representation, RepresentationChoice, Request};
use crate::seam::SpaceView;
use crate::space::cost::CostRange;
use crate::storage::IS_BROWSER;
use crate::store::{
    Distributed, LayerStore, OneThread, Owners, Runs, Sharded, TwoBits, TwoBitsOnDisk,
};
use crate::visited::{Adaptive, CompactTable, RankSet, Table};
use crate::word::Word;

/// The layered searches of a type of words, without type parameters. [`compiled!`](crate::compiled)
/// implements it: for `u8` to `u128`, and `[u64; N]` for `N` up to 8, in this crate.
///
/// This crate has the code for `u32`, `u64`, `u128` and `[u64; 3]`. Each crate that searches one of
/// the others compiles it, in about nine seconds in a release build.
pub trait SearchedWord: Sized + 'static {
    #[doc(hidden)]
    fn bfs(space: SpaceView<'_, Self>, settings: Settings<'_>) -> Outcome<Vec<Self>>;
    #[doc(hidden)]
    fn bidirectional(space: SpaceView<'_, Self>, settings: Settings<'_>) -> Outcome<Vec<Self>>;
    #[doc(hidden)]
    fn all_shortest(space: SpaceView<'_, Self>, settings: Settings<'_>)
    -> Outcome<PlanGraph<Self>>;
    #[doc(hidden)]
    fn explore(
        space: SpaceView<'_, Self>,
        settings: Settings<'_>,
        only_counts: bool,
        visit: VisitLayer<'_, Self>,
    ) -> Exploration;
    #[doc(hidden)]
    fn layers<'s>(space: SpaceView<'s, Self>, settings: Settings<'_>) -> Layers<'s, Self>;
    #[doc(hidden)]
    fn pull_layers<'s>(
        space: SpaceView<'s, Self>,
        settings: Settings<'_>,
    ) -> Result<PulledLayers<'s, Self>, Limit>;
    #[doc(hidden)]
    fn new_stepped<'s>(
        space: SpaceView<'s, Self>,
        settings: Settings<'_>,
        budget: &Budget,
        meter: &mut Meter<'_>,
    ) -> Result<Box<dyn Stepped<Self> + 's>, Limit>;
    #[doc(hidden)]
    fn graph(space: SpaceView<'_, Self>, budget: &Budget) -> Result<Graph<Self>, Limit>;
    #[doc(hidden)]
    fn plan_by_depths(
        space: SpaceView<'_, Self>,
        depths: &dyn Depths<Self>,
        goal: Self,
        meter: &mut Meter<'_>,
    ) -> Result<(Vec<Self>, u32), Limit>;
    #[doc(hidden)]
    fn searches_by_cost() -> &'static dyn SearchesByCost<Self>;
}

/// What searches do in another way if moves have [costs](crate::space::cost). Behind a `dyn` that
/// only a space with costs asks for, so that programs without one do not have its code.
pub trait SearchesByCost<W> {
    #[doc(hidden)]
    fn queue(&self, costs: CostRange, threads: usize, budget: &Budget)
    -> Box<dyn DistanceQueue<W>>;
    #[doc(hidden)]
    fn bidirectional<'s>(
        &self,
        space: SpaceView<'s, W>,
        meter: &Meter<'_>,
    ) -> Result<Box<dyn Stepped<W> + 's>, Limit>;
    #[doc(hidden)]
    fn plan_by_depths(
        &self,
        space: SpaceView<'_, W>,
        depths: &dyn Depths<W>,
        goal: W,
        meter: &mut Meter<'_>,
    ) -> Result<(Vec<W>, u32), Limit>;
}

/// Compiles the layered searches for types of words, which implement [`Word`]: in another crate,
/// types of its own. Each takes about nine seconds to compile in a release build.
#[macro_export]
macro_rules! compiled {
    (@ [$($inline:tt)*] $word:ty) => {
        impl $crate::search::compiled::SearchedWord for $word {
            $($inline)*
            fn bfs(
                space: $crate::seam::SpaceView<'_, Self>,
                settings: $crate::search::compiled::Settings<'_>,
            ) -> $crate::outcome::Outcome<Vec<Self>> {
                $crate::search::compiled::bfs(space, settings)
            }

            $($inline)*
            fn bidirectional(
                space: $crate::seam::SpaceView<'_, Self>,
                settings: $crate::search::compiled::Settings<'_>,
            ) -> $crate::outcome::Outcome<Vec<Self>> {
                $crate::search::compiled::bidirectional(space, settings)
            }

            $($inline)*
            fn all_shortest(
                space: $crate::seam::SpaceView<'_, Self>,
                settings: $crate::search::compiled::Settings<'_>,
            ) -> $crate::outcome::Outcome<$crate::search::all_shortest::PlanGraph<Self>> {
                $crate::search::compiled::all_shortest(space, settings)
            }

            $($inline)*
            fn explore(
                space: $crate::seam::SpaceView<'_, Self>,
                settings: $crate::search::compiled::Settings<'_>,
                only_counts: bool,
                visit: $crate::explore::VisitLayer<'_, Self>,
            ) -> $crate::explore::Exploration {
                $crate::search::compiled::explore(space, settings, only_counts, visit)
            }

            $($inline)*
            fn layers<'s>(
                space: $crate::seam::SpaceView<'s, Self>,
                settings: $crate::search::compiled::Settings<'_>,
            ) -> $crate::explore::Layers<'s, Self> {
                $crate::search::compiled::layers(space, settings)
            }

            $($inline)*
            fn pull_layers<'s>(
                space: $crate::seam::SpaceView<'s, Self>,
                settings: $crate::search::compiled::Settings<'_>,
            ) -> Result<$crate::search::PulledLayers<'s, Self>, $crate::budget::Limit> {
                $crate::search::compiled::pull_layers(space, settings)
            }

            $($inline)*
            fn new_stepped<'s>(
                space: $crate::seam::SpaceView<'s, Self>,
                settings: $crate::search::compiled::Settings<'_>,
                budget: &$crate::budget::Budget,
                meter: &mut $crate::budget::Meter<'_>,
            ) -> Result<Box<dyn $crate::search::compiled::Stepped<Self> + 's>, $crate::budget::Limit>
            {
                $crate::search::compiled::new_stepped(space, settings, budget, meter)
            }

            $($inline)*
            fn graph(
                space: $crate::seam::SpaceView<'_, Self>,
                budget: &$crate::budget::Budget,
            ) -> Result<$crate::explore::graph::Graph<Self>, $crate::budget::Limit> {
                $crate::search::compiled::graph(space, budget)
            }

            $($inline)*
            fn plan_by_depths(
                space: $crate::seam::SpaceView<'_, Self>,
                depths: &dyn $crate::search::compiled::Depths<Self>,
                goal: Self,
                meter: &mut $crate::budget::Meter<'_>,
            ) -> Result<(Vec<Self>, u32), $crate::budget::Limit> {
                $crate::search::compiled::plan_by_depths(space, depths, goal, meter)
            }

            $($inline)*
            fn searches_by_cost() -> &'static dyn $crate::search::compiled::SearchesByCost<Self> {
                $crate::search::compiled::searches_by_cost()
            }
        }
    };
    (#[inline] $($word:ty),* $(,)?) => { $($crate::compiled!(@ [#[inline]] $word);)* };
    ($($word:ty),* $(,)?) => { $($crate::compiled!(@ [] $word);)* };
}

// What the puzzles of this workspace and most others search.
compiled! { u32, u64, u128, [u64; 3] }
compiled! { #[inline] u8, u16, [u64; 1], [u64; 2], [u64; 4], [u64; 5], [u64; 6], [u64; 7], [u64; 8] }

/// A layered search, and how it keeps its states.
#[derive(Clone, Copy)]
struct Job<'a, W> {
    space: SpaceView<'a, W>,
    choice: RepresentationChoice,
    threads: NonZero<usize>,
    budget: &'a Budget,
}

impl<'a, W: Word> Job<'a, W> {
    fn new(
        space: SpaceView<'a, W>,
        settings: Settings<'_>,
        needs_layers: bool,
        budget: &'a Budget,
    ) -> Result<Self, Limit> {
        let choice = settings.choose(&space.properties(), size_of::<W>(), needs_layers, budget)?;
        Ok(Self { space, choice, threads: settings.threads(budget), budget })
    }
}

type NewStore<'a, W> = Result<(SpaceView<'a, W>, Box<dyn LayerStore<W> + 'a>), Limit>;

/// An empty store, and the view of the space for this process. If the store cannot be made, stops
/// all processes of the cluster.
fn new_store<'a, W: Word>(job: Job<'a, W>) -> NewStore<'a, W> {
    let Job { space, budget, .. } = job;
    let Some(cluster) = budget.storage().cluster() else {
        return Ok((space, new_local_store(space, job)?));
    };
    let owners = match job.choice.representation {
        Representation::Bits | Representation::TwoBits => Owners::by_rank(&space, cluster),
        Representation::Table | Representation::Runs => Owners::Hash,
    };
    let own = owners.own(&space, cluster);
    let store = new_local_store(own, job).and_then(|inner| {
        let store = Distributed::new(&own, cluster, owners, inner, budget.memory())?;
        Ok((own, Box::new(store) as Box<dyn LayerStore<W> + 'a>))
    });
    // The other processes would wait for this one at the first layer.
    store.inspect_err(|&limit| cluster.stop(limit))
}

/// An empty store of this process.
fn new_local_store<'a, W: Word>(
    space: SpaceView<'a, W>,
    job: Job<'_, W>,
) -> Result<Box<dyn LayerStore<W> + 'a>, Limit> {
    let Job { choice, threads, budget, .. } = job;
    let (space, memory) = (&space, budget.memory());
    let is_alone = IS_BROWSER || threads == NonZero::<usize>::MIN;
    let buffer_bytes = Request::buffer_bytes(memory.limit_bytes());
    Ok(match (choice.representation, budget.storage().disk()) {
        (Representation::Runs, disk) => {
            let disk = disk.ok_or(Limit::Io(ErrorKind::Unsupported))?;
            let repeated_layers = space.properties().repeated_layers();
            Box::new(Runs::<W>::new(disk, repeated_layers, threads, buffer_bytes, memory)?)
        }
        (Representation::TwoBits, None) => Box::new(TwoBits::new(space, threads, memory)?),
        (Representation::TwoBits, Some(disk)) => {
            Box::new(TwoBitsOnDisk::new(space, disk, threads, buffer_bytes, memory)?)
        }
        (Representation::Bits, _) if is_alone => {
            Box::new(OneThread::<W, RankSet>::new(space, memory)?)
        }
        (Representation::Bits, _) => Box::new(Sharded::<W, RankSet>::new(space, threads, memory)?),
        (Representation::Table, _) if is_alone => {
            Box::new(OneThread::<W, Adaptive<W>>::new(space, memory)?)
        }
        (Representation::Table, _) if space.properties().state_bits <= 64 => {
            Box::new(Sharded::<W, CompactTable>::new(space, threads, memory)?)
        }
        (Representation::Table, _) => {
            Box::new(Sharded::<W, Table<W>>::new(space, threads, memory)?)
        }
    })
}

#[doc(hidden)]
pub fn bfs<W: Word>(space: SpaceView<'_, W>, settings: Settings<'_>) -> Outcome<Vec<W>> {
    let budget = &settings.budget();
    if budget.has_steps() {
        return stepped::run_new(budget, |meter| new_stepped(space, settings, budget, meter));
    }
    let job = match Job::new(space, settings, true, budget) {
        Ok(job) => job,
        Err(limit) => return Outcome::stopped(limit, budget),
    };
    let outcome = match new_store(job) {
        Ok((space, mut store)) => bfs::search_in(space, &mut *store, budget),
        Err(limit) => Outcome::stopped(limit, budget),
    };
    Outcome { representation: Some(job.choice), ..outcome }
}

#[doc(hidden)]
pub fn bidirectional<W: Word>(space: SpaceView<'_, W>, settings: Settings<'_>) -> Outcome<Vec<W>> {
    let budget = &settings.budget();
    let request = settings.request(&space.properties(), size_of::<W>(), true, budget);
    let choice = request.choose_from_both_sides();
    let outcome = stepped::run_new(budget, |meter| {
        bidirectional::new_search(space, choice.representation, budget, meter)
    });
    Outcome { representation: Some(choice), ..outcome }
}

#[doc(hidden)]
pub fn new_stepped<'s, W: Word>(
    space: SpaceView<'s, W>,
    settings: Settings<'_>,
    budget: &Budget,
    meter: &mut Meter<'_>,
) -> Result<Box<dyn Stepped<W> + 's>, Limit> {
    let request = settings.request(&space.properties(), size_of::<W>(), true, budget);
    let representation = request.choose_from_both_sides().representation;
    if settings.engine == Some(Engine::Bidirectional) {
        bidirectional::new_search(space, representation, budget, meter)
    } else {
        bfs::new_search(space, representation, budget, meter)
    }
}

#[doc(hidden)]
pub fn all_shortest<W: Word>(
    space: SpaceView<'_, W>,
    settings: Settings<'_>,
) -> Outcome<PlanGraph<W>> {
    let budget = &settings.budget();
    let request = settings.request(&space.properties(), size_of::<W>(), true, budget);
    let (choice, threads) = (request.choose_in_memory(), NonZero::<usize>::MIN);
    let outcome = match new_local_store(space, Job { space, choice, threads, budget }) {
        Ok(mut store) => all_shortest::search_in(space, &mut *store, budget),
        Err(limit) => Outcome::stopped(limit, budget),
    };
    Outcome { representation: Some(choice), ..outcome }
}

#[doc(hidden)]
pub fn explore<W: Word>(
    space: SpaceView<'_, W>,
    settings: Settings<'_>,
    only_counts: bool,
    visit: VisitLayer<'_, W>,
) -> Exploration {
    let budget = &settings.budget();
    let job = match Job::new(space, settings, false, budget) {
        Ok(job) => job,
        Err(limit) => return Exploration::stopped(limit, budget),
    };
    let found = match new_store(job) {
        Ok((space, mut store)) => explore_in(space, &mut *store, only_counts, budget, visit),
        Err(limit) => Exploration::stopped(limit, budget),
    };
    Exploration { representation: Some(job.choice), ..found }
}

#[doc(hidden)]
pub fn layers<'s, W: Word>(space: SpaceView<'s, W>, settings: Settings<'_>) -> Layers<'s, W> {
    let budget = &settings.budget();
    let request = settings.request(&space.properties(), size_of::<W>(), false, budget);
    let store = new_store_of_caller(space, request, settings, budget);
    store.map_or_else(Layers::stopped, |store| Layers::new(space, store, budget))
}

#[doc(hidden)]
pub fn pull_layers<'s, W: Word>(
    space: SpaceView<'s, W>,
    settings: Settings<'_>,
) -> Result<PulledLayers<'s, W>, Limit> {
    let (budget, keeps_layers) = (&settings.budget(), settings.keeps_layers);
    let request = settings.request(&space.properties(), size_of::<W>(), keeps_layers, budget);
    let checkpoint = budget.storage().checkpoint();
    let has_rank_layers = checkpoint.is_some_and(Checkpoint::next_search_has_ranks);
    let request = Request { has_rank_layers, ..request };
    let store = new_store_of_caller(space, request, settings, budget)?;
    PulledLayers::new(space, store, keeps_layers, budget)
}

/// An empty store of a search whose caller goes on from layer to layer: of this process alone.
fn new_store_of_caller<'s, W: Word>(
    space: SpaceView<'s, W>,
    request: Request,
    settings: Settings<'_>,
    budget: &Budget,
) -> Result<Box<dyn LayerStore<W> + 's>, Limit> {
    let choice = request.choose()?;
    budget.storage().report(&choice);
    new_local_store(space, Job { space, choice, threads: settings.threads(budget), budget })
}

struct ByCost;

impl<W: Word> SearchesByCost<W> for ByCost {
    fn queue(
        &self,
        costs: CostRange,
        threads: usize,
        budget: &Budget,
    ) -> Box<dyn DistanceQueue<W>> {
        Box::new(Buckets::new(costs, threads, budget))
    }

    fn bidirectional<'s>(
        &self,
        space: SpaceView<'s, W>,
        meter: &Meter<'_>,
    ) -> Result<Box<dyn Stepped<W> + 's>, Limit> {
        bidirectional_by_cost::new_search(space, meter)
    }

    fn plan_by_depths(
        &self,
        space: SpaceView<'_, W>,
        depths: &dyn Depths<W>,
        goal: W,
        meter: &mut Meter<'_>,
    ) -> Result<(Vec<W>, u32), Limit> {
        recovery::path_by_depths(space, depths, goal, meter)
    }
}

#[doc(hidden)]
pub fn searches_by_cost<W: Word>() -> &'static dyn SearchesByCost<W> {
    &ByCost
}

#[doc(hidden)]
pub fn graph<W: Word>(space: SpaceView<'_, W>, budget: &Budget) -> Result<Graph<W>, Limit> {
    Graph::of_space(space, budget)
}
