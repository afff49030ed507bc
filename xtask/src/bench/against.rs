//! This revision against another: the same cases by both programs in turn, each run in a process of
//! its own.

use std::fs;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};

use super::measure::{Comparison, PLACEMENT, Spread, Work};
use super::report::{ratio, time};
use super::{BAD_USAGE, apart};
use crate::{cargo, root};

const SLOWER: u8 = 3;
const NOT_MEASURED: u8 = 4;

/// What takes minutes is measured so often.
const LARGE_ROUNDS: usize = 3;

/// All cases of ours by both revisions.
pub(crate) fn run(
    revision: &str,
    comparisons: &[Comparison],
    rounds: usize,
) -> anyhow::Result<ExitCode> {
    let mut cases = Vec::new();
    for comparison in comparisons {
        let rounds = if comparison.large { LARGE_ROUNDS } else { rounds };
        let ours = comparison.cases.iter().filter(|case| !case.foreign);
        cases.extend(ours.map(|case| (case.id.clone(), rounds)));
    }
    if cases.is_empty() {
        writeln!(
            stderr(),
            "error: only our own cases are compared with another revision, not textbook programs, other libraries, or shares of houses"
        )?;
        return Ok(ExitCode::from(BAD_USAGE));
    }
    let tree = root().join("target/bench/baseline");
    // One may be left from a run that was interrupted.
    remove(&tree)?;
    let done = build(revision, &tree).map(|program| compare(revision, &program, &cases));
    if let Err(trouble) = remove(&tree) {
        writeln!(stderr(), "warning: the work tree of {revision} is left: {trouble:#}")?;
    }
    done.unwrap_or_else(|trouble| {
        writeln!(stderr(), "error: {revision} cannot be measured: {trouble:#}")?;
        Ok(ExitCode::from(NOT_MEASURED))
    })
}

/// `cases` are ids and how many rounds each takes.
fn compare(revision: &str, program: &Path, cases: &[(String, usize)]) -> anyhow::Result<ExitCode> {
    let (mut slower, mut not_measured) = (0, 0);
    writeln!(
        stdout(),
        "time here, and over the time at {revision}; medians of rounds in turn, with quartiles"
    )?;
    for (id, rounds) in cases {
        let suspect = |pair: &Pair| pair.is_slower() || pair.counts_more();
        let measure = || {
            let pair = Pair::measure(program, id, *rounds)?;
            // Of so many cases one is slower by chance, but hardly twice.
            if suspect(&pair) { Pair::measure(program, id, 2 * rounds) } else { Ok(pair) }
        };
        match measure() {
            Ok(pair) => {
                slower += usize::from(suspect(&pair));
                writeln!(stdout(), "{id}  {}", pair.words())?;
            }
            Err(trouble) => {
                not_measured += 1;
                let trouble = format!("{trouble:#}");
                writeln!(
                    stdout(),
                    "{id}  not measured: {}",
                    trouble.lines().next().unwrap_or_default()
                )?;
            }
        }
    }
    let (trouble, code) = match (slower, not_measured) {
        (0, 0) => return Ok(ExitCode::SUCCESS),
        (0, _) if not_measured == cases.len() => (
            format!("nothing could be measured; {revision} may be older than this comparison"),
            NOT_MEASURED,
        ),
        (0, _) => (format!("{not_measured} could not be measured"), NOT_MEASURED),
        _ => (format!("{slower} got slower or count more"), SLOWER),
    };
    writeln!(stderr(), "error: {trouble}")?;
    Ok(ExitCode::from(code))
}

/// Builds the bench of another revision in a work tree of its own, and returns the program.
fn build(revision: &str, tree: &Path) -> anyhow::Result<PathBuf> {
    git(&["worktree", "add", "--quiet", "--detach", "--force"], Some(tree), &[revision])?;
    let target = root().join("target/bench/baseline-target");
    let status = Command::new(cargo())
        .args(["build", "--release", "--package", "xtask", "--target-dir"])
        .arg(&target)
        .current_dir(tree)
        .status()
        .context("cargo does not start")?;
    ensure!(status.success(), "it does not build: cargo ended with {status}");
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
    let output = output.context("git does not start")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(())
}

/// The times of both in the order of the rounds, in seconds, and their work.
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
        let once = apart::run(program, id)?;
        self.seconds.push(once.elapsed.as_secs_f64());
        self.work.push(once.work);
        Ok(())
    }

    /// The least and the most of a count over the rounds: the same, but for bytes that depend on
    /// what threads do.
    fn range(&self, count: Count) -> Option<(u64, u64)> {
        let counts = || self.work.iter().filter_map(count);
        counts().min().zip(counts().max())
    }
}

type Count = fn(&Work) -> Option<u64>;

const COUNTS: [(&str, Count); 3] =
    [("states", |work| work.states), ("nodes", |work| work.nodes), ("bytes", |work| work.bytes)];

impl Pair {
    fn measure(program: &Path, id: &str, rounds: usize) -> anyhow::Result<Self> {
        let this = apart::this_program()?;
        let mut pair = Self::default();
        for round in 0..rounds {
            // Which one comes first takes turns, too.
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

    /// The median and the quartiles: of many rounds one is always disturbed.
    fn ratio(&self) -> Spread {
        let both = self.now.seconds.iter().zip(&self.before.seconds);
        let mut ratios: Vec<_> = both.map(|(now, before)| now / before).collect();
        ratios.sort_by(f64::total_cmp);
        let quarter = ratios.len() / 4;
        Spread::of(&ratios[quarter..ratios.len() - quarter])
    }

    /// In three rounds of four and more, and at the median by more than a compiler's whim.
    fn is_slower(&self) -> bool {
        let ratio = self.ratio();
        ratio.least > 1.0 && ratio.median > 1.0 + PLACEMENT
    }

    /// Whether a tenth more could not have been told.
    fn is_vague(&self) -> bool {
        let ratio = self.ratio();
        1.1 * ratio.least <= ratio.median
    }

    fn counts_more(&self) -> bool {
        COUNTS.iter().any(|&(_, count)| match (self.before.range(count), self.now.range(count)) {
            (Some((_, most)), Some((least, _))) => least > most,
            // Nobody counted before, or nobody counts any more.
            _ => false,
        })
    }

    fn words(&self) -> String {
        let mut words =
            format!("{}, {}", time(Spread::of(&self.now.seconds).median), ratio(self.ratio()));
        if self.is_slower() {
            words += ": slower";
        } else if self.is_vague() {
            words += ": varies too much to tell a tenth";
        }
        let number = |range: Option<(u64, u64)>| match range {
            None => "none".to_owned(),
            Some((least, most)) if least == most => least.to_string(),
            Some((least, most)) => format!("{least} to {most}"),
        };
        for (name, count) in COUNTS {
            let (before, now) = (self.before.range(count), self.now.range(count));
            if before != now {
                words += &format!("; {name} {} instead of {}", number(now), number(before));
            }
        }
        words
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
    fn slower_is_what_is_slower_beyond_its_spread() {
        let steady = [1.0, 1.01, 0.99, 1.0, 1.02];
        assert!(pair(steady, steady.map(|time| time * 1.1)).is_slower());
        assert!(!pair(steady, steady.map(|time| time * 0.9)).is_slower());
        // By less than a compiler's whim.
        assert!(!pair(steady, steady.map(|time| time * 1.02)).is_slower());
        // One round that was disturbed does not acquit, nor do two accuse.
        assert!(pair(steady, [1.2, 1.2, 0.98, 1.2, 1.2]).is_slower());
        assert!(!pair(steady, [1.2, 1.0, 0.98, 1.2, 1.0]).is_slower());
        // Times that vary, and are twice as long one by one.
        let varying = [1.0, 1.5, 0.7, 1.0, 1.4];
        assert!(pair(varying, varying.map(|time| time * 2.0)).is_slower());
        // By less than its own times differ.
        let noisy = pair(varying, [0.8, 1.1, 1.4, 1.3, 1.5]);
        assert!(!noisy.is_slower() && noisy.is_vague());
        assert!(!pair(steady, steady).is_vague());
    }

    #[test]
    fn counts_are_compared_exactly_and_those_that_vary_by_their_ends() {
        let counting = |before: [u64; 2], now: [u64; 2]| {
            let mut pair = pair([1.0; 5], [1.0; 5]);
            let work = |states: u64| Work { states: Some(states), nodes: None, bytes: Some(9) };
            (pair.before.work, pair.now.work) = (before.map(work).to_vec(), now.map(work).to_vec());
            (pair.counts_more(), pair.words())
        };
        let (more, words) = counting([7, 7], [7, 7]);
        assert!(!more && !words.contains("instead"), "{words}");
        let (more, words) = counting([7, 7], [8, 8]);
        assert!(more && words.contains("states 8 instead of 7"), "{words}");
        let (more, words) = counting([7, 7], [6, 6]);
        assert!(!more && words.contains("states 6 instead of 7"), "{words}");
        let (more, words) = counting([5, 8], [6, 9]);
        assert!(!more && words.contains("states 6 to 9 instead of 5 to 8"), "{words}");
        assert!(counting([5, 8], [9, 9]).0);
    }
}
