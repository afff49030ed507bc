//! Finds shortest plans: the choice between the searches, and the replay of their plans.
//!
//! By default, a sequence of stages raises a lower bound and looks for plans until the shortest
//! plan found has as many steps as the lower bound:
//!
//! 1. Prioritised planning for a plan whose number of steps is the greatest distance of a ghost to
//!    its goal. This solves most instances, because few ghosts interfere with one another.
//! 2. If it fails, a test of [whether there is a plan](crate::feasibility).
//! 3. [Tables](crate::tables) of the pairs of ghosts that interfere. If two ghosts have to pass
//!    each other in a corridor, the distances of the single ghosts are too low, and the table of
//!    the pair is exact. After each table, prioritised planning runs again if the lower bound has
//!    risen, and then the joint search with a limit, because one or two tables are often enough.
//! 4. If the joint search exceeds its limit, tables of three ghosts. With more than three ghosts,
//!    only ghosts that interfere are searched jointly.
//!
//! Before a stage that may take very long, [LaCAM](crate::lacam) finds some plan, in case the
//! budget runs out: before the third stage on a large map or with many ghosts, before the fourth
//! with more than three ghosts.
//!
//! The statistics count boards of all searches, and the entries of the tables, as states.
//!
//! The engines of core search the joint state space and use none of these stages, so they serve as
//! a check. They are limited by the budget, because three ghosts on an official map have a million
//! states, and by the [number of ghosts](crate::space::max_ghosts) that fit a word.

use std::any::Any;

use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::{Answer, Engine, Search};
use fewest_geometry::Cell;
use fewest_puzzle::SolveError;
use fewest_rules::{Verified, verify};

use crate::bounds::{Bounds, Positions};
use crate::heuristic::FarthestGhost;
use crate::instance::{Ghost, Instance};
use crate::plan::{Plan, plan_through};
use crate::single_agent::SingleAgent;
use crate::solver::Solver;
use crate::space::{max_ghosts, with_space};

/// Finds a shortest plan, or proves that there is none. With `engine`, one of core's engines
/// searches the joint state space; with `None`, the stages of the module documentation run. The
/// plan is replayed before it is returned.
///
/// A search that a limit stops returns a lower bound, and the shortest plan found so far if there
/// is one. The limit is [`Limit::Encoding`] if the state of a group of ghosts that have to be
/// searched jointly does not fit a word.
///
/// # Errors
/// If an engine is given and there are more than [`max_ghosts`]; if the rules refuse the plan that
/// was found, which is a bug in this crate.
pub fn solve(
    instance: &Instance,
    engine: Option<Engine>,
    budget: &Budget,
) -> Result<Answer<Verified<Instance>>, SolveError> {
    check_engine(instance, engine)?;
    let (outcome, engine) = match engine {
        Some(engine) => (search(instance, engine, budget)?.map(plan_of), engine.name()),
        None => (solve_in_stages(instance, budget), "joint"),
    };
    Ok(Answer { outcome: outcome.try_map(|plan| verify(instance, plan))?, engine })
}

/// Returns an error if there are too many ghosts for an engine.
fn check_engine(instance: &Instance, engine: Option<Engine>) -> Result<(), SolveError> {
    let (ghosts, most) = (instance.ghosts().len(), max_ghosts(instance.corridor_cell_count()));
    engine.filter(|_| ghosts > most).map_or(Ok(()), |engine| {
        Err(SolveError::Unsupported {
            what: format!(
                "--engine {engine} takes at most {most} ghosts on a map of this size, and there \
                 are {ghosts}"
            ),
            hint: Some("the default without --engine has no such limit"),
        })
    })
}

/// The plan through these boards. If two of them are more than a step apart, the rules refuse the
/// empty plan.
fn plan_of(boards: impl IntoIterator<Item = Vec<Cell>>) -> Plan {
    plan_through(boards).unwrap_or_default()
}

fn solve_in_stages(instance: &Instance, budget: &Budget) -> Outcome<Plan> {
    let mut meter = budget.meter();
    let mut solve = || -> Result<Verdict<Plan>, Limit> {
        let single_agent = SingleAgent::new(instance, &mut meter)?;
        let plan_of = |plan: Vec<Positions>| {
            let board =
                |cells: Positions| cells.into_iter().map(|cell| single_agent.cell(cell)).collect();
            plan_of(plan.into_iter().map(board))
        };
        let mut solver = Solver::new(&single_agent);
        Ok(match solver.solve(&mut meter) {
            Ok(Some(plan)) => {
                let plan = plan_of(plan);
                Verdict::Solved { cost: plan.len() as u32, plan }
            }
            Ok(None) => Verdict::Unsolvable,
            Err(limit) => {
                let Bounds { lower, best, .. } = solver.bounds;
                let with_cost = |plan: Plan| {
                    let cost = plan.len() as u32;
                    (plan, cost)
                };
                let best = best.map(|best| with_cost(plan_of(best)));
                Verdict::Stopped { limit, lower_bound: lower, best }
            }
        })
    };
    let stopped =
        |limit| Verdict::Stopped { limit, lower_bound: manhattan_bound(instance), best: None };
    let verdict = solve().unwrap_or_else(stopped);
    Outcome::new(verdict, meter.stats())
}

/// The ghosts that need as many steps alone as all together, by the bound of the stages: in
/// ascending order, and none if no step is needed.
pub(crate) fn proving_ghosts(instance: &Instance, budget: &Budget) -> Result<Vec<usize>, Limit> {
    let mut meter = budget.meter();
    let single_agent = SingleAgent::new(instance, &mut meter)?;
    let mut solver = Solver::new(&single_agent);
    solver.solve(&mut meter)?;
    let mut ghosts = solver.bounds.proved_by;
    ghosts.sort_unstable();
    Ok(ghosts)
}

/// The greatest Manhattan distance of a ghost to its goal: a lower bound if the budget runs out
/// before the distances on the map are known.
fn manhattan_bound(instance: &Instance) -> u32 {
    let distance = |ghost: &Ghost| {
        ghost.start.column.abs_diff(ghost.goal.column) + ghost.start.row.abs_diff(ghost.goal.row)
    };
    instance.ghosts().iter().map(distance).max().unwrap_or(0)
}

fn search(
    instance: &Instance,
    engine: Engine,
    budget: &Budget,
) -> Result<Outcome<Vec<Vec<Cell>>>, SolveError> {
    let searched = with_space!(instance, |space| {
        let outcome = Search::new(space)
            .predecessors()
            .goals()
            .ranked()
            .heuristic_from(|budget| FarthestGhost::new(space, budget.memory()))
            .engine(engine)?
            .budget(budget)
            .run()
            .supported()?;
        outcome.map(|chain| chain.into_iter().map(|state| space.unpack(state)).collect())
    });
    Ok(searched.unwrap_or_else(|| Outcome::stopped(Limit::Encoding, budget)))
}

/// The instance that starts with a state of a search.
pub(crate) fn at_state(instance: &Instance, state: &dyn Any) -> Option<Instance> {
    with_space!(instance, |space| instance.with_starts(&space.unpack(*state.downcast_ref()?)))?
}

#[cfg(test)]
mod tests {
    use fewest_rules::Refusal;

    use super::*;

    #[test]
    fn plans_that_break_the_rules_are_refused() {
        let instance =
            Instance::read(b"4 1 2\nabBA\n").next().expect("a data set").expect("well-formed");
        let board = |a, b| vec![Cell { row: 0, column: a }, Cell { row: 0, column: b }];
        let exchange = [board(0, 1), board(1, 0), board(2, 1), board(3, 2)];
        let verify = |boards: &[Vec<Cell>]| verify(&instance, plan_of(boards.to_vec()));
        assert!(matches!(verify(&exchange), Err(Refusal::Illegal { number: 1, .. })));
        let not_at_goal = verify(&[board(0, 1), board(0, 2)]);
        assert!(matches!(not_at_goal, Err(Refusal::Unsolved { moves: 1, .. })));
        let jump = verify(&[board(0, 1), board(2, 1)]);
        assert!(matches!(jump, Err(Refusal::Unsolved { moves: 0, .. })));
    }
}
