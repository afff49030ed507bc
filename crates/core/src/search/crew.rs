//! Threads that expand a layer together.
//!
//! The layer is cut into chunks, which the workers take as they come; what they meet they enter into one shared visited set, and
//! whoever is first with a state has it in its share of the next layer. So who has it depends on the race, but not what the
//! next layer is, nor any count.
//!
//! Where the visited set has no more room, a worker stops between two states with those that it has generated in hand. When all
//! have stopped, room is made, and they go on.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::layers::BATCH;
use crate::budget::{Budget, Limit, Meter};
use crate::memory::{Memory, OutOfMemory};
use crate::space::StateSpace;
use crate::stats::Stats;
use crate::visited::Shared;

/// Where the states of a layer come from, in chunks that can be asked for by any thread.
pub(crate) trait Chunks<S: StateSpace, V>: Sync {
    fn chunks(&self) -> usize;
    /// The states of a chunk, each with the move that led to it, if that is known.
    fn chunk<'a>(&'a self, visited: &'a V, chunk: usize) -> impl Iterator<Item = (S::State, Option<S::Move>)> + 'a;
}

/// Where a worker puts the states that were new.
pub(crate) trait Share<S: StateSpace>: Send {
    fn new(memory: &Memory) -> Self;
    fn add(&mut self, states: impl ExactSizeIterator<Item = (S::State, S::Move)> + Clone) -> Result<(), OutOfMemory>;
}

/// As many threads as were asked for.
pub(crate) struct Crew {
    threads: usize,
}

impl Crew {
    /// Does what is to be done with a crew of so many threads. If the system refuses them, the caller's thread is alone.
    pub(crate) fn of<R: Send>(threads: NonZero<usize>, work: impl FnOnce(&Self) -> R + Send) -> R {
        let alone = Self { threads: 1 };
        if threads.get() == 1 {
            return work(&alone);
        }
        match rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build() {
            // From within, so that the thread that leads is one of them and none has to be woken for a few states.
            Ok(pool) => pool.install(|| work(&Self { threads: threads.get() })),
            Err(_) => work(&alone),
        }
    }

    /// Empty shares, one for each thread.
    pub(crate) fn shares<S: StateSpace, T: Share<S>>(&self, memory: &Memory) -> Vec<T> {
        (0..self.threads).map(|_| T::new(memory)).collect()
    }

    /// Expands all states of the chunks, of which there are so many, into the shares of the next layer. If not all of them may
    /// be expanded, none is: which ones a race would decide.
    pub(crate) fn expand<S: StateSpace, V: Shared<S>, T: Share<S>>(
        &self,
        space: &S,
        chunks: &impl Chunks<S, V>,
        states: u64,
        visited: &mut V,
        shares: &mut [T],
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit> {
        if meter.states_left() < states {
            return Err(Limit::States);
        }
        let budget = meter.budget().clone();
        let (next_chunk, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let mut workers: Vec<_> = shares.iter_mut().map(Worker::<S, V, T>::new).collect();
        let end = loop {
            let work =
                Work { space, chunks, visited: &*visited, budget: &budget, next_chunk: &next_chunk, stop: &stop };
            match workers.split_first_mut() {
                Some((first, others)) if chunks.chunks() > 1 => rayon::scope(|scope| {
                    others.iter_mut().for_each(|worker| scope.spawn(|_| worker.run(&work)));
                    first.run(&work);
                }),
                Some((first, _)) => first.run(&work),
                None => {}
            }
            if let Some(limit) = workers.iter().find_map(|worker| worker.end.err()) {
                break Err(limit);
            }
            let waiting: usize = workers.iter().map(|worker| worker.batch.len()).sum();
            if waiting == 0 {
                break Ok(());
            }
            if let Err(out) = visited.make_room(waiting + BATCH * workers.len()) {
                break Err(out.into());
            }
        };
        workers.iter().for_each(|worker| meter.add(worker.counts));
        end
    }
}

/// What all workers see.
struct Work<'a, S, V, C> {
    space: &'a S,
    chunks: &'a C,
    visited: &'a V,
    budget: &'a Budget,
    next_chunk: &'a AtomicUsize,
    stop: &'a AtomicBool,
}

struct Worker<'a, S: StateSpace, V: Shared<S>, T> {
    /// Generated states whose places in the visited set are on their way to the cache.
    batch: Vec<(V::Key, S::State, S::Move)>,
    /// The chunk that was left for want of room, and how many of its states were expanded.
    left: Option<(usize, usize)>,
    share: &'a mut T,
    counts: Stats,
    end: Result<(), Limit>,
}

impl<'a, S: StateSpace, V: Shared<S>, T: Share<S>> Worker<'a, S, V, T> {
    fn new(share: &'a mut T) -> Self {
        Self { batch: Vec::with_capacity(BATCH), left: None, share, counts: Stats::default(), end: Ok(()) }
    }

    /// Expands chunks until there are no more, or no room, or a limit.
    fn run<C: Chunks<S, V>>(&mut self, work: &Work<'_, S, V, C>) {
        if !self.flush(work) {
            return;
        }
        while let Some((chunk, expanded)) = self.next(work) {
            if let Err(limit) = work.budget.look() {
                return self.give_up(limit, work);
            }
            for (index, (state, last)) in work.chunks.chunk(work.visited, chunk).enumerate().skip(expanded) {
                if !self.expand(state, last, work) {
                    self.left = Some((chunk, index + 1));
                    return;
                }
            }
        }
        self.flush(work);
    }

    fn next<C: Chunks<S, V>>(&mut self, work: &Work<'_, S, V, C>) -> Option<(usize, usize)> {
        if work.stop.load(Ordering::Relaxed) {
            return None;
        }
        let next = || (work.next_chunk.fetch_add(1, Ordering::Relaxed), 0);
        self.left.take().or_else(|| Some(next()).filter(|&(chunk, _)| chunk < work.chunks.chunks()))
    }

    /// Whether to go on.
    #[inline]
    fn expand<C>(&mut self, state: S::State, last: Option<S::Move>, work: &Work<'_, S, V, C>) -> bool {
        self.counts.expanded += 1;
        let mut go_on = true;
        let _ = work.space.successors::<()>(state, last, |by, next| {
            let key = work.visited.key(work.space, next);
            work.visited.prefetch(key);
            self.batch.push((key, next, by));
            if go_on && self.batch.len() >= BATCH {
                go_on = self.flush(work);
            }
            ControlFlow::Continue(())
        });
        go_on
    }

    /// Inserts all that wait, and adds those that are new to the share. Whether to go on.
    #[inline(never)]
    fn flush<C>(&mut self, work: &Work<'_, S, V, C>) -> bool {
        let generated = self.batch.len();
        if !work.visited.take_room(generated) {
            return false;
        }
        // Kept or not without a branch, for there is no guessing. And first all that is only read: the processor can do that for
        // many states at once, but to insert one atomically it ends all that it has begun.
        let mut unknown = 0;
        for waiting in 0..generated {
            let (key, state, by) = self.batch[waiting];
            self.batch[unknown] = (key, state, by);
            unknown += usize::from(!work.visited.known(key));
        }
        let mut new = 0;
        for waiting in 0..unknown {
            let (key, state, by) = self.batch[waiting];
            self.batch[new] = (key, state, by);
            new += usize::from(work.visited.insert_shared(key, state));
        }
        work.visited.give_back(generated - new);
        self.counts.generated += generated as u64;
        self.counts.duplicates += (generated - new) as u64;
        let added = self.share.add(self.batch[..new].iter().map(|&(_, state, by)| (state, by)));
        self.batch.clear();
        if let Err(out) = added {
            self.give_up(out.into(), work);
        }
        added.is_ok()
    }

    fn give_up<C>(&mut self, limit: Limit, work: &Work<'_, S, V, C>) {
        self.end = Err(limit);
        work.stop.store(true, Ordering::Relaxed);
    }
}
