//! The heuristic of A* and IDA*: the distance to the nearest open gap in the relaxed maze.

use std::collections::VecDeque;

use fewest_core::{Heuristic, Word};
use fewest_geometry::Direction;

use crate::instance::Edge;
use crate::relaxation::Relaxation;
use crate::space::Space;

/// The fewest moves to the outside through a gap without a wall. Walls inside the maze are ignored,
/// and the moves that the [`Relaxation`] rules out are not used.
///
/// A gap that a wall closes never opens again, so a state without an open gap has no plan. The
/// heuristic is consistent: a move changes the distance to each gap by at most 1 and opens no gap.
///
/// An evaluation takes time linear in the number of gaps that are nearer than the nearest open one.
/// The table takes 16 or 32 bytes for each pair of a gap and a cell, depending on the word.
#[derive(Debug)]
pub struct NearestGap<'a, W> {
    space: &'a Space<W>,
    /// For each cell, the gaps that may be reached from it, the nearest first: the bit of the gap's
    /// edge, and the number of moves to the outside.
    gaps: Vec<Vec<(W, u8)>>,
}

/// The evaluation if there is no open gap.
const NONE: u8 = u8::MAX;

impl<'a, W: Word> NearestGap<'a, W> {
    /// Computes the distances of all cells to all gaps by a breadth-first search from each gap.
    pub fn new(relaxation: &Relaxation, space: &'a Space<W>) -> Self {
        let size = space.size();
        let mut gaps = vec![Vec::new(); size.len()];
        for (inside, direction) in relaxation.gaps() {
            let bit = space.edge_bit(Edge::of(inside, direction));
            let mut distances = vec![NONE; size.len()];
            distances[size.index(inside)] = 1;
            let mut queue = VecDeque::from([inside]);
            while let Some(place) = queue.pop_front() {
                let distance = distances[size.index(place)];
                gaps[size.index(place)].push((bit, distance));
                for direction in Direction::ALL {
                    let Some(neighbour) = size.neighbour(place, direction) else { continue };
                    let known = &mut distances[size.index(neighbour)];
                    if *known == NONE && relaxation.may_cross(neighbour, direction.opposite()) {
                        *known = distance + 1;
                        queue.push_back(neighbour);
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
    fn bound(&self, distance: u8) -> Option<u32> {
        (distance != NONE).then_some(distance.into())
    }
}

#[cfg(test)]
mod tests {
    use fewest_core::budget::{Budget, Limits};
    use fewest_core::check;

    use super::*;
    use crate::builtin::BUILTINS;
    use crate::instance::{Instance, Size};
    use crate::space::{Abstraction, with_space};

    fn check_promises<W: Word>(space: &Space<W>, relaxation: &Relaxation) -> Result<(), String> {
        let limits = Limits { states: Some(20_000), ..Limits::default() };
        let nearest = NearestGap::new(relaxation, space);
        let states = check::reachable(space, 200);
        let checks = [
            check::space(space, &states),
            check::heuristic(space, &nearest, &states, &Budget::new(limits)),
            check::consistency(space, &nearest, &states),
        ];
        checks.into_iter().collect::<Result<_, _>>().map_err(|violation| violation.to_string())
    }

    #[test]
    fn spaces_and_their_heuristic_keep_their_promises() {
        for builtin in BUILTINS {
            for maze in Instance::read(builtin.text.as_bytes(), Size::new(4, 6).expect("a size")) {
                let maze = maze.expect("well-formed");
                let relaxation = Relaxation::new(&maze);
                let checked = with_space!(&maze, &relaxation, Abstraction::IDENTITY, |space| {
                    check_promises(space, &relaxation)
                });
                assert_eq!(checked, Ok(Ok(())), "{:?}", builtin.names);
            }
        }
    }
}
