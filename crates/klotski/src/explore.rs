//! The boards that are reachable from a board: how many there are, how far away they are, and which
//! of them are hardest to solve.
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_klotski::{Instance, Metric, Task, explore::explore};
//!
//! let layout = Instance::read("横刀立马".as_bytes()).next().unwrap().unwrap();
//! let task = Task::new(layout, Metric::Rectilinear);
//! let component = explore(&task, &Budget::unlimited()).unwrap();
//! assert_eq!((component.boards, component.goals), (25_955, 964));
//! assert_eq!((component.farthest.moves, component.farthest.boards), (124, 8));
//! let hardest = component.hardest.unwrap().unwrap();
//! assert_eq!((hardest.moves, hardest.boards), (93, 2));
//! ```

use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::diameter::{self, Diameter, Progress};
use fewest_core::explore::graph::{Edges, Graph};
use fewest_core::explore::{Exploration, explore_with};
use fewest_core::memory::{Block, Reservation, SegmentedVec};
use fewest_core::space::StartingFrom;
use fewest_core::stats::Stats;
use fewest_core::symmetry::Folded;
use fewest_core::visited::Adaptive;

use crate::board::Board;
use crate::instance::Instance;
use crate::solve::{SpaceVisitor, with_space};
use crate::space::{Boards, unpack};
use crate::task::Task;

/// The boards that are reachable from a start board. Boards that differ in interchangeable pieces
/// only count as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// The number of boards.
    pub boards: u64,
    /// The number of solved boards.
    pub goals: u64,
    /// The number of boards at each depth from the start. If `limit` is `None`, the last depth is
    /// the eccentricity of the start.
    pub layers: Vec<u64>,
    /// The boards that are farthest from the start.
    pub farthest: Extreme,
    /// The boards that are farthest from the nearest goal; `Ok(None)` if no goal is reachable, or
    /// the limit that stopped the exploration or the search for these boards.
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
    /// One of these boards.
    pub board: Board,
}

/// Explores all boards that are reachable from the board of a puzzle.
///
/// If the board is its own mirror image, only one board of each pair of mirror images is visited.
/// The counts are the same as without this reduction.
///
/// # Errors
/// [`Limit::Encoding`] if a state takes more than 128 bits.
pub fn explore(task: &Task, budget: &Budget) -> Result<Component, Limit> {
    with_space(task, ExploreComponent { instance: &task.instance, budget })
}

struct ExploreComponent<'a> {
    instance: &'a Instance,
    budget: &'a Budget,
}

impl SpaceVisitor for ExploreComponent<'_> {
    type Output = Component;

    fn visit<S: Boards>(self, space: &S) -> Component {
        let Self { instance, budget } = self;
        let (mut goal_states, mut goals) = (SegmentedVec::new(budget.memory()), 0);
        let mut stored = Ok(());
        let mut last = LastLayer::empty();
        let folded = can_fold(space, instance);
        let start = [space.pack(instance.board())];
        let found = explore_from(space, &start, folded, budget, |depth, state, boards| {
            last.add(depth, state);
            if space.is_goal(state) {
                goals += boards;
                stored = stored.and_then(|()| goal_states.push(state));
            }
        });
        let extreme = |found: &Exploration, last: LastLayer<S::State>| Extreme {
            moves: last.depth,
            boards: found.layers.last().copied().unwrap_or(0),
            board: last.least.map_or_else(
                || instance.board().clone(),
                |state| unpack(space, instance.board(), state),
            ),
        };
        let mut component = Component {
            boards: found.states(),
            goals,
            farthest: extreme(&found, last),
            hardest: found.limit.map_or(Ok(None), Err),
            limit: found.limit,
            layers: found.layers,
            stats: found.stats,
        };
        if component.limit.is_some() || goals == 0 {
            return component;
        }
        let mut last = LastLayer::empty();
        let from_goals =
            stored.and_then(|()| Block::of(&goal_states, budget.memory())).map(|goal_states| {
                explore_from(space, &goal_states, folded, budget, |depth, state, _| {
                    last.add(depth, state)
                })
            });
        component.hardest = match from_goals {
            Ok(from_goals) => {
                component.stats.expanded += from_goals.stats.expanded;
                component.stats.generated += from_goals.stats.generated;
                component.stats.duplicates += from_goals.stats.duplicates;
                component.stats.bytes = from_goals.stats.bytes;
                from_goals.limit.map_or_else(|| Ok(Some(extreme(&from_goals, last))), Err)
            }
            Err(out_of_memory) => Err(out_of_memory.into()),
        };
        component
    }
}

/// Counts the boards at each depth from the board of a puzzle, as [`explore`] does, but without the
/// search from the goals.
///
/// # Errors
/// [`Limit::Encoding`] if a state takes more than 128 bits.
pub fn count_boards(task: &Task, budget: &Budget) -> Result<Exploration, Limit> {
    with_space(task, CountBoards { instance: &task.instance, budget })
}

struct CountBoards<'a> {
    instance: &'a Instance,
    budget: &'a Budget,
}

impl SpaceVisitor for CountBoards<'_> {
    type Output = Exploration;

    fn visit<S: Boards>(self, space: &S) -> Exploration {
        let start = space.pack(self.instance.board());
        let folded = can_fold(space, self.instance);
        explore_from(space, &[start], folded, self.budget, |_, _, _| {})
    }
}

/// The depth of the deepest layer so far, and its least state.
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
}

/// Whether symmetry reduction applies to the boards that are reachable from the board of an
/// instance: the board is its own mirror image, so the mirror image of each reachable board is
/// reachable, too.
fn can_fold<S: Boards>(space: &S, instance: &Instance) -> bool {
    let start = space.pack(instance.board());
    space.is_symmetric() && space.image(start) == start
}

/// Explores from several states. `visit` gets the depth of each visited state, the state, and the
/// number of boards that it represents. The layers are counted in boards.
fn explore_from<S: Boards>(
    space: &S,
    states: &[S::State],
    folded: bool,
    budget: &Budget,
    mut visit: impl FnMut(u32, S::State, u64),
) -> Exploration {
    let start = StartingFrom { space, states };
    if !folded {
        return explore_with::<Adaptive<_>, _>(&start, budget, |depth, state| {
            visit(depth, state, 1)
        });
    }
    let mut layers = Vec::new();
    let found = explore_with::<Adaptive<_>, _>(&Folded(&start), budget, |depth, state| {
        let boards = if space.image(state) == state { 1 } else { 2 };
        if depth as usize == layers.len() {
            layers.push(0);
        }
        layers[depth as usize] += boards;
        visit(depth, state, boards);
    });
    Exploration { layers, ..found }
}

/// Computes the diameter and the radius of the component of a puzzle, from its [`Graph`].
/// `progress` is called after each search.
///
/// # Errors
/// The limit that stopped the computation, or [`Limit::Encoding`] if a state takes more than 128
/// bits.
pub fn diameter(
    task: &Task,
    budget: &Budget,
    progress: impl FnMut(Progress),
) -> Result<Diameter, Limit> {
    with_space(task, ComputeDiameter { budget, progress })?
}

struct ComputeDiameter<'a, F> {
    budget: &'a Budget,
    progress: F,
}

impl<F: FnMut(Progress)> SpaceVisitor for ComputeDiameter<'_, F> {
    type Output = Result<Diameter, Limit>;

    fn visit<S: Boards>(self, space: &S) -> Self::Output {
        diameter::diameter(&Graph::of(space, self.budget)?, self.budget, self.progress)
    }
}

/// The component of a puzzle as a graph. The boards are numbered from 0, which is the start.
pub struct ComponentGraph {
    /// The distance of each board from the start.
    pub depths: Vec<u32>,
    /// Whether each board is solved.
    pub solved: Vec<bool>,
    /// The boards, each as rows separated by `/`.
    pub boards: Vec<String>,
    edges: Edges,
    _held: Reservation,
}

impl ComponentGraph {
    /// The numbers of the boards that one move leads to.
    pub fn successors(&self, number: u32) -> &[u32] {
        self.edges.successors(number)
    }

    /// Each move once, as the numbers of its two boards, the lesser first.
    pub fn moves(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let numbers = 0..self.boards.len() as u32;
        let moves =
            numbers.flat_map(|one| self.successors(one).iter().map(move |&other| (one, other)));
        moves.filter(|(one, other)| one < other)
    }
}

/// Computes the graph of the component of a puzzle, for export to other programs.
///
/// # Errors
/// The limit that stopped the computation, or [`Limit::Encoding`] if a state takes more than 128
/// bits.
pub fn component_graph(task: &Task, budget: &Budget) -> Result<ComponentGraph, Limit> {
    with_space(task, ExportGraph { instance: &task.instance, budget })?
}

struct ExportGraph<'a> {
    instance: &'a Instance,
    budget: &'a Budget,
}

impl SpaceVisitor for ExportGraph<'_> {
    type Output = Result<ComponentGraph, Limit>;

    fn visit<S: Boards>(self, space: &S) -> Self::Output {
        let graph = Graph::of(space, self.budget)?;
        let mut held = Reservation::none(self.budget.memory());
        let board_bytes = size_of::<(u32, bool, String)>() + self.instance.board().row_text().len();
        held.grow((graph.len() * board_bytes) as u64)?;
        let mut depths = vec![0; graph.len()];
        graph.distances([0], &mut depths, &mut Vec::new());
        let mut meter = self.budget.meter();
        let board = |&state: &S::State| {
            meter.poll()?;
            Ok(unpack(space, self.instance.board(), state).row_text())
        };
        Ok(ComponentGraph {
            depths,
            boards: graph.states().iter().map(board).collect::<Result<_, Limit>>()?,
            solved: graph.states().iter().map(|&state| space.is_goal(state)).collect(),
            edges: graph.into_edges(),
            _held: held,
        })
    }
}
