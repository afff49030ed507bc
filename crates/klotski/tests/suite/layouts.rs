//! Random layouts, and what the tests share.

use fewest_klotski::{Board, Instance};
use proptest::prelude::*;

/// The first layout of a text.
pub(crate) fn read(text: &str) -> Instance {
    Instance::read(text.as_bytes()).next().expect("a data set").expect("a good one")
}

/// Any layout of at least two blanks, its blocks called by any characters, as five lines.
pub(crate) fn texts() -> impl Strategy<Value = String> {
    let names = Just("aZ0bY1cXäd+W9eV王fU8gT$hS7iR~".chars().collect::<Vec<char>>()).prop_shuffle();
    let blank = prop::sample::select(vec![1u32, 3, 6]);
    let rolls = blank.prop_flat_map(|blank| {
        prop::collection::vec((0..8 + blank).prop_map(|roll| roll.min(8)), 20)
    });
    (0..4usize, 0..3usize, rolls, names, any::<[prop::sample::Index; 2]>()).prop_map(
        |(row, column, rolls, names, holes)| {
            let mut board = ['.'; 20];
            let mut names = names.into_iter();
            let mut put = |board: &mut [char; 20], cells: &[usize]| {
                let name = names.next().expect("enough of them");
                cells.iter().for_each(|&cell| board[cell] = name);
            };
            let large = 4 * row + column;
            put(&mut board, &[large, large + 1, large + 4, large + 5]);
            for (cell, roll) in rolls.into_iter().enumerate() {
                let free = |cell: usize| cell < 20 && board[cell] == '.';
                match roll {
                    _ if !free(cell) => {}
                    0..3 => put(&mut board, &[cell]),
                    3..6 if free(cell + 4) => put(&mut board, &[cell, cell + 4]),
                    6..8 if free(cell + 1) && cell % 4 < 3 => put(&mut board, &[cell, cell + 1]),
                    _ => {}
                }
            }
            // Where blanks are too few, blocks are taken off.
            let mut holes = holes.into_iter();
            while board.iter().filter(|&&cell| cell == '.').count() < 2 {
                let others: Vec<char> = board
                    .iter()
                    .copied()
                    .filter(|&cell| cell != board[large] && cell != '.')
                    .collect();
                let gone = others[holes.next().expect("two are enough").index(others.len())];
                board = board.map(|cell| if cell == gone { '.' } else { cell });
            }
            board.chunks(4).map(|row| row.iter().collect::<String>() + "\n").collect()
        },
    )
}

/// Two pieces that are locked to lanes of a board of more than 64 cells.
pub(crate) fn large() -> impl Strategy<Value = String> {
    const SHAPES: [&[(usize, usize)]; 4] =
        [&[(0, 0)], &[(0, 0), (0, 1)], &[(0, 0), (1, 0), (1, 1)], &[(0, 0), (0, 2)]];
    let piece = (any::<prop::sample::Index>(), 0..SHAPES.len(), any::<bool>());
    (6..10usize, 11..14usize, [piece.clone(), piece], any::<prop::sample::Index>()).prop_filter_map(
        "room, and a place for the goal",
        |(rows, columns, pieces, goal)| {
            let mut board = vec!['.'; rows * columns];
            let mut locks = String::new();
            for ((place, shape, lying), name) in pieces.into_iter().zip("Ab".chars()) {
                let (row, column) = (place.index(rows), place.index(columns));
                for (down, right) in SHAPES[shape] {
                    let inside = row + down < rows && column + right < columns;
                    let cell = board
                        .get_mut((row + down) * columns + column + right)
                        .filter(|_| inside)?;
                    if *cell != '.' {
                        return None;
                    }
                    *cell = name;
                }
                if name == 'A' {
                    let (row, column) =
                        if lying { (row, goal.index(columns)) } else { (goal.index(rows), column) };
                    locks += &format!("goal: A at {},{}\n", row + 1, column + 1);
                }
                locks +=
                    &format!("lock: {} {name}\n", if lying { "horizontal" } else { "vertical" });
            }
            let text: String =
                board.chunks(columns).map(|row| row.iter().collect::<String>() + "\n").collect();
            let text = text + &locks;
            let makes_sense = Instance::read(text.as_bytes()).next()?.is_ok();
            makes_sense.then_some(text)
        },
    )
}

/// Any puzzle on few cells: walls, pieces of up to four cells that may lie apart, goals and locks.
pub(crate) fn puzzles() -> impl Strategy<Value = String> {
    let cells = prop::collection::vec(0u8..20, 25);
    let places = prop::collection::vec(any::<prop::sample::Index>(), 4);
    (2..6usize, 2..6usize, cells, places, 0u8..8, any::<bool>()).prop_filter_map(
        "a blank, and a place for the goal",
        |(rows, columns, rolls, places, locks, two)| {
            let mut board = vec!['.'; rows * columns];
            let mut names = "AbcDefgH".chars();
            for (cell, &roll) in rolls.iter().enumerate().take(board.len()) {
                let beside = [
                    (cell % columns > 0).then(|| cell - 1),
                    cell.checked_sub(columns),
                    cell.checked_sub(columns + 1),
                ];
                let known: Vec<char> = beside
                    .into_iter()
                    .flatten()
                    .map(|cell| board[cell])
                    .filter(|mark| mark.is_alphabetic())
                    .collect();
                board[cell] = match roll {
                    0 => '#',
                    1..8 => names.next().unwrap_or('.'),
                    8..13 if !known.is_empty() => known[usize::from(roll) % known.len()],
                    _ => '.',
                };
            }
            let rows: Vec<String> = board.chunks(columns).map(|row| row.iter().collect()).collect();
            let drawing = Board::of_rows(rows.iter().map(String::as_str)).expect("rows");
            let pieces = drawing.pieces();
            let mut text = format!("{drawing}");
            for (number, &piece) in pieces.iter().take(if two { 2 } else { 1 }).enumerate() {
                let first = places[number].index(board.len());
                text += &format!("goal: {piece} at {}\n", drawing.place(first));
            }
            for (number, &piece) in pieces.iter().enumerate().take(3) {
                if locks >> number & 1 == 1 {
                    text += &format!(
                        "lock: {} {piece}\n",
                        if number == 1 { "horizontal" } else { "vertical" }
                    );
                }
            }
            let makes_sense = Instance::read(text.as_bytes()).next()?.is_ok();
            makes_sense.then_some(text)
        },
    )
}
