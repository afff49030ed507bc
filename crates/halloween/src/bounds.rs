//! Plans as the searches have them, and what is known of the steps to come: a lower bound, and the
//! shortest plan so far. Where they meet, the search is over.

use fewest_core::budget::Limit;
use fewest_core::encoding::Cell;
use fewest_core::memory::OutOfMemory;

/// The cells of some ghosts, in ascending order of the ghosts.
pub(crate) type Positions = Vec<Cell>;

/// The places of ghosts that come in any order, in ascending order of the ghosts.
pub(crate) fn ascending(ghosts: &[usize]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..ghosts.len()).collect();
    places.sort_unstable_by_key(|&place| ghosts[place]);
    places
}

/// Both bounds of a house.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    /// No plan has fewer steps.
    pub(crate) lower: u32,
    /// The shortest plan so far: the positions of all ghosts from start to goal.
    pub(crate) best: Option<Vec<Positions>>,
}

impl Bounds {
    /// Notes that no plan has fewer steps than so many.
    pub(crate) fn raise(&mut self, steps: u32) -> Result<(), Halt> {
        self.lower = self.lower.max(steps);
        self.meet()
    }

    /// Notes a plan.
    pub(crate) fn found(&mut self, plan: Vec<Positions>) -> Result<(), Halt> {
        if self.best.as_ref().is_none_or(|best| plan.len() < best.len()) {
            self.best = Some(plan);
        }
        self.meet()
    }

    fn meet(&self) -> Result<(), Halt> {
        match &self.best {
            Some(plan) if plan.len() - 1 <= self.lower as usize => Err(Halt::Met),
            _ => Ok(()),
        }
    }
}

/// What ends a search before its own answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    Limit(Limit),
    /// The best plan is as short as the lower bound.
    Met,
}

impl From<Limit> for Halt {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl From<OutOfMemory> for Halt {
    fn from(error: OutOfMemory) -> Self {
        Self::Limit(error.into())
    }
}
