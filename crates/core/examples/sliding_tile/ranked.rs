//! Ranks of the states that are reachable from the start, and the goal.

use fewest_core::encoding::PermutationRanks;
use fewest_core::{Goals, Ranked};

use super::Tiles;
use super::grid::blank;

/// The rank of a state is the rank of the order of the tiles without the blank, times the number of
/// cells, plus the cell of the blank. So a move along a row changes the rank by 1.
///
/// A move along a row does not change the order. A move along a column moves a tile past `width -
/// 1` other tiles. So the parity of the order depends only on the row of the blank.
pub struct Ranking {
    orders: PermutationRanks,
    cells: u64,
    /// By cell of the blank: whether the order is odd.
    odd: Vec<bool>,
}

impl Ranking {
    pub fn new(width: usize, height: usize, start: u64) -> Self {
        let cells = width * height;
        let orders = PermutationRanks::new(cells as u32 - 1).expect("3 to 16 cells");
        let start_order = order(start, blank(start));
        let start_is_odd =
            orders.unrank(orders.rank(start_order), true) == start_order & order_mask(cells as u64);
        let row_distance = |cell: usize| (cell / width).abs_diff(blank(start) / width);
        let odd = (0..cells)
            .map(|cell| start_is_odd != (width.is_multiple_of(2) && row_distance(cell) % 2 == 1))
            .collect();
        Self { orders, cells: cells as u64, odd }
    }
}

const ONES: u64 = 0x1111_1111_1111_1111;

/// The bits of an order of the tiles on `cells` cells.
fn order_mask(cells: u64) -> u64 {
    (1 << (4 * (cells - 1))) - 1
}

/// The tiles row by row, numbered from 0, without the blank.
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
        let tiles = (orders.unrank(number, odd[blank as usize]) + ONES) & order_mask(*cells);
        let before = (1 << (4 * blank)) - 1;
        (tiles & before) | (tiles & !before) << 4
    }
}

/// A goal of the other parity is not reachable and has no rank of its own.
impl Goals for Tiles {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        if self.is_solvable() {
            emit(self.grid.goal());
        }
    }
}
