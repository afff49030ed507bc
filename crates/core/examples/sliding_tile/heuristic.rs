//! A lower bound: the columns plus the rows that each tile has to go, all together.

use fewest_core::{Heuristic, StateSpace};

use super::{Tiles, blank};

impl Heuristic<Tiles> for Tiles {
    type Memo = u32;

    fn memo(&self, state: u64) -> u32 {
        let tiles = (0..self.width * self.height).map(|cell| (cell, (state >> (4 * cell) & 15) as usize));
        tiles.filter(|&(_, tile)| tile != 0).map(|(cell, tile)| u32::from(self.apart[tile][cell])).sum()
    }

    /// Only one tile has moved: from where the blank went to where it was.
    #[inline]
    fn advance(&self, memo: u32, from: u64, by: <Tiles as StateSpace>::Move, _: u64) -> u32 {
        let to = blank(from);
        let cell = to.wrapping_add_signed(by.into());
        let away = &self.apart[(from >> (4 * cell) & 15) as usize];
        memo + u32::from(away[to]) - u32::from(away[cell])
    }

    #[inline]
    fn bound(&self, memo: u32) -> Option<u32> {
        Some(memo)
    }
}
