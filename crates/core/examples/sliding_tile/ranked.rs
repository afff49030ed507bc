//! Every state that the start can reach has a number of its own, and the goal is known.

use fewest_core::encoding::Permutations;
use fewest_core::{Goals, Ranked};

use super::Tiles;
use super::grid::blank;

/// The numbers of the states: that of the tiles' order, the blank left out, times the cells, plus
/// the cell of the blank. So a move along a row changes a number by one.
///
/// The order is a permutation of which a move along a row changes nothing, and a move along a
/// column takes a tile past `width - 1` others. So whether it is odd depends on the row of the
/// blank alone.
pub struct Ranking {
    orders: Permutations,
    cells: u64,
    /// Of each cell of the blank, whether the order is odd.
    odd: Vec<bool>,
}

impl Ranking {
    pub fn new(width: usize, height: usize, start: u64) -> Self {
        let cells = width * height;
        let orders = Permutations::new(cells as u32 - 1).expect("3 to 16 cells");
        let now = order(start, blank(start));
        let is_odd = orders.unrank(orders.rank(now), true) == now & places(cells as u64);
        let rows = |cell: usize| (cell / width).abs_diff(blank(start) / width);
        let odd = (0..cells)
            .map(|cell| is_odd != (width.is_multiple_of(2) && rows(cell) % 2 == 1))
            .collect();
        Self { orders, cells: cells as u64, odd }
    }
}

const ONES: u64 = 0x1111_1111_1111_1111;

/// The bits of all tiles on so many cells.
fn places(cells: u64) -> u64 {
    (1 << (4 * (cells - 1))) - 1
}

/// The tiles in reading order, counted from 0, the blank left out.
#[inline]
fn order(state: u64, blank: usize) -> u64 {
    let before = (1 << (4 * blank)) - 1;
    ((state & before) | (state >> 4 & !before)).wrapping_sub(ONES)
}

impl Ranked for Tiles {
    fn ranks(&self) -> Option<u64> {
        Some(self.ranking.orders.count() * self.ranking.cells)
    }

    #[inline]
    fn rank(&self, state: u64) -> u64 {
        let blank = blank(state);
        self.ranking.orders.rank(order(state, blank)) * self.ranking.cells + blank as u64
    }

    #[inline]
    fn unrank(&self, rank: u64) -> u64 {
        let Ranking { orders, cells, odd } = &self.ranking;
        let (number, blank) = (rank / cells, rank % cells);
        let tiles = (orders.unrank(number, odd[blank as usize]) + ONES) & places(*cells);
        let before = (1 << (4 * blank)) - 1;
        (tiles & before) | (tiles & !before) << 4
    }
}

impl Goals for Tiles {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        emit(self.grid.goal());
    }
}
