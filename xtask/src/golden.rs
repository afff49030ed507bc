//! `cargo xtask golden`: regenerates or checks the golden snapshots.
//!
//! The tests in the module `golden` compare the output of the programs with the snapshots. The
//! library insta writes snapshots that differ to a separate folder, and lists the snapshots that
//! the tests use. This module evaluates these files.
//!
//! The tests in the module `book` regenerate the output and the pictures in the README and the
//! book, and check them in every test run.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::meaning::meaning;
use crate::{cargo, root, target};

/// The commands that accept an intended difference.
const ACCEPT: &str = "cargo xtask golden && git diff testdata";

/// Regenerates all snapshots, removes those that no test uses, and regenerates the output and the
/// pictures in the README and the book.
pub(crate) fn write() -> anyhow::Result<()> {
    let folder = folder()?;
    let book = cargo_test(&["book::", "--test-threads", "1"], &[("FEWEST_BOOK", "write".into())])?;
    ensure!(book, "a command in the book fails, or a link in it is broken");
    ensure!(
        cargo_test(&["golden::"], &variables(&folder, "always"))?,
        "the golden tests failed for a reason other than snapshots"
    );
    for snapshot in unreferenced(&root(), &folder)? {
        writeln!(stderr(), "removed {}: no test uses it", snapshot.display())?;
        fs::remove_file(root().join(snapshot))?;
    }
    // A manual test run leaves these for review. They are obsolete now.
    for pending in files(&root(), "snap.new")? {
        fs::remove_file(root().join(pending))?;
    }
    writeln!(
        stderr(),
        "regenerated the golden snapshots; review the changes: git diff testdata docs README*"
    )?;
    Ok(())
}

/// Compares the snapshots with the output of the golden tests. Returns whether they match.
pub(crate) fn check() -> anyhow::Result<bool> {
    let (ran, matches) = check_during(|variables| cargo_test(&["golden::"], variables))?;
    if !ran {
        writeln!(stderr(), "error: the golden tests failed for a reason other than snapshots")?;
    }
    Ok(ran && matches)
}

/// Runs tests, the golden tests among them, with the environment variables that make insta collect
/// what differs. Reports the differences on standard output and in `target/golden/report.md`.
/// Returns whether the tests passed, where a snapshot that differs is no failure, and whether the
/// snapshots match.
pub(crate) fn check_during(
    run_tests: impl FnOnce(&[Variable]) -> anyhow::Result<bool>,
) -> anyhow::Result<(bool, bool)> {
    let folder = folder()?;
    let ran = run_tests(&variables(&folder, "new"))?;
    let failed =
        |error: anyhow::Error| vec![format!("Cannot compare the golden snapshots: {error:#}.\n")];
    let report = compare(&root(), &folder).unwrap_or_else(failed);
    let matches = report.is_empty();
    let text = if matches { "All golden snapshots match.\n".to_owned() } else { report.join("\n") };
    fs::write(folder.join("report.md"), format!("# Golden snapshots\n\n{text}"))?;
    // A broken pipe does not change the result.
    let _ = write!(stdout(), "{text}");
    Ok((ran, matches))
}

/// An environment variable with its value.
pub(crate) type Variable = (&'static str, OsString);

/// The variables for insta: differences go to `folder` and do not fail a test.
fn variables(folder: &Path, update: &str) -> Vec<Variable> {
    vec![
        ("INSTA_UPDATE", update.into()),
        ("INSTA_FORCE_PASS", "1".into()),
        ("INSTA_OUTPUT", "none".into()),
        ("INSTA_WORKSPACE_ROOT", root().into()),
        ("INSTA_PENDING_DIR", folder.join("pending").into()),
        ("INSTA_SNAPSHOT_REFERENCES_FILE", folder.join("references.txt").into()),
    ]
}

/// Runs the integration tests whose names match a filter. Returns whether there are any and all
/// passed.
fn cargo_test(filter: &[&str], variables: &[Variable]) -> anyhow::Result<bool> {
    // With `--workspace` cargo reuses the dependencies that `cargo test --workspace` has built.
    let output = Command::new(cargo())
        .args(["test", "--quiet", "--workspace", "--test", "suite", "--"])
        .args(filter)
        .envs(variables.iter().cloned())
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    stderr().write_all(&output.stdout)?;
    Ok(output.status.success() && passed_count(&String::from_utf8_lossy(&output.stdout)) > 0)
}

/// The number of passed tests in the output of `cargo test`.
fn passed_count(output: &str) -> usize {
    let summaries = output.lines().filter_map(|line| line.strip_prefix("test result: "));
    let passed = summaries
        .filter_map(|line| line.split_once(" passed")?.0.rsplit(' ').next()?.parse::<usize>().ok());
    passed.sum()
}

/// Creates an empty folder for the files of one run: `pending/`, `references.txt` and, at the end,
/// `report.md`.
fn folder() -> anyhow::Result<PathBuf> {
    let folder = target().join("golden");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Returns one paragraph for each snapshot that differs, is new, or is not used by any test.
fn compare(root: &Path, folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut report = Vec::new();
    let pending = folder.join("pending");
    for path in files(&pending, "snap.new")? {
        let new = body(&fs::read_to_string(pending.join(&path))?);
        let path = path.with_extension("");
        let old = root.join(&path);
        let old = if old.exists() { body(&fs::read_to_string(old)?) } else { String::new() };
        report.push(paragraph(&path.display().to_string(), &old, &new));
    }
    for path in unreferenced(root, folder)? {
        let path = path.display();
        report.push(format!("## {path}\n\nNo test uses this snapshot.\n\nTo accept: `{ACCEPT}`\n"));
    }
    Ok(report)
}

fn paragraph(path: &str, old: &str, new: &str) -> String {
    let diff = similar::TextDiff::from_lines(old, new);
    let diff = diff.unified_diff().context_radius(3).header("committed", "this tree").to_string();
    let mut text = format!("## {path}\n\n");
    for line in meaning(old, new) {
        let _ = writeln!(text, "- {line}");
    }
    let _ = write!(text, "\n```diff\n{diff}```\n\nTo accept: `{ACCEPT}`\n");
    text
}

/// The content of a snapshot file without insta's header, which is between `---` lines.
fn body(file: &str) -> String {
    let rest = file.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    rest.map_or(file, |(_, body)| body).to_owned()
}

/// The snapshots that no test of the run used, as paths relative to `root`.
fn unreferenced(root: &Path, folder: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let references = folder.join("references.txt");
    let references = fs::read_to_string(&references)
        .with_context(|| format!("{} is missing", references.display()))?;
    let referenced: BTreeSet<PathBuf> = references
        .lines()
        .filter_map(|path| Path::new(path).strip_prefix(root).ok())
        .map(Path::to_owned)
        .collect();
    ensure!(!referenced.is_empty(), "the golden tests used no snapshot");
    Ok(files(root, "snap")?.into_iter().filter(|path| !referenced.contains(path)).collect())
}

/// The files below a folder whose name ends in `.extension`, as paths relative to the folder.
/// Skips build output and hidden folders.
fn files(folder: &Path, extension: &str) -> anyhow::Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        let here = folder.join(&below);
        if !here.exists() {
            continue;
        }
        for entry in fs::read_dir(here)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type()?.is_dir() {
                if name != "target" && !name.starts_with('.') {
                    folders.push(below.join(name));
                }
            } else if name.ends_with(&format!(".{extension}")) {
                found.insert(below.join(name));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write_file(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a new folder");
        fs::write(path, text).expect("a new file");
    }

    #[test]
    fn changed_new_and_unused_snapshots_are_reported_and_equal_ones_are_not() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let (root, folder) = (temporary.path(), temporary.path().join("target/golden"));
        for name in ["same", "changed", "orphan"] {
            write_file(
                root,
                &format!("testdata/golden/{name}.snap"),
                "---\nsource: x\n---\none\ntwo\n",
            );
        }
        let used = ["same", "changed", "fresh"]
            .map(|name| root.join(format!("testdata/golden/{name}.snap")));
        let used = used.map(|path| path.display().to_string());
        write_file(root, "target/golden/references.txt", &used.join("\n"));
        write_file(
            root,
            "target/golden/pending/testdata/golden/changed.snap.new",
            "---\nsource: x\n---\none\n2\n",
        );
        write_file(
            root,
            "target/golden/pending/testdata/golden/fresh.snap.new",
            "---\nsource: x\n---\nnew\n",
        );

        let report = compare(root, &folder).expect("a report");
        let [changed, fresh, orphan] = report.as_slice() else { panic!("{report:#?}") };
        assert!(
            changed.contains("changed.snap")
                && changed.contains("-two\n+2\n")
                && changed.contains(ACCEPT)
        );
        assert!(
            fresh.contains("fresh.snap")
                && fresh.contains("- new snapshot")
                && fresh.contains("+new\n")
        );
        assert!(orphan.contains("orphan.snap") && orphan.contains("No test uses"));
    }

    #[test]
    fn passed_tests_are_counted_over_all_programs() {
        let summary = |passed| {
            format!(
                "\nrunning 4 tests\n....\ntest result: ok. {passed} passed; 0 failed; 2 ignored\n"
            )
        };
        assert_eq!(passed_count(&(summary(0) + &summary(3) + &summary(40))), 43);
        assert_eq!(passed_count(&summary(0)), 0);
    }

    #[test]
    fn a_run_that_used_no_snapshot_is_an_error() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert!(compare(folder.path(), folder.path()).is_err());
        write_file(folder.path(), "references.txt", "");
        assert!(compare(folder.path(), folder.path()).is_err());
    }
}
