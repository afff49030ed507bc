//! One way to start a search: it picks the engine, the store and the plan recovery.

use std::marker::PhantomData;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use super::distributed::Promised;
use super::promises::{
    Backward, BackwardUse, ForwardOnly, GoalUse, HeuristicUse, KnownWidth, Lazy, ListedGoals,
    NoGoals, NoHeuristic, RankUse, Ranks, Unranked,
};
use super::{Engine, Unsupported, distributed, idastar};
use crate::budget::{Budget, Limit, Limits};
use crate::checkpoint::Checkpoint;
use crate::cluster::Cluster;
use crate::explore::{CompleteLayer, Exploration};
use crate::heuristic::Heuristic;
use crate::outcome::Outcome;
use crate::progress::ProgressCounters;
use crate::representation::{Representation, Request};
use crate::space::{Goals, Predecessors, Ranked, StateSpace};
use crate::word::Word;

/// A search that is described step by step and then [run](Self::run), or an exploration.
///
/// A method for each optional trait of the space says that the search may use it:
///
/// | method | requires | allows |
/// | --- | --- | --- |
/// | [`heuristic`](Self::heuristic) | [`Heuristic`] | A* and IDA* |
/// | [`predecessors`](Self::predecessors) | [`Predecessors`] | plan recovery without a second expansion of all layers |
/// | [`goals`](Self::goals) | [`Goals`] | with predecessors, bidirectional search |
/// | [`ranked`](Self::ranked) | [`Ranked`] | one bit per rank as the visited set, if that takes at most 2 MiB |
/// | [`compact`](Self::compact) | states of up to 64 bits | less memory, for many millions of states |
///
/// Without [`engine`](Self::engine), the search is A* if it has a heuristic, else bidirectional if
/// it may use goals and predecessors, else breadth-first.
///
/// All engines find a shortest plan. For the same engine, the plan is the same for any number of
/// threads and for any visited set.
///
/// ```
/// use std::ops::ControlFlow;
/// use fewest_core::search::{Engine, Search};
/// use fewest_core::space::from_fn;
///
/// // From 1 to 10 by adding 1 or doubling.
/// let space = from_fn([1_u32], |n| [('+', n + 1), ('*', n * 2)], |n| n == 10);
/// let outcome = Search::new(&space).run()?;
/// assert_eq!(outcome.optimal(), Some(&vec![1, 2, 4, 5, 10]));
///
/// let refused = Search::new(&space).engine(Engine::Astar).run().unwrap_err();
/// assert_eq!(refused.to_string(), "the engine `astar` is not available: it needs a heuristic");
///
/// // All numbers at a distance of up to 3.
/// let mut numbers = Vec::new();
/// Search::new(&space).explore(|depth, number| {
///     if depth > 3 {
///         return ControlFlow::Break(());
///     }
///     numbers.push(number);
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(numbers, [1, 2, 3, 4, 6, 5, 8]);
/// # Ok::<(), fewest_core::search::Unsupported>(())
/// ```
#[must_use = "a search does nothing before `run` or `explore` is called"]
pub struct Search<'a, S, H = NoHeuristic, R = Unranked, B = ForwardOnly, G = NoGoals> {
    space: &'a S,
    heuristic: H,
    engine: Option<Engine>,
    threads: Option<NonZero<usize>>,
    bounds: Bounds<'a>,
    on_progress: Option<OnProgress<'a>>,
    promises: PhantomData<(R, B, G)>,
}

enum Bounds<'a> {
    Limits(Limits),
    Budget(&'a Budget),
}

type OnProgress<'a> = Box<dyn FnMut(&ProgressCounters) + Send + 'a>;

impl<'a, S: StateSpace> Search<'a, S> {
    /// A search of a space, with one thread and without limits.
    pub fn new(space: &'a S) -> Self {
        Self {
            space,
            heuristic: NoHeuristic,
            engine: None,
            threads: None,
            bounds: Bounds::Limits(Limits::default()),
            on_progress: None,
            promises: PhantomData,
        }
    }
}

impl<'a, S: StateSpace, H, R, B, G> Search<'a, S, H, R, B, G> {
    fn with<I, Q, C, J>(self, heuristic: impl FnOnce(H) -> I) -> Search<'a, S, I, Q, C, J> {
        let Self { space, heuristic: before, engine, threads, bounds, on_progress, .. } = self;
        let (heuristic, promises) = (heuristic(before), PhantomData);
        Search { space, heuristic, engine, threads, bounds, on_progress, promises }
    }

    /// Uses a heuristic. The search cannot check that it never exceeds the true distance to a goal; if it
    /// does, the plan may not be shortest. [`check::heuristic`](crate::check::heuristic) tests it.
    /// Explorations and the other engines ignore it.
    pub fn heuristic<T: Heuristic<S>>(self, heuristic: &'a T) -> Search<'a, S, &'a T, R, B, G> {
        self.with(|_| heuristic)
    }

    /// Uses a heuristic that takes time or memory to make. `make` is called only if the engine needs
    /// it, with the budget of the search. If it fails, the search is stopped by that limit.
    pub fn heuristic_from<T: Heuristic<S>, E: Into<Limit>, F: FnOnce(&Budget) -> Result<T, E>>(
        self,
        make: F,
    ) -> Search<'a, S, Lazy<F>, R, B, G> {
        self.with(|_| Lazy(make))
    }

    /// Uses the numbering of the states: the visited set has one bit per rank if that
    /// [is suitable](crate::visited::DenseBits::is_suitable), which means at most 2 MiB, and an
    /// exploration may have two bits per rank (see [`representation`](crate::representation)). The last
    /// call of `ranked` and [`compact`](Self::compact) counts. A*, IDA*, and spaces whose parents are
    /// stored (`EXPENSIVE_EXPANSION` without [`predecessors`](Self::predecessors)) do not use it.
    ///
    /// The search cannot check that states it generates have different ranks; states with the same rank
    /// are taken for one state. Bidirectional search also generates states that the start does not
    /// reach. [`check::ranks`](crate::check::ranks) tests it.
    pub fn ranked(self) -> Search<'a, S, H, Ranks, B, G>
    where
        S: Ranked,
    {
        self.with(|heuristic| heuristic)
    }

    /// Breadth-first search, bidirectional search and explorations store states in a
    /// [`CompactTable`](crate::visited::CompactTable) instead of a table of whole states. It takes
    /// about a third of the memory. Lists of states are extra: a search of 2^21 states of 48 bits
    /// took 15 bytes per state instead of 23, and an exploration 11 instead of 18. A compact table is
    /// faster for many millions of states, and slower for few. The last call of
    /// [`ranked`](Self::ranked) and `compact` counts. Searches of a [cluster](Budget::with_cluster) ignore it.
    ///
    /// The table is as wide as [`state_bits`](StateSpace::state_bits) says. A program that searches a
    /// space whose states are words of more than 64 bits does not build; `cargo check` reports nothing.
    pub fn compact(self) -> Search<'a, S, H, KnownWidth, B, G> {
        const { assert!(S::State::BITS <= 64, "a compact table takes states of up to 64 bits") };
        self.with(|heuristic| heuristic)
    }

    /// Uses the predecessors of states. A predecessor that is missing is found only if the plan needs it;
    /// [`check::predecessors`](crate::check::predecessors) tests them. Explorations use them only if the
    /// layers are [on disk](Budget::with_disk): if moves can be undone, earlier layers are not kept.
    pub fn predecessors(self) -> Search<'a, S, H, R, Backward, G>
    where
        S: Predecessors,
    {
        self.with(|heuristic| heuristic)
    }

    /// Uses the list of goals. The search cannot check that it is complete: if a goal is missing, the
    /// plan may not be shortest, or none may be found. [`check::goals`](crate::check::goals) tests it.
    /// Only bidirectional search uses it.
    pub fn goals(self) -> Search<'a, S, H, R, B, ListedGoals>
    where
        S: Goals,
    {
        self.with(|heuristic| heuristic)
    }

    /// Chooses the engine. `None` leaves the choice to the search.
    pub fn engine(self, engine: impl Into<Option<Engine>>) -> Self {
        Self { engine: engine.into(), ..self }
    }

    /// Uses up to this number of threads, the calling thread included. The default is that of the
    /// [budget](Budget::threads). Breadth-first searches and explorations use them; bidirectional
    /// search, A* and IDA* run on the calling thread.
    pub fn threads(self, threads: NonZero<usize>) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Limits the search. Its clock starts when the search is run. The last call of `limits` and
    /// [`budget`](Self::budget) counts.
    pub fn limits(self, limits: Limits) -> Self {
        Self { bounds: Bounds::Limits(limits), ..self }
    }

    /// Searches under a budget whose clock is running. The last call of [`limits`](Self::limits) and
    /// `budget` counts.
    pub fn budget(self, budget: &'a Budget) -> Self {
        Self { bounds: Bounds::Budget(budget), ..self }
    }

    /// Calls `report` about ten times a second while the search runs, in a thread of its own. A
    /// search that takes less than a tenth of a second has no report. The
    /// counters are those of this search only; counters of the budget are not updated.
    pub fn on_progress(self, report: impl FnMut(&ProgressCounters) + Send + 'a) -> Self {
        Self { on_progress: Some(Box::new(report)), ..self }
    }
}

impl<S, H, R, B, G> Search<'_, S, H, R, B, G>
where
    S: StateSpace,
    H: HeuristicUse<S>,
    R: RankUse<S>,
    B: BackwardUse<S>,
    G: GoalUse<S, B, R>,
{
    /// Finds a shortest plan: the chain of states from an initial state to a goal. If a limit stops
    /// the search, the outcome has a lower bound on the number of moves.
    ///
    /// # Errors
    /// If the search may not use what the chosen engine or representation needs.
    ///
    /// # Panics
    /// A search that finds a broken promise of the space panics. It cannot find all: the answer may be
    /// wrong instead. [`check`](crate::check) tests the promises. A panic in a method of the space
    /// resumes in the caller.
    pub fn run(mut self) -> Result<Outcome<Vec<S::State>>, Unsupported> {
        let default = match (H::IS_GIVEN, G::ALLOWS_BIDIRECTIONAL) {
            (true, _) => Engine::Astar,
            (false, true) => Engine::Bidirectional,
            (false, false) => Engine::Bfs,
        };
        let (on_progress, budget) = (self.on_progress.take(), self.own_budget());
        watch(budget, on_progress, |budget| self.run_under(default, budget))
    }

    /// Generates all reachable states, layer by layer, and calls `visit` for each with its depth, on
    /// the calling thread. If `visit` breaks, the exploration ends. The engine, the heuristic and the
    /// goals do not matter.
    ///
    /// With one thread, the states of a layer are visited in the order of the search, else in any
    /// order. See [`explore_in_with`](crate::explore::explore_in_with).
    ///
    /// # Errors
    /// If the budget asks for a [representation](Budget::with_representation) that the search cannot
    /// use.
    ///
    /// # Panics
    /// If a method of the space panics on any thread.
    pub fn explore(
        self,
        mut visit: impl FnMut(u32, S::State) -> ControlFlow<()>,
    ) -> Result<Exploration, Unsupported> {
        self.explore_layers(|depth, layer| {
            layer.read(&mut |states| states.iter().try_for_each(|&state| visit(depth, state)))
        })
    }

    /// The same as [`explore`](Self::explore), and calls `visit` once for each layer as soon as it is
    /// complete, with its depth. It need not read the states.
    ///
    /// # Errors
    /// As [`explore`](Self::explore).
    ///
    /// # Panics
    /// As [`explore`](Self::explore).
    pub fn explore_layers(
        mut self,
        mut visit: impl FnMut(u32, &dyn CompleteLayer<S::State>) -> Result<ControlFlow<()>, Limit>,
    ) -> Result<Exploration, Unsupported> {
        let (on_progress, budget) = (self.on_progress.take(), self.own_budget());
        let representation = self.representation(&budget, false)?;
        Ok(watch(budget, on_progress, |budget| {
            let threads = self.threads.unwrap_or(budget.threads());
            let Some(cluster) = budget.cluster() else {
                return R::explore::<B>(self.space, representation, threads, budget, visit);
            };
            let space = &Promised::<_, R, B>::new(self.space);
            distributed::explore(space, cluster, representation, threads, budget, &mut visit)
        }))
    }

    /// How the states are kept. It is reported.
    fn representation(
        &self,
        budget: &Budget,
        needs_layers: bool,
    ) -> Result<Representation, Unsupported> {
        let processes = budget.cluster().map_or(1, Cluster::processes) as u64;
        let choice = Request {
            asked: budget.representation(),
            ranks: R::ranks(self.space).map(|ranks| ranks.div_ceil(processes)),
            needs_layers,
            state_bytes: size_of::<S::State>(),
            threads: self.threads.unwrap_or(budget.threads()).get(),
            is_on_disk: budget.disk().is_some(),
            has_rank_layers: budget.checkpoint().is_some_and(Checkpoint::has_ranks_next),
            memory: budget.memory().limit_bytes(),
        }
        .choose()?;
        budget.report(&choice);
        Ok(choice.representation)
    }

    fn own_budget(&self) -> Budget {
        match self.bounds {
            Bounds::Limits(limits) => Budget::new(limits),
            Bounds::Budget(budget) => budget.clone(),
        }
    }

    /// The one place where an engine is started.
    fn run_under(
        self,
        default: Engine,
        budget: &Budget,
    ) -> Result<Outcome<Vec<S::State>>, Unsupported> {
        let (space, engine) = (self.space, self.engine.unwrap_or(default));
        let outcome = match engine {
            Engine::Bfs => {
                let threads = self.threads.unwrap_or(budget.threads());
                let representation = self.representation(budget, true)?;
                Some(Ok(match budget.cluster() {
                    None => R::bfs::<B>(space, representation, threads, budget),
                    Some(cluster) => {
                        let space = &Promised::<_, R, B>::new(space);
                        distributed::bfs(space, cluster, representation, threads, budget)
                    }
                }))
            }
            Engine::Bidirectional => G::bidirectional(space, budget).map(Ok),
            Engine::Astar => {
                self.heuristic.with(budget, |heuristic| B::astar(space, heuristic, budget))
            }
            Engine::Idastar => {
                self.heuristic.with(budget, |heuristic| idastar::search(space, heuristic, budget))
            }
        };
        let outcome = outcome.ok_or(Unsupported::Engine(engine))?;
        Ok(outcome.unwrap_or_else(|limit| Outcome::stopped(limit, budget)))
    }
}

/// The interval of progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Runs `work` while another thread reports its progress.
fn watch<T>(
    budget: Budget,
    on_progress: Option<OnProgress<'_>>,
    work: impl FnOnce(&Budget) -> T,
) -> T {
    let Some(mut report) = on_progress else { return work(&budget) };
    let counters = Arc::new(ProgressCounters::default());
    let budget = budget.with_progress(Arc::clone(&counters));
    thread::scope(|scope| {
        let (ended, wait) = mpsc::channel::<()>();
        // If the system refuses the thread, there are no reports.
        let reports = thread::Builder::new().spawn_scoped(scope, move || {
            while let Err(mpsc::RecvTimeoutError::Timeout) = wait.recv_timeout(REPORT_INTERVAL) {
                report(&counters);
            }
        });
        let result = work(&budget);
        drop(ended);
        if let Ok(reports) = reports
            && let Err(panic) = reports.join()
        {
            resume_unwind(panic);
        }
        result
    })
}
