//! Which search answers which question, and why.
//!
//! Whether there is a plan needs no search: any two boards with as many black pieces are connected. By default it is A*
//! with the crossings of lines as the bound, which is often exact or nearly so.

use fewest_core::budget::Budget;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::{Answer, Engine, astar, bfs, bidirectional, idastar};
use fewest_core::visited::{DenseBits, Table};

use crate::heuristic::Crossings;
use crate::instance::Instance;
use crate::plan::Plan;
use crate::rules::{self, Refusal};
use crate::space::Space;

/// The searches for a plan: all there are.
pub const ENGINES: &[Engine] = &Engine::ALL;

/// Finds the fewest moves that make the target, or proves that nothing does. `None` leaves the choice of the engine to us.
///
/// # Errors
/// If the rules refuse the plan that the search found: a fault of this program.
pub fn solve(instance: &Instance, engine: Option<Engine>, budget: &Budget) -> Result<Answer<Plan>, Refusal> {
    let engine = engine.unwrap_or(Engine::Astar);
    let blacks = |board: &[bool]| board.iter().filter(|&&black| black).count();
    if blacks(instance.start()) != blacks(instance.target()) {
        let outcome = Outcome { verdict: Verdict::Unsolvable, stats: budget.meter().stats() };
        return Ok(Answer { outcome, engine: engine.name() });
    }
    let space = Space::new(instance);
    let bits = DenseBits::suit(&space, budget.memory());
    let outcome = match engine {
        Engine::Bfs if bits => bfs::search_with_predecessors::<DenseBits, _>(&space, budget),
        Engine::Bfs => bfs::search_with_predecessors::<Table<u64>, _>(&space, budget),
        Engine::Bidirectional if bits => bidirectional::search::<DenseBits, _>(&space, budget),
        Engine::Bidirectional => bidirectional::search::<Table<u64>, _>(&space, budget),
        Engine::Astar => astar::search_with_predecessors(&space, &Crossings::new(&space), budget),
        Engine::Idastar => idastar::search(&space, &Crossings::new(&space), budget),
    };
    let outcome = outcome.try_map(|chain| accepted(instance, &space, &chain))?;
    Ok(Answer { outcome, engine: engine.name() })
}

/// The plan through these states, if the rules accept it.
fn accepted(instance: &Instance, space: &Space, chain: &[u64]) -> Result<Plan, Refusal> {
    // What is no move is left out, and the plan then falls short of the target.
    let plan: Plan = chain.windows(2).filter_map(|pair| space.exchange(pair[0], pair[1])).collect();
    rules::replay(instance, &plan)?;
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use fewest_core::grid::Size;

    use super::*;

    #[test]
    fn no_plan_gets_past_the_rules() {
        let size = Size::new(1, 4).expect("a size");
        let boards = Instance::read(b"1000 0010", size).next().expect("a data set").expect("a good one");
        let space = Space::new(&boards);
        assert_eq!(accepted(&boards, &space, &[0b0001, 0b0010, 0b0100]).map(|plan| plan.len()), Ok(2));
        assert!(matches!(accepted(&boards, &space, &[0b0001, 0b0100]), Err(Refusal::Move { number: 1, .. })));
        assert!(matches!(accepted(&boards, &space, &[0b0001, 0b0010]), Err(Refusal::OffTarget { moves: 1, .. })));
        assert!(accepted(&boards, &space, &[0b0001, 0b1110, 0b0100]).is_err());
    }
}
