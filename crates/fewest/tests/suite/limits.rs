//! Tests of whole processes: memory and size limits, signals, files, streams.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fewest_testing::maps;

use crate::program::{program, run, shell};

/// A map that is one serpentine corridor, and agents that all go from its start to its end.
struct Serpentine {
    folder: tempfile::TempDir,
}

impl Serpentine {
    fn new(side: usize, agents: usize) -> Self {
        let (map, corridor) = maps::serpentine(side);
        let scenario = maps::scenario(maps::routes_through(&corridor, agents), side);
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("m.map"), map).expect("written");
        fs::write(folder.path().join("m.scen"), scenario).expect("written");
        Self { folder }
    }

    /// `halloween solve` for this map with these options.
    fn solve(&self, options: &str) -> Command {
        let mut command = program("halloween");
        let (map, scenario) = (self.folder.path().join("m.map"), self.folder.path().join("m.scen"));
        command
            .arg("solve")
            .arg(map)
            .arg("--scenario")
            .arg(scenario)
            .args(options.split_whitespace());
        command
    }
}

/// Asserts that the peak memory of a process exceeds its limit by at most 10 % and 16 MB.
#[cfg(target_os = "linux")]
fn assert_peak_memory(command: &mut Command, limit_bytes: u64, code: i32) {
    use fewest_testing::process;
    let usage =
        process::measure(command.stdout(Stdio::null()).stderr(Stdio::null())).expect("it starts");
    assert_eq!(usage.status.code(), Some(code), "{command:?}");
    let peak = usage.peak_bytes.expect("Linux reports it");
    assert!(peak <= process::allowed_peak_bytes(limit_bytes), "{peak} bytes: {command:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn results_and_pictures_are_streamed() {
    let serpentine = Serpentine::new(151, 26);
    let picture = serpentine.folder.path().join("plan.svg");
    for (options, code) in [("--json", 0), ("--show --every 1000", 0), ("--show", 2)] {
        assert_peak_memory(
            &mut serpentine.solve(&format!("--memory 16MiB {options}")),
            16 << 20,
            code,
        );
    }
    assert_peak_memory(serpentine.solve("--memory 16MiB --show -o").arg(&picture), 16 << 20, 0);
    assert!(fs::read_to_string(picture).expect("a picture").ends_with("</svg>\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn several_data_sets_use_no_more_memory_than_one() {
    let maze = run("wall-pusher generate --size 8x8 --walls 30 --gaps 0 --seed 3", b"").out;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mazes.in");
    fs::write(&file, maze.repeat(8)).expect("written");
    let mut explore = program("wall-pusher");
    explore.arg("explore").arg(file).args(["--size", "8x8", "--memory", "64MiB"]);
    assert_peak_memory(&mut explore, 64 << 20, 20);
}

#[test]
fn the_hint_for_a_too_large_strip_works() {
    let serpentine = Serpentine::new(101, 1);
    let solved = |options: &str| {
        let output = serpentine.solve(options).output().expect("it starts");
        (
            output.status.code(),
            String::from_utf8(output.stdout).expect("UTF-8"),
            String::from_utf8(output.stderr).expect("UTF-8"),
        )
    };
    let (code, out, err) = solved("--show");
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains(" characters; the limit is 50000000"), "{err}");
    // The plan is printed instead of its picture.
    assert!(
        out.contains("5200 steps, optimal\naE\n") && out.ends_with("aE\n\n"),
        "{}",
        &out[..200]
    );
    let every =
        err.split_once("`--every ").and_then(|(_, rest)| rest.split('`').next()).expect("a hint");
    let (code, out, err) = solved(&format!("--show --every {every}"));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("whole plan") && out.contains("\nend\n"), "the ends of the plan");
    assert_eq!(
        run("halloween solve sample-1 --show --every 2 --format gif -o x.gif", b"").code,
        Some(2)
    );
    assert_eq!(
        run("halloween solve sample-1 --show --every 2 --format svg --animate", b"").code,
        Some(2)
    );
}

/// The time limit of a data set includes its picture. The answer is printed before the picture.
#[test]
fn the_time_limit_applies_to_pictures() {
    let serpentine = Serpentine::new(101, 26);
    let file = serpentine.folder.path().join("plan.gif");
    fs::write(&file, "old").expect("written");
    let start = Instant::now();
    let output =
        serpentine.solve("--time 2s --show --cell 4 -o").arg(&file).output().expect("it starts");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(21), "{err}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("steps, optimal\n"));
    assert!(err.contains("no picture was written: out of time"), "{err}");
    assert_eq!(
        (fs::read_to_string(&file).expect("text").as_str(), names(serpentine.folder.path()).len()),
        ("old", 3)
    );
}

/// The result is printed even if there is no time for its picture.
#[test]
fn a_picture_without_time_leaves_the_result() {
    let long = "9 8 6\nabcdef   \n\n\n\n\n\n\nFEDCBA   \n";
    let ran = run("halloween solve - --time 0 --show", long.as_bytes());
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(21), "# <stdin>\nstopped, out of time: any plan has at least 12 steps\n\n")
    );
    assert!(ran.err.contains("<stdin>: the picture ends early: out of time"), "{}", ran.err);
}

/// The pipe holds a small part of the picture, so the signal always arrives before the picture is
/// complete.
#[cfg(unix)]
#[test]
fn an_interrupted_picture_leaves_the_plan() {
    let serpentine = Serpentine::new(101, 26);
    let mut child = serpentine.solve("--show --every 2").spawn().expect("it starts");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    while !text.contains("whole plan") {
        assert!(out.read_line(&mut text).expect("text") > 0, "{text}");
    }
    assert!(text.contains(" steps, optimal\n"), "{text}");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    out.read_to_string(&mut text).expect("text");
    let mut err = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{err}");
    assert!(err.contains("the picture ends early: interrupted"), "{err}");
    // All ghosts move in each step of the plan, which follows what was drawn.
    let (head, _) = text.split_once(" steps, optimal\n").expect("a heading");
    let steps: usize =
        head.rsplit('\n').next().and_then(|count| count.parse().ok()).expect("a count");
    let plan: Vec<&str> = text.lines().rev().skip(1).take(steps).collect();
    assert_eq!((plan.len(), text.ends_with("\n\n")), (steps, true));
    for step in plan {
        assert!(step.starts_with('a') && step.split(' ').count() == 26, "{step}");
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    entries.map(|name| name.into_string().expect("Unicode")).collect()
}

/// A file size limit simulates a full disk.
#[cfg(unix)]
#[test]
fn a_failed_write_keeps_the_previous_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, line) in [
        ("plan.svg", "halloween solve sample-3 --show -o plan.svg"),
        ("plan.gif", "halloween solve sample-3 --show -o plan.gif"),
        ("plan.txt", "klotski solve heng-dao-li-ma --show -o plan.txt"),
        ("plot.svg", "klotski explore heng-dao-li-ma --plot plot.svg"),
    ] {
        for before in [Some("old"), None] {
            let file = folder.path().join(name);
            if let Some(text) = before {
                fs::write(&file, text).expect("written");
            }
            let (code, out) =
                shell(&format!("trap '' XFSZ; ulimit -f 2; {line} >/dev/null"), folder.path());
            assert_eq!(code, Some(1), "{line}: {out}");
            assert!(out.contains(&format!("cannot write `{name}`")), "{out}");
            assert_eq!(fs::read_to_string(&file).ok().as_deref(), before, "{line}");
            assert_eq!(names(folder.path()).len(), usize::from(before.is_some()), "{line}");
            drop(fs::remove_file(file));
        }
    }
}

/// Results that wait for an earlier one hold their lists of plans.
#[cfg(target_os = "linux")]
#[test]
fn lists_of_plans_on_several_threads_stay_within_the_memory() {
    // Pieces that each move along a row of their own, in any order.
    let lanes = |rows: usize, columns: usize| {
        let pieces = || ('A'..='Z').take(rows);
        let blanks = ".".repeat(columns - 1);
        let board: String = pieces().map(|piece| format!("{piece}{blanks}\n")).collect();
        let goals =
            pieces().zip(1..).map(|(piece, row)| format!("goal: {piece} at {row},{columns}\n"));
        board + &goals.collect::<String>() + "lock: horizontal\n\n"
    };
    // The first data set takes longer than several of the others.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lanes.txt");
    fs::write(&file, lanes(6, 9) + &lanes(2, 11).repeat(15)).expect("written");
    let mut solve = program("klotski");
    solve.arg("solve").arg(file).args("--metric unit --all --limit 10000000".split(' '));
    solve.args("--threads 2 --memory 48MiB".split(' '));
    assert_peak_memory(&mut solve, 48 << 20, 20);
}

/// The reader is gone before the program starts to write.
#[cfg(unix)]
#[test]
fn a_broken_pipe_of_an_output_file_is_no_error() {
    let line =
        "{ sleep 0.3; halloween show sample-1 --format svg -o /dev/stdout; echo $? >&2; } | true";
    assert_eq!(shell(line, Path::new("/")), (Some(0), "0\n".to_owned()));
}

/// The files that a command writes are complete even if nobody reads its standard output.
#[cfg(unix)]
#[test]
fn a_broken_pipe_does_not_keep_files_from_being_written() {
    let folder = tempfile::tempdir().expect("a folder");
    for (line, files) in [
        (
            "klotski solve -q heng-dao-li-ma 1A9BF0C --show -o plan.svg",
            ["plan-1.svg", "plan-2.svg"],
        ),
        (
            "klotski solve -q heng-dao-li-ma 1A9BF0C --json --show -o json.svg",
            ["json-1.svg", "json-2.svg"],
        ),
        ("wall-pusher explore sample long --plot plot.svg", ["plot.svg", "plot.svg"]),
        ("klotski explore heng-dao-li-ma --plot board.svg", ["board.svg", "board.svg"]),
    ] {
        let script = format!("{{ sleep 0.2; {line}; echo $? >&2; }} | true");
        assert_eq!(shell(&script, folder.path()), (Some(0), "0\n".to_owned()), "{line}");
        for file in files {
            let text = fs::read_to_string(folder.path().join(file)).expect(file);
            assert!(text.ends_with("</svg>\n"), "{line}");
        }
    }
}

#[cfg(unix)]
#[test]
fn inputs_are_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = "3 1 1\na A\n";
    fs::write(folder.path().join("map.txt"), map).expect("written");
    fs::write(folder.path().join("plan.txt"), "2 steps\naE\naE\n").expect("written");
    for line in [
        "halloween show map.txt -o map.txt",
        "halloween show map.txt -o ./map.txt",
        "halloween show map.txt --plan plan.txt -o plan.txt",
        "halloween solve map.txt --show -o map.txt",
        "halloween show - -o map.txt < map.txt",
    ] {
        let (code, out) = shell(line, folder.path());
        assert_eq!(code, Some(2), "{line}: {out}");
        assert!(out.contains("is read by this command, and would be overwritten"), "{out}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("map.txt")).expect("text"), map);
    fs::write(folder.path().join("map-1.txt"), map).expect("written");
    let (code, out) = shell("halloween solve map-1.txt map.txt --show -o map.txt", folder.path());
    assert_eq!(code, Some(2), "{out}");
    assert_eq!(fs::read_to_string(folder.path().join("map-1.txt")).expect("text"), map);
}

/// Three pieces with 31 moves each in any order: 93! / 31!^3 plans, about 10^42.
#[test]
fn plan_counts_beyond_128_bits_are_reported() {
    let lane = ".".repeat(31);
    let board = format!(
        "A{lane}\nB{lane}\nC{lane}\ngoal: A at 1,32\ngoal: B at 2,32\ngoal: C at 3,32\nlock: horizontal\n"
    );
    let two = format!("{board}\naCCb/aCCb/cdde/cfge/h..i\n");
    let ran = run("klotski solve - --metric unit --all", two.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let counted = "# 93 unit moves, optimal; shortest plans: at least 2^128, listed: 1\n93 unit moves, optimal\nAE\n";
    assert!(ran.out.contains(counted) && ran.out.contains("# <stdin>#2\n"), "{}", ran.out);
    let ran = run("klotski solve - --metric unit --all --json", board.as_bytes());
    assert!(ran.out.contains("\"plans\":[[") && !ran.out.contains("plan_count"), "{}", ran.out);
}

#[test]
fn names_that_cannot_be_files_are_missing_files() {
    for name in ["n".repeat(256), "n".repeat(5000), "Cargo.toml/n".to_owned()] {
        let ran = run(&format!("halloween solve {name}"), b"");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
        assert!(ran.err.starts_with("error: there is no file `"), "{}", ran.err);
    }
    let board = format!("A{}", "/.".repeat(127));
    let output = program("klotski")
        .args(["solve", &board, "--goal", "A at 128,1"])
        .output()
        .expect("it starts");
    assert_eq!(output.status.code(), Some(0));
}

/// Rust opens the null device in place of a closed stream.
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[test]
fn closed_standard_output_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = [
        "halloween solve sample-1",
        "halloween show sample-1",
        "klotski list",
        "halloween --help",
        "fewest --version",
    ];
    for line in lines {
        let (code, out) = shell(&format!("{line} >&-"), folder.path());
        assert_eq!(code, Some(1), "{line}");
        assert!(out.contains("standard output is closed"), "{line}: {out}");
        // `/dev/null` is accepted, however it is opened.
        assert_eq!(shell(&format!("{line} >/dev/null"), folder.path()).0, Some(0), "{line}");
        assert_eq!(shell(&format!("{line} 1<>/dev/null"), folder.path()).0, Some(0), "{line}");
    }
}

#[test]
fn repeated_options_are_errors() {
    for line in [
        "halloween generate --seed 1 --seed 2",
        "wall-pusher solve sample --engine bfs --engine astar",
        "klotski solve heng-dao-li-ma --metric unit --metric straight",
    ] {
        let ran = run(line, b"");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
        assert!(ran.err.contains("cannot be used multiple times"), "{}", ran.err);
    }
    // Flags, `--color`, goals and starts may be repeated.
    let line = "klotski solve A./.B --goal A_at_2,1 --goal B_at_1,2 --quiet --quiet --color always --color never";
    let words = line.split(' ').skip(1).map(|word| word.replace("_at_", " at "));
    let output = program("klotski").args(words).output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn generate_stops_at_its_time_limit() {
    for line in [
        "halloween generate --count 100000000 --time 200ms",
        "wall-pusher generate --count 100000000 --time 200ms",
    ] {
        let ran = run(line, b"");
        assert_eq!(ran.code, Some(21), "{}", ran.err);
        assert!(ran.err.starts_with("out of time: wrote ") && !ran.out.is_empty(), "{}", ran.err);
    }
}

/// These ran for minutes, whatever their limit.
#[test]
fn generate_refuses_what_has_no_room_before_it_searches() {
    for options in ["--cars 1000000", "--trucks 13..", "--walls 31", "--cars 19.. --size 6x6"] {
        let ran = run(&format!("klotski generate --rush-hour {options} --count 1 --time 1s"), b"");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{options}: {ran:?}");
        assert!(ran.err.contains("has no room for"), "{options}: {ran:?}");
    }
    // There are cells for as many, and no lines.
    let ran = run("klotski generate --rush-hour --cars 18 --tries 100000000 --time 300ms", b"");
    assert!([Some(10), Some(21)].contains(&ran.code), "{ran:?}");
}

/// A search of an instance that is wanted or not ends at the time limit, too.
#[test]
fn generate_stops_in_the_middle_of_a_search() {
    let line = "halloween generate --solvable --width 40 --height 40 --ghosts 26 \
                --count 100000000 --time 300ms";
    let ran = run(line, b"");
    assert_eq!(ran.code, Some(21), "{}", ran.err);
}

#[cfg(target_os = "linux")]
#[test]
fn signals_end_a_run_with_a_report() {
    use crate::program::{Run, signal_at_work};
    let searches: [&[&str]; 2] = [
        &["halloween", "solve", "-", "--engine", "bfs", "--progress"],
        &["halloween", "generate", "--count", "100000000", "--progress"],
    ];
    for signal in ["-INT", "-TERM", "-HUP"] {
        for words in searches {
            // If the tests run under `nohup`, the program would inherit that SIGHUP is ignored.
            let mut child = Command::new("env")
                .arg("--default-signal=HUP")
                .arg(program(words[0]).get_program())
                .args(&words[1..])
                .args(["--time", "100s"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("it starts");
            // An easy data set, and six ghosts that exchange sides in an open hall.
            let long = "3 1 1\na A\n9 8 6\nabcdef   \n\n\n\n\n\n\nFEDCBA   \n";
            drop(child.stdin.take().expect("a pipe").write_all(long.as_bytes()));
            let Run { code, out, err } = signal_at_work(child, signal);
            assert_eq!(code, Some(130), "{signal} {words:?}: {err}");
            let is_reported = out.contains("stopped, interrupted: any plan has at least ")
                || err.contains("interrupted: wrote ");
            assert!(is_reported, "{signal} {words:?}: {out} {err}");
        }
    }
}

/// A program that `nohup` starts continues after its terminal closes.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_signal_stays_ignored() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "trap '' HUP; halloween generate --count 100000000 --time 1s >/dev/null & pid=$!
        sleep 0.3; kill -HUP $pid; wait $pid";
    let (code, out) = shell(line, folder.path());
    assert_eq!(code, Some(21), "{out}");
}
