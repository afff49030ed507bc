//! `cargo xtask ci`: each check in turn, all of them even if one fails, and a summary at the end.

use std::io::{Write, stderr};
use std::process::{Command, Stdio};

use anyhow::Context;

use crate::{cargo, golden, root};

/// A tool of the toolchain that may not be installed, and the rustup component that brings it.
struct Tool {
    asks: &'static [&'static str],
    component: &'static str,
}

const RUSTFMT: Tool = Tool { asks: &["fmt", "--version"], component: "rustfmt" };
const CLIPPY: Tool = Tool { asks: &["clippy", "--version"], component: "clippy" };

/// Each crate that is published builds from nothing but what is published with it.
const PACKAGE: &[&str] = &[
    "package",
    "--workspace",
    "--exclude",
    "fewest-bench-variants",
    "--exclude",
    "fewest-testing",
    "--exclude",
    "xtask",
    "--allow-dirty",
];

impl Tool {
    fn is_there(&self) -> bool {
        let asked = Command::new(cargo()).args(self.asks).stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    }
}

/// Returns whether all checks passed.
pub(crate) fn run(skip_tests: bool) -> anyhow::Result<bool> {
    let mut results = vec![
        ("format", with_tool(&RUSTFMT, &["fmt", "--all", "--check"], &[])?),
        (
            "clippy",
            with_tool(&CLIPPY, &["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])?,
        ),
    ];
    if !skip_tests {
        results.push(("tests", succeeds(&["test", "--workspace"], &[])?));
    }
    say("golden snapshots");
    results.push(("golden snapshots", golden::check()?));
    let deny = [("RUSTDOCFLAGS", "-D warnings")];
    results.push(("docs", succeeds(&["doc", "--workspace", "--no-deps"], &deny)?));

    results.push(("packages", succeeds(PACKAGE, &[])?));

    say("summary");
    for (check, passed) in &results {
        writeln!(stderr(), "{:6} {check}", if *passed { "ok" } else { "FAILED" })?;
    }
    Ok(results.iter().all(|(_, passed)| *passed))
}

fn with_tool(tool: &Tool, arguments: &[&str], variables: &[(&str, &str)]) -> anyhow::Result<bool> {
    if tool.is_there() {
        return succeeds(arguments, variables);
    }
    say(&format!("cargo {}", arguments.join(" ")));
    let component = tool.component;
    writeln!(stderr(), "MISSING: {component} is not installed, so this check FAILS: rustup component add {component}")?;
    Ok(false)
}

/// Runs cargo and returns whether it was content.
fn succeeds(arguments: &[&str], variables: &[(&str, &str)]) -> anyhow::Result<bool> {
    say(&format!("cargo {}", arguments.join(" ")));
    let mut command = Command::new(cargo());
    command.args(arguments).envs(variables.iter().copied()).current_dir(root());
    Ok(command.status().context("cargo does not start")?.success())
}

fn say(what: &str) {
    let _ = writeln!(stderr(), "\n=== {what}");
}
