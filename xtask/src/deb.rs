//! `cargo xtask deb`: a Debian package of the programs, made by cargo-deb.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::cargo;
use crate::dist::{self, SOLVED, output_of};
use crate::{root, target};

/// Makes the package. If this user may install it, it is installed, tried and removed. Returns its path, and whether it
/// was tried.
pub(crate) fn make() -> anyhow::Result<(PathBuf, bool)> {
    // The manifest of the package names the files in this folder.
    let staged = dist::stage(None)?;
    ensure!(staged.starts_with(root()), "cargo-deb takes files of the folder `target` only");
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
    let may_install = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    if may_install {
        try_out(&package)?;
    }
    Ok((package, may_install))
}

/// Whether cargo-deb is installed.
pub(crate) fn has_cargo_deb() -> bool {
    let status = Command::new(cargo()).args(["deb", "--version"]).output();
    status.is_ok_and(|output| output.status.success())
}

fn try_out(package: &Path) -> anyhow::Result<()> {
    output_of(Command::new("dpkg").arg("--install").arg(package))?;
    let tried = SOLVED.into_iter().try_for_each(|(puzzle, instance)| {
        let solved =
            output_of(Command::new(format!("/usr/bin/{puzzle}")).args(["solve", instance]))?;
        ensure!(solved.contains(", optimal"), "{puzzle}: {solved}");
        Ok(())
    });
    output_of(Command::new("dpkg").args(["--purge", "fewest"]))?;
    tried?;
    for left in ["/usr/bin/fewest", "/usr/share/man/man1/fewest.1.gz", "/usr/share/doc/fewest"] {
        ensure!(!fs::exists(left)?, "{left} is left after the package is removed");
    }
    Ok(())
}
