//! The text formats: what is read, what is refused and where, and that nothing panics.

use crate::layouts::{self, read};
use fewest_core::budget::Budget;
use fewest_klotski::solve::{Choice, solve};
use fewest_klotski::space::classic::Space;
use fewest_klotski::space::{Boards, Unit, unpack};
use fewest_klotski::{Instance, Metric, rush_hour};
use fewest_testing::texts::{assert_faults, mutated, read_or_refused, refused};
use proptest::prelude::*;

const GOOD: &str = "aCCb\naCCb\ncdde\ncfge\nh..i\n\n";

#[test]
fn boards_codes_and_names_may_follow_one_another() {
    let text = format!(
        "{GOOD}\n\n1A9BF0C\n 横刀立马 \r\n{}heng-dao-li-ma\naCCb/aCCb/cdde/cfge/h..i",
        GOOD.trim_end().replace('\n', "\r\n") + "\r\n"
    );
    let all: Vec<_> =
        Instance::read(text.as_bytes()).map(|layout| layout.expect("a good one")).collect();
    assert_eq!(all, vec![read(GOOD); 6]);
    // Names of four characters are no rows of a board, and neither are codes of four digits.
    let names = "横刀立马\n指挥若定\n将拥曹营\n齐头并进\n兵分三路\n";
    assert_eq!(Instance::read(names.as_bytes()).filter_map(Result::ok).count(), 5);
    assert_eq!(read("0FFF\n1A9BF0C\n").board().row_text(), "CCab/CCcd/ef../..../....");
    assert_eq!(read("1A9BF0C00").code().as_deref(), Some("1A9BF0C"));
    // Codes of four digits are rows of a board only if there are five of them.
    assert_eq!(
        Instance::read("0FFF\n0FFF\n0FFF\n0FFF\n".as_bytes()).filter_map(Result::ok).count(),
        4
    );
    assert_eq!(read("1A9BF0C000000").code().as_deref(), Some("1A9BF0C"));
    assert_eq!(read("1a9bf0c"), read("1A9BF0C"));
    assert_eq!(read("  aCCb\n  aCCb\n cdde\n\tcfge\n  h..i \n"), read(GOOD));
}

#[test]
fn goals_and_locks_stand_below_any_form_of_a_board() {
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
    let all: Vec<_> =
        Instance::read(text.as_bytes()).map(|puzzle| puzzle.expect("a good one")).collect();
    assert_eq!(all.len(), 8);
    let corner = read("aCCb/aCCb/cdde/cfge/h..i\ngoal: C at 1,1");
    assert!(all[..4].iter().all(|puzzle| *puzzle == corner));
    assert_eq!(corner.to_string(), "aCCb\naCCb\ncdde\ncfge\nh..i\ngoal: C at 1,1\n");
    assert_eq!(
        all[4].to_string(),
        "AAb\nA.b\n...\ngoal: A at 2,2\nlock: horizontal A\nlock: vertical b\n"
    );
    assert_eq!((all[5].board(), all[5].locks()), (all[6].board(), all[6].locks()));
    assert_eq!(all[6].to_string().lines().nth(6), Some("goal: A at 3,1"));
    assert!(all[7].is_classic());
    assert_eq!(
        all.iter().filter_map(rush_hour::write).collect::<Vec<_>>(),
        ["GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo"]
    );
}

#[test]
fn goals_from_elsewhere_leave_data_sets_as_they_are() {
    let target = ["C at 1,1".parse().expect("a target")];
    let count = |text: &str| {
        Instance::read_with_goals(text.as_bytes(), &target).filter_map(Result::ok).count()
    };
    let board = GOOD.trim_end();
    assert_eq!(count(&format!("{board}\n{board}\n")), 2);
    assert_eq!(count(&format!("{board}\n\n{board}\n横刀立马\n")), 3);
    assert_eq!(count("aCCb\naCCb\n....\n....\n....\n....\n"), 1);
}

#[test]
fn a_code_may_drop_its_zeros() {
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
fn each_fault_is_named_with_its_place_and_after_the_good_data_sets() {
    let faults: &[(&str, &str)] = &[
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
            "1:1: found a board of 2 rows and 4 columns, expected 5 rows of 4 characters; any other board has its goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "aCCb\naCCb\n\ncfge\nh..i\n",
            "1:1: found a board of 2 rows and 4 columns, expected 5 rows of 4 characters; any other board has its goal on a line below it, such as `goal: A at 4,2`",
        ),
        ("aCCb\naCCb\ncdd\ncfge\nh..i\n", "3:1: found `cdd`, expected row 3 of 4 characters"),
        ("aCCb\naCCb\ncddee\ncfge\nh..i\n", "3:1: found `cddee`, expected row 3 of 4 characters"),
        (
            "aCCb\naCCb\nc de\ncfge\nh..i\n",
            "3:2: found ` `, expected `.` for a blank, `#` for a wall, or the character of a piece",
        ),
        (
            "aCCb\naCCb\ncdde\ncf#e\nh..i\n",
            "4:3: found a wall, expected blanks and pieces; any other board has its goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "aaCC\naaCC\ncdde\ncfge\nh..i\n",
            "1:3: found a second 2x2, piece `C`, expected only one, as piece `a` is; any other board has its goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "abcd\nabcd\nefgh\nefgh\n..ij\n",
            "1:1: found no 2x2, expected one; any other board has its goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "aCCb\naCCb\ncdde\ncfga\nh..i\n",
            "1:1: found piece `a` of 3 cells that are none of these, expected one cell, two side by side, two on top of each other, or 2x2; any other board has its goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "aCCb\ndCCb\ncxxe\ncfge\nha..\n",
            "1:1: found piece `a` of 2 cells that are none of these, expected one cell, two side by side, two on top of each other, or 2x2; any other board has its goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "aCCb/aCCb/cdde/cfge\n",
            "1:1: found a board of 4 rows and 4 columns, expected 5 rows of 4 characters; any other board has its goal on a line below it, such as `goal: A at 4,2`",
        ),
        ("aCCb/aCCb/cdde/cfge/h..i/\n", "1:26: found an empty row, expected row 6 of 4 characters"),
        (
            "aCCb/aCCb/cdde/cfge/h..i/....\n",
            "1:1: found a board of 6 rows and 4 columns, expected 5 rows of 4 characters; any other board has its goal on a line below it, such as `goal: A at 4,2`",
        ),
        ("aCCb/aCCb/cde/cfge/h..i\n", "1:11: found `cde`, expected row 3 of 4 characters"),
        ("/home/me\n", "1:1: found an empty row, expected row 1 of at least one character"),
        ("1A9BG0C\n", "1:5: found `G`, expected a digit of a code, 0 to 9 or A to F"),
        (
            "3A9BF0C\n",
            "1:1: found a 2x2 that hangs over the edge, expected a cell that is not in the last column (code `3A9BF0C`)",
        ),
        (
            "F\n",
            "1:1: found a 2x2 that hangs over the edge, expected a cell that is not in the last column (code `F`)",
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
            "1:3: found a domino in row 2, column 4 that hangs over the edge, expected a piece within the board (code `0010000`)",
        ),
        (
            "000000080\n",
            "1:8: found a domino in row 5, column 1 that hangs over the edge, expected a piece within the board (code `000000080`)",
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
            "1:1: found a board of 2 rows and 5 columns, expected 5 rows of 4 characters; any other board has its goal on a line below it, such as `goal: A at 4,2`",
        ),
        (
            "AA.\nA..\n",
            "1:1: found a board of 2 rows and 3 columns, expected 5 rows of 4 characters; any other board has its goal on a line below it, such as `goal: A at 4,2`",
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
            "2:7: found a goal for piece `A` that is not within the board, expected the row and column of its first cell, so that all its cells are there",
        ),
        (
            "AAb/A.b\ngoal: x at 1,1\n",
            "2:7: found piece `x`, expected one that is on the board: `Ab`",
        ),
        (
            "A#A/...\ngoal: A at 2,1\n",
            "1:2: found a wall that cuts piece `A`, expected pieces that have no wall between their cells",
        ),
        (
            "Ab./...\ngoal: A at 2,1\ngoal: b at 2,1\n",
            "3:7: found goals for piece `A` and piece `b` that overlap at 2,1, expected places apart from each other",
        ),
        (
            "Ab./...\ngoal: A at 2,1\ngoal: A at 2,2\n",
            "3:7: found a second goal for piece `A`, expected only one for each piece",
        ),
        (
            "AAb/A.b\ngoal:\n",
            "2:1: found a goal without a drawing, expected a board of 2 rows and 3 columns with the pieces where they should be",
        ),
        (
            "AAb/A.b\ngoal:\n\nAA./A..\n",
            "2:1: found a goal without a drawing, expected a board of 2 rows and 3 columns with the pieces where they should be",
        ),
        (
            "AAb/A.b\ngoal:\n.AA/.AA\n",
            "3:2: found a goal for piece `A` that has another shape, expected its shape on the board, where its first cell is at 1,1",
        ),
        (
            "AAb/A.b\ngoal:\n.AA\n",
            "3:1: found a drawing of 1 row and 3 columns, expected a board of 2 rows and 3 columns with the pieces where they should be",
        ),
        (
            "AAb/A.b\ngoal:\n.../...\n",
            "3:1: found a drawing of a goal without a piece, expected a board of 2 rows and 3 columns with the pieces where they should be",
        ),
        (
            "AAb/A.b\ngoal:\n.#./b..\n",
            "3:2: found a wall in a goal that the board does not have, expected `.` or a piece",
        ),
        (
            "AA./A..\ngoal: b at 1,1\n",
            "2:7: found piece `b`, expected one that is on the board: `A`",
        ),
        ("../..\ngoal: b at 1,1\n", "2:7: found piece `b`, expected a board with pieces"),
        (
            "AAb/A.b\ngoal:\n.xx/...\n",
            "3:2: found piece `x`, expected one that is on the board: `Ab`",
        ),
        (
            "AAb/A.b\ngoal: b at 1,1\nlock: up\n",
            "3:7: found `up`, expected `horizontal`, `vertical` or `along`, and the pieces",
        ),
        (
            "AAb/A.b\ngoal: b at 1,1\nlock: along\n",
            "3:7: found piece `A`, as long as it is wide, expected `horizontal` or `vertical` for it",
        ),
        (
            "AAb/A.b\ngoal: b at 1,1\nlock: vertical x\n",
            "3:16: found piece `x`, expected one that is on the board: `Ab`",
        ),
        (
            "AAb/A.b\ngoal: b at 1,1\nlock: horizontal .b\n",
            "3:18: found piece `.`, expected one that is on the board: `Ab`",
        ),
        (
            "AAb/A.b\ngoal: b at 1,1\nlock: vertical b\nlock: along b\n",
            "4:13: found a second lock for piece `b`, expected only one, as it is locked vertical before",
        ),
        ("AAb\nA.b.\ngoal: b at 1,1\n", "2:1: found `A.b.`, expected row 2 of 3 characters"),
        (
            "GBBoLoGHIoLMGHIAABCCCKoMooJKDDEEJFFo\n",
            "1:2: found car `B` that is not straight, or a single cell, expected two cells or more in a row or column",
        ),
        (
            "GBBoLoGHIoLMGHIZZMCCCKoMooJKDDEEJFFo\n",
            "1:1: found no car `A`, expected one that leaves to the right",
        ),
        (
            "AAooooooooooooooooooooooooooooooooox\n",
            "1:1: found car `A` at 1,1, expected it on the third row, along it",
        ),
        (
            "............\n............\n............\n............\n............\n............\n............\n............\n............\n............\n............\ngoal: a at 1,1\n",
            "1:1: found 132 cells, expected at most 128 that are no walls",
        ),
    ];
    let faults: Vec<_> =
        faults.iter().map(|&(text, fault)| (text.as_bytes(), fault.to_owned())).collect();
    assert_faults(|text| Instance::read(text).collect(), GOOD, &faults);
    let form = "a board, a code or a name";
    assert_eq!(
        refused(Instance::read(b"")),
        (0, format!("1:1: found the end of the text, expected {form}"))
    );
    assert_eq!(
        refused(Instance::read(b"\n \n")),
        (0, format!("3:1: found the end of the text, expected {form}"))
    );
}

/// Each example of the page on boards is a data set that takes as many moves as the page says.
#[test]
fn the_examples_of_the_page_on_boards_are_true() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/klotski.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let page = page.split_once("## Boards").expect("the part on boards").1;
    let examples: Vec<&str> = page
        .split("```text\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or(rest))
        .collect();
    let moves = [[81, 90, 116], [59, 62, 83], [23, 26, 36], [51, 51, 81], [6, 6, 9]];
    assert_eq!(examples.len(), moves.len());
    for (example, moves) in examples.into_iter().zip(moves) {
        let found = Metric::ALL.map(|metric| {
            let answer = solve(&read(example), metric, Choice::default(), &Budget::unlimited());
            answer.expect("a legal plan").outcome.cost()
        });
        assert_eq!(found, moves.map(Some), "{example}");
    }
    let told: Vec<u32> = page
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .collect();
    assert!(moves.iter().all(|moves| moves.iter().all(|moves| told.contains(moves))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn text_to_layout_to_text_is_the_identity(text in layouts::texts()) {
        let layout = read(&text);
        prop_assert_eq!(layout.to_string(), text);
        prop_assert_eq!(&read(&layout.board().row_text()), &layout);
        let code = layout.code().expect("classic pieces");
        let decoded = read(&code);
        let space = Space::<Unit>::new(&layout).expect("classic pieces");
        prop_assert_eq!(space.pack(decoded.board()), space.pack(layout.board()));
        prop_assert_eq!(unpack(&space, layout.board(), space.pack(layout.board())), layout.board().clone());
        prop_assert_eq!(decoded.code(), Some(code.clone()));
        prop_assert_eq!(&read(code.trim_end_matches('0')), &decoded);
    }

    #[test]
    fn text_to_puzzle_to_text_is_the_identity(text in layouts::puzzles()) {
        let puzzle = read(&text);
        let written = puzzle.to_string();
        prop_assert_eq!(&read(&written).to_string(), &written);
        let again = read(&written);
        prop_assert_eq!((again.board(), again.goals()), (puzzle.board(), puzzle.goals()));
        prop_assert!(puzzle.board().pieces().into_iter().all(|piece| again.lock(piece) == puzzle.lock(piece)));
    }

    #[test]
    fn no_bytes_make_it_panic(
        any in prop::collection::vec(any::<u8>(), 0..200),
        code in prop::collection::vec(prop::sample::select(&b"0123456789ABCDEFG/\n"[..]), 0..40),
        rows in prop::collection::vec(prop::sample::select(&b"aabCC..\n\n#/ \xc3\xa4"[..]), 0..60),
        cars in prop::collection::vec(prop::sample::select(&b"AAAoooox.BC\n"[..]), 30..40),
        goals in prop::collection::vec(
            prop::sample::select(&["goal:", "lock:", " ", "a", "A", " at ", "1,1", "2,", ",", "along", "vertical", "\n", "aA.", "#", "/"][..]),
            0..30,
        ),
    ) {
        for text in [any, code, rows, cars, format!("aA./A#A\n{}", goals.concat()).into_bytes()] {
            read_or_refused(Instance::read(&text));
        }
    }

    #[test]
    fn no_mutation_of_good_text_makes_it_panic_or_hides_an_error_for_ever(
        text in mutated(
            prop::collection::vec(prop_oneof![layouts::texts(), layouts::puzzles()], 1..4).prop_map(|texts| texts.join("\n")),
            b"aC.bZ\n\r/ #1Fgoal:lock, at",
        ),
    ) {
        for puzzle in read_or_refused(Instance::read(&text)) {
            prop_assert_eq!(read(&puzzle.to_string()).to_string(), puzzle.to_string());
        }
    }
}
