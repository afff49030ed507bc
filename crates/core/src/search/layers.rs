//! The layer loop that all breadth-first searches and explorations share: expand the current layer
//! of a [store](crate::store), commit the next one, repeat.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::worker_pool::{ChunkQueue, WorkerPool};
use crate::budget::{Limit, Meter};
use crate::expansion::{IGNORED_BREAK, continue_if_ok};
use crate::space::StateSpace;
use crate::store::{Committed, Interrupt, LayerReader, LayerStore, LayerWriter};

/// Expands layers from the initial states until `on_layer` breaks, and returns its value; `None` if
/// there are no further states.
///
/// `on_layer` gets the number of states of each layer, and whether the layer is complete. It is
/// incomplete if a limit ended the expansion of the layer before. `depth` counts the layers before
/// the current one, also if a limit stops the search.
pub(crate) fn expand_layers<S: StateSpace, T: LayerStore<S>, B>(
    space: &S,
    store: &mut T,
    pool: &WorkerPool,
    meter: &mut Meter<'_>,
    depth: &mut u32,
    mut on_layer: impl FnMut(&T, u64, bool) -> Result<ControlFlow<B>, Limit>,
) -> Result<Option<B>, Limit> {
    let mut filled = add_initial(space, store);
    let Committed { mut states, .. } = store.commit(space)?;
    meter.note_frontier(states);
    loop {
        if let ControlFlow::Break(found) = on_layer(store, states, filled.is_ok())? {
            return Ok(Some(found));
        }
        filled?;
        if states == 0 {
            return Ok(None);
        }
        (states, filled) = next_layer(space, store, pool, meter, states)?;
        *depth += 1;
        meter.set_depth(*depth);
        if !T::SEQUENTIAL {
            // Timing decides which states an incomplete layer has.
            filled?;
        }
    }
}

/// Adds the initial states to the store.
pub(crate) fn add_initial<S: StateSpace>(
    space: &S,
    store: &mut impl LayerStore<S>,
) -> Result<(), Limit> {
    let mut batch = Vec::with_capacity(BATCH);
    let mut result = Ok(());
    space.initial(|state| {
        batch.push(state);
        if batch.len() == BATCH {
            if result.is_ok() {
                result = store.start(space, &batch);
            }
            batch.clear();
        }
    });
    result.and_then(|()| store.start(space, &batch))
}

/// Expands the current layer, which has `states` states, and commits the next one. Returns the
/// number of its states, and the limit that cut it short, if any.
pub(crate) fn next_layer<S: StateSpace, T: LayerStore<S>>(
    space: &S,
    store: &mut T,
    pool: &WorkerPool,
    meter: &mut Meter<'_>,
    states: u64,
) -> Result<(u64, Result<(), Limit>), Limit> {
    let mut generated_again = 0;
    let filled = expand_layer(space, store, pool, meter, states, &mut generated_again);
    let next = store.commit(space)?;
    meter.duplicates(next.duplicates - generated_again);
    meter.note_frontier(states + next.states);
    Ok((next.states, filled))
}

/// The number of generated states that are passed to a store together. Only the successors of one
/// state can make a batch larger.
const BATCH: usize = 128;

/// The most successors of one state that are kept before they are passed to the store. Only the
/// memory for them is not booked.
const MAX_PENDING: usize = 1 << 12;

/// One thread's part of the work on a layer.
struct Worker<'m, S: StateSpace> {
    meter: Meter<'m>,
    /// Generated states; the contents do not matter between batches.
    generated: Vec<(S::State, S::Move)>,
    /// The chunk that was interrupted because the store had no room, and the number of its states
    /// that are expanded.
    interrupted: Option<(usize, usize)>,
    /// The states that were passed to the store in expansions that had to be repeated.
    generated_again: u64,
    result: Result<(), Interrupt>,
}

fn expand_layer<S: StateSpace, T: LayerStore<S>>(
    space: &S,
    store: &mut T,
    pool: &WorkerPool,
    meter: &mut Meter<'_>,
    states: u64,
    generated_again: &mut u64,
) -> Result<(), Limit> {
    // Timing would decide which states are expanded.
    if !T::SEQUENTIAL && meter.states_left() < states {
        return Err(Limit::States);
    }
    let wanted = pool.worthwhile(states).min(store.threads().get());
    let mut workers: Vec<_> = (0..wanted)
        .map(|_| Worker {
            meter: meter.for_worker(),
            // Growing the list on demand in each layer cost 5 % of the time of the classic klotski
            // space.
            generated: Vec::with_capacity(2 * BATCH),
            interrupted: None,
            generated_again: 0,
            result: Ok(()),
        })
        .collect();
    let mut queue = None;
    let stop = AtomicBool::new(false);
    let result = loop {
        let (reader, writers) = store.open(space)?;
        let chunks = reader.chunk_count();
        workers.truncate(chunks.max(1));
        let ranges = if T::Reader::SEPARATE_RANGES { workers.len() } else { 1 };
        let queue = queue.get_or_insert_with(|| ChunkQueue::new(chunks, ranges));
        let mut pairs: Vec<_> = workers.iter_mut().zip(writers).enumerate().collect();
        pool.run(&mut pairs, &stop, |(index, (worker, writer))| {
            worker.run(space, &reader, writer, &stop, || queue.take(*index))
        });
        drop(pairs);
        let mut results = workers.iter().map(|worker| worker.result);
        if let Some(limit) = results.clone().find_map(limit_of) {
            break Err(limit);
        }
        if results.all(|result| result.is_ok()) {
            break Ok(());
        }
        drop(reader);
        if let Err(limit) = store.make_room() {
            break Err(limit);
        }
    };
    for worker in workers {
        *generated_again += worker.generated_again;
        meter.absorb(worker.meter);
    }
    result
}

fn limit_of(result: Result<(), Interrupt>) -> Option<Limit> {
    match result {
        Err(Interrupt::Limit(limit)) => Some(limit),
        Ok(()) | Err(Interrupt::NeedsRoom) => None,
    }
}

impl<S: StateSpace> Worker<'_, S> {
    /// Expands chunks until none are left, the store has no room, or a limit is reached. Returns
    /// the number of expanded states.
    fn run<W: LayerWriter<S>>(
        &mut self,
        space: &S,
        reader: &impl LayerReader<S>,
        writer: &mut W,
        stop: &AtomicBool,
        take_chunk: impl Fn() -> Option<usize>,
    ) -> u64 {
        let before = self.meter.stats().expanded;
        // What is left from before the interruption.
        self.result = if self.result.is_err() { writer.flush() } else { Ok(()) };
        while self.result.is_ok() && !stop.load(Ordering::Relaxed) {
            let chunk = self.interrupted.take().or_else(|| Some((take_chunk()?, 0)));
            let Some((chunk, mut expanded)) = chunk else {
                self.result = writer.flush();
                break;
            };
            self.expand_chunk(space, reader, writer, chunk, &mut expanded);
            if self.result == Err(Interrupt::NeedsRoom) {
                self.interrupted = Some((chunk, expanded));
            }
        }
        if limit_of(self.result).is_some() {
            stop.store(true, Ordering::Relaxed);
        }
        self.meter.stats().expanded - before
    }

    /// Expands the states of a chunk after the first `expanded` ones, and counts them there.
    fn expand_chunk(
        &mut self,
        space: &S,
        reader: &impl LayerReader<S>,
        writer: &mut impl LayerWriter<S>,
        chunk: usize,
        expanded: &mut usize,
    ) {
        let mut to_skip = *expanded;
        let read = reader.read(chunk, |states, moves| {
            let skipped = to_skip.min(states.len());
            to_skip -= skipped;
            self.result = self.expand(space, states, moves, skipped, writer, expanded);
            if self.result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if let Err(limit) = read {
            self.result = Err(limit.into());
        }
    }

    #[inline]
    fn expand(
        &mut self,
        space: &S,
        states: &[S::State],
        moves: &[S::Move],
        skipped: usize,
        writer: &mut impl LayerWriter<S>,
        expanded: &mut usize,
    ) -> Result<(), Interrupt> {
        let Self { meter, generated, generated_again, .. } = self;
        // A separate counter avoids reloading the length of the list after each write.
        let mut pending = 0;
        let mut result = Ok(());
        for (index, &state) in states.iter().enumerate().skip(skipped) {
            result = meter.expand().map_err(Interrupt::from);
            if result.is_err() {
                break;
            }
            let before = meter.generated_so_far() + pending as u64;
            // The closure almost always only stores the successor, so that the loop of the space
            // stays tight. To look at what the space returns cost 5 % of the time of classic
            // klotski.
            let _ = space.successors(state, moves.get(index).copied(), |by, next| {
                match generated.get_mut(pending) {
                    Some(slot) => *slot = (next, by),
                    None => {
                        if pending == MAX_PENDING {
                            pending = 0;
                            let added =
                                continue_if_ok(&mut result, || add(writer, meter, generated));
                            added?;
                            generated[0] = (next, by);
                        } else {
                            generated.push((next, by));
                        }
                    }
                }
                pending += 1;
                ControlFlow::Continue(())
            });
            assert!(result.is_ok() || pending == 0, "{IGNORED_BREAK}");
            if result == Err(Interrupt::NeedsRoom) {
                // The state is expanded again when there is room.
                let again = meter.generated_so_far() - before;
                meter.retract(again);
                *generated_again += again;
                break;
            }
            *expanded += 1;
            if result.is_ok() {
                if pending < BATCH {
                    continue;
                }
                result = add(writer, meter, &mut generated[..pending]);
                pending = 0;
            }
            if result.is_err() {
                break;
            }
        }
        if pending == 0 {
            return result;
        }
        // Generated states count even if a limit stopped the expansion.
        result.and(add(writer, meter, &mut generated[..pending]))
    }
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
