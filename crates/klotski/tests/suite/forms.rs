//! Boards and plans in the forms of other programs are read as the same in the notation of the
//! project, and have the costs that were published or that an independent search found.

use fewest_core::budget::Budget;
use fewest_klotski::puzzle::Klotski;
use fewest_klotski::read::Overrides;
use fewest_klotski::rules::Illegal;
use fewest_klotski::solve::solve;
use fewest_klotski::{Instance, Metric, Slide};
use fewest_puzzle::Puzzle;
use fewest_puzzle::explore::Explore;
use fewest_rules::text::Line;

use crate::layouts::{played, read, task};

fn cost(instance: &Instance, metric: Metric) -> Option<u32> {
    let answer = solve(&task(instance, metric), None, &Budget::unlimited()).expect("an engine");
    answer.outcome.cost()
}

fn error(text: &str) -> String {
    Instance::read(text.as_bytes()).find_map(Result::err).expect("an error").to_string()
}

/// The levels of GNOME Klotski with the fewest moves that its players have published; three of them
/// need one move less, by an independent breadth-first search.
#[test]
fn levels_of_gnome_klotski_have_their_costs() {
    let text = include_bytes!("../../../../testdata/klotski/gnome.txt");
    let levels: Vec<Instance> =
        Instance::read(text).collect::<Result<_, _>>().expect("valid levels");
    let costs: Vec<_> =
        levels.iter().map(|level| cost(level, Metric::Rectilinear).expect("a plan")).collect();
    let published = [18, 28, 27, 40, 28, 46, 81, 102, 120, 30, 25, 14, 25, 29, 29, 32, 38, 59, 42];
    let better = |(cost, published): (&u32, &u32)| published - cost;
    let better: Vec<u32> = costs.iter().zip(&published).map(better).collect();
    assert_eq!(better.iter().sum::<u32>(), 2, "{costs:?}");
    // Agatka, Success, Bone, Fortune and Cleopatra.
    let both = |number: usize| {
        [Metric::Straight, Metric::Unit].map(|metric| cost(&levels[number], metric))
    };
    let expected = [(9, 35, 48), (10, 29, 42), (11, 22, 34), (12, 33, 45), (15, 37, 45)];
    for (number, straight, unit) in expected {
        assert_eq!(both(number), [Some(straight), Some(unit)], "level {number}");
        let text = levels[number].to_string();
        assert!(text.contains("gate: * at "), "{text}");
        assert_eq!(read(&text), levels[number]);
    }
}

/// The forty cards of the boxed game, as course projects write them. The straight moves are
/// published by the project norush, and both were found by a breadth-first search of its own.
const CARDS: &str = include_str!("../../../../testdata/klotski/rush-hour-cards.tsv");
const FIRST_CARD: &str = "AA...OP..Q.OPXXQ.OP..Q..B...CCB.RRR.";

#[test]
fn the_red_car_may_be_x() {
    let mut cards = 0;
    for line in CARDS.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [card, straight, unit] = fields[..] else { panic!("three fields") };
        let [straight, unit] = [straight, unit].map(|number| number.parse().expect("a number"));
        cards += 1;
        let swapped: String = card
            .chars()
            .map(|car| match car {
                'A' => 'X',
                'X' => 'A',
                other => other,
            })
            .collect();
        for card in [card, &swapped] {
            let costs = [Metric::Straight, Metric::Unit].map(|metric| cost(&read(card), metric));
            assert_eq!(costs, [Some(straight), Some(unit)], "{card}");
        }
    }
    assert_eq!(cards, 40);
}

/// The first card in each form in which the cells of a board are drawn.
#[test]
fn drawings_of_a_rush_hour_board_are_the_same() {
    let line = read(FIRST_CARD);
    let rows = ["AA...O", "P..Q.O", "PXXQ.O", "P..Q..", "B...CC", "B.RRR."];
    let lines = rows.join("\n");
    let with = |blank: &str| lines.replace('.', blank);
    let spaced = |separator: &str| {
        let row = |row: &&str| row.chars().map(String::from).collect::<Vec<_>>().join(separator);
        rows.iter().map(row).collect::<Vec<_>>().join("\n")
    };
    let framed = |right: &str| {
        let row = |(number, row): (usize, &&str)| {
            format!("|{row}{}\n", if number == 2 { right } else { "|" })
        };
        format!("+------+\n{}+------+\n", rows.iter().enumerate().map(row).collect::<String>())
    };
    let texts = [
        lines.clone(),
        with("-"),
        with("_"),
        with(" "),
        with("o"),
        spaced(" "),
        spaced(","),
        spaced(", "),
        framed("|"),
        framed(">"),
        lines.replace("PXXQ.O", "PXXQ.O>"),
        lines.replace(' ', "") + "\nlock: along\n",
        "car,orientation,col,row,length\nA,H,1,1,2\nO,V,6,1,3\nP,V,1,2,3\nQ,V,4,2,3\nX,H,2,3,2\n\
         B,V,1,5,2\nC,H,5,5,2\nR,H,3,6,3\n"
            .to_owned(),
    ];
    for text in texts {
        let same = read(&text);
        assert_eq!((same.board(), same.goals()), (line.board(), line.goals()), "{text}");
        assert_eq!(cost(&same, Metric::Straight), Some(8), "{text}");
    }
    // The names of the cars are others.
    let jam =
        "Jam-1\n6\n1 2 h 2\n0 1 v 3\n0 0 h 2\n3 1 v 3\n2 5 h 3\n0 4 v 2\n4 4 h 2\n5 0 v 3\n.\n";
    assert_eq!(cost(&read(jam), Metric::Unit), Some(16));
    assert_eq!(read(&jam[6..]), read(jam));
}

#[test]
fn boards_of_the_census_are_read() {
    for (board, straight) in [("ooooooooAAoooooo", 1), ("oooooooBAAoBoooo", 2)] {
        assert_eq!(cost(&read(board), Metric::Straight), Some(straight), "{board}");
    }
}

#[test]
fn digits_are_classic_boards() {
    let kinds = read("34121513311112320210");
    assert_eq!(kinds, read("3412\n1513\n3111\n1232\n0210\n"));
    let costs = [Metric::Rectilinear, Metric::Straight, Metric::Unit];
    assert_eq!(costs.map(|metric| cost(&kinds, metric)), [Some(16), Some(19), Some(22)]);
    // 横刀立马 with 7 for each single, and with a number for each piece.
    for text in ["2113\n2113\n4665\n4775\n7007\n", "1223122345564786900A", "A22CA22CEDDFE78F9001"] {
        assert_eq!(cost(&read(text), Metric::Rectilinear), Some(81), "{text}");
    }
}

/// A second data set of the same form follows with and without a blank line, and one of another
/// form below it.
#[test]
fn data_sets_of_all_forms_follow_one_another() {
    let csv = "car,orientation,col,row,length\nX,H,1,3,2\nB,V,6,3,2\n";
    let jam = "6\n0 2 h 2\n5 2 v 2\n.\n";
    let gnome = "######\n#**..#\n##--##\n";
    let blocks = "{\"blocks\": [{\"shape\": [2, 2],\n \"position\": [0, 1]}]}\n";
    let line = format!("{FIRST_CARD}\n");
    let (code, digits) = ("1A9BF0C\n", "34121513311112320210\n");
    let square = "......\n......\nXX...B\n.....B\n......\n......\n";
    let forms = [csv, jam, gnome, blocks, square, &line, code, digits];
    let boards = |text: &str| -> Vec<Instance> {
        Instance::read(text.as_bytes()).collect::<Result<_, _>>().expect(text)
    };
    let alone: Vec<Instance> = forms.iter().map(|form| read(form)).collect();
    for (first, board) in forms.iter().zip(&alone) {
        for (second, other) in forms.iter().zip(&alone) {
            let expected = [board.clone(), other.clone(), board.clone()];
            assert_eq!(boards(&format!("{first}\n{second}\n{first}")), expected);
        }
    }
    // The end of each of these is visible.
    for (form, board) in forms
        .iter()
        .zip(&alone)
        .filter(|&(form, _)| [jam, blocks, line.as_str(), code, digits].contains(form))
    {
        assert_eq!(boards(&form.repeat(3)), vec![board.clone(); 3], "{form}");
    }
}

/// A file of thousands of lines is read in a time that grows with its length.
#[test]
fn a_collection_of_lines_is_read_once() {
    let text = format!("8 {FIRST_CARD} 1\n").repeat(8_000);
    assert_eq!(Instance::read(text.as_bytes()).filter(Result::is_ok).count(), 8_000);
}

#[test]
fn csv_has_any_size_and_any_number_of_cars() {
    let text = |cars: &[String]| format!("car,orientation,col,row,length\n{}", cars.concat());
    // The red car is in the row of the exit of a board of 12, and no car is in the last row.
    let cars = ["X,H,1,6,2\n", "AA,V,5,5,3\n", "B,H,9,9,3\n"].map(str::to_owned);
    let board = read(&text(&cars));
    assert_eq!((board.board().rows(), board.board().columns()), (12, 12));
    assert_eq!(board.board().pieces(), ['A', 'X', 'B']);
    assert_eq!(board.goals()[0].piece, 'X');
    // 44 cars, most with names of two letters.
    let name = |car: u8| match car / 26 {
        0 => char::from(b'A' + car).to_string(),
        tens => format!("{}{}", char::from(b'A' + tens - 1), char::from(b'A' + car % 26)),
    };
    let others = (0..44).filter(|&car| name(car) != "X");
    let place = |car: u8| (car % 6 * 2 + 1, car / 6 + 1 + u8::from(car >= 30));
    let line = |car: u8| format!("{},H,{},{},2\n", name(car), place(car).0, place(car).1);
    let cars: Vec<String> =
        std::iter::once("X,H,1,6,2\n".to_owned()).chain(others.map(line)).collect();
    let board = read(&text(&cars));
    assert_eq!((board.board().pieces().len(), board.board().rows()), (44, 12));
    // Another red car.
    let cars = ["A,H,1,3,2\n", "B,V,6,3,2\n"].map(str::to_owned);
    let overrides = Overrides { red: Some('A'), ..Overrides::default() };
    let text = text(&cars);
    let red = Instance::read_with(text.as_bytes(), overrides).next().expect("a board");
    assert_eq!(red.expect("a board").goals()[0].piece, 'A');
}

/// Only what cannot be something else is read as digits.
#[test]
fn digits_with_two_meanings_are_refused() {
    let row = read("AAAABBBBCCCCDDDDEEEE\n....................\ngoal: A at 2,1\n");
    assert_eq!((row.board().rows(), row.board().columns()), (2, 20));
    // Two adjacent cells of 7 are two singles, or a domino.
    let meanings = error("21132113446607700000");
    assert!(meanings.contains("`21132113446607700000` with two meanings"), "{meanings}");
    assert_eq!(read("2113211346650700000a").board().pieces().len(), 8);
}

#[test]
fn spaces_are_blanks_in_boards_of_any_form() {
    let board = read("C     \nC     \nXX   B\n     B\n      \n      \n");
    assert_eq!(
        board,
        read("C...../C...../XX...B/.....B/....../......\ngoal: X at 3,5\nlock: along")
    );
    let framed =
        read("+------+\n|C     |\n|C     |\n|XX   B|\n|     B|\n|      |\n|      |\n+------+\n");
    assert_eq!(framed, board);
}

/// A 16x17 board with two singles has 272 x 271 placements, of which 271 are solved.
#[test]
fn a_piece_has_more_than_256_placements() {
    let mut rows = vec![".".repeat(16); 17];
    rows[0].replace_range(0..2, "AB");
    let board = read(&(rows.join("\n") + "\ngoal: A at 17,16\n"));
    let explored = task(&board, Metric::Straight).explore(&Budget::unlimited(), &mut |_, _| {});
    let explored = explored.expect("an exploration");
    assert_eq!((explored.boards(), explored.goals), (272 * 271, Some(271)));
}

#[test]
fn json_with_blocks_is_read() {
    let blocks = r#"{ "blocks": [
        { "shape": [2, 2], "position": [0, 1] }, { "shape": [2, 1], "position": [0, 0] },
        { "shape": [2, 1], "position": [0, 3] }, { "shape": [2, 1], "position": [2, 0] },

        { "shape": [2, 1], "position": [2, 3] }, { "shape": [1, 2], "position": [2, 1] },
        { "shape": [1, 1], "position": [3, 1] }, { "shape": [1, 1], "position": [3, 2] },
        { "shape": [1, 1], "position": [4, 0] }, { "shape": [1, 1], "position": [4, 3] }
    ], "boardSize": [5, 4], "escapePoint": [3, 1] }"#;
    assert_eq!(cost(&read(blocks), Metric::Rectilinear), Some(81));
    let locked = r#"{"blocks": [{"shape": [1, 2], "position": [0, 0], "directions": [1, 3]}],
        "boardSize": [1, 4], "escapePoint": [0, 2]}"#;
    assert_eq!(read(locked).to_string(), "AA..\ngoal: A at 1,3\nlock: horizontal A\n");
}

/// The files of jeantimex/klotski are arrays.
#[test]
fn json_arrays_have_several_boards() {
    let block = r#"{"shape": [2, 2], "position": [0, 1]}"#;
    let game = |name: &str| format!("{{\"name\": \"{name}\",\n \"blocks\": [{block}]}}");
    let one = read(&game("one"));
    let boards = |text: &str| Instance::read(text.as_bytes()).collect::<Vec<_>>();
    for text in [format!("[{}]", game("[one]")), format!("\u{feff}\n[\n  {}\n]\n", game("one"))] {
        assert_eq!(boards(&text), [Ok(one.clone())], "{text}");
    }
    let two = format!("[{},{}]", game("one"), game("two"));
    assert_eq!(boards(&two), [Ok(one.clone()), Ok(one.clone())]);
    let pretty = format!("[\n{},\n{}\n]\n", game("one"), game("two"));
    assert_eq!(boards(&pretty), boards(&two));
    // Errors follow the valid boards.
    for (end, expected) in [
        ("", "2:52: found the end of the text, expected `,` and an object, or `]`"),
        ("] more", "2:54: found `m`, expected nothing after the closing `]`"),
        (";]", "2:52: found `;`, expected `,` and an object, or `]`"),
        (",\n ", "3:2: found the end of the text, expected an object"),
    ] {
        let text = format!("[{}{end}", game("one"));
        let found = boards(&text);
        assert_eq!(found[..1], [Ok(one.clone())], "{text}");
        let error = found[1].as_ref().expect_err("an error");
        assert_eq!(error.to_string(), expected, "{text}");
    }
    let bad = error("[{\"blocks\": 3}]");
    assert!(bad.starts_with("1:2: found JSON that is no board"), "{bad}");
}

#[test]
fn errors_of_forms_have_their_place() {
    for (text, expected) in [
        (
            "B..B....AAXX....CCDD\n",
            "1:1: found `B..B....AAXX....CCDD`, expected rows of a board, a code, or a name",
        ),
        (
            "B.CDD.B.C...AAXX..EE....FF....GG....",
            "1:15: found the cars `A` and `X` in row 3, expected one red car; say which of them \
             leaves: `--red A` or `--red X`",
        ),
        (
            "B.CDD.B.C...BBXY..EE....FF....GG....",
            "1:1: found car `B` that is not straight or has one cell, expected two or more adjacent \
             cells in one row or column",
        ),
        (
            "99999999999999999999",
            "1:1: found `99999999999999999999`, expected 20 digits of a classic board, one a cell; 0 \
             is a blank; each other digit a piece, or its kind: 2 a single, 3 and 4 the first cell of \
             a vertical and a horizontal domino, 5 of the 2x2, 1 any further cell",
        ),
        (
            "car,orientation,col,row,length\nX,H,1,3,2\nA,Z,1,1,2\n",
            "3:1: found `A,Z,1,1,2`, expected a car, `H` or `V`, its column, row and length: \
             `A,H,2,1,2`",
        ),
        (
            "car,orientation,col,row,length\nX,H,1,3,2\nA,V,2,2,2\n",
            "3:1: found car `A` on a cell of car `X`, expected a blank cell",
        ),
        (
            "car,orientation,col,row,length\nA,V,2,2,2\n",
            "1:1: found no car `X`, expected the red car, which leaves to the right",
        ),
        (
            "car,orientation,col,row,length\nX,H,1,3,900\n",
            "2:1: found car `X` beyond row or column 64, expected a car within 64 rows and columns",
        ),
        (
            "6\n1 2 h 2\n9 9 v 2\n.\n",
            "3:1: found car `A` beyond row or column 6, expected a car within 6 rows and columns",
        ),
        (
            "{\"blocks\": [{\"shape\": [1, 9], \"position\": [0, 0]}]}",
            "1:1: found block 0 that is not within the board, expected a block on the board of 5 rows and 4 columns",
        ),
        (
            "A.b\n...\ngoal: A at 2,3\ngate: A\n",
            "4:7: found `A`, expected a piece and cells, such as `A at 6,2 6,3`",
        ),
        (
            "A.b\n...\ngoal: A at 2,3\ngate: A at 2,3 9,9\n",
            "4:16: found `9,9`, expected a row from 1 to 2 and a column from 1 to 3",
        ),
        (
            "A.b\n...\ngoal: A at 2,3\ngate: A at 1,3\n",
            "4:12: found piece `b` on a gate for piece `A`, expected a blank or piece `A`",
        ),
        (
            "A.#\n...\ngoal: A at 2,3\ngate: A at 1,3\n",
            "4:12: found a gate on the wall at 1,3, expected a blank",
        ),
        (
            "A..\n...\ngoal: A at 2,3\ngate: b at 1,3\n",
            "4:12: found piece `b`, expected a piece on the board: `A`",
        ),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
    let garbage = error("{\"blocks\": 3}");
    assert!(garbage.starts_with("1:1: found JSON that is no board"), "{garbage}");
}

#[test]
fn the_red_car_may_be_asked_for() {
    let text = b"B.CDD.B.C...AAXX..EE....FF....GG....";
    let read = |red| {
        let overrides = Overrides { red: Some(red), ..Overrides::default() };
        Instance::read_with(text, overrides).next().expect("a board")
    };
    assert_eq!(read('A').expect("a car").goals()[0].piece, 'A');
    assert_eq!(cost(&read('X').expect("a car"), Metric::Straight), Some(1));
    let error = read('B').expect_err("a vertical car").to_string();
    let expected = "found no horizontal car `B`, expected a horizontal car of the board";
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn a_goal_without_locks_for_straight_pieces_is_noted() {
    let note = |text: &str| Klotski::note(&task(&read(text), Metric::Unit));
    let board = "BB...O\nP..Q.O\nPAAQ.O\nP..Q..\nD...CC\nD.RRR.\ngoal: A at 3,5\n";
    assert!(note(board).is_some_and(|note| note.contains("`lock: along`")));
    assert_eq!(note(&format!("{board}lock: along\n")), None);
    assert_eq!(note("AAb/A.b/...\ngoal: A at 2,2\n"), None);
}

#[test]
fn only_its_piece_enters_a_gate() {
    let puzzle = read("A.b\n...\ngoal: A at 2,3\ngate: A at 1,2\n");
    let task = task(&puzzle, Metric::Straight);
    let slide = |text| Slide::read(Line { number: 1, text }).expect("a slide");
    let board = puzzle.board();
    assert!(played(&task, board, &slide("AE")).is_ok());
    let refused = played(&task, board, &slide("bW")).expect_err("a gate");
    assert!(matches!(refused, Illegal::Closed { piece: 'b', .. }), "{refused}");
    assert_eq!(refused.to_string(), "piece `b` cannot go west into a gate for other pieces");
    // `-` is a gate beside walls, and elsewhere a piece.
    let drawn = read("A.b\n.-.\n.#.\ngoal: A at 2,3\n");
    assert_eq!(drawn, read("A.b\n...\n.#.\ngoal: A at 2,3\ngate: A at 2,2\n"));
    assert!(read("A.b\n.-.\n#..\ngoal: A at 2,3\n").gates().is_empty());
    assert_eq!(read("A.b\n.-.\ngoal: A at 2,3\n").board().pieces(), ['A', 'b', '-']);
}

#[test]
fn plans_of_other_programs_are_read() {
    let board = task(&read(FIRST_CARD), Metric::Straight);
    let slides = |lines: &[&str]| {
        let lines: Vec<Line<'_>> = lines.iter().map(|text| Line { number: 1, text }).collect();
        Klotski::read_moves(&board, &lines)
            .map(|slides| slides.iter().map(Slide::to_string).collect::<Vec<_>>().join(" "))
    };
    let expected = "CWWW OSSS AE PN BN RWW QSS XEEE";
    for lines in [
        &["CL3 OD3 AR1 PU1 BU1 RL2 QD2 XR5"][..],
        &["CL3, OD3, AR, PU, BU, RL2, QD2, XR3"],
        &["C-3", "O+3", "A+1", "P-1 B-1", "R-2 Q+2 X+4"],
        &["car,move", "C,-3", "O,3", "A,1", "P,-1", "B,-1", "R,-2", "Q,2", "X,3"],
        &["CWWW", "OSSS", "AE", "PN", "BN", "RWW", "QSS", "XEEE"],
    ] {
        assert_eq!(slides(lines).expect("moves"), expected, "{lines:?}");
    }
    assert!(slides(&["CL0"]).is_err());
    assert!(slides(&["CQ"]).is_err());
    // The rules refuse a piece that is not on the board.
    assert_eq!(slides(&["?+2", "1,1"]).expect("moves"), "?EE 1E");
    for piece in ' '..='~' {
        for rest in ["+2", ",1", "-", "L3", "-300", ",-"] {
            let _ = slides(&[&format!("{piece}{rest}")]);
        }
    }
}

/// Cars far apart in a square of 16 rows. Each of the two others takes one move out of the way, and
/// the red car one.
#[test]
fn boards_of_more_than_128_cells_are_solved() {
    let mut rows = vec![".".repeat(16); 16];
    rows[7].replace_range(0..2, "XX");
    for row in 6..9 {
        rows[row].replace_range(5..6, "B");
        rows[row + 1].replace_range(9..10, "C");
    }
    let board = read(&(rows.join("\n") + "\n"));
    assert_eq!(board.board().cells().len(), 256);
    assert_eq!(cost(&board, Metric::Straight), Some(3));
    assert_eq!(cost(&board, Metric::Rectilinear), Some(3));
    // `B` has to move 2 cells, `C` 1, and the red car 14.
    assert_eq!(cost(&board, Metric::Unit), Some(2 + 1 + 14));
}
