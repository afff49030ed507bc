//! The answers to the test data files and to the built-in mazes.

use fewest_core::budget::Budget;
use fewest_core::search::Engine;
use fewest_puzzle::builtin;
use fewest_puzzle::count_plans::CountPlans;
use fewest_wall_pusher::builtin::BUILTINS;
use fewest_wall_pusher::plan::letters;
use fewest_wall_pusher::solve::{ENGINES, solve};
use fewest_wall_pusher::{Instance, Size};

const CLASSIC: Size = Size::new(4, 6).unwrap();

fn file(name: &str) -> String {
    let path = format!("{}/../../testdata/wall-pusher/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn read(text: &str) -> Vec<Instance> {
    Instance::read(text.as_bytes(), CLASSIC).map(|maze| maze.expect("no error")).collect()
}

#[test]
fn sample_has_the_official_answer() {
    for &engine in ENGINES {
        let mazes = read(&file("sample.in"));
        assert_eq!(mazes.len(), 1);
        let answer = solve(&mazes[0], Some(engine), &Budget::unlimited()).expect("a legal plan");
        assert_eq!(
            answer.outcome.optimal().map(|plan| letters(plan)).as_deref(),
            Some(file("sample.out").trim())
        );
        if engine == Engine::Bfs {
            // A published count of the sample's boards, without the initial one.
            let stats = answer.outcome.stats;
            assert_eq!(stats.generated - stats.duplicates, 652);
        }
    }
}

/// The hardest mazes that `generate --hard` has found, solved by breadth-first search.
#[test]
fn hardest_mazes_have_one_shortest_plan() {
    let answers = file("hardest.out");
    let mazes = read(&file("hardest.in"));
    assert_eq!((mazes.len(), answers.lines().count()), (2, 2));
    for (maze, answer) in mazes.iter().zip(answers.lines()) {
        let bfs =
            solve(maze, Some(Engine::Bfs), &Budget::unlimited()).expect("a legal plan").outcome;
        let every = maze.list_shortest_plans(1, &Budget::unlimited()).expect("a legal plan");
        assert_eq!(bfs.optimal().map(|plan| letters(plan)).as_deref(), Some(answer));
        assert_eq!(every.optimal().and_then(|every| every.count), Some(1));
    }
}

#[test]
fn builtin_mazes_are_single_drawings_with_known_costs() {
    for builtin in BUILTINS {
        let mazes = read(builtin.text);
        assert_eq!(mazes.len(), 1, "{}", builtin.names[0]);
        // As the program draws it, without trailing spaces.
        assert!(
            mazes[0].drawing().lines().map(str::trim_end).eq(builtin.text.lines()),
            "{}",
            builtin.names[0]
        );
    }
    let cost = |name: &str| {
        let builtin = builtin::find(BUILTINS, name).expect("a built-in maze");
        solve(&read(builtin.text)[0], None, &Budget::unlimited())
            .expect("a legal plan")
            .outcome
            .cost()
    };
    let costs = [
        ("sample", Some(16)),
        ("long", Some(16)),
        ("hardest", Some(24)),
        ("large", Some(18)),
        ("larger", Some(38)),
        ("shut", None),
    ];
    assert_eq!(BUILTINS.len(), costs.len());
    for (name, moves) in costs {
        assert_eq!(cost(name), moves, "{name}");
    }
    let sample = builtin::find(BUILTINS, "sample").expect("the sample");
    assert_eq!(read(sample.text), read(&file("sample.in")));
}
