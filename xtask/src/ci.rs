//! `cargo xtask ci`: runs every check, even if one fails, and prints a summary.

use std::io::{Write, stderr};
use std::process::{Command, Stdio};

use crate::golden::{self, Variable};
use crate::{cargo, deb, dist, packages, page, print_heading, root, run_cargo, weight, wheel};

/// An optional tool of the toolchain, and the rustup component that contains it.
struct Tool {
    version_command: &'static [&'static str],
    component: &'static str,
}

const RUSTFMT: Tool = Tool { version_command: &["fmt", "--version"], component: "rustfmt" };
const CLIPPY: Tool = Tool { version_command: &["clippy", "--version"], component: "clippy" };

/// The checks of `deny.toml` that do not need the advisory database.
const DENY: &[&str] =
    &["deny", "--all-features", "--locked", "check", "bans", "licenses", "sources"];

impl Tool {
    fn is_installed(&self) -> bool {
        let status = Command::new(cargo())
            .args(self.version_command)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    }
}

/// Runs the checks. `thorough` adds those that take long: all cases of the property tests,
/// builds of all packages, and weights. Returns whether all checks passed.
pub(crate) fn run(thorough: bool) -> anyhow::Result<bool> {
    let mut tests: Vec<Variable> = Vec::new();
    let mut results = Vec::new();
    if thorough {
        tests.push(("FEWEST_TESTS", "thorough".into()));
        // It takes longer to build than the tests without it.
        match page::make() {
            Ok(folder) => tests.extend(folder.map(|folder| ("FEWEST_PAGE_FOLDER", folder.into()))),
            Err(error) => {
                writeln!(stderr(), "{error:#}")?;
                results.push(("page without a server", false));
            }
        }
    }
    let (tests_pass, goldens_match) = golden::check_during(|variables| {
        let mut variables = variables.to_vec();
        variables.extend(tests);
        // All test binaries run even if one fails: the golden report needs those of the programs.
        run_cargo(&["test", "--workspace", "--no-fail-fast"], &variables)
    })?;
    results.extend([
        ("tests", tests_pass),
        ("golden snapshots", goldens_match),
        ("format", with_tool(&RUSTFMT, &["fmt", "--all", "--check"])?),
        (
            "clippy",
            with_tool(
                &CLIPPY,
                &["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"],
            )?,
        ),
        (
            "programs without options",
            with_tool(
                &CLIPPY,
                &[
                    &["clippy", "--locked", "--package", "fewest", "--no-default-features"][..],
                    &["--", "-D", "warnings"],
                ]
                .concat(),
            )?,
        ),
        (
            "docs",
            run_cargo(
                &["doc", "--workspace", "--no-deps"],
                &[("RUSTDOCFLAGS", "-D warnings".into())],
            )?,
        ),
    ]);
    print_heading("packages");
    results.push(("packages", packages::check()?));
    if thorough {
        results.extend(artefacts()?);
        print_heading("builds of the packages");
        results.push(("builds of the packages", packages::build()?));
        print_heading("weights");
        results.push(("weights", weight::run()?));
    }
    results.extend(dependencies()?);

    print_heading("summary");
    for (check, passed) in &results {
        writeln!(stderr(), "{:6} {check}", if *passed { "ok" } else { "FAILED" })?;
    }
    Ok(results.iter().all(|(_, passed)| *passed))
}

/// Makes and tries out what is installed without Rust.
fn artefacts() -> anyhow::Result<Vec<(&'static str, bool)>> {
    let mut results = Vec::new();
    let mut add = |name, made: anyhow::Result<()>| {
        if let Err(error) = &made {
            writeln!(stderr(), "{error:#}")?;
        }
        results.push((name, made.is_ok()));
        anyhow::Ok(())
    };
    print_heading("archive");
    add("archive", dist::make(None).map(drop))?;
    print_heading("wheel");
    if wheel::has_python() {
        add("wheel", wheel::make().map(drop))?;
    } else {
        writeln!(stderr(), "NOT CHECKED: the wheel, because there is no Python")?;
    }
    print_heading("Debian package");
    if deb::has_cargo_deb() {
        let install = deb::may_install();
        if !install {
            let reason = "only root may, and only if there is none";
            writeln!(stderr(), "NOT CHECKED: the Debian package is not installed: {reason}")?;
        }
        add("Debian package", deb::make(install).map(drop))?;
    } else {
        writeln!(stderr(), "NOT CHECKED: the Debian package: cargo install --locked cargo-deb")?;
    }
    Ok(results)
}

/// Checks the dependencies against `deny.toml`.
///
/// cargo-deny is not part of the toolchain, and the advisory database is not available everywhere.
/// A check that needs a missing one is reported as not checked, and does not fail.
fn dependencies() -> anyhow::Result<Vec<(&'static str, bool)>> {
    let succeeds_silently = |arguments: &[&str]| {
        let mut command = Command::new(cargo());
        let status = command
            .args(arguments)
            .current_dir(root())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    };
    if !succeeds_silently(&["deny", "--version"]) {
        print_heading("dependencies");
        writeln!(
            stderr(),
            "NOT CHECKED: bans, licences, sources and advisories, because cargo-deny is not \
             installed:"
        )?;
        writeln!(stderr(), "cargo install --locked cargo-deny && cargo deny check")?;
        return Ok(Vec::new());
    }
    let mut results = vec![("dependencies", run_cargo(DENY, &[])?)];
    if succeeds_silently(&["deny", "fetch", "db"]) {
        results.push((
            "advisories",
            run_cargo(&["deny", "--all-features", "--locked", "check", "advisories"], &[])?,
        ));
    } else {
        print_heading("advisories");
        writeln!(
            stderr(),
            "NOT CHECKED: advisories, because their database cannot be fetched: \
             cargo deny check advisories"
        )?;
    }
    Ok(results)
}

fn with_tool(tool: &Tool, arguments: &[&str]) -> anyhow::Result<bool> {
    if tool.is_installed() {
        return run_cargo(arguments, &[]);
    }
    print_heading(&format!("cargo {}", arguments.join(" ")));
    let component = tool.component;
    writeln!(
        stderr(),
        "MISSING: {component} is not installed, so this check FAILS: \
         rustup component add {component}"
    )?;
    Ok(false)
}
