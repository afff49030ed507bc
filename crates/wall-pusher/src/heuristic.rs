//! The lower bound of the search: how far the nearest gap is that is still open.

use fewest_core::grid::{Direction, Place};
use fewest_core::{Heuristic, StateSpace, Word};

use crate::instance::Edge;
use crate::space::Space;

/// The rows plus the columns to the nearest cell with an open gap, and one move more to go through it. A gap never opens, so
/// where none is left, no plan is. Consistent: a move changes one distance by 1 and may close a gap.
///
/// One look at each gap that the maze had at first.
#[derive(Debug)]
pub struct NearestGap<'a, W> {
    space: &'a Space<W>,
    gaps: Vec<Gap>,
}

#[derive(Debug)]
struct Gap {
    /// The bit of its edge.
    bit: u32,
    /// The moves to the outside, from each cell by its number.
    distances: Vec<u8>,
}

/// No gap is left.
const NONE: u8 = u8::MAX;

impl<'a, W: Word> NearestGap<'a, W> {
    /// A list of the gaps of a maze as it is at first.
    pub fn new(space: &'a Space<W>) -> Self {
        let size = space.size();
        let mut start = W::ZERO;
        space.initial(|state| start = state);
        let mut gaps = Vec::new();
        for place in size.places() {
            for way in Direction::ALL {
                let edge = Edge::of(place, way);
                let bit = space.bit(edge);
                if edge.is_border(size) && start.bits(bit, 1) == 0 {
                    let away = |cell: Place| place.row.abs_diff(cell.row) + place.column.abs_diff(cell.column);
                    gaps.push(Gap { bit, distances: size.places().map(|cell| away(cell) as u8 + 1).collect() });
                }
            }
        }
        Self { space, gaps }
    }
}

impl<W: Word> Heuristic<Space<W>> for NearestGap<'_, W> {
    type Memo = u8;

    #[inline]
    fn memo(&self, state: W) -> u8 {
        if self.space.is_goal(state) {
            return 0;
        }
        let cell = self.space.cell(state);
        let open = self.gaps.iter().filter(|gap| state.bits(gap.bit, 1) == 0);
        open.map(|gap| gap.distances[cell]).min().unwrap_or(NONE)
    }

    #[inline]
    fn bound(&self, nearest: u8) -> Option<u32> {
        (nearest != NONE).then_some(nearest.into())
    }
}
