//! The layer loop that all breadth-first searches and explorations share: expand the current layer
//! of a [store](crate::store), commit the next one, repeat.
//!
//! It is generic over the type of word only, not over the space: the space and the store are trait
//! objects, and each virtual call handles a block of states.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::budget::{Budget, Limit, Meter};
use crate::checkpoint::{LayerLog, Purpose};
use crate::clock::Instant;
use crate::cluster::{gather, sums};
use crate::run_file::RunWriter;
use crate::seam::{BATCH, Batch, SpaceView};
use crate::stats::Stats;
use crate::store::{FileReader, Interrupt, LayerStore, VisitTagged, flow};
use crate::word::{Word, fixed_hash};
use crate::worker_pool::{ChunkQueue, WorkerPool};

/// The thread pool of a search, with one batch of generated states per thread, and how far it came.
pub struct Expander<'s, W> {
    pub(crate) space: SpaceView<'s, W>,
    pub(crate) pool: WorkerPool,
    pub(crate) batches: Vec<Batch<W>>,
    /// That of the current layer. If a limit stops the search, every state of a lesser distance is
    /// in a layer.
    pub(crate) distance: u32,
    /// `None` if each move costs 1.
    pub(crate) queue: Option<Box<dyn DistanceQueue<W>>>,
}

/// What a search whose moves have [costs](crate::space::cost) has generated, and not yet added to
/// its store.
pub trait DistanceQueue<W> {
    /// Of each layer that was committed, in ascending order.
    fn distances(&self) -> &[u32];

    /// Calls `visit` with each state and its distance, some of them more than once, those of the
    /// least distance first. Not for states on disk.
    fn for_each(&self, visit: &mut dyn FnMut(W, u32));

    /// Prepares the expansion of a layer of this distance, and returns where each thread puts the
    /// successors.
    fn begin(&mut self, distance: u32) -> Result<Vec<&mut dyn Successors<W>>, Limit>;

    /// Notes a layer of this distance that was committed, and removes the states up to there.
    fn skip(&mut self, distance: u32, states: u64) -> Result<(), Limit>;

    /// Commits the states of the least distance that has new ones, and sets the distance of the
    /// expander. `states` is the size of the layer before. The size of the new one is 0 if there is
    /// none.
    fn commit_least(
        &mut self,
        store: &mut dyn LayerStore<W>,
        expander: &mut Expander<'_, W>,
        meter: &mut Meter<'_>,
        states: u64,
    ) -> Result<LayerSize, Limit>;
}

/// Where one thread puts the successors of a layer.
pub trait Successors<W>: Send {
    /// Adds the states of a batch by their costs.
    fn add(&mut self, batch: &Batch<W>) -> Result<(), Limit>;
}

impl<W> fmt::Debug for Expander<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { space, distance, .. } = self;
        f.debug_struct("Expander").field("space", space).field("distance", distance).finish()
    }
}

impl<'s, W: Word> Expander<'s, W> {
    /// The distance of each layer up to the current one, if all are in the store.
    pub(crate) fn distances(&self) -> Vec<u32> {
        let queue = self.queue.as_ref().map(|queue| queue.distances().to_vec());
        queue.unwrap_or_else(|| (0..=self.distance).collect())
    }

    /// Starts as many threads as the store supports.
    pub(crate) fn new(space: SpaceView<'s, W>, store: &dyn LayerStore<W>, budget: &Budget) -> Self {
        let (threads, costs) = (store.properties().threads, space.properties().costs);
        let by_cost = space.searches_by_cost();
        let queue = by_cost.map(|searches| searches.queue(costs, threads.get(), budget));
        let batches = (0..threads.get()).map(|_| Batch::default()).collect();
        Self { space, pool: WorkerPool::new(threads), batches, distance: 0, queue }
    }

    /// Adds states to the store without tags.
    fn start(&mut self, states: &[W], store: &mut dyn LayerStore<W>) -> Result<(), Limit> {
        let batch = &mut self.batches[0];
        set_batch(batch, states, self.space, store);
        store.start(batch)
    }
}

/// Replaces the states of a batch, with their ranks if the store needs them.
pub(crate) fn set_batch<W: Word>(
    batch: &mut Batch<W>,
    states: &[W],
    space: SpaceView<'_, W>,
    store: &dyn LayerStore<W>,
) {
    batch.set(states);
    if store.properties().needs_ranks {
        space.fill_ranks(batch);
    }
}

/// Called for each layer with the store. If it breaks, the search ends.
type OnLayer<'f, W> =
    &'f mut dyn FnMut(&dyn LayerStore<W>, Reading) -> Result<ControlFlow<()>, Limit>;

/// What a search knows of a layer that can be read.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    pub(crate) distance: u32,
    /// The number of its states, of all processes.
    pub(crate) states: u64,
    pub(crate) is_complete: bool,
}

/// How far a search got.
#[derive(Default)]
pub(crate) struct Reached {
    /// The distance of the current layer, also set if a limit stops the search. If the checkpoint
    /// has more layers that are known to contain no goal, the least distance beyond them.
    pub(crate) distance: u32,
    /// If a limit stopped the search, the sizes of the layers in the checkpoint.
    pub(crate) earlier: Vec<u64>,
}

/// Expands layer after layer from the initial states. Returns `true` if `on_layer` broke, `false`
/// if there are no further states.
///
/// `on_layer` gets the number of states of each layer, and whether the layer is complete. It is
/// incomplete if a limit ended the expansion of the layer before.
///
/// If the budget has a checkpoint, saved layers are read instead of being expanded, and new layers
/// are appended. With [`Purpose::Count`], `on_layer` must not read the layers.
pub(crate) fn expand_layers<W: Word>(
    store: &mut dyn LayerStore<W>,
    expander: &mut Expander<'_, W>,
    meter: &mut Meter<'_>,
    reached: &mut Reached,
    purpose: Purpose,
    on_layer: OnLayer<'_, W>,
) -> Result<bool, Limit> {
    let log = meter.open_next_search(
        purpose,
        W::BYTES,
        store.properties().has_rank_layers,
        store.division(),
    );
    let found = log.and_then(|mut log| {
        let found = expand_from(store, expander, meter, log.as_mut(), on_layer);
        reached.distance = expander.distance;
        // Make all layers durable, whatever ended the search.
        if let Some(mut log) = log {
            // The checkpoint records an error. It does not affect the answer.
            let _ = log.sync();
            if let Err(limit) = found
                && limit.is_of_run()
            {
                reached.earlier = log.earlier().to_vec();
                let proved = log.goal_free_distance();
                let beyond = proved_beyond(expander.space);
                let proved = proved.map_or(0, |distance| distance.saturating_add(beyond));
                reached.distance = reached.distance.max(proved);
                log.note_unread(limit);
            }
        }
        found
    });
    if let (Err(limit), Some(cluster)) = (&found, store.cluster())
        // `Limit::States` is decided from global counts, so all processes reach it before the same
        // layer by themselves. A stop message could interrupt one that is still finishing the layer
        // before.
        && *limit != Limit::States
    {
        cluster.stop(*limit);
    }
    found
}

fn expand_from<W: Word>(
    store: &mut dyn LayerStore<W>,
    expander: &mut Expander<'_, W>,
    meter: &mut Meter<'_>,
    mut log: Option<&mut LayerLog>,
    on_layer: OnLayer<'_, W>,
) -> Result<bool, Limit> {
    let keeps_incomplete = store.properties().is_sequential && expander.queue.is_none();
    let mut filled = add_initial(store, expander);
    let own = store.commit(meter)?;
    // `all` decides everything that follows, so that every process takes the same branches. `own`
    // is only used for the files of this process.
    let mut layer = LayerSize { own, all: sums(store.cluster(), [own])?[0] };
    meter.note_frontier(layer.all);
    loop {
        let (distance, is_complete) = (expander.distance, filled.is_ok());
        if on_layer(store, Reading { distance, states: layer.all, is_complete })?.is_break() {
            return Ok(true);
        }
        filled?;
        if layer.all == 0 {
            return Ok(false);
        }
        if let Some(log) = &mut log {
            log_layer(log, store, meter, expander.distance, layer.own)?;
        }
        let before = layer.all;
        (layer, filled) = match &mut log {
            Some(log) if log.has_next() => {
                (read_layer(log, store, expander, meter, layer.all)?, Ok(()))
            }
            log => next_layer(store, expander, meter, layer.all, log.as_deref_mut())?,
        };
        meter.set_last_layers(expander.distance, [layer.all, before]);
        if !keeps_incomplete {
            // With several threads, the states of an incomplete layer depend on timing. With costs,
            // they may have lesser distances. Drop it.
            filled?;
        }
    }
}

/// The size of a layer.
#[derive(Clone, Copy, Debug)]
pub struct LayerSize {
    /// In the store.
    pub(crate) own: u64,
    /// In the stores of all processes.
    pub(crate) all: u64,
}

/// Appends the current layer to the log or, if it is already saved, checks its size and advances
/// over it.
pub(crate) fn log_layer<W: Word>(
    log: &mut LayerLog,
    store: &dyn LayerStore<W>,
    meter: &mut Meter<'_>,
    distance: u32,
    states: u64,
) -> Result<(), Limit> {
    let stats = meter.stats();
    if log.has_next() && log.is_at_start() {
        check_start(log, store)?;
    }
    if log.has_own_next() {
        log.confirm(states)?.into_iter().for_each(|stats| meter.resume(stats));
        return Ok(());
    }
    // If the layer was saved under another partitioning, record the work of that run instead of
    // ours.
    let others_work = log.others_work();
    let stats = others_work.map_or(stats, |(stats, _)| stats);
    let time_left = log.time_left();
    let mut result = Ok(());
    let written = if log.has_ranks() {
        log.append(distance, states, stats, |file| {
            let mut write = |ranks: &[u64]| {
                meter.poll_writing(ranks.len() as u32, time_left)?;
                Ok(ranks.iter().try_for_each(|&rank| file.push(rank))?)
            };
            let _ = store.read_ranks(&mut |ranks| flow(write(ranks), &mut result))?;
            result
        })
    } else {
        log.append(distance, states, stats, |file| {
            let mut write = |states: &[W]| {
                meter.poll_writing(states.len() as u32, time_left)?;
                Ok(file.push_blocks(states)?)
            };
            let _ = store.read(&mut |states| flow(write(states), &mut result))?;
            result
        })
    };
    meter.end_writing();
    written?;
    if let Some((stats, true)) = others_work {
        meter.resume(stats);
        // This was the last saved layer. Once every process has made its copy durable (the empty
        // sum is a barrier), the files of the old division can go.
        log.sync()?;
        sums(store.cluster(), [])?;
        log.remove_others();
    }
    Ok(())
}

/// Checks that layer 0 of the log has the same states as the store. Compares sums of hashes, which
/// do not depend on the order.
fn check_start<W: Word>(log: &LayerLog, store: &dyn LayerStore<W>) -> Result<(), Limit> {
    fn sum<W: Word>(words: &[W]) -> u64 {
        words.iter().map(|&word| fixed_hash(word)).fold(0, u64::wrapping_add)
    }
    let (mut here, mut there) = (0_u64, 0_u64);
    if log.has_ranks() {
        let _ = store.read_ranks(&mut |ranks| {
            here = here.wrapping_add(sum(ranks));
            ControlFlow::Continue(())
        })?;
        log.read_next(|ranks: &[u64]| {
            there = there.wrapping_add(sum(ranks));
            Ok(())
        })?;
    } else {
        let _ = store.read(&mut |states| {
            here = here.wrapping_add(sum(states));
            ControlFlow::Continue(())
        })?;
        log.read_next(|states: &[W]| {
            there = there.wrapping_add(sum(states));
            Ok(())
        })?;
    }
    // A layer that was saved under another partitioning has the states of all processes.
    if !log.has_own_next() {
        here = gather(store.cluster(), &[here])?.into_iter().fold(0, u64::wrapping_add);
    }
    if here == there { Ok(()) } else { Err(log.other_start()) }
}

/// Loads the next saved layer into the store and makes it the current one, after one of this many
/// states.
pub(crate) fn read_layer<W: Word>(
    log: &LayerLog,
    store: &mut dyn LayerStore<W>,
    expander: &mut Expander<'_, W>,
    meter: &mut Meter<'_>,
    states: u64,
) -> Result<LayerSize, Limit> {
    fill_queue(log, store, expander, meter, states)?;
    let expected = log.next_states();
    let distance = log.next_distance().unwrap_or_default();
    if !log.has_next_states() {
        expander.distance = distance;
        return Ok(LayerSize { own: expected, all: expected });
    }
    if log.has_ranks() {
        log.read_next(|ranks| {
            meter.poll_after(ranks.len() as u32)?;
            store.start_ranks(ranks)
        })?;
    } else {
        log.read_next(|states| {
            meter.poll_after(states.len() as u32)?;
            expander.start(states, store)
        })?;
    }
    let own = store.commit(meter)?;
    let [all] = sums(store.cluster(), [own])?;
    // Without this check, a truncated layer that looks empty would end the search as complete.
    let found = if log.has_own_next() { own } else { all };
    if found != expected {
        return Err(log.other_states());
    }
    expander.distance = distance;
    if let Some(queue) = &mut expander.queue {
        // In the search that saved the layer, those were removed, too.
        queue.skip(distance, own)?;
    }
    Ok(LayerSize { own, all })
}

/// If moves have costs, expands the current layer once more where its successors may be farther
/// than the last saved layer. That is not counted: otherwise a limit on states would leave a search
/// no states to go on, and stop one of several processes alone.
fn fill_queue<W: Word>(
    log: &LayerLog,
    store: &mut dyn LayerStore<W>,
    expander: &mut Expander<'_, W>,
    meter: &Meter<'_>,
    states: u64,
) -> Result<(), Limit> {
    if expander.queue.is_none() {
        return Ok(());
    }
    let greatest = expander.space.properties().costs.greatest();
    if expander.distance.saturating_add(greatest) < log.last_distance().unwrap_or_default() {
        return Ok(());
    }
    expand_layer(store, expander, &mut meter.for_repeated_work(), states, None)
}

/// The number of initial states that are added to the store at a time.
const INITIAL_BATCH: usize = 256;

/// Adds the initial states to the store.
///
/// # Panics
/// If the store is not empty. Its states would be dropped as duplicates, and the search could
/// wrongly conclude that there is no plan.
pub(crate) fn add_initial<W: Word>(
    store: &mut dyn LayerStore<W>,
    expander: &mut Expander<'_, W>,
) -> Result<(), Limit> {
    assert!(store.is_empty(), "the store has states of an earlier search");
    let (space, mut states) = (expander.space, Vec::with_capacity(INITIAL_BATCH));
    let mut result = Ok(());
    space.initial(&mut |state| {
        states.push(state);
        if states.len() == INITIAL_BATCH {
            if result.is_ok() {
                result = expander.start(&states, store);
            }
            states.clear();
        }
    });
    result.and_then(|()| expander.start(&states, store))
}

/// Expands the current layer, which has `states` states over all processes, and commits the next
/// one. Returns the size of the next layer and, if it is incomplete, the limit. If the log has a
/// partial next layer, continues from it.
pub(crate) fn next_layer<W: Word>(
    store: &mut dyn LayerStore<W>,
    expander: &mut Expander<'_, W>,
    meter: &mut Meter<'_>,
    states: u64,
    mut log: Option<&mut LayerLog>,
) -> Result<(LayerSize, Result<(), Limit>), Limit> {
    let before = meter.stats();
    // With costs, no part of a layer is written.
    let log_of_parts = log.as_deref_mut().filter(|_| expander.queue.is_none());
    let filled = expand_layer(store, expander, meter, states, log_of_parts);
    commit_layer(store, expander, meter, (states, before), filled, log)
}

/// Commits the next layer, after an expansion of the current one that began with `before`.
pub(crate) fn commit_layer<W: Word>(
    store: &mut dyn LayerStore<W>,
    expander: &mut Expander<'_, W>,
    meter: &mut Meter<'_>,
    (states, before): (u64, Stats),
    filled: Result<(), Limit>,
    log: Option<&mut LayerLog>,
) -> Result<(LayerSize, Result<(), Limit>), Limit> {
    if expander.queue.is_some() && filled.is_err() {
        expander.distance += proved_beyond(expander.space);
        return Ok((LayerSize { own: 0, all: 0 }, filled));
    }
    if let Some(mut queue) = expander.queue.take() {
        let work = work_since(before, meter);
        let [expanded, generated] = sums(store.cluster(), work)?;
        meter.add(expanded - work[0], generated - work[1]);
        let layer = queue.commit_least(store, expander, meter, states);
        expander.queue = Some(queue);
        return Ok((layer?, Ok(())));
    }
    if !store.properties().is_sequential && filled.is_err() {
        // The states of an incomplete layer depend on timing; the caller drops it.
        expander.distance += 1;
        return Ok((LayerSize { own: 0, all: 0 }, filled));
    }
    // If the commit fails, too, report the limit of the expansion, which came first.
    let committed = store.commit(meter);
    if let (Ok(()), Err(limit), Some(log)) = (filled, &committed, log)
        && limit.is_of_budget()
        && log.needs_last_part()
    {
        let time_left = log.time_left();
        // All states are expanded, so the file of unexpanded states is empty.
        let written = log.write_rest::<W>(|_| Ok(())).and_then(|rest| {
            let stats = meter.stats();
            log.end_rest(&rest, stats, |file| write_added(store, file, meter, time_left))
        });
        written.unwrap_or_else(|limit| log.note_lost_part(limit));
        meter.end_writing();
    }
    let own = committed.map_err(|limit| filled.err().unwrap_or(limit))?;
    let work = work_since(before, meter);
    let [all, expanded, generated] = sums(store.cluster(), [own, work[0], work[1]])?;
    // Duplicates are counted globally: a successor sent twice is known as a duplicate only to its
    // owner.
    meter.add(expanded - work[0], generated - work[1]);
    // After an out-of-memory stop, this includes states that could not be stored.
    meter.duplicates(generated.saturating_sub(all));
    meter.note_frontier(states + all);
    expander.distance += 1;
    Ok((LayerSize { own, all }, filled))
}

/// The numbers of states that were expanded and generated.
fn work_since(before: Stats, meter: &Meter<'_>) -> [u64; 2] {
    let after = meter.stats();
    [after.expanded - before.expanded, after.generated - before.generated]
}

/// What every plan costs beyond the distance of a complete layer without a goal, at least: no more
/// than 1, since the buckets of earlier layers may have the next distance.
pub(crate) fn proved_beyond<W: Word>(space: SpaceView<'_, W>) -> u32 {
    space.properties().costs.least().min(1)
}

/// The state of one thread while it expands a layer. `repr(C)` keeps the order of the fields, so
/// that the padding is last.
#[repr(C)]
struct Worker<'a, 'm, W> {
    thread: usize,
    meter: Meter<'m>,
    /// Generated states; the contents do not matter between blocks.
    batch: &'a mut Batch<W>,
    /// Where they go if moves have costs.
    successors: Option<&'a mut dyn Successors<W>>,
    interrupted: Option<Position>,
    /// After a limit: the unexpanded states of the chunk that the thread was working on. `None`
    /// without a checkpoint.
    unexpanded: Option<Vec<W>>,
    /// The limit of the budget that stopped the thread, if the unexpanded states are kept for the
    /// checkpoint.
    limit: Option<Limit>,
    result: Result<(), Interrupt>,
    /// Padding against false sharing with the counters of the next thread. `repr(align)` would do
    /// it, but an aligned allocation is slower, which matters for searches that take microseconds.
    _apart: [u8; 128],
}

/// The position in a chunk at which the store ran out of room.
#[derive(Clone, Copy, Default)]
struct Position {
    chunk: usize,
    /// The number of states that are expanded.
    expanded: usize,
    /// The number of successors of the next state that are already in the store.
    generated: u64,
}

/// As [`VisitTagged`], with the number of states that are expanded already.
type VisitFrom<'v, W> = &'v mut dyn FnMut(&[W], &[u32], usize) -> ControlFlow<()>;

impl Position {
    /// Reads the chunk in batches until `visit` breaks.
    fn read<W: Word>(self, pass: &LayerPass<'_, W>, visit: VisitFrom<'_, W>) -> Result<(), Limit> {
        let mut left = self.expanded;
        pass.read_chunk(self.chunk, &mut |states, tags| {
            let expanded = left.min(states.len());
            left -= expanded;
            visit(states, tags, expanded)
        })
    }
}

/// One pass over a layer: the source of the states and the store for successors. A pass ends when
/// all threads have stopped.
pub(crate) struct LayerPass<'a, W> {
    space: SpaceView<'a, W>,
    store: &'a dyn LayerStore<W>,
    needs_ranks: bool,
    source: &'a Source<'a, W>,
    /// Whether the states are successors already, which are only added.
    are_generated: bool,
}

/// Where the states of a pass are.
pub(crate) enum Source<'a, W> {
    /// In the open layer of the store, in this number of chunks.
    Layer(usize),
    File(FileReader<'a>),
    Lists(Vec<&'a [W]>),
}

impl<'a, W: Word> LayerPass<'a, W> {
    pub(crate) fn new(
        space: SpaceView<'a, W>,
        store: &'a dyn LayerStore<W>,
        source: &'a Source<'a, W>,
        are_generated: bool,
    ) -> Self {
        let needs_ranks = store.properties().needs_ranks;
        Self { space, store, needs_ranks, source, are_generated }
    }

    fn chunk_count(&self) -> usize {
        match self.source {
            Source::Layer(chunks) => *chunks,
            Source::File(file) => file.chunk_count(),
            Source::Lists(lists) => lists.len(),
        }
    }

    fn has_separate_ranges(&self) -> bool {
        matches!(self.source, Source::Layer(_)) && self.store.properties().has_separate_ranges
    }

    fn read_chunk(&self, chunk: usize, visit: VisitTagged<'_, W>) -> Result<(), Limit> {
        match self.source {
            Source::Layer(_) => self.store.read_chunk(chunk, visit)?,
            Source::File(file) => file.read_chunk(chunk, visit)?,
            Source::Lists(lists) => drop(visit(lists[chunk], &[])),
        }
        Ok(())
    }

    /// Counts the states of a batch and adds them to the store or to the queue, except the first
    /// `known` states, which were added before an interruption.
    pub(crate) fn add(
        &self,
        thread: usize,
        batch: &mut Batch<W>,
        known: &mut u64,
        successors: Option<&mut (dyn Successors<W> + '_)>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Interrupt> {
        if *known > 0 {
            let dropped = batch.len().min(*known as usize);
            batch.drop_first(dropped);
            *known -= dropped as u64;
            if batch.is_empty() {
                return Ok(());
            }
        }
        let counted = meter.generated(batch.len() as u64);
        if let Some(successors) = successors {
            successors.add(batch)?;
            return Ok(counted?);
        }
        if self.needs_ranks {
            self.space.fill_ranks(batch);
        }
        self.store.add(thread, batch)?;
        Ok(counted?)
    }
}

/// Adds the states of some sources to the store, whose layer is open, on all threads.
pub(crate) fn add_states<'a, W: Word>(
    store: &mut dyn LayerStore<W>,
    expander: &mut Expander<'_, W>,
    meter: &mut Meter<'_>,
    states: u64,
    sources: impl IntoIterator<Item = Source<'a, W>>,
) -> Result<(), Limit> {
    let Expander { space, pool, batches, .. } = expander;
    let mut workers = LayerExpansion::new(pool, batches, states, meter);
    let added = sources.into_iter().try_for_each(|source| {
        workers.queue = None;
        while let Pass::NeedsRoom = workers.expand(&LayerPass::new(*space, store, &source, true))? {
            store.make_room()?;
            store.open()?;
        }
        Ok(())
    });
    workers.end(meter);
    added
}

/// The same on this thread, without the preparations that would take longer than a few states.
pub(crate) fn add_states_here<'a, W: Word>(
    store: &mut dyn LayerStore<W>,
    space: SpaceView<'_, W>,
    batch: &mut Batch<W>,
    meter: &mut Meter<'_>,
    lists: impl IntoIterator<Item = &'a [W]>,
) -> Result<(), Limit> {
    for states in lists.into_iter().flat_map(|list| list.chunks(BATCH)) {
        meter.poll_after(states.len() as u32)?;
        set_batch(batch, states, space, store);
        let added = store.add(0, batch);
        make_room_for(added, store)?;
    }
    let flushed = store.flush(0);
    make_room_for(flushed, store)
}

/// Makes room in the store until what this thread added is inserted.
fn make_room_for<W: Word>(
    mut added: Result<(), Interrupt>,
    store: &mut dyn LayerStore<W>,
) -> Result<(), Limit> {
    while let Err(interrupt) = added {
        if let Interrupt::Limit(limit) = interrupt {
            return Err(limit);
        }
        store.make_room()?;
        store.open()?;
        added = store.flush(0);
    }
    Ok(())
}

fn expand_layer<W: Word>(
    store: &mut dyn LayerStore<W>,
    expander: &mut Expander<'_, W>,
    meter: &mut Meter<'_>,
    mut states: u64,
    mut log: Option<&mut LayerLog>,
) -> Result<(), Limit> {
    let mut rest = None;
    if let Some(log) = &log
        && let Some((file, stats)) = log.read_part(|added| {
            meter.poll_after(added.len() as u32)?;
            expander.start(added, store)
        })?
    {
        // Mark the current layer as expanded even if no state was generated: the unexpanded states
        // come from the file.
        expander.start(&[], store)?;
        meter.resume(stats);
        states = file.states;
        rest = Some(file);
    }
    // With several threads, the states that fit the limit would depend on timing, so the layer is
    // not started at all.
    if !store.properties().is_sequential && meter.states_left() < states {
        return Err(Limit::States);
    }
    let Expander { space, pool, batches, distance, queue } = expander;
    let space = *space;
    let mut expansion = LayerExpansion::new(pool, batches, states, meter);
    for worker in &mut expansion.workers {
        worker.unexpanded = log.is_some().then(Vec::new);
    }
    if let Some(queue) = queue {
        for (worker, successors) in expansion.workers.iter_mut().zip(queue.begin(*distance)?) {
            worker.successors = Some(successors);
        }
    }
    // One iteration is one pass: open the layer, let all threads work until all of them stop, then
    // - NeedsRoom: the store grows while no thread runs, and the threads continue where they were
    //   (`Worker::interrupted`, the chunks left in `queue`);
    // - Paused at `pause_at`: write the unexpanded states and the generated ones to the checkpoint,
    //   then continue with the unexpanded states from that file instead of the store (`rest`);
    // - Paused at a limit: the same, but return the limit afterwards;
    // - Complete: all states are expanded.
    let result = loop {
        expansion.pause_at = log.as_deref().and_then(|log| log.next_part(states));
        // If this fails on a later pass, the work of the passes before still counts: do not return
        // early.
        let chunks = match store.open() {
            Ok(chunks) => chunks,
            Err(limit) => break Err(limit),
        };
        let source = match &rest {
            Some(rest) => Source::File(FileReader::new(rest)),
            None => Source::Layer(chunks),
        };
        let pass = LayerPass::new(space, store, &source, false);
        match (expansion.expand(&pass), log.as_deref_mut()) {
            (Ok(Pass::NeedsRoom), _) => {
                if let Err(limit) = store.make_room() {
                    break Err(limit);
                }
            }
            (Ok(Pass::Paused { limit: Some(limit), .. }), Some(log)) if !log.needs_last_part() => {
                break Err(limit);
            }
            (Ok(Pass::Paused { next, limit }), Some(log)) => {
                let time_left = log.time_left();
                let written = log
                    .write_rest(|file| expansion.write_rest(&pass, next, file, meter, time_left));
                let stats = expansion.stats(meter);
                let ended = written.and_then(|new| {
                    log.end_rest(&new, stats, |file| write_added(store, file, meter, time_left))?;
                    Ok(new)
                });
                meter.end_writing();
                if let (Err(lost), Some(_)) = (&ended, limit) {
                    log.note_lost_part(*lost);
                }
                match limit.map_or(ended, Err) {
                    Ok(new) => rest = Some(new),
                    Err(limit) => break Err(limit),
                }
            }
            (Ok(Pass::Paused { .. }), None) => unreachable!("only a log has a time to pause at"),
            (Ok(Pass::Complete), _) => break Ok(()),
            (Err(limit), _) => break Err(limit),
        }
    };
    expansion.end(meter);
    result
}

/// Writes the states that were added to the next layer.
fn write_added<W: Word>(
    store: &mut dyn LayerStore<W>,
    file: &mut RunWriter<W>,
    meter: &mut Meter<'_>,
    time_left: Duration,
) -> Result<(), Limit> {
    store.read_added(&mut |states| {
        meter.poll_writing(states.len() as u32, time_left)?;
        Ok(file.push_blocks(states)?)
    })
}

/// The number of unexpanded states that are written at a time.
const REST_BLOCK: usize = 1 << 13;

/// The expansion of a layer by threads.
pub(crate) struct LayerExpansion<'a, 'm, W> {
    pool: &'a WorkerPool,
    workers: Vec<Worker<'a, 'm, W>>,
    /// The chunks that are not expanded; `None` before the first pass.
    pub(crate) queue: Option<ChunkQueue>,
    /// When the threads pause, so that a partial layer can be written.
    pause_at: Option<Instant>,
}

/// Why all threads stopped.
pub(crate) enum Pass {
    /// All states are expanded.
    Complete,
    NeedsRoom,
    /// A limit or the pause time was reached. A partial layer can be written.
    Paused {
        /// A chunk that was taken from the queue and not expanded.
        next: Option<usize>,
        /// The limit that stopped the threads.
        limit: Option<Limit>,
    },
}

impl<'a, 'm, W: Word> LayerExpansion<'a, 'm, W> {
    /// The expansion of this many states, by as many threads as that is worth.
    pub(crate) fn new(
        pool: &'a WorkerPool,
        batches: &'a mut [Batch<W>],
        states: u64,
        meter: &Meter<'m>,
    ) -> Self {
        let workers = batches.iter_mut().take(pool.worthwhile(states)).enumerate();
        let workers = workers.map(|(thread, batch)| Worker {
            thread,
            meter: meter.for_worker(),
            batch,
            successors: None,
            interrupted: None,
            unexpanded: None,
            limit: None,
            result: Ok(()),
            _apart: [0; 128],
        });
        Self { pool, workers: workers.collect(), queue: None, pause_at: None }
    }

    /// Counts the work of the threads.
    pub(crate) fn end(self, meter: &mut Meter<'m>) {
        self.workers.into_iter().for_each(|worker| meter.absorb(worker.meter));
    }

    /// Expands chunks until none are left, a thread needs room, a limit is reached, or it is time
    /// to pause.
    pub(crate) fn expand(&mut self, pass: &LayerPass<'_, W>) -> Result<Pass, Limit> {
        let Self { pool, workers, queue, pause_at } = self;
        let chunks = pass.chunk_count();
        let count = workers.len().min(chunks.max(1));
        let ranges = if pass.has_separate_ranges() { count } else { 1 };
        let queue = queue.get_or_insert_with(|| ChunkQueue::new(chunks, ranges));
        // After a limit, a further pass only flushes what the threads still hold.
        let is_over = workers.iter().any(|worker| worker.limit.is_some());
        let (stop, pause) = (AtomicBool::new(is_over), AtomicBool::new(false));
        let signals = Signals { stop: &stop, pause: &pause, pause_at: *pause_at };
        pool.run(&mut workers[..count], &stop, |worker| {
            let thread = worker.thread;
            worker.run(pass, signals, &mut || queue.take(thread))
        });
        let results = || workers.iter().map(|worker| worker.result);
        if let Some(limit) = results().find_map(limit_of) {
            return Err(limit);
        }
        if results().any(|result| result == Err(Interrupt::NeedsRoom)) {
            return Ok(Pass::NeedsRoom);
        }
        // Taking a chunk is the only way to see whether the queue is empty; `write_rest` writes it
        // with the others.
        Ok(match (queue.take(0), workers.iter().find_map(|worker| worker.limit)) {
            (None, None) => Pass::Complete,
            (next, limit) => Pass::Paused { next, limit },
        })
    }

    /// Writes the unexpanded states: those that the threads kept, those of the chunk `next`, and
    /// those of the chunks that are still in the queue.
    fn write_rest(
        &mut self,
        pass: &LayerPass<'_, W>,
        mut next: Option<usize>,
        file: &mut RunWriter<W>,
        meter: &mut Meter<'_>,
        time_left: Duration,
    ) -> Result<(), Limit> {
        // Taking the queue away makes the next pass start with a new one, over the chunks of the
        // file.
        let Some(queue) = self.queue.take() else { return Ok(()) };
        for states in self.workers.iter_mut().filter_map(|worker| worker.unexpanded.as_mut()) {
            file.push_blocks(states)?;
            states.clear();
        }
        // Chunks may be small. Collect them into blocks, which are the chunks of the file when it
        // is read.
        let mut block = Vec::new();
        while let Some(chunk) = next {
            let mut written = Ok(());
            pass.read_chunk(chunk, &mut |states, _| {
                block.extend_from_slice(states);
                if block.len() >= REST_BLOCK {
                    written = meter
                        .poll_writing(block.len() as u32, time_left)
                        .and_then(|()| Ok(file.push_blocks(&block)?));
                    block.clear();
                }
                if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            written?;
            next = queue.take(0);
        }
        file.push_blocks(&block)?;
        Ok(())
    }

    /// The total work so far, including that of the threads.
    fn stats(&self, meter: &Meter<'_>) -> Stats {
        let mut stats = meter.stats();
        for worker in &self.workers {
            stats.expanded += worker.meter.stats().expanded;
            stats.generated += worker.meter.stats().generated;
        }
        stats
    }
}

/// The signals that a thread checks before each chunk.
#[derive(Clone, Copy)]
struct Signals<'a> {
    /// A limit was reached, or a thread panicked.
    stop: &'a AtomicBool,
    /// It is time to pause.
    pause: &'a AtomicBool,
    pause_at: Option<Instant>,
}

fn limit_of(result: Result<(), Interrupt>) -> Option<Limit> {
    match result {
        Err(Interrupt::Limit(limit)) => Some(limit),
        Ok(()) | Err(Interrupt::NeedsRoom) => None,
    }
}

impl<W: Word> Worker<'_, '_, W> {
    /// Expands chunks until none are left, the store has no room, a limit is reached, or all
    /// threads pause. Returns the number of expanded states.
    fn run(
        &mut self,
        pass: &LayerPass<'_, W>,
        signals: Signals<'_>,
        take_chunk: &mut dyn FnMut() -> Option<usize>,
    ) -> u64 {
        let before = self.meter.stats().expanded;
        // After `NeedsRoom`, first insert what the thread could not insert before.
        self.result = if self.result.is_err() { pass.store.flush(self.thread) } else { Ok(()) };
        let Signals { stop, pause, pause_at } = signals;
        // Order: the interrupted chunk first, then new chunks, until the queue is empty or a pause
        // was signalled; then flush. A thread that stops early leaves the flush to
        // `save_unexpanded`, or to the next pass.
        while self.result.is_ok() && self.limit.is_none() && !stop.load(Ordering::Relaxed) {
            let next = || match pause.load(Ordering::Relaxed) {
                true => None,
                false => Some(Position { chunk: take_chunk()?, ..Position::default() }),
            };
            let Some(mut position) = self.interrupted.take().or_else(next) else {
                self.result = pass.store.flush(self.thread);
                break;
            };
            self.result = self.meter.poll().map_err(Interrupt::from);
            self.note_limit();
            self.expand_chunk(pass, &mut position);
            if self.result == Err(Interrupt::NeedsRoom) {
                self.interrupted = Some(position);
            }
            // Checked after each chunk, so that every pass makes progress even if the interval is
            // zero.
            if pause_at.is_some_and(|time| Instant::now() >= time) {
                pause.store(true, Ordering::Relaxed);
            }
        }
        // `NeedsRoom` does not stop the others: each of them continues until it needs room, too, or
        // the queue is empty. That bounds the number of passes.
        if self.limit.is_some() || limit_of(self.result).is_some() {
            stop.store(true, Ordering::Relaxed);
        }
        if self.result.is_ok() && stop.load(Ordering::Relaxed) {
            self.save_unexpanded(pass);
        }
        self.meter.stats().expanded.saturating_sub(before)
    }

    /// Moves a limit of the budget from `result` to `limit` if there is a checkpoint: the store is
    /// intact, so the thread still flushes and keeps its unexpanded states. `result` then only
    /// reports errors of the store.
    fn note_limit(&mut self) {
        if self.unexpanded.is_some()
            && let Some(limit) = limit_of(self.result).filter(|limit| limit.is_of_budget())
        {
            self.limit = Some(limit);
            self.result = Ok(());
        }
    }

    /// Flushes the generated states into the store, and keeps the unexpanded states of an
    /// interrupted chunk.
    fn save_unexpanded(&mut self, pass: &LayerPass<'_, W>) {
        let Some(unexpanded) = &mut self.unexpanded else { return };
        self.result = pass.store.flush(self.thread);
        if self.result.is_ok()
            && let Some(position) = self.interrupted.take()
        {
            self.meter.take_back(position.generated);
            let read = position.read(pass, &mut |states, _, expanded| {
                unexpanded.extend_from_slice(&states[expanded..]);
                ControlFlow::Continue(())
            });
            self.result = read.map_err(Interrupt::from);
        }
    }

    /// Expands the states of a chunk from `position` on, and advances it. After a limit, keeps the
    /// remaining states in `unexpanded`.
    fn expand_chunk(&mut self, pass: &LayerPass<'_, W>, position: &mut Position) {
        let read = (*position).read(pass, &mut |states, tags, mut expanded| {
            if self.limit.is_none() {
                let before = position.expanded;
                self.result = self.expand(pass, (states, tags), expanded, position);
                self.note_limit();
                expanded += position.expanded - before;
            }
            if self.limit.is_some() {
                self.meter.take_back(std::mem::take(&mut position.generated));
                self.unexpanded.get_or_insert_default().extend_from_slice(&states[expanded..]);
            }
            if self.result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if let Err(limit) = read {
            self.result = Err(limit.into());
        }
    }

    /// Expands the states after the first `at` ones, block by block.
    fn expand(
        &mut self,
        pass: &LayerPass<'_, W>,
        (states, tags): (&[W], &[u32]),
        mut at: usize,
        position: &mut Position,
    ) -> Result<(), Interrupt> {
        let Self { thread, meter, batch, successors, .. } = self;
        if pass.are_generated {
            for states in states[at..].chunks(BATCH) {
                position.expanded += states.len();
                set_batch(batch, states, pass.space, pass.store);
                pass.store.add(*thread, batch)?;
                meter.poll_after(states.len() as u32)?;
            }
            return Ok(());
        }
        while at < states.len() {
            batch.clear();
            // A state that was interrupted is expanded again from its first successor. It has
            // already been counted, and its first `known` successors are in the store.
            let mut known = std::mem::take(&mut position.generated);
            let (is_counted, before) = (known > 0, known);
            let granted = if is_counted { 1 } else { meter.grant(states.len() - at)? };
            let (begin, end) = (at, at + granted);
            let (mut passed, mut result) = (0, Ok(()));
            let tags = tags.get(..end).unwrap_or_default();
            pass.space.expand(&states[..end], tags, &mut at, batch, &mut |batch| {
                let (open, has_others) = batch.open_states();
                passed = if has_others { open as u64 } else { passed + open as u64 };
                result = pass.add(*thread, batch, &mut known, successors.as_deref_mut(), meter);
                if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            position.expanded += at - begin;
            meter.expanded((at - begin) as u64 - u64::from(is_counted && at > begin));
            if result.is_err() {
                // An interrupted state counts as expanded as soon as one of its successors is in
                // the store; `take_back` undoes that if it is saved as unexpanded.
                meter.expanded(u64::from(passed > 0 && !is_counted));
                position.generated = passed.max(before);
                return result;
            }
            assert!(at > begin, "invalid search space: `successors` does not count `at` up");
            // Generated states count even if a limit stopped the expansion.
            if !batch.is_empty() {
                pass.add(*thread, batch, &mut known, successors.as_deref_mut(), meter)?;
            }
        }
        Ok(())
    }
}
