//! The text formats: what is read, what is refused and where, and that nothing panics.

use fewest_klotski::Instance;
use fewest_klotski::space::{pack, unpack};
use fewest_testing::texts::{assert_faults, mutated, read_or_refused, refused};
use layouts::read;
use proptest::prelude::*;

mod layouts;

const GOOD: &str = "aCCb\naCCb\ncdde\ncfge\nh..i\n";

#[test]
fn boards_codes_and_names_may_follow_one_another() {
    let text = format!(
        "{GOOD}\n\n1A9BF0C\n 横刀立马 \r\n{}heng-dao-li-ma\naCCb/aCCb/cdde/cfge/h..i",
        GOOD.replace('\n', "\r\n")
    );
    let all: Vec<_> = Instance::read(text.as_bytes()).map(|layout| layout.expect("a good one")).collect();
    assert_eq!(all, vec![read(GOOD); 6]);
    // Names of four characters are no rows of a board, and neither are codes of four digits.
    let names = "横刀立马\n指挥若定\n将拥曹营\n齐头并进\n兵分三路\n";
    assert_eq!(Instance::read(names.as_bytes()).filter_map(Result::ok).count(), 5);
    assert_eq!(read("0FFF\n1A9BF0C\n").row_text(), "CCab/CCcd/ef../..../....");
    assert_eq!(read("1A9BF0C00").code(), "1A9BF0C");
    // Codes of four digits are rows of a board only if there are five of them.
    assert_eq!(Instance::read("0FFF\n0FFF\n0FFF\n0FFF\n".as_bytes()).filter_map(Result::ok).count(), 4);
    assert_eq!(read("1A9BF0C000000").code(), "1A9BF0C");
    assert_eq!(read("1a9bf0c"), read("1A9BF0C"));
    assert_eq!(read("  aCCb\n  aCCb\n cdde\n\tcfge\n  h..i \n"), read(GOOD));
}

#[test]
fn a_code_may_drop_its_zeros() {
    for code in ["1ADEF80", "1ADEF8"] {
        assert_eq!(
            (read(code).row_text().as_str(), read(code).code().as_str()),
            ("aCCb/aCCb/cdde/fghi/f..i", "1ADEF80")
        );
    }
    assert_eq!(read("5").row_text(), "..../.CC./.CC./..../....");
    assert_eq!(read("5").code(), "500000000");
}

#[test]
fn each_fault_is_named_with_its_place_and_after_the_good_data_sets() {
    let shape = "one cell, two side by side, two on top of each other, or 2x2";
    let faults: &[(&str, &str)] = &[
        ("nonsense\n", "1:1: found `nonsense`, expected five rows of four characters, a code, or a name"),
        (
            "heng-dao-li\n",
            "1:1: found `heng-dao-li`, expected five rows of four characters, a code, or a name; did you mean `heng-dao-li-ma`?",
        ),
        (
            "横刀立牛\n指挥若定\n",
            "1:1: found `横刀立牛`, expected five rows of four characters, a code, or a name; did you mean `横刀立马`?",
        ),
        (
            "横刀立牛\n指挥若丁\n",
            "1:1: found `横刀立牛`, expected five rows of four characters, a code, or a name; did you mean `横刀立马`?",
        ),
        ("aCCb\n", "1:1: found `aCCb`, expected five rows of four characters, a code, or a name"),
        ("aCCb\naCCb\n", "3:1: found the end of the text, expected row 3 of 5"),
        ("aCCb\naCCb\n\ncfge\nh..i\n", "3:1: found an empty row, expected row 3 of 5, 4 characters"),
        ("aCCb\naCCb\ncdd\ncfge\nh..i\n", "3:1: found `cdd`, expected row 3 of 5, 4 characters"),
        ("aCCb\naCCb\ncddee\ncfge\nh..i\n", "3:1: found `cddee`, expected row 3 of 5, 4 characters"),
        (
            "aCCb\naCCb\nc de\ncfge\nh..i\n",
            "3:2: found ` `, expected `.` for a blank, or the character of a block, but no `#`",
        ),
        (
            "aCCb\naCCb\ncdde\ncf#e\nh..i\n",
            "4:3: found `#`, expected `.` for a blank, or the character of a block, but no `#`",
        ),
        ("aaCC\naaCC\ncdde\ncfge\nh..i\n", "1:3: found a second block of 2x2, `C`, expected only one, as `a` is"),
        ("abcd\nabcd\nefgh\nefgh\n..ij\n", "1:1: found no block of 2x2, expected one of them"),
        ("aCCb\naCCb\ncdde\ncfge\nhjki\n", "1:1: found no blank, expected at least two, marked `.`"),
        ("aCCb\naCCb\ncdde\ncfge\nhj.i\n", "1:1: found only one blank, expected at least two, marked `.`"),
        ("aCCb\naCCb\ncdde\ncfga\nh..i\n", "SHAPE 1:1: found a block `a` of 3 cells that are none of these, expected "),
        ("aCCb\naCCb\ncdee\ncfge\nh..i\n", "SHAPE 3:3: found a block `e` of 3 cells that are none of these, expected "),
        ("aCCb\ndCCb\ncxxe\ncfge\nha..\n", "SHAPE 1:1: found a block `a` of 2 cells that are none of these, expected "),
        ("aCCb/aCCb/cdde/cfge\n", "1:20: found the end of the board, expected 5 rows with `/` between them"),
        ("aCCb/aCCb/cdde/cfge/h..i/\n", "1:26: found an empty row, expected no more than 5 rows"),
        ("aCCb/aCCb/cde/cfge/h..i\n", "1:11: found `cde`, expected row 3 of 5, 4 characters"),
        ("/home/me\n", "1:1: found an empty row, expected row 1 of 5, 4 characters"),
        ("1A9BG0C\n", "1:5: found `G`, expected a digit of a code, 0 to 9 or A to F"),
        (
            "3A9BF0C\n",
            "1:1: found a 2x2 that hangs over the edge, expected a cell that is not in the last column (code `3A9BF0C`)",
        ),
        ("F\n", "1:1: found a 2x2 that hangs over the edge, expected a cell that is not in the last column (code `F`)"),
        (
            "14\n",
            "1:2: found a domino in row 1, column 1 that overlaps another block, expected blocks that do not overlap (code `14`)",
        ),
        (
            "21000\n",
            "1:2: found a domino in row 1, column 2 that overlaps another block, expected blocks that do not overlap (code `21000`)",
        ),
        (
            "0010000\n",
            "1:3: found a domino in row 2, column 4 that hangs over the edge, expected a block within the board (code `0010000`)",
        ),
        (
            "000000080\n",
            "1:8: found a domino in row 5, column 1 that hangs over the edge, expected a block within the board (code `000000080`)",
        ),
        ("0FFFFFFFF\n", "1:1: found a layout without a blank, expected at least two (code `0FFFFFFFF`)"),
        ("0FFFFFFFC\n", "1:1: found a layout with only one blank, expected at least two (code `0FFFFFFFC`)"),
        ("1A9BF0D\n", "1:7: found `D`, expected only zeros after the last cell of the board (code `1A9BF0D`)"),
        ("0000000001\n", "1:10: found `1`, expected only zeros after the last cell of the board (code `0000000001`)"),
    ];
    let message = |message: &str| match message.strip_prefix("SHAPE ") {
        Some(message) => format!("{message}{shape}"),
        None => message.to_owned(),
    };
    let faults: Vec<_> = faults.iter().map(|&(text, fault)| (text.as_bytes(), message(fault))).collect();
    assert_faults(|text| Instance::read(text).collect(), GOOD, &faults);
    let form = "a board of five lines, a code or a name";
    assert_eq!(refused(Instance::read(b"")), (0, format!("1:1: found the end of the text, expected {form}")));
    assert_eq!(refused(Instance::read(b"\n \n")), (0, format!("3:1: found the end of the text, expected {form}")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn text_to_layout_to_text_is_the_identity(text in layouts::texts()) {
        let layout = read(&text);
        prop_assert_eq!(layout.to_string(), text);
        prop_assert_eq!(read(&layout.row_text()), layout);
        let decoded = read(&layout.code());
        prop_assert_eq!(pack(decoded.board()), pack(layout.board()));
        prop_assert_eq!(&unpack(pack(layout.board())), decoded.board());
        prop_assert_eq!(decoded.code(), layout.code());
        prop_assert_eq!(&read(layout.code().trim_end_matches('0')), &decoded);
    }

    #[test]
    fn no_bytes_make_it_panic(
        any in prop::collection::vec(any::<u8>(), 0..200),
        code in prop::collection::vec(prop::sample::select(&b"0123456789ABCDEFG/\n"[..]), 0..40),
        rows in prop::collection::vec(prop::sample::select(&b"aabCC..\n\n#/ \xc3\xa4"[..]), 0..60),
    ) {
        for text in [any, code, rows] {
            read_or_refused(Instance::read(&text));
        }
    }

    #[test]
    fn no_mutation_of_good_text_makes_it_panic_or_hides_an_error_for_ever(
        text in mutated(prop::collection::vec(layouts::texts(), 1..4).prop_map(|texts| texts.concat()), b"aC.bZ\n\r/ #1F"),
    ) {
        for layout in read_or_refused(Instance::read(&text)) {
            prop_assert_eq!(&read(&layout.to_string()), &layout);
        }
    }
}
