//! The instance of a puzzle that takes most moves, of many that are tried: random ones, and changes of the best so far.

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

/// After so many tries that brought nothing harder it begins anew.
const PATIENCE: u32 = 20_000;

/// Tries so many instances, of which one in four is new, from `make`, and the others are changes of the hardest so far; but that is
/// forgotten, if only there, when long nothing harder has come of it. `budget` gives what may be spent on the next one, or ends it
/// all early by `None`: counts, not time, if the answer is to be the same on every machine.
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
        let changed = climb.as_ref().filter(|_| random.below(4) > 0).and_then(|(best, _)| change(best, random));
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
                // Of equals the later: from a plateau there are more ways up than from one place on it.
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
