//! Many instances of a kind, each solved once within a time: how many are proved, and how long it
//! takes.

use std::time::{Duration, Instant};

use fewest_core::budget::{Budget, Limits};
use fewest_core::outcome::Verdict;
use fewest_halloween::Instance;
use fewest_halloween::solve::solve;

use super::measure::Spread;

/// Each instance has so much time, and the memory that the programs take by default.
pub(crate) const TIME: Duration = Duration::from_secs(10);
const MEMORY: u64 = 4 << 30;

/// Instances that differ in their random choices only.
pub(crate) struct Group {
    pub(crate) id: String,
    /// The line of the plot that they are on.
    pub(crate) line: String,
    /// How many ghosts each of them has.
    pub(crate) ghosts: usize,
    pub(crate) houses: Box<dyn Fn() -> anyhow::Result<Vec<Instance>>>,
}

/// Groups of one plot.
pub(crate) struct Survey {
    /// What the ids of its groups begin with.
    pub(crate) id: &'static str,
    pub(crate) title: String,
    pub(crate) groups: Vec<Group>,
    /// Whether it takes minutes.
    pub(crate) large: bool,
}

/// What came of a group.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Share {
    pub(crate) id: String,
    pub(crate) line: String,
    pub(crate) ghosts: usize,
    pub(crate) instances: usize,
    /// How many were proved: that their plan is a shortest one, or that there is none.
    pub(crate) proved: usize,
    /// How many others ended with some plan.
    pub(crate) planned: usize,
    /// In ascending order.
    pub(crate) seconds: Vec<f64>,
    /// The most that one of them booked.
    pub(crate) bytes: u64,
}

impl Share {
    pub(crate) fn percent(&self) -> f64 {
        100.0 * self.proved as f64 / self.instances as f64
    }

    pub(crate) fn spread(&self) -> Spread {
        Spread::of(&self.seconds)
    }
}

impl Group {
    /// Solves all; each plan is replayed by the rules.
    pub(crate) fn run(&self) -> anyhow::Result<Share> {
        let houses = (self.houses)()?;
        let (id, line) = (self.id.clone(), self.line.clone());
        let (ghosts, instances) = (self.ghosts, houses.len());
        let mut share = Share {
            id,
            line,
            ghosts,
            instances,
            proved: 0,
            planned: 0,
            seconds: Vec::new(),
            bytes: 0,
        };
        for house in &houses {
            let budget =
                Budget::new(Limits { time: Some(TIME), memory_bytes: Some(MEMORY), states: None });
            let begin = Instant::now();
            let outcome = solve(house, None, &budget)?.outcome;
            share.seconds.push(begin.elapsed().as_secs_f64());
            share.bytes = share.bytes.max(outcome.stats.bytes);
            match outcome.verdict {
                Verdict::Solved { .. } | Verdict::Unsolvable => share.proved += 1,
                Verdict::Stopped { best, .. } => share.planned += usize::from(best.is_some()),
            }
        }
        share.seconds.sort_by(f64::total_cmp);
        Ok(share)
    }
}
