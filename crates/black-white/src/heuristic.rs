//! The lower bound of the search: what has to cross each line between rows, and between columns.

use fewest_core::Heuristic;

use crate::space::Space;

/// For each line between two rows, by how many the black pieces above it differ from those of the
/// target: so many moves at least go across it. The same for the lines between columns, and the sum
/// of all, since a move crosses one line. Consistent: a move changes one of the differences by 1.
///
/// One count of bits a line.
#[derive(Debug)]
pub struct Crossings {
    /// The cells before each line, and how many black pieces the target has there.
    lines: Vec<(u64, u32)>,
}

impl Crossings {
    /// The lines of a space.
    pub fn new(space: &Space) -> Self {
        let size = space.size();
        let rows = (1..size.rows()).map(|row| size.mask(|place| place.row < row));
        let columns = (1..size.columns()).map(|column| size.mask(|place| place.column < column));
        let lines =
            rows.chain(columns).map(|before| (before, (space.target() & before).count_ones()));
        Self { lines: lines.collect() }
    }
}

impl Heuristic<Space> for Crossings {
    type Evaluation = u32;

    #[inline]
    fn evaluate(&self, state: u64) -> u32 {
        self.lines
            .iter()
            .map(|&(before, wanted)| (state & before).count_ones().abs_diff(wanted))
            .sum()
    }

    #[inline]
    fn bound(&self, crossings: u32) -> Option<u32> {
        Some(crossings)
    }
}
