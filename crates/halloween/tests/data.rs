//! The answers to the data files.

use fewest_core::budget::Budget;
use fewest_core::outcome::Verdict;
use fewest_core::search::Engine;
use fewest_halloween::Instance;
use fewest_halloween::solve::solve;

fn check(name: &str, engines: &[Option<Engine>]) {
    let file = |ending: &str| {
        let path = format!("{}/../../testdata/halloween/{name}.{ending}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let input = file("in");
    let houses: Vec<Instance> = Instance::read(input.as_bytes()).map(Result::unwrap).collect();
    for &engine in engines {
        let answers = houses.iter().map(|house| {
            let answer = solve(house, engine, &Budget::unlimited()).expect("a legal plan");
            match answer.outcome.verdict {
                Verdict::Solved { cost, .. } => cost.to_string(),
                Verdict::Unsolvable => "-1".to_owned(),
                Verdict::Stopped { .. } => "?".to_owned(),
            }
        });
        let answers: Vec<_> = answers.collect();
        let expected: Vec<_> = file("out").split_whitespace().map(str::to_owned).collect();
        assert_eq!(answers, expected, "{name}, {engine:?}");
    }
}

const LAYERED: &[Option<Engine>] = &[None, Some(Engine::Bfs), Some(Engine::Bidirectional)];
const ALL: &[Option<Engine>] = &[Some(Engine::Bfs), Some(Engine::Bidirectional), None, Some(Engine::Idastar)];

#[test]
fn sample() {
    check("sample", LAYERED);
}

#[test]
fn luogu_sample() {
    check("luogu_P1778_sample", LAYERED);
}

#[test]
fn community() {
    check("community_10x5", ALL);
}

#[test]
fn generated() {
    check("gen_valid10", ALL);
}

#[test]
fn cut_corridor() {
    check("broken_row_unsolvable", LAYERED);
}

#[test]
fn unreachable_order() {
    check("gen_unsolvable_order1", LAYERED);
}
