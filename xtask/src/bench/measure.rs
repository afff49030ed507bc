//! Runs the cases of a comparison in turn, and computes their times and ratios.

use std::time::{Duration, Instant};

use super::case::{Case, Row, Work};
use super::claims::Claim;
use super::isolated;

/// Cases that solve the same instances in different ways. The first one is the reference of the
/// ratios.
#[derive(Default)]
pub(crate) struct Comparison {
    pub(crate) title: String,
    pub(crate) cases: Vec<Case>,
    /// Claims about some of the cases.
    pub(crate) claims: Vec<Claim>,
    /// The ids of the rungs: cases that lead step by step from a textbook program to ours.
    pub(crate) ladder: Vec<String>,
    /// Whether the cases solve different instances, so that ratios to the first are meaningless.
    pub(crate) unrelated: bool,
    /// Whether each run has its own process, so that its memory can be measured.
    pub(crate) isolated: bool,
    /// Whether the comparison takes minutes, and so runs only with `--large`.
    pub(crate) large: bool,
}

/// When to stop measuring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundLimits {
    pub(crate) max_rounds: usize,
    pub(crate) min_rounds: usize,
    /// After this time no round starts, unless there are fewer than `min_rounds`.
    pub(crate) time: Duration,
}

/// A shorter case is repeated for this time in each turn. A single run would depend on what the
/// case before it left in the caches.
const TURN_TIME: Duration = Duration::from_millis(10);

/// Runs all cases in turn in each round, so that other load on the machine affects them equally.
/// Each round starts with a different case, because a case affects the memory of the next one.
pub(crate) fn measure(comparison: &Comparison, limits: RoundLimits) -> anyhow::Result<Vec<Row>> {
    let begin = Instant::now();
    let mut rows: Vec<Row> = Vec::new();
    for round in 0..limits.max_rounds {
        if round >= limits.min_rounds && begin.elapsed() > limits.time {
            break;
        }
        let count = comparison.cases.len();
        for index in (0..count).map(|turn| (round + turn) % count) {
            let case = &comparison.cases[index];
            let (elapsed, work) = if comparison.isolated {
                let run = isolated::run(&isolated::this_program()?, &case.id)?;
                (run.elapsed, Work { bytes: run.resident_bytes, ..run.work })
            } else {
                let (first, work) = case.run_checked()?;
                (case.repeated(first, TURN_TIME)?, work)
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
    if let Some(first) = rows.first().cloned().filter(|_| !comparison.unrelated) {
        rows.iter_mut().for_each(|row| row.ratio = Some(row.ratio_to(&first)));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_is_an_error() {
        let right = || Case::new("right", "", || 1, |_| Ok(Work::default()));
        let wrong =
            Case::new("wrong", "", || 2, |found| anyhow::bail!("found {found}, expected 1"));
        let limits = RoundLimits { max_rounds: 3, min_rounds: 1, time: Duration::from_secs(9) };
        let pair = |cases| Comparison { cases, ..Comparison::default() };
        let rows = measure(&pair(vec![right(), right()]), limits).unwrap();
        assert_eq!((rows.len(), rows[1].seconds.len(), rows[0].ratio.unwrap().median), (2, 3, 1.0));
        let error = measure(&pair(vec![right(), wrong]), limits).unwrap_err();
        assert_eq!(format!("{error:#}"), "wrong answer of wrong: found 2, expected 1");
    }
}
