//! The text formats: accepted texts, the place and the wording of errors, and no panics.

use fewest_black_white::{Instance, Size};
use fewest_rules::text::Diagnostic;
use fewest_testing::texts::{assert_parse_errors, mutated, parse_error, valid_data_sets};
use proptest::prelude::*;

use crate::boards;

const SIZE: Size = Size::new(2, 3).unwrap();

fn read(text: &str) -> Instance {
    Instance::read(text.as_bytes(), SIZE).next().expect("a data set").expect("no error")
}

fn read_all(text: &[u8]) -> Vec<Result<Instance, Diagnostic>> {
    Instance::read(text, SIZE).collect()
}

const GOOD: &str = "100\n010\n\n000\n011\n";
const DRAWN: &str = "X..\n.X.\n\n...\n.XX\n";

#[test]
fn white_space_between_digits_is_ignored() {
    for text in [
        "100010000011",
        "100010 000011",
        "1 0 0\t0 1 0\r\n\r\n\n000\n011",
        DRAWN,
        " X..\n .X.\n\n\n ... \r\n .XX",
    ] {
        assert_eq!(read(text), read(GOOD), "{text}");
        assert!(Instance::read(text.as_bytes(), SIZE).all(|data_set| data_set.is_ok()), "{text}");
    }
}

#[test]
fn several_data_sets_follow_one_another() {
    let text = format!("{GOOD}{GOOD}\n{DRAWN}\n{DRAWN}\n{GOOD}");
    let all: Vec<_> =
        Instance::read(text.as_bytes(), SIZE).map(|boards| boards.expect("no error")).collect();
    assert_eq!(all, vec![read(GOOD); 5]);
    assert_eq!(
        Instance::read("100010000011".repeat(3).as_bytes(), SIZE).filter_map(Result::ok).count(),
        3
    );
    // Different numbers of black pieces are not a parse error.
    assert!(Instance::read(b"111111 000000", SIZE).all(|data_set| data_set.is_ok()));
}

#[test]
fn errors_have_their_place_and_follow_the_valid_data_sets() {
    let errors: &[(&str, &str)] = &[
        ("102\n", "1:3: found `2`, expected `0`, `1` or `#`, for row 1, column 3 of the start"),
        (
            "100\n010\n0x0\n",
            "3:2: found `x`, expected `0` or `1`, as the start has no wall there, for row 1, column 2 of the target",
        ),
        ("ä\n", "1:1: found `ä`, expected `0`, `1` or `#`, for row 1, column 1 of the start"),
        ("-1\n", "1:1: found `-`, expected `0`, `1` or `#`, for row 1, column 1 of the start"),
        (
            "100\n01\n",
            "3:1: found the end of the text, expected `0`, `1` or `#`, for row 2, column 3 of the start; digits do not contain the size of a board: it is read as 2x3",
        ),
        (
            "100\n010\n000\n",
            "4:1: found the end of the text, expected `0` or `1`, as the start has no wall there, for row 2, column 1 of the target; digits do not contain the size of a board: it is read as 2x3",
        ),
        (
            "1#0000\n000001\n",
            "2:2: found `0`, expected `#`, as the start has a wall there, for row 1, column 2 of the target",
        ),
        (
            "100000\n0#0001\n",
            "2:2: found `#`, expected `0` or `1`, as the start has no wall there, for row 1, column 2 of the target",
        ),
        ("X0.\n", "1:2: found `0`, expected `.` (white piece), `X` (black piece) or `#` (wall)"),
        ("#.0\n", "1:3: found `0`, expected `.` (white piece), `X` (black piece) or `#` (wall)"),
        (
            "#..\n",
            "2:1: found the end of the text, expected a blank line and the drawing of the target",
        ),
        ("X..\n..\n", "2:1: found a row of 2 cells, expected 3 cells, as in the first row"),
        ("X..\n\n..\n", "3:1: found a target of 1x2 cells, expected 1x3 cells, as the start has"),
        (
            "#..\n\n.#.\n",
            "3:1: found `.`, expected a wall, `#`, as the start has one here; a black piece is `X`",
        ),
        (
            "...\n\n.#.\n",
            "3:2: found `#`, expected no wall, as the start has none here; a black piece is `X`",
        ),
    ];
    let wide = format!("  {}\n", ".".repeat(1025));
    let high = "X\n".repeat(1025);
    let limits = [
        (wide.as_str(), "1:3: found a row of 1025 cells, expected at most 1024 cells"),
        (&high, "1025:1: found `X`, expected a blank line: a board has at most 1024 rows"),
    ];
    let errors = errors.iter().chain(&limits);
    let errors: Vec<_> =
        errors.map(|&(text, message)| (text.as_bytes(), message.to_owned())).collect();
    assert_parse_errors(read_all, GOOD, &errors);
    let form = "two boards of the digits 0 and 1, or two drawings of `.` and `X`";
    assert_eq!(
        parse_error(read_all(b"")),
        (0, format!("1:1: found the end of the text, expected {form}"))
    );
    assert_eq!(
        parse_error(read_all(b"\n \n")),
        (0, format!("3:1: found the end of the text, expected {form}"))
    );
}

proptest! {
    #![proptest_config(fewest_testing::cases(2000))]

    #[test]
    fn text_to_boards_to_text_is_the_identity(boards in boards::walled(8, 8)) {
        let text = boards.to_string();
        for text in [text, boards.drawing()] {
            let again: Vec<_> = Instance::read(text.as_bytes(), boards.size()).collect();
            prop_assert_eq!(again, vec![Ok(boards.clone())], "{}", text);
        }
    }

    #[test]
    fn random_bytes_do_not_panic(
        any in prop::collection::vec(any::<u8>(), 0..200),
        symbols in prop::collection::vec(prop::sample::select(&b"01.X# \n\r\xc3\xa4"[..]), 0..100),
    ) {
        for text in [any, symbols] {
            valid_data_sets(Instance::read(&text, SIZE));
        }
    }

    #[test]
    fn mutated_texts_give_valid_boards_or_an_error(
        text in mutated(Just(format!("{GOOD}{DRAWN}\n{DRAWN}\n{GOOD}")), b"01 .X#\n\r\t\xff"),
    ) {
        for boards in valid_data_sets(Instance::read(&text, SIZE)) {
            let again = Instance::read(boards.to_string().as_bytes(), boards.size()).next();
            prop_assert_eq!(again, Some(Ok(boards.clone())));
        }
    }
}
