//! The rules of the puzzle on a plain board, independent of the packed space and of every search.
//! Each plan is replayed by them before it is printed.
//!
//! ```
//! use fewest_geometry::Direction;
//! use fewest_rules::verify;
//! use fewest_wall_pusher::{Instance, Size};
//!
//! let size = Size::new(1, 2).unwrap();
//! let maze = Instance::read(b"1 1\n11 10\n", size).next().unwrap().unwrap();
//! assert!(verify(&maze, vec![Direction::East, Direction::East]).is_ok());
//! let refusal = verify(&maze, vec![Direction::North]).unwrap_err();
//! let message = "move 1: the wall north of row 1, column 1 belongs to the border and never moves";
//! assert_eq!(refusal.to_string(), message);
//! ```

use fewest_geometry::{Cell, Direction};
use fewest_rules::Rules;

use crate::instance::{Edge, Instance, Walls};

/// A position during play: the walls and the cell of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// The edges that have a wall.
    pub walls: Walls,
    /// The cell of the player; `None` outside the maze.
    pub place: Option<Cell>,
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

/// The player is still in the maze, in this cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the player is still in the maze, at {0}")]
pub struct StillInside(pub Cell);

impl Rules for Instance {
    type Board = Board;
    type Move = Direction;
    type Illegal = Illegal;
    type Unsolved = StillInside;

    fn start_board(&self) -> Board {
        Board { walls: self.walls, place: Some(self.start) }
    }

    fn play(&self, board: &mut Board, &direction: &Direction) -> Result<(), Illegal> {
        let from = board.place.ok_or(Illegal::Outside)?;
        let edge = Edge::of(from, direction);
        if board.walls.has(edge) {
            if edge.is_border(self.size) {
                return Err(Illegal::Border { from, direction });
            }
            let ahead = edge.next(direction, self.size).filter(|&ahead| !board.walls.has(ahead));
            let ahead = ahead.ok_or(Illegal::Blocked { from, direction })?;
            board.walls.set(edge, false);
            board.walls.set(ahead, true);
        }
        board.place = self.size.neighbour(from, direction);
        Ok(())
    }

    fn check_solved(&self, board: &Board) -> Result<(), StillInside> {
        board.place.map_or(Ok(()), |cell| Err(StillInside(cell)))
    }

    fn moves(&self, board: &Board) -> Vec<Direction> {
        let is_legal = |direction: &Direction| self.play(&mut board.clone(), direction).is_ok();
        Direction::ALL.into_iter().filter(is_legal).collect()
    }

    fn with_board(&self, board: Board) -> Option<Self> {
        Self::new(self.size, board.walls, board.place?)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use fewest_testing::outcomes::plain_cost;

    use super::*;

    /// The cost of a shortest plan, by a plain breadth-first search on the rules; `None` if there
    /// is no plan. The reference for all other searches.
    pub(crate) fn optimal_cost(maze: &Instance) -> Option<u32> {
        plain_cost(maze, |board| *board)
    }
}
