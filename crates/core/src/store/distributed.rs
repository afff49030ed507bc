//! A [`LayerStore`] of one process of a [`Cluster`]: it has the states that the process owns, and sends
//! the others to their owners.

use std::collections::VecDeque;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::time::Duration;

use super::run_file::{BLOCK_STATES, damaged, decode, encode};
use super::{Interrupt, KeepsLayers, KeptLayers, LayerStore, LayerWriter};
use crate::budget::{Limit, Meter};
use crate::cluster::{Cluster, Received};
use crate::memory::{Block, Memory, OutOfMemory, Reservation};
use crate::space::{Predecessors, Ranked, StateSpace};
use crate::visited::compact;
use crate::word::{Word, fixed_hash};

/// Which process owns a state.
pub trait Owners<S: StateSpace>: Copy + Send + Sync {
    /// A word for this division, in lower case. Other divisions have other words.
    const NAME: &'static str;

    /// What decides the owner together with the state. The store inside may use it, too.
    type Key: Copy + Send + Sync;

    /// The key of a state. `by` is the move that led to it, if there was one.
    fn key(self, space: &S, state: S::State, by: Option<S::Move>) -> Self::Key;

    /// The owner, which is less than `processes`.
    fn owner(self, state: S::State, key: Self::Key, processes: usize) -> usize;
}

/// States are divided by a hash of their words. The tables use another one: with the same hash, the states of
/// a process would be in a part of each of its tables.
#[derive(Clone, Copy, Debug)]
pub struct HashOwners;

impl<S: StateSpace> Owners<S> for HashOwners {
    const NAME: &'static str = "hash";

    type Key = ();

    fn key(self, _: &S, _: S::State, _: Option<S::Move>) {}

    #[inline]
    fn owner(self, state: S::State, (): (), processes: usize) -> usize {
        ((u128::from(fixed_hash(state)) * processes as u128) >> 64) as usize
    }
}

/// States are divided by their ranks: each process owns ranks that follow each other, about as many as the
/// others.
///
/// Ranks modulo the number of processes would be worse: a move often changes a rank by an even number, so
/// that whole layers would have one owner.
#[derive(Clone, Copy, Debug)]
pub struct RankOwners {
    /// A rank times this is its owner times 2^64: a division would take longer.
    scale: u64,
    /// The least rank of this process, and the number of its ranks.
    first: u64,
    count: u64,
}

impl RankOwners {
    /// Divides the ranks of a space. Without ranks, [`Ranked::ranks`] is `None`, and no store can be made.
    pub fn new<S: Ranked>(space: &S, cluster: &dyn Cluster) -> Self {
        let (process, processes) = (cluster.process() as u64, cluster.processes() as u64);
        Self::of_process(process, processes, space.ranks().unwrap_or(0))
    }

    fn of_process(process: u64, processes: u64, ranks: u64) -> Self {
        let scale = (u128::from(processes) << 64) / u128::from(ranks.max(1));
        let scale = u64::try_from(scale).unwrap_or(u64::MAX);
        let first_of = |process: u64| match process == processes {
            true => ranks,
            false => ranks.min((u128::from(process) << 64).div_ceil(u128::from(scale)) as u64),
        };
        let first = first_of(process);
        Self { scale, first, count: first_of(process + 1) - first }
    }

    #[inline]
    fn owner_of(self, rank: u64) -> usize {
        ((u128::from(rank) * u128::from(self.scale)) >> 64) as usize
    }
}

impl<S: Ranked> Owners<S> for RankOwners {
    const NAME: &'static str = "rank";

    type Key = u64;

    #[inline]
    fn key(self, space: &S, state: S::State, by: Option<S::Move>) -> u64 {
        by.map_or_else(|| space.rank(state), |by| space.rank_after(state, by))
    }

    #[inline]
    fn owner(self, _: S::State, rank: u64, processes: usize) -> usize {
        self.owner_of(rank).min(processes - 1)
    }
}

/// A space as one process searches it, with a [`Distributed`] store and the store inside. If states are
/// divided by rank, the ranks of its own ones start at 0.
///
/// Moves are not sent with states. So no successors are left out, and the counts are the same for any number
/// of processes. The moves of this space are what their owners follow from, so that no rank is computed twice.
#[derive(Debug)]
pub struct Owned<'s, S, O> {
    space: &'s S,
    cluster: &'s dyn Cluster,
    process: usize,
    processes: usize,
    owners: O,
}

impl<'s, S, O> Owned<'s, S, O> {
    /// The states of a space that this process owns.
    pub fn new(space: &'s S, cluster: &'s dyn Cluster, owners: O) -> Self {
        let (process, processes) = (cluster.process(), cluster.processes());
        Self { space, cluster, process, processes, owners }
    }

    pub(crate) fn cluster(&self) -> &'s dyn Cluster {
        self.cluster
    }
}

impl<S: StateSpace, O: Owners<S>> Owned<'_, S, O> {
    #[inline]
    fn key(&self, state: S::State, by: Option<S::Move>) -> O::Key {
        self.owners.key(self.space, state, by)
    }

    #[inline]
    fn owner(&self, state: S::State, key: O::Key) -> usize {
        self.owners.owner(state, key, self.processes)
    }

    fn owns(&self, state: S::State) -> bool {
        self.owner(state, self.key(state, None)) == self.process
    }
}

impl<S: StateSpace, O: Owners<S>> StateSpace for Owned<'_, S, O> {
    type State = S::State;
    type Move = O::Key;

    const EXPENSIVE_EXPANSION: bool = S::EXPENSIVE_EXPANSION;

    fn state_bits(&self) -> u32 {
        self.space.state_bits()
    }

    fn expected_states(&self) -> usize {
        self.space.expected_states() / self.processes
    }

    fn initial(&self, emit: impl FnMut(S::State)) {
        self.space.initial(emit);
    }

    fn is_goal(&self, state: S::State) -> bool {
        self.space.is_goal(state)
    }

    #[inline]
    fn successors<B>(
        &self,
        state: S::State,
        _: Option<O::Key>,
        mut emit: impl FnMut(O::Key, S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.space.successors(state, None, |by, next| emit(self.key(next, Some(by)), next))
    }
}

impl<S: Predecessors, O: Owners<S>> Predecessors for Owned<'_, S, O> {
    const UNDIRECTED: bool = S::UNDIRECTED;

    fn predecessors<B>(
        &self,
        state: S::State,
        emit: impl FnMut(S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.space.predecessors(state, emit)
    }
}

impl<S: Ranked> Ranked for Owned<'_, S, RankOwners> {
    fn ranks(&self) -> Option<u64> {
        self.space.ranks().map(|_| self.owners.count)
    }

    #[inline]
    fn rank(&self, state: S::State) -> u64 {
        self.space.rank(state) - self.owners.first
    }

    #[inline]
    fn rank_after(&self, _: S::State, rank: u64) -> u64 {
        rank - self.owners.first
    }

    #[inline]
    fn unrank(&self, rank: u64) -> S::State {
        self.space.unrank(self.owners.first + rank)
    }
}

/// The number of states that are sent together.
const SENT_STATES: usize = BLOCK_STATES;

/// The number of states that a thread remembers as sent.
const RECENT_STATES: usize = 1 << 16;

/// How long a thread waits for other processes before it looks again.
const WAIT: Duration = Duration::from_millis(5);

/// The states of one process of a [`Cluster`], in another store. What its threads generate for other
/// processes is sent there.
///
/// The processes search together: each makes such a store with the same kind of [`Owners`], and then starts
/// the same search of it, with the same limit on states. The layers, the counts and the plan are the same in each process. Only
/// [`read`](LayerStore::read) and visitors of states have the states of this process.
///
/// Memory: the inner store, and for each thread and each process up to 8,192 states, and 65,536 states that
/// were sent.
///
/// ```no_run
/// use std::num::NonZero;
/// use fewest_core::StateSpace;
/// use fewest_core::budget::Budget;
/// use fewest_core::cluster::Cluster;
/// use fewest_core::explore::{Exploration, explore_in};
/// use fewest_core::memory::OutOfMemory;
/// use fewest_core::store::{Distributed, HashOwners, Owned, Sharded};
/// use fewest_core::visited::Table;
///
/// fn explore_together<S: StateSpace>(
///     space: &S,
///     cluster: &dyn Cluster,
///     threads: NonZero<usize>,
///     budget: &Budget,
/// ) -> Result<Exploration, OutOfMemory> {
///     let owned = Owned::new(space, cluster, HashOwners);
///     let own = Sharded::<_, Table<_>>::new(&owned, threads, budget.memory())?;
///     let mut store = Distributed::new(&owned, own, budget.memory())?;
///     Ok(explore_in(&mut store, budget))
/// }
/// ```
#[derive(Debug)]
pub struct Distributed<'s, S: StateSpace, O: Owners<S>, T> {
    owned: &'s Owned<'s, S, O>,
    inner: T,
    /// One for each thread.
    outboxes: Vec<Outbox<S::State>>,
    _held: Reservation,
}

/// What one thread has generated for other processes.
#[derive(Debug)]
struct Outbox<W> {
    /// For each process, the states that are not sent yet.
    others: Vec<Vec<W>>,
    /// Blocks that are not sent yet, with their destinations.
    blocks: VecDeque<(usize, Vec<u8>)>,
    /// States that were sent. An owner needs a state once, so those that are met again are dropped.
    recent: Block<W>,
}

impl<W: Word> Outbox<W> {
    fn new(processes: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        let others = (0..processes).map(|_| Vec::with_capacity(SENT_STATES)).collect();
        let recent = Block::filled(W::ZERO, RECENT_STATES, memory)?;
        Ok(Self { others, blocks: VecDeque::new(), recent })
    }

    /// Adds a state of another process.
    #[inline]
    fn add(&mut self, owner: usize, state: W) {
        // `W::ZERO` is in each slot from the start, and is always sent.
        let slot = &mut self.recent[fixed_hash(state) as usize % RECENT_STATES];
        if *slot == state && state != W::ZERO {
            return;
        }
        *slot = state;
        let states = &mut self.others[owner];
        states.push(state);
        if states.len() == SENT_STATES {
            self.pack(owner);
        }
    }

    /// Makes a block of the states for a process.
    fn pack(&mut self, owner: usize) {
        let states = &mut self.others[owner];
        states.sort_unstable();
        states.dedup();
        if !states.is_empty() {
            self.blocks.push_back((owner, encode(states)));
            states.clear();
        }
    }
}

impl<'s, S: StateSpace, O: Owners<S>, T: LayerStore<'s, Owned<'s, S, O>>> Distributed<'s, S, O, T> {
    /// `inner` is an empty store of `owned`. The buffers of what is sent are reserved from `memory`.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the buffers do not fit.
    pub fn new(owned: &'s Owned<'s, S, O>, inner: T, memory: &Memory) -> Result<Self, OutOfMemory> {
        let (threads, processes) = (inner.threads().get(), owned.processes);
        let mut held = Reservation::none(memory);
        held.grow((threads * processes * SENT_STATES * size_of::<S::State>()) as u64)?;
        let outboxes = (0..threads).map(|_| Outbox::new(processes, memory));
        Ok(Self { owned, inner, outboxes: outboxes.collect::<Result<_, _>>()?, _held: held })
    }

    /// Adds the states that still arrive from other processes, until all have ended the layer.
    fn receive_rest(&mut self, meter: &mut Meter<'_>) -> Result<(), Limit> {
        let cluster = self.owned.cluster;
        cluster.end_layer()?;
        let mut states = Vec::new();
        loop {
            match cluster.receive()? {
                Received::Block(block) => {
                    decode(&block, &mut states).ok_or_else(damaged)?;
                    self.inner.start(&states)?;
                    meter.poll_after(states.len() as u32)?;
                }
                Received::Nothing => {
                    cluster.wait(WAIT);
                    meter.poll_now()?;
                }
                Received::LayerEnd => return Ok(()),
            }
        }
    }
}

impl<'s, S: StateSpace, O: Owners<S>, T: LayerStore<'s, Owned<'s, S, O>>>
    LayerStore<'s, Owned<'s, S, O>> for Distributed<'s, S, O, T>
{
    const SEQUENTIAL: bool = false;

    type Reader<'a>
        = T::Reader<'a>
    where
        Self: 'a;

    type Writer<'a>
        = Writer<'a, 's, S, O, T::Writer<'a>>
    where
        Self: 'a;

    fn space(&self) -> &'s Owned<'s, S, O> {
        self.owned
    }

    fn threads(&self) -> NonZero<usize> {
        self.inner.threads()
    }

    fn is_empty(&self) -> bool {
        self.inner.is_empty()
    }

    fn cluster(&self) -> Option<&dyn Cluster> {
        Some(self.owned.cluster)
    }

    fn division(&self) -> &'static str {
        O::NAME
    }

    fn start(&mut self, states: &[S::State]) -> Result<(), Limit> {
        let own = states.iter().copied().filter(|&state| self.owned.owns(state));
        self.inner.start(&own.collect::<Vec<_>>())
    }

    fn open(&mut self) -> Result<(Self::Reader<'_>, Vec<Self::Writer<'_>>), Limit> {
        let Self { owned, inner, outboxes, .. } = self;
        let (reader, writers) = inner.open()?;
        let writers = writers.into_iter().zip(outboxes);
        let writers = writers.map(|(inner, outbox)| Writer { owned: *owned, inner, outbox });
        Ok((reader, writers.collect()))
    }

    fn make_room(&mut self) -> Result<(), Limit> {
        self.inner.make_room()
    }

    fn commit(&mut self, meter: &mut Meter<'_>) -> Result<u64, Limit> {
        self.receive_rest(meter)?;
        self.inner.commit(meter)
    }

    fn read_added(
        &mut self,
        visit: impl FnMut(&[S::State]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        self.inner.read_added(visit)
    }

    fn read<B>(
        &self,
        visit: impl FnMut(&[S::State]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit> {
        self.inner.read(visit)
    }
}

impl<'s, S: StateSpace, O: Owners<S>, T: KeepsLayers<'s, Owned<'s, S, O>>>
    KeepsLayers<'s, Owned<'s, S, O>> for Distributed<'s, S, O, T>
{
    type Layers = OwnLayers<'s, T::Layers>;

    fn keep_layers(&mut self) {
        self.inner.keep_layers();
    }

    fn into_layers(self) -> Self::Layers {
        OwnLayers { layers: self.inner.into_layers(), cluster: self.owned.cluster }
    }
}

/// The states of all layers that one process owns.
#[derive(Debug)]
pub struct OwnLayers<'s, L> {
    layers: L,
    cluster: &'s dyn Cluster,
}

impl<W, L: KeptLayers<W>> KeptLayers<W> for OwnLayers<'_, L> {
    fn cluster(&self) -> Option<&dyn Cluster> {
        Some(self.cluster)
    }

    fn read_layer<B>(
        &self,
        depth: u32,
        visit: impl FnMut(&[W]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit> {
        self.layers.read_layer(depth, visit)
    }
}

/// Adds the states that this process owns to the store, and sends the others. Adds what others send in the
/// meantime, so that processes never wait for each other in a circle.
#[derive(Debug)]
#[doc(hidden)]
pub struct Writer<'a, 's, S: StateSpace, O: Owners<S>, I> {
    owned: &'s Owned<'s, S, O>,
    inner: I,
    outbox: &'a mut Outbox<S::State>,
}

impl<'s, S: StateSpace, O: Owners<S>, I: LayerWriter<Owned<'s, S, O>>> Writer<'_, 's, S, O, I> {
    /// Adds a block that has arrived, and says whether there was one.
    fn receive(&mut self) -> Result<bool, Interrupt> {
        let Received::Block(block) = self.owned.cluster.receive()? else { return Ok(false) };
        let mut states = Vec::new();
        decode(&block, &mut states).ok_or_else(damaged).map_err(Limit::from)?;
        let keyed = states.into_iter().map(|state| (state, self.owned.key(state, None)));
        self.inner.add(&mut keyed.collect::<Vec<_>>())?;
        Ok(true)
    }

    /// Sends all blocks.
    fn send(&mut self) -> Result<(), Interrupt> {
        let cluster = self.owned.cluster;
        while let Some((owner, block)) = self.outbox.blocks.pop_front() {
            if let Some(block) = cluster.send(owner, block)? {
                self.outbox.blocks.push_front((owner, block));
                if !self.receive()? {
                    cluster.wait(WAIT);
                }
            }
        }
        Ok(())
    }
}

impl<'s, S: StateSpace, O: Owners<S>, I: LayerWriter<Owned<'s, S, O>>> LayerWriter<Owned<'s, S, O>>
    for Writer<'_, 's, S, O, I>
{
    fn add(&mut self, batch: &mut [(S::State, O::Key)]) -> Result<(), Interrupt> {
        let own = compact(batch, |(state, key)| {
            let owner = self.owned.owner(state, key);
            let is_own = owner == self.owned.process;
            if !is_own {
                self.outbox.add(owner, state);
            }
            is_own
        });
        // If there is no room, the inner writer keeps them.
        self.inner.add(&mut batch[..own])?;
        self.send()?;
        while self.receive()? {}
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Interrupt> {
        (0..self.outbox.others.len()).for_each(|owner| self.outbox.pack(owner));
        self.send()?;
        while self.receive()? {}
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rank_has_one_owner_and_slices_are_about_equal() {
        for ranks in [0, 1, 2, 5, 7, 1000, 239_500_800, 1 << 40, (1 << 50) + 1] {
            for processes in [1, 2, 3, 7, 64] {
                let mut next = 0;
                for process in 0..processes {
                    let owners = RankOwners::of_process(process, processes, ranks);
                    assert_eq!(owners.first, next, "{ranks}, {processes}");
                    next += owners.count;
                    if owners.count > 0 {
                        let ends = [owners.first, next - 1].map(|rank| owners.owner_of(rank));
                        assert_eq!(ends, [process as usize; 2], "{ranks}, {processes}");
                    }
                    let fair = ranks as f64 / processes as f64;
                    let off = (owners.count as f64 - fair).abs();
                    assert!(off < 2.0 + fair / 1000.0, "{ranks}, {processes}: {off}");
                }
                assert_eq!(next, ranks, "{processes}");
            }
        }
    }
}
