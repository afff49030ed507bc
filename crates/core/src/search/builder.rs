//! One way to start a search: it picks the engine, the store and the plan recovery.

use std::num::NonZero;
use std::ops::ControlFlow;

use super::all_shortest::PlanGraph;
use super::compiled::{Job, SearchedWord};
use super::heuristics::{HeuristicUse, Lazy, NoHeuristic};
use super::{Engine, Unsupported, astar, idastar};
use crate::budget::{Budget, Limit, Limits};
use crate::checkpoint::Checkpoint;
use crate::cluster::Cluster;
use crate::explore::{CompleteLayer, Exploration};
use crate::heuristic::Heuristic;
use crate::outcome::Outcome;
use crate::representation::Request;
use crate::seam::{Erased, SpaceView, Uses};
use crate::space::{Goals, Predecessors, Ranked, StateSpace};

/// A search that is described step by step and then [run](Self::run), or an exploration.
///
/// A method for each optional trait of the space says that the search may use it:
///
/// | method | requires | allows |
/// | --- | --- | --- |
/// | [`heuristic`](Self::heuristic) | [`Heuristic`] | A* and IDA* |
/// | [`predecessors`](Self::predecessors) | [`Predecessors`] | plan recovery without a second expansion of all layers |
/// | [`goals`](Self::goals) | [`Goals`] | with predecessors, bidirectional search |
/// | [`ranked`](Self::ranked) | [`Ranked`] | one bit per rank as the visited set, if that takes at most 4 MiB |
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
pub struct Search<'a, S: StateSpace, H = NoHeuristic> {
    space: &'a S,
    uses: Uses<S>,
    starts: Option<&'a [S::State]>,
    heuristic: H,
    engine: Option<Engine>,
    threads: Option<NonZero<usize>>,
    bounds: Bounds<'a>,
}

enum Bounds<'a> {
    Limits(Limits),
    Budget(&'a Budget),
}

impl<'a, S: StateSpace> Search<'a, S> {
    /// A search of a space, with one thread and without limits.
    pub fn new(space: &'a S) -> Self {
        Self {
            space,
            uses: Uses::default(),
            starts: None,
            heuristic: NoHeuristic,
            engine: None,
            threads: None,
            bounds: Bounds::Limits(Limits::default()),
        }
    }
}

impl<'a, S: StateSpace, H> Search<'a, S, H> {
    fn with<I>(self, heuristic: impl FnOnce(H) -> I) -> Search<'a, S, I> {
        let Self { space, uses, starts, heuristic: before, .. } = self;
        let Self { engine, threads, bounds, .. } = self;
        let heuristic = heuristic(before);
        Search { space, uses, starts, heuristic, engine, threads, bounds }
    }

    /// Searches from these states instead of the initial ones.
    pub fn starting_from(self, states: &'a [S::State]) -> Self {
        Self { starts: Some(states), ..self }
    }

    /// Uses a heuristic. The search cannot check that it never exceeds the true distance to a goal;
    /// if it does, the plan may not be shortest. [`check::heuristic`](crate::check::heuristic)
    /// tests it. Explorations and the other engines ignore it.
    pub fn heuristic<T: Heuristic<S>>(self, heuristic: &'a T) -> Search<'a, S, &'a T> {
        self.with(|_| heuristic)
    }

    /// Uses a heuristic that takes time or memory to make. `make` is called only if the engine
    /// needs it, with the budget of the search. If it fails, the search is stopped by that limit.
    pub fn heuristic_from<T: Heuristic<S>, E: Into<Limit>, F: FnOnce(&Budget) -> Result<T, E>>(
        self,
        make: F,
    ) -> Search<'a, S, Lazy<F>> {
        self.with(|_| Lazy(make))
    }

    /// Allows the search to use the ranks of the states: the visited set has one bit per rank if
    /// that takes at most 4 MiB and at most an eighth of the memory limit, and an exploration may
    /// use two bits per rank (see [`representation`](crate::representation)). A* and IDA* do not
    /// use it.
    ///
    /// The search cannot check that states it generates have different ranks; states with the same
    /// rank are taken for one state. Bidirectional search also generates states that the start does
    /// not reach. [`check::ranks`](crate::check::ranks) tests it.
    pub fn ranked(self) -> Self
    where
        S: Ranked,
    {
        Self { uses: self.uses.ranked(self.space), ..self }
    }

    /// Uses the predecessors of states. A predecessor that is missing is found only if the plan
    /// needs it; [`check::predecessors`](crate::check::predecessors) tests them. Explorations use
    /// them only if the layers are [on disk](crate::storage::Storage::with_disk): if moves can be
    /// undone, earlier layers are not kept.
    pub fn predecessors(self) -> Self
    where
        S: Predecessors,
    {
        Self { uses: self.uses.predecessors(), ..self }
    }

    /// Uses the list of goals. The search cannot check that it is complete: if a goal is missing,
    /// the plan may not be shortest, or none may be found. [`check::goals`](crate::check::goals)
    /// tests it. Only bidirectional search uses it.
    pub fn goals(self) -> Self
    where
        S: Goals,
    {
        Self { uses: self.uses.goals(), ..self }
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

    /// Searches under a budget whose clock is running. The last call of [`limits`](Self::limits)
    /// and `budget` counts.
    pub fn budget(self, budget: &'a Budget) -> Self {
        Self { bounds: Bounds::Budget(budget), ..self }
    }
}

impl<S, H> Search<'_, S, H>
where
    S: StateSpace,
    H: HeuristicUse<S>,
{
    /// Finds a shortest plan: the chain of states from an initial state to a goal. If a limit stops
    /// the search, the outcome has a lower bound on the number of moves.
    ///
    /// # Errors
    /// If the search may not use what the chosen engine or representation needs.
    ///
    /// # Panics
    /// A search that finds a broken promise of the space panics. It cannot find all: the answer may
    /// be wrong instead. [`check`](crate::check) tests the promises. A panic in a method of the
    /// space resumes in the caller.
    pub fn run(self) -> Result<Outcome<Vec<S::State>>, Unsupported> {
        let is_bidirectional = self.uses.has_goals() && self.uses.has_predecessors();
        let engine = self.engine.unwrap_or(match (H::IS_GIVEN, is_bidirectional) {
            (true, _) => Engine::Astar,
            (false, true) => Engine::Bidirectional,
            (false, false) => Engine::Bfs,
        });
        let (space, uses, starts) = (self.space, self.uses, self.starts);
        let (erased, budget) = (Erased::with(space, uses), &self.own_budget());
        let outcome = match engine {
            Engine::Bfs => Some(Ok(SearchedWord::bfs(self.job(&erased, budget, true)?))),
            Engine::Bidirectional => is_bidirectional.then(|| {
                let space = self.view(&erased);
                let choice = self.request(space, budget, true).choose_from_both_sides();
                let threads = NonZero::<usize>::MIN;
                Ok(SearchedWord::bidirectional(Job { space, choice, threads, budget }))
            }),
            Engine::Astar => self.heuristic.with(budget, |heuristic| {
                astar::search_with(space, uses, starts, heuristic, budget)
            }),
            Engine::Idastar => self
                .heuristic
                .with(budget, |heuristic| idastar::search_from(space, starts, heuristic, budget)),
        };
        let outcome = outcome.ok_or(Unsupported::Engine(engine))?;
        Ok(outcome.unwrap_or_else(|limit| Outcome::stopped(limit, budget)))
    }

    /// The same by [IDA* without a table](idastar::search_without_table), whatever the
    /// [engine](Self::engine): for spaces where few paths lead to the same state, such as the
    /// 15-puzzle. It takes almost no memory, and less time for a state than [`Engine::Idastar`],
    /// but it may not end if there is no plan. It runs on the calling thread.
    ///
    /// # Errors
    /// If the search has no heuristic.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn run_without_table(self) -> Result<Outcome<Vec<S::State>>, Unsupported> {
        let (space, starts, budget) = (self.space, self.starts, &self.own_budget());
        let outcome = self.heuristic.with(budget, |heuristic| {
            idastar::search_without_table_from(space, starts, heuristic, budget)
        });
        let outcome = outcome.ok_or(Unsupported::Engine(Engine::Idastar))?;
        Ok(outcome.unwrap_or_else(|limit| Outcome::stopped(limit, budget)))
    }

    /// Finds all shortest plans, by breadth-first search on the calling thread. The engine, the
    /// heuristic and the goals do not matter.
    ///
    /// If a limit stops the search, the outcome has no plan.
    pub fn all_shortest(self) -> Outcome<PlanGraph<S::State>> {
        let (erased, budget) = (Erased::with(self.space, self.uses), &self.own_budget());
        let space = self.view(&erased);
        let choice = self.request(space, budget, true).choose_in_memory();
        SearchedWord::all_shortest(Job { space, choice, threads: NonZero::<usize>::MIN, budget })
    }

    /// Generates all reachable states, layer by layer, and calls `visit` for each with its depth,
    /// on the calling thread. If `visit` breaks, the exploration ends. The engine, the heuristic
    /// and the goals do not matter.
    ///
    /// With one thread, the states of a layer are visited in the order of the search, else in any
    /// order. See [`explore_in`](crate::explore::explore_in).
    ///
    /// # Errors
    /// If the budget asks for a [representation](crate::storage::Storage::with_representation) that
    /// the search cannot use.
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

    /// The same as [`explore`](Self::explore), and calls `visit` once for each layer as soon as it
    /// is complete, with its depth. It need not read the states.
    ///
    /// # Errors
    /// As [`explore`](Self::explore).
    ///
    /// # Panics
    /// As [`explore`](Self::explore).
    pub fn explore_layers(
        self,
        mut visit: impl FnMut(u32, &dyn CompleteLayer<S::State>) -> Result<ControlFlow<()>, Limit>,
    ) -> Result<Exploration, Unsupported> {
        let (erased, budget) = (Erased::with(self.space, self.uses), &self.own_budget());
        let job = self.job(&erased, budget, false)?;
        Ok(SearchedWord::explore(job, false, &mut visit))
    }

    /// The same as [`explore`](Self::explore), and calls `visit` once for each complete layer, with
    /// its depth and its number of states. If moves can be undone, a checkpoint keeps only two
    /// layers.
    ///
    /// # Errors
    /// As [`explore`](Self::explore).
    ///
    /// # Panics
    /// As [`explore`](Self::explore).
    pub fn count_layers(
        self,
        mut visit: impl FnMut(u32, u64) -> ControlFlow<()>,
    ) -> Result<Exploration, Unsupported> {
        let (erased, budget) = (Erased::with(self.space, self.uses), &self.own_budget());
        let job = self.job(&erased, budget, false)?;
        Ok(SearchedWord::explore(job, true, &mut |depth, layer| Ok(visit(depth, layer.states()))))
    }

    /// Describes a search by layers, for the compiled code.
    fn job<'j>(
        &self,
        erased: &'j Erased<'_, S>,
        budget: &'j Budget,
        needs_layers: bool,
    ) -> Result<Job<'j, S::State>, Unsupported>
    where
        Self: 'j,
    {
        let space = self.view(erased);
        let choice = self.request(space, budget, needs_layers).choose()?;
        budget.storage().report(&choice);
        let threads = self.threads.unwrap_or(budget.threads());
        Ok(Job { space, choice, threads, budget })
    }

    fn view<'j>(&self, erased: &'j Erased<'_, S>) -> SpaceView<'j, S::State>
    where
        Self: 'j,
    {
        SpaceView::new(erased).starting_from(self.starts)
    }

    /// What the choice of a representation depends on.
    fn request(
        &self,
        space: SpaceView<'_, S::State>,
        budget: &Budget,
        needs_layers: bool,
    ) -> Request {
        let processes = budget.storage().cluster().map_or(1, Cluster::processes);
        let properties = space.properties();
        Request {
            asked: budget.storage().representation(),
            ranks: properties.ranks.map(|ranks| ranks.div_ceil(processes as u64)),
            expected_states: properties.expected_states / processes,
            needs_layers,
            state_bytes: size_of::<S::State>(),
            threads: self.threads.unwrap_or(budget.threads()).get(),
            is_on_disk: budget.storage().disk().is_some(),
            has_rank_layers: budget
                .storage()
                .checkpoint()
                .is_some_and(Checkpoint::next_search_has_ranks),
            memory: budget.memory().limit_bytes(),
        }
    }

    fn own_budget(&self) -> Budget {
        match self.bounds {
            Bounds::Limits(limits) => Budget::new(limits),
            Bounds::Budget(budget) => budget.clone(),
        }
    }
}
