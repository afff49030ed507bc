//! Exploration by many threads, of two layers in lists or of a table of two bits a rank.

use std::num::NonZero;

use super::Exploration;
use crate::budget::{Budget, Limit, Meter};
use crate::memory::{Memory, OutOfMemory};
use crate::search::layers::{Frontier, first_layer, next_layer_by};
use crate::search::worker_pool::{Chunks, WorkerOutput, WorkerPool};
use crate::space::{Ranked, StateSpace};
use crate::visited::{Shared, TwoBits, Visited};

/// Counts what can be reached from the start, goals or not, with all the threads on one layer at a
/// time. The counts are those of [`explore`](super::explore()). Keeps the visited set and two
/// layers.
pub fn explore_by<V: Shared<S>, S: StateSpace<Move: Sync>>(
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
        let mut met = layer[0].states.len();
        while met > 0 {
            layers.push(met as u64);
            meter.set_depth(layers.len() as u32);
            next_layer_by(pool, space, &layer, &mut visited, &mut next, meter)?;
            let new = next.iter().map(|output| output.states.len()).sum();
            meter.note_frontier((met + new) as u64);
            // The next layer is made in the memory of this one; what that one left of its own is
            // for the visited set.
            layer.iter_mut().for_each(Frontier::clear);
            next.iter_mut().for_each(Frontier::give_back_unused);
            std::mem::swap(&mut layer, &mut next);
            met = new;
        }
        Ok(())
    })
}

/// The same, and keeps nothing but a table of [two bits](TwoBits) a rank, which is swept in the
/// order of the ranks, once a layer. It does not know which move led to a state, so it generates
/// those that undo it, too.
pub fn sweep<S: Ranked>(space: &S, budget: &Budget, threads: NonZero<usize>) -> Exploration {
    count_layers(budget, threads, |pool, meter, layers| {
        let mut outputs: Vec<Count> = pool.outputs::<S, _>(meter.memory());
        let mut table = <TwoBits as Visited<S>>::new(space, meter.memory())?;
        let mut met = 0;
        space.initial(|state| {
            met += u64::from(Visited::<S>::insert(&mut table, space.rank(state), state));
        });
        let sweep = Sweep { space, words: table.words() };
        let mut table = pool.with_pending::<S, _>(table, meter.memory())?;
        meter.note_frontier(met);
        while met > 0 {
            layers.push(met);
            meter.set_depth(layers.len() as u32);
            table.visited.turn();
            pool.expand(space, &sweep, met, &mut table, &mut outputs, meter)?;
            let next = outputs.iter_mut().map(|output| std::mem::take(&mut output.0)).sum();
            meter.note_frontier(met + next);
            met = next;
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
    let end = explore(&WorkerPool::of(threads), &mut meter, &mut layers);
    Exploration { layers, limit: end.err(), stats: meter.stats() }
}

/// The current layer of a table of two bits.
struct Sweep<'a, S> {
    space: &'a S,
    words: usize,
}

/// So many words of 32 ranks in a chunk.
const WORDS: usize = 128;

impl<S: Ranked> Chunks<S, TwoBits> for Sweep<'_, S> {
    /// Apart, two threads took 92 ms for the 2x5 tiles instead of 81: a far place was nearly always
    /// in the other's cache, not every other time.
    const APART: bool = false;

    fn chunks(&self) -> usize {
        self.words.div_ceil(WORDS)
    }

    fn chunk<'a>(
        &'a self,
        table: &'a TwoBits,
        chunk: usize,
    ) -> impl Iterator<Item = (S::State, Option<S::Move>)> + 'a {
        let words = chunk * WORDS..self.words.min((chunk + 1) * WORDS);
        words.flat_map(|word| table.take_current(word)).map(|rank| (self.space.unrank(rank), None))
    }
}

/// How many states were new, and nothing more of them.
struct Count(u64);

impl<S: StateSpace> WorkerOutput<S> for Count {
    fn new(_: &Memory) -> Self {
        Self(0)
    }

    #[inline]
    fn add(
        &mut self,
        states: impl ExactSizeIterator<Item = (S::State, S::Move)> + Clone,
    ) -> Result<(), OutOfMemory> {
        self.0 += states.len() as u64;
        Ok(())
    }

    fn give_back_unused(&mut self) {}
}
