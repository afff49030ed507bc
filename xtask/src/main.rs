//! `cargo xtask`: the tasks of the workspace.

mod bench;
mod book;
mod ci;
mod golden;
mod limits;
mod man;
mod meaning;

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(bin_name = "cargo xtask", about = "The tasks of the workspace")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Write all golden snapshots anew, and remove those that no test refers to
    Golden {
        /// Change nothing, and fail on any difference, telling what it means
        #[arg(long)]
        check: bool,
    },
    /// Measure what a state costs, in a release build, each answer checked
    Bench(bench::Arguments),
    /// Check that `--memory` and `--time` hold for whole processes, on the largest inputs
    Limits(limits::Arguments),
    /// Build the pages of docs as a book, by mdBook
    Book,
    /// Write a manual page for each command
    Man {
        /// Where to
        #[arg(default_value = "target/man")]
        folder: PathBuf,
    },
    /// All that CI checks: format, clippy, tests, goldens, docs
    Ci {
        /// Leave the tests out, for a caller that has just run them
        #[arg(long)]
        skip_tests: bool,
    },
}

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        let _ = writeln!(io::stderr(), "error: {error:#}");
        ExitCode::FAILURE
    })
}

fn run() -> anyhow::Result<ExitCode> {
    let fine = match Arguments::parse().task {
        Task::Bench(arguments) => return bench::run(&arguments).or_else(unread),
        Task::Golden { check: false } => golden::write().map(|()| true)?,
        Task::Golden { check: true } => golden::check()?,
        Task::Limits(arguments) => limits::run(&arguments)?,
        Task::Book => book::build()?,
        Task::Man { folder } => man::write(&folder).map(|()| true)?,
        Task::Ci { skip_tests } => ci::run(skip_tests)?,
    };
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// That the reader of figures went away is no failure.
fn unread(error: anyhow::Error) -> anyhow::Result<ExitCode> {
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

/// Where cargo builds.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The cargo that runs this, so that the same toolchain does all.
fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}
