//! `cargo xtask deb`: a Debian package of the programs, made by cargo-deb.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::cargo;
use crate::dist::{self, CHECKER, SOLVED, output_of};
use crate::{root, target};

/// Makes the package and returns its path. With `install`, it is installed, tried and removed.
pub(crate) fn make(install: bool) -> anyhow::Result<PathBuf> {
    let staged = dist::stage(None)?;
    let named = "the manifest names files in `target/staged`, so `CARGO_TARGET_DIR` cannot be used";
    ensure!(staged == root().join("target/staged"), named);
    let packages = target().join("debian");
    if packages.exists() {
        fs::remove_dir_all(&packages)?;
    }
    let mut deb = Command::new(cargo());
    deb.args(["deb", "--locked", "--no-build", "--profile", "dist", "--package", "fewest"]);
    output_of(deb.current_dir(root())).context("cargo install --locked cargo-deb")?;
    let made = fs::read_dir(&packages)?.collect::<Result<Vec<_>, _>>()?;
    let mut made = made.into_iter().map(|entry| entry.path());
    let package = made.find(|file| file.extension().is_some_and(|end| end == "deb"));
    let package = package.context("cargo-deb made no package")?;
    if install {
        try_out(&package)?;
    }
    Ok(package)
}

/// Whether a package can be installed here without replacing another.
pub(crate) fn may_install() -> bool {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    is_root && !is_installed()
}

fn is_installed() -> bool {
    let status = Command::new("dpkg").args(["--status", "fewest"]).output();
    status.is_ok_and(|status| status.status.success())
}

/// Whether cargo-deb is installed.
pub(crate) fn has_cargo_deb() -> bool {
    let status = Command::new(cargo()).args(["deb", "--version"]).output();
    status.is_ok_and(|output| output.status.success())
}

fn try_out(package: &Path) -> anyhow::Result<()> {
    ensure!(!is_installed(), "a package `fewest` is installed, and would be replaced");
    let tried = output_of(Command::new("dpkg").arg("--install").arg(package)).and_then(|_| solve());
    output_of(Command::new("dpkg").args(["--purge", "fewest"]))?;
    tried?;
    for left in ["/usr/bin/fewest", "/usr/share/man/man1/fewest.1.gz", "/usr/share/doc/fewest"] {
        ensure!(!fs::exists(left)?, "{left} is left after the package is removed");
    }
    Ok(())
}

fn solve() -> anyhow::Result<()> {
    let installed = |program: &str| Command::new(Path::new("/usr/bin").join(program));
    output_of(installed("fewest").arg("list"))?;
    output_of(installed(CHECKER).arg("--help"))?;
    for (puzzle, instance) in SOLVED {
        let solved = output_of(installed(puzzle).args(["solve", instance]))?;
        ensure!(solved.contains(", optimal"), "{puzzle}: {solved}");
    }
    Ok(())
}
