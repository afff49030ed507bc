//! Outcomes of searches against the truth.

use std::collections::{BTreeSet, VecDeque};

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::Engine;

/// The fewest moves from `start` to a board that is solved, by a breadth-first search as plain as can be; `None` if no moves
/// lead to one. Boards of the same `key` are one.
pub fn plain_search<B, K: Ord>(
    start: B,
    key: impl Fn(&B) -> K,
    is_solved: impl Fn(&B) -> bool,
    successors: impl Fn(&B) -> Vec<B>,
) -> Option<u32> {
    let mut seen = BTreeSet::from([key(&start)]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((board, depth)) = queue.pop_front() {
        if is_solved(&board) {
            return Some(depth);
        }
        for next in successors(&board) {
            if seen.insert(key(&next)) {
                queue.push_back((next, depth + 1));
            }
        }
    }
    None
}

/// A puzzle to be solved by one engine after the other.
#[derive(Clone, Copy)]
pub struct Judge<'a, P> {
    /// Solves it; `None` leaves the choice of the engine to the puzzle.
    pub solve: &'a dyn Fn(Option<Engine>, &Budget) -> Outcome<P>,
    /// The moves of a plan that the rules accept.
    pub replay: &'a dyn Fn(&P) -> Option<u32>,
    /// The fewest moves; `None` if there is no plan.
    pub expected: Option<u32>,
}

impl<P> Judge<'_, P> {
    /// Every engine, and the one that is taken by default, proves the truth if nothing limits it.
    pub fn every_engine(&self, engines: &[Engine]) {
        for engine in engines.iter().copied().map(Some).chain([None]) {
            match (&(self.solve)(engine, &Budget::unlimited()).verdict, self.expected) {
                (Verdict::Solved { plan, cost }, Some(expected)) => {
                    assert_eq!((*cost, (self.replay)(plan)), (expected, Some(expected)), "{engine:?}");
                }
                (Verdict::Unsolvable, None) => {}
                (Verdict::Solved { cost, .. }, None) => panic!("{engine:?}: {cost} moves for what cannot be solved"),
                (Verdict::Unsolvable, Some(moves)) => panic!("{engine:?}: unsolvable, and {moves} moves solve it"),
                (Verdict::Stopped { limit, .. }, _) => panic!("{engine:?}: stopped without a limit, {limit}"),
            }
        }
    }

    /// Every engine says nothing false when it may expand only so many states.
    pub fn every_engine_of_few_states(&self, engines: &[Engine], states: u64) {
        for &engine in engines {
            let budget = Budget::new(Limits { states: Some(states), ..Limits::default() });
            let outcome = (self.solve)(Some(engine), &budget);
            assert!(outcome.stats.expanded <= states, "{engine}");
            match &outcome.verdict {
                Verdict::Solved { plan, cost } => {
                    assert_eq!((Some(*cost), (self.replay)(plan)), (self.expected, self.expected), "{engine}");
                }
                Verdict::Unsolvable => assert_eq!(None, self.expected, "{engine}"),
                Verdict::Stopped { limit, lower_bound, best } => {
                    assert_eq!(*limit, Limit::States, "{engine}");
                    assert!(self.expected.is_none_or(|expected| *lower_bound <= expected), "{engine}");
                    if let Some((plan, cost)) = best {
                        assert_eq!((self.replay)(plan), Some(*cost), "{engine}");
                        assert!(self.expected.is_some_and(|expected| expected <= *cost), "{engine}");
                    }
                }
            }
        }
    }
}
