//! The choice of the search, and its reasons.
//!
//! Most mazes are easy, so a short search comes first (`quick.rs`). After it, two algorithms take
//! turns, because it is not known in advance which of them ends first: `proof.rs` tries to prove
//! that the maze is unsolvable, gap by gap, and A* searches for a shortest plan. In each turn an
//! algorithm may expand four times as many states as in its turn before. Both skip the moves that
//! the [`Relaxation`] rules out. For many unsolvable mazes the relaxation is the whole proof.

use std::any::Any;
use std::collections::VecDeque;

use fewest_core::Heuristic;
use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::all_shortest::ShortestPlans;
use fewest_core::search::{Answer, Engine, Search};
use fewest_core::space::moves_along;
use fewest_puzzle::SolveError;
use fewest_puzzle::count_plans::CountPlans;
use fewest_rules::{Rules, Verified, verify};

use crate::heuristic::NearestGap;
use crate::instance::Instance;
use crate::plan::Plan;
use crate::proof::UnsolvabilityProof;
use crate::quick;
use crate::relaxation::Relaxation;
use crate::space::{Abstraction, with_space};

/// The engines for mazes. Bidirectional search is not among them, because there are too many goal
/// boards to start from.
pub const ENGINES: &[Engine] = &[Engine::Bfs, Engine::Astar, Engine::Idastar];

/// Finds a shortest plan, or proves that there is none. If `engine` is `None`, the algorithms of
/// this module take turns.
///
/// If a limit of the budget stops the search, the outcome has a lower bound on the cost and the
/// best plan that was found.
///
/// # Errors
/// If the engine is not one of [`ENGINES`]; if the rules reject the plan that was found, which is a
/// bug in this crate.
pub fn solve(
    instance: &Instance,
    engine: Option<Engine>,
    budget: &Budget,
) -> Result<Answer<Verified<Instance>>, SolveError> {
    let Answer { outcome, engine } = match engine {
        Some(engine) => Answer {
            outcome: search(instance, &Relaxation::new(instance), engine, budget)?,
            engine: engine.name(),
        },
        None => solve_in_turns(instance, &QUOTAS, budget)?,
    };
    Ok(Answer { outcome: outcome.try_map(|plan| verify(instance, plan))?, engine })
}

/// How much each algorithm may expand: states in the short search, regions in the first turn of the
/// proof, states in the first turn of A*.
struct Quotas {
    quick: u64,
    proof: u64,
    astar: u64,
}

/// A region of the proof takes less time to expand than a state of A*.
const QUOTAS: Quotas = Quotas { quick: 1024, proof: 1024, astar: 512 };

/// The factor from the quota of one turn to that of the next.
const QUOTA_GROWTH: u64 = 4;

fn solve_in_turns(
    instance: &Instance,
    quotas: &Quotas,
    budget: &Budget,
) -> Result<Answer<Plan>, SolveError> {
    let answer =
        |verdict, stats, engine| Ok(Answer { outcome: Outcome::new(verdict, stats), engine });
    let solved = |plan: Plan, stats, engine| {
        answer(Verdict::Solved { cost: plan.len() as u32, plan }, stats, engine)
    };
    let (quick, mut spent) = quick::search(instance, quotas.quick.min(budget.states()));
    let mut known_bound = match quick {
        Ok(plan) => return solved(plan, spent, Engine::Idastar.name()),
        Err(lower_bound) => lower_bound,
    };
    let astar = Engine::Astar.name();
    let mut relaxation = Relaxation::new(instance);
    let mut proof = UnsolvabilityProof::new(instance, &relaxation);
    let mut turns = VecDeque::from([(PROOF, quotas.proof), (astar, quotas.astar)]);
    let (mut best, mut last_limit) = (None::<Plan>, Limit::States);
    while let Some((engine, quota)) = turns.pop_front() {
        // An algorithm that is the only one left has no quota.
        let states = if turns.is_empty() { u64::MAX } else { quota };
        let turn_budget = budget.with_state_limit(states.min(budget.states() - spent.expanded));
        let (limit, found) = if engine == PROOF {
            let mut meter = turn_budget.meter();
            let found = proof.resume(instance, &mut relaxation, &mut meter);
            spent = spent.and_then(meter.stats());
            match found {
                Ok(None) => return answer(Verdict::Unsolvable, spent, PROOF),
                Ok(found) => (None, found),
                Err(limit) => (Some(limit), None),
            }
        } else {
            let outcome = search(instance, &relaxation, Engine::Astar, &turn_budget)?;
            spent = spent.and_then(outcome.stats);
            let Verdict::Stopped { limit, lower_bound, best: found } = outcome.verdict else {
                return answer(outcome.verdict, spent, astar);
            };
            known_bound = lower_bound.max(known_bound);
            (Some(limit), found.map(|(plan, _)| plan))
        };
        best = best.into_iter().chain(found).min_by_key(Vec::len);
        if let Some(plan) = best.take_if(|plan| plan.len() as u32 <= known_bound) {
            return solved(plan, spent, engine);
        }
        // The proof found a plan. It has no more turns, but no limit has stopped it.
        let Some(limit) = limit else { continue };
        last_limit = limit;
        match limit {
            Limit::States if spent.expanded < budget.states() => {
                turns.push_back((engine, quota * QUOTA_GROWTH))
            }
            // The other algorithm may need less memory or a smaller word.
            Limit::Memory | Limit::Encoding => {}
            _ => break,
        }
    }
    // A* may not have had a turn.
    known_bound = known_bound.max(initial_bound(instance, &relaxation));
    let best = best.map(|plan| {
        let cost = plan.len() as u32;
        (plan, cost)
    });
    let stopped = Verdict::Stopped { limit: last_limit, lower_bound: known_bound, best };
    answer(stopped, spent, astar)
}

impl CountPlans for Instance {
    /// # Errors
    /// If the rules reject a plan, which is a bug in this crate.
    fn list_shortest_plans(
        &self,
        max_plans: usize,
        budget: &Budget,
    ) -> Result<Outcome<ShortestPlans<Verified<Self>>>, SolveError> {
        let relaxation = Relaxation::new(self);
        let listed = with_space!(self, &relaxation, Abstraction::IDENTITY, |space| {
            Search::new(space).budget(budget).all_shortest().try_map(|all| {
                all.list(max_plans, budget, |states| {
                    let plan = verify(self, moves_along(space, states).unwrap_or_default())?;
                    let bytes = size_of_val(&plan[..]);
                    Ok::<_, SolveError>((plan, bytes))
                })
            })
        });
        listed.unwrap_or_else(|limit| Ok(Outcome::stopped(limit, budget)))
    }
}

/// The lower bound of A* in the initial state.
fn initial_bound(instance: &Instance, relaxation: &Relaxation) -> u32 {
    let bound: Result<Option<u32>, Limit> =
        with_space!(instance, relaxation, Abstraction::IDENTITY, |space| {
            let nearest = NearestGap::new(relaxation, space);
            nearest.bound(nearest.evaluate(space.start()))
        });
    bound.ok().flatten().unwrap_or(0)
}

/// The name of the proof in answers, where other answers have the name of an engine.
const PROOF: &str = "regions";

fn search(
    instance: &Instance,
    relaxation: &Relaxation,
    engine: Engine,
    budget: &Budget,
) -> Result<Outcome<Plan>, SolveError> {
    let searched = with_space!(instance, relaxation, Abstraction::IDENTITY, |space| {
        let outcome = Search::new(space)
            .heuristic_from(|_| Ok::<_, Limit>(NearestGap::new(relaxation, space)))
            .engine(engine)?
            .budget(budget)
            .run();
        // If two states of the chain are not adjacent, the rules reject the empty plan.
        outcome.map(|chain| moves_along(space, &chain).unwrap_or_default())
    });
    Ok(searched.unwrap_or_else(|limit| Outcome::stopped(limit, budget)))
}

/// The instance that starts with a state of a search.
pub(crate) fn at_state(maze: &Instance, state: &dyn Any) -> Option<Instance> {
    let relaxation = Relaxation::new(maze);
    let of_space = with_space!(maze, &relaxation, Abstraction::IDENTITY, |space| {
        maze.with_board(space.unpack(*state.downcast_ref()?))
    });
    of_space.ok()?
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use fewest_core::budget::Limits;
    use fewest_geometry::Direction::{East, West};
    use fewest_puzzle::random::Random;
    use fewest_rules::Refusal;

    use super::*;
    use crate::Size;
    use crate::generate::{MazeOptions, maze};
    use crate::rules::tests::optimal_cost;

    /// A maze that is small enough for a plain search.
    fn small_maze(random: &mut Random) -> Instance {
        let size = Size::new(1 + random.below(4), 1 + random.below(4)).expect("a size");
        let walls = 30 + random.below(50);
        maze(MazeOptions { size, walls, gaps: random.below(4) }, random)
    }

    #[test]
    fn costs_of_20_000_mazes_are_those_of_a_plain_search() {
        let all_quotas = [
            QUOTAS,
            Quotas { quick: 0, proof: 1, astar: 1 },
            Quotas { quick: 8, proof: 1, astar: 100 },
        ];
        let mut random = Random::from_seed(1);
        let mut answers = BTreeMap::new();
        for (round, quotas) in (0..20_000).zip(all_quotas.iter().cycle()) {
            let maze = small_maze(&mut random);
            let Answer { outcome, engine } =
                solve_in_turns(&maze, quotas, &Budget::unlimited()).expect("A* is supported");
            let expected = optimal_cost(&maze);
            assert_eq!(outcome.cost(), expected, "{round}: {maze}");
            if let Verdict::Solved { plan, cost } = outcome.verdict {
                assert_eq!(verify(&maze, plan).map(|plan| plan.len() as u32), Ok(cost));
            }
            *answers.entry((engine, expected.is_some())).or_insert(0) += 1;
        }
        // Each algorithm has given each kind of answer that it can give.
        assert_eq!(answers.len(), 5, "{answers:?}");
        assert!(answers.values().all(|&mazes| mazes > 20), "{answers:?}");
    }

    #[test]
    fn lower_bounds_hold_when_memory_runs_out_and_the_proof_continues_without_astar() {
        let mut random = Random::from_seed(2);
        let (mut stopped, mut proved_alone) = (0, 0);
        for memory_bytes in (0..4000).map(|round| 100 * (round % 400)) {
            let maze = small_maze(&mut random);
            let limits = Limits { memory_bytes: Some(memory_bytes), ..Limits::default() };
            let budget = || Budget::new(limits);
            let expected = optimal_cost(&maze);
            // One region of the proof; A* until it answers or is out of memory; then the proof.
            let quotas = Quotas { quick: 0, proof: 1, astar: u64::MAX };
            let Answer { outcome, engine } =
                solve_in_turns(&maze, &quotas, &budget()).expect("A* is supported");
            assert!(outcome.stats.bytes <= memory_bytes);
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
                    let astar = search(&maze, &Relaxation::new(&maze), Engine::Astar, &budget())
                        .expect("A* is supported");
                    proved_alone += usize::from(
                        engine == PROOF && matches!(astar.verdict, Verdict::Stopped { .. }),
                    );
                }
            }
        }
        assert!(stopped > 20 && proved_alone > 5, "{stopped} {proved_alone}");
    }

    #[test]
    fn without_an_expansion_the_lower_bound_is_the_distance_to_the_gap() {
        let mut random = Random::from_seed(3);
        let options = MazeOptions { size: Size::new(8, 8).expect("a size"), walls: 0, gaps: 1 };
        for _ in 0..20 {
            let maze = maze(options, &mut random);
            let budget = Budget::unlimited().with_state_limit(0);
            let answer = solve_in_turns(&maze, &QUOTAS, &budget).expect("A* is supported");
            let bound = match answer.outcome.verdict {
                Verdict::Stopped { lower_bound, .. } => Some(lower_bound),
                _ => None,
            };
            assert_eq!(bound, optimal_cost(&maze));
        }
    }

    #[test]
    fn plans_are_replayed_by_the_rules() {
        let size = Size::new(1, 2).expect("a size");
        let maze =
            Instance::read(b"1 1\n11 10\n", size).next().expect("a data set").expect("no error");
        assert!(verify(&maze, vec![East, East]).is_ok());
        assert!(matches!(verify(&maze, vec![West]), Err(Refusal::Illegal { number: 1, .. })));
        assert!(matches!(verify(&maze, vec![East]), Err(Refusal::Unsolved { moves: 1, .. })));
        assert!(verify(&maze, Plan::new()).is_err());
    }

    #[test]
    fn an_unsupported_engine_is_refused_by_name() {
        let size = Size::new(1, 2).expect("a size");
        let maze = Instance::read(b"1 1\n11 10\n", size).next().expect("a maze").expect("valid");
        let error = solve(&maze, Some(Engine::Bidirectional), &Budget::unlimited())
            .expect_err("not one of ENGINES");
        let expected = "the engine `bidirectional` is not available: it needs lists of the goals and of \
                        predecessors";
        assert_eq!(error.to_string(), expected);
    }
}
