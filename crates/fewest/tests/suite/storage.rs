//! Searches with `--disk` and `--checkpoint`: the same answers, whatever ends a run.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{Run, program, root, run};

/// A puzzle and the instance to explore.
struct Space {
    puzzle: &'static str,
    instance: &'static str,
    boards: u64,
}

const fn space(puzzle: &'static str, instance: &'static str, boards: u64) -> Space {
    Space { puzzle, instance, boards }
}

/// The numbers of boards are published, except those of `order` and of the maze.
const SPACES: [Space; 6] = [
    space("klotski", "heng-dao-li-ma", 25_955),
    space("klotski", "heng-dao-li-ma --metric straight", 25_955),
    space("klotski", "heng-dao-li-ma --metric unit", 25_955),
    // The largest component of all classic layouts.
    space("klotski", "0BDFF000", 964_656),
    space("halloween", "order", 374_920),
    space("wall-pusher", "testdata/wall-pusher/mazes.in#5", 97_967),
];

impl Space {
    fn has_ranks(&self) -> bool {
        ["halloween", "black-white"].contains(&self.puzzle)
    }

    fn explore(&self, options: &str) -> Run {
        let Self { puzzle, instance, .. } = self;
        run(&format!("fewest {puzzle} explore {instance} --json {options}"), b"")
    }

    /// The report without its counts of work.
    fn report(&self, options: &str) -> Value {
        let found = self.explore(options);
        let mut report: Value = serde_json::from_str(&found.out)
            .unwrap_or_else(|error| panic!("{}: {options}: {error}: {found:?}", self.instance));
        report.as_object_mut().expect("an object").remove("stats");
        report
    }
}

#[test]
fn every_representation_finds_the_same_layers() {
    let all = SPACES.iter().chain(fewest_testing::is_thorough().then_some(&Space {
        puzzle: "black-white",
        instance: "testdata/black-white/5x5-twelve.txt",
        boards: 5_200_300,
    }));
    for space in all {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name).display().to_string();
        let expected = space.report("");
        assert_eq!(expected["boards"], space.boards, "{}", space.instance);
        let disk = at("disk");
        let ways = [
            "--threads 2".to_owned(),
            format!("--disk {disk} --memory 64MB"),
            format!("--disk {disk} --threads 2"),
            format!("--checkpoint {}", at("new")),
            format!("--disk {disk} --memory 64MB --representation runs"),
            "--representation table".to_owned(),
        ];
        let ranked = [
            "--representation bits --threads 2".to_owned(),
            "--representation two-bits".to_owned(),
            format!("--representation two-bits --threads 2 --disk {disk}"),
        ];
        let has_ranks = space.has_ranks();
        let ways = ways.into_iter().chain(ranked.into_iter().filter(|_| has_ranks));
        for way in ways {
            assert_eq!(space.report(&way), expected, "{} {way}", space.instance);
        }
        assert!(fs::read_dir(&disk).expect("a folder").next().is_none(), "files are left");
        // Stopped by a limit, and continued by another representation each time.
        let checkpoint = format!("--checkpoint {}", at("stopped"));
        for (part, way) in [(10, ""), (4, "--threads 2"), (2, &*format!("--disk {disk}"))] {
            let stopped =
                space.explore(&format!("{checkpoint} --states {} {way}", space.boards / part));
            assert_eq!(stopped.code, Some(22), "{} {way}: {stopped:?}", space.instance);
        }
        assert_eq!(space.report(&checkpoint), expected, "{}", space.instance);
        // All of it is read from the files.
        assert_eq!(space.report(&checkpoint), expected, "{}", space.instance);
    }
}

#[test]
fn every_representation_finds_the_same_plan() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    for (number, (puzzle, instance)) in [
        ("klotski", "heng-dao-li-ma --metric unit"),
        ("halloween", "sample-3"),
        ("wall-pusher", "sample"),
        ("black-white", "testdata/black-white/P1225_sample.in"),
    ]
    .into_iter()
    .enumerate()
    {
        let solve = |options: &str| {
            let found = run(&format!("fewest {puzzle} solve {instance} {options}"), b"");
            (found.code, found.out)
        };
        let expected = solve("--engine bfs");
        assert_eq!(expected.0, Some(0), "{instance}");
        let checkpoint = format!("--checkpoint {}", at(&number.to_string()));
        let disk = format!("--disk {}", at("disk"));
        assert_eq!(solve(&disk), expected, "{instance} {disk}");
        // Unless the plan is shorter.
        solve(&format!("{checkpoint} --states 100"));
        solve(&format!("{checkpoint} --states 1000 {disk}"));
        assert_eq!(solve(&checkpoint), expected, "{instance} {checkpoint}");
        assert_eq!(solve(&format!("{checkpoint} {disk} --threads 2")), expected, "{instance}");
    }
    let refused = run(&format!("klotski solve 0BDFF000 --engine astar --disk {}", at("disk")), b"");
    assert_eq!(refused.code, Some(2));
    let expected = "several processes need the engine `bfs`, not `astar`";
    assert!(refused.err.contains(expected), "{refused:?}");
}

#[test]
fn a_search_says_how_it_keeps_boards_and_refuses_what_it_cannot() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = format!("--disk {}", folder.path().display());
    let explore = |puzzle: &str, options: &str| run(&format!("{puzzle} explore {options}"), b"");
    for (puzzle, options, code, expected) in [
        (
            "klotski",
            format!("heng-dao-li-ma {disk}"),
            0,
            "`runs` on disk (the states have no ranks)",
        ),
        (
            "halloween",
            format!("order {disk}"),
            10,
            "`two-bits` on disk (a table of all ranks is small",
        ),
        (
            "halloween",
            "order --representation two-bits".to_owned(),
            10,
            "`two-bits` in memory (as asked for)",
        ),
    ] {
        let found = explore(puzzle, &options);
        assert_eq!(found.code, Some(code), "{found:?}");
        assert_eq!(found.err.matches("keeps boards as").count(), 1, "{found:?}");
        assert!(found.err.contains(&format!("keeps boards as {expected}")), "{found:?}");
    }
    let refusals = [
        ("klotski explore heng-dao-li-ma --representation bits", "it needs ranks"),
        ("klotski explore heng-dao-li-ma --representation runs", "it needs a disk"),
        ("halloween solve order --representation two-bits", "it does not keep layers"),
        (&format!("halloween explore order --representation table {disk}"), "it is kept in memory"),
    ];
    for (words, why) in refusals {
        let found = run(words, b"");
        assert_eq!(found.code, Some(2), "{found:?}");
        assert!(found.err.contains(&format!("is not available: {why}")), "{found:?}");
    }
}

#[test]
fn layers_are_printed_when_they_are_complete() {
    let space = &SPACES[0];
    let expected = space.report("");
    let found = space.explore("--layers");
    let mut lines: Vec<Value> =
        found.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let mut report = lines.pop().expect("the report");
    report.as_object_mut().expect("an object").remove("stats");
    assert_eq!(report, expected);
    let layers: Vec<_> = lines.iter().map(|layer| layer["boards"].clone()).collect();
    assert_eq!(Value::from(layers), expected["layers"]);
    assert_eq!(lines[3]["moves"], 3);
    let text = run("klotski explore heng-dao-li-ma --metric unit --layers --states 10", b"");
    let expected = "heng-dao-li-ma, 0 unit moves: 1 board\nheng-dao-li-ma, 1 unit move: 4 boards\n";
    assert!(text.out.starts_with(expected), "{text:?}");
}

/// Starts a run that goes on from a checkpoint, and kills it after `time`.
fn kill_after(space: &Space, options: &str, time: Duration) {
    let Space { puzzle, instance, .. } = space;
    let words = format!("{puzzle} explore {instance} --json {options}");
    let mut child = program("fewest").args(words.split_whitespace()).spawn().expect("it starts");
    thread::sleep(time);
    child.kill().expect("a process");
    child.wait().expect("it ends");
}

/// 100 kills if the tests are thorough, else 10: of explorations in memory and on disk, each of
/// which then goes on to its end.
#[test]
fn a_killed_run_goes_on() {
    let space = &SPACES[3];
    let begin = Instant::now();
    let expected = space.report("");
    let whole = begin.elapsed();
    let all_layers = expected["layers"].as_array().expect("a list").len();
    let mut resumed = 0;
    for number in 0..if fewest_testing::is_thorough() { 50 } else { 5 } {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name).display().to_string();
        let in_memory = format!("--checkpoint {}", at("memory"));
        let on_disk = format!("--checkpoint {} --disk {}", at("disk"), at("layers"));
        // Moments that are spread over the run.
        let moment = whole.mul_f64(f64::from(number * 37 % 50) / 50.0 + 0.1);
        for options in [&in_memory, &on_disk] {
            kill_after(space, options, moment);
            let found = space.explore(options);
            let layers = found
                .err
                .split("resumes after ")
                .nth(1)
                .and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
            // Both searches of `explore` have layers.
            let is_middle = |layers| (1..all_layers).contains(&layers);
            resumed += u32::from(layers.is_some_and(is_middle));
            assert_eq!(space.report(options), expected, "{options} after {moment:?}");
        }
        // The next store removes what the killed process left.
        assert!(fs::read_dir(at("layers")).expect("a folder").next().is_none());
    }
    assert!(resumed > 0, "no run was killed after its first layers");
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_writes_a_checkpoint_and_ends_with_130() {
    let space = &SPACES[3];
    let expected = space.report("");
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().expect("a folder");
        let saved = folder.path().join("saved");
        let options = format!("--checkpoint {}", saved.display());
        let words = format!("klotski explore {} --json {options}", space.instance);
        let mut child =
            program("fewest").args(words.split_whitespace()).spawn().expect("it starts");
        wait_for(&saved.join("search-0/layer-6"));
        let process = child.id().to_string();
        assert!(Command::new("kill").args([signal, &process]).status().expect("kill").success());
        let ended = child.wait().expect("it ends");
        // On a busy machine, the run may have been at its end.
        if ended.code() != Some(0) {
            assert_eq!(ended.code(), Some(130));
            let found = space.explore(&options);
            assert!(found.err.contains("resumes after"), "{found:?}");
        }
        assert_eq!(space.report(&options), expected);
    }
}

#[cfg(target_os = "linux")]
fn wait_for(file: &Path) {
    let begin = Instant::now();
    while !file.exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "no {}", file.display());
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn checkpoints_that_do_not_fit_are_refused_and_left_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("saved").display().to_string();
    let explore = |options: &str| {
        let found = run(&format!("klotski explore {options} --checkpoint {saved}"), b"");
        (found.code, found.err)
    };
    assert_eq!(explore("heng-dao-li-ma").0, Some(0));
    let question = Path::new(&saved).join("question");
    let before = fs::read(&question).expect("a file");
    for (options, expected) in [
        ("heng-dao-li-ma --metric unit", "its --metric is `rectilinear`, not `unit`"),
        ("0BDFF000", "its board is `aCCb` in line 1, not `CCab` in line 1"),
        ("heng-dao-li-ma 0BDFF000", "--checkpoint takes one board, but there are several"),
    ] {
        let (code, err) = explore(options);
        assert_eq!(code, Some(2), "{options}: {err}");
        assert!(err.contains(expected), "{options}: {err}");
        assert_eq!(fs::read(&question).expect("a file"), before);
    }
    let solved = run(&format!("klotski solve heng-dao-li-ma --checkpoint {saved}"), b"");
    assert!(solved.err.contains("its command is `explore`, not `solve`"), "{solved:?}");
    fs::write(&question, [&before[..before.len() - 2], b"?\n"].concat()).expect("written");
    let (code, err) = explore("heng-dao-li-ma");
    assert_eq!(code, Some(2));
    assert!(err.contains("`question` is damaged"), "{err}");
    let docs = root().join("docs").display().to_string();
    let other = run(&format!("klotski explore 0BDFF000 --checkpoint {docs}"), b"");
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("the folder is not empty and contains no checkpoint"), "{other:?}");
}

#[test]
fn why_a_checkpoint_cannot_be_read_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("saved").display().to_string();
    let explore = |options: &str| {
        run(&format!("halloween explore order --checkpoint {saved} {options}"), b"")
    };
    assert_eq!(explore("--representation two-bits --states 1000").code, Some(22));
    let found = explore("--representation table");
    assert_eq!(found.code, Some(1), "{found:?}");
    let expected = "search-0`: it contains ranks, which only `two-bits` reads";
    let error = found.err.lines().find(|line| line.starts_with("error: checkpoint: "));
    assert!(error.is_some_and(|error| error.contains(expected)), "{found:?}");
}

#[test]
fn a_folder_that_cannot_be_used_is_named_before_the_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("written");
    let explore = |disk: &Path| {
        run(&format!("klotski explore heng-dao-li-ma --disk {}", disk.display()), b"")
    };
    let found = explore(&file);
    let expected = format!("`{}` is a file, but --disk takes a folder", file.display());
    assert_eq!((found.code, found.out.as_str()), (Some(2), ""), "{found:?}");
    assert!(found.err.contains(&expected), "{found:?}");
    let inside = file.join("folder");
    let found = explore(&inside);
    assert_eq!((found.code, found.out.as_str()), (Some(1), ""), "{found:?}");
    let expected = format!("cannot write `{}`: ", inside.display());
    assert!(found.err.contains(&expected), "{found:?}");
}

/// The ranks of large boards are those with as many black pieces in each region between walls, and
/// no more. The second board cannot be solved, because its target has another number in a region;
/// then there are none.
#[test]
fn large_boards_with_few_pieces_take_little_room_on_a_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    for (file, boards, expected) in [
        ("one-black", "boards: 36, of which 1 is solved", " and 9 B on disk and "),
        ("walls-5-boards", "boards: 5, of which 0 are solved", "`runs` on disk"),
    ] {
        let text = format!("testdata/black-white/{file}.txt");
        let disk = folder.path().join(file).display().to_string();
        let found = run(&format!("black-white explore {text} --disk {disk}"), b"");
        assert!(found.out.contains(boards) && found.err.contains(expected), "{found:?}");
        let in_memory = run(&format!("black-white explore {text} --representation table"), b"");
        assert_eq!(found.out, in_memory.out);
    }
}

/// The time is over before the layers are read again. What the run before has proved holds.
#[test]
fn a_run_without_time_takes_back_nothing_that_a_checkpoint_proves() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let number_after = |text: &str, before: &str| {
        let rest = text.split_once(before).unwrap_or_else(|| panic!("no `{before}`: {text}")).1;
        rest.split(' ').next().and_then(|word| word.parse::<u64>().ok()).expect("a number")
    };
    let solve = |options: &str| {
        run(&format!("klotski solve heng-dao-li-ma {options} --checkpoint {}", at("plan")), b"")
    };
    let [first, second] = ["--states 9000", "--time 1ms"].map(solve);
    let bound = |found: &Run| number_after(&found.out, "any plan has at least ");
    assert!(bound(&first) > 20 && bound(&second) >= bound(&first), "{first:?} {second:?}");
    let expected = "checkpoint: out of time while the saved layers were read: ";
    assert!(second.err.contains(expected), "{second:?}");

    let explore = |options: &str| {
        run(&format!("klotski explore heng-dao-li-ma {options} --checkpoint {}", at("all")), b"")
    };
    let first = explore("--states 9000");
    let moves = number_after(&first.out, "for the boards within ");
    let second = explore("--time 1ms");
    let states = number_after(&second.err, "layers, with ");
    let expected = format!("in the checkpoint: {states} states within {moves} rectilinear moves\n");
    assert!(second.out.contains(&expected), "{expected}: {second:?}");
    let json = explore("--time 1ms --json").out;
    let expected = format!(r#""checkpoint":{{"moves":{moves},"states":{states}}}"#);
    assert!(json.contains(&expected), "{expected}: {json}");
}

/// Both metrics have the same boards, so that nothing but the head of a file can say which one it
/// is of.
#[test]
fn files_of_another_metric_prove_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let solve = |name: &str, options: &str| {
        let saved = at(name).display().to_string();
        run(&format!("klotski solve heng-dao-li-ma {options} --checkpoint {saved}"), b"")
    };
    assert_eq!(solve("unit", "--metric unit").code, Some(0));
    assert_eq!(solve("own", "--states 9000").code, Some(22));
    let search = |name: &str| at(name).join("search-0");
    let names = || fs::read_dir(search("own")).expect("a folder").map(|name| name.expect("a name"));
    let layers: Vec<_> = names().map(|name| name.file_name()).collect();
    assert!(layers.len() > 10, "{layers:?}");
    for name in &layers {
        let (own, other) = (search("own").join(name), search("unit").join(name));
        let before = fs::read(&own).expect("a file");
        // The unit metric has more layers; a part of one may have no counterpart.
        let Ok(_) = fs::copy(other, &own) else { continue };
        let found = solve("own", "");
        assert!([Some(1), Some(2)].contains(&found.code), "{name:?}: {found:?}");
        assert!(!found.out.contains("optimal"), "{name:?}: {found:?}");
        let expected = "belongs to another search: its --metric is `unit`";
        assert!(found.err.contains(expected), "{name:?}: {found:?}");
        fs::write(&own, before).expect("written");
    }
    // The whole search.
    fs::rename(search("own"), at("aside")).expect("renamed");
    fs::rename(search("unit"), search("own")).expect("renamed");
    let found = solve("own", "");
    assert_eq!((found.code, found.out.as_str()), (Some(2), ""), "{found:?}");
    fs::remove_dir_all(search("own")).expect("removed");
    fs::rename(at("aside"), search("own")).expect("renamed");
    let found = solve("own", "");
    assert!(
        found.code == Some(0) && found.out.contains("81 rectilinear moves, optimal"),
        "{found:?}"
    );
}
