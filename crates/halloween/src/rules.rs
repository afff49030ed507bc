//! The referee: the rules as the statement has them, on a plain board, with nothing of the fast search in it. Every plan
//! that leaves the program has been replayed here.
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

use crate::instance::{Ghost, Instance, Place, name};
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

/// The board after a step, or what is illegal in it.
pub fn play(instance: &Instance, board: &[Place], step: &Step) -> Result<Board, Illegal> {
    if step.0.len() != board.len() {
        return Err(Illegal::Ghosts { found: step.0.len(), expected: board.len() });
    }
    let mut after = Board::new();
    for (ghost, (&from, &way)) in board.iter().zip(&step.0).enumerate() {
        let to = way.from(from).filter(|&to| instance.is_open(to));
        after.push(to.ok_or(Illegal::Wall { ghost, from, way })?);
    }
    let by_place = |board: &[Place]| {
        let mut ghosts: Vec<(Place, usize)> = board.iter().copied().zip(0..).collect();
        ghosts.sort_unstable();
        ghosts
    };
    let (stood, stand) = (by_place(board), by_place(&after));
    if let Some(pair) = stand.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(Illegal::Shared { first: pair[0].1, second: pair[1].1, place: pair[0].0 });
    }
    for first in 0..board.len() {
        let there = stood.binary_search_by_key(&after[first], |&(place, _)| place);
        let there = there.map(|index| stood[index].1).ok().filter(|&second| second > first);
        if let Some(second) = there.filter(|&second| after[second] == board[first]) {
            return Err(Illegal::Exchanged { first, second });
        }
    }
    Ok(after)
}

/// All boards that one step makes of `board`, itself among them: each of the five choices of each ghost is tried.
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
pub fn plan_through(boards: &[Board]) -> Result<Plan, Refusal> {
    let pairs = boards.windows(2).enumerate();
    let step =
        |(index, pair): (usize, &[Board])| Step::between(&pair[0], &pair[1]).ok_or(Refusal::Jump { step: index + 1 });
    pairs.map(step).collect()
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
pub fn boards(instance: &Instance, plan: &[Step]) -> Vec<Board> {
    let mut boards = vec![start(instance)];
    for step in plan {
        let Ok(next) = play(instance, &boards[boards.len() - 1], step) else { break };
        boards.push(next);
    }
    boards
}

/// What the ghosts' own plans cost, all together, by the [`boards`] of a plan that solves the house: the steps until
/// each is at its goal to stay.
pub fn sum_of_costs(instance: &Instance, boards: &[Board]) -> usize {
    let away = |(ghost, way): (usize, &Ghost)| {
        boards.iter().rposition(|board| board[ghost] != way.goal).map_or(0, |last| last + 1)
    };
    instance.ghosts().iter().enumerate().map(away).sum()
}

/// Plays a plan from the start: fine if each step is legal and every ghost ends at its goal.
pub fn replay(instance: &Instance, plan: &[Step]) -> Result<(), Refusal> {
    let mut board = start(instance);
    for (index, step) in plan.iter().enumerate() {
        board = play(instance, &board, step).map_err(|illegal| Refusal::Step { step: index + 1, illegal })?;
    }
    let away = instance.ghosts().iter().zip(board).enumerate().find(|(_, (ghost, place))| ghost.goal != *place);
    match away {
        Some((index, (ghost, place))) => {
            Err(Refusal::NotHome { steps: plan.len(), ghost: index, place, goal: ghost.goal })
        }
        None => Ok(()),
    }
}
