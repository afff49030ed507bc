//! Golden snapshots: what the programs print, reviewed line by line when it changes. `cargo xtask golden` writes them
//! anew, `cargo xtask golden --check` tells what a change would do to them.
//!
//! They hold answers, plans and counters, never times.

mod program;

use std::fmt::Write;

use program::{data_files, root, run};
use serde_json::Value;

fn assert_golden(folder: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("testdata").join(folder).join("golden"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Lets every search end in seconds, IDA* on an unsolvable house included.
const STATES: u64 = 1_500_000;

fn check_engine(engine: &str) {
    for stem in data_files() {
        let path = format!("testdata/halloween/{stem}.in");
        let ran = run(&format!("halloween solve {path} --json --engine {engine} --states {STATES}"), b"");
        assert_eq!(ran.err, "");
        let sections: Vec<String> = ran.out.lines().map(section).collect();
        assert_golden("halloween", &format!("{stem}.{engine}"), &sections.join("\n"));
    }
}

/// One data set's: lines of `key: value`, then the plan. `cargo xtask golden --check` reads this form.
fn section(json: &str) -> String {
    let object: Value = serde_json::from_str(json).expect("JSON");
    let mut text = String::new();
    let word = |key: &str| object[key].as_str().unwrap_or_default().to_owned();
    let mut answer = word("outcome");
    match answer.as_str() {
        "solved" => write!(answer, ", cost {}, optimal {}", object["cost"], object["optimal"]).expect("a string"),
        "stopped" => {
            write!(answer, ", out of {}, at least {}, cost {}", word("limit"), object["lower_bound"], object["cost"])
                .expect("a string")
        }
        _ => {}
    }
    writeln!(text, "instance: {}\nanswer: {answer}", word("instance")).expect("a string");
    for counter in ["expanded", "generated", "duplicates", "peak_frontier", "bytes"] {
        writeln!(text, "{counter}: {}", object["stats"][counter]).expect("a string");
    }
    for step in object["plan"].as_array().into_iter().flatten() {
        writeln!(text, "  {}", step.as_str().expect("a step")).expect("a string");
    }
    text
}

#[test]
fn bfs() {
    check_engine("bfs");
}

#[test]
fn bidirectional() {
    check_engine("bidirectional");
}

#[test]
fn astar() {
    check_engine("astar");
}

#[test]
fn idastar() {
    check_engine("idastar");
}

/// A command line as a user sees it: what was typed, what came out where, and the exit code.
fn transcript(line: &str, input: &[u8]) -> String {
    let ran = run(line, input);
    let code = ran.code.expect("an exit code");
    let mut text = format!("$ {line}\n{}", ran.out);
    if !ran.err.is_empty() {
        text += "-- standard error\n";
        text += &ran.err;
    }
    text + &format!("-- exit code {code}\n")
}

#[test]
fn faults_of_the_text() {
    let mut names: Vec<String> = std::fs::read_dir(root().join("testdata/halloween/bad"))
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    let transcripts: Vec<_> =
        names.iter().map(|name| transcript(&format!("halloween testdata/halloween/bad/{name}"), b"")).collect();
    assert_golden("halloween", "faults", &transcripts.join("\n"));
}

#[test]
fn faults_of_the_command_line() {
    let lines = [
        "fewest nosuch",
        "halloween nosuch.in",
        "halloween sample-1",
        "halloween solv sample-1",
        "halloween --engine bfs solve sample-1",
        "halloween solve nosuch",
        "halloween solve testdata",
        "halloween solve sample-1 --engine dfs",
        "halloween solve sample-1 --time soon",
        "halloween solve sample-1 --time -1",
        "halloween solve sample-1 --memory much",
        "halloween solve sample-1 --states -1",
        "halloween verify sample-1",
        "halloween verify - -",
    ];
    assert_golden("fewest", "faults", &lines.map(|line| transcript(line, b"")).join("\n"));
}

#[test]
fn help() {
    for line in [
        "fewest --help",
        "fewest list",
        "fewest list --help",
        "fewest halloween --help",
        "fewest halloween solve --help",
        "fewest halloween verify --help",
        "halloween -h",
        "halloween --help",
        "halloween solve -h",
        "halloween solve --help",
        "halloween verify --help",
        "halloween list",
        "halloween list --help",
    ] {
        let name = line.replace(" -", "-").replace("--", "-").replace(' ', "-");
        assert_golden("fewest", &name, &transcript(line, b""));
    }
}
