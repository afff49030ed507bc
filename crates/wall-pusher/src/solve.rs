//! Which search answers which question, and why.
//!
//! By default it is A* with the distance to the nearest open gap. The bound is weak where walls are many, but it costs
//! little, and it drops the boards whose gaps are all closed: of a maze without a way out those are most.

use fewest_core::Word;
use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::Outcome;
use fewest_core::search::{Answer, Engine, astar, bfs, idastar};
use fewest_core::space::moves_along;
use fewest_core::visited::Table;

use crate::heuristic::NearestGap;
use crate::instance::Instance;
use crate::plan::Plan;
use crate::rules::{self, Refusal};
use crate::space::{Space, state_bits};

/// The searches for a way out. Bidirectional search is not among them: the boards to end on are too many to begin with.
pub const ENGINES: &[Engine] = &[Engine::Bfs, Engine::Astar, Engine::Idastar];

/// Finds the fewest moves that lead out, or proves that nothing does. An engine that is not among [`ENGINES`], as `None`,
/// leaves the choice to us.
///
/// # Errors
/// If the rules refuse the plan that the search found: a fault of this program.
pub fn solve(instance: &Instance, engine: Option<Engine>, budget: &Budget) -> Result<Answer<Plan>, Refusal> {
    let engine = engine.filter(|engine| ENGINES.contains(engine)).unwrap_or(Engine::Astar);
    let search = match state_bits(instance.size()) {
        0..=64 => search_in::<u64>,
        65..=128 => search_in::<u128>,
        _ => search_in::<[u64; 3]>,
    };
    let outcome = search(instance, engine, budget).try_map(|plan| accepted(instance, plan))?;
    Ok(Answer { outcome, engine: engine.name() })
}

/// The plan, if the rules accept it.
fn accepted(instance: &Instance, plan: Plan) -> Result<Plan, Refusal> {
    rules::replay(instance, &plan)?;
    Ok(plan)
}

fn search_in<W: Word>(instance: &Instance, engine: Engine, budget: &Budget) -> Outcome<Plan> {
    let Some(space) = Space::<W>::new(instance) else { return Outcome::stopped_at_once(Limit::Encoding, budget) };
    let nearest = NearestGap::new(&space);
    let outcome = match engine {
        Engine::Bfs | Engine::Bidirectional => bfs::search::<Table<W>, _>(&space, budget),
        Engine::Astar => astar::search(&space, &nearest, budget),
        Engine::Idastar => idastar::search(&space, &nearest, budget),
    };
    // A chain that is none would show as a plan that the rules refuse.
    outcome.map(|chain| moves_along(&space, &chain).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use fewest_core::grid::Direction::{East, West};
    use fewest_core::grid::Size;

    use super::*;

    #[test]
    fn no_plan_gets_past_the_rules() {
        let size = Size::new(1, 2).expect("a size");
        let maze = Instance::read(b"1 1\n11 10\n", size).next().expect("a data set").expect("a good one");
        assert!(accepted(&maze, vec![East, East]).is_ok());
        assert!(matches!(accepted(&maze, vec![West]), Err(Refusal::Move { number: 1, .. })));
        assert!(matches!(accepted(&maze, vec![East]), Err(Refusal::StillInside { moves: 1, .. })));
        assert!(accepted(&maze, Plan::new()).is_err());
    }
}
