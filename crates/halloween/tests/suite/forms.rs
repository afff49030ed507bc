//! Scenarios in YAML, and plans as paths.

use fewest_halloween::Instance;
use fewest_puzzle::timeline::Timeline;
use fewest_rules::text::{Line, Lines};
use fewest_rules::{Rules, replay};
use fewest_testing::texts::mutated;
use proptest::prelude::*;

use crate::maps;

fn error(text: &str) -> String {
    Instance::read(text.as_bytes()).find_map(Result::err).expect("an error").to_string()
}

const VALID: &str = "agents:\n- {start: [0, 0], goal: [1, 0]}\nmap: {dimensions: [2, 1]}\n";

#[test]
fn documents_and_data_sets_follow_one_another() {
    let text = format!("---\n{VALID}---\n# another\n{VALID}2 1 1\naA\n0 0 0\n");
    let all: Vec<_> = Instance::read(text.as_bytes()).collect::<Result<_, _>>().expect("valid");
    assert_eq!(all.len(), 3);
    assert!(all.iter().all(|instance| *instance == all[0]));
}

#[test]
fn each_error_has_its_position() {
    const SCENARIO: &str = "`map` with `dimensions` and `obstacles`, and `agents` with a `start` and \
                            a `goal` each";
    let map = "map: {dimensions: [2, 1], obstacles: [[1, 0]]}\n";
    let cases = [
        ("agents: []\n".to_owned(), format!("1:1: found a scenario without `map`, expected {SCENARIO}")),
        (format!("---\n{map}"), format!("2:1: found a scenario without `agents`, expected {SCENARIO}")),
        (format!("---\nagents: []\n{map}"), "2:9: found no agent, expected an agent".to_owned()),
        (
            format!("agents:\n- {{start: [0, 0]}}\n{map}"),
            format!("2:3: found an agent without `goal`, expected {SCENARIO}"),
        ),
        (
            format!("agents:\n- {{start: [0, 0], goal: [0]}}\n{map}"),
            "2:25: found no pair of numbers, expected a column and a row, such as `[4, 0]`".into(),
        ),
        (
            format!("agents:\n- {{start: [0, 0], goal: [1, 0]}}\n{map}"),
            "2:25: found the goal 1 0, which is a wall, expected a corridor cell of the map".into(),
        ),
        (
            "map:\n  dimensions: [2, 1]\n  obstacles: [[2, 0]]\nagents: 5\n".into(),
            "3:15: found the obstacle 2 0, expected a column below 2 and a row below 1".into(),
        ),
        (
            "map:\n  dimensions: [2, 1]\nagents: 5\n".into(),
            "3:9: found `5`, expected a list of agents".into(),
        ),
        (
            "map:\n  dimensions: [65535, 65535]\nagents: []\n".into(),
            "2:15: found the dimensions 65535 65535, expected from 1 to 2097152 cells that are not \
             obstacles"
                .into(),
        ),
        (
            format!("{map}agents: []\nagents: []\n"),
            "3:1: found a second `agents`, expected each key once; `---` is between two scenarios"
                .into(),
        ),
        (
            "map: &a {dimensions: [2, 1]}\nagents: *a\n".into(),
            "2:9: found an alias, expected the value itself".into(),
        ),
        (
            "map:\n- [[[[[[[[[1]]]]]]]]]\n".into(),
            format!("2:9: found a list that is too deep, expected {SCENARIO}"),
        ),
    ];
    for (text, message) in cases {
        assert_eq!(error(&text), message, "{text}");
    }
    let malformed = error("map:\n  a: 1\n b: 2\n");
    assert!(malformed.contains("3:2: found YAML that is not well-formed"), "{malformed}");
}

/// The plan of a line for each agent.
fn paths(instance: &Instance, text: &str) -> Result<Vec<String>, String> {
    let lines: Vec<Line<'_>> =
        Lines::new(text.as_bytes()).collect::<Result<_, _>>().expect("UTF-8");
    let plan = instance.read_timeline(&lines).map_err(|error| error.to_string())?;
    Ok(plan.iter().map(ToString::to_string).collect())
}

#[test]
fn paths_are_read_in_any_order_and_agents_stay_at_their_ends() {
    let instance = Instance::read(b"4 2 2\na  A\nb B \n").next().expect("one").expect("valid");
    let plan = paths(
        &instance,
        "Agent 1: (1,0)->(1,1)->(1,2)\nAgent 0:(0,0)->(0,1)->(0,1)->(0,2)->(0,3)->\n",
    );
    assert_eq!(plan, Ok(["aE bE", "bE", "aE", "aE"].map(str::to_owned).to_vec()));
    for (text, message) in [
        ("Agent 0: (0,0)\n", "1:15: found the end of the paths, expected a path of agent 1 of 2"),
        ("Agent 0: (0,1)\n", "1:1: found another start of agent `a`, expected (0,0)"),
        (
            "Agent 0: (0,0)->(0,2)\n",
            "1:1: found agent `a` more than one cell away at time 1, expected the same or a \
             neighbouring cell",
        ),
        (
            "Agent 0: (0,0)\nAgent 0: (0,0)\n",
            "2:1: found a second path of agent 0, expected one path",
        ),
        ("Agent 2: (0,0)\n", "1:7: found `2`, expected an agent from 0 to 1"),
        (
            "Agent 0: (0 0)\n",
            "1:10: found `(0 0)`, expected `Agent A: (row,column)->(row,column)->...`",
        ),
    ] {
        assert_eq!(paths(&instance, text), Err(message.to_owned()));
    }
}

proptest! {
    /// Instances on the boards of a random walk, where ghosts stand on goals.
    #[test]
    fn any_instance_is_read_as_it_was_written(
        text in maps::texts([5, 5], 1..=4),
        walk in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let mut instance = Instance::read(text.as_bytes()).next().expect("one").expect("valid");
        for choice in walk {
            let moves = instance.moves(&instance.start_board());
            if moves.is_empty() {
                break;
            }
            let by = vec![choice.get(&moves).clone()];
            let board = replay(&instance, by).expect("a legal move").last_board(&instance);
            instance = instance.with_board(board).expect("an instance");
            let again = Instance::read(instance.to_string().as_bytes()).collect::<Vec<_>>();
            prop_assert_eq!(again, [Ok(instance.clone())]);
        }
    }

    #[test]
    fn mutations_of_valid_documents_do_not_panic(
        text in mutated(Just(VALID.to_owned()), b"-#:,[]{}&*!|>'\" \n\t0a\xff"),
    ) {
        Instance::read(&text).for_each(drop);
    }
}
