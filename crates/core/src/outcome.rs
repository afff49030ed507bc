//! What a search found, and how far it is proved.

use std::convert::Infallible;

use crate::budget::{Budget, Limit};
use crate::stats::Stats;

/// The answer of a search and the work behind it. `P` is the plan: a chain of states where it
/// leaves an engine, the puzzle's own moves where it leaves a puzzle's crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<P> {
    /// The answer.
    pub verdict: Verdict<P>,
    /// The work.
    pub stats: Stats,
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<P> {
    /// A plan, and the proof that no shorter one exists.
    Solved {
        /// The plan.
        plan: P,
        /// Its moves.
        cost: u32,
    },
    /// The proof that no plan exists.
    Unsolvable,
    /// The budget ended first.
    Stopped {
        /// What ran out.
        limit: Limit,
        /// No plan has fewer moves than this.
        lower_bound: u32,
        /// The best plan met so far and its moves; legal, but maybe not shortest. Of the engines of
        /// this crate only A* can have one: the others know no plan before they know that it is
        /// shortest.
        best: Option<(P, u32)>,
    },
}

impl<P> Outcome<P> {
    /// The outcome of a search that cannot begin.
    pub fn stopped(limit: Limit, budget: &Budget) -> Self {
        let verdict = Verdict::Stopped { limit, lower_bound: 0, best: None };
        Self { verdict, stats: budget.meter().stats() }
    }

    /// The shortest plan, or of a stopped search the best one that it met.
    pub fn plan(&self) -> Option<&P> {
        match &self.verdict {
            Verdict::Solved { plan, .. } => Some(plan),
            Verdict::Unsolvable => None,
            Verdict::Stopped { best, .. } => best.as_ref().map(|(plan, _)| plan),
        }
    }

    /// The moves of [`plan`](Self::plan).
    pub fn cost(&self) -> Option<u32> {
        match &self.verdict {
            Verdict::Solved { cost, .. } => Some(*cost),
            Verdict::Unsolvable => None,
            Verdict::Stopped { best, .. } => best.as_ref().map(|&(_, cost)| cost),
        }
    }

    /// The same outcome with its plan in other words.
    pub fn map<Q>(self, mut translate: impl FnMut(P) -> Q) -> Outcome<Q> {
        let Ok(outcome) = self.try_map(|plan| Ok::<_, Infallible>(translate(plan)));
        outcome
    }

    /// The same outcome with its plan in other words, or the first failure to say it in them.
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
        Ok(Outcome { verdict, stats: self.stats })
    }
}
