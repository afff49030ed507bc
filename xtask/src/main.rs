//! `cargo xtask`: the workspace tasks.

mod bench;
mod book;
mod ci;
mod deb;
mod dist;
mod golden;
mod limits;
mod meaning;
mod packages;
mod page;
mod weight;
mod wheel;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::Context;
use clap::{Parser, Subcommand};

use crate::golden::Variable;

#[derive(Parser)]
#[command(bin_name = "cargo xtask", about = "Run a workspace task")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Regenerate all golden snapshots, and remove those that no test uses
    Golden {
        /// Change nothing; report every difference and what it means, and fail if there is one
        #[arg(long)]
        check: bool,
    },
    /// Measure the cost of a state in a release build, and check every answer
    Bench(bench::Arguments),
    /// Check that whole processes stay within `--memory` and `--time` on large inputs
    Limits(limits::Arguments),
    /// Make and try out an archive of the programs, with manual pages and completions
    Dist(dist::Arguments),
    /// Make and try out a wheel of the programs for Python's installers
    Wheel,
    /// Make a Debian package of the programs
    Deb {
        /// Install, try and remove it, which takes root
        #[arg(long)]
        install: bool,
    },
    /// Build the page of `serve` without a server: a folder for any web server, and one file
    Page,
    /// Build the pages of docs as a book with mdBook
    Book,
    /// Measure code, programs, LLVM lines and source lines, and fail if one is above its bound
    Weight,
    /// Run the checks of CI: tests, golden snapshots, format, clippy, docs, packages, dependencies
    Ci {
        /// Run all cases of the property tests, build all packages, and check the weights, too
        #[arg(long)]
        thorough: bool,
    },
}

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        let _ = writeln!(io::stderr(), "error: {error:#}");
        ExitCode::FAILURE
    })
}

fn run() -> anyhow::Result<ExitCode> {
    let succeeded = match Arguments::parse().task {
        Task::Bench(arguments) => return bench::run(&arguments).or_else(ignore_broken_pipe),
        Task::Golden { check: false } => golden::write().map(|()| true)?,
        Task::Golden { check: true } => golden::check()?,
        Task::Limits(arguments) => limits::run(&arguments)?,
        Task::Dist(dist::Arguments { target }) => dist::make(target.as_deref())
            .and_then(|archive| report(&archive, "unpacked and tried"))?,
        Task::Wheel => wheel::make().and_then(|wheel| report(&wheel, "installed and tried"))?,
        Task::Deb { install } => deb::make(install).and_then(|package| {
            report(&package, if install { "installed, tried and removed" } else { "not tried" })
        })?,
        Task::Page => match page::make()? {
            Some(folder) => {
                writeln!(io::stdout(), "{}: {}", folder.display(), page::sizes(&folder)?)?;
                true
            }
            None => false,
        },
        Task::Book => book::build()?,
        Task::Weight => weight::run()?,
        Task::Ci { thorough } => ci::run(thorough)?,
    };
    Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Says what was made and how large it is.
fn report(file: &Path, what: &str) -> anyhow::Result<bool> {
    let bytes = std::fs::metadata(file)?.len();
    writeln!(io::stdout(), "{}: {bytes} bytes, {what}", file.display())?;
    Ok(true)
}

/// Turns a broken pipe on standard output into success.
fn ignore_broken_pipe(error: anyhow::Error) -> anyhow::Result<ExitCode> {
    match error.downcast_ref::<io::Error>() {
        Some(cause) if cause.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        _ => Err(error),
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root
}

/// The target folder of cargo, which is started in the root.
fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// The cargo that started this program, so that every task uses the same toolchain.
fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

/// Runs cargo and returns whether it succeeded.
fn run_cargo(arguments: &[&str], variables: &[Variable]) -> anyhow::Result<bool> {
    print_heading(&format!("cargo {}", arguments.join(" ")));
    let mut command = Command::new(cargo());
    command.args(arguments).envs(variables.iter().cloned()).current_dir(root());
    Ok(command.status().context("cannot start cargo")?.success())
}

fn print_heading(text: &str) {
    let _ = writeln!(io::stderr(), "\n=== {text}");
}
