//! The referee: the rules as the statement has them, on a plain board, with nothing of the fast
//! search in it. Every plan that leaves the program has been replayed here.
//!
//! ```
//! use fewest_core::grid::Direction;
//! use fewest_wall_pusher::{Instance, Size, rules};
//!
//! let size = Size::new(1, 2).unwrap();
//! let maze = Instance::read(b"1 1\n11 10\n", size).next().unwrap().unwrap();
//! assert!(rules::replay(&maze, &[Direction::East, Direction::East]).is_ok());
//! let refusal = rules::replay(&maze, &[Direction::North]).unwrap_err();
//! assert_eq!(refusal.to_string(), "move 1: the wall north of row 1, column 1 belongs to the border and never moves");
//! ```

use fewest_core::grid::{Direction, Place};

use crate::instance::{Edge, Instance, Walls};

/// The walls where they are now, and the cell; `None` is outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// The walls.
    pub walls: Walls,
    /// Where one stands.
    pub place: Option<Place>,
}

/// The board at first.
pub fn start(instance: &Instance) -> Board {
    Board { walls: *instance.walls(), place: Some(instance.start()) }
}

/// Whether one is out.
pub fn is_solved(board: &Board) -> bool {
    board.place.is_none()
}

/// What breaks the rules in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// One is out, and the puzzle over.
    #[error("it comes after the last, which led out of the maze")]
    Outside,
    /// A wall of the border is in the way.
    #[error("the wall {way} of {from} belongs to the border and never moves")]
    Border {
        /// The cell.
        from: Place,
        /// Where the wall is.
        way: Direction,
    },
    /// Two walls are in the way.
    #[error("the wall {way} of {from} cannot be pushed: there is another behind it")]
    Blocked {
        /// The cell.
        from: Place,
        /// Where the walls are.
        way: Direction,
    },
}

/// Plays a move on a board, which stays as it is if the move is illegal.
pub fn play(instance: &Instance, board: &mut Board, way: Direction) -> Result<(), Illegal> {
    let size = instance.size();
    let from = board.place.ok_or(Illegal::Outside)?;
    let edge = Edge::of(from, way);
    if board.walls.has(edge) {
        if edge.is_border(size) {
            return Err(Illegal::Border { from, way });
        }
        let ahead = edge.next(way, size).filter(|&ahead| !board.walls.has(ahead));
        let ahead = ahead.ok_or(Illegal::Blocked { from, way })?;
        board.walls.set(edge, false);
        board.walls.set(ahead, true);
    }
    board.place = size.neighbour(from, way);
    Ok(())
}

/// Why a plan does not lead out of a maze.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A move breaks the rules.
    #[error("move {number}: {illegal}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// What is wrong.
        illegal: Illegal,
    },
    /// All moves are legal, and the last does not lead out.
    #[error("after move {moves} one is still in the maze, at {place}")]
    StillInside {
        /// How many moves there were.
        moves: usize,
        /// Where one stands.
        place: Place,
    },
}

/// Plays a plan from the start: fine if each move is legal and the last leads out.
pub fn replay(instance: &Instance, plan: &[Direction]) -> Result<(), Refusal> {
    let mut board = start(instance);
    for (index, &way) in plan.iter().enumerate() {
        play(instance, &mut board, way)
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

    /// The fewest moves that lead out, by a plain search on the rules; what searches are held
    /// against.
    pub(crate) fn fewest(maze: &Instance) -> Option<u32> {
        let after = |board: &Board, way| {
            let mut after = *board;
            play(maze, &mut after, way).ok().map(|()| after)
        };
        let next =
            |board: &Board| Direction::ALL.iter().filter_map(|&way| after(board, way)).collect();
        plain_search(start(maze), |board| *board, is_solved, next)
    }
}
