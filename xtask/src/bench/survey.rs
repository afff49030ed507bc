//! Groups of similar instances, each instance solved once with a time limit: how many results are
//! proved, and how long it takes.

use std::time::{Duration, Instant};

use fewest_core::budget::{Budget, Limits};
use fewest_core::outcome::Verdict;
use fewest_halloween::Instance;
use fewest_halloween::solve::solve;

use super::spread::Spread;

/// The time limit of an instance.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(10);
/// The memory limit of an instance, which is the default of the programs.
const MEMORY_LIMIT_BYTES: u64 = 4 << 30;

/// Instances that differ only in the random seed.
pub(crate) struct Group {
    pub(crate) id: String,
    /// The name of its line in the chart.
    pub(crate) series: String,
    /// The number of ghosts of each instance.
    pub(crate) ghosts: usize,
    /// Generates the instances.
    pub(crate) instances: Box<dyn Fn() -> anyhow::Result<Vec<Instance>>>,
}

/// The groups of one chart.
pub(crate) struct Survey {
    /// The common prefix of the ids of its groups.
    pub(crate) id: &'static str,
    pub(crate) title: String,
    pub(crate) groups: Vec<Group>,
    /// Whether the survey takes minutes, and so runs only with `--large`.
    pub(crate) large: bool,
}

/// The results of a group.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GroupResult {
    pub(crate) id: String,
    pub(crate) series: String,
    pub(crate) ghosts: usize,
    pub(crate) instance_count: usize,
    /// The number of instances with a proved result: an optimal plan, or no plan exists.
    pub(crate) proved: usize,
    /// The number of other instances for which a plan was found.
    pub(crate) planned: usize,
    /// The time of each instance, in ascending order.
    pub(crate) seconds: Vec<f64>,
    /// The largest peak of reserved bytes of an instance.
    pub(crate) bytes: u64,
}

impl GroupResult {
    pub(crate) fn proved_percent(&self) -> f64 {
        100.0 * self.proved as f64 / self.instance_count as f64
    }

    pub(crate) fn time_spread(&self) -> Spread {
        Spread::extremes(&self.seconds)
    }
}

impl Group {
    /// Solves all instances. The rules replay every plan.
    pub(crate) fn run(&self) -> anyhow::Result<GroupResult> {
        let instances = (self.instances)()?;
        let mut result = GroupResult {
            id: self.id.clone(),
            series: self.series.clone(),
            ghosts: self.ghosts,
            instance_count: instances.len(),
            proved: 0,
            planned: 0,
            seconds: Vec::new(),
            bytes: 0,
        };
        for instance in &instances {
            let budget = Budget::new(Limits {
                time: Some(TIME_LIMIT),
                memory_bytes: Some(MEMORY_LIMIT_BYTES),
                states: None,
            });
            let begin = Instant::now();
            let outcome = solve(instance, None, &budget)?.outcome;
            result.seconds.push(begin.elapsed().as_secs_f64());
            result.bytes = result.bytes.max(outcome.stats.bytes);
            match outcome.verdict {
                Verdict::Solved { .. } | Verdict::Unsolvable => result.proved += 1,
                Verdict::Stopped { best, .. } => result.planned += usize::from(best.is_some()),
            }
        }
        result.seconds.sort_by(f64::total_cmp);
        Ok(result)
    }
}
