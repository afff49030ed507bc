//! `cargo xtask bench`: what a state costs, and what each trick is worth.
//!
//! It measures release builds only: from a debug build it starts itself again in release. Every
//! answer is checked before its time is shown.

mod against;
mod apart;
mod boards;
mod claims;
mod ghosts;
mod klotski;
mod machine;
mod measure;
#[cfg(feature = "peers")]
mod peers;
mod programs;
mod puzzles;
mod report;
mod survey;
mod tiles;
mod walls;

use std::fs;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::Context;

use crate::{cargo, root};
use machine::Machine;
use measure::{Case, Comparison, Patience, Row, measure};
use report::{Measured, Section, Surveyed};
use survey::{Group, Survey};

/// As of the programs.
const BAD_USAGE: u8 = 2;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only cases and claims whose id begins with this; several may be given
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Fewer rounds: two or three minutes in all
    #[arg(long)]
    quick: bool,
    /// Also what takes minutes: all 3x4 tiles, all of Korf's hundred, and houses crowded with
    /// ghosts
    #[arg(long)]
    large: bool,
    /// Also other libraries on the same spaces, each run in a process of its own; this builds them
    #[arg(long)]
    peers: bool,
    /// Also count the machine instructions of each run, by valgrind, at some fifty times its time
    #[arg(long)]
    instructions: bool,
    /// Compare with another revision instead, built from git, if it is not older than this option:
    /// exits with 3 if something got slower beyond its spread or counts more, with 4 if something
    /// could not be measured
    #[arg(long, value_name = "REV", conflicts_with_all = ["peers", "instructions", "json", "write_docs"])]
    against: Option<String>,
    /// Write everything to a file as one JSON object
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write docs/performance.md
    #[arg(long, conflicts_with_all = ["only", "quick"])]
    write_docs: bool,
    /// List the ids, with `--large` and `--peers` all of them, and measure nothing
    #[arg(long)]
    list: bool,
    /// Run one case in this process, and write what came of it as JSON
    #[arg(long, value_name = "ID", hide = true)]
    once: Option<String>,
    /// Run one case once, or get ready to and do not: for counting instructions
    #[arg(long, value_name = "ID", hide = true)]
    just_once: Option<String>,
    #[arg(long, value_name = "ID", hide = true)]
    just_ready: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if cfg!(debug_assertions) || arguments.peers && !cfg!(feature = "peers") {
        return in_release(arguments.peers);
    }
    let all = comparisons()?;
    if let Some(id) = &arguments.once {
        writeln!(stdout(), "{}", apart::here(case(&all, id)?)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(id) = &arguments.just_once {
        case(&all, id)?.run_checked()?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(id) = &arguments.just_ready {
        case(&all, id)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (comparisons, surveys) = match chosen(arguments, all) {
        Ok(chosen) => chosen,
        Err(nothing) => {
            writeln!(stderr(), "error: {nothing}")?;
            return Ok(ExitCode::from(BAD_USAGE));
        }
    };
    if arguments.list {
        for comparison in &comparisons {
            let cases = comparison.cases.iter().map(|case| (case.id.as_str(), case.about.as_str()));
            let claims = comparison.claims.iter().map(|claim| (claim.id, claim.text));
            writeln!(stdout(), "{}", comparison.title)?;
            for (id, about) in cases.chain(claims) {
                writeln!(stdout(), "  {id:<40} {about}")?;
            }
        }
        for survey in &surveys {
            writeln!(stdout(), "{}", survey.title)?;
            for group in &survey.groups {
                writeln!(stdout(), "  {:<40} {} ghosts, {}", group.id, group.ghosts, group.line)?;
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(revision) = &arguments.against {
        return against::run(revision, &comparisons, if arguments.quick { 5 } else { 11 });
    }
    report(arguments, &comparisons, &surveys)
}

/// Measures, and writes all that was asked for.
fn report(
    arguments: &Arguments,
    comparisons: &[Comparison],
    surveys: &[Survey],
) -> anyhow::Result<ExitCode> {
    if arguments.instructions
        && let Err(trouble) = Command::new("valgrind").arg("--version").output()
    {
        writeln!(
            stderr(),
            "error: --instructions needs valgrind, which does not start: {trouble}"
        )?;
        return Ok(ExitCode::FAILURE);
    }
    // Before anything is measured, lest it be lost.
    let json = match arguments.json.as_ref().map(|file| (file, fs::File::create(file))) {
        Some((file, Err(trouble))) => {
            writeln!(stderr(), "error: {}: {trouble}", file.display())?;
            return Ok(ExitCode::from(BAD_USAGE));
        }
        created => created.and_then(|(_, file)| file.ok()),
    };
    let machine = Machine::this();
    writeln!(stdout(), "{machine}\n")?;
    let folder = root().join("target/bench");
    // What an earlier run has left there is not of this one.
    fs::remove_dir_all(folder.join("charts")).or_else(|error| match error.kind() {
        ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    })?;
    fs::create_dir_all(folder.join("charts"))?;
    let (mut sections, mut failed) = (Vec::new(), false);
    for comparison in comparisons {
        let patience = match (arguments.quick, comparison.large) {
            // The 3x4 tiles thrice, as two threads against one vary by a tenth; Korf's hundred
            // once.
            (_, true) => Patience { rounds: 3, least: 1, time: Duration::from_secs(500) },
            (true, false) => Patience { rounds: 3, least: 3, time: Duration::ZERO },
            (false, false) => Patience { rounds: 11, least: 3, time: Duration::from_secs(30) },
        };
        let rows = match rows(comparison, patience, arguments.instructions) {
            Ok(rows) => rows,
            // The others are not to be lost for it.
            Err(trouble) => {
                writeln!(stderr(), "error: {trouble:#}")?;
                failed = true;
                continue;
            }
        };
        let findings = comparison.claims.iter().flat_map(|claim| claim.findings(&rows)).collect();
        let (title, ladder) = (comparison.title.clone(), comparison.ladder.clone());
        let section = Section { title, rows, findings, ladder, unlike: comparison.unlike };
        write!(stdout(), "{}", report::text(&section))?;
        sections.push(section);
    }
    let mut surveyed = Vec::new();
    for survey in surveys {
        match survey.groups.iter().map(Group::run).collect() {
            Ok(shares) => {
                surveyed.push(Surveyed { id: survey.id, title: survey.title.clone(), shares })
            }
            Err(trouble) => {
                writeln!(stderr(), "error: {}: {trouble:#}", survey.title)?;
                failed = true;
                continue;
            }
        }
        write!(stdout(), "{}", report::survey_text(&surveyed[surveyed.len() - 1]))?;
    }
    let measured = Measured { sections, surveyed };
    for (name, chart) in measured.charts() {
        fs::write(folder.join("charts").join(name), chart)?;
    }
    let page = report::markdown(&machine, &command(), "charts", &measured);
    fs::write(folder.join("report.md"), &page)?;
    match arguments.write_docs {
        true if failed => writeln!(
            stderr(),
            "error: docs/performance.md is left as it was, as not all was measured"
        )?,
        true => write_docs(&machine, &measured)?,
        false => {}
    }
    if let Some(mut file) = json {
        writeln!(file, "{:#}", report::object(&machine, &measured))?;
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The rows of a comparison with all that was asked for.
fn rows(
    comparison: &Comparison,
    patience: Patience,
    instructions: bool,
) -> anyhow::Result<Vec<Row>> {
    let mut rows = measure(comparison, patience)?;
    for row in &mut rows {
        if row.work.bytes.is_none() {
            row.work.bytes = apart::run(&apart::this_program()?, &row.id)?.resident;
        }
        if instructions {
            row.instructions = Some(apart::instructions(&apart::this_program()?, &row.id)?);
        }
    }
    Ok(rows)
}

/// The page with its charts beside it.
fn write_docs(machine: &Machine, measured: &Measured) -> anyhow::Result<()> {
    let charts = root().join("docs/performance");
    fs::create_dir_all(&charts)?;
    for (name, chart) in measured.charts() {
        fs::write(charts.join(name), chart)?;
    }
    let page = report::markdown(machine, &command(), "performance", measured);
    Ok(fs::write(root().join("docs/performance.md"), page)?)
}

/// What was typed, but for the file that the figures go to.
fn command() -> String {
    let mut words: Vec<_> = std::env::args().skip(1).collect();
    if let Some(json) = words.iter().position(|word| word == "--json") {
        words.drain(json..words.len().min(json + 2));
    }
    words.retain(|word| !word.starts_with("--json="));
    format!("cargo xtask {}", words.join(" "))
}

fn testdata(path: &str) -> anyhow::Result<String> {
    let path = root().join("testdata").join(path);
    fs::read_to_string(&path).with_context(|| path.display().to_string())
}

fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    let all = programs::comparisons()?.into_iter().chain(ghosts::comparisons()?);
    let all = all
        .chain(klotski::comparisons()?)
        .chain(walls::comparisons()?)
        .chain(boards::comparisons()?);
    let all = all.chain(puzzles::comparisons()?).chain(tiles::comparisons()?);
    #[cfg(feature = "peers")]
    let all = all.chain(peers::comparisons()?);
    Ok(all.collect())
}

fn case<'a>(comparisons: &'a [Comparison], id: &str) -> anyhow::Result<&'a Case> {
    let mut cases = comparisons.iter().flat_map(|comparison| &comparison.cases);
    cases.find(|case| case.id == id).with_context(|| format!("no case has the id {id}"))
}

/// Starts the same task built in release, with what only that build may have.
fn in_release(peers: bool) -> anyhow::Result<ExitCode> {
    let status = Command::new(cargo())
        .args(["run", "--release", "--package", "xtask"])
        .args(if peers { ["--features", "peers"].as_slice() } else { &[] })
        .arg("--")
        .args(std::env::args_os().skip(1))
        .status()
        .context("cargo does not start")?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(code as u8))
    })
}

/// What was asked for, or why there is none.
fn chosen(
    arguments: &Arguments,
    comparisons: Vec<Comparison>,
) -> Result<(Vec<Comparison>, Vec<Survey>), String> {
    let wanted = |id: &str| {
        arguments.only.is_empty() || arguments.only.iter().any(|only| id.starts_with(only.as_str()))
    };
    let mut chosen = Vec::new();
    for mut comparison in
        comparisons.into_iter().filter(|comparison| arguments.large || !comparison.large)
    {
        comparison.claims.retain(|claim| wanted(claim.id));
        let claimed = |id: &String| comparison.claims.iter().any(|claim| claim.cases.contains(id));
        // Ratios are to the first case, so it stays as long as any does.
        let any = comparison.cases.iter().any(|case| wanted(&case.id) || claimed(&case.id));
        let mut first = true;
        comparison.cases.retain(|case| {
            any && (std::mem::take(&mut first) || wanted(&case.id) || claimed(&case.id))
        });
        if any {
            chosen.push(comparison);
        }
    }
    let mut surveys = ghosts::surveys();
    surveys.retain_mut(|survey| {
        survey.groups.retain(|group| wanted(&group.id));
        !survey.groups.is_empty() && (arguments.large || !survey.large)
    });
    let found = |only: &&String| {
        let ids = chosen.iter().flat_map(|comparison: &Comparison| {
            comparison
                .cases
                .iter()
                .map(|case| case.id.as_str())
                .chain(comparison.claims.iter().map(|claim| claim.id))
        });
        let groups =
            surveys.iter().flat_map(|survey| &survey.groups).map(|group| group.id.as_str());
        ids.chain(groups).any(|id| id.starts_with(only.as_str()))
    };
    if let Some(only) = arguments.only.iter().find(|only| !found(only)) {
        return Err(format!(
            "no id begins with {only}: `--list` shows them, and more with `--large` and `--peers`"
        ));
    }
    Ok((chosen, surveys))
}
