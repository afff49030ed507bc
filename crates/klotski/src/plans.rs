//! All shortest plans of a puzzle, and measures of its difficulty.

use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::graph::Graph;
use fewest_core::memory::allocation_bytes;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::Search;
use fewest_core::search::all_shortest::{PlanGraph, ShortestPlans};
use fewest_core::{StateSpace, Word};
use fewest_puzzle::SolveError;
use fewest_puzzle::count_plans::CountPlans;
use fewest_puzzle::rank::{Difficulty, Published, Rank};
use fewest_rules::{Verified, verify};

use crate::instance::Instance;
use crate::plan::Slide;
use crate::plan_moves::PlanMoves;
use crate::solve::{check_encoding, plan_through};
use crate::space::BoardSpace;
use crate::task::Task;
use crate::with_space;

impl CountPlans for Task {
    /// Two plans are the same if they go through the same boards, where boards that differ in
    /// interchangeable pieces only are the same.
    fn list_shortest_plans(
        &self,
        max_plans: usize,
        budget: &Budget,
    ) -> Result<Outcome<ShortestPlans<Verified<Self>>>, SolveError> {
        let listed = with_space!(check_encoding(self)?, |space| {
            Search::new(space).budget(budget).all_shortest().try_map(|all| {
                all.list(max_plans, budget, |states| {
                    let plan = plan_through(space, self, states);
                    let path_bytes = |slide: &Slide| allocation_bytes(slide.path.capacity());
                    let bytes = plan.capacity() * size_of::<Slide>()
                        + plan.iter().map(path_bytes).sum::<usize>();
                    Ok::<_, SolveError>((verify(self, plan)?, bytes))
                })
            })
        });
        listed.unwrap_or_else(|limit| Ok(Outcome::stopped(limit, budget)))
    }
}

impl Rank for Task {
    fn difficulty(&self, budget: &Budget) -> Result<Option<Difficulty>, SolveError> {
        Ok(difficulty(check_encoding(self)?, budget)?)
    }

    fn published(&self) -> Option<Published> {
        self.instance.published()
    }
}

/// As [`Rank::difficulty`] for an encoding that fits.
pub(crate) fn difficulty(task: &Task, budget: &Budget) -> Result<Option<Difficulty>, Limit> {
    with_space!(task, |space| difficulty_in(space, &task.instance, budget)?)
}

fn difficulty_in<S: BoardSpace>(
    space: &S,
    instance: &Instance,
    budget: &Budget,
) -> Result<Option<Difficulty>, Limit> {
    let Some(plans) = shortest_plans(space, None, budget)? else { return Ok(None) };
    let moves = PlanMoves::new(space, &plans, budget)?;
    let graph = Graph::of(space, budget)?;
    let numbers = 0..graph.len() as u32;
    Ok(Some(Difficulty {
        moves: plans.cost(),
        plans: plans.count(),
        unique: moves.is_unique(budget)?,
        forced: forced_share(&plans),
        idle: moves.idle_pieces(instance),
        boards: graph.len() as u64,
        dead_ends: numbers.filter(|&number| graph.edges().successors(number).len() == 1).count()
            as u64,
    }))
}

/// The graph of all shortest plans, from other states if there are `starts`; `None` if there is no
/// plan.
pub(crate) fn shortest_plans<S: StateSpace>(
    space: &S,
    starts: Option<&[S::State]>,
    budget: &Budget,
) -> Result<Option<PlanGraph<S::State>>, Limit> {
    let search = Search::new(space).budget(budget);
    let search = match starts {
        Some(starts) => search.starting_from(starts),
        None => search,
    };
    match search.all_shortest().verdict {
        Verdict::Solved { plan, .. } => Ok(Some(plan)),
        Verdict::Unsolvable => Ok(None),
        Verdict::Stopped { limit, .. } => Err(limit),
    }
}

fn forced_share<W: Word>(plans: &PlanGraph<W>) -> f64 {
    let nodes = || plans.nodes().iter().filter(|node| !node.next.is_empty());
    match nodes().count() {
        0 => 1.0,
        all => nodes().filter(|node| node.next.len() == 1).count() as f64 / all as f64,
    }
}
