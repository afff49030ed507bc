//! The lower bound of the search: how far the nearest gap is that is still open.

use std::collections::VecDeque;

use fewest_core::grid::Direction;
use fewest_core::{Heuristic, Word};

use crate::instance::Edge;
use crate::relaxation::Relaxation;
use crate::space::Space;

/// The steps to the nearest open gap by moves that the [`Relaxation`] does not rule out, and one
/// move more to go through it. A gap never opens, so where none is left, no plan is. Consistent: a
/// move changes one distance by 1 and may close a gap.
///
/// One look at each gap that is nearer than the nearest open one.
#[derive(Debug)]
pub struct NearestGap<'a, W> {
    space: &'a Space<W>,
    /// Of each cell: the gaps that can be come to, by their bits, and the moves to the outside; the
    /// nearest first.
    gaps: Vec<Vec<(W, u8)>>,
}

/// No gap is left.
const NONE: u8 = u8::MAX;

impl<'a, W: Word> NearestGap<'a, W> {
    /// A list of the gaps of a maze as it is at first.
    pub fn new(relaxation: &Relaxation, space: &'a Space<W>) -> Self {
        let size = space.size();
        let mut gaps = vec![Vec::new(); size.cells()];
        for (inside, way) in relaxation.exits() {
            let bit = space.mask(Edge::of(inside, way));
            let mut distances = vec![NONE; size.cells()];
            distances[size.number(inside)] = 1;
            let mut queue = VecDeque::from([inside]);
            while let Some(place) = queue.pop_front() {
                let distance = distances[size.number(place)];
                gaps[size.number(place)].push((bit, distance));
                for way in Direction::ALL {
                    let Some(before) = size.neighbour(place, way) else { continue };
                    let there = &mut distances[size.number(before)];
                    if *there == NONE && relaxation.may_cross(before, way.opposite()) {
                        *there = distance + 1;
                        queue.push_back(before);
                    }
                }
            }
        }
        gaps.iter_mut().for_each(|gaps| gaps.sort_by_key(|&(_, distance)| distance));
        Self { space, gaps }
    }
}

impl<W: Word> Heuristic<Space<W>> for NearestGap<'_, W> {
    type Evaluation = u8;

    #[inline]
    fn evaluate(&self, state: W) -> u8 {
        let Some(gaps) = self.gaps.get(self.space.cell(state)) else { return 0 };
        let open = gaps.iter().find(|&&(gap, _)| state.and(gap) == W::ZERO);
        open.map_or(NONE, |&(_, distance)| distance)
    }

    #[inline]
    fn bound(&self, nearest: u8) -> Option<u32> {
        (nearest != NONE).then_some(nearest.into())
    }
}
