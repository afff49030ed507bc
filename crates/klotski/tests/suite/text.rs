//! The text formats: round trips, error messages with their positions, and no panics on any input.

use crate::layouts::{self, read};
use fewest_core::budget::Budget;
use fewest_klotski::read::Overrides;
use fewest_klotski::solve::solve;
use fewest_klotski::space::classic::Space;
use fewest_klotski::space::{BoardSpace, Unit, unpack};
use fewest_klotski::{Instance, Metric, Task, rush_hour};
use fewest_testing::texts::{assert_parse_errors, mutated, parse_error, valid_data_sets};
use proptest::prelude::*;

const VALID: &str = "aCCb\naCCb\ncdde\ncfge\nh..i\n\n";

#[test]
fn boards_codes_and_names_may_follow_one_another() {
    let text = format!(
        "{VALID}\n\n1A9BF0C\n 横刀立马 \r\n{}heng-dao-li-ma\naCCb/aCCb/cdde/cfge/h..i",
        VALID.trim_end().replace('\n', "\r\n") + "\r\n"
    );
    let all: Vec<_> =
        Instance::read(text.as_bytes()).map(|layout| layout.expect("a valid data set")).collect();
    assert_eq!(all, vec![read(VALID); 6]);
    // Names of four characters are not rows of a board, and neither are codes of four digits.
    let names = "横刀立马\n指挥若定\n将拥曹营\n齐头并进\n兵分三路\n";
    assert_eq!(Instance::read(names.as_bytes()).filter_map(Result::ok).count(), 5);
    assert_eq!(read("0FFF\n1A9BF0C\n").board().row_text(), "CCab/CCcd/ef../..../....");
    assert_eq!(read("1A9BF0C00").code().as_deref(), Some("1A9BF0C"));
    // Codes of four digits are rows of a board only if five of them follow one another.
    assert_eq!(
        Instance::read("0FFF\n0FFF\n0FFF\n0FFF\n".as_bytes()).filter_map(Result::ok).count(),
        4
    );
    assert_eq!(read("1A9BF0C000000").code().as_deref(), Some("1A9BF0C"));
    assert_eq!(read("1a9bf0c"), read("1A9BF0C"));
    assert_eq!(read("  aCCb\n  aCCb\n cdde\n\tcfge\n  h..i \n"), read(VALID));
}

#[test]
fn goals_and_locks_can_follow_any_notation() {
    let text = "\
横刀立马
goal: C at 1,1
1A9BF0C
goal: C at 1,1
aCCb/aCCb/cdde/cfge/h..i
goal:
CC../CC../..../..../....
aCCb
aCCb
cdde
cfge
h..i
goal:
CC..
CC..
....
....
....

AAb
A.b
...
goal: A at 2,2
lock: along b
lock: horizontal A
GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo
GBB.L.GHI.LMGHIAAMCCCK.M..JKDDEEJFF.
goal: A at 3,1
横刀立马
";
    let all: Vec<_> = Instance::read(text.as_bytes())
        .map(|instance| instance.expect("a valid data set"))
        .collect();
    assert_eq!(all.len(), 8);
    let corner = read("aCCb/aCCb/cdde/cfge/h..i\ngoal: C at 1,1");
    assert!(all[..4].iter().all(|instance| *instance == corner));
    assert_eq!(corner.to_string(), "aCCb\naCCb\ncdde\ncfge\nh..i\ngoal: C at 1,1\n");
    assert_eq!(
        all[4].to_string(),
        "AAb\nA.b\n...\ngoal: A at 2,2\nlock: horizontal A\nlock: vertical b\n"
    );
    assert_eq!((all[5].board(), all[5].locks()), (all[6].board(), all[6].locks()));
    assert_eq!(all[6].to_string().lines().nth(6), Some("goal: A at 3,1"));
    assert!(all[7].is_classic());
    assert_eq!(
        all.iter().filter_map(rush_hour::line::write).collect::<Vec<_>>(),
        ["GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo"]
    );
}

#[test]
fn targets_do_not_change_how_data_sets_are_split() {
    let target = ["C at 1,1".parse().expect("a target")];
    let count = |text: &str| {
        Instance::read_with(text.as_bytes(), Overrides { goals: &target, ..Overrides::default() })
            .filter_map(Result::ok)
            .count()
    };
    let board = VALID.trim_end();
    assert_eq!(count(&format!("{board}\n{board}\n")), 2);
    assert_eq!(count(&format!("{board}\n\n{board}\n横刀立马\n")), 3);
    assert_eq!(count("aCCb\naCCb\n....\n....\n....\n....\n"), 1);
}

#[test]
fn trailing_zeros_of_a_code_are_optional() {
    for code in ["1ADEF80", "1ADEF8"] {
        assert_eq!(
            (read(code).board().row_text().as_str(), read(code).code().as_deref()),
            ("aCCb/aCCb/cdde/fghi/f..i", Some("1ADEF80"))
        );
    }
    assert_eq!(read("5").board().row_text(), "..../.CC./.CC./..../....");
    assert_eq!(read("5").code().as_deref(), Some("500000000"));
}

#[test]
fn errors_have_their_position_and_follow_the_valid_data_sets() {
    let too_large = "....................\n".repeat(20) + "goal: a at 1,1\n";
    let errors: &[(&str, &str)] = &[
        ("nonsense\n", "1:1: found `nonsense`, expected rows of a board, a code, or a name"),
        (
            "heng-dao-li\n",
            "1:1: found `heng-dao-li`, expected rows of a board, a code, or a name; did you mean `heng-dao-li-ma`?",
        ),
        (
            "横刀立牛\n指挥若定\n",
            "1:1: found `横刀立牛`, expected rows of a board, a code, or a name; did you mean `横刀立马`?",
        ),
        (
            "横刀立牛\n指挥若丁\n",
            "1:1: found `横刀立牛`, expected rows of a board, a code, or a name; did you mean `横刀立马`?",
        ),
        ("aCCb\n", "1:1: found `aCCb`, expected rows of a board, a code, or a name"),
        (
            "aCCb\naCCb\n",
            "1:1: found a board of 2 rows and 4 columns, expected 5 rows of 4 characters; any other board needs a goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "aCCb\naCCb\n\ncfge\nh..i\n",
            "1:1: found a board of 2 rows and 4 columns, expected 5 rows of 4 characters; any other board needs a goal on a line below it, such as `goal: A at 4,2`",
        ),
        ("aCCb\naCCb\ncdd\ncfge\nh..i\n", "3:1: found `cdd`, expected row 3 of 4 characters"),
        ("aCCb\naCCb\ncddee\ncfge\nh..i\n", "3:1: found `cddee`, expected row 3 of 4 characters"),
        (
            "aCCb\naCCb\nc de\ncfge\nh..i\n",
            "3:2: found ` `, expected `.` for a blank, `#` for a wall, or the character of a piece",
        ),
        (
            "aCCb\naCCb\ncdde\ncf#e\nh..i\n",
            "4:3: found a wall, expected blanks and pieces; any other board needs a goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "aaCC\naaCC\ncdde\ncfge\nh..i\n",
            "1:3: found a second 2x2, piece `C`, expected only one 2x2, piece `a`; any other board needs a goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "abcd\nabcd\nefgh\nefgh\n..ij\n",
            "1:1: found no 2x2 piece, expected one; any other board needs a goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "aCCb\naCCb\ncdde\ncfga\nh..i\n",
            "1:1: found piece `a` of 3 cells in another shape, expected a piece of 1x1, 1x2, 2x1 or 2x2 cells; any other board needs a goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "aCCb\ndCCb\ncxxe\ncfge\nha..\n",
            "1:1: found piece `a` of 2 cells in another shape, expected a piece of 1x1, 1x2, 2x1 or 2x2 cells; any other board needs a goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "aCCb/aCCb/cdde/cfge\n",
            "1:1: found a board of 4 rows and 4 columns, expected 5 rows of 4 characters; any other board needs a goal on a line below it, such as `goal: A at 4,2`",
        ),
        ("aCCb/aCCb/cdde/cfge/h..i/\n", "1:26: found an empty row, expected row 6 of 4 characters"),
        (
            "aCCb/aCCb/cdde/cfge/h..i/....\n",
            "1:1: found a board of 6 rows and 4 columns, expected 5 rows of 4 characters; any other board needs a goal on a line below it, such as `goal: A at 4,2`",
        ),
        ("aCCb/aCCb/cde/cfge/h..i\n", "1:11: found `cde`, expected row 3 of 4 characters"),
        ("/home/me\n", "1:1: found an empty row, expected row 1 of at least one character"),
        ("1A9BG0C\n", "1:5: found `G`, expected a digit of a code, 0 to 9 or A to F"),
        (
            "3A9BF0C\n",
            "1:1: found a 2x2 that extends beyond the board, expected a first cell that is not in the last column (code `3A9BF0C`)",
        ),
        (
            "F\n",
            "1:1: found a 2x2 that extends beyond the board, expected a first cell that is not in the last column (code `F`)",
        ),
        (
            "14\n",
            "1:2: found a domino in row 1, column 1 that overlaps another piece, expected pieces that do not overlap (code `14`)",
        ),
        (
            "21000\n",
            "1:2: found a domino in row 1, column 2 that overlaps another piece, expected pieces that do not overlap (code `21000`)",
        ),
        (
            "0010000\n",
            "1:3: found a domino in row 2, column 4 that extends beyond the board, expected a piece within the board (code `0010000`)",
        ),
        (
            "000000080\n",
            "1:8: found a domino in row 5, column 1 that extends beyond the board, expected a piece within the board (code `000000080`)",
        ),
        (
            "1A9BF0D\n",
            "1:7: found `D`, expected only zeros after the last cell of the board (code `1A9BF0D`)",
        ),
        (
            "0000000001\n",
            "1:10: found `1`, expected only zeros after the last cell of the board (code `0000000001`)",
        ),
        (
            "aab.c\naab.c\n",
            "1:1: found a board of 2 rows and 5 columns, expected 5 rows of 4 characters; any other board needs a goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "AA.\nA..\n",
            "1:1: found a board of 2 rows and 3 columns, expected 5 rows of 4 characters; any other board needs a goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "AAb/A.b\ngoal: A\n",
            "2:7: found `A`, expected a piece and the row and column of its first cell, such as `A at 4,2`",
        ),
        (
            "AAb/A.b\ngoal: A at 9,1\n",
            "2:7: found `A at 9,1`, expected a row from 1 to 2 and a column from 1 to 3",
        ),
        (
            "AAb/A.b\ngoal: A at 2,2\n",
            "2:7: found a goal for piece `A` that is not within the board, expected a row and column of its first cell that put all its cells within the board",
        ),
        ("AAb/A.b\ngoal: x at 1,1\n", "2:7: found piece `x`, expected a piece on the board: `Ab`"),
        (
            "A#A/...\ngoal: A at 2,1\n",
            "1:2: found a wall that cuts piece `A`, expected no wall between the cells of a piece",
        ),
        (
            "Ab./...\ngoal: A at 2,1\ngoal: b at 2,1\n",
            "3:7: found goals for piece `A` and piece `b` that overlap at 2,1, expected goals that do not overlap",
        ),
        (
            "Ab./...\ngoal: A at 2,1\ngoal: A at 2,2\n",
            "3:7: found a second goal for piece `A`, expected only one goal per piece",
        ),
        (
            "AAb/A.b\ngoal:\n",
            "2:1: found a goal without a drawing, expected a drawing of 2 rows and 3 columns with pieces on their goals",
        ),
        (
            "AAb/A.b\ngoal:\n\nAA./A..\n",
            "2:1: found a goal without a drawing, expected a drawing of 2 rows and 3 columns with pieces on their goals",
        ),
        (
            "AAb/A.b\ngoal:\n.AA/.AA\n",
            "3:2: found a goal for piece `A` in another shape, expected its shape on the board, where its first cell is at 1,1",
        ),
        (
            "AAb/A.b\ngoal:\n.AA\n",
            "3:1: found a drawing of 1 row and 3 columns, expected a drawing of 2 rows and 3 columns with pieces on their goals",
        ),
        (
            "AAb/A.b\ngoal:\n.../...\n",
            "3:1: found a goal drawing without a piece, expected a drawing of 2 rows and 3 columns with pieces on their goals",
        ),
        (
            "AAb/A.b\ngoal:\n.#./b..\n",
            "3:2: found a wall that the board does not have, expected `.` or a piece",
        ),
        ("AA./A..\ngoal: b at 1,1\n", "2:7: found piece `b`, expected a piece on the board: `A`"),
        ("../..\ngoal: b at 1,1\n", "2:7: found piece `b`, expected a board with pieces"),
        ("AAb/A.b\ngoal:\n.xx/...\n", "3:2: found piece `x`, expected a piece on the board: `Ab`"),
        (
            "AAb/A.b\ngoal: b at 1,1\nlock: up\n",
            "3:7: found `up`, expected `horizontal`, `vertical` or `along`, and the pieces",
        ),
        (
            "AAb/A.b\ngoal: b at 1,1\nlock: along\n",
            "3:7: found piece `A`, which is as tall as it is wide, expected `horizontal` or `vertical` instead of `along`",
        ),
        (
            "AAb/A.b\ngoal: b at 1,1\nlock: vertical x\n",
            "3:16: found piece `x`, expected a piece on the board: `Ab`",
        ),
        (
            "AAb/A.b\ngoal: b at 1,1\nlock: horizontal .b\n",
            "3:18: found piece `.`, expected a piece on the board: `Ab`",
        ),
        (
            "AAb/A.b\ngoal: b at 1,1\nlock: vertical b\nlock: along b\n",
            "4:13: found a second lock for piece `b`, expected only one lock, as it is already locked vertical",
        ),
        ("AAb\nA.b.\ngoal: b at 1,1\n", "2:1: found `A.b.`, expected row 2 of 3 characters"),
        (
            "GBBoLoGHIoLMGHIAABCCCKoMooJKDDEEJFFo\n",
            "1:2: found car `B` that is not straight or has one cell, expected two or more adjacent cells in one row or column",
        ),
        (
            "GBBoLoGHIoLMGHIZZMCCCKoMooJKDDEEJFFo\n",
            "1:1: found no car `A`, expected the car that leaves to the right",
        ),
        (
            "AAooooooooooooooooooooooooooooooooox\n",
            "1:1: found car `A` at 1,1, expected a horizontal car `A` or `X` in row 3",
        ),
        (too_large.as_str(), "1:1: found 400 cells that are not walls, expected at most 384"),
    ];
    let errors: Vec<_> =
        errors.iter().map(|&(text, error)| (text.as_bytes(), error.to_owned())).collect();
    assert_parse_errors(|text| Instance::read(text).collect(), VALID, &errors);
    let form = "a board, a code or a name";
    assert_eq!(
        parse_error(Instance::read(b"")),
        (0, format!("1:1: found the end of the text, expected {form}"))
    );
    assert_eq!(
        parse_error(Instance::read(b"\n \n")),
        (0, format!("3:1: found the end of the text, expected {form}"))
    );
}

/// Each example in the section on boards of docs/klotski.md is a data set, and the section gives
/// its cost in each metric.
#[test]
fn examples_of_the_documentation_have_the_costs_that_it_gives() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/klotski.md");
    let page = std::fs::read_to_string(path).expect("docs/klotski.md");
    let page = page.split_once("## Boards").expect("the section on boards").1;
    let examples: Vec<&str> = page
        .split("```text\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or(rest))
        .collect();
    let costs = [[81, 90, 116], [59, 62, 83], [23, 26, 36], [31, 37, 45], [51, 51, 81], [6, 6, 9]];
    assert_eq!(examples.len(), costs.len());
    for (example, costs) in examples.into_iter().zip(costs) {
        let found = Metric::ALL.map(|metric| {
            let answer = solve(&Task::new(read(example), metric), None, &Budget::unlimited());
            answer.expect("a legal plan").outcome.cost()
        });
        assert_eq!(found, costs.map(Some), "{example}");
    }
    let numbers: Vec<u32> = page
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .collect();
    assert!(costs.iter().flatten().all(|cost| numbers.contains(cost)));
}

proptest! {
    #![proptest_config(fewest_testing::cases(2000))]

    #[test]
    fn layouts_round_trip(text in layouts::texts()) {
        let layout = read(&text);
        prop_assert_eq!(layout.to_string(), text);
        prop_assert_eq!(&read(&layout.board().row_text()), &layout);
        let code = layout.code().expect("classic pieces");
        let decoded = read(&code);
        let space = Space::<Unit>::new(&layout).expect("classic pieces");
        prop_assert_eq!(space.pack(decoded.board()), space.pack(layout.board()));
        let packed = space.pack(layout.board());
        prop_assert_eq!(&unpack(&space, layout.board(), packed), layout.board());
        prop_assert_eq!(decoded.code(), Some(code.clone()));
        prop_assert_eq!(&read(code.trim_end_matches('0')), &decoded);
    }

    #[test]
    fn puzzles_round_trip(text in layouts::puzzles()) {
        let instance = read(&text);
        let written = instance.to_string();
        prop_assert_eq!(&read(&written).to_string(), &written);
        let again = read(&written);
        prop_assert_eq!((again.board(), again.goals()), (instance.board(), instance.goals()));
        let mut pieces = instance.board().pieces().into_iter();
        prop_assert!(pieces.all(|piece| again.lock(piece) == instance.lock(piece)));
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(
        any in prop::collection::vec(any::<u8>(), 0..200),
        code in prop::collection::vec(prop::sample::select(&b"0123456789ABCDEFG/\n"[..]), 0..40),
        rows in prop::collection::vec(prop::sample::select(&b"aabCC..\n\n#/ \xc3\xa4"[..]), 0..60),
        cars in prop::collection::vec(prop::sample::select(&b"AAAoooox.BC\n"[..]), 30..40),
        goals in prop::collection::vec(
            prop::sample::select(
                &[
                    "goal:", "lock:", " ", "a", "A", " at ", "1,1", "2,", ",", "along", "vertical",
                    "\n", "aA.", "#", "/",
                ][..],
            ),
            0..30,
        ),
    ) {
        for text in [any, code, rows, cars, format!("aA./A#A\n{}", goals.concat()).into_bytes()] {
            valid_data_sets(Instance::read(&text));
        }
    }

    #[test]
    fn mutated_texts_do_not_panic_and_errors_are_reported(
        text in mutated(
            prop::collection::vec(prop_oneof![layouts::texts(), layouts::puzzles()], 1..4)
                .prop_map(|texts| texts.join("\n")),
            b"aC.bZ\n\r/ #1Fgoal:lock, at",
        ),
    ) {
        for instance in valid_data_sets(Instance::read(&text)) {
            prop_assert_eq!(read(&instance.to_string()).to_string(), instance.to_string());
        }
    }
}
