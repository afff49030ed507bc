//! A program with its instances, and what was measured of it.

use std::time::{Duration, Instant};

use fewest_bench_variants::SearchResult;
use fewest_core::stats::Stats;

use super::spread::{Spread, median};

/// The work of a run whose answer is correct. A count is `None` if the program does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// Expanded states.
    pub(crate) states: Option<u64>,
    /// Generated states.
    pub(crate) generated: Option<u64>,
    /// The peak of reserved bytes; for a program without a budget, the peak of resident memory
    /// minus the resident memory before the run.
    pub(crate) bytes: Option<u64>,
}

impl From<Stats> for Work {
    fn from(stats: Stats) -> Self {
        Self {
            states: Some(stats.expanded),
            generated: Some(stats.generated),
            bytes: Some(stats.bytes),
        }
    }
}

impl Work {
    /// The total work of a textbook program over all instances.
    pub(crate) fn of_textbook(found: &[SearchResult]) -> Self {
        let sum = |count: fn(&SearchResult) -> u64| Some(found.iter().map(count).sum());
        let states = sum(|found| found.expanded);
        Self { states, generated: sum(|found| found.generated), bytes: None }
    }
}

/// A program and its instances, to be timed.
pub(crate) struct Case {
    /// Stable: `--against` compares the cases of two revisions by id.
    pub(crate) id: String,
    /// A short description, for tables.
    pub(crate) about: String,
    /// Whether it is a textbook program or another library, and not a solver of this workspace.
    pub(crate) is_baseline: bool,
    /// Runs it once, and returns the time and the work, or an error if the answer is wrong.
    run: Box<dyn Fn() -> anyhow::Result<(Duration, Work)>>,
}

impl Case {
    /// Creates a case. The time includes `run` but not `check`.
    pub(crate) fn new<T>(
        id: impl Into<String>,
        about: impl Into<String>,
        run: impl Fn() -> T + 'static,
        check: impl Fn(&T) -> anyhow::Result<Work> + 'static,
    ) -> Self {
        let timed = move || {
            let start = Instant::now();
            let answer = std::hint::black_box(run());
            let elapsed = start.elapsed();
            Ok((elapsed, check(&answer)?))
        };
        Self { id: id.into(), about: about.into(), is_baseline: false, run: Box::new(timed) }
    }

    /// Marks the case as a textbook program or another library.
    pub(crate) fn baseline(self) -> Self {
        Self { is_baseline: true, ..self }
    }

    pub(crate) fn run_checked(&self) -> anyhow::Result<(Duration, Work)> {
        (self.run)().map_err(|error| error.context(format!("wrong answer of {}", self.id)))
    }

    /// Repeats the case until `time` has passed since the start of the first run, which took
    /// `first`, and returns the median. There are at least three runs if `first` is less than
    /// `time`, else only the first.
    pub(crate) fn repeated(&self, first: Duration, time: Duration) -> anyhow::Result<Duration> {
        let (begin, mut seconds) = (Instant::now(), vec![first.as_secs_f64()]);
        while first < time && (first + begin.elapsed() < time || seconds.len() < 3) {
            seconds.push(self.run_checked()?.0.as_secs_f64());
        }
        Ok(Duration::from_secs_f64(median(&seconds)))
    }
}

/// The measurements of a case.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) about: String,
    /// The time of each round.
    pub(crate) seconds: Vec<f64>,
    /// The time divided by the time of the first case.
    pub(crate) ratio: Option<Spread>,
    pub(crate) work: Work,
    /// The machine instructions of a run, with `--instructions`.
    pub(crate) instructions: Option<u64>,
}

impl Row {
    /// The time divided by the time of `other`: the median over the rounds with its bootstrap
    /// interval.
    pub(crate) fn ratio_to(&self, other: &Self) -> Spread {
        let ratios: Vec<_> =
            self.seconds.iter().zip(&other.seconds).map(|(one, other)| one / other).collect();
        Spread::bootstrap(&ratios)
    }
}
