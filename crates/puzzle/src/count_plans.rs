//! `solve --all`: all shortest plans.

use fewest_core::budget::Budget;
use fewest_core::outcome::Outcome;
use fewest_core::search::all_shortest::ShortestPlans;
use fewest_rules::{Rules, Verified};

use crate::error::SolveError;

/// All shortest plans of an instance can be counted and listed.
pub trait CountPlans<I: Rules = Self> {
    /// Counts all shortest plans, and lists the first `max_plans` of them in a fixed order.
    ///
    /// # Errors
    /// If the instance is not supported; if the rules refuse a plan, which is a bug.
    fn list_shortest_plans(
        &self,
        max_plans: usize,
        budget: &Budget,
    ) -> Result<Outcome<ShortestPlans<Verified<I>>>, SolveError>;
}
