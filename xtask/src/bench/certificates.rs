//! Certificates of groups of instances: their sizes, and the time to make and to check them beside
//! the time to solve.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use fewest_core::budget::{Budget, Limits};
use fewest_core::outcome::Verdict;
use fewest_puzzle::SolveError;
use fewest_puzzle::any::AnyInstance;
use fewest_puzzle::certify::{Certified, Claim, Refusal, Subject};
use fewest_puzzle::options::OptionSource;
use serde_json::json;

use super::testdata;

/// The limits of a certificate: those of the programs, and a time.
const MEMORY_BYTES: u64 = 4 << 30;
const TIME: Duration = Duration::from_secs(120);

/// The instances of one row, which have the same options.
pub(crate) struct Group {
    pub(crate) id: String,
    puzzle: &'static str,
    /// The file in testdata.
    file: &'static str,
    /// The options of the puzzle as JSON.
    options: serde_json::Value,
}

/// What certificates of a group cost.
pub(crate) struct GroupResult {
    pub(crate) id: String,
    pub(crate) instance_count: usize,
    /// The bytes of each certificate, in ascending order.
    pub(crate) bytes: Vec<u64>,
    /// The number of boards in all of them.
    pub(crate) states: u64,
    /// The seconds to solve, to certify, and to check all that were certified.
    pub(crate) seconds: [f64; 3],
    /// The greatest time of a check.
    pub(crate) longest_check: f64,
    /// Which instances were not certified, and why.
    pub(crate) missing: Vec<String>,
}

const METRICS: [&str; 3] = ["rectilinear", "straight", "unit"];

/// All groups: each file of testdata with instances in the format of its puzzle, and the named
/// layouts in each metric.
pub(crate) fn groups() -> Vec<Group> {
    let group = |puzzle, name: &str, file, options| Group {
        id: format!("certificates.{puzzle}.{name}"),
        puzzle,
        file,
        options,
    };
    let mut groups = Vec::new();
    for (name, file) in [
        ("sample", "halloween/sample.in"),
        ("gen_valid10", "halloween/gen_valid10.in"),
        ("gen_unsolvable_order1", "halloween/gen_unsolvable_order1.in"),
        ("community_10x5", "halloween/community_10x5.in"),
        ("luogu_P1778_sample", "halloween/luogu_P1778_sample.in"),
        ("broken_row_unsolvable", "halloween/broken_row_unsolvable.in"),
        ("reversals", "halloween/reversals.in"),
    ] {
        groups.push(group("halloween", name, file, json!({})));
    }
    for (name, file) in [
        ("sample", "wall-pusher/sample.in"),
        ("mazes", "wall-pusher/mazes.in"),
        ("hardest", "wall-pusher/hardest.in"),
    ] {
        groups.push(group("wall-pusher", name, file, json!({})));
    }
    for (name, file, size) in [
        ("boards", "black-white/boards.in", "4x4"),
        ("P1225_sample", "black-white/P1225_sample.in", "4x4"),
        ("P4289_sample", "black-white/P4289_sample.in", "4x4"),
        ("5x5-twelve", "black-white/5x5-twelve.txt", "5x5"),
    ] {
        groups.push(group("black-white", name, file, json!({ "size": size })));
    }
    for metric in METRICS {
        for (name, file) in [
            ("classics", "klotski/classics.in"),
            ("at-large", "klotski/at-large.in"),
            ("forms", "klotski/forms.in"),
            ("shut", "klotski/shut.in"),
            ("rush-hour", "klotski/rush-hour.txt"),
            ("layouts", "klotski/layouts.tsv"),
        ] {
            let name = format!("{name}.{metric}");
            groups.push(group("klotski", &name, file, json!({ "metric": metric })));
        }
    }
    groups
}

impl Group {
    /// The instances with their names.
    fn instances(&self) -> anyhow::Result<Vec<(String, Arc<dyn AnyInstance>)>> {
        let puzzle = fewest_catalog::find(self.puzzle).context("there is no such puzzle")?;
        let reader = puzzle.reader(OptionSource::Json(&self.options))?;
        let text = testdata(self.file)?;
        let read = |name: String, text: &str| -> anyhow::Result<_> {
            let instance = reader.read(text.as_bytes()).next().context("no instance")?;
            Ok((name, instance?))
        };
        if self.file.ends_with(".tsv") {
            return text
                .lines()
                .skip(1)
                .map(|line| {
                    let columns: Vec<&str> = line.split('\t').collect();
                    let [code, board, ..] = columns[..] else { anyhow::bail!("no board: {line}") };
                    read(code.to_owned(), board)
                })
                .collect();
        }
        let instances = reader.read(text.as_bytes());
        (1..).zip(instances).map(|(number, found)| Ok((format!("#{number}"), found?))).collect()
    }

    /// Solves, certifies and checks all instances.
    pub(crate) fn run(&self) -> anyhow::Result<GroupResult> {
        let instances = self.instances()?;
        let mut result = GroupResult {
            id: self.id.clone(),
            instance_count: instances.len(),
            bytes: Vec::new(),
            states: 0,
            seconds: [0.0; 3],
            longest_check: 0.0,
            missing: Vec::new(),
        };
        for (name, instance) in instances {
            let Measured { expected, made, checked, seconds } = match measure(&instance) {
                Ok(measured) => measured,
                Err(error) => {
                    result.missing.push(format!("{name}: {error}"));
                    continue;
                }
            };
            let claim = checked.with_context(|| format!("{}: {name} is refused", self.id))?;
            ensure!(claim == expected, "{}: {name} proves that {claim}", self.id);
            result.bytes.push(made.file.len() as u64);
            result.states += made.states as u64;
            result.longest_check = result.longest_check.max(seconds[2]);
            result.seconds.iter_mut().zip(seconds).for_each(|(sum, seconds)| *sum += seconds);
        }
        result.bytes.sort_unstable();
        Ok(result)
    }
}

/// What an instance and its certificate cost.
struct Measured {
    /// What the solver claims.
    expected: Claim,
    made: Certified,
    checked: Result<Claim, Refusal>,
    /// To solve, to certify, and to check.
    seconds: [f64; 3],
}

fn measure(instance: &Arc<dyn AnyInstance>) -> Result<Measured, SolveError> {
    let limits = Limits { time: Some(TIME), memory_bytes: Some(MEMORY_BYTES), states: None };
    let begin = Instant::now();
    let answer = Arc::clone(instance).solve(None, &Budget::new(limits))?;
    let solved = Instant::now();
    let certifier =
        instance.certifier().ok_or_else(|| SolveError::unsupported("no certificates"))?;
    let made = certifier.certify(Subject::Answer, &Budget::new(limits))?;
    let certified = Instant::now();
    let checked = certifier.check(&made.file, MEMORY_BYTES, &|| false)?;
    let end = Instant::now();
    let expected = match answer.outcome.verdict {
        Verdict::Solved { cost, .. } => Claim::Optimal { cost },
        Verdict::Unsolvable => Claim::Unsolvable,
        Verdict::Stopped { limit, .. } => return Err(SolveError::Stopped(limit)),
    };
    let seconds = [solved - begin, certified - solved, end - certified];
    Ok(Measured { expected, made, checked, seconds: seconds.map(|time| time.as_secs_f64()) })
}
