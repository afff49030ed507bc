//! A subset of the instances is certified and checked in each run of CI: all others are in the
//! bench.

use crate::program::{Run, run};

/// Instances and what is claimed of them: each kind of proof of each puzzle.
const SUBSET: [(&str, &str, &str, &str); 12] = [
    ("klotski", "heng-dao-li-ma", "", "a plan of 81 moves solves it"),
    ("klotski", "heng-dao-li-ma", "--metric straight", "a plan of 90 moves solves it"),
    ("klotski", "heng-dao-li-ma", "--metric unit", "a plan of 116 moves solves it"),
    ("klotski", "testdata/klotski/shut.in", "", "no plan solves it"),
    ("halloween", "sample-1", "", "a plan of 7 moves solves it"),
    ("halloween", "sample-2", "", "a plan of 36 moves solves it"),
    ("halloween", "sample-3", "", "a plan of 77 moves solves it"),
    ("halloween", "testdata/halloween/gen_unsolvable_order1.in", "", "no plan solves it"),
    ("wall-pusher", "sample", "", "a plan of 16 moves solves it"),
    ("black-white", "sample", "", "a plan of 4 moves solves it"),
    (
        "black-white",
        "testdata/black-white/5x5-twelve.txt",
        "--size 5x5",
        "a plan of 0 moves solves it",
    ),
    ("halloween", "sample-1", "--layers", "boards can be reached"),
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
