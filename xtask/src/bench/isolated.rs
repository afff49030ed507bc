//! Runs a case in its own process, to measure its memory and to count its instructions.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use anyhow::{Context, ensure};
use fewest_testing::process::status_bytes;
use serde_json::{Value, json};

use super::case::{Case, Work};

/// The report of a process that ran one case.
pub(crate) struct IsolatedRun {
    pub(crate) elapsed: Duration,
    pub(crate) work: Work,
    /// The peak of resident memory minus the resident memory before the run; `None` where the
    /// system does not report it.
    pub(crate) resident_bytes: Option<u64>,
}

/// Resident memory is rounded up to a multiple of this, because it varies between runs.
const RESIDENT_STEP_BYTES: u64 = 1 << 16;

/// A shorter case is repeated for this time, so that not only its first run counts.
const REPEAT_TIME: Duration = Duration::from_millis(50);

/// Runs a case in this process and returns its measurements as JSON.
pub(crate) fn run_here(case: &Case) -> anyhow::Result<Value> {
    let before = status_bytes("self", "VmRSS");
    let (first, work) = case.run_checked()?;
    let peak = status_bytes("self", "VmHWM");
    let resident_bytes = peak.zip(before).map(|(peak, before)| peak.saturating_sub(before));
    let Work { states, generated, bytes } = work;
    let seconds = case.repeated(first, REPEAT_TIME)?.as_secs_f64();
    // The keys are those of older revisions, which `--against` runs.
    Ok(json!({
        "seconds": seconds,
        "states": states,
        "nodes": generated,
        "bytes": bytes,
        "resident_bytes": resident_bytes,
    }))
}

/// The path of the running program.
pub(crate) fn this_program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot find the path of this program")
}

/// Runs a case in a process of `program`, which is this program or another revision of it.
pub(crate) fn run(program: &Path, id: &str) -> anyhow::Result<IsolatedRun> {
    let text =
        checked_output(Command::new(program).args(["bench", "--once", id]).output(), id)?.stdout;
    let value: Value = serde_json::from_slice(&text)
        .with_context(|| format!("{id}: the output is not the JSON of a run"))?;
    let count = |key: &str| value[key].as_u64();
    Ok(IsolatedRun {
        elapsed: Duration::from_secs_f64(
            value["seconds"]
                .as_f64()
                .with_context(|| format!("{id}: the output has no seconds"))?,
        ),
        work: Work { states: count("states"), generated: count("nodes"), bytes: count("bytes") },
        resident_bytes: count("resident_bytes")
            .map(|bytes| bytes.next_multiple_of(RESIDENT_STEP_BYTES)),
    })
}

/// Counts the instructions of one run of a case with valgrind: those of a process that runs it,
/// minus those of a process that only prepares it.
pub(crate) fn instructions(program: &Path, id: &str) -> anyhow::Result<u64> {
    let count = |option: &str| -> anyhow::Result<u64> {
        let mut valgrind = Command::new("valgrind");
        valgrind
            .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
            .arg(program);
        let output = checked_output(valgrind.args(["bench", option, id]).output(), id)?;
        let text = String::from_utf8_lossy(&output.stderr);
        let digits = text
            .lines()
            .find_map(|line| line.split_once("I refs:").or_else(|| line.split_once("I   refs:")));
        let (_, digits) =
            digits.with_context(|| format!("{id}: valgrind printed no instruction count"))?;
        Ok(digits.trim().replace(',', "").parse()?)
    };
    Ok(count("--just-once")?.saturating_sub(count("--just-ready")?))
}

fn checked_output(output: std::io::Result<Output>, id: &str) -> anyhow::Result<Output> {
    let output = output.with_context(|| format!("{id}: cannot start its process"))?;
    let message = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "{id}: its process ended with {}: {}",
        output.status,
        message.trim()
    );
    Ok(output)
}
