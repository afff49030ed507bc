//! A subset of the instances is certified and checked in each run of CI: all others are in the
//! bench.

use std::fs;

use crate::program::{Run, run};

/// Instances and what is claimed of them: each kind of proof of each puzzle.
const SUBSET: [(&str, &str, &str, &str); 12] = [
    ("klotski", "heng-dao-li-ma", "", "the shortest plan has 81 moves"),
    ("klotski", "heng-dao-li-ma", "--metric straight", "the shortest plan has 90 moves"),
    ("klotski", "heng-dao-li-ma", "--metric unit", "the shortest plan has 116 moves"),
    ("klotski", "testdata/klotski/shut.in", "", "there is no plan"),
    ("halloween", "sample-1", "", "the shortest plan has 7 moves"),
    ("halloween", "sample-2", "", "the shortest plan has 36 moves"),
    ("halloween", "sample-3", "", "the shortest plan has 77 moves"),
    ("halloween", "testdata/halloween/gen_unsolvable_order1.in", "", "there is no plan"),
    ("wall-pusher", "sample", "", "the shortest plan has 16 moves"),
    ("black-white", "sample", "", "the shortest plan has 4 moves"),
    (
        "black-white",
        "testdata/black-white/5x5-twelve.txt",
        "--size 5x5",
        "the shortest plan has 0 moves",
    ),
    ("halloween", "sample-1", "--layers", "boards are reachable"),
];

#[test]
fn a_subset_is_certified_and_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("certificate").display().to_string();
    for (puzzle, instance, options, claim) in SUBSET {
        let Run { code, out, err } =
            run(&format!("{puzzle} certify {instance} {options} -o {file}"), b"");
        assert_eq!(code, Some(0), "{puzzle} {instance}: {err}");
        assert!(out.contains(claim), "{puzzle} {instance}: {out}");
        let options = options.replace("--layers", "");
        let Run { code, out, .. } =
            run(&format!("{puzzle} check {instance} {file} {options}"), b"");
        assert_eq!(code, Some(0), "{puzzle} {instance}: {out}");
        assert!(out.contains("accepted") && out.contains(claim), "{puzzle} {instance}: {out}");
    }
}

/// Levels of GNOME Klotski with gates, by their number among those of the file.
#[test]
fn levels_with_gates_are_certified_and_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (level, certificate) = (file("level"), file("certificate"));
    let levels = include_str!("../../../../testdata/klotski/gnome.txt");
    let levels: Vec<&str> = levels.trim_end().split("\n\n").collect();
    let costs = [
        (0, 18),
        (1, 28),
        (2, 27),
        (4, 28),
        (6, 81),
        (9, 30),
        (10, 25),
        (11, 14),
        (15, 31),
        (17, 59),
    ];
    for (number, cost) in costs {
        assert!(levels[number].contains('-'), "level {number} has a gate");
        fs::write(&level, format!("{}\n", levels[number])).expect("written");
        let certified = run(&format!("klotski certify {level} -o {certificate}"), b"");
        assert_eq!(certified.code, Some(0), "level {number}: {}", certified.err);
        let Run { code, out, .. } = run(&format!("klotski check {level} {certificate}"), b"");
        let claim = format!("the shortest plan has {cost} moves");
        assert_eq!(code, Some(0), "level {number}: {out}");
        assert!(out.contains("accepted") && out.contains(&claim), "level {number}: {out}");
    }
}
