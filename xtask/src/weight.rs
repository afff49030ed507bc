//! `cargo xtask weight`: how heavy the project is, in machine code, programs, LLVM lines and source
//! lines.
//!
//! None of these depends on the load of the machine, so each can have a bound. Whoever exceeds one
//! lowers the weight, or raises the bound in the same commit and says why.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use object::{Object, ObjectSymbol, SymbolKind};

use crate::{root, run_cargo, target};

/// The programs that are shipped, and the most bytes of each, without symbols.
const PROGRAMS: [(&str, u64); 3] =
    [("fewest", 13_500_000), ("klotski", 10_250_000), ("wall-pusher", 8_400_000)];

/// Examples of the library, and the most LLVM lines of each.
const EXAMPLES: [(&str, u64); 2] = [("numbers", 10_500), ("pancakes", 90_000)];

/// The most lines of `crates/core/src`.
const CORE_LINES: u64 = 23_800;

/// The most lines of code without comments, empty lines and tests.
const CODE_LINES: u64 = 61_000;

/// The crates with the most machine code that are listed.
const LISTED: usize = 12;

/// Prints the weights, and returns whether none is above its bound.
pub(crate) fn run() -> anyhow::Result<bool> {
    let mut rows = Vec::new();
    let mut build = vec!["build", "--profile", "dist", "--package", "fewest"];
    build.extend(PROGRAMS.iter().flat_map(|(name, _)| ["--bin", name]));
    ensure!(run_cargo(&build, &[])?, "the programs cannot be built");
    for (name, bound) in PROGRAMS {
        let program =
            target().join("dist").join(name).with_extension(std::env::consts::EXE_EXTENSION);
        let bytes = fs::metadata(&program).with_context(|| program.display().to_string())?.len();
        rows.push((format!("{name}, bytes"), bytes, bound));
    }
    for (name, bound) in EXAMPLES {
        rows.push((format!("{name}, LLVM lines"), llvm_lines(name)?, bound));
    }
    let (mut core, mut code) = (0, 0);
    for file in sources(&root())? {
        let text = fs::read_to_string(&file)?;
        if file.starts_with(root().join("crates/core/src")) {
            core += text.lines().count() as u64;
        }
        code += code_lines(&text);
    }
    rows.push(("crates/core/src, lines".to_owned(), core, CORE_LINES));
    rows.push(("code without comments and tests, lines".to_owned(), code, CODE_LINES));

    let mut out = stdout().lock();
    writeln!(out, "| what | weight | bound |\n| --- | --- | --- |")?;
    for (what, weight, bound) in &rows {
        let mark = if weight > bound { ", exceeded" } else { "" };
        writeln!(out, "| {what} | {weight} | {bound}{mark} |")?;
    }
    writeln!(out, "\n| machine code of `fewest` by crate | bytes |\n| --- | --- |")?;
    for (name, bytes) in code_by_crate()?.into_iter().take(LISTED) {
        writeln!(out, "| {name} | {bytes} |")?;
    }
    Ok(rows.iter().all(|(_, weight, bound)| weight <= bound))
}

/// The lines that rustc passes to LLVM for an example, without those of the library.
fn llvm_lines(example: &str) -> anyhow::Result<u64> {
    let folder = target().join("weight");
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{example}.ll"));
    let emit = format!("--emit=llvm-ir={}", file.display());
    let arguments =
        ["rustc", "--release", "--package", "fewest-core", "--example", example, "--", &emit];
    // Without the passes of LLVM, the lines are those that rustc wrote.
    let arguments = [&arguments[..], &["-Cno-prepopulate-passes"]].concat();
    ensure!(run_cargo(&arguments, &[])?, "{example} cannot be built");
    let (mut lines, mut is_in_function) = (0, false);
    for line in fs::read_to_string(&file)?.lines() {
        is_in_function |= line.starts_with("define ");
        lines += u64::from(is_in_function);
        is_in_function &= line != "}";
    }
    Ok(lines)
}

/// The bytes of machine code of each crate in a release build of `fewest`, the most first.
fn code_by_crate() -> anyhow::Result<Vec<(String, u64)>> {
    let build = ["build", "--release", "--package", "fewest", "--bin", "fewest"];
    ensure!(run_cargo(&build, &[])?, "fewest cannot be built");
    let program = target().join("release/fewest").with_extension(std::env::consts::EXE_EXTENSION);
    let program = fs::read(program)?;
    let program = object::File::parse(&*program)?;
    let mut bytes = BTreeMap::<String, u64>::new();
    for symbol in program.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text) {
        let name = rustc_demangle::demangle(symbol.name()?).to_string();
        // `<crate::Type as other::Trait>::method` belongs to the first crate.
        let name = name.trim_start_matches(|c: char| !c.is_alphanumeric());
        let name = match name.split_once("::") {
            Some((name, _)) => name.split(' ').next_back().unwrap_or(name),
            None => "other languages",
        };
        *bytes.entry(name.to_owned()).or_default() += symbol.size();
    }
    let mut bytes: Vec<_> = bytes.into_iter().collect();
    bytes.sort_by_key(|&(_, bytes)| std::cmp::Reverse(bytes));
    Ok(bytes)
}

/// The Rust files of all crates, without tests, examples and benchmarks in folders of their own.
fn sources(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = vec![root.join("xtask/src")];
    for entry in fs::read_dir(root.join("crates"))? {
        folders.push(entry?.path().join("src"));
    }
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    Ok(files)
}

/// The lines of code before the unit tests.
fn code_lines(text: &str) -> u64 {
    let lines = text.lines().map(str::trim).take_while(|&line| line != "#[cfg(test)]");
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count() as u64
}
