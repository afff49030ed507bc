//! What can be reached from a board: how much, how far, and from where it is hardest to solve.
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_klotski::{Instance, Metric, explore::explore};
//!
//! let layout = Instance::read("横刀立马".as_bytes()).next().unwrap().unwrap();
//! let component = explore(&layout, Metric::Rectilinear, None, &Budget::unlimited()).unwrap();
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
use crate::plan::Metric;
use crate::solve::{Encoding, Question, ask};
use crate::space::{Boards, unpack};

/// What can be reached from a board. Boards that differ only in which of equal pieces is where are
/// one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// How many boards.
    pub boards: u64,
    /// How many of them are solved.
    pub goals: u64,
    /// How many are how many moves away from the start; the last is its eccentricity.
    pub layers: Vec<u64>,
    /// Those that are farthest from the start.
    pub farthest: Extreme,
    /// Those that are farthest from the nearest goal, if there is one; or what ended the search for
    /// them.
    pub hardest: Result<Option<Extreme>, Limit>,
    /// What ended the exploration before all boards were met; the rest is of the layers that are
    /// complete then.
    pub limit: Option<Limit>,
    /// The work.
    pub stats: Stats,
}

/// Boards that are farthest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extreme {
    /// How far.
    pub moves: u32,
    /// How many boards are as far.
    pub boards: u64,
    /// One of them.
    pub board: Board,
}

/// Explores all that can be reached from a board.
///
/// A board that is its own mirror image is explored with mirror images folded into one; the counts
/// are those without.
///
/// # Errors
/// [`Limit::Encoding`] if its states have more than 128 bits.
pub fn explore(
    puzzle: &Instance,
    metric: Metric,
    encoding: Option<Encoding>,
    budget: &Budget,
) -> Result<Component, Limit> {
    ask(puzzle, metric, encoding, Explore { puzzle, budget })
}

struct Explore<'a> {
    puzzle: &'a Instance,
    budget: &'a Budget,
}

impl Question for Explore<'_> {
    type Answer = Component;

    fn ask<S: Boards>(self, space: &S) -> Component {
        let Self { puzzle, budget } = self;
        let (mut states, mut goals, mut out) = (SegmentedVec::new(budget.memory()), 0, Ok(()));
        let mut last = Last::none();
        let folded = is_folded(space, puzzle);
        let found =
            walk(space, &[space.pack(puzzle.board())], folded, budget, |depth, state, boards| {
                last.add(depth, state);
                if space.is_goal(state) {
                    goals += boards;
                    out = out.and_then(|()| states.push(state));
                }
            });
        let extreme = |found: &Exploration, last: Last<S::State>| Extreme {
            moves: last.depth,
            boards: found.layers.last().copied().unwrap_or(0),
            board: last.least.map_or_else(
                || puzzle.board().clone(),
                |state| unpack(space, puzzle.board(), state),
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
        let mut last = Last::none();
        let back = out.and_then(|()| Block::of(&states, budget.memory())).map(|goals| {
            walk(space, &goals, folded, budget, |depth, state, _| last.add(depth, state))
        });
        component.hardest = match back {
            Ok(back) => {
                component.stats.expanded += back.stats.expanded;
                component.stats.generated += back.stats.generated;
                component.stats.duplicates += back.stats.duplicates;
                component.stats.bytes = back.stats.bytes;
                back.limit.map_or_else(|| Ok(Some(extreme(&back, last))), Err)
            }
            Err(out) => Err(out.into()),
        };
        component
    }
}

/// How many boards are how many moves away from a board: what [`explore`] counts, without the way
/// back from the goals.
///
/// # Errors
/// [`Limit::Encoding`] if the states have more than 128 bits.
pub fn count(
    puzzle: &Instance,
    metric: Metric,
    encoding: Option<Encoding>,
    budget: &Budget,
) -> Result<Exploration, Limit> {
    ask(puzzle, metric, encoding, Count { puzzle, budget })
}

struct Count<'a> {
    puzzle: &'a Instance,
    budget: &'a Budget,
}

impl Question for Count<'_> {
    type Answer = Exploration;

    fn ask<S: Boards>(self, space: &S) -> Exploration {
        let start = space.pack(self.puzzle.board());
        walk(space, &[start], is_folded(space, self.puzzle), self.budget, |_, _, _| {})
    }
}

/// The depth of the last states of a walk, and the least of them.
struct Last<W> {
    depth: u32,
    least: Option<W>,
}

impl<W: Ord + Copy> Last<W> {
    fn none() -> Self {
        Self { depth: 0, least: None }
    }

    fn add(&mut self, depth: u32, state: W) {
        let least = self.least.filter(|_| depth == self.depth);
        *self = Self { depth, least: Some(least.map_or(state, |least| least.min(state))) };
    }
}

/// Whether what can be reached from the board of a puzzle is the same as what can be reached from
/// its mirror image.
fn is_folded<S: Boards>(space: &S, puzzle: &Instance) -> bool {
    let start = space.pack(puzzle.board());
    space.is_symmetric() && space.image(start) == start
}

/// Shows each state that can be reached from some, with its depth and how many boards it stands
/// for. The layers are counted in boards.
fn walk<S: Boards>(
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

/// Diameter and radius of all that can be reached from a board, by way of a [`Graph`].
///
/// # Errors
/// The limit that ended the search for them, or [`Limit::Encoding`] if the states have more than
/// 128 bits.
pub fn diameter(
    puzzle: &Instance,
    metric: Metric,
    encoding: Option<Encoding>,
    budget: &Budget,
    progress: impl FnMut(Progress),
) -> Result<Diameter, Limit> {
    ask(puzzle, metric, encoding, Extent { budget, progress })?
}

struct Extent<'a, F> {
    budget: &'a Budget,
    progress: F,
}

impl<F: FnMut(Progress)> Question for Extent<'_, F> {
    type Answer = Result<Diameter, Limit>;

    fn ask<S: Boards>(self, space: &S) -> Self::Answer {
        diameter::diameter(&Graph::of(space, self.budget)?, self.budget, self.progress)
    }
}

/// All boards that can be reached from one, by number, with the moves from each to others.
pub struct Network {
    /// How far each board is from the start, which is the first.
    pub depths: Vec<u32>,
    /// Whether it is solved.
    pub solved: Vec<bool>,
    /// The boards, each as rows with `/` between them.
    pub boards: Vec<String>,
    edges: Edges,
    _held: Reservation,
}

impl Network {
    /// The numbers of the boards that a move makes of a board.
    pub fn successors(&self, number: u32) -> &[u32] {
        self.edges.successors(number)
    }

    /// Of each move the numbers of its boards, the lesser first.
    pub fn moves(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let numbers = 0..self.boards.len() as u32;
        let moves =
            numbers.flat_map(|one| self.successors(one).iter().map(move |&other| (one, other)));
        moves.filter(|(one, other)| one < other)
    }
}

/// The boards that can be reached, with the moves between them, for other programs.
///
/// # Errors
/// The limit that ended it, or [`Limit::Encoding`] if the states have more than 128 bits.
pub fn network(
    puzzle: &Instance,
    metric: Metric,
    encoding: Option<Encoding>,
    budget: &Budget,
) -> Result<Network, Limit> {
    ask(puzzle, metric, encoding, Export { puzzle, budget })?
}

struct Export<'a> {
    puzzle: &'a Instance,
    budget: &'a Budget,
}

impl Question for Export<'_> {
    type Answer = Result<Network, Limit>;

    fn ask<S: Boards>(self, space: &S) -> Self::Answer {
        let graph = Graph::of(space, self.budget)?;
        let mut held = Reservation::none(self.budget.memory());
        let board = size_of::<(u32, bool, String)>() + self.puzzle.board().row_text().len();
        held.grow((graph.len() * board) as u64)?;
        let mut depths = vec![0; graph.len()];
        graph.distances([0], &mut depths, &mut Vec::new());
        let mut meter = self.budget.meter();
        let board = |&state: &S::State| {
            meter.poll()?;
            Ok(unpack(space, self.puzzle.board(), state).row_text())
        };
        Ok(Network {
            depths,
            boards: graph.states().iter().map(board).collect::<Result<_, Limit>>()?,
            solved: graph.states().iter().map(|&state| space.is_goal(state)).collect(),
            edges: graph.into_edges(),
            _held: held,
        })
    }
}
