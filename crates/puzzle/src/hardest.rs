//! Search for instances of a puzzle whose shortest plan is long.
//!
//! [`hardest`] is random-restart hill climbing. It keeps a current instance and solves variations
//! of it, each with a small random change. A variation replaces the current instance if its
//! shortest plan is at least as long. After many tries without an improvement, it restarts from a
//! new random instance. The result is the hardest instance of all tries, not necessarily the
//! hardest one that exists.
//!
//! In this example an instance is a number of 9 bits, and its cost is the number of bits that are
//! set:
//!
//! ```
//! use std::convert::Infallible;
//! use fewest_core::budget::Budget;
//! use fewest_puzzle::hardest::hardest;
//! use fewest_core::outcome::{Outcome, Verdict};
//! use fewest_puzzle::random::Random;
//!
//! let make = |random: &mut Random| Some(random.below(512) as u32);
//! let change = |number: &u32, random: &mut Random| Some(*number ^ (1_u32 << random.below(9)));
//! let budget = || Some(Budget::unlimited());
//! let solve = |number: &u32, budget: &Budget| {
//!     let verdict = Verdict::Solved { plan: (), cost: number.count_ones() };
//!     Ok::<_, Infallible>(Outcome::new(verdict, budget.meter().stats()))
//! };
//! let Ok(tried) = hardest(2000, &mut Random::from_seed(1), make, change, budget, solve);
//! assert_eq!(tried.hardest, Some((0b1_1111_1111, 9)));
//! ```

use crate::random::Random;
use fewest_core::budget::Budget;
use fewest_core::outcome::{Outcome, Verdict};

/// The result of [`hardest`]: the hardest instance, and the number of tries by verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried<I> {
    /// The first instance with the greatest cost, and that cost: the number of moves of its
    /// shortest plan. `None` if no instance was solved.
    pub hardest: Option<(I, u32)>,
    /// The number of instances that were solved.
    pub solved: u64,
    /// The number of instances without a plan.
    pub unsolvable: u64,
    /// The number of instances whose search was stopped by its budget.
    pub given_up: u64,
}

/// Hill climbing restarts from a new instance after this many tries without an improvement.
const RESTART_AFTER: u32 = 20_000;

/// Searches for a hard instance by hill climbing with `tries` tries.
///
/// Each try makes an instance and solves it:
///
/// - With probability 3/4 the instance is `change(current, random)`, where `current` is the hardest
///   instance since the last restart, or the latest one if several are equally hard. `change`
///   returns `None` if it finds no change.
/// - Otherwise, or if there is no `current` or no change, it is `make(random)`. If `make` returns
///   `None`, the try ends without an instance and changes no count.
///
/// The search restarts, which discards `current`, after 20,000 tries without a harder instance.
///
/// `budget` returns the budget of the next try, or `None` to end the search early. For a result
/// that is the same on every machine, limit states and not time.
///
/// # Errors
/// The first error of `solve`.
pub fn hardest<I: Clone, P, E>(
    tries: u64,
    random: &mut Random,
    mut make: impl FnMut(&mut Random) -> Option<I>,
    mut change: impl FnMut(&I, &mut Random) -> Option<I>,
    mut budget: impl FnMut() -> Option<Budget>,
    mut solve: impl FnMut(&I, &Budget) -> Result<Outcome<P>, E>,
) -> Result<Tried<I>, E> {
    let mut tried = Tried { hardest: None, solved: 0, unsolvable: 0, given_up: 0 };
    let mut current: Option<(I, u32)> = None;
    let mut tries_without_improvement = 0;
    for _ in 0..tries {
        let Some(budget) = budget() else { break };
        if tries_without_improvement == RESTART_AFTER {
            (current, tries_without_improvement) = (None, 0);
        }
        tries_without_improvement += 1;
        let changed = current
            .as_ref()
            .filter(|_| random.below(4) > 0)
            .and_then(|(instance, _)| change(instance, random));
        let Some(instance) = changed.or_else(|| make(random)) else { continue };
        match solve(&instance, &budget)?.verdict {
            Verdict::Solved { cost, .. } => {
                tried.solved += 1;
                if tried.hardest.as_ref().is_none_or(|&(_, greatest)| cost > greatest) {
                    tried.hardest = Some((instance.clone(), cost));
                }
                let current_cost = current.as_ref().map(|&(_, cost)| cost);
                if current_cost.is_none_or(|current_cost| cost > current_cost) {
                    tries_without_improvement = 0;
                }
                // An equally hard instance replaces the current one, so that the search can move
                // across a plateau.
                if current_cost.is_none_or(|current_cost| cost >= current_cost) {
                    current = Some((instance, cost));
                }
            }
            Verdict::Unsolvable => tried.unsolvable += 1,
            Verdict::Stopped { .. } => tried.given_up += 1,
        }
    }
    Ok(tried)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use fewest_core::budget::Limit;

    /// The cost of an instance, and a number that identifies it.
    type Toy = (u32, u32);

    fn solved(&(cost, _): &Toy, budget: &Budget) -> Result<Outcome<()>, Infallible> {
        Ok(Outcome::new(Verdict::Solved { plan: (), cost }, budget.meter().stats()))
    }

    #[test]
    fn equally_hard_instances_replace_the_current_one_and_the_search_restarts() {
        let (mut made, mut last_id, mut changed) = (0, 0, Vec::new());
        let change = |&(cost, id): &Toy, _: &mut Random| {
            changed.push((cost, id));
            last_id += 1;
            Some(((cost + 1).min(3), last_id))
        };
        let make = |_: &mut Random| {
            made += 1;
            Some((0, 0))
        };
        let tries = 2 * u64::from(RESTART_AFTER) + 1000;
        let budget = || Some(Budget::unlimited());
        let mut random = Random::from_seed(1);
        let Ok(tried) = hardest(tries, &mut random, make, change, budget, solved);
        assert_eq!((tried.hardest.map(|(_, cost)| cost), tried.solved), (Some(3), tries));
        assert!((tries / 5..tries / 3).contains(&made), "{made}");
        let restarts = changed.windows(2).filter(|pair| pair[1].0 < pair[0].0).count();
        assert_eq!(restarts, 2);
        // On the plateau of cost 3, each change starts from the result of the last one.
        let plateau = changed.windows(2).filter(|pair| pair[0].0 == 3 && pair[1].0 == 3);
        assert!(plateau.clone().count() > 20_000);
        assert!(plateau.clone().all(|pair| pair[1].1 > pair[0].1));
    }

    #[test]
    fn verdicts_are_counted_until_there_is_no_budget() {
        let (mut last_id, mut budgets_left) = (0, 9);
        let make = |_: &mut Random| {
            last_id += 1;
            Some((0, last_id))
        };
        let budget = || {
            budgets_left -= 1;
            (budgets_left >= 0).then(Budget::unlimited)
        };
        let solve = |instance: &Toy, budget: &Budget| {
            let mut outcome = solved(instance, budget)?;
            match instance.1 % 3 {
                0 => outcome.verdict = Verdict::Unsolvable,
                1 => {
                    outcome.verdict =
                        Verdict::Stopped { limit: Limit::States, lower_bound: 0, best: None }
                }
                _ => {}
            }
            Ok::<_, Infallible>(outcome)
        };
        let Ok(tried) = hardest(100, &mut Random::from_seed(1), make, |_, _| None, budget, solve);
        assert_eq!(
            tried,
            Tried { hardest: Some(((0, 2), 0)), solved: 3, unsolvable: 3, given_up: 3 }
        );
    }
}
