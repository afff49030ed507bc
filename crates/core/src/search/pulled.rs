//! Layers whose states the caller expands.

use std::fmt;
use std::ops::ControlFlow;

use super::bfs;
use crate::budget::{Budget, Limit, Meter, Paused};
use crate::checkpoint::{LayerLog, Purpose};
use crate::driver::Driver;
use crate::layers::{Expander, Source, add_states, add_states_here};
use crate::seam::{BATCH, SpaceView};
use crate::stats::Stats;
use crate::store::LayerStore;
use crate::word::Word;

/// A breadth-first search whose caller expands the states:
/// [`LayeredSearch::pull_layers`](crate::search::LayeredSearch::pull_layers).
///
/// It keeps the states, removes duplicates, and holds to the limits; the caller pulls states of the
/// current layer in batches of a size that fits a vector unit, a GPU or another process, and pushes
/// their successors, in any order:
///
/// ```
/// # use fewest_core::prelude::*;
/// # use fewest_core::search::LayeredSearch;
/// # use fewest_core::seam::Erased;
/// # let dial = from_fn([0_u32], |digit| [1, 9].map(|turn| (turn, (digit + turn) % 10)), |_| false);
/// # let space = Erased::new(&dial);
/// let mut layers = LayeredSearch::new(&space).pull_layers()?;
/// let mut counts = Vec::new();
/// while let Some(batch) = layers.pull(65_536)? {
///     counts.resize(layers.depth() as usize + 1, 0);
///     counts[layers.depth() as usize] += batch.len();
///     let successors: Vec<u32> =
///         [1, 9].iter().flat_map(|turn| batch.iter().map(move |digit| (digit + turn) % 10)).collect();
///     layers.push(&successors)?;
/// }
/// assert_eq!(counts, [1, 2, 2, 2, 2, 1]);
/// # Ok::<(), Limit>(())
/// ```
///
/// When no states of a layer are left, the next `pull` begins the next layer with what was pushed:
/// all successors of a layer must be pushed before that. [`left`](Self::left) says whether more
/// states can be pulled before.
///
/// With a [checkpoint](crate::checkpoint), each layer is written when it begins. A search that is
/// resumed begins with the last layer that was written, whose states are pulled again; those before
/// are not. If moves have costs, the space itself expands those of the last distances once more.
///
/// Goals do not matter: the caller looks for them in what it pulls.
pub struct PulledLayers<'s, W>(Box<dyn Pull<W> + 's>);

impl<W> fmt::Debug for PulledLayers<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PulledLayers").finish_non_exhaustive()
    }
}

impl<'s, W: Word> PulledLayers<'s, W> {
    /// Starts a search with an empty store. `keeps_layers` keeps each layer for a plan.
    pub(crate) fn new(
        space: SpaceView<'s, W>,
        mut store: Box<dyn LayerStore<W> + 's>,
        keeps_layers: bool,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        if keeps_layers {
            store.keep_layers()?;
        }
        let (mut meter, has_ranks) = (budget.meter(), store.properties().has_rank_layers);
        let log = meter.open_next_search(Purpose::Visit, W::BYTES, has_ranks, store.division())?;
        let mut log = log.map(Synced);
        let saved = log.as_mut().map(|log| &mut log.0);
        let started = Driver::start(space, &mut *store, budget, &mut meter, saved);
        if let (Err(limit), Some(Synced(log))) = (&started, &log) {
            log.note_unread(*limit);
        }
        let (driver, paused, budget) = (started?, meter.pause(), budget.clone());
        let layer = (0, 0);
        let search =
            Search { store, driver, log, keeps_layers, budget, paused, layer, failed: None };
        Ok(Self(Box::new(search)))
    }
}

impl<W> PulledLayers<'_, W> {
    /// The number of moves to the states that were pulled last, or what they
    /// [cost](crate::space::cost).
    pub fn depth(&self) -> u32 {
        self.0.layer().0
    }

    /// The number of states of their layer.
    pub fn states(&self) -> u64 {
        self.0.layer().1
    }

    /// How many states of the layer are still to be pulled.
    pub fn left(&self) -> u64 {
        self.0.left()
    }

    /// The work so far: a state that was pulled counts as expanded.
    pub fn stats(&self) -> Stats {
        self.0.stats()
    }

    /// Up to this number of states, but at least one, of the current layer, or of the next one if
    /// none are left. `None` if that has no states, either: all that can be reached were pulled.
    ///
    /// # Errors
    /// The limit that was reached. Every state at less than [`depth`](Self::depth) was pulled. The
    /// search cannot go on; a checkpoint resumes it with the last layer that it has.
    pub fn pull(&mut self, states: usize) -> Result<Option<Vec<W>>, Limit> {
        self.0.pull(states.max(1))
    }

    /// Adds successors of states that were pulled, in any order. Those that are known are dropped.
    /// Successors that are pushed a layer too late get a wrong depth.
    ///
    /// # Errors
    /// As [`pull`](Self::pull).
    ///
    /// # Panics
    /// If no state of the current layer was pulled, so before the first pull and after the last; if
    /// moves of the space have costs, which [`push_with_costs`](Self::push_with_costs) takes.
    pub fn push(&mut self, successors: &[W]) -> Result<(), Limit> {
        self.0.push(successors, &[])
    }

    /// As [`push`](Self::push) with the [cost](crate::space::cost) of the move to each successor.
    ///
    /// # Errors
    /// As [`pull`](Self::pull).
    ///
    /// # Panics
    /// If no state of the current layer was pulled; if there is not a cost for each successor, if one
    /// is out of the range of the space, or if the space says that each move costs 1.
    pub fn push_with_costs(&mut self, successors: &[W], costs: &[u32]) -> Result<(), Limit> {
        assert!(successors.len() == costs.len(), "as many costs as successors");
        self.0.push(successors, costs)
    }

    /// A shortest plan to a state: a chain of states from an initial one. `None` if the state was not
    /// pulled, and is not in the current layer. The space expands states for it, as it does after a
    /// [search](crate::search::bfs::search_in).
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Panics
    /// If the layers were not [kept](crate::search::LayeredSearch::keep_layers); if what was pushed is
    /// not what the space expands to.
    pub fn plan_to(self, state: W) -> Result<Option<Vec<W>>, Limit> {
        self.0.plan_to(state)
    }
}

/// What a [`PulledLayers`] does, compiled once for each type of word.
trait Pull<W> {
    fn layer(&self) -> (u32, u64);
    fn left(&self) -> u64;
    fn stats(&self) -> Stats;
    fn pull(&mut self, states: usize) -> Result<Option<Vec<W>>, Limit>;
    fn push(&mut self, successors: &[W], costs: &[u32]) -> Result<(), Limit>;
    fn plan_to(self: Box<Self>, state: W) -> Result<Option<Vec<W>>, Limit>;
}

/// A log whose layers are durable when the search ends, however that is.
struct Synced(LayerLog);

impl Drop for Synced {
    fn drop(&mut self) {
        // The checkpoint records an error. It does not affect the answer.
        let _ = self.0.sync();
    }
}

struct Search<'s, W> {
    store: Box<dyn LayerStore<W> + 's>,
    driver: Driver<'s, W>,
    log: Option<Synced>,
    keeps_layers: bool,
    budget: Budget,
    paused: Paused,
    /// The distance and the number of states of the layer that was pulled last.
    layer: (u32, u64),
    /// After it, the store may lack states.
    failed: Option<Limit>,
}

impl<W: Word> Search<'_, W> {
    /// Does some work, unless a limit was reached before.
    fn attempt<T>(
        &mut self,
        work: impl FnOnce(&mut Self, &mut Meter<'_>) -> Result<T, Limit>,
    ) -> Result<T, Limit> {
        if let Some(limit) = self.failed {
            return Err(limit);
        }
        let budget = self.budget.clone();
        let mut meter = budget.resume(self.paused);
        let result = work(self, &mut meter);
        self.paused = meter.pause();
        self.failed = result.as_ref().err().copied();
        result
    }
}

impl<W: Word> Pull<W> for Search<'_, W> {
    fn layer(&self) -> (u32, u64) {
        self.layer
    }

    fn left(&self) -> u64 {
        self.driver.left
    }

    fn stats(&self) -> Stats {
        self.paused.stats
    }

    fn pull(&mut self, states: usize) -> Result<Option<Vec<W>>, Limit> {
        self.attempt(|search, meter| {
            let Self { store, driver, log, layer, .. } = search;
            loop {
                let range = driver.take(&mut **store, states, meter)?;
                if !range.is_empty() {
                    *layer = (driver.expander.distance, driver.layer.own);
                    return Ok(Some(driver.taken(range).0.to_vec()));
                }
                if driver.layer.own == 0 {
                    return Ok(None);
                }
                let log = log.as_mut().map(|log| &mut log.0);
                driver.next_layer(&mut **store, Ok(()), meter, log)?;
            }
        })
    }

    fn push(&mut self, successors: &[W], costs: &[u32]) -> Result<(), Limit> {
        self.attempt(|Self { store, driver, .. }, meter| {
            assert!(driver.left < driver.layer.own, "no state of this layer was pulled");
            let (expander, store) = (&mut driver.expander, &mut **store);
            meter.generated(successors.len() as u64)?;
            if let Some(queue) = &mut expander.queue {
                assert!(successors.len() == costs.len(), "the moves of this space have costs");
                let (batch, mut threads) =
                    (&mut expander.batches[0], queue.begin(expander.distance)?);
                for (states, costs) in successors.chunks(BATCH).zip(costs.chunks(BATCH)) {
                    batch.set_with_costs(states, costs);
                    threads[0].add(batch)?;
                }
                return Ok(());
            }
            assert!(costs.is_empty(), "each move of this space costs 1");
            let states = successors.len() as u64;
            if expander.pool.worthwhile(states) == 1 {
                let Expander { space, batches, .. } = expander;
                return add_states_here(store, *space, &mut batches[0], meter, [successors]);
            }
            let blocks = Source::Lists(successors.chunks(BLOCK).collect());
            add_states(store, expander, meter, states, [blocks])
        })
    }

    fn plan_to(mut self: Box<Self>, state: W) -> Result<Option<Vec<W>>, Limit> {
        assert!(self.keeps_layers, "a plan needs `keep_layers` before `pull_layers`");
        let Self { store, driver, budget, paused, .. } = &mut *self;
        let (mut meter, expander) = (budget.resume(*paused), &mut driver.expander);
        meter.start_recovery();
        store.drop_all_but_layers();
        let mut distances = expander.distances();
        while !distances.is_empty() {
            let last = distances.len() as u32 - 1;
            let read = store.read_layer(last, &mut |states| match states.contains(&state) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            });
            if read?.is_break() {
                return bfs::plan_to(state, &distances, &**store, expander, &mut meter).map(Some);
            }
            distances.pop();
        }
        Ok(None)
    }
}

/// The number of pushed states that a thread takes at a time.
const BLOCK: usize = 1 << 12;
