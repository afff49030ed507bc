//! Every shortest plan of a puzzle, and what they say of how hard it is.

use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::graph::Graph;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::all_shortest::{self, PlanGraph, ShortestPlans};
use fewest_core::visited::Adaptive;
use fewest_core::{StateSpace, Word};

use crate::instance::Instance;
use crate::plan::{Metric, Plan, Slide};
use crate::plan_moves::PlanMoves;
use crate::rules::Refusal;
use crate::solve::{Encoding, Question, accepted, ask};
use crate::space::Boards;

/// Counts all shortest plans, and lists the first `most`, in a fixed order.
///
/// # Errors
/// If the rules refuse a plan: a fault of this program.
pub fn every(
    puzzle: &Instance,
    metric: Metric,
    encoding: Option<Encoding>,
    most: usize,
    budget: &Budget,
) -> Result<Outcome<ShortestPlans<Plan>>, Refusal> {
    ask(puzzle, metric, encoding, CountAll { puzzle, metric, most, budget })
        .unwrap_or_else(|limit| Ok(Outcome::stopped(limit, budget)))
}

/// What allocators take for the few bytes of a way.
const LEAST_ALLOCATION: usize = 32;

struct CountAll<'a> {
    puzzle: &'a Instance,
    metric: Metric,
    most: usize,
    budget: &'a Budget,
}

impl Question for CountAll<'_> {
    type Answer = Result<Outcome<ShortestPlans<Plan>>, Refusal>;

    fn ask<S: Boards>(self, space: &S) -> Self::Answer {
        let Self { puzzle, metric, most, budget } = self;
        all_shortest::search::<Adaptive<_>, _>(space, budget).try_map(|all| {
            all.list(most, budget, |states| {
                let plan = accepted(space, puzzle, metric, states)?;
                let way = |slide: &Slide| slide.way.capacity().max(LEAST_ALLOCATION);
                let bytes =
                    plan.capacity() * size_of::<Slide>() + plan.iter().map(way).sum::<usize>();
                Ok((plan, bytes))
            })
        })
    }
}

/// How hard a puzzle is, beyond the number of its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Difficulty {
    /// The fewest moves.
    pub moves: u32,
    /// How many shortest plans there are, as sequences of boards; `None` if they are 2^128 or more.
    pub plans: Option<u128>,
    /// Whether the shortest plans differ only in the order of moves that can be exchanged: of two
    /// moves in a row by different pieces, the one can be made before the other, too, with the same
    /// board after both.
    pub unique: bool,
    /// Of the boards that shortest plans go through, the goals apart, the share from which only one
    /// move keeps to a shortest plan; 1 if there are none.
    pub forced: f64,
    /// The pieces that no shortest plan moves, in the order of the board.
    pub idle: Vec<char>,
    /// The boards that can be reached.
    pub boards: u64,
    /// Those of them from which only one move leads on: back.
    pub dead_ends: u64,
}

/// The difficulty of a puzzle; `None` if it has no plan.
///
/// # Errors
/// The limit that ended the search for it.
pub fn difficulty(
    puzzle: &Instance,
    metric: Metric,
    encoding: Option<Encoding>,
    budget: &Budget,
) -> Result<Option<Difficulty>, Limit> {
    ask(puzzle, metric, encoding, HowHard { puzzle, budget })?
}

struct HowHard<'a> {
    puzzle: &'a Instance,
    budget: &'a Budget,
}

impl Question for HowHard<'_> {
    type Answer = Result<Option<Difficulty>, Limit>;

    fn ask<S: Boards>(self, space: &S) -> Self::Answer {
        let Some(plans) = shortest_plans(space, self.budget)? else { return Ok(None) };
        let moves = PlanMoves::new(space, &plans, self.budget)?;
        let graph = Graph::of(space, self.budget)?;
        let numbers = 0..graph.len() as u32;
        Ok(Some(Difficulty {
            moves: plans.layers().len() as u32 - 1,
            plans: plans.count(),
            unique: moves.is_unique(self.budget)?,
            forced: forced(&plans),
            idle: moves.idle(self.puzzle),
            boards: graph.len() as u64,
            dead_ends: numbers.filter(|&number| graph.successors(number).len() == 1).count() as u64,
        }))
    }
}

/// All shortest plans, if there is one.
pub(crate) fn shortest_plans<S: StateSpace>(
    space: &S,
    budget: &Budget,
) -> Result<Option<PlanGraph<S::State>>, Limit> {
    match all_shortest::search::<Adaptive<_>, _>(space, budget).verdict {
        Verdict::Solved { plan, .. } => Ok(Some(plan)),
        Verdict::Unsolvable => Ok(None),
        Verdict::Stopped { limit, .. } => Err(limit),
    }
}

fn forced<W: Word>(plans: &PlanGraph<W>) -> f64 {
    let node = || plans.layers().iter().flatten().filter(|state| !state.next.is_empty());
    match node().count() {
        0 => 1.0,
        all => node().filter(|state| state.next.len() == 1).count() as f64 / all as f64,
    }
}
