//! The boards that can be reached from a board: how many there are, how far away they are, which of
//! them are hardest to solve, and the moves between them.

use std::ops::ControlFlow;

use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::diameter::{self, Diameter, Progress};
use fewest_core::explore::graph::{Edges, Graph};
use fewest_core::explore::{CompleteLayer, Exploration};
use fewest_core::memory::{Block, OutOfMemory, Reservation, SegmentedVec};
use fewest_core::search::{Search, Unsupported};
use fewest_core::space::StartingFrom;
use fewest_core::stats::Stats;
use fewest_core::{Predecessors, Ranked, StateSpace, Word};

/// Takes the distance of a complete layer, and the number of its boards.
pub type OnLayer<'a> = &'a mut dyn FnMut(u32, u64);

/// The boards that are reachable from a start board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    /// The number of boards at each distance from the start. If `limit` is `None`, the last
    /// distance is the eccentricity of the start.
    pub layers: Vec<u64>,
    /// The number of solved boards among them; `None` if solved boards are not counted.
    pub goals: Option<u64>,
    /// The number of moves of a shortest plan; `None` if no plan was found, or if it was not looked
    /// for.
    pub cost: Option<u32>,
    /// The boards that are farthest from the start; `None` if they were not looked for.
    pub farthest: Option<Extreme>,
    /// The boards that are farthest from the nearest goal. `Ok(None)` if no goal is reachable, or
    /// they were not looked for; the limit that stopped the exploration or the search for them.
    pub hardest: Result<Option<Extreme>, Limit>,
    /// The limit that stopped the exploration before it generated all boards. The counts are those
    /// of the complete layers then.
    pub limit: Option<Limit>,
    /// The work of the exploration and of the search for the hardest boards.
    pub stats: Stats,
}

/// The boards at the greatest distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extreme {
    /// The distance in moves.
    pub moves: u32,
    /// The number of boards at this distance.
    pub boards: u64,
    /// One of these boards, on one line.
    pub board: String,
}

impl Explored {
    /// The number of boards, over all layers.
    pub fn boards(&self) -> u64 {
        self.layers.iter().sum()
    }

    /// The distance of the last layer.
    pub fn last_distance(&self) -> u32 {
        self.layers.len().saturating_sub(1) as u32
    }

    /// Whether it is proved that there is no plan.
    pub fn is_unsolvable(&self) -> bool {
        self.limit.is_none() && self.goals.unwrap_or(0) == 0 && self.cost.is_none()
    }
}

/// How to explore a space whose moves can be undone, and how to show its states.
pub trait Explorer<S: Predecessors> {
    /// A board on one line.
    fn show(&self, state: S::State) -> String;

    /// Explores from several states. `visit` gets the distance of each visited state, the state, and
    /// the number of boards that it represents; `on_layer` the distance of each complete layer, and the
    /// number of its boards. The layers are counted in boards.
    ///
    /// # Errors
    /// If the budget asks for a representation that the search cannot use.
    fn explore(
        &self,
        space: &S,
        states: &[S::State],
        budget: &Budget,
        visit: impl FnMut(u32, S::State, u64),
        on_layer: OnLayer<'_>,
    ) -> Result<Exploration, Unsupported> {
        let start = StartingFrom { space, states };
        let search = Search::new(&start).predecessors().budget(budget);
        search.explore_layers(visit_states(visit, on_layer))
    }
}

/// A visitor of layers whose states are one board each.
fn visit_states<W: Copy>(
    mut visit: impl FnMut(u32, W, u64),
    on_layer: OnLayer<'_>,
) -> impl FnMut(u32, &dyn CompleteLayer<W>) -> Result<ControlFlow<()>, Limit> {
    move |depth, layer| {
        let read = layer.read(&mut |states| {
            states.iter().for_each(|&state| visit(depth, state, 1));
            ControlFlow::Continue(())
        })?;
        on_layer(depth, layer.states());
        Ok(read)
    }
}

/// Any function that shows states explores without symmetry reduction.
impl<S: Predecessors, F: Fn(S::State) -> String> Explorer<S> for F {
    fn show(&self, state: S::State) -> String {
        self(state)
    }
}

/// Shows states, and explores without symmetry reduction by their ranks.
pub struct RankedExplorer<F>(pub F);

impl<S: Predecessors + Ranked, F: Fn(S::State) -> String> Explorer<S> for RankedExplorer<F> {
    fn show(&self, state: S::State) -> String {
        (self.0)(state)
    }

    fn explore(
        &self,
        space: &S,
        states: &[S::State],
        budget: &Budget,
        visit: impl FnMut(u32, S::State, u64),
        on_layer: OnLayer<'_>,
    ) -> Result<Exploration, Unsupported> {
        let start = StartingFrom { space, states };
        let search = Search::new(&start).predecessors().ranked().budget(budget);
        search.explore_layers(visit_states(visit, on_layer))
    }
}

/// Explores all states that are reachable from `start`. `show` is a board on one line. `on_layer` gets
/// the distance of each complete layer, and the number of its boards.
///
/// # Errors
/// If the budget asks for a representation that the search cannot use.
pub fn explore_from_start<S: StateSpace>(
    space: &S,
    start: S::State,
    show: impl Fn(S::State) -> String,
    budget: &Budget,
    on_layer: OnLayer<'_>,
) -> Result<Explored, Unsupported> {
    let explore = |visit: &mut dyn FnMut(u32, S::State, u64)| {
        let start = StartingFrom { space, states: &[start] };
        Search::new(&start).budget(budget).explore_layers(visit_states(visit, on_layer))
    };
    Ok(forward(space, start, show, budget, explore)?.0)
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
    explorer: &impl Explorer<S>,
    budget: &Budget,
    on_layer: OnLayer<'_>,
) -> Result<Explored, Unsupported> {
    const { assert!(S::UNDIRECTED, "`explore` requires an undirected space") };
    let show = |state| explorer.show(state);
    let (mut explored, goal_states) = forward(space, start, show, budget, |visit| {
        explorer.explore(space, &[start], budget, visit, on_layer)
    })?;
    if explored.limit.is_some() || explored.goals == Some(0) {
        return Ok(explored);
    }
    let mut last = LastLayer::empty();
    explored.hardest = match goal_states.and_then(|states| Block::of(&states, budget.memory())) {
        Ok(states) => {
            let visit = |depth, state, _| last.add(depth, state);
            let from_goals = explorer.explore(space, &states, budget, visit, &mut |_, _| {})?;
            // The peaks are those of the first exploration and of the memory of both.
            let Stats { bytes, .. } = from_goals.stats;
            let Stats { peak_frontier, .. } = explored.stats;
            let both = explored.stats.and_then(from_goals.stats);
            explored.stats = Stats { bytes, peak_frontier, ..both };
            let hardest = last.extreme(&from_goals, start, show);
            from_goals.limit().map_or(Ok(Some(hardest)), Err)
        }
        Err(out_of_memory) => Err(out_of_memory.into()),
    };
    Ok(explored)
}

/// The goals of an exploration.
type GoalStates<W> = Result<SegmentedVec<W>, OutOfMemory>;

/// The states that are reachable from `start`, and the goals among them. `explore` calls its argument
/// with the distance of each state, the state, and the number of boards that it represents.
fn forward<S: StateSpace>(
    space: &S,
    start: S::State,
    show: impl Fn(S::State) -> String,
    budget: &Budget,
    explore: impl FnOnce(&mut dyn FnMut(u32, S::State, u64)) -> Result<Exploration, Unsupported>,
) -> Result<(Explored, GoalStates<S::State>), Unsupported> {
    let (mut goal_states, mut goals) = (SegmentedVec::new(budget.memory()), 0);
    let mut stored = Ok(());
    let (mut last, mut cost) = (LastLayer::empty(), None);
    let found = explore(&mut |depth, state, boards| {
        last.add(depth, state);
        if space.is_goal(state) {
            goals += boards;
            cost = cost.or(Some(depth));
            stored = stored.and_then(|()| goal_states.push(state));
        }
    })?;
    let explored = Explored {
        goals: Some(goals),
        cost,
        farthest: Some(last.extreme(&found, start, show)),
        hardest: found.limit().map_or(Ok(None), Err),
        limit: found.limit(),
        layers: found.layers,
        stats: found.stats,
    };
    Ok((explored, stored.map(|()| goal_states)))
}

/// The distance of the last layer so far, and its least state.
struct LastLayer<W> {
    depth: u32,
    least: Option<W>,
}

impl<W: Ord + Copy> LastLayer<W> {
    fn empty() -> Self {
        Self { depth: 0, least: None }
    }

    fn add(&mut self, depth: u32, state: W) {
        let least = self.least.filter(|_| depth == self.depth);
        *self = Self { depth, least: Some(least.map_or(state, |least| least.min(state))) };
    }

    fn extreme(&self, found: &Exploration, start: W, show: impl Fn(W) -> String) -> Extreme {
        Extreme {
            moves: self.depth,
            boards: found.layers.last().copied().unwrap_or(0),
            board: show(self.least.unwrap_or(start)),
        }
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

/// All boards that are reachable from a board, as a graph. The boards are numbered from 0, which is
/// the start.
pub struct BoardGraph {
    /// The distance of each board from the start.
    pub depths: Vec<u32>,
    /// Whether each board is solved.
    pub solved: Vec<bool>,
    /// The boards, each on one line.
    pub boards: Vec<String>,
    /// Whether some moves cannot be undone.
    pub is_directed: bool,
    edges: Edges,
    _held: Reservation,
}

impl BoardGraph {
    /// Builds the graph of a space. `show` is a board on one line, of at most `line_bytes` bytes.
    ///
    /// # Errors
    /// The limit that stopped the exploration.
    pub fn of<S: StateSpace<State = W>, W: Word>(
        space: &S,
        is_directed: bool,
        line_bytes: usize,
        show: impl Fn(W) -> String,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let graph = Graph::of(space, budget)?;
        let mut held = Reservation::none(budget.memory());
        let board_bytes = size_of::<(u32, bool, String)>() + line_bytes;
        held.grow((graph.len() * board_bytes) as u64)?;
        let mut depths = vec![0; graph.len()];
        graph.distances([0], &mut depths, &mut Vec::new());
        let mut meter = budget.meter();
        let board = |&state: &W| {
            meter.poll()?;
            Ok(show(state))
        };
        Ok(Self {
            depths,
            boards: graph.states().iter().map(board).collect::<Result<_, Limit>>()?,
            solved: graph.states().iter().map(|&state| space.is_goal(state)).collect(),
            is_directed,
            edges: graph.into_edges(),
            _held: held,
        })
    }

    /// The numbers of the boards that one move leads to.
    pub fn successors(&self, number: u32) -> &[u32] {
        self.edges.successors(number)
    }

    /// Each move as the numbers of its two boards. If all moves can be undone, a move and its
    /// inverse occur once, with the lesser number first.
    pub fn moves(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let numbers = 0..self.boards.len() as u32;
        let moves =
            numbers.flat_map(|one| self.successors(one).iter().map(move |&other| (one, other)));
        moves.filter(|(one, other)| self.is_directed || one < other)
    }
}
