//! The rules of the puzzle on a plain board, independent of the packed space, the flow and every
//! search. Each plan is replayed by them before it is printed.
//!
//! ```
//! use fewest_black_white::{Exchange, Instance, Size};
//! use fewest_geometry::Cell;
//! use fewest_rules::verify;
//!
//! let size = Size::new(1, 3).unwrap();
//! let boards = Instance::read(b"100 001", size).next().unwrap().unwrap();
//! let exchange = |one, other| Exchange::new(Cell::new(0, one), Cell::new(0, other));
//! assert!(verify(&boards, vec![exchange(0, 1), exchange(1, 2)]).is_ok());
//! let refusal = verify(&boards, vec![exchange(1, 2)]).unwrap_err();
//! let message = "move 1: row 1, column 2 and row 1, column 3 have pieces of the same colour";
//! assert_eq!(refusal.to_string(), message);
//! ```

use fewest_geometry::{Cell, Direction};
use fewest_rules::Rules;

use crate::instance::{Board, Instance};
use crate::plan::Exchange;

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// A cell is outside the board.
    #[error("{0} is not on the board")]
    Outside(Cell),
    /// A cell is a wall.
    #[error("{0} is a wall")]
    Wall(Cell),
    /// The cells do not share an edge.
    #[error("{0} and {1} are not neighbours")]
    Apart(Cell, Cell),
    /// Both cells have pieces of the same colour.
    #[error("{0} and {1} have pieces of the same colour")]
    SameColour(Cell, Cell),
}

/// A cell in which the board differs from the target, the first in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the board differs from the target in {0}")]
pub struct OffTarget(pub Cell);

impl Rules for Instance {
    type Board = Board;
    type Move = Exchange;
    type Illegal = Illegal;
    type Unsolved = OffTarget;

    fn start_board(&self) -> Board {
        self.start.clone()
    }

    #[inline]
    fn play(&self, board: &mut Board, exchange: &Exchange) -> Result<(), Illegal> {
        let index = |cell: Cell| {
            if !self.size.contains(cell) {
                return Err(Illegal::Outside(cell));
            }
            let index = self.size.index(cell);
            if self.walls[index] { Err(Illegal::Wall(cell)) } else { Ok(index) }
        };
        let [one, other] = exchange.cells();
        let (here, there) = (index(one)?, index(other)?);
        if one.direction_to(other).is_none() {
            return Err(Illegal::Apart(one, other));
        }
        if board[here] == board[there] {
            return Err(Illegal::SameColour(one, other));
        }
        board.swap(here, there);
        Ok(())
    }

    fn check_solved(&self, board: &Board) -> Result<(), OffTarget> {
        match board.iter().zip(&self.target).position(|(piece, target)| piece != target) {
            Some(index) => Err(OffTarget(self.size.cell(index))),
            None => Ok(()),
        }
    }

    fn moves(&self, board: &Board) -> Vec<Exchange> {
        let exchange = |cell: Cell, direction| {
            let other = self.size.neighbour(cell, direction)?;
            let [here, there] = [cell, other].map(|cell| self.size.index(cell));
            let is_free = !self.walls[here] && !self.walls[there];
            (is_free && board[here] != board[there]).then(|| Exchange::new(cell, other))
        };
        let directions = [Direction::East, Direction::South];
        self.size
            .cells()
            .flat_map(|cell| directions.map(|direction| exchange(cell, direction)))
            .flatten()
            .collect()
    }

    fn with_board(&self, board: Board) -> Option<Self> {
        Self::with_walls(self.size, self.walls.clone(), board, self.target.clone())
    }
}
