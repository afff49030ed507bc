//! Tests of the README and the book: their commands run, the output they show is the output of the
//! programs, and their pictures are the pictures that the programs draw. `cargo xtask golden`
//! updates output and pictures.
//!
//! In a block marked `console`, a line that starts with `$ ` is a shell command that runs in the
//! root of the repository. The lines below it are its complete output; a line `...` stands for any
//! lines. The commands in blocks marked `sh` and in tables only have to succeed.
//! `docs/pictures/commands` has the command of each picture.
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::program::{puzzles, root, shell};

/// The README in both languages and all pages of the book.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("README.zh-CN.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in
            fs::read_dir(folder).expect("the pages").map(|entry| entry.expect("an entry").path())
        {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|ending| ending == "md") {
                pages.push(entry);
            }
        }
    }
    pages
}

/// The code blocks of a page with this mark.
fn blocks<'a>(page: &'a str, mark: &str) -> Vec<&'a str> {
    let begin = format!("```{mark}\n");
    page.split(&begin).skip(1).map(|rest| rest.split("```").next().unwrap_or(rest)).collect()
}

/// Whether lines equal the shown ones, where `...` stands for any lines.
fn matches(shown: &[&str], lines: &[&str]) -> bool {
    match shown {
        [] => lines.is_empty(),
        ["...", rest @ ..] => (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..])),
        [line, rest @ ..] => lines.first() == Some(line) && matches(rest, &lines[1..]),
    }
}

/// Whether to update files instead of failing.
fn updates() -> bool {
    env::var_os("FEWEST_BOOK").is_some_and(|value| value == "write")
}

/// The schemas are generated from the types of the results.
#[test]
fn each_result_has_its_schema() {
    let folder = root().join("docs/schemas");
    let mut current = Vec::new();
    for (name, schema) in fewest_puzzle::schemas::schemas(fewest_catalog::PUZZLES) {
        let path = folder.join(name.trim_start_matches("fewest.").to_owned() + ".json");
        let text = serde_json::to_string_pretty(&schema).expect("JSON") + "\n";
        if updates() {
            fs::write(&path, &text).expect("a schema");
        }
        assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text, "{}", path.display());
        current.push(path);
    }
    for entry in fs::read_dir(folder).expect("the schemas") {
        let path = entry.expect("an entry").path();
        if updates() && !current.contains(&path) {
            fs::remove_file(&path).expect("a file");
            continue;
        }
        assert!(current.contains(&path), "{} is of no result", path.display());
    }
}

#[test]
fn shown_output_is_current() {
    let mut commands = 0;
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page");
        let mut new = page.clone();
        for block in blocks(&page, "console") {
            let mut written = String::new();
            for part in block.strip_prefix("$ ").expect("a command").split("\n$ ") {
                let (line, shown) = part.split_once('\n').unwrap_or((part, ""));
                let (_, output) = shell(line, &root());
                let shown_lines: Vec<&str> = shown.lines().collect();
                let output_lines: Vec<&str> = output.lines().collect();
                let is_current = matches(&shown_lines, &output_lines);
                assert!(is_current || updates(), "{}: {line}\n{output}", path.display());
                let lines = if is_current { shown_lines } else { output_lines };
                written += &format!("$ {line}\n");
                lines.iter().for_each(|line| written += &format!("{line}\n"));
                commands += 1;
            }
            new = new.replace(block, &written);
        }
        if new != page {
            fs::write(path, new).expect("a page");
        }
    }
    assert!(commands > 30, "only {commands} commands");
}

#[test]
fn commands_succeed() {
    let place = tempfile::tempdir().expect("a folder");
    // The commands find the test data, but write into a temporary folder.
    std::os::unix::fs::symlink(root().join("testdata"), place.path().join("testdata"))
        .expect("a link");
    let mut commands = 0;
    let mut run = |line: &str, path: &Path| {
        let (code, output) = shell(line, place.path());
        // A search that a limit stopped is accepted as well.
        assert!(
            matches!(code, Some(0 | 10 | 20..=22)),
            "{}: {line}: {code:?}\n{output}",
            path.display()
        );
        commands += 1;
    };
    let is_command = |line: &str| {
        let first = line.split(' ').next().unwrap_or_default();
        let is_program = puzzles().chain(["fewest"]).any(|name| name == first);
        is_program
            && !line.contains(['[', '<'])
            && !line.split(' ').any(|word| ["INSTANCE", "SHELL"].contains(&word))
    };
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page");
        for block in blocks(&page, "sh") {
            block.lines().filter(|line| is_command(line)).for_each(|line| run(line, &path));
        }
        // In a table, `|` is escaped.
        for row in
            page.lines().filter(|line| line.starts_with('|')).map(|row| row.replace("\\|", "|"))
        {
            row.split('`')
                .skip(1)
                .step_by(2)
                .filter(|span| is_command(span) && span.contains(' '))
                .for_each(|line| run(line, &path));
        }
    }
    assert!(commands > 30, "only {commands} commands");
}

#[test]
fn pictures_are_current() {
    let folder = root().join("docs/pictures");
    let place = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(root().join("testdata"), place.path().join("testdata"))
        .expect("a link");
    let commands = fs::read_to_string(folder.join("commands")).expect("the commands");
    let mut drawn = Vec::new();
    for line in commands.lines() {
        let (code, output) = shell(line, place.path());
        assert_eq!(code, Some(0), "{line}: {output}");
        let name = line.split(' ').find(|word| word.ends_with(".svg")).expect("a picture");
        let new = fs::read_to_string(place.path().join(name)).expect("a picture");
        if fs::read_to_string(folder.join(name)).ok().as_ref() != Some(&new) {
            assert!(updates(), "{name} differs from what this draws: {line}");
            fs::write(folder.join(name), new).expect("a picture");
        }
        drawn.push(name.to_owned());
    }
    let mut committed: Vec<String> = fs::read_dir(&folder)
        .expect("the pictures")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .filter(|name| name != "commands")
        .collect();
    committed.sort();
    drawn.sort();
    assert_eq!(committed, drawn, "each picture has a command");
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page");
        for link in page.split("pictures/").skip(1) {
            let name = link.split([')', '"', '`']).next().unwrap_or(link);
            assert!(
                name == "commands" || drawn.iter().any(|drawn| drawn == name),
                "{}: {name}",
                path.display()
            );
        }
    }
}

#[test]
fn links_have_targets() {
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page");
        for link in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or(link);
            let is_external = file.contains("://") || file.is_empty();
            let folder = path.parent().expect("a folder");
            assert!(is_external || folder.join(file).exists(), "{}: {link}", path.display());
        }
    }
}
