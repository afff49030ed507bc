//! A lower bound on the number of steps, and the shortest plan found so far. The search ends when
//! the two are equal.

use fewest_core::budget::Limit;
use fewest_core::encoding::CellIndex;
use fewest_core::memory::OutOfMemory;

/// The cells of some ghosts at one time, in ascending order of the ghosts.
pub(crate) type Positions = Vec<CellIndex>;

/// The indices into `ghosts` in ascending order of the ghosts there.
pub(crate) fn indices_by_ghost(ghosts: &[usize]) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..ghosts.len()).collect();
    indices.sort_unstable_by_key(|&index| ghosts[index]);
    indices
}

/// The lower bound and the best plan of an instance.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    /// No plan has fewer steps.
    pub(crate) lower: u32,
    /// The ghosts that alone need that many.
    pub(crate) proved_by: Vec<usize>,
    /// The shortest plan found so far: the positions of all ghosts at each time.
    pub(crate) best: Option<Vec<Positions>>,
}

impl Bounds {
    /// Records that every plan has at least `steps` steps, because these ghosts alone need them.
    ///
    /// # Errors
    /// [`Halt::Optimal`] if the best plan is now proved optimal.
    pub(crate) fn raise_lower(&mut self, steps: u32, ghosts: &[usize]) -> Result<(), Halt> {
        if steps > self.lower {
            self.lower = steps;
            ghosts.clone_into(&mut self.proved_by);
        }
        self.check_optimal()
    }

    /// Records a plan for all ghosts.
    ///
    /// # Errors
    /// [`Halt::Optimal`] if the best plan is now proved optimal.
    pub(crate) fn add_plan(&mut self, plan: Vec<Positions>) -> Result<(), Halt> {
        if self.best.as_ref().is_none_or(|best| plan.len() < best.len()) {
            self.best = Some(plan);
        }
        self.check_optimal()
    }

    fn check_optimal(&self) -> Result<(), Halt> {
        match &self.best {
            Some(plan) if plan.len() - 1 <= self.lower as usize => Err(Halt::Optimal),
            _ => Ok(()),
        }
    }
}

/// Why a search ends without a result of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    Limit(Limit),
    /// The best plan has as many steps as the lower bound.
    Optimal,
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
