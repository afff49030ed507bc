//! The costs of the instances in the data files.

use fewest_core::budget::Budget;
use fewest_core::outcome::Verdict;
use fewest_core::search::Engine;
use fewest_halloween::Instance;
use fewest_halloween::solve::solve;

/// Checks the costs of a file, by the default search and by `engines`.
fn check(name: &str, engines: &[Engine]) {
    let file = |extension: &str| {
        let path =
            format!("{}/../../testdata/halloween/{name}.{extension}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let input = file("in");
    let instances: Vec<Instance> = Instance::read(input.as_bytes()).map(Result::unwrap).collect();
    let expected: Vec<_> = file("out").split_whitespace().map(str::to_owned).collect();
    for engine in engines.iter().copied().map(Some).chain([None]) {
        let answers = instances.iter().map(|instance| {
            let answer = solve(instance, engine, &Budget::unlimited()).expect("a legal plan");
            match answer.outcome.verdict {
                Verdict::Solved { cost, .. } => cost.to_string(),
                Verdict::Unsolvable => "-1".to_owned(),
                Verdict::Stopped { .. } => "?".to_owned(),
            }
        });
        assert_eq!(answers.collect::<Vec<_>>(), expected, "{name}, {engine:?}");
    }
}

#[test]
fn sample() {
    check("sample", &Engine::ALL);
}

#[test]
fn luogu_sample() {
    check("luogu_P1778_sample", &Engine::ALL);
}

#[test]
fn community() {
    check("community_10x5", &Engine::ALL);
}

#[test]
fn generated() {
    check("gen_valid10", &Engine::ALL);
}

#[test]
fn cut_corridor() {
    check("broken_row_unsolvable", &Engine::ALL);
}

#[test]
fn unreachable_order() {
    check("gen_unsolvable_order1", &Engine::ALL);
}

/// Three ghosts in a row reverse their order in a long corridor. IDA* takes minutes.
#[test]
fn reversals() {
    check("reversals", &[Engine::Bfs, Engine::Bidirectional, Engine::Astar]);
}
