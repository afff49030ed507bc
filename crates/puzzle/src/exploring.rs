//! Explores the space of a puzzle: from the start, and then from all goals.

use std::ops::ControlFlow;

use fewest_core::budget::{Budget, Limit};
use fewest_core::cluster::sum;
use fewest_core::explore::diameter::{self, Diameter, Progress};
use fewest_core::explore::graph::Graph;
use fewest_core::explore::{CompleteLayer, Exploration};
use fewest_core::memory::{Block, OutOfMemory, SegmentedVec};
use fewest_core::representation::UnsupportedRepresentation;
use fewest_core::search::Search;
use fewest_core::stats::Stats;
use fewest_core::{Predecessors, Ranked, StateSpace, Word};

use crate::explore::{Explored, Extreme, InCheckpoint, OnLayer};

/// Called for each complete layer, with its distance from the start.
pub type VisitLayer<'a, W> = &'a mut dyn FnMut(u32, &dyn CompleteLayer<W>) -> Result<(), Limit>;

/// How to explore a space whose moves can be undone, and how to show its states.
pub trait SpaceExplorer<S: Predecessors> {
    /// A board on one line.
    fn show(&self, state: S::State) -> String;

    /// The number of boards that a visited state represents.
    fn boards(&self, state: S::State) -> u64 {
        let _ = state;
        1
    }

    /// Explores from several states.
    fn explore(
        &self,
        space: &S,
        states: &[S::State],
        budget: &Budget,
        visit: VisitLayer<'_, S::State>,
    ) -> Exploration;
}

/// Adapts a callback that cannot stop a search to core's visitor.
pub fn to_the_end<W>(
    visit: VisitLayer<'_, W>,
) -> impl FnMut(u32, &dyn CompleteLayer<W>) -> Result<ControlFlow<()>, Limit> {
    move |depth, layer| visit(depth, layer).map(ControlFlow::Continue)
}

/// A [`SpaceExplorer`] for ranked spaces without symmetry reduction. The function shows a state.
pub struct RankedExplorer<F>(pub F);

impl<S: Predecessors + Ranked, F: Fn(S::State) -> String> SpaceExplorer<S> for RankedExplorer<F> {
    fn show(&self, state: S::State) -> String {
        (self.0)(state)
    }

    fn explore(
        &self,
        space: &S,
        states: &[S::State],
        budget: &Budget,
        visit: VisitLayer<'_, S::State>,
    ) -> Exploration {
        let search = Search::new(space).starting_from(states).predecessors().ranked();
        let search = search.budget(budget);
        search.explore_layers(to_the_end(visit))
    }
}

/// Explores all states that are reachable from `start`. `show` writes a state as a board on one
/// line. `on_layer` gets the distance of each complete layer, and the number of its boards.
///
/// # Errors
/// If the budget asks for a representation that the search cannot use.
pub fn explore_from_start<S: StateSpace>(
    space: &S,
    start: S::State,
    show: impl Fn(S::State) -> String,
    budget: &Budget,
    on_layer: OnLayer<'_>,
) -> Result<Explored, UnsupportedRepresentation> {
    let starts = [start];
    let found = forward(
        space,
        start,
        show,
        |_| 1,
        budget,
        on_layer,
        |visit| {
            let search = Search::new(space).starting_from(&starts).budget(budget);
            search.explore_layers(to_the_end(visit))
        },
    );
    Ok(found?.0)
}

/// Explores all states that are reachable from `start`, and then from all goals among them, which
/// gives the states that are hardest to solve. `on_layer` gets the distance from `start` of each
/// complete layer, and the number of its boards.
///
/// # Errors
/// If the budget asks for a representation that the search cannot use.
pub fn explore<S: Predecessors>(
    space: &S,
    start: S::State,
    explorer: &impl SpaceExplorer<S>,
    budget: &Budget,
    on_layer: OnLayer<'_>,
) -> Result<Explored, UnsupportedRepresentation> {
    const { assert!(S::UNDIRECTED, "`explore` requires an undirected space") };
    let show = |state| explorer.show(state);
    let boards = |state| explorer.boards(state);
    let (mut explored, goal_states) =
        forward(space, start, show, boards, budget, on_layer, |visit| {
            explorer.explore(space, &[start], budget, visit)
        })?;
    if explored.limit.is_some() || explored.goals == Some(0) {
        return Ok(explored);
    }
    let states = goal_states.and_then(|states| Block::of(&states, budget.memory()));
    // Memory is per process: the second exploration starts only if the goals fit in all of them.
    let mut failures = [u64::from(states.is_err())];
    let summed = sum(budget.storage().cluster(), &mut failures);
    explored.hardest = match (summed, states, failures) {
        (Ok(()), Ok(states), [0]) => {
            let mut last = None;
            let from_goals = explorer.explore(space, &states, budget, &mut |depth, layer| {
                last = Some((depth, LayerSummary::of(layer, boards, |_| false)?));
                Ok(())
            });
            let from_goals = from_goals.supported()?;
            // `peak_frontier` is that of the first exploration; `bytes` is the peak of the budget,
            // which covers both.
            let Stats { bytes, .. } = from_goals.stats;
            let Stats { peak_frontier, .. } = explored.stats;
            let both = explored.stats.and_then(from_goals.stats);
            explored.stats = both;
            (explored.stats.bytes, explored.stats.peak_frontier) = (bytes, peak_frontier);
            let hardest = last.map(|(moves, layer)| layer.extreme(moves, start, show));
            from_goals.limit().map_or(Ok(hardest), Err)
        }
        (Err(limit), ..) => Err(limit),
        (Ok(()), ..) => Err(OutOfMemory.into()),
    };
    Ok(explored)
}

/// The goals that an exploration found, unless they did not fit into memory.
type GoalStates<W> = Result<SegmentedVec<W>, OutOfMemory>;

/// Adds a goal.
fn keep<W: Word>(goal_states: &mut GoalStates<W>, state: W) {
    if let Ok(states) = goal_states
        && let Err(out_of_memory) = states.push(state)
    {
        *goal_states = Err(out_of_memory);
    }
}

/// The number of states of all processes in one gather. Not reserved from the budget, so it must be
/// small.
const GATHERED: usize = 1 << 15;

/// Adds the goals that all processes found in a layer. Collective: every process must call it.
fn keep_all<W: Word>(
    goal_states: &mut GoalStates<W>,
    own: GoalStates<W>,
    layer: &dyn CompleteLayer<W>,
    processes: usize,
) -> Result<(), Limit> {
    let mut slices = Vec::new();
    match &own {
        Ok(own) => slices.extend(own.slices()),
        Err(out_of_memory) => *goal_states = Err(*out_of_memory),
    }
    let mut chunks =
        slices.into_iter().flat_map(|slice| slice.chunks(GATHERED.div_ceil(processes)));
    // All processes loop until nobody has goals left, because gathers must match.
    loop {
        let gathered = layer.gather(chunks.next().unwrap_or_default())?;
        if gathered.is_empty() {
            return Ok(());
        }
        gathered.into_iter().for_each(|state| keep(goal_states, state));
    }
}

/// Explores from `start`, and collects the goals. `boards` returns how many boards a state
/// represents.
fn forward<S: StateSpace>(
    space: &S,
    start: S::State,
    show: impl Fn(S::State) -> String,
    boards: impl Fn(S::State) -> u64,
    budget: &Budget,
    on_layer: OnLayer<'_>,
    explore: impl FnOnce(VisitLayer<'_, S::State>) -> Exploration,
) -> Result<(Explored, GoalStates<S::State>), UnsupportedRepresentation> {
    let no_states = || Ok(SegmentedVec::new(budget.memory()));
    let (mut goal_states, mut goals) = (no_states(), 0);
    let (mut layers, mut last, mut cost) = (Vec::new(), None, None);
    let found = explore(&mut |depth, layer| {
        let mut own = no_states();
        // In a cluster, each process finds only its own goals; they are exchanged after the layer.
        let found = if budget.storage().cluster().is_some() { &mut own } else { &mut goal_states };
        let summary = LayerSummary::of(layer, &boards, |state| {
            let is_goal = space.is_goal(state);
            if is_goal {
                keep(found, state);
            }
            is_goal
        })?;
        if summary.goals > 0 {
            goals += summary.goals;
            cost = cost.or(Some(depth));
            if let Some(cluster) = budget.storage().cluster() {
                keep_all(&mut goal_states, own, layer, cluster.processes())?;
            }
        }
        layers.push(summary.boards);
        on_layer(depth, summary.boards);
        last = Some((depth, summary));
        Ok(())
    })
    .supported()?;
    let explored = Explored {
        layers,
        has_goal: true,
        goals: Some(goals),
        cost,
        farthest: last.map(|(moves, layer)| layer.extreme(moves, start, show)),
        hardest: found.limit().map_or(Ok(None), Err),
        limit: found.limit(),
        checkpoint: InCheckpoint::of(&found),
        stats: found.stats,
    };
    Ok((explored, goal_states))
}

/// A summary of a layer over all processes.
struct LayerSummary<W> {
    /// The number of boards, and of those that are goals.
    boards: u64,
    goals: u64,
    /// The least state, which stands for the layer in reports, so that they are reproducible.
    /// `None` if the layer is empty.
    least: Option<W>,
}

impl<W: Word> LayerSummary<W> {
    fn of(
        layer: &dyn CompleteLayer<W>,
        boards: impl Fn(W) -> u64,
        mut is_goal: impl FnMut(W) -> bool,
    ) -> Result<Self, Limit> {
        let (mut numbers, mut least) = ([0, 0], None);
        let _ = layer.read(&mut |states| {
            for &state in states {
                let boards = boards(state);
                numbers[0] += boards;
                least = Some(least.map_or(state, |least: W| least.min(state)));
                if is_goal(state) {
                    numbers[1] += boards;
                }
            }
            ControlFlow::Continue(())
        })?;
        layer.sum(&mut numbers)?;
        let [boards, goals] = numbers;
        let least = layer.gather(least.as_slice())?.into_iter().min();
        Ok(Self { boards, goals, least })
    }

    fn extreme(&self, moves: u32, start: W, show: impl Fn(W) -> String) -> Extreme {
        Extreme { moves, boards: self.boards, board: show(self.least.unwrap_or(start)) }
    }
}

/// The diameter and the radius of a space whose moves can all be undone, from its [`Graph`].
/// `progress` is called after each search.
///
/// # Errors
/// The limit that stopped the computation.
pub fn diameter<S: Predecessors>(
    space: &S,
    budget: &Budget,
    progress: impl FnMut(Progress),
) -> Result<Diameter, Limit> {
    const { assert!(S::UNDIRECTED, "`diameter` requires an undirected space") };
    diameter::diameter(&Graph::of(space, budget)?, budget, progress)
}
