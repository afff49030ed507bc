//! Random pairs of boards.

use fewest_black_white::{Instance, Size};
use proptest::prelude::*;

/// Boards of at most so many rows and columns; of three pairs two have as many black pieces on
/// both.
pub(crate) fn instances(rows: usize, columns: usize) -> impl Strategy<Value = Instance> {
    (1..=rows, 1..=columns)
        .prop_flat_map(|(rows, columns)| {
            let size = Size::new(rows, columns).expect("a size");
            let start = prop::collection::vec(any::<bool>(), size.cells());
            (Just(size), start, any::<[bool; 2]>()).prop_flat_map(|(size, start, [fair, again])| {
                let cells = size.cells();
                let other = prop::collection::vec(any::<bool>(), cells);
                let target = if fair || again {
                    Just(start.clone()).prop_shuffle().boxed()
                } else {
                    other.boxed()
                };
                (Just(size), Just(start), target)
            })
        })
        .prop_map(|(size, start, target)| {
            Instance::new(size, start, target).expect("as many cells")
        })
}

/// The same with a wall on some of the cells that are white on both boards.
pub(crate) fn walled(rows: usize, columns: usize) -> impl Strategy<Value = Instance> {
    (instances(rows, columns), any::<u64>()).prop_map(|(boards, walls)| {
        let cells = boards.start().iter().zip(boards.target()).enumerate();
        let walls = cells
            .map(|(cell, (&here, &wanted))| !here && !wanted && walls >> (cell % 64) & 1 == 1)
            .collect();
        let (start, target) = (boards.start().to_vec(), boards.target().to_vec());
        Instance::with_walls(boards.size(), walls, start, target).expect("pieces beside walls")
    })
}
