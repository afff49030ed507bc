//! The answers to the test data files and to the built-in boards.

use fewest_black_white::builtin::BUILTINS;
use fewest_black_white::solve::{ENGINES, solve};
use fewest_black_white::{Instance, Size};
use fewest_core::budget::Budget;
use fewest_core::outcome::Verdict;
use fewest_puzzle::builtin;
use fewest_rules::verify;

const CLASSIC: Size = Size::new(4, 4).unwrap();

fn file(name: &str) -> String {
    let path = format!("{}/../../testdata/black-white/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn read(text: &str) -> Vec<Instance> {
    Instance::read(text.as_bytes(), CLASSIC).map(|boards| boards.expect("no error")).collect()
}

#[test]
fn samples_take_four_moves() {
    for name in ["P1225_sample.in", "P4289_sample.in"] {
        let boards = read(&file(name));
        assert_eq!(boards.len(), 1);
        for &engine in ENGINES {
            let answer =
                solve(&boards[0], Some(engine), &Budget::unlimited()).expect("a legal plan");
            let Verdict::Solved { plan, cost } = answer.outcome.verdict else {
                panic!("not solved")
            };
            assert_eq!((cost, plan.len()), (4, 4));
        }
    }
    let published = file("P1225_sample.out");
    let moves = published.lines().skip(1).map(|line| {
        let line = fewest_rules::text::Line { number: 1, text: line };
        fewest_black_white::Exchange::read(line).expect("a move")
    });
    let plan: fewest_black_white::Plan = moves.collect();
    assert_eq!(verify(&read(&file("P1225_sample.in"))[0], plan).map(|plan| plan.len()), Ok(4));
}

#[test]
fn builtin_boards_are_single_pairs_with_known_costs() {
    let cost = |name: &str| {
        let builtin = builtin::find(BUILTINS, name).expect("built-in boards");
        let boards = read(builtin.text);
        assert_eq!(boards.len(), 1, "{name}");
        solve(&boards[0], None, &Budget::unlimited()).expect("a legal plan").outcome.cost()
    };
    assert_eq!(BUILTINS.len(), 5);
    assert_eq!((cost("sample"), cost("inverted"), cost("one-less")), (Some(4), Some(16), None));
    assert_eq!((cost("chequered"), cost("corners")), (Some(21), Some(54)));
    let sample = builtin::find(BUILTINS, "sample").expect("the sample");
    assert_eq!(read(sample.text), read(&file("P1225_sample.in")));
}
