//! One way to start a search: it picks the engine, the store and the plan recovery.

use std::fmt;
use std::num::NonZero;
use std::ops::ControlFlow;

use super::all_shortest::PlanGraph;
use super::compiled::SearchedWord;
use super::heuristics::{HeuristicGiven, HeuristicReady, HeuristicUse, Lazy, NoHeuristic};
use super::settings::{LimitSource, Settings};
use super::{Engine, LayeredSearch, Steps, UnsupportedEngine, astar, idastar};
use crate::budget::{Budget, Limit, Limits};
use crate::explore::{CompleteLayer, Exploration, Layers};
use crate::heuristic::Heuristic;
use crate::outcome::{Outcome, Plan, Stopped, Verdict};
use crate::seam::{Erased, SpaceView};
use crate::space::{Goals, Predecessors, Ranked, StateSpace};
use crate::storage::Storage;

/// A search that is described step by step and then [run](Self::run), or an exploration.
///
/// A method for each optional trait of the space says that the search may use it:
///
/// | method | requires | allows |
/// | --- | --- | --- |
/// | [`heuristic`](Self::heuristic) | [`Heuristic`] | A* and IDA* |
/// | [`predecessors`](Self::predecessors) | [`Predecessors`] | plan recovery without a second expansion of all layers |
/// | [`goals`](Self::goals) | [`Goals`] | with predecessors, bidirectional search |
/// | [`ranked`](Self::ranked) | [`Ranked`] | one bit per rank as the visited set, when it has many of them |
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
/// let plan = Search::new(&space).plan()?.expect("10 is reached");
/// assert_eq!((plan.cost(), plan.moves()), (4, &['+', '*', '+', '*'][..]));
///
/// // The same with all that is known, also if a limit stops the search.
/// let outcome = Search::new(&space).run();
/// assert_eq!(outcome.optimal(), Some(&vec![1, 2, 4, 5, 10]));
///
/// let refused = Search::new(&space).engine(Engine::Astar).err().unwrap();
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
/// });
/// assert_eq!(numbers, [1, 2, 3, 4, 6, 5, 8]);
/// # Ok::<(), fewest_core::outcome::Stopped>(())
/// ```
#[must_use = "a search does nothing before `run` or `explore` is called"]
pub struct Search<'a, S: StateSpace, H = NoHeuristic> {
    erased: Erased<'a, S>,
    starts: Option<&'a [S::State]>,
    heuristic: H,
    settings: Settings<'a>,
}

impl<S: StateSpace, H> fmt::Debug for Search<'_, S, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { erased, starts, settings, .. } = self;
        let starts = starts.map(<[_]>::len);
        let mut text = f.debug_struct("Search");
        text.field("space", erased).field("starts", &starts).field("settings", settings);
        text.finish_non_exhaustive()
    }
}

impl<'a, S: StateSpace> Search<'a, S> {
    /// A search of a space, with one thread and without limits.
    pub fn new(space: &'a S) -> Self {
        Self {
            erased: Erased::new(space),
            starts: None,
            heuristic: NoHeuristic,
            settings: Settings::default(),
        }
    }
}

impl<'a, S: StateSpace, H> Search<'a, S, H> {
    fn with<I>(self, heuristic: impl FnOnce(H) -> I) -> Search<'a, S, I> {
        let Self { erased, starts, heuristic: before, settings } = self;
        Search { erased, starts, heuristic: heuristic(before), settings }
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

    /// Allows the search to use the ranks of the states: the visited set has one bit per rank, from
    /// the start or [when it has many of them](crate::visited::RankSet), unless the space
    /// [expects](StateSpace::expected_states) few states. An exploration may use two bits per rank.
    /// The [outcome](Outcome::representation) of such a search says what was chosen, and why. A*
    /// has [an array of depths](astar) if moves have costs, IDA* nothing of the kind.
    ///
    /// The search cannot check that states it generates have different ranks; states with the same
    /// rank are taken for one state. Bidirectional search, and A* with costs and predecessors, also
    /// rank states that the start does not reach. [`check::ranks`](crate::check::ranks) tests it.
    pub fn ranked(self) -> Self
    where
        S: Ranked,
    {
        Self { erased: self.erased.with_ranks(), ..self }
    }

    /// Uses the predecessors of states. A predecessor that is missing is found only if the plan
    /// needs it; [`check::predecessors`](crate::check::predecessors) tests them. Explorations use
    /// them only if the layers are [on disk](crate::storage::Storage::with_disk): if moves can be
    /// undone, earlier layers are not kept.
    pub fn predecessors(self) -> Self
    where
        S: Predecessors,
    {
        Self { erased: self.erased.with_predecessors(), ..self }
    }

    /// Uses the list of goals. The search cannot check that it is complete: if a goal is missing,
    /// the plan may not be shortest, or none may be found. [`check::goals`](crate::check::goals)
    /// tests it. Only bidirectional search uses it, which needs
    /// [`predecessors`](Self::predecessors), too: without them, the search is breadth-first.
    pub fn goals(self) -> Self
    where
        S: Goals,
    {
        Self { erased: self.erased.with_goals(), ..self }
    }

    /// Uses up to this number of threads, the calling thread included. The default is that of the
    /// [budget](Budget::threads). Breadth-first searches and explorations use them; bidirectional
    /// search, A* and IDA* run on the calling thread.
    pub fn threads(self, threads: NonZero<usize>) -> Self {
        self.set(|settings| settings.threads = Some(threads))
    }

    /// Limits the search. Its clock starts when the search is run. The last call of `limits` and
    /// [`budget`](Self::budget) counts.
    pub fn limits(self, limits: Limits) -> Self {
        self.set(|settings| settings.limits = LimitSource::Limits(limits))
    }

    /// Searches under a budget whose clock is running. The last call of [`limits`](Self::limits)
    /// and `budget` counts.
    pub fn budget(self, budget: &'a Budget) -> Self {
        self.set(|settings| settings.limits = LimitSource::Budget(budget))
    }

    fn set(mut self, change: impl FnOnce(&mut Settings<'a>)) -> Self {
        change(&mut self.settings);
        self
    }
}

impl<S, H> Search<'_, S, H>
where
    S: StateSpace,
    H: HeuristicUse<S>,
{
    /// Chooses the engine, after the methods that allow what it needs. `None` leaves the choice to
    /// the search.
    ///
    /// # Errors
    /// If the search may not use what the engine needs.
    pub fn engine(self, engine: impl Into<Option<Engine>>) -> Result<Self, UnsupportedEngine> {
        let engine = engine.into();
        let has_all = |engine: &Engine| match engine {
            Engine::Bfs => true,
            Engine::Bidirectional => self.is_bidirectional(),
            Engine::Astar | Engine::Idastar => H::IS_GIVEN,
        };
        match engine.filter(|engine| !has_all(engine)) {
            Some(engine) => Err(UnsupportedEngine(engine)),
            None => Ok(self.set(|settings| settings.engine = engine)),
        }
    }

    /// The engine that was chosen, or the best of what the search may use.
    fn chosen_engine(&self) -> Engine {
        self.settings.engine.unwrap_or(match (H::IS_GIVEN, self.is_bidirectional()) {
            (true, _) => Engine::Astar,
            (false, true) => Engine::Bidirectional,
            (false, false) => Engine::Bfs,
        })
    }

    /// The expansions of the search one by one: what [`run`](Self::run) does, in memory and on this
    /// thread, driven by the caller. With A* it shows how the bound leads:
    ///
    /// ```
    /// use fewest_core::prelude::*;
    /// use fewest_core::heuristic;
    ///
    /// // From 1 to 10 by adding 1 or doubling.
    /// let space = from_fn([1_u32], |n| [('+', n + 1), ('*', n * 2)], |n| n == 10);
    /// // Ever more doublings would exceed it.
    /// let bound = heuristic::from_fn(|n: u32| (n <= 10).then_some(u32::from(n != 10)));
    /// let search = Search::new(&space).heuristic(&bound);
    /// let mut steps = search.steps();
    /// for step in &mut steps {
    ///     let new: Vec<u32> = step.new.iter().map(|node| node.state).collect();
    ///     println!("{} at {}: {new:?}", step.node.state, step.node.depth);
    /// }
    /// assert_eq!(steps.outcome().cost(), Some(4));
    /// ```
    ///
    /// A heuristic of [`heuristic_from`](Self::heuristic_from) has to be made before.
    pub fn steps(&self) -> Steps<'_, S::State>
    where
        H: HeuristicReady<S>,
    {
        let Self { erased, starts, heuristic, settings } = self;
        let engine = self.chosen_engine();
        let settings = Settings { engine: Some(engine), ..*settings };
        let budget = settings.budget().with_storage(Storage::default());
        Steps::new(budget, |budget, meter| match engine {
            Engine::Bfs | Engine::Bidirectional => {
                SearchedWord::new_stepped(self.view(), settings, budget, meter)
            }
            Engine::Astar => astar::new_search(erased.space, self.view(), heuristic.get(), meter),
            Engine::Idastar => idastar::new_search(erased.space, *starts, heuristic.get(), meter),
        })
    }

    fn is_bidirectional(&self) -> bool {
        self.erased.uses.has_goals() && self.erased.uses.has_predecessors()
    }

    /// Finds a shortest plan: the moves from an initial state to a goal. `None` if it is proved
    /// that there is none.
    ///
    /// # Errors
    /// The limit that stopped the search, with the lower bound that was proved until then.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    #[expect(clippy::type_complexity, reason = "an alias would hide a plan, none, or a limit")]
    pub fn plan(self) -> Result<Option<Plan<S::State, S::Move>>, Stopped> {
        let space = self.erased.space;
        match self.run().verdict {
            Verdict::Solved { plan, cost } => Ok(Some(Plan::along(space, plan, cost))),
            Verdict::Unsolvable => Ok(None),
            Verdict::Stopped { limit, lower_bound, .. } => Err(Stopped { limit, lower_bound }),
        }
    }

    /// The same with all that the search found and proved. The plan is the chain of states from an
    /// initial state to a goal. If a limit stops the search, the outcome has a lower bound on the
    /// number of moves, or on what they [cost](crate::space::cost).
    ///
    /// # Panics
    /// A search that finds a broken promise of the space panics. It cannot find all: the answer may
    /// be wrong instead. [`check`](crate::check) tests the promises. A panic in a method of the
    /// space resumes in the caller.
    pub fn run(self) -> Outcome<Vec<S::State>> {
        let Self { erased, starts, settings, .. } = self;
        let Erased { space, uses } = erased;
        match self.chosen_engine() {
            Engine::Bfs => SearchedWord::bfs(self.view(), settings),
            Engine::Bidirectional => SearchedWord::bidirectional(self.view(), settings),
            Engine::Astar => self.heuristic.run(settings, |heuristic, budget| {
                astar::search_with(space, uses, starts, heuristic, budget)
            }),
            Engine::Idastar => self.heuristic.run(settings, |heuristic, budget| {
                idastar::search_from(space, starts, heuristic, budget)
            }),
        }
    }

    /// The same by [IDA* without a table](idastar::search_without_table), whatever the
    /// [engine](Self::engine): for spaces where few paths lead to the same state, such as the
    /// 15-puzzle. It takes almost no memory, and less time for a state than [`Engine::Idastar`],
    /// but it may not end if there is no plan. It runs on the calling thread.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn run_without_table(self) -> Outcome<Vec<S::State>>
    where
        H: HeuristicGiven,
    {
        let (space, starts) = (self.erased.space, self.starts);
        self.heuristic.run(self.settings, |heuristic, budget| {
            idastar::search_without_table_from(space, starts, heuristic, budget)
        })
    }

    /// Finds all shortest plans, by breadth-first search on the calling thread. The engine, the
    /// heuristic and the goals do not matter.
    ///
    /// If a limit stops the search, the outcome has no plan. The limit is [`Limit::Encoding`] if
    /// moves of cost 0 form a cycle on a plan: there is no end of plans then. Plans are counted as
    /// chains of states, so that two moves between the same states count once.
    pub fn all_shortest(self) -> Outcome<PlanGraph<S::State>> {
        self.layered().all_shortest()
    }

    /// All reachable states, layer by layer:
    ///
    /// ```
    /// use fewest_core::prelude::*;
    ///
    /// // A dial with ten digits that turns in both directions.
    /// let dial = from_fn([0_u32], |digit| [1, 9].map(|turn| (turn, (digit + turn) % 10)), |_| false);
    /// for layer in Search::new(&dial).layers() {
    ///     let layer = layer?;
    ///     println!("{}: {:?}", layer.depth, layer.states);
    /// }
    /// # Ok::<(), Limit>(())
    /// ```
    ///
    /// A layer is computed when the iterator is asked for it, and copied; the memory limit counts
    /// the copy only until it is returned. [`explore`](Self::explore) reads layers without copies,
    /// [`count_layers`](Self::count_layers) only counts, and both use checkpoints and clusters,
    /// which this does not.
    pub fn layers(&self) -> Layers<'_, S::State> {
        self.layered().layers()
    }

    /// Generates all reachable states, layer by layer, and calls `visit` for each with its depth,
    /// on the calling thread. If `visit` breaks, the exploration ends. The engine, the heuristic
    /// and the goals do not matter.
    ///
    /// With one thread, the states of a layer are visited in the order of the search, else in any
    /// order. See [`explore_in`](crate::explore::explore_in).
    ///
    /// # Panics
    /// If a method of the space panics on any thread.
    pub fn explore(self, mut visit: impl FnMut(u32, S::State) -> ControlFlow<()>) -> Exploration {
        self.explore_layers(|depth, layer| {
            layer.read(&mut |states| states.iter().try_for_each(|&state| visit(depth, state)))
        })
    }

    /// The same as [`explore`](Self::explore), and calls `visit` once for each layer as soon as it
    /// is complete, with its depth. It need not read the states.
    ///
    /// # Panics
    /// As [`explore`](Self::explore).
    pub fn explore_layers(
        self,
        visit: impl FnMut(u32, &dyn CompleteLayer<S::State>) -> Result<ControlFlow<()>, Limit>,
    ) -> Exploration {
        self.layered().explore_layers(visit)
    }

    /// The same as [`explore`](Self::explore), and calls `visit` once for each complete layer, with
    /// its depth and its number of states. If moves can be undone, or the space is graded, a
    /// checkpoint keeps only two layers.
    ///
    /// # Panics
    /// As [`explore`](Self::explore).
    pub fn count_layers(self, visit: impl FnMut(u32, u64) -> ControlFlow<()>) -> Exploration {
        self.layered().count_layers(visit)
    }

    fn view(&self) -> SpaceView<'_, S::State> {
        SpaceView::new(&self.erased).starting_from(self.starts)
    }

    fn layered(&self) -> LayeredSearch<'_, S::State> {
        LayeredSearch::with(self.view(), self.settings)
    }
}
