//! The contest format: valid texts, the positions and messages of errors, and no panics.

use fewest_geometry::Cell;
use fewest_halloween::builtin::BUILTINS;
use fewest_halloween::{Halloween, Instance};
use fewest_puzzle::options::OptionSource;
use fewest_puzzle::{AnyPuzzle, verify};
use fewest_testing::texts::{assert_parse_errors, mutated, parse_error, valid_data_sets};
use proptest::prelude::*;
use serde_json::json;

use crate::maps;

fn read(text: &str) -> Instance {
    Instance::read(text.as_bytes()).next().expect("a data set").expect("well-formed")
}

const VALID: &str = "3 1 1\na A\n";

#[test]
fn short_rows_crlf_trailing_blanks_and_a_missing_end_are_valid() {
    let instance = read("5 3 1\n#####\n#a A#\n#####\n");
    assert_eq!(read("5 3 1\r\n#####   \r\n#a A# \t\r\n#####\r\n0 0 0\r\n"), instance);
    assert_eq!(read("\n\n  5 3 1  \n#####\n#a A#\n#####"), instance);
    let padded = read("5 3 1\n#####\n#a A\n#\n");
    assert!(
        padded.is_corridor(Cell { row: 1, column: 4 })
            && padded.is_corridor(Cell { row: 2, column: 1 })
    );
    assert!(
        !padded.is_corridor(Cell { row: 1, column: 5 })
            && !padded.is_corridor(Cell { row: 3, column: 0 })
    );
    assert_eq!(read("\u{feff}3 1 1\na A"), read(VALID));
    // An empty row is a row of corridor.
    assert_eq!(read("3 2 1\na A\n\n"), read("3 2 1\na A\n   \n"));
}

#[test]
fn several_data_sets_end_at_the_zeros_or_at_the_end() {
    for end in ["", "0 0 0", "0 0 0\n", "\n0 0 0\n\n \n", "00 0 0"] {
        let text = format!("{VALID}\n{VALID}{VALID}{end}");
        assert_eq!(Instance::read(text.as_bytes()).filter_map(Result::ok).count(), 3, "{end:?}");
        assert!(Instance::read(text.as_bytes()).all(|data_set| data_set.is_ok()), "{end:?}");
    }
}

#[test]
fn each_error_is_reported_with_its_position_after_the_valid_data_sets() {
    let invalid: &[(&[u8], &str)] = &[
        (
            b"3 1\na A\n",
            "1:4: found the end of the line, expected the number of ghosts HEADER, a number from 1 to 26",
        ),
        (b"#####\n", "1:1: found `#####`, expected the width HEADER, a number from 1 to 255"),
        (b"3 1 1 1\na A\n", "1:7: found `1`, expected the end of the header `width height ghosts`"),
        (b"3 x 1\na A\n", "1:3: found `x`, expected the height HEADER, a number from 1 to 255"),
        (b"0 1 1\na A\n", "1:1: found `0`, expected the width HEADER, a number from 1 to 255"),
        (b"3 -1 1\na A\n", "1:3: found `-1`, expected the height HEADER, a number from 1 to 255"),
        (
            b"3 1 0\n   \n",
            "1:5: found `0`, expected the number of ghosts HEADER, a number from 1 to 26",
        ),
        (
            b"3 1 27\n   \n",
            "1:5: found `27`, expected the number of ghosts HEADER, a number from 1 to 26",
        ),
        (b"256 1 1\na A\n", "1:1: found `256`, expected the width HEADER, a number from 1 to 255"),
        (
            b"3 99999999999999999999999999999 1\na A\n",
            "1:3: found `999999999999999999999999...`, expected the height HEADER, a number from 1 to 255",
        ),
        (b"3 2 1\na A\n", "3:1: found the end of the text, expected row 2 of 2"),
        (b"3 1 1\na A#\n", "2:4: found `#`, expected the end of a row of 3"),
        (b"3 1 1\na A \t x\n", "2:7: found `x`, expected the end of a row of 3"),
        (b"4 2 1\na A#\n## a\n", "3:4: found a second `a`, expected only the one on line 2"),
        (b"4 1 1\naAA \n", "2:3: found a second `A`, expected only the one on line 2"),
        (b"4 1 2\naAb \n", "2:3: found `b` without `B`, expected both on the map"),
        (b"4 2 2\n    \naA B\n", "3:4: found `B` without `b`, expected both on the map"),
        (
            b"3 1 2\na A\n",
            "1:5: found 2 with no `b` on the map, expected the number of ghosts on the map",
        ),
        (b"4 1 1\naAbB\n", "2:3: found `b`, expected only the ghosts `a` (the header gives 1)"),
        (
            b"5 1 2\naA.bB\n",
            "2:3: found `.`, expected `#`, a space, or a letter of the ghosts `a` to `b`",
        ),
        (
            b"3 1 1\na\tA\n",
            "2:2: found `\\t`, expected `#`, a space, or a letter of the ghosts `a`",
        ),
        (
            "4 1 1\n ä A\n".as_bytes(),
            "2:2: found `ä`, expected `#`, a space, or a letter of the ghosts `a`",
        ),
        (b"3 1 1\na\xffA\n", "2:2: found the byte 0xff, which is not UTF-8, expected UTF-8 text"),
        (b"+3 1 1\na A\n", "1:1: found `+3`, expected the width HEADER, a number from 1 to 255"),
    ];
    let expand = |message: &str| message.replace("HEADER", "of the header `width height ghosts`");
    let invalid: Vec<_> = invalid.iter().map(|&(text, message)| (text, expand(message))).collect();
    assert_parse_errors(|text| Instance::read(text).collect(), VALID, &invalid);
    let closed = format!("{VALID}0 0 0\n{VALID}");
    let after = "4:1: found `3 1 1`, expected nothing after the closing `0 0 0`".to_owned();
    assert_eq!(parse_error(Instance::read(closed.as_bytes())), (1, after));
    let form = "a data set: width, height and number of ghosts, then the map";
    for (text, found) in [
        ("", "1:1: found the end of the text"),
        ("\n \n", "3:1: found the end of the text"),
        ("\n  0 0 0", "2:3: found the closing `0 0 0`"),
    ] {
        assert_eq!(
            parse_error(Instance::read(text.as_bytes())),
            (0, format!("{found}, expected {form}"))
        );
    }
}

#[test]
fn the_builtin_instances_are_in_the_test_data() {
    let sources = [
        include_str!("../../../../testdata/halloween/sample.in"),
        include_str!("../../../../testdata/halloween/luogu_P1778_sample.in"),
        include_str!("../../../../testdata/halloween/broken_row_unsolvable.in"),
        include_str!("../../../../testdata/halloween/gen_unsolvable_order1.in"),
        include_str!("../../../../testdata/halloween/gen_valid10.in"),
    ];
    let known: Vec<Instance> = sources
        .iter()
        .flat_map(|text| Instance::read(text.as_bytes()).map(Result::unwrap))
        .collect();
    for builtin in BUILTINS {
        let instances: Vec<Instance> =
            Instance::read(builtin.text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(instances.len(), 1, "{}", builtin.names[0]);
        // The opening of the page is made for it.
        let is_own = builtin.names[0] == "crossing";
        assert!(is_own || known.contains(&instances[0]), "{}", builtin.names[0]);
        assert_eq!(instances[0].to_string(), builtin.text, "{}", builtin.names[0]);
    }
}

proptest! {
    #![proptest_config(fewest_testing::cases(2000))]

    #[test]
    fn plan_texts_do_not_panic(
        text in prop::collection::vec(
            prop::sample::select(&b"7 steps,\n\n#-aNbEcS \r\tunsolvable\xff"[..]),
            0..80,
        ),
    ) {
        let reader = Halloween.reader(OptionSource::Json(&json!({}))).expect("no options");
        let map = reader.read(b"5 1 2\nab AB\n").next().expect("a data set").expect("a valid one");
        for block in verify::read(&text).into_iter().flatten() {
            let _ = block.verify(&map);
        }
    }

    #[test]
    fn instances_round_trip_through_text(text in maps::texts([8, 8], 1..=26)) {
        let instance = read(&text);
        prop_assert_eq!(instance.to_string(), text.clone());
        prop_assert_eq!(read(&instance.to_string()), instance);
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(text in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Instance::read(&text).count();
    }

    #[test]
    fn mutations_of_valid_texts_do_not_panic_and_errors_end_the_text(
        text in mutated(
            prop::collection::vec(maps::texts([5, 5], 1..=3), 1..4)
                .prop_map(|texts| texts.concat()),
            b"0 1#aA\nBz\r\t\xff9",
        ),
    ) {
        for instance in valid_data_sets(Instance::read(&text)) {
            prop_assert_eq!(&read(&instance.to_string()), &instance);
        }
    }
}
