//! Which search answers which question, and why.
//!
//! Most mazes are easy, so a short search goes first (`quick.rs`). After it two take turns, since nobody knows which of them
//! will end: A* looks for a shortest way out, and `proof.rs` for a proof, gap by gap, that there is none. Each turn allows
//! four times as many states as the one before it. What the [`Relaxation`] rules out, neither looks at, and often that is all
//! where there is no way out.

use fewest_core::Word;
use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::all::{self, Every};
use fewest_core::search::{Answer, Engine, astar, bfs, idastar};
use fewest_core::space::moves_along;
use fewest_core::stats::Stats;
use fewest_core::visited::{Adaptive, Table};

use crate::heuristic::NearestGap;
use crate::instance::Instance;
use crate::plan::Plan;
use crate::proof;
use crate::quick;
use crate::relaxation::Relaxation;
use crate::rules::{self, Refusal};
use crate::space::{Question, Space, View, ask};

/// The searches for a way out. Bidirectional search is not among them: the boards to end on are too many to begin with.
pub const ENGINES: &[Engine] = &[Engine::Bfs, Engine::Astar, Engine::Idastar];

/// Finds the fewest moves that lead out, or proves that nothing does. An engine that is not among [`ENGINES`], as `None`,
/// leaves the choice to us.
///
/// # Errors
/// If the rules refuse the plan that the search found: a fault of this program.
pub fn solve(instance: &Instance, engine: Option<Engine>, budget: &Budget) -> Result<Answer<Plan>, Refusal> {
    let Answer { outcome, engine } = match engine.filter(|engine| ENGINES.contains(engine)) {
        Some(engine) => {
            Answer { outcome: search(instance, &Relaxation::new(instance), engine, budget), engine: engine.name() }
        }
        None => in_turn(instance, budget),
    };
    Ok(Answer { outcome: outcome.try_map(|plan| accepted(instance, plan))?, engine })
}

/// The plan, if the rules accept it.
fn accepted(instance: &Instance, plan: Plan) -> Result<Plan, Refusal> {
    rules::replay(instance, &plan)?;
    Ok(plan)
}

/// The states that A* may expand in its first turn, and how many times more in each turn after it; and the proof always as many
/// as A* in its next.
const FIRST_TURN: u64 = 128;
const NEXT_TURN: u64 = 4;

/// The states of the short search before them: at first, and once more when the relaxation has left a way out.
const QUICK: [u64; 2] = [1024, 8192];

fn in_turn(instance: &Instance, budget: &Budget) -> Answer<Plan> {
    let answer = |verdict, stats, engine| Answer { outcome: Outcome { verdict, stats }, engine };
    let (mut spent, mut least) = (Stats::default(), 0);
    let solved =
        |plan: Plan, spent| answer(Verdict::Solved { cost: plan.len() as u32, plan }, spent, Engine::Idastar.name());
    let quick = |most: u64, spent: &mut Stats, least: &mut u32| {
        let (found, stats) = quick::search(instance, most.min(budget.states() - spent.expanded));
        *spent = spent.and_then(stats);
        found.map_err(|bound| *least = bound.max(*least)).ok()
    };
    if let Some(plan) = quick(QUICK[0], &mut spent, &mut least) {
        return solved(plan, spent);
    }
    let mut relaxation = Relaxation::new(instance);
    if relaxation.exits().next().is_some()
        && let Some(plan) = quick(QUICK[1], &mut spent, &mut least)
    {
        return solved(plan, spent);
    }
    let astar = Engine::Astar.name();
    let (mut way_out, mut turn) = (None::<Plan>, FIRST_TURN);
    loop {
        // Once a way out is known, there is nothing to prove but that it is shortest.
        let share = if way_out.is_none() { turn } else { u64::MAX };
        let allowed = budget.of_states(share.min(budget.states() - spent.expanded));
        let outcome = search(instance, &relaxation, Engine::Astar, &allowed);
        spent = spent.and_then(outcome.stats);
        let Verdict::Stopped { limit, lower_bound, best } = outcome.verdict else {
            return answer(outcome.verdict, spent, astar);
        };
        least = lower_bound.max(least);
        let known = way_out.take().map(|plan| (plan.len() as u32, plan));
        let best = best.map(|(plan, cost)| (cost, plan)).into_iter().chain(known).min_by_key(|&(cost, _)| cost);
        let stopped =
            |limit| Verdict::Stopped { limit, lower_bound: least, best: best.map(|(cost, plan)| (plan, cost)) };
        if limit != Limit::States || spent.expanded >= budget.states() {
            return answer(stopped(limit), spent, astar);
        }

        turn *= NEXT_TURN;
        let allowed = budget.of_states(turn.min(budget.states() - spent.expanded));
        let mut meter = allowed.meter();
        let proved = proof::way_out(instance, &mut relaxation, &mut meter);
        spent = spent.and_then(meter.stats());
        match proved {
            Ok(None) => return answer(Verdict::Unsolvable, spent, PROOF),
            Ok(found) => way_out = found,
            Err(Limit::States) if spent.expanded < budget.states() => {}
            Err(limit) => return answer(stopped(limit), spent, astar),
        }
    }
}

/// Counts all shortest plans, and lists the first `most`, in a fixed order.
///
/// # Errors
/// If the rules refuse a plan: a fault of this program.
pub fn every(instance: &Instance, most: usize, budget: &Budget) -> Result<Outcome<Every<Plan>>, Refusal> {
    struct CountAll<'a>(&'a Instance, usize, &'a Budget);
    impl Question for CountAll<'_> {
        type Answer = Result<Outcome<Every<Plan>>, Refusal>;

        fn ask<W: Word>(self, space: &Space<W>) -> Self::Answer {
            let Self(instance, most, budget) = self;
            all::search::<Adaptive<_>, _>(space, budget).try_map(|all| {
                all.every(most, budget, |states| {
                    let plan = accepted(instance, moves_along(space, states).unwrap_or_default())?;
                    let bytes = size_of_val(&plan[..]);
                    Ok((plan, bytes))
                })
            })
        }
    }
    ask(instance, &Relaxation::new(instance), View::ALL, CountAll(instance, most, budget))
        .unwrap_or_else(|limit| Ok(Outcome::stopped_at_once(limit, budget)))
}

/// What the answer of the proof is called among engines.
const PROOF: &str = "regions";

fn search(instance: &Instance, relaxation: &Relaxation, engine: Engine, budget: &Budget) -> Outcome<Plan> {
    struct Search<'a>(&'a Relaxation, Engine, &'a Budget);
    impl Question for Search<'_> {
        type Answer = Outcome<Plan>;

        fn ask<W: Word>(self, space: &Space<W>) -> Outcome<Plan> {
            let Self(relaxation, engine, budget) = self;
            let nearest = || NearestGap::new(relaxation, space);
            let outcome = match engine {
                Engine::Bfs | Engine::Bidirectional => bfs::search::<Table<W>, _>(space, budget),
                Engine::Astar => astar::search(space, &nearest(), budget),
                Engine::Idastar => idastar::search(space, &nearest(), budget),
            };
            // A chain that is none would show as a plan that the rules refuse.
            outcome.map(|chain| moves_along(space, &chain).unwrap_or_default())
        }
    }
    ask(instance, relaxation, View::ALL, Search(relaxation, engine, budget))
        .unwrap_or_else(|limit| Outcome::stopped_at_once(limit, budget))
}

#[cfg(test)]
mod tests {
    use fewest_core::grid::Direction::{East, West};

    use super::*;
    use crate::Size;

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
