//! The referee: the rules as the statement has them, on a plain board, with nothing of the fast
//! search in it. Every plan that leaves the program has been replayed here.
//!
//! ```
//! use fewest_halloween::{Direction, Instance, plan::Step, rules};
//!
//! let house = Instance::read(b"3 1 1\na A\n").next().unwrap().unwrap();
//! let east = Step(vec![Direction::East]);
//! assert!(rules::replay(&house, &[east.clone(), east.clone()]).is_ok());
//! let refusal = rules::replay(&house, &[east]).unwrap_err();
//! assert_eq!(refusal.to_string(), "after step 1 ghost `a` is at column 2, row 1, not at its goal at column 3, row 1");
//! ```

use crate::instance::{Instance, Place, name};
use crate::plan::{Direction, Plan, Step};

/// The place of each ghost, in the order of their names.
pub type Board = Vec<Place>;

/// Where the ghosts are at first.
pub fn start(instance: &Instance) -> Board {
    instance.ghosts().iter().map(|ghost| ghost.start).collect()
}

/// Whether every ghost is at its goal.
pub fn is_solved(instance: &Instance, board: &[Place]) -> bool {
    instance.ghosts().iter().zip(board).all(|(ghost, place)| ghost.goal == *place)
}

/// What breaks the rules in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// A step for another number of ghosts.
    #[error("it is for {found} ghosts, and the house has {expected}")]
    Ghosts {
        /// The step's.
        found: usize,
        /// The house's.
        expected: usize,
    },
    /// A ghost walks into a wall, or off the map.
    #[error("ghost `{}` at {from} cannot go {way}: there is no corridor", name(*ghost))]
    Wall {
        /// Its index.
        ghost: usize,
        /// Where it stands.
        from: Place,
        /// Where it wants to go.
        way: Direction,
    },
    /// Two ghosts end on the same cell.
    #[error("ghosts `{}` and `{}` share {place}", name(*first), name(*second))]
    Shared {
        /// The index of the one.
        first: usize,
        /// The index of the other.
        second: usize,
        /// The cell.
        place: Place,
    },
    /// Two ghosts exchange their cells.
    #[error("ghosts `{}` and `{}` exchange cells", name(*first), name(*second))]
    Exchanged {
        /// The index of the one.
        first: usize,
        /// The index of the other.
        second: usize,
    },
}

/// A board on which steps are played, one after the other.
///
/// Takes 4 bytes of memory a cell of the map and 8 a ghost.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    instance: &'a Instance,
    board: Board,
    /// Of each cell of the map, row by row, the ghost that is on it, or [`NOBODY`].
    ghost_on: Vec<u16>,
    /// [`NOBODY`] on all cells between two steps.
    ghost_next_on: Vec<u16>,
}

const NOBODY: u16 = u16::MAX;

impl<'a> Replay<'a> {
    /// Starts where the ghosts are at first.
    pub fn new(instance: &'a Instance) -> Self {
        Self::from_board(instance, start(instance))
    }

    /// Starts from any board.
    pub fn from_board(instance: &'a Instance, board: Board) -> Self {
        let cells = usize::from(instance.width()) * usize::from(instance.height());
        let mut replay = Self {
            instance,
            board,
            ghost_on: vec![NOBODY; cells],
            ghost_next_on: vec![NOBODY; cells],
        };
        for (ghost, &place) in (0..).zip(&replay.board) {
            if let Some(on) = replay.ghost_on.get_mut(instance.index(place)) {
                *on = ghost;
            }
        }
        replay
    }

    /// The place of each ghost now.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plays a step; the board stays as it is if the step is illegal.
    ///
    /// Takes time linear in the ghosts.
    pub fn play(&mut self, step: &Step) -> Result<(), Illegal> {
        let Self { instance, board, ghost_on, ghost_next_on } = self;
        if step.0.len() != board.len() {
            return Err(Illegal::Ghosts { found: step.0.len(), expected: board.len() });
        }
        let mut after = Board::with_capacity(board.len());
        for (ghost, (&from, &way)) in board.iter().zip(&step.0).enumerate() {
            let to = way.from(from).filter(|&to| instance.is_open(to));
            after.push(to.ok_or(Illegal::Wall { ghost, from, way })?);
        }
        // Of several cells that are shared, the first in the order of places is named.
        let mut shared: Option<(Place, usize, usize)> = None;
        for (second, &place) in after.iter().enumerate() {
            let on = &mut ghost_next_on[instance.index(place)];
            match usize::from(*on) {
                _ if *on == NOBODY => *on = second as u16,
                first if shared.is_none_or(|(least, ..)| place < least) => {
                    shared = Some((place, first, second))
                }
                _ => {}
            }
        }
        let exchanged = || {
            after.iter().enumerate().find_map(|(first, &place)| {
                let second = usize::from(*ghost_on.get(instance.index(place))?);
                let exchange = second > first && after.get(second) == Some(&board[first]);
                exchange.then_some(Illegal::Exchanged { first, second })
            })
        };
        let illegal = match shared {
            Some((place, first, second)) => Some(Illegal::Shared { first, second, place }),
            None => exchanged(),
        };
        if illegal.is_none() {
            std::mem::swap(board, &mut after);
            std::mem::swap(ghost_on, ghost_next_on);
        }
        for &place in &after {
            if let Some(on) = ghost_next_on.get_mut(instance.index(place)) {
                *on = NOBODY;
            }
        }
        illegal.map_or(Ok(()), Err)
    }
}

/// The board after a step, or what is illegal in it. Takes time linear in the cells of the map: a
/// [`Replay`] plays several steps in less.
pub fn play(instance: &Instance, board: &[Place], step: &Step) -> Result<Board, Illegal> {
    let mut replay = Replay::from_board(instance, board.to_vec());
    replay.play(step).map(|()| replay.board)
}

/// All boards that one step makes of `board`, itself among them: each of the five choices of each
/// ghost is tried.
///
/// Takes 5 to the power of the ghosts.
pub fn successors(instance: &Instance, board: &[Place]) -> Vec<Board> {
    let choices = Direction::ALL.len();
    let steps = 0..choices.pow(board.len() as u32);
    let step = |mut number: usize| {
        let choose = |_: &Place| {
            let way = Direction::ALL[number % choices];
            number /= choices;
            way
        };
        Step(board.iter().map(choose).collect())
    };
    steps.filter_map(|number| play(instance, board, &step(number)).ok()).collect()
}

/// The plan that goes through these boards, one after the other.
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

/// Why a plan does not solve a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A step breaks the rules.
    #[error("step {step}: {illegal}")]
    Step {
        /// The number of the step, from 1.
        step: usize,
        /// What is wrong.
        illegal: Illegal,
    },
    /// Two boards lie farther apart than a step.
    #[error("step {step}: a ghost goes farther than one cell")]
    Jump {
        /// The number of the step, from 1.
        step: usize,
    },
    /// All steps are legal, but not all ghosts are home after the last.
    #[error("after step {steps} ghost `{}` is at {place}, not at its goal at {goal}", name(*ghost))]
    NotHome {
        /// How many steps there were.
        steps: usize,
        /// The index of the first ghost that is not home.
        ghost: usize,
        /// Where it is.
        place: Place,
        /// Where it should be.
        goal: Place,
    },
}

/// The boards of a plan from the start on, up to its first illegal step.
pub fn boards<'a>(instance: &'a Instance, plan: &'a [Step]) -> impl Iterator<Item = Board> + 'a {
    let mut replay = Replay::new(instance);
    let played =
        plan.iter().map_while(move |step| replay.play(step).ok().map(|()| replay.board.clone()));
    std::iter::once(start(instance)).chain(played)
}

/// What the ghosts' own plans cost, all together, by the [`boards`] of a plan that solves the
/// house: the steps until each is at its goal to stay.
pub fn sum_of_costs(instance: &Instance, boards: impl IntoIterator<Item = Board>) -> usize {
    let mut costs = vec![0; instance.ghosts().len()];
    for (steps, board) in boards.into_iter().enumerate() {
        for ((cost, place), ghost) in costs.iter_mut().zip(board).zip(instance.ghosts()) {
            if place != ghost.goal {
                *cost = steps + 1;
            }
        }
    }
    costs.into_iter().sum()
}

/// Plays a plan from the start: accepted if each step is legal and every ghost ends at its goal.
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
        .find(|(_, (ghost, place))| ghost.goal != *place);
    match away {
        Some((index, (ghost, place))) => {
            Err(Refusal::NotHome { steps: plan.len(), ghost: index, place, goal: ghost.goal })
        }
        None => Ok(()),
    }
}
