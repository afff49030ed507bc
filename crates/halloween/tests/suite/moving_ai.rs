//! The MovingAI files: valid files, and the positions and messages of errors.

use std::time::Duration;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::outcome::Verdict;
use fewest_core::search::Engine;
use fewest_geometry::Cell;
use fewest_halloween::moving_ai::{self, ReadError};
use fewest_halloween::solve::solve;
use fewest_halloween::{Ghost, rules};
use fewest_testing::texts::mutated;
use proptest::prelude::*;

const MAP: &str = "type octile\nheight 2\nwidth 4\nmap\n.G.S\n@TW.\n";
const SCENARIO: &str = "version 1\n0\ta.map\t4\t2\t0\t0\t3\t1\t4\n1\ta.map\t4\t2\t3\t0\t2\t0\t1\n";

fn place(x: i32, y: i32) -> Cell {
    Cell::new(y, x)
}

#[test]
fn the_agents_of_a_scenario_are_the_ghosts_of_its_map() {
    let instance = moving_ai::read(MAP.as_bytes(), SCENARIO.as_bytes(), None).unwrap();
    assert_eq!(instance.size().to_string(), "2x4");
    let pairs = [(place(0, 0), place(3, 1)), (place(3, 0), place(2, 0))];
    let ghosts = pairs.map(|(start, goal)| Ghost { start, goal });
    assert_eq!(instance.ghosts(), ghosts);
    let open: Vec<Cell> = instance.size().cells().filter(|&at| instance.is_corridor(at)).collect();
    assert_eq!(open, [place(0, 0), place(1, 0), place(2, 0), place(3, 0), place(3, 1)]);
    let first = moving_ai::read(MAP.as_bytes(), SCENARIO.as_bytes(), Some(1)).unwrap();
    assert_eq!(first.ghosts(), &ghosts[..1]);
    // Blanks instead of tabs, and CRLF line breaks.
    let crlf = |text: &str| text.replace('\t', "  ").replace('\n', "\r\n");
    assert_eq!(
        moving_ai::read(crlf(MAP).as_bytes(), crlf(SCENARIO).trim_end().as_bytes(), None),
        Ok(instance)
    );
}

#[test]
fn each_error_is_reported_with_its_file_and_position() {
    let header = "a header with `type octile`, `height H` and `width W`, then the line `map`";
    let maps = [
        ("", format!("1:1: found the end of the text, expected {header}")),
        ("....\n", format!("1:1: found `....`, expected {header}")),
        ("type octile\nheight x\n", "2:8: found `x`, expected a number from 1 to 65535".into()),
        ("height 0\n", "1:8: found `0`, expected a number from 1 to 65535".into()),
        ("height 2\nmap\n", "2:1: found `map`, expected `width W` before `map`".into()),
        ("width 2\nmap\n", "2:1: found `map`, expected `height H` before `map`".into()),
        ("height 2\nwidth 4\nmap\n....\n", "5:1: found the end of the text, expected row 2 of 2".into()),
        (
            "height 1\nwidth 4\nmap\n...\n",
            "4:4: found the end of a row of 3, expected a row of 4, the width in the header".into(),
        ),
        (
            "height 1\nwidth 4\nmap\n.....\n",
            "4:5: found a row of 5, expected a row of 4, the width in the header".into(),
        ),
        (
            "height 1\nwidth 4\nmap\n..#.\n",
            "4:3: found `#`, expected `.`, `G` or `S` for corridor, or `@`, `O`, `T` or `W` for a wall".into(),
        ),
        (
            "height 1\nwidth 4\nmap\n....\n\n....\n",
            "6:1: found `....`, expected the end of the map after row 1, the height in the header".into(),
        ),
    ];
    for (map, message) in maps {
        match moving_ai::read(map.as_bytes(), SCENARIO.as_bytes(), None) {
            Err(ReadError::Map(diagnostic)) => assert_eq!(diagnostic.to_string(), message),
            other => panic!("{map:?}: {other:?}"),
        }
    }
    let tile = "type tile\nheight 1\nwidth 1\nmap\n.\n";
    let Err(ReadError::Map(diagnostic)) =
        moving_ai::read(tile.as_bytes(), SCENARIO.as_bytes(), None)
    else {
        panic!("expected an error in the map")
    };
    assert_eq!(diagnostic.to_string(), "1:6: found `tile`, expected the type `octile`");
    let huge =
        format!("height 1025\nwidth 2048\nmap\n{}", format!("{}\n", ".".repeat(2048)).repeat(1025));
    let Err(ReadError::Map(diagnostic)) =
        moving_ai::read(huge.as_bytes(), SCENARIO.as_bytes(), None)
    else {
        panic!("expected an error in the map")
    };
    assert_eq!(
        diagnostic.to_string(),
        "1028:1: found corridor cell number 2097153, expected at most 2097152 corridor cells"
    );

    let row = |row: &str| format!("version 1\n{}\n", row.replace(' ', "\t"));
    let scenarios = [
        (
            String::new(),
            "1:1: found the end of the text, expected `version 1`, or the row of an agent",
        ),
        (
            "version 2\n".into(),
            "1:1: found `version 2`, expected `version 1`, or the row of an agent",
        ),
        ("version 1\n".into(), "2:1: found the end of the text, expected an agent"),
        (row("0 a 5 2 0 0 1 0 1"), "2:5: found the width 5, expected 4, the width of the map"),
        (row("0 a 4 3 0 0 1 0 1"), "2:7: found the height 3, expected 2, the height of the map"),
        (
            row("0 a 4 2 0"),
            "2:10: found the end of the row, expected a number in field 6, the row of the start",
        ),
        (
            row("0 a 4 2 -1 0 1 0 1"),
            "2:9: found `-1`, expected a number in field 5, the column of the start",
        ),
        (
            row("0 a 4 2 0 1 1 0 1"),
            "2:9: found the start 0 1, which is a wall, expected a corridor cell of the map",
        ),
        (
            row("0 a 4 2 0 0 1 1 1"),
            "2:13: found the goal 1 1, which is a wall, expected a corridor cell of the map",
        ),
        (
            row("0 a 4 2 4 0 1 0 1"),
            "2:9: found the start 4 0, expected a column below 4 and a row below 2",
        ),
        (
            row("0 a 4 2 0 0 1 2 1"),
            "2:13: found the goal 1 2, expected a column below 4 and a row below 2",
        ),
        (
            row("0 a 4 2 0 0 1 0 1\n0 a 4 2 0 0 2 0 1"),
            "3:9: found the start 0 0, expected a start other than the one on line 2",
        ),
        (
            row("0 a 4 2 0 0 1 0 1\n0 a 4 2 1 0 1 0 1"),
            "3:13: found the goal 1 0, expected a goal other than the one on line 2",
        ),
    ];
    for (scenario, message) in scenarios {
        match moving_ai::read(MAP.as_bytes(), scenario.as_bytes(), None) {
            Err(ReadError::Scenario(diagnostic)) => assert_eq!(diagnostic.to_string(), message),
            other => panic!("{scenario:?}: {other:?}"),
        }
    }
    let Err(ReadError::Scenario(diagnostic)) =
        moving_ai::read(MAP.as_bytes(), SCENARIO.as_bytes(), Some(3))
    else {
        panic!("expected an error in the scenario")
    };
    assert_eq!(diagnostic.to_string(), "4:1: found the end of the text, expected agent 3 of 3");
}

proptest! {
    #[test]
    fn arbitrary_bytes_do_not_panic(
        map in prop::collection::vec(any::<u8>(), 0..80),
        scenario in "[ -~\t\n]{0,80}",
    ) {
        let _ = moving_ai::read(&map, SCENARIO.as_bytes(), None);
        let _ = moving_ai::read(MAP.as_bytes(), &map, None);
        let _ = moving_ai::read(MAP.as_bytes(), format!("version 1\n{scenario}").as_bytes(), None);
    }

    #[test]
    fn mutations_of_valid_files_do_not_panic(
        map in mutated(Just(MAP.to_owned()), b"0 9.@T\n\r\t\xff"),
        scenario in mutated(Just(SCENARIO.to_owned()), b"0 9-a\n\r\t\xff"),
    ) {
        let _ = moving_ai::read(&map, SCENARIO.as_bytes(), None);
        let _ = moving_ai::read(MAP.as_bytes(), &scenario, None);
        let _ = moving_ai::read(&map, &scenario, Some(1));
    }
}

/// The map and the scenario of `agents` agents on a map without walls that each move three rows
/// down, in different columns.
fn parallel_agents(agents: u16) -> (String, String) {
    let map = format!(
        "height 4\nwidth {agents}\nmap\n{}",
        format!("{}\n", ".".repeat(agents.into())).repeat(4)
    );
    let agent = |x: u16| format!("0\ta\t{agents}\t4\t{x}\t0\t{x}\t3\t3\n");
    (map, format!("version 1\n{}", (0..agents).map(agent).collect::<String>()))
}

#[test]
fn hundreds_of_agents_have_a_plan_and_names() {
    let (map, scenario) = parallel_agents(300);
    let instance = moving_ai::read(map.as_bytes(), scenario.as_bytes(), None).unwrap();
    let outcome = solve(&instance, None, &Budget::unlimited()).expect("a legal plan").outcome;
    assert_eq!(outcome.cost(), Some(3));
    let plan = outcome.optimal().unwrap();
    assert!(plan[0].to_string().ends_with(" klS kmS knS"), "{}", plan[0]);
    let boards = plan.boards(&instance, |board| board.cells().to_vec());
    let cost = rules::sum_of_costs(&instance, boards);
    assert_eq!((cost, plan.iter().map(|step| step.moves()).sum::<usize>()), (900, 900));
}

#[test]
fn eighty_agents_rotate_in_one_step() {
    // Two rows of agents that rotate around the map: none can be planned before the others.
    let agent = |x: u16, y: u16, to: (u16, u16)| format!("0 a 40 2 {x} {y} {} {} 1\n", to.0, to.1);
    let above = (0..40).map(|x| agent(x, 0, if x < 39 { (x + 1, 0) } else { (39, 1) }));
    let below = (0..40).map(|x| agent(x, 1, if x > 0 { (x - 1, 1) } else { (0, 0) }));
    let scenario = format!("version 1\n{}", above.chain(below).collect::<String>());
    let map = format!("height 2\nwidth 40\nmap\n{0}\n{0}\n", ".".repeat(40));
    let instance = moving_ai::read(map.as_bytes(), scenario.as_bytes(), None).unwrap();
    let limits = Limits { time: Some(Duration::from_secs(2)), ..Limits::default() };
    let outcome = solve(&instance, None, &Budget::new(limits)).expect("a legal plan").outcome;
    match outcome.verdict {
        Verdict::Solved { cost, .. } => assert_eq!(cost, 1),
        Verdict::Stopped { lower_bound, .. } => assert_eq!(lower_bound, 1),
        Verdict::Unsolvable => panic!("found no plan, expected one step"),
    }
}

#[test]
fn a_million_cells_are_solved_by_every_engine() {
    let map = format!(
        "type octile\nheight 1024\nwidth 1024\nmap\n{}",
        format!("{}\n", ".".repeat(1024)).repeat(1024)
    );
    let scenario = "version 1\n0\tm\t1024\t1024\t1022\t1023\t1023\t1023\t1\n";
    let instance = moving_ai::read(map.as_bytes(), scenario.as_bytes(), None).expect("valid");
    for engine in [None].into_iter().chain(Engine::ALL.map(Some)) {
        let answer = solve(&instance, engine, &Budget::unlimited());
        assert_eq!(answer.expect("a legal plan").outcome.cost(), Some(1), "{engine:?}");
    }
}

/// One corridor through all cells of a map, in which the agent has to go farther than 65,534 cells.
#[test]
fn a_distance_that_does_not_fit_is_an_encoding_limit() {
    let (rows, columns) = (259, 512);
    let row = |row: usize| match row % 4 {
        0 | 2 => ".".repeat(columns),
        1 => "@".repeat(columns - 1) + ".",
        _ => ".".to_owned() + &"@".repeat(columns - 1),
    };
    let map: String = (0..rows).map(|number| row(number) + "\n").collect();
    let map = format!("height {rows}\nwidth {columns}\nmap\n{map}");
    let scenario = format!("0 m 0 0 0 0 {} {} 0\n", columns - 1, rows - 1);
    let instance = moving_ai::read(map.as_bytes(), scenario.as_bytes(), None).expect("valid");
    let outcome = solve(&instance, None, &Budget::unlimited()).expect("no plan").outcome;
    let is_stopped = matches!(outcome.verdict, Verdict::Stopped { limit: Limit::Encoding, .. });
    assert!(is_stopped, "{:?}", outcome.verdict);
}

/// The same two agents in all forms.
#[test]
fn scenarios_of_other_programs_are_read_as_the_same() {
    let map = "height 2\nwidth 4\nmap\n...@\n@...\n";
    let agents = ["0 0 3 1", "2 0 1 1"];
    let scenario = |first: &str, size: &str| {
        let row = |agent: &str| format!("0\tfolder/room.map\t{size}\t{agent}\t0.0\n");
        format!("{first}{}", agents.map(row).concat()).replace(' ', "\t")
    };
    let read = |scenario: &str, agents: Option<usize>| {
        moving_ai::read(map.as_bytes(), scenario.as_bytes(), agents)
    };
    let expected = read(&scenario("version 1\n", "4 2"), None).expect("valid");
    let pibt2 = "# two agents\nmap_file=maps/room.map\nagents=2\nrandom_problem=0\n\
                 0,0,3,1\n2,0,1,1\n1,1,2,1\n";
    let yaml = "map:\n  dimensions: [4, 2]\n  obstacles:\n  - [3, 0]\n  - [0, 1]\nagents:\n\
                - {name: a, start: [0, 0], goal: [3, 1]}\n- {start: [2, 0], goal: [1, 1]}\n";
    for text in [scenario("", "4 2"), scenario("version 1.0\n", "0 0"), pibt2.to_owned()] {
        assert_eq!(read(&text, Some(2)).as_ref(), Ok(&expected), "{text}");
        assert_eq!(moving_ai::map_name(text.as_bytes()).as_deref(), Some("room.map"), "{text}");
    }
    assert_eq!(read(pibt2, None).expect("valid").ghosts().len(), 2);
    assert_eq!(read(pibt2, Some(3)).expect("valid").ghosts().len(), 3);
    let of_yaml: Vec<_> = fewest_halloween::Instance::read(yaml.as_bytes()).collect();
    assert_eq!(of_yaml, [Ok(expected)]);
    let errors = [
        ("map_file=a\nagents=x\n", "2:8: found `x`, expected a number of agents"),
        (
            "map_file=a\nagents=2\n0,0,1,0\n",
            "4:1: found the end of the text, expected agent 2 of 2",
        ),
        (
            "map_file=a\nrandom_problem=1\nagents=2\n",
            "2:1: found `random_problem=1`, expected a line with the cells of each agent",
        ),
        (
            "map_file=a\n0,0,1\n",
            "2:1: found `0,0,1`, expected the column and the row of a start and of a goal, such as \
             `4,0,5,0`",
        ),
        (
            "map_file=a\n0,0,3,0\n",
            "2:5: found the goal 3 0, which is a wall, expected a corridor cell of the map",
        ),
    ];
    for (text, message) in errors {
        match read(text, None) {
            Err(ReadError::Scenario(diagnostic)) => assert_eq!(diagnostic.to_string(), message),
            other => panic!("{text:?}: {other:?}"),
        }
    }
}
