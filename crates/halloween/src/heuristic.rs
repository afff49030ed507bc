//! The lower bound of the search: how far the ghost is that has farthest to go.

use fewest_core::encoding::UNREACHABLE;
use fewest_core::memory::{Block, Memory, OutOfMemory};
use fewest_core::{Goals, Heuristic, Word};

use crate::space::Space;

/// The largest of the ghosts' own distances to their goals, as if each were alone in the house.
/// Consistent: a step changes each of them by at most 1.
///
/// Two bytes a ghost and cell; one breadth-first search a ghost to make, one look-up a ghost to
/// ask.
#[derive(Debug)]
pub struct FarthestGhost<'a, W> {
    space: &'a Space<W>,
    /// A row a ghost, a column a cell.
    distances: Block<u16>,
}

impl<'a, W: Word> FarthestGhost<'a, W> {
    /// Books the tables on `memory`.
    pub fn new(space: &'a Space<W>, memory: &Memory) -> Result<Self, OutOfMemory> {
        let cells = space.cells();
        let mut goals = Vec::new();
        space.goals(|goal| goals.extend(space.ghost_cells(goal)));
        let mut distances = Block::filled(0, goals.len() * cells.len(), memory)?;
        for (&goal, row) in goals.iter().zip(distances.chunks_mut(cells.len())) {
            cells.distances(goal, row);
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
            self.space.ghost_cells(state).zip(rows).map(|(cell, row)| row[usize::from(cell)]);
        distances.max().unwrap_or(0)
    }

    #[inline]
    fn bound(&self, farthest: u16) -> Option<u32> {
        (farthest != UNREACHABLE).then_some(farthest.into())
    }
}
