//! `cargo xtask ci`: each check in turn, all of them even if one fails, and a summary at the end.

use std::io::{Write, stderr};
use std::process::{Command, Stdio};

use anyhow::Context;

use crate::{cargo, golden, root, target};

/// A tool of the toolchain that may not be installed, and the rustup component that brings it.
struct Tool {
    asks: &'static [&'static str],
    component: &'static str,
}

const RUSTFMT: Tool = Tool { asks: &["fmt", "--version"], component: "rustfmt" };
const CLIPPY: Tool = Tool { asks: &["clippy", "--version"], component: "clippy" };

/// What the policy of `deny.toml` needs nothing but the tool for.
const DENY: &[&str] =
    &["deny", "--all-features", "--locked", "check", "bans", "licenses", "sources"];

/// Packs each crate that is published, and builds it.
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
        let asked = Command::new(cargo())
            .args(self.asks)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        asked.is_ok_and(|status| status.success())
    }
}

/// Returns whether all checks passed.
pub(crate) fn run(skip_tests: bool) -> anyhow::Result<bool> {
    let mut results = vec![
        ("format", with_tool(&RUSTFMT, &["fmt", "--all", "--check"], &[])?),
        (
            "clippy",
            with_tool(
                &CLIPPY,
                &["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"],
                &[],
            )?,
        ),
    ];
    if !skip_tests {
        results.push(("tests", succeeds(&["test", "--workspace"], &[])?));
    }
    say("golden snapshots");
    results.push(("golden snapshots", golden::check()?));
    let deny = [("RUSTDOCFLAGS", "-D warnings")];
    results.push(("docs", succeeds(&["doc", "--workspace", "--no-deps"], &deny)?));

    results.push(("packages", packages()?));
    results.extend(dependencies()?);

    say("summary");
    for (check, passed) in &results {
        writeln!(stderr(), "{:6} {check}", if *passed { "ok" } else { "FAILED" })?;
    }
    Ok(results.iter().all(|(_, passed)| *passed))
}

/// Each crate that is published builds from nothing but what is published with it.
///
/// Cargo unpacks the crates that others build from to a place that it remembers by the folder, and
/// does not look whether they are still the same. In a folder that was there before, what is
/// checked would be what was packed then; so each run has its own.
fn packages() -> anyhow::Result<bool> {
    let folder = tempfile::tempdir_in(target())?;
    let folder =
        folder.path().to_str().context("the folder of builds has a name that is no Unicode")?;
    succeeds(&[PACKAGE, &["--target-dir", folder]].concat(), &[])
}

/// What `deny.toml` says of dependencies. cargo-deny is no part of the toolchain, and the database
/// of advisories is not to be had everywhere, so what cannot be checked for want of them is said
/// aloud and does not fail.
fn dependencies() -> anyhow::Result<Vec<(&'static str, bool)>> {
    let there = |arguments: &[&str]| {
        let mut command = Command::new(cargo());
        let status = command
            .args(arguments)
            .current_dir(root())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    };
    if !there(&["deny", "--version"]) {
        say("dependencies");
        writeln!(
            stderr(),
            "NOT CHECKED: neither bans, licences and sources nor advisories, as cargo-deny is not installed:"
        )?;
        writeln!(stderr(), "cargo install --locked cargo-deny && cargo deny check")?;
        return Ok(Vec::new());
    }
    let mut results = vec![("dependencies", succeeds(DENY, &[])?)];
    if there(&["deny", "fetch", "db"]) {
        results.push((
            "advisories",
            succeeds(&["deny", "--all-features", "--locked", "check", "advisories"], &[])?,
        ));
    } else {
        say("advisories");
        writeln!(
            stderr(),
            "NOT CHECKED: no advisories, as their database cannot be fetched: cargo deny check advisories"
        )?;
    }
    Ok(results)
}

fn with_tool(tool: &Tool, arguments: &[&str], variables: &[(&str, &str)]) -> anyhow::Result<bool> {
    if tool.is_there() {
        return succeeds(arguments, variables);
    }
    say(&format!("cargo {}", arguments.join(" ")));
    let component = tool.component;
    writeln!(
        stderr(),
        "MISSING: {component} is not installed, so this check FAILS: rustup component add {component}"
    )?;
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
