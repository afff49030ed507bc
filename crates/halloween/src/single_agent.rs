//! Each ghost as if it were alone in the house: how far each cell is from its start and from its
//! goal.

use fewest_core::budget::{Limit, Meter};
use fewest_core::encoding::{Cell, Cells, UNREACHABLE};
use fewest_core::memory::Block;

use crate::instance::{Instance, Place};

/// The cells of a house, where each ghost starts and belongs, and its distances there: two bytes a
/// ghost and cell for either.
#[derive(Debug)]
pub struct SingleAgent {
    cells: Cells,
    starts: Vec<Cell>,
    goals: Vec<Cell>,
    /// A row a ghost, a column a cell.
    to_goal: Vec<Block<u16>>,
    from_start: Vec<Block<u16>>,
}

impl SingleAgent {
    /// Two breadth-first searches a ghost. A house may have more cells than can be encoded.
    pub fn new(instance: &Instance, meter: &mut Meter<'_>) -> Result<Self, Limit> {
        let cells = instance.cells().ok_or(Limit::Encoding)?;
        let at = |place: Place| cells.at(place.x.into(), place.y.into()).ok_or(Limit::Encoding);
        let ways = instance.ghosts().iter();
        let starts = ways.clone().map(|ghost| at(ghost.start)).collect::<Result<Vec<Cell>, _>>()?;
        let goals = ways.map(|ghost| at(ghost.goal)).collect::<Result<Vec<Cell>, _>>()?;
        let mut row = |from: Cell| -> Result<Block<u16>, Limit> {
            meter.poll_after(cells.len() as u32)?;
            let mut row = Block::filled(0, cells.len(), meter.memory())?;
            cells.distances(from, &mut row);
            Ok(row)
        };
        let to_goal = goals.iter().map(|&goal| row(goal)).collect::<Result<_, _>>()?;
        let from_start = starts.iter().map(|&start| row(start)).collect::<Result<_, _>>()?;
        Ok(Self { cells, starts, goals, to_goal, from_start })
    }

    /// The corridor cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Where a cell is.
    pub fn place(&self, cell: Cell) -> Place {
        Place::at(self.cells.place(cell))
    }

    /// Where the ghosts start.
    pub fn starts(&self) -> &[Cell] {
        &self.starts
    }

    /// Where they belong.
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// The steps of each cell to the goal of `ghost`, by cell; [`UNREACHABLE`] where there is no
    /// way.
    pub fn to_goal(&self, ghost: usize) -> &[u16] {
        &self.to_goal[ghost]
    }

    /// The steps to each cell from the start of `ghost`.
    pub fn from_start(&self, ghost: usize) -> &[u16] {
        &self.from_start[ghost]
    }

    /// The steps of `ghost` from its start to its goal; [`UNREACHABLE`] if there is no way.
    pub fn steps(&self, ghost: usize) -> u16 {
        self.to_goal(ghost)[usize::from(self.starts[ghost])]
    }

    /// The steps of the one of `ghosts` that has farthest to go; `None` if one cannot get home.
    pub fn farthest(&self, ghosts: &[usize]) -> Option<u32> {
        let farthest = ghosts.iter().map(|&ghost| self.steps(ghost)).max().unwrap_or(0);
        (farthest != UNREACHABLE).then_some(farthest.into())
    }

    /// Where `ghost` may be after a step from `cell`: the cells nearer to its goal, then `cell`,
    /// then those farther away.
    #[inline]
    pub fn choices(&self, ghost: usize, cell: Cell) -> impl Iterator<Item = Cell> + Clone {
        let to_goal = self.to_goal(ghost);
        let here = to_goal[usize::from(cell)];
        let beside = self.cells.neighbours(cell).iter().copied();
        let nearer = beside.clone().filter(move |&to| to_goal[usize::from(to)] < here);
        nearer.chain([cell]).chain(beside.filter(move |&to| to_goal[usize::from(to)] > here))
    }
}
