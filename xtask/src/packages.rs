//! Whether the published crates can be packaged.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::{cargo, root, run_cargo, target};

/// A crate that is published.
struct Package {
    name: String,
    folder: PathBuf,
    /// Dependencies on other crates of the workspace that have no version. A registry would refuse
    /// the package.
    unversioned: Vec<String>,
}

/// Checks without a build that the package of every published crate lists its sources and the files
/// that they include, and that its dependencies have versions. Returns whether all do.
pub(crate) fn check() -> anyhow::Result<bool> {
    let mut faults = Vec::new();
    for package in published()? {
        let name = &package.name;
        faults.extend(
            package.unversioned.iter().map(|other| format!("{name}: {other} has no version")),
        );
        let listed = list(name)?;
        let sources = sources(&package.folder, Path::new("src"))?;
        for source in &sources {
            let text = fs::read_to_string(package.folder.join(source))?;
            let parent = source.parent().unwrap_or(Path::new(""));
            for path in
                [source.clone()].into_iter().chain(includes(&text).map(|file| parent.join(file)))
            {
                if !listed.contains(&normalized(&path)) {
                    faults.push(format!("{name}: {} is not in the package", path.display()));
                }
            }
        }
    }
    for fault in &faults {
        writeln!(stderr(), "{fault}")?;
    }
    Ok(faults.is_empty())
}

/// Builds every published crate from its package. This is a cold build of all dependencies.
///
/// Cargo caches the unpacked packages by target folder and does not check whether they changed, so
/// a folder of an earlier run would check the packages of that run. Each run has a new folder.
pub(crate) fn build() -> anyhow::Result<bool> {
    let folder = tempfile::tempdir_in(target())?;
    let folder =
        folder.path().to_str().context("the path of the target folder is not valid Unicode")?;
    let mut arguments = vec!["package", "--allow-dirty", "--target-dir", folder];
    let packages = published()?;
    packages.iter().for_each(|package| arguments.extend(["--package", &package.name]));
    run_cargo(&arguments, &[])
}

fn published() -> anyhow::Result<Vec<Package>> {
    let output = cargo_output(&["metadata", "--no-deps", "--format-version", "1"])?;
    let metadata: Value = serde_json::from_str(&output)?;
    let packages = metadata["packages"].as_array().context("cargo lists no packages")?;
    let text = |value: &Value| value.as_str().map(str::to_owned).context("a name is missing");
    let is_published = |package: &&Value| package["publish"].is_null();
    let packages = packages.iter().filter(is_published).map(|package| {
        let dependencies = package["dependencies"].as_array().context("no dependencies")?;
        let unversioned = dependencies
            .iter()
            .filter(|other| other["path"].is_string() && other["kind"] != "dev")
            .filter(|other| other["req"] == "*")
            .map(|other| text(&other["name"]))
            .collect::<anyhow::Result<_>>()?;
        let manifest = PathBuf::from(text(&package["manifest_path"])?);
        let folder = manifest.parent().context("a manifest has no folder")?.to_owned();
        Ok(Package { name: text(&package["name"])?, folder, unversioned })
    });
    let packages: Vec<Package> = packages.collect::<anyhow::Result<_>>()?;
    ensure!(!packages.is_empty(), "no crate is published");
    Ok(packages)
}

/// The files of a package, relative to its folder.
fn list(name: &str) -> anyhow::Result<BTreeSet<PathBuf>> {
    let output = cargo_output(&["package", "--list", "--allow-dirty", "--package", name])?;
    Ok(output.lines().map(PathBuf::from).collect())
}

fn cargo_output(arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(cargo()).args(arguments).current_dir(root()).output()?;
    let message = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo {}: {message}", arguments.join(" "));
    Ok(String::from_utf8(output.stdout)?)
}

/// The Rust files below `folder`, relative to `base`.
fn sources(base: &Path, folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(base.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            found.extend(sources(base, &path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(found)
}

/// The paths in `include_str!` and `include_bytes!` of a source file.
fn includes(source: &str) -> impl Iterator<Item = &str> {
    ["include_str!(", "include_bytes!("].into_iter().flat_map(|start| {
        let rests = source.split(start).skip(1).map(str::trim_start);
        rests.filter_map(|rest| rest.strip_prefix('"')?.split('"').next())
    })
}

/// A relative path without `..` where a folder precedes it.
fn normalized(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path {
        if part == ".." && parts.file_name().is_some() {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn included_files_are_found_where_they_are() {
        let source =
            "const A: &str = include_str!(\n    \"../data/a.txt\"); include_bytes!(\"b.bin\")";
        let paths: Vec<_> =
            includes(source).map(|file| normalized(&Path::new("src/x").join(file))).collect();
        assert_eq!(paths, [Path::new("src/data/a.txt"), Path::new("src/x/b.bin")]);
        assert_eq!(normalized(Path::new("src/../../../other")), Path::new("../../other"));
    }
}
