//! Which search answers which question, and why.
//!
//! By default it is breadth-first search on mirror images folded into one: the distance of the 2x2 says little of what has
//! to be cleared out of its way, and the boards with the blocks of a layout are at most some hundred thousand.

use fewest_core::budget::Budget;
use fewest_core::outcome::Outcome;
use fewest_core::search::{Answer, Engine, astar, bfs, idastar};
use fewest_core::symmetry::{Folded, unfold};
use fewest_core::visited::Table;

use crate::heuristic::Way;
use crate::instance::Instance;
use crate::plan::{Metric, Plan};
use crate::rules::{self, Refusal};
use crate::space::{Reach, Rectilinear, Space, Straight, Unit, pack};

/// The searches for a plan. Bidirectional search is not among them: the boards to end on are too many to begin with.
pub const ENGINES: &[Engine] = &[Engine::Bfs, Engine::Astar, Engine::Idastar];

/// Finds the fewest moves of a metric that solve a layout, or proves that nothing does. An engine that is not among
/// [`ENGINES`], as `None`, leaves the choice to us.
///
/// # Errors
/// If the rules refuse the plan that the search found: a fault of this program.
pub fn solve(
    instance: &Instance,
    metric: Metric,
    engine: Option<Engine>,
    budget: &Budget,
) -> Result<Answer<Plan>, Refusal> {
    let engine = engine.filter(|engine| ENGINES.contains(engine)).unwrap_or(Engine::Bfs);
    let found = match metric {
        Metric::Rectilinear => search_in::<Rectilinear>(instance, engine, budget),
        Metric::Straight => search_in::<Straight>(instance, engine, budget),
        Metric::Unit => search_in::<Unit>(instance, engine, budget),
    };
    let outcome = found.try_map(|states| accepted(instance, metric, &states))?;
    Ok(Answer { outcome, engine: engine.name() })
}

fn search_in<M: Reach>(instance: &Instance, engine: Engine, budget: &Budget) -> Outcome<Vec<u64>> {
    let space = Space::<M>::new(instance);
    let folded = Folded(&space);
    let outcome = match engine {
        Engine::Bfs | Engine::Bidirectional => bfs::search_with_predecessors::<Table<u64>, _>(&folded, budget),
        Engine::Astar => astar::search_with_predecessors(&folded, &Way::<M>::new(), budget),
        Engine::Idastar => idastar::search(&folded, &Way::<M>::new(), budget),
    };
    // A chain that is none would show as a plan that the rules refuse.
    outcome.map(|chain| unfold(&space, &chain).unwrap_or_default())
}

/// The plan through these states, in the characters of the layout, if the rules accept it.
fn accepted(instance: &Instance, metric: Metric, states: &[u64]) -> Result<Plan, Refusal> {
    let mut board = *instance.board();
    let mut plan = Plan::new();
    for (index, &next) in states.iter().enumerate().skip(1) {
        let mut moves = rules::moves(&board, metric).into_iter();
        let (slide, after) = moves.find(|(_, after)| pack(after) == next).ok_or(Refusal::Jump { number: index })?;
        plan.push(slide);
        board = after;
    }
    rules::replay(instance, &plan, metric)?;
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_plan_gets_past_the_rules() {
        let layout = Instance::read(b"..../..../.CC./.CC./abcd").next().expect("a data set").expect("a good one");
        let moved = |rows: &[u8]| pack(Instance::read(rows).next().expect("a data set").expect("a good one").board());
        let start = pack(layout.board());
        let beside = moved(b"..../..../CC../CC../abcd");
        let solved = moved(b"..../..../..../aCCd/bCCc");
        assert_eq!(accepted(&layout, Metric::Unit, &[start, beside]), Err(Refusal::NotSolved { moves: 1 }));
        assert_eq!(accepted(&layout, Metric::Unit, &[start, beside, solved]), Err(Refusal::Jump { number: 2 }));
        assert_eq!(accepted(&layout, Metric::Unit, &[start]), Err(Refusal::NotSolved { moves: 0 }));
        assert_eq!(accepted(&layout, Metric::Unit, &[]), Err(Refusal::NotSolved { moves: 0 }));
    }
}
