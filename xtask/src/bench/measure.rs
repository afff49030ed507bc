//! Running cases in turn, and what their times come to.

use std::time::{Duration, Instant};

/// What a run did; its answer has been checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// States expanded, here and below `None` where nobody counts them.
    pub(crate) states: Option<u64>,
    /// States generated.
    pub(crate) nodes: Option<u64>,
    /// Most bytes booked at one time.
    pub(crate) bytes: Option<u64>,
}

/// Something to be timed.
pub(crate) struct Case {
    /// Stable: reports of other revisions are compared by it.
    pub(crate) id: String,
    /// What it is, in some words.
    pub(crate) about: String,
    /// Runs it, and returns the time and the work; an error if the answer is wrong.
    pub(crate) run: Box<dyn Fn() -> anyhow::Result<(Duration, Work)>>,
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
        Self { id: id.into(), about: about.into(), run: Box::new(timed) }
    }
}

/// Cases that do the same in different ways, the first of them as a textbook would.
pub(crate) struct Comparison {
    pub(crate) title: String,
    pub(crate) cases: Vec<Case>,
    /// Whether the ratios to the first case mean anything.
    pub(crate) comparable: bool,
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
    /// The median of the ratios to the first case, round by round, with the least and the greatest.
    pub(crate) ratio: Option<Spread>,
    pub(crate) work: Work,
}

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
        let median = if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 };
        Self { median, least: sorted[0], greatest: sorted[sorted.len() - 1] }
    }
}

/// How long to go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    pub(crate) rounds: usize,
    /// No new round is begun after this, once there is one.
    pub(crate) time: Duration,
}

/// Runs all cases once a round, one after the other, so that whatever else the machine does meets them alike.
pub(crate) fn measure(comparison: &Comparison, patience: Patience) -> anyhow::Result<Vec<Row>> {
    let begin = Instant::now();
    let mut rows: Vec<Row> = Vec::new();
    for round in 0..patience.rounds {
        if round > 0 && begin.elapsed() > patience.time {
            break;
        }
        for (index, case) in comparison.cases.iter().enumerate() {
            let (elapsed, work) = (case.run)().map_err(|wrong| wrong.context(format!("{} is wrong", case.id)))?;
            if round == 0 {
                let (id, about) = (case.id.clone(), case.about.clone());
                rows.push(Row { id, about, seconds: Vec::new(), ratio: None, work });
            }
            rows[index].seconds.push(elapsed.as_secs_f64());
        }
    }
    if comparison.comparable
        && let Some(first) = rows.first().map(|row| row.seconds.clone())
    {
        for row in &mut rows {
            let ratios: Vec<_> = row.seconds.iter().zip(&first).map(|(seconds, first)| seconds / first).collect();
            row.ratio = Some(Spread::of(&ratios));
        }
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
        let patience = Patience { rounds: 3, time: Duration::from_secs(9) };
        let pair = |cases| Comparison { title: String::new(), cases, comparable: true, large: false };
        let rows = measure(&pair(vec![right(), right()]), patience).unwrap();
        assert_eq!((rows.len(), rows[1].seconds.len(), rows[0].ratio.unwrap().median), (2, 3, 1.0));
        let refused = measure(&pair(vec![right(), wrong]), patience).unwrap_err();
        assert_eq!(format!("{refused:#}"), "wrong is wrong: 2 instead of 1");
    }
}
