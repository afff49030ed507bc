//! A lower bound for the engines of core: the greatest distance of a ghost to its goal.

use fewest_core::budget::Limit;
use fewest_core::encoding::UNREACHABLE;
use fewest_core::memory::{Block, Memory};
use fewest_core::{Goals, Heuristic, Word};

use crate::space::Space;

/// The greatest distance of a ghost to its goal, each as if it were alone on the map.
///
/// The heuristic is consistent: a step changes each distance by at most 1. It takes two bytes for
/// each pair of a ghost and a cell. Construction runs one breadth-first search per ghost; an
/// evaluation takes one lookup per ghost.
#[derive(Debug)]
pub struct FarthestGhost<'a, W> {
    space: &'a Space<W>,
    /// One row per ghost, one column per cell.
    distances: Block<u16>,
}

impl<'a, W: Word> FarthestGhost<'a, W> {
    /// Computes the distances of all ghosts.
    ///
    /// # Errors
    /// [`Limit::Memory`] if `memory` does not suffice, [`Limit::Encoding`] if a distance is greater
    /// than 65,534.
    pub fn new(space: &'a Space<W>, memory: &Memory) -> Result<Self, Limit> {
        let cells = space.cells();
        let mut goals = Vec::new();
        space.goals(|goal| goals.extend(space.ghost_cells(goal)));
        let mut distances = Block::filled(0, goals.len() * cells.len(), memory)?;
        for (&goal, row) in goals.iter().zip(distances.chunks_mut(cells.len())) {
            if !cells.distances(goal, row) {
                return Err(Limit::Encoding);
            }
        }
        Ok(Self { space, distances })
    }
}

impl<W: Word> Heuristic<Space<W>> for FarthestGhost<'_, W> {
    type Evaluation = u16;

    #[inline]
    fn evaluate(&self, state: W) -> u16 {
        let rows = self.distances.chunks_exact(self.space.cells().len());
        let distances =
            self.space.ghost_cells(state).zip(rows).map(|(cell, row)| row[cell as usize]);
        distances.max().unwrap_or(0)
    }

    #[inline]
    fn bound(&self, farthest: u16) -> Option<u32> {
        (farthest != UNREACHABLE).then_some(farthest.into())
    }
}

#[cfg(test)]
mod tests {
    use fewest_core::budget::{Budget, Limits};
    use fewest_core::check;

    use super::*;
    use crate::builtin::BUILTINS;
    use crate::instance::Instance;
    use crate::space::with_space;

    fn check_promises<W: Word>(space: &Space<W>) -> Result<(), String> {
        let limits = Limits { states: Some(5000), ..Limits::default() };
        let budget = Budget::new(limits);
        let farthest = FarthestGhost::new(space, budget.memory()).expect("enough memory");
        let states = check::reachable(space, 100);
        // From the start, some goals are too far away for the budget.
        let near_both_ends = [&states[..], &check::near_goals(space, 100)].concat();
        let checks = [
            check::space(space, &states),
            check::predecessors(space, &states),
            check::goals(space, &states),
            check::ranks(space, &states),
            check::heuristic(space, &farthest, &near_both_ends, &budget),
            check::consistency(space, &farthest, &states),
        ];
        checks.into_iter().collect::<Result<_, _>>().map_err(|violation| violation.to_string())
    }

    #[test]
    fn spaces_and_their_heuristic_keep_their_promises() {
        for builtin in BUILTINS.iter().filter(|builtin| builtin.text.len() < 300) {
            for instance in Instance::read(builtin.text.as_bytes()) {
                let instance = instance.expect("well-formed");
                let checked = with_space!(&instance, |space| check_promises(space));
                assert_eq!(checked, Some(Ok(())), "{:?}", builtin.names);
            }
        }
    }
}
