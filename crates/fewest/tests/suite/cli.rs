//! End-to-end tests of the programs: answers, streams, exit codes.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::Stdio;

use crate::program::{Run, data_files, program, puzzles, root, run};
use serde_json::{Value, json};

fn expect(line: &str, input: &str, code: i32, out: &str) -> Run {
    let ran = run(line, input.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (Some(code), out), "{line}: {}", ran.err);
    ran
}

/// Six ghosts that exchange sides in an open hall: too hard for a breadth-first search.
const LONG: &str = "9 8 6\nabcdef   \n\n\n\n\n\n\nFEDCBA   \n";
/// Two ghosts that cannot be planned one after the other.
const TURN: &str = "5 5 2\n#####\n#A#B#\n#   #\n#b#a#\n#####\n";
const GOOD: &str = "3 1 1\na A\n";

#[test]
fn contest_answers_match_the_data_files() {
    let check = |puzzle: &str, stem: &str, options: &str| {
        let path = format!("testdata/{puzzle}/{stem}.in");
        let input = fs::read_to_string(root().join(&path)).unwrap();
        let answers =
            fs::read_to_string(root().join(format!("testdata/{puzzle}/{stem}.out"))).unwrap();
        for line in [
            format!("{puzzle} {options}"),
            format!("fewest {puzzle} {options}"),
            format!("{puzzle} {options} -"),
        ] {
            assert_eq!(expect(&line, &input, 0, &answers).err, "");
        }
        expect(&format!("{puzzle} {path} {options}"), "", 0, &answers);
        expect(&format!("{puzzle} {options}"), &input.replace('\n', "\r\n"), 0, &answers);
    };
    assert!(data_files("halloween").len() >= 6);
    data_files("halloween").iter().for_each(|stem| check("halloween", stem, ""));
    check("wall-pusher", "sample", "");
    check("wall-pusher", "mazes", "--count-only");
    check("klotski", "classics", "");
    check("black-white", "P4289_sample", "--count-only");
    check("black-white", "boards", "--count-only");
    // Any shortest sequence is correct; the published one is from another program.
    let published =
        fs::read_to_string(root().join("testdata/black-white/P1225_sample.out")).unwrap();
    let ran = run("black-white testdata/black-white/P1225_sample.in", b"");
    assert_eq!((ran.code, ran.out.lines().next()), (Some(0), published.lines().next()));
    let plan = ran.out.replacen("4\n", "4 moves\n", 1);
    let accepted = "testdata/black-white/P1225_sample.in: accepted, 4 moves\n";
    expect("black-white verify testdata/black-white/P1225_sample.in -", &plan, 0, accepted);
}

#[test]
fn classic_layouts_have_the_published_optimum_in_each_metric() {
    let table = fs::read_to_string(root().join("testdata/klotski/classic40.tsv")).unwrap();
    for (column, metric) in [(3, "rectilinear"), (4, "straight"), (5, "unit")] {
        let costs = table.lines().skip(1).map(|line| line.split('\t').nth(column).unwrap());
        let costs: String = costs.map(|cost| cost.replace("unsolvable", "-1") + "\n").collect();
        expect(&format!("klotski testdata/klotski/classics.in --metric {metric}"), "", 0, &costs);
    }
}

#[test]
fn verify_accepts_the_output_of_solve() {
    let check = |puzzle: &str, path: &str, options: &str| {
        let solved = run(&format!("{puzzle} solve {path} {options} --quiet"), b"");
        let unsolvable = solved.out.contains("\nunsolvable\n");
        assert_eq!((solved.code, solved.err.as_str()), (Some(if unsolvable { 10 } else { 0 }), ""));
        let verified = run(&format!("{puzzle} verify {path} - {options}"), solved.out.as_bytes());
        assert_eq!(verified.code, Some(if unsolvable { 11 } else { 0 }), "{}", verified.out);
        let plans = solved.out.matches("optimal").count();
        assert_eq!(verified.out.matches(": accepted, ").count(), plans);
    };
    for puzzle in puzzles() {
        for stem in data_files(puzzle) {
            check(puzzle, &format!("testdata/{puzzle}/{stem}.in"), "");
        }
    }
    for metric in ["straight", "unit"] {
        check("klotski", "testdata/klotski/forms.in", &format!("--metric {metric}"));
    }
    check("klotski", "1A9BF0C", "");
    check("klotski", "7..8/.XX./AXXB/A12B/3456", "");
    let rows = "7..8\n.XX.\nAXXB\nA12B\n3456\n";
    let solved = program("klotski").args(["solve", rows]).output().unwrap();
    let solved = String::from_utf8(solved.stdout).unwrap();
    assert!(solved.starts_with("# 7..8/.XX./AXXB/A12B/3456\n# 7..8\n"), "{solved}");
    assert_eq!(run("klotski verify 7..8/.XX./AXXB/A12B/3456 -", solved.as_bytes()).code, Some(0));
}

#[test]
fn a_plan_of_one_metric_is_refused_in_a_stricter_one() {
    let solved = run("klotski solve 前呼后拥", b"");
    assert!(
        solved.out.starts_with(
            "# 前呼后拥\n# abCC\n# ccCC\n# ddee\n# ffgg\n# ..hi\n22 rectilinear moves, optimal\n"
        ),
        "{}",
        solved.out
    );
    let verified = run("klotski verify 前呼后拥 - --metric unit", solved.out.as_bytes());
    assert_eq!(verified.code, Some(11));
    assert!(verified.out.contains("a unit move is one cell"), "{}", verified.out);
    let stricter = run("klotski solve 前呼后拥 --metric unit", b"");
    expect(
        "klotski verify 前呼后拥 -",
        &stricter.out,
        0,
        "前呼后拥: accepted, 31 rectilinear moves\n",
    );
}

#[test]
fn the_size_comes_from_the_option_or_the_drawing() {
    let boards = "100000000 000000001";
    expect("black-white --size 3x3 --count-only", boards, 0, "4\n");
    expect("black-white --count-only", "X..\n...\n...\n\n...\n...\n..X\n", 0, "4\n");
    expect("black-white --count-only", "X#.\n.#.\n...\n\n.#X\n.#.\n...\n", 0, "6\n");
    expect("black-white --count-only", "X#.\n.#.\n\n.#X\n.#.\n", 0, "-1\n");
    expect("black-white --size 3x3", "100000000000000011", 0, "-1\n");
    expect("wall-pusher --size 2x2", "2 1\n3 6\n9 8\n0 0\n", 0, "SE\n");
    expect("wall-pusher", "+--+--+\n|   S |\n+  +  +\n|\n+--+--+\n", 0, "SE\n");
    expect(
        "wall-pusher solve shut",
        "",
        10,
        "# shut\n# +--+--+\n# |S |\n# +--+--+\nunsolvable\n\n",
    );
    let ran = expect("wall-pusher --size 9x9", boards, 2, "");
    assert!(
        ran.err.contains("expected rows x columns, each from 1 to 8, such as `4x6`"),
        "{}",
        ran.err
    );
}

#[test]
fn exit_codes() {
    let solved = "# sample-1\n7 steps, optimal\naN bN\naW\naW bS\naN bN\nbE\nbE\nbN\n\n";
    expect("halloween solve sample-1", "", 0, solved);
    expect("fewest halloween solve sample-1", "", 0, solved);
    expect("halloween solve cut", "", 10, "# cut\nunsolvable\n\n");
    let stopped = |why: &str, least: &str| {
        format!("# <stdin>\nstopped, {why}: any plan has at least {least}\n\n")
    };
    expect("halloween solve - --states 0", TURN, 22, &stopped("out of states", "4 steps"));
    expect("halloween solve - --time 0", LONG, 21, &stopped("out of time", "12 steps"));
    expect(
        "halloween solve - --memory 20kB --engine astar",
        LONG,
        20,
        &stopped("out of memory", "12 steps"),
    );
    expect("halloween solve - --memory 0", LONG, 20, &stopped("out of memory", "12 steps"));
    expect("halloween --states 0", TURN, 22, "?\n");
    expect("halloween --time 0s", LONG, 21, "?\n");
    expect("halloween --memory 10kB --engine astar", LONG, 20, "?\n");
    for line in [
        "fewest",
        "fewest nosuch",
        "halloween solve",
        "halloween verify sample-1",
        "halloween --engine dfs",
        "halloween solv sample-1",
        "halloween --engine bfs solve sample-1",
        "fewest halloween solv sample-1",
    ] {
        let ran = expect(line, "", 2, "");
        assert!(
            ["Usage:", "--help", "= help:"].iter().any(|mark| ran.err.contains(mark)),
            "{line}: {}",
            ran.err
        );
    }
    for line in [
        "halloween nosuch.in",
        "halloween solve nosuch",
        "halloween verify nosuch -",
        "halloween testdata",
    ] {
        let ran = expect(line, "", 2, "");
        assert!(ran.err.starts_with("error: ") && ran.err.ends_with('\n'), "{line}: {}", ran.err);
    }
    expect("halloween verify - -", "", 2, "");
}

/// An engine whose words are too small for a state is a usage error, not out of memory.
#[test]
fn an_engine_is_refused_if_a_state_does_not_fit_a_word() {
    let corridor = ".".repeat(140);
    let map = format!("type octile\nheight 1\nwidth 140\nmap\n{corridor}\n");
    let mut scenario = "version 1\n".to_owned();
    for agent in 0..70 {
        scenario += &format!("0\tline.map\t140\t1\t{agent}\t0\t{}\t0\t1\n", agent + 1);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let scenario = file("line.scen", &scenario);
    let solve = |engine: &str| {
        run(&format!("halloween solve - --scenario {scenario}{engine}"), map.as_bytes())
    };
    let refused = solve(" --engine bfs");
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
    let message = "error: <stdin>: --engine bfs takes at most 56 ghosts on a map of this size, and there are \
                   70\n |\n = help: the default without --engine has no such limit\n";
    assert_eq!(refused.err, message);
    assert!(solve("").out.contains("1 step, optimal"));
}

#[cfg(unix)]
#[test]
fn odd_bytes_are_no_verb_and_no_value() {
    use std::os::unix::ffi::OsStrExt;
    let odd = std::ffi::OsStr::from_bytes(b"\xff");
    for (words, expected) in [
        (&["slove", "sample"][..], "there is no verb `slove`"),
        (&["help", "slove"], "there is no verb `slove`"),
        (&["solve"], "there is no file"),
        (&[], "there is no file"),
        (&["solve", "sample", "--engine"], "invalid UTF-8"),
    ] {
        let output = program("wall-pusher").args(words).arg(odd).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {err}");
        assert!(err.contains(expected), "{words:?}: {err}");
    }
}

#[test]
fn contest_mode_continues_after_a_stopped_data_set() {
    let sets = format!("{GOOD}{TURN}{GOOD}0 0 0\n");
    let ran = expect("halloween --states 5", &sets, 22, "2\n?\n2\n");
    assert_eq!(ran.err, "<stdin>#2: stopped, out of states: any plan has at least 5 steps\n");
    // An unsolvable data set is an ordinary answer in contest mode; `solve` has an exit code for
    // it.
    expect("halloween", &format!("3 1 1\na#A\n{GOOD}"), 0, "-1\n2\n");
    expect(
        "halloween solve -",
        &format!("3 1 1\na#A\n{GOOD}"),
        10,
        "# <stdin>#1\nunsolvable\n\n# <stdin>#2\n2 steps, optimal\naE\naE\n\n",
    );
}

/// The message of an error in a text on one line, without the text itself.
fn one_line(message: &str) -> String {
    let part = |before: &str| {
        message.split(before).nth(1).and_then(|rest| rest.lines().next()).unwrap_or_default()
    };
    format!("{}: {}, expected {}", part("--> "), part("error: "), part("^ expected "))
}

#[test]
fn data_sets_before_an_error_are_answered() {
    let ran = expect("halloween", &format!("{GOOD}{GOOD}3 1 1\na.A\n{GOOD}"), 2, "2\n2\n");
    assert_eq!(
        one_line(&ran.err),
        "<stdin>:6:2: found `.`, expected `#`, a space, or a letter of the ghosts `a`"
    );
    let ran = expect(
        "halloween solve -",
        &format!("{GOOD}3 1 1\n"),
        2,
        "# <stdin>#1\n2 steps, optimal\naE\naE\n\n",
    );
    assert_eq!(one_line(&ran.err), "<stdin>:4:1: found the end of the text, expected row 1 of 1");
}

/// A 6x6 board whose plan is found after 108,060 boards.
const SIX_BY_SIX: &str = "AABBc.\nAABBdd\neefghh\niifgjj\nkkllm.\nnnoop.\ngoal: A at 4,3\n";

#[test]
fn several_threads_find_the_plan_of_one_and_count_the_same_boards() {
    let stats = |err: &str, name: &str| -> u64 {
        let value = err.split(&format!("{name} ")).nth(1).and_then(|rest| rest.split(',').next());
        value.and_then(|value| value.parse().ok()).expect(name)
    };
    let solve = |threads: u32| {
        let ran =
            run(&format!("klotski solve - --stats --threads {threads}"), SIX_BY_SIX.as_bytes());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        (ran.out, stats(&ran.err, "expanded"), stats(&ran.err, "generated"))
    };
    let (one, two, three) = (solve(1), solve(2), solve(3));
    assert!(one.0.contains("37 rectilinear moves") && one.1 == 108_060, "{one:?}");
    assert_eq!((&one.0, one.1), (&two.0, two.1));
    // One thread prunes successors that depend on the order within a layer; several do not.
    assert!(one.2 < two.2);
    assert_eq!(two, three);
    // A limit on states stops all threads before the same layer.
    let explore = |threads: u32| {
        let line = format!("klotski explore - --states 100000 --threads {threads}");
        run(&line, SIX_BY_SIX.as_bytes()).out
    };
    assert_eq!(explore(2), explore(3));
    for line in ["explore heng-dao-li-ma", "explore heng-dao-li-ma --metric unit"] {
        let explore = |threads: u32| run(&format!("klotski {line} --threads {threads}"), b"").out;
        assert_eq!(explore(1), explore(2), "{line}");
    }
}

/// An error ends only its own text, and the number of threads does not change the output.
#[test]
fn several_texts_are_answered_in_order_with_any_number_of_threads() {
    let all: Vec<_> = data_files("halloween")
        .iter()
        .map(|stem| format!("testdata/halloween/{stem}.in"))
        .collect();
    let line = format!("halloween solve {} --quiet", all.join(" "));
    let one = run(&line, b"");
    assert_eq!((one.code, one.err.as_str()), (Some(10), ""));
    let separate: String =
        all.iter().map(|file| run(&format!("halloween solve {file} --quiet"), b"").out).collect();
    assert_eq!(one.out, separate);
    assert_eq!(run(&format!("{line} --threads 3"), b"").out, one.out);

    let bad = "testdata/halloween/bad/huge-width.in";
    let ran = run(&format!("halloween solve sample-1 {bad} sample-1 --threads 2"), b"");
    assert_eq!(ran.code, Some(2));
    let part = |name: &str| expect_ok(&format!("halloween solve {name}"));
    let before = "# testdata/halloween/bad/huge-width.in#1\n2 steps, optimal\naE\naE\n\n";
    assert_eq!(ran.out, format!("{}{before}{}", part("sample-1"), part("sample-1")));
    assert!(
        ran.err.contains("huge-width.in:3:1")
            && ran.err.contains("invalid             1\nall                 4 "),
        "{}",
        ran.err
    );

    let ran = run("halloween solve - sample-1 -", b"");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    let shared = run(
        "halloween solve sample-3 sample-3 --engine bfs --memory 8MB --json --quiet --threads 2",
        b"",
    );
    assert_eq!(shared.out.matches("\"limit\":\"memory\"").count(), 2, "{}", shared.out);
}

/// Global options may come anywhere, and also apply to the message of a usage error.
#[test]
fn global_options_may_come_before_the_verb() {
    let solved = expect_ok("halloween solve sample-1");
    assert_eq!(expect_ok("halloween --quiet solve sample-1"), solved);
    assert_eq!(expect_ok("fewest -q halloween --color never solve sample-1"), solved);
    assert!(run("halloween --color always show sample-1", b"").out.contains('\x1b'));
    let refused = [
        "--color always --nosuch",
        "solve --nosuch --color=always",
        "--color always --stats solve sample-1",
        "--color always 1 2",
    ];
    for line in refused.map(|rest| format!("halloween {rest}")) {
        assert!(run(&line, b"").err.contains('\x1b'), "{line}");
    }
    let never = run("CLICOLOR_FORCE=1 halloween --color never --nosuch", b"");
    assert!(never.code == Some(2) && !never.err.contains('\x1b'), "{never:?}");
    assert!(run("CLICOLOR_FORCE=1 halloween --help", b"").out.contains('\x1b'));
}

/// Apart from instance names, the output is ASCII if the locale is not UTF-8.
#[test]
fn output_is_ascii_without_a_unicode_locale() {
    for line in [
        "halloween solve sample-1 sample-2 --stats --show",
        "klotski show heng-dao-li-ma",
        "black-white show sample",
    ] {
        let ran = run(&format!("LC_ALL=C {line}"), b"");
        assert!(ran.code == Some(0) && ran.out.is_ascii() && ran.err.is_ascii(), "{line}: {ran:?}");
    }
}

/// File names with newlines and escapes are printed on one line without them.
#[cfg(unix)]
#[test]
fn control_characters_in_file_names_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two\nlines\x1b[2J");
    fs::write(&path, "5 1 2\nab AB\n").unwrap();
    let solved = program("halloween").arg("solve").arg(&path).output().unwrap();
    let plan = String::from_utf8(solved.stdout).unwrap();
    assert!(
        plan.lines().next().unwrap().ends_with("two?lines?[2J") && !plan.contains('\x1b'),
        "{plan}"
    );
}

/// Write errors are reported, results are printed without their picture, and large boards are
/// drawn.
#[test]
fn picture_failures_and_sizes() {
    let mut child =
        program("halloween").args(["show", "sample-1", "--format", "gif"]).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0), "a closed pipe");
    if std::path::Path::new("/dev/full").exists() {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        for args in [&["show", "sample-1", "--format", "gif"][..], &["--help"], &["--version"]] {
            let full = full.try_clone().unwrap();
            let ran = program("halloween").args(args).stdout(full).output().unwrap();
            assert_eq!(ran.status.code(), Some(1), "{args:?}");
            assert!(
                String::from_utf8_lossy(&ran.stderr).starts_with("error: cannot write"),
                "{ran:?}"
            );
        }
    }
    let board = |row: String| format!("{row}\n").repeat(60);
    let halves =
        board("X".repeat(30) + &".".repeat(30)) + "\n" + &board(".".repeat(30) + &"X".repeat(30));
    let ran = run("black-white solve - --size 60x60 --show", halves.as_bytes());
    assert_eq!(ran.code, Some(2));
    let plan =
        ran.out.strip_prefix("# <stdin>\n54000 moves, optimal\n").expect("the answer is printed");
    assert_eq!(
        plan.lines().count(),
        54_001,
        "the plan replaces the picture, and a blank line ends it"
    );
    assert!(ran.err.starts_with("error: <stdin>: the picture would have "), "{}", ran.err);
    assert!(
        expect_ok("black-white solve sample --all --show")
            .starts_with("# sample\n# shortest plans: 24\n")
    );
    assert!(expect_ok("black-white show sample --format svg -o -").starts_with("<svg"));
    let map = run("halloween generate --width 255 --height 255 --ghosts 1", b"").out;
    for line in [
        "halloween show -",
        "COLUMNS=18446744073709551615 halloween show -",
        "halloween show - --format svg",
    ] {
        let ran = run(line, map.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{line}");
    }
    let away = run("klotski show -", b"...A.\n.AAA.\nB....\ngoal: B at 3,5\n").out;
    assert_eq!(
        away.lines().nth(3).unwrap().chars().position(|mark| mark == 'A'),
        Some(10),
        "{away}"
    );
}

#[test]
fn progress_is_reported_on_request() {
    let crowd = run("halloween generate --ghosts 7 --seed 3", b"").out;
    let solve = |options: &str| {
        run(&format!("halloween solve - --engine bfs --time 1s {options}"), crowd.as_bytes())
    };
    assert_eq!(solve("").err, "");
    let err = solve("--progress").err;
    assert!(
        err.starts_with("progress: depth ") && err.contains(" states, ") && err.contains("/s, "),
        "{err}"
    );
    assert!(solve("--progress --quiet").err.starts_with("progress: depth "));
    let explored = run("halloween explore - --progress --time 1s", crowd.as_bytes()).err;
    assert!(explored.contains("layer of ") && explored.contains(" times the one before"));
    assert_eq!(
        run("halloween solve sample-1 --progress", b"").err,
        "",
        "short runs report no progress"
    );
}

#[test]
fn json_has_one_object_per_data_set() {
    let ran = run("halloween solve testdata/halloween/sample.in --json --quiet", b"");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let objects: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 3);
    for (object, cost) in objects.iter().zip([7, 36, 77]) {
        assert_eq!(object["puzzle"], "halloween");
        assert_eq!(object["outcome"], "solved");
        assert_eq!(
            (object["cost"].as_u64(), object["lower_bound"].as_u64()),
            (Some(cost), Some(cost))
        );
        assert_eq!(object["optimal"], true);
        assert_eq!(object["plan"].as_array().map(Vec::len), Some(cost as usize));
        for counter in
            ["expanded", "recovered", "generated", "duplicates", "peak_frontier", "bytes"]
        {
            assert!(object["stats"][counter].is_u64(), "{counter}");
        }
        assert!(object["stats"]["elapsed_seconds"].is_f64());
    }
    assert_eq!(objects[1]["instance"], "testdata/halloween/sample.in#2");
    assert_eq!(objects[0]["engine"], "joint");
    assert_eq!(
        (&objects[0]["makespan"], &objects[0]["sum_of_costs"], &objects[0]["moves"]),
        (&7.into(), &11.into(), &10.into())
    );
    let positions = objects[0]["positions"].as_array().unwrap();
    assert_eq!(
        (positions.len(), &positions[0], &positions[7]),
        (8, &json!([[4, 4], [4, 2]]), &json!([[2, 2], [2, 4]]))
    );

    let object = |line: &str, input: &str| -> Value {
        serde_json::from_str(&run(line, input.as_bytes()).out).unwrap()
    };
    let unsolvable = object("halloween solve cut --json", "");
    assert_eq!((&unsolvable["outcome"], &unsolvable["cost"]), (&"unsolvable".into(), &Value::Null));
    assert_eq!((&unsolvable["optimal"], &unsolvable["plan"]), (&false.into(), &Value::Null));
    let stopped = object("halloween solve - --json --states 3 --engine bfs", LONG);
    assert_eq!((&stopped["outcome"], &stopped["limit"]), (&"stopped".into(), &"states".into()));
    assert_eq!((&stopped["cost"], &stopped["lower_bound"]), (&Value::Null, &2.into()));
}

/// Each map takes the scenarios that name it, and each scenario all numbers of agents.
#[test]
fn many_maps_scenarios_and_numbers_of_agents() {
    let folder = tempfile::tempdir().expect("a folder");
    let (maps, scenarios) = (folder.path().join("maps"), folder.path().join("scenarios"));
    for folder in [&maps, &scenarios] {
        std::fs::create_dir(folder).expect("a folder");
    }
    let read = |name: &str| {
        std::fs::read_to_string(root().join("testdata/halloween/moving-ai").join(name))
            .expect("text")
    };
    let write = |file: std::path::PathBuf, text: &str| std::fs::write(file, text).expect("written");
    for map in ["room", "hall"] {
        write(maps.join(format!("{map}.map")), &read("room.map"));
        let scenario = read("room.scen").replace("room.map", &format!("{map}.map"));
        write(scenarios.join(format!("{map}-1.scen")), &scenario);
        write(scenarios.join(format!("{map}-2.scen")), &scenario);
    }
    let (maps, scenarios) = (maps.display().to_string(), scenarios.display().to_string());
    let plot = folder.path().join("success.svg").display().to_string();
    let line =
        format!("halloween solve {maps} --scenario {scenarios} --agents 1,2 --plot-success {plot}");
    let ran = run(&format!("{line} --csv"), b"");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let name = |field: &str| field.rsplit('/').next().unwrap_or_default().to_owned();
    let rows: Vec<Vec<String>> =
        ran.out.lines().map(|row| row.split(',').map(name).collect()).collect();
    assert_eq!(
        rows[0].join(","),
        "map,scenario,agents,outcome,makespan,lower_bound,seconds,engine,sum_of_costs,moves"
    );
    let plan: Value = serde_json::from_str(
        run(&format!("{line} --json"), b"").out.lines().next().expect("a row"),
    )
    .expect("JSON");
    for (column, name) in [(4, "makespan"), (8, "sum_of_costs"), (9, "moves")] {
        assert_eq!(rows[1][column], plan[name].to_string(), "{name}");
    }
    assert_eq!(rows[1][7], "joint");
    let keys: Vec<String> = rows[1..].iter().map(|row| row[..4].join(" ")).collect();
    let mut expected = Vec::new();
    for map in ["hall", "room"] {
        for number in 1..=2 {
            for agents in 1..=2 {
                expected.push(format!("{map}.map {map}-{number}.scen {agents} solved"));
            }
        }
    }
    assert_eq!(keys, expected);
    assert!(ran.err.contains("2 of 2") && ran.err.contains("solved by agents"), "{}", ran.err);
    assert!(std::fs::read_to_string(&plot).expect("a chart").contains("agents"));
    let rows = run(&format!("{line} --json"), b"").out;
    let first: serde_json::Value =
        serde_json::from_str(rows.lines().next().expect("a row")).expect("JSON");
    assert_eq!((first["agents"].as_u64(), first["outcome"].as_str()), (Some(1), Some("solved")));
    assert!(first["map"].as_str().is_some_and(|map| map.ends_with("hall.map")));
    assert!(first["scenario"].as_str().is_some_and(|file| file.ends_with("hall-1.scen")));
    // Of a pattern, only the scenarios of the map; one that is named is taken all the same.
    let some = format!("halloween solve {maps}/room.map --scenario {scenarios}/*.scen");
    let ran = run(&format!("{some} --scenario {scenarios}/hall-1.scen --agents 1 --csv"), b"");
    assert_eq!(ran.out.lines().count(), 4, "{}", ran.out);
    let none = run(
        &format!(
            "halloween solve {maps}/room.map {maps}/hall.map --scenario {scenarios}/room-1.scen"
        ),
        b"",
    );
    assert!(none.err.contains("no scenario is for"), "{}", none.err);
}

#[test]
fn benchmark_maps_and_scenarios() {
    const ROOM: &str =
        "testdata/halloween/moving-ai/room.map --scenario testdata/halloween/moving-ai/room.scen";
    let solve = |options: &str| run(&format!("halloween solve {ROOM} {options}"), b"");
    let (all, two) = (solve(""), solve("--agents 2"));
    assert_eq!(
        (all.code, all.out.lines().nth(1)),
        (Some(0), Some("7 steps, optimal")),
        "{}",
        all.err
    );
    assert_eq!(two.code, Some(0));
    assert!(!two.out.contains('c'), "{}", two.out);
    let accepted = format!("{}: accepted, 7 steps\n", ROOM.split(' ').next().unwrap());
    let line = format!(
        "halloween verify {} - --scenario testdata/halloween/moving-ai/room.scen",
        accepted.split(':').next().unwrap()
    );
    expect(&line, &all.out, 0, &accepted);
    let ran = run(
        "halloween solve testdata/halloween/moving-ai/room.map --scenario - --agents 2",
        b"version 1\n0 r 8 5 0 0 1 1 2\n",
    );
    let wall = "<stdin>:2:9: found the start 0 0, which is a wall, expected a corridor cell of the \
                map";
    let warning = "warning: <stdin> is for `r`, and this is `room.map`";
    let (first, rest) = ran.err.split_once('\n').expect("two messages");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert_eq!((first, one_line(rest).as_str()), (warning, wall));
    // Another map of the same size, for which the scenario is not.
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("other.map").display().to_string();
    fs::copy(root().join("testdata/halloween/moving-ai/room.map"), &other).expect("copied");
    let scenario = "testdata/halloween/moving-ai/room.scen";
    let ran = run(&format!("halloween solve {other} --scenario {scenario}"), b"");
    let warning = format!("warning: {scenario} is for `room.map`, and this is `other.map`\n");
    assert_eq!((ran.code, ran.err), (Some(0), warning));
    assert_eq!(solve("").err, "");
    let ran = run(
        "halloween solve - --scenario testdata/halloween/moving-ai/room.scen",
        b"height 1\nwidth 1\nmap\n..\n",
    );
    assert_eq!(
        (ran.code, one_line(&ran.err).as_str()),
        (Some(2), "<stdin>:4:2: found a row of 2, expected a row of 1, the width in the header")
    );
    for line in [
        "halloween solve - --scenario -",
        "halloween solve sample-1 --agents 2",
        "halloween solve sample-1 --scenario nosuch",
    ] {
        assert_eq!(run(line, b"").code, Some(2), "{line}");
    }
    let more = solve("--agents 4");
    assert_eq!(more.code, Some(2));
    assert!(
        one_line(&more.err)
            .ends_with("room.scen:5:1: found the end of the text, expected agent 4 of 4"),
        "{}",
        more.err
    );
}

#[test]
fn generated_maps() {
    let maps = expect_ok("halloween generate --count 3 --width 9 --height 8 --ghosts 2 --seed 4");
    assert_eq!(
        maps,
        expect_ok("halloween generate --count 3 --width 9 --height 8 --ghosts 2 --seed 4")
    );
    assert_eq!(run("halloween", maps.as_bytes()).out.lines().count(), 3);
    let hard = run("halloween generate --hard 40 --width 9 --height 8 --ghosts 2 --seed 4", b"");
    let steps = run("halloween", hard.out.as_bytes()).out;
    assert_eq!(
        hard.err,
        format!(
            "{} steps, the most of 40 maps with a plan; 0 without a plan, 0 given up\n",
            steps.trim()
        )
    );
    let small = expect("halloween generate --width 3 --height 3", "", 2, "");
    assert_eq!(
        small.err,
        "error: a map of 3 x 3 cells has no room for the starts and goals of 3 ghosts\n"
    );
    // The 55th map of this seed is too small and is replaced by another one.
    let many = run("halloween generate --width 6 --height 6 --ghosts 4 --count 60 --seed 9", b"");
    assert_eq!(many.out.matches("6 6 4\n").count(), 60);
    let both = run("halloween generate --hard 3 --count 2", b"");
    assert!(both.err.contains("cannot be used with"), "{}", both.err);
    // Without the time limit this takes hours.
    let hard = run("halloween generate --hard 1000000 --ghosts 10 --time 500ms", b"");
    assert_eq!((hard.code, hard.out.lines().count()), (Some(21), 17));
}

#[test]
fn stats_go_to_standard_error() {
    let plain = run("halloween solve sample-2 --engine bfs", b"");
    let stats = run("halloween solve sample-2 --engine bfs --stats", b"");
    assert_eq!(plain.out, stats.out);
    assert!(
        stats.err.starts_with("sample-2: bfs, expanded 3306, recovered 36, generated "),
        "{}",
        stats.err
    );
    assert_eq!(run("halloween --stats", GOOD.as_bytes()).out, "2\n");
}

#[test]
fn verify_reports_the_first_illegal_step() {
    let verify = |plan: &str| run("halloween verify sample-1 -", plan.as_bytes());
    let good = "7 steps\naN bN\nbE\naS bE\naN bN\naW\naW\naN\n";
    assert_eq!(verify(good).out, "sample-1: accepted, 7 steps\n");
    assert_eq!(verify(&format!("# by hand\n\n{good}\n\n# the end\n")).code, Some(0));

    let refused = [
        (good.replace("aS bE", "aW bE"), "step 3: ghosts `a` and `b` exchange cells"),
        (
            good.replace("aN bN\nbE", "aN bW\nbE"),
            "step 1: ghost `b` at row 4, column 2 cannot go west: there is no corridor",
        ),
        (
            good.replace("aW\naN", "-\n-"),
            "after step 7 ghost `a` is at row 3, column 3, not at its goal at row 2, column 2",
        ),
        (
            good.replace("aW\naN", "aW"),
            "after step 6 ghost `a` is at row 3, column 2, not at its goal at row 2, column 2",
        ),
        (good.replace("7 steps", "8 steps"), "it has 7 steps, but its first line states 8"),
        ("unsolvable\n".to_owned(), "there is no plan to replay, only `unsolvable`"),
        (
            "stopped, out of time: any plan has at least 3 steps".to_owned(),
            "there is no plan to replay",
        ),
    ];
    for (plan, reason) in refused {
        let ran = verify(&plan);
        assert_eq!(ran.code, Some(11), "{}", ran.err);
        assert!(ran.out.starts_with(&format!("sample-1: refused, {reason}")), "{}", ran.out);
    }

    let errors = [
        (
            "",
            "1:1: found the end of the text, expected the moves of a plan, one a line, perhaps below their number, such as `7`",
        ),
        ("seven steps\n", "1:1: found `seven`, expected a ghost and its direction, such as `aN`"),
        ("1 step\naN cE\n", "2:4: found `cE`, expected a ghost from `a` to `b`"),
        ("1 step\naN aE\n", "2:4: found `aE`, expected each ghost at most once in a step"),
        ("1 step\naX\n", "2:1: found `aX`, expected the direction N, E, S or W"),
        ("1 step\nnorth\n", "2:1: found `north`, expected a ghost and its direction, such as `aN`"),
        (
            "1 step\n- aN\n",
            "2:3: found `aN`, expected the end of the line after `-` (all ghosts stay)",
        ),
    ];
    for (plan, error) in errors {
        let ran = verify(plan);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
        assert_eq!(one_line(&ran.err), format!("<stdin>:{error}"));
    }
    let ran = verify(&format!("{good}\n  {good}"));
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), "sample-1: accepted, 7 steps\n"));
    assert_eq!(
        one_line(&ran.err),
        "<stdin>:10:3: found another plan, expected no more plans than sample-1 has data sets"
    );
    let ran = run("halloween verify testdata/halloween/sample.in -", good.as_bytes());
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(2), "testdata/halloween/sample.in#1: accepted, 7 steps\n")
    );
    assert_eq!(ran.err, "error: <stdin> ends before the plan of testdata/halloween/sample.in#2\n");
}

#[test]
fn solve_accepts_every_listed_name() {
    let all = expect_ok("fewest list");
    let lists: Vec<_> =
        puzzles().map(|puzzle| (puzzle, expect_ok(&format!("{puzzle} list")))).collect();
    assert_eq!(all, lists.iter().map(|(_, list)| list.as_str()).collect::<String>());
    for (puzzle, list) in &lists {
        let rows = list.lines().filter_map(|line| line.strip_prefix("  ")?.split("  ").next());
        // The first row has the names of the columns.
        let names: Vec<&str> = rows.skip(1).collect();
        assert!(list.starts_with(&format!("{puzzle}  ")) && !names.is_empty(), "{list}");
        // Every tenth of the many layouts is enough here; a test of the klotski crate reads all.
        for name in names.iter().step_by(if names.len() > 100 { 10 } else { 1 }) {
            let output = program(puzzle).args(["solve", name, "--states", "5"]).output().unwrap();
            let err = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(output.status.code(), Some(0 | 10 | 22)), "{name}: {err}");
        }
    }
}

fn expect_ok(line: &str) -> String {
    let ran = run(line, b"");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{line}");
    ran.out
}

/// Both streams go to one pipe, as on a terminal.
#[test]
fn messages_and_answers_are_in_order() {
    let (mut reader, writer) = io::pipe().unwrap();
    let mut command = program("wall-pusher");
    command.args(["solve", "testdata/wall-pusher/mazes.in", "--stats"]);
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    // The command holds the write end of the pipe. The read ends after all write ends are closed.
    drop(command);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    child.wait().unwrap();
    let line =
        |start: String| text.lines().position(|line| line.starts_with(&start)).expect(&start);
    let name = |number| format!("testdata/wall-pusher/mazes.in#{number}");
    for number in 1..=5 {
        let [stats, answer, next] =
            [name(number) + ": ", format!("# {}", name(number)), name(number + 1) + ": "].map(line);
        assert!(stats < answer && answer < next, "{text}");
    }
}

#[test]
fn a_broken_pipe_is_not_an_error() {
    for arguments in [&[][..], &["solve", "-"]] {
        let mut child = program("halloween").args(arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer =
            std::thread::spawn(move || drop(stdin.write_all(GOOD.repeat(100_000).as_bytes())));
        let mut first = String::new();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        reader.read_line(&mut first).unwrap();
        assert!(["2\n", "# <stdin>#1\n"].contains(&first.as_str()), "{first}");
        drop(reader);
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
            (Some(0), "")
        );
    }
}

/// All boards would take hours.
#[test]
fn layers_that_nobody_reads_end_the_exploration() {
    let arguments = ["explore", "-", "--size", "6x6", "--layers", "--time", "5m"];
    let mut child = program("black-white").args(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let board = "101010 ".repeat(12);
    child.stdin.take().unwrap().write_all(board.as_bytes()).unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut String::new()).unwrap();
    drop(reader);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_ranking_does_not_depend_on_threads() {
    let rank = |options: &str| {
        let files = "testdata/klotski/at-large.in testdata/klotski/shut.in 指挥若定 no-such-name";
        let Run { code, out, err } = run(&format!("klotski rank {files} {options}"), b"");
        (code, out, err)
    };
    let one = rank("");
    assert!(one.0 == Some(2) && one.1.lines().count() > 4 && one.2.contains("no-such-name"));
    assert_eq!(rank("--threads 2"), one);
    assert_eq!(rank("--threads 5 --by boards"), rank("--by boards"));
}

/// A board that the options do not support and a missing file are reported; the others are ranked.
#[test]
fn a_failure_does_not_stop_a_ranking() {
    let files = "testdata/klotski/rush-hour.txt heng-dao-li-ma no-such-name";
    let Run { code, out, err } = run(&format!("klotski rank {files} --encoding classic"), b"");
    assert_eq!(code, Some(2));
    assert!(out.lines().count() == 2 && out.contains("heng-dao-li-ma"), "{out}");
    let places = ["rush-hour.txt#1:", "rush-hour.txt#2:", "no file `no-such-name`"];
    let positions = places.map(|place| err.find(place).unwrap_or_else(|| panic!("{err}")));
    assert!(positions.is_sorted(), "{err}");
}

#[test]
fn ranks_are_compared_with_published_numbers() {
    let line = |moves, boards| format!("{moves} IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM {boards}");
    let rank = |text: &str| run("klotski rank - --expect", text.as_bytes());
    let right = rank(&line(60, 2332));
    assert_eq!((right.code, right.err.as_str()), (Some(0), "1 of 1 board as expected\n"));
    let wrong = rank(&line(59, 2331));
    assert_eq!(wrong.code, Some(11));
    let expected = "<stdin>: expected 59 moves, found 60
<stdin>: expected 2331 boards, found 2332
0 of 1 board as expected
";
    assert_eq!(wrong.err, expected);
    // A wall in front of the red car: no plan exists.
    let shut = rank("1 AAxooooooooooooooooooooooooooooooooo 5");
    assert_eq!(shut.code, Some(2), "{}", shut.err);
    let shut = rank("5 ooooooooooooAAoxoooooooooooooooooooo 3");
    assert_eq!(shut.code, Some(11));
    assert!(shut.err.contains("expected 5 moves, found no plan"), "{}", shut.err);
    let no_number = rank("5 ooooooooooooAAoxoooooooooooooooooooo three");
    assert_eq!(no_number.code, Some(2));
    assert!(no_number.err.contains("`MOVES LINE BOARDS`"), "{}", no_number.err);
}

#[test]
fn the_parts_of_a_census_are_the_whole() {
    let rows = |options: &str| {
        let line = format!("klotski census --rush-hour 4x4 {options}");
        let Run { code, out, .. } = run(line.trim_end(), b"");
        assert_eq!(code, Some(0));
        out.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut whole = rows("");
    assert_eq!(rows("--threads 3"), whole);
    let part = |part| rows(&format!("--part {part} --threads 2"));
    let mut parts: Vec<_> = ["1/3", "2/3", "3/3"].into_iter().flat_map(part).collect();
    whole.sort();
    parts.sort();
    assert_eq!(parts, whole);
    // More parts than there are sets of rows: the last one is empty.
    assert_eq!(rows("--part 1000/1000"), [""; 0]);
}

#[test]
fn a_broken_pipe_of_csv_is_not_an_error() {
    for line in ["klotski explore heng-dao-li-ma --export csv", "klotski census --pieces 4,1,4"] {
        let mut words = line.split(' ');
        let mut command = program(words.next().unwrap());
        let mut child = command.args(words).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), error.as_ref()), (Some(0), ""), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_the_search_with_a_report() {
    let mut child = program("halloween")
        .args(["solve", "-", "--engine", "bfs", "--progress"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(format!("{GOOD}{LONG}{GOOD}").as_bytes()).unwrap();
    let Run { code, out, .. } = crate::program::signal_at_work(child, "-INT");
    assert!(out.contains("aE\naE\n\n"), "{out}");
    assert_eq!(code, Some(130));
    assert!(out.contains("# <stdin>#2\nstopped, interrupted: any plan has at least "), "{out}");
    assert!(!out.contains("<stdin>#3"), "{out}");
}

/// Searches that are too short to check their budget.
#[cfg(unix)]
#[test]
fn ctrl_c_between_short_searches_interrupts() {
    for mode in [&["solve", "-"][..], &[]] {
        let mut child = program("halloween").args(mode).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(GOOD.repeat(100_000).as_bytes()).unwrap();
        // The program waits for its reader when the signal arrives.
        let mut out = BufReader::with_capacity(1, child.stdout.take().unwrap());
        out.read_line(&mut String::new()).unwrap();
        std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap();
        let mut text = String::new();
        BufReader::new(out).read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{mode:?}");
        assert!(text.lines().count() < 100_000, "{mode:?}");
    }
}

/// A second Ctrl-C ends a program that is blocked because nobody reads its output.
#[cfg(target_os = "linux")]
#[test]
fn a_second_ctrl_c_ends_the_program() {
    let mut child =
        program("halloween").args(["solve", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(GOOD.repeat(20_000).as_bytes()).unwrap();
    let mut out = BufReader::with_capacity(1, child.stdout.take().unwrap());
    out.read_line(&mut String::new()).unwrap();
    let ended = (0..600).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap();
        child.try_wait().unwrap()
    });
    drop(child.kill());
    assert_eq!(ended.expect("it ends").code(), Some(130));
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_in_a_pipeline_interrupts_despite_the_broken_pipe() {
    let mut child = program("halloween")
        .args(["solve", "-", "--engine", "bfs"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(format!("{GOOD}{LONG}").as_bytes()).unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while !text.contains("aE\naE\n\n") {
        assert_ne!(out.read_line(&mut text).unwrap(), 0, "{text}");
    }
    drop(out);
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn built_in_names_precede_files_and_files_precede_inline_boards() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("1A9BF0C"), "前呼后拥\n").unwrap();
    let klotski = |code: &str| {
        let output =
            program("klotski").current_dir(folder.path()).args(["solve", code]).output().unwrap();
        String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .find(|line| !line.starts_with('#'))
            .unwrap()
            .to_owned()
    };
    assert_eq!(klotski("1A9BF0C"), "22 rectilinear moves, optimal");
    assert_eq!(klotski("1ADEF8"), "70 rectilinear moves, optimal");
    fs::write(folder.path().join("cut"), GOOD).unwrap();
    let solve = |name: &str| {
        let output =
            program("halloween").current_dir(folder.path()).args(["solve", name]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(solve("./cut"), (Some(0), String::new()));
    assert_eq!(
        solve("cut"),
        (
            Some(10),
            "note: `cut` is a built-in instance; the file of that name is `./cut`\n".to_owned()
        )
    );
}

/// A path from the start to a solved board by the moves of an export, as the text of a plan.
fn plan_along_export(boards: &[Value]) -> String {
    let mut before = vec![None; boards.len()];
    let mut queue = std::collections::VecDeque::from([0]);
    while let Some(from) = queue.pop_front() {
        let board = &boards[from];
        if board["solved"] == true {
            let (mut moves, mut at) = (Vec::new(), from);
            while let Some((earlier, text)) = before[at].clone() {
                moves.push(text);
                at = earlier;
            }
            moves.reverse();
            return moves.join("\n") + "\n";
        }
        let to = board["moves_to"].as_array().expect("numbers");
        for (to, text) in to.iter().zip(board["moves"].as_array().expect("moves")) {
            let to = to.as_u64().expect("a number") as usize;
            if to > 0 && before[to].is_none() {
                before[to] = Some((from, text.as_str().expect("a move").to_owned()));
                queue.push_back(to);
            }
        }
    }
    panic!("no board is solved")
}

#[test]
fn the_moves_of_an_export_are_those_of_plans() {
    for (board, moves) in
        [("halloween sample-1", 7), ("wall-pusher sample", 16), ("black-white sample", 4)]
    {
        let (puzzle, instance) = board.split_once(' ').expect("two words");
        let exported = run(&format!("{puzzle} explore {instance} --export jsonl"), b"").out;
        let boards: Vec<Value> =
            exported.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let plan = plan_along_export(&boards);
        assert_eq!(plan.lines().count(), moves, "{plan}");
        let unit = if puzzle == "halloween" { "steps" } else { "moves" };
        let text = format!("{moves} {unit}\n{plan}");
        let verified = run(&format!("{puzzle} verify {instance} -"), text.as_bytes());
        assert_eq!(verified.code, Some(0), "{text}: {verified:?}");
    }
}

/// The distance of each board of an export from the nearest solved one, by repeated passes over all
/// moves.
fn goal_distances(boards: &[Value]) -> Vec<Option<u64>> {
    let solved = |board: &Value| (board["solved"] == true).then_some(0);
    let mut distances: Vec<Option<u64>> = boards.iter().map(solved).collect();
    for distance in 1.. {
        let is_new = |(number, board): (usize, &Value)| {
            let mut next = board["moves_to"].as_array().expect("numbers").iter();
            let is_nearer = |to: &Value| {
                distances[to.as_u64().expect("a number") as usize] == Some(distance - 1)
            };
            distances[number].is_none() && next.any(is_nearer)
        };
        let new: Vec<bool> = boards.iter().enumerate().map(is_new).collect();
        if !new.contains(&true) {
            break;
        }
        let pairs = distances.iter_mut().zip(new);
        pairs.filter(|(_, new)| *new).for_each(|(known, _)| *known = Some(distance));
    }
    distances
}

#[test]
fn boards_at_distances_are_all_boards_with_their_moves() {
    let cases = ["halloween sample-1", "wall-pusher sample", "klotski BoCCBDDDAAoEFFoE"];
    for case in cases {
        let (puzzle, instance) = case.split_once(' ').expect("two words");
        let lines = |line: &str| -> Vec<Value> {
            let ran = run(line, b"");
            ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
        };
        let exported = lines(&format!("{puzzle} explore {instance} --export jsonl"));
        let distances = goal_distances(&exported);
        let generated =
            lines(&format!("{puzzle} generate {instance} --distance 0.. --each 100000 --json"));
        let with_distance = distances.iter().flatten().count();
        assert!(!generated.is_empty(), "{case}");
        assert_eq!(generated.len(), with_distance, "{case}");
        for board in &generated {
            let number = exported.iter().position(|other| other["board"] == board["board"]);
            let number = number.expect("a board of the export");
            assert_eq!(board["cost"].as_u64(), distances[number], "{board}");
            let after = |to: &Value| distances[to.as_u64().expect("a number") as usize];
            let to = exported[number]["moves_to"].as_array().expect("numbers");
            let mut expected: Vec<(&Value, Option<u64>)> = exported[number]["moves"]
                .as_array()
                .expect("moves")
                .iter()
                .zip(to.iter().map(after))
                .collect();
            let moves = board["moves"].as_array().expect("moves").iter();
            let mut found: Vec<_> = moves.map(|by| (&by["by"], by["cost"].as_u64())).collect();
            [&mut expected, &mut found]
                .into_iter()
                .for_each(|list| list.sort_by_key(|(by, _)| by.to_string()));
            assert_eq!(found, expected, "{board}");
        }
        // The text of a board, and its plan.
        for board in generated.iter().filter(|board| !board["text"].is_null()).take(30) {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("board");
            fs::write(&file, board["text"].as_str().expect("a text")).expect("written");
            let file = file.display();
            let solved = &lines(&format!("{puzzle} solve {file} --json"))[0];
            assert_eq!(solved["cost"], board["cost"], "{board}");
            let plan = board["plan"].as_array().expect("moves").iter();
            let plan: String =
                plan.map(|by| format!("{}\n", by.as_str().expect("a move"))).collect();
            if board["cost"] != 0 {
                let verified = run(&format!("{puzzle} verify {file} -"), plan.as_bytes());
                assert_eq!(verified.code, Some(0), "{board}: {verified:?}");
            }
        }
    }
    let one = |seed: u32| {
        let line = "klotski generate heng-dao-li-ma --distance 40 --each 2 --json --seed";
        run(&format!("{line} {seed}"), b"").out
    };
    assert_eq!((one(1) == one(1), one(1) == one(2)), (true, false));
}

/// A terminal of the system, by `script` of util-linux.
#[cfg(target_os = "linux")]
#[test]
fn escape_sequences_of_file_names_are_shown_on_a_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = "a\u{202e}b.txt";
    fs::write(folder.path().join(name), "XX\u{1b}[2J\n").expect("written");
    if std::process::Command::new("script").arg("--version").output().is_err() {
        fewest_testing::not_checked("output on a terminal, because there is no `script`");
        return;
    }
    let fewest = program("fewest").get_program().to_string_lossy().into_owned();
    let on_terminal = |line: &str| {
        let line = format!("{fewest} {line}");
        let shown = std::process::Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .current_dir(folder.path())
            .output()
            .expect("script");
        String::from_utf8_lossy(&shown.stdout).into_owned()
    };
    for shown in [on_terminal("klotski solve *.txt"), on_terminal("klotski solve nothing*")] {
        assert!(!shown.contains('\u{202e}') && !shown.contains("\u{1b}[2J"), "{shown:?}");
    }
    let shown = on_terminal("klotski solve *.txt");
    assert!(shown.contains("a\\u{202e}b.txt") && shown.contains("\\u{1b}[2J"), "{shown:?}");
    // Data for other programs stays as it is.
    let mut piped = program("fewest");
    piped.args(["klotski", "solve", name]).current_dir(folder.path());
    let err = piped.output().expect("it runs").stderr;
    assert!(String::from_utf8_lossy(&err).contains(name));
}

#[cfg(target_os = "linux")]
#[test]
fn file_names_need_not_be_unicode() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = "type octile\nheight 1\nwidth 4\nmap\n....\n";
    let scenario = "version 1\n0\tx.map\t4\t1\t0\t0\t3\t0\t3\n";
    fs::write(folder.path().join("x.map"), map).expect("written");
    fs::write(folder.path().join("x.scen"), scenario).expect("written");
    let shell = |line: &str| {
        let line = format!("N=$(printf 'h\\377'); {line}");
        crate::program::shell(&line, folder.path())
    };
    let made = shell(
        "printf '3 1 1\\na A\\n' > $N.in; echo 2 > $N.out; cp x.scen $N.scen; cp x.scen x.scen.svg",
    );
    assert_eq!(made, (Some(0), String::new()));
    for line in [
        "halloween $N.in",
        "halloween $N.in --expected $N.out",
        "halloween solve $N.in -o $N.svg && test -s $N.svg",
        "halloween solve \"$N*.in\" | grep -q '2 steps, optimal'",
        "halloween solve $N.in'#1' > $N.plan && halloween verify $N.in $N.plan",
        "halloween solve $N.in'#2' 2>&1 | grep 'has 1 of them'",
        "halloween show $N.in --plan $N.plan",
        "halloween solve $N.in --after $N.plan 2>&1 | grep '0 steps, optimal'",
        "halloween explore $N.in --plot $N-plot.svg && test -s $N-plot.svg",
        "halloween certify $N.in -o $N.cert && halloween check $N.in $N.cert",
        "halloween judge $N.in --program halloween --beyond-statement",
        "halloween sheet $N.in -o $N.html && test -s $N.html",
        "halloween solve x.map --scenario $N.scen",
        "halloween certify x.map --scenario $N.scen -o $N.scen 2>&1 | grep 'would be overwritten'",
        "halloween explore x.map --scenario x.scen.svg --plot x.scen.svg 2>&1 | grep 'would be overwritten'",
        "klotski convert heng-dao-li-ma --to board > $N.txt && klotski rank $N.txt",
        "halloween solve $N.in -o $N.in --format svg 2>&1 | grep 'would be overwritten'",
        "halloween solve $N.in'#1' -o $N.in --format svg 2>&1 | grep 'would be overwritten'",
        "halloween solve $N.missing 2>&1 | grep 'there is no file'",
    ] {
        let (code, output) = shell(line);
        assert_eq!(code, Some(0), "{line}: {output}");
    }
}

#[test]
fn names_are_printed_without_a_picture() {
    let solved = run("klotski solve heng-dao-li-ma --names", b"");
    assert_eq!(solved.code, Some(0), "{solved:?}");
    let captions: Vec<_> = solved.out.lines().filter(|line| line.contains("曹操 ")).collect();
    assert_eq!(captions.last(), Some(&"# 81 曹操 W"), "{}", solved.out);
    let verified = run("klotski verify heng-dao-li-ma -", solved.out.as_bytes());
    assert_eq!(verified.code, Some(0), "{verified:?}");
    assert!(!run("klotski solve heng-dao-li-ma", b"").out.contains("曹操"));
    let refused = run("klotski solve heng-dao-li-ma --names --json", b"");
    assert_eq!(refused.code, Some(2), "{refused:?}");
}

#[test]
fn boards_and_strips_are_drawn_as_png() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let mut sizes = Vec::new();
    for line in [
        format!("klotski show heng-dao-li-ma -o {}", file("board.png")),
        format!("halloween solve sample-1 -o {}", file("strip.png")),
        format!("black-white solve sample --every 2 --cell 20 -o {}", file("small.png")),
    ] {
        let ran = run(&line, b"");
        assert_eq!(ran.code, Some(0), "{line}: {ran:?}");
        let name = line.rsplit(' ').next().expect("a file");
        let png = fs::read(name).expect("a picture");
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "{line}");
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("4 bytes"));
        sizes.push((number(16), number(20)));
    }
    assert!(sizes.iter().all(|&(width, height)| width > 40 && height > 40), "{sizes:?}");
    let wrong = run(&format!("klotski show heng-dao-li-ma --animate -o {}", file("a.png")), b"");
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn each_command_has_a_manual_page_with_its_examples() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("new/man1");
    let written = program("fewest").arg("man").arg(&pages).output().expect("it runs");
    assert_eq!(written.status.code(), Some(0), "{written:?}");
    let page = |name: &str| fs::read_to_string(pages.join(name)).expect(name);
    assert!(page("klotski-explore.1").contains("klotski explore heng\\-dao\\-li\\-ma"));
    assert!(page("fewest-exit-codes.1").contains("proved unsolvable"));
    // The rows of a map stay on separate lines.
    assert!(page("halloween.1").contains("\n  #b#a#\n"), "{}", page("halloween.1"));
    let count = |command: &clap::Command| 1 + command.get_subcommands().count();
    let mut expected = 0;
    for mut command in fewest_cli::programs(fewest_catalog::PUZZLES) {
        command = command.disable_help_subcommand(true);
        command.build();
        let verbs: usize = command.get_subcommands().map(count).sum();
        expected += 1 + verbs;
    }
    assert_eq!(fs::read_dir(&pages).expect("the folder").count(), expected);
    let file = pages.join("klotski.1");
    let refused = program("fewest").arg("man").arg(&file).output().expect("it runs");
    let err = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(1) && err.contains("cannot write"), "{err}");
}
