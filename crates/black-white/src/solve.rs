//! Which way to answer which question, and why.
//!
//! By default nothing is searched: the cheapest flow (`flow.rs`) is a shortest plan, on boards of
//! any size. The searches are there to hold it against, and to show what it is worth; they take
//! boards of at most 64 cells.

use std::ops::ControlFlow;

use fewest_core::StateSpace;
use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::all_shortest::{self, ShortestPlans};
use fewest_core::search::{Answer, Engine, astar, bfs, bidirectional, idastar};
use fewest_core::visited::{Adaptive, DenseBits, Table};

use crate::flow::{self, Flow, Stopped};
use crate::heuristic::Crossings;
use crate::instance::Instance;
use crate::plan::Plan;
use crate::rules::{self, Refusal};
use crate::space::Space;

/// The searches for a plan: all there are.
pub const ENGINES: &[Engine] = &Engine::ALL;

/// The most cells of boards that are searched: a bit each.
pub const MOST_SEARCHED: usize = u64::BITS as usize;

/// Finds the fewest moves that make the target, or proves that nothing does. `None` leaves the
/// choice of the way to us; a search that is asked for on a board of more than [`MOST_SEARCHED`]
/// cells is stopped at once.
///
/// # Errors
/// If the rules refuse the plan that was found: a fault of this program.
pub fn solve(
    instance: &Instance,
    engine: Option<Engine>,
    budget: &Budget,
) -> Result<Answer<Plan>, Refusal> {
    let Some(engine) = engine else {
        let outcome = by_flow(instance, budget).try_map(|plan| accepted(instance, plan))?;
        return Ok(Answer { outcome, engine: FLOW });
    };
    let outcome = match Space::new(instance) {
        Some(space) => search(instance, &space, engine, budget)
            .try_map(|chain| accepted(instance, plan_of(&space, &chain)))?,
        None => Outcome::stopped(Limit::Encoding, budget),
    };
    Ok(Answer { outcome, engine: engine.name() })
}

/// The number of moves alone, sooner than a plan.
pub fn count(instance: &Instance, budget: &Budget) -> Answer<()> {
    let mut meter = budget.meter();
    let verdict = match flow::distance(instance, &mut meter) {
        Ok(Some(cost)) => Verdict::Solved { plan: (), cost },
        Ok(None) => Verdict::Unsolvable,
        Err(Stopped { limit, lower_bound }) => Verdict::Stopped { limit, lower_bound, best: None },
    };
    Answer { outcome: Outcome { verdict, stats: meter.stats() }, engine: FLOW }
}

/// What the way without a search is called among engines.
const FLOW: &str = "flow";

fn by_flow(instance: &Instance, budget: &Budget) -> Outcome<Plan> {
    let mut meter = budget.meter();
    let verdict = match Flow::cheapest(instance, &mut meter) {
        Ok(Some(flow)) => {
            let cost = flow.cost;
            match flow.hand_over(instance, &mut meter) {
                Ok(plan) => Verdict::Solved { plan, cost },
                Err(limit) => Verdict::Stopped { limit, lower_bound: cost, best: None },
            }
        }
        Ok(None) => Verdict::Unsolvable,
        Err(Stopped { limit, lower_bound }) => Verdict::Stopped { limit, lower_bound, best: None },
    };
    Outcome { verdict, stats: meter.stats() }
}

fn search(
    instance: &Instance,
    space: &Space,
    engine: Engine,
    budget: &Budget,
) -> Outcome<Vec<u64>> {
    let blacks = |board: &[bool]| board.iter().filter(|&&black| black).count();
    if blacks(instance.start()) != blacks(instance.target()) {
        return Outcome { verdict: Verdict::Unsolvable, stats: budget.meter().stats() };
    }
    let bits = DenseBits::is_suitable(space, budget.memory());
    match engine {
        Engine::Bfs if bits => bfs::search_with_predecessors::<DenseBits, _>(space, budget),
        Engine::Bfs => bfs::search_with_predecessors::<Table<u64>, _>(space, budget),
        Engine::Bidirectional if bits => bidirectional::search::<DenseBits, _>(space, budget),
        Engine::Bidirectional => bidirectional::search::<Table<u64>, _>(space, budget),
        Engine::Astar => astar::search_with_predecessors(space, &Crossings::new(space), budget),
        Engine::Idastar => idastar::search(space, &Crossings::new(space), budget),
    }
}

/// The moves through these states. What is no move is left out, and the plan then falls short of
/// the target.
fn plan_of(space: &Space, chain: &[u64]) -> Plan {
    chain.windows(2).filter_map(|pair| space.exchange(pair[0], pair[1])).collect()
}

/// The plan, if the rules accept it.
fn accepted(instance: &Instance, plan: Plan) -> Result<Plan, Refusal> {
    rules::replay(instance, &plan)?;
    Ok(plan)
}

/// Counts all shortest plans, and lists the first `most`, in a fixed order. Boards of more than
/// [`MOST_SEARCHED`] cells are not searched. Only boards on shortest plans are expanded, as the
/// flow tells which they are.
///
/// # Errors
/// If the rules refuse a plan: a fault of this program.
pub fn every(
    instance: &Instance,
    most: usize,
    budget: &Budget,
) -> Result<Outcome<ShortestPlans<Plan>>, Refusal> {
    let Some(space) = Space::new(instance) else {
        return Ok(Outcome::stopped(Limit::Encoding, budget));
    };
    let small = Budget::unlimited();
    let nearer = Nearer { space: &space, instance, small: &small };
    all_shortest::search::<Adaptive<_>, _>(&nearer, budget).try_map(|all| {
        all.list(most, budget, |states| {
            let plan = accepted(instance, plan_of(&space, states))?;
            let bytes = size_of_val(&plan[..]);
            Ok((plan, bytes))
        })
    })
}

/// The space with those moves alone that lead nearer to the target.
struct Nearer<'a> {
    space: &'a Space,
    instance: &'a Instance,
    /// What a flow on so few cells takes is not worth counting.
    small: &'a Budget,
}

impl Nearer<'_> {
    /// The moves from a state to the target; `None` if there is no way.
    fn distance(&self, state: u64) -> Option<u32> {
        let boards = self.instance.starting_at(self.space.unpack(state));
        flow::distance(&boards, &mut self.small.meter()).ok()?
    }
}

impl StateSpace for Nearer<'_> {
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
        let Some(here) = self.distance(state) else { return ControlFlow::Continue(()) };
        self.space.successors(state, last, |by, next| {
            if self.distance(next).is_some_and(|there| there < here) {
                emit(by, next)
            } else {
                ControlFlow::Continue(())
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Size;

    #[test]
    fn no_plan_gets_past_the_rules() {
        let size = Size::new(1, 4).expect("a size");
        let boards =
            Instance::read(b"1000 0010", size).next().expect("a data set").expect("a good one");
        let space = Space::new(&boards).expect("4 bits");
        let judge = |chain: &[u64]| accepted(&boards, plan_of(&space, chain));
        assert_eq!(judge(&[0b0001, 0b0010, 0b0100]).map(|plan| plan.len()), Ok(2));
        assert!(matches!(judge(&[0b0001, 0b0100]), Err(Refusal::Move { number: 1, .. })));
        assert!(matches!(judge(&[0b0001, 0b0010]), Err(Refusal::OffTarget { moves: 1, .. })));
        assert!(judge(&[0b0001, 0b1110, 0b0100]).is_err());
    }
}
