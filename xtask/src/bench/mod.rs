//! `cargo xtask bench`: what a state costs, and what each trick is worth.
//!
//! It measures release builds only: from a debug build it starts itself again in release. Every answer is checked before its
//! time is shown.

mod chart;
mod machine;
mod measure;
mod puzzles;
mod report;
mod tiles;

use std::fs;
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::Context;

use crate::{cargo, root};
use machine::Machine;
use measure::{Comparison, Patience, measure};
use report::Section;

/// As of the programs.
const BAD_USAGE: u8 = 2;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only cases whose id begins with this; several may be given
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Fewer rounds: under two minutes in all
    #[arg(long)]
    quick: bool,
    /// Also what takes minutes: all 3x4 tiles, and all of Korf's hundred
    #[arg(long)]
    large: bool,
    /// Write everything to a file as one JSON object
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// List the ids, with `--large` all of them, and measure nothing
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if cfg!(debug_assertions) {
        return in_release();
    }
    let all = puzzles::comparisons()?.into_iter().chain(tiles::comparisons()?).collect();
    let comparisons = match chosen(arguments, all) {
        Ok(comparisons) => comparisons,
        Err(nothing) => {
            writeln!(stderr(), "error: {nothing}")?;
            return Ok(ExitCode::from(BAD_USAGE));
        }
    };
    if arguments.list {
        for case in comparisons.iter().flat_map(|comparison| &comparison.cases) {
            writeln!(stdout(), "{}  {}", case.id, case.about)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    // Before anything is measured, lest it be lost.
    let json = arguments.json.as_ref().map(|file| (file, fs::File::create(file)));
    let json = json.map(|(file, created)| created.with_context(|| file.display().to_string())).transpose()?;
    let machine = Machine::this();
    writeln!(stdout(), "{machine}\n")?;
    let patience = if arguments.quick {
        Patience { rounds: 3, time: Duration::from_secs(5) }
    } else {
        Patience { rounds: 11, time: Duration::from_secs(60) }
    };
    let folder = root().join("target/bench");
    fs::create_dir_all(&folder)?;
    let mut sections = Vec::new();
    for comparison in comparisons {
        let rows = measure(&comparison, patience)?;
        let section = Section { title: comparison.title, rows };
        writeln!(stdout(), "{}", report::table(&section))?;
        fs::write(folder.join(format!("{}.svg", section.name())), chart::bars(&section))?;
        sections.push(section);
    }
    fs::write(folder.join("report.md"), report::markdown(&machine, &sections))?;
    if let Some(mut file) = json {
        writeln!(file, "{:#}", report::object(&machine, &sections))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Starts the same task built in release.
fn in_release() -> anyhow::Result<ExitCode> {
    writeln!(stderr(), "building in release")?;
    let status = Command::new(cargo())
        .args(["run", "--release", "--quiet", "--package", "xtask", "--"])
        .args(std::env::args_os().skip(1))
        .status()
        .context("cargo does not start")?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(code as u8))
    })
}

/// The comparisons that were asked for, or why there are none.
fn chosen(arguments: &Arguments, comparisons: Vec<Comparison>) -> Result<Vec<Comparison>, String> {
    let wanted =
        |id: &str| arguments.only.is_empty() || arguments.only.iter().any(|only| id.starts_with(only.as_str()));
    let mut chosen = Vec::new();
    for mut comparison in comparisons.into_iter().filter(|comparison| arguments.large || !comparison.large) {
        // Ratios are to the first case, so it stays as long as any does.
        let any = comparison.cases.iter().any(|case| wanted(&case.id));
        let mut first = true;
        comparison.cases.retain(|case| any && (std::mem::take(&mut first) || wanted(&case.id)));
        if any {
            chosen.push(comparison);
        }
    }
    if chosen.is_empty() {
        let large = if arguments.large { "" } else { "; some are only there with `--large`" };
        return Err(format!("no id begins with {}: `--list` shows them{large}", arguments.only.join(" or ")));
    }
    Ok(chosen)
}
