//! `cargo xtask golden`: the golden snapshots, written anew or checked.
//!
//! What the README and the book show of the programs is written by the test named `book`, which
//! checks it in every run of the tests. The tests named `golden` hold the snapshots; insta, the
//! library, writes what differs to a folder of its own and lists the snapshots that it was asked
//! for. What is made of that is decided here, on files alone.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::meaning::meaning;
use crate::{cargo, root, target};

/// What mends a difference that is meant.
const MEND: &str = "cargo xtask golden && git diff testdata";

/// Writes all snapshots anew and removes those that no test refers to; and output and pictures of
/// the README and the book.
pub(crate) fn write() -> anyhow::Result<()> {
    let folder = folder()?;
    let mut book = Command::new(cargo());
    book.args(["test", "--quiet", "--workspace", "--test", "book", "--", "--test-threads", "1"])
        .env("FEWEST_BOOK", "write")
        .current_dir(root());
    let book = book.stdout(Stdio::from(stderr())).status().context("cargo does not start")?;
    ensure!(book.success(), "a command of the book fails, or a link of it leads nowhere");
    ensure!(
        run_tests(&folder, "always")?,
        "the golden tests failed for another reason than their snapshots"
    );
    for snapshot in unreferenced(&root(), &folder)? {
        writeln!(stderr(), "removed, as no test refers to it: {}", snapshot.display())?;
        fs::remove_file(root().join(snapshot))?;
    }
    // What a run of the tests by hand has left for review is settled by this.
    for pending in files(&root(), "snap.new")? {
        fs::remove_file(root().join(pending))?;
    }
    writeln!(
        stderr(),
        "The golden snapshots are those of this tree; read what changed: git diff testdata docs README*"
    )?;
    Ok(())
}

/// Compares, reports on standard output and in `target/golden/report.md`, and returns whether
/// nothing differs.
pub(crate) fn check() -> anyhow::Result<bool> {
    let folder = folder()?;
    let ran = run_tests(&folder, "new")?;
    let cannot =
        |error: anyhow::Error| vec![format!("The goldens could not be compared: {error:#}.\n")];
    let mut report = compare(&root(), &folder).unwrap_or_else(cannot);
    if !ran {
        report.push(
            "The golden tests failed for another reason than their snapshots; see above.\n"
                .to_owned(),
        );
    }
    let fine = report.is_empty();
    let text = if fine {
        "All golden snapshots are as committed.\n".to_owned()
    } else {
        report.join("\n")
    };
    fs::write(folder.join("report.md"), format!("# Golden snapshots\n\n{text}"))?;
    // Whether anybody reads it changes nothing.
    let _ = write!(stdout(), "{text}");
    Ok(fine)
}

/// An empty folder for one run: `pending/`, `references.txt` and, at the end, `report.md`.
fn folder() -> anyhow::Result<PathBuf> {
    let folder = target().join("golden");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Runs the golden tests; whether they passed, differences of snapshots apart.
fn run_tests(folder: &Path, update: &str) -> anyhow::Result<bool> {
    // The whole workspace, so that its dependencies are those that `cargo test --workspace` has
    // built.
    let status = Command::new(cargo())
        .args(["test", "--quiet", "--workspace", "--test", "golden"])
        .env("INSTA_UPDATE", update)
        .env("INSTA_FORCE_PASS", "1")
        .env("INSTA_OUTPUT", "none")
        .env("INSTA_WORKSPACE_ROOT", root())
        .env("INSTA_PENDING_DIR", folder.join("pending"))
        .env("INSTA_SNAPSHOT_REFERENCES_FILE", folder.join("references.txt"))
        .current_dir(root())
        .stdout(Stdio::from(stderr()))
        .status()
        .context("cargo does not start")?;
    Ok(status.success())
}

/// A paragraph for each snapshot that differs from what the tests gave, is missing, or has no test.
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
        report.push(format!(
            "## {path}\n\nNo test refers to this snapshot.\n\nIf that is meant: `{MEND}`\n"
        ));
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
    let _ = write!(text, "\n```diff\n{diff}```\n\nIf that is meant: `{MEND}`\n");
    text
}

/// What a snapshot file says, without insta's header between `---` lines.
fn body(file: &str) -> String {
    let rest = file.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    rest.map_or(file, |(_, body)| body).to_owned()
}

/// The snapshots that the run did not ask for, from the root of the repository.
fn unreferenced(root: &Path, folder: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let references = folder.join("references.txt");
    let references = fs::read_to_string(&references)
        .with_context(|| format!("{} is missing", references.display()))?;
    let referenced: BTreeSet<PathBuf> = references
        .lines()
        .filter_map(|path| Path::new(path).strip_prefix(root).ok())
        .map(Path::to_owned)
        .collect();
    ensure!(!referenced.is_empty(), "the golden tests asked for no snapshot");
    Ok(files(root, "snap")?.into_iter().filter(|path| !referenced.contains(path)).collect())
}

/// The files below a folder, relative to it, whose name ends in `.ending`; build output and hidden
/// folders left out.
fn files(folder: &Path, ending: &str) -> anyhow::Result<BTreeSet<PathBuf>> {
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
            } else if name.ends_with(&format!(".{ending}")) {
                found.insert(below.join(name));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    #[test]
    fn differences_new_snapshots_and_those_without_a_test_are_reported_and_nothing_else() {
        let place = tempfile::tempdir().expect("a folder");
        let (root, folder) = (place.path(), place.path().join("target/golden"));
        for name in ["same", "changed", "orphan"] {
            put(root, &format!("testdata/golden/{name}.snap"), "---\nsource: x\n---\none\ntwo\n");
        }
        let asked = ["same", "changed", "fresh"]
            .map(|name| root.join(format!("testdata/golden/{name}.snap")));
        let asked = asked.map(|path| path.display().to_string());
        put(root, "target/golden/references.txt", &asked.join("\n"));
        put(
            root,
            "target/golden/pending/testdata/golden/changed.snap.new",
            "---\nsource: x\n---\none\n2\n",
        );
        put(
            root,
            "target/golden/pending/testdata/golden/fresh.snap.new",
            "---\nsource: x\n---\nnew\n",
        );

        let report = compare(root, &folder).expect("a report");
        let [changed, fresh, orphan] = report.as_slice() else { panic!("{report:#?}") };
        assert!(
            changed.contains("changed.snap")
                && changed.contains("-two\n+2\n")
                && changed.contains(MEND)
        );
        assert!(
            fresh.contains("fresh.snap")
                && fresh.contains("- new snapshot")
                && fresh.contains("+new\n")
        );
        assert!(orphan.contains("orphan.snap") && orphan.contains("No test refers"));
    }

    #[test]
    fn a_run_that_asked_for_nothing_is_no_check() {
        let place = tempfile::tempdir().expect("a folder");
        assert!(compare(place.path(), place.path()).is_err());
        put(place.path(), "references.txt", "");
        assert!(compare(place.path(), place.path()).is_err());
    }
}
