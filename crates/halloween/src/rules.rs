//! The rules of the statement on a plain board, independent of the searches. Every plan is replayed
//! by them before it is returned.
//!
//! ```
//! use fewest_geometry::Direction;
//! use fewest_halloween::{Instance, plan::JointStep};
//! use fewest_rules::verify;
//!
//! let instance = Instance::read(b"3 1 1\na A\n").next().unwrap().unwrap();
//! let east = JointStep(vec![Some(Direction::East)]);
//! assert!(verify(&instance, vec![east.clone(), east.clone()]).is_ok());
//! let refusal = verify(&instance, vec![east]).unwrap_err();
//! assert_eq!(refusal.to_string(), "after step 1 ghost `a` is at row 1, column 2, not at its goal at row 1, column 3");
//! ```

use fewest_geometry::{Cell, Direction};
use fewest_rules::Rules;

use crate::instance::{Instance, ghost_name};
use crate::plan::JointStep;

/// A violation of the rules in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The step has the wrong number of directions.
    #[error("found directions for {found} ghosts, expected {expected}")]
    GhostCount {
        /// The number of directions in the step.
        found: usize,
        /// The number of ghosts of the instance.
        expected: usize,
    },
    /// A ghost moves into a wall or off the map.
    #[error("ghost `{}` at {from} cannot go {direction}: there is no corridor", ghost_name(*ghost))]
    Wall {
        /// The index of the ghost.
        ghost: usize,
        /// Its cell before the step.
        from: Cell,
        /// Its direction in the step.
        direction: Direction,
    },
    /// Two ghosts end on the same cell.
    #[error("ghosts `{}` and `{}` are both at {cell}", ghost_name(*first), ghost_name(*second))]
    SameCell {
        /// The smaller of the two indices.
        first: usize,
        /// The larger of the two indices.
        second: usize,
        /// The cell of both ghosts after the step.
        cell: Cell,
    },
    /// Two ghosts exchange their cells.
    #[error("ghosts `{}` and `{}` exchange cells", ghost_name(*first), ghost_name(*second))]
    Exchanged {
        /// The smaller of the two indices.
        first: usize,
        /// The larger of the two indices.
        second: usize,
    },
}

/// A ghost that is not at its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ghost `{}` is at {cell}, not at its goal at {goal}", ghost_name(*ghost))]
pub struct NotAtGoal {
    /// The index of the ghost, the first that is not at its goal.
    pub ghost: usize,
    /// Its cell.
    pub cell: Cell,
    /// Its goal.
    pub goal: Cell,
}

/// The cell of each ghost, and for each cell the ghost on it, so that a step takes time linear in
/// the number of ghosts.
///
/// Takes 4 bytes for each cell of the map, walls included, and 8 for each ghost.
#[derive(Clone, Debug)]
pub struct Board {
    cells: Vec<Cell>,
    /// For each cell of the map in reading order, the index of the ghost on it, or [`NO_GHOST`].
    ghost_on: Vec<u32>,
    /// The same after the step that is being played; all [`NO_GHOST`] between two steps.
    ghost_next_on: Vec<u32>,
}

const NO_GHOST: u32 = u32::MAX;

impl Board {
    /// The board with the ghosts on these cells. `None` if there is not one corridor cell for each
    /// ghost.
    pub fn new(instance: &Instance, cells: Vec<Cell>) -> Option<Self> {
        let no_ghost = vec![NO_GHOST; instance.size().len()];
        let mut board = Self { cells, ghost_on: no_ghost.clone(), ghost_next_on: no_ghost };
        for (ghost, &cell) in (0..).zip(&board.cells) {
            if !instance.is_corridor(cell) {
                return None;
            }
            let on = &mut board.ghost_on[instance.size().index(cell)];
            if *on != NO_GHOST {
                return None;
            }
            *on = ghost;
        }
        (board.cells.len() == instance.ghosts().len()).then_some(board)
    }

    /// The cell of each ghost, in the order of the ghosts.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }
}

impl Rules for Instance {
    type Board = Board;
    type Move = JointStep;
    type Illegal = Illegal;
    type Unsolved = NotAtGoal;

    const MOVE: &'static str = "step";

    fn start_board(&self) -> Board {
        Board::new(self, self.starts()).expect("an instance has its ghosts on corridor cells")
    }

    fn play(&self, board: &mut Board, step: &JointStep) -> Result<(), Illegal> {
        let Board { cells, ghost_on, ghost_next_on } = board;
        if step.0.len() != cells.len() {
            return Err(Illegal::GhostCount { found: step.0.len(), expected: cells.len() });
        }
        let mut after = Vec::with_capacity(cells.len());
        for (ghost, (&from, &direction)) in cells.iter().zip(&step.0).enumerate() {
            let to = direction.map_or(from, |direction| from.step(direction));
            if let Some(direction) = direction.filter(|_| !self.is_corridor(to)) {
                return Err(Illegal::Wall { ghost, from, direction });
            }
            after.push(to);
        }
        // If several cells are shared, the error names the first.
        let mut shared: Option<(Cell, usize, usize)> = None;
        for (second, &cell) in after.iter().enumerate() {
            let on = &mut ghost_next_on[self.size().index(cell)];
            match *on as usize {
                _ if *on == NO_GHOST => *on = second as u32,
                first if shared.is_none_or(|(least, ..)| cell < least) => {
                    shared = Some((cell, first, second))
                }
                _ => {}
            }
        }
        let exchanged = || {
            after.iter().enumerate().find_map(|(first, &cell)| {
                let second = *ghost_on.get(self.size().index(cell))? as usize;
                let exchange = second > first && after.get(second) == Some(&cells[first]);
                exchange.then_some(Illegal::Exchanged { first, second })
            })
        };
        let illegal = match shared {
            Some((cell, first, second)) => Some(Illegal::SameCell { first, second, cell }),
            None => exchanged(),
        };
        if illegal.is_none() {
            std::mem::swap(cells, &mut after);
            std::mem::swap(ghost_on, ghost_next_on);
        }
        for &cell in &after {
            if let Some(on) = ghost_next_on.get_mut(self.size().index(cell)) {
                *on = NO_GHOST;
            }
        }
        illegal.map_or(Ok(()), Err)
    }

    fn check_solved(&self, board: &Board) -> Result<(), NotAtGoal> {
        let goals = self.ghosts().iter().map(|ghost| ghost.goal);
        let away =
            board.cells.iter().zip(goals).enumerate().find(|(_, (cell, goal))| **cell != *goal);
        away.map_or(Ok(()), |(ghost, (&cell, goal))| Err(NotAtGoal { ghost, cell, goal }))
    }

    /// The steps of one ghost: there are up to 5^n steps of n ghosts.
    fn moves(&self, board: &Board) -> Vec<JointStep> {
        let ghosts = board.cells.len();
        let step = |ghost: usize, direction| {
            let mut directions = vec![None; ghosts];
            directions[ghost] = Some(direction);
            JointStep(directions)
        };
        let steps =
            (0..ghosts).flat_map(|ghost| Direction::ALL.map(|direction| (ghost, direction)));
        steps
            .filter(|&(ghost, direction)| {
                let to = board.cells[ghost].step(direction);
                self.is_corridor(to) && board.ghost_on[self.size().index(to)] == NO_GHOST
            })
            .map(|(ghost, direction)| step(ghost, direction))
            .collect()
    }

    fn with_board(&self, board: Board) -> Option<Self> {
        self.with_starts(&board.cells)
    }
}

/// The sum of costs of a plan, given the cells of the ghosts on each of its boards: the sum over
/// the ghosts of the number of steps until each is at its goal to stay. The plan must solve the
/// instance.
pub fn sum_of_costs(instance: &Instance, boards: impl IntoIterator<Item = Vec<Cell>>) -> usize {
    let mut costs = vec![0; instance.ghosts().len()];
    for (steps, board) in boards.into_iter().enumerate() {
        for ((cost, cell), ghost) in costs.iter_mut().zip(board).zip(instance.ghosts()) {
            if cell != ghost.goal {
                *cost = steps + 1;
            }
        }
    }
    costs.into_iter().sum()
}
