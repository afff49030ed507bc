//! The rules of the puzzle on a plain board, independent of the packed space and of every search.
//! Each plan is replayed here before it is printed.
//!
//! ```
//! use fewest_geometry::Direction;
//! use fewest_wall_pusher::{Instance, Size, rules};
//!
//! let size = Size::new(1, 2).unwrap();
//! let maze = Instance::read(b"1 1\n11 10\n", size).next().unwrap().unwrap();
//! assert!(rules::replay(&maze, &[Direction::East, Direction::East]).is_ok());
//! let refusal = rules::replay(&maze, &[Direction::North]).unwrap_err();
//! let message = "move 1: the wall north of row 1, column 1 belongs to the border and never moves";
//! assert_eq!(refusal.to_string(), message);
//! ```

use fewest_geometry::{Cell, Direction};

use crate::instance::{Edge, Instance, Walls};

/// A position during play: the walls and the cell of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// The edges that have a wall.
    pub walls: Walls,
    /// The cell of the player; `None` outside the maze.
    pub place: Option<Cell>,
}

/// The board before the first move.
pub fn start(instance: &Instance) -> Board {
    Board { walls: *instance.walls(), place: Some(instance.start()) }
}

/// Whether the player has left the maze.
pub fn is_solved(board: &Board) -> bool {
    board.place.is_none()
}

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The player has already left the maze.
    #[error("an earlier move has already left the maze")]
    Outside,
    /// A wall of the border blocks the move.
    #[error("the wall {direction} of {from} belongs to the border and never moves")]
    Border {
        /// The cell of the player.
        from: Cell,
        /// The direction of the move.
        direction: Direction,
    },
    /// A wall blocks the move, and a second wall behind it blocks the push.
    #[error("the wall {direction} of {from} cannot be pushed: another wall is behind it")]
    Blocked {
        /// The cell of the player.
        from: Cell,
        /// The direction of the move.
        direction: Direction,
    },
}

/// Plays one move on a board. The board is unchanged if the move is illegal.
///
/// # Errors
/// The rule that the move breaks.
pub fn play(instance: &Instance, board: &mut Board, direction: Direction) -> Result<(), Illegal> {
    let size = instance.size();
    let from = board.place.ok_or(Illegal::Outside)?;
    let edge = Edge::of(from, direction);
    if board.walls.has(edge) {
        if edge.is_border(size) {
            return Err(Illegal::Border { from, direction });
        }
        let ahead = edge.next(direction, size).filter(|&ahead| !board.walls.has(ahead));
        let ahead = ahead.ok_or(Illegal::Blocked { from, direction })?;
        board.walls.set(edge, false);
        board.walls.set(ahead, true);
    }
    board.place = size.neighbour(from, direction);
    Ok(())
}

/// Why the rules reject a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A move is illegal.
    #[error("move {number}: {illegal}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The rule that it breaks.
        illegal: Illegal,
    },
    /// All moves are legal, but the player is still in the maze after the last one.
    #[error("after move {moves} the player is still in the maze, at {place}")]
    StillInside {
        /// The number of moves.
        moves: usize,
        /// The cell of the player.
        place: Cell,
    },
}

/// Plays a plan from the start. It is accepted if and only if each move is legal and the last one
/// leaves the maze.
///
/// # Errors
/// The first illegal move, or the cell in which the plan ends.
pub fn replay(instance: &Instance, plan: &[Direction]) -> Result<(), Refusal> {
    let mut board = start(instance);
    for (index, &direction) in plan.iter().enumerate() {
        play(instance, &mut board, direction)
            .map_err(|illegal| Refusal::Move { number: index + 1, illegal })?;
    }
    match board.place {
        Some(place) => Err(Refusal::StillInside { moves: plan.len(), place }),
        None => Ok(()),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use fewest_testing::outcomes::plain_search;

    use super::*;

    /// The cost of a shortest plan, by a plain breadth-first search on the rules; `None` if there
    /// is no plan. The reference for all other searches.
    pub(crate) fn optimal_cost(maze: &Instance) -> Option<u32> {
        let played = |board: &Board, direction| {
            let mut after = *board;
            play(maze, &mut after, direction).ok().map(|()| after)
        };
        let successors = |board: &Board| {
            Direction::ALL.iter().filter_map(|&direction| played(board, direction)).collect()
        };
        plain_search(start(maze), |board| *board, is_solved, successors)
    }
}
