//! The boards that can be reached from a board: how many there are, how far away they are, which of
//! them are hardest to solve, and the moves between them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use fewest_core::budget::{Budget, Limit};
use fewest_core::cluster::sum;
use fewest_core::explore::diameter::{self, Diameter, Progress};
use fewest_core::explore::graph::{Edges, Graph};
use fewest_core::explore::{CompleteLayer, Exploration};
use fewest_core::memory::{Block, OutOfMemory, Reservation, SegmentedVec};
use fewest_core::search::{Search, Unsupported};
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
    /// How far a checkpoint goes, if the limit was reached before all of its layers were read again.
    pub checkpoint: Option<InCheckpoint>,
    /// The work of the exploration and of the search for the hardest boards.
    pub stats: Stats,
}

/// The layers that a checkpoint has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InCheckpoint {
    /// The distance of the last layer in moves.
    pub moves: u32,
    /// The number of states in all layers. A state can stand for a board and its mirror image.
    pub states: u64,
}

impl InCheckpoint {
    /// What is known of a checkpoint whose layers were not all read again.
    pub fn of(found: &Exploration) -> Option<Self> {
        let layers = found.layers.len() + found.unread.len();
        let states = found.states() + found.unread.iter().sum::<u64>();
        (!found.unread.is_empty()).then(|| Self { moves: layers as u32 - 1, states })
    }
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

    /// The limit that stopped the exploration, or else the search for the hardest boards.
    pub fn first_limit(&self) -> Option<Limit> {
        self.limit.or(self.hardest.as_ref().err().copied())
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

/// Takes the distance of a complete layer, and the layer.
pub type VisitLayer<'a, W> = &'a mut dyn FnMut(u32, &dyn CompleteLayer<W>) -> Result<(), Limit>;

/// How to explore a space whose moves can be undone, and how to show its states.
pub trait Explorer<S: Predecessors> {
    /// A board on one line.
    fn show(&self, state: S::State) -> String;

    /// The number of boards that a visited state represents.
    fn boards(&self, state: S::State) -> u64 {
        let _ = state;
        1
    }

    /// Explores from several states.
    ///
    /// # Errors
    /// If the budget asks for a representation that the search cannot use.
    fn explore(
        &self,
        space: &S,
        states: &[S::State],
        budget: &Budget,
        visit: VisitLayer<'_, S::State>,
    ) -> Result<Exploration, Unsupported> {
        let search = Search::new(space).starting_from(states).predecessors().budget(budget);
        search.explore_layers(to_the_end(visit))
    }
}

/// A visitor that does not stop before a limit.
pub fn to_the_end<W>(
    visit: VisitLayer<'_, W>,
) -> impl FnMut(u32, &dyn CompleteLayer<W>) -> Result<ControlFlow<()>, Limit> {
    move |depth, layer| visit(depth, layer).map(ControlFlow::Continue)
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
        visit: VisitLayer<'_, S::State>,
    ) -> Result<Exploration, Unsupported> {
        let search = Search::new(space).starting_from(states).predecessors().ranked();
        let search = search.budget(budget);
        search.explore_layers(to_the_end(visit))
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
    explorer: &impl Explorer<S>,
    budget: &Budget,
    on_layer: OnLayer<'_>,
) -> Result<Explored, Unsupported> {
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
    // Each process has its own memory.
    let mut failures = [u64::from(states.is_err())];
    let summed = sum(budget.storage().cluster(), &mut failures);
    explored.hardest = match (summed, states, failures) {
        (Ok(()), Ok(states), [0]) => {
            let mut last = None;
            let from_goals = explorer.explore(space, &states, budget, &mut |depth, layer| {
                last = Some((depth, LayerSummary::of(layer, boards, |_| false)?));
                Ok(())
            })?;
            // The peaks are those of the first exploration and of the memory of both.
            let Stats { bytes, .. } = from_goals.stats;
            let Stats { peak_frontier, .. } = explored.stats;
            let both = explored.stats.and_then(from_goals.stats);
            explored.stats = Stats { bytes, peak_frontier, ..both };
            let hardest = last.map(|(moves, layer)| layer.extreme(moves, start, show));
            from_goals.limit().map_or(Ok(hardest), Err)
        }
        (Err(limit), ..) => Err(limit),
        (Ok(()), ..) => Err(OutOfMemory.into()),
    };
    Ok(explored)
}

/// The goals of an exploration, if they fit.
type GoalStates<W> = Result<SegmentedVec<W>, OutOfMemory>;

/// Adds a goal.
fn keep<W: Word>(goal_states: &mut GoalStates<W>, state: W) {
    if let Ok(states) = goal_states
        && let Err(out_of_memory) = states.push(state)
    {
        *goal_states = Err(out_of_memory);
    }
}

/// The number of states of all processes that are gathered together: nobody books the memory for them.
const GATHERED: usize = 1 << 15;

/// Adds the goals that several processes have found in a layer. Each of them has to call it.
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
    loop {
        let gathered = layer.gather(chunks.next().unwrap_or_default())?;
        if gathered.is_empty() {
            return Ok(());
        }
        gathered.into_iter().for_each(|state| keep(goal_states, state));
    }
}

/// The states that are reachable from `start`, and the goals among them. `boards` is the number of boards
/// that a state represents.
fn forward<S: StateSpace>(
    space: &S,
    start: S::State,
    show: impl Fn(S::State) -> String,
    boards: impl Fn(S::State) -> u64,
    budget: &Budget,
    on_layer: OnLayer<'_>,
    explore: impl FnOnce(VisitLayer<'_, S::State>) -> Result<Exploration, Unsupported>,
) -> Result<(Explored, GoalStates<S::State>), Unsupported> {
    let no_states = || Ok(SegmentedVec::new(budget.memory()));
    let (mut goal_states, mut goals) = (no_states(), 0);
    let (mut layers, mut last, mut cost) = (Vec::new(), None, None);
    let found = explore(&mut |depth, layer| {
        let mut own = no_states();
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
    })?;
    let explored = Explored {
        layers,
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

/// What is known of a layer, over all processes.
struct LayerSummary<W> {
    /// The number of boards, and of those that are goals.
    boards: u64,
    goals: u64,
    /// The least state; `None` if there is none.
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
    /// The text of each move, as an index into the different ones.
    texts: Vec<u32>,
    different_texts: Vec<String>,
    _held: Reservation,
}

/// A move of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphMove<'a> {
    /// The number of the board before it.
    pub from: u32,
    /// The number of the board after it.
    pub to: u32,
    /// The move as in a plan.
    pub text: &'a str,
}

impl BoardGraph {
    /// Builds the graph of a space. `show` is a board on one line, of at most `line_bytes` bytes, and `move_text`
    /// the move from a board to another one, as in a plan.
    ///
    /// # Errors
    /// The limit that stopped the exploration.
    pub fn of<S: StateSpace<State = W>, W: Word>(
        space: &S,
        is_directed: bool,
        line_bytes: usize,
        show: impl Fn(W) -> String,
        move_text: impl Fn(W, W) -> String,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let graph = Graph::of(space, budget)?;
        let mut held = Reservation::none(budget.memory());
        let board_bytes = size_of::<(u32, bool, String)>() + line_bytes;
        held.grow((graph.len() * board_bytes + graph.edges() * size_of::<u32>()) as u64)?;
        let mut depths = vec![0; graph.len()];
        graph.distances([0], &mut depths, &mut Vec::new());
        let mut meter = budget.meter();
        // The same moves occur on many boards.
        let (mut texts, mut numbers) = (Vec::with_capacity(graph.edges()), BTreeMap::new());
        for (number, &state) in (0..).zip(graph.states()) {
            for &next in graph.successors(number) {
                meter.poll()?;
                let (text, new) =
                    (move_text(state, graph.states()[next as usize]), numbers.len() as u32);
                texts.push(*numbers.entry(text).or_insert(new));
            }
        }
        let mut different_texts = vec![String::new(); numbers.len()];
        numbers.into_iter().for_each(|(text, number)| different_texts[number as usize] = text);
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
            texts,
            different_texts,
            _held: held,
        })
    }

    /// The moves from a board.
    pub fn moves_from(&self, from: u32) -> impl Iterator<Item = GraphMove<'_>> + '_ {
        let moves = (self.edges.first_move(from)..).zip(self.edges.successors(from));
        moves.map(move |(index, &to)| {
            let text = &self.different_texts[self.texts[index] as usize];
            GraphMove { from, to, text }
        })
    }

    /// All moves. If all of them can be undone, a move and its inverse occur once, from the board with the lesser
    /// number.
    pub fn moves(&self) -> impl Iterator<Item = GraphMove<'_>> + '_ {
        let moves = (0..self.boards.len() as u32).flat_map(|from| self.moves_from(from));
        moves.filter(|by| self.is_directed || by.from < by.to)
    }
}
