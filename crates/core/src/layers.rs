//! The layer loop that all breadth-first searches and explorations share: expand the current layer
//! of a [store](crate::store), commit the next one, repeat.
//!
//! It is compiled for each type of word, and not for each space: the space and the store are behind
//! a `dyn`, which is called for blocks of states.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::budget::{Limit, Meter};
use crate::checkpoint::{LayerLog, Purpose};
use crate::cluster::{gather, sums};
use crate::run_file::{RunFile, RunWriter};
use crate::seam::{Batch, SpaceView};
use crate::stats::Stats;
use crate::store::{FileReader, Interrupt, LayerStore, VisitTagged, flow};
use crate::word::{Word, fixed_hash};
use crate::worker_pool::{ChunkQueue, WorkerPool};

/// The threads of a search, and for each a batch of generated states.
pub(crate) struct Expander<'s, W> {
    pub(crate) space: SpaceView<'s, W>,
    pub(crate) pool: WorkerPool,
    pub(crate) batches: Vec<Batch<W>>,
}

impl<'s, W: Word> Expander<'s, W> {
    /// As many threads as the store takes.
    pub(crate) fn new(space: SpaceView<'s, W>, store: &dyn LayerStore<W>) -> Self {
        let threads = store.properties().threads;
        let batches = (0..threads.get()).map(|_| Batch::default()).collect();
        Self { space, pool: WorkerPool::new(threads), batches }
    }

    /// Adds states to the store without tags.
    fn start(&mut self, states: &[W], store: &mut dyn LayerStore<W>) -> Result<(), Limit> {
        let batch = &mut self.batches[0];
        batch.set(states);
        if store.properties().needs_ranks {
            self.space.fill_ranks(batch);
        }
        store.start(batch)
    }
}

/// What a search does with a layer: it gets the store, the number of states, and whether the layer
/// is complete. If it breaks, the search ends.
type OnLayer<'f, W> =
    &'f mut dyn FnMut(&dyn LayerStore<W>, u64, bool) -> Result<ControlFlow<()>, Limit>;

/// How far a search has come.
#[derive(Default)]
pub(crate) struct Reached {
    /// The number of layers before the current one, also if a limit stops the search. If the
    /// checkpoint has more that are known to have no goal, the number of these.
    pub(crate) depth: u32,
    /// If a limit stopped the search, the number of states of each layer that the checkpoint had.
    pub(crate) earlier: Vec<u64>,
}

/// Expands layers from the initial states until `on_layer` breaks, and returns whether it did;
/// otherwise there are no further states.
///
/// `on_layer` gets the number of states of each layer, and whether the layer is complete. It is
/// incomplete if a limit ended the expansion of the layer before.
///
/// If the budget has a checkpoint, the layers in it are read and not expanded, and new ones are
/// added to it. If they are only [counted](Purpose::Count), `on_layer` must not read the layers.
pub(crate) fn expand_layers<W: Word>(
    store: &mut dyn LayerStore<W>,
    expander: &mut Expander<'_, W>,
    meter: &mut Meter<'_>,
    reached: &mut Reached,
    purpose: Purpose,
    on_layer: OnLayer<'_, W>,
) -> Result<bool, Limit> {
    let log =
        meter.next_log(purpose, W::BYTES, store.properties().has_rank_layers, store.division());
    let found = log.and_then(|mut log| {
        let found = expand_from(store, expander, meter, &mut reached.depth, log.as_mut(), on_layer);
        // Whatever ended the search, the next one goes on from here.
        if let Some(mut log) = log {
            // The checkpoint notes an error; the answer holds.
            let _ = log.publish();
            if let Err(limit) = found
                && limit.is_of_run()
            {
                reached.earlier = log.earlier().to_vec();
                reached.depth = reached.depth.max(log.goal_free_layers());
                log.note_unread(limit);
            }
        }
        found
    });
    if let (Err(limit), Some(cluster)) = (&found, store.cluster())
        // All processes reach this one before the same layer. Those that are behind are not cut
        // short.
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
    depth: &mut u32,
    mut log: Option<&mut LayerLog>,
    on_layer: OnLayer<'_, W>,
) -> Result<bool, Limit> {
    let is_sequential = store.properties().is_sequential;
    let mut filled = add_initial(store, expander);
    let own = store.commit(meter)?;
    let mut layer = LayerSize { own, all: sums(store.cluster(), [own])?[0] };
    meter.note_frontier(layer.all);
    loop {
        if on_layer(store, layer.all, filled.is_ok())?.is_break() {
            return Ok(true);
        }
        filled?;
        if layer.all == 0 {
            return Ok(false);
        }
        if let Some(log) = &mut log {
            log_layer(log, store, meter, layer.own)?;
        }
        let before = layer.all;
        (layer, filled) = match &mut log {
            Some(log) if log.has_next() => (read_layer(log, store, expander, meter)?, Ok(())),
            log => next_layer(store, expander, meter, layer.all, log.as_deref_mut())?,
        };
        *depth += 1;
        meter.set_last_layers(*depth, [layer.all, before]);
        if !is_sequential {
            // Timing decides which states an incomplete layer has.
            filled?;
        }
    }
}

/// The number of states of a layer.
#[derive(Clone, Copy)]
pub(crate) struct LayerSize {
    /// In the store.
    own: u64,
    /// In the stores of all processes.
    pub(crate) all: u64,
}

/// Adds the current layer to the log, or checks that it is there.
fn log_layer<W: Word>(
    log: &mut LayerLog,
    store: &dyn LayerStore<W>,
    meter: &mut Meter<'_>,
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
    // If others have written it, they had done this work.
    let others_work = log.others_work();
    let stats = others_work.map_or(stats, |(stats, _)| stats);
    let time_left = log.time_left();
    let mut result = Ok(());
    let written = if log.has_ranks() {
        log.append(states, stats, |file| {
            let mut write = |ranks: &[u64]| {
                meter.poll_writing(ranks.len() as u32, time_left)?;
                Ok(ranks.iter().try_for_each(|&rank| file.push(rank))?)
            };
            let _ = store.read_ranks(&mut |ranks| flow(write(ranks), &mut result))?;
            result
        })
    } else {
        log.append(states, stats, |file| {
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
        // Nobody needs what they have written when all processes have written it again.
        log.publish()?;
        sums(store.cluster(), [])?;
        log.remove_others();
    }
    Ok(())
}

/// Checks that the first layer of the log has the states of the store, in any order.
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
    // Others may own more of what is there.
    if !log.has_own_next() {
        here = gather(store.cluster(), &[here])?.into_iter().fold(0, u64::wrapping_add);
    }
    if here == there { Ok(()) } else { Err(log.other_start()) }
}

/// Makes the next layer of the log the current one.
fn read_layer<W: Word>(
    log: &LayerLog,
    store: &mut dyn LayerStore<W>,
    expander: &mut Expander<'_, W>,
    meter: &mut Meter<'_>,
) -> Result<LayerSize, Limit> {
    let expected = log.next_states();
    if !log.has_next_states() {
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
    // A layer that seems to be empty would end the search.
    let found = if log.has_own_next() { own } else { all };
    if found == expected { Ok(LayerSize { own, all }) } else { Err(log.other_states()) }
}

/// The number of initial states that are passed to a store together.
const INITIAL_BATCH: usize = 256;

/// Adds the initial states to the store.
///
/// # Panics
/// If the store has states already: they would count as known, and a search could take them for a
/// proof that there is no plan.
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

/// Expands the current layer, which has `states` states in all stores, and commits the next one.
/// Returns the number of its states, and the limit that cut it short, if any. If the log has a part
/// of the next layer, goes on from there.
pub(crate) fn next_layer<W: Word>(
    store: &mut dyn LayerStore<W>,
    expander: &mut Expander<'_, W>,
    meter: &mut Meter<'_>,
    states: u64,
    mut log: Option<&mut LayerLog>,
) -> Result<(LayerSize, Result<(), Limit>), Limit> {
    let before = meter.stats();
    let filled = expand_layer(store, expander, meter, states, log.as_deref_mut());
    if !store.properties().is_sequential && filled.is_err() {
        // The caller drops the layer.
        return Ok((LayerSize { own: 0, all: 0 }, filled));
    }
    // The first limit is the reason.
    let committed = store.commit(meter);
    if let (Ok(()), Err(limit), Some(log)) = (filled, &committed, log)
        && limit.is_of_budget()
        && log.needs_last_part()
    {
        let time_left = log.time_left();
        // All states are expanded.
        let written = log.write_rest::<W>(|_| Ok(())).and_then(|rest| {
            let stats = meter.stats();
            log.end_rest(&rest, stats, |file| write_added(store, file, meter, time_left))
        });
        written.unwrap_or_else(|limit| log.note_lost_part(limit));
        meter.end_writing();
    }
    let own = committed.map_err(|limit| filled.err().unwrap_or(limit))?;
    let after = meter.stats();
    let work = [after.expanded - before.expanded, after.generated - before.generated];
    let [all, expanded, generated] = sums(store.cluster(), [own, work[0], work[1]])?;
    meter.add(expanded - work[0], generated - work[1]);
    // If the memory was full, also what could not be stored.
    meter.duplicates(generated.saturating_sub(all));
    meter.note_frontier(states + all);
    Ok((LayerSize { own, all }, filled))
}

/// One thread's part of the work on a layer. The fields are in this order.
#[repr(C)]
struct Worker<'a, 'm, W> {
    thread: usize,
    meter: Meter<'m>,
    /// Generated states; the contents do not matter between blocks.
    batch: &'a mut Batch<W>,
    interrupted: Option<Position>,
    /// The states of the chunk at which a limit stopped the thread that are not expanded, at most a
    /// chunk; `None` if they are not needed.
    unexpanded: Option<Vec<W>>,
    /// The limit that stopped the thread so that another search can go on from there.
    limit: Option<Limit>,
    result: Result<(), Interrupt>,
    /// Keeps the counters of the next thread off these cache lines. Aligned memory takes longer to
    /// allocate, which counts for searches of microseconds.
    _apart: [u8; 128],
}

/// Where the work on a chunk was interrupted because the store had no room.
#[derive(Clone, Copy, Default)]
struct Position {
    chunk: usize,
    /// The number of states that are expanded.
    expanded: usize,
    /// The number of successors of the next state that were passed to the store already.
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

/// What the threads read and where they add states, until all of them stop.
struct LayerPass<'a, W> {
    space: SpaceView<'a, W>,
    store: &'a dyn LayerStore<W>,
    needs_ranks: bool,
    /// The number of chunks of the open layer of the store.
    chunks: usize,
    /// The states to expand, if they are in a file.
    rest: Option<FileReader<'a>>,
}

impl<'a, W: Word> LayerPass<'a, W> {
    fn new(
        space: SpaceView<'a, W>,
        store: &'a dyn LayerStore<W>,
        chunks: usize,
        rest: Option<&'a RunFile>,
    ) -> Self {
        let needs_ranks = store.properties().needs_ranks;
        Self { space, store, needs_ranks, chunks, rest: rest.map(FileReader::new) }
    }

    fn chunk_count(&self) -> usize {
        self.rest.as_ref().map_or(self.chunks, FileReader::chunk_count)
    }

    fn has_separate_ranges(&self) -> bool {
        self.rest.is_none() && self.store.properties().has_separate_ranges
    }

    fn read_chunk(&self, chunk: usize, visit: VisitTagged<'_, W>) -> Result<(), Limit> {
        match &self.rest {
            Some(rest) => rest.read_chunk(chunk, visit),
            None => self.store.read_chunk(chunk, visit),
        }
    }

    /// Passes the states of a batch to the store, except the first `known` ones, which it has.
    /// Counts them.
    fn add(
        &self,
        thread: usize,
        batch: &mut Batch<W>,
        known: &mut u64,
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
        if self.needs_ranks {
            self.space.fill_ranks(batch);
        }
        self.store.add(thread, batch)?;
        Ok(counted?)
    }
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
        // Also if no state was added, those of the current layer are not read from the store.
        expander.start(&[], store)?;
        meter.resume(stats);
        states = file.states;
        rest = Some(file);
    }
    // Timing would decide which states are expanded.
    if !store.properties().is_sequential && meter.states_left() < states {
        return Err(Limit::States);
    }
    let Expander { space, pool, batches } = expander;
    let space = *space;
    let workers = batches.iter_mut().take(pool.worthwhile(states)).enumerate();
    let workers = workers.map(|(thread, batch)| Worker {
        thread,
        meter: meter.for_worker(),
        batch,
        interrupted: None,
        unexpanded: log.is_some().then(Vec::new),
        limit: None,
        result: Ok(()),
        _apart: [0; 128],
    });
    let mut expansion =
        LayerExpansion { pool, workers: workers.collect(), queue: None, pause_at: None };
    let result = loop {
        expansion.pause_at = log.as_deref().and_then(|log| log.next_part(states));
        // The work of an earlier opening is counted all the same.
        let chunks = match store.open() {
            Ok(chunks) => chunks,
            Err(limit) => break Err(limit),
        };
        let pass = LayerPass::new(space, store, chunks, rest.as_ref());
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
                drop(pass);
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
    for worker in expansion.workers {
        meter.absorb(worker.meter);
    }
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

/// The number of states of the rest of a layer that are written together.
const REST_BLOCK: usize = 1 << 13;

/// The expansion of a layer by threads.
struct LayerExpansion<'a, 'm, W> {
    pool: &'a WorkerPool,
    workers: Vec<Worker<'a, 'm, W>>,
    /// The chunks that are not expanded; `None` before the first pass.
    queue: Option<ChunkQueue>,
    /// When they should stop so that what they did can be written.
    pause_at: Option<Instant>,
}

/// How the work on a layer went on until all threads stopped.
enum Pass {
    /// All states are expanded.
    Complete,
    NeedsRoom,
    /// What was done can be written.
    Paused {
        /// A chunk that was taken from the queue and not expanded.
        next: Option<usize>,
        /// The limit that stopped the threads.
        limit: Option<Limit>,
    },
}

impl<W: Word> LayerExpansion<'_, '_, W> {
    /// Expands chunks until none are left, a thread needs room, a limit is reached, or it is time
    /// to pause.
    fn expand(&mut self, pass: &LayerPass<'_, W>) -> Result<Pass, Limit> {
        let Self { pool, workers, queue, pause_at } = self;
        let chunks = pass.chunk_count();
        let count = workers.len().min(chunks.max(1));
        let ranges = if pass.has_separate_ranges() { count } else { 1 };
        let queue = queue.get_or_insert_with(|| ChunkQueue::new(chunks, ranges));
        // After a limit, threads only put what they have into the store.
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
        Ok(match (queue.take(0), workers.iter().find_map(|worker| worker.limit)) {
            (None, None) => Pass::Complete,
            (next, limit) => Pass::Paused { next, limit },
        })
    }

    /// Writes the states that are not expanded: those of threads, of the chunk `next`, and of the
    /// queue.
    fn write_rest(
        &mut self,
        pass: &LayerPass<'_, W>,
        mut next: Option<usize>,
        file: &mut RunWriter<W>,
        meter: &mut Meter<'_>,
        time_left: Duration,
    ) -> Result<(), Limit> {
        let Some(queue) = self.queue.take() else { return Ok(()) };
        for states in self.workers.iter_mut().filter_map(|worker| worker.unexpanded.as_mut()) {
            file.push_blocks(states)?;
            states.clear();
        }
        // Chunks may be small, and a block is read at once.
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

    /// The work so far, with that before.
    fn stats(&self, meter: &Meter<'_>) -> Stats {
        let mut stats = meter.stats();
        for worker in &self.workers {
            stats.expanded += worker.meter.stats().expanded;
            stats.generated += worker.meter.stats().generated;
        }
        stats
    }
}

/// What stops a thread before a chunk.
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
        // What is left from before the interruption.
        self.result = if self.result.is_err() { pass.store.flush(self.thread) } else { Ok(()) };
        let Signals { stop, pause, pause_at } = signals;
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
            if pause_at.is_some_and(|time| Instant::now() >= time) {
                pause.store(true, Ordering::Relaxed);
            }
        }
        if self.limit.is_some() || limit_of(self.result).is_some() {
            stop.store(true, Ordering::Relaxed);
        }
        if self.result.is_ok() && stop.load(Ordering::Relaxed) {
            self.save_unexpanded(pass);
        }
        self.meter.stats().expanded.saturating_sub(before)
    }

    /// If a limit of the budget stopped the thread and another search can go on from there, keeps
    /// that apart from the result, which is about the store.
    fn note_limit(&mut self) {
        if self.unexpanded.is_some()
            && let Some(limit) = limit_of(self.result).filter(|limit| limit.is_of_budget())
        {
            self.limit = Some(limit);
            self.result = Ok(());
        }
    }

    /// Puts all that was generated into the store, and keeps the states of an interrupted chunk.
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

    /// Expands the states of a chunk from a position, and updates it. After a limit, keeps the
    /// others.
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
        let Self { thread, meter, batch, .. } = self;
        while at < states.len() {
            batch.clear();
            // The successors of a state that was interrupted are generated again. It is counted
            // already.
            let mut known = std::mem::take(&mut position.generated);
            let (is_counted, before) = (known > 0, known);
            let granted = if is_counted { 1 } else { meter.grant(states.len() - at)? };
            let (begin, end) = (at, at + granted);
            let (mut passed, mut result) = (0, Ok(()));
            let tags = tags.get(..end).unwrap_or_default();
            pass.space.expand(&states[..end], tags, &mut at, batch, &mut |batch| {
                let (open, has_others) = batch.open_states();
                passed = if has_others { open as u64 } else { passed + open as u64 };
                result = pass.add(*thread, batch, &mut known, meter);
                if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            position.expanded += at - begin;
            meter.expanded((at - begin) as u64 - u64::from(is_counted && at > begin));
            if result.is_err() {
                // The state that was interrupted counts if the store has a part of its successors.
                meter.expanded(u64::from(passed > 0 && !is_counted));
                position.generated = passed.max(before);
                return result;
            }
            // Generated states count even if a limit stopped the expansion.
            if !batch.is_empty() {
                pass.add(*thread, batch, &mut known, meter)?;
            }
        }
        Ok(())
    }
}
