//! The instance of a puzzle that takes most moves, of many that are tried: random ones, and changes
//! of the best so far.

use crate::budget::Budget;
use crate::outcome::{Outcome, Verdict};
use crate::random::Random;

/// What became of the instances that were tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried<I> {
    /// The one whose shortest plan is the longest, and the moves of that.
    pub hardest: Option<(I, u32)>,
    /// How many were solved.
    pub solved: u64,
    /// How many have no plan.
    pub unsolvable: u64,
    /// How many took more than their budget.
    pub given_up: u64,
}

/// After so many tries that brought nothing harder a climb is given up, and another one begins with
/// a new instance.
const PATIENCE: u32 = 20_000;

/// Tries so many instances: climbs from one to harder ones. One try in four is a new instance, from
/// `make`, the others are changes of the hardest of the climb. `budget` gives what may be spent on
/// the next try, or ends it all early by `None`: counts, not time, if the answer is to be the same
/// on every machine.
///
/// # Errors
/// The first of `solve`.
pub fn hardest<I: Clone, P, E>(
    tries: u64,
    random: &mut Random,
    mut make: impl FnMut(&mut Random) -> Option<I>,
    mut change: impl FnMut(&I, &mut Random) -> Option<I>,
    mut budget: impl FnMut() -> Option<Budget>,
    mut solve: impl FnMut(&I, &Budget) -> Result<Outcome<P>, E>,
) -> Result<Tried<I>, E> {
    let mut tried = Tried { hardest: None, solved: 0, unsolvable: 0, given_up: 0 };
    let mut climb: Option<(I, u32)> = None;
    let mut stale = 0;
    for _ in 0..tries {
        let Some(budget) = budget() else { break };
        if stale == PATIENCE {
            (climb, stale) = (None, 0);
        }
        stale += 1;
        let changed = climb
            .as_ref()
            .filter(|_| random.below(4) > 0)
            .and_then(|(best, _)| change(best, random));
        let Some(instance) = changed.or_else(|| make(random)) else { continue };
        match solve(&instance, &budget)?.verdict {
            Verdict::Solved { cost, .. } => {
                tried.solved += 1;
                if tried.hardest.as_ref().is_none_or(|&(_, most)| cost > most) {
                    tried.hardest = Some((instance.clone(), cost));
                }
                let before = climb.as_ref().map(|&(_, moves)| moves);
                if before.is_none_or(|moves| cost > moves) {
                    stale = 0;
                }
                // Of equals the later: from a plateau there are more ways up than from one place on
                // it.
                if before.is_none_or(|moves| cost >= moves) {
                    climb = Some((instance, cost));
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
    use crate::budget::Limit;

    /// How hard, and which.
    type Toy = (u32, u32);

    fn solved(&(cost, _): &Toy, budget: &Budget) -> Result<Outcome<()>, Infallible> {
        Ok(Outcome { verdict: Verdict::Solved { plan: (), cost }, stats: budget.meter().stats() })
    }

    #[test]
    fn a_climb_takes_equals_and_ends_when_it_does_not_rise() {
        let (mut made, mut number, mut from) = (0, 0, Vec::new());
        let change = |&(cost, which): &Toy, _: &mut Random| {
            from.push((cost, which));
            number += 1;
            Some(((cost + 1).min(3), number))
        };
        let make = |_: &mut Random| {
            made += 1;
            Some((0, 0))
        };
        let tries = 2 * u64::from(PATIENCE) + 1000;
        let budget = || Some(Budget::unlimited());
        let mut random = Random::from_seed(1);
        let Ok(tried) = hardest(tries, &mut random, make, change, budget, solved);
        assert_eq!((tried.hardest.map(|(_, cost)| cost), tried.solved), (Some(3), tries));
        assert!((tries / 5..tries / 3).contains(&made), "{made}");
        let anew = from.windows(2).filter(|pair| pair[1].0 < pair[0].0).count();
        assert_eq!(anew, 2);
        // On the plateau the next change is one of the last.
        let steps = from.windows(2).filter(|pair| pair[0].0 == 3 && pair[1].0 == 3);
        assert!(steps.clone().count() > 20_000 && steps.clone().all(|pair| pair[1].1 > pair[0].1));
    }

    #[test]
    fn what_becomes_of_each_is_counted_until_there_is_no_budget() {
        let (mut number, mut left) = (0, 9);
        let make = |_: &mut Random| {
            number += 1;
            Some((0, number))
        };
        let budget = || {
            left -= 1;
            (left >= 0).then(Budget::unlimited)
        };
        let solve = |toy: &Toy, budget: &Budget| {
            let mut outcome = solved(toy, budget)?;
            match toy.1 % 3 {
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
