//! What `convert` writes in the forms of other programs is read again from a file as the same
//! puzzle.

use std::fs;

use serde_json::Value;

use crate::program::run;

/// A puzzle, an instance, and the notations that can express it.
const CASES: [(&str, &str, &[&str]); 6] = [
    (
        "klotski",
        "heng-dao-li-ma",
        &["board", "rows", "code", "short-code", "name", "digits", "blocks"],
    ),
    (
        "klotski",
        "AA...OP..Q.OPXXQ.OP..Q..B...CCB.RRR.",
        &["board", "rows", "rush-hour", "csv", "jams", "blocks"],
    ),
    ("klotski", "testdata/klotski/agatka.in", &["board", "rows", "gnome"]),
    ("halloween", "sample-1", &["contest", "yaml"]),
    ("wall-pusher", "sample", &["numbers", "drawing"]),
    ("halloween", "testdata/halloween/agents.yaml", &["yaml"]),
];

fn cost(line: &str) -> Value {
    let ran = run(&format!("{line} --json"), b"");
    assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
    let solved: Value = serde_json::from_str(&ran.out).expect("JSON");
    solved["cost"].clone()
}

#[test]
fn every_notation_goes_to_a_file_and_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    for (puzzle, instance, notations) in CASES {
        let expected = cost(&format!("{puzzle} solve {instance}"));
        for notation in notations {
            let written = run(&format!("{puzzle} convert {instance} --to {notation}"), b"");
            assert_eq!(written.code, Some(0), "{instance} to {notation}: {}", written.err);
            let path = file("instance");
            fs::write(&path, &written.out).expect("written");
            assert_eq!(cost(&format!("{puzzle} solve {path}")), expected, "{}", written.out);
            let again = run(&format!("{puzzle} convert {path} --to {notation}"), b"");
            assert_eq!(again.out, written.out, "{notation}");
        }
    }
}

/// A map and a scenario for it are two files.
#[test]
fn maps_and_scenarios_go_to_files_and_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    for instance in ["sample-3", "testdata/halloween/agents.yaml"] {
        let expected = cost(&format!("halloween solve {instance}"));
        let (folder, scenario) = (file("maps"), file("scenario"));
        fs::create_dir_all(&folder).expect("a folder");
        let map = format!("{folder}/map.map");
        let write = |path: &str, notation: &str| {
            let written = run(&format!("halloween convert {instance} --to {notation}"), b"");
            fs::write(path, &written.out).expect("written");
        };
        write(&map, "map");
        for notation in ["scenario", "pibt2"] {
            write(&scenario, notation);
            // By the name of the map, which the scenario has.
            for place in [&map, &folder] {
                let line = format!("halloween solve {place} --scenario {scenario}");
                assert_eq!(cost(&line), expected, "{notation}");
            }
        }
    }
}

#[test]
fn what_a_form_cannot_express_is_refused() {
    for (line, noun) in [
        ("klotski convert heng-dao-li-ma --to csv", "CSV list of cars"),
        ("klotski convert heng-dao-li-ma --to gnome", "level of GNOME Klotski"),
        ("klotski convert testdata/klotski/agatka.in --to blocks", "JSON object with blocks"),
        ("klotski convert testdata/klotski/agatka.in --to digits", "line of 20 digits"),
        (
            "halloween convert testdata/halloween/two-on-goals.yaml --to contest",
            "data set of the contest",
        ),
    ] {
        let ran = run(line, b"");
        assert_eq!(ran.code, Some(2), "{line}");
        assert!(ran.err.contains(&format!("as a {noun} without loss")), "{line}: {}", ran.err);
    }
}
