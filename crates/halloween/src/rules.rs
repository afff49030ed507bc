//! The rules of the statement on a plain board, independent of the searches. Every plan is replayed
//! here before it is returned.
//!
//! ```
//! use fewest_geometry::Direction;
//! use fewest_halloween::{Instance, plan::Step, rules};
//!
//! let instance = Instance::read(b"3 1 1\na A\n").next().unwrap().unwrap();
//! let east = Step(vec![Some(Direction::East)]);
//! assert!(rules::replay(&instance, &[east.clone(), east.clone()]).is_ok());
//! let refusal = rules::replay(&instance, &[east]).unwrap_err();
//! assert_eq!(refusal.to_string(), "after step 1 ghost `a` is at row 1, column 2, not at its goal at row 1, column 3");
//! ```

use fewest_geometry::{Cell, Direction};

use crate::instance::{Instance, ghost_name};
use crate::plan::{Plan, Step};

/// The cell of each ghost, in the order of the ghosts.
pub type Board = Vec<Cell>;

/// The initial board.
pub fn start(instance: &Instance) -> Board {
    instance.ghosts().iter().map(|ghost| ghost.start).collect()
}

/// Whether every ghost is at its goal.
pub fn is_solved(instance: &Instance, board: &[Cell]) -> bool {
    instance.ghosts().iter().zip(board).all(|(ghost, cell)| ghost.goal == *cell)
}

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

/// A board that steps are played on, one after the other.
///
/// Takes 4 bytes for each cell of the map, walls included, and 8 for each ghost.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    instance: &'a Instance,
    board: Board,
    /// For each cell of the map in reading order, the index of the ghost on it, or [`NO_GHOST`].
    ghost_on: Vec<u16>,
    /// The same after the step that is being played; all [`NO_GHOST`] between two steps.
    ghost_next_on: Vec<u16>,
}

const NO_GHOST: u16 = u16::MAX;

impl<'a> Replay<'a> {
    /// A replay that begins with the initial board.
    pub fn new(instance: &'a Instance) -> Self {
        Self::from_board(instance, start(instance))
    }

    /// A replay that begins with `board`.
    pub fn from_board(instance: &'a Instance, board: Board) -> Self {
        let cells = instance.size().len();
        let mut replay = Self {
            instance,
            board,
            ghost_on: vec![NO_GHOST; cells],
            ghost_next_on: vec![NO_GHOST; cells],
        };
        for (ghost, &cell) in (0..).zip(&replay.board) {
            if let Some(on) = replay.ghost_on.get_mut(instance.size().index(cell)) {
                *on = ghost;
            }
        }
        replay
    }

    /// The current cell of each ghost.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plays a step in time linear in the number of ghosts.
    ///
    /// # Errors
    /// If the step is illegal; the board is then unchanged.
    pub fn play(&mut self, step: &Step) -> Result<(), Illegal> {
        let Self { instance, board, ghost_on, ghost_next_on } = self;
        if step.0.len() != board.len() {
            return Err(Illegal::GhostCount { found: step.0.len(), expected: board.len() });
        }
        let mut after = Board::with_capacity(board.len());
        for (ghost, (&from, &direction)) in board.iter().zip(&step.0).enumerate() {
            let to = direction.map_or(from, |direction| from.step(direction));
            if let Some(direction) = direction.filter(|_| !instance.is_corridor(to)) {
                return Err(Illegal::Wall { ghost, from, direction });
            }
            after.push(to);
        }
        // If several cells are shared, the error names the first.
        let mut shared: Option<(Cell, usize, usize)> = None;
        for (second, &cell) in after.iter().enumerate() {
            let on = &mut ghost_next_on[instance.size().index(cell)];
            match usize::from(*on) {
                _ if *on == NO_GHOST => *on = second as u16,
                first if shared.is_none_or(|(least, ..)| cell < least) => {
                    shared = Some((cell, first, second))
                }
                _ => {}
            }
        }
        let exchanged = || {
            after.iter().enumerate().find_map(|(first, &cell)| {
                let second = usize::from(*ghost_on.get(instance.size().index(cell))?);
                let exchange = second > first && after.get(second) == Some(&board[first]);
                exchange.then_some(Illegal::Exchanged { first, second })
            })
        };
        let illegal = match shared {
            Some((cell, first, second)) => Some(Illegal::SameCell { first, second, cell }),
            None => exchanged(),
        };
        if illegal.is_none() {
            std::mem::swap(board, &mut after);
            std::mem::swap(ghost_on, ghost_next_on);
        }
        for &cell in &after {
            if let Some(on) = ghost_next_on.get_mut(instance.size().index(cell)) {
                *on = NO_GHOST;
            }
        }
        illegal.map_or(Ok(()), Err)
    }
}

/// The board after `step`. Takes time linear in the cells of the map; to play several steps, a
/// [`Replay`] is faster.
///
/// # Errors
/// If the step is illegal.
pub fn play(instance: &Instance, board: &[Cell], step: &Step) -> Result<Board, Illegal> {
    let mut replay = Replay::from_board(instance, board.to_vec());
    replay.play(step).map(|()| replay.board)
}

/// All boards that one step leads to, `board` itself included.
///
/// Plays all `5^n` combinations of directions of `n` ghosts.
pub fn successors(instance: &Instance, board: &[Cell]) -> Vec<Board> {
    let choices = 1 + Direction::ALL.len();
    let steps = 0..choices.pow(board.len() as u32);
    let step = |mut number: usize| {
        let choose = |_: &Cell| {
            let choice = number % choices;
            number /= choices;
            choice.checked_sub(1).map(|index| Direction::ALL[index])
        };
        Step(board.iter().map(choose).collect())
    };
    steps.filter_map(|number| play(instance, board, &step(number)).ok()).collect()
}

/// The steps between consecutive boards. They are not checked against the rules.
///
/// # Errors
/// [`Refusal::Jump`] if a ghost is neither on the same nor on a neighbouring cell in the next
/// board.
pub fn plan_through(boards: impl IntoIterator<Item = Board>) -> Result<Plan, Refusal> {
    let mut boards = boards.into_iter();
    let Some(mut before) = boards.next() else { return Ok(Plan::new()) };
    let mut step = 0;
    boards
        .map(|board| {
            step += 1;
            let found = Step::between(&before, &board).ok_or(Refusal::Jump { step });
            before = board;
            found
        })
        .collect()
}

/// Why a plan does not solve an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A step breaks the rules.
    #[error("step {step}: {illegal}")]
    Step {
        /// The number of the step, from 1.
        step: usize,
        /// The violation.
        illegal: Illegal,
    },
    /// Two consecutive boards are more than one step apart.
    #[error("step {step}: a ghost moves more than one cell")]
    Jump {
        /// The number of the step, from 1.
        step: usize,
    },
    /// All steps are legal, but a ghost is not at its goal after the last one.
    #[error(
        "after step {steps} ghost `{}` is at {cell}, not at its goal at {goal}",
        ghost_name(*ghost)
    )]
    NotAtGoal {
        /// The number of steps of the plan.
        steps: usize,
        /// The index of the first ghost that is not at its goal.
        ghost: usize,
        /// Its cell after the last step.
        cell: Cell,
        /// Its goal.
        goal: Cell,
    },
}

/// The boards of a plan, from the initial one to the last before an illegal step or to the end.
///
/// A plan of `n` legal steps has `n + 1` boards.
pub fn boards<'a>(instance: &'a Instance, plan: &'a [Step]) -> impl Iterator<Item = Board> + 'a {
    let mut replay = Replay::new(instance);
    let played =
        plan.iter().map_while(move |step| replay.play(step).ok().map(|()| replay.board.clone()));
    std::iter::once(start(instance)).chain(played)
}

/// The sum of costs of a plan, given its [`boards`]: the sum over the ghosts of the number of steps
/// until each is at its goal to stay. The plan must solve the instance.
pub fn sum_of_costs(instance: &Instance, boards: impl IntoIterator<Item = Board>) -> usize {
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

/// Plays a plan from the initial board.
///
/// # Errors
/// If a step is illegal, or if a ghost is not at its goal after the last step.
pub fn replay(instance: &Instance, plan: &[Step]) -> Result<(), Refusal> {
    let mut replay = Replay::new(instance);
    for (index, step) in plan.iter().enumerate() {
        replay.play(step).map_err(|illegal| Refusal::Step { step: index + 1, illegal })?;
    }
    let away = instance
        .ghosts()
        .iter()
        .zip(replay.board)
        .enumerate()
        .find(|(_, (ghost, cell))| ghost.goal != *cell);
    match away {
        Some((index, (ghost, cell))) => {
            Err(Refusal::NotAtGoal { steps: plan.len(), ghost: index, cell, goal: ghost.goal })
        }
        None => Ok(()),
    }
}
