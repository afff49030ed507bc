//! Golden snapshots of the output of the programs. Review each change of them line by line.
//! `cargo xtask golden` updates them; `cargo xtask golden --check` reports how they would change.
//!
//! They contain answers, plans and counters, but no times.

use std::fmt::Write;

use crate::program::{data_files, puzzles, root, run};
use serde_json::Value;

fn assert_golden(folder: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("testdata").join(folder).join("golden"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Ends every search within seconds.
const STATES: u64 = 1_500_000;

/// One snapshot of a file solved by an engine. Its name has the file, the engine and the last word
/// of `options`.
fn check(puzzle: &str, stem: &str, engine: &str, options: &str) {
    let path = format!("testdata/{puzzle}/{stem}.in");
    let ran = run(
        &format!(
            "{puzzle} solve {path} --json --quiet --engine {engine} --states {STATES} {options}"
        ),
        b"",
    );
    assert_eq!(ran.err, "");
    let sections: Vec<String> = ran.out.lines().map(section).collect();
    let option =
        options.split_whitespace().last().map(|option| format!(".{option}")).unwrap_or_default();
    assert_golden(puzzle, &format!("{stem}.{engine}{option}"), &sections.join("\n"));
}

/// All data files of a puzzle, with the engine that it chooses and with each engine.
fn check_all(puzzle: &str) {
    let info = fewest_catalog::find(puzzle).expect("a puzzle").info();
    let engines = info.engines.iter().map(|engine| engine.name());
    for engine in engines.chain(["auto"]) {
        data_files(puzzle).iter().for_each(|stem| check(puzzle, stem, engine, ""));
    }
}

/// The section of one data set: lines of `key: value`, then the plan. `cargo xtask golden --check`
/// parses this format.
fn section(json: &str) -> String {
    let object: Value = serde_json::from_str(json).expect("JSON");
    let mut text = String::new();
    let word = |key: &str| object[key].as_str().unwrap_or_default().to_owned();
    let mut answer = word("outcome");
    match answer.as_str() {
        "solved" => write!(answer, ", cost {}, optimal {}", object["cost"], object["optimal"])
            .expect("a string"),
        "stopped" => write!(
            answer,
            ", out of {}, at least {}, cost {}",
            word("limit"),
            object["lower_bound"],
            object["cost"]
        )
        .expect("a string"),
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

/// One snapshot of command lines that only one puzzle supports.
fn check_commands(puzzle: &str, lines: &[&str]) {
    let transcripts: Vec<_> = lines.iter().map(|line| transcript(line, b"")).collect();
    assert_golden(puzzle, "questions", &transcripts.join("\n"));
}

/// Klotski has golden snapshots for each metric instead.
#[test]
fn each_data_file_with_each_engine() {
    std::thread::scope(|scope| {
        for puzzle in puzzles().filter(|puzzle| *puzzle != "klotski") {
            scope.spawn(move || check_all(puzzle));
        }
    });
}

/// Command lines that only halloween supports.
#[test]
fn halloween_commands() {
    let lines = [
        "halloween explore sample-1 --diameter",
        "halloween explore sample-1 cut --json",
        "halloween explore sample-2 --states 100",
        "halloween explore sample-1 --export graphml",
        "halloween explore sample-1 --export csv --states 1",
        "halloween convert sample-1",
        "halloween convert testdata/halloween/two-on-goals.yaml --to contest",
        "halloween solve -q testdata/halloween/agents.yaml testdata/halloween/two-on-goals.yaml --show",
        "halloween testdata/halloween/sample.in --expected testdata/halloween/sample.out",
        "halloween testdata/halloween/sample.in --expected testdata/halloween/other.out",
        "halloween testdata/halloween/sample.in --expected testdata/halloween/sample.in",
        "halloween testdata/halloween/sample.in --expected nosuch",
        "halloween testdata/halloween/sample.in --numbered",
        "halloween judge testdata/halloween/sample.in --program nosuch",
        "halloween judge --program ./nosuch --generate --wide",
        "halloween judge sample-1 --tries 3 --program cat",
        "halloween judge sample-1",
        "halloween generate --width 4..6 --height 4..6 --ghosts 1..2 --unsolvable --count 2",
        "halloween generate --width 4..6 --height 4..6 --ghosts 1..2 --solvable --count 2 --json",
        "halloween generate --width 3 --height 3 --ghosts 1 --solvable",
        "halloween generate --width 2..6",
        "halloween generate sample-1 --distance 6.. --each 3 --json",
        "halloween generate sample-1 --distance 3 --each 2",
        "halloween generate sample-1 --distance 8",
        "halloween generate --distance 8",
        "halloween generate sample-1",
        "halloween generate sample-1 --distance 3 --ghosts 2",
        "halloween generate --width 6..4",
        "halloween solve sample-1 --positions",
        "halloween solve sample-1 --positions --json",
        "halloween solve testdata/halloween/moving-ai/room.map --scenario testdata/halloween/moving-ai/*.scn",
        "halloween solve testdata/halloween/moving-ai/room.map sample-1 --scenario testdata/halloween/moving-ai",
    ];
    check_commands("halloween", &lines);
    let timelines = [
        "0:(1,1),(2,2),\n",
        "solution=\n0:(3,3),(1,3)\n1:(3,2),(1,2)\n2:(1,1),(1,2)\n",
        "0:(3,3),(1,3)\n2:(3,2),(1,2)\n",
        "0:(3,3)\n",
        "0:(3,3),(1,3)\n1:(3,2),(1,2)\n",
    ];
    let refused = timelines.map(|text| transcript("halloween verify sample-1 -", text.as_bytes()));
    assert_golden("halloween", "timelines", &refused.join("\n"));
}

/// Command lines that only wall-pusher supports.
#[test]
fn wall_pusher_commands() {
    let lines = [
        "wall-pusher explore sample",
        "wall-pusher explore shut",
        "wall-pusher explore long --json",
        "wall-pusher explore sample --states 100",
        "wall-pusher explore shut --export dot",
        "wall-pusher explore shut --export graphml",
        "wall-pusher solve testdata/wall-pusher/mazes.in --all --limit 2 --quiet",
        "wall-pusher solve sample --all --limit 0 --states 100",
        "wall-pusher solve shut --all",
        "wall-pusher solve sample --start 1,1 --start 3,4 --start 4,2 --quiet",
        "wall-pusher solve sample --start 1,1 --start 9,9",
        "wall-pusher solve sample --start 0,1",
        "wall-pusher testdata/wall-pusher/sample.in --start 2,2 --start 3,2",
        "wall-pusher convert sample --to numbers",
        "wall-pusher convert testdata/wall-pusher/sample.in --to drawing --start 4,6 --start 1,1",
        "wall-pusher generate --seed 7 --count 2",
        "wall-pusher generate --size 3x3 --walls 100 --gaps 0",
        "wall-pusher generate --hard 500 --seed 3",
        "wall-pusher generate --hard 3 --gaps 0 --size 2x2",
        "wall-pusher generate --unsolvable --count 2 --walls 90",
        "wall-pusher generate --gaps 0 --solvable --size 2x2",
        "wall-pusher generate --solvable --unsolvable",
        "wall-pusher generate sample --distance 16 --json",
        "wall-pusher testdata/wall-pusher/sample.in --expected testdata/wall-pusher/sample.out",
        "wall-pusher testdata/wall-pusher/sample.in --expected testdata/halloween/sample.out",
        "wall-pusher solve sample --after testdata/klotski/begun.plan",
    ];
    check_commands("wall-pusher", &lines);
}

#[test]
fn klotski() {
    for metric in ["rectilinear", "straight", "unit"] {
        for engine in ["bfs", "astar", "idastar"] {
            check("klotski", "forms", engine, &format!("--metric {metric}"));
        }
        check("klotski", "at-large", "bfs", &format!("--metric {metric}"));
    }
}

/// Command lines that only klotski supports.
#[test]
fn klotski_commands() {
    let lines = [
        "klotski explore heng-dao-li-ma --diameter",
        "klotski explore heng-dao-li-ma --diameter --metric straight",
        "klotski explore heng-dao-li-ma --diameter --metric unit",
        "klotski explore testdata/klotski/at-large.in --metric unit --json",
        "klotski explore heng-dao-li-ma --states 100",
        "klotski explore heng-dao-li-ma --export dot --states 100",
        "klotski explore testdata/klotski/shut.in --encoding classic",
        "klotski explore testdata/klotski/at-large.in --export csv",
        "klotski explore testdata/klotski/shut.in",
        "klotski explore testdata/klotski/shut.in --export graphml",
        "klotski explore testdata/klotski/shut.in --export dot",
        "klotski explore testdata/klotski/shut.in --export csv",
        "klotski explore testdata/klotski/shut.in --export jsonl",
        "klotski solve heng-dao-li-ma --all --limit 0",
        "klotski solve heng-dao-li-ma --all --limit 0 --metric straight",
        "klotski solve heng-dao-li-ma --all --limit 0 --metric unit",
        "klotski solve qian-hu-hou-yong --all --limit 2",
        "klotski solve heng-dao-li-ma --hint",
        "klotski solve zou-tou-wu-lu --all --hint",
        "klotski solve heng-dao-li-ma --all --states 12000",
        "klotski generate heng-dao-li-ma --exhaustive --states 100",
        "klotski generate testdata/klotski/shut.in --tries 2 --moves 500",
        "klotski rank testdata/klotski/shut.in heng-dao-li-ma --states 1000",
        "klotski census --pieces 4,1,4 --hardest --states 1000",
        "klotski generate heng-dao-li-ma --tries 3 --seed 2 --stats",
        "klotski generate heng-dao-li-ma --tries 3 --moves 20 --count 2 --unique --no-idle-piece --stats",
        "klotski generate testdata/klotski/shut.in --exhaustive",
        "klotski generate testdata/klotski/shut.in --distance 1..",
        "klotski generate heng-dao-li-ma --distance 92.. --each 5",
        "klotski generate ooBoooooBoooAABooooooooooooCCCoooooo --exhaustive",
        "klotski generate ooBoooooBoooAABooooooooooooCCCoooooo --exhaustive --moves 40",
        "klotski generate testdata/klotski/shut.in --exhaustive --states 1",
        "klotski rank testdata/klotski/at-large.in testdata/klotski/forms.in testdata/klotski/shut.in",
        "klotski rank testdata/klotski/at-large.in --by plans --json",
        "klotski rank testdata/klotski/rush-hour.txt --expect",
        "klotski rank heng-dao-li-ma --expect",
        "klotski solve IBBxooIooLDDJAALooJoKEEMFFKooMGGHHH",
        "klotski census --pieces 4,1,4 --hardest",
        "klotski census --pieces 7,0,0",
        "klotski census --pieces 4,1",
        "klotski census --pieces 9,9,9",
        "klotski census --rush-hour 4x4 --minimal --threads 2",
        "klotski census --rush-hour 4x4 --part 27/27",
        "klotski census --rush-hour 4x4 --part 4/3",
        "klotski census --rush-hour 5x5 --states 1000",
        "klotski census --rush-hour 7x7",
        "klotski census --rush-hour 4x4 --pieces 4,1,4",
        "klotski census --minimal",
        "klotski list 立*",
        "klotski list heng",
        "klotski list 1a9bf0c",
        "klotski list zzz",
        "klotski convert testdata/klotski/forms.in --to code",
        "klotski convert testdata/klotski/forms.in --to rows",
        "klotski convert testdata/klotski/at-large.in --to board",
        "klotski convert testdata/klotski/at-large.in --to code",
        "klotski convert IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM --to rush-hour",
        "klotski convert 1A9BF0C --to name",
        "klotski convert 1A9BF0C --to rush-hour",
        "klotski convert AA./A.b/b.# --to board",
        "klotski convert heng-dao-li-ma --to short-code",
        "klotski convert AXCZN --to code",
        "klotski convert short:4WVE1 --to name",
        "klotski convert testdata/klotski/at-large.in#1 --to short-code",
        "klotski solve ZZZZZ",
        "klotski solve short:4WVEI",
        "klotski solve short:4WV",
        "klotski generate --rush-hour --size 5x5 --tries 2 --count 2 --stats",
        "klotski generate --rush-hour --cars 3..5 --trucks 1 --walls 1..2 --moves 6.. --count 3 --seed 4",
        "klotski generate --rush-hour --size 4x4 --moves 8.. --tries 2",
        "klotski generate --rush-hour --cars 30",
        "klotski generate --rush-hour --cars 3..2",
        "klotski generate --rush-hour heng-dao-li-ma",
        "klotski generate --cars 3",
        "klotski generate heng-dao-li-ma --cars 3",
        "klotski convert 06FE90C --to short-code",
        "klotski sheet heng-dao-li-ma -o sheet.pdf",
        "klotski generate",
        "klotski solve .CC./.CC./aabb/..../.... --metric straight --after testdata/klotski/begun.plan",
        "klotski solve .CC./.CC./aabb/..../.... --after testdata/klotski/begun.plan --hint --show --metric straight",
        "klotski solve .CC./.CC./aabb/..../.... --after testdata/klotski/begun.plan",
        "klotski solve heng-dao-li-ma --after testdata/klotski/begun.plan --metric straight",
        "klotski solve .CC./.CC./aabb/..../.... --after nosuch",
        "klotski show .CC./.CC./aabb/..../.... --plan testdata/klotski/begun.plan --metric straight",
        "klotski verify .CC./.CC./aabb/..../.... testdata/klotski/begun.plan --metric straight",
        "klotski convert testdata/klotski/forms.in#2 --to name",
        "klotski solve testdata/klotski/forms.in#99",
        "klotski solve heng-dao-li-ma --csv --json",
        "klotski sheet heng-dao-li-ma -o target/nosuch/sheet.html",
        "klotski sheet",
        "klotski judge heng-dao-li-ma --generate --count",
    ];
    check_commands("klotski", &lines);
}

/// Command lines that only black-white supports.
#[test]
fn black_white_commands() {
    let lines = [
        "black-white solve sample --all --limit 24",
        "black-white solve corners --all --states 1000",
        "black-white solve inverted --all --limit 0",
        "black-white solve one-less --all",
        "black-white solve testdata/black-white/large/wall.in",
        "black-white solve testdata/black-white/large/wall.in --hint",
        "black-white solve testdata/black-white/large/wall.in --states 1000",
        "black-white solve testdata/black-white/large/wall.in --engine bfs",
        "black-white solve testdata/black-white/large/wall.in --all",
        "black-white testdata/black-white/boards.in --count-only",
        "black-white testdata/black-white/boards.in",
        "black-white testdata/black-white/boards.in --count-only --states 0",
        "black-white explore sample --diameter",
        "black-white explore corners --states 100 --json",
        "black-white explore testdata/black-white/large/wall.in",
        "black-white generate",
    ];
    check_commands("black-white", &lines);
}

/// Boards and plans as text and as SVG.
#[test]
fn pictures() {
    let of_each: [(&str, &[&str]); 4] = [
        (
            "halloween",
            &[
                "halloween show sample-2",
                "LC_ALL=C halloween show sample-2",
                "CLICOLOR_FORCE=1 halloween show sample-1",
                "CLICOLOR_FORCE=1 NO_COLOR=1 halloween show sample-1",
                "halloween show sample-1 --color always",
                "halloween solve sample-1 --show",
                "COLUMNS=40 halloween solve sample-1 --show",
                "COLUMNS=1 halloween show sample-1",
                "halloween solve sample-1 --show --format svg",
                "halloween solve sample-1 --show --format svg --animate --theme dark",
            ],
        ),
        (
            "wall-pusher",
            &[
                "wall-pusher solve sample --show",
                "LC_ALL=C wall-pusher solve sample --show",
                "wall-pusher solve sample --color always --show",
                "wall-pusher show shut --format svg",
                "wall-pusher solve sample --show --format svg --theme light --cell 12",
            ],
        ),
        (
            "klotski",
            &[
                "klotski show heng-dao-li-ma",
                "klotski show heng-dao-li-ma --names",
                "LC_ALL=C klotski show heng-dao-li-ma",
                "klotski show heng-dao-li-ma --color always",
                "klotski show heng-dao-li-ma --names --format svg",
                "klotski solve .CC./.CC./aabb/..../.... --show",
                "klotski solve .CC./.CC./aabb/..../.... --show --format svg",
                "klotski show testdata/klotski/forms.in",
                "klotski show testdata/klotski/at-large.in",
            ],
        ),
        (
            "black-white",
            &[
                "black-white show sample",
                "LC_ALL=C black-white show sample",
                "black-white solve sample --show",
                "black-white solve sample --show --format svg",
                "black-white show testdata/black-white/large/wall.in",
            ],
        ),
    ];
    for (puzzle, lines) in of_each {
        // An escape is written as the two characters `^[`, as in `cat -v`.
        let transcripts: Vec<_> =
            lines.iter().map(|line| transcript(line, b"").replace('\u{1b}', "^[")).collect();
        assert_golden(puzzle, "pictures", &transcripts.join("\n"));
    }
}

/// Pictures that cannot be drawn, and wrong options.
#[test]
fn picture_errors() {
    let lines = [
        "halloween show nosuch",
        "halloween show sample-1 --plan nosuch",
        "halloween show sample-1 --format jpg",
        "halloween show sample-1 --animate",
        "halloween show sample-1 --cell 3",
        "halloween show sample-1 --theme blue",
        "halloween show sample-1 -o target/nosuch/picture.svg",
        "halloween show sample-1 -o target/picture.jpg",
        "halloween show testdata/halloween/sample.in --format svg",
        "halloween solve sample-1 --format svg",
        "halloween solve sample-1 --show --json",
        "wall-pusher show sample --names",
    ];
    assert_golden(
        "fewest",
        "faults-of-pictures",
        &lines.map(|line| transcript(line, b"")).join("\n"),
    );
    let refused = transcript("halloween show sample-1 --plan -", b"1\naE\n");
    assert_golden("fewest", "show-refused", &refused);
}

/// A command line as a user sees it: the input, the output of both streams, and the exit code.
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
fn text_errors() {
    for puzzle in puzzles() {
        let mut names: Vec<String> =
            std::fs::read_dir(root().join(format!("testdata/{puzzle}/bad")))
                .expect("the folder")
                .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
                .collect();
        names.sort();
        let transcripts: Vec<_> = names
            .iter()
            .map(|name| transcript(&format!("{puzzle} testdata/{puzzle}/bad/{name}"), b""))
            .collect();
        assert_golden(puzzle, "faults", &transcripts.join("\n"));
    }
}

#[test]
fn command_line_errors() {
    let lines = [
        "fewest nosuch",
        "halloween nosuch.in",
        "halloween sample-1",
        "halloween solv sample-1",
        "halloween --engine bfs solve sample-1",
        "fewest halloween nosuch.in solve sample-1",
        "fewest halloween one two",
        "fewest hallowen solve sample-1",
        "halloween show sample-1 --json --cell 20",
        "halloween --count-only solve sample-1",
        "fewest list nosuch",
        "fewest solve heng-dao-li-ma",
        "klotski help slove",
        "klotski help exit-codes",
        "klotski play",
        "klotski play heng-dao-li-ma",
        "fewest play heng-dao-li-ma",
        "fewest heng-dao-li-ma",
        "halloween --json",
        "halloween solve sample-1 --count-only",
        "halloween solve nosuch",
        "halloween solve testdata",
        "halloween solve sample-1 --engine dfs",
        "halloween solve sample-1 --time soon",
        "halloween solve sample-1 --time -1",
        "halloween solve sample-1 --memory much",
        "halloween solve sample-1 --states -1",
        "halloween verify sample-1",
        "halloween verify - -",
        "wall-pusher solve sample --engine bidirectional",
        "wall-pusher solve sample --size 9x9",
        "wall-pusher solve sample --size 0x6",
        "wall-pusher solve sample --size 4",
        "wall-pusher slove sample",
        "wall-pusher solve sample --engine bfs --engine astar",
        "klotski 1A9BF0C",
        "klotski solve nosuch/a/b/c/d.in",
        "wall-pusher solve sampel",
        "klotski solve heng-dao-li-mu",
        "klotski solve 横刀立牛",
        "klotski solve nonsense",
        "klotski solve 1A9BG0C",
        "klotski solve aCCb/aCCb/cdde/cfge/h.ii",
        "klotski solve heng-dao-li-ma --metric manhattan",
        "klotski solve heng-dao-li-ma --engine bidirectional",
        "klotski heng-dao-li-ma",
        "black-white solve sample --size 4x1025",
        "black-white solve sample --size x",
        "black-white verify one-less nosuch",
    ];
    assert_golden("fewest", "faults", &lines.map(|line| transcript(line, b"")).join("\n"));
}

#[test]
fn help() {
    let of_each =
        ["-h", "--help", "solve -h", "solve --help", "verify --help", "show --help", "list"];
    let puzzles = puzzles().flat_map(|puzzle| of_each.map(|rest| format!("{puzzle} {rest}")));
    let others = [
        "fewest --help",
        "fewest list",
        "fewest list --help",
        "fewest halloween --help",
        "fewest halloween solve --help",
        "fewest halloween verify --help",
        "halloween list --help",
        "halloween generate --help",
        "wall-pusher explore --help",
        "wall-pusher generate --help",
        "wall-pusher convert --help",
        "klotski explore --help",
        "klotski generate --help",
        "klotski rank --help",
        "klotski census --help",
        "klotski convert --help",
        "klotski sheet --help",
        "halloween judge --help",
    ];
    for line in puzzles.chain(others.map(str::to_owned)) {
        let name = line.replace(" -", "-").replace("--", "-").replace(' ', "-");
        assert_golden("fewest", &name, &transcript(&line, b""));
    }
}
