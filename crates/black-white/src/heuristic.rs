//! The heuristic of A* and IDA*: the pieces that have to cross each cut between two rows or
//! columns.

use fewest_core::Heuristic;

use crate::space::Space;

/// The sum over all cuts between two adjacent rows or columns of the difference between the number
/// of black pieces before the cut (above it, or to the left of it) on the board and on the target.
///
/// At least as many moves cross the cut as this difference, and each move crosses exactly one cut,
/// so the sum is admissible. It is consistent because a move changes one difference by 1.
///
/// An evaluation takes one population count per cut, `rows + columns - 2` in total.
#[derive(Debug)]
pub struct Crossings {
    /// For each cut, the cells before it, and the number of black pieces of the target on them.
    cuts: Vec<(u64, u32)>,
}

impl Crossings {
    /// The heuristic of a space.
    pub fn new(space: &Space) -> Self {
        let size = space.size();
        let rows = (1..size.rows()).map(|row| size.mask(|place| (place.row as usize) < row));
        let columns =
            (1..size.columns()).map(|column| size.mask(|place| (place.column as usize) < column));
        let cuts =
            rows.chain(columns).map(|before| (before, (space.target() & before).count_ones()));
        Self { cuts: cuts.collect() }
    }
}

impl Heuristic<Space> for Crossings {
    type Evaluation = u32;

    #[inline]
    fn evaluate(&self, state: u64) -> u32 {
        self.cuts
            .iter()
            .map(|&(before, target)| (state & before).count_ones().abs_diff(target))
            .sum()
    }

    #[inline]
    fn bound(&self, crossings: u32) -> Option<u32> {
        Some(crossings)
    }
}
