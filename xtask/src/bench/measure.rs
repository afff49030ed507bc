//! Running cases in turn, and what their times come to.

use std::time::{Duration, Instant};

use fewest_bench_variants::Found;
use fewest_core::stats::Stats;

use super::apart;
use super::claims::Claim;

/// What a run did; its answer has been checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// States expanded, here and below `None` where nobody counts them.
    pub(crate) states: Option<u64>,
    /// States generated.
    pub(crate) nodes: Option<u64>,
    /// Most bytes booked at one time; of a program that books none, most bytes of memory beyond
    /// those it began with.
    pub(crate) bytes: Option<u64>,
}

impl From<Stats> for Work {
    fn from(stats: Stats) -> Self {
        Self {
            states: Some(stats.expanded),
            nodes: Some(stats.generated),
            bytes: Some(stats.bytes),
        }
    }
}

impl Work {
    /// The work of textbook programs.
    pub(crate) fn of_textbook(found: &[Found]) -> Self {
        let sum = |count: fn(&Found) -> u64| Some(found.iter().map(count).sum());
        Self { states: sum(|found| found.states), nodes: sum(|found| found.nodes), bytes: None }
    }
}

/// Something to be timed.
pub(crate) struct Case {
    /// Stable: reports of other revisions are compared by it.
    pub(crate) id: String,
    /// What it is, in some words.
    pub(crate) about: String,
    /// Whether it is not ours.
    pub(crate) foreign: bool,
    /// Runs it, and returns the time and the work; an error if the answer is wrong.
    run: Box<dyn Fn() -> anyhow::Result<(Duration, Work)>>,
}

impl Case {
    /// `run` is timed, `check` is not.
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
        Self { id: id.into(), about: about.into(), foreign: false, run: Box::new(timed) }
    }

    /// Not ours: a textbook's, or a peer's.
    pub(crate) fn foreign(self) -> Self {
        Self { foreign: true, ..self }
    }

    pub(crate) fn run_checked(&self) -> anyhow::Result<(Duration, Work)> {
        (self.run)().map_err(|wrong| wrong.context(format!("{} is wrong", self.id)))
    }

    /// The median of a run that took so long and of as many more as are begun until a time is over;
    /// of three at least if it took less.
    pub(crate) fn repeated(&self, first: Duration, time: Duration) -> anyhow::Result<Duration> {
        let (begin, mut seconds) = (Instant::now(), vec![first.as_secs_f64()]);
        while first < time && (first + begin.elapsed() < time || seconds.len() < 3) {
            seconds.push(self.run_checked()?.0.as_secs_f64());
        }
        Ok(Duration::from_secs_f64(Spread::of(&seconds).median))
    }
}

/// Cases that do the same in different ways, the first of them as a textbook would.
#[derive(Default)]
pub(crate) struct Comparison {
    pub(crate) title: String,
    pub(crate) cases: Vec<Case>,
    /// What is said of some of them.
    pub(crate) claims: Vec<Claim>,
    /// The ids of those that lead step by step from a textbook program to ours.
    pub(crate) ladder: Vec<String>,
    /// Whether each does something else, so that ratios to the first mean nothing.
    pub(crate) unlike: bool,
    /// Whether each run is to have a process of its own, so that its memory is its own, too.
    pub(crate) apart: bool,
    /// Whether it takes minutes.
    pub(crate) large: bool,
}

/// A case that was measured.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) about: String,
    /// In the order of the rounds.
    pub(crate) seconds: Vec<f64>,
    /// The time over that of the first case.
    pub(crate) ratio: Option<Spread>,
    pub(crate) work: Work,
    /// Machine instructions of a run, if they were asked for.
    pub(crate) instructions: Option<u64>,
}

impl Row {
    /// The ratio of its times to those of another, round by round.
    pub(crate) fn over(&self, other: &Self) -> Spread {
        let ratios: Vec<_> =
            self.seconds.iter().zip(&other.seconds).map(|(one, other)| one / other).collect();
        Spread::of(&ratios)
    }
}

/// Whatever the spread, no less than this part of a time is a difference: so much depends on where
/// a compiler happens to put the code.
pub(crate) const PLACEMENT: f64 = 0.03;

/// A median and how far it may be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) greatest: f64,
}

impl Spread {
    pub(crate) fn of(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        let median = if sorted.len() % 2 == 1 {
            sorted[middle]
        } else {
            (sorted[middle - 1] + sorted[middle]) / 2.0
        };
        Self { median, least: sorted[0], greatest: sorted[sorted.len() - 1] }
    }
}

/// How long to go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    pub(crate) rounds: usize,
    pub(crate) least: usize,
    /// No new round is begun after this, once there are as many as `least`.
    pub(crate) time: Duration,
}

/// So long a short case is repeated when it is its turn: once, it would be timed with what the case
/// before left in the caches.
const TURN: Duration = Duration::from_millis(10);

/// Runs all cases in turn once a round, so that whatever else the machine does meets them alike.
/// Each round begins with another case, as the one before leaves its memory behind.
pub(crate) fn measure(comparison: &Comparison, patience: Patience) -> anyhow::Result<Vec<Row>> {
    let begin = Instant::now();
    let mut rows: Vec<Row> = Vec::new();
    for round in 0..patience.rounds {
        if round >= patience.least && begin.elapsed() > patience.time {
            break;
        }
        let count = comparison.cases.len();
        for index in (0..count).map(|turn| (round + turn) % count) {
            let case = &comparison.cases[index];
            let (elapsed, work) = if comparison.apart {
                let once = apart::run(&apart::this_program()?, &case.id)?;
                (once.elapsed, Work { bytes: once.resident, ..once.work })
            } else {
                let (first, work) = case.run_checked()?;
                (case.repeated(first, TURN)?, work)
            };
            if round == 0 {
                let (id, about) = (case.id.clone(), case.about.clone());
                rows.push(Row {
                    id,
                    about,
                    seconds: Vec::new(),
                    ratio: None,
                    work,
                    instructions: None,
                });
            }
            rows[index].seconds.push(elapsed.as_secs_f64());
        }
    }
    if let Some(first) = rows.first().cloned().filter(|_| !comparison.unlike) {
        rows.iter_mut().for_each(|row| row.ratio = Some(row.over(&first)));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_the_middle_and_the_ends() {
        assert_eq!(Spread::of(&[3.0, 1.0, 2.0]), Spread { median: 2.0, least: 1.0, greatest: 3.0 });
        assert_eq!(Spread::of(&[4.0, 1.0]).median, 2.5);
    }

    #[test]
    fn a_wrong_answer_has_no_time() {
        let right = || Case::new("right", "", || 1, |_| Ok(Work::default()));
        let wrong = Case::new("wrong", "", || 2, |found| anyhow::bail!("{found} instead of 1"));
        let patience = Patience { rounds: 3, least: 1, time: Duration::from_secs(9) };
        let pair = |cases| Comparison { cases, ..Comparison::default() };
        let rows = measure(&pair(vec![right(), right()]), patience).unwrap();
        assert_eq!((rows.len(), rows[1].seconds.len(), rows[0].ratio.unwrap().median), (2, 3, 1.0));
        let refused = measure(&pair(vec![right(), wrong]), patience).unwrap_err();
        assert_eq!(format!("{refused:#}"), "wrong is wrong: 2 instead of 1");
    }
}
