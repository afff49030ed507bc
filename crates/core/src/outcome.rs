//! The result of a search: a verdict with what was proved, and the work that it took. A number of
//! moves is the sum of their [costs](crate::space::cost) if they do not cost 1 each.
//!
//! ```
//! use fewest_core::budget::{Budget, Limit};
//! use fewest_core::outcome::{Outcome, Verdict};
//!
//! fn report(outcome: &Outcome<Vec<u32>>) -> String {
//!     match &outcome.verdict {
//!         Verdict::Solved { cost, .. } => format!("{cost} moves, optimal"),
//!         Verdict::Unsolvable => "unsolvable".to_owned(),
//!         Verdict::Stopped { limit, lower_bound, best: None } => {
//!             format!("{limit}: at least {lower_bound} moves")
//!         }
//!         Verdict::Stopped { limit, lower_bound, best: Some((_, cost)) } => {
//!             format!("{limit}: {lower_bound} to {cost} moves")
//!         }
//!     }
//! }
//!
//! let outcome = Outcome::stopped(Limit::Memory, &Budget::unlimited());
//! assert_eq!(report(&outcome), "out of memory: at least 0 moves");
//! ```

use std::convert::Infallible;

use crate::budget::{Budget, Limit};
use crate::representation::{RepresentationChoice, UnsupportedRepresentation};
use crate::space::{StateSpace, moves_along};
use crate::stats::Stats;
use crate::word::Word;

/// The verdict of a search and the work that it took.
///
/// `P` is the type of a plan. The engines of this crate return the chain of states from an initial
/// state to a goal, both included: a plan of `n` moves is a `Vec` of `n + 1` states.
/// [`moves_along`] gives its moves. The crate of a puzzle translates a
/// plan with [`map`](Self::map) or [`try_map`](Self::try_map).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Outcome<P> {
    /// What the search found and proved.
    pub verdict: Verdict<P>,
    /// The work of the search.
    pub stats: Stats,
    /// How the search kept its states, and why, if it is a breadth-first search or one from both
    /// sides.
    pub representation: Option<RepresentationChoice>,
}

/// A shortest plan. It iterates over its moves:
///
/// ```
/// use fewest_core::prelude::*;
///
/// // From 1 to 10 by adding 1 or doubling.
/// let numbers = from_fn([1_u32], |n| [('+', n + 1), ('*', n * 2)], |n| n == 10);
/// let plan = Search::new(&numbers).plan()?.expect("10 is reached");
/// assert_eq!((plan.cost(), plan.states()), (4, &[1, 2, 4, 5, 10][..]));
/// let buttons: String = plan.into_iter().collect();
/// assert_eq!(buttons, "+*+*");
/// # Ok::<(), fewest_core::outcome::Stopped>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Plan<W, M> {
    states: Vec<W>,
    moves: Vec<M>,
    cost: u32,
}

impl<W: Word, M: Copy> Plan<W, M> {
    /// The plan along a chain of states that a search returned.
    pub(crate) fn along<S: StateSpace<State = W, Move = M>>(
        space: &S,
        states: Vec<W>,
        cost: u32,
    ) -> Self {
        let moves = moves_along(space, &states);
        let moves =
            moves.expect("invalid state space: a move is missing when it is asked for again");
        Self { states, moves, cost }
    }

    /// The number of moves, or what they [cost](crate::space::cost).
    pub fn cost(&self) -> u32 {
        self.cost
    }

    /// The moves.
    pub fn moves(&self) -> &[M] {
        &self.moves
    }

    /// The states, from the initial one to the goal: one more than moves.
    pub fn states(&self) -> &[W] {
        &self.states
    }
}

impl<W, M> IntoIterator for Plan<W, M> {
    type Item = M;
    type IntoIter = std::vec::IntoIter<M>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter()
    }
}

impl<'a, W, M> IntoIterator for &'a Plan<W, M> {
    type Item = &'a M;
    type IntoIter = std::slice::Iter<'a, M>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.iter()
    }
}

/// The error of a search that has no answer, since a limit stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{limit}: every plan costs at least {lower_bound}")]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Stopped {
    /// The limit.
    pub limit: Limit,
    /// A proved lower bound on the number of moves, or on what they [cost](crate::space::cost).
    pub lower_bound: u32,
}

/// What a search found and proved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Verdict<P> {
    /// A plan that is proved shortest.
    Solved {
        /// The plan.
        plan: P,
        /// Its number of moves, or what they [cost](crate::space::cost).
        cost: u32,
    },
    /// It is proved that no plan exists.
    Unsolvable,
    /// A limit stopped the search before it had an answer.
    Stopped {
        /// The limit that was reached.
        limit: Limit,
        /// A proved lower bound: every plan has at least this many moves, or costs this much.
        lower_bound: u32,
        /// The shortest plan found so far and its number of moves. The plan is valid; whether it is
        /// shortest is not proved. Only A* returns one: the other engines of this crate find no
        /// plan before they can prove it shortest.
        best: Option<(P, u32)>,
    },
}

impl<P> Outcome<P> {
    /// The outcome of a search that does not choose between representations.
    pub fn new(verdict: Verdict<P>, stats: Stats) -> Self {
        Self { verdict, stats, representation: None }
    }

    /// The outcome of a search that `limit` stopped before it started: lower bound 0, no plan.
    pub fn stopped(limit: Limit, budget: &Budget) -> Self {
        let verdict = Verdict::Stopped { limit, lower_bound: 0, best: None };
        Self::new(verdict, budget.meter().stats())
    }

    /// The outcome, unless the search was stopped since it cannot keep its states as it was
    /// [asked to](crate::storage::Storage::with_representation): a mistake of the caller.
    ///
    /// # Errors
    /// If so, what was asked for.
    pub fn supported(self) -> Result<Self, UnsupportedRepresentation> {
        match self.verdict {
            Verdict::Stopped { limit: Limit::Representation(error), .. } => Err(error),
            _ => Ok(self),
        }
    }

    /// The plan that is proved shortest. `None` if there is no plan or a limit stopped the search.
    pub fn optimal(&self) -> Option<&P> {
        match &self.verdict {
            Verdict::Solved { plan, .. } => Some(plan),
            Verdict::Unsolvable | Verdict::Stopped { .. } => None,
        }
    }

    /// The number of moves of [`optimal`](Self::optimal), which is proved to be the least.
    pub fn cost(&self) -> Option<u32> {
        match self.verdict {
            Verdict::Solved { cost, .. } => Some(cost),
            Verdict::Unsolvable | Verdict::Stopped { .. } => None,
        }
    }

    /// The shortest plan that was found and its number of moves, whether or not it is proved
    /// shortest.
    pub fn best(&self) -> Option<(&P, u32)> {
        match &self.verdict {
            Verdict::Solved { plan, cost } => Some((plan, *cost)),
            Verdict::Unsolvable => None,
            Verdict::Stopped { best, .. } => best.as_ref().map(|(plan, cost)| (plan, *cost)),
        }
    }

    /// The proved lower bound: every plan has at least this many moves. `None` if it is proved that
    /// there is no plan.
    pub fn lower_bound(&self) -> Option<u32> {
        match self.verdict {
            Verdict::Solved { cost, .. } => Some(cost),
            Verdict::Unsolvable => None,
            Verdict::Stopped { lower_bound, .. } => Some(lower_bound),
        }
    }

    /// The same outcome with its plan, if it has one, translated by `translate`.
    pub fn map<Q>(self, mut translate: impl FnMut(P) -> Q) -> Outcome<Q> {
        let Ok(outcome) = self.try_map(|plan| Ok::<_, Infallible>(translate(plan)));
        outcome
    }

    /// The same outcome with its plan, if it has one, translated by `translate`.
    ///
    /// # Errors
    /// The error of `translate`.
    pub fn try_map<Q, E>(
        self,
        mut translate: impl FnMut(P) -> Result<Q, E>,
    ) -> Result<Outcome<Q>, E> {
        let verdict = match self.verdict {
            Verdict::Solved { plan, cost } => Verdict::Solved { plan: translate(plan)?, cost },
            Verdict::Unsolvable => Verdict::Unsolvable,
            Verdict::Stopped { limit, lower_bound, best } => Verdict::Stopped {
                limit,
                lower_bound,
                best: match best {
                    Some((plan, cost)) => Some((translate(plan)?, cost)),
                    None => None,
                },
            },
        };
        Ok(Outcome { verdict, stats: self.stats, representation: self.representation })
    }
}
