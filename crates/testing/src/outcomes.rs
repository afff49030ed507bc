//! Outcomes of searches against the truth.

use std::collections::{BTreeSet, VecDeque};

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::Engine;

/// The fewest moves from `start` to a board that is solved, by a breadth-first search as plain as
/// can be; `None` if no moves lead to one. Boards of the same `key` are one.
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

/// What solves a puzzle by an engine, or by the one that it chooses itself.
pub type Solve<'a, M> = dyn Fn(Option<Engine>, &Budget) -> Outcome<Vec<M>> + 'a;

/// A puzzle to be solved by one engine after the other; `M` is a move.
#[derive(Clone, Copy)]
pub struct Judge<'a, M> {
    /// Solves it.
    pub solve: &'a Solve<'a, M>,
    /// Whether the rules accept a plan.
    pub replay: &'a dyn Fn(&[M]) -> bool,
    /// The fewest moves; `None` if there is no plan.
    pub expected: Option<u32>,
}

impl<M> Judge<'_, M> {
    /// The moves of a plan that the rules accept.
    fn moves(&self, plan: &[M]) -> Option<u32> {
        (self.replay)(plan).then_some(plan.len() as u32)
    }

    /// Every engine, and the one that is taken by default, proves the truth if nothing limits it.
    pub fn every_engine(&self, engines: &[Engine]) {
        for engine in engines.iter().copied().map(Some).chain([None]) {
            match (&(self.solve)(engine, &Budget::unlimited()).verdict, self.expected) {
                (Verdict::Solved { plan, cost }, Some(expected)) => {
                    assert_eq!((*cost, self.moves(plan)), (expected, Some(expected)), "{engine:?}");
                }
                (Verdict::Unsolvable, None) => {}
                (Verdict::Solved { cost, .. }, None) => {
                    panic!("{engine:?}: {cost} moves for what cannot be solved")
                }
                (Verdict::Unsolvable, Some(moves)) => {
                    panic!("{engine:?}: unsolvable, and {moves} moves solve it")
                }
                (Verdict::Stopped { limit, .. }, _) => {
                    panic!("{engine:?}: stopped without a limit, {limit}")
                }
            }
        }
    }

    /// Every engine, and the one that is taken by default, says nothing false when it may expand
    /// only so many states.
    pub fn every_engine_of_few_states(&self, engines: &[Engine], states: u64) {
        for engine in engines.iter().copied().map(Some).chain([None]) {
            let budget = Budget::new(Limits { states: Some(states), ..Limits::default() });
            let outcome = (self.solve)(engine, &budget);
            assert!(outcome.stats.expanded <= states, "{engine:?}");
            match &outcome.verdict {
                Verdict::Solved { plan, cost } => {
                    assert_eq!(
                        (Some(*cost), self.moves(plan)),
                        (self.expected, self.expected),
                        "{engine:?}"
                    );
                }
                Verdict::Unsolvable => assert_eq!(None, self.expected, "{engine:?}"),
                Verdict::Stopped { limit, lower_bound, best } => {
                    assert_eq!(*limit, Limit::States, "{engine:?}");
                    assert!(
                        self.expected.is_none_or(|expected| *lower_bound <= expected),
                        "{engine:?}"
                    );
                    if let Some((plan, cost)) = best {
                        assert_eq!(self.moves(plan), Some(*cost), "{engine:?}");
                        assert!(
                            self.expected.is_some_and(|expected| expected <= *cost),
                            "{engine:?}"
                        );
                    }
                }
            }
        }
    }
}
