//! This revision against another: the same cases by both programs in turn, each run in a process of its own.

use std::fs;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};

use super::apart;
use super::measure::{Comparison, PLACEMENT, Spread, Work};
use super::report::{ratio, time};
use crate::{cargo, root};

const SLOWER: u8 = 3;
const NOT_MEASURED: u8 = 4;

/// All cases of ours by both revisions.
pub(crate) fn run(revision: &str, comparisons: &[Comparison], rounds: usize) -> anyhow::Result<ExitCode> {
    let program = match build(revision) {
        Ok(program) => program,
        Err(trouble) => {
            writeln!(stderr(), "error: {revision} cannot be measured: {trouble:#}")?;
            return Ok(ExitCode::from(NOT_MEASURED));
        }
    };
    let (mut slower, mut not_measured) = (0, 0);
    writeln!(stdout(), "time here over the time at {revision}, medians of {rounds} rounds")?;
    for case in comparisons.iter().flat_map(|comparison| &comparison.cases).filter(|case| !case.foreign) {
        match Pair::measure(&program, &case.id, rounds) {
            Ok(pair) => {
                slower += usize::from(pair.is_slower() || pair.counts_more());
                writeln!(stdout(), "{}  {}", case.id, pair.words())?;
            }
            Err(trouble) => {
                not_measured += 1;
                writeln!(stdout(), "{}  not measured: {trouble:#}", case.id)?;
            }
        }
    }
    Ok(match (slower, not_measured) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => {
            writeln!(stderr(), "error: {not_measured} could not be measured")?;
            ExitCode::from(NOT_MEASURED)
        }
        _ => {
            writeln!(stderr(), "error: {slower} got slower or count more")?;
            ExitCode::from(SLOWER)
        }
    })
}

/// Builds the bench of another revision in a work tree of its own, and returns the program.
fn build(revision: &str) -> anyhow::Result<PathBuf> {
    let folder = root().join("target/bench");
    fs::create_dir_all(&folder)?;
    let tree = folder.join("baseline");
    // One may be left from a run that was interrupted.
    remove(&tree)?;
    git(&["worktree", "add", "--quiet", "--detach", "--force"], &tree, &[revision])?;
    let target = folder.join("baseline-target");
    let status = Command::new(cargo())
        .args(["build", "--release", "--quiet", "--package", "xtask", "--target-dir"])
        .arg(&target)
        .current_dir(&tree)
        .status()
        .context("cargo does not start")?;
    ensure!(status.success(), "it does not build");
    Ok(target.join("release").join(format!("xtask{}", std::env::consts::EXE_SUFFIX)))
}

fn remove(tree: &Path) -> anyhow::Result<()> {
    if tree.exists() {
        fs::remove_dir_all(tree).with_context(|| tree.display().to_string())?;
    }
    git(&["worktree", "prune"], Path::new(""), &[])
}

fn git(before: &[&str], path: &Path, after: &[&str]) -> anyhow::Result<()> {
    let paths = (!path.as_os_str().is_empty()).then_some(path);
    let mut git = Command::new("git");
    git.current_dir(root()).args(before).args(paths).args(after);
    let output = git.output().context("git does not start")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(())
}

/// The times of both in the order of the rounds, in seconds, and their work.
struct Pair {
    before: Vec<f64>,
    now: Vec<f64>,
    work: [Work; 2],
}

impl Pair {
    fn measure(program: &Path, id: &str, rounds: usize) -> anyhow::Result<Self> {
        let this = apart::this_program()?;
        let mut pair = Self { before: Vec::new(), now: Vec::new(), work: [Work::default(); 2] };
        for _ in 0..rounds {
            let (before, now) = (apart::run(program, id)?, apart::run(&this, id)?);
            pair.before.push(before.elapsed.as_secs_f64());
            pair.now.push(now.elapsed.as_secs_f64());
            pair.work = [before.work, now.work];
        }
        Ok(pair)
    }

    fn ratio(&self) -> Spread {
        let ratios: Vec<_> = self.now.iter().zip(&self.before).map(|(now, before)| now / before).collect();
        Spread::of(&ratios)
    }

    /// In every round, and by more at the median than the middle half of either's times differ among themselves.
    fn is_slower(&self) -> bool {
        let ratio = self.ratio();
        let spread = middle_half(&self.before).max(middle_half(&self.now)).max(PLACEMENT);
        ratio.least > 1.0 && ratio.median > 1.0 + spread
    }

    fn counts(&self) -> [[Option<u64>; 2]; 3] {
        let [before, now] = self.work;
        [[before.states, now.states], [before.nodes, now.nodes], [before.bytes, now.bytes]]
    }

    fn counts_more(&self) -> bool {
        self.counts().iter().any(|[before, now]| now > before)
    }

    fn words(&self) -> String {
        let mut words = format!("{}, {}", time(Spread::of(&self.now).median), ratio(self.ratio()));
        if self.is_slower() {
            words += ": slower";
        }
        for (name, [before, now]) in ["states", "nodes", "bytes"].into_iter().zip(self.counts()) {
            if before != now {
                let number = |count: Option<u64>| count.map_or_else(|| "none".to_owned(), |count| count.to_string());
                words += &format!("; {name} {} instead of {}", number(now), number(before));
            }
        }
        words
    }
}

/// From the lower quartile to the upper, over the median.
fn middle_half(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let quarter = sorted.len() / 4;
    (sorted[sorted.len() - 1 - quarter] - sorted[quarter]) / Spread::of(values).median
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(before: [f64; 5], now: [f64; 5]) -> Pair {
        Pair { before: before.to_vec(), now: now.to_vec(), work: [Work::default(); 2] }
    }

    #[test]
    fn slower_is_what_is_slower_beyond_its_spread_in_every_round() {
        let steady = [1.0, 1.01, 0.99, 1.0, 1.02];
        assert!(pair(steady, steady.map(|time| time * 1.1)).is_slower());
        assert!(!pair(steady, steady.map(|time| time * 0.9)).is_slower());
        // By less than a compiler's whim, or not in every round.
        assert!(!pair(steady, steady.map(|time| time * 1.02)).is_slower());
        assert!(!pair(steady, [1.2, 1.2, 0.98, 1.2, 1.2]).is_slower());
        // By less than its own times differ.
        let noisy = [1.0, 1.5, 0.7, 1.0, 1.4];
        assert!(!pair(noisy, noisy.map(|time| time * 1.1)).is_slower());
        assert!(pair(noisy, noisy.map(|time| time * 2.0)).is_slower());
    }

    #[test]
    fn counts_are_compared_exactly() {
        let mut same = pair([1.0; 5], [1.0; 5]);
        same.work = [Work { states: Some(7), nodes: None, bytes: Some(9) }; 2];
        assert!(!same.counts_more() && !same.words().contains("instead"));
        same.work[1].states = Some(8);
        assert!(same.counts_more() && same.words().contains("states 8 instead of 7"), "{}", same.words());
        same.work[1] = Work { states: Some(6), nodes: None, bytes: Some(9) };
        assert!(!same.counts_more() && same.words().contains("states 6 instead of 7"));
    }
}
