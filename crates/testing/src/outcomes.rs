//! Checks of search outcomes against the result of a reference search.

use std::collections::{BTreeSet, VecDeque};

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::Engine;
use fewest_rules::{Rules, Verified};

/// Returns the minimum number of moves from `start` to a solved board, or `None` if no solved board
/// is reachable. Boards with the same `key` are the same state.
///
/// This is a breadth-first search with a queue and an ordered set, without any optimisation, as a
/// reference for the engines.
pub fn plain_search<B, K: Ord>(
    start: B,
    key: impl Fn(&B) -> K,
    is_solved: impl Fn(&B) -> bool,
    successors: impl Fn(&B) -> Vec<B>,
) -> Option<u32> {
    let mut visited = BTreeSet::from([key(&start)]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((board, depth)) = queue.pop_front() {
        if is_solved(&board) {
            return Some(depth);
        }
        for next in successors(&board) {
            if visited.insert(key(&next)) {
                queue.push_back((next, depth + 1));
            }
        }
    }
    None
}

/// The least number of moves that solve an instance, by [`plain_search`] on its rules. `key` is as
/// there.
pub fn plain_cost<R: Rules, K: Ord>(rules: &R, key: impl Fn(&R::Board) -> K) -> Option<u32> {
    let played = |board: &R::Board, by: &R::Move| {
        let mut after = board.clone();
        rules.play(&mut after, by).expect("a legal move");
        after
    };
    let successors =
        |board: &R::Board| rules.moves(board).iter().map(|by| played(board, by)).collect();
    plain_search(rules.start_board(), key, |board| rules.is_solved(board), successors)
}

/// A function that solves an instance with an engine, or with the default engine for `None`.
pub type Solve<'a, R> = dyn Fn(Option<Engine>, &Budget) -> Outcome<Verified<R>> + 'a;

/// The expected result of solving one instance, with the functions to check outcomes against it.
/// `R` are its rules.
#[derive(Clone, Copy)]
pub struct ExpectedResult<'a, R: Rules> {
    /// Solves the instance.
    pub solve: &'a Solve<'a, R>,
    /// The optimal cost, or `None` if the instance is unsolvable.
    pub cost: Option<u32>,
}

impl<R: Rules> ExpectedResult<'_, R> {
    /// Checks that each of these engines and the default engine return the expected result without
    /// limits.
    ///
    /// # Panics
    /// If an engine returns another verdict or a plan that is not optimal.
    pub fn check(&self, engines: &[Engine]) {
        for engine in engines.iter().copied().map(Some).chain([None]) {
            match (&(self.solve)(engine, &Budget::unlimited()).verdict, self.cost) {
                (Verdict::Solved { plan, cost }, Some(expected)) => {
                    assert_eq!((*cost, plan.len() as u32), (expected, expected), "{engine:?}");
                }
                (Verdict::Unsolvable, None) => {}
                (Verdict::Solved { cost, .. }, None) => {
                    panic!("{engine:?}: found a plan of {cost} moves, expected no plan")
                }
                (Verdict::Unsolvable, Some(expected)) => {
                    panic!("{engine:?}: found no plan, expected a plan of {expected} moves")
                }
                (Verdict::Stopped { limit, .. }, _) => {
                    panic!("{engine:?}: stopped by {limit}, expected no limit")
                }
            }
        }
    }

    /// Checks that each of these engines and the default engine return nothing false if they may
    /// expand at most this many states.
    ///
    /// # Panics
    /// If an engine expands more states, or if its verdict, its lower bound or its best plan
    /// contradicts the expected result.
    pub fn check_with_state_limit(&self, engines: &[Engine], states: u64) {
        for engine in engines.iter().copied().map(Some).chain([None]) {
            let budget = Budget::new(Limits { states: Some(states), ..Limits::default() });
            let outcome = (self.solve)(engine, &budget);
            assert!(outcome.stats.expanded <= states, "{engine:?}");
            match &outcome.verdict {
                Verdict::Solved { plan, cost } => {
                    assert_eq!(
                        (Some(*cost), Some(plan.len() as u32)),
                        (self.cost, self.cost),
                        "{engine:?}"
                    );
                }
                Verdict::Unsolvable => assert_eq!(None, self.cost, "{engine:?}"),
                Verdict::Stopped { limit, lower_bound, best } => {
                    assert_eq!(*limit, Limit::States, "{engine:?}");
                    assert!(
                        self.cost.is_none_or(|expected| *lower_bound <= expected),
                        "{engine:?}"
                    );
                    if let Some((plan, cost)) = best {
                        assert_eq!(plan.len() as u32, *cost, "{engine:?}");
                        assert!(self.cost.is_some_and(|expected| expected <= *cost), "{engine:?}");
                    }
                }
            }
        }
    }
}
