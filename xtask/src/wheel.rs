//! `cargo xtask wheel`: a wheel of the programs for pip and uv, made by maturin.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::dist::{SOLVED, output_of};
use crate::{root, target};

/// What maturin is installed as, if there is none.
const MATURIN: &str = "maturin==1.16.0";

/// Makes the wheel, installs it into an empty virtual environment, and solves a puzzle there.
/// Returns its path.
pub(crate) fn make() -> anyhow::Result<PathBuf> {
    let wheels = target().join("wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels)?;
    }
    let maturin = environment(&target().join("maturin"))?;
    output_of(maturin("pip").args(["install", "--quiet", MATURIN]))?;
    let mut build = maturin("maturin");
    build.args(["build", "--locked", "--profile", "dist", "--out"]).arg(&wheels);
    output_of(build.current_dir(root()))?;
    let mut made = fs::read_dir(&wheels)?.collect::<Result<Vec<_>, _>>()?;
    let wheel = made.pop().context("maturin made no wheel")?.path();
    ensure!(made.is_empty(), "maturin made several wheels");

    let empty = tempfile::tempdir()?;
    let installed = environment(empty.path())?;
    output_of(installed("pip").args(["install", "--quiet", "--no-index"]).arg(&wheel))?;
    for (puzzle, instance) in SOLVED {
        let solved = output_of(installed(puzzle).args(["solve", instance]))?;
        ensure!(solved.contains(", optimal"), "{puzzle}: {solved}");
        output_of(installed("fewest").args([puzzle, "solve", instance]))?;
    }
    output_of(installed("pip").args(["uninstall", "--quiet", "--yes", "fewest"]))?;
    ensure!(installed("fewest").output().is_err(), "a program is left after the wheel is removed");
    Ok(wheel)
}

/// Whether there is a Python.
pub(crate) fn has_python() -> bool {
    Command::new(PYTHON).arg("--version").output().is_ok_and(|output| output.status.success())
}

const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// Makes a virtual environment in a folder, and returns what makes the command of a program there.
fn environment(folder: &Path) -> anyhow::Result<impl Fn(&str) -> Command + use<>> {
    output_of(Command::new(PYTHON).args(["-m", "venv"]).arg(folder))?;
    let programs = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
    Ok(move |program: &str| Command::new(programs.join(program)))
}
