//! Compares this revision with another one: both programs run the same cases in turn, each run in
//! its own process.

use std::fs;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};

use super::case::Work;
use super::measure::Comparison;
use super::report::time;
use super::spread::{MIN_DIFFERENCE, Spread, median, ratio};
use super::{BAD_USAGE, isolated};
use crate::{cargo, root};

const SLOWER: u8 = 3;
const NOT_MEASURED: u8 = 4;

/// The number of rounds of a comparison that takes minutes.
const LARGE_ROUNDS: usize = 3;

/// Measures all our cases with both revisions.
pub(crate) fn run(
    revision: &str,
    comparisons: &[Comparison],
    rounds: usize,
) -> anyhow::Result<ExitCode> {
    let mut cases = Vec::new();
    for comparison in comparisons {
        let rounds = if comparison.large { LARGE_ROUNDS } else { rounds };
        let ours = comparison.cases.iter().filter(|case| !case.is_baseline);
        cases.extend(ours.map(|case| (case.id.clone(), rounds)));
    }
    if cases.is_empty() {
        writeln!(
            stderr(),
            "error: --against compares only our own cases, not textbook programs, other libraries \
             or surveys"
        )?;
        return Ok(ExitCode::from(BAD_USAGE));
    }
    let tree = root().join("target/bench/baseline");
    // An interrupted run may have left a work tree.
    remove(&tree)?;
    let done = build(revision, &tree).map(|program| compare(revision, &program, &cases));
    if let Err(error) = remove(&tree) {
        writeln!(stderr(), "warning: cannot remove the work tree of {revision}: {error:#}")?;
    }
    done.unwrap_or_else(|error| {
        writeln!(stderr(), "error: cannot measure {revision}: {error:#}")?;
        Ok(ExitCode::from(NOT_MEASURED))
    })
}

/// Measures and prints each case; `cases` are ids and numbers of rounds.
fn compare(revision: &str, program: &Path, cases: &[(String, usize)]) -> anyhow::Result<ExitCode> {
    let (mut slower, mut not_measured) = (0, 0);
    writeln!(
        stdout(),
        "time of this revision, and its ratio to the time of {revision}; medians with quartiles"
    )?;
    for (id, rounds) in cases {
        let is_worse = |pair: &Pair| pair.is_slower() || pair.counts_more();
        let measure = || {
            let pair = Pair::measure(program, id, *rounds)?;
            // Among many cases one can be slower by chance, but rarely twice.
            if is_worse(&pair) { Pair::measure(program, id, 2 * rounds) } else { Ok(pair) }
        };
        match measure() {
            Ok(pair) => {
                slower += usize::from(is_worse(&pair));
                writeln!(stdout(), "{id}  {}", pair.summary())?;
            }
            Err(error) => {
                not_measured += 1;
                let message = format!("{error:#}");
                writeln!(
                    stdout(),
                    "{id}  not measured: {}",
                    message.lines().next().unwrap_or_default()
                )?;
            }
        }
    }
    let (message, code) = match (slower, not_measured) {
        (0, 0) => return Ok(ExitCode::SUCCESS),
        (0, _) if not_measured == cases.len() => (
            format!("no case could be measured; {revision} may be older than `--against`"),
            NOT_MEASURED,
        ),
        (0, _) => (format!("{not_measured} cases could not be measured"), NOT_MEASURED),
        _ => (format!("{slower} cases are slower or have a higher count"), SLOWER),
    };
    writeln!(stderr(), "error: {message}")?;
    Ok(ExitCode::from(code))
}

/// Builds another revision in a git work tree, and returns the path of its xtask program.
fn build(revision: &str, tree: &Path) -> anyhow::Result<PathBuf> {
    git(&["worktree", "add", "--quiet", "--detach", "--force"], Some(tree), &[revision])?;
    let target = root().join("target/bench/baseline-target");
    let status = Command::new(cargo())
        .args(["build", "--release", "--package", "xtask", "--target-dir"])
        .arg(&target)
        .current_dir(tree)
        .status()
        .context("cannot start cargo")?;
    ensure!(status.success(), "the build failed: cargo ended with {status}");
    Ok(target.join("release").join(format!("xtask{}", std::env::consts::EXE_SUFFIX)))
}

fn remove(tree: &Path) -> anyhow::Result<()> {
    if tree.exists() {
        fs::remove_dir_all(tree).with_context(|| tree.display().to_string())?;
    }
    git(&["worktree", "prune"], None, &[])
}

fn git(before: &[&str], path: Option<&Path>, after: &[&str]) -> anyhow::Result<()> {
    let output =
        Command::new("git").current_dir(root()).args(before).args(path).args(after).output();
    let output = output.context("cannot start git")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(())
}

/// The measurements of a case by both revisions.
#[derive(Default)]
struct Pair {
    before: Side,
    now: Side,
}

#[derive(Default)]
struct Side {
    seconds: Vec<f64>,
    work: Vec<Work>,
}

impl Side {
    fn run(&mut self, program: &Path, id: &str) -> anyhow::Result<()> {
        let run = isolated::run(program, id)?;
        self.seconds.push(run.elapsed.as_secs_f64());
        self.work.push(run.work);
        Ok(())
    }

    /// The least and the greatest value of a count over the rounds. They differ only for the bytes
    /// of parallel searches, which depend on the schedule of the threads.
    fn range(&self, count: Count) -> Option<(u64, u64)> {
        let counts = || self.work.iter().filter_map(count);
        counts().min().zip(counts().max())
    }
}

type Count = fn(&Work) -> Option<u64>;

const COUNTS: [(&str, Count); 3] = [
    ("states", |work| work.states),
    ("generated", |work| work.generated),
    ("bytes", |work| work.bytes),
];

impl Pair {
    fn measure(program: &Path, id: &str, rounds: usize) -> anyhow::Result<Self> {
        let this = isolated::this_program()?;
        let mut pair = Self::default();
        for round in 0..rounds {
            // The order alternates.
            if round % 2 == 0 {
                pair.before.run(program, id)?;
            }
            pair.now.run(&this, id)?;
            if round % 2 == 1 {
                pair.before.run(program, id)?;
            }
        }
        Ok(pair)
    }

    /// The median and the quartiles. Among many rounds some are always disturbed, so the extremes
    /// are ignored.
    fn ratio(&self) -> Spread {
        let both = self.now.seconds.iter().zip(&self.before.seconds);
        let mut ratios: Vec<_> = both.map(|(now, before)| now / before).collect();
        ratios.sort_by(f64::total_cmp);
        let quarter = ratios.len() / 4;
        Spread::extremes(&ratios[quarter..ratios.len() - quarter])
    }

    /// Whether at least three quarters of the rounds are slower, and the median by more than code
    /// placement can explain.
    fn is_slower(&self) -> bool {
        let ratio = self.ratio();
        ratio.low > 1.0 && ratio.median > 1.0 + MIN_DIFFERENCE
    }

    /// Whether the ratios vary too much to detect a difference of 10 %.
    fn is_inconclusive(&self) -> bool {
        let ratio = self.ratio();
        1.1 * ratio.low <= ratio.median
    }

    fn counts_more(&self) -> bool {
        COUNTS.iter().any(|&(_, count)| match (self.before.range(count), self.now.range(count)) {
            (Some((_, most)), Some((least, _))) => least > most,
            // One of the revisions does not count.
            _ => false,
        })
    }

    fn summary(&self) -> String {
        let mut summary = format!("{}, {}", time(median(&self.now.seconds)), ratio(self.ratio()));
        if self.is_slower() {
            summary += ": slower";
        } else if self.is_inconclusive() {
            summary += ": varies too much to detect a difference of 10 %";
        }
        let number = |range: Option<(u64, u64)>| match range {
            None => "none".to_owned(),
            Some((least, most)) if least == most => least.to_string(),
            Some((least, most)) => format!("{least} to {most}"),
        };
        for (name, count) in COUNTS {
            let (before, now) = (self.before.range(count), self.now.range(count));
            if before != now {
                summary += &format!("; {name} {}, before {}", number(now), number(before));
            }
        }
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(before: [f64; 5], now: [f64; 5]) -> Pair {
        let side = |seconds: [f64; 5]| Side { seconds: seconds.to_vec(), work: Vec::new() };
        Pair { before: side(before), now: side(now) }
    }

    #[test]
    fn a_case_is_slower_only_if_it_is_slower_beyond_its_spread() {
        let steady = [1.0, 1.01, 0.99, 1.0, 1.02];
        assert!(pair(steady, steady.map(|time| time * 1.1)).is_slower());
        assert!(!pair(steady, steady.map(|time| time * 0.9)).is_slower());
        // By less than code placement can explain.
        assert!(!pair(steady, steady.map(|time| time * 1.02)).is_slower());
        // One fast round of five does not hide a slowdown, and two slow rounds are not one.
        assert!(pair(steady, [1.2, 1.2, 0.98, 1.2, 1.2]).is_slower());
        assert!(!pair(steady, [1.2, 1.0, 0.98, 1.2, 1.0]).is_slower());
        // Times that vary, and that are twice as long in every round.
        let varying = [1.0, 1.5, 0.7, 1.0, 1.4];
        assert!(pair(varying, varying.map(|time| time * 2.0)).is_slower());
        // By less than the times vary.
        let noisy = pair(varying, [0.8, 1.1, 1.4, 1.3, 1.5]);
        assert!(!noisy.is_slower() && noisy.is_inconclusive());
        assert!(!pair(steady, steady).is_inconclusive());
    }

    #[test]
    fn equal_counts_are_compared_exactly_and_varying_counts_by_their_range() {
        let counting = |before: [u64; 2], now: [u64; 2]| {
            let mut pair = pair([1.0; 5], [1.0; 5]);
            let work = |states: u64| Work { states: Some(states), generated: None, bytes: Some(9) };
            (pair.before.work, pair.now.work) = (before.map(work).to_vec(), now.map(work).to_vec());
            (pair.counts_more(), pair.summary())
        };
        let (more, summary) = counting([7, 7], [7, 7]);
        assert!(!more && !summary.contains("before"), "{summary}");
        let (more, summary) = counting([7, 7], [8, 8]);
        assert!(more && summary.contains("states 8, before 7"), "{summary}");
        let (more, summary) = counting([7, 7], [6, 6]);
        assert!(!more && summary.contains("states 6, before 7"), "{summary}");
        let (more, summary) = counting([5, 8], [6, 9]);
        assert!(!more && summary.contains("states 6 to 9, before 5 to 8"), "{summary}");
        assert!(counting([5, 8], [9, 9]).0);
    }
}
