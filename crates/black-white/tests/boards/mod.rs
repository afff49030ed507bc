//! Random pairs of boards.

use fewest_black_white::Instance;
use fewest_core::grid::Size;
use proptest::prelude::*;

/// Boards of at most so many rows and columns; of three pairs two have as many black pieces on both.
pub(crate) fn instances(rows: usize, columns: usize) -> impl Strategy<Value = Instance> {
    (1..=rows, 1..=columns)
        .prop_flat_map(|(rows, columns)| {
            let size = Size::new(rows, columns).expect("a size");
            let start = prop::collection::vec(any::<bool>(), size.cells());
            (Just(size), start, any::<[bool; 2]>()).prop_flat_map(|(size, start, [fair, again])| {
                let cells = size.cells();
                let other = prop::collection::vec(any::<bool>(), cells);
                let target = if fair || again { Just(start.clone()).prop_shuffle().boxed() } else { other.boxed() };
                (Just(size), Just(start), target)
            })
        })
        .prop_map(|(size, start, target)| Instance::new(size, start, target).expect("as many cells"))
}
