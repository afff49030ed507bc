//! The layer loop that all breadth-first searches and explorations share: expand the current layer
//! of a [store](crate::store), commit the next one, repeat.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::worker_pool::{ChunkQueue, WorkerPool};
use crate::budget::{Limit, Meter};
use crate::checkpoint::{Kept, LayerLog};
use crate::cluster::{gather, sums};
use crate::expansion::IGNORED_BREAK;
use crate::space::StateSpace;
use crate::stats::Stats;
use crate::store::run_file::RunWriter;
use crate::store::{FileReader, Interrupt, LayerReader, LayerStore, LayerWriter, flow, stopped};
use crate::word::{Word, fixed_hash};

/// The threads of a search, and for each a buffer of generated states.
pub(crate) struct Expander<S: StateSpace> {
    pub(crate) pool: WorkerPool,
    buffers: Vec<Vec<(S::State, S::Move)>>,
}

impl<S: StateSpace> Expander<S> {
    /// As many threads as the store takes.
    pub(crate) fn new<'s>(store: &impl LayerStore<'s, S>) -> Self
    where
        S: 's,
    {
        let threads = store.threads();
        Self { pool: WorkerPool::new(threads), buffers: vec![Vec::new(); threads.get()] }
    }
}

/// Expands layers from the initial states until `on_layer` breaks, and returns its value; `None` if
/// there are no further states.
///
/// `on_layer` gets the number of states of each layer, and whether the layer is complete. It is
/// incomplete if a limit ended the expansion of the layer before. `depth` counts the layers before
/// the current one, also if a limit stops the search.
///
/// If the budget has a checkpoint, the layers in it are read and not expanded, and new ones are added
/// to it. If only two layers are kept there, `on_layer` must not read the layers.
pub(crate) fn expand_layers<'s, S: StateSpace + 's, T: LayerStore<'s, S>, B>(
    store: &mut T,
    expander: &mut Expander<S>,
    meter: &mut Meter<'_>,
    depth: &mut u32,
    kept: Kept,
    on_layer: impl FnMut(&T, u64, bool) -> Result<ControlFlow<B>, Limit>,
) -> Result<Option<B>, Limit> {
    let log = meter.next_log(kept, S::State::BYTES, T::HAS_RANKS, store.division());
    let found = log.and_then(|mut log| {
        let found = expand_from(store, expander, meter, depth, log.as_mut(), on_layer);
        // Whatever ended the search, the next one goes on from here.
        if let Some(mut log) = log {
            // The checkpoint notes an error; the answer holds.
            let _ = log.publish();
        }
        found
    });
    if let (Err(limit), Some(cluster)) = (&found, store.cluster())
        // All processes reach this one before the same layer. Those that are behind are not cut short.
        && *limit != Limit::States
    {
        cluster.stop(*limit);
    }
    found
}

fn expand_from<'s, S: StateSpace + 's, T: LayerStore<'s, S>, B>(
    store: &mut T,
    expander: &mut Expander<S>,
    meter: &mut Meter<'_>,
    depth: &mut u32,
    mut log: Option<&mut LayerLog>,
    mut on_layer: impl FnMut(&T, u64, bool) -> Result<ControlFlow<B>, Limit>,
) -> Result<Option<B>, Limit> {
    let mut filled = add_initial(store);
    let own = store.commit(meter)?;
    let mut layer = LayerSize { own, all: sums(store.cluster(), [own])?[0] };
    meter.note_frontier(layer.all);
    loop {
        if let ControlFlow::Break(found) = on_layer(store, layer.all, filled.is_ok())? {
            return Ok(Some(found));
        }
        filled?;
        if layer.all == 0 {
            return Ok(None);
        }
        if let Some(log) = &mut log {
            log_layer(log, store, meter, layer.own)?;
        }
        (layer, filled) = match &mut log {
            Some(log) if log.has_next() => (read_layer(log, store, meter)?, Ok(())),
            log => next_layer(store, expander, meter, layer.all, log.as_deref_mut())?,
        };
        *depth += 1;
        meter.set_depth(*depth);
        if !T::SEQUENTIAL {
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
fn log_layer<'s, S: StateSpace + 's, T: LayerStore<'s, S>>(
    log: &mut LayerLog,
    store: &T,
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
    let written = if log.has_ranks() {
        log.append(states, stats, |file| {
            let mut write = |ranks: &[u64]| {
                meter.poll_writing(ranks.len() as u32, time_left)?;
                Ok(ranks.iter().try_for_each(|&rank| file.push(rank))?)
            };
            stopped(store.read_ranks(|ranks| flow(write(ranks)))?)
        })
    } else {
        log.append(states, stats, |file| {
            let mut write = |states: &[S::State]| {
                meter.poll_writing(states.len() as u32, time_left)?;
                Ok(file.push_blocks(states)?)
            };
            stopped(store.read(|states| flow(write(states)))?)
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
fn check_start<'s, S: StateSpace + 's, T: LayerStore<'s, S>>(
    log: &LayerLog,
    store: &T,
) -> Result<(), Limit> {
    fn sum<W: Word>(words: &[W]) -> u64 {
        words.iter().map(|&word| fixed_hash(word)).fold(0, u64::wrapping_add)
    }
    let (mut here, mut there) = (0_u64, 0_u64);
    if log.has_ranks() {
        stopped(store.read_ranks(|ranks| {
            here = here.wrapping_add(sum(ranks));
            ControlFlow::Continue(())
        })?)?;
        log.read_next(|ranks: &[u64]| {
            there = there.wrapping_add(sum(ranks));
            Ok(())
        })?;
    } else {
        stopped(store.read(|states| {
            here = here.wrapping_add(sum(states));
            ControlFlow::Continue(())
        })?)?;
        log.read_next(|states: &[S::State]| {
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
fn read_layer<'s, S: StateSpace + 's, T: LayerStore<'s, S>>(
    log: &LayerLog,
    store: &mut T,
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
            store.start(states)
        })?;
    }
    let own = store.commit(meter)?;
    let [all] = sums(store.cluster(), [own])?;
    // A layer that seems to be empty would end the search.
    let found = if log.has_own_next() { own } else { all };
    if found == expected { Ok(LayerSize { own, all }) } else { Err(log.other_states()) }
}

/// Adds the initial states to the store.
///
/// # Panics
/// If the store has states already: they would count as known, and a search could take them for a
/// proof that there is no plan.
pub(crate) fn add_initial<'s, S: StateSpace + 's>(
    store: &mut impl LayerStore<'s, S>,
) -> Result<(), Limit> {
    assert!(store.is_empty(), "the store has states of an earlier search");
    let mut batch = Vec::with_capacity(BATCH);
    let mut result = Ok(());
    store.space().initial(|state| {
        batch.push(state);
        if batch.len() == BATCH {
            if result.is_ok() {
                result = store.start(&batch);
            }
            batch.clear();
        }
    });
    result.and_then(|()| store.start(&batch))
}

/// Expands the current layer, which has `states` states in all stores, and commits the next one. Returns
/// the number of its states, and the limit that cut it short, if any. If the log has a part of the next
/// layer, goes on from there.
pub(crate) fn next_layer<'s, S: StateSpace + 's, T: LayerStore<'s, S>>(
    store: &mut T,
    expander: &mut Expander<S>,
    meter: &mut Meter<'_>,
    states: u64,
    mut log: Option<&mut LayerLog>,
) -> Result<(LayerSize, Result<(), Limit>), Limit> {
    let before = meter.stats();
    let filled = expand_layer(store, expander, meter, states, log.as_deref_mut());
    if !T::SEQUENTIAL && filled.is_err() {
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
        let written = log.write_rest::<S::State>(|_| Ok(())).and_then(|rest| {
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

/// The number of generated states that are passed to a store together. Only the successors of one
/// state can make a batch larger.
const BATCH: usize = 256;

/// The most successors of one state that are kept before they are passed to the store. The memory for
/// them is not booked.
const MAX_PENDING: usize = 1 << 12;

/// One thread's part of the work on a layer.
struct Worker<'a, 'm, S: StateSpace> {
    meter: Meter<'m>,
    /// Generated states; the contents do not matter between batches.
    generated: &'a mut Vec<(S::State, S::Move)>,
    interrupted: Option<Position>,
    /// The states of the chunk at which a limit stopped the thread that are not expanded, at most a chunk;
    /// `None` if they are not needed.
    unexpanded: Option<Vec<S::State>>,
    /// The limit that stopped the thread so that another search can go on from there.
    limit: Option<Limit>,
    result: Result<(), Interrupt>,
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

impl Position {
    /// Reads the chunk in batches until `visit` breaks. It also gets how many states of the batch are
    /// expanded.
    fn read<S: StateSpace>(
        self,
        reader: &impl LayerReader<S>,
        mut visit: impl FnMut(&[S::State], &[S::Move], usize) -> ControlFlow<()>,
    ) -> Result<(), Limit> {
        let mut left = self.expanded;
        reader.read(self.chunk, |states, moves| {
            let expanded = left.min(states.len());
            left -= expanded;
            visit(states, moves, expanded)
        })
    }
}

fn expand_layer<'s, S: StateSpace + 's, T: LayerStore<'s, S>>(
    store: &mut T,
    expander: &mut Expander<S>,
    meter: &mut Meter<'_>,
    mut states: u64,
    mut log: Option<&mut LayerLog>,
) -> Result<(), Limit> {
    let mut rest = None;
    if let Some(log) = &log
        && let Some((file, stats)) = log.read_part(|added| {
            meter.poll_after(added.len() as u32)?;
            store.start(added)
        })?
    {
        // Also if no state was added, those of the current layer are not read from the store.
        store.start(&[])?;
        meter.resume(stats);
        states = file.states;
        rest = Some(file);
    }
    // Timing would decide which states are expanded.
    if !T::SEQUENTIAL && meter.states_left() < states {
        return Err(Limit::States);
    }
    let space = store.space();
    let Expander { pool, buffers } = expander;
    let workers = buffers.iter_mut().take(pool.worthwhile(states));
    let workers = workers.map(|generated| Worker {
        meter: meter.for_worker(),
        generated,
        interrupted: None,
        unexpanded: log.is_some().then(Vec::new),
        limit: None,
        result: Ok(()),
    });
    let mut expansion =
        LayerExpansion { space, pool, workers: workers.collect(), queue: None, pause_at: None };
    let result = loop {
        expansion.pause_at = log.as_deref().and_then(|log| log.next_part(states));
        // The work of an earlier opening is counted all the same.
        let (reader, writers) = match store.open() {
            Ok(opened) => opened,
            Err(limit) => break Err(limit),
        };
        let passed = match &rest {
            Some(rest) => expansion.expand(&FileReader::new(Some(rest)), writers),
            None => expansion.expand(&reader, writers),
        };
        match (passed, log.as_deref_mut()) {
            (Ok(Pass::NeedsRoom), _) => {
                drop(reader);
                if let Err(limit) = store.make_room() {
                    break Err(limit);
                }
            }
            (Ok(Pass::Paused { limit: Some(limit), .. }), Some(log)) if !log.needs_last_part() => {
                break Err(limit);
            }
            (Ok(Pass::Paused { next, limit }), Some(log)) => {
                let time_left = log.time_left();
                let written = log.write_rest(|file| match &rest {
                    Some(rest) => {
                        let reader = FileReader::new(Some(rest));
                        expansion.write_rest(&reader, next, file, meter, time_left)
                    }
                    None => expansion.write_rest(&reader, next, file, meter, time_left),
                });
                drop(reader);
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
fn write_added<'s, S: StateSpace + 's>(
    store: &mut impl LayerStore<'s, S>,
    file: &mut RunWriter<S::State>,
    meter: &mut Meter<'_>,
    time_left: Duration,
) -> Result<(), Limit> {
    store.read_added(|states| {
        meter.poll_writing(states.len() as u32, time_left)?;
        Ok(file.push_blocks(states)?)
    })
}

/// The number of states of the rest of a layer that are written together.
const REST_BLOCK: usize = 1 << 13;

/// The expansion of a layer by threads.
struct LayerExpansion<'a, 'm, S: StateSpace> {
    space: &'a S,
    pool: &'a WorkerPool,
    workers: Vec<Worker<'a, 'm, S>>,
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

impl<S: StateSpace> LayerExpansion<'_, '_, S> {
    /// Expands chunks until none are left, a thread needs room, a limit is reached, or it is time to
    /// pause.
    fn expand<R: LayerReader<S>, W: LayerWriter<S>>(
        &mut self,
        reader: &R,
        writers: Vec<W>,
    ) -> Result<Pass, Limit> {
        let Self { space, pool, workers, queue, pause_at } = self;
        let chunks = reader.chunk_count();
        let count = workers.len().min(chunks.max(1));
        let ranges = if R::SEPARATE_RANGES { count } else { 1 };
        let queue = queue.get_or_insert_with(|| ChunkQueue::new(chunks, ranges));
        let mut pairs: Vec<_> = workers.iter_mut().zip(writers).take(count).enumerate().collect();
        assert!(!pairs.is_empty(), "the store opened no writer, so that nothing would be expanded");
        // After a limit, threads only put what they have into the store.
        let is_over = pairs.iter().any(|(_, (worker, _))| worker.limit.is_some());
        let (stop, pause) = (AtomicBool::new(is_over), AtomicBool::new(false));
        let signals = Signals { stop: &stop, pause: &pause, pause_at: *pause_at };
        pool.run(&mut pairs, &stop, |(index, (worker, writer))| {
            worker.run(space, reader, writer, signals, || queue.take(*index))
        });
        drop(pairs);
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

    /// Writes the states that are not expanded: those of threads, of the chunk `next`, and of the queue.
    fn write_rest(
        &mut self,
        reader: &impl LayerReader<S>,
        mut next: Option<usize>,
        file: &mut RunWriter<S::State>,
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
            reader.read(chunk, |states, _| {
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

impl<S: StateSpace> Worker<'_, '_, S> {
    /// Expands chunks until none are left, the store has no room, a limit is reached, or all threads
    /// pause. Returns the number of expanded states.
    fn run<W: LayerWriter<S>>(
        &mut self,
        space: &S,
        reader: &impl LayerReader<S>,
        writer: &mut W,
        signals: Signals<'_>,
        take_chunk: impl Fn() -> Option<usize>,
    ) -> u64 {
        let before = self.meter.stats().expanded;
        // What is left from before the interruption.
        self.result = if self.result.is_err() { writer.flush() } else { Ok(()) };
        let Signals { stop, pause, pause_at } = signals;
        while self.result.is_ok() && self.limit.is_none() && !stop.load(Ordering::Relaxed) {
            let next = || match pause.load(Ordering::Relaxed) {
                true => None,
                false => Some(Position { chunk: take_chunk()?, ..Position::default() }),
            };
            let Some(mut position) = self.interrupted.take().or_else(next) else {
                self.result = writer.flush();
                break;
            };
            self.result = self.meter.poll().map_err(Interrupt::from);
            self.note_limit();
            self.expand_chunk(space, reader, writer, &mut position);
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
            self.save_unexpanded(reader, writer);
        }
        self.meter.stats().expanded.saturating_sub(before)
    }

    /// If a limit of the budget stopped the thread and another search can go on from there, keeps that
    /// apart from the result, which is about the store.
    fn note_limit(&mut self) {
        if self.unexpanded.is_some()
            && let Some(limit) = limit_of(self.result).filter(|limit| limit.is_of_budget())
        {
            self.limit = Some(limit);
            self.result = Ok(());
        }
    }

    /// Puts all that was generated into the store, and keeps the states of an interrupted chunk.
    fn save_unexpanded(&mut self, reader: &impl LayerReader<S>, writer: &mut impl LayerWriter<S>) {
        let Some(unexpanded) = &mut self.unexpanded else { return };
        self.result = writer.flush();
        if self.result.is_ok()
            && let Some(position) = self.interrupted.take()
        {
            self.meter.take_back(position.generated);
            let read = position.read(reader, |states, _, expanded| {
                unexpanded.extend_from_slice(&states[expanded..]);
                ControlFlow::Continue(())
            });
            self.result = read.map_err(Interrupt::from);
        }
    }

    /// Expands the states of a chunk from a position, and updates it. After a limit, keeps the others.
    fn expand_chunk(
        &mut self,
        space: &S,
        reader: &impl LayerReader<S>,
        writer: &mut impl LayerWriter<S>,
        position: &mut Position,
    ) {
        let read = (*position).read(reader, |states, moves, mut expanded| {
            if self.limit.is_none() {
                let before = position.expanded;
                self.result = self.expand(space, states, moves, expanded, writer, position);
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

    /// Expands the states after the first `skipped` ones.
    #[inline]
    fn expand(
        &mut self,
        space: &S,
        states: &[S::State],
        moves: &[S::Move],
        skipped: usize,
        writer: &mut impl LayerWriter<S>,
        position: &mut Position,
    ) -> Result<(), Interrupt> {
        let Self { meter, generated, .. } = self;
        let mut states = states.iter().enumerate().skip(skipped);
        if position.generated > 0
            && let Some((index, &state)) = states.next()
        {
            let last = moves.get(index).copied();
            generate_rest(space, state, last, &mut position.generated, writer, meter)?;
            *position = Position { expanded: position.expanded + 1, generated: 0, ..*position };
        }
        // A separate counter avoids reloading the length of the list after each write.
        let mut pending = 0;
        let mut result = Ok(());
        for (index, &state) in states {
            result = meter.expand().map_err(Interrupt::from);
            if result.is_err() {
                break;
            }
            let before = meter.generated_so_far() + pending as u64;
            // The closure almost always only stores the successor, so that the loop of the space
            // stays tight. To look at what the space returns cost 5 % of the time of classic
            // klotski.
            let _ = space.successors(state, moves.get(index).copied(), |by, next| {
                if let Some(slot) = generated.get_mut(pending) {
                    *slot = (next, by);
                    pending += 1;
                } else {
                    assert!(result.is_ok(), "{IGNORED_BREAK}");
                    (pending, result) = extend(generated, (next, by), writer, meter);
                    if result.is_err() {
                        return ControlFlow::Break(());
                    }
                }
                ControlFlow::Continue(())
            });
            if result.is_err() {
                assert!(pending == 0, "{IGNORED_BREAK}");
                position.generated = meter.generated_so_far() - before;
                break;
            }
            position.expanded += 1;
            if pending >= BATCH {
                result = add(writer, meter, &mut generated[..pending]);
                pending = 0;
                if result.is_err() {
                    break;
                }
            }
        }
        if pending == 0 {
            return result;
        }
        // Generated states count even if a limit stopped the expansion.
        result.and(add(writer, meter, &mut generated[..pending]))
    }
}

/// Passes the successors of a state to the store except the first `generated` ones, which it has
/// already. If it is interrupted, `generated` counts those that the store has then.
#[cold]
#[inline(never)]
fn generate_rest<S: StateSpace>(
    space: &S,
    state: S::State,
    last: Option<S::Move>,
    generated: &mut u64,
    writer: &mut impl LayerWriter<S>,
    meter: &mut Meter<'_>,
) -> Result<(), Interrupt> {
    let (mut emitted, mut batch) = (0, Vec::with_capacity(BATCH));
    let mut result = Ok(());
    let _ = space.successors(state, last, |by, next| {
        assert!(result.is_ok(), "{IGNORED_BREAK}");
        emitted += 1;
        if emitted > *generated {
            batch.push((next, by));
            if batch.len() == BATCH {
                result = add(writer, meter, &mut batch);
                batch.clear();
                if result.is_err() {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    });
    *generated = emitted;
    result.and_then(|()| add(writer, meter, &mut batch))
}

/// Adds a state to a list that is full. The list grows up to [`MAX_PENDING`] states; then they are
/// passed to the store. Returns the number of pending states.
///
/// The list grows to a batch at once: state by state, a third of the time of a search of a few
/// hundred states was spent here.
#[cold]
#[inline(never)]
fn extend<S: StateSpace>(
    generated: &mut Vec<(S::State, S::Move)>,
    item: (S::State, S::Move),
    writer: &mut impl LayerWriter<S>,
    meter: &mut Meter<'_>,
) -> (usize, Result<(), Interrupt>) {
    let pending = generated.len();
    if pending < MAX_PENDING {
        generated.resize((2 * pending).clamp(BATCH, MAX_PENDING), item);
        return (pending + 1, Ok(()));
    }
    let added = add(writer, meter, generated);
    generated[0] = item;
    (usize::from(added.is_ok()), added)
}

/// Passes states to the store and counts them.
#[inline(never)]
fn add<S: StateSpace>(
    writer: &mut impl LayerWriter<S>,
    meter: &mut Meter<'_>,
    batch: &mut [(S::State, S::Move)],
) -> Result<(), Interrupt> {
    let counted = meter.generated(batch.len() as u64);
    writer.add(batch)?;
    Ok(counted?)
}
