//! A [`LayerStore`] for one process of a [`Cluster`]: it stores the states that the process owns
//! and sends all others to their owners.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

use super::{Interrupt, LayerStore, StoreProperties, Visit, VisitTagged, lock};
use crate::budget::{Limit, Meter};
use crate::cluster::{Cluster, Received};
use crate::memory::{Block, Memory, OutOfMemory, Reservation};
use crate::run_file::{BLOCK_STATES, damaged, decode, encode};
use crate::seam::{Batch, SpaceView};
use crate::word::{Word, fixed_hash};

/// How states are partitioned over the processes.
#[derive(Clone, Copy, Debug)]
pub enum Owners {
    /// By a hash of the state. It must differ from the hash of the tables: with the same one, all
    /// states of a process would fall into the same range of slots.
    Hash,
    /// By rank: each process owns a range of consecutive ranks, all of about the same length.
    ///
    /// Ranks modulo the number of processes would be worse: a move often changes a rank by an even
    /// number, so that one process could own a whole layer.
    Rank(RankSlices),
}

/// The division of the ranks into one range per process.
#[derive(Clone, Copy, Debug)]
pub struct RankSlices {
    /// Fixed-point factor: `rank * scale >> 64` is the owner of a rank. Faster than a division.
    scale: u64,
    /// The range of this process: its first rank and its length.
    first: u64,
    count: u64,
}

impl RankSlices {
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

impl Owners {
    /// Partitions the ranks of a space. For a space without ranks the ranges are empty; a store of
    /// ranks cannot be made for it anyway.
    pub fn by_rank<W: Word>(space: &SpaceView<'_, W>, cluster: &dyn Cluster) -> Self {
        let (process, processes) = (cluster.process() as u64, cluster.processes() as u64);
        let ranks = space.properties().ranks.unwrap_or(0);
        Self::Rank(RankSlices::of_process(process, processes, ranks))
    }

    /// The view of the space for the store of this process: its ranks are shifted to start at 0.
    ///
    /// Tags are not sent with states, so move pruning is off. The counts are therefore the same for
    /// any number of processes.
    #[must_use]
    pub fn own<'s, W: Word>(
        &self,
        space: &SpaceView<'s, W>,
        cluster: &dyn Cluster,
    ) -> SpaceView<'s, W> {
        let ranks = match self {
            Self::Hash => None,
            Self::Rank(slices) => Some((slices.first, slices.count)),
        };
        space.of_process(ranks, cluster.processes())
    }

    /// The name of this partitioning, for file names.
    fn name(self) -> &'static str {
        match self {
            Self::Hash => "hash",
            Self::Rank(_) => "rank",
        }
    }

    /// The owner of a state. `rank` is its rank in the view of this process, and wraps for ranks
    /// below the range.
    #[inline]
    fn owner<W: Word>(self, state: W, rank: u64, processes: usize) -> usize {
        match self {
            Self::Hash => ((u128::from(fixed_hash(state)) * processes as u128) >> 64) as usize,
            Self::Rank(slices) => {
                slices.owner_of(rank.wrapping_add(slices.first)).min(processes - 1)
            }
        }
    }
}

/// The number of states in a block.
const SENT_STATES: usize = BLOCK_STATES;

/// The number of slots of the cache of recently sent states of each thread.
const RECENT_STATES: usize = 1 << 16;

/// The longest time that a thread waits for other processes before it polls again.
const WAIT: Duration = Duration::from_millis(5);

/// Wraps the store of one process of a [`Cluster`]. States that its threads generate and that other
/// processes own are sent to them.
///
/// Every process makes such a store with the same kind of [`Owners`] and then runs the same search,
/// with the same limit on states. Layer sizes, counts and the plan are the same in each process;
/// only [`read`](LayerStore::read) and visitors see just the states of this process.
///
/// Memory: the inner store; for each thread, 8,192 states per process and a cache of 65,536 sent
/// states.
#[derive(Debug)]
pub struct Distributed<'s, W> {
    /// The view of this process, see [`Owners::own`].
    space: SpaceView<'s, W>,
    cluster: &'s dyn Cluster,
    process: usize,
    processes: usize,
    owners: Owners,
    inner: Box<dyn LayerStore<W> + 's>,
    /// One for each thread. Only its own thread locks it.
    outboxes: Vec<Mutex<Outbox<W>>>,
    _held: Reservation,
}

/// What one thread has generated for other processes.
#[derive(Debug)]
struct Outbox<W> {
    /// For each process, the states that are not sent yet.
    others: Vec<Vec<W>>,
    /// Blocks that are not sent yet, with their destinations.
    blocks: VecDeque<(usize, Vec<u8>)>,
    /// A direct-mapped cache of recently sent states: a state that is still in it is not sent
    /// again.
    recent: Block<W>,
    /// Buffers for a received block: its states, and the batch that is passed to the inner store.
    received: (Vec<W>, Batch<W>),
}

impl<W: Word> Outbox<W> {
    fn new(processes: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        let others = (0..processes).map(|_| Vec::with_capacity(SENT_STATES)).collect();
        let recent = Block::filled(W::ZERO, RECENT_STATES, memory)?;
        let received = (Vec::new(), Batch::default());
        Ok(Self { others, blocks: VecDeque::new(), recent, received })
    }

    /// Adds a state that another process owns, unless it was sent recently.
    #[inline]
    fn add(&mut self, owner: usize, state: W) {
        // Every slot is initialized with `W::ZERO`, so this state cannot be recognized and is
        // always sent.
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

    /// Encodes the collected states for a process as a block.
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

impl<'s, W: Word> Distributed<'s, W> {
    /// `inner` is an empty store for the view [`own`](Owners::own). The send buffers are reserved
    /// from `memory`.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the buffers do not fit.
    pub fn new(
        own: &SpaceView<'s, W>,
        cluster: &'s dyn Cluster,
        owners: Owners,
        inner: Box<dyn LayerStore<W> + 's>,
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        let threads = inner.properties().threads.get();
        let (process, processes) = (cluster.process(), cluster.processes());
        let mut held = Reservation::none(memory);
        held.grow((threads * processes * SENT_STATES * size_of::<W>()) as u64)?;
        let outboxes = (0..threads).map(|_| Ok(Mutex::new(Outbox::new(processes, memory)?)));
        let outboxes = outboxes.collect::<Result<_, OutOfMemory>>()?;
        let space = *own;
        Ok(Self { space, cluster, process, processes, owners, inner, outboxes, _held: held })
    }

    /// Computes the ranks of received states if the inner store needs them.
    fn fill_ranks(&self, batch: &mut Batch<W>) {
        if self.inner.properties().needs_ranks {
            self.space.fill_ranks(batch);
        }
    }

    /// Ends the layer and receives the remaining states, until all processes have ended the layer.
    fn receive_rest(&mut self, meter: &mut Meter<'_>) -> Result<(), Limit> {
        self.cluster.end_layer()?;
        let (mut states, mut batch) = (Vec::new(), Batch::default());
        loop {
            match self.cluster.receive()? {
                Received::Block(block) => {
                    decode(&block, &mut states).ok_or_else(damaged)?;
                    batch.set(&states);
                    self.fill_ranks(&mut batch);
                    self.inner.start(&mut batch)?;
                    meter.poll_after(states.len() as u32)?;
                }
                Received::Nothing => {
                    self.cluster.wait(WAIT);
                    meter.poll_now()?;
                }
                Received::LayerEnd => return Ok(()),
            }
        }
    }

    /// Adds one received block to the inner store, if there is one, and returns whether there was.
    ///
    /// A thread never only waits for the window to open: it also takes what others have sent to it.
    /// Otherwise two processes with full windows could wait for each other forever.
    fn receive(&self, thread: usize, outbox: &mut Outbox<W>) -> Result<bool, Interrupt> {
        let Received::Block(block) = self.cluster.receive()? else { return Ok(false) };
        let (states, batch) = &mut outbox.received;
        decode(&block, states).ok_or_else(damaged).map_err(Limit::from)?;
        batch.set(states);
        self.fill_ranks(batch);
        self.inner.add(thread, batch)?;
        Ok(true)
    }

    /// Sends all blocks of the outbox, and adds what arrives in the meantime.
    fn send(&self, thread: usize, outbox: &mut Outbox<W>) -> Result<(), Interrupt> {
        while let Some((owner, block)) = outbox.blocks.pop_front() {
            if let Some(block) = self.cluster.send(owner, block)? {
                // The window to `owner` is full. Receiving is what opens the windows of other
                // processes to this one, so every process must keep receiving. The block goes back
                // to the front: nothing is lost if `receive` is interrupted.
                outbox.blocks.push_front((owner, block));
                if !self.receive(thread, outbox)? {
                    self.cluster.wait(WAIT);
                }
            }
        }
        while self.receive(thread, outbox)? {}
        Ok(())
    }
}

impl<W: Word> LayerStore<W> for Distributed<'_, W> {
    fn properties(&self) -> StoreProperties {
        let inner = self.inner.properties();
        let is_by_rank = matches!(self.owners, Owners::Rank(_));
        StoreProperties {
            is_sequential: false,
            needs_ranks: inner.needs_ranks || is_by_rank,
            keeps_tags: false,
            ..inner
        }
    }

    fn is_empty(&self) -> bool {
        self.inner.is_empty()
    }

    fn cluster(&self) -> Option<&dyn Cluster> {
        Some(self.cluster)
    }

    fn division(&self) -> &'static str {
        self.owners.name()
    }

    fn start(&mut self, batch: &mut Batch<W>) -> Result<(), Limit> {
        let Self { owners, process, processes, .. } = *self;
        // Initial states, and layers saved under another division, are passed in every process,
        // which keeps its own. A layer of its own folder has only those. Nothing is sent.
        batch.retain(|state, rank| owners.owner(state, rank, processes) == process);
        self.inner.start(batch)
    }

    fn open(&mut self) -> Result<usize, Limit> {
        self.inner.open()
    }

    fn read_chunk(&self, chunk: usize, visit: VisitTagged<'_, W>) -> Result<(), Limit> {
        self.inner.read_chunk(chunk, visit)
    }

    fn add(&self, thread: usize, batch: &mut Batch<W>) -> Result<(), Interrupt> {
        let mut outbox = lock(&self.outboxes[thread]);
        batch.drop_tags();
        let Self { owners, process, processes, .. } = *self;
        batch.retain(|state, rank| {
            let owner = owners.owner(state, rank, processes);
            if owner != process {
                outbox.add(owner, state);
            }
            owner == process
        });
        // On `NeedsRoom`, the inner store keeps the rest of the batch, and the outbox keeps its
        // blocks for the next call.
        self.inner.add(thread, batch)?;
        self.send(thread, &mut outbox)
    }

    fn flush(&self, thread: usize) -> Result<(), Interrupt> {
        let mut outbox = lock(&self.outboxes[thread]);
        // Packs what is collected, however little: at the end of the thread's work, or after
        // `NeedsRoom`.
        (0..self.processes).for_each(|owner| outbox.pack(owner));
        self.send(thread, &mut outbox)?;
        self.inner.flush(thread)
    }

    fn make_room(&mut self) -> Result<(), Limit> {
        self.inner.make_room()
    }

    fn commit(&mut self, meter: &mut Meter<'_>) -> Result<u64, Limit> {
        // All threads have flushed, so this process sends no further block of this layer.
        self.receive_rest(meter)?;
        self.inner.commit(meter)
    }

    fn read_added(
        &mut self,
        visit: &mut dyn FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        self.inner.read_added(visit)
    }

    fn read(&self, visit: Visit<'_, W>) -> Result<ControlFlow<()>, Limit> {
        self.inner.read(visit)
    }

    fn keep_layers(&mut self) -> Result<(), Limit> {
        self.inner.keep_layers()
    }

    fn drop_all_but_layers(&mut self) {
        self.inner.drop_all_but_layers();
        self.outboxes.clear();
    }

    fn read_layer(&self, depth: u32, visit: Visit<'_, W>) -> Result<ControlFlow<()>, Limit> {
        self.inner.read_layer(depth, visit)
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
                    let owners = RankSlices::of_process(process, processes, ranks);
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
