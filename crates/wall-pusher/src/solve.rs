//! Which search answers which question, and why.
//!
//! Most mazes are easy, so a short search goes first (`quick.rs`). After it two take turns, since
//! nobody knows which of them will end: `proof.rs` looks for a proof, gap by gap, that there is no
//! way out, and A* for a shortest one. Each turn allows more states than the one before it. What
//! the [`Relaxation`] rules out, neither looks at, and often that is all where there is no way out.

use std::collections::VecDeque;

use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::all_shortest::{self, ShortestPlans};
use fewest_core::search::{Answer, Engine, astar, bfs, idastar};
use fewest_core::space::moves_along;
use fewest_core::visited::{Adaptive, Table};
use fewest_core::{Heuristic, Word};

use crate::heuristic::NearestGap;
use crate::instance::Instance;
use crate::plan::Plan;
use crate::proof::Proof;
use crate::quick;
use crate::relaxation::Relaxation;
use crate::rules::{self, Refusal};
use crate::space::{Question, Space, View, ask};

/// The searches for a way out. Bidirectional search is not among them: the boards to end on are too
/// many to begin with.
pub const ENGINES: &[Engine] = &[Engine::Bfs, Engine::Astar, Engine::Idastar];

/// Finds the fewest moves that lead out, or proves that nothing does. An engine that is not among
/// [`ENGINES`], as `None`, leaves the choice to us.
///
/// # Errors
/// If the rules refuse the plan that the search found: a fault of this program.
pub fn solve(
    instance: &Instance,
    engine: Option<Engine>,
    budget: &Budget,
) -> Result<Answer<Plan>, Refusal> {
    let Answer { outcome, engine } = match engine.filter(|engine| ENGINES.contains(engine)) {
        Some(engine) => Answer {
            outcome: search(instance, &Relaxation::new(instance), engine, budget),
            engine: engine.name(),
        },
        None => in_turn(instance, &PACE, budget),
    };
    Ok(Answer { outcome: outcome.try_map(|plan| accepted(instance, plan))?, engine })
}

/// The plan, if the rules accept it.
fn accepted(instance: &Instance, plan: Plan) -> Result<Plan, Refusal> {
    rules::replay(instance, &plan)?;
    Ok(plan)
}

/// How many states each search is given at first.
struct Pace {
    /// The short search before the others.
    quick: u64,
    /// The first turns of those that take turns.
    proof: u64,
    astar: u64,
}

/// A region of the proof takes less time than a state of A*.
const PACE: Pace = Pace { quick: 1024, proof: 1024, astar: 512 };

/// How many times as many states the next turn has.
const NEXT_TURN: u64 = 4;

fn in_turn(instance: &Instance, pace: &Pace, budget: &Budget) -> Answer<Plan> {
    let answer = |verdict, stats, engine| Answer { outcome: Outcome { verdict, stats }, engine };
    let solved = |plan: Plan, stats, engine| {
        answer(Verdict::Solved { cost: plan.len() as u32, plan }, stats, engine)
    };
    let (quick, mut spent) = quick::search(instance, pace.quick.min(budget.states()));
    let mut least = match quick {
        Ok(plan) => return solved(plan, spent, Engine::Idastar.name()),
        Err(least) => least,
    };
    let astar = Engine::Astar.name();
    let mut relaxation = Relaxation::new(instance);
    let mut proof = Proof::new(instance, &relaxation);
    let mut waiting = VecDeque::from([(PROOF, pace.proof), (astar, pace.astar)]);
    let (mut best, mut end) = (None::<Plan>, Limit::States);
    while let Some((engine, turn)) = waiting.pop_front() {
        let share = if waiting.is_empty() { u64::MAX } else { turn };
        let allowed = budget.with_state_limit(share.min(budget.states() - spent.expanded));
        let (limit, found) = if engine == PROOF {
            let mut meter = allowed.meter();
            let found = proof.way_out(instance, &mut relaxation, &mut meter);
            spent = spent.and_then(meter.stats());
            match found {
                Ok(None) => return answer(Verdict::Unsolvable, spent, PROOF),
                Ok(found) => (None, found),
                Err(limit) => (Some(limit), None),
            }
        } else {
            let outcome = search(instance, &relaxation, Engine::Astar, &allowed);
            spent = spent.and_then(outcome.stats);
            let Verdict::Stopped { limit, lower_bound, best: found } = outcome.verdict else {
                return answer(outcome.verdict, spent, astar);
            };
            least = lower_bound.max(least);
            (Some(limit), found.map(|(plan, _)| plan))
        };
        best = best.into_iter().chain(found).min_by_key(Vec::len);
        if let Some(plan) = best.take_if(|plan| plan.len() as u32 <= least) {
            return solved(plan, spent, engine);
        }
        // That there is a way out ends the turns of the proof, but is no limit.
        let Some(limit) = limit else { continue };
        end = limit;
        match limit {
            Limit::States if spent.expanded < budget.states() => {
                waiting.push_back((engine, turn * NEXT_TURN))
            }
            // What is too much for one may do for the other.
            Limit::Memory | Limit::Encoding => {}
            Limit::States | Limit::Time | Limit::Cancelled => break,
        }
    }
    // Not even A* may have had a turn.
    least = least.max(nearest_gap(instance, &relaxation));
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
pub fn every(
    instance: &Instance,
    most: usize,
    budget: &Budget,
) -> Result<Outcome<ShortestPlans<Plan>>, Refusal> {
    struct CountAll<'a>(&'a Instance, usize, &'a Budget);
    impl Question for CountAll<'_> {
        type Answer = Result<Outcome<ShortestPlans<Plan>>, Refusal>;

        fn ask<W: Word>(self, space: &Space<W>) -> Self::Answer {
            let Self(instance, most, budget) = self;
            all_shortest::search::<Adaptive<_>, _>(space, budget).try_map(|all| {
                all.list(most, budget, |states| {
                    let plan = accepted(instance, moves_along(space, states).unwrap_or_default())?;
                    let bytes = size_of_val(&plan[..]);
                    Ok((plan, bytes))
                })
            })
        }
    }
    ask(instance, &Relaxation::new(instance), View::ALL, CountAll(instance, most, budget))
        .unwrap_or_else(|limit| Ok(Outcome::stopped(limit, budget)))
}

/// The bound of A* at the start.
fn nearest_gap(instance: &Instance, relaxation: &Relaxation) -> u32 {
    struct Bound<'a>(&'a Relaxation);
    impl Question for Bound<'_> {
        type Answer = Option<u32>;

        fn ask<W: Word>(self, space: &Space<W>) -> Option<u32> {
            let nearest = NearestGap::new(self.0, space);
            nearest.bound(nearest.evaluate(space.start()))
        }
    }
    ask(instance, relaxation, View::ALL, Bound(relaxation)).ok().flatten().unwrap_or(0)
}

/// What the answer of the proof is called among engines.
const PROOF: &str = "regions";

fn search(
    instance: &Instance,
    relaxation: &Relaxation,
    engine: Engine,
    budget: &Budget,
) -> Outcome<Plan> {
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
        .unwrap_or_else(|limit| Outcome::stopped(limit, budget))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use fewest_core::budget::Limits;
    use fewest_core::grid::Direction::{East, West};
    use fewest_core::random::Random;

    use super::*;
    use crate::Size;
    use crate::generate::{Wanted, maze};
    use crate::rules::tests::fewest;

    /// Mazes that are small enough for a plain search.
    fn small(random: &mut Random) -> Instance {
        let size = Size::new(1 + random.below(4), 1 + random.below(4)).expect("a size");
        maze(Wanted { size, walls: 30 + random.below(50), gaps: random.below(4) }, random)
    }

    #[test]
    fn twenty_thousand_mazes_take_as_many_moves_as_by_a_plain_search() {
        let paces =
            [PACE, Pace { quick: 0, proof: 1, astar: 1 }, Pace { quick: 8, proof: 1, astar: 100 }];
        let mut random = Random::from_seed(1);
        let mut by = BTreeMap::new();
        for (round, pace) in (0..20_000).zip(paces.iter().cycle()) {
            let maze = small(&mut random);
            let Answer { outcome, engine } = in_turn(&maze, pace, &Budget::unlimited());
            let expected = fewest(&maze);
            assert_eq!(outcome.cost(), expected, "{round}: {maze}");
            if let Verdict::Solved { plan, cost } = outcome.verdict {
                assert_eq!(accepted(&maze, plan).map(|plan| plan.len() as u32), Ok(cost));
            }
            *by.entry((engine, expected.is_some())).or_insert(0) += 1;
        }
        // Every way to an answer was gone.
        assert_eq!(by.len(), 5, "{by:?}");
        assert!(by.values().all(|&mazes| mazes > 20), "{by:?}");
    }

    #[test]
    fn with_little_memory_it_tells_the_truth_and_one_search_goes_on_without_the_other() {
        let mut random = Random::from_seed(2);
        let (mut stopped, mut alone) = (0, 0);
        for memory in (0..4000).map(|round| 100 * (round % 400)) {
            let maze = small(&mut random);
            let budget = || Budget::new(Limits { memory_bytes: Some(memory), ..Limits::default() });
            let expected = fewest(&maze);
            // A* until it is out of memory or has an answer, then the proof.
            let pace = Pace { quick: 0, proof: 1, astar: u64::MAX };
            let Answer { outcome, engine } = in_turn(&maze, &pace, &budget());
            assert!(outcome.stats.bytes <= memory);
            match outcome.verdict {
                Verdict::Stopped { limit, lower_bound, best } => {
                    assert_eq!(limit, Limit::Memory);
                    assert!(expected.is_none_or(
                        |moves| lower_bound <= moves && best.is_none_or(|best| best.1 >= moves)
                    ));
                    stopped += 1;
                }
                Verdict::Solved { cost, .. } => assert_eq!(Some(cost), expected),
                Verdict::Unsolvable => {
                    assert_eq!(None, expected);
                    let astar = search(&maze, &Relaxation::new(&maze), Engine::Astar, &budget());
                    alone += usize::from(
                        engine == PROOF && matches!(astar.verdict, Verdict::Stopped { .. }),
                    );
                }
            }
        }
        assert!(stopped > 20 && alone > 5, "{stopped} {alone}");
    }

    #[test]
    fn stopped_at_once_it_knows_how_far_the_gap_is() {
        let mut random = Random::from_seed(3);
        let wanted = Wanted { size: Size::new(8, 8).expect("a size"), walls: 0, gaps: 1 };
        for _ in 0..20 {
            let maze = maze(wanted, &mut random);
            let bound =
                |states| match in_turn(&maze, &PACE, &Budget::unlimited().with_state_limit(states))
                    .outcome
                    .verdict
                {
                    Verdict::Stopped { lower_bound, .. } => Some(lower_bound),
                    _ => None,
                };
            assert_eq!(bound(0), fewest(&maze));
        }
    }

    #[test]
    fn no_plan_gets_past_the_rules() {
        let size = Size::new(1, 2).expect("a size");
        let maze =
            Instance::read(b"1 1\n11 10\n", size).next().expect("a data set").expect("a good one");
        assert!(accepted(&maze, vec![East, East]).is_ok());
        assert!(matches!(accepted(&maze, vec![West]), Err(Refusal::Move { number: 1, .. })));
        assert!(matches!(accepted(&maze, vec![East]), Err(Refusal::StillInside { moves: 1, .. })));
        assert!(accepted(&maze, Plan::new()).is_err());
    }
}
