//! `cargo xtask dist`: an archive of the programs, with its checksum. Its name is one that
//! cargo-binstall looks for.
//!
//! What needs a program to be made (manual pages, completions) is made by the program in the
//! archive, and the archive is unpacked into an empty folder and tried before it counts as made. So
//! an archive is made on a system that runs it.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::{root, run_cargo, target};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The target of rustc to build for, instead of that of this machine. Its programs must run
    /// here
    #[arg(long)]
    pub(crate) target: Option<String>,
}

/// The program that is not one of the package `fewest`.
pub(crate) const CHECKER: &str = "fewest-check";

/// What is in each archive beside the programs.
const FILES: [&str; 6] = [
    "README.md",
    "README.zh-CN.md",
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    // Of the outlines of letters in GIFs.
    "crates/scene/src/glyphs/OFL.txt",
];

/// Each shell, and what is before and after the name of a program in the name of its script.
const SHELLS: [(&str, &str, &str); 5] = [
    ("bash", "", ".bash"),
    ("elvish", "", ".elv"),
    ("fish", "", ".fish"),
    ("powershell", "_", ".ps1"),
    ("zsh", "_", ""),
];

/// An instance of each puzzle that is solved at once.
pub(crate) const SOLVED: [(&str, &str); 4] = [
    ("black-white", "sample"),
    ("halloween", "sample-1"),
    ("klotski", "qian-hu-hou-yong"),
    ("wall-pusher", "sample"),
];

/// The programs with a command line of puzzles: one for all, and one for each.
fn programs() -> impl Iterator<Item = &'static str> {
    ["fewest"].into_iter().chain(SOLVED.map(|(puzzle, _)| puzzle))
}

/// Makes the archive and returns its path.
pub(crate) fn make(of_target: Option<&str>) -> anyhow::Result<PathBuf> {
    let folder = stage(of_target)?;
    let host = host()?;
    let name = format!("fewest-{}-v{}", of_target.unwrap_or(&host), env!("CARGO_PKG_VERSION"));
    let archives = target().join("archives");
    fs::create_dir_all(&archives)?;
    let archive = archives.join(format!("{name}.tgz"));
    pack(&folder, &name, &archive)?;
    let sum = Sha256::digest(fs::read(&archive)?);
    let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    fs::write(archives.join(format!("{name}.tgz.sha256")), format!("{sum}  {name}.tgz\n"))?;
    try_out(&archive, &name)?;
    Ok(archive)
}

/// Builds the programs, and puts all that is shipped into `target/staged`. Returns that folder.
pub(crate) fn stage(of_target: Option<&str>) -> anyhow::Result<PathBuf> {
    // One after the other: together, the checker would get the features of the others, and their
    // searches.
    for package in ["fewest", CHECKER] {
        let mut build =
            vec!["build", "--locked", "--profile", "dist", "--bins", "--package", package];
        build.extend(of_target.map(|name| ["--target", name]).into_iter().flatten());
        ensure!(run_cargo(&build, &[])?, "{package} cannot be built");
    }
    let built = of_target.map_or_else(target, |name| target().join(name)).join("dist");

    let folder = target().join("staged");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let completions = folder.join("completions");
    fs::create_dir_all(&completions)?;
    for program in programs().chain([CHECKER]) {
        let file = program.to_owned() + std::env::consts::EXE_SUFFIX;
        fs::copy(built.join(&file), folder.join(&file)).context(file)?;
    }
    for file in FILES {
        let name = Path::new(file).file_name().context(file)?;
        fs::copy(root().join(file), folder.join(name)).context(file)?;
    }
    // `man` looks there for the pages of a program in `PATH`.
    succeeds(&folder, "fewest", &["man", "man/man1"])?;
    for program in programs() {
        for (shell, before, after) in SHELLS {
            let script = succeeds(&folder, program, &["completions", shell])?;
            fs::write(completions.join(format!("{before}{program}{after}")), script)?;
        }
    }
    Ok(folder)
}

/// The target of the compiler's own system.
fn host() -> anyhow::Result<String> {
    let text = output_of(Command::new("rustc").arg("-vV"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc has no host")?.to_owned())
}

/// Packs a folder, with nothing in the archive that another run would not have: no times, no users.
fn pack(folder: &Path, name: &str, archive: &Path) -> anyhow::Result<()> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(&inner)? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let mut tar = tar::Builder::new(GzEncoder::new(File::create(archive)?, Compression::best()));
    for file in &files {
        let (bytes, inside) = (fs::read(file)?, file.strip_prefix(folder)?);
        let stem = inside.file_stem().and_then(|stem| stem.to_str());
        let is_program = inside.parent() == Some(Path::new(""))
            && programs().chain([CHECKER]).any(|program| stem == Some(program));
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(if is_program { 0o755 } else { 0o644 });
        tar.append_data(&mut header, Path::new(name).join(inside), &*bytes)?;
    }
    tar.into_inner()?.finish()?.sync_all()?;
    Ok(())
}

/// Unpacks an archive into an empty folder, and runs every program there.
fn try_out(archive: &Path, name: &str) -> anyhow::Result<()> {
    let empty = tempfile::tempdir()?;
    tar::Archive::new(GzDecoder::new(BufReader::new(File::open(archive)?))).unpack(empty.path())?;
    let folder = empty.path().join(name);
    for program in programs().chain([CHECKER]) {
        succeeds(&folder, program, &["--help"])?;
    }
    for (puzzle, instance) in SOLVED {
        let solved = succeeds(&folder, puzzle, &["solve", instance])?;
        ensure!(solved.contains(", optimal"), "{puzzle}: {solved}");
        let certificate = format!("{puzzle}.cert");
        succeeds(&folder, "fewest", &[puzzle, "certify", instance, "-o", &certificate])?;
        let checked = succeeds(&folder, CHECKER, &[puzzle, instance, &certificate])?;
        ensure!(checked.contains("accepted"), "{puzzle}: {checked}");
    }
    Ok(())
}

/// Runs a program of a folder in it, and returns what it prints.
fn succeeds(folder: &Path, program: &str, arguments: &[&str]) -> anyhow::Result<String> {
    let file = folder.join(program.to_owned() + std::env::consts::EXE_SUFFIX);
    output_of(Command::new(file).args(arguments).current_dir(folder))
}

/// Runs a command, and returns what it prints.
///
/// # Errors
/// If it cannot be started, or does not succeed.
pub(crate) fn output_of(command: &mut Command) -> anyhow::Result<String> {
    let shown = format!("{command:?}");
    let output = command.output().with_context(|| shown.clone())?;
    let error = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{shown}: {error}");
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_an_instance_of_each_puzzle() {
        let puzzles = fewest_catalog::PUZZLES.iter().map(|puzzle| puzzle.info().name);
        let mut puzzles: Vec<_> = puzzles.collect();
        puzzles.sort_unstable();
        assert_eq!(puzzles, SOLVED.map(|(puzzle, _)| puzzle));
    }
}
