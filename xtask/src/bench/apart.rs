//! A case in a process of its own: its memory is its own, and its instructions can be counted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use super::measure::{Case, Work};

/// What a process says of the case that it ran.
pub(crate) struct Once {
    pub(crate) elapsed: Duration,
    pub(crate) work: Work,
    /// Most bytes of memory beyond those that the process began with; `None` where the system does
    /// not tell.
    pub(crate) resident: Option<u64>,
}

/// What a process holds varies by so many bytes from run to run.
const STEP: u64 = 1 << 16;

/// So long a short case is repeated, for a time that is not its first alone.
const REPEAT: Duration = Duration::from_millis(50);

/// Runs a case here, a short one again and again.
pub(crate) fn here(case: &Case) -> anyhow::Result<Value> {
    let before = status("VmRSS");
    let (first, work) = case.run_checked()?;
    let resident = status("VmHWM").zip(before).map(|(most, before)| most.saturating_sub(before));
    let Work { states, nodes, bytes } = work;
    let seconds = case.repeated(first, REPEAT)?.as_secs_f64();
    Ok(
        json!({ "seconds": seconds, "states": states, "nodes": nodes, "bytes": bytes, "resident_bytes": resident }),
    )
}

/// Bytes, from a line in kB of what Linux tells a process about itself.
fn status(key: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
}

/// The program that runs now.
pub(crate) fn this_program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("this program does not know where it is")
}

/// Runs a case in a process of a program that is this or another revision of it.
pub(crate) fn run(program: &Path, id: &str) -> anyhow::Result<Once> {
    let text = succeeded(Command::new(program).args(["bench", "--once", id]).output(), id)?.stdout;
    let value: Value =
        serde_json::from_slice(&text).with_context(|| format!("{id}: not the JSON of a run"))?;
    let count = |key: &str| value[key].as_u64();
    Ok(Once {
        elapsed: Duration::from_secs_f64(
            value["seconds"].as_f64().with_context(|| format!("{id}: no seconds"))?,
        ),
        work: Work { states: count("states"), nodes: count("nodes"), bytes: count("bytes") },
        resident: count("resident_bytes").map(|bytes| bytes.next_multiple_of(STEP)),
    })
}

/// The instructions of one run of a case, by valgrind: those of a process that runs it less those
/// of one that is only ready to.
pub(crate) fn instructions(program: &Path, id: &str) -> anyhow::Result<u64> {
    let count = |option: &str| -> anyhow::Result<u64> {
        let mut valgrind = Command::new("valgrind");
        valgrind
            .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
            .arg(program);
        let output = succeeded(valgrind.args(["bench", option, id]).output(), id)?;
        let text = String::from_utf8_lossy(&output.stderr);
        let digits = text
            .lines()
            .find_map(|line| line.split_once("I refs:").or_else(|| line.split_once("I   refs:")));
        let (_, digits) =
            digits.with_context(|| format!("{id}: valgrind counts no instructions"))?;
        Ok(digits.trim().replace(',', "").parse()?)
    };
    Ok(count("--just-once")?.saturating_sub(count("--just-ready")?))
}

fn succeeded(output: std::io::Result<Output>, id: &str) -> anyhow::Result<Output> {
    let output = output.with_context(|| format!("{id}: the program to run it does not start"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "{id}: its process ended with {}: {}",
        output.status,
        said.trim()
    );
    Ok(output)
}
