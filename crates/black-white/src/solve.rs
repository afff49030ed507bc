//! The choice of the algorithm, and its reasons.
//!
//! By default there is no search: a minimum-cost flow (`flow.rs`) gives a shortest plan, on boards
//! of any size. The engines serve as a reference for tests and measurements. They take boards of at
//! most 64 cells.

use std::any::Any;
use std::ops::ControlFlow;

use fewest_core::StateSpace;
use fewest_core::budget::Budget;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::all_shortest::ShortestPlans;
use fewest_core::search::{Answer, Engine, Search};
use fewest_puzzle::SolveError;
use fewest_puzzle::count_plans::CountPlans;
use fewest_rules::{Rules, Verified, verify};

use crate::flow::{self, Flow, FlowStopped};
use crate::heuristic::Crossings;
use crate::instance::Instance;
use crate::plan::Plan;
use crate::space::{MAX_SEARCHED_CELLS, Space};

/// The engines for boards: all of them.
pub const ENGINES: &[Engine] = &Engine::ALL;

/// Finds a shortest plan, or proves that there is none. If `engine` is `None`, the plan is computed
/// as a minimum-cost flow.
///
/// # Errors
/// If an engine is given and the board has more than [`MAX_SEARCHED_CELLS`] cells; if the rules
/// reject the plan that was found, which is a bug in this crate.
pub fn solve(
    instance: &Instance,
    engine: Option<Engine>,
    budget: &Budget,
) -> Result<Answer<Verified<Instance>>, SolveError> {
    let (outcome, engine) = match engine {
        None => (solve_by_flow(instance, budget), FLOW),
        Some(engine) => {
            let space = space_for(instance, &format!("--engine {engine}"))?;
            let chain = search(instance, &space, engine, budget)?;
            (chain.map(|chain| plan_of(&space, &chain)), engine.name())
        }
    };
    Ok(Answer { outcome: outcome.try_map(|plan| verify(instance, plan))?, engine })
}

/// The space of a board that is small enough for a search, which `option` asks for.
pub(crate) fn space_for(instance: &Instance, option: &str) -> Result<Space, SolveError> {
    Space::new(instance).ok_or_else(|| {
        let (most, cells) = (MAX_SEARCHED_CELLS, instance.size().len());
        SolveError::unsupported(format!(
            "{option} takes boards of at most {most} cells, and these have {cells}"
        ))
    })
}

/// Computes the cost of a shortest plan without the plan, which takes less time than [`solve`].
pub fn solve_cost(instance: &Instance, budget: &Budget) -> Answer<()> {
    let mut meter = budget.meter();
    let verdict = match flow::min_cost(instance, &mut meter) {
        Ok(Some(cost)) => Verdict::Solved { plan: (), cost },
        Ok(None) => Verdict::Unsolvable,
        Err(FlowStopped { limit, lower_bound }) => {
            Verdict::Stopped { limit, lower_bound, best: None }
        }
    };
    Answer { outcome: Outcome::new(verdict, meter.stats()), engine: FLOW }
}

/// The name of the minimum-cost flow in answers, where other answers have the name of an engine.
const FLOW: &str = "flow";

fn solve_by_flow(instance: &Instance, budget: &Budget) -> Outcome<Plan> {
    let mut meter = budget.meter();
    let verdict = match Flow::of_min_cost(instance, &mut meter) {
        Ok(Some(flow)) => {
            let cost = flow.cost;
            match flow.into_plan(instance, &mut meter) {
                Ok(plan) => Verdict::Solved { plan, cost },
                Err(limit) => Verdict::Stopped { limit, lower_bound: cost, best: None },
            }
        }
        Ok(None) => Verdict::Unsolvable,
        Err(FlowStopped { limit, lower_bound }) => {
            Verdict::Stopped { limit, lower_bound, best: None }
        }
    };
    Outcome::new(verdict, meter.stats())
}

fn search(
    instance: &Instance,
    space: &Space,
    engine: Engine,
    budget: &Budget,
) -> Result<Outcome<Vec<u64>>, SolveError> {
    let black_pieces = |board: &[bool]| board.iter().filter(|&&black| black).count();
    if black_pieces(instance.start()) != black_pieces(instance.target()) {
        return Ok(Outcome::new(Verdict::Unsolvable, budget.meter().stats()));
    }
    let crossings = Crossings::new(space);
    let search = Search::new(space).predecessors().goals().ranked().heuristic(&crossings);
    Ok(search.engine(engine)?.budget(budget).run().supported()?)
}

/// The moves along a chain of states. A pair of states without a move between them is left out; the
/// rules then reject the plan.
fn plan_of(space: &Space, chain: &[u64]) -> Plan {
    chain.windows(2).filter_map(|pair| space.exchange(pair[0], pair[1])).collect()
}

impl CountPlans for Instance {
    /// Only boards on shortest plans are expanded; a minimum-cost flow for each successor
    /// determines which these are.
    ///
    /// # Errors
    /// If the board has more than [`MAX_SEARCHED_CELLS`] cells; if the rules reject a plan, which
    /// is a bug in this crate.
    fn list_shortest_plans(
        &self,
        max_plans: usize,
        budget: &Budget,
    ) -> Result<Outcome<ShortestPlans<Verified<Self>>>, SolveError> {
        let space = space_for(self, "--all")?;
        let flow_budget = Budget::unlimited();
        let subspace =
            ShortestPlanSpace { space: &space, instance: self, flow_budget: &flow_budget };
        Search::new(&subspace).budget(budget).all_shortest().try_map(|all| {
            all.list(max_plans, budget, |states| {
                let plan = verify(self, plan_of(&space, states))?;
                let bytes = size_of_val(&plan[..]);
                Ok::<_, SolveError>((plan, bytes))
            })
        })
    }
}

/// The space restricted to the moves of shortest plans: those that decrease the distance to the
/// target.
struct ShortestPlanSpace<'a> {
    space: &'a Space,
    instance: &'a Instance,
    /// The flows have their own budget without limits, because a flow on at most 64 cells takes
    /// little time and memory.
    flow_budget: &'a Budget,
}

impl ShortestPlanSpace<'_> {
    /// The distance from a state to the target; `None` if there is no plan.
    fn distance(&self, state: u64) -> Option<u32> {
        let instance = self.instance.with_board(self.space.unpack(state))?;
        flow::min_cost(&instance, &mut self.flow_budget.meter()).ok()?
    }
}

impl StateSpace for ShortestPlanSpace<'_> {
    type State = u64;
    type Move = ();

    fn initial(&self, emit: impl FnMut(u64)) {
        self.space.initial(emit);
    }

    fn is_goal(&self, state: u64) -> bool {
        self.space.is_goal(state)
    }

    fn successors<B>(
        &self,
        state: u64,
        last: Option<()>,
        mut emit: impl FnMut((), u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(distance) = self.distance(state) else { return ControlFlow::Continue(()) };
        self.space.successors(state, last, |by, next| {
            if self.distance(next).is_some_and(|next_distance| next_distance < distance) {
                emit(by, next)
            } else {
                ControlFlow::Continue(())
            }
        })
    }
}

/// The instance that starts with a state of a search.
pub(crate) fn at_state(boards: &Instance, state: &dyn Any) -> Option<Instance> {
    boards.with_board(Space::new(boards)?.unpack(*state.downcast_ref()?))
}

#[cfg(test)]
mod tests {
    use fewest_rules::Refusal;

    use super::*;
    use crate::instance::Size;

    #[test]
    fn plans_are_replayed_by_the_rules() {
        let size = Size::new(1, 4).expect("a size");
        let boards =
            Instance::read(b"1000 0010", size).next().expect("a data set").expect("no error");
        let space = Space::new(&boards).expect("4 bits");
        let replayed = |chain: &[u64]| verify(&boards, plan_of(&space, chain));
        assert_eq!(replayed(&[0b0001, 0b0010, 0b0100]).map(|plan| plan.len()), Ok(2));
        assert!(matches!(replayed(&[0b0001, 0b0100]), Err(Refusal::Illegal { number: 1, .. })));
        assert!(matches!(replayed(&[0b0001, 0b0010]), Err(Refusal::Unsolved { moves: 1, .. })));
        assert!(replayed(&[0b0001, 0b1110, 0b0100]).is_err());
    }
}
