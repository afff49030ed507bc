//! The README and the book say what is so: the commands in them run, their output is that of the
//! programs, and the pictures are those that the programs draw. `cargo xtask golden` writes output
//! and pictures anew.
//!
//! In a block marked `console`, a line that begins with `$ ` is a command for a shell in the root
//! of the repository, and what follows is all that it writes; a line `...` stands for any lines.
//! Lines of a block marked `sh`, and commands in tables, only have to end well.
//! `docs/pictures/commands` has the command of each picture.
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::program::{PUZZLES, root, shell};

/// The README in both languages, and all pages.
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

/// The blocks of a page that are marked so.
fn blocks<'a>(page: &'a str, mark: &str) -> Vec<&'a str> {
    let begin = format!("```{mark}\n");
    page.split(&begin).skip(1).map(|rest| rest.split("```").next().unwrap_or(rest)).collect()
}

/// Whether lines are as they are shown, where `...` may stand for any.
fn fits(shown: &[&str], lines: &[&str]) -> bool {
    match shown {
        [] => lines.is_empty(),
        ["...", rest @ ..] => (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..])),
        [line, rest @ ..] => lines.first() == Some(line) && fits(rest, &lines[1..]),
    }
}

/// Whether what differs is to be written.
fn writes() -> bool {
    env::var_os("FEWEST_BOOK").is_some_and(|value| value == "write")
}

#[test]
fn output_is_as_it_is_shown() {
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
                let is_so = fits(&shown_lines, &output_lines);
                assert!(is_so || writes(), "{}: {line}\n{output}", path.display());
                let lines = if is_so { shown_lines } else { output_lines };
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
fn commands_end_well() {
    let place = tempfile::tempdir().expect("a folder");
    // As in the repository, but what is written goes nowhere else.
    std::os::unix::fs::symlink(root().join("testdata"), place.path().join("testdata"))
        .expect("a link");
    let mut commands = 0;
    let mut run = |line: &str, path: &Path| {
        let (code, output) = shell(line, place.path());
        // A search that a limit stopped has answered, too.
        assert!(
            matches!(code, Some(0 | 10 | 20..=22)),
            "{}: {line}: {code:?}\n{output}",
            path.display()
        );
        commands += 1;
    };
    let is_ours = |line: &str| {
        let first = line.split(' ').next().unwrap_or_default();
        let is_program = PUZZLES.into_iter().chain(["fewest"]).any(|name| name == first);
        is_program
            && !line.contains(['[', '<'])
            && !line.split(' ').any(|word| ["INSTANCE", "SHELL"].contains(&word))
    };
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page");
        for block in blocks(&page, "sh") {
            block.lines().filter(|line| is_ours(line)).for_each(|line| run(line, &path));
        }
        // Within a table a bar is escaped.
        for row in
            page.lines().filter(|line| line.starts_with('|')).map(|row| row.replace("\\|", "|"))
        {
            row.split('`')
                .skip(1)
                .step_by(2)
                .filter(|span| is_ours(span) && span.contains(' '))
                .for_each(|line| run(line, &path));
        }
    }
    assert!(commands > 30, "only {commands} commands");
}

#[test]
fn pictures_are_those_that_the_programs_draw() {
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
            assert!(writes(), "{name} is another picture than the one that is there: {line}");
            fs::write(folder.join(name), new).expect("a picture");
        }
        drawn.push(name.to_owned());
    }
    let mut there: Vec<String> = fs::read_dir(&folder)
        .expect("the pictures")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .filter(|name| name != "commands")
        .collect();
    there.sort();
    drawn.sort();
    assert_eq!(there, drawn, "each picture has its command");
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
fn links_lead_somewhere() {
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page");
        for link in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or(link);
            let is_outside = file.contains("://") || file.is_empty();
            let folder = path.parent().expect("a folder");
            assert!(is_outside || folder.join(file).exists(), "{}: {link}", path.display());
        }
    }
}
