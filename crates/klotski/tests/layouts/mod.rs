//! Random layouts, and what the tests share.
#![allow(dead_code, reason = "each test takes its part")]

use fewest_klotski::Instance;
use proptest::prelude::*;

/// The first layout of a text.
pub(crate) fn read(text: &str) -> Instance {
    Instance::read(text.as_bytes()).next().expect("a data set").expect("a good one")
}

/// Any layout of at least two blanks, its blocks called by any characters, as five lines.
pub(crate) fn texts() -> impl Strategy<Value = String> {
    let names = Just("aZ0bY1cXäd+W9eV王fU8gT$hS7iR~".chars().collect::<Vec<char>>()).prop_shuffle();
    let blank = prop::sample::select(vec![1u32, 3, 6]);
    let rolls = blank.prop_flat_map(|blank| prop::collection::vec((0..8 + blank).prop_map(|roll| roll.min(8)), 20));
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
                let others: Vec<char> =
                    board.iter().copied().filter(|&cell| cell != board[large] && cell != '.').collect();
                let gone = others[holes.next().expect("two are enough").index(others.len())];
                board = board.map(|cell| if cell == gone { '.' } else { cell });
            }
            board.chunks(4).map(|row| row.iter().collect::<String>() + "\n").collect()
        },
    )
}
