//! Strategies for random pairs of boards.

use fewest_black_white::{Instance, Size};
use proptest::prelude::*;

/// Boards of at most these numbers of rows and columns. Three of four pairs have the same number of
/// black pieces on both boards.
pub(crate) fn instances(rows: usize, columns: usize) -> impl Strategy<Value = Instance> {
    (1..=rows, 1..=columns)
        .prop_flat_map(|(rows, columns)| {
            let size = Size::new(rows, columns).expect("a size");
            let start = prop::collection::vec(any::<bool>(), size.len());
            (Just(size), start, any::<[bool; 2]>()).prop_flat_map(|(size, start, shuffled)| {
                let cells = size.len();
                let independent = prop::collection::vec(any::<bool>(), cells);
                let target = if shuffled.contains(&true) {
                    Just(start.clone()).prop_shuffle().boxed()
                } else {
                    independent.boxed()
                };
                (Just(size), Just(start), target)
            })
        })
        .prop_map(|(size, start, target)| {
            Instance::new(size, start, target).expect("boards of this size")
        })
}

/// Like [`instances`], with a wall on some of the cells that are white on both boards.
pub(crate) fn walled(rows: usize, columns: usize) -> impl Strategy<Value = Instance> {
    (instances(rows, columns), any::<u64>()).prop_map(|(boards, walls)| {
        let cells = boards.start().iter().zip(boards.target()).enumerate();
        let walls = cells
            .map(|(cell, (&start, &target))| !start && !target && walls >> (cell % 64) & 1 == 1)
            .collect();
        let (start, target) = (boards.start().to_vec(), boards.target().to_vec());
        Instance::with_walls(boards.size(), walls, start, target).expect("no piece on a wall")
    })
}
