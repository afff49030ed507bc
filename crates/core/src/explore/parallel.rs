//! Exploration with several threads: with two layers in lists, or with two bits per rank.

use std::num::NonZero;

use super::Exploration;
use crate::budget::{Budget, Limit, Meter};
use crate::memory::{Memory, OutOfMemory};
use crate::search::layers::{Frontier, first_layer, next_layer_parallel};
use crate::search::worker_pool::{Chunks, WorkerOutput, WorkerPool};
use crate::space::{Ranked, StateSpace};
use crate::visited::{ConcurrentVisited, TwoBits, Visited};

/// Counts all reachable states by depth with several threads, which expand one layer together.
///
/// The counts are the same for any number of threads. They are those of
/// [`explore`](super::explore()) unless the space declares
/// [`TwoStep`](crate::MovePruning::TwoStep), which several threads cannot use: then more states are
/// generated.
///
/// `V` is the visited set: [`Sharded<_>`](crate::visited::Sharded) suits large spaces,
/// [`SharedTable`](crate::visited::SharedTable) small ones, and
/// [`SharedBits`](crate::visited::SharedBits) spaces with ranks. `threads` includes the calling
/// thread; at most 256 are used.
///
/// Time: one expansion for each state, divided among the threads, plus one barrier per layer.
///
/// Memory: the visited set, `size_of::<State>()` bytes for each state of two layers (with
/// [`Inverse`](crate::MovePruning::Inverse) move pruning also `size_of::<Move>()`), and the buffers
/// described in [`search::parallel`](crate::search::parallel).
///
/// A layer with more states than the limit on states still allows is not expanded at all.
///
/// # Panics
/// If a method of `space` panics on any thread.
pub fn explore_by<V: ConcurrentVisited<S>, S: StateSpace<Move: Sync>>(
    space: &S,
    budget: &Budget,
    threads: NonZero<usize>,
) -> Exploration {
    count_layers(budget, threads, |pool, meter, layers| {
        let mut visited = pool.with_pending(V::new(space, meter.memory())?, meter.memory())?;
        let mut layer: Vec<Frontier<_, _>> = pool.outputs::<S, _>(meter.memory());
        let mut next: Vec<Frontier<_, _>> = pool.outputs::<S, _>(meter.memory());
        first_layer(
            space,
            |emit| space.initial(emit),
            &mut visited.visited,
            meter,
            &mut layer[0].states,
        )?;
        let mut current = layer[0].states.len();
        while current > 0 {
            layers.push(current as u64);
            meter.set_depth(layers.len() as u32);
            next_layer_parallel(pool, space, &layer, &mut visited, &mut next, meter)?;
            let new = next.iter().map(|output| output.states.len()).sum();
            meter.note_frontier((current + new) as u64);
            // The following layer reuses the memory of the one just expanded. The unused memory of
            // the next layer goes to the visited set.
            layer.iter_mut().for_each(Frontier::clear);
            next.iter_mut().for_each(Frontier::free_unused);
            std::mem::swap(&mut layer, &mut next);
            current = new;
        }
        Ok(())
    })
}

/// The same as [`explore_by`], with no other memory than [two bits per rank](TwoBits). Each layer
/// is found by a sweep over the table in the order of the ranks.
///
/// The table does not store the move that led to a state, so the successors include those that undo
/// that move: `generated` is higher than that of the other explorations.
///
/// Time: one [`unrank`](Ranked::unrank) and one expansion for each state, and for each layer one
/// pass over the whole table, divided among the threads.
///
/// Memory: 1/4 byte for each rank, reached or not, and a buffer of 64 states for each thread.
///
/// # Panics
/// If a method of `space` panics on any thread.
pub fn sweep<S: Ranked>(space: &S, budget: &Budget, threads: NonZero<usize>) -> Exploration {
    count_layers(budget, threads, |pool, meter, layers| {
        let mut outputs: Vec<StateCounter> = pool.outputs::<S, _>(meter.memory());
        let mut table = <TwoBits as Visited<S>>::new(space, meter.memory())?;
        let mut current = 0;
        space.initial(|state| {
            current += u64::from(Visited::<S>::insert(&mut table, space.rank(state), state));
        });
        let sweep = Sweep { space, words: table.words() };
        let mut table = pool.with_pending::<S, _>(table, meter.memory())?;
        meter.note_frontier(current);
        while current > 0 {
            layers.push(current);
            meter.set_depth(layers.len() as u32);
            table.visited.advance_layer();
            pool.expand(space, &sweep, current, &mut table, &mut outputs, meter)?;
            let next = outputs.iter_mut().map(|output| std::mem::take(&mut output.0)).sum();
            meter.note_frontier(current + next);
            current = next;
        }
        Ok(())
    })
}

fn count_layers(
    budget: &Budget,
    threads: NonZero<usize>,
    explore: impl FnOnce(&WorkerPool, &mut Meter<'_>, &mut Vec<u64>) -> Result<(), Limit>,
) -> Exploration {
    let mut meter = budget.meter();
    let mut layers = Vec::new();
    let result = explore(&WorkerPool::new(threads), &mut meter, &mut layers);
    Exploration { layers, limit: result.err(), stats: meter.stats() }
}

/// The current layer of a [`TwoBits`] table as chunks of ranks.
struct Sweep<'a, S> {
    space: &'a S,
    words: usize,
}

/// The number of words in a chunk. A word holds 32 ranks.
const CHUNK_WORDS: usize = 128;

impl<S: Ranked> Chunks<S, TwoBits> for Sweep<'_, S> {
    /// With separate ranges, two threads took 92 ms instead of 81 on the 2x5 tiles: a word far away
    /// in the table was almost always in the cache of the other thread, instead of every other
    /// time.
    const SEPARATE_RANGES: bool = false;

    fn chunk_count(&self) -> usize {
        self.words.div_ceil(CHUNK_WORDS)
    }

    fn chunk<'a>(
        &'a self,
        table: &'a TwoBits,
        chunk: usize,
    ) -> impl Iterator<Item = (S::State, Option<S::Move>)> + 'a {
        let words = chunk * CHUNK_WORDS..self.words.min((chunk + 1) * CHUNK_WORDS);
        words.flat_map(|word| table.take_current(word)).map(|rank| (self.space.unrank(rank), None))
    }
}

/// Counts the new states without storing them.
struct StateCounter(u64);

impl<S: StateSpace> WorkerOutput<S> for StateCounter {
    fn create(_: &Memory) -> Self {
        Self(0)
    }

    #[inline]
    fn add_new(
        &mut self,
        states: impl ExactSizeIterator<Item = (S::State, S::Move)> + Clone,
    ) -> Result<(), OutOfMemory> {
        self.0 += states.len() as u64;
        Ok(())
    }

    fn trim(&mut self) {}
}
