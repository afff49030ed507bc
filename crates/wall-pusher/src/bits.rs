//! Walls as bits: the numbers of edges, the walls of a line, and the set bits of a word.

use crate::instance::{Edge, Size, Walls};

/// Clears the lowest set bit of a word and returns its index; `None` if no bit is set.
#[inline]
pub(crate) fn take_lowest(bits: &mut u64) -> Option<usize> {
    let lowest = (*bits != 0).then_some(bits.trailing_zeros() as usize);
    *bits &= bits.wrapping_sub(1);
    lowest
}

impl Edge {
    /// The index of the edge in the order of [`all`](Self::all).
    pub(crate) fn number(self, size: Size) -> usize {
        let (rows, columns) = (size.rows(), size.columns());
        let before = if self.in_row {
            self.line * (columns + 1)
        } else {
            rows * (columns + 1) + self.line * (rows + 1)
        };
        before + self.index
    }
}

impl Walls {
    /// The walls of the line with this [number](Edge::line_number): bit `i` is set if edge `i` has
    /// a wall.
    #[inline]
    pub(crate) fn of_line(&self, number: usize, size: Size) -> usize {
        let line = number
            .checked_sub(size.rows())
            .map_or_else(|| self.rows[number], |column| self.columns[column]);
        line.into()
    }
}
