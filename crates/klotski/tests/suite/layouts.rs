//! Strategies for random layouts and puzzles, and helpers that the tests share.

use fewest_klotski::rules::Illegal;
use fewest_klotski::{Board, Instance, Metric, Slide, Task};
use fewest_rules::Rules;
use proptest::prelude::*;

/// The puzzle of the first data set of a text.
pub(crate) fn read(text: &str) -> Instance {
    Instance::read(text.as_bytes()).next().expect("one data set").expect("a valid data set")
}

/// A puzzle in a metric.
pub(crate) fn task(instance: &Instance, metric: Metric) -> Task {
    Task::new(instance.clone(), metric)
}

/// The board after a move.
pub(crate) fn played(task: &Task, board: &Board, slide: &Slide) -> Result<Board, Illegal> {
    let mut after = board.clone();
    task.play(&mut after, slide).map(|()| after)
}

/// Any classic layout with at least two blanks and arbitrary characters for its pieces, as five
/// lines.
pub(crate) fn texts() -> impl Strategy<Value = String> {
    let names = Just("aZ0bY1cXäd+W9eV王fU8gT$hS7iR~".chars().collect::<Vec<char>>()).prop_shuffle();
    let blank_weight = prop::sample::select(vec![1u32, 3, 6]);
    let rolls = blank_weight.prop_flat_map(|weight| {
        prop::collection::vec((0..8 + weight).prop_map(|roll| roll.min(8)), 20)
    });
    (0..4usize, 0..3usize, rolls, names, any::<[prop::sample::Index; 2]>()).prop_map(
        |(row, column, rolls, names, removals)| {
            let mut board = ['.'; 20];
            let mut names = names.into_iter();
            let mut put = |board: &mut [char; 20], cells: &[usize]| {
                let name = names.next().expect("an unused character");
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
            // Remove pieces until there are at least two blanks.
            let mut removals = removals.into_iter();
            while board.iter().filter(|&&cell| cell == '.').count() < 2 {
                let others: Vec<char> = board
                    .iter()
                    .copied()
                    .filter(|&cell| cell != board[large] && cell != '.')
                    .collect();
                let index = removals.next().expect("at most two removals").index(others.len());
                let removed = others[index];
                board = board.map(|cell| if cell == removed { '.' } else { cell });
            }
            board.chunks(4).map(|row| row.iter().collect::<String>() + "\n").collect()
        },
    )
}

/// Any puzzle with two locked pieces on a board of more than 64 cells.
pub(crate) fn large_puzzles() -> impl Strategy<Value = String> {
    const SHAPES: [&[(usize, usize)]; 4] =
        [&[(0, 0)], &[(0, 0), (0, 1)], &[(0, 0), (1, 0), (1, 1)], &[(0, 0), (0, 2)]];
    let piece = (any::<prop::sample::Index>(), 0..SHAPES.len(), any::<bool>());
    (6..10usize, 11..14usize, [piece.clone(), piece], any::<prop::sample::Index>()).prop_filter_map(
        "room for the pieces, and a valid goal",
        |(rows, columns, pieces, goal)| {
            let mut board = vec!['.'; rows * columns];
            let mut directives = String::new();
            for ((position, shape, horizontal), name) in pieces.into_iter().zip("Ab".chars()) {
                let (row, column) = (position.index(rows), position.index(columns));
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
                    let (row, column) = if horizontal {
                        (row, goal.index(columns))
                    } else {
                        (goal.index(rows), column)
                    };
                    directives += &format!("goal: A at {},{}\n", row + 1, column + 1);
                }
                let axis = if horizontal { "horizontal" } else { "vertical" };
                directives += &format!("lock: {axis} {name}\n");
            }
            let text: String =
                board.chunks(columns).map(|row| row.iter().collect::<String>() + "\n").collect();
            let text = text + &directives;
            let is_valid = Instance::read(text.as_bytes()).next()?.is_ok();
            is_valid.then_some(text)
        },
    )
}

/// Any puzzle on at most 25 cells: walls, pieces that may have separate parts, goals, locks and
/// gates.
pub(crate) fn puzzles() -> impl Strategy<Value = String> {
    let cells = prop::collection::vec(0u8..20, 25);
    let goals = prop::collection::vec(any::<prop::sample::Index>(), 4);
    let gates = prop::collection::vec((any::<prop::sample::Index>(), 0..2usize), 0..4);
    (2..6usize, 2..6usize, cells, goals, 0u8..8, any::<bool>(), gates).prop_filter_map(
        "valid goals",
        |(rows, columns, rolls, goals, locks, has_two_goals, gates)| {
            let mut board = vec!['.'; rows * columns];
            let mut names = "AbcDefgH".chars();
            for (cell, &roll) in rolls.iter().enumerate().take(board.len()) {
                let adjacent = [
                    (cell % columns > 0).then(|| cell - 1),
                    cell.checked_sub(columns),
                    cell.checked_sub(columns + 1),
                ];
                let adjacent_pieces: Vec<char> = adjacent
                    .into_iter()
                    .flatten()
                    .map(|cell| board[cell])
                    .filter(|character| character.is_alphabetic())
                    .collect();
                board[cell] = match roll {
                    0 => '#',
                    1..8 => names.next().unwrap_or('.'),
                    8..13 if !adjacent_pieces.is_empty() => {
                        adjacent_pieces[usize::from(roll) % adjacent_pieces.len()]
                    }
                    _ => '.',
                };
            }
            let rows: Vec<String> = board.chunks(columns).map(|row| row.iter().collect()).collect();
            let drawing = Board::of_rows(rows.iter().map(String::as_str)).expect("rows");
            let pieces = drawing.pieces();
            let mut text = format!("{drawing}");
            for (number, &piece) in
                pieces.iter().take(if has_two_goals { 2 } else { 1 }).enumerate()
            {
                let first = goals[number].index(board.len());
                text += &format!("goal: {piece} at {}\n", drawing.coordinates(first));
            }
            for (number, &piece) in pieces.iter().enumerate().take(3) {
                if locks >> number & 1 == 1 {
                    text += &format!(
                        "lock: {} {piece}\n",
                        if number == 1 { "horizontal" } else { "vertical" }
                    );
                }
            }
            // Blanks, so that no piece is on a gate that it may not enter.
            for (cell, piece) in gates {
                let cell = cell.index(board.len());
                if let Some(piece) = pieces.get(piece).filter(|_| board[cell] == '.') {
                    text += &format!("gate: {piece} at {}\n", drawing.coordinates(cell));
                }
            }
            let is_valid = Instance::read(text.as_bytes()).next()?.is_ok();
            is_valid.then_some(text)
        },
    )
}
