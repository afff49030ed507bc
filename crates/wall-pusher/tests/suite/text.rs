//! The text formats: accepted texts, the place and the wording of errors, and no panics.

use fewest_geometry::Cell;
use fewest_rules::text::Diagnostic;
use fewest_testing::texts::{assert_parse_errors, mutated, parse_error, valid_data_sets};
use fewest_wall_pusher::instance::Edge;
use fewest_wall_pusher::{Instance, Size, Walls};
use proptest::prelude::*;

use crate::mazes;

const SIZE: Size = Size::new(2, 2).unwrap();

fn read(text: &str) -> Instance {
    Instance::read(text.as_bytes(), SIZE).next().expect("a data set").expect("no error")
}

fn read_all(text: &[u8]) -> Vec<Result<Instance, Diagnostic>> {
    Instance::read(text, SIZE).collect()
}

const GOOD: &str = "2 1\n3 6\n9 8\n";
const DRAWN: &str = "+--+--+\n|   S |\n+  +  +\n|      \n+--+--+\n";

#[test]
fn numbers_and_drawings_of_a_maze_are_equivalent() {
    let maze = read(GOOD);
    assert_eq!((maze.size(), maze.start()), (SIZE, Cell { row: 0, column: 1 }));
    assert_eq!((maze.to_string().as_str(), maze.drawing().as_str()), (GOOD, DRAWN));
    for text in [
        "2 1\r\n3 6\r\n9 8\r\n0 0\r\n",
        "\n 2 1 \n\n 3  6\t\n9 8",
        DRAWN,
        "+--+--+\n|    S|\n+  +  +\n|\n+--+--+",
        "+--+--+\n|    S|\n+  +  +\n|\n+--+--+\n 2 1\n 3 6\n 9 8\n",
        "\n+--+--+  \r\n|   S |\r\n+  +  +\r\n|\r\n+--+--+\r\n0 0\r\n",
    ] {
        assert_eq!(read(text), maze, "{text}");
        assert!(Instance::read(text.as_bytes(), SIZE).all(|data_set| data_set.is_ok()), "{text}");
    }
}

#[test]
fn walls_outside_the_maze_are_rejected() {
    for (edge, fits) in
        [((true, 1, 2), true), ((true, 1, 3), false), ((true, 2, 0), false), ((false, 0, 3), false)]
    {
        let mut walls = Walls::default();
        walls.set(Edge { in_row: edge.0, line: edge.1, index: edge.2 }, true);
        assert_eq!(
            Instance::new(SIZE, walls, Cell { row: 0, column: 0 }).is_some(),
            fits,
            "{edge:?}"
        );
    }
}

#[test]
fn data_sets_of_both_formats_mix_and_end_at_zeros_or_the_end() {
    for end in ["", "0 0", "0 0\n", "\n0 0\n\n \n", "00 0"] {
        let text = format!("{GOOD}\n{DRAWN}\n{DRAWN}{GOOD}{DRAWN}{end}");
        let read: Vec<_> = Instance::read(text.as_bytes(), SIZE).collect();
        assert_eq!(read.iter().filter(|data_set| data_set.is_ok()).count(), 5, "{end:?}");
    }
}

#[test]
fn blank_line_as_wide_as_the_drawing_is_a_row_without_walls() {
    let two = "+  +  +\n S     \n+  +  +\n       \n+  +  +\n";
    assert_eq!(read(two).size(), SIZE);
    assert_eq!(read(two).drawing(), two);
    assert_eq!(read("+  +  +\n S\n+  +  +\n\n+  +  +\n").size(), Size::new(1, 2).expect("a size"));
}

#[test]
fn errors_have_their_place_and_follow_the_valid_data_sets() {
    let errors: &[(&str, &str)] = &[
        ("x 1\n", "1:1: found `x`, expected the column of the start, a number from 1 to 2"),
        ("0 1\n", "1:1: found `0`, expected the column of the start, a number from 1 to 2"),
        (
            "3 1\n3 6\n9 12\n",
            "1:1: found `3`, expected the column of the start, a number from 1 to 2; numbers do not contain the size of the maze: it is read as 2x2",
        ),
        (
            "1 3\n3 6\n9 12\n",
            "1:3: found `3`, expected the row of the start, a number from 1 to 2; numbers do not contain the size of the maze: it is read as 2x2",
        ),
        (
            "1\n",
            "1:2: found the end of the line, expected the row of the start, a number from 1 to 2",
        ),
        (
            "1 1 1\n",
            "1:5: found `1`, expected the end of the line after the column and the row of the start",
        ),
        (
            "1 1\n3 6\n",
            "3:1: found the end of the text, expected row 2 of 2, 2 masks; numbers do not contain the size of the maze: it is read as 2x2",
        ),
        (
            "1 1\n3\n9 12\n",
            "2:2: found the end of the line, expected row 1 of 2, 2 masks; numbers do not contain the size of the maze: it is read as 2x2",
        ),
        (
            "1 1\n3 6 7\n9 12\n",
            "2:5: found `7`, expected the end of a row of 2 masks; numbers do not contain the size of the maze: it is read as 2x2",
        ),
        (
            "1 1\n3 16\n9 12\n",
            "2:3: found `16`, expected a mask from 0 to 15: 1 for a wall on the west, plus 2 north, 4 east, 8 south",
        ),
        (
            "1 1\n3 -1\n9 12\n",
            "2:3: found `-1`, expected a mask from 0 to 15: 1 for a wall on the west, plus 2 north, 4 east, 8 south",
        ),
        (
            "1 1\n3 7\n9 12\n",
            "2:3: found the mask 7 with a wall on the west, expected no wall there, because the mask before it has no wall on the east",
        ),
        (
            "1 1\n7 6\n9 12\n",
            "2:3: found the mask 6 with no wall on the west, expected a wall there, because the mask before it has a wall on the east",
        ),
        (
            "1 1\n3 6\n11 12\n",
            "3:1: found the mask 11 with a wall on the north, expected no wall there, because the mask above it has no wall on the south",
        ),
        (
            "1 1\n11 6\n9 12\n",
            "3:1: found the mask 9 with no wall on the north, expected a wall there, because the mask above it has a wall on the south",
        ),
        (
            " +--+\n |S |\n +--+\n",
            "1:1: found spaces before a drawing, expected a drawing that begins in the first column",
        ),
        ("+--\n", "1:1: found `+--`, expected the top edges of 1 to 8 cells, such as `+--+  +--+`"),
        ("+\n", "1:1: found `+`, expected the top edges of 1 to 8 cells, such as `+--+  +--+`"),
        (
            "+--+--+--+--+--+--+--+--+--+\n",
            "1:1: found `+--+--+--+--+--+--+--+--...`, expected the top edges of 1 to 8 cells, such as `+--+  +--+`",
        ),
        ("+--+-++\n", "1:5: found `-+`, expected an edge: `--` or two spaces"),
        ("+--=--+\n", "1:4: found `=`, expected a corner, `+`"),
        (
            "+--+\n",
            "2:1: found the end of the text, expected a row of cells, such as `|  |`; a row of cells without walls is a line of spaces, not an empty line",
        ),
        (
            "+--+\n|S |\n",
            "3:1: found the end of the text, expected the bottom edges of row 1, such as `+--+`",
        ),
        (
            "+--+\n+--+\n",
            "2:1: found `+`, expected a row of cells, such as `|  |`; a row of cells without walls is a line of spaces, not an empty line",
        ),
        (
            "+--+\n\n",
            "2:1: found the end of the line, expected a row of cells, such as `|  |`; a row of cells without walls is a line of spaces, not an empty line",
        ),
        ("+--+\n|S |\n\n", "3:1: found the end of the line, expected a corner, `+`"),
        ("+--+\n|S x\n+--+\n", "2:4: found `x`, expected an edge: `|` or a space"),
        ("+--+\n|S |  x\n+--+\n", "2:7: found `x`, expected nothing to the right of the drawing"),
        ("+--+\n|s |\n+--+\n", "2:2: found `s`, expected a cell: two spaces, or `S` and a space"),
        ("+--+\n|ä |\n+--+\n", "2:2: found `ä`, expected a cell: two spaces, or `S` and a space"),
        ("+--+\n|S |\n+-+\n", "3:2: found `-+`, expected an edge: `--` or two spaces"),
        ("+--+\n|S |\n+--+--+\n", "3:5: found `-`, expected nothing to the right of the drawing"),
        (
            "+--+\n|  |\n+--+\n",
            "1:1: found a drawing without `S`, expected an `S` in the start cell; a row of cells without walls is a line of spaces, not an empty line",
        ),
        ("+--+\n|SS|\n+--+\n", "2:3: found a second `S`, expected only the one on line 2"),
        (
            "+--+--+\n|S    |\n+--+--+\n|   S |\n+--+--+\n",
            "4:5: found a second `S`, expected only the one on line 2",
        ),
    ];
    let errors: Vec<_> =
        errors.iter().map(|&(text, message)| (text.as_bytes(), message.to_owned())).collect();
    assert_parse_errors(read_all, GOOD, &errors);
    let rows = "|S |\n+--+\n".to_owned() + &"|  |\n+--+\n".repeat(8);
    let nine = "18:1: found `|  |`, expected a blank line: a drawing has at most 8 rows";
    assert_eq!(parse_error(read_all(format!("+--+\n{rows}").as_bytes())).1, nine);
    let form = "a maze: the column and the row of the start, then the masks; or a drawing, `+--+`";
    for (text, found) in [
        ("", "1:1: found the end of the text"),
        ("\n \n", "3:1: found the end of the text"),
        ("\n  0 0", "2:3: found the closing `0 0`"),
    ] {
        assert_eq!(
            parse_error(read_all(text.as_bytes())),
            (0, format!("{found}, expected {form}"))
        );
    }
    let more = parse_error(read_all(format!("{GOOD}0 0\n{GOOD}").as_bytes()));
    assert_eq!(more, (1, "5:1: found `2 1`, expected nothing after the closing `0 0`".to_owned()));
}

proptest! {
    #![proptest_config(fewest_testing::cases(2000))]

    #[test]
    fn text_to_maze_to_text_is_the_identity(maze in mazes::mazes(8, 8)) {
        for text in [maze.to_string(), maze.drawing()] {
            let again: Vec<_> = Instance::read(text.as_bytes(), maze.size()).collect();
            prop_assert_eq!(again, vec![Ok(maze.clone())], "{}", text);
        }
    }

    #[test]
    fn random_bytes_do_not_panic(text in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Instance::read(&text, SIZE).count();
    }

    #[test]
    fn mutated_texts_give_valid_mazes_or_an_error(
        text in mutated(texts(), b"0 19+-|S\nBz\r\t\xff"),
    ) {
        for maze in valid_data_sets(Instance::read(&text, THREE)) {
            let again = Instance::read(maze.to_string().as_bytes(), maze.size()).next();
            prop_assert_eq!(again, Some(Ok(maze.clone())));
        }
    }
}

const THREE: Size = Size::new(3, 3).unwrap();

/// Texts of up to three mazes, each in numbers or as a drawing.
fn texts() -> impl Strategy<Value = String> {
    let maze = (mazes::of_size(THREE), any::<bool>());
    let text =
        maze.prop_map(|(maze, drawn)| if drawn { maze.drawing() + "\n" } else { maze.to_string() });
    prop::collection::vec(text, 1..4).prop_map(|texts| texts.concat())
}
