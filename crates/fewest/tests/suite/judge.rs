//! `judge` finds the faults of the example `faulty`, and shrinks what it fails on.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use crate::program::program;

/// The program `faulty`, which cargo builds beside the tests.
fn faulty() -> PathBuf {
    example("faulty")
}

fn example(name: &str) -> PathBuf {
    let tests = std::env::current_exe().expect("a path");
    let folder = tests.parent().and_then(|deps| deps.parent()).expect("the folder of the profile");
    folder.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// The smallest case on which a fault was found, its output in words, and what was expected.
fn judge(puzzle: &str, fault: &str, options: &str) -> (String, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("case");
    let mut command = program(puzzle);
    command.arg("judge").arg("--program").arg(format!("{} {fault}", faulty().display()));
    command.arg("-o").arg(&output).args(options.split_whitespace());
    let ran = command.output().expect("it starts");
    let [out, err] = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    assert_eq!(ran.status.code(), Some(11), "{out}{err}");
    let read = |name: &str| fs::read_to_string(output.join(name)).unwrap_or_default();
    (read("case.in"), out, read("expected.out"))
}

#[test]
fn ghosts_that_follow_exchange_or_cannot_arrive() {
    for fault in ["halloween-follow", "halloween-exchange", "halloween-zero"] {
        // Only some of the built-in maps, since the program is slow.
        let instances = if fault == "halloween-zero" { "cut" } else { "sample-1 sample-2" };
        let beyond = if fault == "halloween-zero" { "--beyond-statement" } else { "" };
        let options = format!("--time 20s {beyond} {instances}");
        let (case, out, expected) = judge("halloween", fault, &options);
        let map: Vec<&str> = case.lines().skip(1).take_while(|line| *line != "0 0 0").collect();
        let cells = |is: fn(char) -> bool| map.concat().chars().filter(|&cell| is(cell)).count();
        let (ghosts, corridor) =
            (cells(|cell| cell.is_ascii_lowercase()), cells(|cell| cell != '#'));
        assert!(ghosts <= 2 && corridor <= 6, "{fault}: {out}");
        assert_eq!(case.lines().last(), Some("0 0 0"));
        if fault == "halloween-zero" {
            assert_eq!(expected, "-1\n");
        }
    }
}

#[test]
fn walls_that_are_pushed_together_and_ways_out_of_one_move() {
    let (case, out, expected) = judge("wall-pusher", "wall-pusher-three", "--time 20s");
    assert_eq!(expected.trim().len(), 1, "{out}");
    // The border without one gap, and no other wall.
    let ones = |case: &str| -> u32 {
        let masks = case.lines().skip(1).take(4).flat_map(str::split_whitespace);
        masks.map(|mask| mask.parse::<u32>().expect("a mask").count_ones()).sum()
    };
    assert_eq!(ones(&case), 19, "{case}");
    let (case, out, _) = judge("wall-pusher", "wall-pusher-two", "--time 20s");
    // Besides, two walls of two masks each.
    assert!(ones(&case) <= 20 + 8, "{out}");
}

#[test]
fn a_greedy_number_and_another_exit() {
    let (case, out, _) = judge("black-white", "black-white-greedy", "--count-only");
    // The statement guarantees eight black pieces on each board.
    assert_eq!(case.bytes().filter(|&digit| digit == b'1').count(), 16, "{out}");
    assert!(case.bytes().filter(|&digit| digit == b'0').count() == 16, "{out}");
    let (case, out, expected) = judge("klotski", "klotski-exit", "--time 20s");
    let pieces: std::collections::BTreeSet<char> =
        case.chars().filter(|cell| cell.is_alphanumeric()).collect();
    assert!(pieces.len() == 1 && expected.trim().len() == 1, "{out}");
}

#[test]
fn crashes_limits_and_missing_answers_are_told() {
    for (fault, text) in [
        ("crash", "it ended with exit code 3"),
        ("silent", "found the end of the output, expected `7`"),
        ("endless", "out of time"),
        ("chatty", "too much output"),
    ] {
        let (case, out, _) = judge("halloween", fault, "--time 300ms sample-1");
        assert!(out.contains(text), "{fault}: {out}");
        assert!(!case.is_empty());
    }
}

/// Programs that rely on the guarantees of the statements are right.
#[test]
fn promises_of_the_statement_are_kept() {
    let judge = |puzzle: &str, way: &str, options: &str| {
        let mut command = program(puzzle);
        let relying = format!("{} {way}", example("relying").display());
        command.args(["judge", "--time", "30s", "--program", &relying]);
        let ran = command.args(options.split_whitespace()).output().expect("it starts");
        let [out, err] =
            [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        (ran.status.code(), out, err)
    };
    for (puzzle, ways, options) in [
        ("halloween", ["halloween-table", "halloween-sets", "halloween-estimate"], ""),
        ("wall-pusher", ["walls-queue", "walls-layers", "walls-deepening"], ""),
        ("black-white", ["boards-table", "boards-sets", "boards-matching"], "--count-only"),
    ] {
        for way in ways {
            let (code, out, err) = judge(puzzle, way, &format!("--tries 20 {options}"));
            assert!(code == Some(0) && out.contains(" in 2"), "{way}: {out}{err}");
        }
    }
    let generated = "--tries 5 --generate=--count=4";
    let (code, out, err) = judge("halloween", "halloween-table", generated);
    assert!(code == Some(0) && out.contains(" in 5 texts"), "{out}{err}");
    // Both are built-in maps without a plan.
    for (map, promise) in [("cut", "connected corridors"), ("order", "a plan")] {
        let (code, out, err) = judge("halloween", "halloween-sets", map);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{map}");
        let expected = format!("{map}: violates a guarantee of the contest statement: {promise}");
        assert!(err.contains(&expected), "{err}");
        let options = format!("{map} --beyond-statement");
        let (code, out, _) = judge("halloween", "halloween-table", &options);
        assert!(code == Some(11) && out.contains("it ended with exit code 101"), "{map}: {out}");
    }
    let (code, _, err) = judge("halloween", "halloween-sets", "--generate=--width=20 --tries 2");
    assert!(code == Some(2) && err.contains("no text satisfies"), "{err}");
}

/// The limit is set before the program starts, so that it holds for what it takes at once.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_limited_from_the_start() {
    for _ in 0..10 {
        let (_, out, _) = judge("halloween", "allocate", "--memory 64MiB sample-1");
        assert!(out.contains("it ended with signal 6 (aborted)"), "{out}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_ends_with_its_judge() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pid");
    let sleeper = format!("sh -c 'echo $$ > {}; exec sleep 60'", file.display());
    let mut command = program("halloween");
    let mut judge = command
        .args(["judge", "sample-1", "--time", "60s", "--program", &sleeper])
        .spawn()
        .expect("it starts");
    let begin = Instant::now();
    let pid = loop {
        let text = fs::read_to_string(&file).unwrap_or_default();
        if text.ends_with('\n') {
            break text.trim().to_owned();
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "the program does not start");
        thread::sleep(Duration::from_millis(10));
    };
    judge.kill().expect("killed");
    judge.wait().expect("it has ended");
    let status = format!("/proc/{pid}/status");
    let runs =
        || fs::read_to_string(&status).is_ok_and(|status| !status.contains("State:\tZ (zombie)"));
    while runs() {
        assert!(begin.elapsed() < Duration::from_secs(120), "{pid} runs on");
        thread::sleep(Duration::from_millis(10));
    }
}

/// What `generate` does not make is not judged, and the text of one data set is that data set.
#[test]
fn texts_that_cannot_be_generated_and_single_data_sets() {
    let judge = |options: &[&str]| {
        let ran = program("halloween").arg("judge").args(options).output().expect("it starts");
        let [out, err] =
            [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        (ran.status.code(), out, err)
    };
    let options =
        ["--program", "halloween", "--generate", "--ghosts 1 --width 5 --height 4 --unsolvable"];
    let (code, out, err) = judge(&options);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("were not wanted"), "{err}");
    // A program that has only the third answer is right about the third data set.
    let third = ["testdata/halloween/sample.in#3", "--program", "echo '77'"];
    assert_eq!(judge(&third).0, Some(0));
    let (code, out, _) = judge(&["testdata/halloween/sample.in#2", "--program", "echo 77"]);
    assert!(code == Some(11) && out.contains("fails on testdata/halloween/sample.in#2"), "{out}");
    // A file that is read is not overwritten.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("case.in");
    fs::write(&file, "3 4 1\n###\n#a#\n#A#\n###\n0 0 0\n").expect("written");
    let (file, folder) = (file.display().to_string(), folder.path().display().to_string());
    let (code, _, err) = judge(&[&file, "--program", "echo 7", "-o", &folder]);
    assert!(code == Some(2) && err.contains("would be overwritten"), "{err}");
}
