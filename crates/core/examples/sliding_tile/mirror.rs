//! The mirror image of a square grid along the diagonal of the blank's goal.

use fewest_core::Symmetric;

use super::{Move, Tiles};

impl Tiles {
    /// The number of rows and columns of a square grid.
    fn side(&self) -> usize {
        self.grid.cells.isqrt()
    }

    /// The cell, or the tile, with row and column exchanged.
    #[inline(always)]
    fn image_of(&self, cell: usize) -> usize {
        cell % self.side() * self.side() + cell / self.side()
    }
}

/// Only for square grids. The goal is its own image.
impl Symmetric for Tiles {
    fn image(&self, state: u64, _symmetry: u32) -> u64 {
        let image = |cell: usize| {
            let tile = (state >> (4 * cell) & 15) as usize;
            (self.image_of(tile) as u64) << (4 * self.image_of(cell))
        };
        (0..self.grid.cells).map(image).sum()
    }

    #[inline]
    fn image_of_move(&self, by: Move, _symmetry: u32) -> Move {
        let [from, to, tile] = [by.from(), by.to(), by.tile()].map(|place| self.image_of(place));
        Move::new(from, to as u8, tile as u64)
    }
}
