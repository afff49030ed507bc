//! Which search answers which question, and why.
//!
//! By default it is A* with the distance of the farthest ghost: on most maps the ghosts hardly disturb each other, and
//! it often expands some hundreds of the million boards that a breadth-first search goes through. The worst case, a house
//! where no plan exists, costs it no more states than any other search.
//!
//! The joint state of every house that can be written down fits a word, so an exact search is always begun; what ends
//! it is the budget. The boards grow with the power of the ghosts: three on an official map are a million, and from
//! about five on, an open map is beyond any memory unless the bound is nearly exact.

use fewest_core::Word;
use fewest_core::budget::Budget;
use fewest_core::memory::OutOfMemory;
use fewest_core::outcome::Outcome;
use fewest_core::search::{Answer, Engine, astar, bfs, bidirectional, idastar};
use fewest_core::visited::{DenseBits, Table};

use crate::heuristic::FarthestGhost;
use crate::instance::Instance;
use crate::plan::Plan;
use crate::rules::{self, Board, Refusal};
use crate::space::{Space, state_bits};

/// Finds the fewest steps that bring all ghosts home, or proves that nothing does. `None` leaves the choice of the
/// engine to us.
///
/// # Errors
/// If the rules refuse the plan that the search found: a fault of this program.
pub fn solve(instance: &Instance, engine: Option<Engine>, budget: &Budget) -> Result<Answer<Plan>, Refusal> {
    let engine = engine.unwrap_or(Engine::Astar);
    let search = match state_bits(instance) {
        0..=32 => search_in::<u32>,
        33..=64 => search_in::<u64>,
        65..=128 => search_in::<u128>,
        129..=192 => search_in::<[u64; 3]>,
        _ => search_in::<[u64; 7]>,
    };
    let found = search(instance, engine, budget).unwrap_or_else(|_| Outcome::out_of_memory(budget));
    let outcome = found.try_map(|boards| accepted(instance, &boards))?;
    Ok(Answer { outcome, engine })
}

/// The plan through these boards, if the rules accept it.
fn accepted(instance: &Instance, boards: &[Board]) -> Result<Plan, Refusal> {
    let plan = rules::plan_through(boards)?;
    rules::replay(instance, &plan)?;
    Ok(plan)
}

fn search_in<W: Word>(
    instance: &Instance,
    engine: Engine,
    budget: &Budget,
) -> Result<Outcome<Vec<Board>>, OutOfMemory> {
    let space = Space::<W>::new(instance).ok_or(OutOfMemory)?;
    let bits = DenseBits::suit(&space, budget.memory());
    let outcome = match engine {
        Engine::Bfs if bits => bfs::search_with_predecessors::<DenseBits, _>(&space, budget),
        Engine::Bfs => bfs::search_with_predecessors::<Table<W>, _>(&space, budget),
        Engine::Bidirectional if bits => bidirectional::search::<DenseBits, _>(&space, budget),
        Engine::Bidirectional => bidirectional::search::<Table<W>, _>(&space, budget),
        Engine::Astar => {
            let farthest = FarthestGhost::new(&space, budget.memory())?;
            astar::search_with_predecessors(&space, &farthest, budget)
        }
        Engine::Idastar => {
            let farthest = FarthestGhost::new(&space, budget.memory())?;
            idastar::search(&space, &farthest, budget)
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
        let house = Instance::read(b"4 1 2\nabBA\n").next().expect("a data set").expect("a good one");
        let board = |a: u8, b: u8| vec![Place { x: a, y: 0 }, Place { x: b, y: 0 }];
        let exchange = [board(0, 1), board(1, 0), board(2, 1), board(3, 2)];
        assert!(matches!(accepted(&house, &exchange), Err(Refusal::Step { step: 1, .. })));
        assert!(matches!(accepted(&house, &[board(0, 1), board(0, 2)]), Err(Refusal::NotHome { .. })));
        assert!(matches!(accepted(&house, &[board(0, 1), board(2, 1)]), Err(Refusal::Jump { step: 1 })));
    }
}
