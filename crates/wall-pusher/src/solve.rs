//! Which search answers which question, and why.
//!
//! Most mazes are easy, so a short search goes first (`quick.rs`). After it two take turns, since nobody knows which of them
//! will end: `proof.rs` looks for a proof, gap by gap, that there is no way out, and A* for a shortest one. Each turn allows
//! more states than the one before it. What the [`Relaxation`] rules out, neither looks at, and often that is all where there is
//! no way out.

use std::collections::VecDeque;

use fewest_core::Word;
use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::all::{self, Every};
use fewest_core::search::{Answer, Engine, astar, bfs, idastar};
use fewest_core::space::moves_along;
use fewest_core::visited::{Adaptive, Table};

use crate::heuristic::NearestGap;
use crate::instance::Instance;
use crate::plan::Plan;
use crate::proof::Proof;
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

/// The states of the short search before all others.
const QUICK: u64 = 1024;

/// The states of the first turn of the proof, which is the quicker one, and of A*; and how many times more the next one has.
const FIRST_TURNS: [u64; 2] = [1024, 512];
const NEXT_TURN: u64 = 4;

fn in_turn(instance: &Instance, budget: &Budget) -> Answer<Plan> {
    let answer = |verdict, stats, engine| Answer { outcome: Outcome { verdict, stats }, engine };
    let (quick, mut spent) = quick::search(instance, QUICK.min(budget.states()));
    let mut least = match quick {
        Ok(plan) => {
            return answer(Verdict::Solved { cost: plan.len() as u32, plan }, spent, Engine::Idastar.name());
        }
        Err(least) => least,
    };
    let astar = Engine::Astar.name();
    let mut relaxation = Relaxation::new(instance);
    let mut proof = Proof::new(instance, &relaxation);
    let mut waiting = VecDeque::from([(PROOF, FIRST_TURNS[0]), (astar, FIRST_TURNS[1])]);
    let (mut best, mut end) = (None::<Plan>, Limit::States);
    while let Some((engine, turn)) = waiting.pop_front() {
        let share = if waiting.is_empty() { u64::MAX } else { turn };
        let allowed = budget.of_states(share.min(budget.states() - spent.expanded));
        end = if engine == PROOF {
            let mut meter = allowed.meter();
            let found = proof.way_out(instance, &mut relaxation, &mut meter);
            spent = spent.and_then(meter.stats());
            match found {
                Err(limit) => limit,
                Ok(None) => return answer(Verdict::Unsolvable, spent, PROOF),
                // There is nothing to prove any more.
                Ok(way_out) => {
                    best = best.or(way_out);
                    continue;
                }
            }
        } else {
            let outcome = search(instance, &relaxation, Engine::Astar, &allowed);
            spent = spent.and_then(outcome.stats);
            let Verdict::Stopped { limit, lower_bound, best: found } = outcome.verdict else {
                return answer(outcome.verdict, spent, astar);
            };
            least = lower_bound.max(least);
            best = best.into_iter().chain(found.map(|(plan, _)| plan)).min_by_key(Vec::len);
            limit
        };
        match end {
            Limit::States if spent.expanded < budget.states() => waiting.push_back((engine, turn * NEXT_TURN)),
            // What is too much for one may do for the other.
            Limit::Memory | Limit::Encoding => {}
            Limit::States | Limit::Time | Limit::Cancelled => break,
        }
    }
    let best = best.map(|plan| {
        let cost = plan.len() as u32;
        (plan, cost)
    });
    answer(Verdict::Stopped { limit: end, lower_bound: least, best }, spent, astar)
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
