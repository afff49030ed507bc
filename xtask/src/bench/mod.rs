//! `cargo xtask bench`: measures the cost of a state and the effect of each trick.
//!
//! It measures release builds only: a debug build restarts itself as a release build. Every answer
//! is checked before its time is printed.

mod against;
mod boards;
mod case;
mod certificates;
mod claims;
#[cfg(feature = "peers")]
mod coming_from;
mod costs;
mod ghosts;
mod isolated;
mod klotski;
mod library;
mod machine;
mod measure;
#[cfg(feature = "peers")]
mod peers;
mod permutations;
mod processes;
mod programs;
mod puzzles;
mod report;
mod spread;
mod survey;
mod tiles;
mod walls;

use std::fs;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::Context;

use crate::{cargo, root};
use case::{Case, Row};
use machine::Machine;
use measure::{Comparison, RoundLimits, measure};
use report::{Measured, Section, SurveyResult};
use survey::{Group, Survey};

/// The exit code of the programs for bad usage.
const BAD_USAGE: u8 = 2;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure only cases and claims whose id begins with this; may be repeated
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Measure fewer rounds: two to three minutes in total
    #[arg(long)]
    quick: bool,
    /// Include what takes minutes: all 3x4 tiles, all of Korf's hundred, and maps with many ghosts
    #[arg(long)]
    large: bool,
    /// Include other libraries on the same spaces, each run in its own process; this builds them
    #[arg(long)]
    peers: bool,
    /// Count the machine instructions of each run with valgrind, which takes about 50 times as long
    #[arg(long)]
    instructions: bool,
    /// Compare with another git revision, which must have this option. Exit with 3 if a case is
    /// slower beyond its spread or has a higher count, with 4 if a case cannot be measured
    #[arg(
        long,
        value_name = "REV",
        conflicts_with_all = ["peers", "instructions", "write_docs"]
    )]
    against: Option<String>,
    /// Write docs/performance.md, and the data files and ladders in docs/performance
    #[arg(long, conflicts_with_all = ["only", "quick"])]
    write_docs: bool,
    /// List the ids and measure nothing; `--large` and `--peers` add theirs
    #[arg(long)]
    list: bool,
    /// Run one case in this process, and print its measurements as JSON
    #[arg(long, value_name = "ID", hide = true)]
    once: Option<String>,
    /// Run one case once, to count instructions
    #[arg(long, value_name = "ID", hide = true)]
    just_once: Option<String>,
    /// Prepare one case and do not run it, to count instructions
    #[arg(long, value_name = "ID", hide = true)]
    just_ready: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if cfg!(debug_assertions) || arguments.peers && !cfg!(feature = "peers") {
        return restart_in_release(arguments.peers);
    }
    let all = comparisons()?;
    if let Some(id) = &arguments.once {
        writeln!(stdout(), "{}", isolated::run_here(case(&all, id)?)?)?;
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
    let Selected { comparisons, surveys, certificates } = match select(arguments, all) {
        Ok(selected) => selected,
        Err(error) => {
            writeln!(stderr(), "error: {error}")?;
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
                writeln!(stdout(), "  {:<40} {} ghosts, {}", group.id, group.ghosts, group.series)?;
            }
        }
        for group in &certificates {
            writeln!(stdout(), "  {:<40} certificates", group.id)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(revision) = &arguments.against {
        return against::run(revision, &comparisons, if arguments.quick { 5 } else { 11 });
    }
    measure_and_report(arguments, &comparisons, &surveys, &certificates)
}

/// Measures, and writes the outputs that `arguments` select.
fn measure_and_report(
    arguments: &Arguments,
    comparisons: &[Comparison],
    surveys: &[Survey],
    certificates: &[certificates::Group],
) -> anyhow::Result<ExitCode> {
    if arguments.instructions
        && let Err(error) = Command::new("valgrind").arg("--version").output()
    {
        writeln!(
            stderr(),
            "error: --instructions needs valgrind, which cannot be started: {error}"
        )?;
        return Ok(ExitCode::FAILURE);
    }
    let machine = Machine::current();
    writeln!(stdout(), "{machine}\n")?;
    let folder = root().join("target/bench");
    // Charts of an earlier run are stale.
    fs::remove_dir_all(folder.join("charts")).or_else(|error| match error.kind() {
        ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    })?;
    fs::create_dir_all(folder.join("charts"))?;
    let (mut sections, mut failed) = (Vec::new(), false);
    for comparison in comparisons {
        let limits = match (arguments.quick, comparison.large) {
            // At most three rounds, because the ratio of two threads to one varies by 10 % on the
            // 3x4 tiles. Korf's hundred exceeds the time and has one round.
            (_, true) => {
                RoundLimits { max_rounds: 3, min_rounds: 1, time: Duration::from_secs(500) }
            }
            (true, false) => RoundLimits { max_rounds: 3, min_rounds: 3, time: Duration::ZERO },
            (false, false) => {
                RoundLimits { max_rounds: 11, min_rounds: 3, time: Duration::from_secs(30) }
            }
        };
        let rows = match rows(comparison, limits, arguments.instructions) {
            Ok(rows) => rows,
            // The other comparisons still run.
            Err(error) => {
                writeln!(stderr(), "error: {error:#}")?;
                failed = true;
                continue;
            }
        };
        let findings = comparison.claims.iter().flat_map(|claim| claim.findings(&rows)).collect();
        let (title, ladder) = (comparison.title.clone(), comparison.ladder.clone());
        let section = Section { title, rows, findings, ladder, unrelated: comparison.unrelated };
        write!(stdout(), "{}", report::text(&section))?;
        sections.push(section);
    }
    let mut survey_results = Vec::new();
    for survey in surveys {
        match survey.groups.iter().map(Group::run).collect() {
            Ok(groups) => survey_results.push(SurveyResult {
                id: survey.id,
                title: survey.title.clone(),
                groups,
            }),
            Err(error) => {
                writeln!(stderr(), "error: {}: {error:#}", survey.title)?;
                failed = true;
                continue;
            }
        }
        write!(stdout(), "{}", report::survey_text(&survey_results[survey_results.len() - 1]))?;
    }
    let mut certified = Vec::new();
    for group in certificates {
        match group.run() {
            Ok(result) => certified.push(result),
            Err(error) => {
                writeln!(stderr(), "error: {}: {error:#}", group.id)?;
                failed = true;
            }
        }
    }
    write!(stdout(), "{}", report::certificates_text(&certified))?;
    let measured = Measured { sections, surveys: survey_results, certificates: certified };
    for (name, chart) in measured.charts() {
        fs::write(folder.join("charts").join(name), chart)?;
    }
    let page = report::page(&machine, &command(), &measured);
    let data = report::data_files(&measured)?;
    let data_folder = folder.join("performance");
    fs::create_dir_all(&data_folder)?;
    write_report(&folder.join("report.md"), &page, &data_folder, &data)?;
    match arguments.write_docs {
        true if failed => writeln!(
            stderr(),
            "error: docs/performance.md is unchanged, because some measurements failed"
        )?,
        true => write_docs(&page, &data, &measured)?,
        false => {}
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The rows of a comparison, with memory and, if requested, instructions.
fn rows(
    comparison: &Comparison,
    limits: RoundLimits,
    instructions: bool,
) -> anyhow::Result<Vec<Row>> {
    let mut rows = measure(comparison, limits)?;
    for row in &mut rows {
        if row.work.bytes.is_none() {
            row.work.bytes = isolated::run(&isolated::this_program()?, &row.id)?.resident_bytes;
        }
        if instructions {
            row.instructions = Some(isolated::instructions(&isolated::this_program()?, &row.id)?);
        }
    }
    Ok(rows)
}

/// Writes docs/performance.md, and its data files and the charts of ladders to docs/performance.
fn write_docs(
    page: &str,
    data: &[(&'static str, Vec<u8>)],
    measured: &Measured,
) -> anyhow::Result<()> {
    let folder = root().join("docs/performance");
    fs::create_dir_all(&folder)?;
    for (name, chart) in measured.ladders() {
        fs::write(folder.join(name), chart)?;
    }
    write_report(&root().join("docs/performance.md"), page, &folder, data)
}

fn write_report(
    file: &Path,
    page: &str,
    folder: &Path,
    data: &[(&'static str, Vec<u8>)],
) -> anyhow::Result<()> {
    for (name, rows) in data {
        fs::write(folder.join(name), rows)?;
    }
    Ok(fs::write(file, page)?)
}

fn command() -> String {
    let words: Vec<_> = std::env::args().skip(1).collect();
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
    let all = all.chain(library::comparisons()?).chain(costs::comparisons()?);
    #[cfg(feature = "peers")]
    let all = all.chain(peers::comparisons()?);
    Ok(all.collect())
}

fn case<'a>(comparisons: &'a [Comparison], id: &str) -> anyhow::Result<&'a Case> {
    let mut cases = comparisons.iter().flat_map(|comparison| &comparison.cases);
    cases.find(|case| case.id == id).with_context(|| format!("no case has the id {id}"))
}

/// Runs the same task in a release build, with the feature `peers` if requested.
fn restart_in_release(peers: bool) -> anyhow::Result<ExitCode> {
    let status = Command::new(cargo())
        .args(["run", "--release", "--package", "xtask"])
        .args(if peers { ["--features", "peers"].as_slice() } else { &[] })
        .arg("--")
        .args(std::env::args_os().skip(1))
        .status()
        .context("cannot start cargo")?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(code as u8))
    })
}

/// What is to be measured.
struct Selected {
    comparisons: Vec<Comparison>,
    surveys: Vec<Survey>,
    certificates: Vec<certificates::Group>,
}

/// What `arguments` select, or an error message if there is nothing.
fn select(arguments: &Arguments, comparisons: Vec<Comparison>) -> Result<Selected, String> {
    let is_selected = |id: &str| {
        arguments.only.is_empty() || arguments.only.iter().any(|only| id.starts_with(only.as_str()))
    };
    let mut selected = Vec::new();
    for mut comparison in
        comparisons.into_iter().filter(|comparison| arguments.large || !comparison.large)
    {
        comparison.claims.retain(|claim| is_selected(claim.id));
        let is_claimed =
            |id: &String| comparison.claims.iter().any(|claim| claim.case_ids.contains(id));
        // Ratios are to the first case, so it is included if any case is.
        let any = comparison.cases.iter().any(|case| is_selected(&case.id) || is_claimed(&case.id));
        let mut first = true;
        comparison.cases.retain(|case| {
            any && (std::mem::take(&mut first) || is_selected(&case.id) || is_claimed(&case.id))
        });
        if any {
            selected.push(comparison);
        }
    }
    let mut surveys = ghosts::surveys();
    surveys.retain_mut(|survey| {
        survey.groups.retain(|group| is_selected(&group.id));
        !survey.groups.is_empty() && (arguments.large || !survey.large)
    });
    let mut certificates = certificates::groups();
    // Together they take minutes.
    certificates
        .retain(|group| is_selected(&group.id) && (arguments.large || !arguments.only.is_empty()));
    let found = |only: &&String| {
        let ids = selected.iter().flat_map(|comparison: &Comparison| {
            comparison
                .cases
                .iter()
                .map(|case| case.id.as_str())
                .chain(comparison.claims.iter().map(|claim| claim.id))
        });
        let groups =
            surveys.iter().flat_map(|survey| &survey.groups).map(|group| group.id.as_str());
        let certificates = certificates.iter().map(|group| group.id.as_str());
        ids.chain(groups).chain(certificates).any(|id| id.starts_with(only.as_str()))
    };
    if let Some(only) = arguments.only.iter().find(|only| !found(only)) {
        return Err(format!("no id begins with {only}: `--list --large --peers` prints all ids"));
    }
    Ok(Selected { comparisons: selected, surveys, certificates })
}
