//! A heuristic: the sum of the Manhattan distances of all tiles to their goal cells.

use fewest_core::Heuristic;

use super::{Move, Tiles};

impl Heuristic<Tiles> for Tiles {
    type Evaluation = u32;

    fn evaluate(&self, state: u64) -> u32 {
        let tiles = (0..self.grid.cells).map(|cell| (cell, (state >> (4 * cell) & 15) as usize));
        tiles
            .filter(|&(_, tile)| tile != 0)
            .map(|(cell, tile)| u32::from(self.grid.distances(tile)[cell]))
            .sum()
    }

    /// Only one tile has moved.
    #[inline(always)]
    fn update(&self, evaluation: impl FnOnce() -> u32, _: u64, by: Move, _: u64) -> u32 {
        evaluation().wrapping_add_signed(self.grid.distance_change(by).into())
    }

    #[inline(always)]
    fn bound(&self, evaluation: u32) -> Option<u32> {
        Some(evaluation)
    }
}
