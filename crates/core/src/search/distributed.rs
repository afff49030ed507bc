//! Breadth-first searches and explorations that several processes share.
//!
//! They are compiled once for each type of state and not for each space: the space is behind a `dyn`, which
//! successors pass together.

use std::marker::PhantomData;
use std::num::NonZero;
use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::bfs;
use super::promises::{BackwardUse, RankUse, runs};
use super::recovery::{least_emitted, least_predecessor};
use crate::budget::{Budget, Limit};
use crate::cluster::Cluster;
use crate::expansion::IGNORED_BREAK;
use crate::explore::{CompleteLayer, Exploration, explore_by_layer};
use crate::outcome::Outcome;
use crate::representation::{Representation, Request};
use crate::space::{Ranked, StateSpace};
use crate::store::{
    Distributed, HashOwners, KeepsLayers, LayerStore, OneThread, Owned, Owners, RankOwners, Shard,
    Sharded, TwoBits, TwoBitsOnDisk,
};
use crate::visited::{DenseBits, Table, Visited};
use crate::word::Word;

type Emit<'e, W> = &'e mut dyn FnMut(W) -> ControlFlow<()>;

/// Successors that pass the `dyn` together, each with its rank if ranks are needed. Up to 64 are on the stack.
type Batch<W> = SmallVec<[(u64, W); 64]>;

/// The most successors of one state that are in a batch. The memory for them is not booked.
const MAX_BATCH: usize = 1 << 12;

/// A space, and what a search may use of it.
pub(super) trait AnySpace<W>: Sync {
    fn state_bits(&self) -> u32;
    fn expected_states(&self) -> usize;
    fn initial(&self, emit: &mut dyn FnMut(W));
    fn is_goal(&self, state: W) -> bool;
    /// Replaces a batch by the successors after the first `skipped` ones, or by as many as it takes.
    fn successors(&self, state: W, with_ranks: bool, skipped: usize, batch: &mut Batch<W>);
    fn is_undirected(&self) -> bool;
    /// Whether the search may use the predecessors.
    fn has_predecessors(&self) -> bool;
    fn predecessors(&self, state: W, emit: Emit<'_, W>) -> ControlFlow<()>;
    /// `None` if the search may not use ranks.
    fn ranks(&self) -> Option<u64>;
    fn rank(&self, state: W) -> u64;
    fn unrank(&self, rank: u64) -> W;
}

/// A space with what its [`Search`](super::Search) may use.
pub(super) struct Promised<'a, S, R, B> {
    space: &'a S,
    promises: PhantomData<fn() -> (R, B)>,
}

impl<'a, S, R, B> Promised<'a, S, R, B> {
    pub(super) fn new(space: &'a S) -> Self {
        Self { space, promises: PhantomData }
    }
}

impl<S, R, B> AnySpace<S::State> for Promised<'_, S, R, B>
where
    S: StateSpace,
    R: RankUse<S>,
    B: BackwardUse<S>,
{
    fn state_bits(&self) -> u32 {
        self.space.state_bits()
    }

    fn expected_states(&self) -> usize {
        self.space.expected_states()
    }

    fn initial(&self, emit: &mut dyn FnMut(S::State)) {
        self.space.initial(emit);
    }

    fn is_goal(&self, state: S::State) -> bool {
        self.space.is_goal(state)
    }

    fn successors(
        &self,
        state: S::State,
        with_ranks: bool,
        skipped: usize,
        batch: &mut Batch<S::State>,
    ) {
        let mut emitted = 0;
        batch.clear();
        let _ = self.space.successors(state, None, |_, next| {
            assert!(batch.len() < MAX_BATCH, "{IGNORED_BREAK}");
            emitted += 1;
            if emitted > skipped {
                let rank = if with_ranks { R::rank(self.space, next) } else { 0 };
                batch.push((rank, next));
            }
            if batch.len() < MAX_BATCH { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
    }

    fn is_undirected(&self) -> bool {
        B::IS_UNDIRECTED
    }

    fn has_predecessors(&self) -> bool {
        B::HAS_PREDECESSORS
    }

    fn predecessors(&self, state: S::State, emit: Emit<'_, S::State>) -> ControlFlow<()> {
        B::predecessors(self.space, state, emit)
    }

    fn ranks(&self) -> Option<u64> {
        R::ranks(self.space)
    }

    fn rank(&self, state: S::State) -> u64 {
        R::rank(self.space, state)
    }

    fn unrank(&self, rank: u64) -> S::State {
        R::unrank(self.space, rank)
    }
}

/// Any space whose states are words of one type. Its moves are the ranks of the states that they lead to, if
/// it is searched by ranks.
struct Erased<'a, W> {
    any: &'a dyn AnySpace<W>,
    by_rank: bool,
}

impl<'a, W> Erased<'a, W> {
    fn new(any: &'a dyn AnySpace<W>, representation: Representation) -> Self {
        let by_rank = match representation {
            Representation::Bits | Representation::TwoBits => true,
            Representation::Table | Representation::Runs => false,
        };
        Self { any, by_rank }
    }
}

impl<W: Word> StateSpace for Erased<'_, W> {
    type State = W;
    type Move = u64;

    fn state_bits(&self) -> u32 {
        self.any.state_bits()
    }

    fn expected_states(&self) -> usize {
        self.any.expected_states()
    }

    fn initial(&self, mut emit: impl FnMut(W)) {
        self.any.initial(&mut emit);
    }

    fn is_goal(&self, state: W) -> bool {
        self.any.is_goal(state)
    }

    #[inline]
    fn successors<B>(
        &self,
        state: W,
        _: Option<u64>,
        mut emit: impl FnMut(u64, W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (mut batch, mut skipped) = (Batch::new(), 0);
        loop {
            self.any.successors(state, self.by_rank, skipped, &mut batch);
            for &(rank, next) in &batch {
                emit(rank, next)?;
            }
            if batch.len() < MAX_BATCH {
                return ControlFlow::Continue(());
            }
            skipped += batch.len();
        }
    }
}

impl<W: Word> Ranked for Erased<'_, W> {
    fn ranks(&self) -> Option<u64> {
        self.any.ranks()
    }

    fn rank(&self, state: W) -> u64 {
        self.any.rank(state)
    }

    fn rank_after(&self, _: W, rank: u64) -> u64 {
        debug_assert!(self.by_rank, "the moves have no ranks");
        rank
    }

    fn unrank(&self, rank: u64) -> W {
        self.any.unrank(rank)
    }
}

/// Breadth-first search of the space by all processes of the cluster.
pub(super) fn bfs<W: Word>(
    space: &dyn AnySpace<W>,
    cluster: &dyn Cluster,
    representation: Representation,
    threads: NonZero<usize>,
    budget: &Budget,
) -> Outcome<Vec<W>> {
    let space = &Erased::new(space, representation);
    if representation == Representation::Bits {
        let owned = &Owned::new(space, cluster, RankOwners::new(space, cluster));
        return bfs_in_set::<W, _, DenseBits>(space, owned, threads, budget);
    }
    let owned = &Owned::new(space, cluster, HashOwners);
    if representation == Representation::Runs {
        let store = runs(owned, space.any.is_undirected(), threads, budget);
        bfs_in(space, distributed(owned, store, budget), budget)
    } else {
        bfs_in_set::<W, _, Table<_>>(space, owned, threads, budget)
    }
}

/// The same in memory: on the set `V` with one thread, or on shards of it with more.
fn bfs_in_set<'s, W: Word, O: Owners<Erased<'s, W>>, V>(
    space: &'s Erased<'s, W>,
    owned: &'s Owned<'s, Erased<'s, W>, O>,
    threads: NonZero<usize>,
    budget: &Budget,
) -> Outcome<Vec<W>>
where
    V: Visited<Owned<'s, Erased<'s, W>, O>> + Shard<Owned<'s, Erased<'s, W>, O>>,
{
    let memory = budget.memory();
    if threads == NonZero::<usize>::MIN {
        let store = OneThread::<_, V>::new(owned, memory);
        bfs_in(space, distributed(owned, store, budget), budget)
    } else {
        let store = Sharded::<_, V>::new(owned, threads, memory);
        bfs_in(space, distributed(owned, store, budget), budget)
    }
}

fn bfs_in<'s, W: Word, O: Owners<Erased<'s, W>> + 's>(
    space: &'s Erased<'s, W>,
    store: Result<impl KeepsLayers<'s, Owned<'s, Erased<'s, W>, O>>, Limit>,
    budget: &Budget,
) -> Outcome<Vec<W>> {
    let store = match store {
        Ok(store) => store,
        Err(limit) => return Outcome::stopped(limit, budget),
    };
    bfs::run(store, budget, |layers, pool, depth, state, meter| {
        if space.any.has_predecessors() {
            least_emitted(|emit| space.any.predecessors(state, emit), layers, depth, meter)
        } else {
            least_predecessor(space, layers, pool, depth, state, meter)
        }
    })
}

/// Exploration of the space by all processes of the cluster.
pub(super) fn explore<W: Word>(
    space: &dyn AnySpace<W>,
    cluster: &dyn Cluster,
    representation: Representation,
    threads: NonZero<usize>,
    budget: &Budget,
    visit: Visit<'_, W>,
) -> Exploration {
    let (space, memory) = (&Erased::new(space, representation), budget.memory());
    let by_hash = &Owned::new(space, cluster, HashOwners);
    let by_rank = &Owned::new(space, cluster, RankOwners::new(space, cluster));
    match (representation, budget.disk()) {
        (Representation::Table, _) => {
            explore_in_set::<W, _, Table<_>>(by_hash, threads, budget, visit)
        }
        (Representation::Runs, _) => {
            let store = runs(by_hash, space.any.is_undirected(), threads, budget);
            explore_in(distributed(by_hash, store, budget), budget, visit)
        }
        (Representation::Bits, _) => {
            explore_in_set::<W, _, DenseBits>(by_rank, threads, budget, visit)
        }
        (Representation::TwoBits, None) => {
            let store = TwoBits::new(by_rank, threads, memory);
            explore_in(distributed(by_rank, store, budget), budget, visit)
        }
        (Representation::TwoBits, Some(disk)) => {
            let bytes = Request::buffer_bytes(memory.limit_bytes());
            let store = TwoBitsOnDisk::new(by_rank, disk, threads, bytes, memory);
            explore_in(distributed(by_rank, store, budget), budget, visit)
        }
    }
}

/// Takes the depth of a complete layer, and the layer.
pub(super) type Visit<'v, W> =
    &'v mut dyn FnMut(u32, &dyn CompleteLayer<W>) -> Result<ControlFlow<()>, Limit>;

/// The same in memory: on the set `V` with one thread, or on shards of it with more.
fn explore_in_set<'s, W: Word, O: Owners<Erased<'s, W>>, V>(
    owned: &'s Owned<'s, Erased<'s, W>, O>,
    threads: NonZero<usize>,
    budget: &Budget,
    visit: Visit<'_, W>,
) -> Exploration
where
    V: Visited<Owned<'s, Erased<'s, W>, O>> + Shard<Owned<'s, Erased<'s, W>, O>>,
{
    let memory = budget.memory();
    if threads == NonZero::<usize>::MIN {
        let store = OneThread::<_, V>::new(owned, memory);
        explore_in(distributed(owned, store, budget), budget, visit)
    } else {
        let store = Sharded::<_, V>::new(owned, threads, memory);
        explore_in(distributed(owned, store, budget), budget, visit)
    }
}

fn explore_in<'s, W: Word, O: Owners<Erased<'s, W>> + 's>(
    store: Result<impl LayerStore<'s, Owned<'s, Erased<'s, W>, O>>, Limit>,
    budget: &Budget,
    visit: Visit<'_, W>,
) -> Exploration {
    match store {
        Ok(mut store) => explore_by_layer(&mut store, budget, visit),
        Err(limit) => Exploration::stopped(limit, budget),
    }
}

/// The store of one process, with the others. If it cannot be made, all processes stop.
fn distributed<'s, S: StateSpace, O: Owners<S>, T: LayerStore<'s, Owned<'s, S, O>>>(
    owned: &'s Owned<'s, S, O>,
    store: Result<T, impl Into<Limit>>,
    budget: &Budget,
) -> Result<Distributed<'s, S, O, T>, Limit> {
    let store = store.map_err(Into::into);
    let store = store.and_then(|store| Ok(Distributed::new(owned, store, budget.memory())?));
    store.inspect_err(|&limit| owned.cluster().stop(limit))
}
