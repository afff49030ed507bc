//! The distances of each ghost as if it were alone on the map: from its start to every cell, and
//! from every cell to its goal.

use fewest_core::budget::{Limit, Meter};
use fewest_core::encoding::{CellIndex, Cells, UNREACHABLE};
use fewest_core::memory::Block;
use fewest_geometry::Cell;

use crate::instance::Instance;

/// The corridor cells of an instance, and for each ghost its start, its goal and its distances to
/// and from them. Takes four bytes for each pair of a ghost and a cell.
#[derive(Debug)]
pub struct SingleAgent {
    cells: Cells,
    starts: Vec<CellIndex>,
    goals: Vec<CellIndex>,
    /// One row per ghost, one entry per cell.
    to_goal: Vec<Block<u16>>,
    from_start: Vec<Block<u16>>,
}

impl SingleAgent {
    /// Computes the distances by two breadth-first searches per ghost.
    ///
    /// # Errors
    /// [`Limit::Encoding`] if the map has more than 2,097,152 corridor cells, or a distance is
    /// greater than 65,534; otherwise the limit of the budget that stopped the computation.
    pub fn new(instance: &Instance, meter: &mut Meter<'_>) -> Result<Self, Limit> {
        let cells = instance.cells().ok_or(Limit::Encoding)?;
        let at = |cell| cells.index(cell).ok_or(Limit::Encoding);
        let ghosts = instance.ghosts().iter();
        let starts = ghosts.clone().map(|ghost| at(ghost.start)).collect::<Result<Vec<_>, _>>()?;
        let goals = ghosts.map(|ghost| at(ghost.goal)).collect::<Result<Vec<_>, _>>()?;
        let mut row = |from: CellIndex| -> Result<Block<u16>, Limit> {
            meter.poll_after(cells.len() as u32)?;
            let mut row = Block::filled(0, cells.len(), meter.memory())?;
            if cells.distances(from, &mut row) { Ok(row) } else { Err(Limit::Encoding) }
        };
        let to_goal = goals.iter().map(|&goal| row(goal)).collect::<Result<_, _>>()?;
        let from_start = starts.iter().map(|&start| row(start)).collect::<Result<_, _>>()?;
        Ok(Self { cells, starts, goals, to_goal, from_start })
    }

    /// The corridor cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The cell with this number.
    pub fn cell(&self, number: CellIndex) -> Cell {
        self.cells.cell(number)
    }

    /// The start of each ghost.
    pub fn starts(&self) -> &[CellIndex] {
        &self.starts
    }

    /// The goal of each ghost.
    pub fn goals(&self) -> &[CellIndex] {
        &self.goals
    }

    /// For each cell, its distance to the goal of `ghost`; [`UNREACHABLE`] if there is no path.
    pub fn to_goal(&self, ghost: usize) -> &[u16] {
        &self.to_goal[ghost]
    }

    /// For each cell, its distance from the start of `ghost`; [`UNREACHABLE`] if there is no path.
    pub fn from_start(&self, ghost: usize) -> &[u16] {
        &self.from_start[ghost]
    }

    /// The distance of `ghost` from its start to its goal; [`UNREACHABLE`] if there is no path.
    pub fn start_to_goal(&self, ghost: usize) -> u16 {
        self.to_goal(ghost)[self.starts[ghost] as usize]
    }

    /// The greatest distance from start to goal among `ghosts`, a lower bound on the makespan.
    /// `None` if one of them has no path to its goal.
    pub fn farthest(&self, ghosts: &[usize]) -> Option<u32> {
        let farthest = ghosts.iter().map(|&ghost| self.start_to_goal(ghost)).max().unwrap_or(0);
        (farthest != UNREACHABLE).then_some(farthest.into())
    }

    /// The cells that `ghost` can be on one step after `cell`: first the neighbours nearer to its
    /// goal, then `cell` itself, then the neighbours farther from its goal.
    #[inline]
    pub fn choices(
        &self,
        ghost: usize,
        cell: CellIndex,
    ) -> impl Iterator<Item = CellIndex> + Clone {
        let to_goal = self.to_goal(ghost);
        let here = to_goal[cell as usize];
        let neighbours = self.cells.neighbours(cell).iter().copied();
        let nearer = neighbours.clone().filter(move |&to| to_goal[to as usize] < here);
        nearer.chain([cell]).chain(neighbours.filter(move |&to| to_goal[to as usize] > here))
    }
}
