//! Which search answers which question, and why.
//!
//! By default lower bounds rise and plans are found until they meet:
//!
//! 1. A plan as long as the way of the ghost that has farthest to go, one ghost planned after the
//!    other. That settles most houses, as the ghosts hardly disturb each other.
//! 2. If there is none: [whether there is a plan](crate::feasibility) at all.
//! 3. [Tables](crate::tables) of the pairs of ghosts that disturb each other: where two have to
//!    pass each other in a corridor, no single ghost knows, and the pair does. With each table it
//!    is planned once more if the bound is higher, and then searched jointly, as one or two are
//!    often enough.
//! 4. Where that takes too many steps: tables of three ghosts; and of more than three ghosts, only
//!    those are searched together that are in each other's way.
//!
//! Before what may take any time, [some plan](crate::lacam) is found, for the case that the budget
//! ends: in a large house or with many ghosts before the third stage, with more than three ghosts
//! before the fourth.
//!
//! What is counted as states are boards, whoever met them, and the cells of two or three ghosts in
//! tables.
//!
//! The other engines are those of core on the joint state. They know nothing of all this, so they
//! are there to check it. What ends them is the budget, as three ghosts on an official map have a
//! million boards, or a joint state that [fits no word](crate::space::most_ghosts).

use fewest_core::Word;
use fewest_core::budget::{Budget, Limit};
use fewest_core::memory::OutOfMemory;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::{Answer, Engine, astar, bfs, bidirectional, idastar};
use fewest_core::visited::{DenseBits, Table};

use crate::bounds::{Bounds, Positions};
use crate::heuristic::FarthestGhost;
use crate::instance::{Ghost, Instance};
use crate::plan::Plan;
use crate::rules::{self, Board, Refusal};
use crate::single_agent::SingleAgent;
use crate::solver::Solver;
use crate::space::{Space, Wide};

/// Finds the fewest steps that bring all ghosts home, or proves that nothing does. `None` leaves
/// the choice of the engine to us.
///
/// # Errors
/// If the rules refuse the plan that the search found: a fault of this program.
pub fn solve(
    instance: &Instance,
    engine: Option<Engine>,
    budget: &Budget,
) -> Result<Answer<Plan>, Refusal> {
    Ok(match engine {
        Some(engine) => {
            let outcome =
                search(instance, engine, budget).try_map(|boards| accepted(instance, boards))?;
            Answer { outcome, engine: engine.name() }
        }
        None => Answer { outcome: by_stages(instance, budget)?, engine: "joint" },
    })
}

fn by_stages(instance: &Instance, budget: &Budget) -> Result<Outcome<Plan>, Refusal> {
    let mut meter = budget.meter();
    let mut solve = || -> Result<Result<Verdict<Plan>, Refusal>, Limit> {
        let alone = SingleAgent::new(instance, &mut meter)?;
        let accepted = |plan: Vec<Positions>| {
            let board =
                |cells: Positions| cells.into_iter().map(|cell| alone.place(cell)).collect();
            accepted(instance, plan.into_iter().map(board))
        };
        let mut solver = Solver::new(&alone);
        Ok(match solver.solve(&mut meter) {
            Ok(Some(plan)) => {
                accepted(plan).map(|plan| Verdict::Solved { cost: plan.len() as u32, plan })
            }
            Ok(None) => Ok(Verdict::Unsolvable),
            Err(limit) => {
                let Bounds { lower, best } = solver.bounds;
                let with_cost = |plan: Plan| {
                    let cost = plan.len() as u32;
                    (plan, cost)
                };
                let best = best.map(accepted).transpose();
                best.map(|best| Verdict::Stopped {
                    limit,
                    lower_bound: lower,
                    best: best.map(with_cost),
                })
            }
        })
    };
    let stopped =
        |limit| Ok(Verdict::Stopped { limit, lower_bound: farthest_apart(instance), best: None });
    let verdict = solve().unwrap_or_else(stopped)?;
    Ok(Outcome { verdict, stats: meter.stats() })
}

/// How far the farthest goal is through walls: what is known where there was no time to measure the
/// ways.
fn farthest_apart(instance: &Instance) -> u32 {
    let apart = |ghost: &Ghost| {
        u32::from(ghost.start.x.abs_diff(ghost.goal.x))
            + u32::from(ghost.start.y.abs_diff(ghost.goal.y))
    };
    instance.ghosts().iter().map(apart).max().unwrap_or(0)
}

/// The plan through these boards, if the rules accept it.
fn accepted(instance: &Instance, boards: impl IntoIterator<Item = Board>) -> Result<Plan, Refusal> {
    let plan = rules::plan_through(boards)?;
    rules::replay(instance, &plan)?;
    Ok(plan)
}

fn search(instance: &Instance, engine: Engine, budget: &Budget) -> Outcome<Vec<Board>> {
    let found = search_in::<u32>(instance, engine, budget)
        .or_else(|| search_in::<u64>(instance, engine, budget))
        .or_else(|| search_in::<u128>(instance, engine, budget))
        .or_else(|| search_in::<[u64; 3]>(instance, engine, budget))
        .or_else(|| search_in::<Wide>(instance, engine, budget));
    found.unwrap_or_else(|| Outcome::stopped(Limit::Encoding, budget))
}

/// `None` if the states do not fit the word.
fn search_in<W: Word>(
    instance: &Instance,
    engine: Engine,
    budget: &Budget,
) -> Option<Outcome<Vec<Board>>> {
    let space = Space::<W>::new(instance)?;
    Some(
        search_space(&space, engine, budget)
            .unwrap_or_else(|limit| Outcome::stopped(limit.into(), budget)),
    )
}

fn search_space<W: Word>(
    space: &Space<W>,
    engine: Engine,
    budget: &Budget,
) -> Result<Outcome<Vec<Board>>, OutOfMemory> {
    let bits = DenseBits::is_suitable(space, budget.memory());
    let outcome = match engine {
        Engine::Bfs if bits => bfs::search_with_predecessors::<DenseBits, _>(space, budget),
        Engine::Bfs => bfs::search_with_predecessors::<Table<W>, _>(space, budget),
        Engine::Bidirectional if bits => bidirectional::search::<DenseBits, _>(space, budget),
        Engine::Bidirectional => bidirectional::search::<Table<W>, _>(space, budget),
        Engine::Astar => {
            let farthest = FarthestGhost::new(space, budget.memory())?;
            astar::search_with_predecessors(space, &farthest, budget)
        }
        Engine::Idastar => {
            let farthest = FarthestGhost::new(space, budget.memory())?;
            idastar::search(space, &farthest, budget)
        }
    };
    Ok(outcome.map(|chain| chain.into_iter().map(|state| space.unpack(state)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Place;

    #[test]
    fn no_plan_gets_past_the_rules() {
        let house =
            Instance::read(b"4 1 2\nabBA\n").next().expect("a data set").expect("a good one");
        let board = |a: u16, b: u16| vec![Place { x: a, y: 0 }, Place { x: b, y: 0 }];
        let exchange = [board(0, 1), board(1, 0), board(2, 1), board(3, 2)];
        assert!(matches!(accepted(&house, exchange), Err(Refusal::Step { step: 1, .. })));
        assert!(matches!(
            accepted(&house, [board(0, 1), board(0, 2)]),
            Err(Refusal::NotHome { .. })
        ));
        assert!(matches!(
            accepted(&house, [board(0, 1), board(2, 1)]),
            Err(Refusal::Jump { step: 1 })
        ));
    }
}
